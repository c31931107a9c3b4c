/* ARMv4T, as in chapters A3, A4 and A7 of the ARM Architecture Reference Manual. */
#include "debugger/instruction.h"

#include <inttypes.h>

#define SP 13
#define LR 14
#define PC 15
#define ALWAYS 14
#define NEVER 15
#define LARGEST_DECIMAL 255
#define ARM_AHEAD 8 /* what an instruction reads as PC, beyond its address */
#define THUMB_AHEAD 4

enum { LSL, LSR, ASR, ROR };
enum { TST = 8, CMN = 11, MOV = 13, MVN = 15 };

static const char* const registers[] = { "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "sl", "fp", "ip", "sp", "lr", "pc" };
static const char* const conditions[] = { "eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "", "" };
static const char* const shifts[] = { "lsl", "lsr", "asr", "ror" };
static const char* const operations[] = { "and", "eor", "sub", "rsb", "add", "adc", "sbc", "rsc", "tst", "teq", "cmp", "cmn", "orr", "mov", "bic", "mvn" };
static const char* const thumb_operations[] = { "ands", "eors", "lsls", "lsrs", "asrs", "adcs", "sbcs", "rors", "tst", "negs", "cmp", "cmn", "orrs", "muls", "bics", "mvns" };
/* By the bits S and H: of halfwords and signed bytes. */
static const char* const halves[] = { "", "h", "sb", "sh" };

static uint32_t bits(uint32_t value, unsigned high, unsigned low) {
    return value >> low & (UINT32_MAX >> (31 - (high - low)));
}

static bool bit(uint32_t value, unsigned number) {
    return value >> number & 1;
}

static int32_t signed_bits(uint32_t value, unsigned high, unsigned low) {
    return (int32_t) (value << (31 - high)) >> (31 - (high - low));
}

static const char* reg(uint32_t number) {
    return registers[number & 15];
}

static void add_number(struct instruction* out, bool is_negative, uint32_t value) {
    instruction_add(out, value > LARGEST_DECIMAL ? "#%s0x%" PRIx32 : "#%s%" PRIu32, is_negative ? "-" : "", value);
}

static void add_list(struct instruction* out, uint32_t list) {
    instruction_add(out, "{");
    const char* separator = "";
    for (unsigned i = 0; i < 16; ++i) {
        if (bit(list, i)) {
            instruction_add(out, "%s%s", separator, registers[i]);
            separator = ", ";
        }
    }
    instruction_add(out, "}");
}

/* A register that is shifted by a constant, which zero makes 32 or RRX, or by a register. */
static void add_shifted(struct instruction* out, uint32_t code) {
    uint32_t type = bits(code, 6, 5);
    uint32_t amount = bits(code, 11, 7);
    instruction_add(out, "%s", reg(code));
    if (bit(code, 4)) {
        instruction_add(out, ", %s %s", shifts[type], reg(code >> 8));
    } else if (type == ROR && amount == 0) {
        instruction_add(out, ", rrx");
    } else if (type != LSL || amount != 0) {
        instruction_add(out, ", %s #%" PRIu32, shifts[type], amount ? amount : 32);
    }
}

static uint32_t rotated(uint32_t code) {
    uint32_t value = bits(code, 7, 0);
    uint32_t rotation = 2 * bits(code, 11, 8);
    return rotation ? value >> rotation | value << (32 - rotation) : value;
}

/* Between the brackets of an address or behind them. */
static void add_address(struct instruction* out, uint32_t code, uint32_t address, bool is_register, uint32_t offset) {
    bool is_before = bit(code, 24);
    bool is_up = bit(code, 23);
    instruction_add(out, "[%s", reg(code >> 16));
    if (!is_before) {
        instruction_add(out, "]");
    }
    if (is_register) {
        instruction_add(out, ", %s", is_up ? "" : "-");
        add_shifted(out, offset);
    } else if (offset != 0 || !is_up || !is_before) {
        instruction_add(out, ", ");
        add_number(out, !is_up, offset);
    }
    if (is_before) {
        instruction_add(out, "]%s", bit(code, 21) ? "!" : "");
    }
    if (!is_register && is_before && bits(code, 19, 16) == PC) {
        instruction_target(out, INSTRUCTION_DATA, address + ARM_AHEAD + (is_up ? offset : 0 - offset));
    }
}

static void multiply(struct instruction* out, uint32_t code, const char* condition) {
    static const char* const names[] = { "mul", "mla", NULL, NULL, "umull", "umlal", "smull", "smlal" };
    const char* flags = bit(code, 20) ? "s" : "";
    if (bit(code, 23)) {
        instruction_add(out, "%s%s%s %s, %s, %s, %s", names[bits(code, 23, 21)], flags, condition, reg(code >> 12), reg(code >> 16), reg(code), reg(code >> 8));
    } else {
        instruction_add(out, "%s%s%s %s, %s, %s", names[bits(code, 23, 21)], flags, condition, reg(code >> 16), reg(code), reg(code >> 8));
        if (bit(code, 21)) {
            instruction_add(out, ", %s", reg(code >> 12));
        }
    }
}

static bool status(struct instruction* out, uint32_t code, const char* condition) {
    const char* name = bit(code, 22) ? "SPSR" : "CPSR";
    if ((code & 0x0FBF0FFF) == 0x010F0000) {
        instruction_add(out, "mrs%s %s, %s", condition, reg(code >> 12), name);
        return true;
    }
    bool is_number = (code & 0x0FB0F000) == 0x0320F000;
    if (!is_number && (code & 0x0FB0FFF0) != 0x0120F000) {
        return false;
    }
    instruction_add(out, "msr%s %s_%s%s%s%s, ", condition, name, bit(code, 19) ? "f" : "", bit(code, 18) ? "s" : "", bit(code, 17) ? "x" : "", bit(code, 16) ? "c" : "");
    if (is_number) {
        add_number(out, false, rotated(code));
    } else {
        instruction_add(out, "%s", reg(code));
    }
    return true;
}

/* Whether PC becomes what BL, BX or an exception left in LR. */
static bool is_return(uint32_t code) {
    uint32_t operation = bits(code, 24, 21);
    return (operation == MOV && (code & 0x02000FFF) == LR) || (bit(code, 20) && bits(code, 19, 16) == LR);
}

static bool process(struct instruction* out, uint32_t code, uint32_t address, const char* condition) {
    uint32_t operation = bits(code, 24, 21);
    bool sets_flags = bit(code, 20);
    bool is_test = operation >= TST && operation <= CMN;
    bool is_number = bit(code, 25);
    if (is_test && !sets_flags) {
        return false;
    }
    if (operation == MOV && !is_number && bits(code, 11, 4) != 0) {
        /* A shift is an instruction of its own. */
        uint32_t type = bits(code, 6, 5);
        uint32_t amount = bits(code, 11, 7);
        const char* flags = sets_flags ? "s" : "";
        if (bit(code, 4)) {
            instruction_add(out, "%s%s%s %s, %s, %s", shifts[type], flags, condition, reg(code >> 12), reg(code), reg(code >> 8));
        } else if (type == ROR && amount == 0) {
            instruction_add(out, "rrx%s%s %s, %s", flags, condition, reg(code >> 12), reg(code));
        } else {
            instruction_add(out, "%s%s%s %s, %s, #%" PRIu32, shifts[type], flags, condition, reg(code >> 12), reg(code), amount ? amount : 32);
        }
    } else if (code == 0xE1A00000) {
        instruction_add(out, "nop");
    } else {
        /* The form of tests that changes the mode in 26-bit processors, too. */
        const char* flags = is_test ? bits(code, 15, 12) == PC ? "p" : "" : sets_flags ? "s" : "";
        instruction_add(out, "%s%s%s ", operations[operation], flags, condition);
        if (!is_test) {
            instruction_add(out, "%s, ", reg(code >> 12));
        }
        if (operation != MOV && operation != MVN) {
            instruction_add(out, "%s, ", reg(code >> 16));
        }
        if (is_number) {
            add_number(out, false, rotated(code));
        } else {
            add_shifted(out, code);
        }
    }
    if (!is_test && bits(code, 15, 12) == PC) {
        out->kind = is_return(code) ? INSTRUCTION_RETURN : INSTRUCTION_BRANCH;
    } else if (is_number && bits(code, 19, 16) == PC && (operation == 2 || operation == 4)) {
        uint32_t offset = rotated(code);
        instruction_target(out, INSTRUCTION_DATA, address + ARM_AHEAD + (operation == 4 ? offset : 0 - offset));
    }
    return true;
}

static bool transfer(struct instruction* out, uint32_t code, uint32_t address, const char* condition) {
    bool is_load = bit(code, 20);
    bool is_register = bit(code, 25);
    if (is_register && bit(code, 4)) {
        return false;
    }
    if ((code & 0x0FFF0FFF) == 0x052D0004 || (code & 0x0FFF0FFF) == 0x049D0004) {
        instruction_add(out, "%s%s {%s}", is_load ? "pop" : "push", condition, reg(code >> 12));
    } else {
        instruction_add(out, "%s%s%s%s %s, ", is_load ? "ldr" : "str", bit(code, 22) ? "b" : "", !bit(code, 24) && bit(code, 21) ? "t" : "", condition, reg(code >> 12));
        add_address(out, code, address, is_register, is_register ? code & 0xFEF : bits(code, 11, 0));
        out->is_literal = out->has_target && is_load && !bit(code, 22);
    }
    if (is_load && bits(code, 15, 12) == PC) {
        out->kind = (code & 0x0FFF0FFF) == 0x049D0004 ? INSTRUCTION_RETURN : INSTRUCTION_BRANCH;
    }
    return true;
}

static bool transfer_half(struct instruction* out, uint32_t code, uint32_t address, const char* condition) {
    bool is_load = bit(code, 20);
    uint32_t type = bits(code, 6, 5);
    bool is_register = !bit(code, 22);
    if (type == 0 || (!is_load && type != 1) || (is_register && bits(code, 11, 8) != 0)) {
        return false;
    }
    instruction_add(out, "%s%s%s %s, ", is_load ? "ldr" : "str", halves[type], condition, reg(code >> 12));
    add_address(out, code, address, is_register, is_register ? code & 15 : bits(code, 11, 8) << 4 | bits(code, 3, 0));
    return true;
}

static void transfer_many(struct instruction* out, uint32_t code, const char* condition) {
    static const char* const modes[] = { "da", "ia", "db", "ib" };
    bool is_load = bit(code, 20);
    uint32_t list = bits(code, 15, 0);
    bool is_stack = (code & 0x0FFF0000) == 0x08BD0000 || (code & 0x0FFF0000) == 0x092D0000;
    bool is_one = list && !(list & (list - 1));
    if (is_stack && !is_one) {
        instruction_add(out, "%s%s ", is_load ? "pop" : "push", condition);
    } else {
        const char* mode = is_stack ? "fd" : bits(code, 24, 23) == 1 && (is_load || bits(code, 22, 21) == 0) ? "" : modes[bits(code, 24, 23)];
        instruction_add(out, "%s%s%s %s%s, ", is_load ? "ldm" : "stm", mode, condition, reg(code >> 16), bit(code, 21) ? "!" : "");
    }
    add_list(out, list);
    if (bit(code, 22)) {
        instruction_add(out, "^");
    }
    if (is_load && bit(list, PC)) {
        out->kind = bits(code, 19, 16) == SP || bit(code, 22) ? INSTRUCTION_RETURN : INSTRUCTION_BRANCH;
    }
}

static void exchange(struct instruction* out, uint32_t number, const char* condition) {
    instruction_add(out, "bx%s %s", condition, reg(number));
    out->kind = (number & 15) == LR ? INSTRUCTION_RETURN : INSTRUCTION_BRANCH;
}

/* That which no processor will ever define: compilers end what must not be reached with it. */
static void undefined(struct instruction* out, uint32_t number) {
    instruction_add(out, "udf ");
    add_number(out, false, number);
    out->kind = INSTRUCTION_UNDEFINED;
}

static bool decode_arm(struct instruction* out, uint32_t code, uint32_t address) {
    const char* condition = conditions[code >> 28];
    if (code >> 28 == NEVER) {
        return false;
    }
    switch (bits(code, 27, 25)) {
    case 0:
        if ((code & 0x0FFFFFF0) == 0x012FFF10) {
            exchange(out, code, condition);
            return true;
        }
        if ((code & 0x0FC000F0) == 0x90 || (code & 0x0F8000F0) == 0x00800090) {
            multiply(out, code, condition);
            return true;
        }
        if ((code & 0x0FB00FF0) == 0x01000090) {
            instruction_add(out, "swp%s%s %s, %s, [%s]", bit(code, 22) ? "b" : "", condition, reg(code >> 12), reg(code), reg(code >> 16));
            return true;
        }
        if (bit(code, 7) && bit(code, 4)) {
            return transfer_half(out, code, address, condition);
        }
        return status(out, code, condition) || process(out, code, address, condition);
    case 1:
        return status(out, code, condition) || process(out, code, address, condition);
    case 2:
    case 3:
        if ((code & 0xFFF000F0) == 0xE7F000F0) {
            undefined(out, bits(code, 19, 8) << 4 | bits(code, 3, 0));
            return true;
        }
        return transfer(out, code, address, condition);
    case 4:
        transfer_many(out, code, condition);
        return true;
    case 5: {
        uint32_t target = address + ARM_AHEAD + (uint32_t) signed_bits(code, 23, 0) * 4;
        instruction_add(out, "b%s%s 0x%08" PRIx32, bit(code, 24) ? "l" : "", condition, target);
        instruction_target(out, bit(code, 24) ? INSTRUCTION_CALL : INSTRUCTION_BRANCH, target);
        return true;
    }
    case 7:
        if (bit(code, 24)) {
            instruction_add(out, "svc%s 0x%08" PRIx32, condition, bits(code, 23, 0));
            out->kind = INSTRUCTION_INTERRUPT;
            return true;
        }
        return false; /* coprocessors, of which there is none */
    default:
        return false;
    }
}

void instruction_arm(uint32_t address, const uint8_t* bytes, size_t size, struct instruction* instruction) {
    if (size < 4) {
        instruction_is_data(instruction, size == 1 ? ".byte " : ".short ", bytes, size == 1 ? 1 : 2);
        return;
    }
    *instruction = (struct instruction) { .size = 4 };
    uint32_t code = (uint32_t) bytes[3] << 24 | (uint32_t) bytes[2] << 16 | (uint32_t) bytes[1] << 8 | bytes[0];
    if (!decode_arm(instruction, code, address)) {
        instruction_is_data(instruction, ".word ", bytes, 4);
    }
}

/* --- Thumb ---------------------------------------------------------------------------------------------------------------------- */

static void shift_or_add(struct instruction* out, uint32_t code) {
    uint32_t type = bits(code, 12, 11);
    if (type == ROR) { /* the place of ADD and SUB of three operands */
        instruction_add(out, "%s r%" PRIu32 ", r%" PRIu32 ", %s%" PRIu32, bit(code, 9) ? "subs" : "adds", bits(code, 2, 0), bits(code, 5, 3), bit(code, 10) ? "#" : "r",
            bits(code, 8, 6));
        return;
    }
    uint32_t amount = bits(code, 10, 6);
    if (type == LSL && amount == 0) {
        instruction_add(out, "movs r%" PRIu32 ", r%" PRIu32, bits(code, 2, 0), bits(code, 5, 3));
    } else {
        instruction_add(out, "%ss r%" PRIu32 ", r%" PRIu32 ", #%" PRIu32, shifts[type], bits(code, 2, 0), bits(code, 5, 3), amount ? amount : 32);
    }
}

static bool high_registers(struct instruction* out, uint32_t code) {
    static const char* const names[] = { "add", "cmp", "mov" };
    uint32_t destination = bits(code, 2, 0) | bits(code, 7, 7) << 3;
    uint32_t source = bits(code, 6, 3);
    uint32_t operation = bits(code, 9, 8);
    if (operation == 3) {
        if (bit(code, 7)) {
            return false;
        }
        exchange(out, source, "");
        return true;
    }
    if (code == 0x46C0) {
        instruction_add(out, "nop");
        return true;
    }
    instruction_add(out, "%s %s, %s", names[operation], reg(destination), reg(source));
    if (destination == PC && operation != 1) {
        out->kind = operation == 2 && source == LR ? INSTRUCTION_RETURN : INSTRUCTION_BRANCH;
    }
    return true;
}

static void thumb_offset(struct instruction* out, const char* name, const char* base, uint32_t destination, uint32_t offset) {
    instruction_add(out, "%s r%" PRIu32 ", [%s, ", name, destination, base);
    add_number(out, false, offset);
    instruction_add(out, "]");
}

static void push_or_pop(struct instruction* out, uint32_t code) {
    bool is_load = bit(code, 11);
    uint32_t list = bits(code, 7, 0) | bits(code, 8, 8) << (is_load ? PC : LR);
    instruction_add(out, "%s ", is_load ? "pop" : "push");
    add_list(out, list);
    if (bit(list, PC)) {
        out->kind = INSTRUCTION_RETURN;
    }
}

static void many_of_thumb(struct instruction* out, uint32_t code) {
    bool is_load = bit(code, 11);
    uint32_t base = bits(code, 10, 8);
    bool is_written = !is_load || !bit(code, base); /* a loaded base is not written back */
    instruction_add(out, "%s %s%s, ", is_load ? "ldmia" : "stmia", reg(base), is_written ? "!" : "");
    add_list(out, bits(code, 7, 0));
}

static void branch_of_thumb(struct instruction* out, uint32_t code, uint32_t address) {
    uint32_t condition = bits(code, 11, 8);
    if (condition == NEVER) {
        instruction_add(out, "svc %" PRIu32, bits(code, 7, 0));
        out->kind = INSTRUCTION_INTERRUPT;
        return;
    }
    if (condition == ALWAYS) {
        undefined(out, bits(code, 7, 0));
        return;
    }
    uint32_t target = address + THUMB_AHEAD + (uint32_t) signed_bits(code, 7, 0) * 2;
    instruction_add(out, "b%s.n 0x%08" PRIx32, conditions[condition], target);
    instruction_target(out, INSTRUCTION_BRANCH, target);
}

static bool decode_thumb(struct instruction* out, uint32_t code, uint32_t address) {
    static const char* const stores[] = { "str", "strh", "strb", "ldrsb", "ldr", "ldrh", "ldrb", "ldrsh" };
    static const char* const immediate[] = { "movs", "cmp", "adds", "subs" };
    static const char* const sized[] = { "str", "ldr", "strb", "ldrb" };
    uint32_t low = bits(code, 2, 0);
    uint32_t middle = bits(code, 5, 3);
    uint32_t high = bits(code, 10, 8);
    switch (bits(code, 15, 12)) {
    case 0:
    case 1:
        shift_or_add(out, code);
        return true;
    case 2:
    case 3:
        instruction_add(out, "%s r%" PRIu32 ", #%" PRIu32, immediate[bits(code, 12, 11)], high, bits(code, 7, 0));
        return true;
    case 4:
        if (bit(code, 11)) {
            thumb_offset(out, "ldr", "pc", high, 4 * bits(code, 7, 0));
            instruction_target(out, INSTRUCTION_DATA, (address & ~3u) + THUMB_AHEAD + 4 * bits(code, 7, 0));
            out->is_literal = true;
            return true;
        }
        if (bit(code, 10)) {
            return high_registers(out, code);
        }
        instruction_add(out, "%s r%" PRIu32 ", r%" PRIu32, thumb_operations[bits(code, 9, 6)], low, middle);
        return true;
    case 5:
        instruction_add(out, "%s r%" PRIu32 ", [r%" PRIu32 ", r%" PRIu32 "]", stores[bits(code, 11, 9)], low, middle, bits(code, 8, 6));
        return true;
    case 6:
    case 7:
        thumb_offset(out, sized[bits(code, 12, 11)], reg(middle), low, bits(code, 10, 6) * (bit(code, 12) ? 1 : 4));
        return true;
    case 8:
        thumb_offset(out, bit(code, 11) ? "ldrh" : "strh", reg(middle), low, 2 * bits(code, 10, 6));
        return true;
    case 9:
        thumb_offset(out, bit(code, 11) ? "ldr" : "str", "sp", high, 4 * bits(code, 7, 0));
        return true;
    case 10:
        instruction_add(out, "add r%" PRIu32 ", %s, ", high, bit(code, 11) ? "sp" : "pc");
        add_number(out, false, 4 * bits(code, 7, 0));
        if (!bit(code, 11)) {
            instruction_target(out, INSTRUCTION_DATA, (address & ~3u) + THUMB_AHEAD + 4 * bits(code, 7, 0));
        }
        return true;
    case 11:
        if (bits(code, 11, 8) == 0) {
            instruction_add(out, "%s sp, ", bit(code, 7) ? "sub" : "add");
            add_number(out, false, 4 * bits(code, 6, 0));
            return true;
        }
        if ((high & 6) == 4) {
            push_or_pop(out, code);
            return true;
        }
        return false;
    case 12:
        many_of_thumb(out, code);
        return true;
    case 13:
        branch_of_thumb(out, code, address);
        return true;
    case 14:
        if (!bit(code, 11)) {
            uint32_t target = address + THUMB_AHEAD + (uint32_t) signed_bits(code, 10, 0) * 2;
            instruction_add(out, "b.n 0x%08" PRIx32, target);
            instruction_target(out, INSTRUCTION_BRANCH, target);
            return true;
        }
        return false;
    default: /* half of a BL */
        return false;
    }
}

static bool is_half(uint32_t code, uint32_t second) {
    return code >> 11 == (second ? 0x1Fu : 0x1Eu);
}

void instruction_thumb(uint32_t address, const uint8_t* bytes, size_t size, struct instruction* instruction) {
    if (size < 2) {
        instruction_is_data(instruction, ".byte ", bytes, 1);
        return;
    }
    *instruction = (struct instruction) { .size = 2 };
    uint32_t code = (uint32_t) bytes[1] << 8 | bytes[0];
    uint32_t next = size < 4 ? 0 : (uint32_t) bytes[3] << 8 | bytes[2];
    if (is_half(code, 0) && is_half(next, 1)) {
        uint32_t target = address + THUMB_AHEAD + (uint32_t) signed_bits(code, 10, 0) * 0x1000 + 2 * bits(next, 10, 0);
        instruction->size = 4;
        instruction_add(instruction, "bl 0x%08" PRIx32, target);
        instruction_target(instruction, INSTRUCTION_CALL, target);
    } else if (!decode_thumb(instruction, code, address)) {
        instruction_is_data(instruction, ".short ", bytes, 2);
    }
}
