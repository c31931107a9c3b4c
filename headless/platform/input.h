/*
 * Where control lines come from: a FIFO, or the standard input. There is one.
 *
 * When the standard input is closed although the main loop does not return (a hung core, a script that never returns), the program is ended: it would outlive the
 * program that started it.
 */
#ifndef HEADLESS_PLATFORM_INPUT_H
#define HEADLESS_PLATFORM_INPUT_H

#include "base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* `path` is a FIFO, "-" for the standard input, or NULL for none. */
bool input_open(const char* path, struct failure* failure);
bool input_is_open(void);
/* Reads what there is, without waiting. Returns how many bytes, 0 for none, or -1 when the standard input was closed. */
ssize_t input_read(void* bytes, size_t size);
void input_close(void);

#endif
