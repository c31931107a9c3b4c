/*
 * Save states that stay in the emulator, for scripts, without a copy of their bytes in Lua.
 *
 *   headless.keepState(number)      keeps the state of the machine under a number from 0 to 7, with save data and clock
 *   headless.recallState(number)    continues from it
 *
 * Both are false when it is not possible. Another game has none of them.
 */
#ifndef HEADLESS_MACHINE_KEPT_H
#define HEADLESS_MACHINE_KEPT_H

#include "machine/game-clock.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stddef.h>

#define KEPT_STATES 8

/* A game was put in, or NULL: it is taken out. */
void kept_of(struct mCore* core);
bool kept_save(int32_t number);
bool kept_load(int32_t number);

/* The machine continues from a state, with save data (of size 0: its own) and clock. `writeback`: the save data are in the file, too. */
bool kept_put(struct mCore* core, const void* state, const void* save, size_t save_size, struct game_clock_kept clock, bool writeback);

#endif
