#include "rom-test/endings.h"

#include "base/numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_LIMIT 1000000
#define KEYS_LIMIT 0x3FF

/* Of the run; there is one. */
static struct {
    uint64_t frames;
    uint64_t still; /* frames whose picture is that of the frame before */
    uint64_t hash;
    uint32_t lines; /* endings whose line was printed, a bit each */
} seen;

/* --- options ------------------------------------------------------------------------------------------------------------ */

static bool starts(const char** text, const char* word) {
    const size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0) {
        return false;
    }
    *text += length;
    return true;
}

static bool take_hex(const char** text, unsigned long limit, unsigned long* out) {
    char* end;
    errno = 0;
    *out = strspn(*text, "0123456789abcdefABCDEFx") > 0 ? strtoul(*text, &end, 16) : ULONG_MAX;
    if (errno || *out > limit) {
        return false;
    }
    *text = end;
    return true;
}

static bool take_byte(const char** text, uint8_t* out) {
    char digits[3] = { (*text)[0], (*text)[0] ? (*text)[1] : '\0', '\0' };
    if (strspn(digits, "0123456789abcdefABCDEF") != 2) {
        return false;
    }
    *out = (uint8_t) strtoul(digits, NULL, 16);
    *text += 2;
    return true;
}

/* ADDRESS=BYTES or ADDRESS!BYTES, one of the latter, which comes first. */
static bool take_memory(const char* text, struct ending* ending) {
    for (;;) {
        unsigned long address;
        if (!take_hex(&text, UINT32_MAX, &address) || (*text != '=' && (*text != '!' || ending->count > 0))) {
            return false;
        }
        const bool differs = *text++ == '!';
        uint8_t value;
        const size_t before = ending->count;
        while (ending->count < ENDINGS_BYTES && take_byte(&text, &value)) {
            ending->bytes[ending->count].address = (uint32_t) (address + ending->count - before);
            ending->bytes[ending->count++].value = value;
        }
        if (ending->count == before) {
            return false;
        }
        ending->differing = differs ? ending->count : ending->differing;
        if (*text != ',') {
            return !*text;
        }
        ++text;
    }
}

static bool take_ending(const char* text, struct ending* ending) {
    ending->text = text;
    if (strcmp(text, "ld-b-b") == 0) {
        ending->kind = ENDING_LD_B_B;
        return true;
    }
    if (strcmp(text, "illegal") == 0) {
        ending->kind = ENDING_ILLEGAL;
        return true;
    }
    if (starts(&text, "still:")) {
        ending->kind = ENDING_STILL;
        return numbers_count(text, FRAMES_LIMIT, &ending->frames);
    }
    if (starts(&text, "frames:")) {
        ending->kind = ENDING_FRAMES;
        return numbers_count(text, FRAMES_LIMIT, &ending->frames);
    }
    if (starts(&text, "log:")) {
        ending->kind = ENDING_LOG;
        ending->line = text;
        return *text;
    }
    ending->kind = ENDING_MEMORY;
    return starts(&text, "memory:") && take_memory(text, ending);
}

bool endings_add(struct endings* endings, const char* text, struct failure* failure) {
    if (endings->count == ENDINGS_MAX) {
        return failure_set(failure, EXIT_OPTIONS, "--until may be given %d times", ENDINGS_MAX);
    }
    return take_ending(text, &endings->all[endings->count++]) ||
        failure_set(failure, EXIT_OPTIONS, "--until requires ld-b-b, illegal, still:FRAMES, frames:FRAMES, log:TEXT or memory:ADDRESS=BYTES, not \"%s\"", text);
}

bool endings_add_read(struct endings* endings, const char* text, struct failure* failure) {
    if (endings->read_count == ENDINGS_READS) {
        return failure_set(failure, EXIT_OPTIONS, "--read may be given %d times", ENDINGS_READS);
    }
    const char* rest = text;
    unsigned long address;
    uint64_t size;
    if (!take_hex(&rest, UINT32_MAX, &address) || *rest != ':' || !numbers_count(rest + 1, ENDINGS_READ_BYTES, &size)) {
        return failure_set(failure, EXIT_OPTIONS, "--read requires ADDRESS:BYTES with an address in hexadecimal and 1 to %d bytes, not \"%s\"", ENDINGS_READ_BYTES, text);
    }
    endings->reads[endings->read_count].address = (uint32_t) address;
    endings->reads[endings->read_count++].size = (uint32_t) size;
    return true;
}

/* FRAME:MASK,FRAME:MASK... */
static bool take_keys(struct endings* endings, const char* text) {
    char* end;
    do {
        if (endings->key_count == ENDINGS_KEYS || *text < '0' || *text > '9') {
            return false;
        }
        errno = 0;
        const unsigned long long frame = strtoull(text, &end, 10);
        unsigned long mask;
        text = end + 1;
        if (errno || *end != ':' || frame > FRAMES_LIMIT || !take_hex(&text, KEYS_LIMIT, &mask)) {
            return false;
        }
        endings->keys[endings->key_count].frame = frame;
        endings->keys[endings->key_count++].mask = (uint32_t) mask;
    } while (*text++ == ',');
    return !text[-1];
}

bool endings_add_keys(struct endings* endings, const char* text, struct failure* failure) {
    return take_keys(endings, text) ||
        failure_set(failure, EXIT_OPTIONS, "--keys requires FRAME:MASK,FRAME:MASK... with up to %d masks in hexadecimal up to %x, not \"%s\"", ENDINGS_KEYS, KEYS_LIMIT, text);
}

bool endings_add_line(struct endings* endings, const char* text, struct failure* failure) {
    if (!*text || endings->line_count == ENDINGS_LINES) {
        return failure_set(failure, EXIT_OPTIONS, "--report-at requires a text and may be given %d times", ENDINGS_LINES);
    }
    endings->lines[endings->line_count++] = text;
    return true;
}

/* --- frames ------------------------------------------------------------------------------------------------------------- */

const struct ending* endings_of(const struct endings* endings, enum ending_kind kind) {
    for (size_t i = 0; i < endings->count; ++i) {
        if (endings->all[i].kind == kind) {
            return &endings->all[i];
        }
    }
    return NULL;
}

static uint8_t byte_at(struct mCore* core, uint32_t address) {
    return (uint8_t) core->rawRead8(core, address, -1);
}

static bool holds(const struct ending* ending, struct mCore* core) {
    bool differs = ending->differing == 0;
    for (size_t i = 0; i < ending->count; ++i) {
        const bool equal = byte_at(core, ending->bytes[i].address) == ending->bytes[i].value;
        if (i < ending->differing) {
            differs |= !equal;
        } else if (!equal) {
            return false;
        }
    }
    return differs;
}

/* FNV-1a of the pixels. */
static uint64_t hash_picture(struct mCore* core) {
    unsigned width;
    unsigned height;
    size_t stride;
    const void* pixels;
    core->desiredVideoDimensions(core, &width, &height);
    core->getPixels(core, &pixels, &stride);
    uint64_t hash = 0xCBF29CE484222325;
    for (unsigned y = 0; y < height; ++y) {
        const color_t* row = (const color_t*) pixels + y * stride;
        for (unsigned x = 0; x < width; ++x) {
            hash = (hash ^ row[x]) * 0x100000001B3;
        }
    }
    return hash;
}

const struct ending* endings_frame_ended(const struct endings* endings, struct mCore* core) {
    ++seen.frames;
    for (size_t i = 0; i < endings->key_count; ++i) {
        if (endings->keys[i].frame == seen.frames) {
            core->setKeys(core, endings->keys[i].mask);
        }
    }
    if (endings_of(endings, ENDING_STILL)) {
        const uint64_t hash = hash_picture(core);
        seen.still = seen.frames > 1 && hash == seen.hash ? seen.still + 1 : 0;
        seen.hash = hash;
    }
    for (size_t i = 0; i < endings->count; ++i) {
        const struct ending* ending = &endings->all[i];
        if ((ending->kind == ENDING_STILL && seen.still >= ending->frames) || (ending->kind == ENDING_FRAMES && seen.frames >= ending->frames) ||
            (ending->kind == ENDING_LOG && (seen.lines & 1u << i)) || (ending->kind == ENDING_MEMORY && holds(ending, core))) {
            return ending;
        }
    }
    return NULL;
}

/* --- the report --------------------------------------------------------------------------------------------------------- */

static void write_registers(struct mCore* core, FILE* file) {
    const struct mCoreRegisterInfo* all;
    const size_t count = core->listRegisters(core, &all);
    for (size_t i = 0; i < count; ++i) {
        uint32_t value = 0; /* that of a GB fills only the lower bytes */
        if (core->readRegister(core, all[i].name, &value)) {
            (void) fprintf(file, "%s %" PRIu32 "\n", all[i].name, value);
        }
    }
}

static bool write_text(const struct endings* endings, struct mCore* core, const char* end, const char* path) {
    FILE* file = fopen(path, "w");
    if (!file) {
        return false;
    }
    (void) fprintf(file, "end %s\nframes %" PRIu64 "\n", end, seen.frames);
    write_registers(core, file);
    for (size_t i = 0; i < endings->read_count; ++i) {
        (void) fprintf(file, "0x%X ", endings->reads[i].address);
        for (uint32_t at = 0; at < endings->reads[i].size; ++at) {
            (void) fprintf(file, "%02x", byte_at(core, endings->reads[i].address + at));
        }
        (void) fputc('\n', file);
    }
    const bool written = !ferror(file);
    return fclose(file) == 0 && written;
}

static bool take_screenshot(struct mCore* core, struct VFile* file) {
    return mCoreTakeScreenshotVF(core, file);
}

static bool save_state(struct mCore* core, struct VFile* file) {
    return mCoreSaveStateNamed(core, file, SAVESTATE_ALL);
}

static bool write_file(struct mCore* core, const char* path, bool (*write)(struct mCore* core, struct VFile* file)) {
    struct VFile* file = VFileOpen(path, O_CREAT | O_TRUNC | O_RDWR);
    if (!file) {
        return false;
    }
    const bool written = write(core, file);
    return file->close(file) && written;
}

static bool cannot_write(const struct endings* endings, struct failure* failure) {
    return failure_set(failure, EXIT_INTERNAL, "cannot write the report to \"%s\" (%s); give --report a folder that can be written", endings->report, strerror(errno));
}

/* The picture and the state. */
static bool write_machine(const struct endings* endings, struct mCore* core, const char* suffix) {
    char path[PATH_MAX];
    const size_t size = sizeof(path);
    if ((size_t) snprintf(path, size, "%s/picture%s.png", endings->report, suffix) >= size || !write_file(core, path, take_screenshot)) {
        return false;
    }
    (void) snprintf(path, size, "%s/state%s.ss", endings->report, suffix);
    return write_file(core, path, save_state);
}

void endings_line_printed(const struct endings* endings, const char* line) {
    for (size_t i = 0; i < endings->count; ++i) {
        if (endings->all[i].kind == ENDING_LOG && strstr(line, endings->all[i].line)) {
            seen.lines |= 1u << i;
        }
    }
}

bool endings_has_line(const struct endings* endings, const char* line) {
    for (size_t i = 0; i < endings->line_count; ++i) {
        if (strstr(line, endings->lines[i])) {
            return true;
        }
    }
    return false;
}

bool endings_report_moment(const struct endings* endings, struct mCore* core, unsigned number, struct failure* failure) {
    char suffix[16];
    (void) snprintf(suffix, sizeof(suffix), "-%u", number);
    return write_machine(endings, core, suffix) || cannot_write(endings, failure);
}

bool endings_report(const struct endings* endings, struct mCore* core, const char* end, struct failure* failure) {
    char path[PATH_MAX];
    return ((size_t) snprintf(path, sizeof(path), "%s/end.txt", endings->report) < sizeof(path) && write_machine(endings, core, "") && write_text(endings, core, end, path)) ||
        cannot_write(endings, failure);
}
