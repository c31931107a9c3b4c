/*
 * What the game did: a snapshot of the machine, and of all that it reads from outside, before each run of it (game_run_frame()). Between two
 * snapshots the machine depends on nothing else, so that a second one repeats it (repeat.h). What scripts and clients change between two runs is in the next snapshot.
 *
 * Snapshots are kept as differences, compressed. The oldest are dropped when they would be more than was allowed.
 */
#ifndef HEADLESS_DEBUGGER_HISTORY_H
#define HEADLESS_DEBUGGER_HISTORY_H

#include "machine/game-clock.h"
#include "machine/game.h"
#include "machine/sensors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HISTORY_MEGABYTES 4096 /* at most */

struct snapshot {
    uint32_t keys;
    uint32_t time;      /* of the machine, in cycles */
    int64_t seconds;    /* of the computer's clock, since 1970 */
    struct game_clock_kept clock;
    struct sensors_reading sensors;
    size_t state_size;
    size_t save_size;
    unsigned char bytes[]; /* state and save data */
};

/* From one snapshot to the next. */
struct history_run {
    uint64_t frame;  /* game.frames when it began */
    uint32_t cycles; /* how long it took */
    bool has_events; /* it ended behind an instruction, before the events that are due */
    bool was_moved;  /* a reset or a state came inside, at the end of the frame: how long it took says nothing */
};

/* Keeps the history of this game, and of those that are opened later, in so many megabytes, with what is kept already; 0 ends and drops it. */
void history_keep(uint32_t megabytes);
uint32_t history_megabytes(void);
size_t history_bytes(void);
/* Why there is no history though it is to be kept, or "". */
const char* history_problem(void);

void history_of(struct mCore* core);
void history_run_begins(const struct game* game);
void history_run_ended(const struct game* game);

/* The runs that are kept: from the first one to before the end. Their numbers never change. */
uint64_t history_first(void);
uint64_t history_end(void);
const struct history_run* history_run(uint64_t number);
/* The machine before this run; until the next call. NULL without memory. */
const struct snapshot* history_snapshot(uint64_t number);
/* A reset or a state has come. */
void history_moved(void);
/* The run ended there, and nothing came behind it. */
void history_cut(uint64_t number, uint32_t cycles);

/* The machine as it is now, to be freed. NULL without memory. */
struct snapshot* snapshot_take(struct mCore* core);
/* Whether nobody has changed the machine since. */
bool snapshot_is(const struct snapshot* snapshot, struct mCore* core);

/* The time of the machine, in cycles; only differences count. */
uint32_t history_time(const struct mCore* core);
bool history_has_events(const struct mCore* core);

#endif
