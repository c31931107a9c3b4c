/* What GDB's command `monitor` does, such as `monitor reset`. */
#ifndef HEADLESS_DEBUGGER_GDB_MONITOR_H
#define HEADLESS_DEBUGGER_GDB_MONITOR_H

#include "machine/game.h"

#define GDB_MONITOR_LINE 4608 /* a command and a path, with the NUL */
#define GDB_MONITOR_SAYS (2 * PATH_MAX + 16)

/* Runs the line, which it changes, and returns what to print. */
const char* gdb_monitor(struct game* game, char* line);

#endif
