/* The machine as GDB sees it: a Game Boy Advance. GDB 13 knows no processor of the Game Boy where Debian built it. */
#ifndef HEADLESS_DEBUGGER_GDB_TARGET_H
#define HEADLESS_DEBUGGER_GDB_TARGET_H

#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

/* The numbers of registers: r0 to r15, cpsr, and behind it those of the other modes. g and G have those up to cpsr. */
#define GDB_SP 13
#define GDB_LR 14
#define GDB_PC 15
#define GDB_CPSR 25
#define GDB_GENERAL_REGISTERS 17

bool gdb_target_has(const struct mCore* core);

/* XML. */
const char* gdb_target_description(void);
const char* gdb_target_memory_map(void);
/* The area of an address, in which first <= address <= last: its permissions, "" where there is nothing. */
const char* gdb_target_area(uint32_t address, uint32_t* first, uint32_t* last);

/* The number of the nth of the general registers. */
unsigned gdb_target_general(unsigned n);
/* False for a number that no register has. */
bool gdb_target_read(struct mCore* core, unsigned number, uint32_t* value);
bool gdb_target_write(struct mCore* core, unsigned number, uint32_t value);
/* An interrupt, or a function of the BIOS, that a step has led to: where it returns to, and with which stack. */
struct gdb_interruption {
    uint32_t address; /* 0: none */
    uint32_t stack;
    uint32_t mode;
};

bool gdb_target_is_interrupted(struct mCore* core, struct gdb_interruption* interruption);
bool gdb_target_is_back(struct mCore* core, const struct gdb_interruption* interruption);

/* Memory was written: the processor fetches instructions ahead. */
void gdb_target_written(struct mCore* core, uint32_t first, uint32_t size);

#endif
