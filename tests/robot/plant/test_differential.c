// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two joints behind a differential: x = L q with L = [1 1; 1 -1], so tau = L' F and the rotors add N^2 J [2 0; 0 2].
#include "support/arm.h"

#include <math.h>

static const double GEAR = 20.0, ROTOR = 1e-4, HEAD = 0.06, DRY = 2e-3; // rotors of 0.04 kg m^2 after the gear

#define MOTOR "kind: dc, gear: 20, rotor: 1e-4, motor: {resistance: 1, constant: 0.05, dry: 2e-3, dry_speed: 1e-3}"
#define OWN   "drive: {" MOTOR ", loop: {kind: pd, kp: 60, kd: 1, rate: 1000}}"
#define HALF  ", loop: {kind: pd, kp: 30, kd: 0.5, rate: 1000}"
#define JOINTS                                                                                                         \
    "footfall: 1\n"                                                                                                    \
    "gravity: [0, 0, 0]\n"                                                                                             \
    "bodies:\n"                                                                                                        \
    "  head:\n"                                                                                                        \
    "    joints: {pitch: {axis: y, " OWN "}, yaw: {axis: z, " OWN "}}\n"                                               \
    "    inertial: {mass: 1.0, box: [0.6, 0.6, 0.6]}\n"                                                                \
    "sensors: {angle: {type: absolute, joints: \"*\"}}\n"                                                              \
    "drives:\n"
static const char TEXT[] =
    JOINTS "  right: {joints: [pitch, yaw], " MOTOR HALF ", path: {kind: differential, levers: [1, 1]}}\n"
           "  left: {joints: [pitch, yaw], " MOTOR HALF ", path: {kind: differential, levers: [1, -1]}}\n";
static const char DIRECT[] =
    JOINTS "  right: {joints: [pitch, yaw], gear: 20, rotor: 1e-4, path: {kind: differential, levers: [1, 1]}}\n"
           "  left: {joints: [pitch, yaw], gear: 20, rotor: 1e-4, path: {kind: differential, levers: [1, -1]}}\n";

static arm start_head(bool ideal)
{
    ff_drive_options o = ff_drive_options_default();
    const ff_sim_options s = with(FF_METHOD_RK4, 1e-4);
    o.ideal = ideal;
    return start_with(TEXT, &o, &s);
}

// The two motors take the place of the joints' own drives where drives are full; ideal ones stay with their joints.
TEST(a_differential_replaces_the_drives_of_its_joints)
{
    arm full = start_head(false), ideal = start_head(true);
    CHECK(full.set->n == 2 && strcmp(full.set->drives[0].name, "right") == 0);
    CHECK(full.set->drives[0].partner == 1 && full.set->drives[1].partner == 0);
    CHECK(ideal.set->n == 2 && strcmp(ideal.set->drives[0].name, "pitch") == 0 && ideal.set->drives[0].partner == -1);
    CHECK_NEAR(ideal.model->joints[0].armature, GEAR * GEAR * ROTOR, 1e-15);
    CHECK(full.model->joints[0].armature == 0.0); // the rotors turn with both joints
}

// (I + 2 N^2 J) q'' = tau for each axis alone: torques in the same sense add up in pitch, against each other in yaw.
TEST(motors_in_the_same_sense_pitch_and_against_each_other_yaw)
{
    const double inertia = HEAD + 2.0 * GEAR * GEAR * ROTOR;
    const struct {
        double right, left, acc[2];
    } cases[] = {{0.5, 0.5, {1.0 / inertia, 0.0}},
                 {0.5, -0.5, {0.0, 1.0 / inertia}},
                 {0.7, 0.0, {0.7 / inertia, 0.7 / inertia}}};
    const ff_sim_options o = with(FF_METHOD_RK4, 1e-4);
    const ff_drive_options full = ff_drive_options_default();
    arm a = start_with(DIRECT, &full, &o);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ff_error err = {0};
        ff_sim_drive_command(a.sim, (ff_drive_id){0}, 0, 0, cases[k].right);
        ff_sim_drive_command(a.sim, (ff_drive_id){1}, 0, 0, cases[k].left);
        if (ff_sim_evaluate(a.sim, FF_SIM_ACCELERATION, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        CHECK_NEAR(ff_sim_data(a.sim)->qacc[0], cases[k].acc[0], 1e-12);
        CHECK_NEAR(ff_sim_data(a.sim)->qacc[1], cases[k].acc[1], 1e-12);
    }
}

// Dry friction is that of the motors that turn: N c each. Both brake a pitching head; where pitch and yaw are equally
// fast, one motor stands still, and the other brakes both axes.
TEST(friction_is_that_of_the_motors_that_turn)
{
    const double c = GEAR * DRY;
    const double cases[3][4] = {{1.0, 0.0, -2.0 * c, 0.0}, {0.0, 1.0, 0.0, -2.0 * c}, {1.0, 1.0, -c, -c}};
    for (int k = 0; k < 3; k++) {
        arm a = start_head(false);
        ff_error err = {0};
        ff_sim_set_state(a.sim, (double[2]){0, 0}, cases[k]);
        for (int i = 0; i < 2; i++) ff_sim_switch_drive(a.sim, (ff_drive_id){i}, false);
        if (ff_sim_evaluate(a.sim, FF_SIM_ACCELERATION, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        // 1e-8: the sign function of a motor at 20 rad/s is 1 to (1e-3 / 20)^2 / 2
        CHECK_NEAR(ff_sim_data(a.sim)->tau[0], cases[k][2], 1e-8 * c);
        CHECK_NEAR(ff_sim_data(a.sim)->tau[1], cases[k][3], 1e-8 * c);
    }
}

// ------------------------------------------------------------------------------------------ references

/// Asks the joints for these positions, by their names.
typedef struct asking {
    int item[2];
    double position[2];
} asking;

static void ask(void *context, double t, const ff_io_frame *sensors, ff_io_frame *references)
{
    const asking *k = context;
    (void)t, (void)sensors;
    for (int i = 0; i < 2; i++)
        if (k->item[i] >= 0) ff_io_items(references)[k->item[i]] = (ff_io_item){.value = k->position[i], .valid = 1};
}

// A controller speaks of joints: the robot's side of the bus mixes what the motors get, x = pitch +- yaw.
TEST(references_are_those_of_the_joints)
{
    ff_report report = {0};
    ff_error err = {0};
    ff_spec *spec = parse(TEXT, &report);
    ff_plant *plant = owned_plant(ff_plant_compile(spec, NULL, &report));
    ff_spec_destroy(spec);
    if (!plant) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no plant");
    const ff_sim_options o = with(FF_METHOD_RK4, 1e-4);
    ff_sim *sim = owned_sim(ff_sim_create(plant->model, &o, &err));
    CHECK(ff_sim_add_plant(sim, plant, &err) == FF_OK);
    asking k = {{-1, -1}, {0.3, -0.1}};
    const ff_controller controller = {.context = &k, .cycle = ask};
    ff_bus bus = ff_bus_default();
    bus.modelled = false;
    if (ff_sim_add_bus(sim, &bus, &controller, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    k.item[0] = ff_io_find(ff_sim_layout(sim, FF_IO_REFERENCES), "drives.pitch.position");
    k.item[1] = ff_io_find(ff_sim_layout(sim, FF_IO_REFERENCES), "drives.yaw.position");
    CHECK(k.item[0] >= 0 && k.item[1] >= 0);
    must_run(sim, 0.01);
    CHECK_NEAR(ff_sim_drive_memory(sim, (ff_drive_id){0})->reference[0], 0.2, 1e-15);
    CHECK_NEAR(ff_sim_drive_memory(sim, (ff_drive_id){1})->reference[0], 0.4, 1e-15);
    k.item[1] = -1; // what is not given stays
    k.position[0] = 0.25;
    must_run(sim, 2.0);
    CHECK_NEAR(ff_sim_drive_memory(sim, (ff_drive_id){0})->reference[0], 0.15, 1e-12);
    // dry friction N c holds a motor that is nearer to its reference than N c / kp; two motors a joint
    const double near = GEAR * DRY / 30.0;
    CHECK_NEAR(ff_sim_q(sim)[0], 0.25, near);
    CHECK_NEAR(ff_sim_q(sim)[1], -0.1, near);
    ff_report_clear(&report);
}

// ------------------------------------------------------------------------------------------ bad input

static void check_refused(const char *drives, const char *words)
{
    char text[4000];
    ff_report report = {0};
    const ff_drive_options o = ff_drive_options_default();
    snprintf(text, sizeof text, JOINTS "%s", drives);
    CHECK(!make_plant(text, &o, &report) && report.errors > 0);
    CHECK_SAYS(report.count > 0 ? report.messages[0].text : "", words);
    CHECK(report.count > 0 && report.messages[0].line > 0);
    ff_report_clear(&report);
}

TEST(a_differential_needs_two_motors_that_differ)
{
    check_refused("  right: {joints: [pitch, yaw], " MOTOR ", path: {kind: differential, levers: [1, 1]}}\n",
                  "no partner");
    check_refused("  right: {joints: [pitch, yaw], " MOTOR ", path: {kind: differential, levers: [1, 1]}}\n"
                  "  left: {joints: [pitch, yaw], " MOTOR ", path: {kind: differential, levers: [2, 2]}}\n",
                  "in proportion");
    check_refused("  right: {joints: [pitch], " MOTOR ", path: {kind: differential, levers: [1]}}\n", "two joints");
}
