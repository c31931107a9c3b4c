/*
 * Draws only pictures that are requested. Drawing is most of the work of a busy game, and few pictures of a server's games are requested.
 *
 * A frame is drawn when the next picture is expected of it: as many frames after the last one as that came after the one before. For any other
 * frame, the state at its start is kept, or that of a frame before and the keys since, if nothing else changed the machine since; when a script takes
 * its picture (a screenshot or a state with one), a second machine runs from there once more and draws it. The game's own machine is not touched, and
 * the picture is that of its frame.
 */
#ifndef HEADLESS_MACHINE_PICTURE_H
#define HEADLESS_MACHINE_PICTURE_H

#include "machine/library.h"

#include <stdbool.h>
#include <stdint.h>

/* The largest picture any machine draws: a Super Game Boy with its border. Made this big at once, it never has to be resized. */
#define PICTURE_WIDTH 256
#define PICTURE_HEIGHT 224
#define PICTURE_PIXELS ((size_t) PICTURE_WIDTH * PICTURE_HEIGHT)

/* A game was put in, and the core draws into `pixels`. With `all` every frame is drawn. */
void picture_open(struct mCore* core, pixel* pixels, bool all);
/* Before the core is destroyed. */
void picture_close(void);
/* A script or a control command may have changed the machine: the next frame does not follow from the one before. */
void picture_touched(void);
/* Before each frame; `draw` when its picture cannot be made later. */
void picture_before_frame(bool draw);
/* A frame has ended, also one inside a call of a script. */
void picture_frame_ended(void);
/* Frames drawn since the program began, those drawn later included. */
uint64_t picture_drawn(void);

#endif
