#include "debugger/travel.h"

#include "debugger/accesses.h"
#include "debugger/coverage.h"
#include "debugger/history.h"
#include "debugger/repeat.h"
#include "debugger/steps.h"
#include "debugger/trace.h"
#include "machine/kept.h"
#include "machine/picture.h"
#include "platform/clock.h"

#include <stdlib.h>

/* A moment between two instructions. */
struct moment {
    uint64_t run;
    uint32_t time; /* in cycles since it began */
};

enum search { NO_SEARCH, BACK_INSTRUCTION, BACK_POINT, BACK_FRAME, FORWARD };

static struct {
    const struct game* game;
    bool is_past;
    struct moment at;          /* of the game in the past */
    struct snapshot* present;  /* of the game before it went there */
    struct snapshot* put;      /* as it was put there */

    enum search search;
    bool is_shown;             /* the second machine, in the game */
    uint32_t moves;            /* debugger_moves() when it began */
    struct moment from;        /* what comes next is searched in this run, before this time */
    uint32_t count;            /* of instructions or frames that are left */
    uint32_t seen;             /* instructions of a run */
    uint32_t wanted;           /* one of them */
    bool is_ending;
    bool is_in_run;            /* points are searched in a run that is not over */
    bool goes_before;          /* the instruction that hits a point */
    bool is_found;             /* what is searched, in this run */
    uint32_t found;            /* its time */
    int id;                    /* the point */
    struct debug_hit hit;
} travel;

static struct mCore* game_core(void) {
    return travel.game->core;
}

/* --- putting the game somewhere --------------------------------------------------------------------------------------------- */

static void put(const struct snapshot* snapshot) {
    debugger_put(true);
    (void) kept_put(game_core(), snapshot->bytes, snapshot->bytes + snapshot->state_size, snapshot->save_size, snapshot->clock, false);
    debugger_put(false);
}

/* The game is where the second machine is, so that conditions of a point read it, until hide(). */
static void show(void) {
    struct snapshot* snapshot = snapshot_take(repeat_machine());
    if (snapshot) {
        put(snapshot);
        travel.is_shown = true;
    }
    free(snapshot);
}

/* Scripts and clients see the game where it was halted. */
static void hide(void) {
    const struct snapshot* snapshot = travel.is_past ? travel.put : travel.present;
    if (travel.is_shown && snapshot) {
        put(snapshot);
    }
    travel.is_shown = false;
}

static void forget(void) {
    free(travel.present);
    free(travel.put);
    travel.present = travel.put = NULL;
    travel.is_past = false;
    travel.search = NO_SEARCH;
}

static void put_present(void) {
    put(travel.present);
    forget();
}

/* The second machine goes to a moment. False if its run is not kept any more. */
static bool go_to(struct moment moment) {
    if (!repeat_begin(game_core(), moment.run)) {
        return false;
    }
    repeat_until(moment.time, NULL);
    return true;
}

static void travel_end(void);

/* The end of a run is the beginning of the next one, or the present, with what was changed between them. Where a point has halted the game, that comes later. */
static bool go_behind(struct moment* moment) {
    if (!repeat_is_over()) {
        return true;
    }
    *moment = (struct moment) { moment->run + 1, 0 };
    return moment->run == history_end() || go_to(*moment);
}

static void arrive(struct moment moment, enum debug_reason reason, int id, const struct debug_hit* hit) {
    if (!go_to(moment) || (reason != DEBUG_POINT && !go_behind(&moment))) {
        travel_end();
        return;
    }
    if (moment.run == history_end()) {
        debugger_return();
        put_present();
        debugger_halt_here(reason, id, hit);
        return;
    }
    show();
    game_core()->putPixels(game_core(), repeat_pixels(), PICTURE_WIDTH);
    travel.is_shown = false;
    debugger_return();
    travel.search = NO_SEARCH;
    travel.is_past = true;
    travel.at = moment;
    free(travel.put);
    travel.put = snapshot_take(game_core());
    debugger_halt_here(reason, id, hit);
}

/* --- leaving ---------------------------------------------------------------------------------------------------------------- */

/* Where somebody has changed the machine in the past, its history ends there. */
static void notice_change(void) {
    if (travel.is_past && !(travel.put && snapshot_is(travel.put, game_core()))) {
        history_cut(travel.at.run, travel.at.time);
        forget();
    }
}

static bool can_go(void) {
    return travel.game && travel.game->core && debugger_is_halted() && travel.search == NO_SEARCH && history_first() < history_end();
}

/* Where the game is. */
static bool begin(void) {
    notice_change();
    if (travel.is_past) {
        return true;
    }
    travel.present = snapshot_take(game_core());
    travel.at = (struct moment) { history_end() - 1, history_run(history_end() - 1)->cycles };
    return travel.present != NULL;
}

bool travel_back(enum travel_back how, uint32_t count) {
    static const enum search searches[] = { [TRAVEL_INSTRUCTION] = BACK_INSTRUCTION, [TRAVEL_POINT] = BACK_POINT, [TRAVEL_BEFORE_POINT] = BACK_POINT, [TRAVEL_FRAME] = BACK_FRAME };
    if (!can_go() || !begin()) {
        return false;
    }
    travel.search = searches[how];
    travel.goes_before = how == TRAVEL_BEFORE_POINT;
    travel.is_in_run = false;
    travel.moves = debugger_moves();
    travel.from = travel.at;
    travel.count = count;
    return true;
}

static bool go_forward(enum debug_resume how, uint32_t address, int bank) {
    notice_change();
    if (!travel.is_past || travel.search != NO_SEARCH || !go_to(travel.at)) {
        return false;
    }
    static const struct debugger_search halts = { .show = show };
    debugger_lend(repeat_machine(), &halts);
    debugger_begin(how, address, bank);
    travel.search = FORWARD;
    travel.from = travel.at;
    travel.moves = debugger_moves();
    return true;
}

static void travel_to_present(void) {
    if (travel.search != NO_SEARCH) {
        debugger_return();
        travel.search = NO_SEARCH;
        hide();
    }
    notice_change();
    if (travel.is_past) {
        put_present();
    }
}

static void travel_end(void) {
    if (travel.search == NO_SEARCH) {
        return;
    }
    if (travel.search == FORWARD && !travel.is_ending) {
        travel.is_ending = true; /* unless the moment cannot be found */
        arrive((struct moment) { travel.from.run, repeat_time() }, DEBUG_REQUESTED, 0, NULL);
        travel.is_ending = false;
        return;
    }
    debugger_return();
    travel.search = NO_SEARCH;
    hide();
    if (!travel.is_past) {
        forget();
    }
    debugger_halt_here(DEBUG_REQUESTED, 0, NULL);
}

bool travel_is_past(void) {
    if (travel.search == NO_SEARCH) {
        notice_change();
    }
    return travel.is_past;
}

const struct snapshot* travel_present(void) {
    return travel.is_past ? travel.present : NULL;
}

bool travel_is_busy(void) {
    return travel.search != NO_SEARCH;
}

uint64_t travel_frame(void) {
    const uint64_t run = travel.search == FORWARD ? travel.from.run : travel.at.run;
    return travel.is_past && run < history_end() ? history_run(run)->frame : travel.game ? travel.game->frames : 0;
}

/* --- searches, one run at a time --------------------------------------------------------------------------------------------- */

static void count_instruction(struct mCore* core, uint32_t time) {
    if (!steps_are_in_call(core) && travel.seen++ == travel.wanted) {
        travel.is_found = true;
        travel.found = time;
    }
}

/* Finds the instruction that is so many before `from`, or takes those of this run from the count. */
static void search_instruction(void) {
    travel.seen = 0;
    travel.wanted = UINT32_MAX;
    repeat_until(travel.from.time, count_instruction);
    if (travel.seen < travel.count) {
        travel.count -= travel.seen;
    } else if (repeat_begin(game_core(), travel.from.run)) {
        travel.wanted = travel.seen - travel.count;
        travel.count = 1;
        travel.seen = 0;
        repeat_until(travel.from.time, count_instruction);
    }
}

static void note_halt(int id, const struct debug_hit* hit) {
    if (repeat_time() < travel.from.time) {
        travel.is_found = true;
        travel.found = travel.goes_before ? repeat_instruction_time() : repeat_time();
        travel.id = id;
        travel.hit = *hit;
    }
}

/* A frame that was halted consists of several runs. */
static bool begins_frame(uint64_t run) {
    return run == history_first() || history_run(run - 1)->frame != history_run(run)->frame;
}

static bool begin_run(void) {
    static const struct debugger_search notes = { show, note_halt };
    travel.is_found = false;
    if (!repeat_begin(game_core(), travel.from.run)) {
        return false;
    }
    if (travel.search == BACK_POINT) {
        debugger_lend(repeat_machine(), &notes);
        travel.is_in_run = true;
    }
    return true;
}

/* Repeats a piece of the run up to `from`: conditions may take longer than clients wait. False: more is to come. */
static bool search_points(void) {
    travel.is_in_run = !repeat_is_over() && repeat_time() < travel.from.time;
    if (travel.is_in_run) {
        repeat_on(&debugger_instructions);
    } else {
        debugger_return();
    }
    return !travel.is_in_run;
}

/* The last thing before `from` in its run. */
static void search_run(void) {
    if (travel.search == BACK_FRAME) {
        travel.is_found = travel.from.time > 0 && begins_frame(travel.from.run);
        travel.found = 0;
    } else {
        search_instruction();
    }
}

/* Where a run ends the next one begins: that is one moment. */
static void previous_run(void) {
    const bool was_inside = travel.from.time > 0;
    const struct history_run* run = history_run(--travel.from.run);
    travel.from.time = run->was_moved ? UINT32_MAX : run->cycles + (travel.search == BACK_POINT && was_inside ? 1 : 0);
}

static void search_back(void) {
    if (!travel.is_in_run && travel.search != BACK_FRAME && !begin_run()) {
        arrive((struct moment) { history_first(), 0 }, DEBUG_HISTORY_BEGINS, 0, NULL);
        return;
    }
    if (travel.search != BACK_POINT) {
        search_run();
    } else if (!search_points()) {
        return;
    }
    if (travel.is_found) {
        travel.from.time = travel.found;
        if (travel.search == BACK_POINT || --travel.count == 0) {
            arrive(travel.from, travel.search == BACK_POINT ? DEBUG_POINT : DEBUG_STEPPED, travel.id, travel.search == BACK_POINT ? &travel.hit : NULL);
        }
    } else if (travel.from.run > history_first()) {
        previous_run();
    } else {
        arrive((struct moment) { history_first(), 0 }, DEBUG_HISTORY_BEGINS, 0, NULL);
    }
}

/* The present is reached: what was begun continues there. */
static void enter_present(void) {
    put_present();
    debugger_continue();
}

static void search_forward(void) {
    repeat_on(&debugger_instructions);
    if (debugger_found()) {
        const struct debug_halt halt = *debugger_found();
        arrive((struct moment) { travel.from.run, repeat_time() }, halt.reason, halt.id, &halt.hit);
    } else if (repeat_is_over()) {
        if (++travel.from.run == history_end()) {
            enter_present();
        } else if (!repeat_begin(game_core(), travel.from.run)) {
            travel_end();
        }
    }
}

/* Somebody has reset the game or loaded a state: it is halted there. */
static void give_up(void) {
    debugger_return();
    travel.search = NO_SEARCH;
    travel.is_shown = false;
    notice_change();
    forget();
    debugger_halt_here(DEBUG_MOVED, 0, NULL);
}

bool travel_work(int64_t until_ns) {
    const bool had_work = travel.search != NO_SEARCH;
    while (travel.search != NO_SEARCH && clock_now_ns() < until_ns) {
        if (debugger_moves() != travel.moves) {
            give_up();
        } else if (travel.search == FORWARD) {
            search_forward();
        } else {
            search_back();
        }
    }
    if (travel.search != NO_SEARCH) {
        hide();
    }
    return had_work;
}

/* --- what scripts and debuggers call ---------------------------------------------------------------------------------------- */

void travel_resume(enum debug_resume how) {
    if (how == DEBUG_CONTINUE && !debugger_has_points()) {
        travel_to_present();
    }
    if (!go_forward(how, 0, DEBUG_ANY_BANK)) {
        debugger_resume(how);
    }
}

void travel_run_to(uint32_t address, int bank) {
    if (!go_forward(DEBUG_RUN_TO, address, bank)) {
        debugger_run_to(address, bank);
    }
}

void travel_halt(void) {
    if (travel_is_busy()) {
        travel_end();
    } else {
        debugger_halt();
    }
}

void travel_release(void) {
    travel_to_present();
    debugger_resume(DEBUG_CONTINUE);
}

/* --- what the game calls ------------------------------------------------------------------------------------------------------ */

static void of(struct mCore* core) {
    debugger_return();
    forget();
    trace_stop();
    repeat_close();
    history_of(core);
    debugger_of(core);
    coverage_of(core);
}

static void run_begins(const struct game* game) {
    travel.game = game;
    if (travel.is_past) {
        history_cut(travel.at.run, travel.at.time);
        forget();
    }
    history_run_begins(game);
}

static void moved(void) {
    history_moved();
    debugger_moved();
}

const struct game_debugger debugger_of_game = {
    .of = of,
    .is_active = debugger_is_active,
    .run_begins = run_begins,
    .run_loop = debugger_run_loop,
    .counts = coverage_is_on,
    .count_loop = coverage_run_loop,
    .run_ended = history_run_ended,
    .is_halted = debugger_is_halted,
    .moved = moved,
    .ignore = accesses_ignore,
};
