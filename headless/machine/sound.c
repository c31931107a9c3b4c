#include "machine/sound.h"

#include <mgba/script/types.h>

#include <string.h>

#define KEPT 65536
#define CHANNELS 2

/* Bound functions get no context, and there is one machine. */
static struct {
    struct mCore* core;
    int64_t count;
    int16_t samples[KEPT * CHANNELS]; /* sample n at n % KEPT */
} sound;

void sound_open(struct mCore* core) {
    sound.core = core;
    library_open_sound(core);
}

void sound_close(void) {
    sound.core = NULL;
}

int64_t sound_count(void) {
    size_t read;
    do {
        size_t at = (size_t) (sound.count % KEPT);
        read = sound.core ? library_read_sound(sound.core, sound.samples + at * CHANNELS, KEPT - at) : 0;
        sound.count += (int64_t) read;
    } while (read > 0);
    return sound.count;
}

const void* sound_since(int64_t from, size_t* size) {
    static int16_t joined[KEPT * CHANNELS];
    int64_t oldest = sound.count > KEPT ? sound.count - KEPT : 0;
    int64_t first = from < oldest ? oldest : from > sound.count ? sound.count : from;
    size_t count = (size_t) (sound.count - first);
    size_t at = (size_t) (first % KEPT);
    size_t before_end = count < KEPT - at ? count : KEPT - at;
    size_t pair = sizeof(*joined) * CHANNELS;
    memcpy(joined, sound.samples + at * CHANNELS, before_end * pair);
    memcpy(joined + before_end * CHANNELS, sound.samples, (count - before_end) * pair);
    *size = count * pair;
    return joined;
}

struct mScriptValue* sound_samples(int64_t from) {
    size_t size;
    const void* samples = sound_since(from, &size);
    return mScriptStringCreateFromBytes(samples, size);
}
