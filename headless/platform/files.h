/* Files and their paths, in UTF-8. */
#ifndef HEADLESS_PLATFORM_FILES_H
#define HEADLESS_PLATFORM_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Opens a file to read its bytes. A FIFO that is given by mistake does not hang it. A descriptor, or -1, and errno says why. */
int file_open(const char* path);
/* Makes an empty file, which this user alone may read, and opens it to write bytes. */
int file_create(const char* path);
/* Whether a file can be written, or made if there is none, which leaves none. Otherwise errno says why. */
bool file_can_be_written(const char* path);
/* Removes a file, unless it is used by another program, or is not `removable`. */
void file_remove(const char* path, bool (*removable)(int descriptor));

/* The last part of a path. */
const char* path_name(const char* path);
/* The path as libmgba takes it, with / between its parts: itself, or a copy in the buffer. */
const char* path_with_slashes(const char* path, char buffer[static PATH_MAX]);
/* The path from the root. False, and errno says why: ENAMETOOLONG for one that does not fit. Links remain. */
bool path_absolute(const char* path, char out[static PATH_MAX]);
/* The path of a folder without links. False if it is none. */
bool path_of_folder(const char* path, char out[static PATH_MAX]);

#endif
