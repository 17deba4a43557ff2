// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Torsion and rolling of a contact point, one robot a lane: the equations of src/physics/contact (evaluate.c) for steps
// of semi-implicit Euler. Each has a spring of its own, about the normal and across it, in the element of touch.h with
// a moment for its force, an arm times the normal force for its limit, and a damper that is critical for the inertia I
// of what turns on the point (src/physics/world/read.c):
//     1/I = n W n about the normal,   1/I = a / (1 + a m h^2) across it,  a = (tr W - n W n) / 2
// with W the angular velocity by moment, m the mass for a push and h the height of the shape over the point. Points of
// laws that few robots have are stepped here as a whole, apart from the loop: all that they need is copied for them, so
// that the loop keeps its numbers in registers.
#ifndef FOOTFALL_BATCH_TURNING_H
#define FOOTFALL_BATCH_TURNING_H

#include "batch/bodies.h"
#include "batch/touch.h"

/// One of the two, for the part `v` of the spin and `x` of the springs: adds to moment and rate.
FN void turn_part(num stiffness, num arm, num share, num lag, const touch_scale *scale, real inertia, real normal,
                  num h, const real *x, const real *v, real *moment, real *rate)
{
    const real k = scale->stiffness * stiffness * share;
    const real d = scale->stiffness * share * larger(each(stiffness * lag), 2.0 * root(stiffness * inertia));
    const real damping = d + k * h, limit = scale->friction * arm * normal;
    real w[3];
    UNROLL for (int i = 0; i < 3; i++) w[i] = k * x[i] + damping * v[i];
    const real wanted = root(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const mask slides = wanted > limit;
    const real part = limit / choose(slides, wanted, each(1.0));
    UNROLL for (int i = 0; i < 3; i++)
    {
        const real held = choose(slides, part * w[i], w[i]);
        moment[i] -= held;
        rate[i] += choose(slides, (held - k * x[i]) / damping, v[i]);
    }
}

/// A contact point of one of the rare laws, with all that its force depends on.
typedef struct rare_touch {
    touch_scale scale;
    real mass;  // factor of the robot's masses
    mask fresh; // robots that begin
    real n[3];  // normal
    real depth, closing;
    real slip[3], spin[3];
    real R[9], up[3]; // attitude of the body, from the point to its origin
    touch state;
    real turn[3]; // springs of torsion and rolling
    real force[3], moment[3];
} rare_touch;

/// Inertia of what turns on the point, about the normal and across it; 0 where nothing does.
FN void turn_inertia(const ff_batch_contact_more *c, const rare_touch *t, real *inertia)
{
    real own[3], middle[3], along = each(0.0), high = each(0.0);
    const real *R = t->R, *n = t->n;
    turn_constant(middle, R, c->centre);
    UNROLL for (int i = 0; i < 3; i++)
    {
        own[i] = R[i] * n[0] + R[3 + i] * n[1] + R[6 + i] * n[2];
        high += (t->up[i] + middle[i]) * n[i];
    }
    UNROLL for (int i = 0; i < 3; i++) along +=
        own[i] * (c->turning[3 * i] * own[0] + c->turning[3 * i + 1] * own[1] + c->turning[3 * i + 2] * own[2]);
    const real mean = 0.5 * (c->turning[0] + c->turning[4] + c->turning[8] - along);
    const real across = mean / (1.0 + mean * (c->mass * high * high));
    inertia[0] = choose(along > 0.0, t->mass / choose(along > 0.0, along, each(1.0)), each(0.0));
    inertia[1] = choose(across > 0.0, t->mass / choose(across > 0.0, across, each(1.0)), each(0.0));
}

/// Moment of the point on its body, and its springs after the step. Lanes without touch have none, and forget them.
/// @param kept  it touched before and does so now
FN void turn_step(const ff_batch_contact_more *c, num h, real normal, mask kept, rare_touch *t)
{
    const real zero = each(0.0), *n = t->n;
    const mask in = t->depth > 0.0;
    real *turn = t->turn, twist[3], roll[3], about[3], across[3], rate[3], inertia[2];
    turn_inertia(c, t, inertia);
    UNROLL for (int i = 0; i < 3; i++)
    {
        turn[i] = choose(kept, turn[i], zero);
        rate[i] = t->moment[i] = zero;
    }
    const real turned = turn[0] * n[0] + turn[1] * n[1] + turn[2] * n[2];
    const real spun = t->spin[0] * n[0] + t->spin[1] * n[1] + t->spin[2] * n[2];
    UNROLL for (int i = 0; i < 3; i++)
    {
        twist[i] = turned * n[i], roll[i] = turn[i] - twist[i];
        about[i] = spun * n[i], across[i] = t->spin[i] - about[i];
    }
    if (c->torsion > 0.0)
        turn_part(c->torsion_stiffness, c->torsion, c->share, c->turn_lag, &t->scale, inertia[0], normal, h, twist,
                  about, t->moment, rate);
    if (c->rolling > 0.0)
        turn_part(c->rolling_stiffness, c->rolling, c->share, c->turn_lag, &t->scale, inertia[1], normal, h, roll,
                  across, t->moment, rate);
    UNROLL for (int i = 0; i < 3; i++)
    {
        turn[i] = choose(in, turn[i] + h * rate[i], zero);
        t->moment[i] = choose(in, t->moment[i], zero);
    }
}

/// touch_step and turn_step of such a point.
APART void rare_touch_step(const ff_batch_contact *c, const ff_batch_contact_more *more, num h, rare_touch *t)
{
    const mask kept = (t->depth > 0.0) & none_of(t->state.mode == 0.0);
    real normal;
    touch_step(c, more, 1, &t->scale, h, t->n, t->depth, t->closing, t->slip, t->fresh, &t->state, &normal, t->force);
    if (c->turns) turn_step(more, h, normal, kept, t);
}

#endif
