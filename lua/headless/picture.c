#include "picture.h"

#include "game.h"

#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gba/gba.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* After a picture was taken: as many frames are drawn at once, since making one later costs a frame. */
#define FRAMES_AFTER_PICTURE 4

/* One game at a time, and the hooks below get the core only. */
static struct {
    struct game* game;
    struct mCore* core;
    struct mCore* second; /* made when it is needed first */
    pixel* pixels;        /* of the second */
    char path[PATH_MAX];
    void* state;          /* of the core when the frame started */
    size_t size;
    uint32_t keys;
    unsigned frames;      /* that ended since then */
    unsigned wanted;      /* frames still to be drawn because of a picture */
    bool skipped;         /* the present frame is not drawn */
    bool always;
    void (*get_pixels)(struct mCore* core, const void** buffer, size_t* stride);
    bool (*load_rom)(struct mCore* core, struct VFile* file);
} picture;

static int* skip_counter(struct mCore* core) {
    return core->platform(core) == mPLATFORM_GBA ? &((struct GBA*) core->board)->video.frameskipCounter
        : &((struct GB*) core->board)->video.frameskipCounter;
}

/* A second machine would show another game: the ROM was changed in memory, or a Super Game Boy draws a border. */
static bool is_special(struct mCore* core) {
    if (core->platform(core) == mPLATFORM_GBA) {
        return !((const struct GBA*) core->board)->isPristine;
    }
    const struct GB* gb = core->board;
    return !gb->isPristine || (gb->model & GB_MODEL_SGB) != 0;
}

static void destroy_second(void) {
    if (picture.second) {
        picture.second->unloadROM(picture.second);
        mCoreConfigDeinit(&picture.second->config);
        picture.second->deinit(picture.second);
        picture.second = NULL;
    }
    free(picture.pixels);
    picture.pixels = NULL;
}

static bool create_second(void) {
    struct mCore* core = mCoreFind(picture.path);
    if (!core || !core->init(core)) {
        free(core);
        return false;
    }
    picture.second = core;
    game_configure(core, "");
    picture.pixels = calloc(PICTURE_PIXELS, sizeof(*picture.pixels));
    if (!picture.pixels || !mCoreLoadFile(core, picture.path)) {
        destroy_second();
        return false;
    }
    core->setVideoBuffer(core, picture.pixels, PICTURE_WIDTH);
    core->reset(core);
    return true;
}

static void copy_saved_data(void) {
    void* saved = NULL;
    size_t size = picture.core->savedataClone(picture.core, &saved);
    if (size > 0) {
        (void) picture.second->savedataRestore(picture.second, saved, size, false);
    }
    free(saved);
}

/* Makes the picture of a frame that was not drawn. False when no second machine can be made: then all frames are drawn from now on. */
static bool draw_again(void) {
    if (!picture.second && !create_second()) {
        return false;
    }
    copy_saved_data();
    if (!picture.second->loadState(picture.second, picture.state)) {
        return false;
    }
    picture.second->setKeys(picture.second, picture.keys);
    for (unsigned i = 1; i <= picture.frames; ++i) {
        *skip_counter(picture.second) = i < picture.frames;
        picture.second->runFrame(picture.second);
    }
    memcpy(picture.game->pixels, picture.pixels, PICTURE_PIXELS * sizeof(*picture.pixels));
    return true;
}

static void get_pixels(struct mCore* core, const void** buffer, size_t* stride) {
    if (picture.skipped) {
        picture.skipped = false;
        picture.always = !draw_again();
    }
    picture.wanted = FRAMES_AFTER_PICTURE;
    picture.get_pixels(core, buffer, stride);
}

/* emu:loadFile() puts another ROM into the same core. */
static bool load_rom(struct mCore* core, struct VFile* file) {
    picture.always = true;
    return picture.load_rom(core, file);
}

void picture_open(struct game* game, const char* path, bool all) {
    struct mCore* core = game->core;
    picture.game = game;
    picture.core = core;
    picture.frames = picture.wanted = 0;
    picture.skipped = false;
    picture.size = core->stateSize(core);
    picture.state = malloc(picture.size);
#ifdef LIBMGBA_0_11
    all = true; /* pictures made later were not always the same with 0.11-dev */
#endif
    picture.always = all || !picture.state || strlen(path) >= sizeof(picture.path);
    if (!picture.always) {
        strcpy(picture.path, path);
    }
    picture.get_pixels = core->getPixels;
    picture.load_rom = core->loadROM;
    core->getPixels = get_pixels;
    core->loadROM = load_rom;
}

void picture_close(void) {
    destroy_second();
    free(picture.state);
    picture.state = NULL;
    picture.core = NULL;
}

void picture_before_frame(bool draw) {
    struct mCore* core = picture.core;
    bool drawn = draw || picture.always || picture.wanted > 0 || is_special(core) || !core->saveState(core, picture.state);
    picture.wanted -= picture.wanted > 0;
    picture.frames = 0;
    picture.skipped = !drawn;
    if (!drawn) {
        picture.keys = core->getKeys(core);
    }
    /* The picture is drawn when the counter is 0 or less; each frame takes one from it. */
    *skip_counter(core) = drawn ? 0 : INT_MAX / 2;
}

void picture_frame_ended(void) {
    ++picture.frames;
}
