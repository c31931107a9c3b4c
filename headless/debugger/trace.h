/*
 * What the game did, instruction by instruction: runs of the history (history.h) are repeated. The game is not slowed, and runs on meanwhile.
 *
 * Events are numbered in each frame, in the order in which they came, those of the kinds and addresses that are looked for: the same search gives the same numbers.
 */
#ifndef HEADLESS_DEBUGGER_TRACE_H
#define HEADLESS_DEBUGGER_TRACE_H

#include "debugger/instruction.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_EVENTS 256 /* at most, of one search */

enum trace_kind {
    TRACE_INSTRUCTION = 1,
    TRACE_CALL = 2,
    TRACE_RETURN = 4,
    TRACE_INTERRUPT = 8,  /* the processor begins to serve one: `pc` is where the game is interrupted, `address` the vector */
    TRACE_DMA = 16,       /* a write by DMA, or to its registers */
    TRACE_DISPLAY = 32,   /* a write to registers of this device, by the processor or DMA, as the following */
    TRACE_SOUND = 64,
    TRACE_TIMER = 128,
    TRACE_SERIAL = 256,
    TRACE_ALL = 511,
};

struct trace_event {
    uint64_t frame;    /* game.frames then */
    uint64_t number;   /* in the frame */
    uint64_t cycle;    /* of the machine, since the frame began */
    uint32_t line;     /* of the picture that is drawn */
    enum trace_kind kind;
    uint32_t pc;       /* of the instruction */
    int bank;
    bool has_address;
    uint32_t address;  /* what is called, where it returns to, the vector, or what is written */
    unsigned size;     /* of a write in bytes; otherwise 0 */
    uint32_t value;    /* that is written */
    bool by_dma;       /* the instruction has nothing to do with it */
    char text[INSTRUCTION_TEXT]; /* of TRACE_INSTRUCTION; otherwise "" */
};

struct trace_search {
    unsigned kinds;
    uint32_t first;    /* instructions, calls, returns and interrupts at these addresses; writes by them */
    uint32_t last;
    uint64_t frame;    /* events from this one on */
    uint64_t number;
    size_t count;
};

/* Where the next search continues, and how many frames at the beginning are not kept any more. */
struct trace_end {
    uint64_t frame;
    uint64_t number;
    uint64_t missed;
};

/* Ends the search before. */
void trace_begin(struct mCore* core, const struct trace_search* search);
void trace_stop(void);
bool trace_is_searching(void);
size_t trace_found(const struct trace_event** events, struct trace_end* end);

/* Works until this time. False: there was nothing to do. */
bool trace_work(int64_t until_ns);

#endif
