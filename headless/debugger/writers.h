/* Who wrote to an address last: the runs of the history (history.h) in which it changed are repeated, the last one first. The game runs on meanwhile. */
#ifndef HEADLESS_DEBUGGER_WRITERS_H
#define HEADLESS_DEBUGGER_WRITERS_H

#include "machine/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WRITERS 64         /* at most, of one search */
#define WRITERS_BYTES 4096 /* of the range, at most */

enum writer { WRITER_GAME, WRITER_DMA, WRITER_OUTSIDE /* a script or client, a state or a reset: at the end of the frame */ };

struct write {
    enum writer by;
    uint64_t frame;  /* game.frames then */
    uint32_t pc;     /* of the instruction; of others than the game, none */
    int bank;
    uint32_t address;
    unsigned size;   /* in bytes; of writes from outside, those of the range that are in one word */
    uint32_t before; /* the value there */
    uint32_t value;  /* that is there then */
};

/* Looks for the last `count` writes that changed something from `first` to `last` until `now`, the present; ends the search before. False: history has no such memory. */
struct snapshot;
bool writers_search(struct mCore* core, const struct snapshot* now, uint32_t first, uint32_t last, int bank, size_t count);
void writers_end(void);
bool writers_are_searched(void);
/* What was found, the last one first. */
size_t writers_found(const struct write** writes);

/* Works until this time. False: there was nothing to do. */
bool writers_work(int64_t until_ns);

#endif
