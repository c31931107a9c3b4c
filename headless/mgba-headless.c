/*
 * mgba-headless: mGBA's cores, Lua engine and sockets (libmgba 0.10) without a window.
 *
 * It replaces mgba-qt where no window is needed: in tests, on servers, as the emulator of `make run`. Scripts see the same globals,
 * events and order of events as in mgba-qt 0.10, with three exceptions: announce(); the callbacks idleWaiting, idlePaused,
 * idleStopped, idleCrashed, idleHalted and idleEmpty, which are called about 60 times a second while no frame runs; the global `headless` (scripts/functions.h).
 *
 * Each folder includes only what is below it: base (errors, numbers), platform (what differs between systems), machine (the game), debugger, scripts (Lua) and
 * rom-test (the program called as mgba-rom-test), and at the root options, control and commands, stats and host (the loop).
 * machine/library.h includes libmgba's headers, base/failure.h lists the exit codes.
 */
#include "host.h"
#include "debugger/coverage.h"
#include "debugger/debugger.h"
#include "debugger/gdb.h"
#include "debugger/history.h"
#include "debugger/script-history.h"
#include "debugger/script-points.h"
#include "debugger/travel.h"
#include "machine/cartridge.h"
#include "machine/game-clock.h"
#include "machine/game-log.h"
#include "machine/rendering.h"
#include "machine/save-file.h"
#include "platform/clock.h"
#include "platform/input.h"
#include "platform/process.h"
#include "platform/signals.h"
#include "platform/waiting.h"
#include "rom-test/rom-test.h"
#include "scripts/functions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* libmgba's own log of the emulated machine. Printed with --verbose only; without a logger it would be printed on stdout. */
static bool verbose;

static void on_log(struct mLogger* logger, int category, enum mLogLevel level, const char* format, va_list arguments) {
    (void) logger;
    if (verbose) {
        va_list printed;
        va_copy(printed, arguments);
        (void) fprintf(stderr, "[%s] ", mLogCategoryName(category));
        (void) vfprintf(stderr, format, printed);
        (void) fputc('\n', stderr);
        va_end(printed);
    }
    game_log_add(category, level, format, arguments);
}

static struct mLogger library_log = { .log = on_log, .filter = NULL };

static bool prepare_process(const struct options* options, struct failure* failure) {
    verbose = options->verbose;
    /* Kept by pointer. Before the first call into libmgba that could log. */
    mLogSetDefaultLogger(&library_log);
    /* So that a script can recognise the host. */
    if (!process_set_variable("MGBA_BRIDGE_HOST", "headless")) {
        return failure_set(failure, EXIT_INTERNAL, "cannot set MGBA_BRIDGE_HOST (%s)", strerror(errno));
    }
    if (options->testing) {
        /* There is nothing to save: a signal ends the program, and the shell sees which one. */
        return true;
    }
    /* Ctrl-C in a terminal, and what systemd or Slurm send to all processes, also reaches the program at the other end of the standard input,
       which decides when this one ends. */
    bool owned = options->control && !strcmp(options->control, "-");
    return signals_install(owned, failure);
}

static bool load_scripts(struct host* host, struct failure* failure) {
    for (size_t i = 0; i < host->options.script_count; ++i) {
        if (!scripts_load(&host->scripts, host->options.scripts[i], failure)) {
            return false;
        }
    }
    return true;
}

/* Sets the exit code of mgba-rom-test. */
static bool finish_test(struct host* host, struct failure* failure) {
    host->exit_code = rom_test_finish();
    if (!rom_test_report(failure)) {
        return false;
    }
    if (ferror(stdout)) {
        return failure_set(failure, EXIT_INTERNAL, "cannot write the output; check that its reader runs and its disk has free space");
    }
    if (host->exit_code == ROM_TEST_UNFINISHED && !host->game.stopped) {
        (void) fprintf(stderr, "mgba-rom-test: the ROM did not end within %" PRIu64 " frames\n", host->options.frames);
    }
    return true;
}

static bool open_gdb(struct host* host, struct failure* failure) {
    const struct options* options = &host->options;
    return !options->gdb || gdb_open(options_program(options), options->gdb_port, &host->game, failure);
}

static bool play(struct host* host, struct failure* failure) {
    if (host->options.coverage && !coverage_begin(host->options.coverage, failure)) {
        return false;
    }
    if (!game_insert(&host->game, host->options.rom, host->options.patch, host->options.cheats, failure)) {
        return false;
    }
    bool ok = (!host->game.test || rom_test_start(failure)) && load_scripts(host, failure) && open_gdb(host, failure);
    if (ok) {
        game_start(&host->game);
        int64_t now = clock_now_ns();
        pace_set(&host->pace, host->options.fps, now);
        stats_begin(&host->stats, host->options.stats_seconds, now);
        host->paused = host->options.paused;
        if (host->game.test && host->options.gdb) {
            travel_halt();
        }
        host_run(host);
        ok = (!host->game.test || finish_test(host, failure)) && coverage_write(failure);
    }
    gdb_close(host->exit_code);
    /* Also after a script that failed: those before it may have opened files. Writes the save file. */
    bool saved = game_close(&host->game);
    return ok && (saved || failure_set(failure, EXIT_SAVES, "%s: what the game saved last is lost", save_file_problem()));
}

static bool play_with_scripts(struct host* host, struct failure* failure) {
    waiting_begin();
    functions_begin(&host->pace);
    if (!scripts_open(&host->scripts, failure)) {
        return false;
    }
    library_override(host->options.settings, host->options.setting_count);
    cartridge_begin(&host->options.cartridge);
    game_clock_begin(host->options.clock);
    host->game = (struct game) {
        .listener = scripts_listener(&host->scripts),
        .debugger = &debugger_of_game,
        .test = host->options.testing ? rom_test_begin(&host->options.test) : NULL,
        .saves = host->options.saves,
        .draw_all = host->options.draw_all,
        .draw_none = host->options.testing && !host->options.script_count && !host->options.gdb && !rom_test_draws(&host->options.test),
    };
    script_points_begin(&host->game);
    script_history_begin(&host->game);
    if (host->options.history) {
        history_keep(host->options.history);
    }
    bool ok = (!host->options.render || rendering_open(host->options.render, failure)) && play(host, failure);
    if (host->scripts.lua) {
        scripts_close(&host->scripts);
    }
    waiting_end();
    if (host->options.testing) {
        rom_test_end();
    }
    return ok;
}

static bool run(struct host* host, struct failure* failure) {
    if (host->options.help) {
        options_print_help(&host->options);
        return true;
    }
    if (host->options.version) {
        options_print_version(&host->options);
        return true;
    }
    if (!prepare_process(&host->options, failure) || !input_open(host->options.control, failure)) {
        return false;
    }
    bool ok = play_with_scripts(host, failure);
    input_close();
    return ok;
}

int main(int argc, char** argv) {
    static struct host host;
    static struct failure failure;
    bool ok = process_prepare(&failure) && options_parse(&host.options, argc, argv, &failure) && run(&host, &failure);
    signals_uninstall();
    options_free(&host.options);
    if (!ok) {
        (void) fprintf(stderr, "%s: %s\n", options_program(&host.options), failure.sentence);
        return host.options.testing ? EXIT_INTERNAL : (int) failure.code;
    }
    return host.exit_code;
}
