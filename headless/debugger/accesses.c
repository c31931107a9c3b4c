#include "debugger/accesses.h"

#include "debugger/addresses.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/internal/gb/gb.h>
#include <mgba/internal/sm83/sm83.h>

/* The functions of the processor get no context, and there is one machine. */
static struct {
    struct mCore* core; /* NULL: its functions are its own */
    uint32_t first;
    uint32_t last;
    void (*noted)(const struct access* access);
    bool of_game;
    int ignored;
    bool by_dma;
    struct ARMMemory arm;
    struct SM83Memory sm83;
} accesses;

static bool is_noted(uint32_t address, unsigned size) {
    return accesses.of_game && !accesses.ignored && address <= accesses.last && address + size - 1 >= accesses.first;
}

static uint32_t value_at(uint32_t address, unsigned size) {
    struct mCore* core = accesses.core;
    return size == 4 ? core->rawRead32(core, address, -1) : size == 2 ? core->rawRead16(core, address, -1) : core->rawRead8(core, address, -1);
}

/* A Game Boy's DMA may run in the middle of an instruction. */
static bool is_blocked(const struct mCore* core) {
    return !is_gba(core) && ((const struct GB*) core->board)->cpuBlocked;
}

static void note(bool writes, uint32_t address, unsigned size, uint32_t before, uint32_t value) {
    const struct access access = {
        .writes = writes,
        .address = address,
        .size = size,
        .before = before,
        .value = size == 4 ? value : value & ((1u << 8 * size) - 1),
        .after = writes ? value_at(address, size) : before,
        .by_dma = accesses.by_dma || is_blocked(accesses.core),
    };
    accesses.noted(&access);
}

/* --- GBA ------------------------------------------------------------------------------------------------------------------- */

#define NOTED_LOAD(NAME, SIZE) \
    static uint32_t NAME(struct ARMCore* cpu, uint32_t address, int* cycles) { \
        const uint32_t at = address_of_gba(address & ~(SIZE - 1u)); \
        const uint32_t value = accesses.arm.NAME(cpu, address, cycles); \
        if (is_noted(at, SIZE)) { \
            note(false, at, SIZE, value, value); \
        } \
        return value; \
    }

#define NOTED_STORE(NAME, SIZE, TYPE) \
    static void NAME(struct ARMCore* cpu, uint32_t address, TYPE value, int* cycles) { \
        const uint32_t at = address_of_gba(address & ~(SIZE - 1u)); \
        const bool noted = is_noted(at, SIZE); \
        const uint32_t before = noted ? value_at(at, SIZE) : 0; \
        accesses.arm.NAME(cpu, address, value, cycles); \
        if (noted) { \
            note(true, at, SIZE, before, (uint32_t) value); \
        } \
    }

NOTED_LOAD(load32, 4u)
NOTED_LOAD(load16, 2u)
NOTED_LOAD(load8, 1u)
NOTED_STORE(store32, 4u, int32_t)
NOTED_STORE(store16, 2u, int16_t)
NOTED_STORE(store8, 1u, int8_t)

#define MULTIPLE 16 /* words */

static unsigned registers_in(int mask) {
    return (unsigned) __builtin_popcount((unsigned) mask);
}

/* The lowest address of a multiple access. */
static uint32_t lowest(uint32_t base, unsigned count, enum LSMDirection direction) {
    switch (direction) {
    case LSM_IB:
        return (base & ~3u) + 4;
    case LSM_DA:
        return (base & ~3u) - 4 * count + 4;
    case LSM_DB:
        return (base & ~3u) - 4 * count;
    default:
        return base & ~3u;
    }
}

static uint32_t loadMultiple(struct ARMCore* cpu, uint32_t base, int mask, enum LSMDirection direction, int* cycles) {
    const unsigned count = registers_in(mask);
    const uint32_t from = lowest(base, count, direction);
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t at = address_of_gba(from + 4 * i);
        if (is_noted(at, 4)) {
            const uint32_t value = value_at(at, 4);
            note(false, at, 4, value, value);
        }
    }
    return accesses.arm.loadMultiple(cpu, base, mask, direction, cycles);
}

static uint32_t storeMultiple(struct ARMCore* cpu, uint32_t base, int mask, enum LSMDirection direction, int* cycles) {
    const unsigned count = registers_in(mask);
    const uint32_t from = lowest(base, count, direction);
    uint32_t before[MULTIPLE];
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t at = address_of_gba(from + 4 * i);
        before[i] = is_noted(at, 4) ? value_at(at, 4) : 0;
    }
    const uint32_t result = accesses.arm.storeMultiple(cpu, base, mask, direction, cycles);
    for (unsigned i = 0; i < count; ++i) {
        const uint32_t at = address_of_gba(from + 4 * i);
        if (is_noted(at, 4)) {
            note(true, at, 4, before[i], value_at(at, 4));
        }
    }
    return result;
}

static void replace_arm(struct ARMMemory* memory) {
    accesses.arm = *memory;
    memory->load32 = load32;
    memory->load16 = load16;
    memory->load8 = load8;
    memory->store32 = store32;
    memory->store16 = store16;
    memory->store8 = store8;
    memory->loadMultiple = loadMultiple;
    memory->storeMultiple = storeMultiple;
}

static void restore_arm(struct ARMMemory* memory) {
    memory->load32 = accesses.arm.load32;
    memory->load16 = accesses.arm.load16;
    memory->load8 = accesses.arm.load8;
    memory->store32 = accesses.arm.store32;
    memory->store16 = accesses.arm.store16;
    memory->store8 = accesses.arm.store8;
    memory->loadMultiple = accesses.arm.loadMultiple;
    memory->storeMultiple = accesses.arm.storeMultiple;
}

/* --- Game Boy --------------------------------------------------------------------------------------------------------------- */

static uint8_t load_gb(struct SM83Core* cpu, uint16_t address) {
    const uint32_t at = address_of_gb(address);
    const uint8_t value = accesses.sm83.load8(cpu, address);
    if (is_noted(at, 1)) {
        note(false, at, 1, value, value);
    }
    return value;
}

static void store_gb(struct SM83Core* cpu, uint16_t address, int8_t value) {
    const uint32_t at = address_of_gb(address);
    const bool noted = is_noted(at, 1);
    const uint32_t before = noted ? value_at(at, 1) : 0;
    accesses.sm83.store8(cpu, address, value);
    if (noted) {
        note(true, at, 1, before, (uint8_t) value);
    }
}

/* --- both ------------------------------------------------------------------------------------------------------------------- */

void accesses_note(struct mCore* core, uint32_t first, uint32_t last, void (*noted)(const struct access* access)) {
    accesses.first = first;
    accesses.last = last;
    accesses.noted = noted;
    if (accesses.core) {
        return;
    }
    accesses.core = core;
    if (is_gba(core)) {
        replace_arm(&((struct ARMCore*) core->cpu)->memory);
    } else {
        struct SM83Memory* memory = &((struct SM83Core*) core->cpu)->memory;
        accesses.sm83 = *memory;
        memory->load8 = load_gb;
        memory->store8 = store_gb;
    }
}

void accesses_forget(void) {
    struct mCore* core = accesses.core;
    accesses.core = NULL;
    if (core && is_gba(core)) {
        restore_arm(&((struct ARMCore*) core->cpu)->memory);
    } else if (core) {
        struct SM83Memory* memory = &((struct SM83Core*) core->cpu)->memory;
        memory->load8 = accesses.sm83.load8;
        memory->store8 = accesses.sm83.store8;
    }
}

void accesses_begin(bool by_dma) {
    accesses.of_game = true;
    accesses.by_dma = by_dma;
}

void accesses_end(void) {
    accesses.of_game = false;
}

void accesses_ignore(bool ignored) {
    accesses.ignored += ignored ? 1 : -1;
}
