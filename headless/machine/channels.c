#include "machine/channels.h"

#include <mgba/internal/gb/gb.h>
#include <mgba/internal/gba/gba.h>
#include <mgba/internal/gba/serialize.h>

/* GBA: the registers of the channels. */
#define SQUARE_1_SWEEP 0x60
#define SQUARE_1_ENVELOPE 0x62
#define SQUARE_1_CONTROL 0x64
#define SQUARE_2_ENVELOPE 0x68
#define SQUARE_2_CONTROL 0x6C
#define WAVE_BANK 0x70
#define WAVE_CONTROL 0x74
#define NOISE_ENVELOPE 0x78
#define NOISE_CONTROL 0x7C
#define PITCH 0x7FF

#define LONG_AGO 0x40000000u /* cycles */

static bool is_gba(struct mCore* core) {
    return core->platform(core) == mPLATFORM_GBA;
}

static struct GBAudio* audio_of(struct mCore* core) {
    return is_gba(core) ? &((struct GBA*) core->board)->audio.psg : &((struct GB*) core->board)->audio;
}

/* --- silence ------------------------------------------------------------------------------------------------------------------------- */

/* A channel that plays takes the steps since its last one, but none when that seems to be in the future, from 2^31 cycles on. A silent channel takes none. */
static void keep_recent(struct GBAudioSquareChannel* channel, int32_t now) {
    if ((uint32_t) now - (uint32_t) channel->lastUpdate > LONG_AGO) {
        channel->lastUpdate = now;
    }
}

void channels_before_frame(struct mCore* core) {
    struct GBAudio* audio = audio_of(core);
    int32_t now = mTimingCurrentTime(audio->timing);
    keep_recent(&audio->ch1, now);
    keep_recent(&audio->ch2, now);
}

/* --- states of a GBA ----------------------------------------------------------------------------------------------------------------- */

static uint16_t saved(const struct GBASerializedState* state, unsigned address) {
    uint16_t value;
    LOAD_16LE(value, address, state->io);
    return value;
}

/* Games cannot read the pitch, so from 0.10.4 on the registers do not have it, nor do libmgba's own states. It loads one that is there. */
static void add_pitch(struct GBASerializedState* state, unsigned address, int pitch) {
    uint16_t value = (uint16_t) ((saved(state, address) & ~PITCH) | (pitch & PITCH));
    STORE_16LE(value, address, state->io);
}

void channels_saved(struct mCore* core, void* state) {
    const struct GBAudio* audio = audio_of(core);
    if (is_gba(core) && audio->enable) {
        add_pitch(state, SQUARE_1_CONTROL, audio->ch1.control.frequency);
        add_pitch(state, SQUARE_2_CONTROL, audio->ch2.control.frequency);
        add_pitch(state, WAVE_CONTROL, audio->ch3.rate);
    }
}

/* libmgba itself restores where an envelope is in its course, and how long a channel still plays. */
static void restore_envelope(struct GBAudioEnvelope* envelope, uint16_t value) {
    GBAudioRegisterSweep volume = (GBAudioRegisterSweep) (value >> 8);
    envelope->duty = GBAudioRegisterDutyGetDuty((GBAudioRegisterDuty) value);
    envelope->stepTime = GBAudioRegisterSweepGetStepTime(volume);
    envelope->direction = GBAudioRegisterSweepGetDirection(volume);
    envelope->initialVolume = GBAudioRegisterSweepGetInitialVolume(volume);
}

static void restore_square(struct GBAudioSquareChannel* channel, uint16_t envelope, uint16_t control) {
    restore_envelope(&channel->envelope, envelope);
    channel->control.frequency = GBAudioRegisterControlGetFrequency(control);
    channel->control.stop = GBAudioRegisterControlGetStop(control);
}

/* A state does not have the time until the next step of a sweep; without one there would be none. */
static void restore_sweep(struct GBAudioSweep* sweep, uint16_t value) {
    GBAudioRegisterSquareSweep written = (GBAudioRegisterSquareSweep) value;
    sweep->shift = GBAudioRegisterSquareSweepGetShift(written);
    sweep->direction = GBAudioRegisterSquareSweepGetDirection(written);
    sweep->step = sweep->time;
}

static void restore_wave(struct GBAudioWaveChannel* channel, uint16_t value, uint16_t control) {
    GBAudioRegisterBank bank = (GBAudioRegisterBank) value;
    channel->size = GBAudioRegisterBankGetSize(bank);
    channel->bank = GBAudioRegisterBankGetBank(bank);
    channel->enable = GBAudioRegisterBankGetEnable(bank);
    channel->rate = GBAudioRegisterControlGetRate(control);
    channel->stop = GBAudioRegisterControlGetStop(control);
}

static void restore_noise(struct GBAudioNoiseChannel* channel, uint16_t envelope, uint16_t control) {
    GBAudioRegisterNoiseFeedback feedback = (GBAudioRegisterNoiseFeedback) control;
    restore_envelope(&channel->envelope, envelope);
    channel->ratio = GBAudioRegisterNoiseFeedbackGetRatio(feedback);
    channel->frequency = GBAudioRegisterNoiseFeedbackGetFrequency(feedback);
    channel->power = GBAudioRegisterNoiseFeedbackGetPower(feedback);
    channel->stop = GBAudioRegisterNoiseControlGetStop((GBAudioRegisterNoiseControl) (control >> 8));
}

void channels_loaded(struct mCore* core, const void* state) {
    struct GBAudio* audio = audio_of(core);
    /* Sound that is off has cleared them. */
    if (is_gba(core) && audio->enable) {
        restore_sweep(&audio->ch1.sweep, saved(state, SQUARE_1_SWEEP));
        restore_square(&audio->ch1, saved(state, SQUARE_1_ENVELOPE), saved(state, SQUARE_1_CONTROL));
        restore_square(&audio->ch2, saved(state, SQUARE_2_ENVELOPE), saved(state, SQUARE_2_CONTROL));
        restore_wave(&audio->ch3, saved(state, WAVE_BANK), saved(state, WAVE_CONTROL));
        restore_noise(&audio->ch4, saved(state, NOISE_ENVELOPE), saved(state, NOISE_CONTROL));
    }
}
