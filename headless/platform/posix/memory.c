#include "platform/memory.h"

#include <sys/mman.h>

void* memory_reserve(size_t size) {
    void* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void memory_release(void* memory, size_t size) {
    if (memory) {
        (void) munmap(memory, size);
    }
}
