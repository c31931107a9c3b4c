/*
 * Cheats of the present game, run by libmgba's cheat engine. They are read here: libmgba's reader of libretro's files splits codes at each `+`, also
 * between address and value, gives up at the first line that it does not know, and says no reason.
 *
 * Files are libretro's, mGBA's, EZ-Flash's and, for a Game Boy, BGB's.
 *
 * For scripts:
 *
 *   headless.setCheat(name, codes, enabled)  adds a cheat, or replaces that of this name; returns "", or why not
 *   headless.loadCheats(text)                adds the cheats of a file; returns "", or why none of them can be used
 *   headless.enableCheat(name, enabled)      switches one; returns whether there is one
 *   headless.removeCheat(name)               removes one; returns whether there was one
 *   headless.cheat(n)                        number n, from 1: "on", "off" or why it cannot be used, its name and its codes, a line each; "" beyond the last
 */
#ifndef HEADLESS_MACHINE_CHEATS_H
#define HEADLESS_MACHINE_CHEATS_H

#include "base/failure.h"
#include "machine/library.h"

#include <stdbool.h>

/* A game was opened (NULL: closed); its cheats begin as those of the file (NULL: none). Cheats that cannot be used are listed with the reason. */
bool cheats_open(struct mCore* core, const char* path, struct failure* failure);
/* Says on stderr which cheats of the file cannot be used. */
void cheats_warn(const char* program);
/* Another ROM is in the same core. */
void cheats_clear(void);

struct mScriptValue* cheats_set(const char* name, const char* codes, bool enabled);
struct mScriptValue* cheats_load(const char* text);
bool cheats_enable(const char* name, bool enabled);
bool cheats_remove(const char* name);
struct mScriptValue* cheats_entry(int64_t number);

#endif
