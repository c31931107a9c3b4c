/*
 * The save file of the game (docs/decisions/0031). libmgba would map it: a full disk, or a program that cuts the file, would end the emulator.
 * Here the game's save memory is memory of the program, and what the game wrote in a frame is in the file when the frame ends.
 */
#ifndef HEADLESS_MACHINE_SAVE_FILE_H
#define HEADLESS_MACHINE_SAVE_FILE_H

#include "machine/library.h"

#include <stdbool.h>
#include <stddef.h>

enum save_source {
    SAVE_OF_STATE, /* of a state that was loaded: the file stays as it is until the game writes */
    SAVE_OF_GAME,  /* the save from now on */
    SAVE_SENT,     /* the save from now on, and on disk when the call returns, or save_file_problem() says why not */
};

/*
 * Takes over a file that libmgba opened, and returns what libmgba is to use instead. NULL if it is no save file that can be read; it is
 * closed then, too. It belongs to this core.
 */
struct VFile* save_file_open(struct mCore* core, struct VFile* file);
/* A copy in memory of a file that is not to be written. Closes it. */
struct VFile* save_file_copy(struct VFile* file);

/* Whether the game uses the save file: there is one, and no temporary one in its place. */
bool save_file_in_use(const struct mCore* core);
/* Gives the game other save data. False if it is too large. */
bool save_file_restore(struct mCore* core, const void* data, size_t size, enum save_source source);
/*
 * Adds the bytes of a GBA cartridge's clock to a copy of the save data, which is made by malloc(), if the file has them or the game has
 * read its clock: libmgba leaves them out of states, unlike a Game Boy's. Returns the size of the copy.
 */
size_t save_file_append_clock(struct mCore* core, void** data, size_t size);
/* Before the core loads a state: what the game wrote until now belongs to its file. */
void save_file_before_load(struct mCore* core);
/* Before a reset, before the game is closed, and after a load that is to keep the save: the save memory is again what the file has or gets. */
void save_file_settle(struct mCore* core);

/* What the save memory has, of whatever state, is the save from now on. False if the file does not have it, and save_file_problem() says why. */
bool save_file_adopt(struct mCore* core);

/* A script has written to the save memory: this counts as a write of the game. On the bus only if the memory has taken it. */
void save_file_touched(struct mCore* core, bool on_bus);
/* Before the program waits: what scripts have written is in the file. */
void save_file_serve(void);
/* What the game wrote in this frame is in the file. */
void save_file_frame_ended(struct mCore* core);

/* Writes what the file does not have yet. False if that is impossible. */
bool save_file_write(void);
/* Why the file does not have what the game saved, or "". */
const char* save_file_problem(void);
/* The same for scripts. */
struct mScriptValue* save_file_problem_value(void);

#endif
