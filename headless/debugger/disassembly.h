/*
 * Instructions of the game as text, for scripts:
 *
 *   headless.disassemble(address, count, mode, bank)   lines from an address (-1: of the instruction that is executed next; of a GBA an odd one is in Thumb), as
 *       instructions of "arm", "thumb" or "sm83" ("": as the processor executes them now), in a bank of a Game Boy (-1: that which is mapped). Fewer than `count` come
 *       where the memory ends, and none of another processor.
 *   headless.bank(address)   of a Game Boy: the bank that is mapped there
 *
 * A line has eight values, as a reply of the script has them, `nil` where there is none:
 *
 *   bank address "bytes" "kind" target-bank target value "text"
 *
 * The bytes are hexadecimal digits, in their order. The kind is that of debugger/instruction.h; the value is the word that the instruction loads from its target.
 */
#ifndef HEADLESS_DEBUGGER_DISASSEMBLY_H
#define HEADLESS_DEBUGGER_DISASSEMBLY_H

#include "machine/library.h"

/* A game was opened, or with NULL closed. */
void disassembly_of(struct mCore* core);
struct mScriptValue* disassembly_lines(int64_t address, int32_t count, const char* mode, int32_t bank);
int32_t disassembly_bank(uint32_t address);

#endif
