/*
 * Patches in the formats IPS, UPS and BPS. A patched ROM exists only in memory; its file stays as it is.
 *
 * libmgba's own reader of patches is not used: it writes an IPS patch into a ROM of 16 MB, reads no truncation, and tells no reason when it refuses
 * one. Here sizes, CRC32 sums and every position are checked before the ROM is loaded.
 */
#ifndef HEADLESS_MACHINE_PATCH_H
#define HEADLESS_MACHINE_PATCH_H

#include "base/failure.h"
#include "machine/library.h"

#include <stdbool.h>

/* As mCoreLoadFile(), with the patch of this file (NULL: none) applied to the ROM. */
bool patch_load_rom(struct mCore* core, const char* rom, const char* patch, struct failure* failure);

#endif
