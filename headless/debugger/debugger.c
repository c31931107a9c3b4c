#include "debugger/debugger.h"

#include "debugger/accesses.h"
#include "debugger/addresses.h"
#include "debugger/coverage.h"
#include "debugger/instructions.h"
#include "debugger/steps.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/sm83/sm83.h>

#include <stdlib.h>
#include <string.h>

#define ACCESSES (DEBUG_READ | DEBUG_WRITE | DEBUG_CHANGE)
#define HITS 256   /* of one instruction or one DMA, before they are passed on */
#define MARKS 8192 /* a power of two */

/* Vectors of a Game Boy. */
#define GB_VECTORS 0x40
#define GB_VECTORS_END 0x60

struct entry {
    int id; /* 0: removed while hits are passed on */
    struct debug_point point;
};

struct pending {
    int id;
    struct debug_hit hit;
};

/* What is under way. */
struct progress {
    bool wanted;           /* a halt before the next instruction */
    bool stepping;
    bool resumed;          /* at this instruction, whose points are not hit again */
    uint32_t resumed_at;
    bool interrupted;      /* a Game Boy begins to serve an interrupt */
    struct debug_halt halt;
};

/* One game runs at a time. */
static struct {
    struct mCore* core;
    struct entry* entries; /* in the order of their ids */
    size_t count;
    size_t capacity;
    int last_id;
    bool passing;          /* hits on */
    bool removed;          /* entries meanwhile */
    uint8_t marks[MARKS / 8]; /* addresses with a point for DEBUG_EXECUTE, modulo MARKS halfwords */
    bool interrupts;       /* there are points for DEBUG_INTERRUPT */
    struct pending hits[HITS];
    size_t hit_count;
    uint64_t lost;
    uint32_t pc;           /* of the instruction that runs */
    int bank;

    struct progress now;
    struct mCore* own;     /* of the game, while another machine has the points; otherwise NULL */
    struct progress stood; /* of the game meanwhile */
    const struct debugger_search* search;
    bool put;              /* what moves the game is its debugger */
    uint32_t moves;        /* by others */

    uint8_t opcode;        /* of a Game Boy */
    void (*on_opcode)(void);
} debugger;

/* --- points ----------------------------------------------------------------------------------------------------------------- */

static uint32_t address_of(uint32_t address) {
    return debugger.core && !is_gba(debugger.core) ? address_of_gb(address) : address_of_gba(address);
}

static unsigned mark_of(uint32_t address) {
    return (address >> 1) % MARKS;
}

static void mark(const struct debug_point* point) {
    const uint32_t count = (point->last - point->first) / 2 + 2;
    for (uint32_t i = 0; i < count && i < MARKS; ++i) {
        const unsigned at = mark_of(point->first + 2 * i);
        debugger.marks[at / 8] |= (uint8_t) (1u << at % 8);
    }
}

static bool is_marked(uint32_t address) {
    const unsigned at = mark_of(address);
    return debugger.marks[at / 8] & 1u << at % 8;
}

static void note_access(const struct access* access);

/* Derives what the points need. */
static void settle(void) {
    uint32_t first = UINT32_MAX;
    uint32_t last = 0;
    memset(debugger.marks, 0, sizeof(debugger.marks));
    debugger.interrupts = false;
    for (size_t i = 0; i < debugger.count; ++i) {
        const struct debug_point* point = &debugger.entries[i].point;
        if (point->kinds & DEBUG_EXECUTE) {
            mark(point);
        }
        debugger.interrupts |= (point->kinds & DEBUG_INTERRUPT) != 0;
        if (point->kinds & ACCESSES) {
            first = point->first < first ? point->first : first;
            last = point->last > last ? point->last : last;
        }
    }
    if (debugger.core && first <= last) {
        accesses_note(debugger.core, first, last, note_access);
    } else {
        accesses_forget();
    }
}

static void drop_removed(void) {
    size_t kept = 0;
    for (size_t i = 0; i < debugger.count; ++i) {
        if (debugger.entries[i].id) {
            debugger.entries[kept++] = debugger.entries[i];
        }
    }
    debugger.count = kept;
    debugger.removed = false;
    settle();
}

static struct entry* find(int id) {
    for (size_t i = 0; i < debugger.count; ++i) {
        if (debugger.entries[i].id == id) {
            return &debugger.entries[i];
        }
    }
    return NULL;
}

static bool has_room(void) {
    if (debugger.count < debugger.capacity) {
        return true;
    }
    const size_t capacity = debugger.capacity ? 2 * debugger.capacity : 16;
    struct entry* entries = capacity > DEBUG_POINTS ? NULL : realloc(debugger.entries, capacity * sizeof(*entries));
    if (entries) {
        debugger.entries = entries;
        debugger.capacity = capacity;
    }
    return entries;
}

int debugger_add(const struct debug_point* point) {
    if (point->first > point->last || !has_room()) {
        return 0;
    }
    struct entry* entry = &debugger.entries[debugger.count];
    *entry = (struct entry) { ++debugger.last_id, *point };
    entry->point.first = address_of(point->first);
    entry->point.last = entry->point.first + (point->last - point->first);
    ++debugger.count;
    settle();
    return entry->id;
}

bool debugger_remove(int id) {
    struct entry* entry = id > 0 ? find(id) : NULL;
    if (!entry) {
        return false;
    }
    entry->id = 0;
    if (debugger.passing) {
        debugger.removed = true;
    } else {
        drop_removed();
    }
    return true;
}

/* --- hits ------------------------------------------------------------------------------------------------------------------- */

static void hit(const struct entry* entry, const struct debug_hit* hit) {
    if (debugger.hit_count == HITS) {
        ++debugger.lost;
        return;
    }
    debugger.hits[debugger.hit_count++] = (struct pending) { entry->id, *hit };
}

static void note_access(const struct access* access) {
    const uint32_t last = access->address + access->size - 1;
    const int kinds = !access->writes ? DEBUG_READ : access->before != access->after ? DEBUG_WRITE | DEBUG_CHANGE : DEBUG_WRITE;
    for (size_t i = 0; i < debugger.count; ++i) {
        const struct debug_point* point = &debugger.entries[i].point;
        const int kind = point->kinds & kinds;
        if (!kind || access->address > point->last || last < point->first ||
            (point->bank != DEBUG_ANY_BANK && point->bank != debugger_bank(debugger.core, access->address))) {
            continue;
        }
        hit(&debugger.entries[i], &(struct debug_hit) {
            .kind = kind & DEBUG_CHANGE ? DEBUG_CHANGE : kind,
            .pc = debugger.pc,
            .bank = debugger.bank,
            .address = access->address,
            .size = access->size,
            .before = access->before,
            .value = access->value,
            .after = access->after,
            .by_dma = access->by_dma,
        });
    }
}

static void note_instruction(int kind) {
    for (size_t i = 0; i < debugger.count; ++i) {
        const struct debug_point* point = &debugger.entries[i].point;
        const uint32_t at = address_of(debugger.pc);
        if (point->kinds & kind && at >= point->first && at <= point->last && (point->bank == DEBUG_ANY_BANK || point->bank == debugger.bank)) {
            hit(&debugger.entries[i], &(struct debug_hit) { .kind = kind, .pc = debugger.pc, .bank = debugger.bank });
        }
    }
}

static void halt(enum debug_reason reason, int id, const struct debug_hit* hit) {
    debugger.now.wanted = debugger.now.stepping = false;
    debugger.now.resumed = true;
    debugger.now.resumed_at = debugger_pc(debugger.core);
    debugger.now.halt.reason = reason;
    debugger.now.halt.id = id;
    debugger.now.halt.hit = hit ? *hit : (struct debug_hit) { 0 };
    ++debugger.now.halt.count;
}

/* Passes the hits on to those who wait for them. All of them are passed on, also when one halts the game. */
static void pass_hits(void) {
    const size_t count = debugger.hit_count;
    bool halts = false;
    int id = 0;
    struct debug_hit first = { 0 };
    if (debugger.own) {
        debugger.search->show(); /* conditions read the game */
    }
    debugger.passing = true;
    for (size_t i = 0; i < count; ++i) {
        const struct pending* pending = &debugger.hits[i];
        const struct entry* entry = find(pending->id);
        if (entry && entry->point.hit(entry->point.context, pending->id, &pending->hit) && !halts) {
            halts = true;
            id = pending->id;
            first = pending->hit;
        }
    }
    debugger.passing = false;
    debugger.hit_count = 0;
    if (debugger.removed) {
        drop_removed();
    }
    if (halts && debugger.own && debugger.search->found) {
        debugger.search->found(id, &first);
    } else if (halts) {
        halt(DEBUG_POINT, id, &first);
    }
}

/* --- running ---------------------------------------------------------------------------------------------------------------- */

/* Whether the next instruction is the first of an interrupt. */
static bool begins_interrupt(const struct mCore* core) {
    if (is_gba(core)) {
        return begins_irq(core->cpu, debugger.pc);
    }
    return debugger.now.interrupted && debugger.pc >= GB_VECTORS && debugger.pc <= GB_VECTORS_END;
}

/* Whether the processor of a Game Boy serves an interrupt in place of the instruction that is next. */
static bool is_interrupted(const struct mCore* core) {
    return !is_gba(core) && ((const struct SM83Core*) core->cpu)->irqPending;
}

static void note_points(struct mCore* core) {
    if (is_marked(address_of(debugger.pc))) {
        note_instruction(DEBUG_EXECUTE);
    }
    if (debugger.interrupts && begins_interrupt(core)) {
        note_instruction(DEBUG_INTERRUPT);
    }
}

static bool executes_opcode(struct mCore* core) {
    return !is_gba(core) && !is_interrupted(core) && core->rawRead8(core, debugger.pc, -1) == debugger.opcode;
}

/* Whether the instruction that is executed next may be, or the game is halted before it. */
static bool may_execute(struct mCore* core) {
    debugger.pc = debugger_pc(core);
    debugger.bank = debugger_bank(core, debugger.pc);
    if (debugger.now.wanted) {
        halt(DEBUG_REQUESTED, 0, NULL);
        return false;
    }
    if (debugger.on_opcode && executes_opcode(core)) {
        debugger.on_opcode();
        return false;
    }
    const bool again = debugger.now.resumed && debugger.now.resumed_at == debugger.pc;
    debugger.now.resumed = false;
    if (!again) {
        note_points(core);
    }
    if (debugger.hit_count > 0) {
        pass_hits();
    }
    if (debugger.now.stepping) {
        steps_before(core);
    }
    debugger.now.interrupted = is_interrupted(core);
    const bool may = debugger.now.halt.reason == DEBUG_NOT_HALTED;
    if (may && !debugger.own && coverage_is_on()) {
        coverage_note(core);
    }
    return may;
}

/* Behind an instruction. False: the game is halted. */
static bool may_continue(struct mCore* core) {
    if (debugger.hit_count > 0) {
        pass_hits();
    }
    if (debugger.now.stepping && debugger.now.halt.reason == DEBUG_NOT_HALTED && steps_after(core)) {
        halt(DEBUG_STEPPED, 0, NULL);
    }
    return debugger.now.halt.reason == DEBUG_NOT_HALTED;
}

static void events_done(struct mCore* core) {
    (void) core;
    if (debugger.hit_count > 0) {
        pass_hits();
    }
}

const struct instructions debugger_instructions = { may_execute, may_continue, events_done };

void debugger_run_loop(struct mCore* core) {
    if (debugger.now.wanted) {
        halt(DEBUG_REQUESTED, 0, NULL); /* also when the processor is halted and executes nothing */
    } else {
        instructions_run(core, &debugger_instructions);
    }
}

bool debugger_is_active(void) {
    return debugger.count > 0 || debugger.now.wanted || debugger.now.stepping || debugger.on_opcode;
}

void debugger_note_opcode(uint8_t opcode, void (*call)(void)) {
    debugger.opcode = opcode;
    debugger.on_opcode = call;
}

bool debugger_has_points(void) {
    return debugger.count > 0;
}

bool debugger_is_stepping(void) {
    return debugger.now.wanted || debugger.now.stepping;
}

uint64_t debugger_lost(void) {
    return debugger.lost;
}

/* --- halting and resuming ------------------------------------------------------------------------------------------------------ */

void debugger_halt(void) {
    debugger.now.wanted = debugger.core && debugger.now.halt.reason == DEBUG_NOT_HALTED;
    debugger.now.stepping = false;
}

static void resume(enum debug_resume how, uint32_t address, int bank) {
    if (debugger.now.halt.reason == DEBUG_NOT_HALTED) {
        return;
    }
    debugger.now.halt.reason = DEBUG_NOT_HALTED;
    debugger.now.stepping = how != DEBUG_CONTINUE;
    if (debugger.now.stepping) {
        steps_begin(debugger.core, how, address, bank);
    }
}

void debugger_resume(enum debug_resume how) {
    resume(how, 0, DEBUG_ANY_BANK);
}

void debugger_run_to(uint32_t address, int bank) {
    resume(DEBUG_RUN_TO, address, bank);
}

bool debugger_is_halted(void) {
    return debugger.own || debugger.now.halt.reason != DEBUG_NOT_HALTED;
}

const struct debug_halt* debugger_halted(void) {
    return debugger.own ? &debugger.stood.halt : &debugger.now.halt;
}

void debugger_moved(void) {
    if (debugger.put) {
        return;
    }
    ++debugger.moves;
    if (!debugger.own && (debugger_is_halted() || debugger.now.stepping)) {
        halt(DEBUG_MOVED, 0, NULL);
        debugger.now.resumed = false;
    }
}

void debugger_of(struct mCore* core) {
    accesses_forget();
    debugger.own = NULL;
    debugger.core = core;
    debugger.now.wanted = debugger.now.stepping = debugger.now.resumed = debugger.now.interrupted = false;
    debugger.now.halt = (struct debug_halt) { .count = debugger.now.halt.count };
    settle();
}

/* --- another machine ----------------------------------------------------------------------------------------------------------- */

void debugger_lend(struct mCore* core, const struct debugger_search* search) {
    accesses_forget();
    debugger.own = debugger.core;
    debugger.stood = debugger.now;
    debugger.search = search;
    debugger.core = core;
    debugger.now.halt.reason = DEBUG_NOT_HALTED;
    debugger.now.wanted = debugger.now.stepping = debugger.now.interrupted = false;
    debugger.now.resumed = false;
    settle();
}

void debugger_begin(enum debug_resume how, uint32_t address, int bank) {
    debugger.now.resumed = true;
    debugger.now.resumed_at = debugger_pc(debugger.core);
    debugger.now.stepping = how != DEBUG_CONTINUE;
    if (debugger.now.stepping) {
        steps_begin(debugger.core, how, address, bank);
    }
}

const struct debug_halt* debugger_found(void) {
    return debugger.now.halt.reason == DEBUG_NOT_HALTED ? NULL : &debugger.now.halt;
}

/* The settings of a step remain: it may continue in the game. */
static void take_back(void) {
    accesses_forget();
    debugger.core = debugger.own;
    debugger.own = NULL;
    debugger.hit_count = 0;
    debugger.now.resumed = debugger.now.interrupted = false;
    settle();
}

void debugger_return(void) {
    if (debugger.own) {
        take_back();
        debugger.now = debugger.stood;
    }
}

void debugger_continue(void) {
    take_back();
    debugger.now.halt.reason = DEBUG_NOT_HALTED;
}

void debugger_halt_here(enum debug_reason reason, int id, const struct debug_hit* hit) {
    halt(reason, id, hit);
}

void debugger_put(bool put) {
    debugger.put = put;
}

uint32_t debugger_moves(void) {
    return debugger.moves;
}

/* --- the processor ------------------------------------------------------------------------------------------------------------ */

uint32_t debugger_pc(const struct mCore* core) {
    if (core->platform(core) == mPLATFORM_GBA) {
        const struct ARMCore* cpu = core->cpu;
        return (uint32_t) cpu->gprs[ARM_PC] - (cpu->executionMode == MODE_THUMB ? WORD_SIZE_THUMB : WORD_SIZE_ARM);
    }
    return ((const struct SM83Core*) core->cpu)->pc;
}

int debugger_bank(const struct mCore* core, uint32_t address) {
    if (core->platform(core) == mPLATFORM_GBA) {
        return 0;
    }
    struct SM83Core* cpu = core->cpu;
    return cpu->memory.currentSegment(cpu, (uint16_t) address);
}
