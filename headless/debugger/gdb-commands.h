/* The commands of GDB, which it sends while the game is halted, and their answers. */
#ifndef HEADLESS_DEBUGGER_GDB_COMMANDS_H
#define HEADLESS_DEBUGGER_GDB_COMMANDS_H

#include "debugger/gdb-packets.h"
#include "machine/game.h"

#include <stdbool.h>
#include <stdint.h>

/* How the game continues. */
struct gdb_resume {
    bool steps;
    bool back;
    uint32_t first; /* a step is repeated while first <= pc < end */
    uint32_t end;
};

/* What a client and this program have agreed upon. */
struct gdb_client {
    struct game* game;
    bool skips_acks;
    bool knows_reasons;     /* of stops: swbreak, hwbreak */
    bool watches_behind;    /* it takes watchpoints as reported behind the access, as lldb does; GDB as before it */
    bool moved;             /* the game, by a command of its own */
    struct gdb_resume resume;
};

/* What follows when the answer is sent. */
enum gdb_then {
    GDB_ANSWER,
    GDB_TELL_STOP,   /* why the game is halted is the answer */
    GDB_RESUME,      /* and when it is halted again */
    GDB_DETACH,      /* there may be no answer */
    GDB_SKIP_ACKS,
};

/* The data end with a NUL, and may contain more of them. */
enum gdb_then gdb_command(struct gdb_client* client, const char* data, size_t size, struct gdb_answer* answer);

/* Whether it lets the game run, from where it is. */
bool gdb_command_continues(const char* data, size_t size);

#endif
