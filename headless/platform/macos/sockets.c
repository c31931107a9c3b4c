#include "platform/waiting.h"

#include <fcntl.h>
#include <sys/event.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_US 1000

static int sockets = -1; /* kqueue, or -1 */

void waiting_begin(void) {
    sockets = kqueue();
    if (sockets >= 0) {
        (void) fcntl(sockets, F_SETFD, FD_CLOEXEC); /* cannot fail */
    }
}

void waiting_end(void) {
    if (sockets >= 0) {
        (void) close(sockets);
        sockets = -1;
    }
}

bool waiting_watch(int descriptor, uint32_t id) {
    struct kevent change;
    EV_SET(&change, (uintptr_t) descriptor, EVFILT_READ, EV_ADD | EV_CLEAR, 0, 0, (void*) (uintptr_t) id);
    return descriptor >= 0 && sockets >= 0 && kevent(sockets, &change, 1, NULL, 0, NULL) == 0;
}

/* libmgba defines this structure in its socket.c; the descriptor is its first member in all known versions. */
bool waiting_watch_script(const struct mScriptSocket* object, uint32_t id) {
    int descriptor = *(const int*) (const void*) object;
    int type;
    socklen_t size = sizeof(type);
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM && waiting_watch(descriptor, id);
}

int64_t waiting_for_sockets(int64_t us) {
    struct timespec limit = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * NS_PER_US };
    struct kevent event;
    if (sockets < 0) {
        (void) nanosleep(&limit, NULL);
        return -1;
    }
    /* A signal ends the wait. */
    return kevent(sockets, NULL, 0, &event, 1, &limit) == 1 ? (int64_t) (uintptr_t) event.udata : -1;
}
