#include "machine/save-file.h"

#include "machine/game-clock.h"
#include "platform/clock.h"
#include "platform/memory.h"
#include "platform/save-storage.h"

#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gb/mbc.h>
#include <mgba/internal/gba/gba.h>
#include <mgba/script/types.h>

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The largest save memory is that of MBC6: 1 MiB of flash memory, its RAM, and a clock. */
#define CAPACITY (2u << 20)
#define PAGE 4096u
#define UNWRITTEN 0xFF /* as cartridges have it that were never written */
#define RETRY_NS (1000 * NS_PER_MS)

struct save_file {
    struct VFile d; /* first: what libmgba gets */
    struct mCore* core;
    /* The save memory. libmgba keeps pointers into it, so it has its final size and never moves. */
    uint8_t* bytes;
    size_t size;
    size_t mapped;
    off_t at;
    bool of_state; /* the bytes came with a state, and the game has not written since: they are not to be in the file */
    bool touched;
    /* What is to be in the file, and which part of it is not there yet. */
    uint8_t* own;
    size_t own_size;
    size_t from;
    size_t to;
    bool sent; /* somebody waits for the answer that it is on disk, whole */
    bool failed;
    int64_t tried_ns;
    struct save_storage file;
};

/* Bound functions get no context, and there is one machine. */
static struct save_file* present;
static char problem[PATH_MAX + 256];

/* --- the file ----------------------------------------------------------------------------------------------------------- */

static bool is_pending(const struct save_file* save) {
    return save->from < save->to;
}

static bool write_pending(struct save_file* save) {
    if (!is_pending(save)) {
        return true;
    }
    save->tried_ns = clock_now_ns();
    const struct save_content content = { .bytes = save->own, .size = save->own_size, .from = save->from, .to = save->to, .sync = save->sent };
    if (save_storage_write(&save->file, &content)) {
        save->from = save->to = 0;
        save->sent = false;
        if (save->failed) {
            (void) fprintf(stderr, "the save file \"%s\" is written again\n", save->file.path);
        }
        save->failed = false;
        *problem = '\0';
        return true;
    }
    (void) snprintf(problem, sizeof(problem), "the save file \"%s\" cannot be written (%s), so that the emulator keeps in memory what the game saved, "
        "and tries again every second; make room there, or let it write there", save->file.path, strerror(errno));
    if (!save->failed) {
        /* Without the program's name: a line with it says why the program ends. */
        (void) fprintf(stderr, "%s\n", problem);
    }
    save->failed = true;
    return false;
}

/* --- the save memory ------------------------------------------------------------------------------------------------------ */

static bool is_filled(const uint8_t* bytes, size_t size, uint8_t value) {
    return size == 0 || (bytes[0] == value && memcmp(bytes, bytes + 1, size - 1) == 0);
}

static void mark(struct save_file* save, size_t from, size_t to) {
    if (!is_pending(save)) {
        save->from = from;
        save->to = to;
    } else {
        save->from = from < save->from ? from : save->from;
        save->to = to > save->to ? to : save->to;
    }
}

/*
 * The save memory is what the file is to have. Memory behind it that was never written is not: libmgba enlarges the file as soon as it knows
 * the kind of memory.
 */
static void commit(struct save_file* save) {
    save->of_state = save->touched = false;
    for (size_t at = 0; at < save->own_size; at += PAGE) {
        size_t size = save->own_size - at < PAGE ? save->own_size - at : PAGE;
        if (memcmp(save->own + at, save->bytes + at, size)) {
            memcpy(save->own + at, save->bytes + at, size);
            mark(save, at, at + size);
        }
    }
    if (save->size > save->own_size && !is_filled(save->bytes + save->own_size, save->size - save->own_size, UNWRITTEN)) {
        memcpy(save->own + save->own_size, save->bytes + save->own_size, save->size - save->own_size);
        mark(save, save->own_size, save->size);
        save->own_size = save->size;
    }
}

static int* dirty_of(const struct mCore* core) {
    return core->platform(core) == mPLATFORM_GBA ? &((struct GBA*) core->board)->memory.savedata.dirty : &((struct GB*) core->board)->sramDirty;
}

/* The game or a script has written since the last look. */
static bool is_written(const struct save_file* save) {
    return save->touched || *dirty_of(save->core);
}

/* --- what libmgba calls ------------------------------------------------------------------------------------------------------ */

static struct save_file* of(struct VFile* file) {
    return (struct save_file*) file;
}

static off_t save_seek(struct VFile* file, off_t offset, int whence) {
    struct save_file* save = of(file);
    off_t at = offset + (whence == SEEK_CUR ? save->at : whence == SEEK_END ? (off_t) save->size : 0);
    if (at < 0 || at > (off_t) CAPACITY) {
        return -1;
    }
    return save->at = at;
}

static ssize_t save_read(struct VFile* file, void* buffer, size_t size) {
    struct save_file* save = of(file);
    size_t at = (size_t) save->at;
    size_t left = at < save->size ? save->size - at : 0;
    size_t count = size < left ? size : left;
    memcpy(buffer, save->bytes + at, count);
    save->at += (off_t) count;
    return (ssize_t) count;
}

static void grow(struct save_file* save, size_t size) {
    if (size > save->size) {
        memset(save->bytes + save->size, 0, size - save->size);
        save->size = size;
    }
}

static ssize_t save_write(struct VFile* file, const void* buffer, size_t size) {
    struct save_file* save = of(file);
    size_t at = (size_t) save->at;
    if (size > CAPACITY - at) {
        return -1;
    }
    grow(save, at + size);
    memcpy(save->bytes + at, buffer, size);
    save->at += (off_t) size;
    save->touched = true;
    return (ssize_t) size;
}

static void* save_map(struct VFile* file, size_t size, int flags) {
    (void) flags;
    struct save_file* save = of(file);
    if (size > CAPACITY) {
        return NULL;
    }
    save->mapped = size;
    return save->bytes;
}

static void save_unmap(struct VFile* file, void* memory, size_t size) {
    (void) file;
    (void) memory;
    (void) size;
}

static void save_truncate(struct VFile* file, size_t size) {
    struct save_file* save = of(file);
    if (size <= CAPACITY) {
        grow(save, size);
        save->size = size;
    }
}

static ssize_t save_size(struct VFile* file) {
    return (ssize_t) of(file)->size;
}

/* When the game has not written for a while: the file has it since the frame in which the game wrote it. */
static bool save_sync(struct VFile* file, void* memory, size_t size) {
    (void) file;
    (void) memory;
    (void) size;
    return true;
}

static void release(struct save_file* save) {
    memory_release(save->bytes, CAPACITY);
    memory_release(save->own, CAPACITY);
    free(save);
}

static bool save_close(struct VFile* file) {
    struct save_file* save = of(file);
    if (!save->of_state) {
        commit(save);
    }
    bool ok = write_pending(save);
    if (present == save) {
        present = NULL;
    }
    release(save);
    return ok;
}

/* --- opening -------------------------------------------------------------------------------------------------------------------- */

/* libmgba defines this structure in its vfs-fd.c; it is the same in all known versions. */
struct file_of_library {
    struct VFile d;
    int descriptor;
};

static bool read_whole(struct VFile* file, uint8_t* bytes, size_t size) {
    if (file->seek(file, 0, SEEK_SET) != 0) {
        return false;
    }
    for (size_t at = 0; at < size;) {
        ssize_t count = file->read(file, bytes + at, size - at);
        if (count <= 0) {
            return false;
        }
        at += (size_t) count;
    }
    return true;
}

static bool fill(struct save_file* save, struct VFile* file) {
    ssize_t size = file->size(file);
    if (size < 0 || size > (ssize_t) CAPACITY || !save->bytes || !save->own || !save_storage_find(((struct file_of_library*) file)->descriptor, &save->file) ||
        !read_whole(file, save->bytes, (size_t) size)) {
        return false;
    }
    save->size = save->own_size = (size_t) size;
    memcpy(save->own, save->bytes, (size_t) size);
    return true;
}

struct VFile* save_file_open(struct mCore* core, struct VFile* file) {
    struct save_file* save = calloc(1, sizeof(*save));
    if (save) {
        save->core = core;
        save->bytes = memory_reserve(CAPACITY); /* not initialised until it is used: a save of 32 KiB takes 64 */
        save->own = memory_reserve(CAPACITY);
        save->d = (struct VFile) {
            .close = save_close,
            .seek = save_seek,
            .read = save_read,
            .readline = VFileReadline,
            .write = save_write,
            .map = save_map,
            .unmap = save_unmap,
            .truncate = save_truncate,
            .size = save_size,
            .sync = save_sync,
        };
    }
    bool ok = save && fill(save, file);
    (void) file->close(file); /* nothing was written */
    if (!ok) {
        if (save) {
            release(save);
        }
        return NULL;
    }
    *problem = '\0';
    present = save;
    return &save->d;
}

struct VFile* save_file_copy(struct VFile* file) {
    ssize_t size = file->size(file);
    uint8_t* bytes = size >= 0 && size <= (ssize_t) CAPACITY ? malloc((size_t) size + 1) : NULL;
    struct VFile* copy = bytes && read_whole(file, bytes, (size_t) size) ? VFileMemChunk(bytes, (size_t) size) : NULL;
    free(bytes);
    (void) file->close(file); /* nothing was written */
    return copy;
}

/* --- what the program calls -------------------------------------------------------------------------------------------------------- */

bool save_file_in_use(const struct mCore* core) {
    const struct VFile* used = core->platform(core) == mPLATFORM_GBA ? ((const struct GBA*) core->board)->memory.savedata.vf : ((const struct GB*) core->board)->sramVf;
    return present && present->core == core && used == &present->d;
}

/* Where libmgba keeps the bytes of a GBA cartridge's clock behind save data of so many bytes; 0 if the cartridge has none. */
static size_t gba_clock_at(struct mCore* core, size_t size) {
    const struct GBA* gba = core->board;
    const struct GBASavedata* savedata = &gba->memory.savedata;
    return savedata->data && gba->memory.hw.devices & HW_RTC && size >= GBASavedataSize(savedata) ? GBASavedataSize(savedata) : 0;
}

/* The bytes of the cartridge's clock behind save data that has them: libmgba reads them only when it opens a file, and a GBA's at a reset. */
static void read_clock(const struct save_file* save, size_t size) {
    if (save->core->platform(save->core) == mPLATFORM_GBA) {
        size_t at = gba_clock_at(save->core, size);
        if (at > 0 && size >= at + sizeof(struct GBASavedataRTCBuffer)) {
            GBASavedataRTCRead(&((struct GBA*) save->core->board)->memory.savedata);
            game_clock_settle(save->core);
        }
        return;
    }
    struct GB* gb = save->core->board;
    if (size <= gb->sramSize) {
        return;
    }
    if (gb->memory.mbcType == GB_MBC3_RTC) {
        GBMBCRTCRead(gb);
    } else if (gb->memory.mbcType == GB_HuC3) {
        GBMBCHuC3Read(gb);
    } else if (gb->memory.mbcType == GB_TAMA5) {
        GBMBCTAMA5Read(gb);
    }
}

bool save_file_restore(struct mCore* core, const void* data, size_t size, enum save_source source) {
    struct save_file* save = present;
    if (size > CAPACITY) {
        return false;
    }
    grow(save, size);
    memcpy(save->bytes, data, size);
    if (size < save->mapped) {
        memset(save->bytes + size, UNWRITTEN, save->mapped - size);
    }
    *dirty_of(core) = 0;
    save->touched = false;
    save->of_state = source == SAVE_OF_STATE;
    if (save->of_state) {
        return true;
    }
    commit(save);
    if (source == SAVE_SENT) {
        read_clock(save, size);
        /* Also what the file has: somebody else may have written it. */
        memcpy(save->own, save->bytes, save->size);
        save->own_size = save->size;
        mark(save, 0, save->own_size);
        save->sent = true;
    }
    (void) write_pending(save);
    return true;
}

size_t save_file_append_clock(struct mCore* core, void** data, size_t size) {
    if (!save_file_in_use(core) || core->platform(core) != mPLATFORM_GBA || size == 0 || gba_clock_at(core, size) != size) {
        return size;
    }
    const struct GBARTC* clock = &((const struct GBA*) core->board)->memory.hw.rtc;
    struct GBASavedataRTCBuffer buffer = { .control = clock->control };
    if (present->size >= size + sizeof(buffer)) {
        memcpy(&buffer, present->bytes + size, sizeof(buffer));
    } else if (clock->lastLatch) {
        /* As libmgba writes them when the game saves next. */
        memcpy(buffer.time, clock->time, sizeof(buffer.time));
        STORE_64LE((uint64_t) clock->lastLatch, 0, &buffer.lastLatch);
    } else {
        return size;
    }
    uint8_t* longer = realloc(*data, size + sizeof(buffer));
    if (!longer) {
        return size;
    }
    memcpy(longer + size, &buffer, sizeof(buffer));
    *data = longer;
    return size + sizeof(buffer);
}

static void commit_written(struct save_file* save) {
    if (!save->of_state || is_written(save)) {
        commit(save);
    }
}

void save_file_before_load(struct mCore* core) {
    if (save_file_in_use(core)) {
        commit_written(present);
        *dirty_of(core) = 0;
    }
}

bool save_file_adopt(struct mCore* core) {
    if (save_file_in_use(core)) {
        commit(present);
        (void) write_pending(present);
    }
    return !*problem;
}

void save_file_settle(struct mCore* core) {
    if (!save_file_in_use(core)) {
        return;
    }
    struct save_file* save = present;
    commit_written(save);
    if (save->of_state) {
        memcpy(save->bytes, save->own, save->own_size);
        if (save->size > save->own_size) {
            memset(save->bytes + save->own_size, UNWRITTEN, save->size - save->own_size);
        }
        /* Not the bytes of a clock that the state has and the file has not: libmgba would take what is there now for a time. */
        size_t size = save->own_size > save->mapped ? save->own_size : save->mapped;
        save->size = save->size < size ? save->size : size;
        save->of_state = false;
    }
}

void save_file_touched(struct mCore* core, bool on_bus) {
    if (save_file_in_use(core) && (!on_bus || *dirty_of(core))) {
        present->touched = true;
    }
}

void save_file_serve(void) {
    if (present && present->touched && save_file_in_use(present->core)) {
        commit(present);
        (void) write_pending(present);
    } else if (present && present->failed && clock_now_ns() - present->tried_ns >= RETRY_NS) {
        (void) write_pending(present);
    }
}

void save_file_frame_ended(struct mCore* core) {
    if (!save_file_in_use(core)) {
        return;
    }
    struct save_file* save = present;
    if (is_written(save)) {
        commit(save);
    }
    if (is_pending(save) && (!save->failed || clock_now_ns() - save->tried_ns >= RETRY_NS)) {
        (void) write_pending(save);
    }
}

bool save_file_write(void) {
    if (!present) {
        return true;
    }
    if (save_file_in_use(present->core)) {
        commit_written(present);
    }
    return write_pending(present);
}

const char* save_file_problem(void) {
    return problem;
}

struct mScriptValue* save_file_problem_value(void) {
    return mScriptStringCreateFromBytes(problem, strlen(problem));
}
