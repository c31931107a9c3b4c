/* The frames of a test ROM: which keys are held (--keys), what ends it besides the ROM itself (--until), and what is reported then (--read, --report). */
#ifndef HEADLESS_ROM_TEST_ENDINGS_H
#define HEADLESS_ROM_TEST_ENDINGS_H

#include "base/failure.h"
#include "machine/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ENDINGS_MAX 16
#define ENDINGS_BYTES 32
#define ENDINGS_READS 64
#define ENDINGS_READ_BYTES 65536
#define ENDINGS_KEYS 256
#define ENDINGS_LINES 16
#define ENDINGS_MOMENTS 100

enum ending_kind { ENDING_LD_B_B, ENDING_ILLEGAL, ENDING_STILL, ENDING_FRAMES, ENDING_MEMORY, ENDING_LOG };

struct ending {
    const char* text; /* as it was given */
    enum ending_kind kind;
    uint64_t frames;  /* of ENDING_STILL and ENDING_FRAMES */
    const char* line; /* of ENDING_LOG: the text that it has */
    struct {
        uint32_t address;
        uint8_t value;
    } bytes[ENDINGS_BYTES];
    size_t count;
    size_t differing; /* the first so many bytes: one of them has another value; each of the others has this one */
};

struct endings {
    struct ending all[ENDINGS_MAX];
    size_t count;
    struct {
        uint32_t address;
        uint32_t size;
    } reads[ENDINGS_READS];
    size_t read_count;
    struct {
        uint64_t frame; /* behind so many */
        uint32_t mask;
    } keys[ENDINGS_KEYS];
    size_t key_count;
    const char* report; /* a folder; NULL: nothing is reported */
    const char* lines[ENDINGS_LINES]; /* of the log: with them a moment is reported, too */
    size_t line_count;
};

/* The values of the options. */
bool endings_add(struct endings* endings, const char* text, struct failure* failure);
bool endings_add_read(struct endings* endings, const char* text, struct failure* failure);
bool endings_add_keys(struct endings* endings, const char* text, struct failure* failure);
bool endings_add_line(struct endings* endings, const char* text, struct failure* failure);

/* The one of this kind; NULL without it. */
const struct ending* endings_of(const struct endings* endings, enum ending_kind kind);
/* At the end of each frame: holds the keys of the next one; the ending that has come, or NULL. */
const struct ending* endings_frame_ended(const struct endings* endings, struct mCore* core);

/* A line of the log was printed, which may be an ending. */
void endings_line_printed(const struct endings* endings, const char* line);
/* Whether a line of the log has one of the texts with which a moment is reported. */
bool endings_has_line(const struct endings* endings, const char* line);
/* Writes the picture and the state of this moment: picture-1.png and state-1.ss with the number 1. */
bool endings_report_moment(const struct endings* endings, struct mCore* core, unsigned number, struct failure* failure);
/* Writes the report: end.txt, picture.png and state.ss. `end` is what ended the run. */
bool endings_report(const struct endings* endings, struct mCore* core, const char* end, struct failure* failure);

#endif
