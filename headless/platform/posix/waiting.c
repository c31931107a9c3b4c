#include "platform/waiting.h"

#include "platform/clock.h"
#include "platform/posix/descriptors.h"

#include <sys/select.h>

static void watch(int descriptor, fd_set* watched, int* count) {
    if (descriptor >= 0) {
        FD_SET(descriptor, watched);
        *count = descriptor >= *count ? descriptor + 1 : *count;
    }
}

void waiting_for_news(bool lines, int64_t until_ns) {
    int64_t wait_ns = until_ns - clock_now_ns();
    struct timespec wait = { .tv_sec = wait_ns > 0 ? wait_ns / NS_PER_SECOND : 0, .tv_nsec = wait_ns > 0 ? wait_ns % NS_PER_SECOND : 0 };
    fd_set watched;
    int count = 0;
    FD_ZERO(&watched);
    watch(signals_stop_descriptor(), &watched, &count);
    watch(lines ? input_descriptor() : -1, &watched, &count);
    /* A stop signal, or a request for stats, ends it: the caller checks both. These descriptors, opened first, are small, and cause no other failure. */
    (void) pselect(count, &watched, NULL, NULL, &wait, signals_while_waiting());
}
