#include "machine/pace.h"

#include "platform/clock.h"

#define FAR_BEHIND_NS (NS_PER_SECOND / 4)
/* A slower rate is this one: deadlines must not overflow. */
#define LONGEST_PERIOD_NS (3600.0 * (double) NS_PER_SECOND)

void pace_set(struct pace* pace, double fps, int64_t now_ns) {
    pace->fps = fps;
    pace->period_ns = fps > 0 ? (double) NS_PER_SECOND / fps : 0;
    if (pace->period_ns > LONGEST_PERIOD_NS) {
        pace->period_ns = LONGEST_PERIOD_NS;
    }
    pace_restart(pace, now_ns);
}

void pace_restart(struct pace* pace, int64_t now_ns) {
    pace->deadline_ns = now_ns;
    pace->fraction_ns = 0;
}

int64_t pace_left_ns(const struct pace* pace, int64_t now_ns) {
    return pace->fps > 0 ? pace->deadline_ns - now_ns : 0;
}

void pace_frame_started(struct pace* pace, int64_t now_ns) {
    if (pace->fps <= 0) {
        return;
    }
    double behind = (double) (now_ns - pace->deadline_ns);
    if (behind > pace->period_ns / 4) {
        ++pace->late;
    }
    if (behind > FAR_BEHIND_NS) {
        pace->lost += (uint64_t) (behind / pace->period_ns);
        pace_restart(pace, now_ns);
    }
    double next = pace->fraction_ns + pace->period_ns;
    int64_t whole = (int64_t) next;
    pace->deadline_ns += whole;
    pace->fraction_ns = next - (double) whole;
}
