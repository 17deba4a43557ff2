// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers in C as plug-ins: their memory is the host's, saved and recorded; one that fails leaves a robot that is
// held; one of other headers is refused. tests/bus/link/apart.sh loads one from a shared object.
#include "scene/scene_helpers.h"

/// A rod of inertia 1 kg m^2 about a vertical axis with a position loop, from -1 to 1 rad.
static void write_rod(void)
{
    write_file(
        "rod.yaml",
        "footfall: 1\nname: rod\nbodies: {rod: {joint: {name: hinge, axis: z, range: [-1, 1], drive: {kind: ideal, "
        "loop: {kind: pd, kp: 400, kd: 40}}},\n"
        "  inertial: {mass: 1, com: [0, 0, 0], inertia: [1, 1, 1]}}}\n"
        "sensors: {pot: {type: potentiometer, joint: hinge, rate: 1000}}\n");
}

static const char ROD[] = "robot: rod.yaml\ncontrol: {callback: test}\ngravity: [0, 0, 0]\ntime: 1\n"
                          "record: {rate: 100, channels: [\"?control.asked\", joints.position]}\n";

/// Asks for 0.1 rad a second, and fails at 0.5 s where it is told to.
typedef struct ramp {
    double asked;
    int64_t cycles;
    int position;
} ramp;

static double fails_at;
static int alive;

static ff_status bind(void *memory, const ff_plugin_site *site, ff_error *err)
{
    ramp *r = memory;
    CHECK(r->asked == 0.0 && r->cycles == 0 && site->period == 1e-3);
    r->position = ff_io_find(site->references, "drives.hinge.position");
    if (r->position < 0) return ff_error_set(err, FF_NOT_FOUND, "no hinge");
    alive++;
    return FF_OK;
}

static ff_status cycle(void *memory, double t, const ff_io_frame *sensors, ff_io_frame *references, ff_error *err)
{
    ramp *r = memory;
    (void)sensors;
    r->cycles++;
    r->asked = 1e-4 * (double)r->cycles;
    ff_io_item *items = ff_io_items(references);
    items[r->position] = (ff_io_item){.value = r->asked, .valid = 1};
    items[r->position + 1] = (ff_io_item){.value = 0.1, .valid = 1};
    if (t < fails_at - 1e-9) return FF_OK;
    items[r->position].value = 77.0; // neither is followed
    items[r->position + 2] = (ff_io_item){.value = 5.0, .valid = 1};
    return ff_error_set(err, FF_CONTROL, "the sensor has gone");
}

static void destroy(void *memory)
{
    (void)memory;
    alive--;
}

static const ff_io_name signals[] = {{"asked", "rad"}};
static const ff_plugin plugin = {.version = FF_PLUGIN_VERSION,
                                 .model_size = sizeof(ff_model),
                                 .memory_size = sizeof(ramp),
                                 .signals = signals,
                                 .nsignal = 1,
                                 .bind = bind,
                                 .cycle = cycle,
                                 .destroy = destroy};

static bool takes(const ff_plugin *p)
{
    const ff_run_controller brought = {.robot = 0, .plugin = p};
    ff_run_options options = ff_run_options_default(scene);
    options.controllers = &brought;
    options.ncontroller = 1;
    return begin_with(&options);
}

// What it remembers goes back with the simulation: the second half, run twice, is bit-identical.
TEST(its_memory_is_saved_with_the_simulation)
{
    ff_error err = {0};
    static char saved[100000];
    double ends[2];
    fails_at = INFINITY;
    write_rod();
    must_load(ROD);
    CHECK(takes(&plugin) && alive == 1);
    ff_sim *sim = ff_run_sim(run);
    CHECK(ff_sim_run(sim, 0.5, &err) == FF_OK);
    const size_t size = ff_sim_save_size(sim);
    CHECK(size < sizeof saved && ff_sim_save(sim, saved, size, &err) == FF_OK);
    for (int i = 0; i < 2; i++) {
        int n;
        CHECK(ff_sim_restore(sim, saved, size, &err) == FF_OK);
        CHECK(ff_sim_run(sim, 1.0, &err) == FF_OK);
        ends[i] = ff_sim_state(sim, &n)[0];
    }
    CHECK(ends[0] == ends[1] && ends[0] > 0.09 && ends[0] < 0.101);
    finish();
    CHECK(alive == 0);
}

static double last_row(const char *channel)
{
    const ff_recorder *r = ff_run_recorder(run);
    return ff_recorder_row(r, ff_recorder_rows(r) - 1)[ff_recorder_find(r, channel, NULL)];
}

// Held where it was asked to be last: the loop, with a double pole at 20 1/s, is at rest there half a second later, to
// 0.1 rad/s * 0.5 s * exp(-10).
TEST(a_robot_whose_plugin_fails_is_held)
{
    ff_error err = {0};
    write_rod();
    for (int fails = 0; fails < 2; fails++) {
        fails_at = fails ? 0.5 : INFINITY;
        must_load(ROD);
        CHECK(takes(&plugin));
        CHECK(ff_run_check_controller(run, 0, &err) == FF_OK);
        CHECK(ff_run_go(run, &err) == (fails ? FF_CONTROL : FF_OK));
        CHECK_NEAR(last_row("control.asked"), fails ? 0.0501 : 0.1001, 1e-12); // it asks in the cycle that fails, too
        if (!fails) continue;
        CHECK(strstr(err.text, "failed at 0.5 s, and the robot is held since: the sensor has gone"));
        CHECK_NEAR(last_row("joints.position"), 0.05, 3e-6);
        CHECK(ff_run_check_controller(run, 0, &err) == FF_CONTROL);
        ff_run_report_limits(run, &report);
        CHECK(strstr(message(0), "the sensor has gone"));
    }
    finish();
}

static ff_status stand(void *memory, double t, const ff_io_frame *sensors, ff_io_frame *references, ff_error *err)
{
    (void)memory, (void)t, (void)sensors, (void)references, (void)err;
    return FF_OK;
}

// What a scene asks of the signals of its own controller is left out with a warning each; the rest of the scene holds.
TEST(signals_of_the_controller_it_replaces_are_left_out)
{
    static const ff_plugin quiet = {.version = FF_PLUGIN_VERSION, .model_size = sizeof(ff_model), .cycle = stand};
    static const char SCENE[] = "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\ntime: 0.01\nstart: {pose: stand}\n"
                                "effects: {drives: full, sensors: real, bus: modelled}\ncontrol: {gait: tripod}\n"
                                "record: {rate: 100, channels: [control.%s, base.pos]}\n"
                                "metrics: {report: [control.margin.mean]}\n"
                                "expect: [{metric: control.margin.min, at_least: 0}, {metric: time, at_least: 0}]\n";
    ff_error err = {0};
    char text[1000];
    snprintf(text, sizeof text, SCENE, "margin");
    must_load(text);
    CHECK(takes(&quiet));
    CHECK(report.errors == 0 && report.warnings == 3);
    for (int i = 0; i < 3; i++)
        CHECK_SAYS(message(i), "of the scene's controller (gait), whose place another has taken");
    CHECK(ff_run_go(run, &err) == FF_OK);
    CHECK(ff_run_result(run)->nexpectation == 1 && ff_run_result(run)->passed);
    CHECK(ff_recorder_find(ff_run_recorder(run), "base.pos", NULL) >= 0);
    // with the controller of the scene a signal that it has not is a mistake, as ever
    snprintf(text, sizeof text, SCENE, "margn");
    CHECK(!load(text));
    CHECK_SAYS(message(0), "no channel fits \"control.margn\"");
    finish();
}

TEST(a_plugin_of_other_headers_is_refused)
{
    static const struct {
        ff_plugin plugin;
        const char *message;
    } wrong[] = {
        {{.version = FF_PLUGIN_VERSION + 1, .model_size = sizeof(ff_model), .cycle = cycle},
         "has version 2 of the interface, this program version 1"},
        {{.version = FF_PLUGIN_VERSION, .model_size = sizeof(ff_model) - 8, .cycle = cycle},
         "compiled with other headers"},
        {{.version = FF_PLUGIN_VERSION, .model_size = sizeof(ff_model)}, "no cycle"},
        {{.version = FF_PLUGIN_VERSION, .model_size = sizeof(ff_model), .memory_size = 8, .nsignal = 2, .cycle = cycle},
         "2 signals in a memory of 8 bytes"},
        {{.version = FF_PLUGIN_VERSION, .model_size = sizeof(ff_model), .memory_size = (size_t)-1, .cycle = cycle},
         "wants a memory of 18446744073709551615 bytes"},
    };
    write_rod();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        must_load(ROD);
        CHECK(!takes(&wrong[i].plugin));
        if (!strstr(message(0), wrong[i].message)) CHECK_FAIL("%s", message(0));
    }
    finish();
}
