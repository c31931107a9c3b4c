#include "platform/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool ignore_failed_writes(struct failure* failure) {
    if (signal(SIGPIPE, SIG_IGN) == SIG_ERR || signal(SIGXFSZ, SIG_IGN) == SIG_ERR) {
        return failure_set(failure, EXIT_INTERNAL, "cannot ignore SIGPIPE and SIGXFSZ (%s)", strerror(errno));
    }
    return true;
}

/* If stdout is closed at start, another descriptor would get its number, and scripts would write into that. */
static bool occupy_standard_descriptors(struct failure* failure) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
        /* This is the lowest free number, because all below are in use. */
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDWR) != descriptor) {
            return failure_set(failure, EXIT_INTERNAL, "cannot open /dev/null (%s)", strerror(errno));
        }
    }
    return true;
}

bool process_prepare(struct failure* failure) {
    bool ok = ignore_failed_writes(failure) && occupy_standard_descriptors(failure);
    (void) setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* cannot fail */
    return ok;
}

bool process_set_variable(const char* name, const char* value) {
    return setenv(name, value, 1) == 0;
}
