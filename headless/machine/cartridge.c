#include "machine/cartridge.h"

#include "machine/game-clock.h"

#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gb/io.h>
#include <mgba/internal/gb/overrides.h>
#include <mgba/internal/gb/serialize.h>
#include <mgba/internal/gba/bios.h>
#include <mgba/internal/gba/gba.h>
#include <mgba/internal/gba/overrides.h>
#include <mgba/script/types.h>
#include <mgba-util/configuration.h>
#include <mgba-util/crc32.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* libmgba 0.11 renamed these. */
#ifdef LIBMGBA_0_11
#define SAVE(TYPE) GBA_SAVEDATA_##TYPE
#define NO_IDLE_LOOP GBA_IDLE_LOOP_NONE
#else
#define SAVE(TYPE) SAVEDATA_##TYPE
#define NO_IDLE_LOOP IDLE_LOOP_NONE
#endif

#define GBA_BIOS_SIZE 0x4000
#define GB_BIOS_SIZE 0x100
#define CGB_BIOS_SIZE 0x900
#define RTC_SIZE 16 /* of the clock behind the save data of a GBA */
#define STUCK_FRAMES 60 /* a game is reported that did nothing for so long, and will not do anything */
#define BRANCH_TO_ITSELF 0xEAFFFFFE
#define BRANCH_TO_ITSELF_THUMB 0xE7FE
#define FIRST_ADDRESS 0x02000000u
#define END_ADDRESS 0x0E000000u
#define CGB_MODELS GB_MODEL_CGB
/* In the header of a GB ROM. */
#define HEADER_KIND 0x147
#define HEADER_RAM 0x149
#define KIND_MBC6 0x20
#define NAMES_SIZE 256

struct cartridge_save {
    const char* name;
    int type;
    size_t size;
};

struct cartridge_mapper {
    const char* name;
    int type;
};

struct hardware {
    const char* name;
    int bit;
};

static const struct cartridge_save saves[] = {
    { "none", SAVE(FORCE_NONE), 0 }, { "sram", SAVE(SRAM), 0x8000 }, { "sram512", SAVE(SRAM512), 0x10000 }, { "eeprom", SAVE(EEPROM), 0x2000 },
    { "eeprom512", SAVE(EEPROM512), 0x200 }, { "flash512", SAVE(FLASH512), 0x10000 }, { "flash1m", SAVE(FLASH1M), 0x20000 },
};

static const struct hardware devices[] = {
    { "rtc", HW_RTC }, { "rumble", HW_RUMBLE }, { "light", HW_LIGHT_SENSOR }, { "gyro", HW_GYRO }, { "tilt", HW_TILT }, { "e-reader", HW_EREADER },
    { "gb-player", HW_GB_PLAYER_DETECTION },
};

static const struct cartridge_mapper mappers[] = {
    { "none", GB_MBC_NONE }, { "mbc1", GB_MBC1 }, { "mbc2", GB_MBC2 }, { "mbc3", GB_MBC3 }, { "mbc3-rtc", GB_MBC3_RTC }, { "mbc5", GB_MBC5 },
    { "mbc5-rumble", GB_MBC5_RUMBLE }, { "mbc6", GB_MBC6 }, { "mbc7", GB_MBC7 }, { "mmm01", GB_MMM01 }, { "huc-1", GB_HuC1 }, { "huc-3", GB_HuC3 },
    { "pocket-cam", GB_POCKETCAM }, { "tama5", GB_TAMA5 },
};

/* Of libmgba's configuration, for the kinds of games. */
static const char* const model_keys[] = { "gb.model", "sgb.model", "cgb.model", "cgb.hybridModel", "cgb.sgbModel" };
static const char* const models[] = { "DMG", "MGB", "SGB", "SGB2", "CGB", "SCGB", "AGB" };

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof(*(ARRAY)))

/* There is one machine. */
static struct {
    const struct cartridge* options;
    struct mCore* core; /* of the game; NULL: none */
    bool has_first;
    enum mPlatform first_platform;
    uint32_t first_crc;
    bool is_reset; /* since its ROM was loaded */
    enum GBModel begun; /* the model of a GB then, which a state may change also for later resets */
    int stuck_frames; /* in which the game was halted for good in the loop of --idle-loop */
    bool is_refused; /* the last state */
    char problem[NAMES_SIZE];
} present;

/* --- values of options --------------------------------------------------------------------------------------------------------- */

bool cartridge_parse_save_type(const char* text, struct cartridge* cartridge, struct failure* failure) {
    for (size_t i = 0; i < COUNT(saves); ++i) {
        if (strcasecmp(saves[i].name, text) == 0) {
            cartridge->save = &saves[i];
            return true;
        }
    }
    return failure_set(failure, EXIT_OPTIONS, "--save-type requires none, sram, sram512, eeprom, eeprom512, flash512 or flash1m, not \"%s\"", text);
}

static int bit_of(const char* name, size_t length) {
    for (size_t i = 0; i < COUNT(devices); ++i) {
        if (strlen(devices[i].name) == length && strncasecmp(devices[i].name, name, length) == 0) {
            return devices[i].bit;
        }
    }
    return 0;
}

bool cartridge_parse_hardware(const char* text, struct cartridge* cartridge, struct failure* failure) {
    cartridge->has_hardware = true;
    cartridge->hardware = HW_NONE;
    if (strcasecmp(text, "none") == 0) {
        return true;
    }
    for (const char* name = text;; ++name) {
        size_t length = strcspn(name, ",");
        int bit = bit_of(name, length);
        if (!bit) {
            return failure_set(failure, EXIT_OPTIONS, "--hardware requires none, or names joined by commas: rtc, rumble, light, gyro, tilt, e-reader, gb-player; not \"%s\"", text);
        }
        cartridge->hardware |= bit;
        name += length;
        if (!*name) {
            return true;
        }
    }
}

bool cartridge_parse_idle_loop(const char* text, struct cartridge* cartridge, struct failure* failure) {
    cartridge->has_idle_loop = true;
    cartridge->idle_loop = NO_IDLE_LOOP;
    if (strcasecmp(text, "none") == 0) {
        return true;
    }
    size_t digits = strncmp(text, "0x", 2) == 0 ? strspn(text + 2, "0123456789abcdefABCDEF") : 0;
    unsigned long long address = digits > 0 && digits <= 8 && !text[2 + digits] ? strtoull(text, NULL, 16) : 0;
    if (address < FIRST_ADDRESS || address >= END_ADDRESS || address % 2) {
        return failure_set(failure, EXIT_OPTIONS, "--idle-loop requires none or the address of an instruction in RAM or ROM, such as 0x08001234, not \"%s\"", text);
    }
    cartridge->idle_loop = (uint32_t) address;
    return true;
}

bool cartridge_parse_model(const char* text, struct cartridge* cartridge, struct failure* failure) {
    for (size_t i = 0; i < COUNT(models); ++i) {
        if (strcasecmp(models[i], text) == 0) {
            cartridge->model = models[i];
            return true;
        }
    }
    return failure_set(failure, EXIT_OPTIONS, "--model requires DMG, MGB, SGB, SGB2, CGB, SCGB or AGB, not \"%s\"", text);
}

bool cartridge_parse_mbc(const char* text, struct cartridge* cartridge, struct failure* failure) {
    for (size_t i = 0; i < COUNT(mappers); ++i) {
        if (strcasecmp(mappers[i].name, text) == 0) {
            cartridge->mapper = &mappers[i];
            return true;
        }
    }
    return failure_set(failure, EXIT_OPTIONS, "--mbc requires none, mbc1, mbc2, mbc3, mbc3-rtc, mbc5, mbc5-rumble, mbc6, mbc7, mmm01, huc-1, huc-3, pocket-cam or tama5, "
        "not \"%s\"", text);
}

/* How many colours RRGGBB, joined by commas, there are; 0 if something else is. */
static size_t parse_colours(const char* text, uint32_t colours[static CARTRIDGE_COLOURS]) {
    for (size_t count = 0; count < CARTRIDGE_COLOURS;) {
        if (strspn(text, "0123456789abcdefABCDEF") != 6) {
            return 0;
        }
        colours[count++] = (uint32_t) strtoul(text, NULL, 16);
        text += 6;
        if (!*text) {
            return count;
        }
        if (*text++ != ',') {
            return 0;
        }
    }
    return 0;
}

/* "GBC Brown ↑" has the names GBC Brown and Brown, too: the keys that choose it on the console are hard to type. */
static bool is_preset(const char* name, const char* text) {
    const char* keys = strstr(name, " \xE2");
    size_t length = keys ? (size_t) (keys - name) : strlen(name);
    size_t prefix = strncmp(name, "GBC ", 4) == 0 ? 4 : 0;
    return strcasecmp(name, text) == 0 || (strlen(text) == length && strncasecmp(name, text, length) == 0) ||
        (strlen(text) == length - prefix && strncasecmp(name + prefix, text, length - prefix) == 0);
}

bool cartridge_parse_palette(const char* text, struct cartridge* cartridge, struct failure* failure) {
    cartridge->has_palette = true;
    const struct GBColorPreset* presets;
    size_t count = GBColorPresetList(&presets);
    for (size_t i = 0; i < count; ++i) {
        if (is_preset(presets[i].name, text)) {
            memcpy(cartridge->palette, presets[i].colors, sizeof(cartridge->palette));
            return true;
        }
    }
    size_t colours = parse_colours(text, cartridge->palette);
    if (colours == 4) {
        memcpy(cartridge->palette + 4, cartridge->palette, 4 * sizeof(*cartridge->palette));
        memcpy(cartridge->palette + 8, cartridge->palette, 4 * sizeof(*cartridge->palette));
    }
    return colours == 4 || colours == CARTRIDGE_COLOURS || failure_set(failure, EXIT_OPTIONS,
        "--palette requires 4 or 12 colours RRGGBB joined by commas, or the name of one of mGBA's sets, such as Brown or \"SGB 1-A\", not \"%s\"", text);
}

static bool saves_to_one_of(const struct cartridge* cartridge, const int* types, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (cartridge->save->type == types[i]) {
            return true;
        }
    }
    return false;
}

bool cartridge_check(struct cartridge* cartridge, struct failure* failure) {
    static const int with_tilt[] = { SAVE(EEPROM), SAVE(EEPROM512), SAVE(FORCE_NONE) };
    static const int with_e_reader[] = { SAVE(FLASH1M) };
    bool has_tilt = cartridge->hardware & HW_TILT;
    bool has_e_reader = cartridge->hardware & HW_EREADER;
    if (has_tilt && has_e_reader) {
        return failure_set(failure, EXIT_OPTIONS, "a cartridge with an e-Reader has no tilt sensor; remove e-reader or tilt from --hardware");
    }
    if (!cartridge->save) {
        return !(has_tilt || has_e_reader) || cartridge_parse_save_type(has_tilt ? "eeprom" : "flash1m", cartridge, failure);
    }
    /* Where other cartridges have SRAM or flash memory, the tilt sensor is. */
    if (has_tilt && !saves_to_one_of(cartridge, with_tilt, COUNT(with_tilt))) {
        return failure_set(failure, EXIT_OPTIONS, "a cartridge with a tilt sensor has it where others have %s; give --save-type eeprom, eeprom512 or none, or remove tilt from --hardware",
            cartridge->save->name);
    }
    /* libmgba writes the e-Reader's calibration into this memory, whatever is there. */
    if (has_e_reader && !saves_to_one_of(cartridge, with_e_reader, COUNT(with_e_reader))) {
        return failure_set(failure, EXIT_OPTIONS, "a cartridge with an e-Reader saves to flash1m, not to %s; give --save-type flash1m, or remove e-reader from --hardware", cartridge->save->name);
    }
    return true;
}

/* --- the game ------------------------------------------------------------------------------------------------------------------ */

static bool is_gba(const struct mCore* core) {
    return core->platform(core) == mPLATFORM_GBA;
}

static uint32_t crc_of(const struct mCore* core) {
    uint32_t crc = 0;
    core->checksum(core, &crc, mCHECKSUM_CRC32);
    return crc;
}

static bool is_first(const struct mCore* core) {
    return present.has_first && core->platform(core) == present.first_platform && crc_of(core) == present.first_crc;
}

void cartridge_begin(const struct cartridge* cartridge) {
    present.options = cartridge;
}

static off_t size_of(const char* file) {
    struct stat status;
    return stat(file, &status) || !S_ISREG(status.st_mode) ? -1 : status.st_size;
}

/* Whether the file can be a BIOS of this console. */
static bool is_bios_size(const struct mCore* core, off_t size) {
    return is_gba(core) ? size == GBA_BIOS_SIZE : size == GB_BIOS_SIZE || size == CGB_BIOS_SIZE;
}

static bool is_bios(const struct mCore* core, const char* path) {
    struct VFile* file = VFileOpen(path, O_RDONLY);
    bool is = file && (is_gba(core) ? GBAIsBIOS(file) : GBIsBIOS(file));
    if (file) {
        (void) file->close(file); /* opened for reading */
    }
    return is;
}

static void set_text(struct mCore* core, const char* key, const char* value) {
    mCoreConfigSetOverrideValue(&core->config, key, value);
}

static void set_model(struct mCore* core, const char* model) {
    for (size_t i = 0; i < COUNT(model_keys); ++i) {
        set_text(core, model_keys[i], model);
    }
}

static void set_palette(struct mCore* core, const uint32_t colours[static CARTRIDGE_COLOURS]) {
    for (int i = 0; i < CARTRIDGE_COLOURS; ++i) {
        char key[sizeof("gb.pal[11]")];
        (void) snprintf(key, sizeof(key), "gb.pal[%d]", i);
        mCoreConfigSetOverrideIntValue(&core->config, key, (int) (colours[i] & 0xFFFFFF));
    }
    set_text(core, "gb.colors", "0");
}

void cartridge_configure(struct mCore* core) {
    const struct cartridge* options = present.options;
    /* A BIOS of the other console stays out; libmgba would look for one in the user's folder then. */
    bool has_bios = options->bios && is_bios_size(core, size_of(options->bios)) && is_bios(core, options->bios);
    if (!options->model && !options->has_palette && !options->skips_bios && !has_bios) {
        return;
    }
    if (options->model) {
        set_model(core, options->model);
    }
    if (options->has_palette) {
        set_palette(core, options->palette);
    }
    if (options->skips_bios) {
        set_text(core, "skipBios", "1");
    }
    if (has_bios) {
        set_text(core, "bios", options->bios);
        set_text(core, "useBios", "1");
    }
    mCoreLoadForeignConfig(core, &core->config);
}

/* libmgba's table of GB games. */
static struct GBCartridgeOverride gb_entry(const struct GB* gb) {
    struct GBCartridgeOverride entry = { .headerCrc32 = (int) doCrc32(&gb->memory.rom[0x100], sizeof(struct GBCartridge)) };
    (void) GBOverrideFind(NULL, &entry);
    return entry;
}

/* In the section of the configuration that wins over the table; NULL removes it. */
static void set_entry(struct mCore* core, int crc, const char* key, const char* value) {
    char section[sizeof("gb.override.00000000")];
    (void) snprintf(section, sizeof(section), "gb.override.%08X", (unsigned) crc);
    ConfigurationSetValue(mCoreConfigGetOverrides(&core->config), section, key, value);
}

void cartridge_loaded(struct mCore* core) {
    present.is_reset = false;
    present.stuck_frames = 0;
    if (!present.has_first) {
        present.has_first = true;
        present.first_platform = core->platform(core);
        present.first_crc = crc_of(core);
    }
    const struct GB* gb = core->board;
    if (is_gba(core) || !gb->memory.rom) {
        return;
    }
    const struct cartridge* options = present.options;
    struct GBCartridgeOverride entry = gb_entry(gb);
    if (options->mapper) {
        char number[16];
        (void) snprintf(number, sizeof(number), "%d", options->mapper->type);
        set_entry(core, entry.headerCrc32, "mbc", is_first(core) ? number : NULL);
    }
    if (options->model && entry.model != GB_MODEL_AUTODETECT) {
        set_entry(core, entry.headerCrc32, "model", options->model);
    }
}

/* --- whether the options are possible ------------------------------------------------------------------------------------------- */

static bool refuse_console(const char* rom, const char* option, const char* console, const char* wanted, struct failure* failure) {
    return failure_set(failure, EXIT_CARTRIDGE, "\"%s\" is a game of the %s, and --%s is for the %s; remove it", rom, console, option, wanted);
}

/* Without these bytes of the header libmgba reads memory that is not there, which ends the program. */
static bool fits_header(const struct mCore* core, const char* rom, struct failure* failure) {
    const struct cartridge_mapper* mapper = present.options->mapper;
    const uint8_t* header = ((const struct GB*) core->board)->memory.rom;
    bool fits = !mapper || (mapper->type == GB_MBC6 ? header[HEADER_KIND] == KIND_MBC6 : mapper->type != GB_HuC3 || header[HEADER_RAM] > 0);
    return fits || failure_set(failure, EXIT_CARTRIDGE, "mGBA cannot run \"%s\" with --mbc %s, because the ROM's header has %s; remove it", rom, mapper->name,
        mapper->type == GB_MBC6 ? "another controller" : "no RAM");
}

static bool fits_console(const struct mCore* core, const char* rom, struct failure* failure) {
    const struct cartridge* options = present.options;
    const char* wrong = NULL;
    if (is_gba(core)) {
        wrong = options->mapper ? "mbc" : options->has_palette ? "palette" : NULL;
        if (!wrong && options->model && strcmp(options->model, "AGB") != 0) {
            return failure_set(failure, EXIT_CARTRIDGE, "\"%s\" is a game of the GBA, which is the model AGB, not %s; remove --model", rom, options->model);
        }
        return !wrong || refuse_console(rom, wrong, "GBA", "Game Boy", failure);
    }
    /* The hardware first, which may have a save type that nobody gave. */
    wrong = options->has_hardware ? "hardware" : options->save ? "save-type" : options->has_idle_loop ? "idle-loop" : NULL;
    return wrong ? refuse_console(rom, wrong, "Game Boy", "GBA", failure) : fits_header(core, rom, failure);
}

/* Of a GBA. libmgba uses the file whatever its sum is. */
static bool is_official(const char* path) {
    static uint32_t words[GBA_BIOS_SIZE / sizeof(uint32_t)];
    struct VFile* file = VFileOpen(path, O_RDONLY);
    bool is_read = file && file->read(file, words, sizeof(words)) == (ssize_t) sizeof(words);
    if (file) {
        (void) file->close(file); /* opened for reading */
    }
    uint32_t sum = is_read ? GBAChecksum(words, sizeof(words)) : 0;
    return sum == GBA_BIOS_CHECKSUM || sum == GBA_DS_BIOS_CHECKSUM;
}

static bool fits_bios(const struct mCore* core, struct failure* failure) {
    const char* path = present.options->bios;
    if (!path) {
        return true;
    }
    off_t size = size_of(path);
    if (size < 0) {
        return failure_set(failure, EXIT_CARTRIDGE, "cannot open \"%s\" (%s); give --bios the path of a readable file", path, errno ? strerror(errno) : "no regular file");
    }
    if (!is_bios_size(core, size)) {
        return failure_set(failure, EXIT_CARTRIDGE, "\"%s\" is not a BIOS of this console: it has %lld bytes, and that of a %s has %s; give --bios the file of one", path,
            (long long) size, is_gba(core) ? "GBA" : "Game Boy", is_gba(core) ? "16384" : "256 (DMG, MGB, SGB, SGB2) or 2304 (CGB, SCGB, AGB)");
    }
    if (!is_bios(core, path)) {
        return failure_set(failure, EXIT_CARTRIDGE, "\"%s\" is not a BIOS of this console: %s; give --bios the file of one", path,
            is_gba(core) ? "it does not begin with the seven jumps of one" : "its checksum is none of those that mGBA knows, and it would not use it");
    }
    const char* model = present.options->model;
    if (!is_gba(core) && model && (size == CGB_BIOS_SIZE) != ((GBNameToModel(model) & CGB_MODELS) != 0)) {
        return failure_set(failure, EXIT_CARTRIDGE, "the BIOS \"%s\" is not that of the model %s: it has %lld bytes; give the BIOS of that model, or remove --model", path, model,
            (long long) size);
    }
    if (is_gba(core) && !is_official(path)) {
        (void) fprintf(stderr, "the BIOS \"%s\" is none of Nintendo's: its checksum is another\n", path);
    }
    return true;
}

bool cartridge_fits(struct mCore* core, const char* rom, struct failure* failure) {
    /* Only at the start. Another game is opened with what can be used of the options. */
    return present.core || !is_first(core) || (fits_console(core, rom, failure) && fits_bios(core, failure));
}

/* The name of the save type of a file, or NULL. */
static const char* type_of(off_t size) {
    for (size_t i = 1; i < COUNT(saves); ++i) {
        if (size == (off_t) saves[i].size || size == (off_t) saves[i].size + RTC_SIZE) {
            return saves[i].name;
        }
    }
    return NULL;
}

bool cartridge_fits_save(struct mCore* core, const char* file, struct failure* failure) {
    const struct cartridge_save* save = present.options->save;
    off_t size = save && save->size > 0 && is_gba(core) && is_first(core) ? size_of(file) : 0;
    if (size <= 0 || size == (off_t) save->size || size == (off_t) save->size + RTC_SIZE) {
        return true;
    }
    const char* type = type_of(size);
    return failure_set(failure, EXIT_CARTRIDGE, "the save file \"%s\" has %lld bytes, and one of the save type %s has %zu; give --save-type the type of this save%s%s%s, "
        "or --saves another folder", file, (long long) size, save->name, save->size, type ? " (" : "", type ? type : "", type ? ")" : "");
}

/* --- the model of a Game Boy --------------------------------------------------------------------------------------------------------- */

/*
 * A CGB, SCGB or AGB that runs a game for the first Game Boy is a DMG for libmgba when its BIOS is done. It still has the register that tells how it runs the game,
 * which other models lack.
 */
static bool is_old_game_in_colour(enum GBModel model, const uint8_t* io) {
    return model == GB_MODEL_DMG && io[GB_REG_KEY0] != 0xFF;
}

static bool can_be(enum GBModel wanted, enum GBModel model, const uint8_t* io) {
    return is_old_game_in_colour(model, io) ? wanted >= GB_MODEL_CGB : wanted == model;
}

static const char* model_name(enum GBModel model) {
    const char* name = GBModelToName(model);
    return name ? name : "unknown";
}

/* --- after a reset and a load ------------------------------------------------------------------------------------------------------ */

void cartridge_after_reset(struct mCore* core) {
    const struct cartridge* options = present.options;
    if (!present.is_reset && !is_gba(core)) {
        const struct GB* gb = core->board;
        present.begun = is_old_game_in_colour(gb->model, gb->memory.io) ? GB_MODEL_CGB : gb->model;
    }
    present.is_reset = true;
    if (!is_gba(core) || !(options->save || options->has_hardware || options->has_idle_loop) || !is_first(core)) {
        return;
    }
    struct GBA* gba = core->board;
    const struct GBACartridgeOverride override = {
        .savetype = options->save ? options->save->type : SAVE(AUTODETECT),
        .hardware = options->has_hardware ? options->hardware : HW_NO_OVERRIDE,
        .idleLoop = options->has_idle_loop ? options->idle_loop : NO_IDLE_LOOP,
        .vbaBugCompat = gba->vbaBugCompat,
    };
    GBAOverrideApply(gba, &override);
    if (options->has_idle_loop) {
        gba->idleLoop = options->idle_loop;
    }
}

bool cartridge_accepts(struct mCore* core, const void* state) {
    present.is_refused = false;
    const struct GBSerializedState* gb = state;
    uint32_t version;
    LOAD_32LE(version, 0, &gb->versionMagic);
    if (!present.options->model || is_gba(core)) {
        return true;
    }
    enum GBModel wanted = GBNameToModel(present.options->model);
    enum GBModel model = (enum GBModel) gb->model;
    if (version != GBSavestateMagic + GBSavestateVersion && model == GB_MODEL_DMG) {
        /* Of an older libmgba, which may have left the register unset. */
        present.is_refused = wanted != GB_MODEL_DMG && wanted < GB_MODEL_CGB;
    } else {
        present.is_refused = !can_be(wanted, model, gb->io);
    }
    if (present.is_refused) {
        (void) snprintf(present.problem, sizeof(present.problem), "the state is of the model %s, and --model makes this one %s; load it where --model is the same",
            is_old_game_in_colour(model, gb->io) ? "CGB, SCGB or AGB" : model_name(model), present.options->model);
        (void) fprintf(stderr, "%s\n", present.problem);
    }
    return !present.is_refused;
}

const char* cartridge_problem(void) {
    const char* problem = present.is_refused ? present.problem : "";
    present.is_refused = false;
    return problem;
}

struct mScriptValue* cartridge_problem_value(void) {
    return mScriptStringCreateFromUTF8(cartridge_problem());
}

void cartridge_after_load(struct mCore* core) {
    const struct cartridge* options = present.options;
    if (!is_gba(core) || !(options->save || options->has_hardware) || !is_first(core)) {
        return;
    }
    struct GBA* gba = core->board;
    if (options->has_hardware) {
        gba->memory.hw.devices = (gba->memory.hw.devices & HW_GB_PLAYER) | (unsigned) options->hardware;
    }
    if (options->save) {
        GBASavedataForceType(&gba->memory.savedata, options->save->type);
    }
}

/* --- an idle loop that is none ------------------------------------------------------------------------------------------------------- */

/* By libmgba's numbers of interrupts, which are those of the GBA: what the game has switched on that can ask for one. */
static unsigned possible_interrupts(const struct GBA* gba) {
    enum { DISPSTAT = 0x004, DMA0CNT_HI = 0x0BA, DMA_SIZE = 12, TM0CNT_HI = 0x102, TIMER_SIZE = 4, SIOCNT = 0x128, KEYCNT = 0x132 };
    const uint16_t* io = gba->memory.io;
    unsigned possible = (unsigned) (io[DISPSTAT / 2] >> 3) & 7;
    for (unsigned i = 0; i < 4; ++i) {
        possible |= (unsigned) ((io[(TM0CNT_HI + i * TIMER_SIZE) / 2] & 0xC0) == 0xC0) << (3 + i);
        possible |= (unsigned) ((io[(DMA0CNT_HI + i * DMA_SIZE) / 2] & 0xC000) == 0xC000) << (8 + i);
    }
    possible |= (unsigned) ((io[SIOCNT / 2] & 0x4000) != 0) << 7;
    possible |= (unsigned) ((io[KEYCNT / 2] & 0x4000) != 0) << 12;
    return possible;
}

/*
 * libmgba halts the processor in an idle loop until the next interrupt. Where the game has switched none on, as one does that clears its memory at first, it is
 * halted for good. A branch to itself stands without that, too.
 */
static bool is_stuck(struct mCore* core) {
    enum { IE = 0x200 };
    const struct GBA* gba = core->board;
    const struct ARMCore* cpu = gba->cpu;
    bool is_thumb = cpu->executionMode == MODE_THUMB;
    uint32_t address = (uint32_t) cpu->gprs[ARM_PC] - (is_thumb ? WORD_SIZE_THUMB : WORD_SIZE_ARM);
    if (!cpu->halted || address != gba->idleLoop || (gba->memory.io[IE / 2] & possible_interrupts(gba))) {
        return false;
    }
    return is_thumb ? core->rawRead16(core, address, -1) != BRANCH_TO_ITSELF_THUMB : core->rawRead32(core, address, -1) != BRANCH_TO_ITSELF;
}

#define STUCK "the game is halted for good in the loop at 0x%08" PRIX32 " that --idle-loop names, where it does not wait for an interrupt; " \
    "remove --idle-loop or give another address, and start the game again"

void cartridge_frame_ended(struct mCore* core) {
    if (!present.options->has_idle_loop || present.options->idle_loop == NO_IDLE_LOOP || !is_gba(core) || !is_first(core)) {
        return;
    }
    if (!is_stuck(core)) {
        present.stuck_frames = 0;
    } else if (present.stuck_frames < STUCK_FRAMES && ++present.stuck_frames == STUCK_FRAMES) {
        (void) fprintf(stderr, "mgba-headless: " STUCK "\n", present.options->idle_loop);
    }
}

/* --- for scripts --------------------------------------------------------------------------------------------------------------- */

struct text {
    char bytes[1024];
    size_t length;
};

static void add(struct text* text, const char* key, const char* value, const char* origin) {
    int length = snprintf(text->bytes + text->length, sizeof(text->bytes) - text->length, "%s%s %s %s", text->length ? "\n" : "", key, value, origin);
    text->length += length > 0 ? (size_t) length : 0;
}

/* As libmgba does: unknown versions of these games have the save type and the clock of the known ones. Only then does it set vbaBugCompat. */
static bool is_guessed(const struct GBA* gba) {
    const char* rom = (const char*) gba->memory.rom;
    return rom && gba->vbaBugCompat && gba->memory.romSize > 0x120 &&
        (strncmp(rom + 0x108, "pokemon red version", 20) == 0 || strncmp(rom + 0x108, "pokemon emerald version", 24) == 0 || strncmp(rom + 0xAC, "AXVE", 4) == 0);
}

/* libmgba's table of GBA games, or what it guesses from the ROM. */
static struct GBACartridgeOverride gba_entry(const struct GBA* gba, const char** origin) {
    struct GBACartridgeOverride entry = { .savetype = SAVE(AUTODETECT), .hardware = HW_NO_OVERRIDE, .idleLoop = NO_IDLE_LOOP };
    *origin = "table";
    if (is_guessed(gba)) {
        *origin = "guess";
        entry.savetype = SAVE(FLASH1M);
        entry.hardware = HW_RTC;
    } else if (gba->memory.rom) {
        memcpy(entry.id, &((const struct GBACartridge*) gba->memory.rom)->id, sizeof(entry.id));
        if (!GBAOverrideFind(NULL, &entry)) {
            entry.hardware = HW_NO_OVERRIDE;
        }
    }
    return entry;
}

static const char* save_name(int type) {
    for (size_t i = 0; i < COUNT(saves); ++i) {
        if (saves[i].type == type) {
            return saves[i].name;
        }
    }
    return "unknown";
}

static void hardware_names(unsigned bits, char names[static NAMES_SIZE]) {
    size_t length = 0;
    (void) snprintf(names, NAMES_SIZE, "none");
    for (size_t i = 0; i < COUNT(devices); ++i) {
        if (bits & (unsigned) devices[i].bit) {
            length += (size_t) snprintf(names + length, NAMES_SIZE - length, "%s%s", length ? "," : "", devices[i].name);
        }
    }
}

static bool is_set(const struct mCore* core, const char* key) {
    return mCoreConfigGetValue(&core->config, key) != NULL;
}

/* What both consoles have. --config is an option, too. */
static void describe_start(const struct mCore* core, struct text* text) {
    add(text, "skip-bios", core->opts.skipBios ? "true" : "false", present.options->skips_bios || is_set(core, "skipBios") ? "option" : "default");
    char clock[GAME_CLOCK_TEXT];
    const char* origin = game_clock_describe(clock);
    add(text, "clock", clock, origin);
}

static void describe_gba(struct mCore* core, struct text* text) {
    const struct cartridge* options = present.options;
    const struct GBA* gba = core->board;
    const char* found;
    struct GBACartridgeOverride entry = gba_entry(gba, &found);
    bool ours = is_first(core);
    int type = gba->memory.savedata.type;
    add(text, "save-type", save_name(type), ours && options->save ? "option" : type == (int) SAVE(AUTODETECT) ? "default" :
        entry.savetype == gba->memory.savedata.type ? found : "detected");
    char names[NAMES_SIZE];
    unsigned bits = (unsigned) gba->memory.hw.devices;
    hardware_names(bits, names);
    add(text, "hardware", names, ours && options->has_hardware ? "option" : entry.hardware != HW_NO_OVERRIDE && (entry.hardware != HW_NONE || !bits) ? found : "default");
    char address[sizeof("0x00000000")] = "none";
    if (gba->idleLoop != NO_IDLE_LOOP) {
        (void) snprintf(address, sizeof(address), "0x%08" PRIX32, gba->idleLoop);
    }
    add(text, "idle-loop", address, ours && options->has_idle_loop ? "option" : gba->idleLoop == NO_IDLE_LOOP ? "default" : entry.idleLoop == gba->idleLoop ? found : "detected");
    if (present.stuck_frames == STUCK_FRAMES) {
        char problem[NAMES_SIZE];
        (void) snprintf(problem, sizeof(problem), STUCK, gba->idleLoop);
        add(text, "idle-loop-problem", problem, "detected");
    }
    add(text, "model", "AGB", options->model ? "option" : "default");
    bool official = gba->biosChecksum == GBA_BIOS_CHECKSUM || gba->biosChecksum == GBA_DS_BIOS_CHECKSUM;
    add(text, "bios", !gba->biosVf ? "built-in" : official ? "official" : "other", gba->biosVf ? "option" : "default");
}

static const char* mapper_name(int type) {
    for (size_t i = 0; i < COUNT(mappers); ++i) {
        if (mappers[i].type == type) {
            return mappers[i].name;
        }
    }
    return "unlicensed";
}

/* The model that a setting has chosen and that is in force, or NULL. --config is an option, too. */
static const char* chosen_model(struct mCore* core) {
    const struct GB* gb = core->board;
    for (size_t i = 0; i < COUNT(model_keys); ++i) {
        const char* value = mCoreConfigGetValue(&core->config, model_keys[i]);
        enum GBModel model = value ? GBNameToModel(value) : GB_MODEL_AUTODETECT;
        if (model != GB_MODEL_AUTODETECT && can_be(model, gb->model, gb->memory.io)) {
            return GBModelToName(model);
        }
    }
    return NULL;
}

/* What the first Game Boys show, as libmgba's video has it. */
static void describe_palette(const struct mCore* core, struct text* text) {
    const struct GB* gb = core->board;
    if (gb->model >= GB_MODEL_CGB || is_old_game_in_colour(gb->model, gb->memory.io)) {
        return;
    }
    char colours[CARTRIDGE_COLOURS * sizeof("RRGGBB")];
    size_t length = 0;
    for (int i = 0; i < CARTRIDGE_COLOURS; ++i) {
        uint32_t colour = mColorFrom555(gb->video.dmgPalette[i]);
        length += (size_t) snprintf(colours + length, sizeof(colours) - length, "%s%02X%02X%02X", i ? "," : "", (unsigned) colour & 0xFF, (unsigned) (colour >> 8) & 0xFF,
            (unsigned) (colour >> 16) & 0xFF);
    }
    add(text, "palette", colours, present.options->has_palette || is_set(core, "gb.pal[0]") ? "option" : "default");
}

static void describe_gb(struct mCore* core, struct text* text) {
    const struct GB* gb = core->board;
    if (!gb->memory.rom) {
        return;
    }
    struct GBCartridgeOverride entry = gb_entry(gb);
    const char* chosen = chosen_model(core);
    bool is_of_state = !can_be(present.begun, gb->model, gb->memory.io);
    add(text, "model", chosen ? chosen : !is_of_state ? model_name(present.begun) : is_old_game_in_colour(gb->model, gb->memory.io) ? "CGB" : model_name(gb->model),
        chosen ? "option" : is_of_state ? "state" : entry.model == gb->model ? "table" : gb->biosVf ? "detected" : "guess");
    add(text, "mbc", mapper_name(gb->memory.mbcType), present.options->mapper && is_first(core) ? "option" : entry.mbc == gb->memory.mbcType ? "table" : "guess");
    add(text, "bios", gb->biosVf ? "official" : "built-in", gb->biosVf ? "option" : "default");
    describe_palette(core, text);
}

void cartridge_of(struct mCore* core) {
    present.core = core;
}

struct mScriptValue* cartridge_value(void) {
    struct text text = { .length = 0 };
    if (present.core && is_gba(present.core)) {
        describe_gba(present.core, &text);
    } else if (present.core) {
        describe_gb(present.core, &text);
    }
    if (present.core) {
        describe_start(present.core, &text);
    }
    return mScriptStringCreateFromUTF8(text.bytes);
}
