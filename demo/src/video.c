#include "video.h"

/* VRAM: letters from 0, maps of the three layers, then the tiles of the scene. */
#define LETTER_MAP 4 /* in blocks of 2 KB */
#define BOX_MAP 5
#define SCENE_MAP 6
#define MAP(block) ((vu16 *)(VRAM + (block) * 0x800))
#define MAP_COLUMNS 32
#define SCENE_TILES (VRAM + FIRST_TILE * 64)
#define CACHE 0x02010000 /* the unpacked scene */
#define PHASES 4
#define PHASE_FRAMES 14

enum { INK = 1, GOLD = 4 }; /* colours of art/font.png */

#define BOX_TILE 0x80
#define MAX_SPRITES 48
#define HIDDEN 0x0200

static const struct scene *scene;
static u32 loaded, phase;
static u16 objects[MAX_SPRITES * 4];
static u32 object_count;

void video_start(void)
{
    for (u32 i = 0; i < sizeof palette / sizeof *palette; i++)
        BG_PALETTE[i] = OBJECT_PALETTE[i] = palette[i];
    BG_PALETTE[0] = 0;
    for (u32 i = 1; i < sizeof letter_palette / sizeof *letter_palette; i++)
        BG_PALETTE[INK_CREAM * 16 + i] = BG_PALETTE[INK_GOLD * 16 + i] = letter_palette[i];
    BG_PALETTE[INK_GOLD * 16 + INK] = letter_palette[GOLD];
    copy(letters, VRAM, sizeof letters);
    copy(sprites, OBJECT_VRAM, sizeof sprites);
    BGCNT(0) = 0 | LETTER_MAP << 8;
    BGCNT(1) = 1 | BOX_MAP << 8;
    BGCNT(2) = 2 | 0x80 | SCENE_MAP << 8;
    BGVOFS(0) = 2; /* puts the letters in the middle of a box */
    BGVOFS(1) = 5;
    BLDALPHA = 5 | 11 << 8;
    fade(16);
    sprites_begin();
    sprites_end();
    DISPCNT = 0x1740; /* mode 0, backgrounds 0 to 2, sprites with their tiles in a row */
}

void scene_begin(u32 number)
{
    scene = &scenes[number];
    loaded = 0;
}

u32 scene_load(void)
{
    if (loaded < scene->block_count) {
        unpack(scene->blocks[loaded], (void *)(CACHE + loaded * BLOCK_BYTES));
        loaded++;
        return 0;
    }
    copy((void *)CACHE, SCENE_TILES, (scene->still + scene->moving) * 64u);
    const u16 *from = scene->map;
    for (u32 row = 0; row < 20; row++)
        for (u32 column = 0; column < 30; column++)
            MAP(SCENE_MAP)[row * MAP_COLUMNS + column] = *from++;
    phase = 0;
    return 1;
}

void scene_move(void)
{
    static u32 wait;
    if (++wait < PHASE_FRAMES)
        return;
    wait = 0;
    phase = (phase + 1) & (PHASES - 1);
    copy((void *)(CACHE + (scene->still + phase * scene->moving) * 64u), SCENE_TILES + scene->still * 64u, scene->moving * 64u);
}

void fade(u32 level)
{
    BLDCNT = level ? 0x3FFF : 0x3F40; /* darker; or only sprites that are seen through */
    BLDY = level;
}

void sprites_begin(void)
{
    object_count = 0;
}

void sprite(s32 x, s32 y, u32 frame, u32 look)
{
    if (object_count == MAX_SPRITES || x <= -16 || x >= 240 || y <= -16 || y >= 160)
        return;
    u16 *object = objects + object_count++ * 4;
    object[0] = (y & 0xFF) | 0x2000 | (look & SEE_THROUGH ? 0x0400 : 0);
    object[1] = (x & 0x1FF) | 0x4000 | (look & FLIPPED ? 0x1000 : 0);
    object[2] = frame * 8 | (look & IN_FRONT ? 0 : 2 << 10);
}

void sprites_end(void)
{
    for (u32 i = object_count; i < MAX_SPRITES; i++)
        objects[i * 4] = HIDDEN;
    for (u32 i = 0; i < MAX_SPRITES * 4; i++)
        OAM[i] = objects[i];
    for (u32 i = MAX_SPRITES; i < 128; i++)
        OAM[i * 4] = HIDDEN;
}

void letter(u32 column, u32 row, u32 code, u32 ink)
{
    MAP(LETTER_MAP)[row * MAP_COLUMNS + column] = code == ' ' ? 0 : code | ink << 12;
}

void write(u32 column, u32 row, const char *text, u32 ink)
{
    while (*text)
        letter(column++, row, (u8)*text++, ink);
}

void erase(u32 row, u32 rows)
{
    for (u32 i = row * MAP_COLUMNS; i < (row + rows) * MAP_COLUMNS; i++)
        MAP(LETTER_MAP)[i] = 0;
}

void box(const struct area *area, u32 shown)
{
    for (u32 row = area->top; row <= area->bottom; row++)
        for (u32 column = area->left; column <= area->right; column++) {
            u32 tile = BOX_TILE + (row == area->top ? 0 : row == area->bottom ? 6 : 3) + (column == area->left ? 0 : column == area->right ? 2 : 1);
            MAP(BOX_MAP)[row * MAP_COLUMNS + column] = shown ? tile | INK_CREAM << 12 : 0;
        }
}
