#include "debugger/script-history.h"

#include "debugger/addresses.h"
#include "debugger/debugger.h"
#include "debugger/history.h"
#include "debugger/places.h"
#include "debugger/trace.h"
#include "debugger/travel.h"
#include "debugger/writers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE 128

/* Bound functions get no context, and there is one game. */
static const struct game* present;

void script_history_begin(const struct game* game) {
    present = game;
}

void script_history_keep(int32_t megabytes) {
    if (megabytes >= 0 && megabytes <= HISTORY_MEGABYTES && !travel_is_busy() && !travel_is_past()) {
        writers_end();
        trace_stop();
        history_keep((uint32_t) megabytes);
    }
}

struct mScriptValue* script_history(void) {
    char text[4 * LINE];
    const bool is_past = travel_is_past();
    const uint64_t runs = history_end() - history_first();
    (void) snprintf(text, sizeof(text), "%" PRIu32 " %zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d %d %s", history_megabytes(), history_bytes(), runs,
        runs ? history_run(history_first())->frame : present->frames, travel_frame(), present->frames, is_past, travel_is_busy() || writers_are_searched() || trace_is_searching(),
        history_problem());
    return mScriptStringCreateFromUTF8(text);
}

bool script_history_go_back(int32_t how, int32_t count) {
    return how >= TRAVEL_INSTRUCTION && how <= TRAVEL_FRAME && count > 0 && travel_back((enum travel_back) how, (uint32_t) count);
}

bool script_history_find_writers(uint32_t first, uint32_t last, int32_t bank, int32_t count) {
    if (!present->core || first > last || count <= 0 || travel_is_busy()) {
        return false;
    }
    struct snapshot* taken = travel_is_past() ? NULL : snapshot_take(present->core);
    const struct snapshot* now = taken ? taken : travel_present();
    const bool known = now && writers_search(present->core, now, first, last, bank, (size_t) count);
    free(taken);
    return known;
}

struct mScriptValue* script_history_writers(void) {
    char text[WRITERS * LINE] = "";
    size_t length = 0;
    const struct write* writes;
    const size_t count = writers_found(&writes);
    for (size_t i = 0; i < count; ++i) {
        const struct write* write = &writes[i];
        length += (size_t) snprintf(text + length, LINE, "%d %" PRIu64 " %" PRIu32 " %d %" PRIu32 " %u %" PRIu32 " %" PRIu32 "\n", write->by, write->frame, write->pc, write->bank,
            write->address, write->size, write->before, write->value);
    }
    return mScriptStringCreateFromUTF8(text);
}

bool script_history_find_trace(int32_t kinds, uint32_t first, uint32_t last, int64_t frame, int64_t number, int32_t count) {
    if (!present->core || kinds <= 0 || kinds > TRACE_ALL || first > last || frame < 0 || number < 0 || count <= 0 || travel_is_busy()) {
        return false;
    }
    trace_begin(present->core, &(struct trace_search) {
        .kinds = (unsigned) kinds, .first = first, .last = last, .frame = (uint64_t) frame, .number = (uint64_t) number, .count = (size_t) count,
    });
    return true;
}

static size_t write_event(char* line, const struct trace_event* event) {
    char address[16] = "nil";
    if (event->has_address) {
        (void) snprintf(address, sizeof(address), "%" PRIu32, event->address);
    }
    return (size_t) snprintf(line, LINE + INSTRUCTION_TEXT, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %d %" PRIu32 " %d %s %u %" PRIu32 " %d \"%s\"\n", event->frame, event->number,
        event->cycle, event->line, event->kind, event->pc, event->bank, address, event->size, event->value, event->by_dma, event->text);
}

struct mScriptValue* script_history_trace(void) {
    static char text[LINE + TRACE_EVENTS * (LINE + INSTRUCTION_TEXT)];
    const struct trace_event* events;
    struct trace_end end;
    const size_t count = trace_found(&events, &end);
    size_t length = (size_t) snprintf(text, LINE, "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", end.frame, end.number, end.missed);
    for (size_t i = 0; i < count; ++i) {
        length += write_event(text + length, &events[i]);
    }
    return mScriptStringCreateFromUTF8(text);
}

static bool find_address(struct mCore* core, uint32_t address, size_t length, size_t* at) {
    const uint32_t first = is_gba(core) ? address_of_gba(address) : address_of_gb(address);
    const uint32_t last = first + (uint32_t) length - 1;
    size_t end;
    return places_find(core, first, debugger_bank(core, first), at) && places_find(core, last, debugger_bank(core, last), &end) && end == *at + length - 1;
}

/* The first run of a frame. */
static bool find_run(int64_t frame, uint64_t* run) {
    *run = history_end();
    while (*run > history_first() && history_run(*run - 1)->frame >= (uint64_t) frame) {
        --*run;
    }
    return frame >= 0 && *run < history_end() && history_run(*run)->frame == (uint64_t) frame;
}

struct mScriptValue* script_history_past(int64_t frame, const char* domain, uint32_t offset, int32_t length) {
    uint64_t run;
    size_t at;
    struct mCore* core = present->core;
    const bool known = core && length > 0 && find_run(frame, &run) &&
        (*domain ? places_find_in(core, domain, offset, (size_t) length, &at) : find_address(core, offset, (size_t) length, &at));
    const struct snapshot* snapshot = known ? history_snapshot(run) : NULL;
    const bool is_there = snapshot && at + (size_t) length <= snapshot->state_size + snapshot->save_size;
    return mScriptStringCreateFromBytes(is_there ? (const char*) snapshot->bytes + at : "", is_there ? (size_t) length : 0);
}
