/* How GB ROMs that test themselves print, by the link port, and report a result: by their registers, or by bytes or words on the link port. */
#ifndef HEADLESS_ROM_TEST_GB_TEST_H
#define HEADLESS_ROM_TEST_GB_TEST_H

#include "machine/library.h"

#include <stdbool.h>

/* Text that the ROM sends to the link port is logged, a message for each line. */
void gb_test_log_link_port(struct mCore* core);
/* Logs the last line, which may have no end. */
void gb_test_flush(void);
/* Whether the text says until now that a test failed. */
bool gb_test_says_failed(void);
/* At the end of each frame: whether there is a result, and whether it is that the ROM failed. */
bool gb_test_result(const struct mCore* core, bool* is_failure);

#endif
