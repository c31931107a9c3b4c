/* The TCP socket of a debugger on this machine (127.0.0.1): one client at a time. Nothing here waits. */
#ifndef HEADLESS_PLATFORM_DEBUG_SOCKET_H
#define HEADLESS_PLATFORM_DEBUG_SOCKET_H

#include "base/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum debug_socket_news { DEBUG_SOCKET_NONE, DEBUG_SOCKET_CONNECTED, DEBUG_SOCKET_REFUSED };

/* Returns the port, which is a free one for 0; 0 and a failure if it cannot be used. */
uint16_t debug_socket_open(uint16_t port, struct failure* failure);
void debug_socket_close(void);

/* Whether a program has connected. While there is a client, others are refused: their connection ends at once. */
enum debug_socket_news debug_socket_accept(void);
/* Returns how many bytes came from the client, 0 for none, or -1 when its connection is broken. */
ssize_t debug_socket_receive(void* bytes, size_t size);
/* Returns how many bytes the system has taken, or -1 likewise. */
ssize_t debug_socket_send(const void* bytes, size_t size);
/* Ends the connection with the client. */
void debug_socket_drop(void);

#endif
