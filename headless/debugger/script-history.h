/*
 * The history of the game for scripts. Functions of the global `headless` (scripts/functions.h):
 *
 *   headless.keepHistory(megabytes)      keeps what the game did in so much memory, 4,096 at most; 0 ends and drops it
 *   headless.history()                   `megabytes bytes runs first frame now past searching problem`: the memory that is allowed and used, the runs of the machine, the
 *                                        numbers of the first frame, of the one that the game is in and of the present one, two flags, and why there is none
 *   headless.goBack(how, count)          of a game that is halted; how is 0 for instructions, 1 for a point, 2 for the instruction that hit it, 3 for frames. False if it cannot go back
 *   headless.isSearching()               whether it goes back, or forward again: then points are hit once more, and the game is not where it was
 *   headless.findWriters(first, last, bank, count)  looks for the last writes; false if there is no such memory in the history
 *   headless.writers()                   what was found, when `searching` is 0: `by frame pc bank address size before value` each, by is 0 for the game, 1 for DMA, 2 for others
 *   headless.findTrace(kinds, first, last, frame, number, count)  looks for events of these kinds (trace.h) at instructions in this range, from this one of a frame on
 *   headless.trace()                     what was found, when `searching` is 0: a line `frame number missed`, where to continue and how many frames are not kept any more, then
 *                                        `frame number cycle line kind pc bank address size value dma "text"` each; `nil` for no address
 *   headless.past(frame, domain, offset, length)  bytes of memory as they were before this frame ran; of an address when the domain is "". Empty if they are not kept
 */
#ifndef HEADLESS_DEBUGGER_SCRIPT_HISTORY_H
#define HEADLESS_DEBUGGER_SCRIPT_HISTORY_H

#include "machine/game.h"

#include <stdbool.h>
#include <stdint.h>

void script_history_begin(const struct game* game);

void script_history_keep(int32_t megabytes);
struct mScriptValue* script_history(void);
bool script_history_go_back(int32_t how, int32_t count);
bool script_history_find_writers(uint32_t first, uint32_t last, int32_t bank, int32_t count);
struct mScriptValue* script_history_writers(void);
bool script_history_find_trace(int32_t kinds, uint32_t first, uint32_t last, int64_t frame, int64_t number, int32_t count);
struct mScriptValue* script_history_trace(void);
struct mScriptValue* script_history_past(int64_t frame, const char* domain, uint32_t offset, int32_t length);

#endif
