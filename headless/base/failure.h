/*
 * An error: a one-line message that says what to change, and its exit code.
 * At start the message is printed on stderr and the program exits; for a control command it is the answer.
 */
#ifndef HEADLESS_BASE_FAILURE_H
#define HEADLESS_BASE_FAILURE_H

#include <limits.h>
#include <stdbool.h>

/* Part of the interface: --help lists them, and tests and callers compare them. Never reuse a number. */
enum exit_code {
    EXIT_CLEAN = 0,
    EXIT_INTERNAL = 1,
    EXIT_OPTIONS = 2,
    EXIT_ROM_MISSING = 10,
    EXIT_ROM_EMPTY = 11,
    EXIT_ROM_TRUNCATED = 12,
    EXIT_ROM_FOREIGN = 13,
    EXIT_PATCH = 14,
    EXIT_CHEATS = 15,
    EXIT_CARTRIDGE = 16,
    EXIT_SCRIPT_MISSING = 20,
    EXIT_SCRIPT_SYNTAX = 21,
    EXIT_SCRIPT_THREW = 22,
    EXIT_SAVES = 30,
    EXIT_RENDERING = 31,
    EXIT_CONTROL = 40,
    EXIT_FORCED = 50,
};

struct failure {
    enum exit_code code;
    char sentence[2 * PATH_MAX];
};

/* Formats the message as one line. Always returns false, so that callers can `return failure_set(...)`. */
__attribute__((format(gnu_printf, 3, 4)))
bool failure_set(struct failure* failure, enum exit_code code, const char* format, ...);

#endif
