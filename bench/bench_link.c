// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robot and controller apart (docs/link.md), with the frames of ANTON: what it costs to pack and to read a telegram;
// how fast a walk runs in lockstep beside the same in one process; round trips at 1 kHz in real time. The
// two ends are two threads of this process. `bench_link --quick` takes round trips for 5 s in place of 60.
#include "clock.h"

#include <footfall/link.h>
#include <footfall/run.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const overrides[] = {"record={channels: []}", "expect=[]", "time=1"};

static double wall(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

static const ff_scene_spec *load_anton(void)
{
    return ff_scene_load(FF_SOURCE_DIR "/experiments/anton-tripod.yaml", overrides, 3, NULL);
}

static const char *verdict(bool met)
{
    return met ? "met" : "MISSED";
}

// ------------------------------------------------------------------------------------------ telegrams

static ff_io_frame *make_frame(const ff_io_layout *layout)
{
    ff_io_frame *frame = malloc(ff_io_size(layout->count));
    if (!frame) exit(1);
    ff_io_init(frame, layout);
    for (int i = 0; i < layout->count; i++)
        ff_io_items(frame)[i] = (ff_io_item){.value = 0.01 * i, .time_ns = -1000 * i, .valid = 1};
    return frame;
}

/// Packs and seals, opens and unpacks the frame of a layout; the best of many rounds.
static bool time_codec(const char *what, const ff_io_layout *layout)
{
    enum { ROUNDS = 300, EACH = 100 };
    static unsigned char bytes[FF_TELEGRAM_MOST];
    ff_io_frame *frame = make_frame(layout);
    ff_telegram head = {.type = FF_TELEGRAM_SENSORS};
    const unsigned char *payload;
    size_t size = 0, n;
    double pack = INFINITY, read = INFINITY;
    bool good = true;
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now();
        for (int i = 0; i < EACH; i++) {
            n = ff_items_pack(frame, 0, NULL, 0, bytes + FF_TELEGRAM_HEAD_SIZE, sizeof bytes - 100);
            size = ff_telegram_seal(&head, bytes, sizeof bytes, n);
        }
        const double middle = now();
        for (int i = 0; i < EACH; i++)
            good = good && ff_telegram_open(bytes, size, &head, &payload, &n, NULL) == FF_OK &&
                   ff_items_unpack(payload, n, frame, NULL, NULL, 0, NULL) == FF_OK;
        pack = fmin(pack, (middle - start) / EACH);
        read = fmin(read, (now() - middle) / EACH);
    }
    free(frame);
    printf("%-10s %4d items, %5zu bytes: packed in %.2f us, read in %.2f us; wanted below 2 us: %s\n", what,
           layout->count, size, 1e6 * pack, 1e6 * read, verdict(good && pack < 2e-6 && read < 2e-6));
    return good;
}

// ------------------------------------------------------------------------------------------ the far end

typedef struct far_end {
    char address[100];
    const ff_scene_spec *scene; // NULL: answers without a thought
    ff_run *run;
    ff_status status;
    pthread_t thread;
} far_end;

static void answer(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    far_end *f = context;
    if (f->run)
        ff_run_answer(f->run, 0, t, sensors, references);
    else
        for (uint32_t i = 0; i < references->count; i++) ff_io_items(references)[i] = (ff_io_item){t, 0, 1, 0};
}

static void *control(void *context)
{
    far_end *f = context;
    const ff_link_controller controller = {.context = f, .cycle = answer};
    ff_wire *wire = ff_wire_open(f->address, FF_END_CONTROL, NULL);
    f->status = wire ? ff_link_control(wire, NULL, NULL, &controller, NULL, NULL) : FF_NOT_FOUND;
    ff_wire_close(wire);
    return NULL;
}

static ff_wire *open_wire(const char *kind, far_end *far)
{
    char own[60];
    if (strcmp(kind, "shm") == 0)
        snprintf(own, sizeof own, "shm:bench-%d", (int)getpid());
    else
        snprintf(own, sizeof own, "%s:0", kind);
    ff_wire *wire = ff_wire_open(own, FF_END_ROBOT, NULL);
    if (wire) snprintf(far->address, sizeof far->address, "%s:%s", kind, ff_wire_where(wire));
    return wire;
}

// ------------------------------------------------------------------------------------------ lockstep

typedef struct cost {
    double wall, processor; // of both ends  [s]; infinite: it failed
} cost;

/// Simulates the walk. @param kind  of the wire; NULL: one process
static cost walk(const ff_scene_spec *scene, const char *kind)
{
    ff_run_options options = ff_run_options_default(scene);
    far_end far = {.run = kind ? ff_run_create(scene, &options, NULL) : NULL};
    ff_wire *wire = kind ? open_wire(kind, &far) : NULL;
    ff_link_robot *robot = wire ? ff_link_robot_create(wire, NULL, NULL) : NULL;
    const ff_run_relay relay = {0, robot ? ff_link_relay(robot) : (ff_relay){0}};
    options.relays = &relay;
    options.nrelay = robot ? 1 : 0;
    ff_run *run = !kind || (robot && far.run) ? ff_run_create(scene, &options, NULL) : NULL;
    bool good = run && (!robot || (pthread_create(&far.thread, NULL, control, &far) == 0 &&
                                   ff_link_robot_connect(robot, 10.0, NULL) == FF_OK));
    const double start = wall(), processor = clock_read(CLOCK_PROCESS_CPUTIME_ID);
    good = good && ff_run_go(run, NULL) == FF_OK;
    const cost took = {wall() - start, clock_read(CLOCK_PROCESS_CPUTIME_ID) - processor};
    if (robot) {
        ff_link_robot_disconnect(robot, "over");
        pthread_join(far.thread, NULL);
    }
    ff_run_destroy(run);
    ff_run_destroy(far.run);
    ff_link_robot_destroy(robot);
    ff_wire_close(wire);
    return good ? took : (cost){INFINITY, INFINITY};
}

/// The best of some runs in turns, so that a busy machine slows all of them. Where it is very busy, real
/// time favours the ends, which sleep in between: compare the processor time.
static bool time_lockstep(const ff_scene_spec *scene)
{
    static const char *const kinds[] = {NULL, "shm", "udp"};
    cost best[3] = {{INFINITY, INFINITY}, {INFINITY, INFINITY}, {INFINITY, INFINITY}};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++) {
            const cost one = walk(scene, kinds[k]);
            best[k].wall = fmin(best[k].wall, one.wall);
            best[k].processor = fmin(best[k].processor, one.processor);
        }
    printf("ANTON walks 1 s, 1000 cycles, in one process: %.3f s, %.3f s of processor\n", best[0].wall,
           best[0].processor);
    for (int k = 1; k < 3; k++)
        printf("lockstep over %s: %.3f s, %.2f of that speed; %.3f s of processor; wanted 0.5 of the speed: %s\n",
               kinds[k], best[k].wall, best[0].wall / best[k].wall, best[k].processor,
               verdict(best[0].wall / best[k].wall >= 0.5));
    return isfinite(best[0].wall) && isfinite(best[1].wall) && isfinite(best[2].wall);
}

// ------------------------------------------------------------------------------------------ round trips

static void print_spans(const char *kind, double seconds, const char *what, const ff_histogram *h)
{
    printf(
        "%s at 1 kHz for %g s: %s %.1f us median, %.1f us 99 %%, %.1f us 99.9 %%, %.1f us largest, %.3f %% over 1 ms\n",
        kind, seconds, what, 1e6 * ff_histogram_quantile(h, 0.5), 1e6 * ff_histogram_quantile(h, 0.99),
        1e6 * ff_histogram_quantile(h, 0.999), 1e6 * h->largest, 100.0 * ff_histogram_above(h, 1e-3));
}

/// Frames of ANTON at 1 kHz to a controller that answers at once.
static bool time_round_trips(const char *kind, const ff_relay_site *anton, double seconds)
{
    ff_link_options options = ff_link_options_default();
    far_end far = {0};
    ff_wire *wire = open_wire(kind, &far);
    options.wall = true;
    options.tolerated = 1 << 20; // whatever the machine does meanwhile
    ff_link_timing timing = {0};
    options.timing = &timing;
    ff_link_robot *robot = wire ? ff_link_robot_create(wire, &options, NULL) : NULL;
    if (!robot) return false;
    const ff_relay relay = ff_link_relay(robot);
    ff_io_frame *sensors = make_frame(anton->sensors), *references = make_frame(anton->references);
    uint32_t conditions = 0;
    const ff_relay_site site = {
        .sensors = anton->sensors, .references = anton->references, .period = 1e-3, .conditions = &conditions};
    bool good = relay.bind(relay.context, &site, NULL) == FF_OK &&
                pthread_create(&far.thread, NULL, control, &far) == 0 &&
                ff_link_robot_connect(robot, 10.0, NULL) == FF_OK;
    for (int k = 0; good && k < (int)(1000.0 * seconds); k++) relay.cycle(relay.context, 1e-3 * k, sensors, references);
    ff_link_robot_disconnect(robot, "over");
    pthread_join(far.thread, NULL);
    const ff_link_counts c = ff_link_robot_counts(robot);
    print_spans(kind, seconds, "round trip", &timing.trip);
    print_spans(kind, seconds, "cycles late by", &timing.jitter);
    printf("%s: %lld of %lld cycles without their answer\n", kind, (long long)c.missed, (long long)c.cycles);
    free(sensors);
    free(references);
    ff_link_robot_destroy(robot);
    ff_wire_close(wire);
    return good && timing.trip.count > 0;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 && strcmp(argv[1], "--quick") == 0 ? 5.0 : 60.0;
    const ff_scene_spec *scene = load_anton();
    ff_run *run = scene ? ff_run_create(scene, NULL, NULL) : NULL;
    ff_relay_site site;
    bool good = run && ff_run_controller_site(run, 0, &site, NULL) == FF_OK;
    good = good && time_codec("sensors", site.sensors) && time_codec("references", site.references);
    good = good && time_lockstep(scene);
    good = good && time_round_trips("shm", &site, seconds) && time_round_trips("udp", &site, seconds);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    if (!good) fprintf(stderr, "bench_link: a run failed\n");
    return good ? 0 : 1;
}
