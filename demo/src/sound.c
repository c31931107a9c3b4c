#include "assets.h"
#include "sound.h"

#define STEP_FRAMES 13
enum { REST, HOLD }; /* other values are notes */

static u32 at, wait;
static const u16 *playing; /* the effect, which takes the first square wave from the chords */
static u32 effect_wait;

void sound_start(void)
{
    SOUND_ON = 0x80;
    SOUND_MIX = 2;
    SOUND_VOLUME = 0xFF77;
    SOUND1_SWEEP = 8;
    SOUND3_SELECT = 0x40; /* the bank that is written is the one that does not play */
    WAVE_RAM[0] = 0x67452301; /* a triangle */
    WAVE_RAM[1] = 0xEFCDAB89;
    WAVE_RAM[2] = 0x98BADCFE;
    WAVE_RAM[3] = 0x10325476;
    SOUND3_SELECT = 0x80;
    wait = STEP_FRAMES - 1;
}

/* Each note dies away by itself. */
static void play_step(void)
{
    u32 melody = voice_melody[at], chord = voice_chords[at], bass = voice_bass[at];
    if (melody > HOLD) {
        SOUND2_DUTY = 0xA580;
        SOUND2_FREQUENCY = 0x8000 | melody;
    } else if (melody == REST) {
        SOUND2_DUTY = 0;
        SOUND2_FREQUENCY = 0x8000;
    }
    if (chord > HOLD && !playing) {
        SOUND1_DUTY = 0x5240;
        SOUND1_FREQUENCY = 0x8000 | chord;
        SOUND4_ENVELOPE = 0x1100; /* a brush */
        SOUND4_FREQUENCY = 0x8001;
    }
    if (bass > HOLD) {
        SOUND3_VOLUME = 0x2000;
        SOUND3_FREQUENCY = 0x8000 | bass;
    } else if (bass == REST) {
        SOUND3_VOLUME = 0;
    }
    if (++at == TUNE_STEPS)
        at = 0;
}

void sound_move(void)
{
    if (playing && !effect_wait--) {
        if (*playing) {
            SOUND1_DUTY = 0xC280;
            SOUND1_FREQUENCY = 0x8000 | playing[0];
            effect_wait = playing[1] - 1u;
            playing += 2;
        } else {
            playing = 0;
        }
    }
    if (++wait == STEP_FRAMES) {
        wait = 0;
        play_step();
    }
}

void effect(const u16 *pairs)
{
    playing = pairs;
    effect_wait = 0;
}

void crash(void)
{
    SOUND4_ENVELOPE = 0xB200;
    SOUND4_FREQUENCY = 0x8053;
}
