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
static bool has_save(const struct kept* kept) {
    void* save = NULL;
    size_t size = kept_core->savedataClone(kept_core, &save);
    bool is_same = save && size == kept->save_size && memcmp(save, kept->save, size) == 0;
    free(save);
    return is_same;
}

bool kept_load(int32_t number) {
    if (!kept_core || number < 0 || number >= KEPT_STATES || !all[number].state) {
        return false;
    }
    const struct kept* kept = &all[number];
    if (!kept_core->loadState(kept_core, kept->state)) {
        return false;
    }
    if (kept->save && kept->save_size > 0 && !has_save(kept)) {
        (void) kept_core->savedataRestore(kept_core, kept->save, kept->save_size, true);
    }
    game_clock_recall(kept_core, kept->clock);
    return true;
}
