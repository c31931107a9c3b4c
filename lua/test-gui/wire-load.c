// Clients that repeat the same request, each waiting for its reply:  wire-load PORT CLIENTS SECONDS PAUSE_MS MESSAGE
//
// PAUSE_MS is the longest of the random pauses after an answer; with 0 the next question follows at once. Prints one line:
// requests a second, then p50, p99 and the longest wait in ms, then the slowest client's part of the mean client's answers.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

static const char END[] = "<|END|>";
enum { END_LENGTH = sizeof END - 1, MOST_WAITS = 8000000 };

struct client {
    int fd, waiting, length;
    long answers;
    double asked, next;
    char answer[512];
};

static double* waits;
static size_t wait_count;
static const char* message;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void give_up(const char* what) {
    perror(what);
    exit(1);
}

static void connect_client(struct client* c, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (c->fd < 0 || connect(c->fd, (struct sockaddr*) &address, sizeof address))
        give_up("wire-load: connect");
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static void ask(struct client* c) {
    ssize_t length = strlen(message);
    c->asked = now();
    c->waiting = 1;
    if (write(c->fd, message, length) != length)
        give_up("wire-load: write");
}

// True when the answer is complete.
static int take_answer(struct client* c) {
    ssize_t got = read(c->fd, c->answer + c->length, sizeof c->answer - c->length);
    if (got <= 0)
        give_up("wire-load: a connection was closed, or an answer is too long");
    c->length += got;
    if (c->length < END_LENGTH || memcmp(c->answer + c->length - END_LENGTH, END, END_LENGTH))
        return 0;
    if (wait_count < MOST_WAITS)
        waits[wait_count++] = now() - c->asked;
    c->length = c->waiting = 0;
    c->answers++;
    return 1;
}

// Sends the requests of clients whose pause is over; returns the milliseconds until the next pause ends.
static int ask_due(struct client* clients, int count, double end) {
    double t = now(), soonest = t + 0.05;
    for (int i = 0; i < count; i++) {
        if (clients[i].waiting || t >= end)
            continue;
        if (clients[i].next <= t)
            ask(&clients[i]);
        else if (clients[i].next < soonest)
            soonest = clients[i].next;
    }
    return (soonest - t) * 1000;
}

static void run(struct client* clients, int count, int poll, double end, double pause) {
    struct epoll_event events[64];
    double rest = end + 2; // for the last answers
    int waiting = 1;
    while (now() < end || (waiting && now() < rest)) {
        int timeout = pause > 0 ? ask_due(clients, count, end) : 50;
        int ready = epoll_wait(poll, events, 64, timeout);
        for (int i = 0; i < ready; i++) {
            struct client* c = events[i].data.ptr;
            if (!take_answer(c))
                continue;
            c->next = now() + pause * drand48();
            if (pause == 0 && c->next < end)
                ask(c);
        }
        waiting = 0;
        for (int i = 0; i < count && !waiting; i++)
            waiting = clients[i].waiting;
    }
    if (waiting) {
        fprintf(stderr, "wire-load: answers are missing\n");
        exit(1);
    }
}

static int by_size(const void* a, const void* b) {
    double x = *(const double*) a, y = *(const double*) b;
    return (x > y) - (x < y);
}

static void print(const struct client* clients, int count, double seconds) {
    long least = clients[0].answers;
    for (int i = 1; i < count; i++)
        least = clients[i].answers < least ? clients[i].answers : least;
    if (wait_count == 0)
        give_up("wire-load: no answer at all");
    qsort(waits, wait_count, sizeof *waits, by_size);
    printf("%.0f %.3f %.3f %.3f %.2f\n", wait_count / seconds, waits[wait_count / 2] * 1e3, waits[wait_count * 99 / 100] * 1e3,
           waits[wait_count - 1] * 1e3, least / ((double) wait_count / count));
}

int main(int argc, char** argv) {
    if (argc != 6) {
        fprintf(stderr, "usage: wire-load PORT CLIENTS SECONDS PAUSE_MS MESSAGE\n");
        return 2;
    }
    int count = atoi(argv[2]), poll = epoll_create1(0);
    double seconds = atof(argv[3]), pause = atof(argv[4]) / 1000;
    struct client* clients = calloc(count, sizeof *clients);
    message = argv[5];
    waits = malloc(MOST_WAITS * sizeof *waits);
    for (int i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &clients[i]};
        connect_client(&clients[i], atoi(argv[1]));
        epoll_ctl(poll, EPOLL_CTL_ADD, clients[i].fd, &event);
        usleep(50000); // one after another: a plain script has one waiting connection
    }
    double begin = now();
    for (int i = 0; i < count; i++) {
        clients[i].next = begin + pause * drand48();
        if (pause == 0)
            ask(&clients[i]);
    }
    run(clients, count, poll, begin + seconds, pause);
    print(clients, count, seconds);
    return 0;
}
