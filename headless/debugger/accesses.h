/* The reads and writes of the processor and of DMA. */
#ifndef HEADLESS_DEBUGGER_ACCESSES_H
#define HEADLESS_DEBUGGER_ACCESSES_H

#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

struct access {
    bool writes;
    uint32_t address; /* the first of its mirrors */
    unsigned size;
    uint32_t before; /* the value there */
    uint32_t value;  /* that is read or written */
    uint32_t after;  /* what is there then */
    bool by_dma;
};

/* Calls `noted` for each access inside these addresses, until accesses_forget(). The memory functions of the processor are replaced meanwhile. */
void accesses_note(struct mCore* core, uint32_t first, uint32_t last, void (*noted)(const struct access* access));
void accesses_forget(void);

/* Accesses are the game's between these calls only. */
void accesses_begin(bool by_dma);
void accesses_end(void);
/* Not until this is called with false, as often as it was called with true: a script reads and writes. */
void accesses_ignore(bool ignored);

#endif
