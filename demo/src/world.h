/* What is where on the island. */
#pragma once
#include "state.h"

enum { MAP_HARBOUR, MAP_MEADOW, MAP_CAPE, MAP_LAMP, MAPS };
enum { GROUND, WALL, DOOR, LAMP }; /* the colours of art/...-solid.png */
enum { TALK_MIRA, TALK_BO, TALK_HARBOUR_SIGN, TALK_MEADOW_SIGN, TALK_DOOR, TALK_LAMP };

struct coin {
    u8 map, x, y;
};

/* Who or what answers when A is pressed before it. */
struct thing {
    u8 map, x, y, talk;
    u8 sprite; /* facing down; to the left and up follow. 0 is a part of the picture */
};

struct crab {
    u8 map, x, y, left, right;
};

#define BO_COIN 9
extern const struct coin coins[COINS - 1]; /* Bo has the tenth */
#define THINGS 5
extern const struct thing things[THINGS];
#define CRABS 2
extern const struct crab crabs[CRABS];

u32 kind_at(s32 x, s32 y);
/* Whether the walker's feet can be there. */
u32 is_free(s32 x, s32 y);
/* The kind of what the feet would touch there, the greatest one. */
u32 touched(s32 x, s32 y);
