/* The control commands; each is answered with one line on stdout. */
#ifndef HEADLESS_COMMANDS_H
#define HEADLESS_COMMANDS_H

struct host;

/* Runs all received lines. Stops after an `advance`, whose answer must precede the next line. */
void commands_serve(struct host* host);
/* Called after every frame and when the game may have been closed: answers an `advance` that is complete or cannot continue. */
void commands_check_advance(struct host* host);

#endif
