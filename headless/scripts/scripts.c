#include "scripts/scripts.h"

#include "debugger/call-stack.h"
#include "debugger/disassembly.h"
#include "machine/picture.h"
#include "platform/clock.h"
#include "platform/files.h"
#include "scripts/functions.h"
#include "scripts/text-buffer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libmgba passes the logger to on_console(). */
static struct {
    struct mLogger logger; /* first */
    const struct scripts* scripts;
} console;

/*
 * From 0.10.3 on the engine itself logs an error that no script caught, each time. It is reported by scripts_load() and report_error() on every
 * version, so that one is dropped here. The engine has an error only from such a failure until its next call.
 */
static bool is_reported_elsewhere(enum mLogLevel level, const char* format, va_list arguments) {
    const struct mScriptEngineContext* lua = console.scripts->lua;
    const char* error = level == mLOG_ERROR && lua ? lua->getError(console.scripts->lua) : NULL;
    return error && strcmp(format, "%s") == 0 && strcmp(va_arg(arguments, const char*), error) == 0;
}

/* Receives console:log, warn and error. The text is passed as "%s" and its argument, so it may be of any length. */
static void on_console(struct mLogger* logger, int category, enum mLogLevel level, const char* format, va_list arguments) {
    (void) logger;
    (void) category;
    va_list copy;
    va_copy(copy, arguments);
    bool skip = is_reported_elsewhere(level, format, copy);
    va_end(copy);
    if (skip) {
        return;
    }
    FILE* stream = level == mLOG_WARN || level == mLOG_ERROR ? stderr : stdout;
    /* A closed stdout does not stop the game. */
    if (stream == stderr) {
        (void) fputs(level == mLOG_WARN ? "[warn] " : "[error] ", stream);
    }
    (void) vfprintf(stream, format, arguments);
    (void) fputc('\n', stream);
    (void) fflush(stream); /* not every system has streams that do so at the end of a line */
}

bool scripts_open(struct scripts* scripts, struct failure* failure) {
    /* A reset of the scripts does not reset the time. */
    *scripts = (struct scripts) { .callback_ns = scripts->callback_ns };
    mScriptContextInit(&scripts->context);
    /* In the order of the window. Stdlib creates `callbacks`, `C`, `util`; the Lua engine copies all existing globals. */
    mScriptContextAttachStdlib(&scripts->context);
    mScriptContextAttachSocket(&scripts->context);
    functions_attach(&scripts->context);
    scripts->lua = mScriptContextRegisterEngine(&scripts->context, mSCRIPT_ENGINE_LUA);
    if (!scripts->lua) {
        mScriptContextDeinit(&scripts->context);
        return failure_set(failure, EXIT_INTERNAL, "libmgba %s has no Lua engine; install one built with Lua", projectVersion);
    }
    /* Creates `console`; the logger and the factory are stored by pointer and must live as long as the context. */
    console.logger.log = on_console;
    console.scripts = scripts;
    mScriptContextAttachLogger(&scripts->context, &console.logger);
    text_buffer_attach(&scripts->context, &scripts->buffers);
    return true;
}

void scripts_close(struct scripts* scripts) {
    /* Destroys the engine (lua_close) too; the engine context must not be used after this. */
    mScriptContextDeinit(&scripts->context);
    scripts->lua = NULL;
    text_buffer_free_all(&scripts->buffers);
}

void scripts_attach_core(struct scripts* scripts, struct mCore* core) {
    if (scripts->lua && core) {
        library_attach_core(&scripts->context, core);
    }
}

void scripts_detach_core(struct scripts* scripts, struct mCore* core) {
    if (!scripts->lua || !core) {
        return;
    }
    /* Removes `emu` and makes every reference a script kept throw "Invalid object". */
    library_detach_core(&scripts->context, core);
}

/* The window always passes an absolute path, on which `require` in the script's folder and debug.getinfo().source depend. */
static bool absolute_path(const char* path, char out[static PATH_MAX], struct failure* failure) {
    if (path_absolute(path, out)) {
        return true;
    }
    return errno == ENAMETOOLONG ? failure_set(failure, EXIT_SCRIPT_MISSING, "the path of script \"%s\" is too long; move the script", path)
        : failure_set(failure, EXIT_SCRIPT_MISSING, "cannot determine the current directory (%s); give script \"%s\" as an absolute path", strerror(errno), path);
}

static bool check_readable(const char* path, struct failure* failure) {
    struct stat status;
    if (stat(path, &status) || access(path, R_OK)) {
        return failure_set(failure, EXIT_SCRIPT_MISSING, "cannot open script \"%s\" (%s); give the path of a readable Lua file", path,
            strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        /* A directory would load as an empty script, and a pipe could not be read twice. */
        return failure_set(failure, EXIT_SCRIPT_MISSING, "script \"%s\" is not a regular file; give the path of a Lua file", path);
    }
    return true;
}

static const char* engine_error(const struct scripts* scripts) {
    /* NULL if the engine ran out of memory: it has a text only for syntax and runtime errors. */
    const char* error = scripts->lua->getError(scripts->lua);
    return error ? error : "out of memory";
}

/* Parses the script in the engine to get its error. The resulting function is not run: see guarded_run(). */
static bool parse(struct scripts* scripts, const char* path, struct failure* failure) {
    /* Not mScriptContextLoadFile(), which, unlike the window, refuses names that do not end in .lua. */
    struct VFile* file = VFileOpen(path, O_RDONLY);
    if (!file) {
        return failure_set(failure, EXIT_SCRIPT_MISSING, "cannot open script \"%s\"; give the path of a readable Lua file", path);
    }
    bool ok = scripts->lua->load(scripts->lua, path, file);
    (void) file->close(file); /* opened for reading: nothing can be lost */
    return ok || failure_set(failure, EXIT_SCRIPT_SYNTAX, "script has a syntax error: %s; correct the script", engine_error(scripts));
}

/* The path as a Lua string literal of decimal escapes only. */
static void lua_literal(const char* text, char* out) {
    *out++ = '"';
    for (; *text; ++text) {
        out += sprintf(out, "\\%03u", (unsigned) (unsigned char) *text);
    }
    *out++ = '"';
    *out = '\0';
}

/*
 * The engine's run() calls strdup(lua_tostring(error)), so a script that throws a table or nil would end the process. Therefore the
 * engine runs this chunk, which runs the file under xpcall and throws only strings, whatever a script has done to the globals.
 * The file gets the chunk's environment: 0.11 gives each script its own, with `script` in it.
 */
static const char guard[] =
    "local chunk, why = loadfile(%s, 't', _ENV)\n"
    "if chunk then\n"
    "  local fine\n"
    "  fine, why = xpcall(chunk, function(thrown)\n"
    "    if type(thrown) == 'string' then return thrown end\n"
    "    local meta = debug.getmetatable(thrown)\n"
    "    local shown, text = pcall(tostring, thrown)\n"
    "    if shown and (type(thrown) == 'number' or (meta and meta.__tostring)) then return text end\n"
    "    return '(error object is a ' .. type(thrown) .. ' value)'\n"
    "  end)\n"
    "  if fine then return end\n"
    "end\n"
    "error(type(why) == 'string' and why or '(no error message)', 0)\n";

static bool guarded_run(struct scripts* scripts, const char* path, struct failure* failure) {
    char literal[4 * PATH_MAX + 3];
    char chunk[sizeof(guard) + sizeof(literal)];
    lua_literal(path, literal);
    int length = snprintf(chunk, sizeof(chunk), guard, literal);
    struct VFile* file = length < 0 ? NULL : VFileFromConstMemory(chunk, (size_t) length);
    if (!file) {
        return failure_set(failure, EXIT_INTERNAL, "out of memory");
    }
    /* With the name of the script, whose directory the engine adds to the path of `require`, as in the window. */
    bool ok = scripts->lua->load(scripts->lua, path, file) && scripts->lua->run(scripts->lua);
    (void) file->close(file); /* memory only */
    return ok || failure_set(failure, EXIT_SCRIPT_THREW, "script failed while loading: %s; correct the script",
        engine_error(scripts));
}

bool scripts_load(struct scripts* scripts, const char* path, struct failure* failure) {
    char absolute[PATH_MAX];
    ++scripts->count;
    return absolute_path(path, absolute, failure) && check_readable(absolute, failure) &&
        parse(scripts, absolute, failure) && guarded_run(scripts, absolute, failure);
}

/*
 * libmgba 0.10.1 drops errors of callbacks silently; 0.10.3 and later log each (see is_reported_elsewhere()). The error of the event's last callback
 * is still in the engine: print it if it is new, at most one per second.
 */
static void report_error(struct scripts* scripts, const char* event) {
    const char* error = scripts->lua->getError(scripts->lua);
    if (!error || strncmp(error, scripts->last_error, sizeof(scripts->last_error) - 1) == 0) {
        return;
    }
    int64_t now = clock_now_ns();
    if (now < scripts->next_error_report_ns) {
        return;
    }
    scripts->next_error_report_ns = now + NS_PER_SECOND;
    (void) snprintf(scripts->last_error, sizeof(scripts->last_error), "%s", error);
    (void) fprintf(stderr, "[error] callback %s: %s\n", event, error);
}

bool scripts_hear(struct scripts* scripts, const char* event) {
    return scripts->lua && HashTableLookup(&scripts->context.callbacks, event);
}

void scripts_fire(struct scripts* scripts, const char* event) {
    /* keysRead occurs thousands of times a frame: do not read the clock without a callback. */
    if (!scripts_hear(scripts, event)) {
        return;
    }
    if (strcmp(event, "frame") != 0) {
        picture_touched();
    }
    int64_t began = scripts->depth++ ? 0 : clock_now_ns();
    library_trigger(&scripts->context, event);
    if (!--scripts->depth) {
        scripts->callback_ns += clock_now_ns() - began;
    }
    report_error(scripts, event);
}

/* --- what the game calls ------------------------------------------------------------------------------------------------------ */

static void on_attached(void* context, struct mCore* core) {
    disassembly_of(core);
    call_stack_of(core);
    scripts_attach_core(context, core);
}

static void on_detached(void* context, struct mCore* core) {
    scripts_detach_core(context, core);
    disassembly_of(NULL);
    call_stack_of(NULL);
}

static bool hears(void* context, const char* event) {
    return scripts_hear(context, event);
}

static void on_event(void* context, const char* event) {
    scripts_fire(context, event);
}

/* A script skips frames only while it is alone: others have not asked for it. */
static void on_frame(void* context) {
    struct scripts* scripts = context;
    if (scripts->count != 1 || !functions_skip_frame()) {
        scripts_fire(scripts, "frame");
    }
}

struct game_listener scripts_listener(struct scripts* scripts) {
    return (struct game_listener) {
        .context = scripts,
        .attached = on_attached,
        .detached = on_detached,
        .hears = hears,
        .event = on_event,
        .frame = on_frame,
    };
}
