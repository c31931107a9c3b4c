/*
 * What the cartridge and the console are, where libmgba does not know it or guesses wrongly. Options say it; for scripts:
 *
 *   headless.cartridge()   what is in force, a line each: "KEY VALUE ORIGIN"
 *
 *                          (and why the idle loop of the option is none, where the game stands because of it: key idle-loop-problem)
 *   headless.stateProblem()   why the state that was loaded last is refused, once; otherwise empty
 *
 * Keys are save-type, hardware and idle-loop (GBA), mbc and palette (GB, palette not of those with colours), model, bios, skip-bios and clock. Values are those of
 * the options, and `unknown` (save-type: the game has not touched its save memory yet), `unlicensed` (mbc), and for bios `built-in`, `official` or `other`. Origins
 * are option, table (libmgba's, by the game's code), guess (by a text or the header of the ROM), detected (by what the game does or the BIOS is), state (one that
 * was loaded had another), script (of the clock: headless.setClock()) and default. A state does not tell a CGB from an SCGB or AGB where the game is for the first
 * Game Boy.
 *
 * Save type, hardware, idle loop and controller belong to the ROM that the program is started with, whose CRC32 is kept; the others to every game.
 */
#ifndef HEADLESS_MACHINE_CARTRIDGE_H
#define HEADLESS_MACHINE_CARTRIDGE_H

#include "base/failure.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

#define CARTRIDGE_COLOURS 12

/* Options. */
struct cartridge {
    const struct cartridge_save* save;    /* NULL: not given, as all of these */
    const struct cartridge_mapper* mapper;
    const char* model;                    /* libmgba's name */
    const char* bios;                     /* a file */
    uint32_t idle_loop;
    int hardware;                         /* libmgba's bits */
    bool has_idle_loop;
    bool has_hardware;
    bool has_palette;
    bool skips_bios;
    uint32_t palette[CARTRIDGE_COLOURS];
};

/* The values of options. */
bool cartridge_parse_save_type(const char* text, struct cartridge* cartridge, struct failure* failure);
bool cartridge_parse_hardware(const char* text, struct cartridge* cartridge, struct failure* failure);
bool cartridge_parse_idle_loop(const char* text, struct cartridge* cartridge, struct failure* failure);
bool cartridge_parse_model(const char* text, struct cartridge* cartridge, struct failure* failure);
bool cartridge_parse_mbc(const char* text, struct cartridge* cartridge, struct failure* failure);
bool cartridge_parse_palette(const char* text, struct cartridge* cartridge, struct failure* failure);
/* Whether the options agree with each other. */
bool cartridge_check(struct cartridge* cartridge, struct failure* failure);

/* The options of all games, kept by pointer. */
void cartridge_begin(const struct cartridge* cartridge);
/* After library_configure(). */
void cartridge_configure(struct mCore* core);
/* A ROM was loaded; the first one is what the program was started with. */
void cartridge_loaded(struct mCore* core);
/* Whether the options are possible for the ROM, if it is the first one; warns on stderr. */
bool cartridge_fits(struct mCore* core, const char* rom, struct failure* failure);
/* Whether its save file has the size of the save type. */
bool cartridge_fits_save(struct mCore* core, const char* file, struct failure* failure);
void cartridge_after_reset(struct mCore* core);
/* Whether a state is of the model that --model says; libmgba itself would continue as that one. */
bool cartridge_accepts(struct mCore* core, const void* state);
/* Why it was not accepted last, once; otherwise "". */
const char* cartridge_problem(void);
struct mScriptValue* cartridge_problem_value(void);
/* A state has the hardware and the save type of where it was saved. */
void cartridge_after_load(struct mCore* core);

/* Warns on stderr when the game is halted for good in the loop of --idle-loop. */
void cartridge_frame_ended(struct mCore* core);

/* A game was put in, or NULL: it is taken out. */
void cartridge_of(struct mCore* core);
struct mScriptValue* cartridge_value(void);

#endif
