/* The Lua engine: one state for all scripts, as in the Scripting window. */
#ifndef HEADLESS_SCRIPTS_SCRIPTS_H
#define HEADLESS_SCRIPTS_SCRIPTS_H

#include "base/failure.h"
#include "machine/game.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

struct text_buffer;

struct scripts {
    struct mScriptContext context;
    struct mScriptEngineContext* lua; /* NULL: not open; events are dropped */
    struct text_buffer* buffers;
    int64_t callback_ns;          /* time spent in callbacks since the program began, without main chunks; starts at 0 */
    unsigned count;               /* loaded script files */
    unsigned depth;               /* a callback may run a frame, whose callbacks are part of its time */
    int64_t next_error_report_ns;
    char last_error[1024];
};

bool scripts_open(struct scripts* scripts, struct failure* failure);
/* Ends the Lua state: closes all sockets and removes all callbacks. Detach the core first. */
void scripts_close(struct scripts* scripts);

/* Runs a script file in the state, even if it was loaded before, as Load script does. */
bool scripts_load(struct scripts* scripts, const char* path, struct failure* failure);

/* `emu` exists from attach to detach; without a core (NULL) they do nothing. */
void scripts_attach_core(struct scripts* scripts, struct mCore* core);
void scripts_detach_core(struct scripts* scripts, struct mCore* core);

/* Whether the event has a callback. */
bool scripts_hear(struct scripts* scripts, const char* event);
/* Calls every callback added for the event ("frame", "reset", ...). */
void scripts_fire(struct scripts* scripts, const char* event);
/* What raises the events of a game in these scripts. */
struct game_listener scripts_listener(struct scripts* scripts);

#endif
