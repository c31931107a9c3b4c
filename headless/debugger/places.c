#include "debugger/places.h"

#include "debugger/addresses.h"

#include <mgba/internal/gb/serialize.h>
#include <mgba/internal/gba/serialize.h>

#include <stddef.h>
#include <string.h>

/* --- by address --------------------------------------------------------------------------------------------------------------- */

struct place {
    uint32_t first;
    uint32_t last;
    size_t at;
};

static bool find_in(const struct place* places, size_t count, uint32_t address, size_t* at) {
    for (size_t i = 0; i < count; ++i) {
        if (address >= places[i].first && address <= places[i].last) {
            *at = places[i].at + (address - places[i].first);
            return true;
        }
    }
    return false;
}

#define PLACES(PLACES) PLACES, sizeof(PLACES) / sizeof(*(PLACES))

static bool find_gba(size_t state_size, uint32_t address, int bank, size_t* at) {
    const struct place places[] = {
        { 0x02000000, 0x0203FFFF, offsetof(struct GBASerializedState, wram) },
        { 0x03000000, 0x03007FFF, offsetof(struct GBASerializedState, iwram) },
        { 0x04000000, 0x040003FF, offsetof(struct GBASerializedState, io) },
        { 0x05000000, 0x050003FF, offsetof(struct GBASerializedState, pram) },
        { 0x06000000, 0x06017FFF, offsetof(struct GBASerializedState, vram) },
        { 0x07000000, 0x070003FF, offsetof(struct GBASerializedState, oam) },
        { 0x0E000000, 0x0E00FFFF, state_size + (bank > 0 ? (size_t) bank * 0x10000 : 0) },
    };
    return find_in(PLACES(places), address, at);
}

/* Without a bank, those that are mapped now. */
static bool find_gb(size_t state_size, uint32_t address, int bank, size_t* at) {
    const size_t number = bank > 0 ? (size_t) bank : 0;
    const struct place places[] = {
        { 0x8000, 0x9FFF, offsetof(struct GBSerializedState, vram) + number % 2 * 0x2000 },
        { 0xA000, 0xBFFF, state_size + number * 0x2000 },
        { 0xC000, 0xCFFF, offsetof(struct GBSerializedState, wram) },
        { 0xD000, 0xDFFF, offsetof(struct GBSerializedState, wram) + number % 8 * 0x1000 },
        { 0xFE00, 0xFE9F, offsetof(struct GBSerializedState, oam) },
        { 0xFF00, 0xFF7F, offsetof(struct GBSerializedState, io) },
        { 0xFF80, 0xFFFE, offsetof(struct GBSerializedState, hram) },
    };
    return find_in(PLACES(places), address, at);
}

bool places_find(struct mCore* core, uint32_t address, int bank, size_t* at) {
    const size_t state_size = core->stateSize(core);
    return is_gba(core) ? find_gba(state_size, address, bank, at) : find_gb(state_size, address, bank, at);
}

/* --- by domain ---------------------------------------------------------------------------------------------------------------- */

struct domain {
    const char* name;
    size_t at;
    size_t size;
};

#define PART(NAME, STATE, FIELD) { NAME, offsetof(struct STATE, FIELD), sizeof(((struct STATE*) 0)->FIELD) }

static const struct domain gba_domains[] = {
    PART("wram", GBASerializedState, wram), PART("iwram", GBASerializedState, iwram), PART("io", GBASerializedState, io), PART("palette", GBASerializedState, pram),
    PART("vram", GBASerializedState, vram), PART("oam", GBASerializedState, oam),
};

static const struct domain gb_domains[] = {
    PART("wram", GBSerializedState, wram), PART("vram", GBSerializedState, vram), PART("oam", GBSerializedState, oam), PART("io", GBSerializedState, io),
    PART("hram", GBSerializedState, hram),
};

#define DOMAINS(GBA) ((GBA) ? gba_domains : gb_domains)
#define DOMAIN_COUNT(GBA) ((GBA) ? sizeof(gba_domains) / sizeof(*gba_domains) : sizeof(gb_domains) / sizeof(*gb_domains))

static bool is_save(const char* domain) {
    return !strcmp(domain, "sram") || !strcmp(domain, "eeprom");
}

bool places_find_in(struct mCore* core, const char* domain, uint32_t offset, size_t length, size_t* at) {
    const bool gba = is_gba(core);
    for (size_t i = 0; i < DOMAIN_COUNT(gba); ++i) {
        const struct domain* found = &DOMAINS(gba)[i];
        if (!strcmp(found->name, domain)) {
            *at = found->at + offset;
            return offset <= found->size && length <= found->size - offset;
        }
    }
    *at = core->stateSize(core) + offset;
    return is_save(domain);
}
