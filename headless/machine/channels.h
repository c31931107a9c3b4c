/*
 * Two faults of libmgba in the sound channels that both consoles have. A GBA that loads a state does not use all of its registers: 0.10.1 leaves pitch, waveform, envelope,
 * sweep and noise as they were in the machine before, and states of 0.10.4 and later have no pitch. And a square channel that was silent for 2^31 cycles (128 seconds of a
 * GBA, 256 of a GB) and plays then is not heard for as long.
 */
#ifndef HEADLESS_MACHINE_CHANNELS_H
#define HEADLESS_MACHINE_CHANNELS_H

#include "machine/library.h"

/* Before each frame. */
void channels_before_frame(struct mCore* core);
/* A state was made. */
void channels_saved(struct mCore* core, void* state);
/* A state was loaded. */
void channels_loaded(struct mCore* core, const void* state);

#endif
