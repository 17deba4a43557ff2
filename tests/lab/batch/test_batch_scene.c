// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scenes as batches: drives, the bus and forces act on a robot of a batch as they do in a run of the scene, and what a
// batch cannot do is refused by name.
#include "table_robot.h"

static const double STEP = 1e-4;

// ------------------------------------------------------------------------------------------ run and batch

/// How far a robot of a batch is from the run, and how far joints have moved.
typedef struct comparison {
    double apart, way;
} comparison;

static void compare(comparison *c, const table *t, ff_batch *b, const double *start)
{
    double q[64], v[64];
    const ff_sim *sim = ff_run_sim(t->run);
    const ff_model *m = ff_sim_model(sim);
    ff_batch_get_state(b, 1, q, v, NULL);
    for (int i = 0; i < m->nq; i++) {
        c->apart = ff_max(c->apart, fabs(q[i] - ff_sim_q(sim)[i]));
        c->way = ff_max(c->way, fabs(q[i] - start[i]));
    }
    for (int i = 0; i < m->nv; i++) c->apart = ff_max(c->apart, fabs(v[i] - ff_sim_v(sim)[i]) / (1.0 + fabs(v[i])));
}

/// Steps a run and its batch side by side.
static comparison side_by_side(table *t, int steps)
{
    ff_batch_model *model = table_compile(t);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 3, .threads = 1}, NULL);
    comparison c = {0.0, 0.0};
    double start[64];
    ff_batch_get_state(b, 1, start, NULL, NULL);
    for (int k = 1; k <= steps; k++) {
        CHECK_INT(ff_sim_run(ff_run_sim(t->run), k * STEP, NULL), FF_OK);
        CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
        compare(&c, t, b, start);
    }
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    table_destroy(t);
    return c;
}

static comparison go(const char *hip, const char *knee, const char *more, int steps)
{
    table t = table_create(hip, knee, "", more);
    return side_by_side(&t, steps);
}

static const char DC[] = "{kind: dc, gear: 80, rotor: 1e-6, efficiency: 0.7, torque: 4, motor: {power: 20, no_load: "
                         "900, voltage: 12, current: 3, viscous: 1e-7, dry: 1e-4}, loop: {kind: pd, kp: 40, kd: 0.6, "
                         "rate: 1000, encoder: 2048}}";
static const char IDEAL[] = "{kind: ideal, torque: 3, speed: 12, loop: {kind: pd, kp: 30, kd: 0.5, rate: 2000}}";
static const char DIRECT[] = "{kind: ideal, torque: 4}";
static const char HOBBY[] = "{kind: servo, torque: 3, speed: 9, servo: {stiffness: 25, damping: 0.3}}";
static const char CONTROL[] =
    "control: {hold: {stiffness: 50, damping: 0.8}, cycle: {poses: [stand, crouch], period: 0.1}}\n";

// Both compute the same equations and sum in another order: they differ by rounding, which dampers damp.
TEST(drives_of_a_scene_are_those_of_its_batch)
{
    const struct {
        const char *what, *hip, *knee, *level;
    } rows[] = {{"dc, line", DC, IDEAL, "full"},
                {"the same, ideal", DC, IDEAL, "ideal"},
                {"hobby servos", HOBBY, IDEAL, "full"},
                {"the same, ideal", HOBBY, IDEAL, "ideal"},
                {"without loops", DIRECT, DIRECT, "full"}};
    for (int i = 0; i < 5; i++) {
        char more[300];
        snprintf(more, sizeof more, "%seffects: {drives: %s}\n", CONTROL, rows[i].level);
        const comparison c = go(rows[i].hip, rows[i].knee, more, CHECK_LASTS(2000, 400));
        printf("  %-16s %.1e apart, joints moved by %.2f\n", rows[i].what, c.apart, c.way);
        CHECK(c.way > 0.2);
        CHECK_NEAR(c.apart, 0.0, 1e-10); // [rad, m, rad/s, m/s]
    }
}

#define MOTOR                                                                                                          \
    "kind: dc, gear: 80, efficiency: 0.7, torque: 4, motor: {power: 20, no_load: 900, voltage: 12, current: 3, dry: "  \
    "1e-4}"
#define LOOP "loop: {kind: pd, kp: 20, kd: 0.4, rate: 1000, encoder: 2048}"
#define PATH "joints: [FL_hip, FL_knee], path: {kind: differential, levers: "
#define LEFT "drives:\n  left: {" PATH

/// Two motors on hip and knee of a leg, in place of those of the joints.
static const struct {
    const char *what, *drives;
} PAIRS[] = {
    {"dc, equal rotors", LEFT "[1, -1]}, rotor: 1e-6, " MOTOR ", " LOOP "}\n"
                              "  right: {" PATH "[1, 1], offset: 0.2}, rotor: 1e-6, " MOTOR ", " LOOP "}\n"},
    {"unlike rotors", LEFT "[2, -0.5]}, rotor: 1e-6, " MOTOR ", " LOOP "}\n"
                           "  right: {" PATH "[1, 1]}, rotor: 1e-6, " MOTOR ", " LOOP "}\n"}, // 2 0.5 = 1 1
    {"hobby servos", LEFT "[0.5, 1]}, kind: servo, torque: 3, speed: 9, servo: {stiffness: 25, damping: 0.3}}\n"
                          "  right: {" PATH "[0.8, -1]}, kind: servo, torque: 2, speed: 9, servo: {stiffness: 15, "
                          "damping: 0.3}}\n"},
};
enum { PAIR_COUNT = sizeof PAIRS / sizeof *PAIRS };

// Motors of a differential in a batch move its joints as those of the run do: positions, samples of their encoders,
// bounds, friction and rotors.
TEST(differentials_of_a_scene_are_those_of_its_batch)
{
    char more[300];
    snprintf(more, sizeof more, "%seffects: {drives: full}\n", CONTROL);
    for (int i = 0; i < PAIR_COUNT; i++) {
        table t = table_create(DC, IDEAL, PAIRS[i].drives, more);
        const comparison c = side_by_side(&t, CHECK_LASTS(2000, 400));
        printf("  %-16s %.1e apart, joints moved by %.2f\n", PAIRS[i].what, c.apart, c.way);
        CHECK(c.way > 0.2);
        CHECK_NEAR(c.apart, 0.0, 1e-10); // [rad, m, rad/s, m/s]
    }
}

// References of a scene are those of the motors. The batch has targets of the joints, tau = L' F, and its motors get
// back what was asked of them.
TEST(references_of_motors_become_targets_of_joints)
{
    const char more[] = "effects: {drives: full}\n"
                        "references:\n"
                        "  - {drive: left, position: 0.9, speed: 0.5, force: 1.5}\n"
                        "  - {drive: right, position: -0.3, force: -0.7}\n";
    table t = table_create(DC, IDEAL, PAIRS[1].drives, more);
    ff_batch_model *model = table_compile(&t);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 1}, NULL);
    double torque[8];
    CHECK_INT(ff_batch_get_targets(b, 0, NULL, NULL, torque, NULL), FF_OK);
    CHECK_NEAR(torque[0], 2.0 * 1.5 - 0.7, 1e-12); // levers (2, -0.5) and (1, 1)
    CHECK_NEAR(torque[1], -0.5 * 1.5 - 0.7, 1e-12);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    const comparison c = side_by_side(&t, 1000);
    printf("  %.1e apart, joints moved by %.2f\n", c.apart, c.way);
    CHECK(c.way > 0.05);
    CHECK_NEAR(c.apart, 0.0, 1e-10); // [rad, m, rad/s, m/s]
}

/// ANTON's march by euler. @param more  of the scene that is other
static table march(const char *more)
{
    const char *const set[] = {"solver={method: euler, step: 1e-4}", "expect=[]", more};
    table t = {0};
    ff_report_clear(&table_report);
    t.scene = ff_scene_load(FF_SOURCE_DIR "/experiments/anton-march.yaml", set, 3, &table_report);
    if (t.scene) t.run = ff_run_create(t.scene, NULL, &table_report);
    if (!t.run) CHECK_FAIL("%s", message_of(&table_report, 0));
    return t;
}

// ANTON's shoulders are three differentials. Its feet slip where rounding decides when: a short march.
TEST(anton_marches_with_full_drives_as_its_run_does)
{
    table t = march("effects={drives: full}");
    const comparison c = side_by_side(&t, 1000);
    printf("  %.1e apart, joints moved by %.3f\n", c.apart, c.way);
    CHECK(c.way > 0.01);
    CHECK_NEAR(c.apart, 0.0, 1e-9); // [rad, m, rad/s, m/s]
}

// Formulas see the forces of the last step as it began: the run has them before that step, and others after it.
TEST(forces_on_feet_are_those_of_the_run_one_step_earlier)
{
    static const char *const seen[] = {"FL.force.x", "FL.force.y", "FL.force.z"};
    table t = march("seed=1");
    ff_sim *sim = ff_run_sim(t.run);
    ff_batch_model *model = table_compile(&t);
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 1, .observe = seen, .nobserve = 3}, NULL);
    double value[3], earlier = 0.0, now = 0.0;
    CHECK(b && strcmp(ff_sim_model(sim)->limbs[0].name, "FL") == 0);
    for (int k = 1; k <= 600; k++) {
        double before[3];
        ff_vec3_copy(before, ff_world_feet(ff_run_world(t.run), sim, NULL)[0].force);
        CHECK_INT(ff_sim_run(sim, k * STEP, NULL), FF_OK);
        CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
        CHECK_INT(ff_batch_observe(b, 0, value, NULL), FF_OK);
        const double *after = ff_world_feet(ff_run_world(t.run), sim, NULL)[0].force;
        for (int i = 0; i < 3; i++) {
            earlier = ff_max(earlier, fabs(value[i] - before[i]));
            now = ff_max(now, fabs(value[i] - after[i]));
        }
    }
    printf("  %.1e N from the run one step earlier, %.1e N from it now\n", earlier, now);
    CHECK(earlier < 1e-9 && now > 1e-3); // [N] stiffness times the rounding of places
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    table_destroy(&t);
}

// Forces on bodies, torques on joints and impulses begin and end in the same steps.
TEST(forces_of_a_scene_act_on_every_robot)
{
    const char forces[] = "control: {hold: {stiffness: 50, damping: 0.8}}\n"
                          "forces:\n"
                          "  - {body: trunk, at: [0.1, 0.05, 0.02], force: [3, 20, -5], from: 0.01, to: 0.05}\n"
                          "  - {body: FL_knee, impulse: [0.2, 0, 0.1], from: 0.0303, to: 0.0404}\n"
                          "  - {body: FL_knee, at: [0, 0, -0.1], force: [0, 1, 2], from: 0.02, to: 5}\n"
                          "  - {joint: RR_hip, value: 2, from: 0, to: 0.03}\n"
                          "  - {joint: RR_hip, value: -1, from: 0.02}\n"
                          "  - {joint: FR_hip, value: 1, from: 0.02, to: 12345678.00005}\n"; // which never ends
    const comparison c = go(IDEAL, IDEAL, forces, 800);
    printf("  %.1e apart, joints moved by %.2f\n", c.apart, c.way);
    CHECK(c.way > 0.05);
    CHECK_NEAR(c.apart, 0.0, 1e-10);
}

// A target that the host sends at 20 ms reaches the loops as late as one that a caller sets in that step of the batch.
TEST(the_bus_of_a_scene_is_the_delay_of_its_batch)
{
    const char *const buses[] = {"{jitter: 0}", "{jitter: 0, transfer: 0.3 ms, wait: 0.2 ms}"};
    const int delays[] = {1, 4};
    for (int k = 0; k < 2; k++) {
        char more[400];
        const char frame[] =
            "control: {hold: {stiffness: 50, damping: 0.8}}\neffects: {drives: full, sensors: perfect, "
            "bus: %s}\n%s";
        snprintf(more, sizeof more, frame, buses[k], "references: [{drive: FL_knee, at: 0.02, position: -1.2}]\n");
        table sent = table_create(DC, IDEAL, "", more);
        snprintf(more, sizeof more, frame, buses[k], "");
        table plain = table_create(DC, IDEAL, "", more);
        ff_batch_model *model = table_compile(&plain);
        ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 2}, NULL);
        double position[8], start[32];
        ff_batch_get_targets(b, 1, position, NULL, NULL, NULL);
        ff_batch_get_state(b, 1, start, NULL, NULL);
        comparison c = {0.0, 0.0};
        for (int n = 0; n < 600; n++) {
            if (n == 200) position[1] = -1.2;
            CHECK_INT(ff_batch_set_targets(b, 1, position, NULL, NULL, NULL), FF_OK);
            CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
            CHECK_INT(ff_sim_run(ff_run_sim(sent.run), (n + 1) * STEP, NULL), FF_OK);
            compare(&c, &sent, b, start);
        }
        printf("  %d steps late: %.1e apart, joints moved by %.2f\n", delays[k], c.apart, c.way);
        CHECK(c.way > 0.2);
        CHECK_NEAR(c.apart, 0.0, 1e-10); // [rad, m, rad/s, m/s]
        // no longer than that, and no shorter
        ff_error err = {0};
        const ff_batch_spread late = {.quantity = FF_BATCH_DELAY, .high = delays[k]},
                              later = {.quantity = FF_BATCH_DELAY, .high = delays[k] + 1};
        ff_batch *spread =
            ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = &late, .nspread = 1}, &err);
        CHECK(spread);
        ff_batch_destroy(spread);
        CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = &later, .nspread = 1}, &err));
        ff_batch_destroy(b);
        ff_batch_model_destroy(model);
        table_destroy(&sent);
        table_destroy(&plain);
    }
}

// ------------------------------------------------------------------------------------------ bits

// What loops keep between samples is of each robot: lanes, threads and calls do not matter.
TEST(sampled_loops_are_bit_identical_everywhere)
{
    char more[300];
    snprintf(more, sizeof more, "%seffects: {drives: full}\nforces: [{body: trunk, force: [9, 9, 0], to: 0.02}]\n",
             CONTROL);
    table t = table_create(DC, HOBBY, PAIRS[0].drives, more);
    ff_batch_model *model = table_compile(&t);
    const ff_batch_spread spread[] = {{.quantity = FF_BATCH_GAIN, .low = 0.5, .high = 1.5},
                                      {.quantity = FF_BATCH_START_JOINTS, .low = -0.1, .high = 0.1}};
    const int half = CHECK_LASTS(210, 42); // a multiple of 7 and of 21
    uint64_t hash = 0;
    for (int i = 0; ff_batch_lanes_there(i) > 0; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            const ff_batch_options o = {.robots = 19,
                                        .threads = threads,
                                        .lanes = ff_batch_lanes_there(i),
                                        .seed = 3,
                                        .spreads = spread,
                                        .nspread = 2};
            ff_batch *b = ff_batch_create(model, &o, NULL);
            for (int done = 0; done < 2 * half; done += 7 * threads) {
                if (done == half) ff_batch_reset(b, 4, NULL); // its samples begin again, beside those of its neighbours
                ff_batch_step(b, 7 * threads, NULL);
            }
            if (hash == 0) hash = ff_batch_hash(b);
            CHECK(hash == ff_batch_hash(b));
            ff_batch_destroy(b);
        }
    ff_batch_model_destroy(model);
    table_destroy(&t);
}

// ------------------------------------------------------------------------------------------ what is refused

static void refuses_table(const char *hip, const char *drives, const char *more, const char *words)
{
    table t = table_create(hip, IDEAL, drives, more);
    ff_report_clear(&table_report);
    CHECK(!ff_run_compile_batch(t.run, &table_report));
    for (int i = 0; i < table_report.count; i++)
        if (strstr(message_of(&table_report, i), words)) {
            table_destroy(&t);
            return;
        }
    CHECK_FAIL("'%s' is not said, but: %s", words, message_of(&table_report, 0));
}

static void refuses(const char *hip, const char *more, const char *words)
{
    refuses_table(hip, "", more, words);
}

// Rotors that couple the joints have no place in an articulated body with armature; a direct drive follows the host.
TEST(differentials_that_a_batch_cannot_have_are_refused_by_name)
{
    const char full[] = "effects: {drives: full}\n";
    const char coupled[] = LEFT "[1, -1]}, rotor: 2e-6, " MOTOR ", " LOOP "}\n"
                                "  right: {" PATH "[1, 1]}, rotor: 1e-6, " MOTOR ", " LOOP "}\n";
    // 80^2 (1e-6 - 2e-6)
    refuses_table(DC, coupled, full, "couple joints \"FL_hip\" and \"FL_knee\": J1 r11 r12 + J2 r21 r22 is -0.0064");
    refuses_table(DC, coupled, full, "table.yaml:35:");
    const char direct[] = LEFT "[1, -1]}, kind: ideal, torque: 2}\n"
                               "  right: {" PATH "[1, 1]}, kind: ideal, torque: 2}\n";
    refuses_table(DC, direct, full, "drive 'left': a motor of a differential needs a loop of its own");
    const char one[] = LEFT "[1, -1]}, kind: ideal, torque: 2, " LOOP "}\n"
                            "  right: {" PATH "[1, 1]}, kind: ideal, torque: 2}\n";
    refuses_table(DC, one, full, "drive 'right': a motor of a differential needs a loop of its own");
}

TEST(what_a_batch_cannot_do_of_drives_is_refused_by_name)
{
    const char full[] = "effects: {drives: full}\n";
    refuses(
        "{kind: dc, gear: 80, motor: {power: 20, no_load: 900, voltage: 12, inductance: 0.1}, loop: {kind: pd, kp: 1, "
        "rate: 1000}}",
        full, "table.yaml:10:");
    refuses(
        "{kind: dc, gear: 80, motor: {power: 20, no_load: 900, voltage: 12, inductance: 0.1}, loop: {kind: pd, kp: 1, "
        "rate: 1000}}",
        full, "drive 'FL_hip': the current of its motor moves on its own");
    refuses("{kind: dc, gear: 80, motor: {power: 20, no_load: 900, voltage: 12}, loop: {kind: cascade, kx: 1, kv: 1, "
            "rate: 1000}}",
            full, "drive 'FL_hip': its loop has a memory");
    refuses("{kind: ideal, rotor: 1e-3, transmission: {kind: flexible, stiffness: 100}}",
            "effects: {drives: full, transmission: flexible}\n", "drive 'FL_hip': its transmission moves on its own");
    refuses("{kind: ideal, path: {kind: levers, levers: [0.5]}}", full, "drive 'FL_hip': it does not sit on one joint");
    refuses("{kind: ideal, loop: {kind: pd, kp: 9, rate: 700}}", full, "a sample of drive FL_hip takes");
    refuses(IDEAL, "effects: {drives: full, sensors: perfect, bus: modelled}\n", "jitter");
    refuses(IDEAL, "effects: {drives: full}\nreferences: [{drive: FL_hip, at: 0.1, position: 0}]\n",
            "references that come later");
    const char early[] = "references: [{drive: FL_knee, position: -1.2}]\neffects: {drives: full}\n";
    char both[300];
    snprintf(both, sizeof both, "control: {hold: {stiffness: 50, damping: 0.8}}\n%s", early);
    refuses(IDEAL, both, "table-scene.yaml:8:");
    refuses(IDEAL, both, "no references of drive 'FL_knee' beside 'control'");
    snprintf(both, sizeof both, "%s%s", CONTROL, early);
    refuses(IDEAL, both, "no references of drive 'FL_knee' beside 'control'");
    refuses(IDEAL, "forces: [{body: trunk, force: [1, 0, 0], from: 0.10005, to: 0.2}]\n", "whole steps");
    refuses(IDEAL, "forces: [{body: trunk, force: [1, 0, 0], to: 1.50005}]\n", "whole steps"); // after the run
    refuses(IDEAL, "forces: [{joint: base, dof: 2, value: 1}]\n", "torques on joints that are not free");
}

TEST(wrong_loops_are_refused)
{
    table t = table_create(IDEAL, IDEAL, "", "");
    const ff_batch_loop wrong[] = {{.period = -1},
                                   {.period = 2000000},
                                   {.period = 2, .frame = 2},
                                   {.encoder = 0.1},
                                   {.period = 1, .encoder = -1.0},
                                   {.frame = 1, .notch = NAN},
                                   {.frame = 1, .encoder = 1.0},
                                   {.period = 1, .reach = {1.0, 0.0}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const ff_batch_servo servo = {.joint = -1, .stiffness = 1.0, .loop = wrong[i]};
        ff_report_clear(&table_report);
        CHECK(!ff_batch_compile(ff_run_sim(t.run), &servo, 1, &table_report));
        CHECK(strstr(message_of(&table_report, 0), "servo 0"));
    }
    table_destroy(&t);
}
