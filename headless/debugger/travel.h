/*
 * A game that is halted goes back in its history (history.h), and forward again to the present. A second machine (repeat.h) looks for the moment; the game
 * is put there when it is found. In the past the game stays halted: steps and `continue` repeat what happened, and lead on into the present.
 * Where somebody changes the machine in the past, its history ends, and this is the present.
 */
#ifndef HEADLESS_DEBUGGER_TRAVEL_H
#define HEADLESS_DEBUGGER_TRAVEL_H

#include "debugger/debugger.h"

#include <stdbool.h>
#include <stdint.h>

enum travel_back {
    TRAVEL_INSTRUCTION, /* one instruction; with the events behind it */
    TRAVEL_POINT,       /* to where a point would have halted the game last */
    TRAVEL_BEFORE_POINT, /* the same; of accesses, to the instruction that made it */
    TRAVEL_FRAME,       /* to the beginning of the present frame, or of the one before if the game is there */
};

/* Begins to go back. False if the game is not halted or nothing is behind it. */
bool travel_back(enum travel_back how, uint32_t count);
/*
 * debugger_resume(), debugger_run_to(), debugger_halt() and the end of a halt, in past and present: `continue` runs on into the present, a halt ends a search, and a
 * game that is released is in the present at once.
 */
void travel_resume(enum debug_resume how);
void travel_run_to(uint32_t address, int bank);
void travel_halt(void);
void travel_release(void);

bool travel_is_past(void);
/* The present, while the game is in its past; otherwise NULL. */
const struct snapshot* travel_present(void);
/* A search is under way. */
bool travel_is_busy(void);
/* The number of the frame (game.frames) that the game is in. */
uint64_t travel_frame(void);

extern const struct game_debugger debugger_of_game;

/* Works until this time. False: there was nothing to do. */
bool travel_work(int64_t until_ns);

#endif
