/* By the fields of an opcode: xxyyyzzz, with pp the upper two bits of yyy and q the lowest. */
#include "debugger/instruction.h"

static const char* const r8[] = { "b", "c", "d", "e", "h", "l", "[hl]", "a" };
static const char* const r16[] = { "bc", "de", "hl", "sp" };
static const char* const r16_stack[] = { "bc", "de", "hl", "af" };
static const char* const r16_memory[] = { "[bc]", "[de]", "[hl+]", "[hl-]" };
static const char* const conditions[] = { "nz", "z", "nc", "c" };
static const char* const arithmetic[] = { "add", "adc", "sub", "sbc", "and", "xor", "or", "cp" };
static const char* const accumulator[] = { "rlca", "rrca", "rla", "rra", "daa", "cpl", "scf", "ccf" };
static const char* const rotations[] = { "rlc", "rrc", "rl", "rr", "sla", "sra", "swap", "srl" };
static const char* const bit_operations[] = { "", "bit", "res", "set" };

#define IO 0xFF00u

struct code {
    unsigned x, y, z;
    unsigned byte; /* behind the opcode */
    unsigned word;
    uint16_t after; /* the address behind a relative jump */
};

static void jump(struct instruction* out, const char* name, const char* condition, enum instruction_kind kind, unsigned target) {
    instruction_add(out, *condition ? "%s %s, $%04x" : "%s %s$%04x", name, condition, target & 0xFFFF);
    instruction_target(out, kind, target & 0xFFFF);
}

static void access(struct instruction* out, const char* name, const char* before, unsigned address, const char* after) {
    instruction_add(out, "%s %s[$%04x]%s", name, before, address, after);
    instruction_target(out, INSTRUCTION_DATA, address);
}

static void add_offset(struct instruction* out, const char* start, unsigned byte, bool has_plus) {
    int offset = (int8_t) byte;
    instruction_add(out, "%s%s$%02x", start, offset < 0 ? "-" : has_plus ? "+" : "", (unsigned) (offset < 0 ? -offset : offset));
}

static unsigned relative(const struct code* code) {
    return (unsigned) (code->after + (int8_t) code->byte);
}

/* 00 to 3F */
static void decode_first(struct instruction* out, const struct code* code) {
    unsigned y = code->y;
    unsigned p = y >> 1;
    bool q = y & 1;
    switch (code->z) {
    case 0:
        if (y == 0) {
            instruction_add(out, "nop");
        } else if (y == 1) {
            access(out, "ld", "", code->word, ", sp");
        } else if (y == 2) {
            instruction_add(out, "stop $%02x", code->byte);
        } else {
            jump(out, "jr", y == 3 ? "" : conditions[y - 4], INSTRUCTION_BRANCH, relative(code));
        }
        break;
    case 1:
        if (q) {
            instruction_add(out, "add hl, %s", r16[p]);
        } else {
            instruction_add(out, "ld %s, $%04x", r16[p], code->word);
        }
        break;
    case 2:
        instruction_add(out, q ? "ld a, %s" : "ld %s, a", r16_memory[p]);
        break;
    case 3:
        instruction_add(out, q ? "dec %s" : "inc %s", r16[p]);
        break;
    case 4:
        instruction_add(out, "inc %s", r8[y]);
        break;
    case 5:
        instruction_add(out, "dec %s", r8[y]);
        break;
    case 6:
        instruction_add(out, "ld %s, $%02x", r8[y], code->byte);
        break;
    default:
        instruction_add(out, "%s", accumulator[y]);
    }
}

/* C0 to FF. False where the processor hangs. */
static bool decode_last(struct instruction* out, const struct code* code) {
    unsigned y = code->y;
    unsigned p = y >> 1;
    bool q = y & 1;
    switch (code->z) {
    case 0:
        if (y < 4) {
            instruction_add(out, "ret %s", conditions[y]);
            out->kind = INSTRUCTION_RETURN;
        } else if (y == 4) {
            access(out, "ldh", "", IO + code->byte, ", a");
        } else if (y == 6) {
            access(out, "ldh", "a, ", IO + code->byte, "");
        } else if (y == 5) {
            add_offset(out, "add sp, ", code->byte, false);
        } else {
            add_offset(out, "ld hl, sp", code->byte, true);
        }
        return true;
    case 1:
        if (!q) {
            instruction_add(out, "pop %s", r16_stack[p]);
        } else if (p < 2) {
            instruction_add(out, p == 0 ? "ret" : "reti");
            out->kind = INSTRUCTION_RETURN;
        } else if (p == 2) {
            instruction_add(out, "jp hl");
            out->kind = INSTRUCTION_BRANCH;
        } else {
            instruction_add(out, "ld sp, hl");
        }
        return true;
    case 2:
        if (y < 4) {
            jump(out, "jp", conditions[y], INSTRUCTION_BRANCH, code->word);
        } else if (y == 4 || y == 6) {
            instruction_add(out, y == 4 ? "ldh [c], a" : "ldh a, [c]");
        } else {
            access(out, "ld", y == 5 ? "" : "a, ", code->word, y == 5 ? ", a" : "");
        }
        return true;
    case 3:
        if (y == 0) {
            jump(out, "jp", "", INSTRUCTION_BRANCH, code->word);
        } else if (y >= 6) {
            instruction_add(out, y == 6 ? "di" : "ei");
        }
        return y == 0 || y >= 6;
    case 4:
        if (y < 4) {
            jump(out, "call", conditions[y], INSTRUCTION_CALL, code->word);
        }
        return y < 4;
    case 5:
        if (!q) {
            instruction_add(out, "push %s", r16_stack[p]);
        } else if (p == 0) {
            jump(out, "call", "", INSTRUCTION_CALL, code->word);
        }
        return !q || p == 0;
    case 6:
        instruction_add(out, "%s a, $%02x", arithmetic[y], code->byte);
        return true;
    default:
        instruction_add(out, "rst $%02x", 8 * y);
        instruction_target(out, INSTRUCTION_CALL, 8 * y);
        return true;
    }
}

static bool decode(struct instruction* out, const struct code* code) {
    switch (code->x) {
    case 0:
        decode_first(out, code);
        return true;
    case 1:
        if (code->y == 6 && code->z == 6) {
            instruction_add(out, "halt");
        } else {
            instruction_add(out, "ld %s, %s", r8[code->y], r8[code->z]);
        }
        return true;
    case 2:
        instruction_add(out, "%s a, %s", arithmetic[code->y], r8[code->z]);
        return true;
    default:
        return decode_last(out, code);
    }
}

static void decode_prefixed(struct instruction* out, const struct code* code) {
    if (code->x == 0) {
        instruction_add(out, "%s %s", rotations[code->y], r8[code->z]);
    } else {
        instruction_add(out, "%s %u, %s", bit_operations[code->x], code->y, r8[code->z]);
    }
}

/* How many bytes follow the opcode. */
static unsigned operand_size(unsigned opcode) {
    unsigned z = opcode & 7;
    unsigned y = opcode >> 3 & 7;
    if (opcode < 0x40) {
        return z == 6 || (z == 0 && y >= 2) ? 1 : (z == 1 && !(y & 1)) || opcode == 0x08 ? 2 : 0;
    }
    if (opcode < 0xC0) {
        return 0;
    }
    return z == 6 || opcode == 0xCB || (z == 0 && y >= 4) ? 1 : opcode == 0xC3 || opcode == 0xCD || (z == 2 && (y < 4 || y & 1)) || (z == 4 && y < 4) ? 2 : 0;
}

static struct code split(unsigned opcode) {
    return (struct code) { .x = opcode >> 6, .y = opcode >> 3 & 7, .z = opcode & 7 };
}

void instruction_sm83(uint32_t address, const uint8_t* bytes, size_t size, struct instruction* instruction) {
    unsigned length = 1 + operand_size(bytes[0]);
    *instruction = (struct instruction) { .size = length };
    bool is_instruction = length <= size;
    if (is_instruction && bytes[0] == 0xCB) {
        struct code code = split(bytes[1]);
        decode_prefixed(instruction, &code);
    } else if (is_instruction) {
        struct code code = split(bytes[0]);
        code.byte = length > 1 ? bytes[1] : 0;
        code.word = length > 2 ? code.byte | (unsigned) bytes[2] << 8 : 0;
        code.after = (uint16_t) (address + length);
        is_instruction = decode(instruction, &code);
    }
    if (!is_instruction) {
        *instruction = (struct instruction) { .kind = INSTRUCTION_UNDEFINED, .size = 1 };
        instruction_add(instruction, "db $%02x", bytes[0]);
    }
}
