#include "host.h"

#include "commands.h"
#include "debugger/debugger.h"
#include "debugger/gdb.h"
#include "debugger/trace.h"
#include "debugger/travel.h"
#include "debugger/writers.h"
#include "machine/picture.h"
#include "machine/save-file.h"
#include "platform/clock.h"
#include "platform/input.h"
#include "platform/signals.h"
#include "platform/waiting.h"

#include <stdio.h>

/* The interval of the idle callback: about that of frames. */
#define IDLE_PERIOD_NS (16 * NS_PER_MS)
/* If the next frame is further away (slow motion), serve scripts and control lines first, and sleep only the rest. */
#define LONG_WAIT_NS (2 * IDLE_PERIOD_NS)
/* A search in the history, before others are served. */
#define SEARCH_NS (4 * NS_PER_MS)

static bool frames_done(const struct host* host) {
    return host->options.frames && host->game.frames >= host->options.frames;
}

/* mgba-rom-test also ends when its output cannot be written. */
static bool test_done(const struct host* host) {
    return host->game.test && (host->game.stopped || ferror(stdout));
}

static bool finished(const struct host* host) {
    return host->stopping || signals_stop_requested() || frames_done(host) || test_done(host);
}

static bool frame_wanted(const struct host* host) {
    return game_can_run(&host->game) && (!host->paused || host->advancing || host->game.in_frame || debugger_is_stepping());
}

static void print_stats(struct host* host, int64_t now_ns) {
    struct stats_now now = {
        .frames = host->game.frames,
        .late = host->pace.late,
        .lost = host->pace.lost,
        .drawn = picture_drawn(),
        .callback_ns = host->scripts.callback_ns,
        .target_fps = host->pace.fps,
        .paused = host->paused ? "yes" : "no",
        .game = game_condition(&host->game),
    };
    stats_print(&host->stats, &now, now_ns);
}

static void serve_stats(struct host* host) {
    int64_t now = clock_now_ns();
    if (signals_take_stats_request() || stats_left_ns(&host->stats, now) <= 0) {
        print_stats(host, now);
    }
}

/* Waits for a control line, a signal or the next stats line, until `until_ns` at the latest. During an `advance` lines are queued. */
static void wait_for_news(const struct host* host, int64_t until_ns) {
    int64_t now = clock_now_ns();
    int64_t stats_ns = stats_left_ns(&host->stats, now);
    waiting_for_news(!host->advancing, stats_ns < until_ns - now ? now + stats_ns : until_ns);
}

/* The callback that reports why no frame runs. In the window these callbacks are never called. */
static const char* idle_event(const struct game* game) {
    return !game->core ? "idleEmpty" : game->crashed ? "idleCrashed" : game->stopped ? "idleStopped" : debugger_is_halted() ? "idleHalted" : "idlePaused";
}

/* Returns when the callback is due again: never without a script that has added it. */
static int64_t fire_idle(struct host* host, const char* event) {
    int64_t began = clock_now_ns();
    bool heard = scripts_hear(&host->scripts, event);
    scripts_fire(&host->scripts, event);
    return heard ? began + IDLE_PERIOD_NS : INT64_MAX;
}

/* False if something must be handled before the next frame. */
static bool wait_for_frame(struct host* host) {
    if (host->game.in_frame || debugger_is_stepping()) {
        return true; /* the rest of a frame that was due */
    }
    int64_t now = clock_now_ns();
    int64_t left = pace_left_ns(&host->pace, now);
    if (left > LONG_WAIT_NS) {
        int64_t again = fire_idle(host, "idleWaiting");
        int64_t rest = now + left - IDLE_PERIOD_NS;
        if (!finished(host)) {
            wait_for_news(host, again < rest ? again : rest);
        }
        return false;
    }
    return left <= 0 || clock_sleep_until(host->pace.deadline_ns);
}

/* Works on what is searched in the history, for a while. False: there was nothing to do. */
static bool look_back(void) {
    const int64_t until = clock_now_ns() + SEARCH_NS;
    return travel_work(until) || writers_work(until) || trace_work(until);
}

/*
 * No frame runs: paused, stopped, crashed, or no game. A script with an idle callback is called instead of frames and can serve its
 * clients, which may reset the game. A script without one is not called, as in the window.
 */
static void idle(struct host* host) {
    const bool searches = look_back();
    if ((searches || gdb_is_busy()) && clock_now_ns() < host->idle_ns) {
        if (!searches) {
            wait_for_news(host, host->idle_ns);
        }
        return;
    }
    const char* event = idle_event(&host->game);
    if (host->game.stopped && !scripts_hear(&host->scripts, event) && !input_is_open()) {
        host->stopping = true;
        return;
    }
    int64_t again = fire_idle(host, event);
    host->idle_ns = clock_now_ns() + IDLE_PERIOD_NS;
    if (!finished(host) && !frame_wanted(host) && !searches) {
        wait_for_news(host, again);
    }
    pace_restart(&host->pace, clock_now_ns());
}

/* Time that is left until the next frame is for searches; without a pace they have half of it. */
static bool searches_first(struct host* host) {
    return look_back() && pace_left_ns(&host->pace, clock_now_ns()) > SEARCH_NS;
}

static void run_frame(struct host* host) {
    if (!host->game.in_frame) {
        pace_frame_started(&host->pace, clock_now_ns());
    }
    game_run_frame(&host->game);
}

/* Between two frames: control lines and stats, then the next frame when it is due, or a wait for events. */
void host_run(struct host* host) {
    while (!finished(host)) {
        commands_serve(host);
        serve_stats(host);
        save_file_serve();
        if (gdb_serve()) {
            host->paused = false;
        }
        if (finished(host)) {
            break;
        }
        if (!frame_wanted(host)) {
            idle(host);
        } else if (!searches_first(host) && wait_for_frame(host)) {
            run_frame(host);
            commands_check_advance(host);
        }
    }
    host->stopping = true;
    commands_check_advance(host);
}
