// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The dampers beside tangential springs, by the oscillations that they damp: a mass on a contact of constant depth
// swings on its friction spring as m x'' = -k x - c x', with its closed form. The tests determine c: of the anchored
// law after its slowdown, of the soil law by the depth.
#include "check.h"
#include "motion.h"

#include <footfall/contact.h>

static const double MASS = 2.0, RELEASE = 0.4e-3; // [kg], [m] stretch of the spring at the start

typedef struct swing {
    ff_contact_pair pair;
    double depth; // [m]
} swing;

/// x: stretch of the spring, speed.
static void rate(void *context, double t, const double *x, double *dx)
{
    const swing *s = context;
    ff_contact_point point = {.share = 1.0, .depth = s->depth, .normal = {0, 0, 1}, .slip = {x[1], 0, 0}};
    ff_contact_state state = {.mode = FF_CONTACT_STATIC, .plane = {0, 0, 1}, .spring = {x[0], 0, 0}};
    ff_contact_force force;
    (void)t;
    ff_contact_evaluate(&s->pair, &point, &state, &force, NULL);
    dx[0] = force.spring_rate[0];
    dx[1] = force.force[0] / MASS;
}

static ff_contact_pair make_pair(const ff_material *m)
{
    ff_contact_pair pair;
    ff_error err = {0};
    if (ff_contact_pair_make(&pair, m, NULL, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return pair;
}

/// Two periods of the swing, from rest, against  x = A exp(-b t) (cos w t + b/w sin w t),  b = c / 2m, w^2 = k/m - b^2.
static void must_swing(const ff_material *material, double depth, double k, double c)
{
    swing s = {.pair = make_pair(material), .depth = depth};
    const double b = 0.5 * c / MASS, w = sqrt(k / MASS - b * b), end = 4.0 * FF_PI / w;
    motion m = {.n = 2, .x = {RELEASE, 0.0}, .tolerance = 1e-12, .longest = 0.05 / w, .context = &s, .rate = rate};
    while (m.t < end) {
        motion_step(&m, end);
        const double decay = RELEASE * exp(-b * m.t);
        // 250 steps, each within 1e-12 m and m/s
        CHECK_NEAR(m.x[0], decay * (cos(w * m.t) + b / w * sin(w * m.t)), 1e-6 * RELEASE);
        CHECK_NEAR(m.x[1], -decay * (w + b * b / w) * sin(w * m.t), 1e-6 * RELEASE * w);
    }
}

// ------------------------------------------------------------------------------------------ anchored

/// A cone that is never reached: 2000 N at 1 mm, and 20 N of the spring.
static ff_material anchored(double slowdown)
{
    ff_material m = ff_material_default();
    m.normal.law = FF_NORMAL_LINEAR;
    m.normal.stiffness = 2e6;
    m.friction.law = FF_FRICTION_ANCHORED;
    m.friction.mu_static = m.friction.mu_kinetic = 1.0;
    m.friction.stiffness = 5e4;
    m.friction.breakaway = 1.5;
    m.friction.viscous = 60.0;
    m.friction.threshold = 0.1;
    m.friction.decay = -2.0;
    m.friction.scale_speed = 0.2;
    m.friction.slowdown = slowdown;
    return m;
}

// Below the threshold Stribeck's curve is a line, c = viscous breakaway / slowdown: the swing reaches 63 mm/s.
TEST(the_slowdown_divides_the_damping_of_an_anchor)
{
    const double slowdowns[] = {1.0, 2.0, 4.0};
    for (int i = 0; i < 3; i++) {
        const ff_material m = anchored(slowdowns[i]);
        must_swing(&m, 1e-3, 5e4, 60.0 * 1.5 / slowdowns[i]);
    }
}

// Behind its peak the curve is c_d (v_th (c_brk - 1) exp(decay (u - v_th) / v_min) + u), u = v / slowdown.
TEST(fast_slip_of_an_anchor_is_slowed_down_before_the_curve)
{
    const double slip = 1.2;
    for (double slowdown = 1.0; slowdown < 7.0; slowdown += 2.5) {
        const ff_material m = anchored(slowdown);
        const ff_contact_pair pair = make_pair(&m);
        const ff_contact_point point = {.share = 1.0, .depth = 1e-3, .normal = {0, 0, 1}, .slip = {0, slip, 0}};
        const ff_contact_state state = {.mode = FF_CONTACT_STATIC, .plane = {0, 0, 1}};
        const double u = slip / slowdown, curve = 60.0 * (0.1 * 0.5 * exp(-2.0 * (u - 0.1) / 0.2) + u);
        ff_contact_force force;
        ff_contact_evaluate(&pair, &point, &state, &force, NULL);
        CHECK_NEAR(force.force[1], -curve, 1e-12 * curve);
    }
}

// ------------------------------------------------------------------------------------------ soil

// B p^nu at three depths, for powers below, at and above one; the depths are those of feet, in millimetres.
TEST(the_damping_of_soil_along_the_ground_grows_with_its_power_of_the_depth)
{
    const double powers[] = {0.0, 0.5, 0.9, 1.0, 1.6}, depths[] = {0.5e-3, 1e-3, 2e-3};
    for (int i = 0; i < 5; i++)
        for (int d = 0; d < 3; d++) {
            ff_material m = anchored(1.0);
            m.friction.law = FF_FRICTION_SOIL;
            m.friction.damping = 60.0 / pow(1e-3, powers[i]);
            m.friction.damping_exponent = powers[i];
            must_swing(&m, depths[d], 5e4, 60.0 * pow(depths[d] / 1e-3, powers[i]));
        }
}

// Silva prints for compact clay K_x = 1302152 N/m, B'_x = 2364932 N s/m^2 with the power 1.0 along the ground (0.9
// across it): half the sinkage is half the damping.
TEST(compact_clay_damps_along_the_ground_as_printed)
{
    ff_material clay;
    CHECK_INT(ff_soil_find("compact-clay", true, 0.0, &clay, NULL), FF_OK);
    for (double depth = 0.7e-3; depth > 0.1e-3; depth /= 2.0) {
        const ff_contact_pair pair = make_pair(&clay);
        const ff_contact_point point = {.share = 1.0, .depth = depth, .normal = {0, 0, 1}, .slip = {0.1, 0, 0}};
        const ff_contact_state state = {.mode = FF_CONTACT_STATIC, .plane = {0, 0, 1}};
        const double printed = 2364932.0 * depth * 0.1;
        ff_contact_force force;
        ff_contact_evaluate(&pair, &point, &state, &force, NULL);
        CHECK_NEAR(force.force[0], -printed, 3e-4 * printed); // printed from B with four digits
    }
}
