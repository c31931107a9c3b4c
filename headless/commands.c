#include "commands.h"

#include "base/numbers.h"
#include "debugger/coverage.h"
#include "host.h"
#include "machine/picture.h"
#include "machine/save-file.h"
#include "machine/sensors.h"
#include "platform/clock.h"
#include "platform/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ADVANCE_LIMIT 1000000

enum argument { ARGUMENT_NONE, ARGUMENT_ONE };

struct command {
    const char* name;
    enum argument argument;
    const char* wants; /* for the error message if it is missing */
    bool needs_game;
    bool answers_later;
    bool (*run)(struct host* host, const char* argument, struct failure* failure);
};

static void answer_ok(const char* name) {
    /* A closed stdout does not end the program, here and below. */
    (void) printf("control: ok %s\n", name);
    (void) fflush(stdout);
}

static void answer_error(const char* name, const char* sentence) {
    (void) printf("control: error %s: %s\n", name, sentence);
    (void) fflush(stdout);
}

static bool run_pause(struct host* host, const char* argument, struct failure* failure) {
    (void) argument;
    (void) failure;
    host->paused = true;
    return true;
}

static bool run_resume(struct host* host, const char* argument, struct failure* failure) {
    (void) argument;
    (void) failure;
    host->paused = false;
    return true;
}

static bool run_advance(struct host* host, const char* argument, struct failure* failure) {
    uint64_t count;
    if (!numbers_count(argument, ADVANCE_LIMIT, &count)) {
        return failure_set(failure, EXIT_OPTIONS, "requires an integer from 1 to %d, not \"%s\"", ADVANCE_LIMIT, argument);
    }
    if (!game_can_run(&host->game)) {
        return failure_set(failure, EXIT_OPTIONS, "the game %s; reset it first", game_condition(&host->game));
    }
    host->paused = true;
    host->advancing = true;
    host->advance_from = host->game.frames;
    host->advance_to = host->game.frames + count;
    return true;
}

static bool run_measure(struct host* host, const char* argument, struct failure* failure) {
    return coverage_measure(host->game.core, argument, failure);
}

static bool run_measured(struct host* host, const char* argument, struct failure* failure) {
    (void) host;
    (void) argument;
    (void) failure;
    const struct coverage_measured measured = coverage_measured();
    (void) printf("mgba-headless: measured %" PRIu64 " %" PRIu32 " %" PRIu32 "\n", measured.count, measured.least, measured.most);
    return true;
}

static bool run_fps(struct host* host, const char* argument, struct failure* failure) {
    double fps;
    if (!numbers_real(argument, FPS_LIMIT, &fps)) {
        return failure_set(failure, EXIT_OPTIONS, "requires frames per second from 0 to %.0f, not \"%s\"", FPS_LIMIT, argument);
    }
    pace_set(&host->pace, fps, clock_now_ns());
    return true;
}

/* In the window, too, a newly opened game runs even if the one before it was paused. */
static bool run_load(struct host* host, const char* argument, struct failure* failure) {
    if (!game_insert(&host->game, argument, NULL, NULL, failure)) {
        return false;
    }
    host->paused = false;
    game_start(&host->game);
    pace_restart(&host->pace, clock_now_ns()); /* do not count the loading time as late frames */
    return true;
}

static bool run_close(struct host* host, const char* argument, struct failure* failure) {
    (void) argument;
    if (!game_is_saved(failure)) {
        return false;
    }
    (void) game_close(&host->game);
    host->paused = false;
    return true;
}

static bool run_reset(struct host* host, const char* argument, struct failure* failure) {
    (void) argument;
    (void) failure;
    game_reset(&host->game);
    return true;
}

static bool run_save_state(struct host* host, const char* argument, struct failure* failure) {
    return game_save_state(&host->game, argument, failure);
}

static bool run_load_state(struct host* host, const char* argument, struct failure* failure) {
    return game_load_state(&host->game, argument, failure);
}

/* After load-state: the game continues with the save of the save file, or the save file gets that of the state. */
static bool run_keep_save(struct host* host, const char* argument, struct failure* failure) {
    (void) argument;
    (void) failure;
    save_file_settle(host->game.core);
    return true;
}

static bool run_write_save(struct host* host, const char* argument, struct failure* failure) {
    (void) argument;
    return save_file_adopt(host->game.core) || failure_set(failure, EXIT_SAVES, "%s", save_file_problem());
}

static bool run_script(struct host* host, const char* argument, struct failure* failure) {
    return scripts_load(&host->scripts, argument, failure);
}

/* As Scripting > Reset on 0.10: a new Lua state, `emu` if there is a game, and no script in it. */
static bool run_scripts_reset(struct host* host, const char* argument, struct failure* failure) {
    (void) argument;
    scripts_detach_core(&host->scripts, host->game.core);
    scripts_close(&host->scripts);
    if (host->game.core) {
        sensors_open(host->game.core); /* what the scripts have set ends with them */
    }
    if (!scripts_open(&host->scripts, failure)) {
        host->stopping = true; /* cannot continue without it */
        return false;
    }
    scripts_attach_core(&host->scripts, host->game.core);
    return true;
}

static bool run_stop(struct host* host, const char* argument, struct failure* failure) {
    (void) argument;
    (void) failure;
    host->stopping = true;
    return true;
}

static const struct command commands[] = {
    { .name = "pause", .needs_game = true, .run = run_pause },
    { .name = "resume", .needs_game = true, .run = run_resume },
    { .name = "advance", .argument = ARGUMENT_ONE, .wants = "a number of frames", .needs_game = true, .answers_later = true,
        .run = run_advance },
    { .name = "measure", .argument = ARGUMENT_ONE, .wants = "two addresses", .needs_game = true, .run = run_measure },
    { .name = "measured", .needs_game = true, .run = run_measured },
    { .name = "fps", .argument = ARGUMENT_ONE, .wants = "frames a second", .run = run_fps },
    { .name = "load", .argument = ARGUMENT_ONE, .wants = "a ROM file", .run = run_load },
    { .name = "close", .needs_game = true, .run = run_close },
    { .name = "reset", .needs_game = true, .run = run_reset },
    { .name = "save-state", .argument = ARGUMENT_ONE, .wants = "a slot number or a file", .needs_game = true, .run = run_save_state },
    { .name = "load-state", .argument = ARGUMENT_ONE, .wants = "a slot number or a file", .needs_game = true, .run = run_load_state },
    { .name = "keep-save", .needs_game = true, .run = run_keep_save },
    { .name = "write-save", .needs_game = true, .run = run_write_save },
    { .name = "run-script", .argument = ARGUMENT_ONE, .wants = "a script file", .run = run_script },
    { .name = "scripts-reset", .run = run_scripts_reset },
    { .name = "stop", .run = run_stop },
};

static const struct command* find(const char* name) {
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); ++i) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

static bool check(const struct host* host, const struct command* command, const char* argument, struct failure* failure) {
    if (command->argument == ARGUMENT_NONE && *argument) {
        return failure_set(failure, EXIT_OPTIONS, "takes no argument");
    }
    if (command->argument == ARGUMENT_ONE && !*argument) {
        return failure_set(failure, EXIT_OPTIONS, "requires %s", command->wants);
    }
    if (command->needs_game && !host->game.core) {
        return failure_set(failure, EXIT_OPTIONS, "no game is open; load one first");
    }
    return true;
}

/* Splits the line at its first blanks; the rest, which may contain blanks, is the argument. */
static char* split(char* line) {
    char* rest = line + strcspn(line, " \t");
    if (*rest) {
        *rest++ = '\0';
        rest += strspn(rest, " \t");
    }
    return rest;
}

static void run_line(struct host* host, char* line) {
    struct failure failure;
    line += strspn(line, " \t");
    char* argument = split(line);
    const struct command* command = find(line);
    if (!command) {
        (void) failure_set(&failure, EXIT_OPTIONS, "unknown command \"%s\"; mgba-headless --help lists them", line);
        answer_error("line", failure.sentence);
        return;
    }
    if (!check(host, command, argument, &failure) || !command->run(host, argument, &failure)) {
        answer_error(command->name, failure.sentence);
    } else if (!command->answers_later) {
        answer_ok(command->name);
    }
}

void commands_serve(struct host* host) {
    char* line;
    enum control_result result;
    while (!host->advancing && !host->stopping && (result = control_next_line(&host->control, &line)) != CONTROL_NOTHING) {
        if (result == CONTROL_END) {
            host->stopping = true;
        } else if (result == CONTROL_LINE) {
            picture_touched();
            run_line(host, line);
        } else {
            answer_error("line", "the line is too long or contains a zero byte; it was ignored");
        }
    }
}

void commands_check_advance(struct host* host) {
    if (!host->advancing) {
        return;
    }
    if (host->game.frames >= host->advance_to) {
        host->advancing = false;
        answer_ok("advance");
    } else if (!game_can_run(&host->game) || host->stopping || signals_stop_requested()) {
        char sentence[128];
        bool blocked = host->game.core && !game_can_run(&host->game);
        (void) snprintf(sentence, sizeof(sentence), "the %s %s after %" PRIu64 " frames", blocked ? "game" : "emulation",
            blocked ? game_condition(&host->game) : "ended", host->game.frames - host->advance_from);
        host->advancing = false;
        answer_error("advance", sentence);
    }
}
