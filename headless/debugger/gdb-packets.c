#include "debugger/gdb-packets.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ESCAPE '}'
#define ESCAPED 0x20 /* the difference of an escaped byte */
#define CTRL_C '\003'
#define FRAME 4 /* $, # and the checksum */

static const char hex_digits[] = "0123456789abcdef";

static int value_of(char digit) {
    return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : -1;
}

/* --- input ------------------------------------------------------------------------------------------------------------------ */

static void begin(struct gdb_input* input) {
    input->size = 0;
    input->place = DATA;
    input->escaped = input->too_long = false;
    input->sum = 0;
}

static enum gdb_arrival between(struct gdb_input* input, char byte) {
    switch (byte) {
    case '$':
        begin(input);
        return GDB_NOTHING;
    case '+':
        return GDB_NOTHING;
    case '-':
        return GDB_AGAIN;
    case CTRL_C:
        return GDB_INTERRUPT;
    default:
        return GDB_FOREIGN;
    }
}

static void take_data(struct gdb_input* input, char byte) {
    if (byte == '$') { /* the rest of the packet before was lost */
        begin(input);
        return;
    }
    if (byte == '#') {
        input->place = FIRST_DIGIT;
        return;
    }
    input->sum = (uint8_t) (input->sum + (uint8_t) byte);
    if (!input->escaped && byte == ESCAPE) {
        input->escaped = true;
    } else if (input->size == GDB_PACKET_SIZE) {
        input->too_long = true;
    } else {
        input->data[input->size++] = input->escaped ? (char) (byte ^ ESCAPED) : byte;
        input->escaped = false;
    }
}

enum gdb_arrival gdb_input_take(struct gdb_input* input, char byte) {
    switch (input->place) {
    case BETWEEN:
        return between(input, byte);
    case DATA:
        take_data(input, byte);
        return GDB_NOTHING;
    case FIRST_DIGIT:
        input->digit = byte;
        input->place = LAST_DIGIT;
        return GDB_NOTHING;
    default:
        input->place = BETWEEN;
        input->data[input->size] = '\0';
        /* A digit that is none is negative, and so is the sum. */
        return !input->too_long && value_of(input->digit) * 16 + value_of(byte) == input->sum && value_of(byte) >= 0 ? GDB_PACKET : GDB_DAMAGED;
    }
}

/* --- answers ---------------------------------------------------------------------------------------------------------------- */

static void add(struct gdb_answer* answer, char byte) {
    if (answer->size < sizeof(answer->data)) {
        answer->data[answer->size++] = byte;
    }
}

void gdb_answer_text(struct gdb_answer* answer, const char* text) {
    while (*text) {
        add(answer, *text++);
    }
}

void gdb_answer_format(struct gdb_answer* answer, const char* format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void) vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    gdb_answer_text(answer, text);
}

void gdb_answer_hex(struct gdb_answer* answer, const void* bytes, size_t size) {
    const uint8_t* from = bytes;
    for (size_t i = 0; i < size; ++i) {
        add(answer, hex_digits[from[i] >> 4]);
        add(answer, hex_digits[from[i] & 0xF]);
    }
}

void gdb_answer_part(struct gdb_answer* answer, const char* whole, uint32_t from, uint32_t size) {
    const size_t length = strlen(whole);
    const size_t left = from < length ? length - from : 0;
    const size_t count = size < left ? size : left;
    add(answer, count < left ? 'm' : 'l');
    for (size_t i = 0; i < count; ++i) {
        char byte = whole[from + i];
        if (strchr("#$}*", byte)) {
            add(answer, ESCAPE);
            byte ^= ESCAPED;
        }
        add(answer, byte);
    }
}

/* --- output ----------------------------------------------------------------------------------------------------------------- */

static bool has_room(struct gdb_output* output, size_t size) {
    if (output->sent == output->size) {
        output->sent = output->size = 0;
    }
    return sizeof(output->bytes) - output->size >= size;
}

bool gdb_output_byte(struct gdb_output* output, char byte) {
    if (!has_room(output, 1)) {
        return false;
    }
    output->bytes[output->size++] = byte;
    return true;
}

bool gdb_output_packet(struct gdb_output* output, const struct gdb_answer* answer) {
    if (!has_room(output, answer->size + FRAME)) {
        return false;
    }
    uint8_t sum = 0;
    char* to = output->bytes + output->size;
    *to++ = '$';
    for (size_t i = 0; i < answer->size; ++i) {
        sum = (uint8_t) (sum + (uint8_t) answer->data[i]);
        *to++ = answer->data[i];
    }
    *to++ = '#';
    *to++ = hex_digits[sum >> 4];
    *to = hex_digits[sum & 0xF];
    output->size += answer->size + FRAME;
    return true;
}

/* --- hexadecimal ------------------------------------------------------------------------------------------------------------- */

bool gdb_take_number(const char** text, uint32_t* number) {
    uint64_t value = 0;
    const char* at = *text;
    while (value_of(*at) >= 0 && value <= UINT32_MAX) {
        value = value << 4 | (unsigned) value_of(*at++);
    }
    if (at == *text || value > UINT32_MAX) {
        return false;
    }
    *text = at;
    *number = (uint32_t) value;
    return true;
}

bool gdb_take(const char** text, char expected) {
    if (**text != expected) {
        return false;
    }
    ++*text;
    return true;
}

size_t gdb_take_bytes(const char** text, uint8_t* bytes, size_t size) {
    size_t count = 0;
    for (; count < size && value_of((*text)[0]) >= 0 && value_of((*text)[1]) >= 0; ++count, *text += 2) {
        bytes[count] = (uint8_t) (value_of((*text)[0]) << 4 | value_of((*text)[1]));
    }
    return count;
}
