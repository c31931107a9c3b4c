/* The command line: options, defaults and limits. */
#ifndef HEADLESS_OPTIONS_H
#define HEADLESS_OPTIONS_H

#include "base/failure.h"
#include "machine/cartridge.h"
#include "machine/game-clock.h"
#include "rom-test/rom-test.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames per second of the real machines: 16777216 / 280896 (GBA) and 4194304 / 70224 (GB). A rate above the limit is a typing error. */
#define FPS_DEFAULT 59.7275
#define FPS_LIMIT 100000.0
#define STATS_SECONDS_DEFAULT 5.0
/* mGBA's. */
#define GDB_PORT_DEFAULT 2345
#define STATS_SECONDS_LIMIT 86400.0

struct options {
    bool testing;         /* called as mgba-rom-test, or with --rom-test as the first option */
    struct rom_test test;
    struct setting* settings; /* of libmgba */
    size_t setting_count;
    struct cartridge cartridge;
    struct game_clock clock;
    const char** scripts; /* in the order given */
    size_t script_count;
    double fps;           /* 0: unlimited */
    uint64_t frames;      /* 0: no limit */
    double stats_seconds; /* 0: only on SIGUSR1 */
    const char* saves;    /* NULL: beside the ROM */
    const char* control;  /* a FIFO, "-" for the standard input; NULL: none */
    const char* rom;
    const char* patch;    /* of the ROM; NULL: none */
    const char* cheats;   /* a file; NULL: none */
    bool paused;          /* at the start */
    bool draw_all;
    const char* render;   /* a folder; NULL: none */
    const char* coverage; /* a file; NULL: none */
    bool gdb;             /* a debugger may attach */
    uint16_t gdb_port;    /* 0: any that is free */
    uint32_t history;     /* megabytes; 0: none is kept */
    bool verbose;
    bool help;
    bool version;
};

bool options_parse(struct options* options, int argc, char** argv, struct failure* failure);
void options_free(struct options* options);
void options_print_help(const struct options* options);
void options_print_version(const struct options* options);
/* The name of the program that it is called as. */
const char* options_program(const struct options* options);

#endif
