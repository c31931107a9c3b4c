#include "platform/signals.h"

#include "platform/clock.h"
#include "platform/windows/handles.h"

#include <stdio.h>

#define PATIENCE_NS (3 * NS_PER_SECOND)

static volatile LONG stop_requested;
static volatile LONG64 first_stop_ns;
static HANDLE stop_event;
static bool is_owned; /* another program decides when this one ends */

/* Windows calls this in a thread of its own. A script that never returns would block a clean end; a later request forces it. */
void signals_request_stop(void) {
    int64_t now = clock_now_ns();
    if (!InterlockedExchange(&stop_requested, 1)) {
        (void) InterlockedExchange64(&first_stop_ns, now);
        if (stop_event) {
            (void) SetEvent(stop_event);
        }
    } else if (now - first_stop_ns > PATIENCE_NS) {
        (void) fputs("mgba-headless: second signal after 3 s (a script does not return); exiting immediately\n", stderr);
        (void) TerminateProcess(GetCurrentProcess(), EXIT_FORCED);
    }
}

static BOOL WINAPI on_console(DWORD type) {
    bool is_key = type == CTRL_C_EVENT || type == CTRL_BREAK_EVENT;
    if (!is_key || !is_owned) {
        signals_request_stop();
    }
    if (!is_key) {
        Sleep(INFINITE); /* the window of the console is closed, or the user logs off: the process ends as soon as this returns */
    }
    return TRUE;
}

/* Ctrl-C reaches all programs of a console, also one whose standard input another program holds, which decides when this one ends. */
bool signals_install(bool keep_ignored, struct failure* failure) {
    is_owned = keep_ignored && GetFileType(GetStdHandle(STD_INPUT_HANDLE)) != FILE_TYPE_CHAR;
    stop_event = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (!stop_event || !SetConsoleCtrlHandler(on_console, TRUE)) {
        return failure_set(failure, EXIT_INTERNAL, "cannot prepare for Ctrl-C (error %lu of Windows)", GetLastError());
    }
    return true;
}

void signals_uninstall(void) {
    /* The handler remains: a second Ctrl-C shortly before the end must not change the exit code. */
    (void) InterlockedExchange(&stop_requested, 1);
}

bool signals_stop_requested(void) {
    return stop_requested != 0;
}

/* Windows has no signal for it. */
bool signals_take_stats_request(void) {
    return false;
}

HANDLE signals_stop_event(void) {
    return stop_event;
}
