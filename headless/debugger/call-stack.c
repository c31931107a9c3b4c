#include "debugger/call-stack.h"

#include "debugger/addresses.h"
#include "debugger/debugger.h"
#include "debugger/flow.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/arm/isa-inlines.h>
#include <mgba/internal/sm83/sm83.h>
#include <mgba/script/types.h>

#include <inttypes.h>
#include <stdio.h>

#define MOST_LINES 128
#define LINE 96
#define DEEPEST 0x4000u /* bytes of a stack that are looked at */
#define GB_END 0x10000u

/* The ends of a GBA's stacks, as its BIOS sets them up. */
#define STACK_END 0x03007F00u
#define IRQ_STACK_END 0x03007FA0u
#define SVC_STACK_END 0x03007FE0u
#define SAVED_BY_IRQ 4 /* lr, in which the BIOS has where the game was interrupted, is its last word */

static struct mCore* present; /* NULL: no game */

static struct {
    char text[MOST_LINES * LINE];
    size_t length;
    int32_t left;
} lines;

static void add(const char* from, uint32_t address, const struct flow_call* call, const uint32_t* place) {
    if (lines.left == 0) {
        return;
    }
    --lines.left;
    char at[32] = "nil nil";
    char target[16] = "nil";
    char where[16] = "nil";
    if (call) {
        (void) snprintf(at, sizeof(at), "%" PRIu32 " %d", call->at, debugger_bank(present, call->at));
    }
    if (call && call->has_target) {
        (void) snprintf(target, sizeof(target), "%" PRIu32, call->target);
    }
    if (place) {
        (void) snprintf(where, sizeof(where), "%" PRIu32, *place);
    }
    lines.length += (size_t) snprintf(lines.text + lines.length, LINE, "%s %d %" PRIu32 " %s %s %s\n", from, debugger_bank(present, address), address, at, target, where);
}

/* Words that code could return to. */
static void add_words(uint32_t from, uint32_t end, unsigned size) {
    for (uint32_t place = from; place < end && lines.left > 0; place += size) {
        const uint32_t word = size == 4 ? present->rawRead32(present, place, -1) : present->rawRead16(present, place, -1);
        struct flow_call call;
        if (flow_call_before(present, word, &call)) {
            add("stack", size == 4 ? word & ~1u : word, &call, &place);
        }
    }
}

static uint32_t end_of_stack(uint32_t sp, uint32_t usual) {
    const uint32_t deepest = sp + DEEPEST;
    const uint32_t region_end = sp >> 24 == 0x3 ? 0x03008000u : sp >> 24 == 0x2 ? 0x02040000u : sp;
    const uint32_t end = sp < usual && sp >> 24 == usual >> 24 ? usual : region_end;
    return end < deepest ? end : deepest;
}

/* Neither of registers nor of a cartridge's memory. */
static uint32_t end_of_gb_stack(uint32_t sp) {
    return sp >= 0xFF80 ? GB_END - 1 : sp >= 0xC000 && sp < 0xE000 ? 0xE000 : sp;
}

/* The link register has a return address that is not on the stack until the function has called another one. */
static void add_stack(uint32_t link, uint32_t sp, uint32_t usual_end) {
    struct flow_call call;
    if (flow_call_before(present, link, &call)) {
        add("link", link & ~1u, &call, NULL);
    }
    const uint32_t from = address_of_gba(sp & ~3u);
    add_words(from, end_of_stack(from, usual_end), 4);
}

static void add_interrupted(const struct ARMCore* cpu) {
    const uint32_t place = IRQ_STACK_END - SAVED_BY_IRQ;
    const bool in_handler = address_of_gba((uint32_t) cpu->gprs[ARM_SP]) <= place;
    const uint32_t address = (in_handler ? present->rawRead32(present, place, -1) : (uint32_t) cpu->gprs[ARM_LR]) - 4;
    add("interrupt", address, NULL, in_handler ? &place : NULL);
    add_stack((uint32_t) cpu->bankedRegisters[BANK_NONE][1], (uint32_t) cpu->bankedRegisters[BANK_NONE][0], STACK_END);
}

static void add_gba(const struct ARMCore* cpu) {
    const uint32_t link = (uint32_t) cpu->gprs[ARM_LR];
    const uint32_t sp = (uint32_t) cpu->gprs[ARM_SP];
    if (cpu->privilegeMode == MODE_IRQ) {
        add_stack(link, sp, IRQ_STACK_END);
        add_interrupted(cpu);
    } else if (cpu->privilegeMode == MODE_SUPERVISOR) {
        add_stack(link, sp, SVC_STACK_END);
        add_stack((uint32_t) cpu->bankedRegisters[BANK_NONE][1], (uint32_t) cpu->bankedRegisters[BANK_NONE][0], STACK_END);
    } else {
        add_stack(link, sp, STACK_END);
    }
}

void call_stack_of(struct mCore* core) {
    present = core;
}

struct mScriptValue* call_stack_lines(int32_t count) {
    lines.length = 0;
    lines.left = count < MOST_LINES ? count : MOST_LINES;
    if (present && count > 0) {
        add("pc", debugger_pc(present), NULL, NULL);
        if (is_gba(present)) {
            add_gba(present->cpu);
        } else {
            const uint32_t sp = ((const struct SM83Core*) present->cpu)->sp;
            add_words(sp, end_of_gb_stack(sp), 2);
        }
    }
    return mScriptStringCreateFromBytes(lines.text, lines.length);
}
