#include "machine/patch.h"

#include "machine/rom.h"
#include "platform/files.h"

#include <mgba-util/crc32.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GBA_LIMIT (UINT64_C(32) << 20) /* the largest ROM of a console */
#define GB_LIMIT (UINT64_C(8) << 20)
#define PATCH_LIMIT (UINT64_C(64) << 20)
#define MAGIC_SIZE 4
#define SUMS_SIZE 12 /* the end of UPS and BPS: CRC32 of the ROM, of the result and of the patch */

struct bytes {
    uint8_t* data;
    size_t size;
};

/* A patch that is being applied. */
struct work {
    const char* patch_path;
    const char* rom_path;
    struct bytes patch;
    struct bytes rom;
    struct bytes result;
    size_t limit;    /* of the result */
    size_t at;       /* the position in the patch */
    size_t end;      /* of its records */
    struct failure* failure;
};

static bool broken(const struct work* work, const char* what) {
    return failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" is damaged: %s at byte %zu; download or make it again", work->patch_path, what, work->at);
}

static bool too_large(const struct work* work, uint64_t size) {
    return failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" makes a ROM of %" PRIu64 " bytes; the console has at most %zu", work->patch_path, size,
        work->limit);
}

/* Makes the result at least so long; new bytes are 0. */
static bool grow(struct work* work, size_t size) {
    if (size > work->limit) {
        return too_large(work, size);
    }
    if (size > work->result.size) {
        uint8_t* data = realloc(work->result.data, size);
        if (!data) {
            return failure_set(work->failure, EXIT_INTERNAL, "out of memory");
        }
        memset(data + work->result.size, 0, size - work->result.size);
        work->result = (struct bytes) { .data = data, .size = size };
    }
    return true;
}

static bool left(const struct work* work, size_t count) {
    return work->end - work->at >= count || broken(work, "it ends too early");
}

static bool take_big_endian(struct work* work, size_t count, uint32_t* out) {
    if (!left(work, count)) {
        return false;
    }
    *out = 0;
    while (count--) {
        *out = *out << 8 | work->patch.data[work->at++];
    }
    return true;
}

/* UPS and BPS: seven bits a byte, the lowest first; the highest bit marks the last byte. */
static bool take_number(struct work* work, uint64_t* out) {
    uint64_t value = 0;
    uint64_t unit = 1;
    for (int i = 0; i < 8; ++i) {
        if (!left(work, 1)) {
            return false;
        }
        uint8_t byte = work->patch.data[work->at++];
        value += (byte & 0x7F) * unit;
        if (byte & 0x80) {
            *out = value;
            return true;
        }
        unit <<= 7;
        value += unit;
    }
    return broken(work, "a number is too large");
}

/* --- IPS ---------------------------------------------------------------------------------------------------------------- */

#define IPS_MAGIC "PATCH"
#define IPS_MAGIC_SIZE 5
#define IPS_END 0x454F46u /* "EOF", at the end; elsewhere an offset */
#define IPS_CUT_SIZE 3

static bool apply_ips_record(struct work* work, uint32_t offset) {
    uint32_t size;
    if (!take_big_endian(work, 2, &size)) {
        return false;
    }
    if (size) {
        if (!left(work, size) || !grow(work, (size_t) offset + size)) {
            return false;
        }
        memcpy(work->result.data + offset, work->patch.data + work->at, size);
        work->at += size;
        return true;
    }
    uint32_t value;
    if (!take_big_endian(work, 2, &size) || !take_big_endian(work, 1, &value)) {
        return false;
    }
    if (!size) {
        return broken(work, "a run has no length");
    }
    if (!grow(work, (size_t) offset + size)) {
        return false;
    }
    memset(work->result.data + offset, (int) value, size);
    return true;
}

/* Whether what follows are records up to another EOF. */
static bool has_records(const struct work* work) {
    const uint8_t* data = work->patch.data;
    size_t at = work->at - 3;
    for (bool first = true; work->end - at >= 3; first = false) {
        size_t rest = work->end - at - 3;
        if (!first && memcmp(data + at, "EOF", 3) == 0 && (rest == 0 || rest == IPS_CUT_SIZE)) {
            return true;
        }
        if (rest < 2) {
            return false;
        }
        size_t size = (size_t) (data[at + 3] << 8 | data[at + 4]);
        size_t used = size ? 2 + size : 5;
        if (rest < used) {
            return false;
        }
        at += 3 + used;
    }
    return false;
}

static bool is_space(const struct work* work, size_t from) {
    for (size_t at = from; at < work->end; ++at) {
        if (!strchr(" \t\r\n", work->patch.data[at]) || !work->patch.data[at]) {
            return false;
        }
    }
    return true;
}

/*
 * Behind the end may be the size of the result, and what other programs add: a line feed, or a description in JSON (EBP). The offset of a record, too,
 * may read as EOF.
 */
static bool ends_here(struct work* work) {
    size_t rest = work->end - work->at;
    bool is_cut = rest >= IPS_CUT_SIZE && is_space(work, work->at + IPS_CUT_SIZE) && !is_space(work, work->at);
    if (!is_cut && rest > 0 && has_records(work)) {
        return false;
    }
    uint32_t cut;
    if (is_cut && take_big_endian(work, IPS_CUT_SIZE, &cut) && cut < work->result.size) {
        work->result.size = cut;
    }
    return true;
}

static bool apply_ips(struct work* work) {
    work->at = IPS_MAGIC_SIZE;
    if (!grow(work, work->rom.size)) {
        return false;
    }
    memcpy(work->result.data, work->rom.data, work->rom.size);
    for (;;) {
        uint32_t offset;
        if (!take_big_endian(work, 3, &offset)) {
            return false;
        }
        if (offset == IPS_END && ends_here(work)) {
            return work->result.size || broken(work, "nothing of the ROM is left");
        }
        if (!apply_ips_record(work, offset)) {
            return false;
        }
    }
}

/* --- UPS and BPS -------------------------------------------------------------------------------------------------------- */

static uint32_t little_endian(const uint8_t* data) {
    return data[0] | (uint32_t) data[1] << 8 | (uint32_t) data[2] << 16 | (uint32_t) data[3] << 24;
}

/* The patch as a whole, before anything in it is believed. */
static bool check_patch(struct work* work) {
    if (work->patch.size < MAGIC_SIZE + SUMS_SIZE) {
        work->at = work->patch.size;
        return broken(work, "it ends too early");
    }
    uint32_t stated = little_endian(work->patch.data + work->patch.size - 4);
    uint32_t found = doCrc32(work->patch.data, work->patch.size - 4);
    if (stated != found) {
        return failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" is damaged: its CRC32 is %08" PRIX32 " instead of %08" PRIX32
            "; download or make it again", work->patch_path, found, stated);
    }
    work->end = work->patch.size - SUMS_SIZE;
    work->at = MAGIC_SIZE;
    return true;
}

/* The CRC32 of the ROM, cut or filled up with this byte to a size. */
static uint32_t crc_of_size(const struct work* work, size_t size, int fill) {
    uint8_t* data = malloc(size + 1);
    if (!data) {
        return 0;
    }
    size_t copied = size < work->rom.size ? size : work->rom.size;
    memcpy(data, work->rom.data, copied);
    memset(data + copied, fill, size - copied);
    uint32_t crc = doCrc32(data, size);
    free(data);
    return crc;
}

/* Files of ROMs are padded to the size of a chip, and trimmed of such bytes. */
static bool refuse_size(const struct work* work, uint64_t rom_size, uint32_t crc) {
    if (rom_size == 0 || rom_size > work->limit) {
        return false;
    }
    size_t size = (size_t) rom_size;
    if (size < work->rom.size && crc_of_size(work, size, 0) == crc) {
        (void) failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" is for this ROM without padding: \"%s\" has %zu bytes, of which the first %zu are the ROM; "
            "cut it to them (truncate -s %zu)", work->patch_path, work->rom_path, work->rom.size, size, size);
        return true;
    }
    for (int fill = 0xFF; size > work->rom.size && fill >= 0; fill -= 0xFF) {
        if (crc_of_size(work, size, fill) == crc) {
            (void) failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" is for this ROM before it was trimmed: \"%s\" has %zu bytes; fill it up with bytes 0x%02X to %zu",
                work->patch_path, work->rom_path, work->rom.size, (unsigned) fill, size);
            return true;
        }
    }
    return false;
}

/* The ROM must be the one that the patch was made for. */
static bool check_rom(struct work* work, uint64_t rom_size, uint64_t result_size) {
    const uint8_t* sums = work->patch.data + work->end;
    uint32_t found = doCrc32(work->rom.data, work->rom.size);
    if (work->rom.size == rom_size && found == little_endian(sums)) {
        return result_size <= work->limit ? result_size || broken(work, "nothing of the ROM is left") : too_large(work, result_size);
    }
    if (work->rom.size == result_size && found == little_endian(sums + 4)) {
        return failure_set(work->failure, EXIT_PATCH, "the ROM \"%s\" already is the result of the patch \"%s\"; start it without the patch", work->rom_path,
            work->patch_path);
    }
    if (refuse_size(work, rom_size, little_endian(sums))) {
        return false;
    }
    return failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" is for another ROM: one of %" PRIu64 " bytes with CRC32 %08" PRIX32
        "; \"%s\" has %zu bytes and CRC32 %08" PRIX32, work->patch_path, rom_size, little_endian(sums), work->rom_path, work->rom.size, found);
}

static bool check_result(struct work* work) {
    uint32_t stated = little_endian(work->patch.data + work->end + 4);
    uint32_t found = doCrc32(work->result.data, work->result.size);
    return stated == found || failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" is wrong: its result has CRC32 %08" PRIX32 " instead of %08" PRIX32
        "; download or make it again", work->patch_path, found, stated);
}

/* Records of a distance to skip, and bytes to combine until a 0, over the longer of ROM and result. */
static bool apply_ups(struct work* work) {
    uint64_t rom_size;
    uint64_t result_size;
    if (!check_patch(work) || !take_number(work, &rom_size) || !take_number(work, &result_size) || !check_rom(work, rom_size, result_size) ||
        !grow(work, (size_t) result_size)) {
        return false;
    }
    memcpy(work->result.data, work->rom.data, work->rom.size < work->result.size ? work->rom.size : work->result.size);
    uint64_t position = 0;
    while (work->at < work->end) {
        uint64_t skipped;
        if (!take_number(work, &skipped)) {
            return false;
        }
        for (position += skipped;; ++position) {
            if (!left(work, 1)) {
                return false;
            }
            uint8_t byte = work->patch.data[work->at++];
            if (!byte) {
                ++position;
                break;
            }
            if (position < work->result.size) {
                work->result.data[position] ^= byte;
            } else if (position >= work->rom.size) {
                return broken(work, "it writes behind the end of the ROM");
            }
        }
    }
    return check_result(work);
}

enum bps_action { BPS_ROM, BPS_PATCH, BPS_COPY_ROM, BPS_COPY_RESULT };

/* The new position of a copy. */
static bool move(struct work* work, size_t* position, size_t length, size_t size) {
    uint64_t number;
    if (!take_number(work, &number)) {
        return false;
    }
    uint64_t distance = number >> 1;
    if (number & 1 ? distance > *position : distance > size - *position) {
        return broken(work, "it copies from outside");
    }
    *position = number & 1 ? *position - (size_t) distance : *position + (size_t) distance;
    return length <= size - *position || broken(work, "it copies from outside");
}

static bool apply_bps_action(struct work* work, enum bps_action action, size_t length, size_t out, size_t* from_rom, size_t* from_result) {
    uint8_t* target = work->result.data + out;
    switch (action) {
    case BPS_ROM:
        if (out > work->rom.size || length > work->rom.size - out) {
            return broken(work, "it copies from outside");
        }
        memcpy(target, work->rom.data + out, length);
        return true;
    case BPS_PATCH:
        if (!left(work, length)) {
            return false;
        }
        memcpy(target, work->patch.data + work->at, length);
        work->at += length;
        return true;
    case BPS_COPY_ROM:
        if (!move(work, from_rom, length, work->rom.size)) {
            return false;
        }
        memcpy(target, work->rom.data + *from_rom, length);
        *from_rom += length;
        return true;
    default:
        /* Byte by byte from what is written already: the copy may repeat what it has just written. */
        if (!move(work, from_result, 0, out)) {
            return false;
        }
        if (*from_result >= out) {
            return broken(work, "it copies from outside");
        }
        for (size_t i = 0; i < length; ++i) {
            target[i] = work->result.data[(*from_result)++];
        }
        return true;
    }
}

static bool apply_bps(struct work* work) {
    uint64_t rom_size;
    uint64_t result_size;
    uint64_t comment;
    if (!check_patch(work) || !take_number(work, &rom_size) || !take_number(work, &result_size) || !take_number(work, &comment) ||
        !check_rom(work, rom_size, result_size) || !left(work, (size_t) comment) || !grow(work, (size_t) result_size)) {
        return false;
    }
    work->at += (size_t) comment;
    size_t out = 0;
    size_t from_rom = 0;
    size_t from_result = 0;
    while (work->at < work->end) {
        uint64_t number;
        if (!take_number(work, &number)) {
            return false;
        }
        uint64_t length = (number >> 2) + 1;
        if (length > work->result.size - out) {
            return broken(work, "it writes behind the end of the ROM");
        }
        if (!apply_bps_action(work, (enum bps_action) (number & 3), (size_t) length, out, &from_rom, &from_result)) {
            return false;
        }
        out += (size_t) length;
    }
    return (out == work->result.size || broken(work, "it ends too early")) && check_result(work);
}

/* --- files ---------------------------------------------------------------------------------------------------------------- */

static bool begins_with(const struct bytes* bytes, const char* magic) {
    return bytes->size >= strlen(magic) && memcmp(bytes->data, magic, strlen(magic)) == 0;
}

static const struct {
    const char* magic;
    const char* name;
} foreign_formats[] = {
    { "\xD6\xC3\xC4", "xdelta (VCDIFF)" },
    { "APS10", "APS for the Nintendo 64" },
    { "APS1", "APS for the GBA" },
    { "IPS32", "IPS32" },
    { "PPF", "PPF" },
    { "NINJA2", "RUP (NINJA 2)" },
    { "BSDIFF40", "bsdiff" },
    { "BM8", "BDF" },
    { "%JDIFF2", "JojoDiff" },
};

static const struct {
    const char* magic;
    const char* name;
} archives[] = {
    { "PK\3\4", "a zip archive" },
    { "7z\xBC\xAF\x27\x1C", "a 7z archive" },
    { "Rar!", "a rar archive" },
    { "\x1F\x8B", "compressed by gzip" },
};

static bool refuse_format(const struct work* work) {
    for (size_t i = 0; i < sizeof(archives) / sizeof(*archives); ++i) {
        if (begins_with(&work->patch, archives[i].magic)) {
            return failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" is %s; unpack it, and give the patch (IPS, UPS or BPS) that is in it", work->patch_path, archives[i].name);
        }
    }
    for (size_t i = 0; i < sizeof(foreign_formats) / sizeof(*foreign_formats); ++i) {
        if (begins_with(&work->patch, foreign_formats[i].magic)) {
            return failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" is in the format %s, not in IPS, UPS or BPS; apply it with its own program, and start the ROM "
                "that it makes", work->patch_path, foreign_formats[i].name);
        }
    }
    return failure_set(work->failure, EXIT_PATCH, "\"%s\" is not a patch in the format IPS, UPS or BPS", work->patch_path);
}

static bool apply(struct work* work) {
    work->end = work->patch.size;
    if (begins_with(&work->patch, IPS_MAGIC)) {
        return apply_ips(work);
    }
    if (begins_with(&work->patch, "UPS1")) {
        return apply_ups(work);
    }
    if (begins_with(&work->patch, "BPS1")) {
        return apply_bps(work);
    }
    return refuse_format(work);
}

static bool read_whole(struct VFile* file, struct bytes* out) {
    ssize_t size = file->size(file);
    out->size = size > 0 ? (size_t) size : 0;
    out->data = malloc(out->size + 1);
    return out->data && size >= 0 && file->seek(file, 0, SEEK_SET) == 0 && file->read(file, out->data, out->size) == size;
}

static bool read_patch(struct work* work) {
    int descriptor = file_open(work->patch_path);
    struct stat status;
    FILE* file = NULL;
    bool ok = false;
    if (descriptor < 0 || fstat(descriptor, &status)) {
        (void) failure_set(work->failure, EXIT_PATCH, "cannot open the patch \"%s\" (%s); give the path of a readable file", work->patch_path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        (void) failure_set(work->failure, EXIT_PATCH, "\"%s\" is a %s, not a patch; give the path of a file", work->patch_path,
            S_ISDIR(status.st_mode) ? "directory" : "device or pipe");
    } else if ((uint64_t) status.st_size > PATCH_LIMIT) {
        (void) failure_set(work->failure, EXIT_PATCH, "the patch \"%s\" has more than %" PRIu64 " bytes; is it a patch?", work->patch_path, PATCH_LIMIT);
    } else {
        work->patch = (struct bytes) { .data = malloc((size_t) status.st_size + 1), .size = (size_t) status.st_size };
        file = fdopen(descriptor, "rb"); /* owns the descriptor */
        ok = (work->patch.data && file && fread(work->patch.data, 1, work->patch.size, file) == work->patch.size)
            || failure_set(work->failure, EXIT_PATCH, "cannot read the patch \"%s\"", work->patch_path);
    }
    if (file) {
        (void) fclose(file); /* opened for reading: nothing can be lost */
    } else if (descriptor >= 0) {
        (void) close(descriptor);
    }
    return ok;
}

/* NULL and a failure if it cannot be applied. */
static struct VFile* patched(struct mCore* core, struct VFile* rom, const char* rom_path, const char* patch_path, struct failure* failure) {
    struct work work = {
        .patch_path = patch_path,
        .rom_path = rom_path,
        .limit = core->platform(core) == mPLATFORM_GBA ? GBA_LIMIT : GB_LIMIT,
        .failure = failure,
    };
    struct VFile* file = NULL;
    if (!read_whole(rom, &work.rom)) {
        (void) failure_set(failure, EXIT_ROM_MISSING, "cannot read ROM \"%s\"", rom_path);
    } else if (read_patch(&work) && apply(&work)) {
        file = VFileMemChunk(work.result.data, work.result.size); /* copies them */
        if (file && !core->isROM(file)) {
            (void) file->close(file);
            file = NULL;
            (void) failure_set(failure, EXIT_PATCH, "the patch \"%s\" makes something of \"%s\" that is no ROM of its console; "
                "check that the patch is for this ROM", patch_path, rom_path);
        } else if (!file) {
            (void) failure_set(failure, EXIT_INTERNAL, "out of memory");
        }
    }
    free(work.patch.data);
    free(work.rom.data);
    free(work.result.data);
    return file;
}

bool patch_load_rom(struct mCore* core, const char* rom, const char* patch, struct failure* failure) {
    /* Sets the directories and the base name of saves, states and screenshots. */
    struct VFile* file = mDirectorySetOpenPath(&core->dirs, rom, core->isROM);
    if (file && patch) {
        struct VFile* result = patched(core, file, rom, patch, failure);
        (void) file->close(file); /* opened for reading */
        if (!result) {
            return false;
        }
        file = result;
    }
    struct VFile* copy = file ? rom_copy(file) : NULL;
    if (file) {
        (void) file->close(file); /* opened for reading */
    }
    if (copy && core->loadROM(core, copy)) {
        return true;
    }
    if (copy) {
        (void) copy->close(copy); /* memory */
    }
    return failure_set(failure, EXIT_ROM_FOREIGN, "libmgba cannot load \"%s\"; give another ROM file", rom);
}
