/*
 * A game with a clock (MBC3) that shows on which console it runs: README.md has the block and the picture.
 */
#include "machine.h"

static volatile struct {
    struct begin begin; /* 15 bytes */
    u8 model;
    u8 clock[5]; /* seconds, minutes, hours, days, more: as the chip has them */
    u8 set[5]; /* to which command 2 sets the clock */
    u8 command;
    u8 value; /* that command 1 saves */
    u8 saved; /* the first byte of the save memory */
    u8 line; /* on which the picture was done */
} *const block = (void *)BLOCK;

enum { SAVE = 1, SET };
enum { OTHER, DMG, MGB, SGB, SGB2, CGB, AGB };

#define CLOCK_REGISTER 8
#define latch cartridge[0x6000]
#define bank cartridge[0x4000]
#define ram_enable cartridge[0x0000]

#define CLOCK_CELLS CELL(2, 6)
#define MODEL_CELLS CELL(2, 2)
#define REGISTER_CELLS CELL(2, 4)
#define SAVED_CELLS CELL(2, 8)
#define SHADE_CELLS CELL(2, 14)

/* Digits of the clock in the order of the screen: days (3, decimal), hours, minutes and seconds (2 each). */
static u8 clock_digits[9];

static u8 model_of_registers(void)
{
    u8 color = block->begin.a == 0x11, super = block->begin.c == 0x14;
    if (color)
        return block->begin.b & 1 ? AGB : CGB;
    if (block->begin.a == 0x01)
        return super ? SGB : DMG;
    if (block->begin.a == 0xFF)
        return super ? SGB2 : MGB;
    return OTHER;
}

static void show_byte(vu8 *cell, u8 value)
{
    cell[0] = FIRST_DIGIT + (value >> 4);
    cell[1] = FIRST_DIGIT + (value & 15);
}

static void show_sprite(u8 number, u8 x, u8 tile, u8 attributes)
{
    vu8 *sprite = oam + number * 4;
    sprite[0] = 128; /* y = 112 */
    sprite[1] = x + 8;
    sprite[2] = tile;
    sprite[3] = attributes;
}

void start_block(void)
{
    u8 i;
    begin(&block->begin);
    block->model = model_of_registers();
    for (i = 0; i < 5; i++)
        block->set[i] = 0;
    block->command = 0;
    block->value = 0x5A;
    block->line = 0;
    MODEL_CELLS[0] = FIRST_DIGIT + block->model;
    show_byte(REGISTER_CELLS, block->begin.a);
    show_byte(REGISTER_CELLS + 3, block->begin.b);
    show_byte(REGISTER_CELLS + 6, block->begin.c);
    for (i = 0; i < 4; i++)
        SHADE_CELLS[i] = i;
    for (i = 1; i < 4; i++) {
        show_sprite(i, 64 + 8 * i, i, 0);
        show_sprite(i + 3, 96 + 8 * i, i, 0x10);
    }
    ram_enable = 0x0A;
    ready(&block->begin);
}

static void to_decimal(u8 *digit, u16 value)
{
    u8 tens = 0;
    while (value >= 10) {
        value -= 10;
        tens++;
    }
    digit[0] = tens;
    digit[1] = value;
}

static void count_days(void)
{
    u16 days = block->clock[3];
    u8 hundreds = 0;
    if (block->clock[4] & 1)
        days += 256;
    while (days >= 100) {
        days -= 100;
        hundreds++;
    }
    clock_digits[0] = hundreds;
    to_decimal(clock_digits + 1, days);
}

static void draw(void)
{
    u8 i;
    vu8 *cell = CLOCK_CELLS;
    for (i = 0; i < 9; i++) {
        *cell++ = FIRST_DIGIT + clock_digits[i];
        if (i == 2 || i == 4 || i == 6)
            cell++;
    }
    show_byte(SAVED_CELLS, block->saved);
    block->line = LY;
}

static void run_command(void)
{
    u8 i;
    if (block->command == SAVE)
        cartridge_ram[0] = block->value;
    if (block->command == SET)
        for (i = 0; i < 5; i++) {
            bank = CLOCK_REGISTER + i;
            cartridge_ram[0] = block->set[i];
        }
    block->command = 0;
}

/* Called from machine-start.s after each VBlank interrupt. The picture shows what was read in the frame before. */
void update(void)
{
    u8 i;
    draw();
    block->begin.frames++;
    bank = 0;
    run_command();
    latch = 0;
    latch = 1;
    for (i = 0; i < 5; i++) {
        bank = CLOCK_REGISTER + i;
        block->clock[i] = cartridge_ram[0];
    }
    bank = 0;
    block->saved = cartridge_ram[0];
    count_days();
    to_decimal(clock_digits + 3, block->clock[2]);
    to_decimal(clock_digits + 5, block->clock[1]);
    to_decimal(clock_digits + 7, block->clock[0]);
}
