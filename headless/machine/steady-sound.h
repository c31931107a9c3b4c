/*
 * The sound of a Game Boy while no channel takes a step. libmgba makes 32 samples at a time, and asks all channels for each of them, though most are like the one
 * before. Those are made here, with the same results, in the sound as in states. Only with the mGBA inside: others make their sound in other ways.
 */
#ifndef HEADLESS_MACHINE_STEADY_SOUND_H
#define HEADLESS_MACHINE_STEADY_SOUND_H

#include "machine/library.h"

/* For a new core. */
void steady_sound_open(struct mCore* core);

#endif
