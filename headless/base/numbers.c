#include "base/numbers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool numbers_real(const char* text, double limit, double* out) {
    char* end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || errno || !(value >= 0 && value <= limit)) { /* so that NaN is refused, too */
        return false;
    }
    *out = value;
    return true;
}

bool numbers_count(const char* text, uint64_t limit, uint64_t* out) {
    if (!*text || strspn(text, "0123456789") != strlen(text)) {
        return false;
    }
    errno = 0;
    uint64_t value = strtoull(text, NULL, 10);
    if (errno || value == 0 || value > limit) {
        return false;
    }
    *out = value;
    return true;
}
