#include "platform/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool clock_sleep_until(int64_t ns) {
    struct timespec until = { .tv_sec = ns / NS_PER_SECOND, .tv_nsec = ns % NS_PER_SECOND };
    /* Absolute, so that a sleep that a signal interrupts ends at the same time when repeated. EINTR is the only possible error. */
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != EINTR;
}

int64_t clock_local(time_t moment) {
    struct tm local;
    return localtime_r(&moment, &local) ? timegm(&local) : moment;
}

void clock_use_utc(bool utc) {
    static bool used;
    static char* before; /* TZ of the system; NULL: it was not set */
    if (utc == used) {
        return;
    }
    used = utc;
    if (utc) {
        const char* zone = getenv("TZ");
        free(before);
        before = zone ? strdup(zone) : NULL;
        (void) setenv("TZ", "UTC0", 1);
    } else if (before) {
        (void) setenv("TZ", before, 1);
    } else {
        (void) unsetenv("TZ");
    }
    tzset();
}
