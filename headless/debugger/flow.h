/* How the instruction that is executed next may leave the line of addresses. */
#ifndef HEADLESS_DEBUGGER_FLOW_H
#define HEADLESS_DEBUGGER_FLOW_H

#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

#define THUMB_BL_FIRST(OPCODE) (((OPCODE) & 0xF800) == 0xF000)
#define THUMB_BL_SECOND(OPCODE) (((OPCODE) & 0xF800) == 0xF800)
#define ARM_BL(OPCODE) (((OPCODE) & 0x0F000000) == 0x0B000000)
#define ARM_BX(OPCODE) (((OPCODE) & 0x0FFFFFF0) == 0x012FFF10)

enum flow { FLOW_ON, FLOW_CALL, FLOW_INDIRECT, FLOW_RETURN };

/* Of the first half of a Thumb BL the length is that of both. */
enum flow flow_next(struct mCore* core, uint32_t* length);

/* A call of a function. */
struct flow_call {
    uint32_t at;
    bool has_target; /* it is known from its instruction */
    uint32_t target;
};

/* Whether a call returns to this address, of Thumb code with bit 0 set. */
bool flow_call_before(struct mCore* core, uint32_t address, struct flow_call* call);

#endif
