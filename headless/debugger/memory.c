#include "debugger/addresses.h"
#include "debugger/debugger.h"

#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gba/gba.h>

#define REGISTERS 0x04000000u
#define REGISTERS_END 0x04000400u
#define BIOS_END 0x4000u
#define SAVE_MEMORY 0x0E000000u
#define UNDECIDED (-1) /* libmgba's SAVEDATA_AUTODETECT, which 0.11 names otherwise */
#define UNWRITTEN 0xFF
#define GB_END 0x10000u
#define GB_REGISTERS 0xFF00u
#define GB_REGISTERS_END 0xFF80u
#define GB_WAVE 0xFF30u
#define GB_WAVE_END 0xFF40u

/* Whether there is memory, or registers, at this address. */
static bool is_memory(struct mCore* core, uint32_t address) {
    if (!is_gba(core)) {
        return address < GB_END;
    }
    switch (address >> 24) {
    case 0x0:
        return address < BIOS_END;
    case 0x2: case 0x3: case 0x5: case 0x6: case 0x7: case 0xE: case 0xF:
        return true;
    case 0x4:
        return address < REGISTERS_END;
    case 0x8: case 0x9: case 0xA: case 0xB: case 0xC: case 0xD:
        return (address & 0x01FFFFFF) < ((const struct GBA*) core->board)->memory.romSize;
    default:
        return false;
    }
}

/* What libmgba reads raw of these asks scripts for the keys and runs the sound. */
static uint8_t gb_register(const struct GB* gb, uint32_t address) {
    return address >= GB_WAVE && address < GB_WAVE_END ? gb->audio.ch3.wavedata8[address - GB_WAVE] : gb->memory.io[address - GB_REGISTERS];
}

/* The first read of an undecided save memory decides what it is. */
static uint8_t read_byte(struct mCore* core, uint32_t address, int bank) {
    if (!is_gba(core) && address >= GB_REGISTERS && address < GB_REGISTERS_END) {
        return gb_register(core->board, address);
    }
    const bool undecided = is_gba(core) && address >= SAVE_MEMORY && (int) ((const struct GBA*) core->board)->memory.savedata.type == UNDECIDED;
    return undecided ? UNWRITTEN : (uint8_t) core->rawRead8(core, address, bank);
}

size_t debugger_read(struct mCore* core, uint32_t address, int bank, void* bytes, size_t size) {
    uint8_t* to = bytes;
    size_t count = 0;
    while (count < size && is_memory(core, address + (uint32_t) count)) {
        to[count] = read_byte(core, address + (uint32_t) count, bank);
        ++count;
    }
    return count;
}

/* Registers are written as the processor does; palette, video memory and objects have no bytes. */
static void write_byte(struct mCore* core, uint32_t address, int bank, uint8_t value) {
    const uint32_t region = is_gba(core) ? address >> 24 : 0;
    if (region == 0x4) {
        core->busWrite8(core, address, value);
    } else if (region >= 0x5 && region <= 0x7) {
        const unsigned shift = 8 * (address & 1);
        const uint32_t half = core->rawRead16(core, address & ~1u, bank);
        core->rawWrite16(core, address & ~1u, bank, (uint16_t) ((half & ~(0xFFu << shift)) | (uint32_t) value << shift));
    } else if (!is_gba(core) && address >= 0xFF00 && (address < 0xFF80 || address == 0xFFFF)) {
        core->busWrite8(core, address, value);
    } else {
        core->rawWrite8(core, address, bank, value);
    }
}

size_t debugger_write(struct mCore* core, uint32_t address, int bank, const void* bytes, size_t size) {
    const uint8_t* from = bytes;
    size_t count = 0;
    while (count < size && is_memory(core, address + (uint32_t) count)) {
        write_byte(core, address + (uint32_t) count, bank, from[count]);
        ++count;
    }
    return count;
}
