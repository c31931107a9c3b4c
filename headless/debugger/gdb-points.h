/* The breakpoints and watchpoints of GDB, by what GDB calls them. */
#ifndef HEADLESS_DEBUGGER_GDB_POINTS_H
#define HEADLESS_DEBUGGER_GDB_POINTS_H

#include <stdbool.h>
#include <stdint.h>

/* As in the packets Z and z. */
enum gdb_point_type { GDB_SOFTWARE_BREAKPOINT, GDB_HARDWARE_BREAKPOINT, GDB_WRITE_WATCHPOINT, GDB_READ_WATCHPOINT, GDB_ACCESS_WATCHPOINT };

struct gdb_point {
    enum gdb_point_type type;
    uint32_t address;
    uint32_t kind; /* of a watchpoint: its length, 1 or more */
};

/* Also if it is there. With `every`, a write of the same value is a hit of a watchpoint for writes. False if there are too many, or no memory. */
bool gdb_points_add(const struct gdb_point* point, bool every);
/* Also if it is not there. */
void gdb_points_remove(const struct gdb_point* point);
void gdb_points_clear(void);
/* NULL if it is of another debugger. */
const struct gdb_point* gdb_points_find(int id);

#endif
