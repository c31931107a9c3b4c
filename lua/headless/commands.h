/* What the lines of the control FIFO do, each answered with one line on stdout. */
#ifndef HEADLESS_COMMANDS_H
#define HEADLESS_COMMANDS_H

struct host;

/* Runs all lines that wait. Stops after an `advance`, whose answer has to come before the next line is run. */
void commands_serve(struct host* host);
/* After every frame, and whenever the game may have gone: answers an `advance` that is done or cannot go on. */
void commands_check_advance(struct host* host);

#endif
