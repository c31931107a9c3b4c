/* The clock of this program: monotonic nanoseconds; and the local time of the system. */
#ifndef HEADLESS_PLATFORM_CLOCK_H
#define HEADLESS_PLATFORM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_SECOND INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

static inline int64_t clock_now_ns(void) {
    struct timespec now;
    /* Cannot fail: the clock always exists and the pointer is valid. */
    (void) clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * NS_PER_SECOND + now.tv_nsec;
}

/* Sleeps until this time. False if a signal arrived first. */
bool clock_sleep_until(int64_t ns);

/* The local time of a moment in seconds, counted from 1970 as local times are. */
int64_t clock_local(time_t moment);
/* All of the program is in the time zone UTC, or again in that of the system. */
void clock_use_utc(bool utc);

#endif
