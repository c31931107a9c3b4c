/*
 * The global `headless` of scripts: time, the frame schedule, one wait for many sockets, the game's log, its sound, its motor, its picture as pixels, kept
 * states, cheats, cartridge, clock and sensors (machine/game-log.h, sound.h, rumble.h, pixels.h, kept.h, cheats.h, cartridge.h, game-clock.h, sensors.h), and steps by a local socket (platform/step-socket.h), and
 * debugging (debugger/script-points.h, script-history.h, disassembly.h).
 * mGBA's own API has none of these: a script can only read the time from a save state and wait for one socket, in whole milliseconds.
 *
 *   headless.now()              microseconds of a monotonic clock
 *   headless.period()           microseconds of a frame at the present rate, 0 when unlimited
 *   headless.left()             microseconds until the next frame is due, 0 when it is
 *   headless.watch(socket, id)  lets wait() report data on this raw socket under this id (0 or more), until the socket is closed
 *   headless.wait(microseconds) waits; returns the id of a socket that received something since it was last reported, or -1
 *   headless.skip(frames)       runs the next frames without the event `frame`, while no other script is loaded; returns how many did since the last call
 *   headless.isEnding()         whether the program was asked to end, which it does when no callback of a script runs
 */
#ifndef HEADLESS_SCRIPTS_FUNCTIONS_H
#define HEADLESS_SCRIPTS_FUNCTIONS_H

#include "machine/library.h"
#include "machine/pace.h"

/* Before the first script loads. The pace is kept by pointer. */
void functions_begin(const struct pace* pace);
/* Makes `headless` in a new Lua state. Before the engine is registered, which copies the globals. */
void functions_attach(struct mScriptContext* context);
/* Whether the frame that ends now is one that the script skips. Counts it. */
bool functions_skip_frame(void);

#endif
