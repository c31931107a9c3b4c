/*
 * The memory block both test ROMs show to the outside, in one place.
 *
 * README.md beside this file says what every field means; this file says where it is. The offsets are the same on both
 * machines, the widths are not: the GBA block is made of 32-bit words, the GB block of 16-bit words and bytes. All values
 * are little-endian. gba/main.c and gb/main.c include this file and check each offset when they are compiled.
 */
#ifndef MGBA_BRIDGE_TEST_LAYOUT_H
#define MGBA_BRIDGE_TEST_LAYOUT_H

#define MBT_GBA_BASE 0x02000000u /* start of EWRAM */
#define MBT_GB_BASE 0xC100 /* WRAM bank 0, above the ROM's own variables */

#define MBT_VERSION 1

/* Offsets into the block. */
#define MBT_MAGIC 0x000 /* 'M' 'B' 'T' '1', written last at start-up */
#define MBT_LAYOUT 0x004
#define MBT_FRAME 0x008
#define MBT_KEYS 0x00C
#define MBT_PRNG 0x010
#define MBT_SEED 0x014
#define MBT_COMMAND 0x018
#define MBT_COMMANDS_DONE 0x01C
#define MBT_EDGES 0x020
#define MBT_HELD 0x048
#define MBT_CHORD_MAX 0x070
#define MBT_CHORD_LAST 0x072
#define MBT_KEYS_BEFORE 0x074
#define MBT_LINE_LAST 0x078
#define MBT_LINE_MAX 0x07A
#define MBT_LATE 0x07C
#define MBT_U8_UP 0x080
#define MBT_U16_UP 0x082
#define MBT_U32_DOWN 0x084
#define MBT_S16_SWING 0x088
#define MBT_S32_COUNTDOWN 0x08C
#define MBT_U32_CONSTANT 0x090
#define MBT_U32_ON_A 0x094
#define MBT_U32_SLOW 0x098
#define MBT_U16_ODD 0x09D
#define MBT_TEXT 0x0A0
#define MBT_POINTER 0x0B0
#define MBT_NODE 0x0C0
#define MBT_NODE_POINTER 0x0C8
#define MBT_POINTED 0x0E0
#define MBT_LOG_TOTAL 0x100
#define MBT_LOG_CAPACITY 0x104
#define MBT_LOG_ENTRY_SIZE 0x108
#define MBT_LOG 0x110
#define MBT_LAST_COMMAND 0x320
#define MBT_LAST_RESULT 0x324
#define MBT_LAST_COMMAND_FRAME 0x328
#define MBT_LOADED 0x340
#define MBT_SIZE 0x380

/* Start values and steps. */
#define MBT_GBA_DEFAULT_SEED 0x2545F491u
#define MBT_GB_DEFAULT_SEED 0x2545u
#define MBT_LOG_ENTRIES 64
#define MBT_U16_UP_STEP 3
#define MBT_U32_DOWN_START 1000000
#define MBT_U32_DOWN_STEP 7
#define MBT_S16_SWING_SIZE 1234
#define MBT_S32_COUNTDOWN_START 300
#define MBT_U32_CONSTANT_VALUE 0xC0FFEE42u
#define MBT_U32_ON_A_START 1000
#define MBT_U32_ON_A_STEP 17
#define MBT_U32_SLOW_START 5000
#define MBT_U32_SLOW_FRAMES 60
#define MBT_U16_ODD_START 0x1234
#define MBT_U16_ODD_STEP 5
#define MBT_TEXT_VALUE "HELLO MGBA"
#define MBT_NODE_TAG 0x45444F4Eu /* 'N' 'O' 'D' 'E' */
#define MBT_POINTED_START 0x00BEEF00u
#define MBT_POINTED_STEP 11

/* Command words, and the results they leave behind. */
#define MBT_COMMAND_NONE 0
#define MBT_COMMAND_SAVE 1
#define MBT_COMMAND_LOAD 2
#define MBT_COMMAND_CLEAR 3
#define MBT_COMMAND_CRASH 4
#define MBT_COMMAND_STOP 5
#define MBT_COMMAND_RESEED 6

#define MBT_RESULT_NONE 0
#define MBT_RESULT_OK 1
#define MBT_RESULT_BAD_SAVE 2
#define MBT_RESULT_UNKNOWN 3

/* The save, at the start of the cartridge RAM. */
#define MBT_GBA_SRAM 0x0E000000u
#define MBT_GB_SRAM 0xA000u
#define MBT_GBA_SAVE_SIZE 64
#define MBT_GB_SAVE_SIZE 32

/* The pictures: pixels on the GBA, 8x8 tiles on the GB. */
#define MBT_GBA_KEY_X 12
#define MBT_GBA_KEY_PITCH 22
#define MBT_GBA_KEY_Y 16
#define MBT_GBA_KEY_SIZE 16
#define MBT_GBA_BIT_X 8
#define MBT_GBA_BIT_PITCH 14
#define MBT_GBA_BIT_Y 48
#define MBT_GBA_BIT_SIZE 12
#define MBT_GBA_BOX_Y 80
#define MBT_GBA_BOX_SIZE 16
#define MBT_GBA_BOX_PERIOD 224
#define MBT_GBA_RAMP_X 8
#define MBT_GBA_RAMP_Y 112
#define MBT_GBA_RAMP_WIDTH 7
#define MBT_GBA_RAMP_HEIGHT 10

#define MBT_GB_KEY_COLUMN 2
#define MBT_GB_KEY_PITCH 2
#define MBT_GB_KEY_ROW 2
#define MBT_GB_BIT_COLUMN 2
#define MBT_GB_BIT_ROW 6
#define MBT_GB_BOX_Y 80
#define MBT_GB_BOX_PERIOD 152
#define MBT_GB_RAMP_COLUMN 2
#define MBT_GB_RAMP_ROW 14

typedef unsigned char mbt_u8;
typedef unsigned short mbt_u16;

#ifdef __SDCC /* GB: 8 keys, 16-bit counters; the compiler adds no padding */

typedef unsigned long mbt_u32;
typedef signed long mbt_s32;
#define MBT_KEY_COUNT 8

struct mbt_event {
    mbt_u16 frame; /* low 16 bits of the frame counter */
    mbt_u8 key;
    mbt_u8 press;
};

struct mbt_save {
    char magic[4]; /* "MBSV" */
    mbt_u16 counter;
    mbt_u32 frame;
    mbt_u16 prng;
    mbt_u16 edges[MBT_KEY_COUNT];
    mbt_u16 zero;
    mbt_u16 checksum; /* of all bytes before it */
};

struct mbt_block {
    char magic[4];
    mbt_u16 layout, pad_006;
    mbt_u32 frame;
    mbt_u8 keys, pad_00d[3];
    mbt_u16 prng, pad_012;
    mbt_u16 seed, pad_016;
    mbt_u8 command, pad_019[3];
    mbt_u16 commands_done, pad_01e;
    mbt_u16 edges[MBT_KEY_COUNT];
    mbt_u8 pad_030[0x18];
    mbt_u16 held[MBT_KEY_COUNT];
    mbt_u8 pad_058[0x18];
    mbt_u8 chord_max, pad_071;
    mbt_u8 chord_last, pad_073;
    mbt_u8 keys_before, pad_075[3];
    mbt_u8 line_last, pad_079, line_max, pad_07b;
    mbt_u16 late, pad_07e;
    mbt_u8 u8_up, pad_081;
    mbt_u16 u16_up;
    mbt_u32 u32_down;
    signed short s16_swing;
    mbt_u16 pad_08a;
    mbt_s32 s32_countdown;
    mbt_u32 u32_constant;
    mbt_u32 u32_on_a;
    mbt_u32 u32_slow;
    mbt_u8 pad_09c;
    mbt_u16 u16_odd;
    mbt_u8 pad_09f;
    char text[16];
    mbt_u16 pointer;
    mbt_u8 pad_0b2[14];
    mbt_u32 node_tag, node_other;
    mbt_u16 node_pointer;
    mbt_u8 pad_0ca[22];
    mbt_u32 pointed;
    mbt_u8 pad_0e4[28];
    mbt_u16 log_total, pad_102;
    mbt_u16 log_capacity, pad_106;
    mbt_u16 log_entry_size;
    mbt_u8 pad_10a[6];
    struct mbt_event log[MBT_LOG_ENTRIES];
    mbt_u8 pad_210[0x110];
    mbt_u8 last_command, pad_321[3];
    mbt_u8 last_result, pad_325[3];
    mbt_u32 last_command_frame;
    mbt_u8 pad_32c[20];
    struct mbt_save loaded;
    mbt_u8 pad_360[0x20];
};

#else /* GBA: 10 keys, 32-bit counters */

typedef unsigned int mbt_u32;
typedef signed int mbt_s32;
#define MBT_KEY_COUNT 10

struct mbt_event {
    mbt_u32 frame;
    mbt_u16 key;
    mbt_u16 press;
};

struct mbt_save {
    char magic[4]; /* "MBSV" */
    mbt_u32 counter;
    mbt_u32 frame;
    mbt_u32 prng;
    mbt_u32 edges[MBT_KEY_COUNT];
    mbt_u32 zero;
    mbt_u32 checksum; /* of all bytes before it */
};

struct mbt_block {
    char magic[4];
    mbt_u32 layout;
    mbt_u32 frame;
    mbt_u32 keys;
    mbt_u32 prng;
    mbt_u32 seed;
    mbt_u32 command;
    mbt_u32 commands_done;
    mbt_u32 edges[MBT_KEY_COUNT];
    mbt_u32 held[MBT_KEY_COUNT];
    mbt_u16 chord_max, chord_last;
    mbt_u32 keys_before;
    mbt_u16 line_last, line_max;
    mbt_u32 late;
    mbt_u8 u8_up, pad_081;
    mbt_u16 u16_up;
    mbt_u32 u32_down;
    signed short s16_swing;
    mbt_u16 pad_08a;
    mbt_s32 s32_countdown;
    mbt_u32 u32_constant;
    mbt_u32 u32_on_a;
    mbt_u32 u32_slow;
    mbt_u8 pad_09c, u16_odd[2], pad_09f;
    char text[16];
    mbt_u32 pointer, pad_0b4[3];
    mbt_u32 node_tag, node_other, node_pointer, pad_0cc[5];
    mbt_u32 pointed, pad_0e4[7];
    mbt_u32 log_total;
    mbt_u32 log_capacity;
    mbt_u32 log_entry_size, pad_10c;
    struct mbt_event log[MBT_LOG_ENTRIES];
    mbt_u32 pad_310[4];
    mbt_u32 last_command;
    mbt_u32 last_result;
    mbt_u32 last_command_frame;
    mbt_u32 pad_32c[5];
    struct mbt_save loaded;
};

#endif

#define MBT_AT(field, offset) _Static_assert(__builtin_offsetof(struct mbt_block, field) == (offset), #field)
MBT_AT(magic, MBT_MAGIC);
MBT_AT(layout, MBT_LAYOUT);
MBT_AT(frame, MBT_FRAME);
MBT_AT(keys, MBT_KEYS);
MBT_AT(prng, MBT_PRNG);
MBT_AT(seed, MBT_SEED);
MBT_AT(command, MBT_COMMAND);
MBT_AT(commands_done, MBT_COMMANDS_DONE);
MBT_AT(edges, MBT_EDGES);
MBT_AT(held, MBT_HELD);
MBT_AT(chord_max, MBT_CHORD_MAX);
MBT_AT(chord_last, MBT_CHORD_LAST);
MBT_AT(keys_before, MBT_KEYS_BEFORE);
MBT_AT(line_last, MBT_LINE_LAST);
MBT_AT(line_max, MBT_LINE_MAX);
MBT_AT(late, MBT_LATE);
MBT_AT(u8_up, MBT_U8_UP);
MBT_AT(u16_up, MBT_U16_UP);
MBT_AT(u32_down, MBT_U32_DOWN);
MBT_AT(s16_swing, MBT_S16_SWING);
MBT_AT(s32_countdown, MBT_S32_COUNTDOWN);
MBT_AT(u32_constant, MBT_U32_CONSTANT);
MBT_AT(u32_on_a, MBT_U32_ON_A);
MBT_AT(u32_slow, MBT_U32_SLOW);
MBT_AT(u16_odd, MBT_U16_ODD);
MBT_AT(text, MBT_TEXT);
MBT_AT(pointer, MBT_POINTER);
MBT_AT(node_tag, MBT_NODE);
MBT_AT(node_pointer, MBT_NODE_POINTER);
MBT_AT(pointed, MBT_POINTED);
MBT_AT(log_total, MBT_LOG_TOTAL);
MBT_AT(log_capacity, MBT_LOG_CAPACITY);
MBT_AT(log_entry_size, MBT_LOG_ENTRY_SIZE);
MBT_AT(log, MBT_LOG);
MBT_AT(last_command, MBT_LAST_COMMAND);
MBT_AT(last_result, MBT_LAST_RESULT);
MBT_AT(last_command_frame, MBT_LAST_COMMAND_FRAME);
MBT_AT(loaded, MBT_LOADED);
_Static_assert(sizeof(struct mbt_block) == MBT_SIZE, "size of the block");

#endif
