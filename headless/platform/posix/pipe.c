#include "platform/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>

#define PIPE_SIZE (1 << 20)

const char* pipe_missing(void) {
    return NULL;
}

bool pipe_make(const char* path) {
    return mkfifo(path, 0600) == 0 || errno == EEXIST;
}

int pipe_open(const char* path) {
    int descriptor;
    do {
        descriptor = open(path, O_WRONLY | O_CLOEXEC);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor >= 0) {
        /* Fewer switches between the two programs; a pipe of the usual size is enough. */
        (void) fcntl(descriptor, F_SETPIPE_SZ, PIPE_SIZE);
    }
    return descriptor;
}
