#include "machine/rumble.h"

/* Bound functions get no context, and there is one machine. */
static struct {
    bool runs;
    bool ran_now; /* in the frame that runs */
    bool ran; /* in the one before */
} motor;

static void on_switch(bool runs) {
    motor.runs = runs;
    motor.ran_now = motor.ran_now || runs;
}

void rumble_open(struct mCore* core) {
    rumble_stop();
    library_follow_rumble(core, on_switch);
}

void rumble_stop(void) {
    motor.runs = motor.ran_now = motor.ran = false;
}

void rumble_frame_ended(void) {
    motor.ran = motor.ran_now;
    motor.ran_now = motor.runs;
}

bool rumble_ran(void) {
    return motor.ran;
}
