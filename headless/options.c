#include "options.h"

#include "base/numbers.h"
#include "debugger/history.h"
#include "machine/library.h"
#include "platform/files.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: mgba-headless [--script FILE]... [--patch FILE] [--cheats FILE] [--fps N] [--frames N] [--saves DIR] [--control FIFO|-] ROM\n"
    "\n"
    "Runs a GBA, GB or GBC game without a window, with mGBA's own Lua scripting and sockets.\n"
    "\n"
    "  --script FILE    load this Lua script; may be given several times, loaded in that order\n"
    "  --patch FILE     apply this patch (IPS, UPS, BPS) to the ROM in memory\n"
    "  --cheats FILE    add the cheats of this file: libretro's, EZ-Flash's or BGB's (.cht), mGBA's (.cheats)\n"
    "  --fps N          frames a second, default 59.7275; 0 is unlimited\n"
    "  --frames N       exit after N frames\n"
    "  --saves DIR      folder for save files, save states and numbered screenshots; default: that of the ROM\n"
    "  --control FIFO   read commands, one per line, from this named pipe (mkfifo FIFO); each is answered on stdout\n"
    "                   with `control: ok COMMAND` or `control: error COMMAND: reason`; - reads the standard input,\n"
    "                   and its end of file ends the program\n"
    "  --stats SECONDS  interval of the stats line on stderr, default 5; 0 prints none; SIGUSR1 prints one now\n"
    "  --paused         run no frame until the control command resume or advance\n"
    "  --draw-all       draw every frame, also when no script takes a picture\n"
    "  --render FOLDER  write the picture of every frame but the first to a named pipe, and the sound to a file\n"
    "  --save-type TYPE the save memory of a GBA cartridge: none, sram, sram512, eeprom, eeprom512, flash512, flash1m\n"
    "  --hardware LIST  none, or what is in a GBA cartridge: rtc,rumble,light,gyro,tilt,e-reader,gb-player\n"
    "  --idle-loop ADDRESS  where the game only waits, such as 0x08001234, or none; a wrong address stops it\n"
    "  --model NAME     the console: DMG, MGB, SGB, SGB2, CGB, SCGB or AGB\n"
    "  --mbc NAME       the controller of a Game Boy cartridge, such as mbc3-rtc; a wrong name lists them\n"
    "  --palette COLOURS of Game Boy games: 4 or 12 colours RRGGBB joined by commas, or a name, such as \"SGB 1-A\"\n"
    "  --bios FILE      use this BIOS instead of mGBA's own\n"
    "  --skip-bios      start the game without the introduction of the BIOS\n"
    "  --clock CLOCK    what the game's clock shows: host, host+SECONDS, host-SECONDS, fixed:TIME or emulated:TIME (advances\n"
    "                   with the frames); TIME is 2026-01-01T12:00\n"
    "  --config K=V     a setting of mGBA, such as gb.model=CGB; may be given several times\n"
    "  --coverage FILE  count how often each instruction is executed, and write that there at the end\n"
    "  --gdb PORT       let GDB or lldb on this machine debug a GBA game; 0 is a free port, which is printed on stderr\n"
    "  --history MEGABYTES  keep what the game does, to go back in it: at most 4096\n"
    "  --verbose        print the emulated machine's log on stderr\n"
    "  --help           print this\n"
    "  --version        print the versions of this program and of libmgba\n"
    "  --rom-test       as the first option: run a ROM that tests itself; --rom-test --help shows the options\n"
    "\n"
    "control commands:\n"
    "  pause | resume | advance N | fps N | reset | close | load ROM | stop | measure FROM TO | measured\n"
    "  save-state SLOT-OR-FILE | load-state SLOT-OR-FILE | keep-save | write-save | run-script FILE | scripts-reset\n"
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
    "  14  the patch is missing, damaged or of another ROM\n"
    "  15  the file of cheats is missing, unreadable or without cheats\n"
    "  16  an option of the cartridge or the console, or the BIOS, is not possible for this ROM\n"
    "  20  script missing or unreadable\n"
    "  21  script has a syntax error\n"
    "  22  script failed while loading\n"
    "  30  save files cannot be written\n"
    "  31  frames cannot be written (--render)\n"
    "  40  the control FIFO is missing or not a FIFO\n"
    "  50  ended by a repeated signal; nothing was saved\n";

static const char test_help[] =
    "usage: mgba-rom-test [-S SWI] [-R REGISTER] [--frames N] [OPTION]... ROM\n"
    "\n"
    "Runs a GBA, GB or GBC ROM that tests itself, as mGBA's program of this name does: without a window, as fast as possible, until\n"
    "the ROM calls an SWI. The log of the machine is on stdout, a line for each message; a GBA ROM prints lines `GBA Debug: TEXT`.\n"
    "A GB ROM prints by the link port. It ends with the instruction `stop`, with the registers of mooneye's test ROMs, or by printing\n"
    "Passed or Failed, and then nothing for 600 frames.\n"
    "`mgba-headless --rom-test` is the same program.\n"
    "\n"
    "  -S SWI                   end when the ROM calls this SWI, 0 to 255, such as 0x27; default 3 (Stop)\n"
    "  -R REGISTER              the exit code is this register, such as r0, modulo 256; default: the exit code is 0\n"
    "  --frames N               end after N frames with exit code 124; default: no limit\n"
    "  --until CONDITION        end with exit code 0, or that of -R, when this comes; may be given several times. A GB ROM then ends by\n"
    "                           stop or one of these: ld-b-b (the GB instruction), illegal (an opcode that a GB does not have),\n"
    "                           still:N (N frames with the same picture), frames:N, log:TEXT (a line of the log has it), memory:ADDRESS=BYTES[,ADDRESS=BYTES]... or\n"
    "                           memory:ADDRESS!BYTES[,ADDRESS=BYTES]... (at the end of a frame; all in hexadecimal)\n"
    "  --keys FRAME:MASK,...    hold these keys, and no others, from the end of this frame on, a mask in hexadecimal: 1 A, 2 B, 4 Select,\n"
    "                           8 Start, 10 Right, 20 Left, 40 Up, 80 Down, 100 R, 200 L\n"
    "  --report FOLDER          write there what is when the run ends: end.txt, picture.png and the state state.ss\n"
    "  --saves DIR              use the save file <name>.sav in DIR, and leave it there; default: none is used\n"
    "  --report-at TEXT         write there picture-N.png and state-N.ss of the N-th frame whose log has this text, up to 100, and print\n"
    "                           `mgba-rom-test: report N`; may be given several times\n"
    "  --coverage FILE          count how often each instruction is executed, and write that there when the run ends\n"
    "  --control -              end the run also when the standard input is closed\n"
    "  --read ADDRESS:BYTES     have these bytes in end.txt; may be given several times\n"
    "  --script FILE            load this Lua script; may be given several times, loaded in that order\n"
    "  -l, --log-level MASK     log these levels, a sum: 1 fatal, 2 error, 4 warning, 8 info, 16 debug, 32 stub,\n"
    "                           64 game error; default 127\n"
    "  -C, --config KEY=VALUE   a setting of mGBA, such as logLevel.gba.dma=16; may be given several times\n"
    "  -b, --bios FILE          use this BIOS instead of mGBA's own\n"
    "  --save-type TYPE         the save memory of a GBA cartridge, as mgba-headless has it; so are the following\n"
    "  --hardware LIST, --idle-loop ADDRESS, --model NAME, --mbc NAME, --palette COLOURS, --skip-bios, --clock CLOCK\n"
    "  -p, --patch FILE         apply this patch (IPS, UPS, BPS)\n"
    "  -c, --cheats FILE        apply the cheats of this file, as mgba-headless reads them\n"
    "  -g[PORT], --gdb[=PORT]   wait for GDB or lldb before the first instruction of a GBA ROM; default 2345, 0 is a free port\n"
    "  -t, --savestate FILE     load this state before the ROM runs\n"
    "  -s, --frameskip N        ignored: frames that no script looks at are not drawn\n"
    "  -h, --help               print this\n"
    "  --version                print the versions of this program and of libmgba\n"
    "\n"
    "exit codes:\n"
    "    0  the ROM ended; with -R: the register is 0\n"
    "    N  with -R: the register is N modulo 256; 255 where that is 0 and the register is not\n"
    "    1  it could not start, or its output could not be written; stderr has a sentence.\n"
    "       Without a sentence: a GB ROM reports that it failed\n"
    "  124  --frames: the ROM did not end; stderr has a sentence\n";

const char* options_program(const struct options* options) {
    return options->testing ? "mgba-rom-test" : "mgba-headless";
}

void options_print_help(const struct options* options) {
    (void) fputs(options->testing ? test_help : help, stdout);
}

void options_print_version(const struct options* options) {
#ifdef MGBA_INSIDE
    const char* shared = "";
#else
    const char* shared = "shared ";
#endif
    (void) printf("%s %s (%slibmgba %s)\n", options_program(options), MGBA_HEADLESS_VERSION, shared, projectVersion);
}

enum { OPTION_SCRIPT = 256, OPTION_FPS, OPTION_FRAMES, OPTION_SAVES, OPTION_CONTROL, OPTION_STATS, OPTION_VERBOSE, OPTION_PAUSED, OPTION_DRAW_ALL, OPTION_RENDER, OPTION_GDB, OPTION_HISTORY,
    OPTION_PATCH, OPTION_CHEATS, OPTION_CONFIG, OPTION_UNTIL, OPTION_REPORT, OPTION_REPORT_AT, OPTION_COVERAGE, OPTION_READ, OPTION_KEYS,
    OPTION_SAVE_TYPE, OPTION_HARDWARE, OPTION_IDLE_LOOP, OPTION_MODEL, OPTION_MBC, OPTION_PALETTE, OPTION_SKIP_BIOS, OPTION_CLOCK, OPTION_HELP, OPTION_VERSION };

/* Of both programs. */
#define MACHINE_OPTIONS \
    { "save-type", required_argument, NULL, OPTION_SAVE_TYPE }, \
    { "hardware", required_argument, NULL, OPTION_HARDWARE }, \
    { "idle-loop", required_argument, NULL, OPTION_IDLE_LOOP }, \
    { "model", required_argument, NULL, OPTION_MODEL }, \
    { "mbc", required_argument, NULL, OPTION_MBC }, \
    { "palette", required_argument, NULL, OPTION_PALETTE }, \
    { "bios", required_argument, NULL, 'b' }, \
    { "skip-bios", no_argument, NULL, OPTION_SKIP_BIOS }, \
    { "coverage", required_argument, NULL, OPTION_COVERAGE }, \
    { "control", required_argument, NULL, OPTION_CONTROL }, \
    { "clock", required_argument, NULL, OPTION_CLOCK }

static const struct option long_options[] = {
    { "script", required_argument, NULL, OPTION_SCRIPT },
    { "patch", required_argument, NULL, OPTION_PATCH },
    { "cheats", required_argument, NULL, OPTION_CHEATS },
    { "fps", required_argument, NULL, OPTION_FPS },
    { "frames", required_argument, NULL, OPTION_FRAMES },
    { "saves", required_argument, NULL, OPTION_SAVES },
    { "stats", required_argument, NULL, OPTION_STATS },
    { "paused", no_argument, NULL, OPTION_PAUSED },
    { "draw-all", no_argument, NULL, OPTION_DRAW_ALL },
    { "render", required_argument, NULL, OPTION_RENDER },
    MACHINE_OPTIONS,
    { "config", required_argument, NULL, OPTION_CONFIG },
    { "gdb", required_argument, NULL, OPTION_GDB },
    { "history", required_argument, NULL, OPTION_HISTORY },
    { "verbose", no_argument, NULL, OPTION_VERBOSE },
    { "help", no_argument, NULL, OPTION_HELP },
    { "version", no_argument, NULL, OPTION_VERSION },
    { NULL, 0, NULL, 0 },
};

/* As in mGBA, with the long form of -C that its help names. */
static const char test_short_options[] = ":b:c:C:dg::hl:p:R:s:S:t:";

static const struct option test_long_options[] = {
    { "script", required_argument, NULL, OPTION_SCRIPT },
    { "frames", required_argument, NULL, OPTION_FRAMES },
    { "saves", required_argument, NULL, OPTION_SAVES },
    MACHINE_OPTIONS,
    { "until", required_argument, NULL, OPTION_UNTIL },
    { "keys", required_argument, NULL, OPTION_KEYS },
    { "report", required_argument, NULL, OPTION_REPORT },
    { "report-at", required_argument, NULL, OPTION_REPORT_AT },
    { "read", required_argument, NULL, OPTION_READ },
    { "cheats", required_argument, NULL, 'c' },
    { "config", required_argument, NULL, OPTION_CONFIG },
    { "debug", no_argument, NULL, 'd' },
    { "gdb", optional_argument, NULL, OPTION_GDB },
    { "frameskip", required_argument, NULL, 's' },
    { "log-level", required_argument, NULL, 'l' },
    { "patch", required_argument, NULL, OPTION_PATCH },
    { "savestate", required_argument, NULL, 't' },
    { "help", no_argument, NULL, OPTION_HELP },
    { "version", no_argument, NULL, OPTION_VERSION },
    { NULL, 0, NULL, 0 },
};

/* Base 0 is C notation: decimal, 0x27, 033. */
static bool take_integer(const char* text, int base, long limit, long* out) {
    char* end;
    errno = 0;
    long value = strtol(text, &end, base);
    if (end == text || *end || errno || value < 0 || value > limit) {
        return false;
    }
    *out = value;
    return true;
}

static void add_setting(struct options* options, const char* key, const char* value) {
    options->settings[options->setting_count++] = (struct setting) { .key = key, .value = value };
}

/* "key=value", or "key", whose value is 1. */
static bool take_setting(struct options* options, char* text, struct failure* failure) {
    char* equals = strchr(text, '=');
    if (equals == text || !*text) {
        return failure_set(failure, EXIT_OPTIONS, "--config requires KEY=VALUE, not \"%s\"", text);
    }
    if (equals) {
        *equals = '\0';
    }
    add_setting(options, text, equals ? equals + 1 : "1");
    return true;
}

static bool take_test(struct options* options, int option, char* value, struct failure* failure) {
    struct rom_test* test = &options->test;
    long number;
    switch (option) {
    case 'S':
        if (!take_integer(value, 0, UINT8_MAX, &number)) {
            return failure_set(failure, EXIT_OPTIONS, "-S requires the number of an SWI from 0 to 255, not \"%s\"", value);
        }
        test->swi = (uint8_t) number;
        return true;
    case 'R':
        test->exit_register = value;
        return true;
    case 'l':
        if (!take_integer(value, 10, mLOG_ALL, &number)) {
            return failure_set(failure, EXIT_OPTIONS, "-l requires a mask from 0 to %d, not \"%s\"", mLOG_ALL, value);
        }
        add_setting(options, "logLevel", value);
        return true;
    case 's':
        return take_integer(value, 10, INT32_MAX, &number) || failure_set(failure, EXIT_OPTIONS, "-s requires a number of frames, not \"%s\"", value);
    case 'c':
        test->cheats = value;
        return true;
    case 't':
        test->state = value;
        return true;
    case OPTION_UNTIL:
        return endings_add(&test->endings, value, failure);
    case OPTION_KEYS:
        return endings_add_keys(&test->endings, value, failure);
    case OPTION_REPORT:
        test->endings.report = value;
        return true;
    case OPTION_REPORT_AT:
        return endings_add_line(&test->endings, value, failure);
    case OPTION_READ:
        return endings_add_read(&test->endings, value, failure);
    case 'h':
        options->help = true;
        return true;
    default: /* -d */
        return failure_set(failure, EXIT_OPTIONS, "this program has no debugger in the terminal; use -g and GDB, or start mgba-qt with -d");
    }
}

static bool take_machine(struct options* options, int option, char* value, struct failure* failure) {
    struct cartridge* cartridge = &options->cartridge;
    switch (option) {
    case OPTION_SAVE_TYPE:
        return cartridge_parse_save_type(value, cartridge, failure);
    case OPTION_HARDWARE:
        return cartridge_parse_hardware(value, cartridge, failure);
    case OPTION_IDLE_LOOP:
        return cartridge_parse_idle_loop(value, cartridge, failure);
    case OPTION_MODEL:
        return cartridge_parse_model(value, cartridge, failure);
    case OPTION_MBC:
        return cartridge_parse_mbc(value, cartridge, failure);
    case OPTION_PALETTE:
        return cartridge_parse_palette(value, cartridge, failure);
    case OPTION_CLOCK:
        return game_clock_parse(value, &options->clock, failure);
    case OPTION_SKIP_BIOS:
        cartridge->skips_bios = true;
        return true;
    case 'b':
        cartridge->bios = value;
        return true;
    default:
        return take_test(options, option, value, failure);
    }
}

static bool take_gdb(struct options* options, const char* value, struct failure* failure) {
    long port = GDB_PORT_DEFAULT;
    if (value && !take_integer(value, 10, UINT16_MAX, &port)) {
        return failure_set(failure, EXIT_OPTIONS, "%s requires a port from 0 to %d, not \"%s\"", options->testing ? "-g" : "--gdb", UINT16_MAX, value);
    }
    options->gdb = true;
    options->gdb_port = (uint16_t) port;
    return true;
}

static bool take_history(struct options* options, const char* value, struct failure* failure) {
    long megabytes = 0;
    if (!take_integer(value, 10, HISTORY_MEGABYTES, &megabytes) || megabytes == 0) {
        return failure_set(failure, EXIT_OPTIONS, "--history requires megabytes from 1 to %d, not \"%s\"", HISTORY_MEGABYTES, value);
    }
    options->history = (uint32_t) megabytes;
    return true;
}

static bool take(struct options* options, int option, char* value, struct failure* failure) {
    switch (option) {
    case 'g':
    case OPTION_GDB:
        return take_gdb(options, value, failure);
    case OPTION_HISTORY:
        return take_history(options, value, failure);
    case OPTION_SCRIPT:
        options->scripts[options->script_count++] = value;
        return true;
    case 'p':
    case OPTION_PATCH:
        options->patch = value;
        return true;
    case OPTION_CHEATS:
        options->cheats = value;
        return true;
    case OPTION_FPS:
        return numbers_real(value, FPS_LIMIT, &options->fps) ||
            failure_set(failure, EXIT_OPTIONS, "--fps requires frames per second from 0 to %.0f, not \"%s\"", FPS_LIMIT, value);
    case OPTION_FRAMES:
        return numbers_count(value, UINT64_MAX, &options->frames) ||
            failure_set(failure, EXIT_OPTIONS, "--frames requires an integer of at least 1, not \"%s\"", value);
    case OPTION_STATS:
        return numbers_real(value, STATS_SECONDS_LIMIT, &options->stats_seconds) ||
            failure_set(failure, EXIT_OPTIONS, "--stats requires seconds from 0 to %.0f, not \"%s\"", STATS_SECONDS_LIMIT, value);
    case OPTION_SAVES:
        options->saves = value;
        return true;
    case OPTION_CONTROL:
        options->control = value;
        return true;
    case OPTION_COVERAGE:
        options->coverage = value;
        return true;
    case OPTION_PAUSED:
        options->paused = true;
        return true;
    case OPTION_DRAW_ALL:
        options->draw_all = true;
        return true;
    case OPTION_RENDER:
        options->render = value;
        options->draw_all = true;
        return true;
    case OPTION_VERBOSE:
        options->verbose = true;
        return true;
    case OPTION_CONFIG:
    case 'C':
        return take_setting(options, value, failure);
    case OPTION_HELP:
        options->help = true;
        return true;
    case OPTION_VERSION:
        options->version = true;
        return true;
    default:
        return take_machine(options, option, value, failure);
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

static bool is_named_rom_test(const char* path) {
    const char* name = path_name(path);
    return strcmp(name, "mgba-rom-test") == 0 || strcmp(name, "mgba-rom-test.exe") == 0;
}

bool options_parse(struct options* options, int argc, char** argv, struct failure* failure) {
    *options = (struct options) { .fps = FPS_DEFAULT, .stats_seconds = STATS_SECONDS_DEFAULT };
    if (argc > 1 && strcmp(argv[1], "--rom-test") == 0) {
        options->testing = true;
        --argc;
        ++argv;
    } else if (argc > 0 && is_named_rom_test(argv[0])) {
        options->testing = true;
    }
    if (options->testing) {
        options->fps = options->stats_seconds = 0;
        options->test.swi = ROM_TEST_SWI_DEFAULT;
        options->draw_all = true; /* a picture that is made later would log its frame again */
    }
    /* There cannot be more scripts or settings than words on the command line. */
    options->scripts = calloc((size_t) argc + 1, sizeof(*options->scripts));
    options->settings = calloc((size_t) argc + 1, sizeof(*options->settings));
    if (!options->scripts || !options->settings) {
        return failure_set(failure, EXIT_INTERNAL, "out of memory");
    }
    opterr = 0; /* the messages are written here */
    int option;
    const char* short_options = options->testing ? test_short_options : ":";
    const struct option* all_long_options = options->testing ? test_long_options : long_options;
    while ((option = getopt_long(argc, argv, short_options, all_long_options, NULL)) != -1) {
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
    if (options->test.endings.line_count > 0 && !options->test.endings.report) {
        return failure_set(failure, EXIT_OPTIONS, "--report-at requires --report FOLDER");
    }
    return cartridge_check(&options->cartridge, failure) && take_rom(options, argc, argv, failure);
}

void options_free(struct options* options) {
    free(options->scripts);
    free(options->settings);
    options->scripts = NULL;
    options->settings = NULL;
}
