/*
 * Requests from outside as flags that the loop checks between two frames: to end (SIGINT, SIGTERM, SIGHUP; Ctrl-C in a console), and to print a stats line
 * (SIGUSR1).
 */
#ifndef HEADLESS_PLATFORM_SIGNALS_H
#define HEADLESS_PLATFORM_SIGNALS_H

#include "base/failure.h"

#include <stdbool.h>

/* With `keep_ignored`, a SIGINT or SIGTERM that was ignored at start stays ignored. */
bool signals_install(bool keep_ignored, struct failure* failure);
void signals_uninstall(void);

bool signals_stop_requested(void);
/* Requests a stop as a signal would that was not ignored at start. From any thread. */
void signals_request_stop(void);
/* True once for any number of requests since the last call. */
bool signals_take_stats_request(void);

#endif
