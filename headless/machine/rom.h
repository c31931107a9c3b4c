/* Checks whether a file is a complete ROM, and if not, why, without libmgba; and reads it for libmgba. */
#ifndef HEADLESS_MACHINE_ROM_H
#define HEADLESS_MACHINE_ROM_H

#include "base/failure.h"

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

struct VFile;
/*
 * The whole file in memory, for libmgba, which would map it: a ROM that is built again would change the running game, and one that a linker
 * empties first would end the program. NULL if it cannot be read to its end. The file stays open.
 */
struct VFile* rom_copy(struct VFile* file);

#endif
