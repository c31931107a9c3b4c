/* Memory that takes place only where it is used: zero, of whole pages. */
#ifndef HEADLESS_PLATFORM_MEMORY_H
#define HEADLESS_PLATFORM_MEMORY_H

#include <stddef.h>

/* NULL when there is none. */
void* memory_reserve(size_t size);
void memory_release(void* memory, size_t size);

#endif
