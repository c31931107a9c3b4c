#include "debugger/writers.h"

#include "debugger/accesses.h"
#include "debugger/addresses.h"
#include "debugger/debugger.h"
#include "debugger/history.h"
#include "debugger/places.h"
#include "debugger/repeat.h"
#include "platform/clock.h"

#include <stdlib.h>
#include <string.h>

#define IN_RUN 1024     /* writes of one run, of which the last are kept */

static struct {
    struct mCore* core;
    bool is_searching;
    uint32_t first;
    uint32_t last;
    int bank;
    size_t offset;        /* in a snapshot's bytes */
    size_t size;
    uint64_t run;         /* before this one there is more to look at */
    unsigned char after[WRITERS_BYTES]; /* what was there when the run before it had ended */
    size_t wanted;
    struct write found[WRITERS];
    size_t count;

    struct write in_run[IN_RUN]; /* number n at n % IN_RUN */
    size_t in_run_count;
    uint32_t pc;
    int pc_bank;
} writers;

/* --- one run ---------------------------------------------------------------------------------------------------------------- */

static void note_instruction(struct mCore* core, uint32_t time) {
    (void) time;
    writers.pc = debugger_pc(core);
    writers.pc_bank = debugger_bank(core, writers.pc);
}

static void note_access(const struct access* access) {
    struct mCore* core = repeat_machine();
    if (!access->writes || access->before == access->after || (writers.bank != DEBUG_ANY_BANK && debugger_bank(core, access->address) != writers.bank)) {
        return;
    }
    writers.in_run[writers.in_run_count++ % IN_RUN] = (struct write) {
        .by = access->by_dma ? WRITER_DMA : WRITER_GAME,
        .pc = access->by_dma ? 0 : writers.pc,
        .bank = access->by_dma ? 0 : writers.pc_bank,
        .address = access->address,
        .size = access->size,
        .before = access->before,
        .value = access->after,
    };
}

static void add(const struct write* write, uint64_t frame) {
    if (writers.count < writers.wanted) {
        writers.found[writers.count] = *write;
        writers.found[writers.count++].frame = frame;
    }
}

/* What the run has not written was written behind it. */
static void add_outside(const unsigned char* repeated, uint64_t frame) {
    for (size_t i = 0; i < writers.size; i += sizeof(uint32_t)) {
        const size_t size = writers.size - i < sizeof(uint32_t) ? writers.size - i : sizeof(uint32_t);
        struct write write = { .by = WRITER_OUTSIDE, .address = writers.first + (uint32_t) i, .size = (unsigned) size };
        memcpy(&write.before, repeated + i, size);
        memcpy(&write.value, writers.after + i, size);
        if (write.before != write.value) {
            add(&write, frame);
        }
    }
}

static void repeat_run(uint64_t run) {
    static const struct debugger_search nothing = { 0 };
    if (!repeat_begin(writers.core, run)) {
        writers.is_searching = false;
        return;
    }
    writers.in_run_count = 0;
    debugger_lend(NULL, &nothing);
    accesses_note(repeat_machine(), writers.first, writers.last, note_access);
    repeat_until(UINT32_MAX, note_instruction);
    accesses_forget();
    debugger_return();

    const uint64_t frame = history_run(run)->frame;
    struct snapshot* end = snapshot_take(repeat_machine());
    if (end) {
        add_outside(end->bytes + writers.offset, frame);
    }
    free(end);
    const size_t kept = writers.in_run_count < IN_RUN ? writers.in_run_count : IN_RUN;
    for (size_t i = 1; i <= kept; ++i) {
        add(&writers.in_run[(writers.in_run_count - i) % IN_RUN], frame);
    }
}

/* --- the search ------------------------------------------------------------------------------------------------------------- */

bool writers_search(struct mCore* core, const struct snapshot* now, uint32_t first, uint32_t last, int bank, size_t count) {
    writers.is_searching = false;
    writers.count = 0;
    writers.core = core;
    writers.first = is_gba(core) ? address_of_gba(first) : address_of_gb(first);
    writers.size = (size_t) (last - first) + 1;
    writers.last = writers.first + (last - first);
    writers.bank = bank;
    writers.wanted = count < WRITERS ? count : WRITERS;
    const int mapped = bank == DEBUG_ANY_BANK ? debugger_bank(core, writers.first) : bank;
    size_t end;
    if (last - first >= WRITERS_BYTES || !places_find(core, writers.first, mapped, &writers.offset) || !places_find(core, writers.last, mapped, &end)) {
        return false;
    }
    if (end < now->state_size + now->save_size) {
        memcpy(writers.after, now->bytes + writers.offset, writers.size);
        writers.run = history_end();
        writers.is_searching = true;
    }
    return writers.is_searching;
}

void writers_end(void) {
    writers.is_searching = false;
}

bool writers_are_searched(void) {
    return writers.is_searching;
}

size_t writers_found(const struct write** writes) {
    *writes = writers.found;
    return writers.count;
}

static void search_run(void) {
    if (writers.run <= history_first() || writers.run > history_end() || writers.count == writers.wanted) {
        writers.is_searching = false;
        return;
    }
    const struct snapshot* snapshot = history_snapshot(--writers.run);
    if (!snapshot) {
        writers.is_searching = false;
        return;
    }
    unsigned char before[WRITERS_BYTES];
    memcpy(before, snapshot->bytes + writers.offset, writers.size);
    if (memcmp(before, writers.after, writers.size) != 0) {
        repeat_run(writers.run);
        memcpy(writers.after, before, writers.size);
    }
}

bool writers_work(int64_t until_ns) {
    const bool had_work = writers.is_searching;
    while (writers.is_searching && clock_now_ns() < until_ns) {
        search_run();
    }
    return had_work;
}
