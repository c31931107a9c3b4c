/* The parts of the GBA that the game uses. */
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef int s32;
typedef volatile unsigned char vu8;
typedef volatile unsigned short vu16;
typedef volatile unsigned int vu32;

#define REGISTER16(offset) (*(vu16 *)(0x04000000 + (offset)))
#define REGISTER32(offset) (*(vu32 *)(0x04000000 + (offset)))

#define DISPCNT REGISTER16(0x000)
#define DISPSTAT REGISTER16(0x004)
#define VCOUNT REGISTER16(0x006)
#define BGCNT(n) REGISTER16(0x008 + 2 * (n))
#define BGVOFS(n) REGISTER16(0x012 + 4 * (n))
#define BLDCNT REGISTER16(0x050)
#define BLDALPHA REGISTER16(0x052)
#define BLDY REGISTER16(0x054)

/* Square waves 1 and 2, the wave, the noise, and all of them. */
#define SOUND1_SWEEP REGISTER16(0x060)
#define SOUND1_DUTY REGISTER16(0x062)
#define SOUND1_FREQUENCY REGISTER16(0x064)
#define SOUND2_DUTY REGISTER16(0x068)
#define SOUND2_FREQUENCY REGISTER16(0x06C)
#define SOUND3_SELECT REGISTER16(0x070)
#define SOUND3_VOLUME REGISTER16(0x072)
#define SOUND3_FREQUENCY REGISTER16(0x074)
#define SOUND4_ENVELOPE REGISTER16(0x078)
#define SOUND4_FREQUENCY REGISTER16(0x07C)
#define SOUND_VOLUME REGISTER16(0x080)
#define SOUND_MIX REGISTER16(0x082)
#define SOUND_ON REGISTER16(0x084)
#define WAVE_RAM ((vu32 *)0x04000090)

#define DMA3_SOURCE REGISTER32(0x0D4)
#define DMA3_TARGET REGISTER32(0x0D8)
#define DMA3_CONTROL REGISTER32(0x0DC)

#define KEYINPUT REGISTER16(0x130)
#define IE REGISTER16(0x200)
#define IF REGISTER16(0x202)
#define WAITCNT REGISTER16(0x204)
#define IME REGISTER16(0x208)

#define BG_PALETTE ((vu16 *)0x05000000)
#define OBJECT_PALETTE ((vu16 *)0x05000200)
#define VRAM 0x06000000
#define OBJECT_VRAM 0x06010000
#define OAM ((vu16 *)0x07000000)
#define FLASH ((vu8 *)0x0E000000)

#define BIOS_INTERRUPTS (*(vu16 *)0x03007FF8) /* those since the last wait_for_vblank() */

#define SCREEN_LINES 228 /* with those of the VBlank */
#define VBLANK_LINE 160

enum { KEY_A = 1, KEY_B = 2, KEY_SELECT = 4, KEY_START = 8, KEY_RIGHT = 16, KEY_LEFT = 32, KEY_UP = 64, KEY_DOWN = 128 };

static inline void wait_for_vblank(void)
{
    __asm__ volatile("swi 0x05" ::: "r0", "r1", "r2", "r3", "memory");
}

/* Unpacks LZ77 into EWRAM. */
static inline void unpack(const void *source, void *target)
{
    register const void *r0 __asm__("r0") = source;
    register void *r1 __asm__("r1") = target;
    __asm__ volatile("swi 0x11" : "+r"(r0), "+r"(r1) : : "r2", "r3", "memory");
}

/* Divides with the BIOS; the remainder is `*rest`. */
static inline u32 divide(u32 number, u32 by, u32 *rest)
{
    register u32 r0 __asm__("r0") = number;
    register u32 r1 __asm__("r1") = by;
    __asm__ volatile("swi 0x06" : "+r"(r0), "+r"(r1) : : "r2", "r3", "memory");
    *rest = r1;
    return r0;
}

/* Copies or fills words. */
static inline void copy(const volatile void *source, u32 target, u32 bytes)
{
    DMA3_SOURCE = (u32)source;
    DMA3_TARGET = target;
    DMA3_CONTROL = bytes / 4 | 0x84000000;
}
