/* How the program waits, without using the processor. */
#ifndef HEADLESS_PLATFORM_WAITING_H
#define HEADLESS_PLATFORM_WAITING_H

#include <stdbool.h>
#include <stdint.h>

/* Before the first socket. Without memory for it, sockets cannot be watched, and waiting_for_sockets() only sleeps. */
void waiting_begin(void);
void waiting_end(void);

/*
 * Lets waiting_for_sockets() report data on a socket under an id, until the socket is closed; false if that is not possible. Each arrival is reported once: data
 * that is left unread must not end each wait.
 */
bool waiting_watch(int descriptor, uint32_t id);
/* The same for a raw socket of a script. */
struct mScriptSocket;
bool waiting_watch_script(const struct mScriptSocket* socket, uint32_t id);
/* Returns the id of a socket that received something since it was reported last, or -1. A signal ends it, too. */
int64_t waiting_for_sockets(int64_t microseconds);

/* Waits for a signal, a debugger and, with `lines`, for a control line, until `until_ns` at the latest. */
void waiting_for_news(bool lines, int64_t until_ns);

#endif
