// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A wrench about the centre of mass, shared between the feet by their loads. Of the remaining moment, the part about
// the axis across the feet is made by shifting load between them; ankle torques make the rest (sec. 4.1).
#include "base/clamp.h"
#include "biped/stabiliser.h"

#include <footfall/math.h>

/// Share of the sole that the centre of pressure may use.
#define EDGE 0.95

static void arms_of(const ff_biped_task *now, double arm[FF_BIPED_FEET][3])
{
    for (int f = 0; f < FF_BIPED_FEET; f++) ff_vec3_sub(arm[f], now->foot[f].pos, now->com);
}

/// Torque that is left of a wrench, T - sum r x F.
static void remaining(const ff_biped_wrench *w, const double arm[FF_BIPED_FEET][3], double force[FF_BIPED_FEET][3],
                      double out[3])
{
    double moment[3];
    ff_vec3_copy(out, w->torque);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        ff_vec3_cross(moment, arm[f], force[f]);
        ff_vec3_sub(out, out, moment);
    }
}

/// Load that is shifted from the left to the right foot.
static double shift_load(const ff_biped *robot, const ff_biped_gains *g, const double load[FF_BIPED_FEET],
                         double force[FF_BIPED_FEET][3], double wanted)
{
    if (load[0] <= 0.0 || load[1] <= 0.0) return 0.0;
    double low = -INFINITY, high = INFINITY;
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const double least = ff_min(g->least_force, load[f] * robot->weight), most = load[f] * 2.0 * robot->weight;
        const double sign = f == FF_RIGHT ? 1.0 : -1.0; // the right foot gets what the left loses
        const double a = sign * (least - force[f][2]), b = sign * (most - force[f][2]);
        low = ff_max(low, ff_min(a, b));
        high = ff_min(high, ff_max(a, b));
    }
    return low <= high ? ff_min(ff_max(wanted, low), high) : 0.0;
}

/// Into the axes of the foot, and within what its sole can press: centre of pressure x = -Ty / Fz, y = Tx / Fz.
static void to_foot(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_task *now, int f,
                    const double force[3], const double torque[3], ff_biped_wrench *out)
{
    const ff_biped_foot *foot = &robot->feet[f];
    double R[9];
    ff_biped_foot_axes(&now->foot[f], R);
    ff_mat3_tmulv(out->force, R, force);
    ff_mat3_tmulv(out->torque, R, torque);
    const double press = EDGE * ff_max(out->force[2], 0.0);
    out->torque[0] = ff_clamp(out->torque[0], press * foot->low[1], press * foot->high[1]);
    out->torque[1] = ff_clamp(out->torque[1], -press * foot->high[0], -press * foot->low[0]);
    const double bound = g->friction * press * 0.5 * (foot->high[1] - foot->low[1]);
    out->torque[2] = ff_clamp(out->torque[2], -bound, bound);
}

void ff_biped_distribute(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_task *now,
                         const double load[FF_BIPED_FEET], const ff_biped_wrench *w, ff_biped_distribution *out)
{
    double arm[FF_BIPED_FEET][3], force[FF_BIPED_FEET][3], rest[3], torque[3];
    arms_of(now, arm);
    for (int f = 0; f < FF_BIPED_FEET; f++) ff_vec3_scale(force[f], w->force, load[f]);
    remaining(w, arm, force, rest);
    const double dx = arm[FF_LEFT][0] - arm[FF_RIGHT][0], dy = arm[FF_LEFT][1] - arm[FF_RIGHT][1];
    const double apart = ff_hypot(dx, dy);
    if (apart > 0.0) {
        // more force on the right foot by dF turns by dF ((r_R - r_L) x e_z) = dF (-dy, dx)
        const double shift = shift_load(robot, g, load, force, (-dy * rest[0] + dx * rest[1]) / (apart * apart));
        force[FF_RIGHT][2] += shift;
        force[FF_LEFT][2] -= shift;
    }
    remaining(w, arm, force, rest);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        ff_vec3_scale(torque, rest, load[f]);
        to_foot(robot, g, now, f, force[f], torque, &out->foot[f]);
    }
}
