/*
 * What console:createBuffer() gives a script here. In a window a text buffer is a tab of the Scripting window; without one it
 * only has to be safe: it keeps its size and cursor, and drops the text. (With no factory at all libmgba 0.10 calls through a
 * null pointer.)
 */
#ifndef HEADLESS_TEXT_BUFFER_H
#define HEADLESS_TEXT_BUFFER_H

struct mScriptContext;
struct text_buffer;

/* `list` owns every buffer made for this context and must outlive it. */
void text_buffer_attach(struct mScriptContext* context, struct text_buffer** list);
/* Only after mScriptContextDeinit(): Lua objects may still point at the buffers before. */
void text_buffer_free_all(struct text_buffer** list);

#endif
