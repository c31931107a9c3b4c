/*
 * All frames of a game for another program, which encodes them: the pictures in a named pipe (red, green and blue of each pixel, row by row), the sound in a file
 * (16-bit samples of left and right, LIBRARY_SOUND_RATE of each a second of the machine's time). The first frame is left out: in it a script stops the game and
 * loads a state.
 */
#ifndef HEADLESS_MACHINE_RENDERING_H
#define HEADLESS_MACHINE_RENDERING_H

#include "base/failure.h"

/* Makes the pipe `pictures`, unless it is there, and the file `sound` in this folder. */
bool rendering_open(const char* folder, struct failure* failure);
/* A frame has ended. Waits until the other program has read its picture; ends this one when that is not possible. Does nothing unless it was opened. */
void rendering_frame_ended(void);

#endif
