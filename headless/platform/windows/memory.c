#include "platform/memory.h"

#include <windows.h>

void* memory_reserve(size_t size) {
    return VirtualAlloc(NULL, size, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
}

void memory_release(void* memory, size_t size) {
    (void) size;
    if (memory) {
        (void) VirtualFree(memory, 0, MEM_RELEASE);
    }
}
