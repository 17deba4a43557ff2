// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// BioBiped1 against numbers that know nothing of the simulation: the leg at rest under load, by the energy of its
// springs, is the spring of a hopper; and running by its three laws.
#include "scene/scene_helpers.h"

#include <math.h>

static const double DEG = FF_PI / 180.0;

// ------------------------------------------------------------------------------- a leg at rest under load, by itself

/// Hip, knee and ankle of one leg, below a hip at height `up`, the toe at `x0` from it.
typedef struct posture {
    double up, x0;
    bool stands;
} posture;

static void find_toe(const double q[3], double toe[2])
{
    const double s = q[0] + q[1], g = s + q[2];
    toe[0] = 0.33 * (sin(q[0]) + sin(s)) + 0.12 * cos(g) + 0.07 * sin(g);
    toe[1] = -0.33 * (cos(q[0]) + cos(s)) + 0.12 * sin(g) - 0.07 * cos(g);
}

/// Centre of mass of torso and two such legs, above the hips.
static double find_centre(const double q[3])
{
    const double s = q[0] + q[1], g = s + q[2], knee = -0.33 * cos(q[0]), ankle = knee - 0.33 * cos(s);
    const double legs = 0.9 * 0.5 * knee + 0.7 * 0.5 * (knee + ankle) + 0.5 * (ankle + 0.035 * (sin(g) - cos(g)));
    return (5.3 * 0.2 + 2.0 * legs) / 9.5;
}

static double square(double x)
{
    return 0.5 * x * x;
}

static double pull(double x)
{
    return x > 0.0 ? square(x) : 0.0;
}

/// Energy of the springs of one leg, each in a row with the loop of its motor, which holds 15, -40 and -10 deg; of the
/// flexors and of the gastrocnemius; of the stop of the ankle; of the ground.
static double energy(const posture *l, const double q[3])
{
    double toe[2], sum = 0.0;
    find_toe(q, toe);
    sum += 60.0 * 1200 / 1260 * square(q[0] - 15 * DEG);
    sum += 80.0 * 600 / 680 * pull(-40 * DEG - q[1]) + 10 * pull(q[1] + 80 * DEG);
    sum += 60.0 * 600 / 660 * pull(q[2] + 10 * DEG) + 10 * pull(10 * DEG - q[2]) + 1000 * pull(q[2] - 10 * DEG);
    sum += 3.6 * (pull(q[1] + q[2] + 45 * DEG) + pull(q[0] + q[1]) + pull(-50 * DEG - q[0] - q[1]));
    if (l->stands) sum += 3e4 * (pull(-l->up - toe[1]) + square(toe[0] - l->x0));
    return sum;
}

static double shifted(const posture *l, const double q[3], int i, double a, int j, double b)
{
    double p[3] = {q[0], q[1], q[2]};
    p[i] += a;
    p[j] += b;
    return energy(l, p);
}

/// Where the energy is least: Newton's rule, with differences.
static void rest(const posture *l, double q[3])
{
    const double e = 1e-4;
    for (int round = 0; round < 100; round++) {
        double A[3][4], most = 0.0;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                A[i][j] = (shifted(l, q, i, e, j, e) - shifted(l, q, i, e, j, -e) - shifted(l, q, i, -e, j, e) +
                           shifted(l, q, i, -e, j, -e)) /
                          (4 * e * e);
            A[i][3] = -(shifted(l, q, i, e, i, 0) - shifted(l, q, i, -e, i, 0)) / (2 * e);
        }
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++)
                for (int k = 3; r != c && k >= c; k--) A[r][k] -= A[r][c] / A[c][c] * A[c][k];
        for (int i = 0; i < 3; i++) most = fmax(most, fabs(A[i][3] / A[i][i]));
        for (int i = 0; i < 3; i++) q[i] += A[i][3] / A[i][i] * fmin(1.0, 0.05 / fmax(most, 1e-12));
        if (most < 1e-7) return;
    }
    CHECK_FAIL("a leg finds no rest");
}

enum { TABLE = 60 };

/// Force of two legs over the height of the centre of mass, from touch-down on.
typedef struct spring {
    double height[TABLE], force[TABLE];
} spring;

static spring load_legs(void)
{
    spring s;
    double q[3] = {15 * DEG, -45 * DEG, -7 * DEG}, toe[2];
    posture l = {0};
    rest(&l, q);
    find_toe(q, toe);
    l = (posture){.x0 = toe[0], .stands = true};
    const double touch = -toe[1];
    for (int i = 0; i < TABLE; i++) {
        l.up = touch - 1e-3 * i;
        rest(&l, q);
        find_toe(q, toe);
        s.height[i] = l.up + find_centre(q);
        s.force[i] = 2.0 * 3e4 * fmax(0.0, -l.up - toe[1]);
    }
    CHECK_NEAR(touch, 0.7326, 1e-4); // [m] as experiments/biobiped-hop.yaml starts: 4 cm above it
    return s;
}

/// The lowest point of 9.5 kg that touch down with v.
static void sink(const spring *s, double v, double *depth, double *force)
{
    const double dt = 1e-5;
    double z = s->height[0], w = -v;
    int i = 0;
    while (w < 0.0 && i < TABLE - 2) {
        while (i < TABLE - 2 && s->height[i + 1] > z) i++;
        const double part = (s->height[i] - z) / (s->height[i] - s->height[i + 1]);
        *force = s->force[i] + part * (s->force[i + 1] - s->force[i]);
        w += dt * (*force / 9.5 - 9.81);
        z += dt * w;
    }
    *depth = s->height[0] - z;
}

// The numbers that experiments/biobiped-hop.yaml expects. They are written with three digits there.
TEST(legs_under_load_are_the_spring_of_a_hopper)
{
    const spring s = load_legs();
    const double flight = sqrt(8 * 0.04 / 9.81), v = 0.5 * 9.81 * flight;
    double depth, force;
    sink(&s, v, &depth, &force);
    const double k = force / depth, w = sqrt(k / 9.5), stance = 2 * (acos(-1.0) - atan(v * w / 9.81)) / w;
    printf("  k %.0f N/m, lowest %.1f mm below, %.0f N; flight %.4f s, stance %.4f s\n", k, 1e3 * depth, force, flight,
           stance);
    CHECK_NEAR(k, 9540, 20);
    CHECK_NEAR(force, 354, 1);
    CHECK_NEAR(flight, 0.1806, 1e-4);
    CHECK_NEAR(stance, 0.1203, 1e-4);
}

// ------------------------------------------------------------------------------- running

#define PLANE                                                                                                          \
    "robot: " FF_SOURCE_DIR "/robots/biobiped/planar.yaml\nterrain: [{plane: {material: rigid}}]\n"                    \
    "effects: {drives: ideal, transmission: flexible}\nsolver: {method: rk4, step: 0.2 ms}\n"

// Eight steps, pushes of 0.1 m/s, a command: it runs on, and its own estimate of its speed is the true one. (With the
// time of the last flight in place of the one that is foreseen it slows down to less than 1.5 m/s.)
TEST(two_elastic_legs_run)
{
    must_run(PLANE "control: {jog: {speed: 1.8}, commands: [{at: 3, speed: 1.7}]}\n"
                   "forces: [{body: torso, impulse: [1, 0, 0], from: 1.2, to: 1.3}, {body: torso, impulse: [-1, 0, 0], "
                   "from: 2.2, to: 2.3}]\ntime: 4\nmetrics: {from: 1, report: "
                   "[control.speed.mean, control.steps.final, control.commanded.final]}\n");
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    CHECK_NEAR(metric("control.commanded.final"), 1.7, 0);
    CHECK(metric("control.steps.final") >= 8);
    CHECK_NEAR(metric("walk.support.min"), 0, 0);
    CHECK(metric("walk.speed.mean") > 1.5);
    CHECK_NEAR(metric("control.speed.mean"), metric("walk.speed.mean"), 0.1 * metric("walk.speed.mean"));
    finish();
    must_load(PLANE "control: {jog: {speed: 1.8}}\ntime: 1\n");
    must_resume(0.3, 0.5);
    finish();
}

TEST(what_running_lacks_is_told_with_its_place)
{
    static const bad_scene bad[] = {
        {"robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\ncontrol: {jog: {}}\n", "3:16",
         "running needs two legs, not 6"},
        {"robot: " FF_SOURCE_DIR "/robots/biobiped/biobiped.yaml\ncontrol: {jog: {}}\n", "3:16",
         "running is in a plane: it needs a body on slides along x and z and a hinge about y"},
        {PLANE "control: {jog: {speed: 20}}\n", "6:24", "'speed' is 20 m/s: it must be between -1 and 4 m/s"},
        {PLANE "control: {jog: {thrust_time: 0}}\n", "6:30", "'thrust_time' is 0 s: it must be positive"},
    };
    must_refuse(bad, sizeof bad / sizeof *bad);
}

// A spring of zero stiffness is no spring, and a cable without a motor needs one.
TEST(springs_of_zero_stiffness_are_refused)
{
    static const char *const bad[] = {"drives: {left_knee: {transmission: {spring: 0}}}",
                                      "drives: {left_knee_flexor: {cable: {stiffness: 0}}}",
                                      "drives: {left_hip: {transmission: {stiffness: 0}}}"};
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "footfall: 1\nname: slack\nimport: " FF_SOURCE_DIR "/robots/biobiped/planar.yaml\n%s\n", bad[i]);
        write_file("slack.yaml", text);
        CHECK(!load("robot: slack.yaml\n"));
        CHECK_SAYS(message(0), "slack.yaml:4:");
        CHECK_SAYS(message(0), "it must be positive");
        finish();
    }
}

// The flexor beside the extensor is no motor: the deflection of the knee is that of its extensor, tau / K.
TEST(deflections_are_those_of_the_motor)
{
    must_run(
        "robot: " FF_SOURCE_DIR "/robots/biobiped/biobiped.yaml\nstart: {pose: stand}\nplace: {settle: true}\n"
        "terrain: [{plane: {material: rigid}}]\neffects: {drives: ideal, transmission: flexible, sensors: perfect}\n"
        "solver: {method: rk4, step: 0.2 ms}\ntime: 0.05\n"
        "metrics: {report: [sensors.left_knee_twist.deflection.final, drives.left_knee.force.final]}\n");
    const double force = metric("drives.left_knee.force.final");
    CHECK(force > 5.0); // [N m] 11 of the flexor
    CHECK_NEAR(metric("sensors.left_knee_twist.deflection.final"), force / 80.0, 1e-9);
    finish();
}
