/* What Linux and macOS do in different ways. */
#ifndef HEADLESS_PLATFORM_POSIX_SYSTEM_H
#define HEADLESS_PLATFORM_POSIX_SYSTEM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Whether no other program has an open file open. False where the system cannot say. */
bool system_is_alone(int descriptor);
/* Gives an open file blocks for so many bytes, from its start. False, and errno says why, when the disk has no room for them. */
bool system_reserve(int descriptor, size_t size);
/* The path of an open file, behind all links. False if it has none. */
bool system_path(int descriptor, char path[static PATH_MAX]);
/* When a file was changed last. */
struct timespec system_changed(const struct stat* status);

#endif
