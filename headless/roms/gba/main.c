/*
 * The GBA test ROM: counts what it is given and shows it, in memory and on the screen, at addresses and pixels that
 * README.md and layout.h document. One update a frame, all of it inside the VBlank; otherwise the CPU is halted.
 */
#include "../layout.h"

typedef volatile mbt_u8 vu8;
typedef volatile mbt_u16 vu16;
typedef volatile mbt_u32 vu32;

#define block (*(volatile struct mbt_block *)MBT_GBA_BASE)
#define sram ((vu8 *)MBT_GBA_SRAM)
#define vram ((vu16 *)0x06000000)

#define DISPCNT (*(vu16 *)0x04000000)
#define DISPSTAT (*(vu16 *)0x04000004)
#define VCOUNT (*(vu16 *)0x04000006)
#define KEYINPUT (*(vu16 *)0x04000130)
#define IE (*(vu16 *)0x04000200)
#define IF (*(vu16 *)0x04000202)
#define WAITCNT (*(vu16 *)0x04000204)
#define IME (*(vu16 *)0x04000208)

#define SCREEN_WIDTH 240
#define SCREEN_HEIGHT 160
#define VBLANK 1
#define KEY_A 1

#define RGB(r, g, b) ((r) | (g) << 5 | (b) << 10)
#define COLOUR_BACKGROUND RGB(2, 4, 8)
#define COLOUR_KEY_UP RGB(10, 10, 10)
#define COLOUR_KEY_DOWN RGB(31, 8, 0)
#define COLOUR_BIT_0 RGB(0, 8, 0)
#define COLOUR_BIT_1 RGB(31, 31, 0)
#define COLOUR_BOX RGB(0, 31, 31)

/* What is not worth showing: all of it starts as zero (start.s). */
static mbt_u32 seed_in_use;
static mbt_u32 frames_to_slow_step;
static mbt_u32 box_x;

static void fill(mbt_u32 x, mbt_u32 y, mbt_u32 width, mbt_u32 height, mbt_u16 colour)
{
    vu16 *row = vram + y * SCREEN_WIDTH + x;
    for (; height; height--, row += SCREEN_WIDTH)
        for (mbt_u32 i = 0; i < width; i++)
            row[i] = colour;
}

/* ---- Picture ---- */

static void draw_key(mbt_u32 key, mbt_u32 down)
{
    fill(MBT_GBA_KEY_X + key * MBT_GBA_KEY_PITCH, MBT_GBA_KEY_Y, MBT_GBA_KEY_SIZE, MBT_GBA_KEY_SIZE,
        down ? COLOUR_KEY_DOWN : COLOUR_KEY_UP);
}

/* Cell 0, the leftmost, is bit 15. */
static void draw_bit(mbt_u32 cell, mbt_u32 set)
{
    fill(MBT_GBA_BIT_X + cell * MBT_GBA_BIT_PITCH, MBT_GBA_BIT_Y, MBT_GBA_BIT_SIZE, MBT_GBA_BIT_SIZE,
        set ? COLOUR_BIT_1 : COLOUR_BIT_0);
}

static void draw_box(mbt_u32 x, mbt_u16 colour)
{
    fill(x, MBT_GBA_BOX_Y, MBT_GBA_BOX_SIZE, MBT_GBA_BOX_SIZE, colour);
}

static void draw_everything(void)
{
    fill(0, 0, SCREEN_WIDTH, SCREEN_HEIGHT, COLOUR_BACKGROUND);
    for (mbt_u32 key = 0; key < MBT_KEY_COUNT; key++)
        draw_key(key, 0);
    for (mbt_u32 cell = 0; cell < 16; cell++)
        draw_bit(cell, 0);
    draw_box(0, COLOUR_BOX);
    for (mbt_u32 level = 0; level < 32; level++)
        for (mbt_u32 row = 0; row < 3; row++)
            fill(MBT_GBA_RAMP_X + level * MBT_GBA_RAMP_WIDTH, MBT_GBA_RAMP_Y + row * MBT_GBA_RAMP_HEIGHT,
                MBT_GBA_RAMP_WIDTH, MBT_GBA_RAMP_HEIGHT, level << 5 * row);
    fill(0, 0, 1, 1, RGB(31, 0, 0));
    fill(SCREEN_WIDTH - 1, 0, 1, 1, RGB(0, 31, 0));
    fill(0, SCREEN_HEIGHT - 1, 1, 1, RGB(0, 0, 31));
    fill(SCREEN_WIDTH - 1, SCREEN_HEIGHT - 1, 1, 1, RGB(31, 31, 31));
}

static void draw_changes(mbt_u32 frame_before)
{
    mbt_u32 keys = block.keys;
    mbt_u32 changed = keys ^ block.keys_before;
    for (mbt_u32 key = 0; changed; key++, changed >>= 1, keys >>= 1)
        if (changed & 1)
            draw_key(key, keys & 1);

    mbt_u32 frame = block.frame;
    changed = (frame ^ frame_before) & 0xFFFF;
    for (mbt_u32 cell = 15; changed; cell--, changed >>= 1, frame >>= 1)
        if (changed & 1)
            draw_bit(cell, frame & 1);

    mbt_u32 x = box_x + 1;
    if (x == MBT_GBA_BOX_PERIOD) {
        draw_box(box_x, COLOUR_BACKGROUND);
        draw_box(0, COLOUR_BOX);
        x = 0;
    } else { /* one column behind it, one before it */
        fill(box_x, MBT_GBA_BOX_Y, 1, MBT_GBA_BOX_SIZE, COLOUR_BACKGROUND);
        fill(box_x + MBT_GBA_BOX_SIZE, MBT_GBA_BOX_Y, 1, MBT_GBA_BOX_SIZE, COLOUR_BOX);
    }
    box_x = x;
}

/* ---- Save ---- */

/* The bytes before the checksum added up, all bits of the sum inverted. */
static mbt_u32 checksum_of(const volatile struct mbt_save *save)
{
    vu8 *bytes = (vu8 *)save;
    mbt_u32 sum = 0;
    for (mbt_u32 i = 0; i < MBT_GBA_SAVE_SIZE - sizeof save->checksum; i++)
        sum += bytes[i];
    return ~sum;
}

static mbt_u32 is_valid(const volatile struct mbt_save *save)
{
    return save->magic[0] == 'M' && save->magic[1] == 'B' && save->magic[2] == 'S' && save->magic[3] == 'V'
        && save->checksum == checksum_of(save);
}

/* The cartridge RAM has an 8-bit bus: bytes only. */
static void read_sram(volatile struct mbt_save *save)
{
    for (mbt_u32 i = 0; i < MBT_GBA_SAVE_SIZE; i++)
        ((vu8 *)save)[i] = sram[i];
}

static void save_to_sram(void)
{
    static volatile struct mbt_save save;
    read_sram(&save);
    save.counter = is_valid(&save) ? save.counter + 1 : 1;
    save.magic[0] = 'M';
    save.magic[1] = 'B';
    save.magic[2] = 'S';
    save.magic[3] = 'V';
    save.frame = block.frame;
    save.prng = block.prng;
    for (mbt_u32 key = 0; key < MBT_KEY_COUNT; key++)
        save.edges[key] = block.edges[key];
    save.zero = 0;
    save.checksum = checksum_of(&save);
    for (mbt_u32 i = 0; i < MBT_GBA_SAVE_SIZE; i++)
        sram[i] = ((vu8 *)&save)[i];
}

static mbt_u32 load_from_sram(void)
{
    read_sram(&block.loaded);
    return is_valid(&block.loaded) ? MBT_RESULT_OK : MBT_RESULT_BAD_SAVE;
}

/* ---- Commands ---- */

static void clear_counters(void)
{
    for (mbt_u32 key = 0; key < MBT_KEY_COUNT; key++)
        block.edges[key] = block.held[key] = 0;
    block.chord_max = block.chord_last = 0;
    block.log_total = 0;
    for (mbt_u32 i = 0; i < MBT_LOG_ENTRIES; i++) {
        block.log[i].frame = 0;
        block.log[i].key = block.log[i].press = 0;
    }
}

static void restart_prng(void)
{
    seed_in_use = block.seed;
    block.prng = seed_in_use ? seed_in_use : MBT_GBA_DEFAULT_SEED;
}

static void run_command(void)
{
    mbt_u32 command = block.command;
    mbt_u32 result = MBT_RESULT_OK;
    if (command == MBT_COMMAND_NONE)
        return;
    switch (command) {
    case MBT_COMMAND_SAVE:
        save_to_sram();
        break;
    case MBT_COMMAND_LOAD:
        result = load_from_sram();
        break;
    case MBT_COMMAND_CLEAR:
        clear_counters();
        break;
    case MBT_COMMAND_RESEED:
        restart_prng();
        break;
    case MBT_COMMAND_CRASH: /* these two are done last, below */
    case MBT_COMMAND_STOP:
        break;
    default:
        result = MBT_RESULT_UNKNOWN;
    }
    block.last_command = command;
    block.last_result = result;
    block.last_command_frame = block.frame;
    block.commands_done++;
    block.command = MBT_COMMAND_NONE;

    if (command == MBT_COMMAND_CRASH)
        ((void (*)(void))0xBAD00000u)(); /* nothing is mapped there */
    if (command == MBT_COMMAND_STOP)
        __asm__ volatile("swi 0x03" ::: "r0", "r1", "r2", "r3", "memory");
}

/* ---- One frame ---- */

static void log_event(mbt_u32 key, mbt_u32 press)
{
    volatile struct mbt_event *event = &block.log[block.log_total % MBT_LOG_ENTRIES];
    event->frame = block.frame;
    event->key = key;
    event->press = press;
    block.log_total++;
}

static void read_keys(void)
{
    mbt_u32 before = block.keys;
    mbt_u32 keys = ~KEYINPUT & 0x3FF; /* the only read in a frame */
    mbt_u32 changed = keys ^ before;
    mbt_u32 together = 0;
    block.keys_before = before;
    block.keys = keys;
    if (keys & changed & KEY_A)
        block.u32_on_a += MBT_U32_ON_A_STEP;
    for (mbt_u32 key = 0, left = keys; (left | changed) != 0; key++, left >>= 1, changed >>= 1) {
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
        block.chord_last = keys;
}

static void step_prng(void)
{
    if (block.seed != seed_in_use)
        restart_prng();
    mbt_u32 x = block.prng;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
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
    mbt_u32 odd = (block.u16_odd[0] | block.u16_odd[1] << 8) + MBT_U16_ODD_STEP;
    block.u16_odd[0] = odd;
    block.u16_odd[1] = odd >> 8;
    block.pointed += MBT_POINTED_STEP;
}

static void note_line(void)
{
    mbt_u32 line = VCOUNT;
    block.line_last = line;
    if (line > block.line_max)
        block.line_max = line;
    if (line < SCREEN_HEIGHT || line == 227)
        block.late++;
}

static void update(void)
{
    mbt_u32 frame_before = block.frame;
    block.frame = frame_before + 1;
    run_command();
    read_keys();
    step_prng();
    step_values();
    draw_changes(frame_before);
    note_line();
}

/* ---- Start ---- */

static void start_block(void)
{
    static const char text[] = MBT_TEXT_VALUE;
    for (mbt_u32 i = 0; i < MBT_SIZE; i += 4)
        *(vu32 *)(MBT_GBA_BASE + i) = 0;
    block.layout = MBT_VERSION;
    block.seed = seed_in_use = block.prng = MBT_GBA_DEFAULT_SEED;
    block.u32_down = MBT_U32_DOWN_START;
    block.s16_swing = -MBT_S16_SWING_SIZE;
    block.s32_countdown = MBT_S32_COUNTDOWN_START;
    block.u32_constant = MBT_U32_CONSTANT_VALUE;
    block.u32_on_a = MBT_U32_ON_A_START;
    block.u32_slow = MBT_U32_SLOW_START;
    block.u16_odd[0] = MBT_U16_ODD_START & 0xFF;
    block.u16_odd[1] = MBT_U16_ODD_START >> 8;
    for (mbt_u32 i = 0; i < sizeof text; i++)
        block.text[i] = text[i];
    block.pointer = MBT_GBA_BASE + MBT_NODE;
    block.node_tag = MBT_NODE_TAG;
    block.node_pointer = MBT_GBA_BASE + MBT_POINTED;
    block.pointed = MBT_POINTED_START;
    block.log_capacity = MBT_LOG_ENTRIES;
    block.log_entry_size = sizeof(struct mbt_event);
    block.magic[0] = 'M';
    block.magic[1] = 'B';
    block.magic[2] = 'T';
    block.magic[3] = '1';
}

int main(void)
{
    WAITCNT = 0x4317;
    (void)sram[0]; /* the read alone makes mGBA call the save SRAM */
    draw_everything();
    start_block();
    DISPCNT = 0x0403; /* mode 3, background 2 */
    DISPSTAT = 0x0008; /* interrupt at VBlank */
    IE = VBLANK;
    IF = VBLANK;
    IME = 1;
    for (;;) {
        __asm__ volatile("swi 0x05" ::: "r0", "r1", "r2", "r3", "memory"); /* VBlankIntrWait */
        update();
    }
}
