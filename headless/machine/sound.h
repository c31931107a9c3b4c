/*
 * The game's sound for scripts: 16-bit samples of left and right, LIBRARY_SOUND_RATE (48,000) of each a second of the machine's time. Nothing is read from the
 * machine, and nothing is resampled, until a script asks.
 *
 *   headless.heard()      how many samples there were since a script asked first
 *   headless.samples(n)   the samples behind the first n, as little-endian bytes L L R R; the newest 65,536 are kept
 */
#ifndef HEADLESS_MACHINE_SOUND_H
#define HEADLESS_MACHINE_SOUND_H

#include "machine/library.h"

/* A game was put in. */
void sound_open(struct mCore* core);
/* Before the core is destroyed. */
void sound_close(void);
int64_t sound_count(void);
/* The samples behind the first `from` for C, until the next call. */
const void* sound_since(int64_t from, size_t* size);
struct mScriptValue* sound_samples(int64_t from);

#endif
