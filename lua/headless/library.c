#include "library.h"

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
