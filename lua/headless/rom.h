/* Is this file a whole ROM, and if not, what exactly is wrong with it. Reads the file only; libmgba is not asked. */
#ifndef HEADLESS_ROM_H
#define HEADLESS_ROM_H

#include "failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROM_HEAD_SIZE 0x200 /* what libmgba wants to see of a GB file; a GBA header is shorter */

struct rom_head {
    uint8_t bytes[ROM_HEAD_SIZE]; /* zero beyond length */
    size_t length;
    uint64_t file_size;
};

/* Reads the head. Fails for a file that is missing, unreadable, not a regular file, or empty. */
bool rom_read_head(const char* path, struct rom_head* head, struct failure* failure);
/* For a file libmgba accepts: fails when its header says there should be more of it. Archives and ELF files pass. */
bool rom_check_whole(const char* path, const struct rom_head* head, struct failure* failure);
/* For a file libmgba does not accept: says whether it is cut short or no ROM at all. Always false. */
bool rom_refuse(const char* path, const struct rom_head* head, struct failure* failure);

#endif
