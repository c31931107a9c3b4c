/* What the program waits for. */
#ifndef HEADLESS_PLATFORM_POSIX_DESCRIPTORS_H
#define HEADLESS_PLATFORM_POSIX_DESCRIPTORS_H

#include <signal.h>
#include <stdbool.h>

/* A pipe that other programs do not inherit. */
bool descriptors_pipe(int ends[2]);

/* Readable when a stop was requested. */
int signals_stop_descriptor(void);
/* The signals that are blocked in a wait for news, which SIGUSR1 ends. */
const sigset_t* signals_while_waiting(void);
/* Of the control lines; -1: none. */
int input_descriptor(void);

#endif
