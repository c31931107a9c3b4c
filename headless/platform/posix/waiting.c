#include "platform/waiting.h"

#include "platform/clock.h"
#include "platform/posix/descriptors.h"

#include <limits.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define NS_PER_US 1000

static int sockets = -1; /* epoll, or -1 */

void waiting_begin(void) {
    sockets = epoll_create1(EPOLL_CLOEXEC);
}

void waiting_end(void) {
    if (sockets >= 0) {
        (void) close(sockets);
        sockets = -1;
    }
}

bool waiting_watch(int descriptor, uint32_t id) {
    struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLET, .data = { .u32 = id } };
    return descriptor >= 0 && sockets >= 0 && epoll_ctl(sockets, EPOLL_CTL_ADD, descriptor, &event) == 0;
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
    /* Not epoll_wait(), which knows only milliseconds. A descriptor of -1 is ignored; a signal ends the wait. */
    struct pollfd watched = { .fd = sockets, .events = POLLIN };
    struct epoll_event event;
    if (ppoll(&watched, 1, &limit, NULL) > 0 && epoll_wait(sockets, &event, 1, 0) == 1) {
        return event.data.u32;
    }
    return -1;
}

void waiting_for_news(bool lines, int64_t until_ns) {
    struct pollfd watched[] = {
        { .fd = signals_stop_descriptor(), .events = POLLIN },
        { .fd = signals_stats_descriptor(), .events = POLLIN },
        { .fd = lines ? input_descriptor() : -1, .events = POLLIN }, /* -1 is skipped */
        { .fd = debug_socket_descriptor(), .events = POLLIN },
    };
    int64_t wait_ns = until_ns - clock_now_ns();
    int64_t wait_ms = wait_ns <= 0 ? 0 : wait_ns / NS_PER_MS + 1;
    /* EINTR is a stop signal, which the caller checks; these descriptors cause no other failure. */
    (void) poll(watched, sizeof(watched) / sizeof(*watched), wait_ms > INT_MAX ? INT_MAX : (int) wait_ms);
}
