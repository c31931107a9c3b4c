#include "stats.h"

#include "platform/clock.h"

#include <inttypes.h>
#include <stdio.h>

void stats_begin(struct stats* stats, double interval_seconds, int64_t now_ns) {
    *stats = (struct stats) {
        .began_ns = now_ns,
        .interval_ns = (int64_t) (interval_seconds * (double) NS_PER_SECOND),
        .window_ns = now_ns,
    };
}

int64_t stats_left_ns(const struct stats* stats, int64_t now_ns) {
    return stats->interval_ns ? stats->window_ns + stats->interval_ns - now_ns : INT64_MAX;
}

static double seconds(int64_t ns) {
    return (double) ns / (double) NS_PER_SECOND;
}

static double milliseconds(int64_t ns) {
    return (double) ns / (double) NS_PER_MS;
}

static double wall_clock(void) {
    struct timespec now;
    (void) clock_gettime(CLOCK_REALTIME, &now); /* cannot fail: the clock always exists and the pointer is valid */
    return (double) now.tv_sec + (double) now.tv_nsec / (double) NS_PER_SECOND;
}

void stats_print(struct stats* stats, const struct stats_now* now, int64_t now_ns) {
    const struct stats_now* then = &stats->window;
    double window_s = seconds(now_ns - stats->window_ns);
    uint64_t frames = now->frames - then->frames;
    int64_t callback_ns = now->callback_ns - then->callback_ns;
    /* Two signals can request lines at the same time. */
    double per_second = window_s > 0 ? 1 / window_s : 0;
    /* One call, so that the line is not mixed with others. A closed stderr does not end the program. */
    (void) fprintf(stderr,
        "mgba-headless: stats frames=%" PRIu64 " window_s=%.2f window_frames=%" PRIu64 " late=%" PRIu64 " lost=%" PRIu64
        " fps=%.2f callback_ms=%.1f callback_pct=%.1f paused=%s game=%s target_fps=%g total_late=%" PRIu64 " total_lost=%" PRIu64
        " total_drawn=%" PRIu64 " total_callback_ms=%.1f up_s=%.2f unix_s=%.3f\n",
        now->frames, window_s, frames, now->late - then->late, now->lost - then->lost,
        (double) frames * per_second, milliseconds(callback_ns), 100 * seconds(callback_ns) * per_second, now->paused, now->game,
        now->target_fps, now->late, now->lost, now->drawn,
        milliseconds(now->callback_ns), seconds(now_ns - stats->began_ns), wall_clock());
    stats->window = *now;
    stats->window_ns = now_ns;
}
