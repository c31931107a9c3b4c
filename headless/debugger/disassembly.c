#include "debugger/disassembly.h"

#include "debugger/addresses.h"
#include "debugger/debugger.h"
#include "debugger/instruction.h"

#include <mgba/internal/arm/arm.h>
#include <mgba/script/types.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 4096
#define LONGEST_LINE (96 + INSTRUCTION_TEXT)
#define GB_END 0x10000
#define BANKED_ROM 0x4000u /* of a Game Boy: the half of its ROM that is one of many */
#define BANKED_ROM_END 0x8000u

enum mode { AUTOMATIC, ARM, THUMB, SM83, MODES };

static const char* const modes[MODES] = { "", "arm", "thumb", "sm83" };
static const char* const kinds[] = { "other", "branch", "call", "return", "interrupt", "data", "undefined" };

static struct mCore* present; /* NULL: no game */

/* --- which instructions ---------------------------------------------------------------------------------------------------------- */

/* MODES: none of this processor. */
static enum mode mode_of(const char* name, uint32_t address) {
    enum mode mode = AUTOMATIC;
    while (mode < MODES && strcmp(modes[mode], name) != 0) {
        ++mode;
    }
    if (mode == AUTOMATIC) {
        bool is_thumb = is_gba(present) && (address % 2 || ((const struct ARMCore*) present->cpu)->executionMode == MODE_THUMB);
        return !is_gba(present) ? SM83 : is_thumb ? THUMB : ARM;
    }
    return is_gba(present) == (mode != SM83) ? mode : MODES;
}

static uint32_t aligned(enum mode mode, uint32_t address) {
    return mode == ARM ? address & ~3u : mode == THUMB ? address & ~1u : address;
}

/* --- lines ----------------------------------------------------------------------------------------------------------------------- */

static size_t put(char* line, uint32_t value, bool is_there) {
    int length = is_there ? snprintf(line, LONGEST_LINE, "%" PRIu32 " ", value) : snprintf(line, LONGEST_LINE, "nil ");
    return length > 0 ? (size_t) length : 0;
}

/* In the banked half of the ROM code refers to its own bank, otherwise to what is mapped now. */
static int bank_of_target(uint32_t address, int bank, uint32_t target) {
    bool is_same = !is_gba(present) && address >= BANKED_ROM && address < BANKED_ROM_END && target >= BANKED_ROM && target < BANKED_ROM_END;
    return is_same ? bank : debugger_bank(present, target);
}

static size_t write_line(char* line, uint32_t address, int bank, const uint8_t* bytes, const struct instruction* instruction) {
    bool has_target = instruction->has_target;
    uint32_t target = instruction->target;
    uint8_t word[4];
    bool has_value = instruction->is_literal && debugger_read(present, target, DEBUG_ANY_BANK, word, sizeof(word)) == sizeof(word);
    uint32_t value = has_value ? (uint32_t) word[3] << 24 | (uint32_t) word[2] << 16 | (uint32_t) word[1] << 8 | word[0] : 0;
    if (instruction->kind == INSTRUCTION_BRANCH && instruction->is_literal) {
        has_target = has_value; /* a jump to the word that it loads */
        target = value & ~1u;
        has_value = false;
    }
    size_t length = put(line, (uint32_t) bank, true);
    length += put(line + length, address, true);
    line[length++] = '"';
    for (unsigned i = 0; i < instruction->size; ++i) {
        length += (size_t) snprintf(line + length, LONGEST_LINE, "%02x", bytes[i]);
    }
    length += (size_t) snprintf(line + length, LONGEST_LINE, "\" \"%s\" ", kinds[instruction->kind]);
    length += put(line + length, has_target ? (uint32_t) bank_of_target(address, bank, target) : 0, has_target);
    length += put(line + length, target, has_target);
    length += put(line + length, value, has_value);
    length += (size_t) snprintf(line + length, LONGEST_LINE, "\"%s\"\n", instruction->text);
    return length;
}

static size_t write_lines(char* lines, int32_t count, enum mode mode, uint32_t address, int bank) {
    static void (*const decoders[])(uint32_t, const uint8_t*, size_t, struct instruction*) = {
        [ARM] = instruction_arm, [THUMB] = instruction_thumb, [SM83] = instruction_sm83,
    };
    uint64_t end = mode == SM83 ? GB_END : UINT64_C(1) << 32;
    size_t length = 0;
    uint64_t at = address;
    for (int32_t i = 0; i < count && at < end; ++i) {
        uint8_t bytes[4];
        size_t size = debugger_read(present, (uint32_t) at, bank, bytes, end - at < sizeof(bytes) ? (size_t) (end - at) : sizeof(bytes));
        if (size == 0) {
            break;
        }
        struct instruction instruction;
        decoders[mode]((uint32_t) at, bytes, size, &instruction);
        length += write_line(lines + length, (uint32_t) at, bank == DEBUG_ANY_BANK ? debugger_bank(present, (uint32_t) at) : bank, bytes, &instruction);
        at += instruction.size;
    }
    return length;
}

struct mScriptValue* disassembly_lines(int64_t address, int32_t count, const char* mode_name, int32_t bank) {
    uint32_t first = present && address < 0 ? debugger_pc(present) : (uint32_t) address;
    enum mode mode = present && address <= UINT32_MAX ? mode_of(mode_name, first) : MODES;
    count = count > MOST_LINES ? MOST_LINES : count;
    char* lines = mode != MODES && count > 0 ? malloc((size_t) count * LONGEST_LINE) : NULL;
    size_t length = lines ? write_lines(lines, count, mode, aligned(mode, first), bank < 0 ? DEBUG_ANY_BANK : bank) : 0;
    struct mScriptValue* value = mScriptStringCreateFromBytes(lines ? lines : "", length);
    free(lines);
    return value;
}

int32_t disassembly_bank(uint32_t address) {
    return present ? debugger_bank(present, address) : 0;
}

void disassembly_of(struct mCore* core) {
    present = core;
}
