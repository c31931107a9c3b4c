#include "options.h"

#include "library.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: mgba-headless [--script FILE]... [--fps N] [--frames N] [--saves DIR] [--control FIFO|-] ROM\n"
    "\n"
    "Runs a GBA, GB or GBC game without a window, with mGBA's own Lua scripting and sockets.\n"
    "\n"
    "  --script FILE    load this Lua script; may be given several times, loaded in that order\n"
    "  --fps N          frames a second, default 59.7275; 0 is unlimited\n"
    "  --frames N       exit after N frames\n"
    "  --saves DIR      folder for save files, save states and numbered screenshots; default: that of the ROM\n"
    "  --control FIFO   read commands, one per line, from this named pipe (mkfifo FIFO); each is answered on stdout\n"
    "                   with `control: ok COMMAND` or `control: error COMMAND: reason`; - reads the standard input,\n"
    "                   and its end of file ends the program\n"
    "  --stats SECONDS  interval of the stats line on stderr, default 5; 0 prints none; SIGUSR1 prints one now\n"
    "  --draw-all       draw every frame, also when no script takes a picture\n"
    "  --verbose        print the emulated machine's log on stderr\n"
    "  --help           print this\n"
    "  --version        print the versions of this program and of libmgba\n"
    "\n"
    "control commands:\n"
    "  pause | resume | advance N | fps N | reset | close | load ROM | stop\n"
    "  save-state SLOT-OR-FILE | load-state SLOT-OR-FILE | run-script FILE | scripts-reset\n"
    "\n"
    "signals: SIGINT, SIGTERM and SIGHUP end it (save data written, scripts see `shutdown`, exit code 0);\n"
    "         repeated more than 3 s later they end it at once, exit code 50; SIGUSR1 prints a stats line\n"
    "\n"
    "exit codes:\n"
    "   0  ended as requested\n"
    "   1  libmgba or the system failed\n"
    "   2  invalid options\n"
    "  10  ROM missing or unreadable\n"
    "  11  ROM is empty\n"
    "  12  ROM is truncated\n"
    "  13  not a ROM\n"
    "  20  script missing or unreadable\n"
    "  21  script has a syntax error\n"
    "  22  script failed while loading\n"
    "  30  save files cannot be written\n"
    "  40  the control FIFO is missing or not a FIFO\n"
    "  50  ended by a repeated signal; nothing was saved\n";

void options_print_help(void) {
    (void) fputs(help, stdout);
}

void options_print_version(void) {
    (void) printf("mgba-headless %s (libmgba %s)\n", MGBA_HEADLESS_VERSION, projectVersion);
}

bool options_number(const char* text, double limit, double* out) {
    char* end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || errno || !isfinite(value) || value < 0 || value > limit) {
        return false;
    }
    *out = value;
    return true;
}

bool options_count(const char* text, uint64_t limit, uint64_t* out) {
    if (!*text || strspn(text, "0123456789") != strlen(text)) {
        return false;
    }
    errno = 0;
    uint64_t value = strtoull(text, NULL, 10);
    if (errno || value == 0 || value > limit) {
        return false;
    }
    *out = value;
    return true;
}

enum { OPTION_SCRIPT = 256, OPTION_FPS, OPTION_FRAMES, OPTION_SAVES, OPTION_CONTROL, OPTION_STATS, OPTION_VERBOSE, OPTION_DRAW_ALL,
    OPTION_HELP, OPTION_VERSION };

static const struct option long_options[] = {
    { "script", required_argument, NULL, OPTION_SCRIPT },
    { "fps", required_argument, NULL, OPTION_FPS },
    { "frames", required_argument, NULL, OPTION_FRAMES },
    { "saves", required_argument, NULL, OPTION_SAVES },
    { "control", required_argument, NULL, OPTION_CONTROL },
    { "stats", required_argument, NULL, OPTION_STATS },
    { "draw-all", no_argument, NULL, OPTION_DRAW_ALL },
    { "verbose", no_argument, NULL, OPTION_VERBOSE },
    { "help", no_argument, NULL, OPTION_HELP },
    { "version", no_argument, NULL, OPTION_VERSION },
    { NULL, 0, NULL, 0 },
};

static bool take(struct options* options, int option, const char* value, struct failure* failure) {
    switch (option) {
    case OPTION_SCRIPT:
        options->scripts[options->script_count++] = value;
        return true;
    case OPTION_FPS:
        return options_number(value, FPS_LIMIT, &options->fps) ||
            failure_set(failure, EXIT_OPTIONS, "--fps requires frames per second from 0 to %.0f, not \"%s\"", FPS_LIMIT, value);
    case OPTION_FRAMES:
        return options_count(value, UINT64_MAX, &options->frames) ||
            failure_set(failure, EXIT_OPTIONS, "--frames requires an integer of at least 1, not \"%s\"", value);
    case OPTION_STATS:
        return options_number(value, STATS_SECONDS_LIMIT, &options->stats_seconds) ||
            failure_set(failure, EXIT_OPTIONS, "--stats requires seconds from 0 to %.0f, not \"%s\"", STATS_SECONDS_LIMIT, value);
    case OPTION_SAVES:
        options->saves = value;
        return true;
    case OPTION_CONTROL:
        options->control = value;
        return true;
    case OPTION_DRAW_ALL:
        options->draw_all = true;
        return true;
    case OPTION_VERBOSE:
        options->verbose = true;
        return true;
    case OPTION_HELP:
        options->help = true;
        return true;
    default:
        options->version = true;
        return true;
    }
}

static bool take_rom(struct options* options, int argc, char** argv, struct failure* failure) {
    if (options->help || options->version) {
        return true;
    }
    if (optind == argc) {
        return failure_set(failure, EXIT_OPTIONS, "no ROM given; add the path of a GBA, GB or GBC ROM (--help shows all options)");
    }
    if (optind + 1 < argc) {
        return failure_set(failure, EXIT_OPTIONS, "one ROM at a time; remove \"%s\" or quote a path that contains spaces", argv[optind + 1]);
    }
    options->rom = argv[optind];
    return true;
}

/* A single letter is in optopt (getopt may not have finished its word); a long option is the previous word. */
static bool refuse_option(char** argv, struct failure* failure) {
    char letter[] = { '-', (char) optopt, '\0' };
    const char* word = optopt > 0 && optopt < OPTION_SCRIPT ? letter : argv[optind - 1];
    return failure_set(failure, EXIT_OPTIONS, "\"%s\" is not a valid option; --help shows all options", word);
}

bool options_parse(struct options* options, int argc, char** argv, struct failure* failure) {
    *options = (struct options) { .fps = FPS_DEFAULT, .stats_seconds = STATS_SECONDS_DEFAULT };
    /* There cannot be more scripts than words on the command line. */
    options->scripts = calloc((size_t) argc, sizeof(*options->scripts));
    if (!options->scripts) {
        return failure_set(failure, EXIT_INTERNAL, "out of memory");
    }
    opterr = 0; /* the messages are written here */
    int option;
    while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (option == ':') {
            return failure_set(failure, EXIT_OPTIONS, "%s requires a value (--help shows all options)", argv[optind - 1]);
        }
        if (option == '?') {
            return refuse_option(argv, failure);
        }
        if (!take(options, option, optarg, failure)) {
            return false;
        }
    }
    return take_rom(options, argc, argv, failure);
}

void options_free(struct options* options) {
    free(options->scripts);
    options->scripts = NULL;
}
