/* The process itself. */
#ifndef HEADLESS_PLATFORM_PROCESS_H
#define HEADLESS_PLATFORM_PROCESS_H

#include "base/failure.h"

/*
 * Before anything else. Writing to a socket whose peer is gone, or beyond the limit on file sizes, must not end the emulator; what scripts write must not come into a
 * descriptor that was closed at start; and readers of a pipe see answers and output of scripts immediately.
 */
bool process_prepare(struct failure* failure);
/* A variable of the environment. */
bool process_set_variable(const char* name, const char* value);

#endif
