// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What pages cost the studio, measured through real sockets; run from the root of the project.
//
//     studio_load load [PAGES [SECONDS [PACE]]]   20 pages for 60 s beside none, as fast as possible: real-time
//         factor, processor time of the
//                                                 simulation thread
//     studio_load idle [SECONDS]           three pages on a paused scene (3600 s): memory in use must not grow
//     studio_load cost                     one simulated second with a page, for callgrind: scripts/studio-cost
//
// In `load` blocks without and with pages take turns, so that a busy machine slows both; what counts is the median.
#include "clock.h"

#include "studio/client.h"
#include "studio/server.h"
#include "studio/workbench_inner.h"

#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SCENE "experiments/anton-tripod.yaml"

enum { PAGES_MAX = FF_SERVER_PAGES - 1, BLOCKS_MAX = 1000 };

// ------------------------------------------------------------------------------------------ the studio

static ff_studio *studio;

static void *serve(void *unused)
{
    (void)unused;
    ff_studio_serve(studio, NULL);
    return NULL;
}

static void begin(pthread_t *thread)
{
    ff_error err = {0};
    studio = ff_server_create(&(ff_studio_setup){.port = 0}, &err);
    if (!studio || pthread_create(thread, NULL, serve, NULL) != 0) {
        fprintf(stderr, "studio_load: %s\n", err.text);
        exit(2);
    }
}

static void end(pthread_t thread)
{
    ff_studio_stop(studio);
    pthread_join(thread, NULL);
    ff_studio_close(studio);
}

static double wall(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

/// Processor time of the simulation thread.  [s]
static double simulation_time(void)
{
    clockid_t clock;
    return pthread_getcpuclockid(studio->bench->thread, &clock) == 0 ? clock_read(clock) : 0.0;
}

// ------------------------------------------------------------------------------------------ pages

static unsigned char buffer[8 << 20]; // of the thread that asks

static int open_page(void)
{
    int fd;
    if (client_open(ff_studio_port(studio), NULL, &fd) == 101) return fd;
    fputs("studio_load: a page could not connect\n", stderr);
    exit(2);
}

/// The next text with these words, zero-terminated.
static const char *wait_for(int fd, const char *words)
{
    size_t size;
    for (;;) {
        const int kind = client_message(fd, buffer, sizeof buffer - 1, &size, 30.0);
        if (kind == 0) break;
        buffer[size] = '\0';
        if (kind == 1 && strstr((char *)buffer, words)) return (char *)buffer;
    }
    fprintf(stderr, "studio_load: the studio does not say %s\n", words);
    exit(2);
}

static void ask(int fd, const char *request)
{
    client_frame(fd, CLIENT_TEXT, request, strlen(request));
    if (strstr(wait_for(fd, "\"id\": 1,"), "\"ok\": true")) return;
    fprintf(stderr, "studio_load: %s\n", (char *)buffer);
    exit(2);
}

static void load_and_run(const char *time, const char *pace)
{
    char request[300];
    const int fd = open_page();
    snprintf(request, sizeof request,
             "{\"id\": 1, \"do\": \"load\", \"scene\": \"" SCENE "\", \"set\": [\"time=%s\", \"expect=[]\"]}", time);
    ask(fd, request);
    if (pace) {
        snprintf(request, sizeof request, "{\"id\": 1, \"do\": \"run\", \"pace\": %s}", pace);
        ask(fd, request);
    }
    close(fd);
}

/// Where the simulation stands: what a page gets that has just come.
static void probe(double *t, double *at)
{
    const int fd = open_page();
    const char *text = strstr(wait_for(fd, "\"event\": \"state\""), "\"t\": ");
    *at = wall();
    *t = text ? strtod(text + 5, NULL) : 0.0;
    close(fd);
}

typedef struct page {
    pthread_t thread;
    int fd;
    long long frames, bytes;
} page;

static void *look(void *context)
{
    page *self = context;
    unsigned char *bytes = malloc(8 << 20);
    size_t size;
    for (int kind; bytes && (kind = client_message(self->fd, bytes, 8 << 20, &size, 100.0)) != 0;) {
        if (kind == 9) client_frame(self->fd, CLIENT_PONG, bytes, size); // as browsers do by themselves
        self->frames += kind == 2;
        self->bytes += (long long)size;
    }
    free(bytes);
    return NULL;
}

/// Each reads the frames, and watches what a person would plot.
static void open_pages(page *pages, int count)
{
    static const char watch[] =
        "{\"id\": 2, \"do\": \"watch\", \"channels\": [\"base.pos\", \"energy.total\", \"feet.force\"], \"rate\": 100}";
    for (int i = 0; i < count; i++) {
        pages[i] = (page){.fd = open_page()};
        client_frame(pages[i].fd, CLIENT_TEXT, watch, sizeof watch - 1);
        pthread_create(&pages[i].thread, NULL, look, &pages[i]);
    }
}

static void close_pages(page *pages, int count)
{
    for (int i = 0; i < count; i++) shutdown(pages[i].fd, SHUT_RDWR);
    for (int i = 0; i < count; i++) {
        pthread_join(pages[i].thread, NULL);
        close(pages[i].fd);
    }
}

// ------------------------------------------------------------------------------------------ load

typedef struct block {
    double factor; // simulated over real time
    double cost;   // processor time of the simulation thread for one simulated second  [s]
    double frames; // for each page  [1/s]
    double rate;   // to each page  [byte/s]
} block;

static block measure(int count, double seconds)
{
    static page pages[PAGES_MAX];
    double t0, t1, w0, w1;
    block out = {0};
    open_pages(pages, count);
    probe(&t0, &w0);
    const double c0 = simulation_time();
    usleep((useconds_t)(1e6 * seconds));
    const double c1 = simulation_time();
    probe(&t1, &w1);
    close_pages(pages, count);
    for (int i = 0; i < count; i++) {
        out.frames += (double)pages[i].frames / count / (w1 - w0);
        out.rate += (double)pages[i].bytes / count / (w1 - w0);
    }
    out.factor = (t1 - t0) / (w1 - w0);
    out.cost = (c1 - c0) / (t1 - t0);
    return out;
}

static int load(int count, double seconds, const char *pace)
{
    static double factors[2][BLOCKS_MAX], costs[2][BLOCKS_MAX];
    const double length = seconds < 5.0 ? seconds : 5.0;
    const int blocks = seconds / length < BLOCKS_MAX ? (int)(seconds / length) : BLOCKS_MAX;
    block last = {0};
    pthread_t thread;
    begin(&thread);
    load_and_run("200000", pace);
    measure(0, 1.0); // warm
    for (int i = 0; i < blocks; i++) {
        for (int with = 0; with < 2; with++) {
            last = measure(with ? count : 0, length);
            factors[with][i] = last.factor;
            costs[with][i] = last.cost;
        }
        printf("%3d  without %.2f, with %d pages %.2f times real time; a page gets %.0f frames/s, %.0f kB/s\n", i,
               factors[0][i], count, factors[1][i], last.frames, 1e-3 * last.rate);
        fflush(stdout);
    }
    end(thread);
    const double alone = median(factors[0], blocks), busy = median(factors[1], blocks);
    const double free_cost = median(costs[0], blocks), busy_cost = median(costs[1], blocks);
    printf(SCENE " at pace %s (0: as fast as possible), medians of %d blocks of %.0f s each:\n", pace, blocks, length);
    printf("  real-time factor        %8.2f without, %8.2f with %d pages: %+.1f %%\n", alone, busy, count,
           100.0 * (busy / alone - 1.0));
    printf("  simulation thread, s/s  %8.4f without, %8.4f with %d pages: %+.1f %%\n", free_cost, busy_cost, count,
           100.0 * (busy_cost / free_cost - 1.0));
    return busy > 0.9 * alone ? 0 : 1;
}

// ------------------------------------------------------------------------------------------ idle

static int idle(double seconds)
{
    static page pages[3];
    static char line[BUFSIZ];
    pthread_t thread;
    setvbuf(stdout, line, _IOLBF, sizeof line); // or its own buffer would count
    begin(&thread);
    load_and_run("10", "1");
    const int fd = open_page();
    ask(fd, "{\"id\": 1, \"do\": \"pause\"}");
    close(fd);
    open_pages(pages, 3);
    usleep(3000000);
    const struct mallinfo2 before = mallinfo2();
    struct mallinfo2 now_used = before;
    for (double start = wall(), next = start; wall() - start < seconds; next += seconds / 20.0) {
        const double left = next + seconds / 20.0 - wall();
        if (left > 0.0) usleep((useconds_t)(1e6 * fmin(left, 100.0)));
        now_used = mallinfo2();
        printf("%7.0f s: %zu bytes in use, %+lld\n", wall() - start, now_used.uordblks,
               (long long)now_used.uordblks - (long long)before.uordblks);
        fflush(stdout);
    }
    close_pages(pages, 3);
    end(thread);
    return now_used.uordblks <= before.uordblks + 1024 ? 0 : 1;
}

// ------------------------------------------------------------------------------------------ cost

/// A page that looks and watches while a second is simulated as fast as possible.
static int cost(void)
{
    page one;
    pthread_t thread;
    begin(&thread);
    load_and_run("1", NULL);
    open_pages(&one, 1);
    const int fd = open_page();
    ask(fd, "{\"id\": 1, \"do\": \"run\", \"pace\": 0}");
    close(fd);
    for (double before = -1.0; simulation_time() > before + 1e-3;) { // done when the thread rests
        before = simulation_time();
        sleep(2);
    }
    close_pages(&one, 1);
    end(thread);
    printf("%lld frames\n", one.frames);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "load";
    const double number = argc > 2 ? strtod(argv[2], NULL) : -1.0, seconds = argc > 3 ? strtod(argv[3], NULL) : 60.0;
    const int pages = number < 0.0 ? 20 : number > PAGES_MAX ? PAGES_MAX : (int)number;
    if (strcmp(what, "load") == 0) return load(pages, seconds, argc > 4 ? argv[4] : "0");
    if (strcmp(what, "idle") == 0) return idle(number > 0.0 ? number : 3600.0);
    if (strcmp(what, "cost") == 0) return cost();
    fputs("studio_load load [PAGES [SECONDS [PACE]]] | idle [SECONDS] | cost\n", stderr);
    return 1;
}
