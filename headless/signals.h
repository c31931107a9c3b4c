/*
 * Signals as flags that the loop checks between two frames.
 *
 * SIGINT, SIGTERM and SIGHUP request a clean end; so does SIGUSR2, by which the program asks itself. SIGUSR1 requests a stats line; it is read from a signalfd and interrupts nothing,
 * because a script that waits in select() would take an interruption for a broken socket.
 */
#ifndef HEADLESS_SIGNALS_H
#define HEADLESS_SIGNALS_H

#include "failure.h"

#include <stdbool.h>

/* Before anything else: writing to a socket whose peer is gone, or beyond the limit on file sizes, must not end the emulator. */
bool signals_ignore_failed_writes(struct failure* failure);
/* With `keep_ignored`, a SIGINT or SIGTERM that was ignored at start stays ignored. */
bool signals_install(bool keep_ignored, struct failure* failure);
void signals_uninstall(void);

bool signals_stop_requested(void);
/* Requests a stop as a signal would that was not ignored at start. From any thread. */
void signals_request_stop(void);
/* True once for any number of SIGUSR1 since the last call. */
bool signals_take_stats_request(void);

/* Readable when a stop, and when a stats line, was requested. For poll(). */
int signals_stop_descriptor(void);
int signals_stats_descriptor(void);

#endif
