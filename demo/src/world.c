#include "video.h"
#include "world.h"

const struct coin coins[COINS - 1] = {
    {MAP_HARBOUR, 156, 138}, {MAP_HARBOUR, 52, 116}, {MAP_HARBOUR, 150, 48},
    {MAP_MEADOW, 36, 76}, {MAP_MEADOW, 212, 74}, {MAP_MEADOW, 104, 126}, {MAP_MEADOW, 184, 126},
    {MAP_CAPE, 70, 68}, {MAP_CAPE, 170, 68},
};

const struct thing things[THINGS] = {
    {MAP_HARBOUR, 116, 92, TALK_MIRA, SPRITE_MIRA},
    {MAP_MEADOW, 140, 72, TALK_BO, SPRITE_BO},
    {MAP_HARBOUR, 214, 83, TALK_HARBOUR_SIGN, 0},
    {MAP_MEADOW, 139, 49, TALK_MEADOW_SIGN, 0},
    {MAP_LAMP, 120, 102, TALK_LAMP, 0},
};

const struct crab crabs[CRABS] = {
    {MAP_MEADOW, 150, 125, 124, 196},
    {MAP_CAPE, 150, 122, 92, 166},
};

u32 kind_at(s32 x, s32 y)
{
    if (x < 0 || x >= 240 || y < 0 || y >= 160)
        return GROUND; /* the next screen */
    return solid[state.map][(y >> 3) * 30 + (x >> 3)];
}

u32 touched(s32 x, s32 y)
{
    u32 kind = GROUND;
    for (s32 i = -4; i <= 3; i += 7)
        for (s32 j = -5; j <= 0; j += 5) {
            u32 one = kind_at(x + i, y + j);
            if (one > kind)
                kind = one;
        }
    return kind;
}

u32 is_free(s32 x, s32 y)
{
    if (touched(x, y) != GROUND)
        return 0;
    for (u32 i = 0; i < THINGS; i++) {
        const struct thing *one = &things[i];
        if (one->sprite && one->map == state.map && x - one->x < 11 && one->x - x < 11 && y - one->y < 7 && one->y - y < 7)
            return 0;
    }
    return 1;
}
