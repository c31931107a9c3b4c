/* What a line of text says of a test: the words by which GB ROMs that only print report their result, as blargg's do. */
#ifndef HEADLESS_ROM_TEST_GB_WORDS_H
#define HEADLESS_ROM_TEST_GB_WORDS_H

/* Of several the greatest counts. */
enum gb_words {
    GB_WORDS_NOTHING,
    GB_WORDS_PASSED,
    GB_WORDS_FAILED,
};

/* "Passed", "3 Passed, 0 Failed" and "Failed: 0" say passed; "sub: Failed", "3 Passed, 2 Failed", "Passed 3/5" and "Passed: 0" failed. */
enum gb_words gb_words_of(const char* line);

#endif
