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

#include "machine/library.h"

#define KEPT_STATES 8

/* A game was put in, or NULL: it is taken out. */
void kept_of(struct mCore* core);
bool kept_save(int32_t number);
bool kept_load(int32_t number);

#endif
