#include "rom-test/gb-test.h"

#include "rom-test/gb-words.h"

#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gb/io.h>
#include <mgba/internal/sm83/sm83.h>

#include <string.h>

/* Of the register SC: a transfer begins, and this GB has the clock. */
#define SC_SENDS 0x81

/* What mooneye's test ROMs report, and others after them. They then wait for ever. */
#define RESULT_SIZE 6
static const uint8_t passed[RESULT_SIZE] = { 3, 5, 8, 13, 21, 34 };
static const uint8_t failed[RESULT_SIZE] = { 0x42, 0x42, 0x42, 0x42, 0x42, 0x42 };

/* The hooks of the link port get only its driver. */
static struct {
    struct GBSIODriver driver;
    uint8_t first[RESULT_SIZE]; /* bytes sent */
    size_t sent;
    char line[256];
    size_t length;
    enum gb_words says;    /* what the lines say of the test */
    unsigned quiet_frames; /* since the last byte */
} port;

/* A ROM that prints the outcome of each of its tests waits for the next one for less than ten seconds. */
#define QUIET_FRAMES 600

static void note_words(void) {
    port.line[port.length] = '\0';
    enum gb_words says = gb_words_of(port.line);
    port.says = says > port.says ? says : port.says;
}

static void log_line(void) {
    note_words();
    port.length = 0;
    mLog(mLogCategoryById("gb.sio"), mLOG_INFO, "%s", port.line);
}

/* Games send other bytes, too: only those of a text are kept. */
static void take(uint8_t byte) {
    if (port.sent < RESULT_SIZE) {
        port.first[port.sent] = byte;
    }
    ++port.sent;
    port.quiet_frames = 0;
    if (byte >= ' ' && byte <= '~') {
        port.line[port.length++] = (char) byte;
    }
    if (byte == '\n' || port.length == sizeof(port.line) - 1) {
        log_line();
    }
}

static void write_sb(struct GBSIODriver* driver, uint8_t value) {
    (void) driver;
    (void) value; /* read from SB when it is sent */
}

static uint8_t write_sc(struct GBSIODriver* driver, uint8_t value) {
    if ((value & SC_SENDS) == SC_SENDS) {
        take(driver->p->p->memory.io[GB_REG_SB]);
    }
    return value;
}

void gb_test_log_link_port(struct mCore* core) {
    port.driver.writeSB = write_sb;
    port.driver.writeSC = write_sc;
    GBSIOSetDriver(&((struct GB*) core->board)->sio, &port.driver);
}

void gb_test_flush(void) {
    if (port.length > 0) {
        log_line();
    }
}

static bool is_result(const uint8_t* bytes, bool* is_failure) {
    *is_failure = memcmp(bytes, failed, RESULT_SIZE) == 0;
    return *is_failure || memcmp(bytes, passed, RESULT_SIZE) == 0;
}

bool gb_test_says_failed(void) {
    note_words();
    return port.says == GB_WORDS_FAILED;
}

bool gb_test_result(const struct mCore* core, bool* is_failure) {
    const struct SM83Core* cpu = core->cpu;
    const uint8_t registers[RESULT_SIZE] = { cpu->b, cpu->c, cpu->d, cpu->e, cpu->h, cpu->l };
    if (port.sent == RESULT_SIZE && is_result(port.first, is_failure)) {
        port.length = 0; /* it is not a text */
        return true;
    }
    if (is_result(registers, is_failure)) {
        *is_failure |= gb_test_says_failed();
        return true;
    }
    if (++port.quiet_frames < QUIET_FRAMES) {
        return false;
    }
    *is_failure = gb_test_says_failed();
    return port.says != GB_WORDS_NOTHING;
}
