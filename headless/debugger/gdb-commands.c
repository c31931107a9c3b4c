#include "debugger/gdb-commands.h"

#include "debugger/debugger.h"
#include "debugger/gdb-monitor.h"
#include "debugger/gdb-points.h"
#include "debugger/gdb-target.h"

#include <string.h>

/* As numbers of errno. */
#define NO_MEMORY_THERE "E0e"
#define TOO_MANY "E0c"
#define BAD_ARGUMENT "E16"

#define THREAD "1"
/* In the notation of LLVM. */
#define TRIPLE "armv4t-none-eabi"

struct command {
    const char* name; /* what the packet begins with */
    enum gdb_then (*run)(struct gdb_client* client, const char* arguments, size_t size, struct gdb_answer* answer);
};

static enum gdb_then say(struct gdb_answer* answer, const char* text) {
    gdb_answer_text(answer, text);
    return GDB_ANSWER;
}

static enum gdb_then refuse(struct gdb_answer* answer) {
    return say(answer, BAD_ARGUMENT);
}

#define COMMAND(NAME) static enum gdb_then NAME(struct gdb_client* client, const char* at, size_t size, struct gdb_answer* answer)
/* Most commands need only some of the four. */
#define UNUSED_ARGUMENTS (void) client, (void) at, (void) size, (void) answer

/* --- registers -------------------------------------------------------------------------------------------------------------- */

COMMAND(read_registers) {
    UNUSED_ARGUMENTS;
    for (unsigned i = 0; i < GDB_GENERAL_REGISTERS; ++i) {
        uint32_t value = 0;
        (void) gdb_target_read(client->game->core, gdb_target_general(i), &value);
        gdb_answer_hex(answer, &value, sizeof(value));
    }
    return GDB_ANSWER;
}

COMMAND(write_registers) {
    UNUSED_ARGUMENTS;
    uint32_t values[GDB_GENERAL_REGISTERS];
    if (gdb_take_bytes(&at, (uint8_t*) values, sizeof(values)) != sizeof(values) || *at) {
        return refuse(answer);
    }
    /* cpsr first: it decides which registers the others are. */
    for (unsigned i = GDB_GENERAL_REGISTERS; i-- > 0;) {
        (void) gdb_target_write(client->game->core, gdb_target_general(i), values[i]);
    }
    return say(answer, "OK");
}

COMMAND(read_register) {
    UNUSED_ARGUMENTS;
    uint32_t number;
    uint32_t value;
    if (!gdb_take_number(&at, &number) || *at || !gdb_target_read(client->game->core, number, &value)) {
        return refuse(answer);
    }
    gdb_answer_hex(answer, &value, sizeof(value));
    return GDB_ANSWER;
}

COMMAND(write_register) {
    UNUSED_ARGUMENTS;
    uint32_t number;
    uint32_t value;
    if (!gdb_take_number(&at, &number) || !gdb_take(&at, '=') || gdb_take_bytes(&at, (uint8_t*) &value, sizeof(value)) != sizeof(value) || *at ||
        !gdb_target_write(client->game->core, number, value)) {
        return refuse(answer);
    }
    return say(answer, "OK");
}

/* --- memory ----------------------------------------------------------------------------------------------------------------- */

static uint8_t memory[GDB_PACKET_SIZE];

static bool take_place(const char** at, uint32_t* address, uint32_t* size) {
    return gdb_take_number(at, address) && gdb_take(at, ',') && gdb_take_number(at, size);
}

COMMAND(read_memory) {
    UNUSED_ARGUMENTS;
    uint32_t address;
    uint32_t wanted;
    if (!take_place(&at, &address, &wanted) || *at || wanted == 0) {
        return refuse(answer);
    }
    wanted = wanted < GDB_PACKET_SIZE / 2 ? wanted : GDB_PACKET_SIZE / 2;
    const size_t got = debugger_read(client->game->core, address, DEBUG_ANY_BANK, memory, wanted);
    if (got == 0) {
        return say(answer, NO_MEMORY_THERE);
    }
    gdb_answer_hex(answer, memory, got);
    return GDB_ANSWER;
}

static enum gdb_then write_to(struct gdb_client* client, uint32_t address, const void* bytes, uint32_t size, struct gdb_answer* answer) {
    struct mCore* core = client->game->core;
    const size_t written = size > 0 ? debugger_write(core, address, DEBUG_ANY_BANK, bytes, size) : 0;
    if (written > 0) {
        gdb_target_written(core, address, (uint32_t) written);
    }
    return say(answer, written == size ? "OK" : NO_MEMORY_THERE);
}

COMMAND(write_memory) {
    UNUSED_ARGUMENTS;
    uint32_t address;
    uint32_t wanted;
    if (!take_place(&at, &address, &wanted) || !gdb_take(&at, ':') || wanted > sizeof(memory) || gdb_take_bytes(&at, memory, wanted) != wanted || *at) {
        return refuse(answer);
    }
    return write_to(client, address, memory, wanted, answer);
}

COMMAND(write_binary) {
    UNUSED_ARGUMENTS;
    const char* end = at + size;
    uint32_t address;
    uint32_t wanted;
    if (!take_place(&at, &address, &wanted) || !gdb_take(&at, ':') || (size_t) (end - at) != wanted) {
        return refuse(answer);
    }
    return write_to(client, address, at, wanted, answer);
}

/* --- points ----------------------------------------------------------------------------------------------------------------- */

/* Conditions and commands of a breakpoint are not announced, so that GDB evaluates them itself. */
static bool take_point(const char* at, struct gdb_point* point) {
    const char type = *at;
    if (type < '0' || type > '4') {
        return false;
    }
    ++at;
    point->type = (enum gdb_point_type) (type - '0');
    return gdb_take(&at, ',') && take_place(&at, &point->address, &point->kind) && !*at && point->kind > 0;
}

COMMAND(add_point) {
    UNUSED_ARGUMENTS;
    struct gdb_point point;
    if (!take_point(at, &point)) {
        return *at > '4' && *at <= '9' ? GDB_ANSWER : refuse(answer);
    }
    return say(answer, gdb_points_add(&point, client->watches_behind) ? "OK" : TOO_MANY);
}

COMMAND(remove_point) {
    UNUSED_ARGUMENTS;
    struct gdb_point point;
    if (!take_point(at, &point)) {
        return *at > '4' && *at <= '9' ? GDB_ANSWER : refuse(answer);
    }
    gdb_points_remove(&point);
    return say(answer, "OK");
}

/* --- running ---------------------------------------------------------------------------------------------------------------- */

static enum gdb_then resume(struct gdb_client* client, bool steps) {
    client->resume = (struct gdb_resume) { .steps = steps };
    return GDB_RESUME;
}

/* An address from which it continues. */
static enum gdb_then resume_at(struct gdb_client* client, const char* at, bool steps, struct gdb_answer* answer) {
    uint32_t address;
    if (*at) {
        if (!gdb_take_number(&at, &address) || *at) {
            return refuse(answer);
        }
        (void) gdb_target_write(client->game->core, GDB_PC, address);
    }
    return resume(client, steps);
}

/* A signal, which means nothing to the game, and perhaps an address. */
static enum gdb_then resume_with_signal(struct gdb_client* client, const char* at, bool steps, struct gdb_answer* answer) {
    uint32_t number;
    if (!gdb_take_number(&at, &number) || (*at && (!gdb_take(&at, ';') || !*at))) {
        return refuse(answer);
    }
    return resume_at(client, at, steps, answer);
}

COMMAND(run_on) {
    UNUSED_ARGUMENTS;
    return resume_at(client, at, false, answer);
}

COMMAND(run_on_with_signal) {
    UNUSED_ARGUMENTS;
    return resume_with_signal(client, at, false, answer);
}

COMMAND(step) {
    UNUSED_ARGUMENTS;
    return resume_at(client, at, true, answer);
}

COMMAND(step_with_signal) {
    UNUSED_ARGUMENTS;
    return resume_with_signal(client, at, true, answer);
}

/* 0 is any thread, -1 all of them. */
static bool take_thread(const char** at) {
    uint32_t number;
    if (gdb_take(at, '-')) {
        return gdb_take(at, '1');
    }
    return gdb_take_number(at, &number) && number <= 1;
}

/* One action of vCont, without its thread. */
static bool take_action(const char** at, struct gdb_resume* action) {
    const char letter = **at;
    uint32_t number;
    if (!letter || !strchr("cCsSr", letter)) {
        return false;
    }
    ++*at;
    *action = (struct gdb_resume) { .steps = letter != 'c' && letter != 'C' };
    if (letter == 'C' || letter == 'S') {
        return gdb_take_number(at, &number);
    }
    return letter != 'r' || (gdb_take_number(at, &action->first) && gdb_take(at, ',') && gdb_take_number(at, &action->end));
}

/* The first action that is for the thread counts. */
COMMAND(run_on_as_listed) {
    UNUSED_ARGUMENTS;
    bool found = false;
    struct gdb_resume action;
    while (gdb_take(&at, ';')) {
        if (!take_action(&at, &action) || (gdb_take(&at, ':') && !take_thread(&at))) {
            return refuse(answer);
        }
        if (!found) {
            client->resume = action;
            found = true;
        }
    }
    return found && !*at ? GDB_RESUME : refuse(answer);
}

COMMAND(say_actions) {
    UNUSED_ARGUMENTS;
    return say(answer, "vCont;c;C;s;S;r");
}

COMMAND(say_stop) {
    UNUSED_ARGUMENTS;
    return GDB_TELL_STOP;
}

COMMAND(detach) {
    UNUSED_ARGUMENTS;
    (void) say(answer, "OK");
    return GDB_DETACH;
}

/* The emulator is not ended: others use it. */
COMMAND(kill_it) {
    UNUSED_ARGUMENTS;
    return GDB_DETACH;
}

/* --- what there is ---------------------------------------------------------------------------------------------------------- */

COMMAND(step_back) {
    UNUSED_ARGUMENTS;
    (void) answer;
    client->resume = (struct gdb_resume) { .steps = true, .back = true };
    return GDB_RESUME;
}

COMMAND(run_back) {
    UNUSED_ARGUMENTS;
    (void) answer;
    client->resume = (struct gdb_resume) { .back = true };
    return GDB_RESUME;
}

COMMAND(say_features) {
    UNUSED_ARGUMENTS;
    client->knows_reasons = strstr(at, "swbreak+");
    gdb_answer_format(answer, "PacketSize=%x;", GDB_PACKET_SIZE);
    return say(answer, "QStartNoAckMode+;swbreak+;hwbreak+;vContSupported+;ReverseStep+;ReverseContinue+;qXfer:features:read+;qXfer:memory-map:read+");
}

COMMAND(skip_acks) {
    UNUSED_ARGUMENTS;
    (void) say(answer, "OK");
    return GDB_SKIP_ACKS;
}

static enum gdb_then say_part(const char* at, const char* whole, struct gdb_answer* answer) {
    uint32_t from;
    uint32_t wanted;
    if (!take_place(&at, &from, &wanted) || *at) {
        return refuse(answer);
    }
    /* Each byte of it may need an escape. */
    gdb_answer_part(answer, whole, from, wanted < GDB_PACKET_SIZE / 4 ? wanted : GDB_PACKET_SIZE / 4);
    return GDB_ANSWER;
}

COMMAND(say_description) {
    UNUSED_ARGUMENTS;
    return say_part(at, gdb_target_description(), answer);
}

COMMAND(say_memory_map) {
    UNUSED_ARGUMENTS;
    return say_part(at, gdb_target_memory_map(), answer);
}

COMMAND(take_any_thread) {
    UNUSED_ARGUMENTS;
    return (*at != 'g' && *at != 'c') || (++at, !take_thread(&at)) || *at ? refuse(answer) : say(answer, "OK");
}

COMMAND(say_alive) {
    UNUSED_ARGUMENTS;
    return !take_thread(&at) || *at ? refuse(answer) : say(answer, "OK");
}

COMMAND(say_thread) {
    UNUSED_ARGUMENTS;
    return *at ? GDB_ANSWER : say(answer, "QC" THREAD);
}

COMMAND(say_threads) {
    UNUSED_ARGUMENTS;
    return say(answer, "m" THREAD);
}

COMMAND(say_no_more_threads) {
    UNUSED_ARGUMENTS;
    return say(answer, "l");
}

/* So that GDB detaches at its end. */
COMMAND(say_attached) {
    UNUSED_ARGUMENTS;
    return say(answer, "1");
}

/* --- monitor ---------------------------------------------------------------------------------------------------------------- */

COMMAND(monitor) {
    UNUSED_ARGUMENTS;
    char line[GDB_MONITOR_LINE];
    const size_t length = gdb_take_bytes(&at, (uint8_t*) line, sizeof(line) - 1);
    if (*at || memchr(line, '\0', length)) {
        return refuse(answer);
    }
    line[length] = '\0';
    const uint32_t before = debugger_halted()->count;
    const char* said = gdb_monitor(client->game, line);
    client->moved = client->moved || debugger_halted()->count != before;
    gdb_answer_hex(answer, said, strlen(said));
    return GDB_ANSWER;
}

/* --- lldb ------------------------------------------------------------------------------------------------------------------- */

static void say_machine(struct gdb_answer* answer) {
    gdb_answer_text(answer, "triple:");
    gdb_answer_hex(answer, TRIPLE, strlen(TRIPLE));
    gdb_answer_text(answer, ";ptrsize:4;endian:little;");
}

COMMAND(say_host) {
    UNUSED_ARGUMENTS;
    client->watches_behind = true;
    say_machine(answer);
    return say(answer, "watchpoint_exceptions_received:after;");
}

COMMAND(say_process) {
    UNUSED_ARGUMENTS;
    (void) say(answer, "pid:" THREAD ";");
    say_machine(answer);
    return GDB_ANSWER;
}

COMMAND(say_watchpoints) {
    UNUSED_ARGUMENTS;
    gdb_answer_format(answer, "num:%d;", DEBUG_POINTS);
    return GDB_ANSWER;
}

COMMAND(say_area) {
    UNUSED_ARGUMENTS;
    uint32_t address;
    uint32_t first;
    uint32_t last;
    if (!gdb_take_number(&at, &address) || *at) {
        return refuse(answer);
    }
    const char* permissions = gdb_target_area(address, &first, &last);
    gdb_answer_format(answer, "start:%x;size:%x;", first, last - first + 1);
    if (*permissions) {
        gdb_answer_format(answer, "permissions:%s;", permissions);
    }
    return GDB_ANSWER;
}

/* --- all of them ------------------------------------------------------------------------------------------------------------ */

/* In the order in which they are looked for. An unknown one is answered with nothing. */
static const struct command commands[] = {
    { "?", say_stop },
    { "D", detach },
    { "k", kill_it },
    { "g", read_registers },
    { "G", write_registers },
    { "p", read_register },
    { "P", write_register },
    { "m", read_memory },
    { "M", write_memory },
    { "X", write_binary },
    { "Z", add_point },
    { "z", remove_point },
    { "c", run_on },
    { "C", run_on_with_signal },
    { "s", step },
    { "S", step_with_signal },
    { "bs", step_back },
    { "bc", run_back },
    { "vCont?", say_actions },
    { "vCont", run_on_as_listed },
    { "vKill;", detach },
    { "H", take_any_thread },
    { "T", say_alive },
    { "qSupported", say_features },
    { "QStartNoAckMode", skip_acks },
    { "qXfer:features:read:target.xml:", say_description },
    { "qXfer:memory-map:read::", say_memory_map },
    { "qRcmd,", monitor },
    { "qfThreadInfo", say_threads },
    { "qsThreadInfo", say_no_more_threads },
    { "qAttached", say_attached },
    { "qHostInfo", say_host },
    { "qProcessInfo", say_process },
    { "qMemoryRegionInfo:", say_area },
    { "qWatchpointSupportInfo:", say_watchpoints },
    { "qC", say_thread },
};

enum gdb_then gdb_command(struct gdb_client* client, const char* data, size_t size, struct gdb_answer* answer) {
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); ++i) {
        const size_t length = strlen(commands[i].name);
        if (size >= length && memcmp(data, commands[i].name, length) == 0) {
            return commands[i].run(client, data + length, size - length, answer);
        }
    }
    return GDB_ANSWER;
}

bool gdb_command_continues(const char* data, size_t size) {
    static const char listed[] = "vCont;c";
    return (size == 1 && *data == 'c') || (size >= sizeof(listed) - 1 && memcmp(data, listed, sizeof(listed) - 1) == 0);
}
