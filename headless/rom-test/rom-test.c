#include "rom-test/rom-test.h"

#include "debugger/debugger.h"
#include "machine/cheats.h"
#include "rom-test/gb-test.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gba/gba.h>
#include <mgba/internal/sm83/sm83.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SWI_STOP 3
#define LD_B_B 0x40
#define LINE_SIZE 1024 /* of the log, in which texts are searched */
/* How often a line of libmgba is printed again while nothing else is. */
#define REPETITIONS 16

/* The hooks below get only the core's structures. */
static struct {
    const struct rom_test* test;
    struct mCore* core;
    const char* exit_register; /* its name in the core */
    struct mStandardLogger log;
    bool ended;
    const char* ended_by;
    int exit_code;
    void (*stop)(void* context);
    void (*frame_ended)(void* context);
    void* context;
    void (*swi16)(struct ARMCore* cpu, int number);
    void (*swi32)(struct ARMCore* cpu, int number);
    void (*illegal)(struct SM83Core* cpu);
    bool has_moment;       /* a line with which a moment is reported was printed in this frame */
    unsigned moments;
    struct failure failure; /* why one could not be reported */
} run;

/* In front of mGBA's own logger. */
static struct {
    struct mLogger logger; /* first */
    char lines[2][256];    /* the last two that differ */
    unsigned repetitions;
} lines;

static bool is_gba(void) {
    return run.core->platform(run.core) == mPLATFORM_GBA;
}

/* --- the end ------------------------------------------------------------------------------------------------------------ */

static void end(const char* by, int exit_code) {
    if (!run.ended) {
        run.ended = true;
        run.ended_by = by;
        run.exit_code = exit_code;
        run.stop(run.context);
    }
}

/*
 * With libmgba 0.10 the register of a GB fills only the lower bytes of `value`. A number of failures that is a multiple of 256 is no success.
 */
static void end_with_register(const char* by) {
    int32_t value = 0;
    if (run.exit_register) {
        run.core->readRegister(run.core, run.exit_register, &value);
    } else if (!is_gba() && run.test->endings.count == 0) {
        value = gb_test_says_failed();
    }
    end(by, value != 0 && (value & 0xFF) == 0 ? 0xFF : value & 0xFF);
}

static void on_stop(void* context) {
    (void) context;
    end_with_register("stop");
}

/* The line tells the reader of the log that all before it has been reported. */
static void report_moment(void) {
    if (run.has_moment && run.moments < ENDINGS_MOMENTS && run.failure.code == EXIT_CLEAN && endings_report_moment(&run.test->endings, run.core, run.moments + 1, &run.failure)) {
        (void) printf("mgba-rom-test: report %u\n", ++run.moments);
    }
    run.has_moment = false;
}

/* A GB ROM ends by its registers or words only where nothing else is said to end it. */
static void on_frame(void* context) {
    run.frame_ended(context);
    report_moment();
    const struct ending* ending = endings_frame_ended(&run.test->endings, run.core);
    bool is_failure;
    if (ending) {
        end_with_register(ending->text);
    } else if (run.test->endings.count == 0 && !is_gba() && !run.exit_register && gb_test_result(run.core, &is_failure)) {
        end("result", is_failure);
    }
}

static void on_ld_b_b(void) {
    end_with_register("ld-b-b");
}

static void on_illegal(struct SM83Core* cpu) {
    end_with_register("illegal");
    run.illegal(cpu);
    /* runLoop() returns before it is executed again. */
    cpu->nextEvent = cpu->cycles;
}

static void end_by_swi(struct ARMCore* cpu) {
    end_with_register("swi");
    /* runLoop() returns before the next instruction. */
    cpu->nextEvent = cpu->cycles;
}

static void on_swi16(struct ARMCore* cpu, int number) {
    if (number == run.test->swi) {
        end_by_swi(cpu);
    } else {
        run.swi16(cpu, number);
    }
}

/* In ARM code the number is that of the instruction, or, as in calls of the BIOS, its upper eight bits. */
static void on_swi32(struct ARMCore* cpu, int number) {
    if (number == run.test->swi || number == run.test->swi << 16) {
        end_by_swi(cpu);
    } else {
        run.swi32(cpu, number);
    }
}

/*
 * Without `sleep`, STOP ends the run also when a key would wake the machine. A game that jumps to an invalid address continues: its interrupt
 * handlers may report the failed test and run the next one.
 */
static void connect_events(struct mCoreCallbacks* callbacks) {
    run.stop = callbacks->shutdown;
    run.context = callbacks->context;
    callbacks->shutdown = on_stop;
    callbacks->sleep = NULL;
    callbacks->coreCrashed = NULL;
    run.frame_ended = callbacks->videoFrameEnded;
    callbacks->videoFrameEnded = on_frame;
    if (!is_gba() && endings_of(&run.test->endings, ENDING_LD_B_B)) {
        debugger_note_opcode(LD_B_B, on_ld_b_b);
    }
    if (!is_gba() && endings_of(&run.test->endings, ENDING_ILLEGAL)) {
        struct SM83InterruptHandler* handler = &((struct SM83Core*) run.core->cpu)->irqh;
        run.illegal = handler->hitIllegal;
        handler->hitIllegal = on_illegal;
    }
    if (is_gba() && run.test->swi != SWI_STOP) {
        struct ARMInterruptHandler* handler = &((struct ARMCore*) run.core->cpu)->irqh;
        callbacks->shutdown = NULL;
        run.swi16 = handler->swi16;
        run.swi32 = handler->swi32;
        handler->swi16 = on_swi16;
        handler->swi32 = on_swi32;
    }
}

int rom_test_finish(void) {
    gb_test_flush();
    return run.ended ? run.exit_code : ROM_TEST_UNFINISHED;
}

bool rom_test_report(struct failure* failure) {
    if (run.failure.code != EXIT_CLEAN) {
        *failure = run.failure;
        return false;
    }
    return !run.test->endings.report || endings_report(&run.test->endings, run.core, run.ended ? run.ended_by : "none", failure);
}

/* --- the log ------------------------------------------------------------------------------------------------------------ */

static void note_line(int category, const char* format, va_list arguments) {
    char line[LINE_SIZE];
    const int start = snprintf(line, sizeof(line), "%s: ", mLogCategoryName(category));
    (void) vsnprintf(line + start, sizeof(line) - (size_t) start, format, arguments);
    run.has_moment |= endings_has_line(&run.test->endings, line);
    endings_line_printed(&run.test->endings, line);
}

/*
 * A game that has jumped to an invalid address does so again thousands of times a frame, each time with the same one or two lines. What the game
 * itself prints may repeat.
 */
static bool is_repeated(int category, const char* format, va_list arguments) {
    if (category == mLogCategoryById("gba.debug") || category == mLogCategoryById("gb.sio")) {
        return false;
    }
    char line[sizeof(lines.lines[0])];
    (void) vsnprintf(line, sizeof(line), format, arguments);
    if (strcmp(line, lines.lines[0]) != 0 && strcmp(line, lines.lines[1]) != 0) {
        memcpy(lines.lines[1], lines.lines[0], sizeof(line));
        memcpy(lines.lines[0], line, sizeof(line));
        lines.repetitions = 0;
    }
    return lines.repetitions++ > REPETITIONS;
}

static void on_log(struct mLogger* logger, int category, enum mLogLevel level, const char* format, va_list arguments) {
    (void) logger;
    va_list copy;
    va_copy(copy, arguments);
    bool skip = is_repeated(category, format, copy);
    va_end(copy);
    if (!skip && (run.test->endings.line_count > 0 || endings_of(&run.test->endings, ENDING_LOG))) {
        va_copy(copy, arguments);
        note_line(category, format, copy);
        va_end(copy);
    }
    if (!skip) {
        run.log.d.log(&run.log.d, category, level, format, arguments);
    }
}

/* --- the start ---------------------------------------------------------------------------------------------------------- */

static bool is_named(const struct mCoreRegisterInfo* info, const char* name) {
    bool named = strcasecmp(info->name, name) == 0;
    for (const char* const* alias = (const char* const*) info->aliases; !named && alias && *alias; ++alias) {
        named = strcasecmp(*alias, name) == 0;
    }
    return named;
}

/* A general register without unused bits, as mGBA's program requires it. */
static bool find_register(const char* name, struct failure* failure) {
    const struct mCoreRegisterInfo* all;
    size_t count = run.core->listRegisters(run.core, &all);
    for (size_t i = 0; i < count; ++i) {
        if (is_named(&all[i], name) && all[i].type == mCORE_REGISTER_GPR && all[i].mask == UINT32_MAX >> (4 - all[i].width) * 8) {
            run.exit_register = all[i].name;
            return true;
        }
    }
    return failure_set(failure, EXIT_OPTIONS, "-R requires a general register of this console, such as %s, not \"%s\"", is_gba() ? "r0" : "a", name);
}

static bool prepare(struct mCore* core, struct failure* failure) {
    run.core = core;
    mCoreConfigSetDefaultIntValue(&core->config, "logToStdout", 1);
    mStandardLoggerInit(&run.log);
    mStandardLoggerConfig(&run.log, &core->config);
    lines.logger = (struct mLogger) { .log = on_log, .filter = run.log.d.filter };
    mLogSetDefaultLogger(&lines.logger);
    if (is_gba()) {
        ((struct GBA*) core->board)->hardCrash = false;
    } else {
        gb_test_log_link_port(core);
    }
    return !run.test->exit_register || find_register(run.test->exit_register, failure);
}

void rom_test_end(void) {
    mLogSetDefaultLogger(NULL);
    mStandardLoggerDeinit(&run.log);
}

static struct VFile* open_file(const char* path, struct failure* failure) {
    struct VFile* file = VFileOpen(path, O_RDONLY);
    if (!file) {
        (void) failure_set(failure, EXIT_OPTIONS, "cannot open \"%s\" (%s); give the path of a readable file", path, strerror(errno));
    }
    return file;
}

/* Opens a file for one of the functions below. */
static bool use_file(const char* path, bool (*use)(struct VFile* file), const char* kind, struct failure* failure) {
    struct VFile* file = open_file(path, failure);
    if (!file) {
        return false;
    }
    bool used = use(file);
    (void) file->close(file); /* opened for reading: nothing can be lost */
    return used || failure_set(failure, EXIT_OPTIONS, "\"%s\" is not %s", path, kind);
}

static bool use_cheats(const char* path, struct failure* failure) {
    if (!cheats_open(run.core, path, failure)) {
        return false;
    }
    cheats_warn("mgba-rom-test");
    return true;
}

static bool use_state(struct VFile* file) {
    return mCoreLoadStateNamed(run.core, file, 0);
}

bool rom_test_draws(const struct rom_test* test) {
    return test->endings.report || endings_of(&test->endings, ENDING_STILL);
}

const struct game_test* rom_test_begin(const struct rom_test* test) {
    static const struct game_test calls = { .prepare = prepare, .connect = connect_events };
    run.test = test;
    return &calls;
}

bool rom_test_start(struct failure* failure) {
    const struct rom_test* test = run.test;
    return (!test->cheats || use_cheats(test->cheats, failure)) &&
        (!test->state || use_file(test->state, use_state, "a state of this game", failure));
}
