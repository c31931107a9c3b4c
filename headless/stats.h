/*
 * The stats line on stderr, for users and load tests. Each line covers the window since the line before it:
 *
 *   mgba-headless: stats frames=1234 window_s=5.00 window_frames=299 late=0 lost=0 fps=59.73 callback_ms=12.3 callback_pct=0.2
 *   paused=no game=running target_fps=59.7275 total_late=0 total_lost=0 total_drawn=12 total_callback_ms=51.0 up_s=20.66
 *   unix_s=1763712345.678
 *
 * (one line). frames and the total_ values count since the program began; late and lost are defined in pace.h, drawn in picture.h;
 * callback_ms is time inside script callbacks, callback_pct its share of the window; game is running, stopped, crashed or none; unix_s is the
 * wall clock.
 */
#ifndef HEADLESS_STATS_H
#define HEADLESS_STATS_H

#include <stdint.h>

struct stats_now {
    uint64_t frames;
    uint64_t late;
    uint64_t lost;
    uint64_t drawn;
    int64_t callback_ns;
    double target_fps;
    const char* paused;
    const char* game;
};

struct stats {
    int64_t began_ns;
    int64_t interval_ns; /* 0: only requested lines */
    int64_t window_ns;   /* when the present window began */
    struct stats_now window;
};

void stats_begin(struct stats* stats, double interval_seconds, int64_t now_ns);
/* Nanoseconds until the next line is due, INT64_MAX if there is none. */
int64_t stats_left_ns(const struct stats* stats, int64_t now_ns);
/* Prints the line and begins a new window. */
void stats_print(struct stats* stats, const struct stats_now* now, int64_t now_ns);

#endif
