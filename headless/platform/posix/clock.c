#include "platform/clock.h"

#include <errno.h>

/* EINTR is the only possible error. */
bool clock_sleep_until(int64_t ns) {
#ifdef TIMER_ABSTIME
    struct timespec until = { .tv_sec = ns / NS_PER_SECOND, .tv_nsec = ns % NS_PER_SECOND };
    /* Absolute, so that a sleep that a signal interrupts ends at the same time when repeated. */
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != EINTR;
#else
    int64_t left = ns - clock_now_ns();
    struct timespec wait = { .tv_sec = left / NS_PER_SECOND, .tv_nsec = left % NS_PER_SECOND };
    return left <= 0 || nanosleep(&wait, NULL) == 0;
#endif
}
