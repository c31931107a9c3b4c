#include "platform/step-socket.h"

int step_socket_open(const char* path, const char** problem) {
    (void) path;
    *problem = "not supported on Windows, which has no local sockets for whole messages";
    return -1;
}

int64_t step_socket_take(void) {
    return -2;
}

bool step_socket_send(const void* bytes, size_t size) {
    (void) bytes;
    (void) size;
    return false;
}

void step_socket_close(void) {
}
