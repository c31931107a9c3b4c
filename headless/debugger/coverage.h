/* Counts how often each instruction of the game is executed, with --coverage, and measures how long it takes from one to another. States are the same at the end of each frame as without. */
#ifndef HEADLESS_DEBUGGER_COVERAGE_H
#define HEADLESS_DEBUGGER_COVERAGE_H

#include "base/failure.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

/* Counts from now on, for a file. False if it cannot be written, or without memory. */
bool coverage_begin(const char* path, struct failure* failure);
bool coverage_is_on(void);
/* Another game is counted from the start. */
void coverage_of(struct mCore* core);
/* The instruction that is executed next. */
void coverage_note(const struct mCore* core);
/* As the core's runLoop(). */
void coverage_run_loop(struct mCore* core);
/* Measures from now on, until coverage_measured(), how many cycles pass from one address to another, "8000150 8000160" or "1:4000 1:4000"; both may be the same. */
bool coverage_measure(const struct mCore* core, const char* from_and_to, struct failure* failure);
struct coverage_measured {
    uint64_t count;
    uint32_t least;
    uint32_t most;
};
struct coverage_measured coverage_measured(void);
/* Writes the file: a line for each address, in hexadecimal, with the number of its executions; that of a Game Boy's ROM has its bank in front, as 1:4000. */
bool coverage_write(struct failure* failure);

#endif
