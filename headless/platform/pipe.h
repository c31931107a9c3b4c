/* A named pipe that another program reads. */
#ifndef HEADLESS_PLATFORM_PIPE_H
#define HEADLESS_PLATFORM_PIPE_H

#include <stdbool.h>

/* Why this system has none, or NULL. */
const char* pipe_missing(void);
/* Makes it, unless it is there. False, and errno says why. */
bool pipe_make(const char* path);
/* Waits until somebody reads it. A descriptor, or -1, and errno says why. */
int pipe_open(const char* path);

#endif
