// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A contact point of a batch: the equations of src/physics/contact (law_core.h, friction.c, state.c) for explicit steps
// of semi-implicit Euler, one robot a lane. At the start of a step the mode of the point follows the state, then the
// force acts, and the spring of friction moves over the step:
//     w = k s + (d + k h) v,   L = mu_s N where it sticks, mu_k N where it slides
//     |w| <= L:  T = -w,         ds/dt = v
//     else:      T = -L w/|w|,   ds/dt = (L w/|w| - k s) / (d + k h)
// What few laws need (powers of the depth, the Stribeck curve) is left out where `rare` is 0, which compilers see.
#ifndef FOOTFALL_BATCH_TOUCH_H
#define FOOTFALL_BATCH_TOUCH_H

#include "batch/lanes.h"
#include "batch/model.h"
#include "batch/series.h"

#define FF_SHARED                 num
#define FF_EACH(x)                each(x)
#define FF_CHOOSE(which, yes, no) choose(which, yes, no)
#define FF_EXP(x)                 exp_of(x)
#include "contact/law_core.h"

/// What a point keeps from step to step.
typedef struct touch {
    real mode, impact, spring[3];
} touch;

/// What a robot changes of the numbers of its contacts.
typedef struct touch_scale {
    real friction, stiffness;
} touch_scale;

/// Turns the vector a by the shortest turn that takes the unit vector `from` to `to` (src/physics/contact/friction.c);
/// it stays where `from` is zero.
FN void carry(real *a, const real *from, const real *to)
{
    real m[3];
    const real cosine = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
    UNROLL for (int i = 0; i < 3; i++) m[i] = from[i] + to[i];
    const real along = from[0] * a[0] + from[1] * a[1] + from[2] * a[2];
    const real part = ratio(m[0] * a[0] + m[1] * a[1] + m[2] * a[2], 1.0 + cosine);
    const mask same = (from[0] == to[0]) & (from[1] == to[1]) & (from[2] == to[2]);
    const mask none = (from[0] == 0.0) & (from[1] == 0.0) & (from[2] == 0.0);
    const mask stays = same | none | (cosine < -0.999999);
    UNROLL for (int i = 0; i < 3; i++) a[i] = choose(stays, a[i], a[i] - part * m[i] + 2.0 * along * to[i]);
}

/// x^exponent, x a normal number above zero: within some roundings of the logarithm.
FN real raised_to(real x, num exponent)
{
    return exp_of(exponent * log_of(x));
}

/// A power of the depth p > 0; `exponent` is that of FF_POWER_ANY.
FN real depth_power(real p, int power, int rare, const num *exponent)
{
    if (rare && power == FF_POWER_ANY) return raised_to(p, *exponent);
    return power == FF_POWER_NONE ? each(1.0) : power == FF_POWER_ONE ? p : p * root(p);
}

/// Normal force, for points in touch.
FN real normal_force(const ff_batch_contact *c, const ff_batch_contact_more *more, int rare, real depth, real closing,
                     real impact)
{
    real damping = each(c->damping);
    if (c->by_impact) damping = ratio(each(c->damping), ff_core_impact_speed(impact, c->floor, c->always_floor));
    return ff_core_normal_force(c->stiffness * depth_power(depth, c->power, 0, 0),
                                damping * depth_power(depth, c->damping_power, rare, &more->damping_exponent), closing,
                                c->pulls);
}

/// Damping of the Stribeck curve F at a slip, its force over its speed: c_d F(v) / |slip|, v = |slip| / n.
FN void curve_damping(const ff_batch_contact_more *c, const real *slip, real *damping)
{
    const real speed = root(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]), v = speed / c->slowdown;
    const mask moves = speed > 0.0;
    real slope;
    const real force = c->viscous * ff_core_stribeck(c->threshold, c->breakaway, c->decay, c->scale_speed, v, &slope);
    *damping = choose(moves, force / choose(moves, speed, each(1.0)), each(c->viscous * c->breakaway / c->slowdown));
}

/// Friction that is the curve alone, within its cone: it has no spring and no modes. The factor of friction is that of
/// the curve, too, which is all the friction there is.
FN void slide_by_curve(const ff_batch_contact *c, const ff_batch_contact_more *more, const touch_scale *scale,
                       const real *slip, real normal, real *held)
{
    real damping;
    curve_damping(more, slip, &damping);
    damping = scale->friction * damping;
    UNROLL for (int i = 0; i < 3; i++) held[i] = damping * slip[i];
    const real wanted = root(held[0] * held[0] + held[1] * held[1] + held[2] * held[2]);
    const real limit = c->no_cone ? each(1e300) : scale->friction * c->mu_kinetic * normal;
    const mask slides = wanted > limit;
    const real part = ratio(limit, choose(slides, wanted, each(1.0)));
    UNROLL for (int i = 0; i < 3; i++) held[i] = choose(slides, part * held[i], held[i]);
}

/// Updates the point and gives its force. Lanes that are not in touch forget everything and have none.
/// @param n      normal, world axes          @param slip  velocity across it
/// @param fresh  robots that begin with this step: a foot set down without slip sticks at once
/// @param rare   a constant, 0: nothing of `more` is needed    @param load  normal force
FN void touch_step(const ff_batch_contact *c, const ff_batch_contact_more *more, int rare, const touch_scale *scale,
                   num h, const real *n, real depth, real closing, const real *slip, mask fresh, touch *t, real *load,
                   real *force)
{
    const real zero = each(0.0);
    const mask in = depth > 0.0, open = t->mode == 0.0;
    const mask kept = in & none_of(open), fell = in & open;
    const real p = choose(in, depth, each(1.0)); // the powers of lanes without touch are not used
    t->impact = choose(kept, t->impact, choose(fell, larger(closing, each(c->floor)), zero));
    t->mode = choose(in, choose(open, each(1.0), t->mode), zero);
    real normal = scale->stiffness * normal_force(c, more, rare, p, closing, t->impact);
    normal = choose(in, normal, zero);
    *load = normal;
    if (!c->has_friction) {
        UNROLL for (int i = 0; i < 3; i++) force[i] = choose(in, normal * n[i], zero); // no -0 beside a neighbour
        return;
    }
    if (rare && c->curve == FF_CURVE_ALONE) {
        real held[3];
        slide_by_curve(c, more, scale, slip, normal, held);
        UNROLL for (int i = 0; i < 3; i++) force[i] = choose(in, normal * n[i] - held[i], zero);
        return;
    }
    real s[3], w[3], along = zero;
    UNROLL for (int i = 0; i < 3; i++) s[i] = choose(kept, t->spring[i], zero);
    along = s[0] * n[0] + s[1] * n[1] + s[2] * n[2]; // rounding of many steps
    UNROLL for (int i = 0; i < 3; i++) s[i] -= along * n[i];
    const real k = scale->stiffness * c->friction_stiffness;
    real dash;
    if (rare && c->curve == FF_CURVE_ANCHORED) {
        curve_damping(more, slip, &dash);
        dash = scale->stiffness * dash;
    } else {
        dash = scale->stiffness *
               larger(c->dash * depth_power(p, c->dash_power, rare, &more->dash_exponent), each(c->dash_least));
    }
    const real damping = dash + k * h;
    UNROLL for (int i = 0; i < 3; i++) w[i] = k * s[i] + damping * slip[i];
    real wanted = root(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const real hold = c->no_cone ? each(1e300) : scale->friction * c->mu_static * normal;
    const real drag = c->no_cone ? each(1e300) : scale->friction * c->mu_kinetic * normal;
    // which mode it has from now on
    const mask sticks = t->mode == 2.0, asked = kept | (fell & fresh);
    const real gap = hold - drag;
    const real rest = ff_core_stop_margin(gap, damping, c->stick_speed);
    const mask ahead = slip[0] * w[0] + slip[1] * w[1] + slip[2] * w[2] > 0.0;
    const mask slips = asked & sticks & (wanted > hold) & ahead;
    const mask stops = asked & none_of(sticks) & (wanted - drag - rest <= 0.0);
    t->mode = choose(slips, each(1.0), choose(stops, each(2.0), t->mode));
    if (c->slack_stick) {
        UNROLL for (int i = 0; i < 3; i++)
        {
            s[i] = choose(stops, zero, s[i]);
            w[i] = k * s[i] + damping * slip[i];
        }
        wanted = root(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
    const real limit = choose(t->mode == 2.0, hold, drag);
    const mask slides = wanted > limit;
    real rate[3];
    UNROLL for (int i = 0; i < 3; i++) rate[i] = slip[i];
    if (worth_while(slides)) {
        const real part = ratio(limit, choose(slides, wanted, each(1.0)));
        UNROLL for (int i = 0; i < 3; i++)
        {
            w[i] = choose(slides, part * w[i], w[i]);
            rate[i] = choose(slides, ratio(w[i] - k * s[i], damping), slip[i]);
        }
    }
    UNROLL for (int i = 0; i < 3; i++)
    {
        t->spring[i] = choose(in, s[i] + h * rate[i], zero);
        force[i] = choose(in, normal * n[i] - w[i], zero);
    }
}

#endif
