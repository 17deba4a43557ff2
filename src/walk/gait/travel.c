// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// References of drives from those of joints: positions x = x(q), speeds dx/dt = r v with the levers r = dx/dq, and
// forces F that make the torques of the joints, tau = r' F (r' is the transpose).
#include "gait/static_walk.h"

#include <footfall/drive_parts.h>
#include <math.h>
#include <string.h>

static bool shares_joints(const ff_drive_path *a, const ff_drive_path *b)
{
    return a->njoint == 2 && b->njoint == 2 && a->joint[0] == b->joint[0] && a->joint[1] == b->joint[1];
}

ff_status ff_travel_make(const ff_drive_set *set, const ff_io_layout *references, ff_travel *out, ff_error *err)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        if (d->motor == FF_MOTOR_NONE) continue;
        if (out->n == FF_TRAVEL_DRIVES)
            return ff_error_set(err, FF_BAD_ARGUMENT, "more than %d drives", FF_TRAVEL_DRIVES);
        const int at = out->n++;
        out->path[at] = d->path;
        out->name[at] = d->name;
        out->stall[at] = d->bound.n > 0 ? ff_table_value(&d->bound, 0.0) : d->stall;
        memcpy(out->stroke[at], d->stroke, sizeof d->stroke);
        out->partner[at] = -1;
        if (d->transmission == FF_TRANSMISSION_FLEXIBLE && !d->at_joint && d->stiffness > 0.0)
            out->compliance[at] = 1.0 / d->stiffness;
        out->items[at] = ff_gait_drive_items(references, d->name);
        if (out->items[at].position < 0)
            return ff_error_set(err, FF_NOT_FOUND, "no reference 'drives.%.60s.position'", d->name);
        for (int other = 0; other < at; other++) {
            if (!shares_joints(&out->path[at], &out->path[other])) continue;
            out->partner[at] = other;
            out->partner[other] = at;
        }
    }
    return FF_OK;
}

bool ff_travel_moves(const ff_travel *travel, int joint)
{
    for (int i = 0; i < travel->n; i++)
        for (int k = 0; k < travel->path[i].njoint; k++)
            if (travel->path[i].joint[k] == joint) return true;
    return false;
}

/// Force of a drive that has a partner: the two forces carry both torques.
static double pair_force(const ff_drive_path *path, const ff_drive_position *at, const ff_drive_position *other,
                         const double *tau)
{
    const double t0 = tau[path->vadr[0]], t1 = tau[path->vadr[1]];
    const double det = at->lever[0] * other->lever[1] - at->lever[1] * other->lever[0];
    return fabs(det) > 1e-12 ? (t0 * other->lever[1] - t1 * other->lever[0]) / det : 0.0;
}

static double single_force(const ff_travel *travel, const ff_drive_position *at, int i, const double *tau)
{
    const ff_drive_path *path = &travel->path[i];
    double square = 0.0, force = 0.0;
    for (int k = 0; k < path->njoint; k++) {
        square += at[i].lever[k] * at[i].lever[k];
        force += at[i].lever[k] * tau[path->vadr[k]];
    }
    return square > 1e-12 ? force / square : 0.0;
}

static double force_of(const ff_travel *travel, const ff_drive_position *at, int i, const double *tau)
{
    const int partner = travel->partner[i];
    return partner >= 0 ? pair_force(&travel->path[i], &at[i], &at[partner], tau) : single_force(travel, at, i, tau);
}

static bool is_within(const double stroke[2], double x)
{
    return !(stroke[1] > stroke[0]) || (x >= stroke[0] && x <= stroke[1]);
}

int ff_travel_write(const ff_travel *travel, double t, const double *q, const double *v, const double *tau,
                    ff_io_frame *references)
{
    ff_drive_position at[FF_TRAVEL_DRIVES];
    ff_io_item *items = ff_io_items(references);
    const int64_t stamp = ff_gait_stamp(t);
    int beyond = -1;
    for (int i = 0; i < travel->n; i++) at[i] = ff_drive_path_locate(&travel->path[i], q, v);
    for (int i = 0; i < travel->n; i++) {
        const double *stroke = travel->stroke[i];
        const double force = force_of(travel, at, i, tau);
        double x = at[i].x + travel->compliance[i] * force;
        if (!is_within(stroke, x)) {
            x = ff_max(stroke[0], ff_min(stroke[1], x));
            if (beyond < 0) beyond = i;
        }
        const ff_joint_items *to = &travel->items[i];
        if (isfinite(x)) ff_gait_put(items, to->position, x, stamp);
        if (isfinite(at[i].speed)) ff_gait_put(items, to->speed, at[i].speed, stamp);
        if (isfinite(force)) ff_gait_put(items, to->force, force, stamp);
    }
    return beyond;
}

int ff_travel_lacks(const ff_travel *travel, const double *q, const double *v, const double *tau, double share)
{
    ff_drive_position at[FF_TRAVEL_DRIVES];
    for (int i = 0; i < travel->n; i++) at[i] = ff_drive_path_locate(&travel->path[i], q, v);
    for (int i = 0; i < travel->n; i++) {
        const double force = force_of(travel, at, i, tau);
        const bool strong = !(travel->stall[i] > 0.0) || fabs(force) <= share * travel->stall[i];
        if (!strong || !is_within(travel->stroke[i], at[i].x + travel->compliance[i] * force)) return i;
    }
    return -1;
}
