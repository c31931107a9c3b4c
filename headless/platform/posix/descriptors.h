/* What poll() waits for. */
#ifndef HEADLESS_PLATFORM_POSIX_DESCRIPTORS_H
#define HEADLESS_PLATFORM_POSIX_DESCRIPTORS_H

/* Readable when a stop, and when a stats line, was requested. */
int signals_stop_descriptor(void);
int signals_stats_descriptor(void);
/* Of the control lines; -1: none. */
int input_descriptor(void);
/* Of a debugger; -1: none. */
int debug_socket_descriptor(void);

#endif
