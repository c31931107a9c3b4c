#include "machine/rom.h"

#include "machine/library.h"
#include "platform/files.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define GBA_HEADER_SIZE 0xC0
#define GBA_FIXED_OFFSET 0xB2 /* always 0x96 */
#define GB_LOGO_OFFSET 0x104
#define GB_SIZE_OFFSET 0x148  /* n: the cartridge has 32 KiB << n */
#define GB_SIZE_MAX 8
#define GB_BANKS 0x8000u

static bool read_all(int file, struct rom_head* head) {
    while (head->length < sizeof(head->bytes)) {
        ssize_t got = read(file, head->bytes + head->length, (unsigned) (sizeof(head->bytes) - head->length));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0;
        }
        head->length += (size_t) got;
    }
    return true;
}

static bool unreadable(const char* what, const char* path, struct failure* failure) {
    return failure_set(failure, EXIT_ROM_MISSING, "cannot %s ROM \"%s\" (%s); give the path of a readable ROM file", what, path,
        strerror(errno));
}

static bool read_file(int file, const char* path, struct rom_head* head, struct failure* failure) {
    struct stat status;
    if (fstat(file, &status)) {
        return unreadable("read", path, failure);
    }
    if (!S_ISREG(status.st_mode)) {
        return failure_set(failure, EXIT_ROM_FOREIGN, "\"%s\" is a %s, not a ROM; give the path of a GBA, GB or GBC ROM file", path,
            S_ISDIR(status.st_mode) ? "directory" : "device or pipe");
    }
    if (status.st_size == 0) {
        return failure_set(failure, EXIT_ROM_EMPTY, "ROM \"%s\" is empty; copy or build it again", path);
    }
    head->file_size = (uint64_t) status.st_size;
    if (!read_all(file, head)) {
        return unreadable("read", path, failure);
    }
    return true;
}

bool rom_read_head(const char* path, struct rom_head* head, struct failure* failure) {
    *head = (struct rom_head) { .length = 0 };
    int file = file_open(path);
    if (file < 0) {
        return unreadable("open", path, failure);
    }
    bool ok = read_file(file, path, head, failure);
    (void) close(file); /* opened for reading: nothing can be lost */
    return ok;
}

/* The first word of every GBA ROM is an ARM branch over the header. */
static bool begins_like_gba(const struct rom_head* head) {
    return head->length >= 4 && head->bytes[3] == 0xEA;
}

/* The target of the branch at 0: its signed 24-bit word count, plus 8 bytes for the pipeline. */
static int64_t gba_entry(const struct rom_head* head) {
    int32_t words = head->bytes[0] | head->bytes[1] << 8 | head->bytes[2] << 16;
    if (words & 0x800000) {
        words -= 0x1000000;
    }
    return (int64_t) words * 4 + 8;
}

/* Every licensed and homebrew GB ROM contains the boot logo, or the console would not start it; libmgba checks the same four bytes. */
static bool has_gb_logo(const struct rom_head* head) {
    static const uint8_t logo[] = { 0xCE, 0xED, 0x66, 0x66 };
    return head->length >= GB_LOGO_OFFSET + sizeof(logo) && memcmp(head->bytes + GB_LOGO_OFFSET, logo, sizeof(logo)) == 0;
}

/* The size in the GB header, or 0 if licensed cartridges do not use this value. */
static uint64_t gb_promised_size(const struct rom_head* head) {
    uint8_t exponent = head->bytes[GB_SIZE_OFFSET];
    return exponent <= GB_SIZE_MAX ? (uint64_t) GB_BANKS << exponent : 0;
}

static bool cut_short(const char* path, uint64_t file_size, uint64_t wanted, struct failure* failure) {
    return failure_set(failure, EXIT_ROM_TRUNCATED, "ROM \"%s\" is truncated (%llu bytes; its header requires at least %llu); "
        "copy or build it again", path, (unsigned long long) file_size, (unsigned long long) wanted);
}

bool rom_check_whole(const char* path, const struct rom_head* head, struct failure* failure) {
    if (has_gb_logo(head)) {
        uint64_t promised = gb_promised_size(head);
        return head->file_size >= promised || cut_short(path, head->file_size, promised, failure);
    }
    if (begins_like_gba(head) && head->bytes[GBA_FIXED_OFFSET] == 0x96) {
        /* A GBA header contains no size; check only that the first code is in the file. */
        int64_t entry = gba_entry(head);
        uint64_t wanted = entry < GBA_HEADER_SIZE ? GBA_HEADER_SIZE : (uint64_t) entry + 4;
        return head->file_size >= wanted || cut_short(path, head->file_size, wanted, failure);
    }
    return true;
}

static bool named_gb(const char* path) {
    const char* dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".gb") == 0 || strcasecmp(dot, ".gbc") == 0 || strcasecmp(dot, ".sgb") == 0);
}

static bool has_control_bytes(const struct rom_head* head) {
    for (size_t i = 0; i < head->length; ++i) {
        if (head->bytes[i] == 0 || head->bytes[i] >= 0x80) {
            return true;
        }
    }
    return false;
}

bool rom_refuse(const char* path, const struct rom_head* head, struct failure* failure) {
    if (begins_like_gba(head) && head->file_size < GBA_HEADER_SIZE) {
        return cut_short(path, head->file_size, GBA_HEADER_SIZE, failure);
    }
    if (head->file_size < ROM_HEAD_SIZE && (has_gb_logo(head) || (named_gb(path) && has_control_bytes(head)))) {
        uint64_t promised = head->file_size > GB_SIZE_OFFSET ? gb_promised_size(head) : 0;
        return cut_short(path, head->file_size, promised ? promised : GB_BANKS, failure);
    }
    return failure_set(failure, EXIT_ROM_FOREIGN, "\"%s\" is not a GBA, GB or GBC ROM; "
        "give the path of a ROM file (or an archive that contains one)", path);
}

struct VFile* rom_copy(struct VFile* file) {
    ssize_t size = file->size(file);
    struct VFile* copy = size > 0 && file->seek(file, 0, SEEK_SET) == 0 ? VFileMemChunk(NULL, (size_t) size) : NULL;
    uint8_t* bytes = copy ? copy->map(copy, (size_t) size, MAP_WRITE) : NULL;
    ssize_t at = 0;
    while (bytes && at < size) {
        ssize_t count = file->read(file, bytes + at, (size_t) (size - at));
        if (count <= 0) {
            bytes = NULL; /* cut while it was read */
        } else {
            at += count;
        }
    }
    if (!bytes && copy) {
        (void) copy->close(copy); /* memory */
    }
    return bytes ? copy : NULL;
}
