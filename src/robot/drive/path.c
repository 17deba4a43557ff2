// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The path from a drive to its joints: one coordinate x(q) and its levers r = dx/dq, so that v_x = r v and tau = r' F
// for all of them. Cranks move one joint; two rods with ball joints move two, such as those of an ankle.
#include "drive/private.h"

// ------------------------------------------------------------------------------------------ cranks

double ff_crank_length(const ff_crank *crank, double q, double *lever, double *bend)
{
    const double angle = q + crank->q0, ab = crank->a * crank->b;
    double s, c;
    ff_sincos(&angle, &s, &c, 1);
    const double length = sqrt(crank->a * crank->a + crank->b * crank->b - 2.0 * ab * c);
    const double r = length > 0.0 ? ab * s / length : 0.0;
    if (lever) *lever = r;
    if (bend) *bend = length > 0.0 ? (ab * c - r * r) / length : 0.0;
    return length;
}

// ------------------------------------------------------------------------------------------ rods

/// out = p turned about the unit axis by an angle of this sine and cosine.
static inline void turn(const double axis[3], double s, double c, const double p[3], double out[3])
{
    double cross[3];
    ff_vec3_cross(cross, axis, p);
    const double along = ff_vec3_dot(axis, p) * (1.0 - c);
    for (int k = 0; k < 3; k++) out[k] = p[k] * c + cross[k] * s + axis[k] * along;
}

double ff_rod_travel(const ff_rod *rod, const double q[2], double lever[2])
{
    // R = R1(alpha) R2(beta): the second axis turns with the first
    double s[2], c[2], inner[3], outer[3], spin[3], move[3], rod_vector[3];
    ff_sincos(q, s, c, 2);
    turn(rod->axis[1], s[1], c[1], rod->platform, inner);
    turn(rod->axis[0], s[0], c[0], inner, outer);
    ff_vec3_sub(rod_vector, outer, rod->base);
    const double length = ff_vec3_norm(rod_vector);
    if (lever) {
        const double scale = length > 0.0 ? 1.0 / length : 0.0;
        ff_vec3_cross(move, rod->axis[0], outer);
        lever[0] = scale * ff_vec3_dot(rod_vector, move);
        ff_vec3_cross(spin, rod->axis[1], inner);
        turn(rod->axis[0], s[0], c[0], spin, move);
        lever[1] = scale * ff_vec3_dot(rod_vector, move);
    }
    return length - rod->rest;
}

double ff_rod_drift(const ff_rod *rod, const double q[2], const double v[2])
{
    // p = R1 R2 b, p' = w1 x p + s with s = R1 (w2 x R2 b), p'' = w1 x p' + w1 x s + R1 (w2 x (w2 x R2 b))
    double sine[2], cosine[2];
    double w1[3], w2[3], inner[3], p[3], turned[3], s[3], second[3], spin[3], rate[3], bend[3], line[3];
    ff_sincos(q, sine, cosine, 2);
    ff_vec3_scale(w1, rod->axis[0], v[0]);
    ff_vec3_scale(w2, rod->axis[1], v[1]);
    turn(rod->axis[1], sine[1], cosine[1], rod->platform, inner);
    turn(rod->axis[0], sine[0], cosine[0], inner, p);
    ff_vec3_cross(turned, w2, inner);
    turn(rod->axis[0], sine[0], cosine[0], turned, s);
    ff_vec3_cross(second, w2, turned);
    turn(rod->axis[0], sine[0], cosine[0], second, bend);
    ff_vec3_cross(rate, w1, p);
    ff_vec3_add(rate, rate, s);
    ff_vec3_add(spin, rate, s);
    ff_vec3_cross_add(bend, w1, spin);
    ff_vec3_sub(line, p, rod->base);
    const double length = ff_vec3_norm(line);
    if (!(length > 0.0)) return 0.0;
    const double speed = ff_vec3_dot(line, rate) / length;
    return (ff_vec3_dot(line, bend) + ff_vec3_dot(rate, rate) - speed * speed) / length;
}

// ------------------------------------------------------------------------------------------ all paths

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
