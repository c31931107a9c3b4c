#include "debugger/coverage.h"

#include "debugger/addresses.h"
#include "debugger/history.h"
#include "platform/files.h"
#include "platform/memory.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/gb/gb.h>
#include <mgba/internal/sm83/sm83.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a GBA, one for two bytes: ROM, then the memories. */
#define GBA_ROM 0x1000000u
#define GBA_EWRAM 0x20000u
#define GBA_IWRAM 0x4000u
#define GBA_BIOS 0x2000u
#define EWRAM_AT GBA_ROM
#define IWRAM_AT (EWRAM_AT + GBA_EWRAM)
#define BIOS_AT (IWRAM_AT + GBA_IWRAM)
#define GBA_COUNTS (BIOS_AT + GBA_BIOS)
/* Of a Game Boy, one for a byte: ROM, then addresses from 0x8000 on. */
#define GB_ROM 0x800000u
#define GB_BANK 0x4000u
#define GB_MEMORY 0x8000u
#define GB_COUNTS (GB_ROM + GB_MEMORY)

#define COUNTS (GBA_COUNTS > GB_COUNTS ? GBA_COUNTS : GB_COUNTS)

/* Of what is counted nowhere. */
#define NOWHERE UINT32_MAX

static struct {
    bool on;
    uint32_t from; /* where the number of the address is */
    uint32_t to;
    bool begun;
    uint32_t began;
    struct coverage_measured measured;
} measure;

static struct {
    const char* path;
    struct mCore* core;
    uint32_t* counts; /* of COUNTS; memory is taken where code is */
} coverage;

bool coverage_begin(const char* path, struct failure* failure) {
    if (!file_can_be_written(path)) {
        return failure_set(failure, EXIT_OPTIONS, "cannot write \"%s\" (%s); give --coverage a file that can be written", path, strerror(errno));
    }
    coverage.path = path;
    return true;
}

bool coverage_is_on(void) {
    return coverage.counts || measure.on;
}

void coverage_of(struct mCore* core) {
    measure.on = false;
    if (!core || !coverage.path) {
        return; /* what was counted is written when the program ends */
    }
    memory_release(coverage.counts, COUNTS * sizeof(*coverage.counts));
    coverage.counts = memory_reserve(COUNTS * sizeof(*coverage.counts));
    coverage.core = core;
}

static void take_time(const struct mCore* core, uint32_t at) {
    const uint32_t now = history_time(core);
    if (at == measure.to && measure.begun) {
        const uint32_t took = now - measure.began;
        struct coverage_measured* measured = &measure.measured;
        measured->least = measured->count == 0 || took < measured->least ? took : measured->least;
        measured->most = took > measured->most ? took : measured->most;
        ++measured->count;
        measure.begun = false;
    }
    if (at == measure.from) {
        measure.begun = true;
        measure.began = now;
    }
}

static void note(const struct mCore* core, uint32_t at) {
    if (at == NOWHERE) {
        return;
    }
    if (coverage.counts) {
        coverage.counts[at] += coverage.counts[at] != UINT32_MAX;
    }
    if (measure.on && (at == measure.from || at == measure.to)) {
        take_time(core, at);
    }
}

/* --- GBA ------------------------------------------------------------------------------------------------------------------ */

static uint32_t place_of_arm(uint32_t pc) {
    switch (pc >> 24) {
    case 0x8:
    case 0x9:
    case 0xA:
    case 0xB:
    case 0xC:
    case 0xD:
        return (pc & 0x1FFFFFF) / 2;
    case 0x2:
        return EWRAM_AT + (pc & 0x3FFFF) / 2;
    case 0x3:
        return IWRAM_AT + (pc & 0x7FFF) / 2;
    case 0x0:
        return BIOS_AT + (pc & 0x3FFF) / 2;
    default:
        return NOWHERE;
    }
}

static uint32_t pc_of_arm(const struct ARMCore* cpu) {
    return (uint32_t) cpu->gprs[ARM_PC] - (cpu->executionMode == MODE_THUMB ? WORD_SIZE_THUMB : WORD_SIZE_ARM);
}

static void run_arm(const struct mCore* core, struct ARMCore* cpu) {
    while (cpu->cycles < cpu->nextEvent) {
        note(core, place_of_arm(pc_of_arm(cpu)));
        ARMRun(cpu);
    }
    cpu->irqh.processEvents(cpu);
}

static uint32_t address_of_arm(uint32_t at) {
    return at < EWRAM_AT ? 0x08000000 + at * 2 : at < IWRAM_AT ? 0x02000000 + (at - EWRAM_AT) * 2 : at < BIOS_AT ? 0x03000000 + (at - IWRAM_AT) * 2 : (at - BIOS_AT) * 2;
}

/* --- Game Boy --------------------------------------------------------------------------------------------------------------- */

static uint32_t place_of_sm83(const struct mCore* core, uint16_t pc) {
    if (pc >= GB_MEMORY) {
        return GB_ROM + pc - GB_MEMORY;
    }
    const struct GBMemory* memory = &((const struct GB*) core->board)->memory;
    const uintptr_t at = (uintptr_t) (pc < GB_BANK ? memory->romBase + pc : memory->romBank + pc - GB_BANK) - (uintptr_t) memory->rom;
    return at < GB_ROM ? (uint32_t) at : NOWHERE; /* that of the boot ROM */
}

/* As instructions_run(), with no more than is needed. */
static void run_sm83(const struct mCore* core, struct SM83Core* cpu) {
    bool had_events = false;
    do {
        if (cpu->cycles >= cpu->nextEvent) {
            cpu->irqh.processEvents(cpu);
            had_events = true;
            continue;
        }
        if (cpu->executionState == SM83_CORE_FETCH && !cpu->halted && !cpu->irqPending) {
            note(core, place_of_sm83(core, cpu->pc));
        }
        const int32_t before = cpu->cycles;
        SM83Tick(cpu);
        had_events |= cpu->cycles <= before;
    } while (!had_events || cpu->executionState != SM83_CORE_FETCH);
}

static void write_line_sm83(FILE* file, uint32_t at, uint32_t executed) {
    const uint32_t bank = at < GB_ROM ? at / GB_BANK : 0;
    const uint32_t address = at >= GB_ROM ? at - GB_ROM + GB_MEMORY : bank == 0 ? at : at % GB_BANK + GB_BANK;
    (void) fprintf(file, "%" PRIx32 ":%" PRIx32 " %" PRIu32 "\n", bank, address, executed);
}

/* --- both ------------------------------------------------------------------------------------------------------------------- */

void coverage_note(const struct mCore* core) {
    if (is_gba(core)) {
        note(core, place_of_arm(pc_of_arm(core->cpu)));
    } else if (!((const struct SM83Core*) core->cpu)->irqPending) {
        note(core, place_of_sm83(core, ((const struct SM83Core*) core->cpu)->pc));
    }
}

void coverage_run_loop(struct mCore* core) {
    if (is_gba(core)) {
        run_arm(core, core->cpu);
    } else {
        run_sm83(core, core->cpu);
    }
}

/* ADDRESS, or BANK:ADDRESS of a Game Boy, in hexadecimal. */
static bool take_place(const struct mCore* core, const char** text, uint32_t* place) {
    char* end;
    errno = 0;
    unsigned long bank = 0;
    unsigned long address = strtoul(*text, &end, 16);
    if (!is_gba(core) && *end == ':') {
        bank = address;
        address = strtoul(end + 1, &end, 16);
    }
    if (errno || end == *text || address > (is_gba(core) ? UINT32_MAX : UINT16_MAX) || bank >= GB_ROM / GB_BANK) {
        return false;
    }
    *text = end;
    *place = is_gba(core) ? place_of_arm((uint32_t) address & ~1u) : address >= GB_MEMORY ? (uint32_t) (GB_ROM + address - GB_MEMORY) : (uint32_t) (bank * GB_BANK + address % GB_BANK);
    return *place != NOWHERE;
}

bool coverage_measure(const struct mCore* core, const char* from_and_to, struct failure* failure) {
    const char* text = from_and_to;
    uint32_t from;
    uint32_t to;
    if (!take_place(core, &text, &from) || *text++ != ' ' || !take_place(core, &text, &to) || *text) {
        return failure_set(failure, EXIT_OPTIONS, "requires two addresses of code in hexadecimal, such as 8000150 8000160 or 0:150 1:4000, not \"%s\"", from_and_to);
    }
    memset(&measure, 0, sizeof(measure));
    measure.on = true;
    measure.from = from;
    measure.to = to;
    return true;
}

struct coverage_measured coverage_measured(void) {
    measure.on = false;
    return measure.measured;
}

bool coverage_write(struct failure* failure) {
    if (!coverage.counts) {
        return !coverage.path || failure_set(failure, EXIT_INTERNAL, "there is no memory to count what is executed");
    }
    FILE* file = fopen(coverage.path, "w");
    const bool gba = is_gba(coverage.core);
    for (uint32_t at = 0; file && at < (gba ? GBA_COUNTS : GB_COUNTS); ++at) {
        if (coverage.counts[at] > 0 && gba) {
            (void) fprintf(file, "%" PRIx32 " %" PRIu32 "\n", address_of_arm(at), coverage.counts[at]);
        } else if (coverage.counts[at] > 0) {
            write_line_sm83(file, at, coverage.counts[at]);
        }
    }
    const bool written = file && !ferror(file);
    return (file && fclose(file) == 0 && written) || failure_set(failure, EXIT_INTERNAL, "cannot write \"%s\" (%s); check that its disk has free space", coverage.path, strerror(errno));
}
