/*
 * A game that has much to do, for measurements: it computes for two fifths of each frame, and moves four backgrounds and 64
 * sprites. README.md has the variables.
 */
typedef unsigned int u32;
typedef volatile unsigned short vu16;

static volatile struct {
    u32 frames; /* of this game */
    u32 keys; /* that are down */
    u32 sum; /* what the work came to */
} *const game = (void *)0x02000000;

#define WORK ((volatile u32 *)0x02001000) /* 256 words */
#define VRAM ((volatile u32 *)0x06000000)
#define VRAM_WORDS (0x18000 / 4)
#define PALETTE ((vu16 *)0x05000000)
#define OAM ((vu16 *)0x07000000)

#define DISPCNT (*(vu16 *)0x04000000)
#define DISPSTAT (*(vu16 *)0x04000004)
#define BGCNT ((vu16 *)0x04000008)
#define BGOFS ((vu16 *)0x04000010)
#define KEYINPUT (*(vu16 *)0x04000130)
#define IE (*(vu16 *)0x04000200)
#define IF (*(vu16 *)0x04000202)
#define WAITCNT (*(vu16 *)0x04000204)
#define IME (*(vu16 *)0x04000208)

#define COLOURS 512
#define BACKGROUNDS 4
#define SPRITES 64
#define ALL_SPRITES 128
#define HIDDEN 0x0200

static void draw(void)
{
    for (u32 i = 0; i < VRAM_WORDS; i++)
        VRAM[i] = i * 2654435761u;
    for (u32 i = 0; i < COLOURS; i++)
        PALETTE[i] = i * 977;
    for (u32 i = 0; i < ALL_SPRITES; i++) {
        OAM[i * 4] = i < SPRITES ? i * 5 % 128 : HIDDEN;
        OAM[i * 4 + 1] = 0x4000 | i * 13 % 256; /* 16x16 */
        OAM[i * 4 + 2] = i;
    }
    for (u32 i = 0; i < BACKGROUNDS; i++)
        BGCNT[i] = i | (i * 4 + 8) << 8; /* priority, and a map of its own */
    DISPCNT = 0x1F40; /* mode 0, all backgrounds, sprites */
}

static u32 compute(u32 random)
{
    for (u32 i = 0; i < 1536; i++) {
        random = random * 1664525 + 1013904223;
        WORK[random >> 24] += random ^ i;
    }
    return random;
}

static void move(u32 frames)
{
    for (u32 i = 0; i < BACKGROUNDS; i++)
        BGOFS[i * 2] = frames * (i + 1) / 4;
    for (u32 i = 0; i < SPRITES; i++)
        OAM[i * 4 + 1] = 0x4000 | (i * 13 + frames) % 256;
}

int main(void)
{
    WAITCNT = 0x4317;
    draw();
    DISPSTAT = 0x0008; /* interrupt at VBlank */
    IE = 1;
    IF = 1;
    IME = 1;
    for (;;) {
        __asm__ volatile("swi 0x05" ::: "r0", "r1", "r2", "r3", "memory"); /* VBlankIntrWait */
        game->keys = ~KEYINPUT & 0x3FF;
        game->frames++;
        move(game->frames);
        game->sum = compute(game->sum + game->keys);
    }
}
