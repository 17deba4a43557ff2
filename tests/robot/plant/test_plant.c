// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A plant is constant: simulations that share one give the bits of simulations that have one each, in threads and in
// turns; compiling leaves the description as it was and reports the mistakes of model, drives and sensors alike.
#include "check.h"
#include "support/must_run.h"
#include "support/owned.h"

/// An arm with backlash in a gear, a motor that warms up, and sensors with noise, drift, delay and a count.
static const char ARM[] =
    "footfall: 1\n"
    "name: arm\n"
    "bodies:\n"
    "  upper:\n"
    "    joint: {name: shoulder, axis: y, drive: {kind: dc, gear: 100, rotor: 2e-6, motor: {resistance: 2, constant: "
    "0.05, voltage: 24}, loop: {kp: 40, kd: 1, rate: 1000}, thermal: {continuous: 1.5, time: 10, limit: 125}, "
    "transmission: {kind: backlash, stiffness: 3000, damping: 0.5, gap: 0.01, inertia: 0.004, restitution: 0.5}}}\n"
    "    inertial: {mass: 1.0, rod: {to: [0, 0, -0.3], radius: 0.02}}\n"
    "    frames: {root: {}}\n"
    "    bodies:\n"
    "      lower:\n"
    "        pos: [0, 0, -0.3]\n"
    "        joint: {name: elbow, axis: y, drive: {gear: 50, rotor: 1e-6}}\n"
    "        inertial: {mass: 0.5, rod: {to: [0, 0, -0.3], radius: 0.02}}\n"
    "sensors:\n"
    "  force: {preset: anton-force, frame: root}\n"
    "  gyro: {preset: anton-gyro, frame: root, delay: 3}\n"
    "  pads: {type: tactile, frame: root}\n"
    "  counter: {preset: anton-encoder, joint: shoulder}\n";

static ff_spec *read_arm(const char *text, ff_report *report)
{
    const ff_load_options load = ff_load_options_default();
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_parse(spec, "yaml", text, strlen(text), "arm.yaml", &load, report);
    return spec;
}

static ff_plant *make_arm(void)
{
    ff_report report = {0};
    ff_spec *spec = read_arm(ARM, &report);
    ff_plant *plant = owned_plant(ff_plant_compile(spec, NULL, &report));
    if (!plant) CHECK_FAIL("%s", report.messages[0].text);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    return plant;
}

/// A simulation of the plant whose shoulder is commanded to turn.
static ff_sim *begin(const ff_plant *plant, uint64_t seed, double turn)
{
    ff_error err = {0};
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_RK4;
    o.step = 1e-4;
    o.seed = seed;
    ff_sim *sim = owned_sim(ff_sim_create(plant->model, &o, &err));
    if (!sim || ff_sim_add_plant(sim, plant, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    ff_sim_drive_command(sim, ff_sim_find_drive(sim, "shoulder"), turn, 0.0, 0.0);
    return sim;
}

/// All that is saved of two simulations: state, what drives and sensors remember, random streams.
static bool same(ff_sim *one, ff_sim *two)
{
    ff_error err = {0};
    const size_t size = ff_sim_save_size(one);
    char *a = malloc(size), *b = malloc(size);
    CHECK(size == ff_sim_save_size(two) && ff_sim_save(one, a, size, &err) == FF_OK &&
          ff_sim_save(two, b, size, &err) == FF_OK);
    const bool equal = memcmp(a, b, size) == 0;
    free(a);
    free(b);
    return equal;
}

enum { COUNT = 4 };
static const double TURNS[COUNT] = {0.4, -0.3, 0.2, -0.1}; // [rad]

TEST(simulations_in_threads_share_a_plant)
{
    ff_plant *shared = make_arm(), *own[COUNT];
    ff_sim *together[COUNT], *alone[COUNT];
    ff_error err = {0};
    for (int i = 0; i < COUNT; i++) {
        own[i] = make_arm();
        together[i] = begin(shared, (uint64_t)i, TURNS[i]);
        alone[i] = begin(own[i], (uint64_t)i, TURNS[i]);
        must_run(alone[i], 0.2);
    }
    if (ff_team_run(together, COUNT, 0.2, 2, NULL, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    for (int i = 0; i < COUNT; i++) {
        CHECK(same(together[i], alone[i]));
        CHECK(i == 0 || !same(together[i], together[0]));
        CHECK(ff_sim_drive_memory(together[i], (ff_drive_id){0})->impacts > 0 &&
              ff_sim_drive_memory(together[i], (ff_drive_id){0})->copper > 0.0);
    }
}

TEST(simulations_that_take_turns_share_a_plant)
{
    ff_plant *shared = make_arm();
    ff_sim *one = begin(shared, 0, 0.4), *two = begin(shared, 0, -0.3), *undisturbed = begin(shared, 0, 0.4);
    must_run(undisturbed, 0.2);
    for (int i = 1; i <= 20; i++) {
        must_run(one, 0.01 * i);
        must_run(two, 0.01 * i);
    }
    CHECK(same(one, undisturbed));
    CHECK(!same(one, two));
}

// Sensors are read only: another seed is another noise on the same motion.
TEST(each_simulation_has_the_noise_of_its_seed)
{
    ff_plant *shared = make_arm();
    ff_sim *one = begin(shared, 1, 0.4), *two = begin(shared, 2, 0.4);
    double readings[2][3];
    const int gyro = ff_sensor_set_find(shared->sensors, "gyro");
    must_run(one, 0.1);
    must_run(two, 0.1);
    ff_sim_sensor(one, (ff_sensor_id){gyro}, readings[0]);
    ff_sim_sensor(two, (ff_sensor_id){gyro}, readings[1]);
    CHECK(readings[0][1] != readings[1][1]);
    for (int i = 0; i < shared->model->nq; i++) CHECK(ff_sim_q(one)[i] == ff_sim_q(two)[i]);
}

// The rotor behind the backlash leaves the shoulder, the rigid one is armature of the elbow: 50^2 1e-6 kg m^2.
TEST(compiling_leaves_the_description_as_it_was)
{
    ff_report report = {0};
    ff_spec *spec = read_arm(ARM, &report);
    const double before[2] = {spec->joints[0].armature, spec->joints[1].armature};
    ff_plant_options o = ff_plant_options_default();
    ff_plant *loose = owned_plant(ff_plant_compile(spec, &o, &report));
    o.driven = false;
    ff_plant *bare = owned_plant(ff_plant_compile(spec, &o, &report));
    o.driven = true;
    ff_plant *again = owned_plant(ff_plant_compile(spec, &o, &report));
    CHECK(loose && bare && again && !bare->drives && bare->sensors);
    CHECK(spec->joints[0].armature == before[0] && spec->joints[1].armature == before[1]);
    CHECK_NEAR(loose->model->dof_armature[0], 0.0, 0.0);
    CHECK_NEAR(loose->model->dof_armature[1], 2.5e-3, 1e-17);
    CHECK(bare->model->dof_armature[0] == before[0] && before[0] > 0.0);
    for (int i = 0; i < 2; i++) CHECK(again->model->dof_armature[i] == loose->model->dof_armature[i]);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

TEST(mistakes_of_drives_and_sensors_are_reported_together)
{
    static const char text[] = "footfall: 1\n"
                               "bodies:\n"
                               "  b:\n"
                               "    joint: {name: j, axis: y, drive: {kind: dc, motor: {resistance: 2}}}\n"
                               "    inertial: {mass: 1, box: [1, 1, 1]}\n"
                               "sensors:\n"
                               "  g: {type: gyro, body: b, noise: [1, 2]}\n";
    ff_report report = {0};
    ff_spec *spec = read_arm(text, &report);
    CHECK(!ff_plant_compile(spec, NULL, &report));
    CHECK_INT(report.errors, 2);
    CHECK_SAYS(report.messages[0].text, "motor constant is 0");
    CHECK_INT(report.messages[0].line, 4);
    CHECK_SAYS(report.messages[1].text, "one for each channel");
    CHECK_INT(report.messages[1].line, 7);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

static void read_sensor(ff_sim *sim, int i)
{
    double out[64];
    CHECK(ff_sim_sensor(sim, (ff_sensor_id){i}, out) < 0.0);
}

static void read_picture(ff_sim *sim, int i)
{
    CHECK(!ff_sim_picture(sim, (ff_sensor_id){i}));
}

static void read_memory(ff_sim *sim, int i)
{
    CHECK(!ff_sim_drive_memory(sim, (ff_drive_id){i}));
}

static void read_flow(ff_sim *sim, int i)
{
    CHECK(ff_sim_drive_flow(sim, (ff_drive_id){i}).force == 0.0);
}

static void read_nowhere(ff_sim *sim, int i)
{
    (void)i;
    CHECK(ff_sim_sensor(sim, (ff_sensor_id){0}, NULL) < 0.0);
}

static void find_no_drive(ff_sim *sim, int i)
{
    CHECK(ff_sim_find_drive(sim, NULL).index < i);
}

static void find_no_sensor(ff_sim *sim, int i)
{
    CHECK(ff_sim_find_sensor(sim, NULL).index < i);
}

TEST(reading_by_a_wrong_handle_stops_the_run)
{
    static const struct {
        void (*use)(ff_sim *sim, int i);
        const char *words;
    } rows[] = {{read_sensor, "sensor 9999 is used"},
                {read_picture, "sensor 9999 is used"},
                {read_memory, "drive 9999 is used"},
                {read_flow, "drive 9999 is used"},
                {read_nowhere, "room for the values of"},
                {find_no_drive, "a drive is looked for, and its name is missing"},
                {find_no_sensor, "a sensor is looked for, and its name is missing"}};
    ff_plant *plant = make_arm();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ff_error err = {0};
        ff_sim *sim = begin(plant, 0, 0.1);
        rows[k].use(sim, 9999);
        CHECK_INT(ff_sim_run(sim, 0.01, &err), FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, rows[k].words);
    }
}

TEST(a_plant_joins_simulations_of_its_model_once)
{
    ff_plant *plant = make_arm(), *other = make_arm();
    ff_error err = {0};
    ff_sim *sim = begin(plant, 0, 0.0);
    CHECK_INT(ff_sim_add_plant(sim, plant, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "has its drives already");
    CHECK_INT(ff_sim_add_plant(sim, other, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "another model");
    CHECK_INT(ff_sim_add_plant(sim, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "ff_sim_add_plant: the plant is missing");
    CHECK_INT(ff_sim_add_plant(NULL, plant, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "ff_sim_add_plant: the simulation is missing");
    CHECK(!ff_sim_drive_memory(sim, (ff_drive_id){2}) && !ff_sim_drive_memory(sim, (ff_drive_id){-1}));
}

TEST(a_file_that_is_not_there_is_reported)
{
    ff_report report = {0};
    CHECK(!ff_plant_load("no/such/robot.yaml", NULL, &report));
    CHECK(report.errors == 1);
    ff_report_clear(&report);
}
