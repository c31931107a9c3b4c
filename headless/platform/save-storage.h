/*
 * The file on disk that save data is kept in (docs/decisions/0031). Whatever happens, it is the one before or the one after, where the system can replace files; and
 * what another program has put there in the meantime is not taken for what this one wrote.
 */
#ifndef HEADLESS_PLATFORM_SAVE_STORAGE_H
#define HEADLESS_PLATFORM_SAVE_STORAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct save_storage {
    char path[PATH_MAX];
    struct stat known; /* the file, as it was after the last write */
    bool reserved;     /* its blocks */
};

struct save_content {
    const uint8_t* bytes; /* of the whole file */
    size_t size;
    size_t from;          /* what has changed */
    size_t to;
    bool sync;            /* somebody waits for the answer that it is on disk, whole */
};

/* The file that is open as this descriptor. False if it is no file that can be replaced. */
bool save_storage_find(int descriptor, struct save_storage* storage);
/* False, and errno says why. */
bool save_storage_write(struct save_storage* storage, const struct save_content* content);

#endif
