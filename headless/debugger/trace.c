#include "debugger/trace.h"

#include "debugger/accesses.h"
#include "debugger/addresses.h"
#include "debugger/debugger.h"
#include "debugger/flow.h"
#include "debugger/history.h"
#include "debugger/repeat.h"
#include "platform/clock.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/arm/isa-inlines.h>
#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gb/io.h>
#include <mgba/internal/sm83/sm83.h>

#include <string.h>

#define GBA_REGISTERS 0x04000000u
#define GBA_REGISTERS_END 0x040003FFu
#define GBA_LINE 0x04000006u
#define GB_REGISTERS 0xFF00u
#define GB_REGISTERS_END 0xFF7Fu
#define WRITES (TRACE_DMA | TRACE_DISPLAY | TRACE_SOUND | TRACE_TIMER | TRACE_SERIAL)

static struct {
    struct mCore* core;
    bool is_searching;
    struct trace_search search;
    struct trace_end end;
    struct trace_event found[TRACE_EVENTS];
    size_t count;
    bool is_full;
    uint64_t run;      /* that comes next */
    uint64_t frame;    /* of the last run */
    uint64_t number;   /* of the next event in it */
    uint64_t cycles;   /* of its runs before */

    bool is_known;     /* the instruction before, in this run */
    uint32_t pc;
    int bank;
    enum flow flow;
    uint32_t behind;   /* the address behind it */
    uint32_t sp;
} trace;

/* --- events ------------------------------------------------------------------------------------------------------------------ */

static bool is_wanted(enum trace_kind kind, uint32_t pc) {
    return trace.search.kinds & kind && pc >= trace.search.first && pc <= trace.search.last;
}

static uint32_t line_of(struct mCore* core) {
    return is_gba(core) ? core->rawRead8(core, GBA_LINE, -1) : ((const struct GB*) core->board)->memory.io[GB_REG_LY];
}

static void add(struct trace_event event) {
    event.frame = trace.frame;
    event.number = trace.number++;
    if (trace.is_full || (event.frame == trace.search.frame && event.number < trace.search.number)) {
        return;
    }
    if (trace.count == trace.search.count) {
        trace.is_full = true;
        trace.end.frame = event.frame;
        trace.end.number = event.number;
        return;
    }
    event.cycle = trace.cycles + repeat_time();
    event.line = line_of(repeat_machine());
    trace.found[trace.count++] = event;
}

/* The text of an instruction, for events that are kept. */
static void write_text(struct mCore* core, struct trace_event* event) {
    if (trace.is_full) {
        return;
    }
    struct instruction instruction;
    uint8_t bytes[4] = { 0 };
    const size_t size = debugger_read(core, event->pc, event->bank, bytes, sizeof(bytes));
    const bool is_thumb = is_gba(core) && ((const struct ARMCore*) core->cpu)->executionMode == MODE_THUMB;
    (!is_gba(core) ? instruction_sm83 : is_thumb ? instruction_thumb : instruction_arm)(event->pc, bytes, size, &instruction);
    memcpy(event->text, instruction.text, sizeof(event->text));
}

/* --- instructions ------------------------------------------------------------------------------------------------------------- */

static uint32_t stack_pointer(const struct mCore* core) {
    return is_gba(core) ? (uint32_t) ((const struct ARMCore*) core->cpu)->gprs[ARM_SP] : ((const struct SM83Core*) core->cpu)->sp;
}

/* Where the game continues behind an interrupt that has just begun. */
static uint32_t interrupted_pc(const struct mCore* core) {
    return (uint32_t) ((const struct ARMCore*) core->cpu)->gprs[ARM_LR] - 4;
}

static bool returns_to(struct mCore* core, uint32_t pc) {
    struct flow_call call;
    const bool is_thumb = is_gba(core) && ((const struct ARMCore*) core->cpu)->executionMode == MODE_THUMB;
    return is_gba(core) ? flow_call_before(core, is_thumb ? pc | 1 : pc, &call) : stack_pointer(core) > trace.sp;
}

/* What the instruction before has done, when it is known where it led to. */
static void follow(struct mCore* core, uint32_t pc) {
    if (!trace.is_known || trace.flow == FLOW_ON || pc == trace.behind) {
        return;
    }
    const bool is_half = is_gba(core) && trace.behind == trace.pc + 4 && pc == trace.pc + 2; /* of a Thumb BL */
    struct trace_event event = { .pc = trace.pc, .bank = trace.bank, .has_address = true, .address = pc };
    if (trace.flow == FLOW_CALL && !is_half && is_wanted(TRACE_CALL, trace.pc)) {
        event.kind = TRACE_CALL;
        add(event);
    } else if ((trace.flow == FLOW_INDIRECT || trace.flow == FLOW_RETURN) && is_wanted(TRACE_RETURN, trace.pc) && returns_to(core, pc)) {
        event.kind = TRACE_RETURN;
        add(event);
    }
}

/* The interrupt that is served first is that of the lowest bit. */
static uint32_t gb_vector(const struct GB* gb) {
    const unsigned waiting = gb->memory.ie & gb->memory.io[GB_REG_IF] & 0x1F;
    return waiting ? 0x40 + 8 * (uint32_t) __builtin_ctz(waiting) : 0;
}

static void note_interrupt(uint32_t at, int bank, uint32_t vector) {
    if (is_wanted(TRACE_INTERRUPT, at)) {
        add((struct trace_event) { .kind = TRACE_INTERRUPT, .pc = at, .bank = bank, .has_address = true, .address = vector });
    }
}

static void note_instruction(struct mCore* core, uint32_t time) {
    const uint32_t pc = debugger_pc(core);
    const bool is_irq = is_gba(core) && begins_irq(core->cpu, pc);
    follow(core, is_irq ? interrupted_pc(core) : pc);
    trace.pc = pc;
    trace.bank = debugger_bank(core, pc);
    (void) time;
    trace.sp = stack_pointer(core);
    trace.is_known = true;
    if (is_irq) {
        note_interrupt(interrupted_pc(core), 0, pc);
    } else if (!is_gba(core) && ((const struct SM83Core*) core->cpu)->irqPending) {
        note_interrupt(pc, trace.bank, gb_vector(core->board));
        trace.flow = FLOW_ON;
        return;
    }
    if (is_wanted(TRACE_INSTRUCTION, pc)) {
        struct trace_event event = { .kind = TRACE_INSTRUCTION, .pc = pc, .bank = trace.bank };
        write_text(core, &event);
        add(event);
    }
    uint32_t length = 0;
    trace.flow = trace.search.kinds & (TRACE_CALL | TRACE_RETURN) ? flow_next(core, &length) : FLOW_ON;
    trace.behind = pc + length;
    if (is_gba(core) && trace.flow == FLOW_CALL && ((const struct ARMCore*) core->cpu)->executionMode == MODE_THUMB && THUMB_BL_SECOND(((const struct ARMCore*) core->cpu)->prefetch[0])) {
        trace.pc = pc - 2; /* the instruction is both halves */
    }
}

/* --- writes -------------------------------------------------------------------------------------------------------------------- */

struct device {
    uint32_t first;
    uint32_t last;
    enum trace_kind kind;
};

static const struct device gba_devices[] = {
    { 0x04000000, 0x04000057, TRACE_DISPLAY }, { 0x04000060, 0x040000A7, TRACE_SOUND }, { 0x040000B0, 0x040000DF, TRACE_DMA },
    { 0x04000100, 0x0400010F, TRACE_TIMER }, { 0x04000120, 0x0400012F, TRACE_SERIAL }, { 0x04000134, 0x0400015B, TRACE_SERIAL },
};

static const struct device gb_devices[] = {
    { 0xFF01, 0xFF02, TRACE_SERIAL }, { 0xFF04, 0xFF07, TRACE_TIMER }, { 0xFF10, 0xFF3F, TRACE_SOUND }, { 0xFF46, 0xFF46, TRACE_DMA },
    { 0xFF40, 0xFF4B, TRACE_DISPLAY }, { 0xFF4F, 0xFF4F, TRACE_DISPLAY }, { 0xFF51, 0xFF55, TRACE_DMA }, { 0xFF68, 0xFF6C, TRACE_DISPLAY },
};

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof(*(ARRAY)))

static int kind_of(bool gba, uint32_t address, uint32_t last) {
    const struct device* devices = gba ? gba_devices : gb_devices;
    for (size_t i = 0; i < (gba ? COUNT(gba_devices) : COUNT(gb_devices)); ++i) {
        if (address <= devices[i].last && last >= devices[i].first) {
            return devices[i].kind;
        }
    }
    return 0;
}

static void note_access(const struct access* access) {
    if (!access->writes) {
        return;
    }
    int kind = kind_of(is_gba(repeat_machine()), access->address, access->address + access->size - 1);
    if (access->by_dma && !(trace.search.kinds & (unsigned) kind)) {
        kind = TRACE_DMA;
    }
    if (kind && (access->by_dma ? trace.search.kinds & (unsigned) kind : is_wanted((enum trace_kind) kind, trace.pc))) {
        add((struct trace_event) {
            .kind = (enum trace_kind) kind, .pc = trace.pc, .bank = trace.bank, .has_address = true, .address = access->address, .size = access->size,
            .value = access->value, .by_dma = access->by_dma,
        });
    }
}

static void note_writes(struct mCore* core) {
    if (trace.search.kinds & TRACE_DMA) {
        accesses_note(core, 0, UINT32_MAX - sizeof(uint32_t), note_access);
    } else if (trace.search.kinds & WRITES) {
        accesses_note(core, is_gba(core) ? GBA_REGISTERS : GB_REGISTERS, is_gba(core) ? GBA_REGISTERS_END : GB_REGISTERS_END, note_access);
    }
}

/* --- the search ------------------------------------------------------------------------------------------------------------------ */

/* The first run of a frame that is kept, or of the first one behind it. */
static uint64_t run_of(uint64_t frame) {
    uint64_t run = history_end();
    while (run > history_first() && history_run(run - 1)->frame >= frame) {
        --run;
    }
    return run;
}

void trace_begin(struct mCore* core, const struct trace_search* search) {
    trace.core = core;
    trace.search = *search;
    trace.search.count = search->count < TRACE_EVENTS ? search->count : TRACE_EVENTS;
    trace.count = 0;
    trace.is_full = false;
    trace.run = run_of(search->frame);
    trace.end = (struct trace_end) { search->frame, search->number, 0 };
    trace.frame = search->frame;
    trace.number = trace.cycles = 0;
    trace.is_searching = true;
}

void trace_stop(void) {
    trace.is_searching = false;
}

bool trace_is_searching(void) {
    return trace.is_searching;
}

size_t trace_found(const struct trace_event** events, struct trace_end* end) {
    *events = trace.found;
    *end = trace.end;
    return trace.count;
}

/* What was dropped since is missed. */
static void skip_dropped(void) {
    if (trace.run < history_first()) {
        trace.run = history_first();
    }
    const uint64_t frame = history_run(trace.run)->frame;
    if (trace.run == history_first() && frame > trace.search.frame && trace.count == 0 && trace.end.missed == 0) {
        trace.end.missed = frame - trace.search.frame;
    }
    if (frame != trace.frame) {
        trace.frame = frame;
        trace.number = trace.cycles = 0;
    }
}

static void search_run(void) {
    static const struct debugger_search nothing = { 0 };
    if (trace.is_full || trace.run >= history_end() || (skip_dropped(), !repeat_begin(trace.core, trace.run))) {
        trace.is_searching = false;
        return;
    }
    struct mCore* core = repeat_machine();
    trace.is_known = false;
    trace.pc = debugger_pc(core);
    trace.bank = debugger_bank(core, trace.pc);
    debugger_lend(NULL, &nothing);
    note_writes(core);
    repeat_until(UINT32_MAX, note_instruction);
    const uint32_t pc = debugger_pc(core);
    follow(core, is_gba(core) && begins_irq(core->cpu, pc) ? interrupted_pc(core) : pc);
    accesses_forget();
    debugger_return();
    trace.cycles += history_run(trace.run)->cycles;
    ++trace.run;
    if (!trace.is_full) {
        trace.end.frame = trace.frame;
        trace.end.number = trace.number;
    }
}

bool trace_work(int64_t until_ns) {
    const bool had_work = trace.is_searching;
    while (trace.is_searching && clock_now_ns() < until_ns) {
        search_run();
    }
    return had_work;
}
