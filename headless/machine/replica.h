/*
 * A second machine with the game of the first one: it runs from a state once more, without any effect on the first. It has no scripts, no sound and no save file.
 */
#ifndef HEADLESS_MACHINE_REPLICA_H
#define HEADLESS_MACHINE_REPLICA_H

#include "machine/game-clock.h"
#include "machine/library.h"
#include "machine/sensors.h"

#include <stdbool.h>
#include <stddef.h>

struct replica {
    struct mCore* core; /* NULL: there is none */
    pixel* pixels;      /* into which it draws */
};

/* Another ROM was put in. */
void replica_rom_opened(void);
/* A script or a debugger has written to the ROM. */
void replica_rom_written(void);
/* Why a machine with the file of this one would run another game, and what to do; NULL: it runs the same. */
const char* replica_difference(struct mCore* core);

/* The sensors remain the caller's. */
bool replica_create(struct replica* replica, struct mCore* of, struct sensors* sensors);
void replica_destroy(struct replica* replica);
/* A state of the other machine, with the save data that it had, or NULL, and its clock. */
bool replica_load(struct replica* replica, const void* state, const void* save, size_t save_size, struct game_clock_kept clock);

#endif
