#include "debugger/coverage.h"

#include "debugger/addresses.h"
#include "platform/files.h"
#include "platform/memory.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/gb/gb.h>
#include <mgba/internal/sm83/sm83.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
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
    return coverage.counts;
}

void coverage_of(struct mCore* core) {
    if (!core || !coverage.path) {
        return; /* what was counted is written when the program ends */
    }
    memory_release(coverage.counts, COUNTS * sizeof(*coverage.counts));
    coverage.counts = memory_reserve(COUNTS * sizeof(*coverage.counts));
    coverage.core = core;
}

static void count(uint32_t at) {
    coverage.counts[at] += coverage.counts[at] != UINT32_MAX;
}

/* --- GBA ------------------------------------------------------------------------------------------------------------------ */

static void note_arm(uint32_t pc) {
    switch (pc >> 24) {
    case 0x8:
    case 0x9:
    case 0xA:
    case 0xB:
    case 0xC:
    case 0xD:
        count((pc & 0x1FFFFFF) / 2);
        break;
    case 0x2:
        count(EWRAM_AT + (pc & 0x3FFFF) / 2);
        break;
    case 0x3:
        count(IWRAM_AT + (pc & 0x7FFF) / 2);
        break;
    case 0x0:
        count(BIOS_AT + (pc & 0x3FFF) / 2);
        break;
    default:
        break;
    }
}

static uint32_t pc_of_arm(const struct ARMCore* cpu) {
    return (uint32_t) cpu->gprs[ARM_PC] - (cpu->executionMode == MODE_THUMB ? WORD_SIZE_THUMB : WORD_SIZE_ARM);
}

static void run_arm(struct ARMCore* cpu) {
    while (cpu->cycles < cpu->nextEvent) {
        note_arm(pc_of_arm(cpu));
        ARMRun(cpu);
    }
    cpu->irqh.processEvents(cpu);
}

static uint32_t address_of_arm(uint32_t at) {
    return at < EWRAM_AT ? 0x08000000 + at * 2 : at < IWRAM_AT ? 0x02000000 + (at - EWRAM_AT) * 2 : at < BIOS_AT ? 0x03000000 + (at - IWRAM_AT) * 2 : (at - BIOS_AT) * 2;
}

/* --- Game Boy --------------------------------------------------------------------------------------------------------------- */

static void note_sm83(const struct mCore* core, uint16_t pc) {
    if (pc >= GB_MEMORY) {
        count(GB_ROM + pc - GB_MEMORY);
        return;
    }
    const struct GBMemory* memory = &((const struct GB*) core->board)->memory;
    const uintptr_t at = (uintptr_t) (pc < GB_BANK ? memory->romBase + pc : memory->romBank + pc - GB_BANK) - (uintptr_t) memory->rom;
    if (at < GB_ROM) { /* not that of the boot ROM */
        count((uint32_t) at);
    }
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
            note_sm83(core, cpu->pc);
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
        note_arm(pc_of_arm(core->cpu));
    } else if (!((const struct SM83Core*) core->cpu)->irqPending) {
        note_sm83(core, ((const struct SM83Core*) core->cpu)->pc);
    }
}

void coverage_run_loop(struct mCore* core) {
    if (is_gba(core)) {
        run_arm(core->cpu);
    } else {
        run_sm83(core, core->cpu);
    }
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
