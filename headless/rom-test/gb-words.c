#include "rom-test/gb-words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A line of the link port has at most 255 characters. */
#define MAX_TOKENS 256

/* A word, a number, or a character between them. */
struct token {
    char kind; /* PASSED to NONE, otherwise the character */
    unsigned long value;
};

enum { PASSED = 'p', FAILED = 'f', TESTS = 't', OF = 'o', WORD = 'w', NUMBER = 'n', NONE = 'z' };

static struct token word_of(const char* word, size_t length) {
    static const struct {
        const char* word;
        char kind;
    } known[] = {
        { "passed", PASSED }, { "failed", FAILED }, { "fail", FAILED }, { "failure", FAILED }, { "failures", FAILED },
        { "test", TESTS }, { "tests", TESTS }, { "of", OF }, { "no", NONE }, { "not", NONE }, { "none", NONE },
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
        if (strlen(known[i].word) == length && strncasecmp(word, known[i].word, length) == 0) {
            return (struct token) { .kind = known[i].kind };
        }
    }
    return (struct token) { .kind = WORD };
}

static size_t split(const char* line, struct token* tokens) {
    size_t count = 0;
    while (*line && count < MAX_TOKENS) {
        const char* start = line;
        bool digits = true;
        for (; isalnum((unsigned char) *line); ++line) {
            digits = digits && isdigit((unsigned char) *line);
        }
        if (line > start) {
            tokens[count++] = digits ? (struct token) { .kind = NUMBER, .value = strtoul(start, NULL, 10) } : word_of(start, (size_t) (line - start));
        } else if (*line++ != ' ') {
            tokens[count++] = (struct token) { .kind = *start };
        }
    }
    return count;
}

static bool is(const struct token* tokens, size_t count, size_t at, const char* kinds) {
    return at < count && strchr(kinds, tokens[at].kind);
}

/* The number that a word has: 3 of "3 Passed", "3 tests passed", "3 of 5 passed", "Passed: 3" and "Passed 3/5". SIZE_MAX without one. */
static size_t number_of(const struct token* tokens, size_t count, size_t word) {
    bool named = is(tokens, count, word + 1, ":=");
    if (named && is(tokens, count, word + 2, "nz")) {
        return word + 2;
    }
    size_t at = word - (word > 0 && tokens[word - 1].kind == TESTS) - 1;
    if (at < word && tokens[at].kind == NONE) {
        return at;
    }
    if (at < word && tokens[at].kind == NUMBER) {
        at -= at >= 2 && is(tokens, count, at - 1, "/o") && tokens[at - 2].kind == NUMBER ? 2 : 0;
        /* in "Test 0 Failed" it is a name */
        if (at == 0 || !is(tokens, count, at - 1, "wtn#")) {
            return at;
        }
    }
    return !named && is(tokens, count, word + 1, "n") && !is(tokens, count, word + 2, "pf") ? word + 1 : SIZE_MAX;
}

static enum gb_words word_says(const struct token* tokens, size_t count, size_t word) {
    size_t at = number_of(tokens, count, word);
    bool none = at != SIZE_MAX && tokens[at].value == 0;
    bool some = at != SIZE_MAX && is(tokens, count, at + 1, "/o") && is(tokens, count, at + 2, "n") && tokens[at].value != tokens[at + 2].value;
    return none == (tokens[word].kind == FAILED) && !(some && tokens[word].kind == PASSED) ? GB_WORDS_PASSED : GB_WORDS_FAILED;
}

enum gb_words gb_words_of(const char* line) {
    struct token tokens[MAX_TOKENS];
    size_t count = split(line, tokens);
    enum gb_words says = GB_WORDS_NOTHING;
    for (size_t i = 0; i < count; ++i) {
        if (tokens[i].kind == PASSED || tokens[i].kind == FAILED) {
            enum gb_words word = word_says(tokens, count, i);
            says = word > says ? word : says;
        }
    }
    return says;
}
