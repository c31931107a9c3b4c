/*
 * The picture for scripts:
 *
 *   headless.png()                            a PNG file; "" when there is no picture. A script alone gets one only with a save state, in three times the time.
 *   headless.pixels(channels, width, height)  3 bytes a pixel (red, green, blue) or 1 (grey: 0.299 red, 0.587 green, 0.114 blue), row by row, reduced to
 *                                             this size by the average of the areas; 0 is the size of the picture. "" when there is none, or a size is larger.
 *   headless.pixelsWidth(), pixelsHeight()    the size of the picture
 */
#ifndef HEADLESS_MACHINE_PIXELS_H
#define HEADLESS_MACHINE_PIXELS_H

#include "machine/library.h"

/* A game was put in, or NULL: it is taken out. */
void pixels_of(struct mCore* core);
/* The same for C; neither side is 0. Returns the bytes that were written, 0 when there is no picture or a size is larger. */
size_t pixels_copy(unsigned channels, unsigned width, unsigned height, uint8_t* target);
struct mScriptValue* pixels_png(void);
struct mScriptValue* pixels_read(int32_t channels, int32_t width, int32_t height);
int32_t pixels_width(void);
int32_t pixels_height(void);

#endif
