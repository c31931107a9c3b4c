#include "platform/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int file_open(const char* path) {
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int file_create(const char* path) {
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

bool file_can_be_written(const char* path) {
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
        (void) unlink(path);
    } else if (errno == EEXIST) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666); /* O_CREAT: a link may name a file that does not exist */
    }
    if (descriptor >= 0) {
        (void) close(descriptor); /* nothing was written */
    }
    return descriptor >= 0;
}

/* Only where another program has it open, the lease is refused. */
void file_remove(const char* path, bool (*removable)(int descriptor)) {
    int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor >= 0) {
        if (!fcntl(descriptor, F_SETLEASE, F_WRLCK) && removable(descriptor)) {
            (void) unlink(path);
        }
        (void) close(descriptor);
    }
}

const char* path_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char* path_with_slashes(const char* path, char buffer[static PATH_MAX]) {
    (void) buffer;
    return path;
}

bool path_absolute(const char* path, char out[static PATH_MAX]) {
    char folder[PATH_MAX] = "";
    if (path[0] != '/' && !getcwd(folder, sizeof(folder))) {
        return false;
    }
    int length = snprintf(out, PATH_MAX, "%s%s%s", folder, path[0] == '/' ? "" : "/", path);
    if (length < 0 || length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    return true;
}

bool path_of_folder(const char* path, char out[static PATH_MAX]) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && realpath(path, out);
}
