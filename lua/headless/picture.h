/*
 * Draws only pictures that are requested. Drawing is most of the work of a busy game, and few pictures of a server's games are requested.
 *
 * A frame is drawn when a picture was taken within the last frames. For any other frame its state and keys at the start are kept; when a script
 * takes its picture (a screenshot or a state with one), a second machine runs that frame once more and draws it. The game's own machine is not
 * touched, and the picture is that of its frame.
 */
#ifndef HEADLESS_PICTURE_H
#define HEADLESS_PICTURE_H

#include "library.h"

#include <stdbool.h>

struct game;

/* A game was put in: `path` is its ROM. With `all` every frame is drawn. */
void picture_open(struct game* game, const char* path, bool all);
/* Before the core is destroyed. */
void picture_close(void);
/* Before each frame; `draw` when its picture cannot be made later. */
void picture_before_frame(bool draw);
/* A frame has ended, also one inside a call of a script. */
void picture_frame_ended(void);

#endif
