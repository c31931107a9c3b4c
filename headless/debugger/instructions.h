/* Runs a machine instruction by instruction, with the same events between the same instructions as the core's runLoop(). */
#ifndef HEADLESS_DEBUGGER_INSTRUCTIONS_H
#define HEADLESS_DEBUGGER_INSTRUCTIONS_H

#include "machine/library.h"

#include <stdbool.h>

struct instructions {
    bool (*may_execute)(struct mCore* core);  /* before each: false stops there */
    bool (*may_continue)(struct mCore* core); /* behind each, before the events that it caused: false stops there */
    void (*events_done)(struct mCore* core);  /* behind the events of the machine */
};

/* Until the events of the machine have run, or one of the functions is false. */
void instructions_run(struct mCore* core, const struct instructions* instructions);

#endif
