#include "debugger/instruction.h"

#include <stdarg.h>
#include <stdio.h>

void instruction_add(struct instruction* instruction, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(instruction->text + instruction->length, INSTRUCTION_TEXT - instruction->length, format, arguments);
    va_end(arguments);
    size_t rest = INSTRUCTION_TEXT - 1 - instruction->length;
    instruction->length += length < 0 ? 0 : (size_t) length < rest ? (size_t) length : rest;
}

void instruction_target(struct instruction* instruction, enum instruction_kind kind, uint32_t target) {
    instruction->kind = kind;
    instruction->has_target = true;
    instruction->target = target;
}

void instruction_is_data(struct instruction* instruction, const char* directive, const uint8_t* bytes, unsigned size) {
    uint32_t value = 0;
    for (unsigned i = size; i-- > 0;) {
        value = value << 8 | bytes[i];
    }
    *instruction = (struct instruction) { .kind = INSTRUCTION_UNDEFINED, .size = size };
    instruction_add(instruction, "%s0x%0*x", directive, (int) (2 * size), (unsigned) value);
}
