#include "machine/pixels.h"

#include "machine/picture.h"

#include <mgba/script/types.h>

#include <string.h>

#define CHANNELS 3
#define RECIPROCAL_BITS 48

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

/* A side of `from` samples that is reduced to `to`: sample i covers `to` units from i * to on, and sample j of the result `from` units from j * from on. */
struct reduction {
    unsigned from;
    unsigned to;
    struct share {
        uint16_t first;      /* of the result */
        uint16_t weight;     /* in it */
        uint16_t next;       /* in the one behind it */
    } shares[PICTURE_WIDTH];
};

static void prepare(struct reduction* side, unsigned from, unsigned to) {
    if (side->from == from && side->to == to) {
        return;
    }
    side->from = from;
    side->to = to;
    for (unsigned i = 0; i < from; ++i) {
        unsigned begin = i * to;
        unsigned end = (begin / from + 1) * from;
        unsigned weight = begin + to <= end ? to : end - begin;
        side->shares[i] = (struct share) { (uint16_t) (begin / from), (uint16_t) weight, (uint16_t) (to - weight) };
    }
}

/* The weights of a result are `height` units together, and at most 256 * 255 of them fit into 16 bits. */
static void add_row(const uint8_t* row, size_t count, uint16_t weight, uint16_t* sums) {
    for (size_t i = 0; i < count; ++i) {
        sums[i] = (uint16_t) (sums[i] + weight * row[i]);
    }
}

/* One row of the result, from a row of sums. */
static void reduce_row(const uint16_t* sums, const struct reduction* side, unsigned channels, uint64_t reciprocal, uint32_t half, uint8_t* target) {
    uint32_t areas[2][CHANNELS] = { { 0 } }; /* the sample of the result that is being made, and the next one */
    for (unsigned x = 0; x < side->from; ++x) {
        const struct share* share = &side->shares[x];
        for (unsigned channel = 0; channel < channels; ++channel) {
            uint32_t value = *sums++;
            areas[0][channel] += share->weight * value;
            areas[1][channel] += share->next * value;
        }
        if ((x + 1) * side->to >= (share->first + 1u) * side->from) {
            for (unsigned channel = 0; channel < channels; ++channel) {
                *target++ = (uint8_t) ((areas[0][channel] + half) * reciprocal >> RECIPROCAL_BITS);
                areas[0][channel] = areas[1][channel];
                areas[1][channel] = 0;
            }
        }
    }
}

static void reduce(const uint8_t* pixels, size_t stride, unsigned width, unsigned height, unsigned channels, unsigned new_width, unsigned new_height, uint8_t* target) {
    static struct reduction across;
    static struct reduction down;
    static uint8_t row[PICTURE_WIDTH * CHANNELS];
    static uint16_t sums[2][PICTURE_WIDTH * CHANNELS]; /* of the row of the result that is being made, and of the next one */
    const size_t count = (size_t) width * channels;
    const uint32_t area = width * height;
    /* A multiplication by it is the division by the area, exactly for sums of up to 2^(48 - 16). */
    const uint64_t reciprocal = ((UINT64_C(1) << RECIPROCAL_BITS) + area - 1) / area;
    prepare(&across, width, new_width);
    prepare(&down, height, new_height);
    memset(sums, 0, sizeof(sums));
    for (unsigned y = 0; y < height; ++y, pixels += stride) {
        const struct share share = down.shares[y];
        read_row(pixels, width, channels, row);
        add_row(row, count, share.weight, sums[0]);
        if (share.next > 0) {
            add_row(row, count, share.next, sums[1]);
        }
        if ((y + 1) * new_height >= (share.first + 1u) * height) {
            reduce_row(sums[0], &across, channels, reciprocal, area / 2, target);
            target += (size_t) new_width * channels;
            memcpy(sums[0], sums[1], sizeof(sums[0]));
            memset(sums[1], 0, sizeof(sums[1]));
        }
    }
}

size_t pixels_copy(unsigned channels, unsigned width, unsigned height, uint8_t* target) {
    unsigned full_width = size_of(false);
    unsigned full_height = size_of(true);
    const void* pixels = NULL;
    size_t stride = 0;
    if (pixels_core && (channels == 1 || channels == CHANNELS) && width > 0 && width <= full_width && height > 0 && height <= full_height) {
        pixels_core->getPixels(pixels_core, &pixels, &stride);
    }
    if (!pixels) {
        return 0;
    }
    if (width == full_width && height == full_height) {
        for (unsigned y = 0; y < full_height; ++y) {
            read_row((const uint8_t*) pixels + y * stride * sizeof(pixel), full_width, channels, target + (size_t) y * full_width * channels);
        }
    } else {
        reduce(pixels, stride * sizeof(pixel), full_width, full_height, channels, width, height, target);
    }
    return (size_t) width * height * channels;
}

struct mScriptValue* pixels_png(void) {
    struct VFile* file = pixels_core ? VFileMemChunk(NULL, 0) : NULL;
    ssize_t size = file && mCoreTakeScreenshotVF(pixels_core, file) ? file->size(file) : 0;
    void* bytes = size > 0 ? file->map(file, (size_t) size, MAP_READ) : NULL;
    struct mScriptValue* png = mScriptStringCreateFromBytes(bytes ? bytes : "", bytes ? (size_t) size : 0);
    if (file) {
        file->close(file);
    }
    return png;
}

struct mScriptValue* pixels_read(int32_t channels, int32_t width, int32_t height) {
    static uint8_t target[PICTURE_PIXELS * CHANNELS];
    size_t size = pixels_copy((unsigned) channels, width == 0 ? size_of(false) : (unsigned) width, height == 0 ? size_of(true) : (unsigned) height, target);
    return mScriptStringCreateFromBytes(target, size);
}
