/* A second machine that repeats a run of the history (history.h), instruction by instruction. */
#ifndef HEADLESS_DEBUGGER_REPEAT_H
#define HEADLESS_DEBUGGER_REPEAT_H

#include "debugger/instructions.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

/* The second machine, at the beginning of this run of this game. False without memory, or if the run is not kept any more. */
bool repeat_begin(struct mCore* of, uint64_t run);
/* The game is closed. */
void repeat_close(void);

struct mCore* repeat_machine(void);
/* What the machine draws. */
const pixel* repeat_pixels(void);
/* In cycles since the beginning of the run. */
uint32_t repeat_time(void);
/* When the instruction began that is executed now, or was executed last. */
uint32_t repeat_instruction_time(void);
/* Whether the run is over. */
bool repeat_is_over(void);
/* To the first instruction at this time or behind it, or to the end of the run. `each`, if not NULL, is called before each instruction on the way. */
void repeat_until(uint32_t time, void (*each)(struct mCore* core, uint32_t time));
/* Until the events of the machine have run, one of the functions is false, or the run is over. */
void repeat_on(const struct instructions* instructions);

#endif
