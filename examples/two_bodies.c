// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Two balls meet off centre in free space. The contact room gives the force; everything else (poses, collision of two
// spheres, Euler steps) is written by hand here, to show what another simulator has to bring along. While they touch,
// they slide, so that Coulomb says
//     normal speed after = -e  normal speed before,      tangential impulse = mu  normal impulse  = I w / r   of
//         each ball,
// momentum and angular momentum are kept, and the kinetic energy that is gone equals the heat the contact reports.
#include <footfall/contact.h>
#include <math.h>
#include <stdio.h>

typedef struct ball {
    double mass, radius, inertia; // [kg], [m], [kg m^2]
    double x[3], v[3], w[3];      // [m], [m/s], [rad/s]
} ball;

static const double e = 0.7, mu = 0.1, h = 1e-8; // restitution, friction, step [s]

static ball make_ball(double mass, double radius)
{
    ball b = {.mass = mass, .radius = radius, .inertia = 0.4 * mass * radius * radius};
    return b;
}

static double kinetic(const ball *b)
{
    return 0.5 * b->mass * ff_vec3_dot(b->v, b->v) + 0.5 * b->inertia * ff_vec3_dot(b->w, b->w);
}

/// Linear and angular momentum about the origin.
static void add_momentum(const ball *b, double p[3], double L[3])
{
    double mv[3];
    ff_vec3_scale(mv, b->v, b->mass);
    ff_vec3_add(p, p, mv);
    ff_vec3_cross_add(L, b->x, mv);
    ff_vec3_axpy(L, b->inertia, b->w);
}

/// Collision of two spheres: the contact point, midway in the overlap, and what the contact room wants to know about
/// it.
static ff_contact_point find_contact(const ball *one, const ball *two, double at[3])
{
    ff_contact_point c = {.share = 1.0};
    double arm[3], v1[3], v2[3], spin[3];
    ff_vec3_sub(c.normal, two->x, one->x);
    c.depth = one->radius + two->radius - ff_vec3_normalise(c.normal);
    ff_vec3_copy(at, one->x);
    ff_vec3_axpy(at, one->radius - 0.5 * c.depth, c.normal);
    ff_vec3_copy(v1, one->v);
    ff_vec3_copy(v2, two->v);
    ff_vec3_sub(arm, at, one->x);
    ff_vec3_cross_add(v1, one->w, arm);
    ff_vec3_sub(arm, at, two->x);
    ff_vec3_cross_add(v2, two->w, arm);
    ff_vec3_sub(v2, v2, v1);
    ff_vec3_sub(spin, two->w, one->w);
    ff_contact_point_motion(&c, v2, spin);
    return c;
}

/// A force at a point for one step; the position follows with the new velocity.
static void push(ball *b, const double force[3], double sign, const double at[3])
{
    double arm[3], moment[3];
    ff_vec3_sub(arm, at, b->x);
    ff_vec3_cross(moment, arm, force);
    ff_vec3_axpy(b->v, sign * h / b->mass, force);
    ff_vec3_axpy(b->w, sign * h / b->inertia, moment);
    ff_vec3_axpy(b->x, h, b->v);
}

static int check(const char *what, double got, double expected, double tolerance)
{
    int wrong = !(fabs(got - expected) <= tolerance);
    printf("%-34s %14.9f  expected %14.9f%s\n", what, got, expected, wrong ? "  WRONG" : "");
    return wrong;
}

int main(void)
{
    ff_material hard = ff_material_default();
    hard.normal.law = FF_NORMAL_RESTITUTION;
    hard.normal.restitution = e;
    hard.normal.stiffness = 2e8; // [N/m] in contact for 0.1 ms, 0.06 mm deep
    hard.friction.stiffness = 1e8;
    hard.friction.mu_static = hard.friction.mu_kinetic = mu;
    ff_contact_pair pair;
    ff_contact_state state = {0};
    ff_error err = {0};
    if (ff_contact_pair_make(&pair, &hard, NULL, &err) != FF_OK) return fprintf(stderr, "%s\n", err.text), 1;

    pair.ahead = h; // the loop below makes semi-implicit Euler steps
    ball one = make_ball(0.2, 0.03), two = make_ball(0.5, 0.04);
    ff_vec3_set(one.v, 3.0, 0.0, 0.0);
    ff_vec3_set(two.x, 0.07 * cos(0.8) + 1e-6, 0.07 * sin(0.8), 0.0); // touches 46 degrees off centre
    double at[3], p[3] = {0}, L[3] = {0}, heat = 0.0, energy = kinetic(&one) + kinetic(&two);
    add_momentum(&one, p, L);
    add_momentum(&two, p, L);
    double closing = find_contact(&one, &two, at).closing, impulse = 0.0;

    bool touched = false;
    ff_contact_point c;
    do {
        c = find_contact(&one, &two, at);
        ff_contact_change change = ff_contact_update(&pair, &c, FF_CONTACT_NO_EVENT, &state);
        ff_contact_force f;
        ff_contact_evaluate(&pair, &c, &state, &f, NULL);
        ff_vec3_axpy(state.spring, h, f.spring_rate);
        push(&one, f.force, -1.0, at);
        push(&two, f.force, 1.0, at);
        heat += h * (f.loss_normal + f.loss_friction) + change.friction_loss;
        impulse += h * f.normal;
        touched = touched || state.mode != FF_CONTACT_OPEN;
    } while (!touched || state.mode != FF_CONTACT_OPEN);

    double after[3] = {0}, L_after[3] = {0};
    add_momentum(&one, after, L_after);
    add_momentum(&two, after, L_after);
    int wrong = check("restitution", -c.closing / closing, e, 2e-3); // the normal turns a little while they touch
    wrong += check("momentum x [N s]", after[0], p[0], 1e-12);
    wrong += check("momentum y [N s]", after[1], p[1], 1e-12);
    wrong += check("angular momentum [N m s]", L_after[2], L[2], 1e-9); // Euler's error
    wrong += check("spin of the first [rad/s]", one.w[2], mu * impulse * one.radius / one.inertia,
                   0.1); // arm less half the depth
    wrong += check("lost [J] = heat [J]", energy - kinetic(&one) - kinetic(&two), heat, 1e-4 * energy); // Euler's error
    return wrong ? 1 : 0;
}
