#include "machine/library.h"

#ifdef LIBMGBA_0_11
#include <mgba-util/audio-buffer.h>
#include <mgba-util/audio-resampler.h>
#else
#include <mgba/core/blip_buf.h>
#endif

#define FULL_VOLUME 0x100
#define SOUND_KEPT (LIBRARY_SOUND_RATE / 4)

static const struct setting* overrides;
static size_t override_count;

void library_override(const struct setting* settings, size_t count) {
    overrides = settings;
    override_count = count;
}

void library_configure(struct mCore* core, const char* saves) {
    /* After init(), which clears the struct. The user's mGBA settings are not read, so that tests do not depend on them. */
    mCoreInitConfig(core, NULL);
    /* Skips known busy-waits of real games, which saves CPU time without a visible difference. */
    mCoreConfigSetDefaultValue(&core->config, "idleOptimization", "remove");
    mCoreConfigSetDefaultIntValue(&core->config, "volume", FULL_VOLUME);
    if (*saves) {
        mCoreConfigSetDefaultValue(&core->config, "savegamePath", saves);
        mCoreConfigSetDefaultValue(&core->config, "savestatePath", saves);
        mCoreConfigSetDefaultValue(&core->config, "screenshotPath", saves);
    }
    for (size_t i = 0; i < override_count; ++i) {
        mCoreConfigSetOverrideValue(&core->config, overrides[i].key, overrides[i].value);
    }
    /* Applies the values set above; mCoreLoadConfig() would read ~/.config/mgba first. */
    mCoreLoadForeignConfig(core, &core->config);
}

static void (*on_rumble)(bool runs);

static void follow_rumble(struct mCore* core, struct mRumble* rumble, void (*on_switch)(bool runs)) {
    on_rumble = on_switch;
    core->setPeripheral(core, mPERIPH_RUMBLE, rumble);
}

#ifdef LIBMGBA_0_11

typedef void (*callbacks_function)(struct mCore* core, const struct mCoreCallbacks* callbacks);

/* The core's own function, while attach or detach runs. */
static callbacks_function original;

static void pass_memory_changes(struct mCore* core, const struct mCoreCallbacks* callbacks) {
    struct mCoreCallbacks passed = { .context = callbacks->context, .memoryBlocksChanged = callbacks->memoryBlocksChanged };
    original(core, &passed);
}

void library_attach_core(struct mScriptContext* context, struct mCore* core) {
    original = core->addCoreCallbacks;
    core->addCoreCallbacks = pass_memory_changes;
    mScriptContextAttachCore(context, core);
    core->addCoreCallbacks = original;
}

void library_detach_core(struct mScriptContext* context, struct mCore* core) {
    original = core->removeCoreCallbacks;
    core->removeCoreCallbacks = pass_memory_changes; /* finds it by its content */
    mScriptContextDetachCore(context);
    core->removeCoreCallbacks = original;
}

/* This libmgba keeps the samples at the rate that the game has set. There is one core with sound. */
static struct {
    bool open;
    struct mAudioResampler resampler;
    struct mAudioBuffer resampled;
} sound;

void library_open_sound(struct mCore* core) {
    if (!sound.open) {
        sound.open = true;
        mAudioResamplerInit(&sound.resampler, mINTERPOLATOR_SINC);
        mAudioBufferInit(&sound.resampled, SOUND_KEPT, 2);
    }
    core->setAudioBufferSize(core, SOUND_KEPT);
    sound.resampler.timestamp = 0;
    mAudioBufferClear(&sound.resampled);
}

size_t library_read_sound(struct mCore* core, int16_t* samples, size_t count) {
    mAudioResamplerSetSource(&sound.resampler, core->getAudioBuffer(core), core->audioSampleRate(core), true);
    mAudioResamplerSetDestination(&sound.resampler, &sound.resampled, LIBRARY_SOUND_RATE);
    (void) mAudioResamplerProcess(&sound.resampler);
    return mAudioBufferRead(&sound.resampled, samples, count);
}

static void reset_rumble(struct mRumble* rumble, bool runs) {
    (void) rumble;
    on_rumble(runs);
}

static void set_rumble(struct mRumble* rumble, bool runs, uint32_t since) {
    (void) rumble;
    (void) since;
    on_rumble(runs);
}

static void integrate_rumble(struct mRumble* rumble, uint32_t period) {
    (void) rumble;
    (void) period;
}

void library_follow_rumble(struct mCore* core, void (*on_switch)(bool runs)) {
    static struct mRumble rumble = { .reset = reset_rumble, .setRumble = set_rumble, .integrate = integrate_rumble };
    follow_rumble(core, &rumble, on_switch);
}

#else

void library_attach_core(struct mScriptContext* context, struct mCore* core) {
    mScriptContextAttachCore(context, core);
}

void library_detach_core(struct mScriptContext* context, struct mCore* core) {
    (void) core;
    mScriptContextDetachCore(context);
}

static void set_rumble(struct mRumble* rumble, int runs) {
    (void) rumble;
    on_rumble(runs != 0);
}

void library_follow_rumble(struct mCore* core, void (*on_switch)(bool runs)) {
    static struct mRumble rumble = { .setRumble = set_rumble };
    follow_rumble(core, &rumble, on_switch);
}

void library_open_sound(struct mCore* core) {
    core->setAudioBufferSize(core, SOUND_KEPT);
    blip_set_rates(core->getAudioChannel(core, 0), core->frequency(core), LIBRARY_SOUND_RATE);
    blip_set_rates(core->getAudioChannel(core, 1), core->frequency(core), LIBRARY_SOUND_RATE);
}

size_t library_read_sound(struct mCore* core, int16_t* samples, size_t count) {
    struct blip_t* left = core->getAudioChannel(core, 0);
    int available = blip_samples_avail(left);
    int wanted = (size_t) available < count ? available : (int) count;
    (void) blip_read_samples(left, samples, wanted, true);
    (void) blip_read_samples(core->getAudioChannel(core, 1), samples + 1, wanted, true);
    return (size_t) wanted;
}

#endif
