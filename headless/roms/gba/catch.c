/*
 * A small game, for programs that learn: blocks fall one after another, and the paddle catches them. Left and Right move
 * it, Start begins a new game. Three blocks that reach the ground end the game. README.md has the variables.
 */
typedef unsigned int u32;
typedef volatile unsigned short vu16;

static volatile struct {
    u32 score; /* blocks that were caught */
    u32 lives; /* 3, and one less for each block that was not */
    u32 paddle; /* its left edge */
    u32 x, y; /* the left upper corner of the block that falls */
    u32 frames; /* of this game */
    u32 random;
} *const game = (void *)0x02000000;

#define vram ((vu16 *)0x06000000)
#define DISPCNT (*(vu16 *)0x04000000)
#define DISPSTAT (*(vu16 *)0x04000004)
#define KEYINPUT (*(vu16 *)0x04000130)
#define IE (*(vu16 *)0x04000200)
#define IF (*(vu16 *)0x04000202)
#define WAITCNT (*(vu16 *)0x04000204)
#define IME (*(vu16 *)0x04000208)

#define KEY_START 0x008
#define KEY_RIGHT 0x010
#define KEY_LEFT 0x020

#define WIDTH 240
#define HEIGHT 160
#define PADDLE_WIDTH 32
#define PADDLE_HEIGHT 4
#define PADDLE_Y (HEIGHT - 10)
#define PADDLE_SPEED 4
#define BLOCK 8
#define BLOCK_SPEED 2
#define LIVES 3

#define RGB(r, g, b) ((r) | (g) << 5 | (b) << 10)
#define SKY RGB(2, 4, 8)
#define NIGHT RGB(8, 2, 2)
#define PADDLE RGB(31, 24, 4)
#define FALLING RGB(4, 24, 31)
#define LIFE RGB(31, 8, 8)
#define POINT RGB(10, 28, 10)

static void fill(u32 x, u32 y, u32 width, u32 height, u32 colour)
{
    vu16 *row = vram + y * WIDTH + x;
    for (; height; height--, row += WIDTH)
        for (u32 i = 0; i < width; i++)
            row[i] = colour;
}

/* The lives on the left, and a row of points on the right, which has room for 40. */
static void draw_score(void)
{
    for (u32 life = 0; life < LIVES; life++)
        fill(4 + life * 6, 4, 4, 4, life < game->lives ? LIFE : SKY);
    for (u32 point = 0; point < game->score && point < 40; point++)
        fill(36 + point * 5, 4, 3, 4, POINT);
}

static void drop(void)
{
    u32 random = game->random; /* xorshift */
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    game->random = random;
    game->x = (random >> 16) * (WIDTH - BLOCK + 1) >> 16;
    game->y = 12;
}

static void begin(void)
{
    game->score = 0;
    game->lives = LIVES;
    game->paddle = (WIDTH - PADDLE_WIDTH) / 2;
    game->frames = 0;
    drop();
    fill(0, 0, WIDTH, HEIGHT, SKY);
    fill(game->paddle, PADDLE_Y, PADDLE_WIDTH, PADDLE_HEIGHT, PADDLE);
    draw_score();
}

static void move(u32 keys)
{
    u32 paddle = game->paddle;
    if (keys & KEY_LEFT)
        paddle -= paddle < PADDLE_SPEED ? paddle : PADDLE_SPEED;
    if (keys & KEY_RIGHT)
        paddle += WIDTH - PADDLE_WIDTH - paddle < PADDLE_SPEED ? WIDTH - PADDLE_WIDTH - paddle : PADDLE_SPEED;
    if (paddle != game->paddle) {
        fill(game->paddle, PADDLE_Y, PADDLE_WIDTH, PADDLE_HEIGHT, SKY);
        fill(paddle, PADDLE_Y, PADDLE_WIDTH, PADDLE_HEIGHT, PADDLE);
        game->paddle = paddle;
    }
}

static void fall(void)
{
    fill(game->x, game->y, BLOCK, BLOCK_SPEED, SKY);
    game->y += BLOCK_SPEED;
    if (game->y + BLOCK <= PADDLE_Y) {
        fill(game->x, game->y, BLOCK, BLOCK, FALLING);
        return;
    }
    fill(game->x, game->y, BLOCK, BLOCK - BLOCK_SPEED, SKY);
    if (game->x + BLOCK > game->paddle && game->x < game->paddle + PADDLE_WIDTH)
        game->score++;
    else
        game->lives--;
    draw_score();
    if (game->lives)
        drop();
    else
        fill(0, 12, WIDTH, PADDLE_Y - 12, NIGHT);
}

int main(void)
{
    WAITCNT = 0x4317;
    game->random = 0x2545F491;
    begin();
    DISPCNT = 0x0403; /* mode 3, background 2 */
    DISPSTAT = 0x0008; /* interrupt at VBlank */
    IE = 1;
    IF = 1;
    IME = 1;
    u32 before = 0;
    for (;;) {
        __asm__ volatile("swi 0x05" ::: "r0", "r1", "r2", "r3", "memory"); /* VBlankIntrWait */
        u32 keys = ~KEYINPUT & 0x3FF;
        if (keys & ~before & KEY_START) {
            begin();
        } else if (game->lives) {
            game->frames++;
            game->random += keys;
            move(keys);
            fall();
        }
        before = keys;
    }
}
