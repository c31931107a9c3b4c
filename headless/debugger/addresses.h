/* Addresses as the processor sees them: where memory is mirrored, all are the first mirror. */
#ifndef HEADLESS_DEBUGGER_ADDRESSES_H
#define HEADLESS_DEBUGGER_ADDRESSES_H

#include "machine/library.h"

#include <mgba/internal/arm/arm.h>

#include <stdbool.h>
#include <stdint.h>

static inline bool is_gba(const struct mCore* core) {
    return core->platform(core) == mPLATFORM_GBA;
}

/* Whether the instruction that is executed next is the first of an interrupt: nothing else begins there in this mode. */
static inline bool begins_irq(const struct ARMCore* cpu, uint32_t pc) {
    return pc == BASE_IRQ && cpu->privilegeMode == MODE_IRQ;
}

/* The first of the addresses that are mirrors of this one. */
static inline uint32_t address_of_gba(uint32_t address) {
    switch (address >> 24) {
    case 0x2:
        return address & 0x0203FFFF;
    case 0x3:
        return address & 0x03007FFF;
    case 0x5:
    case 0x7:
        return address & 0xFF0003FF;
    case 0x6:
        address &= 0x0601FFFF;
        return address >= 0x06018000 ? address - 0x8000 : address;
    case 0xA:
    case 0xB:
    case 0xC:
    case 0xD:
        return 0x08000000 | (address & 0x01FFFFFF);
    case 0xF:
        return 0x0E000000 | (address & 0x0000FFFF);
    case 0xE:
        return address & 0x0E00FFFF;
    default:
        return address;
    }
}

static inline uint32_t address_of_gb(uint32_t address) {
    return address >= 0xE000 && address < 0xFE00 ? address - 0x2000 : address;
}

#endif
