// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The path from a drive to its joints: one coordinate x(q) and its levers r = dx/dq, so that v_x = r v and tau = r' F
// for all of them.
#include "drive/at_work.h"
#include "drive/private.h"

ff_drive_position ff_drive_path_locate(const ff_drive_path *path, const double *q, const double *v)
{
    ff_drive_position p = {.lever = {1.0, 0.0}};
    if (path->kind == FF_PATH_JOINT) { // nearly all drives
        p.x = q[path->qadr[0]] + path->offset;
        p.speed = v[path->vadr[0]];
        return p;
    }
    const double q1 = q[path->qadr[0]], v1 = v[path->vadr[0]];
    const double q2 = path->njoint > 1 ? q[path->qadr[1]] : 0.0, v2 = path->njoint > 1 ? v[path->vadr[1]] : 0.0;
    switch (path->kind) {
    case FF_PATH_LEVERS:
        p.lever[0] = path->lever[0];
        p.lever[1] = path->njoint > 1 ? path->lever[1] : 0.0;
        p.x = path->offset + p.lever[0] * q1 + p.lever[1] * q2;
        break;
    case FF_PATH_TABLE:
        p.lever[0] = ff_table_value(&path->table, q1);
        p.x = path->offset + ff_table_integral(&path->table, q1);
        break;
    case FF_PATH_CRANK:
        p.x = path->offset + ff_crank_length(&path->crank, q1, &p.lever[0], NULL) - path->crank_rest;
        break;
    case FF_PATH_ROD:
        p.x = path->offset + ff_rod_travel(&path->rod, (double[2]){q1, q2}, p.lever);
        break;
    default:
        break;
    }
    p.speed = p.lever[0] * v1 + p.lever[1] * v2;
    return p;
}

double ff_drive_path_drift(const ff_drive_path *path, const double *q, const double *v)
{
    const double q1 = q[path->qadr[0]], v1 = v[path->vadr[0]];
    double bend = 0.0;
    switch (path->kind) {
    case FF_PATH_TABLE:
        return ff_table_slope(&path->table, q1) * v1 * v1;
    case FF_PATH_CRANK:
        ff_crank_length(&path->crank, q1, NULL, &bend);
        return bend * v1 * v1;
    case FF_PATH_ROD:
        return ff_rod_drift(&path->rod, (double[2]){q1, q[path->qadr[1]]}, (double[2]){v1, v[path->vadr[1]]});
    default:
        return 0.0;
    }
}

bool ff_drive_couples(const ff_drive *drive)
{
    const ff_drive_path *path = &drive->path;
    const bool constant = path->kind == FF_PATH_JOINT || (path->kind == FF_PATH_LEVERS && path->njoint == 1);
    return drive->transmission == FF_TRANSMISSION_RIGID && drive->motor != FF_MOTOR_NONE && drive->inertia > 0.0 &&
           !constant;
}

ff_status ff_drive_join(ff_drive *drive, const ff_model *model, int joint, int joint2, ff_error *err)
{
    const int joints[2] = {joint, joint2};
    drive->path.njoint = joint2 >= 0 ? 2 : 1;
    if (joint == joint2)
        return ff_error_set(err, FF_BAD_ARGUMENT, "drive '%s': its two joints are the same one", drive->name);
    for (int k = 0; k < drive->path.njoint; k++) {
        if (joints[k] < 0 || joints[k] >= model->njoint)
            return ff_error_set(err, FF_BAD_ARGUMENT, "drive '%s': there is no joint number %d", drive->name,
                                joints[k]);
        const ff_joint *j = &model->joints[joints[k]];
        if (!ff_joint_is_scalar(j->type))
            return ff_error_set(err, FF_BAD_MODEL, "drive '%s': joint '%s' is a %s; drives turn hinges and push slides",
                                drive->name, j->name, ff_joint_name(j->type));
        drive->path.joint[k] = joints[k];
        drive->path.qadr[k] = j->qadr;
        drive->path.vadr[k] = j->vadr;
    }
    return FF_OK;
}
