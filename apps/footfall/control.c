// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall control`: the controller that a scene names, as a process of its own, at the far end of a wire. Nothing is
// simulated here.
#include "commands.h"
#include "doors.h"
#include "far_twin.h"
#include "loading.h"
#include "python.h"
#include "serve.h"
#include "terminal.h"

#include <footfall/link.h>
#include <footfall/run.h>

#include <math.h>
#include <signal.h>
#include <stdatomic.h>

typedef struct control_target {
    text_list operands;
    const char *link, *faults, *allow;
    text_list set;
    double patience;
    bool quiet;
    unsigned doors;
    far_pair pair;
} control_target;

static const option control_options[] = {
    OPTION(control_target, link, "link", OPTION_TEXT, HINT_NONE, "WIRE",
           "udp:PORT, udp:HOST:PORT, tcp:PORT, tcp:HOST:PORT, serial:DEVICE:BAUD or shm:NAME; without it udp:7400"),
    OPTION(control_target, pair.link, "twin", OPTION_TEXT, HINT_NONE, "WIRE",
           "A second robot, which gets the same references in the same cycles (docs/twin.md)"),
    OPTION(control_target, pair.out, "out", OPTION_TEXT, HINT_FOLDER, "DIR",
           "With --twin: record the sensors of both robots, their differences and the references"),
    OPTION(control_target, set, "set", OPTION_TEXTS, HINT_NONE, "PATH=VALUE", "Override a value of the scene"),
    OPTION(control_target, patience, "patience", OPTION_NUMBER, HINT_NONE, "T",
           "Give up when nothing is heard of the robot for T seconds; without it 5"),
    OPTION(control_target, faults, "faults", OPTION_TEXT, HINT_NONE, "LIST",
           "Spoil what is sent, to try the robot: drop=0.02,delay=0.003,double=0.01,swap=0.01,flip=0.001,cut=500"),
    OPTION(control_target, allow, "allow", OPTION_TEXT, HINT_NONE, "io,os", DOORS_HELP),
    OPTION(control_target, quiet, "quiet", OPTION_FLAG, HINT_NONE, NULL, "Only warnings and errors"),
};

static atomic_int interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupted != 0;
}

// ------------------------------------------------------------------------------------------ one robot

typedef struct hosted {
    ff_run *run;
    int robot;
    uint32_t conditions;
} hosted;

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    hosted *h = context;
    h->conditions = ff_run_answer(h->run, h->robot, t, sensors, references);
}

static void complain(const control_target *target, const char *text)
{
    fprintf(stderr, "%s: %serror:%s %s\n", target->operands.items[0], paint(stderr, STYLE_BAD),
            paint(stderr, STYLE_PLAIN), text);
}

static int judge(ff_status status)
{
    return status == FF_OK ? EXIT_FINE : status == FF_STOPPED || status == FF_CONTROL ? EXIT_SIMULATION : EXIT_INPUT;
}

static int control(control_target *target, ff_run *run, int robot)
{
    ff_error err = {0};
    ff_relay_site site;
    ff_link_options options = ff_link_options_default();
    ff_link_counts counts = {0};
    hosted host = {run, robot, 0};
    options.patience = target->patience;
    options.stop = is_interrupted;
    ff_status status = ff_run_is_ready(run, &err);
    if (status == FF_OK) status = ff_run_controller_site(run, robot, &site, &err);
    ff_wire *wire = status == FF_OK ? open_spoiled(target->link, FF_END_CONTROL, target->faults, &err) : NULL;
    if (!wire) {
        complain(target, err.text);
        return EXIT_INPUT;
    }
    const ff_interface interface = {.sensors = *site.sensors, .references = *site.references};
    ff_link_controller controller = {
        .context = &host, .cycle = cycle, .signals = site.values, .conditions = &host.conditions};
    if (!far_open(&target->pair, run, target->operands.items[0], &options, &site, &controller, &err))
        status = err.status;
    else
        status = ff_link_control(wire, ff_interface_hash(&interface), &options, &controller, &counts, &err);
    if (!far_close(&target->pair, status, target->quiet, &err)) status = err.status;
    ff_wire_close(wire);
    if (status != FF_OK) complain(target, err.text);
    ff_report news = {0};
    ff_run_report_limits(run, &news);
    print_report_from(stderr, &news, target->quiet ? FF_WARNING : FF_NOTE, WARNINGS_SHOWN);
    ff_report_clear(&news);
    if (!target->quiet && counts.cycles > 0)
        printf("link  %lld frames answered, %lld twice, %lld late, %lld damaged, %lld foreign\n",
               (long long)counts.cycles, (long long)counts.doubled, (long long)counts.late, (long long)counts.damaged,
               (long long)counts.foreign);
    return judge(status);
}

static int control_scene(control_target *target)
{
    ff_report report = {0};
    const ff_severity from = target->quiet ? FF_WARNING : FF_NOTE;
    const ff_scene_spec *scene =
        ff_scene_load(target->operands.items[0], target->set.items, target->set.count, &report);
    ff_run_options options = ff_run_options_default(scene);
    far_record(&target->pair, &options.record); // the robot's end has the rest
    options.doors = target->doors;
    options.python = python_find;
    ff_run *run = scene ? ff_run_create(scene, &options, &report) : NULL;
    print_report_from(stderr, &report, from, WARNINGS_SHOWN);
    const int code = run ? control(target, run, ff_scene_first_steered(scene)) : EXIT_INPUT;
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return code;
}

static int control_main(const command *self, int argc, char **argv)
{
    control_target target = {.link = "udp:7400", .patience = ff_link_options_default().patience};
    ff_arena arena = {0};
    parse_result parsed = options_parse(self, argc, argv, &target, &arena);
    int code = parsed == PARSE_BAD ? EXIT_USAGE : EXIT_FINE;
    if (parsed == PARSE_OK && !doors_read(target.allow, &target.doors))
        code = usage_error(self, DOORS_MISTAKE, target.allow);
    else if (parsed == PARSE_OK && !(target.patience > 0.0))
        code = usage_error(self, "--patience is %g s: it must be positive", target.patience);
    else if (parsed == PARSE_OK && target.pair.out && !target.pair.link)
        code = usage_error(self, "--out records two robots: give the second by --twin");
    else if (parsed == PARSE_OK) {
        signal(SIGINT, on_interrupt);
        signal(SIGTERM, on_interrupt);
        code = control_scene(&target);
    }
    ff_arena_clear(&arena);
    return code;
}

const command control_command = {
    .name = "control",
    .synopsis = "SCENE [--link WIRE] [--twin WIRE [--out DIR]] [--set path=value]... [--patience T] [--faults LIST] "
                "[--allow io,os] [--quiet]",
    .summary = "be the controller of a robot at the far end of a wire",
    .description =
        "Runs the controller that a scene names for its first robot, built in or a script, without simulating: sensors "
        "come in over a wire and references go out. The robot is `footfall serve`, or a real one that speaks the same "
        "protocol (docs/link.md). A robot with other sensors or drives than the scene's is refused.\n\n"
        "With --twin a second robot gets the same references in the same cycles, a real one beside its model: the "
        "controller reads the sensors of the first alone. A twin that is lost leaves the first as it is.\n\n"
        "Exit code 0 when the robot says that it is over, 3 when it is silent for too long.",
    .examples = "  footfall control experiments/anton-tripod.yaml --link udp:7400\n"
                "      the other end is `footfall serve experiments/anton-tripod.yaml --link udp:7400`\n",
    .options = control_options,
    .noption = (int)(sizeof control_options / sizeof control_options[0]),
    .min_operands = 1,
    .max_operands = 1,
    .operand = "SCENE, a scene or an image,",
    .run = control_main,
};
