#include "machine/sensors.h"

#include "machine/picture.h"

#include <mgba/gba/interface.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIGHT_DARK 255
#define TILT_LIMIT 90000
#define GYRO_LIMIT 1000000
#define THOUSANDTHS 1000
#define RADIANS_A_DEGREE 0.017453292519943295

/* Counts of one g. */
#define GBA_GRAVITY 0xE4
#define GB_GRAVITY 0x70
/* What libmgba shifts out of its signed 32 bits. */
#define SHIFT 21
#define GBA_TILT_SHIFT 22
#define COUNTS_LIMIT 1023

#define CAMERA_WIDTH 128
#define GREY 0x010101u /* times a level: its red, green and blue */

struct sensors {
    struct mRotationSource rotation; /* first: libmgba passes its pointer */
    struct GBALuminanceSource luminance;
    struct mImageSource image;
    uint8_t light;
    int32_t tilt_x;
    int32_t tilt_y;
    int32_t gyro;
    uint32_t camera[SENSORS_CAMERA];
    unsigned camera_number; /* of the picture that the camera sees */
};

static void sample_rotation(struct mRotationSource* source) {
    (void) source;
}

static int32_t read_tilt_x(struct mRotationSource* source) {
    return ((struct sensors*) source)->tilt_x;
}

static int32_t read_tilt_y(struct mRotationSource* source) {
    return ((struct sensors*) source)->tilt_y;
}

static int32_t read_gyro(struct mRotationSource* source) {
    return ((struct sensors*) source)->gyro;
}

static void sample_light(struct GBALuminanceSource* source) {
    (void) source;
}

static uint8_t read_light(struct GBALuminanceSource* source) {
    return ((struct sensors*) ((char*) source - offsetof(struct sensors, luminance)))->light;
}

static void start_images(struct mImageSource* source, unsigned width, unsigned height, int formats) {
    (void) source;
    (void) width;
    (void) height;
    (void) formats; /* libmgba takes any, and has only one camera */
}

static void stop_images(struct mImageSource* source) {
    (void) source;
}

static void take_image(struct mImageSource* source, const void** pixels, size_t* stride, enum mColorFormat* format) {
    *pixels = ((struct sensors*) ((char*) source - offsetof(struct sensors, image)))->camera;
    *stride = CAMERA_WIDTH;
    *format = mCOLOR_XBGR8;
}

#define SENSORS { \
    .rotation = { .sample = sample_rotation, .readTiltX = read_tilt_x, .readTiltY = read_tilt_y, .readGyroZ = read_gyro }, \
    .luminance = { .sample = sample_light, .readLuminance = read_light }, \
    .image = { .startRequestImage = start_images, .stopRequestImage = stop_images, .requestImage = take_image }, \
    .light = LIGHT_DARK, \
}

/* There is one machine, beside the second ones. */
static const struct sensors at_start = SENSORS;
static struct sensors present = SENSORS;
static bool gba;
/* The present values as they were set. */
static int32_t set[4];

void sensors_attach(struct sensors* sensors, struct mCore* core) {
    core->setPeripheral(core, mPERIPH_ROTATION, &sensors->rotation);
    if (core->platform(core) == mPLATFORM_GBA) {
        core->setPeripheral(core, mPERIPH_GBA_LUMINANCE, &sensors->luminance);
    } else {
        core->setPeripheral(core, mPERIPH_IMAGE_SOURCE, &sensors->image);
    }
}

/* "0.10.5"; anything that is no version of 0.10 is later. */
static bool is_before(unsigned patch) {
    unsigned of_library;
    return sscanf(projectVersion, "0.10.%u", &of_library) == 1 && of_library < patch;
}

/* Of the angle that lowers what the game reads. */
static int32_t tilt_of(int32_t thousandths) {
    double gravity = gba ? GBA_GRAVITY : GB_GRAVITY;
    int32_t counts = (int32_t) lround(gravity * sin((double) thousandths / THOUSANDTHS * RADIANS_A_DEGREE));
    if (!gba) {
        return counts * (1 << SHIFT);
    }
    return is_before(3) ? -counts * (1 << SHIFT) : counts * (1 << GBA_TILT_SHIFT);
}

static int32_t clamp(int32_t value, int32_t low, int32_t high) {
    return value < low ? low : value > high ? high : value;
}

static int32_t gyro_of(int32_t thousandths) {
    int32_t counts = (int32_t) lround((double) thousandths / THOUSANDTHS);
    return clamp(is_before(4) ? 2 * counts : counts, -COUNTS_LIMIT, COUNTS_LIMIT) * (1 << SHIFT);
}

void sensors_open(struct mCore* core) {
    gba = core->platform(core) == mPLATFORM_GBA;
    sensors_set(LIGHT_DARK, 0, 0, 0);
    (void) sensors_set_camera("", 0);
    sensors_attach(&present, core);
}

struct sensors* sensors_create(void) {
    struct sensors* sensors = malloc(sizeof(*sensors));
    if (sensors) {
        *sensors = at_start;
    }
    return sensors;
}

void sensors_copy(struct sensors* sensors) {
    sensors->light = present.light;
    sensors->tilt_x = present.tilt_x;
    sensors->tilt_y = present.tilt_y;
    sensors->gyro = present.gyro;
    /* without a copy of the camera's picture each time */
    if (sensors->camera_number != present.camera_number) {
        memcpy(sensors->camera, present.camera, sizeof(sensors->camera));
        sensors->camera_number = present.camera_number;
    }
}

void sensors_read(struct sensors_reading* reading) {
    reading->light = present.light;
    reading->tilt_x = present.tilt_x;
    reading->tilt_y = present.tilt_y;
    reading->gyro = present.gyro;
    for (size_t i = 0; i < SENSORS_CAMERA; ++i) {
        reading->camera[i] = (uint8_t) present.camera[i];
    }
}

void sensors_recall(struct sensors* sensors, const struct sensors_reading* reading) {
    sensors->light = (uint8_t) reading->light;
    sensors->tilt_x = reading->tilt_x;
    sensors->tilt_y = reading->tilt_y;
    sensors->gyro = reading->gyro;
    for (size_t i = 0; i < SENSORS_CAMERA; ++i) {
        sensors->camera[i] = reading->camera[i] * GREY;
    }
}

void sensors_set(int32_t light, int32_t tilt_x, int32_t tilt_y, int32_t gyro) {
    const int32_t values[] = {
        clamp(light, 0, LIGHT_DARK), clamp(tilt_x, -TILT_LIMIT, TILT_LIMIT), clamp(tilt_y, -TILT_LIMIT, TILT_LIMIT), clamp(gyro, -GYRO_LIMIT, GYRO_LIMIT),
    };
    if (!memcmp(values, set, sizeof(set))) {
        return;
    }
    memcpy(set, values, sizeof(set));
    present.light = (uint8_t) values[0];
    present.tilt_x = tilt_of(values[1]);
    present.tilt_y = tilt_of(-values[2]);
    present.gyro = gyro_of(values[3]);
    picture_touched();
}

bool sensors_set_camera(const char* picture, size_t size) {
    if (size != 0 && size != SENSORS_CAMERA) {
        return false;
    }
    for (size_t i = 0; i < SENSORS_CAMERA; ++i) {
        present.camera[i] = size ? (uint8_t) picture[i] * GREY : 0;
    }
    ++present.camera_number;
    picture_touched();
    return true;
}
