#include "platform/process.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

/*
 * The manifest (program.manifest) makes UTF-8 the code page of the program: arguments, environment and the paths of all functions of C are UTF-8. Windows ignores it
 * before version 10 1903.
 */
bool process_prepare(struct failure* failure) {
    if (GetACP() != CP_UTF8) {
        return failure_set(failure, EXIT_INTERNAL, "mgba-headless requires Windows 10 from version 1903 on, or Windows 11");
    }
    /* A missing disk is an error, not a window that asks for it. */
    (void) SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX);
    for (int descriptor = 0; descriptor <= 2; ++descriptor) {
        (void) _setmode(descriptor, _O_BINARY); /* no CR before line ends; fails for a descriptor that is closed */
    }
    (void) setvbuf(stdout, NULL, _IOFBF, BUFSIZ); /* a console would get each byte by itself; what readers wait for is flushed where it is written */
    return true;
}

bool process_set_variable(const char* name, const char* value) {
    return _putenv_s(name, value) == 0;
}
