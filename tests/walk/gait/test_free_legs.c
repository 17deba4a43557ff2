// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Free legs on the servo hexapod, frame by frame and without a simulation: what the references say is where the plan
// wants the tips, what cannot work is refused with its number, and a restored memory goes on bit for bit.
#include "check.h"
#include "support/controller.h"

#include <footfall/dyn.h>
#include <footfall/free_legs.h>
#include <footfall/load.h>
#include <footfall/math.h>

enum { LEGS = 6, JOINTS = 18 };
static const double PERIOD = 0.02; // [s]

static ff_model *model;
static ff_data *data;
static ff_free_legs *legs;
static ff_io_name reference_names[3 * JOINTS], sensor_names[2 * LEGS];
static ff_io_layout references, sensors;
static _Alignas(16) char reference_frame[4096], sensor_frame[4096];

static void finish(void)
{
    ff_free_legs_destroy(legs);
    ff_data_destroy(data);
    ff_model_destroy(model);
    legs = NULL;
    data = NULL;
    model = NULL;
}

static void make_layouts(void)
{
    static const char *const words[3] = {"position", "speed", "force"};
    int n = 0;
    for (int i = 0; i < model->ndrive; i++)
        for (int k = 0; k < 3; k++, n++)
            snprintf(reference_names[n].name, sizeof reference_names[n].name, "drives.%s.%s", model->drives[i].name,
                     words[k]);
    references = (ff_io_layout){FF_IO_REFERENCES, n, reference_names, ff_io_layout_hash(reference_names, n)};
    for (int i = 0; i < LEGS; i++) {
        snprintf(sensor_names[2 * i].name, sizeof sensor_names[0].name, "sensors.%s.touched", model->legs[i].touch);
        snprintf(sensor_names[2 * i + 1].name, sizeof sensor_names[0].name, "sensors.%s.force", model->legs[i].touch);
    }
    sensors = (ff_io_layout){FF_IO_SENSORS, 2 * LEGS, sensor_names, ff_io_layout_hash(sensor_names, 2 * LEGS)};
    ff_io_init((ff_io_frame *)(void *)reference_frame, &references);
    ff_io_init((ff_io_frame *)(void *)sensor_frame, &sensors);
}

static void begin(const ff_free_legs_options *options)
{
    static bool registered;
    ff_report report = {0};
    ff_error err = {0};
    if (!registered) atexit(finish);
    registered = true;
    finish();
    model = ff_model_load(FF_SOURCE_DIR "/robots/servo-hexapod/servo-hexapod.yaml", NULL, &report);
    ff_report_clear(&report);
    CHECK(model && model->ndrive == JOINTS && model->nleg == LEGS);
    data = ff_data_create(model, NULL);
    make_layouts();
    if (!(legs = ff_free_legs_create(model, options, &err))) CHECK_FAIL("%s", err.text);
    if (ff_free_legs_bind(legs, &sensors, &references, &err) != FF_OK) CHECK_FAIL("%s", err.text);
}

static double signal(const char *name)
{
    return controller_signal(ff_free_legs_controller(legs), name);
}

/// Feet where the references of the last cycle put them.
static void feet(double out[LEGS][3])
{
    const ff_io_item *items = ff_io_items_of((const ff_io_frame *)(const void *)reference_frame);
    ff_data_reset(model, data);
    for (int i = 0; i < model->ndrive; i++)
        data->q[model->joints[ff_model_find_joint(model, model->drives[i].joint[0])].qadr] = items[3 * i].value;
    ff_dyn_kinematics(model, data);
    for (int i = 0; i < LEGS; i++) {
        const ff_frame *f = &model->frames[model->legs[i].frame];
        ff_dyn_point(model, data, f->body, f->pos, out[i]);
    }
}

/// One cycle; a leg touches when its reference is on flat ground or below.
static void cycle(int k)
{
    const ff_controller c = ff_free_legs_controller(legs);
    ff_io_item *in = ff_io_items((ff_io_frame *)(void *)sensor_frame);
    for (int i = 0; i < LEGS; i++) {
        char name[40];
        snprintf(name, sizeof name, "tip.%s.z", model->legs[i].name);
        const bool touched = k == 0 || signal(name) <= -0.075 + 1e-9;
        in[2 * i] = (ff_io_item){.value = touched, .time_ns = (int64_t)(1e9 * k * PERIOD), .valid = 1};
    }
    c.cycle(c.context, k * PERIOD, (const ff_io_frame *)(const void *)sensor_frame,
            (ff_io_frame *)(void *)reference_frame);
}

static void command(double ahead, double left, double turn)
{
    ff_error err = {0};
    const ff_free_legs_command c = {.velocity = {ahead, left}, .turn = turn};
    CHECK_INT(ff_free_legs_command_set(legs, &c, &err), FF_OK);
}

TEST(references_put_the_feet_where_the_plan_wants_them)
{
    begin(NULL);
    command(0.2, 0.05, 0.2);
    double base[3] = {0};
    base[2] = model->q0[2];
    for (int k = 0; k < 500; k++) {
        cycle(k);
        double foot[LEGS][3];
        feet(foot);
        for (int i = 0; i < LEGS; i++)
            for (int a = 0; a < 3; a++) {
                char name[40];
                snprintf(name, sizeof name, "tip.%s.%c", model->legs[i].name, "xyz"[a]);
                CHECK_NEAR(foot[i][a] - base[a], signal(name), 1e-12);
            }
        CHECK(signal("down") >= 3);
        CHECK(signal("margin") > 0.0);
    }
    CHECK(signal("lifts") > 20);
    CHECK_INT(signal("unreachable"), 0);
}

// The speed reference is the change of the position reference over the period.
TEST(speeds_go_with_the_positions)
{
    begin(NULL);
    command(0.2, 0.0, 0.0);
    double last[JOINTS] = {0};
    for (int k = 0; k < 100; k++) {
        cycle(k);
        const ff_io_item *items = ff_io_items_of((const ff_io_frame *)(const void *)reference_frame);
        for (int j = 0; j < JOINTS; j++) {
            CHECK(items[3 * j].valid && items[3 * j + 1].valid && !items[3 * j + 2].valid);
            if (k > 0) CHECK_NEAR(items[3 * j + 1].value * PERIOD, items[3 * j].value - last[j], 1e-12);
            last[j] = items[3 * j].value;
        }
    }
}

TEST(memory_put_back_goes_on_with_the_same_bits)
{
    begin(NULL);
    command(0.2, 0.1, 0.3);
    for (int k = 0; k < 77; k++) cycle(k);
    const ff_controller c = ff_free_legs_controller(legs);
    char *copy = malloc(c.memory_size), first[sizeof reference_frame];
    memcpy(copy, c.memory, c.memory_size);
    for (int k = 77; k < 150; k++) cycle(k);
    memcpy(first, reference_frame, sizeof first);
    memcpy(c.memory, copy, c.memory_size);
    for (int k = 77; k < 150; k++) cycle(k);
    free(copy);
    CHECK(memcmp(first, reference_frame, sizeof first) == 0);
}

// A sensor that falls silent: the leg goes on and is laid where flat ground would be.
TEST(it_walks_on_when_a_sensor_falls_silent)
{
    begin(NULL);
    command(0.25, 0.0, 0.0);
    const ff_controller c = ff_free_legs_controller(legs);
    for (int k = 0; k < 400; k++) {
        cycle(k);
        ff_io_item *in = ff_io_items((ff_io_frame *)(void *)sensor_frame);
        if (k < 50) continue;
        // as the bus would hand it over: the last value, no longer valid
        in[0].valid = 0;
        c.cycle(c.context, k * PERIOD, (const ff_io_frame *)(const void *)sensor_frame,
                (ff_io_frame *)(void *)reference_frame);
    }
    CHECK(signal("lifts") > 30);
    CHECK(signal("down") >= 3);
}

static void refuse(const ff_free_legs_options *o, const char *text)
{
    ff_error err = {0};
    CHECK(!ff_free_legs_create(model, o, &err) && err.status != FF_OK);
    if (!strstr(err.text, text)) CHECK_FAIL("'%s' lacks '%s'", err.text, text);
}

TEST(what_cannot_work_is_refused_with_its_number)
{
    begin(NULL);
    ff_free_legs_options o = ff_free_legs_options_default();
    o.radius = 0.2;
    refuse(&o, "cannot reach all of a boundary of radius 0.2 m");
    o.radius = 1e8;
    refuse(&o, "too far");
    o.radius = (double)INFINITY;
    refuse(&o, "'radius' is inf");
    o.radius = -1.0;
    refuse(&o, "'radius' is -1");
    o = ff_free_legs_options_default();
    o.lay_speed = (double)NAN;
    refuse(&o, "'lay_speed' is");
    o = ff_free_legs_options_default();
    o.least_down = 2;
    refuse(&o, "'least_down' is 2");
    o = ff_free_legs_options_default();
    o.pose = "dance";
    refuse(&o, "no pose 'dance'");
    o.pose = "straight"; // corners at the distance of their hips: 0.11 m along, 0.02 m across
    o.radius = 0.06;
    refuse(&o, "overlap: their centres are 0.1118 m apart");
    ff_error err = {0};
    const ff_io_layout none = {FF_IO_REFERENCES, 0, reference_names, 0};
    CHECK(ff_free_legs_bind(legs, &sensors, &none, &err) == FF_NOT_FOUND &&
          strstr(err.text, "drives.FL_coxa.position"));
    const ff_free_legs_command high = {.height = 0.3}, bad = {.turn = (double)INFINITY};
    CHECK(ff_free_legs_command_set(legs, &high, &err) != FF_OK && strstr(err.text, "0.3 m above ground: too far"));
    CHECK(ff_free_legs_command_set(legs, &bad, &err) != FF_OK && strstr(err.text, "turn"));
    CHECK(ff_free_legs_command_get(legs).height == 0.0);
}

// A command far beyond the legs is done at the speed they can.
TEST(a_command_beyond_reach_is_scaled)
{
    begin(NULL);
    command(25.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) cycle(k);
    CHECK_NEAR(signal("scale"), 0.25 / 25.0, 1e-15);
    CHECK_NEAR(ff_free_legs_slowed(legs), 0.25 / 25.0, 1e-15);
}
