#include "platform/step-socket.h"

#include "platform/clock.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

const bool step_socket_is_offered = true;

#define LONGEST_PATH "107"
_Static_assert(sizeof(((struct sockaddr_un*) 0)->sun_path) == 107 + 1, "LONGEST_PATH and its NUL");
#define SEND_BUFFER 1048576 /* a message is sent as a whole: the largest picture has 172,032 bytes */
#define KEYS 0x3FF
#define LONGEST_SPIN_NS (500 * 1000)
#define LEFT_OUT 32 /* looks for a step */

/* What a program sends, little-endian. */
struct step {
    uint16_t keys;
    uint16_t reset; /* 0 or 1 */
    uint32_t frames;
};

/* Bound functions get no context, and there is one machine. */
static int step_socket = -1;

void step_socket_close(void) {
    if (step_socket >= 0) {
        (void) close(step_socket);
        step_socket = -1;
    }
}

static bool is_own(int descriptor) {
    struct ucred peer;
    socklen_t size = sizeof(peer);
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

/* NULL, or why the socket cannot be used. */
static const char* connect_to(int descriptor, const char* path) {
    const int size = SEND_BUFFER;
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof(address.sun_path)) {
        return "its path has more than " LONGEST_PATH " bytes";
    }
    strcpy(address.sun_path, path);
    if (descriptor < 0 || connect(descriptor, (const struct sockaddr*) &address, sizeof(address))) {
        return strerror(errno);
    }
    (void) setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
    return !is_own(descriptor) ? "it is of another user" : NULL;
}

int step_socket_open(const char* path, const char** problem) {
    step_socket_close();
    step_socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    *problem = connect_to(step_socket, path);
    if (*problem) {
        step_socket_close();
    }
    return step_socket;
}

static bool nothing_came(ssize_t got) {
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

/*
 * A processor that has nothing to do answers late, by 0.1 ms in a virtual machine: it is kept for the next step, which comes soon as a rule, while other
 * programs have precedence. Where that does not help, it is left out for a while.
 */
static ssize_t receive(struct step* step) {
    static unsigned left_out;
    const int64_t end = left_out ? 0 : clock_now_ns() + LONGEST_SPIN_NS;
    ssize_t got;
    while (nothing_came(got = recv(step_socket, step, sizeof(*step), MSG_TRUNC)) && end && clock_now_ns() < end) {
        (void) sched_yield();
    }
    left_out = left_out ? left_out - 1 : end && nothing_came(got) ? LEFT_OUT : 0;
    return got;
}

int64_t step_socket_take(void) {
    struct step step;
    ssize_t got = step_socket < 0 ? 0 : receive(&step);
    if (nothing_came(got)) {
        return -1;
    }
    if (got != sizeof(step) || step.keys > KEYS || step.reset > 1 || step.frames > INT32_MAX) {
        return -2;
    }
    return (int64_t) step.frames << 32 | step.reset << 16 | step.keys;
}

bool step_socket_send(const void* bytes, size_t size) {
    return step_socket >= 0 && send(step_socket, bytes, size, MSG_NOSIGNAL) == (ssize_t) size;
}
