// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The elements of friction. One function serves sticking and sliding, anchors, soil, torsion and rolling: a spring s
// parallel to a damper d, both in series with a slider that slips at the limit L. The parts carry one force,
//     T = k s + d ds/dt,      v = ds/dt + v_p,      v_p along T, and only where |T| = L,
// which has one solution for a given spring and slip: with w = k s + d v
//     |w| <= L:  T = w,         ds/dt = v
//     else:      T = L w/|w|,   ds/dt = (T - k s) / d.
// Force and rate are continuous, so that every method of integration has the same equations and needs no event where
// a contact begins to slide. Work goes into the spring, the damper and the slider: T v = d(k s^2/2)/dt + d (ds/dt)^2 +
// T v_p, and the last two, the heat, are never below zero.
//     Elastic-plastic friction in series with a slider: P. Dahl (1968); P. Dupont et al., IEEE Trans. Aut. Control
//     47(5), 2002; the return map of plasticity, J. C. Simo, T. J. R. Hughes, Computational Inelasticity (1998), is its
//     d = 0.
#include "contact/advance.h"
#include "contact/private.h"

/// w + k time v.
static void add_ahead(double out[3], const double w[3], double k, double time, const double v[3])
{
    ff_vec3_copy(out, w);
    if (time > 0.0) ff_vec3_axpy(out, k * time, v);
}

/// Rate of the spring: the slip minus the motion of the slider. A lag [s] slows down a spring at the limit.
static void spring_rate(ff_friction_result *out, const ff_friction_element *law, double lag, const double x[3],
                        const double v[3], const double w[3])
{
    const double k = law->k;
    double beyond[3];
    add_ahead(beyond, w, k, lag, v);
    const double wanted = lag > 0.0 ? ff_vec3_norm(beyond) : out->wanted;
    if (wanted <= law->limit) {
        ff_vec3_copy(out->rate, v);
        return;
    }
    const double slow = law->damping + k * (law->ahead + lag);
    for (int i = 0; i < 3; i++) out->rate[i] = (law->limit / wanted * beyond[i] - k * x[i]) / slow;
}

void ff_friction_evaluate(ff_friction_result *out, const ff_friction_element *law, const double x[3], const double g[3],
                          const double v[3])
{
    double w[3], end[3];
    for (int i = 0; i < 3; i++) w[i] = law->k * x[i] + g[i];
    add_ahead(w, w, law->k, law->ahead, v);
    out->wanted = ff_vec3_norm(w);
    out->slides = !(out->wanted <= law->limit);
    if (!out->slides) {
        ff_vec3_scale(out->force, w, -1.0);
    } else {
        const double part = law->limit / out->wanted;
        double u[3];
        ff_vec3_scale(u, w, 1.0 / out->wanted);
        ff_vec3_scale(out->force, u, -law->limit);
        ff_vec3_scale(out->by_limit, u, -1.0);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) out->pass[3 * i + j] = part * ((i == j) - u[i] * u[j]);
    }
    if (!(law->k > 0.0)) {
        ff_vec3_set(out->rate, 0.0, 0.0, 0.0);
        out->loss = -ff_vec3_dot(out->force, v);
        return;
    }
    const double lag = law->ahead > 0.0 ? 0.0 : ff_friction_lag(law->k, law->damping);
    if (lag == 0.0 && !out->slides) {
        ff_vec3_copy(out->rate, v);
        out->loss = ff_vec3_dot(g, v);
        return;
    }
    spring_rate(out, law, lag, x, v, w);
    // The heat of damper and slider is the power that the spring does not store. With a lag, slider and force can
    // differ a little in direction.
    ff_vec3_copy(end, x);
    ff_vec3_axpy(end, law->ahead, out->rate);
    out->loss = ff_max(0.0, -ff_vec3_dot(out->force, v) - law->k * ff_vec3_dot(end, out->rate));
}

void ff_friction_return_spring(const ff_friction_element *law, double time, const double g[3], double x[3])
{
    double w[3];
    if (!(law->k > 0.0) || !(time > 0.0)) return;
    for (int i = 0; i < 3; i++) w[i] = law->k * x[i] + g[i];
    const double wanted = ff_vec3_norm(w);
    if (wanted <= law->limit) return;
    ff_vec3_axpy(x, -(1.0 - law->limit / wanted) * time / (law->damping + law->k * time), w);
}

/// Stribeck force along the slip v, with the slowdown n: g = c_d F(|v| / n) v/|v|.
void ff_dash_stribeck(ff_dash *out, const ff_friction *f, double share, const double slip[3])
{
    double n = ff_friction_slowdown(f), c = f->viscous * share;
    double speed = ff_vec3_norm(slip), slope;
    double force = c * ff_core_stribeck(f->threshold, f->breakaway, f->decay, f->scale_speed, speed / n, &slope);
    slope *= c / n;
    double ratio = speed > 0.0 ? force / speed : slope;
    double along = speed > 0.0 ? (slope - ratio) / (speed * speed) : 0.0;
    out->damping = ratio;
    ff_vec3_scale(out->force, slip, ratio);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out->by_slip[3 * i + j] = ratio * (i == j) + along * slip[i] * slip[j];
}

void ff_carry_turn(double out[3], const double from[3], const double to[3], const double a[3])
{
    // R a = a - (m.a)/(1 + from.to) m + 2 (from.a) to,  m = from + to
    ff_vec3_copy(out, a);
    double cosine = ff_vec3_dot(from, to), m[3];
    if (cosine < -0.999999) return;
    ff_vec3_add(m, from, to);
    ff_vec3_axpy(out, -ff_vec3_dot(m, a) / (1.0 + cosine), m);
    ff_vec3_axpy(out, 2.0 * ff_vec3_dot(from, a), to);
}
