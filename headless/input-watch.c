#include "input-watch.h"

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* The main loop reads end of file itself, within a frame. Only after this time does the watch send the first signal. */
#define GRACE_MS 1000
/* Longer than the 3 s after which signals.c takes a repeated signal as a request to end at once. */
#define REPEAT_MS 3200

/* True if the watch is to end. */
static bool ends_within(const struct input_watch* watch, int milliseconds) {
    struct pollfd wake = { .fd = watch->wake[0], .events = POLLIN };
    return poll(&wake, 1, milliseconds) > 0;
}

/* True if the input was closed, false if the watch is to end. No events are requested: poll() still reports POLLHUP. */
static bool wait_for_close(const struct input_watch* watch) {
    struct pollfd watched[] = {
        { .fd = watch->wake[0], .events = POLLIN },
        { .fd = watch->descriptor },
    };
    while (poll(watched, sizeof(watched) / sizeof(*watched), -1) < 0 && errno == EINTR) {
    }
    return !watched[0].revents;
}

static void* run(void* argument) {
    const struct input_watch* watch = argument;
    if (!wait_for_close(watch) || ends_within(watch, GRACE_MS)) {
        return NULL;
    }
    do {
        signals_request_stop();
    } while (!ends_within(watch, REPEAT_MS));
    return NULL;
}

static void close_wake(struct input_watch* watch) {
    (void) close(watch->wake[0]);
    (void) close(watch->wake[1]);
}

bool input_watch_start(struct input_watch* watch, int descriptor, struct failure* failure) {
    *watch = (struct input_watch) { .descriptor = descriptor };
    if (pipe2(watch->wake, O_CLOEXEC)) {
        return failure_set(failure, EXIT_INTERNAL, "cannot watch the standard input (%s)", strerror(errno));
    }
    /* Signals belong to the main thread. Cannot fail: the sets are valid. */
    sigset_t all;
    sigset_t present;
    (void) sigfillset(&all);
    (void) pthread_sigmask(SIG_SETMASK, &all, &present);
    int error = pthread_create(&watch->thread, NULL, run, watch);
    (void) pthread_sigmask(SIG_SETMASK, &present, NULL);
    if (error) {
        close_wake(watch);
        return failure_set(failure, EXIT_INTERNAL, "cannot watch the standard input (%s)", strerror(error));
    }
    watch->running = true;
    return true;
}

void input_watch_stop(struct input_watch* watch) {
    if (!watch->running) {
        return;
    }
    ssize_t written = write(watch->wake[1], "", 1); /* an empty pipe takes a byte */
    (void) written;
    (void) pthread_join(watch->thread, NULL); /* cannot fail: the thread exists and is joined only here */
    close_wake(watch);
    watch->running = false;
}
