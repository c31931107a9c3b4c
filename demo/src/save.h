/* The game in the Flash memory of the cartridge. */
#pragma once
#include "hardware.h"

struct save {
    u32 magic;
    u32 number; /* of saves, of which the greater is the newer one */
    u32 coins, taken, milestone, hp, map, x, y, facing, played, gave;
    u32 sum; /* the inverted sum of the words before */
};

/* Before anything else looks at the Flash: mGBA decides by the first access what the cartridge has. */
void save_start(void);
/* Whether there is a save; it is the newest that is whole. */
u32 save_read(struct save *save);
/* Writes a save in the frames that follow. */
void save_write(const struct save *save);
void save_move(void);
