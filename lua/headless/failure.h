/*
 * What went wrong: one sentence that says what to change, and the exit code that stands for it.
 * At start the sentence goes to stderr and ends the program; for a control line it becomes the answer.
 */
#ifndef HEADLESS_FAILURE_H
#define HEADLESS_FAILURE_H

#include <limits.h>
#include <stdbool.h>

/* Part of the interface: --help lists them, tests and callers compare them. Never reuse a number. */
enum exit_code {
    EXIT_CLEAN = 0,
    EXIT_INTERNAL = 1,
    EXIT_OPTIONS = 2,
    EXIT_ROM_MISSING = 10,
    EXIT_ROM_EMPTY = 11,
    EXIT_ROM_TRUNCATED = 12,
    EXIT_ROM_FOREIGN = 13,
    EXIT_SCRIPT_MISSING = 20,
    EXIT_SCRIPT_SYNTAX = 21,
    EXIT_SCRIPT_THREW = 22,
    EXIT_SAVES = 30,
    EXIT_CONTROL = 40,
    EXIT_FORCED = 50,
};

struct failure {
    enum exit_code code;
    char sentence[2 * PATH_MAX];
};

/* Fills in the failure, on one line whatever the arguments hold. Always false, so that callers `return failure_set(...)`. */
__attribute__((format(printf, 3, 4)))
bool failure_set(struct failure* failure, enum exit_code code, const char* format, ...);

#endif
