/*
 * The sensors of a cartridge, which games read like keys, for scripts.
 *
 *   headless.setSensors(light, tiltX, tiltY, gyro)   what they measure from now on; values out of range are the nearest in range
 *   headless.setCamera(picture)   what the camera of a Game Boy Camera sees from now on: 128 x 112 bytes, grey from 0 (black), row by row from the top, or ""
 *                                 for darkness, as at the start. False when it has another size
 *
 *   light   0 (bright) to 255 (dark): what the counter of Boktai's sensor sees. At the start 255
 *   tilt    thousandths of a degree, -90,000 to 90,000; positive where the right edge (x) and the edge away from the player (y) are down. At the start 0
 *   gyro    thousandths of a degree a second, -1,000,000 to 1,000,000, clockwise positive. At the start 0
 *
 * What the game reads is the same with each libmgba, whose scale and sign differ (0.10.3 changed the tilt of a GBA, 0.10.4 the gyro):
 *
 *   tilt    the sensors measure acceleration, so a level machine reads the centre, and an angle adds its sine times one g. MBC7: centre 0x81D0 and one g 0x70
 *           counts, lower to the right and higher to the top (Pan Docs; gbdk-2020 measured the same directions). GBA: mGBA's centre 0x3A0 and one g 0xE4
 *           counts, half of the range 0x2AF to 0x477 that was measured (GBATEK), in the same directions
 *   gyro    one count a degree a second, clockwise more. GBATEK has the range 0x354 to 0x9E3 around 0x6C0 and no scale, so this one is a convention of
 *           this program. At rest it is what libmgba has: 0x700, and 0x360 before 0.10.4, which hands out the half of its value, up to 511 counts more
 */
#ifndef HEADLESS_MACHINE_SENSORS_H
#define HEADLESS_MACHINE_SENSORS_H

#include "machine/library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SENSORS_CAMERA ((size_t) 128 * 112) /* bytes of what a camera sees */

/* What the sensors measure at one moment, in units of their own. */
struct sensors_reading {
    int32_t light;
    int32_t tilt_x;
    int32_t tilt_y;
    int32_t gyro;
    uint8_t camera[SENSORS_CAMERA];
};

/* A game was put in: its sensors measure what they do at the start. */
void sensors_open(struct mCore* core);
/* What they measure now. */
void sensors_read(struct sensors_reading* reading);

/* The sensors of a second machine (replica.h). NULL without memory. */
struct sensors;
struct sensors* sensors_create(void);
void sensors_attach(struct sensors* sensors, struct mCore* core);
/* They measure what the present ones do now, or what was read then. */
void sensors_copy(struct sensors* sensors);
void sensors_recall(struct sensors* sensors, const struct sensors_reading* reading);

void sensors_set(int32_t light, int32_t tilt_x, int32_t tilt_y, int32_t gyro);
bool sensors_set_camera(const char* picture, size_t size);

#endif
