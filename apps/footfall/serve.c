// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall serve`: a run whose controller is another process at the other end of a link.
#include "commands.h"
#include "link_end.h"
#include "run.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>

typedef struct serve_target {
    run_target run;
    const char *link, *faults, *operator;
    bool wall, hardware;
    double tolerate, wait;
    // set by serve_prepare
    ff_link_timing timing;
    ff_wire *wire;
    ff_link_robot *robot;
    ff_hardware *layer; // between robot and link; NULL: none
    ff_run_relay relay;
} serve_target;

// ------------------------------------------------------------------------------------------ hooks

/// Puts the hardware layer between the robot and `controller`.
static bool add_layer(serve_target *s, ff_relay *controller, ff_error *err)
{
    ff_hardware_options options = ff_hardware_options_default();
    options.wall = options.threads = s->wall;
    if (!isnan(s->tolerate)) options.tolerated_mismatches = (int)s->tolerate;
    options.log = print_layer_state;
    options.context = &s->run.quiet;
    s->layer = ff_hardware_create(controller, &options, err);
    if (s->layer) *controller = ff_hardware_relay(s->layer);
    return s->layer;
}

/// Opens the wire, which replaces the controller of the first robot that has one.
static bool serve_prepare(run_target *target, const ff_scene_spec *scene, ff_run_options *options, ff_error *err)
{
    serve_target *s = (serve_target *)target;
    ff_link_options link = ff_link_options_default();
    if (!isnan(s->tolerate) && !is_whole(s->tolerate, 0, 1e6)) {
        ff_error_set(err, FF_BAD_ARGUMENT, "--tolerate %g: it is a whole number of cycles", s->tolerate);
        return false;
    }
    link.wall = s->wall;
    if (!isnan(s->tolerate)) link.tolerated = (int)s->tolerate;
    link.stop = is_interrupted;
    link.timing = &s->timing;
    s->wire = open_faulty_wire(s->link, FF_END_ROBOT, s->faults, err);
    s->robot = s->wire ? ff_link_robot_create(s->wire, &link, err) : NULL;
    if (!s->robot) return false;
    ff_relay relay = ff_link_relay(s->robot);
    if (s->operator&& !s->hardware) {
        ff_error_set(err, FF_BAD_ARGUMENT, "--operator commands the hardware layer: give --hardware as well");
        return false;
    }
    if (s->hardware && !add_layer(s, &relay, err)) return false;
    s->relay = (ff_run_relay){ff_scene_first_steered(scene), relay};
    options->relays = &s->relay;
    options->nrelay = 1;
    return true;
}

static bool serve_attach(run_target *target, ff_run *run, ff_report *report)
{
    const serve_target *s = (const serve_target *)target;
    ff_error err = {0};
    (void)run;
    if (!s->layer || ff_hardware_schedule(s->layer, s->operator, & err) == FF_OK) return true;
    ff_report_add(report, FF_ERROR, (ff_place){"--operator", 0, 0}, "%s", err.text);
    return false;
}

static int serve_start(run_target *target, ff_error *err)
{
    const serve_target *s = (const serve_target *)target;
    const bool connected = wait_for_controller(s->robot, s->wire, s->wait, target->quiet, err) == FF_OK;
    return connected ? EXIT_FINE : EXIT_SIMULATION;
}

/// Informs the controller of the reason for the end.
static void serve_finish(run_target *target, ended_run *result)
{
    const serve_target *s = (const serve_target *)target;
    ff_link_robot_disconnect(s->robot, result->status == FF_OK ? "the run is over" : result->err->text);
}

/// Prints counts, round-trip times, and delays of cycles.
static void serve_print(const run_target *target)
{
    const serve_target *s = (const serve_target *)target;
    const ff_link_counts c = ff_link_robot_counts(s->robot);
    const struct {
        const char *word;
        int64_t count;
    } rest[] = {{"missed", c.missed},   {"late", c.late},         {"doubled", c.doubled}, {"damaged", c.damaged},
                {"foreign", c.foreign}, {"sent again", c.resent}, {"behind", c.behind}};
    if (s->layer) print_layer_counts(s->layer);
    printf("link  %lld cycles, %lld answered", (long long)c.cycles, (long long)c.good);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        if (rest[i].count > 0) printf(", %lld %s", (long long)rest[i].count, rest[i].word);
    printf("\n");
    print_durations("round trip", &s->timing.trip);
    print_durations("cycles behind by", &s->timing.jitter);
}

static void serve_close(run_target *target)
{
    serve_target *s = (serve_target *)target;
    ff_hardware_destroy(s->layer);
    ff_link_robot_destroy(s->robot);
    ff_wire_close(s->wire);
}

static const run_hooks serve_hooks = {.paced_externally = true,
                                      .prepare = serve_prepare,
                                      .attach = serve_attach,
                                      .start = serve_start,
                                      .finish = serve_finish,
                                      .print = serve_print,
                                      .close = serve_close};

static int serve_main(const command *self, void *options, ff_arena *arena)
{
    serve_target *target = options;
    return run_with_hooks(self, &target->run, &serve_hooks, arena);
}

const command serve_command = {
    .name = "serve",
    .synopsis = "SCENE [--link WIRE] [--wall] [--tolerate N] [--wait T] [--faults LIST] [--hardware] "
                "[--operator LIST] [--time T] [--out DIR] "
                "[--set path=value]... [--allow io,os] [--plugin FILE] [--report] [--profile] [--quiet]",
    .summary = "simulate a robot whose controller is another process",
    .description =
        "Runs a scene as `footfall run` does, but the controller of its first robot is another process: sensor values "
        "are sent over a wire, references received (docs/link.md describes every byte). `footfall control` is such a "
        "controller; so is any program with this protocol.\n\n"
        "In lockstep, the default, the robot waits for each answer: both run as fast as they can, and results are "
        "bit-identical to those of a run in one process. With --wall the robot does not wait: an answer is used in the "
        "cycle after its sensor values. If it is missing, positions continue at their speed, and after N cycles the "
        "robot holds its joints, with exit code 3.\n\n"
        "With --hardware, virtual drives and sensors have raw numbers on a simulated bus, and the hardware layer "
        "controls them: state machines, homing, conversion, safety checks. In a fault the robot holds its joints; the "
        "exit code is 3 unless the operator acknowledges the fault.",
    .examples = "  footfall serve experiments/anton-tripod.yaml --link udp:7400\n"
                "  footfall control experiments/anton-tripod.yaml --link udp:7400\n"
                "      in another terminal: the same controller as of `footfall run`\n"
                "  footfall serve experiments/anton-tripod.yaml --link shm:anton --wall\n"
                "      through shared memory, in real time\n"
                "  footfall serve experiments/anton-tripod.yaml --hardware --operator \"1 miscount 2\"\n"
                "      through the hardware layer; after a second two working counters are wrong\n",
    OPTIONS(
        RUN_OPTIONS, ALLOW_OPTION(run_target, allow),
        OPTION(run_target, plugin, "plugin", TEXT, "FILE",
               "The plug-in of `footfall control --plugin`, if that replaces the scene's controller: the robot records "
               "its signals. Only the other process runs it"),
        FLAG(serve_target, hardware, "hardware", "Put the hardware layer between robot and link (docs/hardware.md)"),
        OPTION(serve_target, operator, "operator", TEXT, "LIST",
               "With --hardware: commands by time, as in \"0.5 fault FL_coxa; 1 repair FL_coxa; 1.1 acknowledge; 1.2 "
               "activate\""),
        OPTION(
            serve_target, link, "link", TEXT, "WIRE",
            "udp:PORT, tcp:PORT, serial:DEVICE:BAUD or shm:NAME; udp:HOST:PORT listens beyond this machine; without it "
            "udp:7400"),
        FLAG(serve_target, wall, "wall",
             "Run in real time without waiting for the controller; by default both run in lockstep"),
        OPTION(serve_target, tolerate, "tolerate", NUMBER, "N",
               "With --wall: consecutive cycles without an answer before the robot is stopped; by default 20, with the "
               "hardware layer 1"),
        WAIT_OPTION(serve_target, wait, "controller"), FAULTS_OPTION(serve_target, faults, "controller")),
    .operands = {1, 1, "SCENE, a scene or an image,"},
    PRESET(serve_target, .run = {RUN_PRESET}, .link = "udp:7400", .tolerate = NAN, .wait = -1.0),
    .run = serve_main,
};
