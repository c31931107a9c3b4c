#include "machine/cheats.h"

#include "platform/files.h"

#include <mgba/core/cheats.h>
#include <mgba/script/types.h>
#include <mgba-util/string.h>

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_LIMIT (4 << 20)
#define CHEATS_LIMIT 4096
#define CODES_LIMIT 65536 /* bytes of one cheat */
#define NAME_LIMIT 128
#define COPY_SIZE 24 /* of " (2)" */
#define LINE_SIZE 64 /* the longest code has 17 characters */
#define REASON_SIZE 192
#define FILE_REASON_SIZE (2 * REASON_SIZE)
#define GBA_ROM 0x08000000
#define GBA_ROM_END 0x0E000000
#define GB_ROM_END 0x8000
#define GB_BANKS 0x4000 /* from here on: which bank of the ROM is there changes */
#define EZFLASH_IWRAM 0x40000 /* addresses of EZ-Flash: those of EWRAM, then those of IWRAM */
#define EZFLASH_END 0x48000

/* A cheat of a file that cannot be used. */
struct unusable {
    char* name;
    char* codes;
    char reason[REASON_SIZE];
};

struct unusable_cheats {
    struct unusable* list;
    size_t count;
};

/* Bound functions get no context, and there is one game. Sets are looked up in the device each time: loading a state may replace them. */
static struct {
    struct mCore* core;
    struct unusable_cheats unusable; /* of the last file that had one that can be used */
} cheats;

static struct mCheatDevice* device(void) {
    return cheats.core->cheatDevice(cheats.core);
}

static struct mCheatSet* find(const char* name) {
    struct mCheatSets* sets = &device()->cheats;
    for (size_t i = 0; i < mCheatSetsSize(sets); ++i) {
        struct mCheatSet* set = *mCheatSetsGetPointer(sets, i);
        if (set->name && strcmp(set->name, name) == 0) {
            return set;
        }
    }
    return NULL;
}

/* --- codes ------------------------------------------------------------------------------------------------------------- */

static bool is_hex(const char* text, size_t digits) {
    return strlen(text) == digits && strspn(text, "0123456789ABCDEFabcdef") == digits;
}

/* What libmgba understands: it reads no address of 16 bits and a colon, and no other separator than a space. */
static void normalize(char* line, bool is_gba) {
    char copy[LINE_SIZE];
    if (!is_gba && strlen(line) == 7 && line[4] == ':') {
        (void) snprintf(copy, sizeof(copy), "00%.4s-%.2s", line, line + 5);
        strcpy(line, copy);
    }
    for (char* at = line; is_gba && *at; ++at) {
        *at = *at == '-' || *at == '\t' ? ' ' : *at;
    }
}

static bool add_line(struct mCheatSet* set, char* line, char* reason) {
    normalize(line, cheats.core->platform(cheats.core) == mPLATFORM_GBA);
    if (!mCheatAddLine(set, line, 0)) {
        (void) snprintf(reason, REASON_SIZE, "\"%s\" is no code that mGBA knows for this console", line);
        return false;
    }
    return true;
}

/* Takes the next part of the codes: up to the end of the line, or a +. NULL if there is none; an empty reason unless it is too long. */
static const char* next_part(const char* codes, char* part, char* reason) {
    static const char separators[] = "+;\r\n";
    codes += strspn(codes, "+;\r\n \t");
    size_t size = strcspn(codes, separators);
    size_t kept = size;
    while (kept > 0 && isspace((unsigned char) codes[kept - 1])) {
        --kept;
    }
    if (kept >= LINE_SIZE) {
        (void) snprintf(reason, REASON_SIZE, "\"%.40s...\" is no code: it has %zu characters", codes, kept);
        return NULL;
    }
    memcpy(part, codes, kept);
    part[kept] = '\0';
    return kept > 0 ? codes + size : NULL;
}

/* A + separates codes, and in libretro's files also address and value: 8 digits alone are the first half of a code of the GBA. */
static bool add_codes(struct mCheatSet* set, const char* codes, char* reason) {
    bool is_gba = cheats.core->platform(cheats.core) == mPLATFORM_GBA;
    char line[LINE_SIZE];
    char half[LINE_SIZE];
    size_t lines = 0;
    for (; (codes = next_part(codes, line, reason)); ++lines) {
        const char* after = is_gba && is_hex(line, 8) ? next_part(codes, half, reason) : NULL;
        if (after && (is_hex(half, 8) || is_hex(half, 4))) {
            (void) snprintf(line + 8, sizeof(line) - 8, " %.8s", half);
            codes = after;
        }
        if (!add_line(set, line, reason)) {
            return false;
        }
    }
    if (lines == 0 && !*reason) {
        (void) snprintf(reason, REASON_SIZE, "it has no code");
    }
    return !*reason;
}

/* --- writes to the ROM --------------------------------------------------------------------------------------------------- */

static bool in_rom(uint32_t address) {
    return cheats.core->platform(cheats.core) == mPLATFORM_GBA ? address >= GBA_ROM && address < GBA_ROM_END : address < GB_ROM_END;
}

/* A condition, which decides whether the next entries are applied, or those up to another one. */
static bool is_condition(const struct mCheat* cheat) {
    return cheat->type >= CHEAT_IF_EQ;
}

static void patch(struct mCheatSet* set, uint32_t address, uint32_t value, int width) {
    *mCheatPatchListAppend(&set->romPatches) = (struct mCheatPatch) { .address = address, .segment = -1, .value = value, .width = width };
}

/*
 * libmgba writes such cheats by the bus, which ignores writes to the ROM of a GBA, and takes those to the ROM of a Game Boy for commands to its
 * cartridge. A write without a condition becomes a patch of the ROM, which libmgba undoes when the cheat ends.
 */
static bool patch_rom(struct mCheatSet* set, char* reason) {
    bool is_gba = cheats.core->platform(cheats.core) == mPLATFORM_GBA;
    bool conditional = false;
    for (size_t i = 0; i < mCheatListSize(&set->list);) {
        struct mCheat cheat = *mCheatListGetPointer(&set->list, i);
        if (is_condition(&cheat) || cheat.type == CHEAT_ASSIGN_INDIRECT || !in_rom(cheat.address)) {
            conditional |= is_condition(&cheat);
            ++i;
        } else if (conditional || cheat.type != CHEAT_ASSIGN || cheat.repeat != 1) {
            (void) snprintf(reason, REASON_SIZE, "it changes the ROM at 0x%08" PRIX32 " under a condition or more than once, which only a patch of the ROM can do", cheat.address);
            return false;
        } else if (!is_gba && cheat.address >= GB_BANKS) {
            (void) snprintf(reason, REASON_SIZE, "it changes the ROM at 0x%04" PRIX32 ", where each bank has other bytes; use a Game Genie code, which compares the byte", cheat.address);
            return false;
        } else {
            if (cheat.width == 4) {
                patch(set, cheat.address, cheat.operand & 0xFFFF, 2);
                patch(set, cheat.address + 2, cheat.operand >> 16, 2);
            } else {
                patch(set, cheat.address, cheat.operand, cheat.width);
            }
            mCheatListShift(&set->list, i, 1);
        }
    }
    return true;
}

/* The lines before the codes that say how they are encrypted, such as !GSAv1 raw. */
static const char* take_directives(struct mCheatSet* set, const char* codes) {
    struct StringList directives;
    StringListInit(&directives, 0);
    for (codes += strspn(codes, "\r\n"); *codes == '!'; codes += strspn(codes, "\r\n")) {
        size_t size = strcspn(codes, "\r\n");
        *StringListAppend(&directives) = strndup(codes + 1, size - 1);
        codes += size;
    }
    if (set->parseDirectives && StringListSize(&directives) > 0) {
        set->parseDirectives(set, &directives);
    }
    for (size_t i = 0; i < StringListSize(&directives); ++i) {
        char* directive = *StringListGetPointer(&directives, i);
        char line[LINE_SIZE];
        /* So that the codes that are listed mean the same when they are added again. */
        if (strcmp(directive, "disabled") && snprintf(line, sizeof(line), "!%s", directive) < LINE_SIZE) {
            *StringListAppend(&set->lines) = strdup(line);
        }
        free(directive);
    }
    StringListDeinit(&directives);
    return codes;
}

/* Also undoes what it has written to the ROM, which mCheatRemoveSet() does not. */
static void destroy(struct mCheatSet* set) {
    set->enabled = false;
    mCheatRefresh(device(), set);
    mCheatRemoveSet(device(), set);
    mCheatSetDeinit(set);
}

/* Reasons quote what a file or a client has sent. */
static bool printable(char* reason) {
    for (char* at = reason; *at; ++at) {
        *at = isprint((unsigned char) *at) ? *at : '?';
    }
    return !*reason;
}

static bool add(const char* name, const char* codes, bool enabled, char* reason) {
    *reason = '\0';
    if (!*name || strlen(name) > NAME_LIMIT || strpbrk(name, "\r\n")) {
        (void) snprintf(reason, REASON_SIZE, "a name has 1 to %d bytes, in one line", NAME_LIMIT);
        return false;
    }
    if (strlen(codes) > CODES_LIMIT) {
        (void) snprintf(reason, REASON_SIZE, "it has more than %d bytes of codes", CODES_LIMIT);
        return false;
    }
    struct mCheatSets* sets = &device()->cheats;
    struct mCheatSet* before = find(name);
    if (!before && mCheatSetsSize(sets) >= CHEATS_LIMIT) {
        (void) snprintf(reason, REASON_SIZE, "there are %d cheats, which is the limit", CHEATS_LIMIT);
        return false;
    }
    struct mCheatSet* set = device()->createSet(device(), name);
    /* As libmgba does: the code that a device needs before all others, and its encryption, count for those after it. */
    if (set->copyProperties && mCheatSetsSize(sets) > 0) {
        set->copyProperties(set, *mCheatSetsGetPointer(sets, mCheatSetsSize(sets) - 1));
    }
    if (!add_codes(set, take_directives(set, codes), reason) || !patch_rom(set, reason)) {
        mCheatSetDeinit(set);
        return printable(reason);
    }
    if (before) {
        destroy(before);
    }
    set->enabled = enabled;
    mCheatAddSet(device(), set);
    return true;
}

/* --- files --------------------------------------------------------------------------------------------------------------- */

/* A cheat of a file while it is read. */
struct entry {
    char* name;
    char* codes;
    size_t line;   /* of its codes */
    size_t copies; /* those that have its name, too, before they are numbered */
    bool enabled;
};

struct entries {
    struct entry* list;
    size_t count;
};

static struct entry* entry_at(struct entries* entries, size_t index) {
    if (index >= CHEATS_LIMIT) {
        return NULL;
    }
    if (index >= entries->count) {
        struct entry* list = realloc(entries->list, (index + 1) * sizeof(*list));
        if (!list) {
            return NULL;
        }
        memset(list + entries->count, 0, (index + 1 - entries->count) * sizeof(*list));
        *entries = (struct entries) { .list = list, .count = index + 1 };
    }
    return &entries->list[index];
}

static void replace(char** text, const char* with) {
    free(*text);
    *text = strdup(with);
}

/* cheat0_desc = "Name" */
static void read_libretro(struct entries* entries, char* line, size_t number) {
    char* value = strchr(line, '=');
    size_t index;
    int end = 0;
    if (!value || sscanf(line, "cheat%zu_%n", &index, &end) != 1 || !end) {
        return; /* another setting, such as their count */
    }
    struct entry* entry = entry_at(entries, index);
    if (!entry) {
        return;
    }
    *value++ = '\0';
    value += strspn(value, " \t\"");
    value[strcspn(value, "\"")] = '\0';
    const char* key = line + end;
    if (strncmp(key, "desc", 4) == 0) {
        replace(&entry->name, value);
        entry->line = entry->line ? entry->line : number;
    } else if (strncmp(key, "code", 4) == 0) {
        replace(&entry->codes, value);
        entry->line = number;
    } else if (strncmp(key, "enable", 6) == 0) {
        entry->enabled = strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
    }
}

static bool append(char** codes, const char* line) {
    size_t size = *codes ? strlen(*codes) : 0;
    char* longer = realloc(*codes, size + strlen(line) + 2);
    if (longer) {
        *codes = longer;
        (void) sprintf(longer + size, "%s\n", line);
    }
    return longer;
}

/* The bytes of EZ-Flash's files: address,byte,byte...;address,byte... A line for each byte; false if it is none of this form. */
static bool append_bytes(char** codes, const char* bytes) {
    while (*bytes) {
        char* end;
        unsigned long address = strtoul(bytes, &end, 16);
        if (!isxdigit((unsigned char) *bytes) || *end != ',') {
            return false;
        }
        while (*end == ',') {
            const char* start = end + 1;
            unsigned long byte = strtoul(start, &end, 16);
            char line[LINE_SIZE];
            if (!isxdigit((unsigned char) *start) || byte > 0xFF || address >= EZFLASH_END) {
                return false;
            }
            (void) snprintf(line, sizeof(line), "%08lX:%02lX", address < EZFLASH_IWRAM ? 0x02000000 + address : 0x03000000 + address - EZFLASH_IWRAM, byte);
            if (!append(codes, line)) {
                return false;
            }
            ++address;
        }
        bytes = end + strspn(end, "; \t");
        if (*end && *end != ';') {
            return false;
        }
    }
    return *codes;
}

/* A text of EZ-Flash's files, which are in GBK, or else in UTF-8. */
static char* utf8_of(const char* text, size_t size) {
    const char* at = text;
    size_t left = size;
    while (left > 0 && utf8Char(&at, &left)) {
        continue;
    }
    return left > 0 ? gbkToUtf8(text, size) : strndup(text, size);
}

/* [Section], then ON= and the bytes of the cheat, or a line for each choice: Axe=00100,02. All are off. */
static void read_ezflash(struct entries* entries, char* line, size_t number, char** section) {
    char* value = strchr(line, '=');
    if (*line == '[') {
        free(*section);
        *section = utf8_of(line + 1, strcspn(line + 1, "]"));
    } else if (value && *section && strcmp(*section, "GameInfo")) {
        struct entry* entry = entry_at(entries, entries->count);
        if (!entry) {
            return;
        }
        *value++ = '\0';
        char* choice = utf8_of(line, strlen(line));
        bool is_choice = choice && strcmp(choice, "ON");
        char name[NAME_LIMIT];
        (void) snprintf(name, sizeof(name), "%s%s%s", *section, is_choice ? ": " : "", is_choice ? choice : "");
        free(choice);
        replace(&entry->name, name);
        entry->line = number;
        if (!append_bytes(&entry->codes, value)) {
            replace(&entry->codes, value);
        }
    }
}

/* A code, 0 (off) or 1, and at once the name. */
static bool is_bgb(const char* line) {
    size_t size = strspn(line, "0123456789ABCDEFabcdef-");
    return size >= 7 && line[size] == ' ' && (line[size + 1] == '0' || line[size + 1] == '1');
}

static void read_bgb(struct entries* entries, char* line, size_t number) {
    struct entry* entry = *line ? entry_at(entries, entries->count) : NULL;
    if (!entry) {
        return;
    }
    size_t size = is_bgb(line) ? strcspn(line, " ") : strlen(line);
    if (line[size]) {
        entry->enabled = line[size + 1] == '1';
        replace(&entry->name, line + size + 2);
        line[size] = '\0';
    }
    replace(&entry->codes, line);
    entry->line = number;
}

/* # Name, then a line for each code; lines with ! before the name. */
static void read_lines(struct entries* entries, char* line, size_t number, char** directives) {
    bool is_name = *line == '#';
    if (*line == '!') {
        (void) append(directives, line);
        return;
    }
    struct entry* entry = entry_at(entries, is_name || entries->count == 0 ? entries->count : entries->count - 1);
    if (!entry) {
        return;
    }
    if (!entry->name) {
        replace(&entry->name, is_name ? line + 1 + strspn(line + 1, " \t") : "");
        entry->enabled = !*directives || !strstr(*directives, "!disabled\n");
        entry->codes = *directives;
        *directives = NULL;
    }
    if (!is_name) {
        entry->line = entry->line ? entry->line : number;
        (void) append(&entry->codes, line);
    }
}

/* What is wrong with a cheat of a file is kept, and listed. */
static void take(const struct entry* entry) {
    char reason[REASON_SIZE];
    if (add(entry->name, entry->codes ? entry->codes : "", entry->enabled, reason)) {
        return;
    }
    struct unusable* list = realloc(cheats.unusable.list, (cheats.unusable.count + 1) * sizeof(*list));
    if (list) {
        cheats.unusable.list = list;
        list += cheats.unusable.count++;
        *list = (struct unusable) { .name = strdup(entry->name), .codes = strdup(entry->codes ? entry->codes : "") };
        (void) snprintf(list->reason, REASON_SIZE, "line %zu: %.*s", entry->line, REASON_SIZE - 32, reason);
    }
}

static struct entry* named(struct entries* entries, size_t count, const char* name) {
    for (size_t i = 0; i < count; ++i) {
        if (entries->list[i].name && strcmp(entries->list[i].name, name) == 0) {
            return &entries->list[i];
        }
    }
    return NULL;
}

/* Names are unique within a file. */
static void name_entry(struct entries* entries, size_t index) {
    struct entry* entry = &entries->list[index];
    char name[NAME_LIMIT];
    (void) snprintf(name, NAME_LIMIT, "%s", entry->name ? entry->name : "");
    if (!*name) {
        (void) snprintf(name, sizeof(name), "Cheat %zu", index + 1);
    }
    size_t size = strlen(name) < NAME_LIMIT - COPY_SIZE ? strlen(name) : NAME_LIMIT - COPY_SIZE;
    struct entry* first = named(entries, index, name);
    while (first && named(entries, index, name)) {
        (void) snprintf(name + size, COPY_SIZE, " (%zu)", ++first->copies + 1);
    }
    replace(&entry->name, name);
}

static char* read_file(const char* path, struct failure* failure) {
    int descriptor = file_open(path);
    struct stat status;
    char* text = NULL;
    if (descriptor < 0 || fstat(descriptor, &status)) {
        (void) failure_set(failure, EXIT_CHEATS, "cannot open the cheats \"%s\" (%s); give the path of a readable file", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode) || status.st_size > FILE_LIMIT) {
        (void) failure_set(failure, EXIT_CHEATS, "the cheats \"%s\" are no file of at most %d bytes", path, FILE_LIMIT);
    } else {
        text = calloc((size_t) status.st_size + 1, 1);
        if (!text || read(descriptor, text, (unsigned) status.st_size) != status.st_size) {
            free(text);
            text = NULL;
            (void) failure_set(failure, EXIT_CHEATS, "cannot read the cheats \"%s\"", path);
        }
    }
    if (descriptor >= 0) {
        (void) close(descriptor);
    }
    return text;
}

static void forget(struct unusable_cheats* unusable) {
    for (size_t i = 0; i < unusable->count; ++i) {
        free(unusable->list[i].name);
        free(unusable->list[i].codes);
    }
    free(unusable->list);
    *unusable = (struct unusable_cheats) { .list = NULL, .count = 0 };
}

enum format {
    LINES,
    LIBRETRO,
    EZFLASH,
    BGB,
};

static enum format format_of(const char* text) {
    const char* first = text + strspn(text, " \t\r\n");
    if (strncmp(text, "cheats", 6) == 0 || strstr(text, "\ncheats") || strstr(text, "cheat0_")) {
        return LIBRETRO;
    }
    return *first == '[' ? EZFLASH : cheats.core->platform(cheats.core) == mPLATFORM_GB && is_bgb(first) ? BGB : LINES;
}

static void read_entries(struct entries* entries, char* text) {
    enum format format = format_of(text);
    char* directives = NULL;
    char* section = NULL;
    size_t number = 0;
    for (char* line = text; line;) {
        char* end = strchr(line, '\n');
        char* next = end ? end + 1 : NULL;
        line[strcspn(line, "\r\n")] = '\0';
        line += strspn(line, " \t");
        ++number;
        if (format == LIBRETRO) {
            read_libretro(entries, line, number);
        } else if (format == EZFLASH) {
            read_ezflash(entries, line, number, &section);
        } else if (format == BGB) {
            read_bgb(entries, line, number);
        } else if (*line) {
            read_lines(entries, line, number, &directives);
        }
        line = next;
    }
    free(directives);
    free(section);
}

/* Adds the cheats of a file. False, and the reason, when none of them can be used: then nothing has changed. */
static bool take_text(char* text, char* reason) {
    struct entries entries = { .list = NULL, .count = 0 };
    struct unusable_cheats before = cheats.unusable;
    cheats.unusable = (struct unusable_cheats) { .list = NULL, .count = 0 };
    read_entries(&entries, strncmp(text, "\xEF\xBB\xBF", 3) ? text : text + 3);
    size_t count = 0;
    for (size_t i = 0; i < entries.count; ++i) {
        if (entries.list[i].name || entries.list[i].codes) {
            name_entry(&entries, i);
            take(&entries.list[i]);
            ++count;
        }
    }
    for (size_t i = 0; i < entries.count; ++i) {
        free(entries.list[i].name);
        free(entries.list[i].codes);
    }
    free(entries.list);
    bool any = count > cheats.unusable.count;
    *reason = '\0';
    if (!any) {
        (void) snprintf(reason, FILE_REASON_SIZE, "no cheat for this console%s%s", cheats.unusable.count ? "; " : "", cheats.unusable.count ? cheats.unusable.list[0].reason : "");
        struct unusable_cheats refused = cheats.unusable;
        cheats.unusable = before;
        before = refused;
    }
    forget(&before);
    return any;
}

static bool load(const char* path, struct failure* failure) {
    char* text = read_file(path, failure);
    if (!text) {
        return false;
    }
    char reason[FILE_REASON_SIZE];
    bool any = take_text(text, reason);
    free(text);
    return any || failure_set(failure, EXIT_CHEATS, "the file \"%s\" has %s", path, reason);
}

bool cheats_open(struct mCore* core, const char* path, struct failure* failure) {
    forget(&cheats.unusable);
    cheats.core = core;
    return !core || !path || load(path, failure);
}

void cheats_warn(const char* program) {
    for (size_t i = 0; i < cheats.unusable.count; ++i) {
        (void) fprintf(stderr, "%s: the cheat \"%s\" is not used; %s\n", program, cheats.unusable.list[i].name, cheats.unusable.list[i].reason);
    }
}

void cheats_clear(void) {
    forget(&cheats.unusable);
    if (cheats.core) {
        mCheatDeviceClear(device());
    }
}

/* --- for scripts --------------------------------------------------------------------------------------------------------- */

struct mScriptValue* cheats_set(const char* name, const char* codes, bool enabled) {
    char reason[REASON_SIZE] = "no game is open";
    return mScriptStringCreateFromASCII(cheats.core && add(name, codes, enabled, reason) ? "" : reason);
}

struct mScriptValue* cheats_load(const char* text) {
    char* copy = cheats.core ? strdup(text) : NULL;
    char reason[FILE_REASON_SIZE] = "no game is open";
    bool any = copy && take_text(copy, reason);
    char answer[FILE_REASON_SIZE + 16];
    (void) snprintf(answer, sizeof(answer), "%s%s", copy && !any ? "the file has " : "", reason);
    free(copy);
    return mScriptStringCreateFromASCII(answer);
}

bool cheats_enable(const char* name, bool enabled) {
    struct mCheatSet* set = cheats.core ? find(name) : NULL;
    if (set) {
        set->enabled = enabled;
    }
    return set;
}

bool cheats_remove(const char* name) {
    struct mCheatSet* set = cheats.core ? find(name) : NULL;
    if (set) {
        destroy(set);
    }
    return set;
}

static char* text_of(const struct mCheatSet* set) {
    char* text = NULL;
    bool complete = append(&text, set->enabled ? "on" : "off") && append(&text, set->name ? set->name : "");
    for (size_t i = 0; complete && i < StringListSize(&set->lines); ++i) {
        complete = append(&text, *StringListGetConstPointer(&set->lines, i));
    }
    return text;
}

struct mScriptValue* cheats_entry(int64_t number) {
    size_t used = cheats.core ? mCheatSetsSize(&device()->cheats) : 0;
    char* text = NULL;
    if (number >= 1 && (size_t) number <= used) {
        text = text_of(*mCheatSetsGetPointer(&device()->cheats, (size_t) number - 1));
    } else if (number >= 1 && (size_t) number - used <= cheats.unusable.count) {
        const struct unusable* entry = &cheats.unusable.list[(size_t) number - used - 1];
        (void) (append(&text, entry->reason) && append(&text, entry->name) && append(&text, entry->codes));
    }
    struct mScriptValue* value = mScriptStringCreateFromBytes(text ? text : "", text ? strlen(text) : 0);
    free(text);
    return value;
}
