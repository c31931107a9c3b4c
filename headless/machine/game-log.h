/*
 * What the game prints by libmgba's debug registers or Nintendo's AGBPrint, and the errors of libmgba, for scripts:
 *
 *   headless.logged()  how many lines there were since the program started
 *   headless.line(n)   line n, from 1, as "CATEGORY: TEXT"; "" when it is no longer kept
 */
#ifndef HEADLESS_MACHINE_GAME_LOG_H
#define HEADLESS_MACHINE_GAME_LOG_H

#include "machine/library.h"

#include <stdarg.h>

void game_log_add(int category, enum mLogLevel level, const char* format, va_list arguments);
int64_t game_log_count(void);
struct mScriptValue* game_log_line(int64_t number);

#endif
