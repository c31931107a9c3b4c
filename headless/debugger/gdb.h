/*
 * GDB's remote protocol, for GDB and lldb: one client at a time, on this machine, for games of the Game Boy Advance.
 *
 * The game is halted when a client attaches, and runs again when it detaches or its connection breaks; its points are removed then. What the client
 * sends is served between two frames, and while the game is halted.
 *
 *   gdb-packets   the frames of packets, checksums, hexadecimal
 *   gdb-commands  what a packet asks for
 *   gdb-points    breakpoints and watchpoints
 *   gdb-target    registers, memory map
 *   gdb-monitor   the command `monitor`
 */
#ifndef HEADLESS_DEBUGGER_GDB_H
#define HEADLESS_DEBUGGER_GDB_H

#include "base/failure.h"
#include "machine/game.h"

#include <stdbool.h>
#include <stdint.h>

/* Listens, and says where on stderr. Port 0 is any that is free. */
bool gdb_open(const char* program, uint16_t port, struct game* game, struct failure* failure);
/* The game has ended with this exit code. */
void gdb_close(int exit_code);
/* Between two frames. Returns whether the client lets the game run on, which ends a pause. */
bool gdb_serve(void);
/* While a script waits inside an event: a client that attaches, or Ctrl-C, makes debugger_is_stepping() true. What is asked waits until the game is halted. */
void gdb_serve_inside(void);
/* The client has just asked something, and is likely to ask more. */
bool gdb_is_busy(void);

#endif
