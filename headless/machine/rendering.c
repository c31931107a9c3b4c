#include "machine/rendering.h"

#include "machine/picture.h"
#include "machine/pixels.h"
#include "machine/sound.h"
#include "platform/files.h"
#include "platform/pipe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHANNELS 3

static struct {
    bool open;
    char path[PATH_MAX]; /* of the pipe, opened for the first picture: until then nobody may read it */
    int pictures;
    int sound;
    size_t size; /* of a picture; 0 before the first */
    int64_t samples; /* that were written, or are left out */
} rendering = { .pictures = -1, .sound = -1 };

static bool path_in(const char* folder, const char* name, char path[static PATH_MAX], struct failure* failure) {
    int length = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return (length >= 0 && length < PATH_MAX) || failure_set(failure, EXIT_RENDERING, "the path \"%s\" is too long; give --render a shorter one", folder);
}

static bool refuse(const char* path, struct failure* failure) {
    return failure_set(failure, EXIT_RENDERING, "cannot make \"%s\" (%s); give --render a folder that can be written", path, strerror(errno));
}

bool rendering_open(const char* folder, struct failure* failure) {
    char sound[PATH_MAX];
    if (pipe_missing()) {
        return failure_set(failure, EXIT_RENDERING, "--render is not supported here: %s; make videos on Linux", pipe_missing());
    }
    if (!path_in(folder, "pictures", rendering.path, failure) || !path_in(folder, "sound", sound, failure)) {
        return false;
    }
    if (!pipe_make(rendering.path)) {
        return refuse(rendering.path, failure);
    }
    rendering.sound = file_create(sound);
    rendering.open = rendering.sound >= 0;
    return rendering.open || refuse(sound, failure);
}

static void end(const char* reason) {
    (void) fprintf(stderr, "mgba-headless: cannot write the frames: %s\n", reason);
    exit(EXIT_RENDERING);
}

static void write_all(int descriptor, const void* bytes, size_t size) {
    const char* next = bytes;
    while (size > 0) {
        ssize_t written = write(descriptor, next, (unsigned) size);
        if (written < 0 && errno != EINTR) {
            end(strerror(errno));
        } else if (written > 0) {
            next += written;
            size -= (size_t) written;
        }
    }
}

static void write_picture(void) {
    static uint8_t picture[PICTURE_PIXELS * CHANNELS];
    size_t size = pixels_copy(CHANNELS, (unsigned) pixels_width(), (unsigned) pixels_height(), picture);
    if (rendering.size == 0) {
        rendering.size = size;
        rendering.pictures = pipe_open(rendering.path);
        if (rendering.pictures < 0) {
            end(strerror(errno));
        }
    } else if (size != rendering.size) {
        end("the game changes the size of its picture");
    }
    write_all(rendering.pictures, picture, size);
}

void rendering_frame_ended(void) {
    static bool begun;
    if (!rendering.open) {
        return;
    }
    int64_t from = rendering.samples;
    rendering.samples = sound_count();
    if (begun) {
        size_t size;
        const void* samples = sound_since(from, &size);
        write_all(rendering.sound, samples, size);
        write_picture();
    }
    begun = true;
}
