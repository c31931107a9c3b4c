#include "platform/signals.h"

#include "platform/clock.h"
#include "platform/posix/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define PATIENCE_NS (3 * NS_PER_SECOND)

static volatile sig_atomic_t stop_requested;
static volatile int64_t first_stop_ns; /* written by the handler only, and all its signals are blocked while it runs */
static int stop_pipe[2] = { -1, -1 };
/* SIGUSR1 is read from a signalfd and interrupts nothing, because a script that waits in select() would take an interruption for a broken socket. */
static int stats_descriptor = -1;

/* Only async-signal-safe calls. A script that never returns would block a clean end; a later signal forces it. */
static void on_stop(int number) {
    (void) number;
    int kept = errno;
    int64_t now = clock_now_ns();
    if (!stop_requested) {
        first_stop_ns = now;
        stop_requested = 1;
        ssize_t ignored = write(stop_pipe[1], "", 1); /* the flag is set; the byte only wakes poll() */
        (void) ignored;
    } else if (now - first_stop_ns > PATIENCE_NS) {
        static const char sentence[] = "mgba-headless: second signal after 3 s (a script does not return); exiting immediately\n";
        ssize_t ignored = write(STDERR_FILENO, sentence, sizeof(sentence) - 1);
        (void) ignored;
        _exit(EXIT_FORCED);
    }
    errno = kept;
}

static bool handle(int number, const sigset_t* together) {
    struct sigaction action = { .sa_handler = on_stop, .sa_mask = *together, .sa_flags = SA_RESTART };
    return sigaction(number, &action, NULL) == 0;
}

static bool handle_unless_ignored(int number, const sigset_t* together) {
    struct sigaction present;
    if (sigaction(number, NULL, &present)) {
        return false;
    }
    return present.sa_handler == SIG_IGN || handle(number, together);
}

bool signals_install(bool keep_ignored, struct failure* failure) {
    sigset_t stops;
    sigset_t stats;
    /* These cannot fail: the sets and numbers are valid. */
    (void) sigemptyset(&stops);
    (void) sigaddset(&stops, SIGINT);
    (void) sigaddset(&stops, SIGTERM);
    (void) sigaddset(&stops, SIGHUP);
    (void) sigaddset(&stops, SIGUSR2);
    (void) sigemptyset(&stats);
    (void) sigaddset(&stats, SIGUSR1);
    if (pipe2(stop_pipe, O_CLOEXEC | O_NONBLOCK) || sigprocmask(SIG_BLOCK, &stats, NULL)) {
        return failure_set(failure, EXIT_INTERNAL, "cannot prepare for signals (%s)", strerror(errno));
    }
    stats_descriptor = signalfd(-1, &stats, SFD_CLOEXEC | SFD_NONBLOCK);
    bool (*install)(int, const sigset_t*) = keep_ignored ? handle_unless_ignored : handle;
    bool handled = install(SIGINT, &stops) && install(SIGTERM, &stops) && handle(SIGUSR2, &stops);
    /* nohup starts the program with SIGHUP ignored; keep that. */
    if (stats_descriptor < 0 || !handled || !handle_unless_ignored(SIGHUP, &stops)) {
        return failure_set(failure, EXIT_INTERNAL, "cannot prepare for signals (%s)", strerror(errno));
    }
    return true;
}

static void close_descriptor(int* descriptor) {
    if (*descriptor >= 0) {
        (void) close(*descriptor); /* no buffered data */
        *descriptor = -1;
    }
}

void signals_uninstall(void) {
    /* The handlers remain: a second SIGTERM shortly before the end must not change exit code 0 to 143. */
    stop_requested = 1;
    close_descriptor(&stop_pipe[0]);
    close_descriptor(&stop_pipe[1]);
    close_descriptor(&stats_descriptor);
}

bool signals_stop_requested(void) {
    return stop_requested != 0;
}

void signals_request_stop(void) {
    (void) kill(getpid(), SIGUSR2); /* cannot fail: a signal to this process */
}

bool signals_take_stats_request(void) {
    struct signalfd_siginfo info;
    bool any = false;
    while (read(stats_descriptor, &info, sizeof(info)) == (ssize_t) sizeof(info)) {
        any = true;
    }
    return any;
}

int signals_stop_descriptor(void) {
    return stop_pipe[0];
}

int signals_stats_descriptor(void) {
    return stats_descriptor;
}
