#include "platform/files.h"

#include "platform/windows/handles.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define READABLE (_S_IREAD | _S_IWRITE)
/* A virus scanner or a backup has a file open for moments. */
#define TRIES 8
#define PAUSE_MS 15

int file_open(const char* path) {
    return _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

int file_create(const char* path) {
    return _open(path, _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, READABLE);
}

bool file_can_be_written(const char* path) {
    int descriptor = _open(path, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, READABLE);
    bool is_new = descriptor >= 0;
    if (!is_new && errno == EEXIST) {
        for (int tries = TRIES; (descriptor = _open(path, _O_RDWR | _O_BINARY | _O_NOINHERIT)) < 0 && errno == EACCES && tries > 1; --tries) {
            Sleep(PAUSE_MS);
        }
    }
    if (descriptor >= 0) {
        (void) _close(descriptor); /* nothing was written */
    }
    if (is_new) {
        (void) _unlink(path);
    }
    return descriptor >= 0;
}

/* Windows does not remove a file that another program has open. */
void file_remove(const char* path, bool (*removable)(int descriptor)) {
    int descriptor = _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
    if (descriptor >= 0) {
        bool removed = removable(descriptor);
        (void) _close(descriptor);
        if (removed) {
            (void) _unlink(path);
        }
    }
}

static void use_slashes(char* path) {
    for (; *path; ++path) {
        if (*path == '\\') {
            *path = '/';
        }
    }
}

const char* path_name(const char* path) {
    const char* name = path;
    for (const char* at = path; *at; ++at) {
        if (*at == '/' || *at == '\\' || (*at == ':' && at == path + 1)) {
            name = at + 1;
        }
    }
    return name;
}

const char* path_with_slashes(const char* path, char buffer[static PATH_MAX]) {
    if (strlen(path) >= PATH_MAX) {
        return path;
    }
    strcpy(buffer, path);
    use_slashes(buffer);
    return buffer;
}

bool path_absolute(const char* path, char out[static PATH_MAX]) {
    if (!_fullpath(out, path, PATH_MAX)) {
        errno = ENAMETOOLONG;
        return false;
    }
    use_slashes(out);
    return true;
}

bool path_of_folder(const char* path, char out[static PATH_MAX]) {
    /* stat() of Windows' C library does not know a folder whose path ends with a slash. */
    DWORD attributes = GetFileAttributesA(path);
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY && path_absolute(path, out);
}
