/*
 * When the next frame is due.
 *
 * Deadlines are absolute: frame n is due at start + n periods, so the next frames make up for one that runs long, and
 * the average rate is exact. Two counters measure it:
 *   late  a frame that started more than a quarter period after its deadline
 *   lost  frames that are skipped: if a frame is more than 0.25 s behind, the deadline restarts from now and the whole
 *         periods in between are lost
 */
#ifndef HEADLESS_MACHINE_PACE_H
#define HEADLESS_MACHINE_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct pace {
    double fps;          /* 0: no deadlines, nothing is ever late */
    double period_ns;
    int64_t deadline_ns; /* of the next frame */
    double fraction_ns;  /* of a nanosecond not yet in the deadline, so that rounding never adds up */
    uint64_t late;
    uint64_t lost;
};

/* Sets the rate; the next frame is due now. */
void pace_set(struct pace* pace, double fps, int64_t now_ns);
/* After a pause: the next frame is due now, and the time that passed is neither late nor lost. */
void pace_restart(struct pace* pace, int64_t now_ns);
/* Nanoseconds until the next frame is due; 0 or less if it is due. */
int64_t pace_left_ns(const struct pace* pace, int64_t now_ns);
/* The frame starts now: counts it, and sets the deadline of the one after it. */
void pace_frame_started(struct pace* pace, int64_t now_ns);

#endif
