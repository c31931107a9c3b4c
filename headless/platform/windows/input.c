#include "platform/input.h"

#include "platform/signals.h"
#include "platform/windows/handles.h"

#include <string.h>

/* As in platform/posix/input.c. */
#define GRACE_MS 1000
#define REPEAT_MS 3200

/* The standard input can only be read by waiting for it, which a thread does. It reads further when all of that was taken. */
static struct {
    bool is_open;
    HANDLE file;
    HANDLE arrived; /* set while there are bytes, or the input has ended */
    HANDLE taken;   /* set while there are none */
    char bytes[4096];
    DWORD used;
    DWORD next;
    bool ended;
} input;

static DWORD WINAPI run(void* argument) {
    (void) argument;
    for (;;) {
        (void) WaitForSingleObject(input.taken, INFINITE);
        DWORD got = 0;
        bool read = ReadFile(input.file, input.bytes, sizeof(input.bytes), &got, NULL);
        input.ended = !read || !got;
        input.used = input.ended ? 0 : got;
        input.next = 0;
        (void) ResetEvent(input.taken);
        (void) SetEvent(input.arrived);
        if (input.ended) {
            break;
        }
    }
    /* The main loop sees the end itself, within a frame, and the process ends. Only if it does not return: */
    Sleep(GRACE_MS);
    for (;;) {
        signals_request_stop();
        Sleep(REPEAT_MS);
    }
    return 0; /* not reached */
}

bool input_open(const char* path, struct failure* failure) {
    if (!path) {
        return true;
    }
    if (strcmp(path, "-")) {
        return failure_set(failure, EXIT_CONTROL, "--control \"%s\" is not supported on Windows, which has no FIFOs; give --control - and write to the standard input", path);
    }
    input.file = GetStdHandle(STD_INPUT_HANDLE);
    input.arrived = CreateEventW(NULL, TRUE, FALSE, NULL);
    input.taken = CreateEventW(NULL, TRUE, TRUE, NULL);
    HANDLE thread = input.arrived && input.taken ? CreateThread(NULL, 0, run, NULL, 0, NULL) : NULL;
    if (!thread) {
        return failure_set(failure, EXIT_INTERNAL, "cannot read the standard input (error %lu of Windows)", GetLastError());
    }
    (void) CloseHandle(thread);
    input.is_open = true;
    return true;
}

bool input_is_open(void) {
    return input.is_open;
}

HANDLE input_event(void) {
    return input.arrived;
}

ssize_t input_read(void* bytes, size_t size) {
    if (WaitForSingleObject(input.arrived, 0) != WAIT_OBJECT_0) {
        return 0;
    }
    if (input.ended) {
        return -1;
    }
    size_t left = input.used - input.next;
    size_t count = size < left ? size : left;
    memcpy(bytes, input.bytes + input.next, count);
    input.next += (DWORD) count;
    if (input.next == input.used) {
        (void) ResetEvent(input.arrived);
        (void) SetEvent(input.taken);
    }
    return (ssize_t) count;
}

/* The thread ends with the process: it may wait for the input. */
void input_close(void) {
    input.is_open = false;
}
