#include "game.h"

#include "options.h"
#include "rom.h"
#include "scripts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The largest picture any machine draws: a Super Game Boy with its border. Made this big at once, it never has to be resized. */
#define PICTURE_WIDTH 256
#define PICTURE_HEIGHT 224

#define SLOT_LIMIT INT32_MAX
#define GIVE_SAVES "; give --saves a directory that exists and can be written"
/* What emu:saveStateSlot and emu:loadStateSlot use when a script gives no flags. */
#define SAVE_FLAGS SAVESTATE_ALL
#define LOAD_FLAGS (SAVESTATE_ALL & ~SAVESTATE_SAVEDATA)

/* --- events, as the CPU thread of mgba-qt wires them ------------------------------------------------------------------- */

static void on_frame(void* context) {
    struct game* game = context;
    ++game->frames;
    game->frame_ended = true;
    scripts_fire(game->scripts, "frame");
}

static void on_keys_read(void* context) {
    scripts_fire(((struct game*) context)->scripts, "keysRead");
}

static void on_savedata_updated(void* context) {
    scripts_fire(((struct game*) context)->scripts, "savedataUpdated");
}

static void on_crashed(void* context) {
    struct game* game = context;
    /* It jumps into nowhere again and again until the frame is over; the window stops at the first time. */
    if (!game->crashed) {
        game->crashed = true;
        (void) fputs("mgba-headless: the game crashed and stands still until it is reset, a state is loaded or it is closed\n", stderr);
        scripts_fire(game->scripts, "crashed");
    }
}

static void on_sleep(void* context) {
    scripts_fire(((struct game*) context)->scripts, "sleep");
}

/*
 * STOP without a wake-up interrupt. libmgba calls it "shutdown"; for scripts that name means the end of the emulation, and this
 * event is "stop". Nothing in the core remembers it: would it go on running, so would the game.
 */
static void on_stop(void* context) {
    struct game* game = context;
    game->stopped = true;
    (void) fputs("mgba-headless: the game stopped its machine; it runs again when it is reset or a state is loaded\n", stderr);
    scripts_fire(game->scripts, "stop");
}

static void on_alarm(void* context) {
    scripts_fire(((struct game*) context)->scripts, "alarm");
}

static void connect_events(struct game* game) {
    struct mCoreCallbacks callbacks = {
        .context = game,
        .videoFrameEnded = on_frame,
        .coreCrashed = on_crashed,
        .sleep = on_sleep,
        .shutdown = on_stop,
        .keysRead = on_keys_read,
        .savedataUpdated = on_savedata_updated,
        .alarm = on_alarm,
    };
    /* Copies the struct. */
    game->core->addCoreCallbacks(game->core, &callbacks);
}

/* --- reset and loaded states start a game again that crashed or stopped, whoever asks for them: no event tells of both -------- */

static struct game* present; /* the functions below get the core only, and there is one game */

static void reset_core(struct mCore* core) {
    present->crashed = false;
    present->stopped = false;
    present->reset(core);
}

static bool load_core_state(struct mCore* core, const void* state) {
    bool crashed = present->crashed;
    bool stopped = present->stopped;
    /* Before the call, inside which a state with a bad program counter crashes again. */
    present->crashed = false;
    present->stopped = false;
    if (present->load_state(core, state)) {
        return true;
    }
    present->crashed = crashed;
    present->stopped = stopped;
    return false;
}

static void watch_restarts(struct game* game) {
    present = game;
    game->reset = game->core->reset;
    game->load_state = game->core->loadState;
    game->core->reset = reset_core;
    game->core->loadState = load_core_state;
}

/* --- putting a ROM in ---------------------------------------------------------------------------------------------------- */

/* `saves` is absolute, or "": 0.11 takes a relative path as relative to the user's settings. */
static void configure(struct mCore* core, const char* saves) {
    /* After init(), which clears the struct. The user's own mGBA settings are not read: a test must not depend on them. */
    mCoreInitConfig(core, NULL);
    /* Skips known busy-waits of real games; a good part of the CPU time with no difference a game can see. */
    mCoreConfigSetDefaultValue(&core->config, "idleOptimization", "remove");
    if (*saves) {
        mCoreConfigSetDefaultValue(&core->config, "savegamePath", saves);
        mCoreConfigSetDefaultValue(&core->config, "savestatePath", saves);
        mCoreConfigSetDefaultValue(&core->config, "screenshotPath", saves);
    }
    /* Applies the values just set; mCoreLoadConfig() would first read ~/.config/mgba. */
    mCoreLoadForeignConfig(core, &core->config);
}

static void destroy(struct mCore* core) {
    /* Writes and closes the save file. Before deinit(), which frees the core itself. */
    core->unloadROM(core);
    mCoreConfigDeinit(&core->config);
    core->deinit(core);
}

/* Asked before configure(): libmgba would create a directory that is missing, and a typing mistake would pass for an empty one. */
static bool resolve_saves_directory(const char* saves, char absolute[static PATH_MAX], struct failure* failure) {
    struct stat status;
    *absolute = '\0';
    if (saves && (stat(saves, &status) || !S_ISDIR(status.st_mode) || !realpath(saves, absolute))) {
        return failure_set(failure, EXIT_SAVES, "\"%s\" is not a directory" GIVE_SAVES, saves);
    }
    return true;
}

/* NULL and a failure for anything that cannot run. */
static struct mCore* load_rom(const char* path, const char* saves, struct failure* failure) {
    struct rom_head head;
    char absolute_saves[PATH_MAX];
    if (!resolve_saves_directory(saves, absolute_saves, failure) || !rom_read_head(path, &head, failure)) {
        return NULL;
    }
    /* Looks at the content, into archives too. NULL for a file that is no ROM. */
    struct mCore* core = mCoreFind(path);
    if (!core) {
        (void) rom_refuse(path, &head, failure);
        return NULL;
    }
    if (!core->init(core)) {
        /* Not initialised, so deinit() may not be called; nothing of it but its own struct is allocated. */
        free(core);
        (void) failure_set(failure, EXIT_INTERNAL, "libmgba cannot make an emulated machine for \"%s\"; see that memory is free", path);
        return NULL;
    }
    configure(core, absolute_saves);
    if (!rom_check_whole(path, &head, failure)) {
        destroy(core);
        return NULL;
    }
    /* Opens the file again; it also sets the directories and the base name that saves, states and screenshots use. */
    if (!mCoreLoadFile(core, path)) {
        (void) failure_set(failure, EXIT_ROM_FOREIGN, "libmgba cannot load \"%s\"; give another ROM file", path);
        destroy(core);
        return NULL;
    }
    return core;
}

/* Opens the save file as libmgba is about to, because that only says yes or no. Creating it is what libmgba does, too. */
static bool check_save_file(const struct mCore* core, const char* path, const char* saves, struct failure* failure) {
    char file[2 * PATH_MAX];
    const char* slash = strrchr(path, '/');
    int length = saves ? snprintf(file, sizeof(file), "%s/%s.sav", saves, core->dirs.baseName)
        : snprintf(file, sizeof(file), "%.*s%s.sav", slash ? (int) (slash - path + 1) : 0, path, core->dirs.baseName);
    if (length < 0 || (size_t) length >= sizeof(file)) {
        return failure_set(failure, EXIT_SAVES, "the path of the save file is too long; give --saves a shorter directory");
    }
    int descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return failure_set(failure, EXIT_SAVES, "cannot write the save file \"%s\" (%s)" GIVE_SAVES, file, strerror(errno));
    }
    (void) close(descriptor); /* nothing was written */
    return true;
}

/* Without a buffer emu:screenshot() and save states with a picture are a segfault. Before the first reset, which looks for it. */
static bool give_picture(struct game* game, struct mCore* core, struct failure* failure) {
    unsigned width;
    unsigned height;
    library_video_size(core, &width, &height);
    if (width > PICTURE_WIDTH || height > PICTURE_HEIGHT) {
        return failure_set(failure, EXIT_INTERNAL, "libmgba wants a picture of %u x %u, which is larger than any known; "
            "build this program for this libmgba", width, height);
    }
    game->pixels = calloc((size_t) PICTURE_WIDTH * PICTURE_HEIGHT, sizeof(*game->pixels));
    if (!game->pixels) {
        return failure_set(failure, EXIT_INTERNAL, "out of memory");
    }
    /* Stride in pixels. The core keeps the pointer until it is gone, through reset and emu:loadFile(). */
    core->setVideoBuffer(core, game->pixels, PICTURE_WIDTH);
    return true;
}

bool game_insert(struct game* game, const char* path, struct failure* failure) {
    struct mCore* core = load_rom(path, game->saves, failure);
    if (!core) {
        return false;
    }
    if (!check_save_file(core, path, game->saves, failure)) {
        destroy(core);
        return false;
    }
    /* The save file of the old game is written here, before the new one reads it: it may be the same. */
    game_close(game);
    /* Opens <ROM>.sav for reading and writing, and maps it: what the game writes is on disk without a further call. */
    bool ok = give_picture(game, core, failure) &&
        (mCoreAutoloadSave(core) || failure_set(failure, EXIT_SAVES, "libmgba cannot open the save file of \"%s\"" GIVE_SAVES, path));
    if (!ok) {
        destroy(core);
        free(game->pixels);
        game->pixels = NULL;
        return false;
    }
    game->core = core;
    game->crashed = false;
    game->stopped = false;
    watch_restarts(game);
    connect_events(game);
    scripts_attach_core(game->scripts, core);
    return true;
}

/* --- its life -------------------------------------------------------------------------------------------------------------- */

void game_reset_silently(struct game* game) {
    game->core->reset(game->core);
}

void game_start(struct game* game) {
    scripts_fire(game->scripts, "start");
    game_reset(game);
}

void game_reset(struct game* game) {
    game_reset_silently(game);
    scripts_fire(game->scripts, "reset");
}

void game_close(struct game* game) {
    if (!game->core) {
        return;
    }
    struct mCore* core = game->core;
    scripts_fire(game->scripts, "shutdown");
    scripts_detach_core(game->scripts, core);
    core->clearCoreCallbacks(core);
    game->core = NULL;
    destroy(core);
    /* After the core: it draws into it until its end. */
    free(game->pixels);
    game->pixels = NULL;
}

bool game_can_run(const struct game* game) {
    return game->core && !game->crashed && !game->stopped;
}

const char* game_condition(const struct game* game) {
    return !game->core ? "none" : game->crashed ? "crashed" : game->stopped ? "stopped" : "running";
}

void game_run_frame(struct game* game) {
    game->frame_ended = false;
    /*
     * runLoop() runs to the machine's next event, as in mgba-qt's CPU thread. Not runFrame(): that goes on after a crash or a
     * stop until its frame counter moves, and scripts would see a frame no window shows.
     */
    while (!game->frame_ended && !game->crashed && !game->stopped) {
        game->core->runLoop(game->core);
    }
}

/* --- states ---------------------------------------------------------------------------------------------------------------- */

static bool is_slot(const char* where, int* slot) {
    uint64_t number;
    if (strcmp(where, "0") == 0) {
        *slot = 0;
        return true;
    }
    if (!options_count(where, SLOT_LIMIT, &number)) {
        return false;
    }
    *slot = (int) number;
    return true;
}

bool game_save_state(struct game* game, const char* where, struct failure* failure) {
    int slot;
    if (is_slot(where, &slot)) {
        return mCoreSaveState(game->core, slot, SAVE_FLAGS) ||
            failure_set(failure, EXIT_SAVES, "cannot write slot %d; see that its directory can be written", slot);
    }
    /* Read access too: the picture is written by a PNG library that seeks and reads back. */
    struct VFile* file = VFileOpen(where, O_CREAT | O_TRUNC | O_RDWR);
    if (!file) {
        return failure_set(failure, EXIT_SAVES, "cannot open \"%s\" (%s); give a file that can be written", where, strerror(errno));
    }
    bool saved = mCoreSaveStateNamed(game->core, file, SAVE_FLAGS);
    bool closed = file->close(file);
    return (saved && closed) || failure_set(failure, EXIT_SAVES, "cannot write \"%s\"; see that its disk has room", where);
}

bool game_load_state(struct game* game, const char* where, struct failure* failure) {
    int slot;
    if (is_slot(where, &slot)) {
        return mCoreLoadState(game->core, slot, LOAD_FLAGS) ||
            failure_set(failure, EXIT_SAVES, "slot %d is empty or of another game; save to it first", slot);
    }
    struct VFile* file = VFileOpen(where, O_RDONLY);
    if (!file) {
        return failure_set(failure, EXIT_SAVES, "cannot open \"%s\" (%s); give a state file", where, strerror(errno));
    }
    bool loaded = mCoreLoadStateNamed(game->core, file, LOAD_FLAGS);
    (void) file->close(file); /* opened for reading: nothing can be lost */
    return loaded || failure_set(failure, EXIT_SAVES, "\"%s\" is no state of this game; give one saved from it", where);
}
