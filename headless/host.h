/* The state of the program and its main loop, which does what the window does in mgba-qt. */
#ifndef HEADLESS_HOST_H
#define HEADLESS_HOST_H

#include "control.h"
#include "machine/game.h"
#include "machine/pace.h"
#include "options.h"
#include "scripts/scripts.h"
#include "stats.h"

#include <stdbool.h>
#include <stdint.h>

struct host {
    struct options options;
    struct control control;
    struct scripts scripts;
    struct game game;
    struct pace pace;
    struct stats stats;
    bool paused;
    bool advancing;        /* running a counted number of frames while paused */
    uint64_t advance_from; /* game.frames when it began */
    uint64_t advance_to;   /* game.frames when it is done */
    int64_t idle_ns;       /* until then a debugger that asks one thing after the other does not wait for the scripts */
    bool stopping;
    int exit_code;         /* if nothing failed */
};

/* Runs until a signal, `stop`, --frames or the end of a test ends it, or the game stopped its machine and nothing could reset it. */
void host_run(struct host* host);

#endif
