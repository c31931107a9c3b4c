#include "machine/game-clock.h"

#include "machine/picture.h"
#include "platform/clock.h"

#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gba/gba.h>
#include <mgba/script/types.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MS_PER_SECOND 1000
#define SECONDS_PER_DAY 86400
/* Of 2000-01-01 and 2100-01-01, between which the chips hold a time. */
#define FIRST_SECOND INT64_C(946684800)
#define END_SECOND INT64_C(4102444800)

static const char* const names[] = { "host", "offset", "fixed", "emulated" };

/* There is one machine. */
static struct {
    struct mCore* core; /* NULL: no game */
    struct game_clock set;
    const char* origin; /* of `set` */
    bool ignores; /* the next setting */
    int64_t loads_at; /* the emulated time when a state is loaded */
    int64_t held; /* the time of this computer for games, or 0 */
    bool (*deserialize)(struct mRTCSource* source, const struct mStateExtdataItem* item); /* libmgba's */
    time_t (*unix_time)(struct mRTCSource* source); /* libmgba's */
} present;

/* --- texts ------------------------------------------------------------------------------------------------------------------ */

/* Days since 1970 of a date in the years 2000 to 2099, in which each fourth year is a leap year. -1 if there is no such date. */
static int64_t days_of(int year, int month, int day) {
    static const int before_month[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };
    if (year < 2000 || year > 2099 || month < 1 || month > 12 || day < 1) {
        return -1;
    }
    bool leap = year % 4 == 0;
    if (day > before_month[month] - before_month[month - 1] + (leap && month == 2)) {
        return -1;
    }
    int years = year - 2000;
    return FIRST_SECOND / SECONDS_PER_DAY + years * 365 + (years + 3) / 4 + before_month[month - 1] + (leap && month > 2) + day - 1;
}

/* As many digits; -1 if they are none. */
static int take_digits(const char** text, int count) {
    int value = 0;
    for (; count > 0; --count, ++*text) {
        if (**text < '0' || **text > '9') {
            return -1;
        }
        value = value * 10 + **text - '0';
    }
    return value;
}

static bool take_character(const char** text, char wanted) {
    if (**text != wanted) {
        return false;
    }
    ++*text;
    return true;
}

/* 2026-01-01T12:00 or 2026-01-01T12:00:30 */
static bool parse_time(const char* text, int64_t* ms) {
    int year = take_digits(&text, 4);
    int month = take_character(&text, '-') ? take_digits(&text, 2) : -1;
    int day = take_character(&text, '-') ? take_digits(&text, 2) : -1;
    int hour = take_character(&text, 'T') ? take_digits(&text, 2) : -1;
    int minute = take_character(&text, ':') ? take_digits(&text, 2) : -1;
    int second = *text ? (take_character(&text, ':') ? take_digits(&text, 2) : -1) : 0;
    int64_t days = days_of(year, month, day);
    if (days < 0 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 || *text) {
        return false;
    }
    *ms = (((days * 24 + hour) * 60 + minute) * 60 + second) * MS_PER_SECOND;
    return true;
}

static bool is_in_range(int64_t ms) {
    return ms >= FIRST_SECOND * MS_PER_SECOND && ms < END_SECOND * MS_PER_SECOND;
}

static bool is_offset(int64_t ms) {
    return ms > -END_SECOND * MS_PER_SECOND && ms < END_SECOND * MS_PER_SECOND && is_in_range(clock_local(time(NULL)) * MS_PER_SECOND + ms);
}

/* +3600 or -3600 */
static bool parse_seconds(const char* text, int64_t* ms) {
    if (strlen(text) < 2 || strlen(text) > 11 || strspn(text + 1, "0123456789") != strlen(text + 1)) {
        return false;
    }
    *ms = strtoll(text, NULL, 10) * MS_PER_SECOND;
    return true;
}

static bool take_time(const char* text, enum game_clock_mode mode, struct game_clock* clock, struct failure* failure) {
    clock->mode = mode;
    return parse_time(text, &clock->value) || failure_set(failure, EXIT_OPTIONS,
        "--clock requires a time from 2000 to 2099 without a zone, such as %s:2026-01-01T12:00 or %s:2026-01-01T12:00:30, not \"%s\"", names[mode], names[mode], text);
}

bool game_clock_parse(const char* text, struct game_clock* clock, struct failure* failure) {
    *clock = (struct game_clock) { .mode = GAME_CLOCK_HOST };
    if (strcmp(text, "host") == 0) {
        return true;
    }
    if (strncmp(text, "host", 4) == 0 && (text[4] == '+' || text[4] == '-') && parse_seconds(text + 4, &clock->value)) {
        clock->mode = GAME_CLOCK_OFFSET;
        return is_offset(clock->value) || failure_set(failure, EXIT_OPTIONS, "with --clock %s the game would read a time before 2000 or after 2099; give fewer seconds", text);
    }
    if (strncmp(text, "fixed:", 6) == 0) {
        return take_time(text + 6, GAME_CLOCK_FIXED, clock, failure);
    }
    if (strncmp(text, "emulated:", 9) == 0) {
        return take_time(text + 9, GAME_CLOCK_EMULATED, clock, failure);
    }
    if (parse_time(text, &clock->value)) {
        clock->mode = GAME_CLOCK_EMULATED;
        return true;
    }
    return failure_set(failure, EXIT_OPTIONS, "--clock requires host, host+SECONDS, host-SECONDS, fixed:TIME or emulated:TIME, not \"%s\"", text);
}

/* --- the setting of libmgba ---------------------------------------------------------------------------------------------------- */

static bool is_own_time(const struct mCore* core) {
    return core->rtc.override == RTC_FIXED || core->rtc.override == RTC_FAKE_EPOCH;
}

/* As libmgba adds it to an emulated time. */
static int64_t emulated_ms(const struct mCore* core) {
    return core->frameCounter(core) * (core->frameCycles(core) * INT64_C(1000)) / core->frequency(core);
}

void game_clock_settle(struct mCore* core) {
    clock_use_utc(is_own_time(core));
    if (is_own_time(core) && core->platform(core) == mPLATFORM_GBA) {
        ((struct GBA*) core->board)->memory.hw.rtc.offset = 0;
    }
}

static void apply(struct mCore* core) {
    static const enum mRTCGenericType types[] = { RTC_NO_OVERRIDE, RTC_WALLCLOCK_OFFSET, RTC_FIXED, RTC_FAKE_EPOCH };
    core->rtc.override = types[present.set.mode];
    core->rtc.value = present.set.value - (present.set.mode == GAME_CLOCK_EMULATED ? emulated_ms(core) : 0);
    game_clock_settle(core);
}

struct game_clock_kept game_clock_keep(const struct mCore* core) {
    return (struct game_clock_kept) { .type = core->rtc.override, .value = core->rtc.value };
}

void game_clock_copy(struct mCore* core, struct game_clock_kept kept) {
    core->rtc.override = kept.type;
    core->rtc.value = kept.value;
}

/* A state has a setting. */
static bool deserialize(struct mRTCSource* source, const struct mStateExtdataItem* item) {
    struct mCore* core = ((struct mRTCGenericSource*) source)->p;
    bool is_emulated = present.set.mode == GAME_CLOCK_EMULATED;
    if (present.ignores || (present.set.mode != GAME_CLOCK_HOST && !is_emulated)) {
        return true;
    }
    struct game_clock_kept before = game_clock_keep(core);
    bool ok = present.deserialize(source, item);
    if (is_emulated && (core->rtc.override != RTC_FAKE_EPOCH || !is_in_range(core->rtc.value + emulated_ms(core)))) {
        game_clock_copy(core, before);
    }
    game_clock_settle(core);
    return ok;
}

void game_clock_before_load(struct mCore* core) {
    present.loads_at = core->rtc.value + emulated_ms(core);
}

void game_clock_after_load(struct mCore* core, bool loaded) {
    present.ignores = !loaded;
    if (loaded && present.set.mode == GAME_CLOCK_EMULATED) {
        core->rtc.value = present.loads_at - emulated_ms(core);
    }
}

void game_clock_begin(struct game_clock clock) {
    present.set = clock;
    present.origin = clock.mode == GAME_CLOCK_HOST ? "default" : "option";
}

static time_t unix_time(struct mRTCSource* source) {
    const struct mRTCGenericSource* rtc = (const struct mRTCGenericSource*) source;
    if (present.held && rtc->override == RTC_NO_OVERRIDE) {
        return (time_t) present.held;
    }
    return present.held && rtc->override == RTC_WALLCLOCK_OFFSET ? (time_t) (present.held + rtc->value / MS_PER_SECOND) : present.unix_time(source);
}

void game_clock_hold(int64_t seconds) {
    present.held = seconds;
}

void game_clock_attach(struct mCore* core) {
    present.unix_time = core->rtc.d.unixTime;
    core->rtc.d.unixTime = unix_time;
}

void game_clock_of(struct mCore* core) {
    present.core = core;
    if (core) {
        game_clock_attach(core);
        present.deserialize = core->rtc.d.deserialize;
        core->rtc.d.deserialize = deserialize;
        apply(core);
    }
}

void game_clock_before_reset(struct mCore* core) {
    if (core->rtc.override != RTC_FAKE_EPOCH) {
        return;
    }
    core->rtc.value += emulated_ms(core);
    /* Now, because the cartridge reads the clock before the reset gets there. */
    if (core->platform(core) == mPLATFORM_GBA) {
        ((struct GBA*) core->board)->video.frameCounter = 0;
    } else {
        ((struct GB*) core->board)->video.frameCounter = 0;
    }
}

void game_clock_recall(struct mCore* core, struct game_clock_kept kept) {
    if (present.set.mode == GAME_CLOCK_HOST || (present.set.mode == GAME_CLOCK_EMULATED && kept.type == RTC_FAKE_EPOCH)) {
        game_clock_copy(core, kept);
        game_clock_settle(core);
    }
}

/* --- for scripts --------------------------------------------------------------------------------------------------------------- */

/* What the clock of the core is: a state may have set it. */
static struct game_clock in_force(void) {
    const struct mRTCGenericSource* rtc = present.core ? &present.core->rtc : NULL;
    if (!rtc || present.set.mode != GAME_CLOCK_HOST || rtc->override == RTC_NO_OVERRIDE) {
        return present.set;
    }
    enum game_clock_mode mode = rtc->override == RTC_WALLCLOCK_OFFSET ? GAME_CLOCK_OFFSET : rtc->override == RTC_FIXED ? GAME_CLOCK_FIXED : GAME_CLOCK_EMULATED;
    return (struct game_clock) { .mode = mode, .value = rtc->value };
}

static int64_t now_ms(struct game_clock clock) {
    switch (clock.mode) {
    case GAME_CLOCK_FIXED:
        return clock.value;
    case GAME_CLOCK_EMULATED:
        return present.core ? present.core->rtc.value + emulated_ms(present.core) : clock.value;
    default:
        /* Whole seconds, as the game reads them. */
        return (clock_local(time(NULL) + (time_t) (clock.value / MS_PER_SECOND))) * MS_PER_SECOND;
    }
}

/* 2026-01-01T12:00:30 */
static void write_time(int64_t ms, char* text, size_t size) {
    int64_t seconds = ms / MS_PER_SECOND;
    int64_t days = seconds / SECONDS_PER_DAY;
    int year = 2000;
    while (year < 2099 && days_of(year + 1, 1, 1) <= days) {
        ++year;
    }
    int month = 1;
    while (month < 12 && days_of(year, month + 1, 1) <= days) {
        ++month;
    }
    (void) snprintf(text, size, "%04d-%02d-%02dT%02d:%02d:%02d", year, month, (int) (days - days_of(year, month, 1)) + 1, (int) (seconds / 3600 % 24), (int) (seconds / 60 % 60),
        (int) (seconds % 60));
}

const char* game_clock_describe(char text[static GAME_CLOCK_TEXT]) {
    struct game_clock clock = in_force();
    if (clock.mode == GAME_CLOCK_HOST) {
        (void) snprintf(text, GAME_CLOCK_TEXT, "host");
    } else if (clock.mode == GAME_CLOCK_OFFSET) {
        (void) snprintf(text, GAME_CLOCK_TEXT, "host%+" PRId64, clock.value / MS_PER_SECOND);
    } else {
        int length = snprintf(text, GAME_CLOCK_TEXT, "%s:", names[clock.mode]);
        write_time(now_ms(clock), text + length, GAME_CLOCK_TEXT - (size_t) length);
    }
    return clock.mode == present.set.mode ? present.origin : "state";
}

struct mScriptValue* game_clock_value(void) {
    char text[64];
    struct game_clock clock = in_force();
    (void) snprintf(text, sizeof(text), "%s %" PRId64 " %" PRId64, names[clock.mode], clock.value, now_ms(clock));
    return mScriptStringCreateFromUTF8(text);
}

bool game_clock_set(const char* mode, int64_t value) {
    struct game_clock clock = { .mode = GAME_CLOCK_HOST, .value = value };
    while (clock.mode <= GAME_CLOCK_EMULATED && strcmp(mode, names[clock.mode]) != 0) {
        ++clock.mode;
    }
    if (clock.mode > GAME_CLOCK_EMULATED || (clock.mode == GAME_CLOCK_OFFSET ? !is_offset(value) : clock.mode != GAME_CLOCK_HOST && !is_in_range(value))) {
        return false;
    }
    if (clock.mode == GAME_CLOCK_HOST) {
        clock.value = 0;
    }
    present.set = clock;
    present.origin = "script";
    if (present.core) {
        apply(present.core);
        picture_touched();
    }
    return true;
}
