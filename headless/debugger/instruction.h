/*
 * One instruction as text: that of GNU objdump for ARM and Thumb (unified syntax, ARMv4T), and of RGBDS for the SM83 of the Game Boy. Numbers above 255 and addresses are
 * hexadecimal. libmgba has decoders, too, but their text loses conditions, shifts and operands, differently in each version.
 */
#ifndef HEADLESS_DEBUGGER_INSTRUCTION_H
#define HEADLESS_DEBUGGER_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTRUCTION_TEXT 96

/* What it does to the flow of the program, or to which data its target belongs. */
enum instruction_kind {
    INSTRUCTION_OTHER,
    INSTRUCTION_BRANCH,
    INSTRUCTION_CALL,
    INSTRUCTION_RETURN,
    INSTRUCTION_INTERRUPT, /* a software interrupt: a function of the BIOS */
    INSTRUCTION_DATA,      /* reads, writes or takes the address that is the target */
    INSTRUCTION_UNDEFINED,
};

struct instruction {
    enum instruction_kind kind;
    bool has_target;
    bool is_literal; /* loads the word at the target */
    uint32_t target;
    unsigned size;   /* in bytes */
    size_t length;   /* of the text */
    char text[INSTRUCTION_TEXT];
};

/* From bytes of which there is at least one; an instruction that is not complete becomes data. */
void instruction_arm(uint32_t address, const uint8_t* bytes, size_t size, struct instruction* instruction);
void instruction_thumb(uint32_t address, const uint8_t* bytes, size_t size, struct instruction* instruction);
void instruction_sm83(uint32_t address, const uint8_t* bytes, size_t size, struct instruction* instruction);

/* Adds to the text. */
__attribute__((format(printf, 2, 3))) void instruction_add(struct instruction* instruction, const char* format, ...);
void instruction_target(struct instruction* instruction, enum instruction_kind kind, uint32_t target);
/* The bytes are no instruction: a directive that makes them. */
void instruction_is_data(struct instruction* instruction, const char* directive, const uint8_t* bytes, unsigned size);

#endif
