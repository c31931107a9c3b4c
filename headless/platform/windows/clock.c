#include "platform/clock.h"

#include "platform/windows/handles.h"

bool clock_sleep_until(int64_t ns) {
    return handles_wait(NULL, 0, ns - clock_now_ns()) < 0;
}
