/*
 * Ends the program when its standard input is closed although the main loop does not return: a hung core or a script that never
 * returns would otherwise outlive the program that started it.
 */
#ifndef HEADLESS_INPUT_WATCH_H
#define HEADLESS_INPUT_WATCH_H

#include "failure.h"

#include <pthread.h>
#include <stdbool.h>

struct input_watch {
    pthread_t thread;
    int descriptor; /* of the input */
    int wake[2];    /* a byte ends the thread */
    bool running;
};

bool input_watch_start(struct input_watch* watch, int descriptor, struct failure* failure);
void input_watch_stop(struct input_watch* watch);

#endif
