/* The game: one emulated machine with a ROM in it, its save file, and its events for the scripts. */
#ifndef HEADLESS_MACHINE_GAME_H
#define HEADLESS_MACHINE_GAME_H

#include "base/failure.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

struct VDir;
struct VFile;

/* Who learns of the events of a game: its scripts. */
struct game_listener {
    void* context;
    void (*attached)(void* context, struct mCore* core); /* `emu` exists from here */
    void (*detached)(void* context, struct mCore* core); /* to here */
    bool (*hears)(void* context, const char* event);
    void (*event)(void* context, const char* event);
    void (*frame)(void* context); /* the event `frame` */
};

struct game;

/* What may halt the machine between two instructions (debugger/travel.h). */
struct game_debugger {
    void (*of)(struct mCore* core); /* a game was opened; NULL: it is closed */
    void (*run_begins)(const struct game* game); /* before each call of game_run_frame() */
    void (*run_ended)(const struct game* game);
    bool (*is_active)(void);        /* run_loop() runs the machine, and not the core's runLoop() */
    void (*run_loop)(struct mCore* core);
    bool (*counts)(void);           /* otherwise count_loop() does, which does not halt the machine, or the core's */
    void (*count_loop)(struct mCore* core);
    bool (*is_halted)(void);
    void (*moved)(void);            /* by a reset or a state */
    void (*ignore)(bool ignored);   /* what follows is a script's doing */
};

/* A run of a test ROM. */
struct game_test {
    bool (*prepare)(struct mCore* core, struct failure* failure); /* before the ROM is loaded */
    void (*connect)(struct mCoreCallbacks* callbacks);            /* replaces events of the core */
};

struct game {
    struct game_listener listener;
    const struct game_debugger* debugger;
    const struct game_test* test; /* NULL: this is no run of a test ROM. Otherwise a save file is used only in a directory that is given */
    const char* saves;  /* directory, or NULL: beside the ROM, that of a test none */
    struct mCore* core; /* NULL: no game, and scripts see emu == nil */
    pixel* pixels;      /* NULL with draw_none */
    char* new_save;     /* the save file, if it did not exist when the game was opened; otherwise NULL */
    uint64_t frames;    /* all `frame` events since the program began */
    bool draw_all;      /* also frames nobody looks at */
    bool draw_none;     /* no script runs that could take a picture */
    bool in_frame;      /* a frame has begun, and has not ended because the debugger halted the machine */
    bool frame_ended;   /* inside game_run_frame(): the picture is done */
    bool stepped;       /* by a script, inside the event of a frame */
    bool crashed;       /* jumped to an invalid address; no frame runs until it is reset or a state is loaded */
    bool refused;       /* the state that was loaded last: nothing else of its file is used either */
    bool stopped;       /* the game stopped its machine; no frame runs until it is reset or a state is loaded */
    /* The core's own functions, of which those of game.c wrap some: to clear the two flags above, to keep the sound and the save, to close the directory of the ROM before, and to step safely. */
    struct mCore own;
    struct VDir* directory; /* of the ROM */
};

/* For scripts: headless.isRom(path), whether a file is a ROM, or an archive with one, for the console that runs. */
bool game_is_rom(const char* path);

/* Opens a ROM. The old game is closed only if the new one can be loaded. `emu` exists afterwards; the machine is reset and no frame has run. */
bool game_insert(struct game* game, const char* path, const char* patch, const char* cheats, struct failure* failure);
/*
 * Raises `start` and `reset`. Unlike in the window, scripts have both `emu` and these events. In the window a script is loaded either before a game (it gets
 * the events, but `emu` is nil at its top level) or into a running game (`emu` exists, the events have passed). There is no second reset, so what a
 * script does to the machine while it loads (a state, a write) remains.
 */
void game_start(struct game* game);
/* Resets the machine, then raises `reset` once. */
void game_reset(struct game* game);
/* Whether the save file has all that the game saved, or could be written now. Otherwise to close the game loses it. */
bool game_is_saved(struct failure* failure);
/* Raises `shutdown` while `emu` still exists, writes save data, and sets `emu` to nil. Does nothing without a game. False if the save was lost. */
bool game_close(struct game* game);

/* A game is open, and neither crashed nor stopped nor halted. */
bool game_can_run(const struct game* game);
/* "running", or why it cannot run: "none", "crashed", "stopped", "halted". */
const char* game_condition(const struct game* game);
/* Runs until the next picture is done, the game crashed or stopped its machine, or the debugger has halted it: then the next call continues the frame. */
void game_run_frame(struct game* game);

/* `where` is a slot if it is a number, otherwise a file. */
bool game_save_state(struct game* game, const char* where, struct failure* failure);
bool game_load_state(struct game* game, const char* where, struct failure* failure);

#endif
