#include "platform/input.h"

#include "platform/posix/descriptors.h"
#include "platform/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The main loop reads end of file itself, within a frame. Only after this time does the watch send the first signal. */
#define GRACE_MS 1000
/* Longer than the 3 s after which signals.c takes a repeated signal as a request to end at once. */
#define REPEAT_MS 3200

/* The thread that sees when the standard input is closed. */
struct input_watch {
    pthread_t thread;
    int wake[2]; /* a byte ends the thread */
    bool running;
};

static struct {
    int descriptor; /* -1: none */
    bool is_standard;
    struct input_watch watch;
} input = { .descriptor = -1 };

/* True if the watch is to end. */
static bool ends_within(const struct input_watch* watch, int milliseconds) {
    struct pollfd wake = { .fd = watch->wake[0], .events = POLLIN };
    return poll(&wake, 1, milliseconds) > 0;
}

/* True if the input was closed, false if the watch is to end. No events are requested: poll() still reports POLLHUP. */
static bool wait_for_close(const struct input_watch* watch) {
    struct pollfd watched[] = {
        { .fd = watch->wake[0], .events = POLLIN },
        { .fd = STDIN_FILENO },
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

static bool start_watch(struct input_watch* watch, struct failure* failure) {
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

static void stop_watch(struct input_watch* watch) {
    if (!watch->running) {
        return;
    }
    ssize_t written = write(watch->wake[1], "", 1); /* an empty pipe takes a byte */
    (void) written;
    (void) pthread_join(watch->thread, NULL); /* cannot fail: the thread exists and is joined only here */
    close_wake(watch);
    watch->running = false;
}

static bool open_fifo(const char* path, struct failure* failure) {
    /*
     * Opened for reading and writing, which Linux allows, so that there is always a writer: otherwise poll() would report end of
     * file permanently once the last writer closes. A line that one writer leaves incomplete can be completed by the next.
     */
    int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return failure_set(failure, EXIT_CONTROL, "cannot open the control FIFO \"%s\" (%s); make one with mkfifo", path, strerror(errno));
    }
    struct stat status;
    if (fstat(descriptor, &status) || !S_ISFIFO(status.st_mode)) {
        (void) close(descriptor);
        return failure_set(failure, EXIT_CONTROL, "\"%s\" is not a FIFO; give --control one made with mkfifo", path);
    }
    input.descriptor = descriptor;
    return true;
}

bool input_open(const char* path, struct failure* failure) {
    if (!path) {
        return true;
    }
    if (strcmp(path, "-")) {
        return open_fifo(path, failure);
    }
    input.descriptor = STDIN_FILENO;
    input.is_standard = true;
    return start_watch(&input.watch, failure);
}

bool input_is_open(void) {
    return input.descriptor >= 0;
}

int input_descriptor(void) {
    return input.descriptor;
}

/* The standard input stays blocking, because another program may share it: poll before reading. */
static bool is_readable(void) {
    struct pollfd polled = { .fd = input.descriptor, .events = POLLIN };
    return !input.is_standard || poll(&polled, 1, 0) > 0;
}

ssize_t input_read(void* bytes, size_t size) {
    if (!is_readable()) {
        return 0;
    }
    ssize_t got;
    do {
        got = read(input.descriptor, bytes, size);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        /* FIFO: EAGAIN. Other errors would repeat immediately; signals still end the program. */
        return input.is_standard && (got == 0 || errno != EAGAIN) ? -1 : 0;
    }
    return got;
}

void input_close(void) {
    stop_watch(&input.watch);
    if (input.descriptor >= 0 && !input.is_standard) {
        (void) close(input.descriptor); /* only read */
        input.descriptor = -1;
    }
}
