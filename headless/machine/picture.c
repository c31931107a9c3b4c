#include "machine/picture.h"

#include "machine/game-clock.h"
#include "machine/replica.h"
#include "machine/sensors.h"

#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gba/gba.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Where a console sees the ROM. */
#define GBA_ROM 0x08000000u
#define GBA_ROM_END 0x0E000000u
#define GB_ROM_END 0x8000u
#define LONGEST_REPLAY 32 /* frames */

/* GBA: addresses that are no memory, and the register that chooses the keys of an interrupt. */
#define GBA_REGISTERS 0x04000000u
#define GBA_REGISTERS_END 0x05000000u
#define GBA_SAVE 0x0D000000u
/* Six bytes of a GBA ROM are registers of devices in the cartridge. */
#define DEVICES_AT 0xC4
#define DEVICES_END 0xCA
#define KEYCNT 0x132
#define KEY_INTERRUPT 0x4000
/* GB: addresses that are no memory. */
#define GB_SAVE 0xA000u
#define GB_SAVE_END 0xC000u
#define GB_REGISTERS 0xFF00u
#define GB_REGISTERS_END 0xFF80u

/* One game at a time, and the hooks below get the core only. */
static struct {
    struct mCore* core;
    pixel* pixels;        /* into which the core draws */
    struct replica second; /* made when it is needed first */
    struct sensors* sensors; /* of the second, as they were when the state was kept */
    pixel* compared_pixels;
    void* state;          /* of the core when this frame or one before it started */
    size_t size;
    struct game_clock_kept clock; /* at this time */
    uint32_t keys[LONGEST_REPLAY]; /* of each frame since then */
    unsigned frames;      /* that ended since then */
    bool touched;         /* since then, by a script or a control command, other than its keys */
    unsigned since;       /* frames since a picture was taken last */
    unsigned interval;    /* between the last two, in frames; 0 before */
    bool skipped;         /* the present frame is not drawn */
    bool replaced;        /* no frame has run since a state was loaded or the game was reset */
    bool always;
    uint64_t drawn;
    struct mCore functions; /* of libmgba; those of the core are replaced below */
} picture;

static bool is_gba(struct mCore* core) {
    return core->platform(core) == mPLATFORM_GBA;
}

static int* skip_counter(struct mCore* core) {
    return is_gba(core) ? &((struct GBA*) core->board)->video.frameskipCounter : &((struct GB*) core->board)->video.frameskipCounter;
}

static void destroy_second(void) {
    replica_destroy(&picture.second);
    free(picture.compared_pixels);
    picture.compared_pixels = NULL;
}

static bool create_second(void) {
    picture.compared_pixels = calloc(PICTURE_PIXELS, sizeof(*picture.compared_pixels));
    if (picture.compared_pixels && replica_create(&picture.second, picture.core, picture.sensors)) {
        return true;
    }
    destroy_second();
    return false;
}

/* Loads the kept state into the second machine, with the save data of the first. */
static bool load_second(struct game_clock_kept clock) {
    if (!picture.second.core && !create_second()) {
        return false;
    }
    void* saved = NULL;
    const size_t size = picture.core->savedataClone(picture.core, &saved);
    const bool loaded = replica_load(&picture.second, picture.state, saved, size, clock);
    free(saved);
    return loaded;
}

/* Makes the picture of a frame that was not drawn. False when no second machine can be made: then all frames are drawn from now on. */
static bool draw_again(void) {
    if (!load_second(picture.clock)) {
        return false;
    }
    struct mCore* second = picture.second.core;
    for (unsigned i = 1; i <= picture.frames; ++i) {
        if (i == 1 || picture.keys[i - 1] != picture.keys[i - 2]) {
            second->setKeys(second, picture.keys[i - 1]);
        }
        *skip_counter(second) = i < picture.frames;
        second->runFrame(second);
    }
    memcpy(picture.pixels, picture.second.pixels, PICTURE_PIXELS * sizeof(*picture.pixels));
    ++picture.drawn;
    return true;
}

/* Draws the picture of video memory and registers as they are, which loadState() has marked as changed. */
static void draw_now(struct mCore* core) {
    if (is_gba(core)) {
        struct GBAVideoRenderer* renderer = ((struct GBA*) core->board)->video.renderer;
        for (int y = 0; y < GBA_VIDEO_VERTICAL_PIXELS; ++y) {
            renderer->drawScanline(renderer, y);
        }
        renderer->finishFrame(renderer);
    } else {
        struct GBVideoRenderer* renderer = ((struct GB*) core->board)->video.renderer;
        for (int y = 0; y < GB_VIDEO_VERTICAL_PIXELS; ++y) {
            renderer->drawRange(renderer, 0, GB_VIDEO_HORIZONTAL_PIXELS, y);
            renderer->finishScanline(renderer, y);
        }
        renderer->finishFrame(renderer);
    }
}

/* Whether the second machine has the state that the first one continues from. */
static bool share_state(struct mCore* core) {
    if (picture.always || replica_difference(core) || !core->saveState(core, picture.state)) {
        return false;
    }
    sensors_copy(picture.sensors);
    return load_second(game_clock_keep(core));
}

/*
 * A state has no picture. That of its moment is made from its video memory and registers, which a frame ends with. Where a game changes these while a
 * frame is drawn (a status bar, a wave), it would look as at no moment: there the picture is that of the frame after it. The second machine runs
 * this frame and says which case it is.
 */
static void draw_replaced(struct mCore* core) {
    const size_t size = PICTURE_PIXELS * sizeof(*picture.pixels);
    picture.touched = true;
    ++picture.drawn;
    if (!share_state(core)) {
        draw_now(core);
        return;
    }
    struct mCore* second = picture.second.core;
    draw_now(second);
    memcpy(picture.pixels, picture.second.pixels, size);
    second->setKeys(second, core->getKeys(core));
    *skip_counter(second) = 0;
    second->runFrame(second);
    memcpy(picture.compared_pixels, picture.second.pixels, size);
    if (second->saveState(second, picture.state) && second->loadState(second, picture.state)) {
        draw_now(second);
        if (memcmp(picture.compared_pixels, picture.second.pixels, size) != 0) {
            memcpy(picture.pixels, picture.compared_pixels, size);
        }
    }
}

static void get_pixels(struct mCore* core, const void** buffer, size_t* stride) {
    if (picture.replaced) {
        picture.replaced = picture.skipped = false;
        draw_replaced(core);
    }
    if (picture.skipped) {
        picture.skipped = false;
        picture.always = !draw_again();
    }
    if (picture.since > 0) {
        picture.interval = picture.since;
        picture.since = 0;
    }
    picture.functions.getPixels(core, buffer, stride);
}

/* emu:loadFile() puts another ROM into the same core. */
static bool load_rom(struct mCore* core, struct VFile* file) {
    picture.always = true;
    return picture.functions.loadROM(core, file);
}

/* --- what a script does to the machine between two frames, other than to press keys ------------------------------------------------------- */

static void note_write(struct mCore* core, uint32_t address) {
    picture.touched = true;
    if (is_gba(core) ? address >= GBA_ROM && address < GBA_ROM_END : address < GB_ROM_END) {
        replica_rom_written();
    }
}

/* To read a register, or a device in the cartridge, may change it. */
static void note_read(struct mCore* core, uint32_t address) {
    if (is_gba(core)) {
        picture.touched |= (address >= GBA_REGISTERS && address < GBA_REGISTERS_END) || address - GBA_ROM - DEVICES_AT < DEVICES_END - DEVICES_AT || address >= GBA_SAVE;
    } else {
        picture.touched |= (address >= GB_SAVE && address < GB_SAVE_END) || (address >= GB_REGISTERS && address < GB_REGISTERS_END);
    }
}

#define NOTED_READ(NAME) \
    static uint32_t NAME(struct mCore* core, uint32_t address) { \
        note_read(core, address); \
        return picture.functions.NAME(core, address); \
    }

#define NOTED_BUS_WRITE(NAME, TYPE) \
    static void NAME(struct mCore* core, uint32_t address, TYPE value) { \
        picture.touched = true; \
        picture.functions.NAME(core, address, value); \
    }

#define NOTED_RAW_WRITE(NAME, TYPE) \
    static void NAME(struct mCore* core, uint32_t address, int segment, TYPE value) { \
        note_write(core, address); \
        picture.functions.NAME(core, address, segment, value); \
    }

#define NOTED_CALL(NAME) \
    static void NAME(struct mCore* core) { \
        picture.touched = true; \
        picture.functions.NAME(core); \
    }

NOTED_READ(busRead8)
NOTED_READ(busRead16)
NOTED_READ(busRead32)
NOTED_BUS_WRITE(busWrite8, uint8_t)
NOTED_BUS_WRITE(busWrite16, uint16_t)
NOTED_BUS_WRITE(busWrite32, uint32_t)
NOTED_RAW_WRITE(rawWrite8, uint8_t)
NOTED_RAW_WRITE(rawWrite16, uint16_t)
NOTED_RAW_WRITE(rawWrite32, uint32_t)
NOTED_CALL(step)

static void reset(struct mCore* core) {
    picture.touched = picture.replaced = true;
    picture.functions.reset(core);
}

static bool load_state(struct mCore* core, const void* state) {
    picture.touched = true;
    if (!picture.functions.loadState(core, state)) {
        return false;
    }
    picture.replaced = true;
    return true;
}

/* The picture in the file of a state. */
static void put_pixels(struct mCore* core, const void* buffer, size_t stride) {
    picture.replaced = picture.skipped = false;
    picture.functions.putPixels(core, buffer, stride);
}

static bool write_register(struct mCore* core, const char* name, register_value value) {
    picture.touched = true;
    return picture.functions.writeRegister(core, name, value);
}

static bool restore_save(struct mCore* core, const void* data, size_t size, bool writeback) {
    picture.touched = true;
    return picture.functions.savedataRestore(core, data, size, writeback);
}

static bool load_save(struct mCore* core, struct VFile* file) {
    picture.touched = true;
    return picture.functions.loadSave(core, file);
}

static void replace_functions(struct mCore* core) {
    picture.functions = *core;
    core->getPixels = get_pixels;
    core->putPixels = put_pixels;
    core->loadROM = load_rom;
    core->busRead8 = busRead8;
    core->busRead16 = busRead16;
    core->busRead32 = busRead32;
    core->busWrite8 = busWrite8;
    core->busWrite16 = busWrite16;
    core->busWrite32 = busWrite32;
    core->rawWrite8 = rawWrite8;
    core->rawWrite16 = rawWrite16;
    core->rawWrite32 = rawWrite32;
    core->reset = reset;
    core->step = step;
    core->loadState = load_state;
    core->writeRegister = write_register;
    core->savedataRestore = restore_save;
    core->loadSave = load_save;
}

void picture_open(struct mCore* core, pixel* pixels, bool all) {
    picture.core = core;
    picture.pixels = pixels;
    picture.frames = picture.since = picture.interval = 0;
    picture.skipped = picture.replaced = false;
    replica_rom_opened();
    picture.touched = true;
    picture.size = core->stateSize(core);
    picture.state = malloc(picture.size);
    picture.sensors = sensors_create();
#ifdef LIBMGBA_0_11
    all = true; /* pictures made later were not always the same with 0.11-dev */
#endif
    picture.always = all || !picture.state || !picture.sensors;
    replace_functions(core);
}

void picture_close(void) {
    destroy_second();
    free(picture.state);
    free(picture.sensors);
    picture.state = NULL;
    picture.sensors = NULL;
    picture.core = NULL;
}

void picture_touched(void) {
    picture.touched = true;
}

/* Whether the game has changed its save data, which a state does not contain. */
static bool is_save_dirty(struct mCore* core) {
    return is_gba(core) ? ((const struct GBA*) core->board)->memory.savedata.dirty : ((const struct GB*) core->board)->sramDirty;
}

/* Whether the keys of this frame can be pressed again later: where they cause an interrupt, its moment counts. */
static bool can_repeat(struct mCore* core, uint32_t keys) {
    return keys == picture.keys[picture.frames - 1] || (is_gba(core) && !(((const struct GBA*) core->board)->memory.io[KEYCNT >> 1] & KEY_INTERRUPT));
}

/* Whether the machine before this frame follows from the kept state and the keys since then. */
static bool follows(struct mCore* core, uint32_t keys) {
    return !picture.touched && picture.frames > 0 && picture.frames < LONGEST_REPLAY && !is_save_dirty(core) && can_repeat(core, keys);
}

static void keep_state(struct mCore* core) {
    picture.frames = 0;
    picture.clock = game_clock_keep(core);
    sensors_copy(picture.sensors);
    picture.touched = !core->saveState(core, picture.state); /* when it has no memory */
}

void picture_before_frame(bool draw) {
    struct mCore* core = picture.core;
    const uint32_t keys = core->getKeys(core);
    const bool must_draw = draw || picture.always || replica_difference(core);
    bool drawn = must_draw || picture.since + 1 == picture.interval;
    picture.touched |= must_draw || !follows(core, keys);
    if (picture.touched && !drawn) {
        keep_state(core);
        drawn = picture.touched;
    }
    if (!picture.touched) {
        picture.keys[picture.frames] = keys;
    }
    picture.skipped = !drawn;
    picture.drawn += drawn;
    /* The picture is drawn when the counter is 0 or less; each frame takes one from it. */
    *skip_counter(core) = drawn ? 0 : INT_MAX / 2;
}

void picture_frame_ended(void) {
    picture.replaced = false;
    ++picture.frames;
    ++picture.since;
}

uint64_t picture_drawn(void) {
    return picture.drawn;
}
