#include "platform/posix/descriptors.h"

#include <fcntl.h>
#include <unistd.h>

bool descriptors_pipe(int ends[2]) {
    /* No program is started in between, and then these calls cannot fail. */
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}
