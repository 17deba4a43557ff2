// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of a scene in a batch: what they measure, by independent computation from the state; their noise, bias and
// resolution, by moments; and the same numbers wherever they are computed.
#include "special_compiler.h"
#include "table_robot.h"

static const double STEP = 1e-4;
static const char DRIVE[] = "{kind: ideal, torque: 6, loop: {kind: pd, kp: 60, kd: 1, rate: 1000}}";
static const char SENSORS[] = "sensors:\n"
                              "  gyro: {type: gyro, frame: unit, noise: 0.02, bias: 0.1}\n"
                              "  feel: {type: accelerometer, frame: unit, noise: 0.5, scale: 0.02}\n"
                              "  tilt: {type: attitude, frame: unit}\n"
                              "  pot: {type: potentiometer, joints: \"*_hip\", bias_walk: 0.05, bias_slope: 2}\n"
                              "  coarse: {type: potentiometer, joints: \"*_knee\", step: 0.01, noise: 0.02}\n"
                              "  tacho: {type: tachometer, joints: \"*_knee\"}\n"
                              "  foot: {type: touch, bodies: \"*_knee\", threshold: 3}\n"
                              "  twist: {type: torque, joint: FL_knee}\n"
                              "  slow: {type: gyro, frame: unit, bandwidth: 50}\n"
                              "  late: {type: tachometer, joint: FL_hip, delay: 2}\n";

static table sensed_table(const char *level)
{
    char more[300];
    snprintf(more, sizeof more,
             "control: {hold: {stiffness: 60, damping: 1}, cycle: {poses: [stand, crouch], period: 0.1}}\n"
             "effects: {drives: ideal, sensors: %s}\n",
             level);
    return table_create(DRIVE, DRIVE, SENSORS, more);
}

/// A batch that observes.
static ff_batch *observing(const ff_batch_model *model, ff_batch_options o, const char *const *formulas, int count)
{
    ff_error err = {0};
    o.observe = formulas;
    o.nobserve = count;
    ff_batch *b = ff_batch_create(model, &o, &err);
    if (!b) CHECK_FAIL("%s", err.text);
    return b;
}

// ------------------------------------------------------------------------------------------ perfect sensors

/// Frame of the unit in the trunk.
static void unit_of(const ff_model *m, double p[3], double R[9])
{
    int frame = 0;
    while (strcmp(m->frames[frame].name, "unit") != 0) frame++;
    ff_vec3_copy(p, m->frames[frame].pos);
    ff_quat_to_mat3(R, m->frames[frame].quat);
}

// Rigid-body kinematics at the place of the unit, by vectors: w' = (w1 - w0) / h, a = (v1 - v0) / h + w' x r + w x (w x
// r), less gravity, in the axes of the unit.
TEST(perfect_sensors_read_the_state)
{
    static const char *const names[] = {"sensors.gyro.x",
                                        "sensors.gyro.y",
                                        "sensors.gyro.z",
                                        "sensors.feel.x",
                                        "sensors.feel.y",
                                        "sensors.feel.z",
                                        "sensors.tilt.roll",
                                        "sensors.tilt.pitch",
                                        "sensors.pot_FL_hip.position",
                                        "sensors.tacho_RR_knee.speed",
                                        "sensors.foot_FL_knee.force",
                                        "sensors.foot_FL_knee.touched",
                                        "FL.force.x",
                                        "FL.force.y",
                                        "FL.force.z"};
    enum { COUNT = sizeof names / sizeof *names };
    table t = sensed_table("perfect");
    ff_batch_model *model = table_compile(&t);
    ff_batch *b = observing(model, (ff_batch_options){.robots = 2}, names, COUNT);
    const ff_model *m = ff_sim_model(ff_run_sim(t.run));
    double p[3], U[9], q[32], v[32], before[32], read[COUNT], most = 0.0;
    unit_of(m, p, U);
    int touched = 0;
    const int steps = 3000;
    for (int k = 0; k < steps; k++) {
        ff_batch_get_state(b, 1, NULL, before, NULL);
        CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
        CHECK_INT(ff_batch_observe(b, 1, read, NULL), FF_OK);
        ff_batch_get_state(b, 1, q, v, NULL);
        double R[9], to[9], rate[3], a[3], part[3], turned[3], f[3], expected[3];
        ff_quat_to_mat3(R, q + 3);
        ff_mat3_mul(to, R, U); // axes of the unit in the world
        ff_mat3_tmulv(expected, U, v + 3);
        for (int i = 0; i < 3; i++) CHECK_NEAR(read[i], expected[i], 1e-12);
        for (int i = 0; i < 3; i++) {
            rate[i] = (v[3 + i] - before[3 + i]) / STEP;
            a[i] = (v[i] - before[i]) / STEP - m->gravity[i];
        }
        ff_vec3_cross(part, v + 3, p);
        ff_vec3_cross(turned, v + 3, part);
        ff_vec3_cross(part, rate, p);
        ff_mat3_tmulv(f, R, a);
        for (int i = 0; i < 3; i++) f[i] += part[i] + turned[i];
        ff_mat3_tmulv(expected, U, f);
        for (int i = 0; i < 3; i++) CHECK_NEAR(read[3 + i], expected[i], 1e-8); // differences of speeds over a step
        most = ff_max(most, ff_vec3_norm(rate));
        CHECK_NEAR(read[6], ff_atan2(to[7], to[8]), 1e-12);
        CHECK_NEAR(read[7], -ff_asin(to[6]), 1e-12);
        CHECK(read[8] == q[m->joints[ff_model_find_joint(m, "FL_hip")].qadr]);
        CHECK(read[9] == v[m->joints[ff_model_find_joint(m, "RR_knee")].vadr]);
        CHECK_NEAR(read[10], ff_vec3_norm(read + 12), 1e-10);
        CHECK(read[11] == (read[10] > 3.0));
        touched += read[11] > 0.0;
    }
    printf("  %d of %d steps touched, up to %.0f rad/s^2\n", touched, steps, most);
    CHECK(most > 1.0 && touched > 100 && touched < steps - 100); // it turned, and both touched and flew
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    table_destroy(&t);
}

// The run reads the same joints and rates at the end of each step, to rounding.
TEST(the_run_reads_the_same)
{
    static const char *const names[] = {"sensors.gyro.x", "sensors.tilt.roll", "sensors.pot_FL_hip.position",
                                        "sensors.tacho_FL_knee.speed"};
    table t = sensed_table("perfect");
    ff_batch_model *model = table_compile(&t);
    ff_batch *b = observing(model, (ff_batch_options){.robots = 1}, names, 4);
    ff_sim *sim = ff_run_sim(t.run);
    for (int k = 1; k <= 60; k++) { // sensors of the run are sampled each millisecond
        double read[4], gyro[3], tilt[2], pot, tacho;
        ff_batch_step(b, 10, NULL);
        CHECK_INT(ff_sim_run(sim, k * 1e-3, NULL), FF_OK);
        ff_batch_observe(b, 0, read, NULL);
        ff_sim_sensor(sim, ff_sim_find_sensor(sim, "gyro"), gyro);
        ff_sim_sensor(sim, ff_sim_find_sensor(sim, "tilt"), tilt);
        ff_sim_sensor(sim, ff_sim_find_sensor(sim, "pot_FL_hip"), &pot);
        ff_sim_sensor(sim, ff_sim_find_sensor(sim, "tacho_FL_knee"), &tacho);
        CHECK_NEAR(read[0], gyro[0], 1e-10);
        CHECK_NEAR(read[1], tilt[0], 1e-10);
        CHECK_NEAR(read[2], pot, 1e-10);
        CHECK_NEAR(read[3], tacho, 1e-10);
    }
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    table_destroy(&t);
}

// ------------------------------------------------------------------------------------------ force sensors

static const char CUTS[] =
    "sensors:\n"
    "  knee: {type: force, body: FL_knee}\n"
    "  tip: {type: force, bodies: \"*_knee\", mass: 0.05, pos: [0.01, 0.02, -0.15], com: [0, 0.003, "
    "-0.04]}\n"
    "  back: {type: reaction, body: RL_hip}\n"
    "  hip: {type: force, bodies: \"*_hip\"}\n"
    "  mixed: {type: force, body: FR_hip, scale: 0.1, bias: [1, 2, 3], range: 20, crosstalk: [0, "
    "0.1, -0.2, 0.3, 0.05, 0, 0, -0.1, 0.2]}\n"
    "  all: {type: force, body: trunk}\n";

/// A robot that marches, jumps and is pushed at a leg. Nothing changes in the instants at which its sensors are
/// sampled, where a run would have to say which comes first.
static table cut_table(const char *sensors, const char *materials)
{
    char more[600];
    snprintf(more, sizeof more,
             "control: {hold: {stiffness: 60, damping: 1}, cycle: {poses: [stand, crouch], period: 0.1}}\n"
             "forces:\n"
             "  - {body: FL_knee, at: [0, 0, -0.1], force: [0, 4, 2], from: 0.0203, to: 0.0507}\n"
             "  - {body: trunk, force: [3, 0, -5], from: 0.0101, to: 0.0702}\n"
             "effects: {sensors: real}\n%s",
             materials);
    return table_create(DRIVE, DRIVE, sensors, more);
}

/// How far sensors of a batch and those of the run are apart at the instant in which the last step began. The run sums
/// the same wrench by other functions (sense/cut.c, dyn), bodies, contacts and pushes one by one.
/// @param names  "sensors.SENSOR.CHANNEL", channels of a sensor in order  @param sensors  the sensor of each
/// @param most, least  of the length of the first three
static double apart_from_the_run(const table *t, const char *const *names, const char *const *sensors, int count,
                                 double *most, double *least)
{
    ff_batch_model *model = table_compile(t);
    ff_batch *b = observing(model, (ff_batch_options){.robots = 3}, names, count);
    ff_sim *sim = ff_run_sim(t->run);
    double read[80], apart = 0.0;
    CHECK(count <= 80);
    ff_batch_observe(b, 1, read, NULL);
    for (int i = 0; i < 12; i++) CHECK(read[i] == 0.0); // nothing is known before the first step
    ff_batch_step(b, 1, NULL);
    *most = 0.0, *least = INFINITY;
    for (int k = 1; k <= 90; k++) { // the sensors of the run are sampled each millisecond
        ff_batch_step(b, 10, NULL);
        CHECK_INT(ff_sim_run(sim, k * 1e-3, NULL), FF_OK);
        ff_batch_observe(b, 1, read, NULL);
        for (int i = 0, channels = 0; i < count; i += channels) {
            double truth[6];
            ff_sim_sensor(sim, ff_sim_find_sensor(sim, sensors[i]), truth);
            for (channels = 1; i + channels < count && sensors[i + channels] == sensors[i];) channels++;
            for (int n = 0; n < channels; n++) apart = ff_max(apart, fabs(read[i + n] - truth[n]));
        }
        *most = ff_max(*most, ff_vec3_norm(read));
        *least = ff_min(*least, ff_vec3_norm(read));
    }
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    return apart;
}

/// Names of all channels of some sensors, and the sensor of each. @param channels  of a sensor, the same for all
static int name_channels(const char *const *sensors, int count, const char *const *channels, int nchannel,
                         const char **names, const char **of)
{
    static char text[80][60];
    for (int i = 0; i < count * nchannel; i++) {
        snprintf(text[i], sizeof text[i], "sensors.%s.%s", sensors[i / nchannel], channels[i % nchannel]);
        names[i] = text[i];
        of[i] = sensors[i / nchannel];
    }
    return count * nchannel;
}

static const char *const WRENCH[] = {"fx", "fy", "fz", "mx", "my", "mz"};

TEST(force_sensors_read_what_those_of_the_run_do)
{
    static const char *const sensors[] = {"knee", "tip_FL_knee", "tip_RR_knee", "back", "hip_FL_hip", "mixed", "all"};
    const char *names[21], *of[21];
    double most, least;
    table t = cut_table(CUTS, "");
    const int count = name_channels(sensors, 7, WRENCH, 3, names, of);
    const double apart = apart_from_the_run(&t, names, of, count, &most, &least);
    printf("  %.1e N apart, forces of %.2f to %.0f N\n", apart, least, most);
    CHECK(most > 20.0 && least < 5.0); // it touched, and flew
    CHECK_NEAR(apart, 0.0, 1e-8);      // [N] accelerations are differences of speeds over a step: 1e-16 / 1e-4 m/s^2
    table_destroy(&t);
}

// With moments: at a joint, beside it, inside a body, in turned axes; on ground that resists
// torsion and rolling, too, whose moments go through the cut. Without that resistance the moments differ.
TEST(sensors_with_six_axes_read_what_those_of_the_run_do)
{
    static const char SIX[] =
        "sensors:\n"
        "  knee: {type: force6, body: FL_knee}\n"
        "  hip: {type: force6, body: RR_hip, pos: [0.03, -0.02, 0.05]}\n"
        "  tip: {type: force6, body: FR_knee, mass: 0.05, pos: [0.01, 0.02, -0.15], com: [0, 0.003, -0.04]}\n"
        "  mixed: {type: force6, body: RL_knee, scale: 0.1, crosstalk: 0.02, bias: [1, 0.1], range: [40, 2]}\n"
        "  all: {type: force6, frame: unit}\n"
        "  turning: {type: reaction_moment, body: RR_knee}\n";
    static const char *const sensors[] = {"knee", "hip", "tip", "all", "mixed"};
    static const char *const floors[] = {"", "materials:\n"
                                             "  lab-floor: {like: lab-floor, friction: {torsion: 30 mm, rolling: 20 mm,"
                                             " patch_radius: 30 mm}}\n"};
    static double moments[2][900];
    for (int k = 0; k < 2; k++) {
        const char *names[33] = {NULL}, *of[33] = {NULL};
        double most, least;
        table t = cut_table(SIX, floors[k]);
        int count = name_channels(sensors, 5, WRENCH, 6, names, of);
        const char *const turning[] = {"sensors.turning.mx", "sensors.turning.my", "sensors.turning.mz"};
        for (int i = 0; i < 3; i++) names[count] = turning[i], of[count++] = "turning";
        const double apart = apart_from_the_run(&t, names, of, count, &most, &least);
        printf("  %.1e N or N m apart, forces of %.2f to %.0f N\n", apart, least, most);
        CHECK(most > 20.0 && least < 5.0);
        CHECK_NEAR(apart, 0.0, 1e-8); // [N, N m] as above
        ff_batch_model *model = table_compile(&t);
        ff_batch *b = observing(model, (ff_batch_options){.robots = 1}, &names[4], 1); // my of the knee
        for (int i = 0; i < 900; i++) {
            ff_batch_step(b, 1, NULL);
            ff_batch_observe(b, 0, &moments[k][i], NULL);
        }
        ff_batch_destroy(b);
        ff_batch_model_destroy(model);
        table_destroy(&t);
    }
    double largest = 0.0;
    for (int i = 0; i < 900; i++) largest = ff_max(largest, fabs(moments[1][i] - moments[0][i]));
    printf("  resistance to rolling is measured as %.2f N m\n", largest);
    CHECK(largest > 0.1);
}

// Newton on the trunk, whose centre of mass is its origin: the four legs carry it, m (a - g) = sum of R_i f_i. It holds
// for what robots draw of masses, too, and for any lanes.
TEST(the_hips_carry_the_trunk_whatever_was_drawn)
{
    static const char *const legs[] = {"FL", "FR", "RL", "RR"};
    char text[4][3][60];
    const char *names[15] = {"root.ax", "root.ay", "root.az"};
    for (int i = 0; i < 12; i++) {
        snprintf(text[i / 3][i % 3], sizeof text[0][0], "sensors.hip_%s_hip.f%c", legs[i / 3], "xyz"[i % 3]);
        names[3 + i] = text[i / 3][i % 3];
    }
    const ff_batch_spread rows[] = {{.quantity = FF_BATCH_MASS, .low = 0.7, .high = 1.5},
                                    {.quantity = FF_BATCH_MASS, .low = 0.5, .high = 2, .which = "FL_knee"},
                                    {.quantity = FF_BATCH_PAYLOAD, .low = 0.1, .high = 0.4, .which = "RR_hip"},
                                    {.quantity = FF_BATCH_COM_X, .low = -0.02, .high = 0.02, .which = "FR_knee"}};
    table t =
        table_create(DRIVE, DRIVE, CUTS,
                     "control: {hold: {stiffness: 60, damping: 1}, cycle: {poses: [stand, crouch], period: 0.1}}\n"
                     "effects: {drives: ideal, sensors: perfect}\n");
    ff_batch_model *model = table_compile(&t);
    const ff_model *m = ff_sim_model(ff_run_sim(t.run));
    double first[15] = {0.0};
    for (int lane = 0; ff_batch_lanes_there(lane) > 0; lane++) {
        const ff_batch_options o = {
            .robots = 9, .lanes = ff_batch_lanes_there(lane), .seed = 3, .spreads = rows, .nspread = 4};
        ff_batch *b = observing(model, o, names, 15);
        double apart = 0.0, most = 0.0, read[15];
        for (int k = 0; k < CHECK_LASTS(400, 120); k++) {
            double q[32], R[9], sum[3] = {0.0}, factor;
            ff_batch_get_state(b, 7, q, NULL, NULL);
            ff_batch_step(b, 1, NULL);
            ff_batch_observe(b, 7, read, NULL);
            ff_batch_get_parameter(b, 7, FF_BATCH_MASS, &factor, NULL);
            ff_quat_to_mat3(R, q + 3);
            for (int i = 0; i < 4; i++) {
                char name[16];
                snprintf(name, sizeof name, "%s_hip", legs[i]);
                const double angle = q[m->joints[ff_model_find_joint(m, name)].qadr], *f = read + 3 + 3 * i;
                const double c = cos(angle), s = sin(angle);
                const double turned[3] = {c * f[0] + s * f[2], f[1], c * f[2] - s * f[0]};
                double world[3];
                ff_mat3_mulv(world, R, turned);
                ff_vec3_add(sum, sum, world);
            }
            for (int i = 0; i < 3; i++) {
                apart = ff_max(apart, fabs(sum[i] - factor * 2.0 * (read[i] - m->gravity[i])));
                most = ff_max(most, fabs(sum[i]));
            }
        }
        printf("  %d lanes: %.1e N apart, up to %.0f N\n", o.lanes, apart, most);
        CHECK(most > 30.0);
        CHECK_NEAR(apart, 0.0, 1e-8);
        if (lane == 0) memcpy(first, read, sizeof first);
        CHECK(memcmp(read, first, sizeof first) == 0);
        ff_batch_destroy(b);
    }
    ff_batch_model_destroy(model);
    table_destroy(&t);
}

// ------------------------------------------------------------------------------------------ noise

enum { ROBOTS = CHECK_LASTS(60, 20), ROUNDS = 150 };

// Axis x of the unit in those of the trunk, by its angles: cos y cos z, cos y sin z, -sin y of (0.3, -0.2, 0.5).
static const char PERFECT_GYRO[] =
    "cos(-0.2) * cos(0.5) * root.gyro.x + cos(-0.2) * sin(0.5) * root.gyro.y - sin(-0.2) * root.gyro.z";

/// Errors of readings: what real sensors read less what perfect ones do. (ROBOTS rows of ROUNDS)
static void errors_of(const char *name, const char *truth, double out[ROBOTS][ROUNDS])
{
    const char *const names[] = {name, truth};
    table t = sensed_table("real");
    ff_batch_model *model = table_compile(&t);
    ff_batch *b = observing(model, (ff_batch_options){.robots = ROBOTS, .seed = 1}, names, 2);
    for (int k = 0; k < ROUNDS; k++) {
        ff_batch_step(b, 1, NULL);
        for (int i = 0; i < ROBOTS; i++) {
            double read[2];
            ff_batch_observe(b, i, read, NULL);
            out[i][k] = read[0] - read[1];
        }
    }
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    table_destroy(&t);
}

// n = 9000 normal numbers of deviation s: their mean has the deviation s / sqrt(n), their deviation s / sqrt(2 n), a
// correlation 1 / sqrt(n); each within five of these. The frame of the unit is turned: the truth is that of the axes.
TEST(noise_has_its_mean_and_deviation_and_is_white)
{
    static double e[ROBOTS][ROUNDS];
    const double n = ROBOTS * ROUNDS, sigma = 0.02, bias = 0.1;
    double mean = 0.0, square = 0.0, next = 0.0, beside = 0.0;
    errors_of("sensors.gyro.x", PERFECT_GYRO, e);
    for (int i = 0; i < ROBOTS; i++)
        for (int k = 0; k < ROUNDS; k++) mean += e[i][k] / n;
    CHECK_NEAR(mean, bias, 5.0 * sigma / sqrt(n));
    for (int i = 0; i < ROBOTS; i++)
        for (int k = 0; k < ROUNDS; k++) {
            const double x = (e[i][k] - bias) / sigma;
            square += x * x / n;
            if (k > 0) next += x * (e[i][k - 1] - bias) / sigma / n;
            if (i > 0) beside += x * (e[i - 1][k] - bias) / sigma / n;
        }
    CHECK_NEAR(sqrt(square), 1.0, 5.0 / sqrt(2.0 * n));
    CHECK_NEAR(next, 0.0, 5.0 / sqrt(n));   // from step to step
    CHECK_NEAR(beside, 0.0, 5.0 / sqrt(n)); // from robot to robot
}

// A walk of sigma a root second and a slope: mean slope t, variance sigma^2 t, and increments that do not know of each
// other, whatever the steps (powers of two or not).
TEST(a_bias_walks)
{
    static double e[ROBOTS][ROUNDS];
    const double unit = 0.05 * sqrt(STEP), slope = 2.0 * STEP;
    errors_of("sensors.pot_FL_hip.position", "FL_hip.position", e);
    double squares = 0.0, products = 0.0, far = 0.0, wide = 0.0, drift = 0.0;
    const int n = ROBOTS * (ROUNDS - 2);
    for (int i = 0; i < ROBOTS; i++) {
        for (int k = 1; k + 1 < ROUNDS; k++) { // after k + 1 steps
            const double one = (e[i][k] - e[i][k - 1] - slope) / unit, two = (e[i][k + 1] - e[i][k] - slope) / unit;
            squares += one * one / n;
            products += one * two / n;
        }
        const double at = (e[i][ROUNDS - 1] - slope * ROUNDS) / (unit * sqrt(ROUNDS)),
                     early = (e[i][39] - slope * 40) / unit;
        far += at * at / ROBOTS;
        wide += early * (e[i][99] - slope * 100) / unit / 40.0 / ROBOTS; // covariance of 40 and 100 steps: 40
        drift += (e[i][ROUNDS - 1] - e[i][0]) / (ROUNDS - 1) / ROBOTS;
    }
    CHECK_NEAR(squares, 1.0, 5.0 * sqrt(2.0 / n));
    CHECK_NEAR(products, 0.0, 5.0 / sqrt(n));
    CHECK_NEAR(far, 1.0, 5.0 * sqrt(2.0 / ROBOTS));
    CHECK_NEAR(wide, 1.0, 5.0 * sqrt((1.0 + 100.0 / 40.0) / ROBOTS)); // E(x^2 y^2) = 40 100 + 2 40^2
    CHECK_NEAR(drift, slope, 5.0 * unit / sqrt((double)ROBOTS * (ROUNDS - 1)));
    CHECK_NEAR(e[0][0], slope, 6.0 * unit); // it begins at nothing
}

// Readings come in steps, and noise before the rounding is in them.
TEST(readings_have_their_resolution)
{
    static double e[ROBOTS][ROUNDS];
    double square = 0.0;
    errors_of("sensors.coarse_FL_knee.position", "0", e);
    for (int i = 0; i < ROBOTS; i++)
        for (int k = 0; k < ROUNDS; k++) CHECK_NEAR(e[i][k] / 0.01, floor(e[i][k] / 0.01 + 0.5), 1e-9);
    errors_of("sensors.coarse_FL_knee.position", "FL_knee.position", e);
    for (int i = 0; i < ROBOTS; i++)
        for (int k = 0; k < ROUNDS; k++) square += e[i][k] * e[i][k] / (ROBOTS * ROUNDS);
    // noise of two steps hides where the steps are: their part is step^2 / 12; the fourth moment is near that of noise
    CHECK_NEAR(square / (0.02 * 0.02 + 0.01 * 0.01 / 12.0), 1.0, 5.0 * sqrt(2.0 / (ROBOTS * ROUNDS)));
}

// ------------------------------------------------------------------------------------------ the same numbers

// Whatever lanes and threads; in a reward as in an observation; for any other number of robots and sensors read.
TEST(readings_do_not_depend_on_lanes_threads_and_neighbours)
{
    static const char *const all[] = {"sensors.feel.y", "sensors.pot_RL_hip.position", "sensors.gyro.z",
                                      "sensors.coarse_FR_knee.position"};
    table t = sensed_table("real");
    ff_batch_model *model = table_compile(&t);
    double expected[4] = {0.0}, reward = 0.0, sum = 0.0;
    for (int i = 0; ff_batch_lanes_there(i) > 0; i++)
        for (int threads = 1; threads <= 3; threads += 2) {
            const ff_batch_options o = {.robots = 9 + 2 * i,
                                        .threads = threads,
                                        .lanes = ff_batch_lanes_there(i),
                                        .seed = 5,
                                        .reward = "sensors.gyro.z",
                                        .end = "sensors.feel.x > 1e9"};
            ff_batch *b = observing(model, o, all, threads == 1 ? 4 : 3);
            double read[4] = {0.0};
            for (int k = 0; k < 33; k++) {
                CHECK_INT(ff_batch_step(b, 1, NULL), FF_OK);
                ff_batch_observe(b, 7, read, NULL);
                if (i == 0 && threads == 1) sum += read[2];
            }
            if (i == 0 && threads == 1) {
                memcpy(expected, read, sizeof read);
                reward = ff_batch_reward(b, 7);
            }
            CHECK(memcmp(read, expected, (threads == 1 ? 4 : 3) * sizeof *read) == 0);
            CHECK(ff_batch_reward(b, 7) == reward);
            ff_batch_observe(b, 6, read, NULL);
            CHECK(read[2] != expected[2]);
            ff_batch_destroy(b);
        }
    CHECK(reward == sum);
    ff_batch_model_destroy(model);
    table_destroy(&t);
}

#ifdef FF_TEST_COMPILER
TEST(code_for_the_model_reads_the_same_sensors)
{
    table t = sensed_table("real");
    ff_batch_model *model = table_compile(&t);
    uint64_t hash[2];
    double reward[2];
    set_compiler("-O0");
    for (int k = 0; k < 2; k++) {
        const ff_batch_options o = {
            .robots = 3, .threads = 1, .seed = 5, .specialise = k, .reward = "sensors.gyro.z + sensors.feel.y"};
        ff_batch *b = observing(model, o, NULL, 0);
        CHECK(strcmp(ff_batch_kernel_name(b), k ? "specialised" : "lanes") == 0);
        CHECK_INT(ff_batch_step(b, 33, NULL), FF_OK);
        hash[k] = ff_batch_hash(b);
        reward[k] = ff_batch_reward(b, 1);
        ff_batch_destroy(b);
    }
    CHECK(reward[0] != 0.0 && reward[0] == reward[1] && hash[0] == hash[1]);
    ff_batch_model_destroy(model);
    table_destroy(&t);
}
#endif

// Each life has noise of its own; a seed of a robot's own gives that of robot 0 of another batch.
TEST(lives_and_seeds_have_their_noise)
{
    static const char *const name[] = {"sensors.gyro.x"};
    table t = sensed_table("real");
    ff_batch_model *model = table_compile(&t);
    ff_batch *b = observing(model, (ff_batch_options){.robots = 3, .seed = 5}, name, 1);
    ff_batch *other = observing(model, (ff_batch_options){.robots = 1, .seed = 9}, name, 1);
    double one, two, three, q[32];
    ff_batch_observe(b, 1, &one, NULL);
    ff_batch_reset(b, 1, NULL);
    ff_batch_observe(b, 1, &two, NULL);
    CHECK(one != two);
    ff_batch_get_state(b, 1, q, NULL, NULL);
    ff_batch_set_state(b, 1, q, NULL, NULL);
    ff_batch_observe(b, 1, &three, NULL);
    CHECK(three != two && three != one);
    ff_batch_reset_seeded(b, 2, 9, NULL);
    ff_batch_observe(b, 2, &one, NULL);
    ff_batch_observe(other, 0, &two, NULL);
    CHECK(one == two);
    ff_batch_destroy(b);
    ff_batch_destroy(other);
    ff_batch_model_destroy(model);
    table_destroy(&t);
}

// Noise alone: bias and rate stay. The robots move alike, as nothing of the motion is drawn.
TEST(noise_of_a_scene_is_scaled_by_the_factor_of_a_robot)
{
    static const char *const names[] = {"sensors.gyro.x", PERFECT_GYRO};
    const ff_batch_spread loud = {.quantity = FF_BATCH_NOISE, .low = 3.0, .high = 3.0};
    table t = sensed_table("real");
    ff_batch_model *model = table_compile(&t);
    ff_batch *plain = observing(model, (ff_batch_options){.robots = 2, .seed = 5}, names, 2);
    ff_batch *b =
        observing(model, (ff_batch_options){.robots = 2, .seed = 5, .spreads = &loud, .nspread = 1}, names, 2);
    for (int life = 0; life < 3; life++) {
        double q[32], read[2][2];
        for (int i = 0; i < 2; i++) {
            ff_batch *of = i ? b : plain;
            if (life == 1) CHECK_INT(ff_batch_reset(of, 1, NULL), FF_OK);
            ff_batch_get_state(of, 1, q, NULL, NULL);
            if (life == 2) CHECK_INT(ff_batch_set_state(of, 1, q, NULL, NULL), FF_OK); // factors stay
            CHECK_INT(ff_batch_step(of, 7, NULL), FF_OK);
            CHECK_INT(ff_batch_observe(of, 1, read[i], NULL), FF_OK);
        }
        const double bias = 0.1, noise = read[0][0] - read[0][1] - bias;
        CHECK(noise != 0.0);
        CHECK_NEAR(read[1][0] - read[1][1] - bias, 3.0 * noise, 1e-12);
    }
    ff_batch_destroy(plain);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
    table_destroy(&t);
}

// ------------------------------------------------------------------------------------------ what there is not

TEST(what_a_batch_cannot_sense_is_said_and_refused_where_it_is_asked_for)
{
    const struct {
        const char *formula, *words;
    } rows[] = {{"sensors.twist.torque", "a batch has no sensors of that type"},
                {"sensors.slow.x", "its bandwidth has a memory"},
                {"sensors.late.speed", "it has a delay"},
                {"sensors.gyro.w", "there is no 'sensors.gyro.w': there are sensors.gyro.x, sensors.gyro.y,"},
                {"sensors.nobody.x", "there is no 'sensors.nobody.x'"},
                {"'#1.w'", "there is no quantity"},
                {"'cut#0.fx'", "there is no quantity"}};
    table t = sensed_table("real");
    ff_batch_model *model = table_compile(&t);
    int warnings = 0;
    for (int i = 0; i < table_report.count; i++)
        warnings += strstr(message_of(&table_report, i), "a batch leaves out sensor") != NULL;
    CHECK_INT(warnings, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ff_error err = {0};
        const ff_batch_options o = {.robots = 1, .observe = &rows[i].formula, .nobserve = 1};
        CHECK(!ff_batch_create(model, &o, &err));
        CHECK_SAYS(err.text, rows[i].words);
    }
    // a device reads sensors in observations alone: said by name, before anything of it is opened
    ff_error err_of_device = {0};
    const ff_batch_options there = {.robots = 1, .device = 1, .end = "age > 5 and sensors.gyro.y > 2"};
    CHECK(!ff_batch_create(model, &there, &err_of_device) && err_of_device.status == FF_BAD_ARGUMENT);
    CHECK_SAYS(err_of_device.text, "they read 'sensors.gyro.y': observe it, and decide between steps, or take the");
    // names of what there is: 3 axes twice, 2 angles, 4 hips, 4 knees twice, 4 feet with two channels
    CHECK_INT(ff_batch_channel_count(model), 3 + 3 + 2 + 4 + 4 + 4 + 8);
    CHECK_TEXT(ff_batch_channel_name(model, 1), "sensors.gyro.y");
    CHECK(!ff_batch_channel_name(model, -1) && !ff_batch_channel_name(model, 28) && !ff_batch_channel_name(NULL, 0));
    CHECK_INT(ff_batch_channel_count(NULL), 0);
    for (int i = 0; i < 28; i++) {
        const char *const name = ff_batch_channel_name(model, i);
        ff_batch_destroy(observing(model, (ff_batch_options){.robots = 1}, &name, 1));
    }
    // a sensor with one channel has the name that recordings give it, too
    const char *const names[] = {"sensors.tacho_FL_knee", "sensors.tacho_FL_knee.speed"};
    double seen[2];
    ff_batch *b = observing(model, (ff_batch_options){.robots = 1}, names, 2);
    CHECK_INT(ff_batch_step(b, 20, NULL), FF_OK);
    ff_batch_observe(b, 0, seen, NULL);
    CHECK(seen[0] == seen[1] && seen[0] != 0.0);
    ff_batch_destroy(b);
    ff_error wrong = {0};
    const ff_batch_spread row = {.quantity = FF_BATCH_FRICTION, .low = 1, .high = 1, .which = "nope"};
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = &row, .nspread = 1}, &wrong));
    CHECK_SAYS(wrong.text, "there are FL_knee, FR_knee, RL_knee, RR_knee, FL, FR, RL, RR"); // shapes, then feet
    ff_batch_model_destroy(model);
    table_destroy(&t);
    // without sensors in the scene there are none
    table plain = table_create(DRIVE, DRIVE, SENSORS, "");
    ff_batch_model *without = table_compile(&plain);
    const char *const name[] = {"sensors.gyro.x"};
    ff_error err = {0};
    CHECK(!ff_batch_create(without, &(ff_batch_options){.robots = 1, .observe = name, .nobserve = 1}, &err));
    CHECK_SAYS(err.text, "effects: {sensors: real}");
    ff_batch_model_destroy(without);
    table_destroy(&plain);
}
