#include "machine/replica.h"

#include "machine/cartridge.h"
#include "machine/picture.h"
#include "machine/rom.h"

#include <mgba/core/cheats.h>
#include <mgba/internal/arm/arm.h>
#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gb/io.h>
#include <mgba/internal/gba/gba.h>
#include <mgba/internal/sm83/sm83.h>

#include <stdlib.h>

static bool rom_written; /* of the game that is open */

void replica_rom_opened(void) {
    rom_written = false;
}

void replica_rom_written(void) {
    rom_written = true;
}

static bool is_gba(const struct mCore* core) {
    return core->platform(core) == mPLATFORM_GBA;
}

static bool has_cheats(struct mCore* core) {
    struct mCPUComponent** components = is_gba(core) ? ((struct ARMCore*) core->cpu)->components : ((struct SM83Core*) core->cpu)->components;
    struct mCheatDevice* device = (struct mCheatDevice*) components[CPU_COMPONENT_CHEAT_DEVICE];
    for (size_t i = 0; device && i < mCheatSetsSize(&device->cheats); ++i) {
        if ((*mCheatSetsGetPointer(&device->cheats, i))->enabled) {
            return true;
        }
    }
    return false;
}

/*
 * A mapper that copies parts of a larger ROM into memory, a Super Game Boy that draws a border, or a game that has written 0xFF to BANK:
 * libmgba takes its state for one of the BIOS and does not load it.
 */
static bool is_special(struct mCore* core) {
    if (is_gba(core)) {
        return ((const struct GBA*) core->board)->memory.matrix.size > 0;
    }
    const struct GB* gb = core->board;
    return (gb->model & GB_MODEL_SGB) || gb->memory.io[GB_REG_BANK] == 0xFF;
}

/* NULL after emu:loadFile() has failed. */
static const char* rom_of(struct mCore* core) {
    return is_gba(core) ? (const char*) ((struct GBA*) core->board)->memory.rom : (const char*) ((struct GB*) core->board)->memory.rom;
}

/* libmgba's flag isPristine is also clear for a ROM that it pads when it loads it. */
const char* replica_difference(struct mCore* core) {
    return !rom_of(core) ? "no ROM is in the machine" :
        rom_written ? "its ROM was written; open the game again" :
        has_cheats(core) ? "it has cheats; switch them off" :
        is_special(core) ? "its states do not describe all of it: a Super Game Boy, or a cartridge that copies its ROM into memory; choose another model" : NULL;
}

/* The copy of the save data, which libmgba closes only when it knows a file behind it. */
static struct VFile* save_of(const struct mCore* core) {
    if (is_gba(core)) {
        const struct GBASavedata* savedata = &((const struct GBA*) core->board)->memory.savedata;
        return savedata->realVf ? NULL : savedata->vf;
    }
    const struct GB* gb = core->board;
    return gb->sramRealVf ? NULL : gb->sramVf;
}

void replica_destroy(struct replica* replica) {
    struct mCore* core = replica->core;
    if (core) {
        struct VFile* save = save_of(core);
        core->unloadROM(core);
        if (save) {
            (void) save->close(save);
        }
        mCoreConfigDeinit(&core->config);
        core->deinit(core);
    }
    free(replica->pixels);
    *replica = (struct replica) { 0 };
}

/* libmgba gives the size 0 to a ROM from an ELF file, which it loads into memory of the largest size. */
static size_t rom_size(const struct mCore* core) {
    size_t size = (size_t) core->romSize(core);
    return size || !is_gba(core) ? size : ((const struct GBA*) core->board)->memory.romSize;
}

/* Of what runs: the file may have been replaced since the game was opened. */
static bool load_same_rom(struct mCore* core, struct mCore* of) {
    struct VFile* file = is_gba(of) ? ((const struct GBA*) of->board)->romVf : ((const struct GB*) of->board)->romVf;
    struct VFile* copy = file ? rom_copy(file) : VFileMemChunk(rom_of(of), rom_size(of));
    bool loaded = copy && core->loadROM(core, copy);
    if (copy && !loaded) {
        (void) copy->close(copy); /* memory */
    }
    return loaded;
}

bool replica_create(struct replica* replica, struct mCore* of, struct sensors* sensors) {
    struct mCore* core = rom_of(of) ? mCoreCreate(of->platform(of)) : NULL;
    if (!core || !core->init(core)) {
        free(core);
        return false;
    }
    replica->core = core;
    library_configure(core, "");
    cartridge_configure(core);
    replica->pixels = calloc(PICTURE_PIXELS, sizeof(*replica->pixels));
    if (!replica->pixels || !load_same_rom(core, of)) {
        replica_destroy(replica);
        return false;
    }
    core->setVideoBuffer(core, replica->pixels, PICTURE_WIDTH);
    cartridge_loaded(core);
    core->reset(core);
    cartridge_after_reset(core);
    sensors_attach(sensors, core);
    game_clock_attach(core);
    return true;
}

bool replica_load(struct replica* replica, const void* state, const void* save, size_t save_size, struct game_clock_kept clock) {
    struct mCore* core = replica->core;
    if (save_size > 0) {
        (void) core->savedataRestore(core, save, save_size, false);
    }
    game_clock_copy(core, clock);
    return core->loadState(core, state);
}
