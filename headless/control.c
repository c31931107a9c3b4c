#include "control.h"

#include "platform/input.h"

#include <string.h>

static void drop_taken(struct control* control) {
    if (!control->taken) {
        return;
    }
    memmove(control->buffer, control->buffer + control->taken, control->used - control->taken);
    control->used -= control->taken;
    control->taken = 0;
}

/* Reads what is available; CONTROL_LINE if there was something. */
static enum control_result fill(struct control* control) {
    ssize_t got = input_read(control->buffer + control->used, sizeof(control->buffer) - control->used);
    if (got <= 0) {
        return got < 0 ? CONTROL_END : CONTROL_NOTHING;
    }
    control->used += (size_t) got;
    return CONTROL_LINE;
}

static void end_line(char* line, char* end) {
    if (end > line && end[-1] == '\r') {
        --end;
    }
    *end = '\0';
}

enum control_result control_next_line(struct control* control, char** line) {
    if (!input_is_open()) {
        return CONTROL_NOTHING;
    }
    drop_taken(control);
    for (;;) {
        char* end = memchr(control->buffer, '\n', control->used);
        if (end) {
            size_t length = (size_t) (end - control->buffer);
            bool bad = control->skipping || memchr(control->buffer, '\0', length);
            control->skipping = false;
            control->taken = length + 1;
            end_line(control->buffer, end);
            *line = control->buffer;
            return bad ? CONTROL_BAD_LINE : CONTROL_LINE;
        }
        if (control->used == sizeof(control->buffer)) {
            control->skipping = true;
            control->used = 0;
        }
        enum control_result filled = fill(control);
        if (filled != CONTROL_LINE) {
            return filled;
        }
    }
}
