/* Checks whether a file is a complete ROM, and if not, why. Reads only the file, without libmgba. */
#ifndef HEADLESS_ROM_H
#define HEADLESS_ROM_H

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROM_HEAD_SIZE 0x200 /* what libmgba checks of a GB file; a GBA header is shorter */

struct rom_head {
    uint8_t bytes[ROM_HEAD_SIZE]; /* zero beyond length */
    size_t length;
    uint64_t file_size;
};

/* Reads the head. Fails for a file that is missing, unreadable, not a regular file, or empty. */
bool rom_read_head(const char* path, struct rom_head* head, struct failure* failure);
/* For a file libmgba accepts: fails if its header requires a longer file. Archives and ELF files pass. */
bool rom_check_whole(const char* path, const struct rom_head* head, struct failure* failure);
/* For a file libmgba does not accept: reports whether it is truncated or not a ROM. Always false. */
bool rom_refuse(const char* path, const struct rom_head* head, struct failure* failure);

#endif
