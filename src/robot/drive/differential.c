// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A differential: two motors behind two joints, x = x0 + L q with one row of levers for each motor. ANTON's shoulders
// have L = [1 1; 1 -1]: they pitch when both motors turn in the same sense, and yaw when they turn against each other.
// With L' the transpose of L,
//     dx/dt = L dq/dt,   tau = L' F,   M += L' diag(J1, J2) L = J [2 0; 0 2] for equal rotors J = gear^2 rotor,
// and a torque about one axis is shared by both motors. References of controllers are those of joints; the robot's side
// of the bus converts them to those of motors.
#include "drive/private.h"

#include <math.h>
#include <string.h>

static bool is_differential(const ff_spec_drive *drive)
{
    const ff_spec_setting *kind = ff_drive_setting(drive, "path.kind");
    return kind && kind->word && strcmp(kind->word, ff_drive_path_names[FF_PATH_DIFFERENTIAL]) == 0;
}

bool ff_drive_acts(const ff_spec_drive *drives, int n, const ff_spec_drive *drive, const ff_drive_options *options)
{
    if (is_differential(drive)) return !options->ideal;
    if (options->ideal || drive->joint[1]) return true;
    const ff_spec_setting *kind = ff_drive_setting(drive, "kind");
    if (kind && kind->word && strcmp(kind->word, ff_drive_motor_names[FF_MOTOR_NONE]) == 0) return true; // a spring
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2 && drives[i].joint[1]; k++)
            if (drives[i].joint[k] && strcmp(drives[i].joint[k], drive->joint[0]) == 0 && is_differential(&drives[i]))
                return false;
    return true;
}

static bool have_same_joints(const ff_drive *a, const ff_drive *b)
{
    return a->path.joint[0] == b->path.joint[0] && a->path.joint[1] == b->path.joint[1];
}

static double determinant(const ff_drive *a, const ff_drive *b)
{
    return a->path.lever[0] * b->path.lever[1] - a->path.lever[1] * b->path.lever[0];
}

/// Makes motor i the partner of the first earlier motor of its joints that has none.
static void join_to_earlier(ff_drive *drives, const bool *differential, int i)
{
    for (int k = 0; k < i; k++) {
        if (!differential[k] || drives[k].partner >= 0 || !have_same_joints(&drives[k], &drives[i])) continue;
        drives[k].partner = i;
        drives[i].partner = k;
        return;
    }
}

void ff_differential_join(const ff_model *model, ff_drive *drives, int n, const ff_drive_options *options,
                          ff_report *report)
{
    ff_arena arena = {0};
    bool *differential = FF_ARENA_NEW(&arena, bool, n + 1);
    int found = 0;
    for (int i = 0; differential && !options->ideal && i < model->ndrive; i++) {
        if (!is_differential(&model->drives[i])) continue;
        for (int k = 0; k < n; k++)
            if (strcmp(drives[k].name, model->drives[i].name) == 0 && drives[k].path.njoint == 2) {
                differential[k] = true;
                found++;
            }
    }
    for (int i = 0; found > 0 && i < n; i++)
        if (differential[i]) join_to_earlier(drives, differential, i);
    for (int i = 0; found > 0 && i < n; i++) {
        if (!differential[i]) continue;
        const ff_drive *d = &drives[i];
        if (d->partner < 0)
            ff_report_add(report, FF_ERROR, d->place,
                          "drive '%.60s': a differential has two motors, in one order of the same two joints; this one "
                          "has no partner",
                          d->name);
        else if (d->partner < i && !(fabs(determinant(d, &drives[d->partner])) > 1e-9))
            ff_report_add(report, FF_ERROR, d->place,
                          "drive '%.60s': its levers and those of '%.60s' are in proportion: the two motors move one "
                          "axis only",
                          d->name, drives[d->partner].name);
    }
    ff_arena_clear(&arena);
}

void ff_differential_to_motors(const ff_drive *a, const ff_drive *b, const double joints[2][3], double motors[2][3])
{
    const ff_drive *drive[2] = {a, b};
    const double det = determinant(a, b);
    for (int i = 0; i < 2; i++) {
        const double *lever = drive[i]->path.lever;
        motors[i][0] = drive[i]->path.offset + lever[0] * joints[0][0] + lever[1] * joints[1][0];
        motors[i][1] = lever[0] * joints[0][1] + lever[1] * joints[1][1];
    }
    motors[0][2] = (b->path.lever[1] * joints[0][2] - b->path.lever[0] * joints[1][2]) / det; // tau = L' F
    motors[1][2] = (a->path.lever[0] * joints[1][2] - a->path.lever[1] * joints[0][2]) / det;
}

void ff_differential_to_joints(const ff_drive *a, const ff_drive *b, const double motors[2][3], double joints[2][3])
{
    const double *r = a->path.lever, *s = b->path.lever, det = determinant(a, b);
    for (int k = 0; k < 2; k++) {
        const double x = motors[0][k] - (k == 0 ? a->path.offset : 0.0),
                     y = motors[1][k] - (k == 0 ? b->path.offset : 0.0);
        joints[0][k] = (s[1] * x - r[1] * y) / det;
        joints[1][k] = (r[0] * y - s[0] * x) / det;
    }
    for (int k = 0; k < 2; k++) joints[k][2] = r[k] * motors[0][2] + s[k] * motors[1][2];
}
