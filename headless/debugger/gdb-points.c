#include "debugger/gdb-points.h"

#include "debugger/debugger.h"

#include <stddef.h>
#include <stdlib.h>

struct entry {
    struct gdb_point point;
    int id;
};

/* Kept when the last one is removed: GDB does so at each stop. */
static struct {
    struct entry* all;
    size_t count;
    size_t capacity;
} points;

static bool halt(void* context, int id, const struct debug_hit* hit) {
    (void) context;
    (void) id;
    (void) hit;
    return true;
}

static int kinds_of(enum gdb_point_type type, bool every) {
    switch (type) {
    case GDB_WRITE_WATCHPOINT:
        return every ? DEBUG_WRITE : DEBUG_CHANGE;
    case GDB_READ_WATCHPOINT:
        return DEBUG_READ;
    case GDB_ACCESS_WATCHPOINT:
        return DEBUG_READ | DEBUG_WRITE;
    default:
        return DEBUG_EXECUTE;
    }
}

static bool watches(const struct gdb_point* point) {
    return point->type >= GDB_WRITE_WATCHPOINT;
}

/* The kind of a breakpoint says what code is there. lldb 14 removes those of Thumb with another one. */
static struct entry* find(const struct gdb_point* wanted) {
    for (size_t i = points.count; i-- > 0;) {
        const struct gdb_point* point = &points.all[i].point;
        if (point->address == wanted->address && point->type == wanted->type && (!watches(wanted) || point->kind == wanted->kind)) {
            return &points.all[i];
        }
    }
    return NULL;
}

static bool has_room(void) {
    if (points.count == points.capacity) {
        const size_t capacity = points.capacity ? 2 * points.capacity : 16;
        struct entry* more = realloc(points.all, capacity * sizeof(*more));
        if (!more) {
            return false;
        }
        points.all = more;
        points.capacity = capacity;
    }
    return true;
}

bool gdb_points_add(const struct gdb_point* point, bool every) {
    if (find(point)) {
        return true;
    }
    const uint32_t last = watches(point) ? point->address + (point->kind - 1) : point->address;
    const int id = !has_room() ? 0 : debugger_add(&(struct debug_point) {
        .kinds = kinds_of(point->type, every),
        .first = point->address,
        .last = last < point->address ? UINT32_MAX : last,
        .bank = DEBUG_ANY_BANK,
        .hit = halt,
    });
    if (id) {
        points.all[points.count++] = (struct entry) { .point = *point, .id = id };
    }
    return id != 0;
}

void gdb_points_remove(const struct gdb_point* point) {
    struct entry* entry = find(point);
    if (entry) {
        (void) debugger_remove(entry->id);
        *entry = points.all[--points.count];
    }
}

void gdb_points_clear(void) {
    while (points.count > 0) {
        (void) debugger_remove(points.all[--points.count].id);
    }
    free(points.all);
    points.all = NULL;
    points.capacity = 0;
}

const struct gdb_point* gdb_points_find(int id) {
    for (size_t i = 0; i < points.count; ++i) {
        if (points.all[i].id == id) {
            return &points.all[i].point;
        }
    }
    return NULL;
}
