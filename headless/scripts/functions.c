#include "scripts/functions.h"

#include "debugger/call-stack.h"
#include "debugger/debugger.h"
#include "debugger/gdb.h"
#include "debugger/disassembly.h"
#include "debugger/script-history.h"
#include "debugger/script-points.h"
#include "debugger/travel.h"
#include "machine/cartridge.h"
#include "machine/cheats.h"
#include "machine/game-clock.h"
#include "machine/game-log.h"
#include "machine/game.h"
#include "machine/kept.h"
#include "machine/pixels.h"
#include "machine/rumble.h"
#include "machine/save-file.h"
#include "machine/sensors.h"
#include "machine/sound.h"
#include "platform/clock.h"
#include "platform/signals.h"
#include "platform/step-socket.h"
#include "platform/waiting.h"

#define NS_PER_US 1000
#define LONGEST_WAIT_US 1000000

/* Bound functions get no context, and there is one host. */
static struct {
    const struct pace* pace;
    int64_t skip;    /* frames without the event `frame` from now on */
    int64_t skipped; /* such frames since skip() was called */
} functions;

static int64_t now(void) {
    return clock_now_ns() / NS_PER_US;
}

static int64_t period(void) {
    return functions.pace->fps > 0 ? (int64_t) (functions.pace->period_ns / NS_PER_US) : 0;
}

static int64_t left(void) {
    int64_t ns = pace_left_ns(functions.pace, clock_now_ns());
    return ns > 0 ? ns / NS_PER_US : 0;
}

static struct mScriptValue* open_steps(const char* path, uint32_t id) {
    const char* problem;
    int descriptor = step_socket_open(path, &problem);
    if (!problem && !waiting_watch(descriptor, id)) {
        step_socket_close();
        problem = "the system has no memory to wait for it";
    }
    return mScriptStringCreateFromUTF8(problem ? problem : "");
}

static bool send_step(struct mScriptString* bytes) {
    return step_socket_send(bytes->buffer, bytes->size);
}

static bool set_camera(struct mScriptString* picture) {
    return sensors_set_camera(picture->buffer, picture->size);
}

static int64_t wait_for_sockets(int64_t microseconds) {
    save_file_serve();
    gdb_serve_inside();
    return waiting_for_sockets(microseconds < 0 ? 0 : microseconds > LONGEST_WAIT_US ? LONGEST_WAIT_US : microseconds);
}

static int64_t skip(int64_t frames) {
    int64_t skipped = functions.skipped;
    functions.skip = frames < 0 ? 0 : frames;
    functions.skipped = 0;
    return skipped;
}

bool functions_skip_frame(void) {
    if (functions.skip == 0) {
        return false;
    }
    --functions.skip;
    ++functions.skipped;
    return true;
}

mSCRIPT_DECLARE_STRUCT(mScriptSocket);
mSCRIPT_BIND_FUNCTION(now_binding, S64, now, 0);
mSCRIPT_BIND_FUNCTION(period_binding, S64, period, 0);
mSCRIPT_BIND_FUNCTION(left_binding, S64, left, 0);
mSCRIPT_BIND_FUNCTION(watch_binding, BOOL, waiting_watch_script, 2, S(mScriptSocket), socket, U32, id);
mSCRIPT_BIND_FUNCTION(wait_binding, S64, wait_for_sockets, 1, S64, microseconds);
mSCRIPT_BIND_FUNCTION(skip_binding, S64, skip, 1, S64, frames);
mSCRIPT_BIND_FUNCTION(is_ending_binding, BOOL, signals_stop_requested, 0);
mSCRIPT_BIND_FUNCTION(logged_binding, S64, game_log_count, 0);
mSCRIPT_BIND_FUNCTION(line_binding, WSTR, game_log_line, 1, S64, number);
mSCRIPT_BIND_FUNCTION(heard_binding, S64, sound_count, 0);
mSCRIPT_BIND_FUNCTION(samples_binding, WSTR, sound_samples, 1, S64, from);
mSCRIPT_BIND_FUNCTION(rumble_binding, BOOL, rumble_ran, 0);
mSCRIPT_BIND_FUNCTION(png_binding, WSTR, pixels_png, 0);
mSCRIPT_BIND_FUNCTION(pixels_binding, WSTR, pixels_read, 3, S32, channels, S32, width, S32, height);
mSCRIPT_BIND_FUNCTION(pixels_width_binding, S32, pixels_width, 0);
mSCRIPT_BIND_FUNCTION(pixels_height_binding, S32, pixels_height, 0);
mSCRIPT_BIND_FUNCTION(keep_state_binding, BOOL, kept_save, 1, S32, number);
mSCRIPT_BIND_FUNCTION(recall_state_binding, BOOL, kept_load, 1, S32, number);
mSCRIPT_BIND_FUNCTION(open_steps_binding, WSTR, open_steps, 2, CHARP, path, U32, id);
mSCRIPT_BIND_FUNCTION(take_step_binding, S64, step_socket_take, 0);
mSCRIPT_BIND_FUNCTION(send_step_binding, BOOL, send_step, 1, STR, bytes);
mSCRIPT_BIND_VOID_FUNCTION(close_steps_binding, step_socket_close, 0);
mSCRIPT_BIND_FUNCTION(is_rom_binding, BOOL, game_is_rom, 1, CHARP, path);
mSCRIPT_BIND_FUNCTION(save_problem_binding, WSTR, save_file_problem_value, 0);
mSCRIPT_BIND_FUNCTION(set_cheat_binding, WSTR, cheats_set, 3, CHARP, name, CHARP, codes, BOOL, enabled);
mSCRIPT_BIND_FUNCTION(load_cheats_binding, WSTR, cheats_load, 1, CHARP, text);
mSCRIPT_BIND_FUNCTION(enable_cheat_binding, BOOL, cheats_enable, 2, CHARP, name, BOOL, enabled);
mSCRIPT_BIND_FUNCTION(remove_cheat_binding, BOOL, cheats_remove, 1, CHARP, name);
mSCRIPT_BIND_VOID_FUNCTION(set_sensors_binding, sensors_set, 4, S32, light, S32, tilt_x, S32, tilt_y, S32, gyro);
mSCRIPT_BIND_FUNCTION(set_camera_binding, BOOL, set_camera, 1, STR, picture);
mSCRIPT_BIND_FUNCTION(clock_binding, WSTR, game_clock_value, 0);
mSCRIPT_BIND_FUNCTION(set_clock_binding, BOOL, game_clock_set, 2, CHARP, mode, S64, value);
mSCRIPT_BIND_FUNCTION(cartridge_binding, WSTR, cartridge_value, 0);
mSCRIPT_BIND_FUNCTION(add_point_binding, S32, script_points_add, 4, S32, kinds, U32, first, U32, last, S32, bank);
mSCRIPT_BIND_FUNCTION(remove_point_binding, BOOL, script_points_remove, 1, S32, id);
mSCRIPT_BIND_FUNCTION(hit_binding, WSTR, script_points_hit, 0);
mSCRIPT_BIND_VOID_FUNCTION(halt_here_binding, script_points_halt_here, 0);
mSCRIPT_BIND_VOID_FUNCTION(halt_binding, travel_halt, 0);
mSCRIPT_BIND_VOID_FUNCTION(release_binding, travel_release, 0);
mSCRIPT_BIND_VOID_FUNCTION(keep_history_binding, script_history_keep, 1, S32, megabytes);
mSCRIPT_BIND_FUNCTION(is_searching_binding, BOOL, travel_is_busy, 0);
mSCRIPT_BIND_FUNCTION(history_binding, WSTR, script_history, 0);
mSCRIPT_BIND_FUNCTION(go_back_binding, BOOL, script_history_go_back, 2, S32, how, S32, count);
mSCRIPT_BIND_FUNCTION(find_writers_binding, BOOL, script_history_find_writers, 4, U32, first, U32, last, S32, bank, S32, count);
mSCRIPT_BIND_FUNCTION(writers_binding, WSTR, script_history_writers, 0);
mSCRIPT_BIND_FUNCTION(find_trace_binding, BOOL, script_history_find_trace, 6, S32, kinds, U32, first, U32, last, S64, frame, S64, number, S32, count);
mSCRIPT_BIND_FUNCTION(trace_binding, WSTR, script_history_trace, 0);
mSCRIPT_BIND_FUNCTION(past_binding, WSTR, script_history_past, 4, S64, frame, CHARP, domain, U32, offset, S32, length);
mSCRIPT_BIND_FUNCTION(call_stack_binding, WSTR, call_stack_lines, 1, S32, count);
mSCRIPT_BIND_VOID_FUNCTION(resume_binding, script_points_resume, 3, S32, how, U32, address, S32, bank);
mSCRIPT_BIND_FUNCTION(halted_binding, WSTR, script_points_halted, 0);
mSCRIPT_BIND_FUNCTION(is_stepping_binding, BOOL, debugger_is_stepping, 0);
mSCRIPT_BIND_FUNCTION(lost_hits_binding, S64, script_points_lost, 0);
mSCRIPT_BIND_FUNCTION(state_problem_binding, WSTR, cartridge_problem_value, 0);
mSCRIPT_BIND_FUNCTION(disassemble_binding, WSTR, disassembly_lines, 4, S64, address, S32, count, CHARP, mode, S32, bank);
mSCRIPT_BIND_FUNCTION(bank_binding, S32, disassembly_bank, 1, U32, address);
mSCRIPT_BIND_FUNCTION(cheat_binding, WSTR, cheats_entry, 1, S64, number);

void functions_begin(const struct pace* pace) {
    functions.pace = pace;
}

void functions_attach(struct mScriptContext* context) {
    functions.skip = functions.skipped = 0;
    step_socket_close();
    script_points_end();
    /* The values are constant; the library only reads them. */
    mScriptContextExportNamespace(context, "headless", (struct mScriptKVPair[]) {
        { "now", (struct mScriptValue*) &now_binding },
        { "period", (struct mScriptValue*) &period_binding },
        { "left", (struct mScriptValue*) &left_binding },
        { "watch", (struct mScriptValue*) &watch_binding },
        { "wait", (struct mScriptValue*) &wait_binding },
        { "skip", (struct mScriptValue*) &skip_binding },
        { "isEnding", (struct mScriptValue*) &is_ending_binding },
        { "logged", (struct mScriptValue*) &logged_binding },
        { "line", (struct mScriptValue*) &line_binding },
        { "heard", (struct mScriptValue*) &heard_binding },
        { "samples", (struct mScriptValue*) &samples_binding },
        { "rumble", (struct mScriptValue*) &rumble_binding },
        { "png", (struct mScriptValue*) &png_binding },
        { "pixels", (struct mScriptValue*) &pixels_binding },
        { "pixelsWidth", (struct mScriptValue*) &pixels_width_binding },
        { "pixelsHeight", (struct mScriptValue*) &pixels_height_binding },
        { "keepState", (struct mScriptValue*) &keep_state_binding },
        { "recallState", (struct mScriptValue*) &recall_state_binding },
        { "takeStep", (struct mScriptValue*) &take_step_binding },
        { "sendStep", (struct mScriptValue*) &send_step_binding },
        { "closeSteps", (struct mScriptValue*) &close_steps_binding },
        { "isRom", (struct mScriptValue*) &is_rom_binding },
        { "saveProblem", (struct mScriptValue*) &save_problem_binding },
        { "setCheat", (struct mScriptValue*) &set_cheat_binding },
        { "loadCheats", (struct mScriptValue*) &load_cheats_binding },
        { "enableCheat", (struct mScriptValue*) &enable_cheat_binding },
        { "removeCheat", (struct mScriptValue*) &remove_cheat_binding },
        { "cheat", (struct mScriptValue*) &cheat_binding },
        { "setSensors", (struct mScriptValue*) &set_sensors_binding },
        { "setCamera", (struct mScriptValue*) &set_camera_binding },
        { "clock", (struct mScriptValue*) &clock_binding },
        { "setClock", (struct mScriptValue*) &set_clock_binding },
        { "cartridge", (struct mScriptValue*) &cartridge_binding },
        { "addPoint", (struct mScriptValue*) &add_point_binding },
        { "removePoint", (struct mScriptValue*) &remove_point_binding },
        { "hit", (struct mScriptValue*) &hit_binding },
        { "haltHere", (struct mScriptValue*) &halt_here_binding },
        { "halt", (struct mScriptValue*) &halt_binding },
        { "release", (struct mScriptValue*) &release_binding },
        { "keepHistory", (struct mScriptValue*) &keep_history_binding },
        { "isSearching", (struct mScriptValue*) &is_searching_binding },
        { "history", (struct mScriptValue*) &history_binding },
        { "goBack", (struct mScriptValue*) &go_back_binding },
        { "findWriters", (struct mScriptValue*) &find_writers_binding },
        { "writers", (struct mScriptValue*) &writers_binding },
        { "findTrace", (struct mScriptValue*) &find_trace_binding },
        { "trace", (struct mScriptValue*) &trace_binding },
        { "past", (struct mScriptValue*) &past_binding },
        { "callStack", (struct mScriptValue*) &call_stack_binding },
        { "resume", (struct mScriptValue*) &resume_binding },
        { "halted", (struct mScriptValue*) &halted_binding },
        { "isStepping", (struct mScriptValue*) &is_stepping_binding },
        { "lostHits", (struct mScriptValue*) &lost_hits_binding },
        { "stateProblem", (struct mScriptValue*) &state_problem_binding },
        { "disassemble", (struct mScriptValue*) &disassemble_binding },
        { "bank", (struct mScriptValue*) &bank_binding },
        { step_socket_is_offered ? "openSteps" : NULL, (struct mScriptValue*) &open_steps_binding }, /* NULL ends the list */
        mSCRIPT_KV_SENTINEL,
    });
}
