#include "save.h"

/* Two sectors in turn: if the machine is switched off while one is written, the other one is whole. */
#define SECTOR 0x1000
#define MAGIC 0x56415331
#define WORDS (sizeof(struct save) / 4)
#define BYTES_A_FRAME 13
#define MOST_READS 20000

union stored {
    struct save save;
    u32 words[WORDS];
    u8 bytes[sizeof(struct save)];
};

static union stored writing;
static u32 at, number, erases;

static void command(u32 code)
{
    FLASH[0x5555] = 0xAA;
    FLASH[0x2AAA] = 0x55;
    FLASH[0x5555] = code;
}

static u32 sum_of(const u32 *words)
{
    u32 sum = 0;
    for (u32 i = 0; i < WORDS - 1; i++)
        sum += words[i];
    return ~sum;
}

void save_start(void)
{
    at = sizeof writing;
    command(0x90); /* which chip it is, which nothing here needs */
    command(0xF0);
}

u32 save_read(struct save *save)
{
    union stored one;
    number = 0;
    for (u32 sector = 0; sector < 2; sector++) {
        for (u32 i = 0; i < sizeof one; i++)
            one.bytes[i] = FLASH[sector * SECTOR + i];
        if (one.save.magic == MAGIC && one.save.sum == sum_of(one.words) && one.save.number > number) {
            number = one.save.number;
            copy(&one, (u32)save, sizeof one);
        }
    }
    return number;
}

void save_write(const struct save *save)
{
    if (at == sizeof writing) /* otherwise the save before is not whole, and this one takes its sector */
        number++;
    copy(save, (u32)&writing, sizeof writing);
    writing.save.magic = MAGIC;
    writing.save.number = number;
    writing.save.sum = sum_of(writing.words);
    at = 0;
    erases = 1;
}

/* Waits until the chip has done it; it takes less than a line of the picture. */
static void wait_for(u32 place, u32 value)
{
    for (u32 i = 0; i < MOST_READS && FLASH[place] != value; i++)
        ;
}

void save_move(void)
{
    u32 sector = (number & 1) * SECTOR;
    if (erases) {
        command(0x80);
        FLASH[0x5555] = 0xAA;
        FLASH[0x2AAA] = 0x55;
        FLASH[sector] = 0x30;
        wait_for(sector, 0xFF);
        erases = 0;
        return;
    }
    for (u32 i = 0; i < BYTES_A_FRAME && at < sizeof writing; i++, at++) {
        command(0xA0);
        FLASH[sector + at] = writing.bytes[at];
        wait_for(sector + at, writing.bytes[at]);
    }
}
