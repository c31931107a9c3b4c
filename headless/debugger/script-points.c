#include "debugger/script-points.h"

#include "debugger/debugger.h"
#include "debugger/travel.h"

#include <inttypes.h>
#include <stdio.h>

#define ALL_KINDS (DEBUG_EXECUTE | DEBUG_READ | DEBUG_WRITE | DEBUG_CHANGE | DEBUG_INTERRUPT)
#define TEXT 160

/* Bound functions get no context, and there is one game. */
static struct {
    const struct game* game;
    const struct debug_hit* hit; /* in the event */
    int id;
    bool halts;
    int ids[DEBUG_POINTS];
    size_t count;
} points;

void script_points_begin(const struct game* game) {
    points.game = game;
}

void script_points_end(void) {
    for (size_t i = 0; i < points.count; ++i) {
        (void) debugger_remove(points.ids[i]);
    }
    points.count = 0;
    travel_release();
}

static bool on_hit(void* context, int id, const struct debug_hit* hit) {
    (void) context;
    points.hit = hit;
    points.id = id;
    points.halts = false;
    points.game->listener.event(points.game->listener.context, "debugHit");
    points.hit = NULL;
    return points.halts;
}

int32_t script_points_add(int32_t kinds, uint32_t first, uint32_t last, int32_t bank) {
    if (points.count == DEBUG_POINTS || kinds <= 0 || kinds > ALL_KINDS) {
        return 0;
    }
    const int id = debugger_add(&(struct debug_point) { .kinds = kinds, .first = first, .last = last, .bank = bank, .hit = on_hit });
    if (id) {
        points.ids[points.count++] = id;
    }
    return id;
}

bool script_points_remove(int32_t id) {
    for (size_t i = 0; i < points.count; ++i) {
        if (points.ids[i] == id) {
            points.ids[i] = points.ids[--points.count];
            return debugger_remove(id);
        }
    }
    return false;
}

static int write_hit(char* text, size_t size, int id, const struct debug_hit* hit) {
    return snprintf(text, size, "%d %d %" PRIu32 " %d %" PRIu32 " %u %" PRIu32 " %" PRIu32 " %" PRIu32 " %d", id, hit->kind, hit->pc, hit->bank, hit->address,
        hit->size, hit->before, hit->value, hit->after, hit->by_dma);
}

struct mScriptValue* script_points_hit(void) {
    char text[TEXT] = "";
    if (points.hit) {
        (void) write_hit(text, sizeof(text), points.id, points.hit);
    }
    return mScriptStringCreateFromUTF8(text);
}

void script_points_halt_here(void) {
    points.halts = true;
}

void script_points_resume(int32_t how, uint32_t address, int32_t bank) {
    if (how == DEBUG_RUN_TO) {
        travel_run_to(address, bank);
    } else if (how >= DEBUG_CONTINUE && how < DEBUG_RUN_TO) {
        travel_resume((enum debug_resume) how);
    }
}

static const char* const reasons[] = {
    [DEBUG_REQUESTED] = "requested",
    [DEBUG_STEPPED] = "step",
    [DEBUG_POINT] = "point",
    [DEBUG_MOVED] = "moved",
    [DEBUG_HISTORY_BEGINS] = "history",
};

struct mScriptValue* script_points_halted(void) {
    char text[2 * TEXT] = "";
    const struct debug_halt* halt = debugger_halted();
    if (debugger_is_halted()) {
        const struct mCore* core = points.game->core;
        const uint32_t pc = debugger_pc(core);
        const int length = snprintf(text, TEXT, "%" PRIu32 " %s %" PRIu32 " %d", halt->count, reasons[halt->reason], pc, debugger_bank(core, pc));
        if (halt->reason == DEBUG_POINT) {
            text[length] = ' ';
            (void) write_hit(text + length + 1, TEXT, halt->id, &halt->hit);
        }
    }
    return mScriptStringCreateFromUTF8(text);
}

int64_t script_points_lost(void) {
    return (int64_t) debugger_lost();
}
