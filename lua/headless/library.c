#include "library.h"

#include "options.h"

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

#else

void library_attach_core(struct mScriptContext* context, struct mCore* core) {
    mScriptContextAttachCore(context, core);
}

void library_detach_core(struct mScriptContext* context, struct mCore* core) {
    (void) core;
    mScriptContextDetachCore(context);
}

#endif
