#include "platform/waiting.h"

#include "platform/clock.h"
#include "platform/windows/handles.h"

#include <stdlib.h>

#define NS_PER_US 1000

struct watched {
    SOCKET socket;
    uint32_t id;
    bool is_ready;
};

/*
 * One event for all sockets: it is set when data arrives on one of them, or when a script has read a part and there is more, but not again for what is left unread.
 */
static struct {
    WSAEVENT event;
    struct watched* all;
    size_t count;
    size_t capacity;
    size_t next; /* to report: the sockets take turns */
} sockets;

void waiting_begin(void) {
    WSADATA data;
    sockets.event = WSAStartup(MAKEWORD(2, 2), &data) == 0 ? WSACreateEvent() : WSA_INVALID_EVENT;
}

void waiting_end(void) {
    if (sockets.event != WSA_INVALID_EVENT) {
        (void) WSACloseEvent(sockets.event);
        sockets.event = WSA_INVALID_EVENT;
    }
    free(sockets.all);
    sockets.all = NULL;
    sockets.count = sockets.capacity = 0;
}

bool waiting_watch(int descriptor, uint32_t id) {
    (void) descriptor;
    (void) id;
    return false;
}

/* The place of a socket: one that was closed may have had the same handle. */
static struct watched* place_of(SOCKET handle) {
    for (size_t i = 0; i < sockets.count; ++i) {
        if (sockets.all[i].socket == handle) {
            return &sockets.all[i];
        }
    }
    if (sockets.count == sockets.capacity) {
        size_t capacity = sockets.capacity ? 2 * sockets.capacity : 16;
        struct watched* more = realloc(sockets.all, capacity * sizeof(*more));
        if (!more) {
            return NULL;
        }
        sockets.all = more;
        sockets.capacity = capacity;
    }
    return &sockets.all[sockets.count++];
}

/* libmgba defines this structure in its socket.c; the socket is its first member in all known versions. */
bool waiting_watch_script(const struct mScriptSocket* object, uint32_t id) {
    SOCKET handle = *(const SOCKET*) (const void*) object;
    int type;
    int size = sizeof(type);
    if (sockets.event == WSA_INVALID_EVENT || getsockopt(handle, SOL_SOCKET, SO_TYPE, (char*) &type, &size) || type != SOCK_STREAM ||
        WSAEventSelect(handle, sockets.event, FD_READ | FD_ACCEPT | FD_CLOSE)) {
        return false;
    }
    struct watched* place = place_of(handle);
    if (!place) {
        (void) WSAEventSelect(handle, NULL, 0);
        return false;
    }
    *place = (struct watched) { .socket = handle, .id = id };
    return true;
}

/* Notes what has arrived, and forgets sockets that were closed. */
static void look(void) {
    (void) WSAResetEvent(sockets.event);
    size_t kept = 0;
    for (size_t i = 0; i < sockets.count; ++i) {
        struct watched watched = sockets.all[i];
        WSANETWORKEVENTS events;
        if (WSAEnumNetworkEvents(watched.socket, NULL, &events) == 0) {
            watched.is_ready = watched.is_ready || events.lNetworkEvents;
            sockets.all[kept++] = watched;
        }
    }
    sockets.count = kept;
}

static int64_t take_ready(void) {
    for (size_t i = 0; i < sockets.count; ++i) {
        struct watched* watched = &sockets.all[(sockets.next + i) % sockets.count];
        if (watched->is_ready) {
            sockets.next = (sockets.next + i + 1) % sockets.count;
            watched->is_ready = false;
            return watched->id;
        }
    }
    return -1;
}

int64_t waiting_for_sockets(int64_t us) {
    int64_t id = take_ready();
    bool waits = sockets.event != WSA_INVALID_EVENT;
    if (id < 0 && handles_wait(&sockets.event, waits, us * NS_PER_US) == 0 && waits) {
        look();
        id = take_ready();
    }
    return id;
}

void waiting_for_news(bool lines, int64_t until_ns) {
    HANDLE waited[2];
    unsigned count = 0;
    if (lines && input_event()) {
        waited[count++] = input_event();
    }
    if (debug_socket_event()) {
        waited[count++] = debug_socket_event();
    }
    (void) handles_wait(waited, count, until_ns == INT64_MAX ? INT64_MAX : until_ns - clock_now_ns());
}
