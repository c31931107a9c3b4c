/*
 * Debugging: breakpoints and watchpoints, and a machine that stands between two instructions. Without any, frames run as without this file.
 *
 * The game is halted by a point that stops it, by debugger_halt(), or when a step is done. Halted, no instruction runs: the main loop serves scripts and
 * control lines as in a pause, and the picture is as far as it was drawn. With points, frames run instruction by instruction, with
 * the same events between the same instructions as in the core's runLoop(), so that states are the same at the end of each frame.
 */
#ifndef HEADLESS_DEBUGGER_DEBUGGER_H
#define HEADLESS_DEBUGGER_DEBUGGER_H

#include "debugger/instructions.h"
#include "machine/game.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

#define DEBUG_POINTS 4096 /* at most */
#define DEBUG_ANY_BANK (-1)

enum {
    DEBUG_EXECUTE = 1, /* before the instruction is executed */
    DEBUG_READ = 2,    /* after the instruction that reads */
    DEBUG_WRITE = 4,
    DEBUG_CHANGE = 8,  /* a write of another value */
    DEBUG_INTERRUPT = 16, /* when the processor begins to serve an interrupt; addresses are those of the vector (GBA: 0x18, GB: 0x40 to 0x60) */
};

struct debug_hit;

/* Where the game is watched. */
struct debug_point {
    int kinds;      /* of those above */
    uint32_t first; /* address */
    uint32_t last;
    int bank;       /* of a Game Boy's memory, or DEBUG_ANY_BANK */
    void* context;
    bool (*hit)(void* context, int id, const struct debug_hit* hit); /* whether the game is halted. May read the machine, and change nothing */
};

struct debug_hit {
    int kind;          /* one of those above */
    uint32_t pc;       /* of the instruction */
    int bank;          /* of pc on a Game Boy, otherwise 0 */
    uint32_t address;  /* of the access: the rest is of reads and writes only */
    unsigned size;     /* in bytes: 1, 2 or 4 */
    uint32_t before;   /* the value there before the instruction */
    uint32_t value;    /* that was read or written */
    uint32_t after;    /* the value there behind the access, which a ROM or a register may not have taken over */
    bool by_dma;       /* pc has nothing to do with it */
};

enum debug_resume {
    DEBUG_CONTINUE,
    DEBUG_STEP,      /* one instruction, both halves of a Thumb BL */
    DEBUG_STEP_OVER, /* and the function that it calls */
    DEBUG_STEP_OUT,  /* until the present function returns */
    DEBUG_RUN_TO,    /* an address: by debugger_run_to() */
};

/* Why the game is halted. */
enum debug_reason {
    DEBUG_NOT_HALTED,
    DEBUG_REQUESTED,
    DEBUG_STEPPED,
    DEBUG_POINT,
    DEBUG_MOVED, /* a state was loaded or the game reset while it was halted or in a step */
    DEBUG_HISTORY_BEGINS, /* it went back, and nothing is known of before */
};

struct debug_halt {
    enum debug_reason reason;
    int id;               /* of the point */
    struct debug_hit hit; /* of the point */
    uint32_t count;       /* of halts since the program began: another number is another halt */
};

/* What the game calls (travel.h). Points remain when another game is opened; steps end. */
void debugger_of(struct mCore* core);
bool debugger_is_active(void);
void debugger_run_loop(struct mCore* core);
void debugger_moved(void);

/* Returns its id, 1 or more; 0 if there are DEBUG_POINTS already or no memory. */
int debugger_add(const struct debug_point* point);
bool debugger_remove(int id);

/* For runs of test ROMs: `call` is called instead of this instruction of a Game Boy. NULL: no more. */
void debugger_note_opcode(uint8_t opcode, void (*call)(void));

bool debugger_has_points(void);

/* Halts before the next instruction; inside the event of a frame, behind it. */
void debugger_halt(void);
/* These do nothing unless the game is halted. */
void debugger_resume(enum debug_resume how);
void debugger_run_to(uint32_t address, int bank);
bool debugger_is_halted(void);
const struct debug_halt* debugger_halted(void);
/* Hits that were lost because one instruction or one DMA had too many. */
uint64_t debugger_lost(void);

/* What is asked of each instruction for points and steps. */
extern const struct instructions debugger_instructions;

struct debugger_search {
    void (*show)(void); /* before the conditions of hits are checked: they read the game */
    void (*found)(int id, const struct debug_hit* hit); /* in place of a halt by a point; NULL: it is a halt */
};

/* Gives points and steps to another machine with this game, which is halted and stays so meanwhile. */
void debugger_lend(struct mCore* core, const struct debugger_search* search);
/* As debugger_resume() and debugger_run_to(), there. */
void debugger_begin(enum debug_resume how, uint32_t address, int bank);
/* The halt there, or NULL. */
const struct debug_halt* debugger_found(void);
/* Back to the game, which is halted as before; does nothing unless they were lent. */
void debugger_return(void);
/* Back to the game, which runs, and continues the step that was begun there. */
void debugger_continue(void);

/* The game is halted again, where it has been put. */
void debugger_halt_here(enum debug_reason reason, int id, const struct debug_hit* hit);
/* Between these calls, with true and with false, states are loaded by the debugger. */
void debugger_put(bool put);
/* States that others have loaded, and resets, since the program began. */
uint32_t debugger_moves(void);

/* A halt is wanted or a step under way, so that a script must not hold the game in the event of a frame. */
bool debugger_is_stepping(void);
/* Of the instruction that is executed next. */
uint32_t debugger_pc(const struct mCore* core);
int debugger_bank(const struct mCore* core, uint32_t address);

/* Reads and writes memory without any effect on devices: ROM and RAM as they are, registers as they were written. Returns how many bytes there are from this address, up to `size`. */
size_t debugger_read(struct mCore* core, uint32_t address, int bank, void* bytes, size_t size);
size_t debugger_write(struct mCore* core, uint32_t address, int bank, const void* bytes, size_t size);

#endif
