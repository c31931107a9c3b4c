#include "platform/clock.h"

#include "platform/windows/handles.h"

#include <stdlib.h>

bool clock_sleep_until(int64_t ns) {
    return handles_wait(NULL, 0, ns - clock_now_ns()) < 0;
}

int64_t clock_local(time_t moment) {
    struct tm local;
    return localtime_s(&local, &moment) ? moment : _mkgmtime(&local);
}

void clock_use_utc(bool utc) {
    static bool used;
    if (utc != used) {
        used = utc;
        (void) _putenv_s("TZ", utc ? "UTC0" : ""); /* an empty value removes it */
        _tzset();
    }
}
