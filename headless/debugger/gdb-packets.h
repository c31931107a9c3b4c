/*
 * GDB's packets: $DATA#CHECKSUM, answered with + or -. Ctrl-C is a byte of its own between them.
 * The protocol is appendix E of GDB's manual.
 */
#ifndef HEADLESS_DEBUGGER_GDB_PACKETS_H
#define HEADLESS_DEBUGGER_GDB_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most data of a packet in either direction: memory is read in pieces of half of it, 64 KB. */
#define GDB_PACKET_SIZE 0x20000

enum gdb_arrival {
    GDB_NOTHING,
    GDB_PACKET,
    GDB_DAMAGED,   /* a wrong checksum, or too much data */
    GDB_INTERRUPT, /* Ctrl-C */
    GDB_AGAIN,     /* the last answer did not arrive */
    GDB_FOREIGN,   /* a byte that GDB does not send */
};

/* Zeros are an input that nothing has come from. */
struct gdb_input {
    char data[GDB_PACKET_SIZE + 1]; /* of the packet, without escapes, and a NUL */
    size_t size;
    enum { BETWEEN, DATA, FIRST_DIGIT, LAST_DIGIT } place;
    bool escaped;
    bool too_long;
    uint8_t sum;
    char digit;
};

/* What the next byte brings. A packet's data are valid until the next call. */
enum gdb_arrival gdb_input_take(struct gdb_input* input, char byte);

/* The data of an answer. What exceeds its size is left out. */
struct gdb_answer {
    size_t size;
    char data[GDB_PACKET_SIZE];
};

void gdb_answer_text(struct gdb_answer* answer, const char* text);
__attribute__((format(printf, 2, 3)))
void gdb_answer_format(struct gdb_answer* answer, const char* format, ...);
void gdb_answer_hex(struct gdb_answer* answer, const void* bytes, size_t size);
/* The first byte is of l: these are the last, or m: there are more. */
void gdb_answer_part(struct gdb_answer* answer, const char* whole, uint32_t from, uint32_t size);

/* Packets on their way to the client, at most GDB_OUTPUT_SIZE bytes. */
#define GDB_OUTPUT_SIZE (2 * GDB_PACKET_SIZE)

struct gdb_output {
    char bytes[GDB_OUTPUT_SIZE];
    size_t size;
    size_t sent;
};

/* False if there is no room. */
bool gdb_output_byte(struct gdb_output* output, char byte);
bool gdb_output_packet(struct gdb_output* output, const struct gdb_answer* answer);

/* Hexadecimal in commands. They move the text behind what they take. */
bool gdb_take_number(const char** text, uint32_t* number); /* at most 32 bits */
bool gdb_take(const char** text, char expected);
/* Returns how many bytes, at most `size`, until something else follows. */
size_t gdb_take_bytes(const char** text, uint8_t* bytes, size_t size);

#endif
