#include "debugger/gdb.h"

#include "debugger/debugger.h"
#include "debugger/gdb-commands.h"
#include "debugger/gdb-packets.h"
#include "debugger/gdb-points.h"
#include "debugger/gdb-target.h"
#include "debugger/travel.h"
#include "platform/clock.h"
#include "platform/debug-socket.h"

#include <stdio.h>
#include <string.h>

/* Signals, as GDB numbers them. */
enum { SIGNAL_INTERRUPT = 2, SIGNAL_TRAP = 5, SIGNAL_CRASH = 11 };

/* A debugger says something at once. What does not has no right to keep others away. */
#define SILENCE_NS (5 * NS_PER_SECOND)
/* GDB and lldb ask within less, unless they wait for their user. */
#define BUSY_NS (2 * NS_PER_MS)

static struct {
    const char* program;
    struct gdb_client client;
    struct gdb_input input;
    struct gdb_output output;
    struct gdb_answer answer;    /* the last one */
    char received[4096];
    size_t received_size;
    size_t taken;
    int64_t connected_ns;
    int64_t asked_ns;
    bool is_open;
    bool is_connected;
    bool is_attached;            /* a packet came */
    bool has_packet;             /* in `input`, that is not run yet */
    bool runs;                   /* the client waits for a stop */
    bool is_interrupted;         /* by Ctrl-C */
    bool is_released;            /* by a client that has left before its halt began */
    bool has_resumed;            /* since gdb_serve() began */
    bool has_stepped;            /* over the access that a watchpoint reported */
    uint32_t known;              /* number of the halt that the client was answered with */
    struct gdb_interruption interruption; /* of a step */
} session;

static void warn(const char* sentence) {
    (void) fprintf(stderr, "%s: %s\n", session.program, sentence);
}

static struct mCore* machine(void) {
    return session.client.game->core;
}

static bool has_crashed(void) {
    return session.client.game->crashed;
}

/* No instruction runs until the client, or somebody else, does something. */
static bool stands(void) {
    return !game_can_run(session.client.game) && !travel_is_busy();
}

/* --- the connection --------------------------------------------------------------------------------------------------------- */

static void begin(struct game* game) {
    session.client = (struct gdb_client) { .game = game };
    session.input.place = BETWEEN;
    session.output.size = session.output.sent = session.answer.size = 0;
    session.received_size = session.taken = 0;
    session.is_connected = true;
    session.is_attached = session.has_packet = session.runs = session.is_interrupted = session.has_stepped = false;
    session.interruption.address = 0;
    session.connected_ns = clock_now_ns();
}

/* False if the connection is broken. */
static bool flush(void) {
    const size_t left = session.output.size - session.output.sent;
    ssize_t sent = left > 0 ? debug_socket_send(session.output.bytes + session.output.sent, left) : 0;
    session.output.sent += sent > 0 ? (size_t) sent : 0;
    return sent >= 0;
}

static void leave(void) {
    (void) flush();
    debug_socket_drop();
    session.is_connected = false;
    if (!session.is_attached) {
        return;
    }
    gdb_points_clear();
    if (debugger_is_halted()) {
        travel_release();
    } else {
        session.is_released = debugger_is_stepping();
    }
}

static bool accept_clients(void) {
    enum debug_socket_news news;
    bool any = false;
    if (session.is_connected && !session.is_attached && clock_now_ns() - session.connected_ns > SILENCE_NS) {
        leave();
    }
    while ((news = debug_socket_accept()) != DEBUG_SOCKET_NONE) {
        if (news == DEBUG_SOCKET_CONNECTED) {
            begin(session.client.game);
            any = true;
        } else {
            warn("a second debugger was refused: one is attached; it must detach first");
        }
    }
    return any;
}

static void send_byte(char byte) {
    (void) gdb_output_byte(&session.output, byte);
}

/* An output is empty before each packet is run, so that there is room. */
static void send_answer(void) {
    (void) gdb_output_packet(&session.output, &session.answer);
}

/* The next byte of the client. Nothing is taken while it does not take its answers. */
static bool next_byte(char* byte) {
    if (!flush()) {
        leave();
        return false;
    }
    if (session.output.sent < session.output.size) {
        return false;
    }
    if (session.taken == session.received_size) {
        ssize_t got = debug_socket_receive(session.received, sizeof(session.received));
        session.taken = 0;
        session.received_size = got > 0 ? (size_t) got : 0;
        if (got < 0) {
            leave();
        }
        if (got <= 0) {
            return false;
        }
    }
    *byte = session.received[session.taken++];
    return true;
}

/* --- stops ------------------------------------------------------------------------------------------------------------------ */

static void say_register(unsigned number) {
    uint32_t value = 0;
    (void) gdb_target_read(machine(), number, &value);
    gdb_answer_format(&session.answer, "%02x:", number);
    gdb_answer_hex(&session.answer, &value, sizeof(value));
    gdb_answer_text(&session.answer, ";");
}

/* An address inside what is watched, for which the client looks: the access may begin before, or be to a mirror. */
static uint32_t watched_address(const struct gdb_point* point, uint32_t address) {
    return address >= point->address && address - point->address < point->kind ? address : point->address;
}

static void say_reason(const struct debug_halt* halt) {
    const struct gdb_point* point = halt->reason == DEBUG_POINT ? gdb_points_find(halt->id) : NULL;
    if (!point) {
        return;
    }
    if (point->type >= GDB_WRITE_WATCHPOINT) {
        static const char* const names[] = { "watch", "rwatch", "awatch" };
        gdb_answer_format(&session.answer, "%s:%x;", names[point->type - GDB_WRITE_WATCHPOINT], watched_address(point, halt->hit.address));
        session.has_stepped = !session.client.watches_behind;
    } else if (session.client.knows_reasons) {
        gdb_answer_text(&session.answer, point->type == GDB_SOFTWARE_BREAKPOINT ? "swbreak:;" : "hwbreak:;");
    }
}

static void tell_stop(bool with_reason) {
    const struct debug_halt* halt = debugger_halted();
    const int signal = has_crashed() ? SIGNAL_CRASH : session.is_interrupted && halt->reason == DEBUG_REQUESTED ? SIGNAL_INTERRUPT : SIGNAL_TRAP;
    session.answer.size = 0;
    gdb_answer_format(&session.answer, "T%02x", (unsigned) signal);
    say_register(GDB_SP);
    say_register(GDB_LR);
    say_register(GDB_PC);
    say_register(GDB_CPSR);
    if (with_reason) {
        say_reason(halt);
    }
    if (halt->reason == DEBUG_HISTORY_BEGINS) {
        gdb_answer_text(&session.answer, "replaylog:begin;");
    }
    gdb_answer_text(&session.answer, "thread:1;");
    send_answer();
    session.runs = session.is_interrupted = false;
    session.known = halt->count;
}

/*
 * A step is one instruction of the program: an interrupt that is served behind it, and a function of the BIOS that it calls, run until they return. The stack
 * tells the return from the same instruction inside of them.
 */
static bool continues_step(void) {
    const struct gdb_resume* resume = &session.client.resume;
    struct mCore* core = machine();
    if (!resume->steps || resume->back || debugger_halted()->reason != DEBUG_STEPPED) {
        return false;
    }
    if (session.interruption.address) {
        if (!gdb_target_is_back(core, &session.interruption)) {
            travel_run_to(session.interruption.address, DEBUG_ANY_BANK);
            return true;
        }
        session.interruption.address = 0;
    } else if (gdb_target_is_interrupted(core, &session.interruption)) {
        travel_run_to(session.interruption.address, DEBUG_ANY_BANK);
        return true;
    }
    const uint32_t pc = debugger_pc(core);
    if (pc < resume->first || pc >= resume->end) {
        return false;
    }
    travel_resume(DEBUG_STEP);
    return true;
}

static void check_stop(void) {
    if (session.runs && stands() && !continues_step()) {
        tell_stop(true);
    }
}

/* Without a history, its beginning is here. */
static void say_no_history(void) {
    session.answer.size = 0;
    gdb_answer_format(&session.answer, "T%02xreplaylog:begin;thread:1;", SIGNAL_TRAP);
    send_answer();
    session.runs = false;
}

/*
 * The client knows the registers of the last stop that it was answered with. Where the game was moved meanwhile (a reset, a state), it learns so when it resumes: then the
 * game is halted at once, where it is. A continue behind its own `monitor reset` runs.
 *
 * GDB takes an ARM's watchpoints as reported before the access, and steps once before it compares the values. The access has been made, so that this step is done.
 */
static void resume(void) {
    const bool steps = session.client.resume.steps;
    const bool is_elsewhere = debugger_halted()->count != session.known && (steps || !session.client.moved);
    const bool is_done = steps && session.has_stepped;
    session.client.moved = session.has_stepped = false;
    session.interruption.address = 0;
    if (stands() && (has_crashed() || is_elsewhere || is_done)) {
        tell_stop(false);
        return;
    }
    session.runs = true;
    if (session.client.resume.back) {
        if (!travel_back(steps ? TRAVEL_INSTRUCTION : TRAVEL_BEFORE_POINT, 1)) {
            say_no_history();
        }
    } else if (debugger_is_halted()) {
        travel_resume(steps ? DEBUG_STEP : DEBUG_CONTINUE);
    }
    session.has_resumed = true;
}

/* --- packets ---------------------------------------------------------------------------------------------------------------- */

static void run_packet(void) {
    session.has_packet = false;
    session.asked_ns = clock_now_ns();
    session.answer.size = 0;
    const enum gdb_then then = gdb_command(&session.client, session.input.data, session.input.size, &session.answer);
    switch (then) {
    case GDB_ANSWER:
    case GDB_SKIP_ACKS:
        send_answer();
        session.client.skips_acks = session.client.skips_acks || then == GDB_SKIP_ACKS;
        break;
    case GDB_TELL_STOP:
        tell_stop(true);
        break;
    case GDB_RESUME:
        resume();
        break;
    case GDB_DETACH:
        if (session.answer.size > 0) {
            send_answer();
        }
        leave();
        break;
    }
}

static void take_packet(void) {
    if (!session.is_attached) {
        session.is_attached = true;
        session.is_released = false;
        travel_halt();
    }
    if (!session.client.skips_acks) {
        send_byte('+');
    }
    /* A client that waits for a stop has nothing to say but Ctrl-C. */
    session.has_packet = !session.runs;
}

static void refuse_packet(void) {
    if (!session.client.skips_acks) {
        send_byte('-');
    } else if (!session.runs) {
        session.answer.size = 0;
        gdb_answer_text(&session.answer, "E16");
        send_answer();
    }
}

static void take(enum gdb_arrival arrival) {
    switch (arrival) {
    case GDB_PACKET:
        take_packet();
        break;
    case GDB_DAMAGED:
        refuse_packet();
        break;
    case GDB_AGAIN:
        if (session.is_attached && !session.client.skips_acks && !session.runs) {
            send_answer();
        }
        break;
    case GDB_INTERRUPT:
        if (session.runs) {
            session.is_interrupted = true;
            travel_halt();
        }
        break;
    case GDB_FOREIGN:
        /* So that a web page cannot send packets in a request. */
        if (!session.is_attached) {
            warn("a connection to the port for debuggers was ended: what came is not GDB's protocol");
            leave();
        }
        break;
    case GDB_NOTHING:
        break;
    }
}

/*
 * The client takes the game for halted. Where it runs, because somebody else has resumed it or has reset one that had crashed, it is halted for what the client asks; but
 * not for a continue, which has happened already.
 */
static bool waits_for_halt(void) {
    if (stands() || gdb_command_continues(session.input.data, session.input.size)) {
        return false;
    }
    if (!debugger_is_stepping()) {
        travel_halt();
    }
    return true;
}

static void serve_client(void) {
    char byte;
    while (session.is_connected) {
        check_stop();
        if (session.has_packet) {
            if (waits_for_halt()) {
                return;
            }
            run_packet();
        } else if (next_byte(&byte)) {
            take(gdb_input_take(&session.input, byte));
        } else {
            return;
        }
    }
}

/* --- the program ------------------------------------------------------------------------------------------------------------ */

bool gdb_open(const char* program, uint16_t port, struct game* game, struct failure* failure) {
    const uint16_t actual = debug_socket_open(port, failure);
    if (!actual) {
        return false;
    }
    session.program = program;
    session.client.game = game;
    session.is_open = true;
    (void) fprintf(stderr, "%s: waiting for a debugger at 127.0.0.1:%u\n", program, actual);
    return true;
}

static void say_exit(int exit_code) {
    if (session.is_attached && session.runs) {
        session.answer.size = 0;
        gdb_answer_format(&session.answer, "W%02x", (unsigned) exit_code & 0xFF);
        send_answer();
    }
}

void gdb_close(int exit_code) {
    if (session.is_connected) {
        say_exit(exit_code);
        leave();
    }
    debug_socket_close();
    session.is_open = false;
}

bool gdb_serve(void) {
    if (!session.is_open) {
        return false;
    }
    session.has_resumed = false;
    if (session.is_released && debugger_is_halted()) {
        session.is_released = false;
        travel_release();
    }
    if (session.is_connected && !gdb_target_has(machine())) {
        say_exit(0);
        warn("the debugger was detached: it knows games of the Game Boy Advance only, and none is open");
        leave();
    }
    serve_client();
    /* Behind the end of the client before. */
    if (accept_clients()) {
        serve_client();
    }
    return session.has_resumed;
}

void gdb_serve_inside(void) {
    if (session.is_open && !stands()) {
        (void) gdb_serve();
    }
}

bool gdb_is_busy(void) {
    return session.is_connected && clock_now_ns() - session.asked_ns < BUSY_NS;
}
