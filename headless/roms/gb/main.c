/*
 * The GB test ROM: the smaller sister of the GBA one, with the same block offsets (layout.h, README.md).
 * One update a frame, started by the VBlank; the rest of the time the CPU is halted (start.s).
 */
#include "../layout.h"

typedef volatile mbt_u8 vu8;

#define block (*(volatile struct mbt_block *)MBT_GB_BASE)
#define sram ((vu8 *)MBT_GB_SRAM)
#define tiles ((vu8 *)0x8000)
#define map ((vu8 *)MAP)
#define oam ((vu8 *)0xFE00)

#define JOYP (*(vu8 *)0xFF00)
#define SCY (*(vu8 *)0xFF42)
#define SCX (*(vu8 *)0xFF43)
#define LY (*(vu8 *)0xFF44)
#define BGP (*(vu8 *)0xFF47)
#define OBP0 (*(vu8 *)0xFF48)

#define MAP 0x9800
#define MAP_WIDTH 32
#define KEY_CELLS (MAP + MBT_GB_KEY_ROW * MAP_WIDTH + MBT_GB_KEY_COLUMN)
#define BIT_CELLS (MAP + MBT_GB_BIT_ROW * MAP_WIDTH + MBT_GB_BIT_COLUMN)
#define RAMP_CELLS (MAP + MBT_GB_RAMP_ROW * MAP_WIDTH + MBT_GB_RAMP_COLUMN)
#define KEY_A 1

/* Four tiles, each all of one shade: tile n is shade n, 0 lightest. */
#define TILE_OFF 1 /* key up, bit clear */
#define TILE_ON 3 /* key down, bit set: draw() relies on these two */
#define TILE_BOX 2

/* What is not worth showing. No start values here: start_block() sets them. */
static mbt_u16 seed_in_use;
static mbt_u8 frames_to_slow_step;
static mbt_u8 box_x;
static struct mbt_save save;

/* ---- Picture ---- */

/* All of it every frame: that is cheaper here than finding out what changed, and takes the same time always. Video memory
   can only be written while the VBlank lasts, so this comes first in update(), and in assembly: what the compiler makes of
   the same loops in C lasts longer than the whole VBlank. */
static void draw(void) __naked
{
    __asm
        ld   a, (_box_x)
        add  a, #8                  ; the hardware counts from 8 pixels left of the screen
        ld   (0xFE01), a

        ld   hl, #KEY_CELLS
        ld   a, (MBT_GB_BASE + MBT_KEYS)
        ld   c, a
        ld   b, #MBT_KEY_COUNT
00001$: srl  c                      ; key 0 first
        sbc  a, a
        and  #2
        inc  a                      ; 1 (up) or 3 (down)
        ld   (hl+), a
        inc  hl
        dec  b
        jr   NZ, 00001$

        ld   hl, #BIT_CELLS
        ld   a, (MBT_GB_BASE + MBT_FRAME + 1)
        call 00002$
        ld   a, (MBT_GB_BASE + MBT_FRAME)
00002$: ld   c, a                   ; eight cells from the bits of a, the top bit first
        ld   b, #8
00003$: sla  c
        sbc  a, a
        and  #2
        inc  a                      ; 1 (clear) or 3 (set)
        ld   (hl+), a
        dec  b
        jr   NZ, 00003$
        ret
    __endasm;
}

static void draw_everything(void)
{
    mbt_u8 i;
    vu8 *to = tiles;
    mbt_u16 left;

    for (i = 0; i < 4 * 8; i++) { /* two bit planes a row of pixels */
        *to++ = i & 8 ? 0xFF : 0x00;
        *to++ = i & 16 ? 0xFF : 0x00;
    }
    for (to = map, left = MAP_WIDTH * 32; left; left--)
        *to++ = 0;
    for (to = oam, i = 0; i < 160; i++)
        *to++ = 0;
    for (i = 0; i < MBT_KEY_COUNT; i++)
        ((vu8 *)KEY_CELLS)[i * MBT_GB_KEY_PITCH] = TILE_OFF;
    for (i = 0; i < 16; i++)
        ((vu8 *)BIT_CELLS)[i] = TILE_OFF;
    for (i = 0; i < 4; i++)
        ((vu8 *)RAMP_CELLS)[i] = i;
    map[0] = 3; /* corners of the screen */
    map[19] = 2;
    map[17 * MAP_WIDTH] = 2;
    map[17 * MAP_WIDTH + 19] = 3;
    oam[0] = MBT_GB_BOX_Y + 16;
    oam[1] = 8;
    oam[2] = TILE_BOX;
    BGP = OBP0 = 0xE4;
    SCX = SCY = 0;
}

/* ---- Save ---- */

/* The bytes before the checksum added up, all bits of the sum inverted. */
static mbt_u16 checksum_of(const vu8 *bytes)
{
    mbt_u16 sum = 0;
    mbt_u8 left;
    for (left = MBT_GB_SAVE_SIZE - 2; left; left--)
        sum += *bytes++;
    return ~sum;
}

static mbt_u8 is_valid(const volatile struct mbt_save *from)
{
    return from->magic[0] == 'M' && from->magic[1] == 'B' && from->magic[2] == 'S' && from->magic[3] == 'V'
        && from->checksum == checksum_of((const vu8 *)from);
}

static void copy_save(vu8 *to, const vu8 *from)
{
    mbt_u8 left;
    for (left = MBT_GB_SAVE_SIZE; left; left--)
        *to++ = *from++;
}

static void save_to_sram(void)
{
    mbt_u8 key;
    copy_save((vu8 *)&save, sram);
    save.counter = is_valid(&save) ? save.counter + 1 : 1;
    save.magic[0] = 'M';
    save.magic[1] = 'B';
    save.magic[2] = 'S';
    save.magic[3] = 'V';
    save.frame = block.frame;
    save.prng = block.prng;
    for (key = 0; key < MBT_KEY_COUNT; key++)
        save.edges[key] = block.edges[key];
    save.zero = 0;
    save.checksum = checksum_of((const vu8 *)&save);
    copy_save(sram, (const vu8 *)&save);
}

static mbt_u8 load_from_sram(void)
{
    copy_save((vu8 *)&block.loaded, sram);
    return is_valid(&block.loaded) ? MBT_RESULT_OK : MBT_RESULT_BAD_SAVE;
}

/* ---- Commands ---- */

static void clear_counters(void)
{
    mbt_u8 key;
    mbt_u16 left;
    vu8 *to;
    for (key = 0; key < MBT_KEY_COUNT; key++)
        block.edges[key] = block.held[key] = 0;
    block.chord_max = block.chord_last = 0;
    block.log_total = 0;
    for (to = (vu8 *)block.log, left = sizeof block.log; left; left--)
        *to++ = 0;
}

static void restart_prng(void)
{
    seed_in_use = block.seed;
    block.prng = seed_in_use ? seed_in_use : MBT_GB_DEFAULT_SEED;
}

static void run_command(void)
{
    mbt_u8 command = block.command;
    mbt_u8 result = MBT_RESULT_OK;
    if (command == MBT_COMMAND_NONE)
        return;
    if (command == MBT_COMMAND_SAVE)
        save_to_sram();
    else if (command == MBT_COMMAND_LOAD)
        result = load_from_sram();
    else if (command == MBT_COMMAND_CLEAR)
        clear_counters();
    else if (command == MBT_COMMAND_RESEED)
        restart_prng();
    else if (command != MBT_COMMAND_STOP) /* there is no way to crash a GB so that mGBA says so */
        result = MBT_RESULT_UNKNOWN;
    block.last_command = command;
    block.last_result = result;
    block.last_command_frame = block.frame;
    block.commands_done++;
    block.command = MBT_COMMAND_NONE;
    if (command == MBT_COMMAND_STOP) {
        __asm__("stop");
    }
}

/* ---- One frame ---- */

static void read_keys(void)
{
    mbt_u8 keys;
    JOYP = 0x20; /* selects Right Left Up Down */
    keys = (~JOYP & 0x0F) << 4;
    JOYP = 0x10; /* selects A B Select Start */
    keys |= ~JOYP & 0x0F;
    JOYP = 0x30;
    block.keys_before = block.keys;
    block.keys = keys;
}

static void log_event(mbt_u8 key, mbt_u8 press)
{
    volatile struct mbt_event *event = &block.log[(mbt_u8)block.log_total % MBT_LOG_ENTRIES];
    event->frame = (mbt_u16)block.frame;
    event->key = key;
    event->press = press;
    block.log_total++;
}

static void count_keys(void)
{
    mbt_u8 key, together = 0;
    mbt_u8 left = block.keys, changed = left ^ block.keys_before;
    if (left & changed & KEY_A)
        block.u32_on_a += MBT_U32_ON_A_STEP;
    for (key = 0; left | changed; key++, left >>= 1, changed >>= 1) {
        if (left & 1) {
            together++;
            block.held[key]++;
        }
        if (changed & 1) {
            if (left & 1)
                block.edges[key]++;
            log_event(key, left & 1);
        }
    }
    if (together > block.chord_max)
        block.chord_max = together;
    if (together >= 2)
        block.chord_last = block.keys;
}

static void step_prng(void)
{
    mbt_u16 x;
    if (block.seed != seed_in_use)
        restart_prng();
    x = block.prng;
    x ^= x << 7;
    x ^= x >> 9;
    x ^= x << 8;
    block.prng = x;
}

static void step_values(void)
{
    block.u8_up++;
    block.u16_up += MBT_U16_UP_STEP;
    block.u32_down -= MBT_U32_DOWN_STEP;
    block.s16_swing = -block.s16_swing;
    block.s32_countdown--;
    if (++frames_to_slow_step == MBT_U32_SLOW_FRAMES) {
        frames_to_slow_step = 0;
        block.u32_slow++;
    }
    block.u16_odd += MBT_U16_ODD_STEP;
    block.pointed += MBT_POINTED_STEP;
}

static void step_frame(void)
{
    block.frame++;
    if (++box_x == MBT_GB_BOX_PERIOD)
        box_x = 0;
}

static void note_line(void)
{
    mbt_u8 line = LY;
    block.line_last = line;
    if (line > block.line_max)
        block.line_max = line;
    if (line < 144)
        block.late++;
}

/* Called from start.s after each VBlank interrupt. */
void update(void)
{
    step_frame();
    read_keys();
    draw();
    note_line();
    run_command();
    count_keys();
    step_prng();
    step_values();
}

/* ---- Start ---- */

static const char text[] = MBT_TEXT_VALUE;

/* Called from start.s, with the LCD off. */
void start_block(void)
{
    mbt_u8 i;
    mbt_u16 left;
    vu8 *to = (vu8 *)MBT_GB_BASE;
    draw_everything();
    for (left = MBT_SIZE; left; left--)
        *to++ = 0;
    frames_to_slow_step = 0;
    box_x = 0;
    block.layout = MBT_VERSION;
    block.seed = seed_in_use = block.prng = MBT_GB_DEFAULT_SEED;
    block.u32_down = MBT_U32_DOWN_START;
    block.s16_swing = -MBT_S16_SWING_SIZE;
    block.s32_countdown = MBT_S32_COUNTDOWN_START;
    block.u32_constant = MBT_U32_CONSTANT_VALUE;
    block.u32_on_a = MBT_U32_ON_A_START;
    block.u32_slow = MBT_U32_SLOW_START;
    block.u16_odd = MBT_U16_ODD_START;
    for (i = 0; i < sizeof text; i++)
        block.text[i] = text[i];
    block.pointer = MBT_GB_BASE + MBT_NODE;
    block.node_tag = MBT_NODE_TAG;
    block.node_pointer = MBT_GB_BASE + MBT_POINTED;
    block.pointed = MBT_POINTED_START;
    block.log_capacity = MBT_LOG_ENTRIES;
    block.log_entry_size = sizeof(struct mbt_event);
    block.magic[0] = 'M';
    block.magic[1] = 'B';
    block.magic[2] = 'T';
    block.magic[3] = '1';
}
