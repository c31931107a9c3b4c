#include "pixels.h"

#include "picture.h"

#include <mgba/script/types.h>

#include <string.h>

#define CHANNELS 3

/* Bound functions get no context, and there is one machine. */
static struct mCore* pixels_core;

void pixels_of(struct mCore* core) {
    pixels_core = core;
}

static unsigned size_of(bool height) {
    unsigned sizes[2] = { 0, 0 };
    if (pixels_core) {
        library_video_size(pixels_core, &sizes[0], &sizes[1]);
    }
    return sizes[height];
}

int32_t pixels_width(void) {
    return (int32_t) size_of(false);
}

int32_t pixels_height(void) {
    return (int32_t) size_of(true);
}

/* One row of samples. In memory, pixels are red, green, blue and a byte without meaning. */
static void read_row(const uint8_t* pixels, unsigned width, unsigned channels, uint8_t* row) {
    for (unsigned x = 0; x < width; ++x, pixels += sizeof(pixel)) {
        if (channels == 1) {
            *row++ = (uint8_t) ((77u * pixels[0] + 150u * pixels[1] + 29u * pixels[2] + 128u) >> 8);
        } else {
            memcpy(row, pixels, CHANNELS);
            row += CHANNELS;
        }
    }
}

/* Of a side of `from` samples that is reduced to `to`: sample i covers `to` units from i * to on, and sample j of the result `from` units from j * from on. */
struct share {
    unsigned first;      /* of the result */
    uint32_t weight;     /* in it */
    uint32_t next;       /* in the one behind it */
};

static struct share share_of(unsigned index, unsigned from, unsigned to) {
    unsigned begin = index * to;
    unsigned first = begin / from;
    unsigned end = (first + 1) * from;
    uint32_t weight = begin + to <= end ? to : end - begin;
    return (struct share) { first, weight, to - weight };
}

/* Adds a row to sums, of which each has the weights of `width` units in the end. */
static void reduce_row(const uint8_t* row, unsigned from, unsigned to, unsigned channels, uint32_t* sums) {
    memset(sums, 0, sizeof(*sums) * (to + 1) * channels);
    for (unsigned x = 0; x < from; ++x) {
        struct share share = share_of(x, from, to);
        for (unsigned channel = 0; channel < channels; ++channel) {
            uint32_t value = *row++;
            sums[share.first * channels + channel] += share.weight * value;
            sums[(share.first + 1) * channels + channel] += share.next * value;
        }
    }
}

static void reduce(const uint8_t* pixels, size_t stride, unsigned width, unsigned height, unsigned channels, unsigned new_width, unsigned new_height, uint8_t* target) {
    static uint8_t row[PICTURE_WIDTH * CHANNELS];
    static uint32_t sums[(PICTURE_WIDTH + 1) * CHANNELS];
    static uint32_t areas[2][PICTURE_WIDTH * CHANNELS]; /* the row of the result that is being made, and the next one */
    const size_t count = (size_t) new_width * channels;
    const uint32_t area = width * height;
    memset(areas, 0, sizeof(areas));
    for (unsigned y = 0; y < height; ++y, pixels += stride) {
        read_row(pixels, width, channels, row);
        reduce_row(row, width, new_width, channels, sums);
        struct share share = share_of(y, height, new_height);
        for (size_t i = 0; i < count; ++i) {
            areas[0][i] += share.weight * sums[i];
            areas[1][i] += share.next * sums[i];
        }
        if ((y + 1) * new_height >= (share.first + 1) * height) {
            for (size_t i = 0; i < count; ++i) {
                *target++ = (uint8_t) ((areas[0][i] + area / 2) / area);
            }
            memcpy(areas[0], areas[1], sizeof(areas[0]));
            memset(areas[1], 0, sizeof(areas[1]));
        }
    }
}

struct mScriptValue* pixels_read(int32_t channels, int32_t width, int32_t height) {
    static uint8_t target[PICTURE_PIXELS * CHANNELS];
    unsigned full_width = size_of(false);
    unsigned full_height = size_of(true);
    unsigned new_width = width == 0 ? full_width : (unsigned) width;
    unsigned new_height = height == 0 ? full_height : (unsigned) height;
    const void* pixels = NULL;
    size_t stride = 0;
    if (pixels_core && (channels == 1 || channels == CHANNELS) && new_width > 0 && new_width <= full_width && new_height > 0 && new_height <= full_height) {
        pixels_core->getPixels(pixels_core, &pixels, &stride);
    }
    if (!pixels) {
        return mScriptStringCreateFromBytes("", 0);
    }
    unsigned used = (unsigned) channels;
    if (new_width == full_width && new_height == full_height) {
        for (unsigned y = 0; y < full_height; ++y) {
            read_row((const uint8_t*) pixels + y * stride * sizeof(pixel), full_width, used, target + (size_t) y * full_width * used);
        }
    } else {
        reduce(pixels, stride * sizeof(pixel), full_width, full_height, used, new_width, new_height, target);
    }
    return mScriptStringCreateFromBytes(target, (size_t) new_width * new_height * used);
}
