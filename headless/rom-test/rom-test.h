/*
 * A run as mgba-rom-test: a ROM that tests itself runs without a window or a limit on its speed until it calls an SWI. The log of the machine is
 * on stdout. docs/testing.md describes it, and what differs from mGBA's program of that name.
 *
 * The functions are called in the order of this file; there is one run.
 */
#ifndef HEADLESS_ROM_TEST_ROM_TEST_H
#define HEADLESS_ROM_TEST_ROM_TEST_H

#include "base/failure.h"
#include "machine/game.h"
#include "rom-test/endings.h"

#include <stdbool.h>
#include <stdint.h>

#define ROM_TEST_SWI_DEFAULT 3 /* Stop */
/* The exit code of a run that --frames ended, as that of timeout(1). */
#define ROM_TEST_UNFINISHED 124

struct rom_test {
    uint8_t swi;
    const char* exit_register; /* NULL: the exit code is 0 */
    const char* cheats;        /* files, or NULL */
    const char* state;
    struct endings endings;
};

/* Whether pictures are needed: to compare or to report them. */
bool rom_test_draws(const struct rom_test* test);
/* Begins it. What the game calls: before the ROM is loaded the log starts; `shutdown` is called when the test ends. */
const struct game_test* rom_test_begin(const struct rom_test* test);
/* After the reset: cheats and state. */
bool rom_test_start(struct failure* failure);
/* After the run: ends the output, and returns the exit code. */
int rom_test_finish(void);
/* Writes the report, if one is wanted. */
bool rom_test_report(struct failure* failure);
/* After the core was destroyed: ends the log. */
void rom_test_end(void);

#endif
