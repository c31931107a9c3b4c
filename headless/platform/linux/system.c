#include "platform/posix/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Only where another program has it open, the lease is refused. */
bool system_is_alone(int descriptor) {
    return fcntl(descriptor, F_SETLEASE, F_WRLCK) == 0;
}

/* A file system that cannot reserve finds out that it is full when it is written. */
bool system_reserve(int descriptor, size_t size) {
    return fallocate(descriptor, 0, 0, (off_t) size) == 0 || errno == EOPNOTSUPP || errno == ENOSYS;
}

bool system_path(int descriptor, char path[static PATH_MAX]) {
    char link[64];
    (void) snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length > 0) {
        path[length] = '\0';
    }
    return length > 0;
}

struct timespec system_changed(const struct stat* status) {
    return status->st_mtim;
}
