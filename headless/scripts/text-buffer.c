#include "scripts/text-buffer.h"

#include "machine/library.h"

#include <stdio.h>
#include <stdlib.h>

#define COLUMNS_DEFAULT 80
#define ROWS_DEFAULT 24
#define COLUMNS_LIMIT 500 /* the limit of the window */
#define ROWS_LIMIT 10000

struct text_buffer {
    struct mScriptTextBuffer calls; /* first: libmgba passes this pointer to every function below */
    struct text_buffer* next;
    uint32_t columns;
    uint32_t rows;
    uint32_t x;
    uint32_t y;
};

static struct text_buffer* own(struct mScriptTextBuffer* calls) {
    return (struct text_buffer*) calls;
}

static const struct text_buffer* own_const(const struct mScriptTextBuffer* calls) {
    return (const struct text_buffer*) calls;
}

static uint32_t clamp(uint32_t value, uint32_t low, uint32_t high) {
    return value < low ? low : value > high ? high : value;
}

static void init(struct mScriptTextBuffer* calls, const char* name) {
    (void) calls;
    (void) name;
}

static void deinit(struct mScriptTextBuffer* calls) {
    (void) calls; /* the list frees it */
}

static void set_name(struct mScriptTextBuffer* calls, const char* name) {
    (void) calls;
    (void) name;
}

static uint32_t get_x(const struct mScriptTextBuffer* calls) {
    return own_const(calls)->x;
}

static uint32_t get_y(const struct mScriptTextBuffer* calls) {
    return own_const(calls)->y;
}

static uint32_t columns(const struct mScriptTextBuffer* calls) {
    return own_const(calls)->columns;
}

static uint32_t rows(const struct mScriptTextBuffer* calls) {
    return own_const(calls)->rows;
}

static void new_line(struct text_buffer* buffer) {
    buffer->x = 0;
    buffer->y = clamp(buffer->y + 1, 0, buffer->rows - 1);
}

static void print(struct mScriptTextBuffer* calls, const char* text) {
    struct text_buffer* buffer = own(calls);
    for (; *text; ++text) {
        if (*text == '\n' || ++buffer->x >= buffer->columns) {
            new_line(buffer);
        }
    }
}

static void clear(struct mScriptTextBuffer* calls) {
    own(calls)->x = 0;
    own(calls)->y = 0;
}

static void move_cursor(struct mScriptTextBuffer* calls, uint32_t x, uint32_t y) {
    struct text_buffer* buffer = own(calls);
    buffer->x = clamp(x, 0, buffer->columns - 1);
    buffer->y = clamp(y, 0, buffer->rows - 1);
}

static void set_size(struct mScriptTextBuffer* calls, uint32_t width, uint32_t height) {
    struct text_buffer* buffer = own(calls);
    buffer->columns = clamp(width, 1, COLUMNS_LIMIT);
    buffer->rows = clamp(height, 1, ROWS_LIMIT);
    move_cursor(calls, buffer->x, buffer->y);
}

static void advance(struct mScriptTextBuffer* calls, int32_t steps) {
    struct text_buffer* buffer = own(calls);
    int64_t x = (int64_t) buffer->x + steps;
    move_cursor(calls, x < 0 ? 0 : (uint32_t) x, buffer->y);
}

static const struct mScriptTextBuffer all_calls = {
    .init = init, .deinit = deinit, .setName = set_name, .getX = get_x, .getY = get_y, .cols = columns, .rows = rows,
    .print = print, .clear = clear, .setSize = set_size, .moveCursor = move_cursor, .advance = advance,
};

/* libmgba does not check the result, so this cannot fail. */
static struct mScriptTextBuffer* create(void* context) {
    struct text_buffer** list = context;
    struct text_buffer* buffer = calloc(1, sizeof(*buffer));
    if (!buffer) {
        (void) fputs("mgba-headless: out of memory\n", stderr);
        abort();
    }
    *buffer = (struct text_buffer) { .calls = all_calls, .next = *list, .columns = COLUMNS_DEFAULT, .rows = ROWS_DEFAULT };
    *list = buffer;
    return &buffer->calls;
}

void text_buffer_attach(struct mScriptContext* context, struct text_buffer** list) {
    mScriptContextSetTextBufferFactory(context, create, list);
}

void text_buffer_free_all(struct text_buffer** list) {
    while (*list) {
        struct text_buffer* buffer = *list;
        *list = buffer->next;
        free(buffer);
    }
}
