#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>

bool failure_set(struct failure* failure, enum exit_code code, const char* format, ...) {
    failure->code = code;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(failure->sentence, sizeof(failure->sentence), format, arguments);
    va_end(arguments);
    if (length < 0) {
        failure->sentence[0] = '\0';
    }
    /* A Lua error message or a file name may contain line ends; the message must be one line. */
    for (char* c = failure->sentence; *c; ++c) {
        if ((unsigned char) *c < ' ') {
            *c = ' ';
        }
    }
    return false;
}
