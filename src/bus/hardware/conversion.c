// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversion between counts of motors and joint positions (wiring.h).
#include "hardware/wiring.h"

#include "drive/interface.h"

#include <footfall/math.h>

#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ counts

void ff_counting_read(ff_counting *c, int32_t count)
{
    if (!c->begun) {
        c->begun = true;
        c->total = count;
    } else
        c->total += (int32_t)((uint32_t)count - (uint32_t)c->last);
    c->last = count;
}

void ff_counting_set_home(ff_counting *c, double total, double x)
{
    c->home = total;
    c->x_home = x;
    c->homed = true;
}

double ff_counting_position(const ff_counting *c)
{
    return c->x_home + ((double)c->total - c->home) / c->scale;
}

int32_t ff_counting_target(const ff_counting *c, double x)
{
    const double total = c->home + (x - c->x_home) * c->scale;
    if (!(fabs(total) < 9e15)) return c->last; // not finite, or beyond the resolution of a double
    return (int32_t)(uint32_t)(uint64_t)(int64_t)floor(total + 0.5);
}

double ff_unwrap_to_range(double angle, const ff_joint *joint)
{
    const double middle = joint->limited ? 0.5 * (joint->range[0] + joint->range[1]) : 0.0;
    return angle - 2.0 * FF_PI * floor((angle - middle) / (2.0 * FF_PI) + 0.5);
}

// ------------------------------------------------------------------------------------------ joints

/// Solves two equations A y = b. @return false: A is singular
static bool solve2(const double A[2][2], const double b[2], double y[2])
{
    const double determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    if (!(fabs(determinant) > 1e-300)) return false;
    y[0] = (b[0] * A[1][1] - b[1] * A[0][1]) / determinant;
    y[1] = (b[1] * A[0][0] - b[0] * A[1][0]) / determinant;
    return true;
}

/// Position of a drive. Its speed is not used, so that any values serve as speeds of joints.
static ff_drive_position locate(const ff_drive_path *path, const double *q)
{
    return ff_drive_path_locate(path, q, q);
}

/// Changes of the joints of drive i, and of its partner on the same joints, for changes of x. @return false: the
/// transmission is singular there
static bool pull_back(const ff_wiring *w, int i, const double *error, const double *q, double dq[2])
{
    const ff_drive_wiring *d = &w->drives[i];
    const ff_drive_path *path = &d->drive->path;
    const ff_drive_position at = locate(path, q);
    if (path->njoint == 1) {
        dq[0] = error[0] / at.lever[0];
        return fabs(at.lever[0]) > 1e-300;
    }
    const ff_drive_position partner = locate(&w->drives[d->other].drive->path, q);
    const double A[2][2] = {{at.lever[0], at.lever[1]}, {partner.lever[0], partner.lever[1]}};
    return solve2(A, error, dq);
}

/// The first drive of a pair computes both.
static bool computes_pair(const ff_wiring *w, int i)
{
    return w->drives[i].other < 0 || w->drives[i].other > i;
}

/// Joints stay near their limits: a crank has a second solution beyond its dead centre, outside of the limits.
static double keep_near_range(const ff_joint *joint, double q)
{
    const double beyond = 0.1;
    if (!joint->limited) return q;
    return ff_min(ff_max(q, joint->range[0] - beyond), joint->range[1] + beyond);
}

static void find_joints(const ff_wiring *w, int i, const double *x, double *q)
{
    enum { MOST = 30 };
    const ff_drive_wiring *d = &w->drives[i];
    const ff_drive_path *path = &d->drive->path;
    for (int step = 0; step < MOST; step++) {
        double error[2] = {x[i] - locate(path, q).x, 0.0}, dq[2] = {0.0, 0.0};
        if (d->other >= 0) error[1] = x[d->other] - locate(&w->drives[d->other].drive->path, q).x;
        if (!pull_back(w, i, error, q, dq)) return;
        for (int k = 0; k < path->njoint; k++)
            q[path->qadr[k]] = keep_near_range(&w->model->joints[path->joint[k]], q[path->qadr[k]] + dq[k]);
        if (!(fabs(dq[0]) + fabs(dq[1]) > 1e-14)) return;
    }
}

void ff_joints_from_drives(const ff_wiring *w, const double *x, double *q)
{
    for (int i = 0; i < w->ndrive; i++)
        if (computes_pair(w, i)) find_joints(w, i, x, q);
}

void ff_joint_errors(const ff_wiring *w, const double *error, const double *q, double *out)
{
    for (int i = 0; i < w->ndrive; i++) {
        const ff_drive_path *path = &w->drives[i].drive->path;
        const int other = w->drives[i].other;
        const double both[2] = {error[i], other >= 0 ? error[other] : 0.0};
        double dq[2] = {0.0, 0.0};
        if (!computes_pair(w, i) || !pull_back(w, i, both, q, dq)) continue;
        for (int k = 0; k < path->njoint; k++) out[path->vadr[k]] = dq[k];
    }
}

// ------------------------------------------------------------------------------------------ commands

/// Copies the values of all drives, and converts those of the pairs that a differential connects.
static void convert(const ff_wiring *w, const double (*from)[3], double (*to)[3],
                    void (*both)(const ff_drive *, const ff_drive *, const double (*)[3], double (*)[3]))
{
    memcpy(to, from, (size_t)w->ndrive * sizeof *to);
    for (int i = 0; i < w->ndrive; i++) {
        const int other = w->drives[i].partner;
        if (other <= i) continue;
        double in[2][3], out[2][3];
        memcpy(in[0], from[i], sizeof in[0]);
        memcpy(in[1], from[other], sizeof in[1]);
        both(w->drives[i].drive, w->drives[other].drive, (const double(*)[3])in, out);
        memcpy(to[i], out[0], sizeof out[0]);
        memcpy(to[other], out[1], sizeof out[1]);
    }
}

void ff_drives_from_references(const ff_wiring *w, const double (*references)[3], double (*drives)[3])
{
    convert(w, references, drives, ff_differential_to_motors);
}

void ff_references_from_drives(const ff_wiring *w, const double (*drives)[3], double (*references)[3])
{
    convert(w, drives, references, ff_differential_to_joints);
}
