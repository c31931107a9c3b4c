/*
 * Steps that a program on this machine asks for by a local socket, without the text of the script's protocol:
 *
 *   headless.openSteps(path, id)  connects to a socket that listens at this path (AF_UNIX, SOCK_SEQPACKET); wait() reports its data under the id. Returns "",
 *                                 or why not. Of several, the last one is open.
 *   headless.takeStep()           the keys (bits 0-9), whether to reset (bit 16) and the frames (from bit 32) of the next step; -1 when none has come,
 *                                 -2 when the program has closed the socket or sent something else
 *   headless.sendStep(bytes)      answers it; false when that is not possible
 *   headless.closeSteps()         closes it
 *
 * docs/protocol.md, section 7.6, describes the messages. Only a program of the same user is connected to.
 */
#ifndef HEADLESS_PLATFORM_STEP_SOCKET_H
#define HEADLESS_PLATFORM_STEP_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const bool step_socket_is_offered; /* whether the system has such sockets: without, there is no headless.openSteps, and the others do nothing */

/* The descriptor, or -1 and why not. */
int step_socket_open(const char* path, const char** problem);
int64_t step_socket_take(void);
bool step_socket_send(const void* bytes, size_t size);
void step_socket_close(void);

#endif
