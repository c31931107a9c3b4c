/*
 * A game with a tilt sensor (MBC7): a ball shows how it is held. README.md has the block and the picture.
 */
#include "machine.h"

static volatile struct {
    struct begin begin; /* 15 bytes */
    u8 zero;
    u16 x, y;
} *const block = (void *)BLOCK;

#define LEVEL 0x81D0
#define enable_1 cartridge[0x0000]
#define enable_2 cartridge[0x4000]
#define BALL 2
#define MOST 56 /* pixels from the middle */

void start_block(void)
{
    begin(&block->begin);
    block->zero = 0;
    block->x = block->y = 0;
    oam[2] = BALL;
    enable_1 = 0x0A;
    enable_2 = 0x40;
    ready(&block->begin);
}

static void show_word(vu8 *cell, u16 value)
{
    cell[0] = FIRST_DIGIT + (u8)(value >> 12);
    cell[1] = FIRST_DIGIT + (value >> 8 & 15);
    cell[2] = FIRST_DIGIT + (value >> 4 & 15);
    cell[3] = FIRST_DIGIT + (value & 15);
}

/* 2 steps of the sensor are a pixel. The sensor counts down to the right and to the player. */
static u8 place_of(u8 middle, u16 value)
{
    int distance = (int)(LEVEL - value) >> 1;
    if (distance > MOST)
        distance = MOST;
    if (distance < -MOST)
        distance = -MOST;
    return middle + (u8)distance;
}

/* Called from machine-start.s after each VBlank interrupt. */
void update(void)
{
    block->begin.frames++;
    cartridge_ram[0x00] = 0x55;
    cartridge_ram[0x10] = 0xAA;
    block->x = cartridge_ram[0x20] | cartridge_ram[0x30] << 8;
    block->y = cartridge_ram[0x40] | cartridge_ram[0x50] << 8;
    oam[0] = place_of(68 + 16, block->y);
    oam[1] = place_of(76 + 8, block->x);
    show_word(CELL(2, 1), block->x);
    show_word(CELL(8, 1), block->y);
}
