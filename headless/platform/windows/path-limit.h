/*
 * Compiled before everything else, also in libmgba, whose structures contain paths: Windows' limit of 260 counts characters, and a path in UTF-8 has up to three bytes
 * for each.
 */
#include <limits.h>
#undef PATH_MAX
#define PATH_MAX 1024
