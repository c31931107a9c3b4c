/* Splits what comes from the control FIFO or the standard input (platform/input.h) into lines. commands.c interprets them. */
#ifndef HEADLESS_CONTROL_H
#define HEADLESS_CONTROL_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The longest line including its end: a command and a path. */
#define CONTROL_LINE_SIZE (PATH_MAX + 32)

struct control {
    char buffer[CONTROL_LINE_SIZE];
    size_t used;
    size_t taken;   /* bytes at the start of the buffer that were returned already */
    bool skipping;  /* inside a line that was too long */
};

enum control_result {
    CONTROL_NOTHING,  /* no complete line yet */
    CONTROL_LINE,
    CONTROL_BAD_LINE, /* too long, or contains a zero byte; dropped */
    CONTROL_END,      /* the standard input was closed */
};

/* Does not block. The line, without its end, is valid until the next call. */
enum control_result control_next_line(struct control* control, char** line);

#endif
