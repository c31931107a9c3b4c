/*
 * The clock that the game reads (GBA, MBC3, HuC-3, TAMA5). For scripts:
 *
 *   headless.clock()                "MODE VALUE TIME": what was set, and what the game reads now, as its local time in milliseconds since 1970
 *   headless.setClock(mode, value)  false for a mode that there is not, or a time before 2000 or after 2099, which the chips cannot hold
 *
 *   host       VALUE 0: the time of this computer
 *   offset     the same, VALUE milliseconds later
 *   fixed      always VALUE, milliseconds since 1970
 *   emulated   VALUE, milliseconds since 1970, when it was set, and from then on the time of the machine: the same frames read the same time
 *
 * A fixed or emulated time is what the game reads in every time zone: the program is in UTC then, since libmgba asks the system for the local time, and what a
 * save has as the difference of its clock (GBA) counts for nothing. A reset does not set an emulated time back, though it does so with libmgba's count of frames. A
 * game that is opened begins at VALUE.
 *
 * libmgba keeps the setting in states. While the mode is `host`, a state that is loaded brings its setting; while it is `emulated`, its emulated time, and from one
 * without an emulated time the time advances as if nothing had been loaded; otherwise a state changes nothing. So do the states that the program keeps (kept.h).
 */
#ifndef HEADLESS_MACHINE_GAME_CLOCK_H
#define HEADLESS_MACHINE_GAME_CLOCK_H

#include "base/failure.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

enum game_clock_mode { GAME_CLOCK_HOST, GAME_CLOCK_OFFSET, GAME_CLOCK_FIXED, GAME_CLOCK_EMULATED };

struct game_clock {
    enum game_clock_mode mode;
    int64_t value; /* milliseconds, as above */
};

/* The value of --clock: host, host+SECONDS, host-SECONDS, fixed:TIME, emulated:TIME or TIME, which is the same. */
bool game_clock_parse(const char* text, struct game_clock* clock, struct failure* failure);
/* What every game begins with. */
void game_clock_begin(struct game_clock clock);
/* A game was put in, or NULL: it is taken out. */
void game_clock_of(struct mCore* core);
void game_clock_before_reset(struct mCore* core);
/* Around the loading of a state, whose setting comes next if the core has taken it. */
void game_clock_before_load(struct mCore* core);
void game_clock_after_load(struct mCore* core, bool loaded);
/* After anything that reads the clock of a save. */
void game_clock_settle(struct mCore* core);

/* While `seconds` is not 0, games that read the time of this computer read this one, in seconds since 1970. */
void game_clock_hold(int64_t seconds);
/* So does a second machine. */
void game_clock_attach(struct mCore* core);

struct game_clock_kept {
    enum mRTCGenericType type;
    int64_t value;
};

/* The setting of a core that has a state, and the same setting in the same or another core that has it again. */
struct game_clock_kept game_clock_keep(const struct mCore* core);
void game_clock_recall(struct mCore* core, struct game_clock_kept kept);
void game_clock_copy(struct mCore* core, struct game_clock_kept kept);

/* What is in force, as --clock takes it, with the time that the game reads now. Returns where it is from: option, script, state or default. */
#define GAME_CLOCK_TEXT 40
const char* game_clock_describe(char text[static GAME_CLOCK_TEXT]);

struct mScriptValue* game_clock_value(void);
bool game_clock_set(const char* mode, int64_t value);

#endif
