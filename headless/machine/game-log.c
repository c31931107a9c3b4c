#include "machine/game-log.h"

#include <mgba/script/types.h>

#include <stdio.h>
#include <string.h>

#define LINES 1024
#define LINE_SIZE 320 /* the longest text of a game is 256 bytes */

/* The newest lines: a logger is called without a context, and there is one machine. */
static struct {
    char lines[LINES][LINE_SIZE];
    int64_t count;
} game_log;

void game_log_add(int category, enum mLogLevel level, const char* format, va_list arguments) {
    if (level & (mLOG_FATAL | mLOG_ERROR) || category == mLogCategoryById("gba.debug")) {
        char* line = game_log.lines[game_log.count++ % LINES];
        int size = snprintf(line, LINE_SIZE, "%s: ", mLogCategoryName(category));
        if (size > 0 && size < LINE_SIZE) {
            (void) vsnprintf(line + size, (size_t) (LINE_SIZE - size), format, arguments);
        }
        size_t end = strlen(line);
        while (end > 0 && line[end - 1] == '\n') {
            line[--end] = '\0';
        }
    }
}

int64_t game_log_count(void) {
    return game_log.count;
}

struct mScriptValue* game_log_line(int64_t number) {
    bool kept = number >= 1 && number <= game_log.count && number > game_log.count - LINES;
    const char* line = kept ? game_log.lines[(number - 1) % LINES] : "";
    return mScriptStringCreateFromBytes(line, strlen(line));
}
