#include "control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool open_fifo(struct control* control, const char* path, struct failure* failure) {
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
    control->descriptor = descriptor;
    return true;
}

bool control_open(struct control* control, const char* path, struct failure* failure) {
    *control = (struct control) { .descriptor = -1 };
    if (!path) {
        return true;
    }
    if (strcmp(path, "-")) {
        return open_fifo(control, path, failure);
    }
    control->descriptor = STDIN_FILENO;
    control->is_input = true;
    return input_watch_start(&control->watch, STDIN_FILENO, failure);
}

void control_close(struct control* control) {
    input_watch_stop(&control->watch);
    if (control->descriptor >= 0 && !control->is_input) {
        (void) close(control->descriptor); /* only read */
        control->descriptor = -1;
    }
}

static void drop_taken(struct control* control) {
    if (!control->taken) {
        return;
    }
    memmove(control->buffer, control->buffer + control->taken, control->used - control->taken);
    control->used -= control->taken;
    control->taken = 0;
}

/* The standard input stays blocking, because another program may share it: poll before reading. */
static bool readable(const struct control* control) {
    struct pollfd input = { .fd = control->descriptor, .events = POLLIN };
    return !control->is_input || poll(&input, 1, 0) > 0;
}

/* Reads what is available; CONTROL_LINE if there was something. */
static enum control_result fill(struct control* control) {
    if (!readable(control)) {
        return CONTROL_NOTHING;
    }
    ssize_t got;
    do {
        got = read(control->descriptor, control->buffer + control->used, sizeof(control->buffer) - control->used);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        /* FIFO: EAGAIN. Other errors would repeat immediately; signals still end the program. */
        return control->is_input && (got == 0 || errno != EAGAIN) ? CONTROL_END : CONTROL_NOTHING;
    }
    control->used += (size_t) got;
    return CONTROL_LINE;
}

static void end_line(char* line, char* end) {
    if (end > line && end[-1] == '\r') {
        --end;
    }
    *end = '\0';
}

enum control_result control_next_line(struct control* control, char** line) {
    if (control->descriptor < 0) {
        return CONTROL_NOTHING;
    }
    drop_taken(control);
    for (;;) {
        char* end = memchr(control->buffer, '\n', control->used);
        if (end) {
            size_t length = (size_t) (end - control->buffer);
            bool bad = control->skipping || memchr(control->buffer, '\0', length);
            control->skipping = false;
            control->taken = length + 1;
            end_line(control->buffer, end);
            *line = control->buffer;
            return bad ? CONTROL_BAD_LINE : CONTROL_LINE;
        }
        if (control->used == sizeof(control->buffer)) {
            control->skipping = true;
            control->used = 0;
        }
        enum control_result filled = fill(control);
        if (filled != CONTROL_LINE) {
            return filled;
        }
    }
}
