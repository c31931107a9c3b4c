/* The box with what somebody says. */
#pragma once
#include "state.h"

/* Pages are separated by \f. A page that ends with \a is a question: its second line is the answers. */
void talk_begin(const char *text);
/* Once a frame with the keys that went down; true in the frame in which it ends. state.choice is the answer. */
u32 talk_move(u32 pressed);
void talk_draw(void);
void talk_clear(void);
