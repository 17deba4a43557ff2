// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The five ways MJCF gives an orientation: quat, axisangle, xyaxes, zaxis, euler. An element may use one of them; its
// default class may have set others, and then the last of that list wins, even over the element's own attribute (as in
// MuJoCo).
#include "mjcf/mjcf.h"

#define SHORTEST 1e-10 // directions below this length have no meaning

mjcf_orient mjcf_orient_default(void)
{
    return (mjcf_orient){.quat = {1, 0, 0, 0}};
}

void mjcf_orient_read(mjcf *m, ff_xml *node, mjcf_orient *o)
{
    int forms = 0;
    forms += ff_xml_numbers(node, "quat", o->quat, 4, 4, m->report) != 0;
    const struct {
        const char *name;
        double *out;
        int count;
        bool *has;
    } others[] = {
        {"axisangle", o->axisangle, 4, &o->has_axisangle},
        {"xyaxes", o->xyaxes, 6, &o->has_xyaxes},
        {"zaxis", o->zaxis, 3, &o->has_zaxis},
        {"euler", o->euler, 3, &o->has_euler},
    };
    for (int i = 0; i < 4; i++) {
        int got = ff_xml_numbers(node, others[i].name, others[i].out, others[i].count, others[i].count, m->report);
        forms += got != 0;
        if (got > 0) *others[i].has = true;
    }
    if (forms > 1)
        mjcf_error(m, node->place, "<%s> has %d orientations; give one of quat, axisangle, xyaxes, zaxis, euler",
                   node->name, forms);
}

/// Normalises; false (reported) for a zero vector.
static bool make_unit(mjcf *m, const ff_xml *node, const char *what, double v[3])
{
    double length = ff_vec3_norm(v);
    if (length < SHORTEST) {
        mjcf_error(m, node->place, "<%s>: %s has length %g; a direction is needed", node->name, what, length);
        return false;
    }
    ff_vec3_scale(v, v, 1.0 / length);
    return true;
}

/// Shortest turn from z to the unit vector `to`; half a turn about x where it points down.
static void turn_z_to(double quat[4], const double to[3])
{
    double axis[3] = {-to[1], to[0], 0.0}, sine = ff_vec3_norm(axis);
    if (sine < SHORTEST)
        ff_vec3_set(axis, 1, 0, 0);
    else
        ff_vec3_scale(axis, axis, 1.0 / sine);
    ff_quat_from_axis_angle(quat, axis, ff_atan2(sine, to[2]));
}

static bool from_axes(mjcf *m, const ff_xml *node, const double xyaxes[6], double quat[4])
{
    double x[3], y[3], z[3];
    ff_vec3_copy(x, xyaxes);
    ff_vec3_copy(y, xyaxes + 3);
    if (!make_unit(m, node, "the x axis of xyaxes", x)) return false;
    ff_vec3_axpy(y, -ff_vec3_dot(x, y), x);
    if (!make_unit(m, node, "the y axis of xyaxes (its part normal to x)", y)) return false;
    ff_vec3_cross(z, x, y);
    ff_quat_from_mat3(quat, (const double[9]){x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]});
    return true;
}

/// Turns about the axes of the sequence one after the other: small letters turn with the frame, capitals stay with the
/// parent.
static void from_euler(const char *sequence, const double angle[3], double quat[4])
{
    ff_quat_identity(quat);
    for (int i = 0; i < 3; i++) {
        bool moving = sequence[i] >= 'x';
        double axis[3] = {0, 0, 0}, turn[4], before[4];
        axis[sequence[i] - (moving ? 'x' : 'X')] = 1.0;
        ff_quat_from_axis_angle(turn, axis, angle[i]);
        ff_quat_copy(before, quat);
        if (moving)
            ff_quat_mul(quat, before, turn);
        else
            ff_quat_mul(quat, turn, before);
    }
}

void mjcf_orient_resolve(mjcf *m, const ff_xml *node, const mjcf_orient *o, double quat[4])
{
    const double unit = m->radian ? 1.0 : FF_PI / 180.0;
    double v[3];
    ff_quat_copy(quat, o->quat);
    if (o->has_axisangle) {
        ff_vec3_copy(v, o->axisangle);
        if (make_unit(m, node, "the axis of axisangle", v)) ff_quat_from_axis_angle(quat, v, o->axisangle[3] * unit);
    }
    if (o->has_xyaxes) from_axes(m, node, o->xyaxes, quat);
    if (o->has_zaxis) {
        ff_vec3_copy(v, o->zaxis);
        if (make_unit(m, node, "zaxis", v)) turn_z_to(quat, v);
    }
    if (o->has_euler) {
        ff_vec3_scale(v, o->euler, unit);
        from_euler(m->eulerseq, v, quat);
    }
    if (ff_quat_normalise(quat) < SHORTEST)
        mjcf_error(m, node->place, "<%s>: the quaternion (%g %g %g %g) has no length", node->name, o->quat[0],
                   o->quat[1], o->quat[2], o->quat[3]);
}

double mjcf_orient_segment(mjcf *m, const ff_xml *node, const double fromto[6], double pos[3], double quat[4])
{
    double along[3];
    ff_vec3_sub(along, fromto, fromto + 3);
    for (int i = 0; i < 3; i++) pos[i] = 0.5 * (fromto[i] + fromto[3 + i]);
    ff_quat_identity(quat);
    double length = ff_vec3_norm(along);
    if (!make_unit(m, node, "fromto", along)) return 0.0;
    turn_z_to(quat, along);
    return length;
}
