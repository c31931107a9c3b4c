/* When a step is done: which instructions call a function, and which return from one. */
#ifndef HEADLESS_DEBUGGER_STEPS_H
#define HEADLESS_DEBUGGER_STEPS_H

#include "debugger/debugger.h"

struct mCore;

/* Begins a step at the instruction that is executed next. Address and bank are those of DEBUG_RUN_TO. */
void steps_begin(struct mCore* core, enum debug_resume how, uint32_t address, int bank);
/* Around each instruction. The second says whether the step is done. */
void steps_before(struct mCore* core);
bool steps_after(struct mCore* core);
/* Whether the instruction that is executed next is the second half of a Thumb BL, which is one instruction. */
bool steps_are_in_call(const struct mCore* core);

#endif
