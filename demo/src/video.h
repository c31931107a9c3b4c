/* Scenes, sprites, letters and fading. */
#pragma once
#include "assets.h"

/* The frames of art/sprites.png. */
enum {
    SPRITE_DOWN, SPRITE_DOWN_STEP, SPRITE_UP, SPRITE_UP_STEP, SPRITE_SIDE, SPRITE_SIDE_STEP, SPRITE_SIDE_STEP2,
    SPRITE_MIRA, SPRITE_MIRA_SIDE, SPRITE_MIRA_UP, SPRITE_BO, SPRITE_BO_SIDE, SPRITE_BO_UP, SPRITE_CRAB, SPRITE_CRAB2,
    SPRITE_COIN, SPRITE_HEART = SPRITE_COIN + 4, SPRITE_NO_HEART, SPRITE_SPARK, SPRITE_SHADOW = SPRITE_SPARK + 3,
    SPRITE_ARROW, SPRITE_HAND, SPRITE_BUBBLE, SPRITE_DOOR
};

enum { INK_CREAM = 8, INK_GOLD }; /* palettes of letters */
enum { FLIPPED = 1, SEE_THROUGH = 2, IN_FRONT = 4 /* of letters and box */ };

/* In letters, the last ones included. */
struct area {
    u8 left, top, right, bottom;
};

void video_start(void);
/* Loads a scene in the frames that follow; false as long as it is not there. */
void scene_begin(u32 number);
u32 scene_load(void);
/* Water and stars. */
void scene_move(void);
/* 0 is bright, 16 is black. */
void fade(u32 level);

void sprites_begin(void);
void sprite(s32 x, s32 y, u32 frame, u32 look);
void sprites_end(void);

void letter(u32 column, u32 row, u32 code, u32 ink);
void write(u32 column, u32 row, const char *text, u32 ink);
void erase(u32 row, u32 rows);
void box(const struct area *area, u32 shown);
