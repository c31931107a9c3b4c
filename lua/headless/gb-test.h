/* How GB ROMs that test themselves print, by the link port, and report a result, by their registers or the link port. */
#ifndef HEADLESS_GB_TEST_H
#define HEADLESS_GB_TEST_H

#include "library.h"

#include <stdbool.h>

/* Text that the ROM sends to the link port is logged, a message for each line. */
void gb_test_log_link_port(struct mCore* core);
/* Logs the last line, which may have no end. */
void gb_test_flush(void);
/* At the end of a frame: whether there is a result, and its exit code, 0 passed, 1 failed. */
bool gb_test_result(const struct mCore* core, int* exit_code);

#endif
