#include "debugger/instructions.h"

#include "debugger/accesses.h"
#include "debugger/addresses.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/sm83/sm83.h>

static void process_events(struct mCore* core, const struct instructions* instructions) {
    accesses_begin(true);
    if (is_gba(core)) {
        struct ARMCore* cpu = core->cpu;
        cpu->irqh.processEvents(cpu);
    } else {
        struct SM83Core* cpu = core->cpu;
        cpu->irqh.processEvents(cpu);
    }
    accesses_end();
    instructions->events_done(core);
}

static void run_arm(struct mCore* core, const struct instructions* instructions) {
    struct ARMCore* cpu = core->cpu;
    while (cpu->cycles < cpu->nextEvent) {
        if (!instructions->may_execute(core)) {
            return;
        }
        accesses_begin(false);
        ARMRun(cpu);
        accesses_end();
        if (!instructions->may_continue(core)) {
            return;
        }
    }
    process_events(core, instructions);
}

static bool is_between(const struct SM83Core* cpu) {
    return cpu->executionState == SM83_CORE_FETCH;
}

/* An instruction consists of several ticks. The events of the machine may come in the middle of one, which is completed then. */
static void run_sm83(struct mCore* core, const struct instructions* instructions) {
    struct SM83Core* cpu = core->cpu;
    bool had_events = false;
    do {
        if (cpu->cycles >= cpu->nextEvent) {
            process_events(core, instructions);
            had_events = true;
            continue;
        }
        if (is_between(cpu) && !cpu->halted && !instructions->may_execute(core)) {
            return;
        }
        const int32_t before = cpu->cycles;
        accesses_begin(false);
        SM83Tick(cpu);
        accesses_end();
        had_events |= cpu->cycles <= before;
        if (is_between(cpu) && !instructions->may_continue(core)) {
            return;
        }
    } while (!had_events || !is_between(cpu));
}

void instructions_run(struct mCore* core, const struct instructions* instructions) {
    if (is_gba(core)) {
        run_arm(core, instructions);
    } else {
        run_sm83(core, instructions);
    }
}
