/*
 * The motor of a cartridge that shakes, for scripts.
 *
 *   headless.rumble()   whether the motor ran in the frame that has ended, or a part of it
 */
#ifndef HEADLESS_MACHINE_RUMBLE_H
#define HEADLESS_MACHINE_RUMBLE_H

#include "machine/library.h"

/* A game was put in. */
void rumble_open(struct mCore* core);
/* The machine was reset or has another state: the motor stops, until the game switches it on. */
void rumble_stop(void);
/* Before the scripts' frame callback. */
void rumble_frame_ended(void);
bool rumble_ran(void);

#endif
