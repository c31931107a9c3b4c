#include "platform/clock.h"

#include <errno.h>

bool clock_sleep_until(int64_t ns) {
    struct timespec until = { .tv_sec = ns / NS_PER_SECOND, .tv_nsec = ns % NS_PER_SECOND };
    /* Absolute, so that a sleep that a signal interrupts ends at the same time when repeated. EINTR is the only possible error. */
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != EINTR;
}
