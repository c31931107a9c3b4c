#include "debugger/gdb-monitor.h"

#include "base/numbers.h"
#include "debugger/history.h"
#include "machine/cheats.h"
#include "machine/picture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#define FREEZE_NAME "gdb "

struct command {
    const char* name;
    const char* argument; /* NULL: none */
    const char* does;
    bool (*run)(struct game* game, char* argument, struct failure* failure);
};

static bool run_reset(struct game* game, char* argument, struct failure* failure) {
    (void) argument;
    (void) failure;
    game_reset(game);
    return true;
}

static bool run_save(struct game* game, char* argument, struct failure* failure) {
    return game_save_state(game, argument, failure);
}

static bool run_load(struct game* game, char* argument, struct failure* failure) {
    return game_load_state(game, argument, failure);
}

static bool run_screenshot(struct game* game, char* argument, struct failure* failure) {
    /* With read access: the PNG library seeks and reads back. */
    struct VFile* file = VFileOpen(argument, O_CREAT | O_TRUNC | O_RDWR);
    if (!file) {
        return failure_set(failure, EXIT_SAVES, "cannot open \"%s\" (%s); give a file that can be written", argument, strerror(errno));
    }
    bool written = mCoreTakeScreenshotVF(game->core, file);
    bool closed = file->close(file);
    return (written && closed) || failure_set(failure, EXIT_SAVES, "cannot write \"%s\"; check that its disk has free space", argument);
}

static const char* without_prefix(const char* number) {
    return strncmp(number, "0x", 2) == 0 || strncmp(number, "0X", 2) == 0 ? number + 2 : number;
}

/* A code of the emulator's cheats: the number of digits says how many bytes are kept. */
static bool run_freeze(struct game* game, char* argument, struct failure* failure) {
    (void) game;
    char* value = argument + strcspn(argument, " ");
    if (*value) {
        *value++ = '\0';
    }
    const char* address = without_prefix(argument);
    const char* digits = without_prefix(value + strspn(value, " "));
    const size_t width = strlen(digits);
    if (strlen(address) != 8 || (width != 2 && width != 4 && width != 8)) {
        return failure_set(failure, EXIT_OPTIONS, "freeze requires an address of 8 hexadecimal digits and a value of 2, 4 or 8, such as 0x02000000 0x63");
    }
    char name[32];
    char code[32];
    (void) snprintf(name, sizeof(name), FREEZE_NAME "%s", address);
    (void) snprintf(code, sizeof(code), "%s:%s", address, digits);
    struct mScriptValue* problem = cheats_set(name, code, true);
    bool frozen = problem->value.string->size == 0 || failure_set(failure, EXIT_CHEATS, "%s", problem->value.string->buffer);
    mScriptValueDeref(problem);
    return frozen;
}

static bool run_thaw(struct game* game, char* argument, struct failure* failure) {
    (void) game;
    char name[32];
    (void) snprintf(name, sizeof(name), FREEZE_NAME "%.16s", without_prefix(argument));
    return cheats_remove(name) || failure_set(failure, EXIT_OPTIONS, "nothing is frozen at \"%.16s\"", argument);
}

static bool run_history(struct game* game, char* argument, struct failure* failure) {
    (void) game;
    uint64_t megabytes = 0;
    if (strcmp(argument, "0") != 0 && !numbers_count(argument, HISTORY_MEGABYTES, &megabytes)) {
        return failure_set(failure, EXIT_OPTIONS, "history requires the megabytes of memory for it, 0 (none) to %d", HISTORY_MEGABYTES);
    }
    history_keep((uint32_t) megabytes);
    return !*history_problem() || failure_set(failure, EXIT_OPTIONS, "no history of this game is kept: %s", history_problem());
}

static const struct command commands[] = {
    { "reset", NULL, "switch the machine off and on", run_reset },
    { "save", "FILE", "save a state to a file, or a slot if it is a number", run_save },
    { "load", "FILE", "load a state", run_load },
    { "screenshot", "FILE", "write the picture as a PNG file", run_screenshot },
    { "freeze", "ADDRESS VALUE", "write 2, 4 or 8 hexadecimal digits there in each frame", run_freeze },
    { "thaw", "ADDRESS", "stop that", run_thaw },
    { "history", "MEGABYTES", "keep what the game does from now on, for reverse-step and reverse-continue", run_history },
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))

static const char* help(void) {
    static char text[1024];
    size_t at = 0;
    for (size_t i = 0; i < COMMANDS; ++i) {
        const char* argument = commands[i].argument;
        int width = snprintf(text + at, sizeof(text) - at, "%s%s%s", commands[i].name, argument ? " " : "", argument ? argument : "");
        at += (size_t) (width + snprintf(text + at + width, sizeof(text) - at - (size_t) width, "%*s%s\n", 24 - width, "", commands[i].does));
    }
    return text;
}

static const struct command* find(const char* name) {
    for (size_t i = 0; i < COMMANDS; ++i) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return NULL;
}

const char* gdb_monitor(struct game* game, char* line) {
    static char said[GDB_MONITOR_SAYS];
    struct failure failure;
    line += strspn(line, " ");
    char* argument = line + strcspn(line, " ");
    if (*argument) {
        *argument++ = '\0';
        argument += strspn(argument, " ");
    }
    if (!*line || strcmp(line, "help") == 0) {
        return help();
    }
    const struct command* command = find(line);
    if (!command) {
        (void) snprintf(said, sizeof(said), "unknown command \"%.64s\"; `monitor help` lists them\n", line);
    } else if (!*argument != !command->argument) {
        (void) snprintf(said, sizeof(said), "%s requires %s\n", command->name, command->argument ? command->argument : "no argument");
    } else {
        picture_touched();
        (void) snprintf(said, sizeof(said), "%s\n", command->run(game, argument, &failure) ? "done" : failure.sentence);
    }
    return said;
}
