#include "platform/posix/system.h"

#include <fcntl.h>

/* There is no such question: save files that nothing was written to stay. */
bool system_is_alone(int descriptor) {
    (void) descriptor;
    return false;
}

/* A full disk is found out when it is written. */
bool system_reserve(int descriptor, size_t size) {
    (void) descriptor;
    (void) size;
    return true;
}

bool system_path(int descriptor, char path[static PATH_MAX]) {
    return fcntl(descriptor, F_GETPATH, path) == 0;
}

struct timespec system_changed(const struct stat* status) {
    return status->st_mtimespec;
}
