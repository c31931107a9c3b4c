#include "control.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool control_open(struct control* control, const char* path, struct failure* failure) {
    control->descriptor = -1;
    control->used = 0;
    control->taken = 0;
    control->skipping = false;
    if (!path) {
        return true;
    }
    /*
     * Opened for writing too, which Linux allows: so there is always a writer, and a real one that leaves makes no end of file
     * that poll() would report for ever. A line half written by one writer can therefore be ended by the next.
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

void control_close(struct control* control) {
    if (control->descriptor >= 0) {
        (void) close(control->descriptor); /* only read from */
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

/* Takes what is there; false when nothing is. */
static bool fill(struct control* control) {
    ssize_t got;
    do {
        got = read(control->descriptor, control->buffer + control->used, sizeof(control->buffer) - control->used);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        return false; /* EAGAIN; anything else would come again at once, and signals still end the program */
    }
    control->used += (size_t) got;
    return true;
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
        if (!fill(control)) {
            return CONTROL_NOTHING;
        }
    }
}
