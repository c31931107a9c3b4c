/*
 * The libmgba headers, always through this file, the differences between its versions, and the settings of every core.
 *
 * struct mCore has members that exist only with the switches the library was built with (USE_DEBUGGERS, ENABLE_DIRECTORIES, ...), and no header
 * includes mgba/flags.h by itself. Without it every member behind such a block has another offset than in the library, and nothing
 * warns. So flags.h comes first, here, once.
 *
 * 0.10 and 0.11 differ in a header that only 0.11 has. The rest of the program uses the names below on both.
 */
#ifndef HEADLESS_MACHINE_LIBRARY_H
#define HEADLESS_MACHINE_LIBRARY_H

#if __has_include(<mgba/script.h>)
#define LIBMGBA_0_11
#endif

#include <mgba/flags.h>

#if defined(LIBMGBA_0_11) && defined(ENABLE_VFS) && !defined(ENABLE_DIRECTORIES)
/* The build always sets both, but flags.h of 0.11 leaves this one out. */
#define ENABLE_DIRECTORIES
#endif

#include <mgba/core/config.h>
#include <mgba/core/core.h>
#include <mgba/core/log.h>
#include <mgba/core/scripting.h>
#include <mgba/core/serialize.h>
#include <mgba/core/version.h>
#include <mgba/internal/script/lua.h>
#include <mgba/internal/script/socket.h>
#include <mgba/script/context.h>
#include <mgba-util/vfs.h>

#ifdef LIBMGBA_0_11

#include <mgba/script.h>

typedef mColor pixel;
typedef int32_t register_value;

static inline bool library_write_register(struct mCore* core, const char* name, int32_t value) {
    return core->writeRegister(core, name, value);
}

static inline void library_video_size(const struct mCore* core, unsigned* width, unsigned* height) {
    core->currentVideoSize(core, width, height);
}

static inline void library_trigger(struct mScriptContext* context, const char* event) {
    mScriptContextTriggerCallback(context, event, NULL);
}

#else

typedef color_t pixel;
typedef const void* register_value;

static inline bool library_write_register(struct mCore* core, const char* name, int32_t value) {
    return core->writeRegister(core, name, &value);
}

static inline void library_video_size(struct mCore* core, unsigned* width, unsigned* height) {
    core->desiredVideoDimensions(core, width, height);
}

static inline void library_trigger(struct mScriptContext* context, const char* event) {
    mScriptContextTriggerCallback(context, event);
}

#endif

/* Of libmgba's configuration. */
struct setting {
    const char* key;
    const char* value;
};

/* Settings that override those below, in every core. They are kept by pointer. */
void library_override(const struct setting* settings, size_t count);
/* Settings of a new core. `saves` is absolute, or "": 0.11 resolves relative paths against the folder of the user's settings. */
void library_configure(struct mCore* core, const char* saves);

/*
 * Create and remove `emu`. This connects no event of the core to the scripts on any version: game.c does. The events that 0.11 connects would
 * call every script twice, so only the one that keeps `emu.memory` current remains.
 */
void library_attach_core(struct mScriptContext* context, struct mCore* core);
void library_detach_core(struct mScriptContext* context, struct mCore* core);

/* Calls `on_switch` when a game switches the motor of its cartridge. */
void library_follow_rumble(struct mCore* core, void (*on_switch)(bool runs));

/* Samples of left and right a second of the machine's time. */
#define LIBRARY_SOUND_RATE 48000

/* Prepares a new core: its sound is kept for a quarter of a second or longer until it is read, and later sound is not kept. */
void library_open_sound(struct mCore* core);
/* Reads at most `count` pairs of samples and returns how many; 0 when there are no more. */
size_t library_read_sound(struct mCore* core, int16_t* samples, size_t count);

#endif
