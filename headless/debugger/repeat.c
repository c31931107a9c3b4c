#include "debugger/repeat.h"

#include "debugger/addresses.h"
#include "debugger/history.h"
#include "machine/replica.h"

#include <mgba/internal/gba/gba.h>

#include <stdlib.h>

static struct {
    struct mCore* of;
    struct replica machine;
    struct sensors* sensors;
    uint32_t began;
    uint32_t frame; /* as the machine counts, then */
    uint32_t instruction; /* when the present one began */
    struct history_run run;
    uint32_t until;
    bool is_there;
    void (*each)(struct mCore* core, uint32_t time);
    const struct instructions* with;
} repeat;

void repeat_close(void) {
    replica_destroy(&repeat.machine);
    free(repeat.sensors);
    repeat.sensors = NULL;
    repeat.of = NULL;
}

static bool open_machine(struct mCore* of) {
    if (repeat.of == of) {
        return true;
    }
    repeat_close();
    repeat.sensors = sensors_create();
    if (!repeat.sensors || !replica_create(&repeat.machine, of, repeat.sensors)) {
        repeat_close();
        return false;
    }
    repeat.of = of;
    return true;
}

/* They are no news to the machine: an interrupt of a press is in its state. */
static void press(struct mCore* core, uint32_t keys) {
    if (is_gba(core)) {
        ((struct GBA*) core->board)->keysActive = (uint16_t) keys;
    } else {
        core->setKeys(core, keys);
    }
}

bool repeat_begin(struct mCore* of, uint64_t run) {
    const struct snapshot* snapshot = run >= history_first() && run < history_end() ? history_snapshot(run) : NULL;
    if (!snapshot || !open_machine(of) ||
        !replica_load(&repeat.machine, snapshot->bytes, snapshot->bytes + snapshot->state_size, snapshot->save_size, snapshot->clock)) {
        return false;
    }
    sensors_recall(repeat.sensors, &snapshot->sensors);
    game_clock_hold(snapshot->seconds);
    press(repeat.machine.core, snapshot->keys);
    repeat.began = snapshot->time;
    repeat.instruction = 0;
    repeat.run = *history_run(run);
    repeat.frame = (uint32_t) repeat.machine.core->frameCounter(repeat.machine.core);
    return true;
}

struct mCore* repeat_machine(void) {
    return repeat.machine.core;
}

const pixel* repeat_pixels(void) {
    return repeat.machine.pixels;
}

uint32_t repeat_time(void) {
    return history_time(repeat.machine.core) - repeat.began;
}

uint32_t repeat_instruction_time(void) {
    return repeat.instruction;
}

bool repeat_is_over(void) {
    if (repeat.run.was_moved) {
        return (uint32_t) repeat.machine.core->frameCounter(repeat.machine.core) != repeat.frame;
    }
    const uint32_t now = repeat_time();
    return now > repeat.run.cycles || (now == repeat.run.cycles && history_has_events(repeat.machine.core) == repeat.run.has_events);
}

static bool may_execute(struct mCore* core) {
    const uint32_t now = repeat_time();
    repeat.is_there = now >= repeat.until;
    if (!repeat.is_there && repeat.each) {
        repeat.each(core, now);
    }
    return !repeat.is_there && !repeat_is_over();
}

static bool may_continue(struct mCore* core) {
    (void) core;
    return !repeat_is_over();
}

static void events_done(struct mCore* core) {
    (void) core;
}

void repeat_until(uint32_t time, void (*each)(struct mCore* core, uint32_t time)) {
    static const struct instructions plain = { may_execute, may_continue, events_done };
    repeat.until = time;
    repeat.each = each;
    repeat.is_there = false;
    while (!repeat.is_there && !repeat_is_over()) {
        instructions_run(repeat.machine.core, &plain);
    }
}

static bool may_execute_with(struct mCore* core) {
    repeat.instruction = repeat_time();
    return !repeat_is_over() && repeat.with->may_execute(core);
}

static bool may_continue_with(struct mCore* core) {
    return repeat.with->may_continue(core) && !repeat_is_over();
}

static void events_done_with(struct mCore* core) {
    repeat.with->events_done(core);
}

void repeat_on(const struct instructions* instructions) {
    static const struct instructions with = { may_execute_with, may_continue_with, events_done_with };
    repeat.with = instructions;
    instructions_run(repeat.machine.core, &with);
}
