#include "debugger/history.h"

#include "debugger/addresses.h"
#include "machine/replica.h"

#include <mgba/core/timing.h>
#include <mgba/internal/arm/arm.h>
#include <mgba/internal/sm83/sm83.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

#define MEGABYTE ((size_t) 1024 * 1024)
#define WHOLE_EVERY 256 /* snapshots, of which the others are differences to the one before */
#define SAVE_ROOM ((size_t) 0x24000) /* the largest save memory and the clock behind it */
#define WORD sizeof(uint64_t)
#define LONGEST_RUN 4 /* frames; what takes longer was moved */

struct stored {
    struct history_run run;
    bool is_whole;
    size_t size; /* compressed */
    unsigned char* bytes;
};

/* One game runs at a time. */
static struct {
    struct mCore* core;
    size_t limit;
    const char* problem;
    struct stored* stored; /* number n at n % capacity */
    size_t capacity;
    uint64_t first;
    uint64_t end;
    size_t bytes;
    size_t size;              /* of a snapshot, in whole words */
    struct snapshot* now;     /* of the last run */
    struct snapshot* next;
    struct snapshot* read;    /* of the run `at` */
    uint64_t at;
    bool is_read;
    uint64_t* words;          /* differences before they are compressed */
    unsigned char* packed;
    bool is_running;
    bool moved;               /* in the run that is under way */
} history = { .problem = "" };

/* --- snapshots -------------------------------------------------------------------------------------------------------------- */

uint32_t history_time(const struct mCore* core) {
    return (uint32_t) mTimingCurrentTime(core->timing);
}

bool history_has_events(const struct mCore* core) {
    if (is_gba(core)) {
        const struct ARMCore* cpu = core->cpu;
        return cpu->cycles >= cpu->nextEvent;
    }
    const struct SM83Core* cpu = core->cpu;
    return cpu->cycles >= cpu->nextEvent;
}

static size_t size_of_snapshot(struct mCore* core) {
    const size_t size = sizeof(struct snapshot) + core->stateSize(core) + SAVE_ROOM;
    return (size + WORD - 1) / WORD * WORD;
}

static bool take(struct mCore* core, struct snapshot* snapshot) {
    void* save = NULL;
    snapshot->state_size = core->stateSize(core);
    snapshot->save_size = core->savedataClone(core, &save);
    snapshot->keys = core->getKeys(core);
    snapshot->time = history_time(core);
    snapshot->seconds = (int64_t) time(NULL);
    snapshot->clock = game_clock_keep(core);
    sensors_read(&snapshot->sensors);
    const bool fits = snapshot->save_size <= SAVE_ROOM;
    if (fits && snapshot->save_size > 0) {
        memcpy(snapshot->bytes + snapshot->state_size, save, snapshot->save_size);
    }
    free(save);
    return fits && core->saveState(core, snapshot->bytes);
}

struct snapshot* snapshot_take(struct mCore* core) {
    struct snapshot* snapshot = calloc(1, size_of_snapshot(core));
    if (snapshot && !take(core, snapshot)) {
        free(snapshot);
        snapshot = NULL;
    }
    return snapshot;
}

bool snapshot_is(const struct snapshot* snapshot, struct mCore* core) {
    struct snapshot* now = snapshot_take(core);
    const bool is_same = now && now->save_size == snapshot->save_size && !memcmp(now->bytes, snapshot->bytes, now->state_size + now->save_size);
    free(now);
    return is_same;
}

/* --- differences ------------------------------------------------------------------------------------------------------------ */

/* Pairs of counts, each followed by the words that differ: words that are the same, words that are not. They lead from one to the other in both directions. */
static size_t difference(const uint64_t* from, const uint64_t* to, size_t count, uint64_t* words) {
    size_t used = 0;
    size_t at = 0;
    while (at < count) {
        const size_t same = at;
        while (at < count && from[at] == to[at]) {
            ++at;
        }
        const size_t other = at;
        uint64_t* head = &words[used++];
        while (at < count && from[at] != to[at]) {
            words[used++] = from[at] ^ to[at];
            ++at;
        }
        *head = (uint64_t) (other - same) << 32 | (at - other);
    }
    return used;
}

static void apply(uint64_t* to, size_t count, const uint64_t* words, size_t used) {
    size_t at = 0;
    for (size_t i = 0; i < used;) {
        at += (size_t) (words[i] >> 32);
        const size_t differ = (size_t) (words[i++] & UINT32_MAX);
        for (size_t end = i + differ; i < end && at < count; ++i) {
            to[at++] ^= words[i];
        }
    }
}

/* --- the ring --------------------------------------------------------------------------------------------------------------- */

static struct stored* stored_at(uint64_t number) {
    return &history.stored[number % history.capacity];
}

static void drop_first(void) {
    struct stored* stored = stored_at(history.first++);
    history.bytes -= stored->size;
    free(stored->bytes);
    stored->bytes = NULL;
}

/* The first one is always whole. */
static void make_room(void) {
    while (history.bytes > history.limit && history.end - history.first > 1) {
        do {
            drop_first();
        } while (history.first < history.end && !stored_at(history.first)->is_whole);
    }
}

static void forget(void) {
    while (history.first < history.end) {
        drop_first();
    }
    history.is_read = history.is_running = false;
}

static void release(void) {
    forget();
    free(history.stored);
    free(history.now);
    free(history.next);
    free(history.read);
    free(history.words);
    free(history.packed);
    history.stored = NULL;
    history.now = history.next = history.read = NULL;
    history.words = NULL;
    history.packed = NULL;
    history.capacity = 0;
}

static bool allocate(void) {
    history.size = size_of_snapshot(history.core);
    history.now = calloc(1, history.size);
    history.next = calloc(1, history.size);
    history.read = calloc(1, history.size);
    history.words = malloc(2 * history.size + WORD);
    history.packed = malloc(compressBound((uLong) (2 * history.size + WORD)));
    return history.now && history.next && history.read && history.words && history.packed;
}

static bool grow(void) {
    if (history.end - history.first < history.capacity) {
        return true;
    }
    const size_t capacity = history.capacity ? 2 * history.capacity : 1024;
    struct stored* stored = calloc(capacity, sizeof(*stored));
    if (!stored) {
        return false;
    }
    for (uint64_t number = history.first; number < history.end; ++number) {
        stored[number % capacity] = *stored_at(number);
    }
    free(history.stored);
    history.stored = stored;
    history.capacity = capacity;
    return true;
}

static bool append(const void* bytes, size_t size, bool is_whole, uint64_t frame) {
    uLongf packed = compressBound((uLong) size);
    if (!grow() || compress2(history.packed, &packed, bytes, (uLong) size, Z_BEST_SPEED) != Z_OK) {
        return false;
    }
    unsigned char* kept = malloc(packed);
    if (!kept) {
        return false;
    }
    memcpy(kept, history.packed, packed);
    *stored_at(history.end) = (struct stored) { .run = { .frame = frame }, .is_whole = is_whole, .size = packed, .bytes = kept };
    history.bytes += packed;
    ++history.end;
    return true;
}

static size_t unpack(const struct stored* stored, void* to, size_t room) {
    uLongf size = (uLongf) room;
    return uncompress(to, &size, stored->bytes, (uLong) stored->size) == Z_OK ? (size_t) size : 0;
}

static void give_up(const char* problem) {
    release();
    history.problem = problem;
}

/* --- recording -------------------------------------------------------------------------------------------------------------- */


uint32_t history_megabytes(void) {
    return (uint32_t) (history.limit / MEGABYTE);
}

size_t history_bytes(void) {
    return history.bytes;
}

const char* history_problem(void) {
    return history.problem;
}

void history_of(struct mCore* core) {
    release();
    history.core = core;
    history.problem = "";
}

static bool can_keep(void) {
    if (!history.limit || !history.core) {
        return false;
    }
    const char* problem = replica_difference(history.core);
    if (problem) {
        give_up(problem);
        return false;
    }
    if (!history.now && !allocate()) {
        give_up("out of memory");
        return false;
    }
    history.problem = "";
    return true;
}

void history_keep(uint32_t megabytes) {
    history.limit = megabytes * MEGABYTE;
    history.problem = "";
    if (can_keep()) {
        make_room();
    } else if (!megabytes) {
        release();
        game_clock_hold(0);
    }
}

void history_run_begins(const struct game* game) {
    if (game->test || !can_keep()) {
        return;
    }
    struct snapshot* next = history.next;
    if (!take(history.core, next)) {
        give_up("the state of the game cannot be saved");
        return;
    }
    game_clock_hold(next->seconds);
    const bool is_whole = history.first == history.end || history.end % WHOLE_EVERY == 0;
    const size_t words = is_whole ? history.size / WORD : difference((const uint64_t*) (const void*) history.now, (const uint64_t*) (const void*) next, history.size / WORD, history.words);
    if (!append(is_whole ? (const void*) next : history.words, words * WORD, is_whole, game->frames)) {
        give_up("out of memory");
        return;
    }
    history.next = history.now;
    history.now = next;
    history.is_running = true;
    history.moved = false;
    make_room();
}

void history_run_ended(const struct game* game) {
    if (!history.is_running || !game->core) {
        return;
    }
    struct history_run* run = &stored_at(history.end - 1)->run;
    run->cycles = history_time(history.core) - history.now->time;
    run->has_events = history_has_events(history.core);
    run->was_moved = history.moved || run->cycles > LONGEST_RUN * (uint32_t) history.core->frameCycles(history.core);
    history.is_running = false;
}

void history_moved(void) {
    history.moved = true;
}

void history_cut(uint64_t number, uint32_t cycles) {
    const struct snapshot* snapshot = history_snapshot(number);
    while (history.end > number + 1) {
        struct stored* stored = stored_at(--history.end);
        history.bytes -= stored->size;
        free(stored->bytes);
        stored->bytes = NULL;
    }
    stored_at(number)->run.cycles = cycles;
    stored_at(number)->run.has_events = stored_at(number)->run.was_moved = false;
    if (snapshot) {
        memcpy(history.now, snapshot, history.size);
    }
}

/* --- reading ---------------------------------------------------------------------------------------------------------------- */

uint64_t history_first(void) {
    return history.first;
}

uint64_t history_end(void) {
    return history.end;
}

const struct history_run* history_run(uint64_t number) {
    return &stored_at(number)->run;
}

static bool read_whole(uint64_t number) {
    history.is_read = unpack(stored_at(number), history.read, history.size) == history.size;
    history.at = number;
    return history.is_read;
}

/* Towards the one of this number, which has only differences to the one before. */
static bool read_difference(uint64_t number) {
    const size_t size = unpack(stored_at(number), history.words, 2 * history.size + WORD);
    apply((uint64_t*) (void*) history.read, history.size / WORD, history.words, size / WORD);
    return size > 0;
}

const struct snapshot* history_snapshot(uint64_t number) {
    uint64_t whole = number;
    while (!stored_at(whole)->is_whole) {
        --whole;
    }
    if (!history.is_read || history.at < whole || history.at >= number + (number - whole)) {
        if (!read_whole(whole)) {
            return NULL;
        }
    }
    while (history.at > number) {
        if (stored_at(history.at)->is_whole || !read_difference(history.at)) {
            return read_whole(whole) ? history_snapshot(number) : NULL;
        }
        --history.at;
    }
    while (history.at < number) {
        if (!read_difference(history.at + 1)) {
            history.is_read = false;
            return NULL;
        }
        ++history.at;
    }
    return history.read;
}
