// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What it takes to add a kind of controller: one is written here as it would be in a file of its own, and steers a
// robot without any scene.
#include "check.h"
#include "steer/steering.h"
#include "support/folder.h"
#include "support/must_run.h"

#include <stdlib.h>

// ------------------------------------------------------------------ a kind: a spring that pulls a hinge to a target

typedef struct spring {
    double stiffness, damping; // [N m/rad], [N m s/rad]
    double target;             // [rad]
    int position, speed, torque;
} spring;

typedef struct command {
    double target;
} command;

#define OF spring
static const ff_row PARAMETERS[] = {
    FF_SETTING_NUMBER("stiffness", stiffness, "N m/rad", FF_POSITIVE, "25", "of the spring"),
    FF_SETTING_NUMBER("damping", damping, "N m s/rad", FF_NOT_NEGATIVE, "10", "beside the spring"),
    {0},
};
#undef OF
#define OF command
static const ff_row COMMANDS[] = {
    FF_COMMAND_NUMBER("target", target, "rad", FF_BETWEEN(-1, 1), "where the spring is at rest"),
    {0},
};
#undef OF

static ff_status create(const void *settings, const ff_controller_site *site, void **out, ff_error *err)
{
    spring *s = malloc(sizeof *s);
    (void)site;
    if (!s) return ff_error_set(err, FF_NO_MEMORY, "no memory for a spring");
    *s = *(const spring *)settings;
    *out = s;
    return FF_OK;
}

static ff_status bind(void *controller, const ff_controller_site *site, ff_controller *bound, ff_error *err)
{
    static const ff_io_name signals[] = {{"target", "rad"}};
    spring *s = controller;
    s->position = ff_io_find(site->sensors, "sensors.pot.position");
    s->speed = ff_io_find(site->sensors, "sensors.tacho.speed");
    s->torque = ff_io_find(site->references, "drives.hinge.force");
    *bound = (ff_controller){
        .memory = &s->target, .memory_size = sizeof s->target, .signals = signals, .values = &s->target, .nsignal = 1};
    if (s->position >= 0 && s->speed >= 0 && s->torque >= 0) return FF_OK;
    return ff_error_set(err, FF_NOT_FOUND, "a spring needs a hinge with a drive, a potentiometer and a tachometer");
}

static void step(void *controller, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const spring *s = controller;
    const ff_io_item *in = ff_io_items_of(sensors);
    const double torque = s->stiffness * (s->target - in[s->position].value) - s->damping * in[s->speed].value;
    (void)t;
    ff_io_items(references)[s->torque] = (ff_io_item){.value = torque, .valid = 1};
}

static ff_status give_command(void *controller, double t, const ff_command *c, ff_error *err)
{
    (void)t, (void)err;
    if (c->given[0]) ((spring *)controller)->target = ((const command *)c->values)->target;
    return FF_OK;
}

static const ff_controller_kind SPRING = {.name = "spring",
                                          .help = "pulls a hinge to a target",
                                          .parameters = PARAMETERS,
                                          .settings_size = sizeof(spring),
                                          .create = create,
                                          .bind = bind,
                                          .step = step,
                                          .destroy = free,
                                          .commands = COMMANDS,
                                          .command_size = sizeof(command),
                                          .command = give_command};

// ---------------------------------------------------------------------- the robot it steers

/// What happened to the controller.
typedef struct event_log {
    int commands, live;
    double last; // time of the last  [s]
} event_log;

static void note_command(void *context, int robot, double t, const char *text, bool live)
{
    event_log *d = context;
    CHECK_INT(robot, 0);
    CHECK(strncmp(text, "target ", 7) == 0);
    d->commands++;
    d->live += live;
    d->last = t;
}

typedef struct rig {
    ff_arena arena, tree;
    ff_report report;
    ff_plant *plant;
    ff_sim *sim;
    ff_steering_spec spec;
    ff_steering steering;
    event_log event_log;
} rig;

static void cycle(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    ff_steering_cycle(&((rig *)context)->steering, t, sensors, references);
}

/// Reads `control` of a rod of inertia 1 kg m^2 about a vertical axis, with ideal drive and sensors.
static void read_control(rig *x, const char *control)
{
    ff_plant_options options = ff_plant_options_default();
    options.sensor.stages = FF_STAGES_NONE;
    write_file("rod.yaml",
               "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, drive: {kind: ideal}},\n"
               "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n"
               "sensors: {pot: {type: potentiometer, joint: hinge, rate: 1000},\n"
               "  tacho: {type: tachometer, joint: hinge, rate: 1000}}\n");
    x->plant = ff_plant_load(in_folder("rod.yaml"), &options, &x->report);
    if (!x->plant) CHECK_FAIL("%s", x->report.messages[0].text);
    const ff_steer_reader r = {.arena = &x->arena, .report = &x->report, .file = "control", .robot = x->plant->model};
    ff_yaml *root = ff_yaml_parse(&x->tree, control, strlen(control), r.file, &x->report);
    CHECK(root);
    ff_schema_check(root, ff_control_group(&SPRING, NULL, &x->tree), &x->report);
    ff_steering_read_as(&r, &SPRING, root, 0, &x->spec);
    ff_yaml_report_unused(root, FF_ERROR, &x->report);
}

static void begin(rig *x, const char *control)
{
    ff_error err = {0};
    ff_sim_options options = ff_sim_options_default();
    const ff_bus bus = {.period = 1e-3};
    const ff_controller host = {.context = x, .cycle = cycle};
    options.method = FF_METHOD_RK4;
    options.step = 0.5e-3;
    options.actuators = false;
    read_control(x, control);
    if (x->report.errors > 0) CHECK_FAIL("%s", x->report.messages[0].text);
    CHECK(ff_steering_fit(&x->spec, bus.period));
    x->sim = ff_sim_create(x->plant->model, &options, &err);
    CHECK(x->sim && ff_sim_add_plant(x->sim, x->plant, &err) == FF_OK);
    CHECK(ff_sim_add_bus(x->sim, &bus, &host, &err) == FF_OK);
    const ff_steering_site site = {
        .plant = x->plant,
        .layouts = {ff_sim_layout(x->sim, FF_IO_REFERENCES), ff_sim_layout(x->sim, FF_IO_SENSORS)},
        .robot = x->plant->model,
        .prefix = "",
        .nv = 1,
        .alone = true,
        .bus_period = bus.period,
        .arena = &x->arena,
        .sink = {.context = &x->event_log, .command = note_command}};
    ff_steering_init(&x->steering, &x->spec);
    if (ff_steering_begin(&x->steering, &site, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    CHECK(ff_steering_join(&x->steering, x->sim, "control", &err) == FF_OK);
}

static void end(rig *x)
{
    ff_steering_end(&x->steering);
    ff_sim_destroy(x->sim);
    ff_plant_destroy(x->plant);
    ff_report_clear(&x->report);
    ff_arena_clear(&x->tree);
    ff_arena_clear(&x->arena);
}

// The torque is held for two cycles of the bus: the rod follows the recursion of a sampled double integrator, which is
// exact.
TEST(a_kind_of_its_own_steers)
{
    rig x = {0};
    begin(&x, "{spring: {stiffness: 40, damping: 9}, period: 2 ms, commands: [{at: 0.1, target: 0.5}]}");
    must_run(x.sim, 0.7);
    const double T = 2e-3;
    double q = 0.0, v = 0.0;
    for (int k = 0; k < 350; k++) {
        const double torque = 40.0 * ((k >= 50 ? 0.5 : 0.0) - q) - 9.0 * v;
        q += v * T + 0.5 * torque * T * T;
        v += torque * T;
    }
    CHECK(q > 0.4);
    CHECK_NEAR(ff_sim_q(x.sim)[0], q, 1e-12); // [rad] rounding of 1400 steps
    CHECK_INT(x.event_log.commands, 1);
    CHECK_NEAR(x.event_log.last, 0.1, 1e-9); // [s]
    CHECK_NEAR(*ff_steering_find_signal(&x.steering, "target", 6), 0.5, 0.0);
    end(&x);
}

// The target is memory: without it a restored run would pull elsewhere.
TEST(its_memory_is_saved)
{
    rig x = {0};
    ff_error err = {0};
    begin(&x, "{spring: {}, commands: [{at: 0.1, target: 0.5}, {at: 0.3, target: -0.5}]}");
    must_run(x.sim, 0.2005);
    const size_t size = ff_sim_save_size(x.sim);
    void *saved = malloc(size);
    CHECK(saved && ff_sim_save(x.sim, saved, size, &err) == FF_OK);
    must_run(x.sim, 0.5);
    const double q = ff_sim_q(x.sim)[0];
    CHECK(ff_sim_restore(x.sim, saved, size, &err) == FF_OK);
    must_run(x.sim, 0.5);
    CHECK(ff_sim_q(x.sim)[0] == q);
    free(saved);
    end(&x);
}

// A kind called `hold` would be read as the joint law of scenes, too.
TEST(no_kind_has_the_name_of_another_key_of_control)
{
    static const char *const taken[] = {"hold", "cycle", "period", "commands", NULL};
    for (int i = 0; ff_controller_kinds[i]; i++) {
        const char *name = ff_controller_kinds[i]->name;
        for (int k = 0; taken[k]; k++)
            if (strcmp(name, taken[k]) == 0)
                CHECK_FAIL("'%s' is another key of control: call the kind otherwise", name);
        CHECK(ff_controller_kind_find(name) == ff_controller_kinds[i]);
    }
}

TEST(it_takes_commands_while_it_runs)
{
    rig x = {0};
    begin(&x, "{spring: {}}");
    must_run(x.sim, 0.1);
    CHECK_INT(ff_steering_command(&x.steering, 0.1, "{target: 0.25}", 14, &x.report), FF_OK);
    CHECK(x.event_log.live == 1 && x.report.count == 0);
    CHECK_INT(ff_steering_command(&x.steering, 0.1, "{target: 2}", 11, &x.report), FF_BAD_ARGUMENT);
    CHECK(strstr(x.report.messages[0].text, "'target' is 2 rad: it must be between -1 and 1"));
    must_run(x.sim, 5.0);
    CHECK_NEAR(ff_sim_q(x.sim)[0], 0.25, 1e-6); // [rad] e^-24 of the way is left
    end(&x);
}

TEST(its_keys_are_checked_as_those_of_all_kinds)
{
    static const struct {
        const char *control;
        int column;
        const char *says;
    } bad[] = {{"{spring: {stiffness: 0}}", 22, "'stiffness' is 0 N m/rad: it must be positive"},
               {"{spring: {damping: -1}}", 20, "'damping' is -1 N m s/rad: it must be zero or more"},
               {"{spring: {damping: soft}}", 20, "soft"},
               {"{spring: {stifness: 1}}", 11, "did you mean 'stiffness'"},
               {"{spring: {}, commands: [{at: 1, target: 1.5}]}", 41, "must be between -1 and 1"},
               {"{spring: {}, commands: [{at: -1}]}", 30, "'at' is -1 s"},
               {"{spring: 3}", 10, "{} has the defaults"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rig x = {0};
        read_control(&x, bad[i].control);
        CHECK(x.report.errors > 0);
        if (x.report.messages[0].column != bad[i].column || !strstr(x.report.messages[0].text, bad[i].says))
            CHECK_FAIL("%s: got column %d, %s", bad[i].control, x.report.messages[0].column, x.report.messages[0].text);
        end(&x);
    }
}
