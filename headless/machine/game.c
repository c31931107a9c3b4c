#include "machine/game.h"

#include "base/numbers.h"
#include "machine/cartridge.h"
#include "machine/channels.h"
#include "machine/cheats.h"
#include "machine/game-clock.h"
#include "machine/kept.h"
#include "machine/patch.h"
#include "machine/picture.h"
#include "machine/pixels.h"
#include "machine/rendering.h"
#include "machine/rom.h"
#include "machine/rumble.h"
#include "machine/save-file.h"
#include "machine/sensors.h"
#include "machine/sound.h"
#include "machine/steady-sound.h"
#include "platform/files.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gb/io.h>
#include <mgba/internal/sm83/sm83.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define SAVE_PATH (2 * PATH_MAX)
#define SLOT_LIMIT INT32_MAX
/* Where the save memory is on the bus. */
#define GBA_SAVE 0x0E000000
#define GB_KEYS 0xFF00u
#define MEMORY_BLOCKS 16
#define GB_SAVE 0xA000
#define GB_SAVE_END 0xC000
#define GIVE_SAVES "; give --saves a directory that exists and can be written"
/* The defaults of emu:saveStateSlot and emu:loadStateSlot. */
#define SAVE_FLAGS SAVESTATE_ALL
#define LOAD_FLAGS (SAVESTATE_ALL & ~SAVESTATE_SAVEDATA)

/* --- events, connected as in the CPU thread of mgba-qt ------------------------------------------------------------------- */

static void raise(const struct game* game, const char* event) {
    game->debugger->ignore(true);
    game->listener.event(game->listener.context, event);
    game->debugger->ignore(false);
}

static void on_frame(void* context) {
    struct game* game = context;
    ++game->frames;
    picture_frame_ended();
    rumble_frame_ended();
    rendering_frame_ended();
    save_file_frame_ended(game->core);
    cartridge_frame_ended(game->core);
    game->frame_ended = true;
    /* One that ends behind a crash is none: what ran in it is not the game. */
    if (!game->crashed) {
        game->debugger->ignore(true);
        game->listener.frame(game->listener.context);
        game->debugger->ignore(false);
    }
}

static void on_keys_read(void* context) {
    raise(context, "keysRead");
}

static void on_savedata_updated(void* context) {
    raise(context, "savedataUpdated");
}

static void on_crashed(void* context) {
    struct game* game = context;
    /* The game repeats the invalid jump until the frame ends; the window stops at the first one. */
    if (!game->crashed) {
        game->crashed = true;
        (void) fputs("mgba-headless: the game crashed; it stops until it is reset, a state is loaded or it is closed\n", stderr);
        raise(game, "crashed");
    }
}

static void on_sleep(void* context) {
    raise(context, "sleep");
}

/*
 * STOP without a wake-up interrupt. libmgba calls it "shutdown"; scripts receive the event "stop", because "shutdown" means the end of
 * the emulation for them. The core does not store it: if it continued to run, so would the game.
 */
static void on_stop(void* context) {
    struct game* game = context;
    game->stopped = true;
    if (!game->test) {
        (void) fputs("mgba-headless: the game stopped its machine; it runs again when it is reset or a state is loaded\n", stderr);
    }
    raise(game, "stop");
}

static void on_alarm(void* context) {
    raise(context, "alarm");
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
    if (game->test) {
        game->test->connect(&callbacks);
    }
    /* This copies the struct. */
    game->core->addCoreCallbacks(game->core, &callbacks);
}

/* --- functions of the core that are wrapped: a reset or a loaded state continues a game that crashed or stopped, and no event reports both --- */

static struct game* present; /* the functions below receive only the core, and there is one game */

/* A frame that was halted is not completed: another one begins. */
static void moved(struct game* game) {
    game->in_frame = false;
    game->debugger->moved();
}

static void reset_core(struct mCore* core) {
    present->crashed = false;
    present->stopped = false;
    rumble_stop();
    save_file_settle(core);
    game_clock_before_reset(core);
    present->own.reset(core);
    cartridge_after_reset(core);
    game_clock_settle(core);
    moved(present);
}

static bool take_core_state(struct mCore* core, const void* state) {
    if (!cartridge_accepts(core, state)) {
        return false;
    }
    bool crashed = present->crashed;
    bool stopped = present->stopped;
    /* Before the call, because a state with an invalid program counter crashes again inside it. */
    present->crashed = false;
    present->stopped = false;
    save_file_before_load(core);
    if (present->own.loadState(core, state)) {
        rumble_stop();
        channels_loaded(core, state);
        cartridge_after_load(core);
        moved(present);
        return true;
    }
    present->crashed = crashed;
    present->stopped = stopped;
    return false;
}

/* libmgba uses the save data and the clock of a state's file also when the core has refused the state. */
static bool load_core_state(struct mCore* core, const void* state) {
    game_clock_before_load(core);
    bool taken = take_core_state(core, state);
    present->refused = !taken;
    game_clock_after_load(core, taken);
    return taken;
}

static bool save_core_state(struct mCore* core, void* state) {
    if (!present->own.saveState(core, state)) {
        return false;
    }
    channels_saved(core, state);
    return true;
}

/*
 * A script that steps a Game Boy inside the event of a frame runs further events, of which libmgba's loop around that event knows nothing: it would let as many
 * cycles pass once more, up to 2^31. So the loop ends behind the event, and end_steps() corrects when the next one is.
 */
static void step_core(struct mCore* core) {
    present->own.step(core);
    if (core->platform(core) == mPLATFORM_GB) {
        ((struct GB*) core->board)->earlyExit = true;
        present->stepped = true;
    }
}

static void end_steps(struct game* game) {
    const struct mTiming* timing = &((const struct GB*) game->core->board)->timing;
    const struct mTimingEvent* next = timing->root ? timing->root : timing->reroot;
    struct SM83Core* cpu = game->core->cpu;
    if (next) {
        cpu->nextEvent = (int32_t) (next->when - timing->masterCycles);
        if (cpu->halted) {
            cpu->cycles = cpu->nextEvent;
        }
    }
    game->stepped = false;
}

static bool is_used(const struct mDirectorySet* dirs, const struct VDir* directory) {
    return directory == dirs->base || directory == dirs->save || directory == dirs->patch || directory == dirs->state ||
        directory == dirs->screenshot || directory == dirs->cheats;
}

/*
 * emu:loadFile() opens the directory of the ROM, and libmgba forgets that of the ROM before: after a thousand ROMs select() would end the
 * program.
 */
static bool load_core_rom(struct mCore* core, struct VFile* file) {
    if (present->directory && !is_used(&core->dirs, present->directory)) {
        present->directory->close(present->directory);
    }
    present->directory = core->dirs.base;
    cheats_clear();
    struct VFile* copy = rom_copy(file);
    if (!copy || !present->own.loadROM(core, copy)) {
        if (copy) {
            (void) copy->close(copy); /* memory */
        }
        return false;
    }
    (void) file->close(file); /* opened for reading */
    cartridge_loaded(core);
    return true;
}

bool game_is_rom(const char* path) {
    struct mCore* core = present->core;
    struct VDir* archive = VDirOpenArchive(path);
    struct VFile* file = archive ? VDirFindFirst(archive, core->isROM) : VFileOpen(path, O_RDONLY);
    bool found = file && core->isROM(file);
    if (file) {
        (void) file->close(file); /* opened for reading */
    }
    if (archive) {
        (void) archive->close(archive);
    }
    return found;
}

static void unload_core_rom(struct mCore* core) {
    save_file_settle(core);
    present->own.unloadROM(core);
}

/* Another save file only when the one before has everything. */
static bool load_core_save(struct mCore* core, struct VFile* file) {
    if (!file) {
        return false;
    }
    save_file_settle(core);
    if (!save_file_write()) {
        (void) file->close(file);
        return false;
    }
    struct VFile* save = save_file_open(core, file);
    return save && present->own.loadSave(core, save);
}

static bool load_temporary_core_save(struct mCore* core, struct VFile* file) {
    struct VFile* copy = file ? save_file_copy(file) : NULL;
    return copy && present->own.loadTemporarySave(core, copy);
}

static bool restore_core_save(struct mCore* core, const void* data, size_t size, bool writeback) {
    if (present->refused) {
        return false;
    }
    return save_file_in_use(core) ? save_file_restore(core, data, size, writeback ? SAVE_SENT : SAVE_OF_STATE)
        : present->own.savedataRestore(core, data, size, writeback);
}

static size_t clone_core_save(struct mCore* core, void** data) {
    return save_file_append_clock(core, data, present->own.savedataClone(core, data));
}

/* libmgba takes a read of CPSR for a write: it would schedule an interrupt that waits. */
static bool read_core_register(const struct mCore* core, const char* name, void* value) {
    if (core->platform(core) == mPLATFORM_GBA && strcasecmp(name, "cpsr") == 0) {
        *(int32_t*) value = ((const struct ARMCore*) core->cpu)->cpsr.packed;
        return true;
    }
    return present->own.readRegister(core, name, value);
}

/* Clients' writes to the save memory are saves, too. On the bus, a write may be a command to the memory that changes nothing. */
static void note_write(struct mCore* core, uint32_t address, bool on_bus) {
    if (core->platform(core) == mPLATFORM_GBA ? address >= GBA_SAVE : address >= GB_SAVE && address < GB_SAVE_END) {
        save_file_touched(core, on_bus);
    }
}

#define NOTED_BUS_WRITE(NAME, TYPE) \
    static void NAME(struct mCore* core, uint32_t address, TYPE value) { \
        present->own.NAME(core, address, value); \
        note_write(core, address, true); \
    }

#define NOTED_RAW_WRITE(NAME, TYPE) \
    static void NAME(struct mCore* core, uint32_t address, int segment, TYPE value) { \
        present->own.NAME(core, address, segment, value); \
        note_write(core, address, false); \
    }

NOTED_BUS_WRITE(busWrite8, uint8_t)
NOTED_BUS_WRITE(busWrite16, uint16_t)
NOTED_BUS_WRITE(busWrite32, uint32_t)
NOTED_RAW_WRITE(rawWrite8, uint8_t)
NOTED_RAW_WRITE(rawWrite16, uint16_t)
NOTED_RAW_WRITE(rawWrite32, uint32_t)

/* Of the keys of a Game Boy what the game has read last: libmgba asks scripts for the keys, and may request an interrupt, also for a raw read. */
static uint32_t rawRead8(struct mCore* core, uint32_t address, int segment) {
    const bool is_keys = core->platform(core) == mPLATFORM_GB && address == GB_KEYS;
    return is_keys ? ((const struct GB*) core->board)->memory.io[GB_REG_JOYP] : present->own.rawRead8(core, address, segment);
}

/* libmgba gives scripts the first bank of a Game Boy's work memory twice: it does not say that the second one is in another segment. */
static size_t listMemoryBlocks(const struct mCore* core, const struct mCoreMemoryBlock** blocks) {
    static struct mCoreMemoryBlock corrected[MEMORY_BLOCKS];
    const size_t count = present->own.listMemoryBlocks(core, blocks);
    if (core->platform(core) != mPLATFORM_GB || count > MEMORY_BLOCKS) {
        return count;
    }
    memcpy(corrected, *blocks, count * sizeof(*corrected));
    for (size_t i = 0; i < count; ++i) {
        if (corrected[i].id == GB_REGION_WORKING_RAM_BANK0) {
            corrected[i].segmentStart = GB_BASE_WORKING_RAM_BANK1;
        }
    }
    *blocks = corrected;
    return count;
}

static void wrap_core(struct game* game, struct mCore* core) {
    present = game;
    game->own = *core;
    game->directory = core->dirs.base;
    core->reset = reset_core;
    core->loadState = load_core_state;
    core->saveState = save_core_state;
    core->loadROM = load_core_rom;
    core->unloadROM = unload_core_rom;
    core->step = step_core;
    core->loadSave = load_core_save;
    core->loadTemporarySave = load_temporary_core_save;
    core->savedataRestore = restore_core_save;
    core->savedataClone = clone_core_save;
    core->readRegister = read_core_register;
    core->busWrite8 = busWrite8;
    core->busWrite16 = busWrite16;
    core->busWrite32 = busWrite32;
    core->listMemoryBlocks = listMemoryBlocks;
    core->rawRead8 = rawRead8;
    core->rawWrite8 = rawWrite8;
    core->rawWrite16 = rawWrite16;
    core->rawWrite32 = rawWrite32;
}

/* --- opening a ROM ---------------------------------------------------------------------------------------------------- */

static void destroy(struct mCore* core) {
    /* Writes and closes the save file. Before deinit(), which frees the core itself. */
    core->unloadROM(core);
    mCoreConfigDeinit(&core->config);
    core->deinit(core);
}

/* Before library_configure(): libmgba would create a missing directory, and a typing error would look like an empty one. */
static bool resolve_saves_directory(const char* saves, char absolute[static PATH_MAX], struct failure* failure) {
    *absolute = '\0';
    return !saves || path_of_folder(saves, absolute) || failure_set(failure, EXIT_SAVES, "\"%s\" is not a directory" GIVE_SAVES, saves);
}

/* NULL and a failure if it cannot run. */
static struct mCore* load_rom(const struct game* game, const char* path, const char* patch, struct failure* failure) {
    struct rom_head head;
    char absolute_saves[PATH_MAX];
    if (!resolve_saves_directory(game->saves, absolute_saves, failure) || !rom_read_head(path, &head, failure)) {
        return NULL;
    }
    /* Checks the content, also inside archives. NULL if the file is not a ROM. */
    struct mCore* core = mCoreFind(path);
    if (!core) {
        (void) rom_refuse(path, &head, failure);
        return NULL;
    }
    if (!core->init(core)) {
        /* Not initialised, so deinit() must not be called; only the struct itself is allocated. */
        free(core);
        (void) failure_set(failure, EXIT_INTERNAL, "libmgba cannot create an emulated machine for \"%s\"; check that memory is free", path);
        return NULL;
    }
    library_configure(core, absolute_saves);
    cartridge_configure(core);
    if (!rom_check_whole(path, &head, failure) || (game->test && !game->test->prepare(core, failure))) {
        destroy(core);
        return NULL;
    }
    /* Opens the file again. */
    if (!patch_load_rom(core, path, patch, failure)) {
        destroy(core);
        return NULL;
    }
    cartridge_loaded(core);
    if (!cartridge_fits(core, path, failure)) {
        destroy(core);
        return NULL;
    }
    return core;
}

/* Sets `file` to the save file, or to "" if none is used, and opens it like libmgba, which reports no reason for a failure. */
static bool check_save_file(const struct game* game, const struct mCore* core, const char* path, char file[static SAVE_PATH],
    struct failure* failure) {
    *file = '\0';
    if (game->test && !game->saves) {
        return true;
    }
    const char* saves = game->saves;
    int length = saves ? snprintf(file, SAVE_PATH, "%s/%s.sav", saves, core->dirs.baseName)
        : snprintf(file, SAVE_PATH, "%.*s%s.sav", (int) (path_name(path) - path), path, core->dirs.baseName);
    if (length < 0 || length >= SAVE_PATH) {
        return failure_set(failure, EXIT_SAVES, "the path of the save file is too long; give --saves a shorter directory");
    }
    return file_can_be_written(file) ||
        failure_set(failure, EXIT_SAVES, "cannot write the save file \"%s\" (%s)" GIVE_SAVES, file, strerror(errno));
}

/* Whether a file consists of 0xFF, as cartridges have it that were never written, or is empty. */
static bool is_unwritten(int descriptor) {
    unsigned char bytes[4096];
    ssize_t count;
    while ((count = read(descriptor, bytes, sizeof(bytes))) > 0) {
        for (ssize_t index = 0; index < count; ++index) {
            if (bytes[index] != 0xFF) {
                return false;
            }
        }
    }
    return count == 0;
}

/* libmgba creates a save file for every game. One that this game did not find and did not write is removed again, unless another program has it open. */
static void remove_unwritten_save(struct game* game) {
    if (game->new_save) {
        file_remove(game->new_save, is_unwritten);
    }
    free(game->new_save);
    game->new_save = NULL;
}

/* Without a buffer, emu:screenshot() and save states with a picture cause a segmentation fault. Before the first reset, which checks for it. */
static bool give_picture(struct game* game, struct mCore* core, struct failure* failure) {
    if (game->draw_none) {
        return true;
    }
    unsigned width;
    unsigned height;
    library_video_size(core, &width, &height);
    if (width > PICTURE_WIDTH || height > PICTURE_HEIGHT) {
        return failure_set(failure, EXIT_INTERNAL, "libmgba requires a picture of %u x %u, which is larger than expected; "
            "build this program for this libmgba", width, height);
    }
    game->pixels = calloc(PICTURE_PIXELS, sizeof(*game->pixels));
    if (!game->pixels) {
        return failure_set(failure, EXIT_INTERNAL, "out of memory");
    }
    /* Stride in pixels. The core keeps the pointer until its end, also through reset and emu:loadFile(). */
    core->setVideoBuffer(core, game->pixels, PICTURE_WIDTH);
    return true;
}

bool game_is_saved(struct failure* failure) {
    return save_file_write() || failure_set(failure, EXIT_SAVES, "%s", save_file_problem());
}

/*
 * Scripts get the parts of the memory that libmgba lists when they are attached. It lists those of a Game Boy when it resets it, before it finds out which
 * model that is: so another time.
 */
static void reset_until_known(struct mCore* core) {
    core->reset(core);
    if (core->platform(core) == mPLATFORM_GB) {
        core->reset(core);
    }
}

bool game_insert(struct game* game, const char* path, const char* patch, const char* cheats, struct failure* failure) {
    char slashes[PATH_MAX];
    path = path_with_slashes(path, slashes);
    struct mCore* core = load_rom(game, path, patch, failure);
    if (!core) {
        return false;
    }
    char save[SAVE_PATH];
    if (!check_save_file(game, core, path, save, failure) || !cartridge_fits_save(core, save, failure)) {
        destroy(core);
        return false;
    }
    if (!game_is_saved(failure)) {
        destroy(core);
        return false;
    }
    /* Writes the save file of the old game before the new one reads it: they may share it. */
    (void) game_close(game);
    char* new_save = *save && access(save, F_OK) ? strdup(save) : NULL;
    wrap_core(game, core);
    /* Opens <ROM>.sav, and load_core_save() takes it over. */
    bool ok = give_picture(game, core, failure) && cheats_open(core, cheats, failure) &&
        (!*save || mCoreAutoloadSave(core) || failure_set(failure, EXIT_SAVES, "libmgba cannot open the save file of \"%s\"" GIVE_SAVES, path));
    if (!ok) {
        (void) cheats_open(NULL, NULL, failure);
        destroy(core);
        free(game->pixels);
        game->pixels = NULL;
        free(new_save);
        return false;
    }
    game->core = core;
    game->new_save = new_save;
    game->crashed = false;
    game->stopped = false;
    game->stepped = false;
    game->in_frame = false;
    game->debugger->of(core);
    sound_open(core);
    steady_sound_open(core);
    rumble_open(core);
    sensors_open(core);
    game_clock_of(core);
    cartridge_of(core);
    kept_of(core);
    if (game->pixels) {
        pixels_of(core);
        picture_open(core, game->pixels, game->draw_all);
    }
    connect_events(game);
    reset_until_known(core);
    game->listener.attached(game->listener.context, core);
    return true;
}

/* --- start, frames and end -------------------------------------------------------------------------------------------------------------- */

void game_start(struct game* game) {
    raise(game, "start");
    raise(game, "reset");
}

void game_reset(struct game* game) {
    game->core->reset(game->core);
    raise(game, "reset");
}

bool game_close(struct game* game) {
    if (!game->core) {
        return true;
    }
    struct mCore* core = game->core;
    raise(game, "shutdown");
    game->listener.detached(game->listener.context, core);
    core->clearCoreCallbacks(core);
    game->core = NULL;
    game->debugger->of(NULL);
    picture_close();
    pixels_of(NULL);
    kept_of(NULL);
    game_clock_of(NULL);
    cartridge_of(NULL);
    sound_close();
    (void) cheats_open(NULL, NULL, NULL);
    destroy(core);
    remove_unwritten_save(game);
    /* After the core, which draws into it until its end. */
    free(game->pixels);
    game->pixels = NULL;
    return !*save_file_problem();
}

bool game_can_run(const struct game* game) {
    return game->core && !game->crashed && !game->stopped && !game->debugger->is_halted();
}

const char* game_condition(const struct game* game) {
    return !game->core ? "none" : game->crashed ? "crashed" : game->stopped ? "stopped" :
        game->debugger->is_halted() ? "halted" : "running";
}

static void begin_frame(struct game* game) {
    channels_before_frame(game->core);
    if (game->pixels) {
        /* A script may press other keys while the frame runs. */
        picture_before_frame(game->listener.hears(game->listener.context, "keysRead") || game->debugger->is_active());
    }
}

/*
 * runLoop() runs to the machine's next event, as in mgba-qt's CPU thread. runFrame() would continue after a crash or a stop until its frame counter changes,
 * and scripts would see a frame that the window does not have. Only the debugger's loop halts the machine.
 */
static void run_with(struct game* game, void (*run_loop)(struct mCore* core)) {
    do {
        run_loop(game->core);
        if (game->stepped) {
            end_steps(game);
        }
    } while (!game->frame_ended && !game->crashed && !game->stopped && (run_loop == game->core->runLoop || !game->debugger->is_halted()));
}

void game_run_frame(struct game* game) {
    game->frame_ended = false;
    if (!game->in_frame) {
        begin_frame(game);
    }
    game->in_frame = true;
    game->debugger->run_begins(game);
    if (game->debugger->is_active()) {
        run_with(game, game->debugger->run_loop);
    } else if (game->debugger->counts()) {
        run_with(game, game->debugger->count_loop);
    } else {
        run_with(game, game->core->runLoop);
    }
    game->debugger->run_ended(game);
    game->in_frame &= !game->frame_ended;
}

/* --- states ---------------------------------------------------------------------------------------------------------------- */

static bool is_slot(const char* where, int* slot) {
    uint64_t number;
    if (strcmp(where, "0") == 0) {
        *slot = 0;
        return true;
    }
    if (!numbers_count(where, SLOT_LIMIT, &number)) {
        return false;
    }
    *slot = (int) number;
    return true;
}

bool game_save_state(struct game* game, const char* where, struct failure* failure) {
    int slot;
    if (is_slot(where, &slot)) {
        return mCoreSaveState(game->core, slot, SAVE_FLAGS) ||
            failure_set(failure, EXIT_SAVES, "cannot write slot %d; check that its directory can be written", slot);
    }
    /* With read access: the PNG library seeks and reads back. */
    struct VFile* file = VFileOpen(where, O_CREAT | O_TRUNC | O_RDWR);
    if (!file) {
        return failure_set(failure, EXIT_SAVES, "cannot open \"%s\" (%s); give a file that can be written", where, strerror(errno));
    }
    bool saved = mCoreSaveStateNamed(game->core, file, SAVE_FLAGS);
    bool closed = file->close(file);
    return (saved && closed) || failure_set(failure, EXIT_SAVES, "cannot write \"%s\"; check that its disk has free space", where);
}

static bool refuse_state(struct failure* failure) {
    const char* problem = cartridge_problem();
    return *problem && !failure_set(failure, EXIT_CARTRIDGE, "%s", problem);
}

bool game_load_state(struct game* game, const char* where, struct failure* failure) {
    int slot;
    (void) cartridge_problem(); /* of a state that a script loaded */
    if (is_slot(where, &slot)) {
        if (mCoreLoadState(game->core, slot, LOAD_FLAGS)) {
            return true;
        }
        return !refuse_state(failure) && failure_set(failure, EXIT_SAVES, "slot %d is empty or of another game; save to it first", slot);
    }
    struct VFile* file = VFileOpen(where, O_RDONLY);
    if (!file) {
        return failure_set(failure, EXIT_SAVES, "cannot open \"%s\" (%s); give a state file", where, strerror(errno));
    }
    bool loaded = mCoreLoadStateNamed(game->core, file, LOAD_FLAGS);
    (void) file->close(file); /* opened for reading: cannot lose data */
    if (loaded) {
        return true;
    }
    return !refuse_state(failure) && failure_set(failure, EXIT_SAVES, "\"%s\" is not a state of this game; give one saved from it", where);
}
