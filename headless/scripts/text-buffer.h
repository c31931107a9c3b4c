/*
 * The text buffer of console:createBuffer(). In mgba-qt it is a tab of the Scripting window; here it keeps its size and cursor and
 * drops the text. (Without a factory libmgba 0.10 calls a null pointer.)
 */
#ifndef HEADLESS_SCRIPTS_TEXT_BUFFER_H
#define HEADLESS_SCRIPTS_TEXT_BUFFER_H

struct mScriptContext;
struct text_buffer;

/* `list` owns every buffer made for this context and must outlive it. */
void text_buffer_attach(struct mScriptContext* context, struct text_buffer** list);
/* Only after mScriptContextDeinit(): Lua objects may still point at the buffers before. */
void text_buffer_free_all(struct text_buffer** list);

#endif
