#include "debugger/flow.h"

#include "debugger/addresses.h"
#include "debugger/debugger.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/arm/decoder.h>
#include <mgba/internal/arm/isa-inlines.h>

#define THUMB_SWI(OPCODE) (((OPCODE) & 0xFF00) == 0xDF00)
#define THUMB_BX(OPCODE) (((OPCODE) & 0xFF87) == 0x4700)
#define THUMB_LINK 0x46FEu /* mov lr, pc */
#define ARM_SWI(OPCODE) (((OPCODE) & 0x0F000000) == 0x0F000000)
#define ARM_LINK(OPCODE) (((OPCODE) & 0x0FFFFFFF) == 0x01A0E00F) /* mov lr, pc */
#define ARM_LOAD_PC(OPCODE) (((OPCODE) & 0x0C50F000) == 0x0410F000)

static enum flow flow_of_arm(const struct ARMCore* cpu, uint32_t pc, uint32_t* length) {
    struct ARMInstructionInfo info;
    if (cpu->executionMode == MODE_THUMB) {
        const uint16_t opcode = (uint16_t) cpu->prefetch[0];
        *length = THUMB_BL_FIRST(opcode) ? 4 : 2;
        if (THUMB_BL_FIRST(opcode) || THUMB_BL_SECOND(opcode) || THUMB_SWI(opcode)) {
            return FLOW_CALL;
        }
        ARMDecodeThumb(opcode, &info);
    } else {
        *length = 4;
        if (ARM_BL(cpu->prefetch[0]) || ARM_SWI(cpu->prefetch[0])) {
            return FLOW_CALL;
        }
        if (ARM_BX(cpu->prefetch[0]) && ((uint32_t) cpu->gprs[ARM_LR] & ~1u) == pc + 4) {
            return FLOW_CALL; /* behind `mov lr, pc` */
        }
        ARMDecodeARM(cpu->prefetch[0], &info);
    }
    return info.branchType == ARM_BRANCH_INDIRECT ? FLOW_INDIRECT : FLOW_ON;
}

static enum flow flow_of_sm83(struct mCore* core, uint32_t pc, uint32_t* length) {
    const uint8_t opcode = (uint8_t) core->rawRead8(core, pc, -1);
    *length = 1;
    switch (opcode) {
    case 0xCD: case 0xC4: case 0xCC: case 0xD4: case 0xDC:
        *length = 3;
        return FLOW_CALL;
    case 0xC7: case 0xCF: case 0xD7: case 0xDF: case 0xE7: case 0xEF: case 0xF7: case 0xFF:
        return FLOW_CALL;
    case 0xC9: case 0xD9: case 0xC0: case 0xC8: case 0xD0: case 0xD8:
        return FLOW_RETURN;
    default:
        return FLOW_ON;
    }
}

enum flow flow_next(struct mCore* core, uint32_t* length) {
    const uint32_t pc = debugger_pc(core);
    return is_gba(core) ? flow_of_arm(core->cpu, pc, length) : flow_of_sm83(core, pc, length);
}

/* --- calls in front of an address ---------------------------------------------------------------------------------------------- */

/* Reading elsewhere may disturb devices. */
static bool holds_code(const struct mCore* core, uint32_t address) {
    const uint32_t region = address >> 24;
    if (!is_gba(core)) {
        return address < 0x8000 || (address >= 0xC000 && address < 0xE000) || (address >= 0xFF80 && address < 0xFFFF);
    }
    return address < 0x4000 || region == 0x2 || region == 0x3 || (region >= 0x8 && region <= 0xD);
}

static uint32_t half_at(struct mCore* core, uint32_t address) {
    return core->rawRead16(core, address, -1);
}

static uint32_t word_at(struct mCore* core, uint32_t address) {
    return core->rawRead32(core, address, -1);
}

/* Of a function that only jumps where a register says, such as GCC's _call_via_r3, the target says nothing. */
static struct flow_call direct_call(struct mCore* core, uint32_t at, uint32_t target, bool is_thumb) {
    const bool jumps = !holds_code(core, target) ? false : is_thumb ? THUMB_BX(half_at(core, target)) : ARM_BX(word_at(core, target));
    return (struct flow_call) { .at = at, .has_target = !jumps, .target = target };
}

static int32_t extended(uint32_t value, unsigned bits) {
    const uint32_t sign = 1u << (bits - 1);
    return (int32_t) ((value ^ sign) - sign);
}

static bool thumb_call_before(struct mCore* core, uint32_t address, struct flow_call* call) {
    const uint32_t first = half_at(core, address - 4);
    const uint32_t second = half_at(core, address - 2);
    if (THUMB_BL_FIRST(first) && THUMB_BL_SECOND(second)) {
        const uint32_t target = address + (uint32_t) (extended(first & 0x7FF, 11) * 0x1000) + 2 * (second & 0x7FF);
        *call = direct_call(core, address - 4, target, true);
        return true;
    }
    *call = (struct flow_call) { .at = address - 2 };
    return first == THUMB_LINK && THUMB_BX(second);
}

static bool arm_call_before(struct mCore* core, uint32_t address, struct flow_call* call) {
    const uint32_t opcode = word_at(core, address - 4);
    if (ARM_BL(opcode)) {
        *call = direct_call(core, address - 4, address + 4 + (uint32_t) (extended(opcode & 0xFFFFFF, 24) * 4), false);
        return true;
    }
    *call = (struct flow_call) { .at = address - 4 };
    return (ARM_BX(opcode) || ARM_LOAD_PC(opcode)) && ARM_LINK(word_at(core, address - 8));
}

static bool sm83_call_before(struct mCore* core, uint32_t address, struct flow_call* call) {
    const int bank = debugger_bank(core, address);
    const uint32_t opcode = core->rawRead8(core, address - 3, bank);
    if (opcode == 0xCD || (opcode & 0xE7) == 0xC4) {
        *call = (struct flow_call) { address - 3, true, core->rawRead8(core, address - 2, bank) | core->rawRead8(core, address - 1, bank) << 8 };
        return true;
    }
    const uint32_t restart = core->rawRead8(core, address - 1, bank);
    *call = (struct flow_call) { address - 1, true, restart & 0x38 };
    return (restart & 0xC7) == 0xC7;
}

bool flow_call_before(struct mCore* core, uint32_t address, struct flow_call* call) {
    const uint32_t plain = is_gba(core) ? address & ~1u : address;
    if (!holds_code(core, plain) || !holds_code(core, plain - (is_gba(core) ? 8 : 3))) {
        return false;
    }
    if (!is_gba(core)) {
        return sm83_call_before(core, address, call);
    }
    return address & 1 ? thumb_call_before(core, plain, call) : address % 4 == 0 && arm_call_before(core, plain, call);
}
