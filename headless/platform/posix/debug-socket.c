#include "platform/debug-socket.h"

#include "platform/posix/descriptors.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static int listener = -1;
static int client = -1;
static int both = -1; /* epoll, so that a wait has one descriptor for both */
static bool waits_for_room;

int debug_socket_descriptor(void) {
    return both;
}

static void close_descriptor(int* descriptor) {
    if (*descriptor >= 0) {
        (void) close(*descriptor); /* what was sent is sent also then */
        *descriptor = -1;
    }
}

static bool watch(int descriptor, int operation, uint32_t events) {
    struct epoll_event event = { .events = events };
    return epoll_ctl(both, operation, descriptor, &event) == 0;
}

static bool listen_at(uint16_t port) {
    const int on = 1;
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port), .sin_addr = { htonl(INADDR_LOOPBACK) } };
    listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    both = epoll_create1(EPOLL_CLOEXEC);
    return listener >= 0 && both >= 0 && setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
        bind(listener, (const struct sockaddr*) &address, sizeof(address)) == 0 && listen(listener, 8) == 0 &&
        watch(listener, EPOLL_CTL_ADD, EPOLLIN);
}

uint16_t debug_socket_open(uint16_t port, struct failure* failure) {
    struct sockaddr_in address;
    socklen_t size = sizeof(address);
    if (!listen_at(port) || getsockname(listener, (struct sockaddr*) &address, &size)) {
        (void) failure_set(failure, EXIT_OPTIONS, "cannot listen on port %u for a debugger (%s); choose another one, or 0", port, strerror(errno));
        debug_socket_close();
        return 0;
    }
    return ntohs(address.sin_port);
}

void debug_socket_close(void) {
    debug_socket_drop();
    close_descriptor(&listener);
    close_descriptor(&both);
}

enum debug_socket_news debug_socket_accept(void) {
    const int on = 1;
    int accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted < 0) {
        return DEBUG_SOCKET_NONE;
    }
    if (client >= 0 || !watch(accepted, EPOLL_CTL_ADD, EPOLLIN | EPOLLRDHUP)) {
        close_descriptor(&accepted);
        return DEBUG_SOCKET_REFUSED;
    }
    client = accepted;
    waits_for_room = false;
    /* An answer that waits for the next one makes each step take 40 ms. */
    (void) setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return DEBUG_SOCKET_CONNECTED;
}

static ssize_t result_of(ssize_t done) {
    return done >= 0 ? done : errno == EAGAIN || errno == EINTR ? 0 : -1;
}

ssize_t debug_socket_receive(void* bytes, size_t size) {
    ssize_t got = client < 0 ? 0 : recv(client, bytes, size, 0);
    return got == 0 ? -1 : result_of(got);
}

ssize_t debug_socket_send(const void* bytes, size_t size) {
    ssize_t sent = client < 0 ? -1 : result_of(send(client, bytes, size, MSG_NOSIGNAL));
    bool is_full = sent >= 0 && (size_t) sent < size;
    if (client >= 0 && is_full != waits_for_room) {
        waits_for_room = is_full;
        /* What the client sends meanwhile is not read, and must not end each wait. */
        (void) watch(client, EPOLL_CTL_MOD, is_full ? EPOLLOUT : EPOLLIN | EPOLLRDHUP);
    }
    return sent;
}

void debug_socket_drop(void) {
    close_descriptor(&client);
}
