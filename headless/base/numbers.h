/* Numbers in options and control lines. */
#ifndef HEADLESS_BASE_NUMBERS_H
#define HEADLESS_BASE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* "59.7275", at most `limit`, never negative. */
bool numbers_real(const char* text, double limit, double* out);
/* Decimal digits only, 1..limit. */
bool numbers_count(const char* text, uint64_t limit, uint64_t* out);

#endif
