#include "platform/debug-socket.h"

#include "platform/windows/handles.h"

#include <ws2tcpip.h>

static SOCKET listener = INVALID_SOCKET;
static SOCKET client = INVALID_SOCKET;
static WSAEVENT news; /* of both; NULL: none */

HANDLE debug_socket_event(void) {
    return news;
}

static void close_socket(SOCKET* handle) {
    if (*handle != INVALID_SOCKET) {
        (void) closesocket(*handle); /* what was sent is sent also then */
        *handle = INVALID_SOCKET;
    }
}

static bool listen_at(uint16_t port) {
    WSADATA data;
    const BOOL on = TRUE;
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (WSAStartup(MAKEWORD(2, 2), &data)) {
        return false;
    }
    listener = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    news = WSACreateEvent();
    /* SO_REUSEADDR would let another program listen on the same port. */
    return listener != INVALID_SOCKET && news && setsockopt(listener, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char*) &on, sizeof(on)) == 0 &&
        bind(listener, (const struct sockaddr*) &address, sizeof(address)) == 0 && listen(listener, 8) == 0 &&
        WSAEventSelect(listener, news, FD_ACCEPT) == 0;
}

uint16_t debug_socket_open(uint16_t port, struct failure* failure) {
    struct sockaddr_in address;
    int size = sizeof(address);
    if (!listen_at(port) || getsockname(listener, (struct sockaddr*) &address, &size)) {
        (void) failure_set(failure, EXIT_OPTIONS, "cannot listen on port %u for a debugger (error %d); choose another one, or 0", port, WSAGetLastError());
        debug_socket_close();
        return 0;
    }
    return ntohs(address.sin_port);
}

void debug_socket_close(void) {
    debug_socket_drop();
    close_socket(&listener);
    if (news) {
        (void) WSACloseEvent(news);
        news = NULL;
    }
}

enum debug_socket_news debug_socket_accept(void) {
    const BOOL on = TRUE;
    if (news) {
        (void) WSAResetEvent(news); /* before what it announces is read */
    }
    SOCKET accepted = accept(listener, NULL, NULL);
    if (accepted == INVALID_SOCKET) {
        return DEBUG_SOCKET_NONE;
    }
    if (client != INVALID_SOCKET || WSAEventSelect(accepted, news, FD_READ | FD_WRITE | FD_CLOSE)) {
        close_socket(&accepted);
        return DEBUG_SOCKET_REFUSED;
    }
    client = accepted;
    /* An answer that waits for the next one makes each step take 40 ms. */
    (void) setsockopt(client, IPPROTO_TCP, TCP_NODELAY, (const char*) &on, sizeof(on));
    return DEBUG_SOCKET_CONNECTED;
}

static ssize_t result_of(int done) {
    return done >= 0 ? done : WSAGetLastError() == WSAEWOULDBLOCK ? 0 : -1;
}

ssize_t debug_socket_receive(void* bytes, size_t size) {
    if (client == INVALID_SOCKET) {
        return 0;
    }
    int got = recv(client, bytes, (int) size, 0);
    return got == 0 ? -1 : result_of(got);
}

ssize_t debug_socket_send(const void* bytes, size_t size) {
    return client == INVALID_SOCKET ? -1 : result_of(send(client, bytes, (int) size, 0));
}

void debug_socket_drop(void) {
    close_socket(&client);
}
