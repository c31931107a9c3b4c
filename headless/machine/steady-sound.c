#include "machine/steady-sound.h"

#ifdef MGBA_INSIDE

#include <mgba/internal/gb/gb.h>

#define ALL_CHANNELS 0x1F
#define SILENT 2 /* of an envelope */
#define LONG_AGO 0x40000000 /* cycles, behind which a silent channel takes its steps, too */
#define FILTER 65368 /* of the console's capacitors, as libmgba has it */
#define VOLUME 6 /* of 128, as well */

static void (*libmgba_sample)(struct mTiming* timing, void* audio, uint32_t cycles_late);

/* Cycles from a sample on, which may be less than none. */
static int32_t until(uint32_t time, const struct GBAudio* audio) {
    return (int32_t) (time - (uint32_t) audio->lastSample);
}

static int32_t square_step(const struct GBAudioSquareChannel* channel, bool plays, const struct GBAudio* audio) {
    uint32_t cycles = plays && channel->envelope.dead != SILENT ? 4 * (2048 - (uint32_t) channel->control.frequency) * audio->timingFactor : LONG_AGO + 1;
    return until((uint32_t) channel->lastUpdate + cycles, audio);
}

static int32_t noise_step(const struct GBAudioNoiseChannel* channel, const struct GBAudio* audio) {
    uint32_t cycles = ((channel->ratio ? 2 * (uint32_t) channel->ratio : 1) << channel->frequency) * 8 * audio->timingFactor;
    return until(channel->lastEvent + cycles, audio);
}

/* When the next channel takes a step. */
static int32_t next_step(const struct GBAudio* audio) {
    if (!audio->enable) {
        return INT32_MAX;
    }
    int32_t first = square_step(&audio->ch1, audio->playingCh1, audio);
    int32_t second = square_step(&audio->ch2, audio->playingCh2, audio);
    int32_t wave = audio->playingCh3 ? until((uint32_t) audio->ch3.nextUpdate, audio) : INT32_MAX;
    int32_t noise = audio->playingCh4 ? noise_step(&audio->ch4, audio) : INT32_MAX;
    int32_t squares = first < second ? first : second;
    int32_t others = wave < noise ? wave : noise;
    return squares < others ? squares : others;
}

static int16_t filter(int32_t level, int32_t* capacitor) {
    int16_t sample = (int16_t) (level - (*capacitor >> 16));
    *capacitor = (int32_t) ((uint32_t) level << 16) - sample * FILTER;
    return sample;
}

/* All but the last, which libmgba makes: with it the channels get the time. */
static void make_samples(struct GBAudio* audio, int32_t now) {
    const int32_t interval = audio->sampleInterval / GB_MAX_SAMPLES * (int32_t) audio->timingFactor;
    const int32_t count = GB_MAX_SAMPLES - 1;
    const int32_t complete = (now - audio->lastSample) / interval;
    const int32_t end = complete < count ? complete : count;
    int32_t next = INT32_MIN;
    int16_t left = 0;
    int16_t right = 0;
    for (int32_t index = audio->sampleIndex; index < end; ++index) {
        if (index * interval >= next) {
            GBAudioRun(audio, audio->lastSample + index * interval, ALL_CHANNELS);
            /* The noise of several steps is their average, in this sample alone. */
            bool is_average = audio->ch4.nSamples > 1;
            GBAudioSamplePSG(audio, &left, &right);
            left = (int16_t) ((left * audio->masterVolume * VOLUME) >> 7);
            right = (int16_t) ((right * audio->masterVolume * VOLUME) >> 7);
            next = is_average ? INT32_MIN : next_step(audio);
        }
        audio->currentSamples[index].left = filter(left, &audio->capLeft);
        audio->currentSamples[index].right = filter(right, &audio->capRight);
        audio->sampleIndex = index + 1;
    }
}

static void sample(struct mTiming* timing, void* audio, uint32_t cycles_late) {
    make_samples(audio, mTimingCurrentTime(timing));
    libmgba_sample(timing, audio, cycles_late);
}

void steady_sound_open(struct mCore* core) {
    if (core->platform(core) == mPLATFORM_GB) {
        struct mTimingEvent* event = &((struct GB*) core->board)->audio.sampleEvent;
        libmgba_sample = event->callback;
        event->callback = sample;
    }
}

#else

void steady_sound_open(struct mCore* core) {
    (void) core;
}

#endif
