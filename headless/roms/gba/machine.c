/*
 * A game with a code that no emulator knows, which uses what a cartridge can have: clock, light sensor, gyroscope, tilt
 * sensor, rumble and save memories. The command in the block chooses; README.md has the block, the commands and the picture.
 */
#include "../digits.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef volatile u8 vu8;
typedef volatile u16 vu16;
typedef volatile u32 vu32;

enum { NOTHING, CLOCK, LIGHT, GYRO, TILT, RUMBLE, FLASH = 10, EEPROM = 20, SRAM = 30 };
enum { GOOD = 1, DIFFERS, ANOTHER_CHIP };

#define MAGIC 0x314D424D /* MBM1 */
#define CLOCK_BYTES 7
#define PLACES 4 /* of a save memory that are used */

static struct {
    vu32 magic;
    vu32 version;
    vu32 frames;
    vu32 command;
    vu32 reads; /* of a sensor */
    vu32 clock[CLOCK_BYTES];
    vu32 light;
    vu32 gyro;
    vu32 tilt_x, tilt_y;
    vu32 value; /* that is saved */
    vu32 result;
    vu32 chip; /* what the Flash chip is called */
    vu32 found[PLACES];
} *const block = (void *)0x02000000;

#define vram ((vu16 *)0x06000000)
#define DISPCNT (*(vu16 *)0x04000000)
#define DISPSTAT (*(vu16 *)0x04000004)
#define DMA3SAD (*(vu32 *)0x040000D4)
#define DMA3DAD (*(vu32 *)0x040000D8)
#define DMA3CNT (*(vu32 *)0x040000DC)
#define KEYINPUT (*(vu16 *)0x04000130)
#define IE (*(vu16 *)0x04000200)
#define IF (*(vu16 *)0x04000202)
#define WAITCNT (*(vu16 *)0x04000204)
#define IME (*(vu16 *)0x04000208)

/* ---- Sensors of the GPIO chip: four pins, each an output where its bit in the direction is 1 ---- */

#define PINS (*(vu16 *)0x080000C4)
#define DIRECTION (*(vu16 *)0x080000C6)
#define READABLE (*(vu16 *)0x080000C8)

/* The clock, an S-3511A: pin 0 is its clock line, 1 its data line, 2 selects it. */
#define CLOCK_SET_CONTROL 0x46 /* bits in the order in which they are sent, the lowest first */
#define CLOCK_READ 0xA6
#define CLOCK_24_HOURS 0x40

static void clock_send(u32 byte)
{
    for (u32 i = 0; i < 8; i++, byte >>= 1) {
        u32 data = (byte & 1) << 1;
        PINS = 4 | data;
        PINS = 5 | data;
    }
}

static void clock_begin(u32 command)
{
    DIRECTION = 7;
    PINS = 1;
    PINS = 5;
    clock_send(command);
}

static void clock_end(void)
{
    PINS = 1;
    DIRECTION = 7;
}

static void set_clock_up(void)
{
    READABLE = 1;
    clock_begin(CLOCK_SET_CONTROL);
    clock_send(CLOCK_24_HOURS);
    clock_end();
}

static void read_clock(void)
{
    clock_begin(CLOCK_READ);
    DIRECTION = 5;
    for (u32 i = 0; i < CLOCK_BYTES; i++) {
        u32 byte = 0;
        for (u32 bit = 0; bit < 8; bit++) {
            PINS = 4;
            PINS = 5;
            byte |= (PINS >> 1 & 1) << bit;
        }
        block->clock[i] = byte;
    }
    clock_end();
}

/* The light sensor: pin 1 resets its counter, 0 counts, 3 says that the counter has reached the light. */
static void read_light(void)
{
    u32 count = 0;
    READABLE = 1;
    DIRECTION = 7;
    PINS = 2;
    PINS = 0;
    for (; count < 256 && !(PINS & 8); count++) {
        PINS = 1;
        PINS = 0;
    }
    block->light = count;
}

/* The gyroscope: pin 0 begins a measurement, 1 is its clock line, 2 its data line. */
static void read_gyro(void)
{
    u32 value = 0;
    READABLE = 1;
    DIRECTION = 11;
    PINS = 3;
    PINS = 2;
    for (u32 i = 0; i < 16; i++) {
        value = value << 1 | (PINS >> 2 & 1);
        PINS = 0;
        PINS = 2;
    }
    block->gyro = value & 0xFFF;
}

static void rumble(u32 on)
{
    READABLE = 1;
    DIRECTION = 8;
    PINS = on << 3;
}

/* ---- The tilt sensor, in the place of SRAM ---- */

#define SAVE ((vu8 *)0x0E000000)

static void read_tilt(void)
{
    SAVE[0x8000] = 0x55;
    SAVE[0x8100] = 0xAA;
    block->tilt_x = SAVE[0x8200] | (SAVE[0x8300] & 0xF) << 8;
    block->tilt_y = SAVE[0x8400] | (SAVE[0x8500] & 0xF) << 8;
}

/* ---- Save memories: in each of four places are the word MBMS and the value, plus the number of the place ---- */

#define PATIENCE 30000 /* how often it is asked whether a chip is ready */
#define PLACE_BYTES 8
#define SAVED 0x534D424D /* MBMS */

union place {
    u32 words[2];
    u8 bytes[PLACE_BYTES];
};

static void flash_command(u32 command)
{
    SAVE[0x5555] = 0xAA;
    SAVE[0x2AAA] = 0x55;
    SAVE[0x5555] = command;
}

static void flash_wait(u32 address, u32 byte)
{
    for (u32 i = 0; i < PATIENCE && SAVE[address] != byte; i++)
        ;
}

/* The first and the last bytes of each of the two banks. */
static u32 flash_select(u32 number)
{
    flash_command(0xB0);
    SAVE[0] = number >> 1;
    return number & 1 ? 0x10000 - PLACE_BYTES : 0;
}

static u32 flash_chip(void)
{
    flash_command(0x90);
    u32 chip = SAVE[0] | SAVE[1] << 8;
    flash_command(0xF0);
    return chip;
}

static void flash_write(u32 number, const union place *place)
{
    u32 address = flash_select(number);
    flash_command(0x80);
    SAVE[0x5555] = 0xAA;
    SAVE[0x2AAA] = 0x55;
    SAVE[address & 0xF000] = 0x30; /* erases the sector */
    flash_wait(address, 0xFF);
    for (u32 i = 0; i < PLACE_BYTES; i++) {
        flash_command(0xA0);
        SAVE[address + i] = place->bytes[i];
        flash_wait(address + i, place->bytes[i]);
    }
}

static void flash_read(u32 number, union place *place)
{
    u32 address = flash_select(number);
    for (u32 i = 0; i < PLACE_BYTES; i++)
        place->bytes[i] = SAVE[address + i];
}

/* EEPROM of 8 KB: units of 8 bytes, bit by bit through DMA 3. 63 is the last unit of the 512 bytes that the smaller ones have. */
#define EEPROM_CHIP 0x0D000000
#define EEPROM_SEND_UNIT 2 /* a 1 and a 0; reading begins with two 1 */
#define EEPROM_READ_UNIT 3
static const u16 eeprom_units[PLACES] = { 0, 63, 64, 1023 };
static vu16 eeprom_bits[2 + 14 + 64 + 1];

static void dma(u32 from, u32 to, u32 count)
{
    DMA3SAD = from;
    DMA3DAD = to;
    DMA3CNT = 0x80000000 | count;
    while (DMA3CNT & 0x80000000)
        ;
}

static u32 eeprom_put(u32 at, u32 value, u32 count)
{
    while (count--)
        eeprom_bits[at++] = value >> count & 1;
    return at;
}

static void eeprom_send(u32 count)
{
    eeprom_bits[count] = 0; /* the end of each command */
    dma((u32)eeprom_bits, EEPROM_CHIP, count + 1);
}

static void eeprom_write(u32 number, const union place *place)
{
    u32 at = eeprom_put(0, EEPROM_SEND_UNIT << 14 | eeprom_units[number], 16);
    for (u32 i = 0; i < PLACE_BYTES; i++)
        at = eeprom_put(at, place->bytes[i], 8);
    eeprom_send(at);
    for (u32 i = 0; i < PATIENCE && !(*(vu16 *)EEPROM_CHIP & 1); i++)
        ;
}

static void eeprom_read(u32 number, union place *place)
{
    eeprom_send(eeprom_put(0, EEPROM_READ_UNIT << 14 | eeprom_units[number], 16));
    dma(EEPROM_CHIP, (u32)eeprom_bits, 4 + 64);
    for (u32 i = 0; i < 64; i++)
        place->bytes[i >> 3] = place->bytes[i >> 3] << 1 | (eeprom_bits[4 + i] & 1);
}

static const u16 sram_places[PLACES] = { 0, PLACE_BYTES, 0x4000 - PLACE_BYTES, 0x8000 - PLACE_BYTES };

static void sram_write(u32 number, const union place *place)
{
    for (u32 i = 0; i < PLACE_BYTES; i++)
        SAVE[sram_places[number] + i] = place->bytes[i];
}

static void sram_read(u32 number, union place *place)
{
    for (u32 i = 0; i < PLACE_BYTES; i++)
        place->bytes[i] = SAVE[sram_places[number] + i];
}

static void write_place(u32 memory, u32 number, const union place *place)
{
    if (memory == FLASH)
        flash_write(number, place);
    else if (memory == EEPROM)
        eeprom_write(number, place);
    else
        sram_write(number, place);
}

static void read_place(u32 memory, u32 number, union place *place)
{
    if (memory == FLASH)
        flash_read(number, place);
    else if (memory == EEPROM)
        eeprom_read(number, place);
    else
        sram_read(number, place);
}

/* Writes all places first, or not, and then reads all. */
static u32 use_memory(u32 memory, u32 write)
{
    union place place;
    u32 result = GOOD;
    if (memory == FLASH) {
        block->chip = flash_chip();
        if (block->chip != 0x1362 && block->chip != 0x09C2) /* those of 128 KB that games know */
            return ANOTHER_CHIP;
    }
    for (u32 number = 0; write && number < PLACES; number++) {
        place.words[0] = SAVED;
        place.words[1] = block->value + number;
        write_place(memory, number, &place);
    }
    for (u32 number = 0; number < PLACES; number++) {
        read_place(memory, number, &place);
        block->found[number] = place.words[0] == SAVED ? place.words[1] : 0;
        if (place.words[0] != SAVED || place.words[1] != block->value + number)
            result = DIFFERS;
    }
    if (memory == FLASH)
        flash_select(0);
    return result;
}

/* ---- Picture ---- */

#define WIDTH 240
#define HEIGHT 160
#define RGB(r, g, b) ((r) | (g) << 5 | (b) << 10)
#define NIGHT RGB(2, 4, 8)
#define INK RGB(31, 31, 31)
#define LIT RGB(31, 8, 0)
#define UNLIT RGB(10, 10, 10)
#define SUN RGB(31, 28, 4)
#define BALL RGB(0, 31, 31)

#define SCALE 3 /* pixels of the screen for one of a digit */
#define DIGIT_WIDTH (4 * SCALE)
#define ROW 8
#define CLOCK_ROW 32
#define LIGHT_ROW 56
#define GYRO_ROW 80
#define TILT_ROW 104
#define SAVE_ROW 128
#define DIGITS (2 * CLOCK_BYTES + 3 + 3 + 2 * 3 + 1 + 4)

static u8 shown[DIGITS]; /* 1 more than the digit */
static u32 next_digit;

static void fill(u32 x, u32 y, u32 width, u32 height, u32 colour)
{
    vu16 *row = vram + y * WIDTH + x;
    for (; height; height--, row += WIDTH)
        for (u32 i = 0; i < width; i++)
            row[i] = colour;
}

static void draw_digit(u32 x, u32 y, u32 digit)
{
    if (shown[next_digit] != digit + 1) {
        shown[next_digit] = digit + 1;
        u32 bits = digits[digit];
        for (u32 row = 0; row < 5; row++)
            for (u32 column = 0; column < 3; column++, bits <<= 1)
                fill(x + column * SCALE, y + row * SCALE, SCALE, SCALE, bits & 0x4000 ? INK : NIGHT);
    }
    next_digit++;
}

static void draw_number(u32 x, u32 y, u32 value, u32 count)
{
    for (; count--; x += DIGIT_WIDTH)
        draw_digit(x, y, value >> 4 * count & 15);
}

/* Moves a box of 8 x 8 pixels. */
struct box {
    u32 x, y;
};

static void draw_box(struct box *box, u32 x, u32 y)
{
    if (box->x == x && box->y == y)
        return;
    if (box->x)
        fill(box->x, box->y, 8, 8, NIGHT);
    fill(x, y, 8, 8, BALL);
    box->x = x;
    box->y = y;
}

/* 8 steps of a sensor are a pixel, at most so many from the middle. */
static u32 place_of(u32 middle, u32 zero, u32 value, int most)
{
    int distance = (int)(value - zero) >> 3;
    return middle + (distance > most ? most : distance < -most ? -most : distance);
}

static void draw(void)
{
    static struct box gyro, tilt;
    static u32 sun;
    next_digit = 0;
    for (u32 i = CLOCK; i <= RUMBLE; i++)
        fill(ROW + (i - CLOCK) * 24, ROW, 16, 16, block->command == i ? LIT : UNLIT);
    for (u32 i = 0; i < CLOCK_BYTES; i++)
        draw_number(ROW + i * 32, CLOCK_ROW, block->clock[i], 2);
    draw_number(ROW, LIGHT_ROW, block->light, 3);
    draw_number(ROW, GYRO_ROW, block->gyro, 3);
    draw_number(ROW, TILT_ROW, block->tilt_x, 3);
    draw_number(ROW + 4 * DIGIT_WIDTH, TILT_ROW, block->tilt_y, 3);
    draw_number(ROW, SAVE_ROW, block->result, 1);
    draw_number(ROW + 2 * DIGIT_WIDTH, SAVE_ROW, block->chip, 4);

    u32 bright = block->light > 255 ? 0 : (255 - block->light) * 5 >> 3;
    if (bright != sun) {
        fill(64, LIGHT_ROW, bright, 15, SUN);
        fill(64 + bright, LIGHT_ROW, WIDTH - 64 - bright, 15, NIGHT);
        sun = bright;
    }
    draw_box(&gyro, place_of(110, 0x700, block->gyro, 46), GYRO_ROW + 4);
    /* This sensor counts down to the right and to the player. */
    draw_box(&tilt, place_of(192, block->tilt_x, 0x3A0, 28), place_of(116, block->tilt_y, 0x3A0, 28));
}

/* ---- One frame ---- */

static void choose_by_keys(void)
{
    static u32 before;
    u32 keys = ~KEYINPUT & 0x3FF, pressed = keys & ~before;
    before = keys;
    if (pressed & 0x001) /* A */
        block->command = CLOCK;
    else if (pressed & 0x002) /* B */
        block->command = LIGHT;
    else if (pressed & 0x100) /* R */
        block->command = GYRO;
    else if (pressed & 0x200) /* L */
        block->command = TILT;
    else if (pressed & 0x004) /* Select */
        block->command = NOTHING;
}

static void run_command(void)
{
    static u32 before;
    u32 command = block->command;
    if (before == RUMBLE && command != RUMBLE)
        rumble(0);
    if (command == CLOCK && before != CLOCK)
        set_clock_up();
    before = command;
    if (command == CLOCK)
        read_clock();
    else if (command == LIGHT)
        read_light();
    else if (command == GYRO)
        read_gyro();
    else if (command == TILT)
        read_tilt();
    else if (command == RUMBLE)
        rumble(1);
    if (command >= CLOCK && command <= TILT)
        block->reads++;

    u32 write = command == FLASH || command == EEPROM || command == SRAM;
    if (write || command == FLASH + 1 || command == EEPROM + 1 || command == SRAM + 1) {
        block->result = use_memory(write ? command : command - 1, write);
        block->command = NOTHING;
    }
}

int main(void)
{
    WAITCNT = 0x4317;
    block->version = 1;
    block->value = 0x5A;
    block->light = 256;
    fill(0, 0, WIDTH, HEIGHT, NIGHT);
    DISPCNT = 0x0403; /* mode 3, background 2 */
    DISPSTAT = 0x0008; /* interrupt at VBlank */
    IE = 1;
    IF = 1;
    IME = 1;
    block->magic = MAGIC;
    for (;;) {
        __asm__ volatile("swi 0x05" ::: "r0", "r1", "r2", "r3", "memory"); /* VBlankIntrWait */
        block->frames++;
        choose_by_keys();
        run_command();
        draw();
    }
}
