// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall ethercat`: a run whose robot is an EtherCAT segment at a network interface. It answers the frames of a
// master, in real time or at the pace of the master.
#include "commands.h"
#include "link_end.h"
#include "pace.h"
#include "run.h"
#include "terminal.h"

#include <footfall/math.h>
#include <footfall/stations.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ethercat_target {
    run_target run;
    const char *interface;
    const char *operator;  // commands by time
    const char *eni, *esi; // files to write; NULL: none
    bool wall;             // in real time
    // set by ethercat_prepare
    int socket;
    ff_ec_robot *robot;
    ff_run_relay relay;
    operator_input input;
    double end;                          // of the run; later frames are not answered  [s]
    double period;                       // of the bus  [s]
    pace pace;                           // in real time
    double cycle_begin;                  // by clock_seconds  [s]
    workload work;                       // in real time
    double next_check;                   // of the interface, by clock_coarse  [s]
    const char *problem;                 // last reported problem of the interface; NULL: none
    unsigned char source[6];             // source address of the last frame
    int sources;                         // number of changes of the source address
    long long frames, cycles, exchanged; // answered; of the bus; with process data
} ethercat_target;

// ------------------------------------------------------------------------------------------ cycles

/// Waiting for frames is interrupted after this time, to check for an interrupt of the user.  [s]
#define POLL_PERIOD 0.1
/// Frames are answered for this time after the end, so that a master can read the end of the run several times.  [s]
#define END_TIMEOUT 1.0
/// Most frames that a late cycle answers: more than a master sends in a cycle, so that the queue gets shorter.
enum { QUEUED_MOST = 16 };

/// Executes the commands on the standard input.
static void execute_commands(ethercat_target *b)
{
    ff_error err = {0};
    for (const char *line; (line = operator_line(&b->input));)
        if (ff_ec_robot_command(b->robot, line, &err) != FF_OK) fprintf(stderr, "%s\n", err.text);
}

/// Reports a problem of the interface once until it changes. Checks every POLL_PERIOD only: the system calls take too
/// long for a cycle of 250 us.
static void check_interface(ethercat_target *b)
{
    const double now = clock_coarse();
    if (now < b->next_check) return;
    b->next_check = now + POLL_PERIOD;
    const char *problem = packets_check(b->socket, b->interface);
    if (problem && problem != b->problem) print_escaped(stderr, "interface '%s': %s\n", b->interface, problem);
    b->problem = problem;
}

/// Reports two masters that send at the same time: their frames alternate, as those of one after the other do not.
static void check_source(ethercat_target *b, const unsigned char *source)
{
    enum { TURNS = 3 };
    if (b->frames && memcmp(b->source, source, 6) == 0) return;
    memcpy(b->source, source, 6);
    if (++b->sources == TURNS)
        fprintf(stderr, "two masters send frames, one is %02x:%02x:%02x:%02x:%02x:%02x\n", source[0], source[1],
                source[2], source[3], source[4], source[5]);
}

/// Receives a frame and answers it. @param over  set to true when the process data of the cycle are complete
/// @return false: no frame was received in time
static bool answer(ethercat_target *b, double timeout, bool *over)
{
    unsigned char bytes[PACKET_MOST];
    size_t size = packets_receive(b->socket, bytes, timeout);
    if (!size) execute_commands(b); // no frame waits for its answer
    if (!size) check_interface(b);
    if (!size) return false;
    check_source(b, bytes + 6);
    if (b->wall) ff_ec_robot_elapse(b->robot, clock_seconds() - b->cycle_begin);
    size = ff_ec_robot_frame(b->robot, bytes, size, over);
    if (size && packets_send(b->socket, bytes, size)) b->frames++;
    return true;
}

/// Answers frames until the process data of this cycle have arrived.
static void exchange_in_lockstep(ethercat_target *b)
{
    bool over = false;
    while (!over && !is_interrupted(NULL)) answer(b, POLL_PERIOD, &over);
    b->exchanged += over;
}

/// Answers frames until the cycle ends in real time. Frames in the queue are answered even in a late cycle, so that the
/// watchdogs of the stations do not expire.
static void exchange_realtime(ethercat_target *b, double t)
{
    bool over = false, received;
    int queued = 0;
    workload_begin_cycle(&b->work);
    b->cycle_begin = pace_cycle(&b->pace, t, clock_seconds());
    const double end = b->cycle_begin + b->period;
    do received = answer(b, ff_min(ff_max(end - clock_seconds(), 0.0), POLL_PERIOD), &over);
    while (!is_interrupted(NULL) && (clock_seconds() < end || (received && ++queued < QUEUED_MOST)));
    b->exchanged += over;
}

/// Has the run ended? In real time, jitter may add a cycle before the end. Otherwise cycles are counted, as by the
/// master.
static bool is_over(const ethercat_target *b, double t)
{
    return b->wall ? t >= b->end - 1e-9 : b->cycles >= pace_cycles(b->end, b->period);
}

static void transport(void *context, ff_ec_robot *robot, double t)
{
    ethercat_target *b = context;
    (void)robot;
    if (is_over(b, t)) return;
    b->cycles++;
    execute_commands(b);
    if (b->wall)
        exchange_realtime(b, t);
    else
        exchange_in_lockstep(b);
}

/// Binds the stations, and takes the period of the bus from the site.
static ff_status bind_bus(void *context, const ff_relay_site *site, ff_error *err)
{
    ethercat_target *b = context;
    const ff_relay stations = ff_ec_robot_relay(b->robot);
    b->period = b->pace.period = site->bus_period;
    return stations.bind(stations.context, site, err);
}

static void cycle_bus(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const ethercat_target *b = context;
    const ff_relay stations = ff_ec_robot_relay(b->robot);
    stations.cycle(stations.context, t, sensors, references);
}

// ------------------------------------------------------------------------------------------ descriptions

/// Lists the kinds of devices, each once. @return their number
static int list_devices(const ethercat_target *b, const ff_ec_device **devices, int most)
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

/// Writes the configuration of the network (--eni) and the descriptions of its kinds of devices (--esi).
static bool write_descriptions(const ethercat_target *b, ff_error *err)
{
    const ff_ec_device *devices[16];
    if (b->eni && write_text(b->eni, ff_ec_eni_format(ff_ec_robot_segment(b->robot)), err)) return false;
    return !b->esi || !write_text(b->esi, ff_ec_esi_format(devices, list_devices(b, devices, 16)), err);
}

// ------------------------------------------------------------------------------------------ hooks

static const char *ethercat_mistake(const run_target *target)
{
    const ethercat_target *b = (const ethercat_target *)target;
    return b->interface ? NULL : "--interface NAME is missing: where the stations are, such as veth0";
}

/// Opens the interface; the stations take the place of the controller of the first robot that has one.
static bool ethercat_prepare(run_target *target, const ff_scene_spec *scene, ff_run_options *options, ff_error *err)
{
    ethercat_target *b = (ethercat_target *)target;
    b->socket = packets_open(b->interface, err);
    b->robot = b->socket >= 0 ? ff_ec_robot_create(transport, b, err) : NULL;
    if (!b->robot) return false;
    b->end = options->time;
    b->relay = (ff_run_relay){ff_scene_first_steered(scene),
                              {.context = b, .bind = bind_bus, .cycle = cycle_bus, .every_bus_cycle = true}};
    options->relays = &b->relay;
    options->nrelay = 1;
    return true;
}

static bool ethercat_attach(run_target *target, ff_run *run, ff_report *report)
{
    const ethercat_target *b = (const ethercat_target *)target;
    ff_error err = {0};
    (void)run;
    if (ff_ec_robot_schedule(b->robot, b->operator, & err) == FF_OK) return true;
    ff_report_add(report, FF_ERROR, (ff_place){"--operator", 0, 0}, "%s", err.text);
    return false;
}

/// Writes the files of --eni and --esi, sets real-time priority where it is allowed, and prints the number of stations.
static int ethercat_start(run_target *target, ff_error *err)
{
    const ethercat_target *b = (const ethercat_target *)target;
    const struct sched_param priority = {.sched_priority = 40}; // below 50, that of the kernel's interrupt threads
    int count;
    if (!write_descriptions(b, err)) return exit_of(err->status);
    const bool urgent = sched_setscheduler(0, SCHED_FIFO, &priority) == 0;
    ff_ec_robot_stations(b->robot, &count);
    if (!target->quiet)
        print_escaped(stderr, "%d stations at %s, %s, %s real-time priority\n", count, b->interface,
                      b->wall ? "in real time" : "one cycle with each exchange of process data",
                      urgent ? "with" : "without");
    return EXIT_FINE;
}

/// Answers frames with the AL status for the end of the run, until no more frames arrive.
static void ethercat_finish(run_target *target, ended_run *result)
{
    ethercat_target *b = (ethercat_target *)target;
    const double begin = clock_seconds();
    bool over = false;
    (void)result;
    ff_ec_segment *segment = ff_ec_robot_segment(b->robot);
    if (!segment) return;
    ff_ec_segment_end(segment);
    for (long long frames = -1; frames != b->frames && clock_seconds() - begin < END_TIMEOUT;) {
        frames = b->frames;
        answer(b, POLL_PERIOD, &over);
    }
}

static void ethercat_print(const run_target *target)
{
    const ethercat_target *b = (const ethercat_target *)target;
    printf("bus   %lld frames answered, %lld cycles, %lld of them with process data", b->frames, b->cycles,
           b->exchanged);
    if (b->wall) printf(", %lld late, %lld left out", (long long)b->pace.late, (long long)b->pace.left_out);
    printf("\n");
    workload_print(&b->work, b->period);
}

static void ethercat_close(run_target *target)
{
    ethercat_target *b = (ethercat_target *)target;
    ff_ec_robot_destroy(b->robot);
    packets_close(b->socket);
}

static const run_hooks ethercat_hooks = {.paced_externally = true,
                                         .mistake = ethercat_mistake,
                                         .prepare = ethercat_prepare,
                                         .attach = ethercat_attach,
                                         .start = ethercat_start,
                                         .finish = ethercat_finish,
                                         .print = ethercat_print,
                                         .close = ethercat_close};

static int ethercat_main(const command *self, void *options, ff_arena *arena)
{
    ethercat_target *target = options;
    return run_with_hooks(self, &target->run, &ethercat_hooks, arena);
}

const command ethercat_command = {
    .name = "ethercat",
    .synopsis = "SCENE --interface NAME [--wall] [--operator LIST] [--eni FILE] [--esi FILE] [--time T] [--out DIR] "
                "[--set path=value]... [--report] [--profile] [--quiet]",
    .summary = "simulate a robot whose controller is an EtherCAT master",
    .description =
        "Runs a scene as `footfall run` does, but the drives and sensors of its first robot are EtherCAT stations at a "
        "network interface, with the names they have in the robot's file. A master finds them, brings them to OP and "
        "controls the drives by CiA 402 (docs/ethercat.md). Raw frames need root, or a separate namespace: `unshare "
        "-Urn`.\n\n"
        "By default simulated time advances by one cycle of the bus with each exchange of process data, so that a slow "
        "master does not change the results. With --wall it advances in real time, and `footfall hardware` needs "
        "--wall, too. Distributed time is simulated time. The process has real-time priority where that is permitted."
        "\n\n"
        "Faults are commanded by time (--operator) and by lines on its input: cut STATION [PORT], reconnect "
        "STATION [PORT] (a cable), reset STATION, watchdog STATION, vendor STATION NUMBER, lose PERCENT (of the "
        "frames), fault DRIVE, repair DRIVE, stick SENSOR, overload SENSOR, free SENSOR.",
    .examples = "  unshare -Urn\n"
                "  ip link add veth0 type veth peer name veth1 && ip link set veth0 up && ip link set veth1 up\n"
                "  footfall ethercat experiments/anton-tripod.yaml --interface veth0 &\n"
                "  footfall hardware experiments/anton-tripod.yaml --bus ethercat:veth1\n"
                "      or start your own master at veth1\n",
    OPTIONS(RUN_OPTIONS, ALLOW_OPTION(run_target, allow),
            OPTION(ethercat_target, interface, "interface", TEXT, "NAME",
                   "Network interface at which the stations are, such as one end of a veth pair"),
            FLAG(ethercat_target, wall, "wall",
                 "Run in real time; without it, time goes on by one cycle with each exchange of process data"),
            OPTION(ethercat_target, operator, "operator", TEXT, "LIST",
                   "Faults by simulated time, as in \"0.5 cut FL_femur; 1 reconnect FL_femur\""),
            OPTION(ethercat_target, eni, "eni", TEXT, "FILE",
                   "Write the description of the network (ENI), which masters are configured by"),
            OPTION(ethercat_target, esi, "esi", TEXT, "FILE",
                   "Write the descriptions of the devices (ESI), which configuration tools read")),
    .operands = {1, 1, "SCENE, a scene or an image,"},
    PRESET(ethercat_target, .run = {RUN_PRESET}, .socket = -1),
    .run = ethercat_main,
};
