/* Where memory is in a snapshot (history.h). */
#ifndef HEADLESS_DEBUGGER_PLACES_H
#define HEADLESS_DEBUGGER_PLACES_H

#include "machine/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of an address, in a bank of a Game Boy, or without one (-1). False if states have no such memory. Who reads checks the size of the snapshot. */
bool places_find(struct mCore* core, uint32_t address, int bank, size_t* at);
/* Of a memory domain, as scripts name it. */
bool places_find_in(struct mCore* core, const char* domain, uint32_t offset, size_t length, size_t* at);

#endif
