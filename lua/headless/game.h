/* The game: one emulated machine with a ROM in it, its save file, and its events on their way to the scripts. */
#ifndef HEADLESS_GAME_H
#define HEADLESS_GAME_H

#include "failure.h"
#include "library.h"

#include <stdbool.h>
#include <stdint.h>

struct scripts;

struct game {
    struct scripts* scripts;
    const char* saves;  /* directory, or NULL: beside the ROM */
    struct mCore* core; /* NULL: no game, and scripts see emu == nil */
    pixel* pixels;
    uint64_t frames;    /* all `frame` events since the program began */
    bool frame_ended;   /* inside game_run_frame(): the picture is done */
    bool crashed;       /* jumped to an invalid address; no frame runs until it is reset or a state is loaded */
    bool stopped;       /* the game stopped its machine; no frame runs until it is reset or a state is loaded */
    /* The core's own functions, behind those of game.c that clear the two above. */
    void (*reset)(struct mCore* core);
    bool (*load_state)(struct mCore* core, const void* state);
};

/* Puts a ROM in: the old game is closed only when the new one can be loaded. `emu` exists after this; nothing has run. */
bool game_insert(struct game* game, const char* path, struct failure* failure);
/* Resets the machine without telling the scripts. */
void game_reset_silently(struct game* game);
/* Events in the order of a game that is opened in the window: start, machine reset, reset. */
void game_start(struct game* game);
/* The machine is reset, then the scripts see `reset`, once. */
void game_reset(struct game* game);
/* Scripts see `shutdown` while `emu` is still there; save data is written; `emu` is nil. Without a game: nothing. */
void game_close(struct game* game);

/* Present, not crashed and not stopped. */
bool game_can_run(const struct game* game);
/* "running", or why it cannot run: "none", "crashed", "stopped". */
const char* game_condition(const struct game* game);
/* Runs until the next picture is done, or the game crashed or stopped its machine. */
void game_run_frame(struct game* game);

/* `where` is a slot when it is a number, otherwise a file. */
bool game_save_state(struct game* game, const char* where, struct failure* failure);
bool game_load_state(struct game* game, const char* where, struct failure* failure);

#endif
