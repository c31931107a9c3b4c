/* The game of test_gdb.py, built in ARM and in Thumb with roms/gba/start.s. Its names are those that the test uses. */
typedef unsigned int word;
#define CODE __attribute__((noinline))

struct player {
    word score;
    unsigned short lives;
    unsigned char name[6];
};

volatile struct player player;
volatile word frames;
volatile word sums[4];

CODE word add(word left, word right) {
    word sum = left + right;
    sums[sum & 3] = sum;
    return sum;
}

CODE void play(word frame) {
    word points = add(frame, 2);
    player.score += points;
    if (frame == 3) {
        player.lives -= 1;
    }
    player.name[frame & 3] = 'a';
    frames = frame + 1;
}

static void wait_for_frame(void) {
#ifdef __thumb__
    __asm__ volatile ("swi 5" : : : "r0", "r1", "r2", "r3", "lr", "cc", "memory"); /* VBlankIntrWait */
#else
    __asm__ volatile ("swi 0x50000" : : : "r0", "r1", "r2", "r3", "lr", "cc", "memory");
#endif
}

int main(void) {
    *(volatile unsigned short*) 0x04000004 = 8; /* DISPSTAT: an interrupt at VBlank */
    *(volatile unsigned short*) 0x04000200 = 1; /* IE */
    *(volatile unsigned short*) 0x04000208 = 1; /* IME */
    player.lives = 3;
    for (word frame = 0;; ++frame) {
        wait_for_frame();
        play(frame);
    }
}
