/* The tune and the effects. */
#pragma once
#include "hardware.h"

void sound_start(void);
/* Once a frame. */
void sound_move(void);
/* Begins an effect: frequencies with their frames, then two zeros. */
void effect(const u16 *pairs);
void crash(void);
