#include "machine/kept.h"

#include "machine/game-clock.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    void* state;
    void* save; /* the save data, NULL where there is none */
    size_t save_size;
    struct game_clock_kept clock;
};

/* Bound functions get no context, and there is one machine. */
static struct mCore* kept_core;
static struct kept all[KEPT_STATES];

static void forget(struct kept* kept) {
    free(kept->state);
    free(kept->save);
    *kept = (struct kept) { 0 };
}

void kept_of(struct mCore* core) {
    for (size_t i = 0; i < KEPT_STATES; ++i) {
        forget(&all[i]);
    }
    kept_core = core;
}

bool kept_save(int32_t number) {
    if (!kept_core || number < 0 || number >= KEPT_STATES) {
        return false;
    }
    struct kept* kept = &all[number];
    forget(kept);
    kept->state = malloc(kept_core->stateSize(kept_core));
    if (!kept->state || !kept_core->saveState(kept_core, kept->state)) {
        forget(kept);
        return false;
    }
    kept->save_size = kept_core->savedataClone(kept_core, &kept->save);
    kept->clock = game_clock_keep(kept_core);
    return true;
}

/* Whether the game has this save data already: to restore it writes a file. */
static bool has_save(struct mCore* core, const void* wanted, size_t wanted_size) {
    void* save = NULL;
    size_t size = core->savedataClone(core, &save);
    bool is_same = save && size == wanted_size && memcmp(save, wanted, size) == 0;
    free(save);
    return is_same;
}

bool kept_put(struct mCore* core, const void* state, const void* save, size_t save_size, struct game_clock_kept clock, bool writeback) {
    if (!core->loadState(core, state)) {
        return false;
    }
    if (save_size > 0 && !has_save(core, save, save_size)) {
        (void) core->savedataRestore(core, save, save_size, writeback);
    }
    game_clock_recall(core, clock);
    return true;
}

bool kept_load(int32_t number) {
    if (!kept_core || number < 0 || number >= KEPT_STATES || !all[number].state) {
        return false;
    }
    const struct kept* kept = &all[number];
    return kept_put(kept_core, kept->state, kept->save, kept->save ? kept->save_size : 0, kept->clock, true);
}
