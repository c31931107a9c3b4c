/* What the program waits for on Windows. */
#ifndef HEADLESS_PLATFORM_WINDOWS_HANDLES_H
#define HEADLESS_PLATFORM_WINDOWS_HANDLES_H

#include <stdbool.h>
#include <stdint.h>
#include <winsock2.h>

#include <windows.h>

/* Waits for one of at most two handles, for a request to end, or so long. Returns the number of the handle, HANDLES_STOP, or -1. */
#define HANDLES_STOP 2
int handles_wait(const HANDLE* handles, unsigned count, int64_t ns);

/* Set on a request to end. */
HANDLE signals_stop_event(void);
/* Set while control lines can be read; NULL: there are none. */
HANDLE input_event(void);
/* Set when a debugger has sent something; NULL: there is none. */
HANDLE debug_socket_event(void);

/* Sets errno for an error of the system. Always false. */
bool handles_failed(DWORD error);

#endif
