// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Heat of friction where the damper of the tangential spring is weak: d/k of 10 to 50 us, far below the steps. A ball
// bounces on a level floor, or on one that falls along x. On its way along x and in its turning nothing takes energy
// but friction, torsion and rolling, so that in flight, where no spring holds anything,
//     heat = what the ball had + m g_x x - m v_x^2 / 2 - I w^2 / 2,
// whatever the motion came to. The ledger must say the same.
#include "support/lab.h"

#include <math.h>

static const double SAMPLE = 0.01; // [s]

/// A ball that falls onto the floor.
typedef struct bouncer {
    const char *name;
    double mass, radius, height;       // height: of its lowest point      [kg], [m], [m]
    double speed, spin[2];             // along x; about y and z            [m/s], [rad/s]
    double slope;                      // [rad]
    double stiffness, damping;         // along the normal                  [N/m], [N s/m^2]
    double mu, spring, spring_damping; // [1], [N/m], [N s/m]
    double patch, rolling, torsion;    // [m]
    double lasts;                      // [s]
} bouncer;

static const bouncer BALLS[] = {{.name = "slides, then rolls",
                                 .mass = 1.0,
                                 .radius = 0.05,
                                 .height = 0.3,
                                 .speed = 2.0,
                                 .stiffness = 5e4,
                                 .damping = 2e3,
                                 .mu = 0.3,
                                 .spring = 1e5,
                                 .spring_damping = 1.0,
                                 .patch = 0.005,
                                 .lasts = 3.0},
                                {.name = "light, 50 us",
                                 .mass = 1.0,
                                 .radius = 0.3,
                                 .height = 1e-3,
                                 .speed = 0.5,
                                 .stiffness = 1e5,
                                 .damping = 1e4,
                                 .mu = 0.8,
                                 .spring = 1e5,
                                 .spring_damping = 5.0,
                                 .patch = 0.02,
                                 .lasts = 1.0},
                                {.name = "rolls and spins",
                                 .mass = 100.0,
                                 .radius = 0.3,
                                 .height = 1e-3,
                                 .speed = 0.5,
                                 .spin = {1.6667, 5.0},
                                 .stiffness = 1e6,
                                 .damping = 1e4,
                                 .mu = 0.8,
                                 .spring = 1e6,
                                 .spring_damping = 50.0,
                                 .patch = 0.02,
                                 .rolling = 0.015,
                                 .torsion = 0.015,
                                 .lasts = 5.0},
                                {.name = "hops down a slope",
                                 .mass = 100.0,
                                 .radius = 0.3,
                                 .height = 1e-3,
                                 .slope = 0.025,
                                 .stiffness = 1e6,
                                 .damping = 1e4,
                                 .mu = 0.8,
                                 .spring = 1e6,
                                 .spring_damping = 50.0,
                                 .patch = 0.02,
                                 .rolling = 0.015,
                                 .lasts = 5.0}};

/// A ball whose rolling resistance could hold it on the slope, but each hop slackens the spring of rolling.
static const bouncer HOPPER = {.name = "hops",
                               .mass = 1.0,
                               .radius = 0.06,
                               .height = 1e-3,
                               .slope = 0.0167,
                               .stiffness = 1e5,
                               .damping = 1e4,
                               .mu = 0.8,
                               .spring = 5e4,
                               .spring_damping = 50.0,
                               .patch = 2e-3,
                               .rolling = 2e-3};

/// @param accuracy  0: steps of 0.1 ms
static lab lab_bouncer(const bouncer *b, ff_method method, double accuracy)
{
    lab x = lab_open(method);
    x.options.ledger = true;
    x.options.max_steps = 500000; // an error rather than a run without end
    x.options.accuracy = method == FF_METHOD_IMPLICIT ? accuracy : 0.0;
    if (accuracy > 0.0) {
        x.options.relative = accuracy;
        x.options.absolute = 1e-3 * accuracy;
    } else {
        x.options.step = 1e-4;
    }
    ff_material *m = lab_material(&x, "it", b->stiffness, b->damping, b->mu);
    m->friction.stiffness = b->spring;
    m->friction.damping = b->spring_damping;
    m->friction.patch_radius = b->patch;
    m->friction.rolling = b->rolling;
    m->friction.torsion = b->torsion;
    lab_ball(&x, "ball", b->mass, b->radius, (double[]){0, 0, b->radius + b->height}, "it");
    lab_floor(&x, "rigid");
    lab_slope(&x, b->slope);
    lab_start(&x);
    ff_sim_set_v(x.sim, 0, b->speed);
    ff_sim_set_v(x.sim, 4, b->spin[0]);
    ff_sim_set_v(x.sim, 5, b->spin[1]);
    return x;
}

/// Energy of the motion along x and of the turning.
static double along(const bouncer *b, const lab *x)
{
    const double *v = lab_v(x), I = 0.4 * b->mass * b->radius * b->radius;
    return 0.5 * b->mass * v[0] * v[0] + 0.5 * I * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) -
           b->mass * 9.81 * sin(b->slope) * lab_q(x)[0];
}

static bool flies(const lab *x)
{
    int count = 0;
    const ff_world_contact *c = ff_world_contacts(x->world, x->sim, &count);
    for (int i = 0; i < count; i++)
        if (c[i].point.depth > 0.0) return false;
    return true;
}

/// Energy that friction has taken from the motion at the last flight, and heat of friction in the ledger.
static double taken(const bouncer *b, ff_method method, double accuracy, double *heat)
{
    lab x = lab_bouncer(b, method, accuracy);
    const double start = along(b, &x);
    double lost = 0.0;
    ff_ledger before = {0};
    for (double t = SAMPLE; t < b->lasts; t += SAMPLE) {
        lab_run(&x, t);
        const ff_ledger now = ff_sim_ledger(x.sim);
        CHECK(now.lost_normal >= before.lost_normal && now.lost_friction >= before.lost_friction);
        before = now;
        if (!flies(&x)) continue;
        lost = start - along(b, &x);
        *heat = now.lost_friction;
    }
    lab_close(&x);
    return lost;
}

static void check_heat(ff_method method, double accuracy, double part)
{
    for (int i = 0; i < 4; i++) {
        double heat = 0.0;
        const double lost = taken(&BALLS[i], method, accuracy, &heat);
        printf("  %-18s %-8s %.0e: heat %.5f J of %.5f J, %+.2f %%\n", BALLS[i].name, ff_method_name(method), accuracy,
               heat, lost, 100.0 * (heat / lost - 1.0));
        CHECK_NEAR(heat, lost, part * lost);
    }
}

// Without a check of the error of a step that ends at a lift-off, the tangential spring, at rest in stages after the
// event, diverged before it: 36 kJ of heat from a ball of 5 J at 1e-3, 2.3 kJ on the slope.
TEST(heat_of_weakly_damped_friction_is_what_it_takes_from_the_motion_with_adaptive)
{
    check_heat(FF_METHOD_ADAPTIVE, 1e-2, 0.02);
    check_heat(FF_METHOD_ADAPTIVE, 1e-3, 0.01);
    if (CHECK_LASTS(0, 1)) return; // more steps on the same paths
    check_heat(FF_METHOD_ADAPTIVE, 1e-4, 0.01);
    check_heat(FF_METHOD_ADAPTIVE, 1e-6, 1e-4);
}

// The rate of the spring is (T - k s) / d. Heat computed from this rate is 5 and 7 % too small at 1e-3.
TEST(heat_of_weakly_damped_friction_is_what_it_takes_from_the_motion_with_implicit)
{
    check_heat(FF_METHOD_IMPLICIT, 1e-3, 0.01);
    if (CHECK_LASTS(0, 1)) return; // more steps on the same paths
    check_heat(FF_METHOD_IMPLICIT, 1e-4, 0.01);
    check_heat(FF_METHOD_IMPLICIT, 1e-5, 0.01);
}

// Springs of friction, torsion and rolling follow slip and spin beyond their limits in the stages of a step, and return
// at its end.
TEST(heat_of_weakly_damped_friction_is_what_it_takes_from_the_motion_with_stages)
{
    check_heat(FF_METHOD_RK2, 0.0, 1e-4);
    check_heat(FF_METHOD_RK4, 0.0, 1e-4);
}

// Its steps miss a part of the hops, and their friction; the heat must be that of the motion that it computes.
TEST(heat_of_weakly_damped_friction_is_what_it_takes_from_the_motion_with_cvode)
{
    if (!ff_method_built(FF_METHOD_CVODE)) SKIP("no SUNDIALS");
    check_heat(FF_METHOD_CVODE, 1e-4, 0.02);
}

// After a lift-off the steps of CVODE are of first order, and a hop of some micrometres is below their error. Without
// the check against the motion the ball touched while it rose and lifted off at once: 19 million evaluations in 0.6 s.
TEST(no_accuracy_of_cvode_meets_an_event_without_end)
{
    if (!ff_method_built(FF_METHOD_CVODE)) SKIP("no SUNDIALS");
    for (double accuracy = 1e-2; accuracy > 0.9e-4; accuracy *= 0.1) {
        lab x = lab_bouncer(&HOPPER, FF_METHOD_CVODE, accuracy);
        lab_run(&x, 1.0);
        const long long evaluations = ff_sim_get_counts(x.sim).evaluations;
        printf("  hops %.0e: %.4f m, %lld evaluations\n", accuracy, lab_q(&x)[0], evaluations);
        CHECK_BELOW((double)evaluations, 1e5);
        lab_close(&x);
    }
}
