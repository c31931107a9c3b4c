/*
 * Where the functions that are under way return to, for scripts:
 *
 *   headless.callStack(count)   lines, the innermost first: `from bank address at at-bank target place`, `nil` where there is none
 *
 * The first line is the instruction that is executed next (`from` is pc). The others are addresses behind an instruction that calls, in the link register (link) or on
 * the stack (stack, with the place of the word), and the instruction that an interrupt of a GBA has interrupted (interrupt). `at` is the instruction that calls, `target`
 * what it calls, if it says so. Words of a stack may be left over from functions that have returned, and look like this by chance: who knows the functions of the game can
 * tell, since the target of a call is the function in the line before.
 */
#ifndef HEADLESS_DEBUGGER_CALL_STACK_H
#define HEADLESS_DEBUGGER_CALL_STACK_H

#include "machine/library.h"

#include <stdint.h>

/* A game was opened, or with NULL closed. */
void call_stack_of(struct mCore* core);
struct mScriptValue* call_stack_lines(int32_t count);

#endif
