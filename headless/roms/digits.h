/* The digits 0 to F of the machine ROMs, 3 x 5 pixels each: from the upper left to the lower right corner, bit 14 first. */
#ifndef MGBA_BRIDGE_TEST_DIGITS_H
#define MGBA_BRIDGE_TEST_DIGITS_H

#define DIGIT(a, b, c, d, e) ((a) << 12 | (b) << 9 | (c) << 6 | (d) << 3 | (e))

static const unsigned short digits[16] = {
    DIGIT(7, 5, 5, 5, 7), DIGIT(2, 6, 2, 2, 7), DIGIT(7, 1, 7, 4, 7), DIGIT(7, 1, 7, 1, 7),
    DIGIT(5, 5, 7, 1, 1), DIGIT(7, 4, 7, 1, 7), DIGIT(7, 4, 7, 5, 7), DIGIT(7, 1, 1, 1, 1),
    DIGIT(7, 5, 7, 5, 7), DIGIT(7, 5, 7, 1, 7), DIGIT(7, 5, 7, 5, 5), DIGIT(6, 5, 6, 5, 6),
    DIGIT(7, 4, 4, 4, 7), DIGIT(6, 5, 5, 5, 6), DIGIT(7, 4, 7, 4, 7), DIGIT(7, 4, 7, 4, 4),
};

#endif
