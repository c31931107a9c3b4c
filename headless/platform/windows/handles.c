#include "platform/windows/handles.h"

#include "platform/clock.h"

#include <errno.h>

#ifndef CREATE_WAITABLE_TIMER_HIGH_RESOLUTION
#define CREATE_WAITABLE_TIMER_HIGH_RESOLUTION 2
#endif
#define NS_PER_TICK 100

/* Waits of the system are in steps of 1 to 16 ms, those of such a timer are not. Windows before 10 1803 has none of high resolution. */
static HANDLE timer(void) {
    static HANDLE made;
    if (!made) {
        made = CreateWaitableTimerExW(NULL, NULL, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, TIMER_ALL_ACCESS);
    }
    if (!made) {
        made = CreateWaitableTimerExW(NULL, NULL, 0, TIMER_ALL_ACCESS);
    }
    return made;
}

int handles_wait(const HANDLE* handles, unsigned count, int64_t ns) {
    HANDLE all[4];
    DWORD used = 0;
    for (unsigned i = 0; i < count; ++i) {
        all[used++] = handles[i];
    }
    HANDLE stop = signals_stop_event();
    if (stop) {
        all[used++] = stop;
    }
    DWORD limit = 0;
    if (ns == INT64_MAX) {
        limit = INFINITE;
    } else if (ns > 0) {
        LARGE_INTEGER due = { .QuadPart = -((ns + NS_PER_TICK - 1) / NS_PER_TICK) };
        if (timer() && SetWaitableTimer(timer(), &due, 0, NULL, NULL, FALSE)) {
            all[used++] = timer();
            limit = INFINITE;
        } else {
            limit = (DWORD) (ns / NS_PER_MS + 1);
        }
    }
    if (!used) {
        Sleep(limit);
        return -1;
    }
    DWORD woken = WaitForMultipleObjects(used, all, FALSE, limit) - WAIT_OBJECT_0;
    return woken < count ? (int) woken : woken == count && stop ? HANDLES_STOP : -1;
}

bool handles_failed(DWORD error) {
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        errno = ENOENT;
        break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        errno = ENOSPC;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_WRITE_PROTECT:
        errno = EACCES;
        break;
    default:
        errno = EIO;
    }
    return false;
}
