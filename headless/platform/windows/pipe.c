#include "platform/pipe.h"

#include <errno.h>

const char* pipe_missing(void) {
    return "named pipes of Windows are no files";
}

bool pipe_make(const char* path) {
    (void) path;
    errno = ENOSYS;
    return false;
}

int pipe_open(const char* path) {
    (void) path;
    errno = ENOSYS;
    return -1;
}
