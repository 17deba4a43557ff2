// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Stations at a network interface (ethercat.h): frames that come in are answered, by one of two clocks.
#include "ethercat.h"

#include "packets.h"
#include "terminal.h"

#include <footfall/math.h>

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// How often the user is asked whether to go on.  [s]
#define PATIENCE 0.1
/// For so long a master that goes on hears at the end that the robot has ended: more than one look at the states.  [s]
#define FAREWELL 1.0
/// Frames that a late cycle answers: more than a master sends in one, so that a queue gets shorter.
enum { WAITING_MOST = 16 };

/// Commands that have been typed.
static void listen_to_operator(on_bus *b)
{
    ff_error err = {0};
    for (const char *line; (line = typed_line(&b->typed));)
        if (ff_ec_robot_command(b->robot, line, &err) != FF_OK) fprintf(stderr, "%s\n", err.text);
}

/// Says once what is wrong with the interface, and again when that has changed. Looks now and then: it takes calls to
/// the system, for which a cycle of 250 us has no time.
static void look_at_interface(on_bus *b)
{
    const double now = clock_coarse();
    if (now < b->next_look) return;
    b->next_look = now + PATIENCE;
    const char *trouble = packets_trouble(b->socket, b->interface);
    if (trouble && trouble != b->trouble) say_plainly(stderr, "interface '%s': %s\n", b->interface, trouble);
    b->trouble = trouble;
}

/// Frames of one source, of another, of the first again: two masters at a time, not one after the other.
static void look_at_source(on_bus *b, const unsigned char *source)
{
    enum { TURNS = 3 };
    if (b->frames && memcmp(b->source, source, 6) == 0) return;
    memcpy(b->source, source, 6);
    if (++b->sources == TURNS)
        fprintf(stderr, "frames of two masters come, one is %02x:%02x:%02x:%02x:%02x:%02x\n", source[0], source[1],
                source[2], source[3], source[4], source[5]);
}

/// @return false where no frame came in time
static bool answer(on_bus *b, double timeout, bool *over)
{
    unsigned char bytes[PACKET_MOST];
    size_t size = packets_receive(b->socket, bytes, timeout);
    if (!size) listen_to_operator(b); // nobody waits for an answer
    if (!size) look_at_interface(b);
    if (!size) return false;
    look_at_source(b, bytes + 6);
    if (b->wall) ff_ec_robot_elapse(b->robot, clock_seconds() - b->cycle_begin);
    size = ff_ec_robot_frame(b->robot, bytes, size, over);
    if (size && packets_send(b->socket, bytes, size)) b->frames++;
    return true;
}

void bus_end(on_bus *b)
{
    const double begin = clock_seconds();
    bool over = false;
    ff_ec_segment *segment = b->robot ? ff_ec_robot_segment(b->robot) : NULL;
    if (!segment) return;
    ff_ec_segment_end(segment);
    for (long long frames = -1; frames != b->frames && clock_seconds() - begin < FAREWELL;) {
        frames = b->frames;
        answer(b, PATIENCE, &over);
    }
}

/// Until the process data of this cycle have come.
static void carry_locked(on_bus *b)
{
    bool over = false;
    while (!over && !b->stop(NULL)) answer(b, PATIENCE, &over);
    b->exchanged += over;
}

/// Until the cycle ends on the wall clock. Frames that wait are answered, however late it is: a robot that is slow is
/// not deaf, and its watchdogs see that the master is there.
static void carry_wall(on_bus *b, double t)
{
    bool over = false, heard;
    int waiting = 0;
    workload_begin_cycle(&b->work);
    b->cycle_begin = pace_cycle(&b->pace, t, clock_seconds());
    const double end = b->cycle_begin + b->period;
    do heard = answer(b, ff_min(ff_max(end - clock_seconds(), 0.0), PATIENCE), &over);
    while (!b->stop(NULL) && (clock_seconds() < end || (heard && ++waiting < WAITING_MOST)));
    b->exchanged += over;
}

int64_t bus_cycles(double time, double period)
{
    return (int64_t)ceil(time / period - 0.5 - 1e-6);
}

/// Jitter may put one cycle more before the end. In step with a master, cycles are counted as it counts them.
static bool is_over(const on_bus *b, double t)
{
    return b->wall ? t >= b->end - 1e-9 : b->cycles >= bus_cycles(b->end, b->period);
}

static void carry(void *context, ff_ec_robot *robot, double t)
{
    on_bus *b = context;
    (void)robot;
    if (is_over(b, t)) return;
    b->cycles++;
    listen_to_operator(b);
    if (b->wall)
        carry_wall(b, t);
    else
        carry_locked(b);
}

/// The stations learn the period of the bus with the rest of the site.
static ff_status bind_bus(void *context, const ff_relay_site *site, ff_error *err)
{
    on_bus *b = context;
    const ff_relay stations = ff_ec_robot_relay(b->robot);
    b->period = b->pace.period = site->bus_period;
    return stations.bind(stations.context, site, err);
}

static void cycle_bus(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const on_bus *b = context;
    const ff_relay stations = ff_ec_robot_relay(b->robot);
    stations.cycle(stations.context, t, sensors, references);
}

bool bus_open(on_bus *b, const ff_scene_spec *scene, ff_run_options *options, ff_error *err)
{
    b->socket = packets_open(b->interface, err);
    b->robot = b->socket >= 0 ? ff_ec_robot_create(carry, b, err) : NULL;
    if (!b->robot) return false;
    b->relay = (ff_run_relay){ff_scene_first_steered(scene),
                              {.context = b, .bind = bind_bus, .cycle = cycle_bus, .every_bus_cycle = true}};
    options->relays = &b->relay;
    options->nrelay = 1;
    return true;
}

bool bus_schedule(on_bus *b, ff_error *err)
{
    return ff_ec_robot_schedule(b->robot, b->operator, err) == FF_OK;
}

/// @param text  malloc'ed, is freed
static bool write_file(const char *path, char *text, ff_error *err)
{
    FILE *file = text ? fopen(path, "w") : NULL;
    const bool written = file && fputs(text, file) >= 0;
    const bool closed = file && fclose(file) == 0;
    free(text);
    if (!written || !closed) ff_error_set(err, FF_NOT_WRITTEN, "%s: cannot be written", path);
    return written && closed;
}

/// Kinds of devices, each once.
static int list_devices(const on_bus *b, const ff_ec_device **devices, int most)
{
    int count, n = 0;
    ff_ec_robot_stations(b->robot, &count);
    for (int i = 0; i < count; i++) {
        const ff_ec_device *device = ff_ec_station_device(ff_ec_robot_segment(b->robot), i);
        int k = 0;
        while (k < n && devices[k] != device) k++;
        if (k == n && n < most) devices[n++] = device;
    }
    return n;
}

bool bus_describe(const on_bus *b, ff_error *err)
{
    const ff_ec_device *devices[16];
    if (b->eni && !write_file(b->eni, ff_ec_eni_format(ff_ec_robot_segment(b->robot)), err)) return false;
    return !b->esi || write_file(b->esi, ff_ec_esi_format(devices, list_devices(b, devices, 16)), err);
}

void bus_begin(const on_bus *b, bool quiet)
{
    const struct sched_param priority = {.sched_priority = 40}; // below the kernel's own 50
    const bool urgent = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    int count;
    ff_ec_robot_stations(b->robot, &count);
    if (!quiet)
        say_plainly(stderr, "%d stations at %s, %s, %s real-time priority\n", count, b->interface,
                    b->wall ? "by the wall clock" : "one cycle with each exchange of process data",
                    urgent ? "with" : "without");
}

void bus_print(const on_bus *b)
{
    printf("bus   %lld frames answered, %lld cycles, %lld of them with process data", b->frames, b->cycles,
           b->exchanged);
    if (b->wall) printf(", %lld late, %lld left out", (long long)b->pace.late, (long long)b->pace.left_out);
    printf("\n");
    workload_print(&b->work, b->period);
}

void bus_close(on_bus *b)
{
    ff_ec_robot_destroy(b->robot);
    packets_close(b->socket);
}
