/* What programs can read: README.md says what the fields mean. The game plays with these very fields. */
#pragma once
#include "hardware.h"

enum { MODE_LOAD, MODE_TITLE, MODE_WALK, MODE_TALK, MODE_CHOICE, MODE_ENDING };
enum { BEGUN = 1, FIRST_COIN, FIVE_COINS, DOOR_OPEN, LAMP_LIT }; /* milestones */
enum { DOWN, UP, LEFT, RIGHT };

#define MAGIC 0x504D414C /* LAMP */
#define MAX_HP 3
#define COINS 10
#define DOOR_COINS 5
#define NONE (-1)

struct state {
    u32 magic;
    u32 version;
    u32 frame;
    u32 keys;
    u32 hp;
    u32 coins;
    s32 x, y; /* the middle of the walker's feet */
    u32 map;
    u32 milestone;
    u32 mode;
    u32 facing;
    u32 taken; /* a bit for each coin */
    u32 choice; /* 0 yes, 1 no */
    s32 enemy_x, enemy_y;
    s32 coin_x, coin_y; /* the nearest coin of this screen */
    u32 random;
    u32 saves;
    u32 late; /* frames that took longer than a frame */
    u32 lines; /* the most lines that a frame took */
    u32 played; /* frames since New game */
    u32 safe; /* frames in which the crab cannot hurt */
    u32 padding[8];
    char text[128];
};

_Static_assert(sizeof(struct state) == 0x100, "README.md");

extern struct state state; /* at 0x02000000: Makefile */
