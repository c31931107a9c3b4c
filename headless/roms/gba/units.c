/*
 * Tests as pokeemerald-expansion's runner prints them: a name, where it is, what went wrong, and the verdict. For tests of what reads such a log, and of
 * what was executed: `revive` never is.
 */
#include <stdint.h>

#define LOG_ON (*(volatile uint16_t*) 0x04FFF780)
#define LOG_TEXT ((volatile char*) 0x04FFF600)
#define LOG_SEND (*(volatile uint16_t*) 0x04FFF700)
#define VCOUNT (*(volatile uint16_t*) 0x04000006)
#define INFO 0x103

static volatile int points;

static volatile char* add(volatile char* to, const char* text) {
    while (*text) {
        *to++ = *text++;
    }
    return to;
}

static void print(const char* command, const char* text) {
    volatile char* end = add(add(LOG_TEXT, command), text);
    *end = '\0';
    LOG_SEND = INFO;
}

static void print_failure(const char* text, void (*where)(void)) {
    uint32_t address = (uint32_t) where & ~1u;
    volatile char* end = add(add(LOG_TEXT, text), " in <0x");
    for (int shift = 24; shift >= 0; shift -= 4) {
        *end++ = "0123456789abcdef"[address >> shift & 15];
    }
    end = add(end, ">");
    *end = '\0';
    LOG_SEND = INFO;
}

__attribute__((noinline)) static void heal(void) {
    points += 20;
    if (points > 100) {
        points = 100;
    }
}

__attribute__((noinline)) static void burn(void) {
    points -= 7;
}

__attribute__((noinline, used)) static void revive(void) {
    points = 50;
}

__attribute__((noinline)) void main_loop(void) {
    for (int i = 0; i < 3; ++i) {
        while (VCOUNT != 160) {
        }
        while (VCOUNT == 160) {
        }
    }
}

static void end(int code) {
    register int r0 __asm__("r0") = code;
    __asm__ volatile("swi 3" : : "r"(r0));
}

int main(void) {
    LOG_ON = 0xC0DE;
    points = 10;
    print(":N", "Heals");
    print(":L", "test/heal.c:12");
    heal();
    print(":P", "PASS");
    print(":N", "Burns");
    print(":L", "test/burn.c:120");
    burn();
    main_loop();
    print_failure("test/burn.c:131: EXPECT_EQ(23, 22) failed", burn);
    print(":F", "FAIL");
    main_loop();
    end(1);
    return 0;
}
