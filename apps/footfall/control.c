// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall control`: the controller that a scene names, as a separate process at the far end of a wire. Nothing is
// simulated here.
#include "commands.h"
#include "controllers.h"
#include "files.h"
#include "link_end.h"
#include "terminal.h"

#include <footfall/link.h>
#include <footfall/run.h>

#include <math.h>

typedef struct control_target {
    text_list operands;
    const char *link, *planner, *faults, *allow, *plugin;
    text_list set;
    double timeout, tolerate;
    bool plan, interface, quiet;
    unsigned permissions;
    far_pair pair;
} control_target;

// ------------------------------------------------------------------------------------------ one robot

typedef struct hosted {
    control_target *target;
    ff_run *run;
    int robot;
    ff_relay_site site; // inputs and outputs of the controller
    ff_link_options options;
    ff_link_timing timing;
    ff_wire *wire;
    uint32_t conditions;
} hosted;

/// Informs the robot that its controller has failed; the robot then holds its joints.
static uint32_t fault_of(const hosted *h)
{
    return ff_run_check_controller(h->run, h->robot, NULL) == FF_OK ? 0 : FF_LINK_FAULT;
}

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    hosted *h = context;
    h->conditions = h->target->plan ? ff_run_plan(h->run, h->robot, t, sensors, references)
                                    : ff_run_answer(h->run, h->robot, t, sensors, references);
    h->conditions |= fault_of(h);
}

static uint32_t stabilise(void *context, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                          ff_io_frame *references)
{
    const hosted *h = context;
    return ff_run_stabilise(h->run, h->robot, t, sensors, plan, references) | fault_of(h);
}

static void complain(const control_target *target, const char *text)
{
    say(target->operands.items[0], STYLE_BAD, text);
}

static void print_counts(const char *wire, const ff_link_counts *counts, const char *what)
{
    if (counts->cycles > 0)
        printf("%-6s%lld frames %s, %lld twice, %lld late, %lld damaged, %lld foreign\n", wire,
               (long long)counts->cycles, what, (long long)counts->doubled, (long long)counts->late,
               (long long)counts->damaged, (long long)counts->foreign);
}

/// Runs the whole controller, or only its planner, whose references are plans.
static ff_status control_all(hosted *h, ff_link_counts *counts, ff_error *err)
{
    ff_io_layout references = *h->site.references;
    ff_status status = h->target->plan ? ff_run_plan_layout(h->run, h->robot, &references, err) : FF_OK;
    const ff_interface interface = interface_of(&h->site, &references);
    ff_link_controller controller = {.context = h,
                                     .cycle = cycle,
                                     .signals = h->site.values,
                                     .nsignal = h->site.nsignal,
                                     .conditions = &h->conditions};
    far_pair *pair = &h->target->pair;
    if (status != FF_OK) return status;
    if (!far_open(pair, h->run, h->target->operands.items[0], &h->options, &h->site, &controller, err))
        status = err->status;
    else
        status = ff_link_control(h->wire, &interface, &h->options, &controller, counts, err);
    return far_close(pair, status, h->target->quiet, err) ? status : err->status;
}

/// Runs the stabiliser; the planner is another process.
static ff_status control_half(hosted *h, ff_link_counts *counts, ff_error *err)
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
    if (!h->target->quiet) print_counts("plans", &plans, "asked for");
    return status;
}

static int control(control_target *target, ff_run *run, int robot)
{
    ff_error err = {0};
    ff_link_counts counts = {0};
    hosted host = {.target = target, .run = run, .robot = robot, .options = ff_link_options_default()};
    host.options.timeout = target->timeout;
    if (!isnan(target->tolerate)) host.options.tolerated = (int)target->tolerate;
    host.options.stop = is_interrupted;
    host.options.timing = &host.timing;
    ff_status status = ff_run_is_ready(run, &err);
    if (status == FF_OK) status = ff_run_controller_site(run, robot, &host.site, &err);
    if (status == FF_OK && target->interface) {
        const ff_interface interface = interface_of(&host.site, host.site.references);
        print_interface(target->operands.items[0], &interface);
        return EXIT_FINE;
    }
    host.wire = status == FF_OK ? open_faulty_wire(target->link, FF_END_CONTROL, target->faults, &err) : NULL;
    if (!host.wire) {
        complain(target, err.text);
        return EXIT_INPUT;
    }
    if (!target->quiet)
        say_plainly(stderr, "looking for a %s at %s\n", target->plan ? "stabiliser" : "robot", target->link);
    status = target->planner ? control_half(&host, &counts, &err) : control_all(&host, &counts, &err);
    ff_wire_close(host.wire);
    if (status != FF_OK) complain(target, err.text);
    if (status == FF_OK && !target->quiet) fprintf(stderr, "%s\n", err.text);
    if (status == FF_OK) status = ff_run_check_controller(run, robot, NULL); // the report below says why
    ff_report news = {0};
    ff_run_report_limits(run, &news);
    print_report_from(stderr, &news, target->quiet ? FF_WARNING : FF_NOTE, WARNINGS_SHOWN);
    ff_report_clear(&news);
    if (!target->quiet) {
        print_counts("link", &counts, "answered");
        print_answers(&host.timing);
    }
    return exit_of_link(status);
}

static int control_scene(control_target *target)
{
    ff_report report = {0};
    const ff_severity from = target->quiet ? FF_WARNING : FF_NOTE;
    const ff_scene_spec *scene =
        ff_scene_load(target->operands.items[0], target->set.items, target->set.count, &report);
    ff_run_options options = ff_run_options_default(scene);
    far_record(&target->pair, &options.record); // the process of the robot records the rest
    options.permissions = target->permissions;
    options.python = python_find;
    ff_run_controller plugged;
    ff_error err = {0};
    const bool ready = scene && plugin_use(target->plugin, scene, &plugged, &options, &err);
    if (scene && !ready) complain(target, err.text);
    ff_run *run = ready ? ff_run_create(scene, &options, &report) : NULL;
    print_report_from(stderr, &report, from, WARNINGS_SHOWN);
    const int code = run ? control(target, run, ff_scene_first_steered(scene)) : EXIT_INPUT;
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return code;
}

static int control_main(const command *self, void *options, ff_arena *arena)
{
    control_target *target = options;
    (void)arena;
    far_pair *pair = &target->pair;
    if (isnan(target->timeout)) target->timeout = ff_link_options_default().timeout;
    if (!permissions_read(target->allow, &target->permissions))
        return usage_error(self, PERMISSIONS_MISTAKE, target->allow);
    if (!isnan(target->tolerate) && !target->planner)
        return usage_error(self, "--tolerate is for a planner elsewhere: give --planner WIRE");
    if (!(target->timeout > 0.0)) return usage_error(self, "--timeout is %g s: it must be positive", target->timeout);
    if (!isnan(target->tolerate) && !is_whole(target->tolerate, 0, 1e6))
        return usage_error(self, "--tolerate is %g: it is a whole number of cycles", target->tolerate);
    if (target->plan && target->planner)
        return usage_error(self, "--plan and --planner: one process is the planner or the stabiliser; both is neither");
    if (pair->out && !pair->link) return usage_error(self, "--out records two robots: give the second by --twin");
    if (pair->report && !pair->out)
        return usage_error(self, "--report is a page about the recording of two robots: give --out DIR%s",
                           pair->link ? "" : " and --twin WIRE");
    if (pair->link && (target->plan || target->planner))
        return usage_error(self, "--twin goes with a whole controller, not with --plan or --planner");
    watch_interrupts();
    return control_scene(target);
}

const command control_command = {
    .name = "control",
    .synopsis = "SCENE [--link WIRE] [--planner WIRE [--tolerate N] | --plan | --twin WIRE [--out DIR [--report]]] "
                "[--set path=value]... [--timeout T] [--faults LIST] [--allow io,os] [--plugin FILE] "
                "[--interface] [--quiet]",
    .summary = "be the controller of a robot at the far end of a wire",
    .description =
        "Runs the controller that a scene names for its first robot, built in or a script, or one in C (--plugin), "
        "without simulating: sensors come in over a wire and references go out. The robot is `footfall serve`, or a "
        "real one that speaks the same protocol (docs/link.md). A robot with other sensors or drives than the scene's "
        "is refused.\n\n"
        "Controllers of kinds `gait` and `biped` can be two processes, planner and stabiliser: the stabiliser speaks "
        "with the robot and hands its sensors on to the planner, which answers with plans.\n\n"
        "With --twin a second robot gets the same references in the same cycles, a real one beside its model: the "
        "controller reads the sensors of the first alone. A twin that is lost leaves the first as it is.\n\n"
        "Exit code 0 when the robot says that it is over, 3 when it is silent for too long, the planner was lost or "
        "the controller failed.",
    .examples = "  footfall control experiments/anton-tripod.yaml --link udp:7400\n"
                "      the other end is `footfall serve experiments/anton-tripod.yaml --link udp:7400`\n"
                "  footfall control experiments/anton-tripod.yaml --link shm:anton --planner shm:plan\n"
                "  footfall control experiments/anton-tripod.yaml --link shm:plan --plan\n"
                "      the same controller as two processes; the robot is `footfall serve .. --link shm:anton`\n"
                "  footfall control experiments/servo-hexapod-walk.yaml --interface > servo_hexapod.h\n"
                "      for a board of your own, docs/real-robot.md\n",
    OPTIONS(
        OPTION(control_target, link, "link", TEXT, "WIRE",
               "udp:PORT, udp:HOST:PORT, tcp:PORT, tcp:HOST:PORT, serial:DEVICE:BAUD or shm:NAME; without it udp:7400"),
        OPTION(control_target, planner, "planner", TEXT, "WIRE",
               "Be the stabiliser alone: its planner is another process, at the far end of this wire"),
        OPTION(control_target, tolerate, "tolerate", NUMBER, "N",
               "With --planner and in real time: after N cycles without a plan the last one stands still, and the "
               "planner is given up once they lasted 0.25 s; without it 20"),
        FLAG(control_target, plan, "plan",
             "Be the planner alone: --link is the wire that the stabiliser names by --planner"),
        OPTION(control_target, pair.link, "twin", TEXT, "WIRE",
               "A second robot, which gets the same references in the same cycles (docs/twin.md)"),
        OPTION(control_target, pair.out, "out", TEXT, "DIR",
               "With --twin: record the sensors of both robots, their differences and the references"),
        FLAG(control_target, pair.report, "report", "With --out: write report.html beside the recording"),
        OPTION(control_target, set, "set", TEXTS, "PATH=VALUE", "Override a value of the scene"),
        OPTION(control_target, timeout, "timeout", NUMBER, "T",
               "Give up when no data come from the robot for T seconds; without it 5"),
        OPTION(control_target, faults, "faults", TEXT, "LIST",
               "Inject faults into what is sent, to test the robot: "
               "drop=0.02,delay=0.003,double=0.01,swap=0.01,flip=0.001,cut=500,flood=100,seed=7"),
        OPTION(control_target, allow, "allow", TEXT, "io,os", PERMISSIONS_HELP),
        OPTION(control_target, plugin, "plugin", TEXT, "FILE", PLUGIN_HELP),
        FLAG(control_target, interface, "interface",
             "Print the items of both frames as a header in C, for the program of a real robot, and do nothing else"),
        FLAG(control_target, quiet, "quiet", "Only warnings and errors")),
    .operands = {1, 1, "SCENE, a scene or an image,"},
    PRESET(control_target, .link = "udp:7400", .timeout = NAN, .tolerate = NAN),
    .run = control_main,
};
