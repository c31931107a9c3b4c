#include "debugger/steps.h"

#include "debugger/addresses.h"
#include "debugger/flow.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/arm/isa-inlines.h>
#include <mgba/internal/sm83/sm83.h>

#include <string.h>

#define CALLS 1024 /* nested, of a function that is being stepped out of */


struct place {
    uint32_t pc;
    uint32_t sp;
    int mode; /* of the processor: its stack */
};

static struct {
    enum debug_resume how;
    uint32_t target;
    int bank;             /* of the target, or DEBUG_ANY_BANK */
    struct place start;
    enum flow flow;       /* of the instruction that is executed now */
    struct place before;  /* it */
    uint32_t behind;      /* the address behind it */
    bool in_interrupt;
    struct place interrupted;
    uint32_t calls[CALLS]; /* where the functions return that were called since */
    size_t count;
} steps;

static struct place place_now(struct mCore* core) {
    if (is_gba(core)) {
        const struct ARMCore* cpu = core->cpu;
        return (struct place) { debugger_pc(core), (uint32_t) cpu->gprs[ARM_SP], cpu->privilegeMode };
    }
    const struct SM83Core* cpu = core->cpu;
    return (struct place) { cpu->pc, cpu->sp, 0 };
}

/* The stack has not grown since. */
static bool is_outside(struct place now, struct place then) {
    return now.mode == then.mode && now.sp >= then.sp;
}

/* --- the instruction that is executed next --------------------------------------------------------------------------------- */

/* Whether a function returns to this address: a call is in front of it. */
static bool follows_call(struct mCore* core, uint32_t pc) {
    const struct ARMCore* cpu = core->cpu;
    if (cpu->executionMode == MODE_THUMB) {
        return THUMB_BL_SECOND(core->rawRead16(core, pc - 2, -1));
    }
    const uint32_t opcode = core->rawRead32(core, pc - 4, -1);
    return ARM_BL(opcode) || ARM_BX(opcode);
}

/* --- interrupts, which are not part of what is stepped over or out of -------------------------------------------------------- */

static bool begins_interrupt(struct mCore* core, struct place now) {
    if (is_gba(core)) {
        return begins_irq(core->cpu, now.pc);
    }
    return ((const struct SM83Core*) core->cpu)->irqPending;
}

static struct place return_of_interrupt(struct mCore* core, struct place now) {
    if (is_gba(core)) {
        const struct ARMCore* cpu = core->cpu;
        return (struct place) { (uint32_t) cpu->gprs[ARM_LR] - 4, steps.before.sp, cpu->spsr.priv };
    }
    return now;
}

/* Whether the next instruction is one of an interrupt that came during the step. */
static bool is_interrupting(struct mCore* core, struct place now) {
    if (steps.in_interrupt) {
        steps.in_interrupt = !(now.pc == steps.interrupted.pc && now.mode == steps.interrupted.mode);
    } else if (begins_interrupt(core, now)) {
        steps.in_interrupt = true;
        steps.interrupted = return_of_interrupt(core, now);
    }
    return steps.in_interrupt;
}

/* --- steps ------------------------------------------------------------------------------------------------------------------ */

void steps_begin(struct mCore* core, enum debug_resume how, uint32_t address, int bank) {
    uint32_t length;
    steps.how = how;
    steps.start = steps.before = place_now(core);
    steps.target = is_gba(core) ? address_of_gba(address & ~1u) : address;
    steps.bank = bank;
    steps.in_interrupt = false;
    steps.count = 0;
    if (how == DEBUG_STEP_OVER) {
        if (flow_next(core, &length) == FLOW_CALL) {
            steps.target = steps.start.pc + length;
        } else {
            steps.how = DEBUG_STEP;
        }
    }
}

void steps_before(struct mCore* core) {
    if (steps.how != DEBUG_STEP_OUT) {
        return;
    }
    uint32_t length;
    const struct place now = place_now(core);
    steps.flow = is_interrupting(core, now) ? FLOW_ON : flow_next(core, &length);
    steps.before = now;
    if (steps.flow != FLOW_ON) {
        steps.behind = now.pc + length;
    }
}

bool steps_are_in_call(const struct mCore* core) {
    const struct ARMCore* cpu = core->cpu;
    return is_gba(core) && cpu->executionMode == MODE_THUMB && THUMB_BL_SECOND(cpu->prefetch[0]);
}

static bool is_half_of_call(const struct mCore* core) {
    return steps_are_in_call(core) && debugger_pc(core) == steps.start.pc + 2;
}

/* Behind an instruction that may have called a function or returned. */
static bool has_returned(struct mCore* core, struct place now) {
    if (steps.flow == FLOW_CALL) {
        /* The first half of a Thumb BL continues with the second. */
        if (now.pc != steps.behind && !(is_gba(core) && now.pc == steps.before.pc + 2) && steps.count < CALLS) {
            steps.calls[steps.count++] = steps.behind;
        }
        return false;
    }
    if (steps.count > 0 && now.pc == steps.calls[steps.count - 1]) {
        --steps.count;
        return false;
    }
    if (now.pc == steps.behind || steps.count > 0) {
        return false; /* a condition that does not hold, or a jump inside a function that was called */
    }
    return is_gba(core) ? is_outside(now, steps.start) && follows_call(core, now.pc) : now.sp > steps.start.sp;
}

bool steps_after(struct mCore* core) {
    const struct place now = place_now(core);
    switch (steps.how) {
    case DEBUG_STEP:
        return !is_half_of_call(core);
    case DEBUG_STEP_OVER:
        return now.pc == steps.target && is_outside(now, steps.start);
    case DEBUG_STEP_OUT:
        return steps.flow != FLOW_ON && has_returned(core, now);
    case DEBUG_RUN_TO:
        return (is_gba(core) ? address_of_gba(now.pc) : now.pc) == steps.target && (steps.bank == DEBUG_ANY_BANK || steps.bank == debugger_bank(core, now.pc));
    default:
        return false;
    }
}
