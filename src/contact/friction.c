// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The pieces friction is made of. One kernel serves sticking, anchors, soil, torsion and rolling: a spring x beside a
// damper g that give way together beyond a limit,
//     w = k x + g,      F = -w for |w| <= L,  -L w/|w| otherwise,      dx/dt = v.
// The spring follows the motion even beyond the limit, and the next update takes the excess back (elastic predictor,
// plastic corrector, as in metal plasticity). To stop the spring at the limit instead, dx/dt = 0 there, was tried:
// while the load grows, a sliding contact then rides on the edge of the two cases, and an error-controlled integrator
// shrinks its step to nothing.
#include "contact/private.h"

void ff_grip_evaluate(ff_grip *out, double k, const double x[3], const double g[3], const double v[3], double limit)
{
    double w[3];
    for (int i = 0; i < 3; i++) w[i] = k * x[i] + g[i];
    out->wanted = ff_vec3_norm(w);
    if (out->wanted <= limit) {
        ff_vec3_scale(out->force, w, -1.0);
        ff_mat3_identity(out->pass);
        ff_vec3_set(out->by_limit, 0.0, 0.0, 0.0);
        out->loss = ff_vec3_dot(g, v);
        return;
    }
    double u[3], part = limit / out->wanted;
    ff_vec3_scale(u, w, 1.0 / out->wanted);
    ff_vec3_scale(out->force, u, -limit);
    ff_vec3_scale(out->by_limit, u, -1.0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out->pass[3 * i + j] = part * ((i == j) - u[i] * u[j]);
    out->loss = -ff_vec3_dot(out->force, v) - k * ff_vec3_dot(x, v);
}

bool ff_grip_trail(double k, double x[3], const double g[3], double limit)
{
    double w[3];
    for (int i = 0; i < 3; i++) w[i] = k * x[i] + g[i];
    double wanted = ff_vec3_norm(w);
    if (wanted <= limit) return false;
    // k x = L u - g keeps the force where it is. Where the damper alone is beyond the limit that would stretch the
    // spring backwards, and it would push the body on as soon as it slows down: such a spring is slack instead.
    double next[3];
    for (int i = 0; i < 3; i++) next[i] = (limit / wanted * w[i] - g[i]) / k;
    bool slack = ff_vec3_dot(next, w) <= 0.0;
    ff_vec3_scale(x, next, slack ? 0.0 : 1.0);
    return true;
}

/// Regularised Stribeck curve of the speed v >= 0 and its slope, for c_d = 1:
///     v < v_th: c_brk v      else: v_th (c_brk - 1) exp(decay (v - v_th) / v_min) + v
static double stribeck(const ff_friction *f, double v, double *slope)
{
    if (v < f->threshold) {
        *slope = f->breakaway;
        return f->breakaway * v;
    }
    double peak = f->threshold * (f->breakaway - 1.0) * ff_exp(f->decay * (v - f->threshold) / f->scale_speed);
    *slope = peak * f->decay / f->scale_speed + 1.0;
    return peak + v;
}

/// Stribeck force along the slip, which is slowed down first: g = c_d F(|v| / n) v/|v|.
static void stribeck_dash(ff_dash *out, const ff_friction *f, double share, const double slip[3])
{
    double n = f->law == FF_FRICTION_ANCHORED ? f->slowdown : 1.0, c = f->viscous * share;
    double speed = ff_vec3_norm(slip), slope;
    double force = c * stribeck(f, speed / n, &slope);
    slope *= c / n;
    double ratio = speed > 0.0 ? force / speed : slope;
    double along = speed > 0.0 ? (slope - ratio) / (speed * speed) : 0.0;
    ff_vec3_scale(out->force, slip, ratio);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out->by_slip[3 * i + j] = ratio * (i == j) + along * slip[i] * slip[j];
}

void ff_dash_evaluate(ff_dash *out, const ff_contact_pair *pair, double share, double depth, const double slip[3])
{
    const ff_friction *f = &pair->friction;
    *out = (ff_dash){0};
    if (f->law == FF_FRICTION_STRIBECK || f->law == FF_FRICTION_ANCHORED) {
        stribeck_dash(out, f, share, slip);
        return;
    }
    double nu = f->law == FF_FRICTION_SOIL ? f->damping_exponent : 0.0;
    double c = f->damping * share * ff_power(depth, nu);
    ff_vec3_scale(out->force, slip, c);
    out->by_slip[0] = out->by_slip[4] = out->by_slip[8] = c;
    if (nu > 0.0 && depth > 0.0) ff_vec3_scale(out->by_depth, slip, nu * c / depth);
}

static void slide_fast(ff_slide *out, double limit, double mu, const double v[3], double speed)
{
    double e[3];
    ff_vec3_scale(e, v, 1.0 / speed);
    ff_vec3_scale(out->force, e, -limit);
    ff_vec3_scale(out->by_normal, e, -mu);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out->by_slip[3 * i + j] = -limit / speed * ((i == j) - e[i] * e[j]);
}

void ff_slide_evaluate(ff_slide *out, const ff_contact_pair *pair, double share, double normal, const double slip[3],
                       const double spring[3])
{
    const ff_friction *f = &pair->friction;
    double speed = ff_vec3_norm(slip), limit = f->mu_kinetic * normal, k = f->stiffness * share;
    *out = (ff_slide){0};
    if (speed >= f->stick_speed) {
        if (speed > 0.0) slide_fast(out, limit, f->mu_kinetic, slip, speed);
        return;
    }
    double x = speed / f->stick_speed, length = ff_vec3_norm(spring);
    bool full = k * length > limit; // the spring was stretched under a larger load: it carries the present limit
    double held = full ? limit / length : k;
    for (int i = 0; i < 3; i++) {
        out->force[i] = -(limit * slip[i] / f->stick_speed + (1.0 - x) * held * spring[i]);
        out->by_normal[i] = -f->mu_kinetic * slip[i] / f->stick_speed;
        if (full) out->by_normal[i] -= (1.0 - x) * f->mu_kinetic * spring[i] / length;
        for (int j = 0; j < 3; j++) {
            double across = full ? (i == j) - spring[i] * spring[j] / (length * length) : (i == j);
            out->by_slip[3 * i + j] = -limit / f->stick_speed * (i == j);
            if (speed > 0.0) out->by_slip[3 * i + j] += held * spring[i] * slip[j] / (speed * f->stick_speed);
            out->by_spring[3 * i + j] = -(1.0 - x) * held * across;
        }
    }
}

double ff_grip_mu(const ff_contact_pair *pair, const ff_contact_state *state)
{
    const ff_friction *f = &pair->friction;
    switch (f->law) {
    case FF_FRICTION_STICK_SLIP:
        return state->mode == FF_CONTACT_STATIC ? f->mu_static : f->mu_kinetic;
    case FF_FRICTION_ANCHORED:
        return f->mu_kinetic;
    case FF_FRICTION_STRIBECK:
    case FF_FRICTION_SOIL:
        return f->mu_kinetic > 0.0 ? f->mu_kinetic : INFINITY;
    default:
        return 0.0;
    }
}

void ff_carry(double out[3], const double from[3], const double to[3], const double a[3])
{
    // R a = a - (m.a)/(1 + from.to) m + 2 (from.a) to,  m = from + to
    ff_vec3_copy(out, a);
    if (ff_carry_stays(from, to)) return;
    double cosine = ff_vec3_dot(from, to), m[3];
    if (cosine < -0.999999) return;
    ff_vec3_add(m, from, to);
    ff_vec3_axpy(out, -ff_vec3_dot(m, a) / (1.0 + cosine), m);
    ff_vec3_axpy(out, 2.0 * ff_vec3_dot(from, a), to);
}

void ff_contact_springs(const ff_contact_state *state, const double normal[3], double spring[3], double turn[3])
{
    ff_carry(spring, state->plane, normal, state->spring);
    ff_carry(turn, state->plane, normal, state->turn);
}

double ff_contact_spring_energy(const ff_contact_pair *pair, const ff_contact_state *state)
{
    return 0.5 * state->share * pair->friction.stiffness * ff_vec3_dot(state->spring, state->spring);
}

double ff_contact_stored(const ff_contact_pair *pair, const ff_contact_state *state)
{
    double along[3], across[3];
    if (state->mode == FF_CONTACT_OPEN) return 0.0;
    bool slides = pair->friction.law == FF_FRICTION_STICK_SLIP && state->mode == FF_CONTACT_KINETIC && !state->bristle;
    ff_split(state->turn, state->plane, along, across);
    return (slides ? state->stored : ff_contact_spring_energy(pair, state)) +
           0.5 * state->share *
               (pair->torsion_stiffness * ff_vec3_dot(along, along) +
                pair->rolling_stiffness * ff_vec3_dot(across, across));
}
