/*
 * Points of scripts, and what they know of a machine that is halted. Functions of the global `headless` (scripts/functions.h):
 *
 *   headless.addPoint(kinds, first, last, bank)  kinds as in debugger.h; returns the id, or 0 when there are too many
 *   headless.removePoint(id)                     false if there is none
 *   headless.hit()                               in the event `debugHit`: the point and what happened there, see below
 *   headless.haltHere()                          in the event `debugHit`: the game is halted there
 *   headless.halt()                              halts before the next instruction
 *   headless.resume(how, address, bank)          how as in debugger.h, which says whether it needs a place; bank -1: any
 *   headless.release()                           lets the game run, in the present
 *   headless.halted()                            why the game is halted and its place, see below; empty when it is not
 *   headless.isStepping()                        whether a halt is wanted or a step under way: then a script must not hold the game in the event of a frame
 *   headless.lostHits()                          hits that were not passed on since the program began
 *
 * A hit is text: `id kind pc bank address size before value after dma`, all numbers. A halt is `count reason pc bank`, with a hit behind when a point is the
 * reason: reasons are `requested`, `step`, `point`, `moved` and `history`.
 */
#ifndef HEADLESS_DEBUGGER_SCRIPT_POINTS_H
#define HEADLESS_DEBUGGER_SCRIPT_POINTS_H

#include "machine/game.h"

#include <stdbool.h>
#include <stdint.h>

/* The event `debugHit` is raised for the scripts of this game. */
void script_points_begin(const struct game* game);
/* All scripts have ended. */
void script_points_end(void);

int32_t script_points_add(int32_t kinds, uint32_t first, uint32_t last, int32_t bank);
bool script_points_remove(int32_t id);
struct mScriptValue* script_points_hit(void);
void script_points_halt_here(void);
void script_points_resume(int32_t how, uint32_t address, int32_t bank);
struct mScriptValue* script_points_halted(void);
int64_t script_points_lost(void);

#endif
