/*
 * A game with a camera: command 1 takes a picture and shows it. README.md has the block and the picture.
 */
#include "machine.h"

#define COPIED 256 /* bytes: 16 tiles, the first eight lines */
#define WIDTH 16 /* tiles */
#define HEIGHT 14
#define PICTURE (WIDTH * HEIGHT * 16)

static volatile struct {
    struct begin begin; /* 15 bytes */
    u8 command;
    u16 pictures; /* that were taken */
    u16 sum; /* of the bytes of the newest */
    u8 zero[12];
    u8 copy[COPIED];
} *const block = (void *)BLOCK;

#define ram_enable cartridge[0x0000]
#define bank cartridge[0x4000]
#define CAMERA 0x10 /* bank with the registers */
#define BACKGROUND 0xF0 /* a tile that is no part of the picture */

void start_block(void)
{
    u8 i, column, row;
    u16 at;
    vu8 *to;
    begin(&block->begin);
    block->command = 0;
    block->pictures = 0;
    block->sum = 0;
    for (i = 0; i < 12; i++)
        block->zero[i] = 0;
    for (at = 0; at < COPIED; at++)
        block->copy[at] = 0;
    for (to = tiles, at = 256 * 16; at; at--)
        *to++ = 0;
    for (to = tiles + BACKGROUND * 16, i = 8; i; i--) { /* shade 1 */
        *to++ = 0xFF;
        *to++ = 0;
    }
    for (row = 0; row < 18; row++)
        for (column = 0; column < 20; column++)
            *CELL(column, row) = row >= 2 && row < 2 + HEIGHT && column >= 2 && column < 2 + WIDTH ? (row - 2) * WIDTH + column - 2 : BACKGROUND;
    ram_enable = 0x0A;
    ready(&block->begin);
}

/* Exposure 1; a pixel is white from 3/4 of the light on, and so on, without a pattern. */
static void take_picture(void)
{
    u8 i;
    bank = CAMERA;
    cartridge_ram[1] = 0;
    cartridge_ram[2] = 0x01;
    cartridge_ram[3] = 0x00;
    cartridge_ram[4] = 0;
    cartridge_ram[5] = 0;
    for (i = 6; i < 54; i += 3) {
        cartridge_ram[i] = 0x40;
        cartridge_ram[i + 1] = 0x80;
        cartridge_ram[i + 2] = 0xC0;
    }
    cartridge_ram[0] = 1;
    while (cartridge_ram[0] & 1)
        ;
    bank = 0;
}

/* With the screen off, because this takes longer than a VBlank. */
static void show_picture(void)
{
    u16 left, sum = 0;
    const vu8 *from = cartridge_ram + 0x100;
    vu8 *to = tiles;
    LCDC = 0x13;
    for (left = PICTURE; left; left--) {
        u8 byte = *from++;
        *to++ = byte;
        sum += byte;
    }
    LCDC = 0x93;
    block->sum = sum;
    for (left = 0; left < COPIED; left++)
        block->copy[left] = cartridge_ram[0x100 + left];
}

/* Called from machine-start.s after each VBlank interrupt. */
void update(void)
{
    block->begin.frames++;
    if (block->command == 1) {
        take_picture();
        show_picture();
        block->pictures++;
        block->command = 0;
    }
}
