/*
 * How many steps a second does a loop inside the emulator's process reach? The limit that learners through the gateway are compared with.
 *
 *   loop ROM SECONDS values|grey [FRAMES]     prints the steps a second
 *
 * A step holds random keys, runs FRAMES (4), of which the last is drawn if the picture is observed, and writes the observation: three numbers of
 * memory, and with `grey` the picture in 84x84 grey, made by the code of mgba-headless (machine/pixels.c).
 */
#include "machine/library.h"
#include "machine/picture.h"
#include "machine/pixels.h"

#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gba/gba.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIDE 84
#define KEYS 1024
#define STEPS 256 /* between two looks at the clock */
#define WARM_UP 600

static double now(void) {
    struct timespec time;
    (void) clock_gettime(CLOCK_MONOTONIC, &time);
    return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}

static int* skip_counter(struct mCore* core) {
    return core->platform(core) == mPLATFORM_GBA ? &((struct GBA*) core->board)->video.frameskipCounter : &((struct GB*) core->board)->video.frameskipCounter;
}

static uint32_t next_random(uint32_t* state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void ignore_log(struct mLogger* logger, int category, enum mLogLevel level, const char* format, va_list arguments) {
    (void) logger;
    (void) category;
    (void) level;
    (void) format;
    (void) arguments;
}

static void step(struct mCore* core, int frames, bool has_picture, uint32_t* random, uint32_t values[3], uint8_t* picture) {
    core->setKeys(core, next_random(random) % KEYS);
    for (int frame = 1; frame <= frames; ++frame) {
        *skip_counter(core) = has_picture && frame == frames ? 0 : KEYS;
        core->runFrame(core);
    }
    const uint32_t base = core->platform(core) == mPLATFORM_GBA ? 0x02000000 : 0xC100;
    for (uint32_t i = 0; i < 3; ++i) {
        values[i] = core->busRead32(core, base + 8 * i);
    }
    if (has_picture) {
        (void) pixels_copy(1, SIDE, SIDE, picture);
    }
}

int main(int argc, char** argv) {
    static pixel buffer[PICTURE_PIXELS];
    static uint8_t picture[SIDE * SIDE];
    static struct mLogger logger = { .log = ignore_log };
    if (argc < 4 || (strcmp(argv[3], "values") != 0 && strcmp(argv[3], "grey") != 0)) {
        (void) fprintf(stderr, "loop ROM SECONDS values|grey [FRAMES]\n");
        return 2;
    }
    const double seconds = atof(argv[2]);
    const bool has_picture = strcmp(argv[3], "grey") == 0;
    const int frames = argc > 4 ? atoi(argv[4]) : 4;
    mLogSetDefaultLogger(&logger);
    struct mCore* core = mCoreFind(argv[1]);
    if (!core || !core->init(core)) {
        (void) fprintf(stderr, "loop: %s is not a game\n", argv[1]);
        return 1;
    }
    library_configure(core, "");
    core->setVideoBuffer(core, buffer, PICTURE_WIDTH);
    if (!mCoreLoadFile(core, argv[1])) {
        (void) fprintf(stderr, "loop: %s cannot be read\n", argv[1]);
        return 1;
    }
    core->reset(core);
    pixels_of(core);
    uint32_t random = 1;
    uint32_t values[3];
    for (int i = 0; i < WARM_UP; ++i) {
        step(core, 1, false, &random, values, picture);
    }
    long steps = 0;
    uint32_t seen = 0;
    const double began = now();
    double spent;
    do {
        for (int i = 0; i < STEPS; ++i) {
            step(core, frames, has_picture, &random, values, picture);
            seen ^= values[0] ^ values[1] ^ values[2] ^ picture[i];
        }
        steps += STEPS;
        spent = now() - began;
    } while (spent < seconds);
    (void) printf("%.1f\n", (double) steps / spent);
    (void) fprintf(stderr, "loop: %ld steps, %08x\n", steps, seen);
    core->deinit(core);
    return 0;
}
