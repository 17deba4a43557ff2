// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall control`: the controller that a scene names, as a separate process at the other end of a wire from the
// robot. This process simulates nothing.
#include "commands.h"
#include "controllers.h"
#include "files.h"
#include "link_end.h"
#include "terminal.h"

#include <footfall/link.h>
#include <footfall/run.h>

#include <math.h>

typedef struct control_target {
    link_target common;
    const char *planner, *faults, *allow, *plugin;
    bool plan, interface;
    ff_run_controller plugin_controller;
    twin_link twin;
} control_target;

// ------------------------------------------------------------------------------------------ one robot

/// The controller of a robot with its wire.
typedef struct controller_end {
    control_target *target;
    ff_run *run; // owns the controller; it is not simulated
    int robot;
    ff_relay_site site; // inputs and outputs of the controller
    ff_link_options options;
    ff_link_timing timing;
    ff_wire *wire;
    uint32_t conditions; // FF_LINK_FAULT and others, sent with each answer
} controller_end;

/// FF_LINK_FAULT if the controller has failed; the robot then holds its joints.
static uint32_t fault_of(const controller_end *h)
{
    return ff_run_check_controller(h->run, h->robot, NULL) == FF_OK ? 0 : FF_LINK_FAULT;
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    controller_end *h = context;
    h->conditions = h->target->plan ? ff_run_plan(h->run, h->robot, t, sensors, references)
                                    : ff_run_answer(h->run, h->robot, t, sensors, references);
    h->conditions |= fault_of(h);
}

static uint32_t stabilise(void *context, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                          ff_io_frame *references)
{
    const controller_end *h = context;
    return ff_run_stabilise(h->run, h->robot, t, sensors, plan, references) | fault_of(h);
}

/// Prints how many frames a wire has carried. @param action  what was done with them, such as "answered"
static void print_counts(const char *wire, const ff_link_counts *counts, const char *action)
{
    if (counts->cycles > 0)
        printf("%-6s%lld frames %s, %lld twice, %lld late, %lld damaged, %lld foreign\n", wire,
               (long long)counts->cycles, action, (long long)counts->doubled, (long long)counts->late,
               (long long)counts->damaged, (long long)counts->foreign);
}

/// Runs the whole controller, or only its planner, whose references are plans, until the robot ends.
static ff_status run_controller(controller_end *h, ff_link_counts *counts, ff_error *err)
{
    ff_io_layout references = *h->site.references;
    ff_status status = h->target->plan ? ff_run_plan_layout(h->run, h->robot, &references, err) : FF_OK;
    const ff_interface interface = interface_of(&h->site, &references);
    ff_link_controller controller = {.context = h,
                                     .cycle = cycle,
                                     .signals = h->site.values,
                                     .nsignal = h->site.nsignal,
                                     .conditions = &h->conditions};
    const link_target *common = &h->target->common;
    twin_link *twin = &h->target->twin;
    if (status != FF_OK) return status;
    if (!twin_link_open(twin, h->run, common->operands.items[0], &h->options, &h->site, &controller, err))
        status = err->status;
    else
        status = ff_link_control(h->wire, &interface, &h->options, &controller, counts, err);
    return twin_link_close(twin, status, common->quiet, err) ? status : err->status;
}

/// Runs the stabiliser until the robot ends; the planner is another process.
static ff_status run_stabiliser(controller_end *h, ff_link_counts *counts, ff_error *err)
{
    ff_io_layout plan;
    ff_link_counts plans = {0};
    const ff_interface interface = interface_of(&h->site, h->site.references);
    ff_link_stabiliser stabiliser = {
        .site = h->site, .context = h, .cycle = stabilise, .signals = h->site.values, .nsignal = h->site.nsignal};
    ff_status status = ff_run_plan_layout(h->run, h->robot, &plan, err);
    stabiliser.site.references = &plan;
    if (status == FF_OK) stabiliser.planner = ff_wire_open(h->target->planner, FF_END_ROBOT, err);
    if (!stabiliser.planner) return status != FF_OK ? status : FF_BAD_ARGUMENT;
    status = ff_link_stabilise(h->wire, &interface, &h->options, &stabiliser, counts, &plans, err);
    ff_wire_close(stabiliser.planner);
    if (!h->target->common.quiet) print_counts("plans", &plans, "requested");
    return status;
}

/// Connects the controller of the first robot with its wire and runs it. @return exit code
static int control(link_target *common, ff_run *run, const ff_scene_spec *scene)
{
    control_target *target = (control_target *)common;
    const int robot = ff_scene_first_steered(scene);
    ff_error err = {0};
    ff_link_counts counts = {0};
    controller_end end = {.target = target, .run = run, .robot = robot, .options = ff_link_options_default()};
    end.options.timeout = common->timeout;
    if (!isnan(common->tolerate)) end.options.tolerated = (int)common->tolerate;
    end.options.stop = is_interrupted;
    end.options.timing = &end.timing;
    ff_status status = ff_run_is_ready(run, &err);
    if (status == FF_OK) status = ff_run_controller_site(run, robot, &end.site, &err);
    if (status == FF_OK && target->interface) {
        const ff_interface interface = interface_of(&end.site, end.site.references);
        print_interface(common->operands.items[0], &interface);
        return EXIT_FINE;
    }
    end.wire = status == FF_OK ? open_faulty_wire(common->link, FF_END_CONTROL, target->faults, &err) : NULL;
    if (end.wire && !common->quiet)
        print_escaped(stderr, "looking for a %s at %s\n", target->plan ? "stabiliser" : "robot", common->link);
    if (end.wire) status = target->planner ? run_stabiliser(&end, &counts, &err) : run_controller(&end, &counts, &err);
    if (!end.wire || status != FF_OK) print_message(common->operands.items[0], STYLE_BAD, err.text);
    if (!end.wire) return EXIT_INPUT;
    ff_wire_close(end.wire);
    if (status == FF_OK && !common->quiet) fprintf(stderr, "%s\n", err.text);
    if (status == FF_OK) status = ff_run_check_controller(run, robot, NULL); // the report below has the reason
    ff_report report = {0};
    ff_run_report_limits(run, &report);
    print_report_from(stderr, &report, common->quiet ? FF_WARNING : FF_NOTE, WARNINGS_SHOWN);
    ff_report_clear(&report);
    if (!common->quiet) {
        print_counts("link", &counts, "answered");
        print_answers(&end.timing);
    }
    return exit_of_link(status);
}

/// Sets the permissions of the controller, and the plug-in that replaces it.
static bool prepare(link_target *common, const ff_scene_spec *scene, ff_run_options *options, ff_error *err)
{
    control_target *target = (control_target *)common;
    twin_link_record(&target->twin, &options->record);
    permissions_read(target->allow, &options->permissions);
    options->python = python_find;
    return plugin_use(target->plugin, scene, &target->plugin_controller, options, err);
}

static int control_main(const command *self, void *options, ff_arena *arena)
{
    control_target *target = options;
    const twin_link *twin = &target->twin;
    unsigned permissions = 0;
    (void)arena;
    if (!permissions_read(target->allow, &permissions)) return usage_error(self, PERMISSIONS_MISTAKE, target->allow);
    if (!isnan(target->common.tolerate) && !target->planner)
        return usage_error(self, "--tolerate is for a planner in another process: give --planner WIRE");
    if (target->plan && target->planner)
        return usage_error(self, "give --plan or --planner: a process is either the planner or the stabiliser");
    if (twin->out && !twin->link) return usage_error(self, "--out records two robots: give the second by --twin");
    if (twin->report && !twin->out)
        return usage_error(self, "--report is a page about the recording of two robots: give --out DIR%s",
                           twin->link ? "" : " and --twin WIRE");
    if (twin->link && (target->plan || target->planner))
        return usage_error(self, "--twin goes with a whole controller, not with --plan or --planner");
    return link_run(self, &target->common, prepare, control);
}

const command control_command = {
    .name = "control",
    .synopsis = "SCENE [--link WIRE] [--planner WIRE [--tolerate N] | --plan | --twin WIRE [--out DIR [--report]]] "
                "[--set path=value]... [--timeout T] [--faults LIST] [--allow io,os] [--plugin FILE] "
                "[--interface] [--quiet]",
    .summary = "be the controller of a robot at the other end of a wire",
    .description =
        "Runs the controller that a scene names for its first robot, built in or a script, or one in C (--plugin), "
        "without simulating: it receives sensor values over a wire and sends references. The robot is `footfall "
        "serve`, or a real one with the same protocol (docs/link.md). A robot with other sensors or drives than the "
        "scene's is refused.\n\n"
        "Controllers of kinds `gait` and `biped` can be two processes, planner and stabiliser: the stabiliser is "
        "connected with the robot and sends its sensor values to the planner, which answers with plans.\n\n"
        "With --twin a second robot gets the same references in the same cycles, such as a real one besides its model. "
        "The controller reads only the sensors of the first, which goes on if the twin is lost.\n\n"
        "Exit code 0 when the robot reports its end, 3 when it is silent for too long, the planner was lost or "
        "the controller failed.",
    .examples = "  footfall control experiments/anton-tripod.yaml --link udp:7400\n"
                "      the other end is `footfall serve experiments/anton-tripod.yaml --link udp:7400`\n"
                "  footfall control experiments/anton-tripod.yaml --link shm:anton --planner shm:plan\n"
                "  footfall control experiments/anton-tripod.yaml --link shm:plan --plan\n"
                "      the same controller as two processes; the robot is `footfall serve .. --link shm:anton`\n"
                "  footfall control experiments/servo-hexapod-walk.yaml --interface > servo_hexapod.h\n"
                "      for your own board, docs/real-robot.md\n",
    OPTIONS(
        OPTION(control_target, common.link, "link", TEXT, "WIRE",
               "udp:PORT, udp:HOST:PORT, tcp:PORT, tcp:HOST:PORT, serial:DEVICE:BAUD or shm:NAME; without it udp:7400"),
        OPTION(control_target, planner, "planner", TEXT, "WIRE",
               "Be the stabiliser only: its planner is another process, at the other end of this wire"),
        OPTION(control_target, common.tolerate, "tolerate", NUMBER, "N",
               "With --planner and in real time: after N cycles without a plan the last one is held, and the planner "
               "is given up after 0.25 s; without it 20"),
        FLAG(control_target, plan, "plan",
             "Be the planner only: --link is the wire that the stabiliser names by --planner"),
        OPTION(control_target, twin.link, "twin", TEXT, "WIRE",
               "A second robot, which gets the same references in the same cycles (docs/twin.md)"),
        OPTION(control_target, twin.out, "out", TEXT, "DIR",
               "With --twin: record the sensors of both robots, their differences and the references"),
        FLAG(control_target, twin.report, "report", "With --out: write report.html beside the recording"),
        LINK_OPTIONS(control_target, ""), FAULTS_OPTION(control_target, faults, "robot"),
        ALLOW_OPTION(control_target, allow), PLUGIN_OPTION(control_target, plugin),
        FLAG(control_target, interface, "interface",
             "Print the items of both frames as a header in C, for the program of a real robot, and end")),
    .operands = {1, 1, "SCENE, a scene or an image,"},
    PRESET(control_target, .common = {.link = "udp:7400", LINK_PRESET}),
    .run = control_main,
};
