/* What machine.gb, tilt.gb and camera.gb have in common: the begin of the block, and digits on the screen. */
#ifndef MGBA_BRIDGE_TEST_MACHINE_H
#define MGBA_BRIDGE_TEST_MACHINE_H

#include "../digits.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned long u32;
typedef volatile u8 vu8;

struct begin {
    u8 magic[4]; /* MBM1, written last at start-up */
    u16 version;
    u16 zero;
    u32 frames;
    u8 a, b, c; /* the registers at the start, which start.s has written */
};

#define BLOCK 0xC100
#define cartridge ((vu8 *)0x0000)
#define tiles ((vu8 *)0x8000)
#define cartridge_ram ((vu8 *)0xA000)
#define oam ((vu8 *)0xFE00)
#define LCDC (*(vu8 *)0xFF40)
#define LY (*(vu8 *)0xFF44)

/* Tiles: four of one shade each, then the digits. */
#define FIRST_DIGIT 4
#define BLANK 0
#define CELL(column, row) ((vu8 *)(0x9800 + (row) * 32 + (column)))

static void begin(volatile struct begin *block)
{
    vu8 *at;
    u8 i, row;
    u16 left;
    block->version = 1;
    block->zero = 0;
    block->frames = 0;
    at = tiles;
    for (i = 0; i < 4; i++)
        for (row = 0; row < 8; row++) {
            *at++ = i & 1 ? 0xFF : 0;
            *at++ = i & 2 ? 0xFF : 0;
        }
    for (i = 0; i < 16; i++) {
        u16 bits = digits[i];
        for (row = 0; row < 8; row++) {
            u8 pixels = 0;
            if (row >= 1 && row <= 5) {
                pixels = bits >> 8 & 0x70;
                bits <<= 3;
            }
            *at++ = pixels;
            *at++ = pixels;
        }
    }
    for (at = CELL(0, 0), left = 32 * 32; left; left--)
        *at++ = BLANK;
    for (at = oam, i = 160; i; i--)
        *at++ = 0;
    *(vu8 *)0xFF42 = *(vu8 *)0xFF43 = 0; /* SCY, SCX */
    *(vu8 *)0xFF47 = *(vu8 *)0xFF48 = *(vu8 *)0xFF49 = 0xE4; /* BGP, OBP0, OBP1 */
}

static void ready(volatile struct begin *block)
{
    block->magic[3] = '1';
    block->magic[2] = 'M';
    block->magic[1] = 'B';
    block->magic[0] = 'M';
}

#endif
