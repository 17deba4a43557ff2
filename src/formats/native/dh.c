// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies of native robots that are placed by a row of Denavit and Hartenberg instead of a pose. With rotations and
// translations about and along x and z, the frame of the body in that of its parent is
//     standard:  Rz(theta) Tz(d) Tx(a) Rx(alpha)      the joint is about z of the parent
//     modified:  Rx(alpha) Tx(a) Rz(theta) Tz(d)      the joint is about z of the body
//     J. Denavit, R. S. Hartenberg, J. Appl. Mech. 22 (1955); modified: J. J. Craig, Introduction to Robotics (1986).
// The coordinate of a hinge adds to theta, that of a slide to d. Axis and anchor of the joint are wanted in the frame
// of the body, where the standard one is Rx(-alpha) z through Rx(-alpha) (-a, 0, -d).
#include "native/native.h"

#include <footfall/math.h>

#include <math.h>

static const char *const CONVENTIONS[] = {"standard", "modified", NULL};
enum { STANDARD, MODIFIED };

typedef struct dh_row {
    double a, alpha, d, theta; // [m], [rad], [m], [rad]
    int convention;
} dh_row;

/// Reports what would place the body or its axis a second time. @return whether there is any
static bool is_placed_twice(const ff_native *n, ff_yaml *body)
{
    static const char *const of_body[] = {"pos", "rpy", "quat"}, *const of_joint[] = {"axis", "pos"};
    ff_yaml *joint = ff_yaml_get(body, "joint"), *several = ff_yaml_get(body, "joints");
    const ff_yaml *given = NULL;
    for (int i = 0; !given && i < 3; i++) given = ff_yaml_get(body, of_body[i]);
    for (int i = 0; !given && joint && joint->type == FF_YAML_MAP && i < 2; i++)
        given = ff_yaml_get(joint, of_joint[i]);
    if (given)
        ff_report_add(n->report, FF_ERROR, given->key_place,
                      "the row 'dh' places the body and its axis: leave '%s' out", given->key);
    else if (several)
        ff_report_add(n->report, FF_ERROR, several->key_place, "a row 'dh' has one joint: write 'joint'");
    return given || several;
}

static void place_body(const dh_row *row, ff_spec_body *body)
{
    double turn[4], twist[4];
    ff_quat_from_axis_angle(turn, (const double[3]){0, 0, 1}, row->theta);
    ff_quat_from_axis_angle(twist, (const double[3]){1, 0, 0}, row->alpha);
    if (row->convention == STANDARD) {
        ff_quat_mul(body->quat, turn, twist);
        ff_vec3_set(body->pos, row->a * ff_cos(row->theta), row->a * ff_sin(row->theta), row->d);
    } else {
        ff_quat_mul(body->quat, twist, turn);
        ff_vec3_set(body->pos, row->a, -row->d * ff_sin(row->alpha), row->d * ff_cos(row->alpha));
    }
}

static void place_axis(const dh_row *row, ff_spec_joint *joint)
{
    const double c = ff_cos(row->alpha), s = ff_sin(row->alpha);
    if (row->convention == MODIFIED) {
        ff_vec3_set(joint->axis, 0.0, 0.0, 1.0);
        ff_vec3_set(joint->pos, 0.0, 0.0, 0.0);
    } else {
        ff_vec3_set(joint->axis, 0.0, s, c);
        ff_vec3_set(joint->pos, -row->a, -row->d * s, -row->d * c);
    }
}

/// Warns of an angle beyond a turn: without a unit it is in radians, and 90 rad are 14 turns.
static void warn_of_degrees(const ff_native *n, ff_yaml *dh, const char *key, double angle)
{
    ff_yaml *given = ff_yaml_get(dh, key);
    if (given && fabs(angle) > 2.0 * FF_PI + 1e-9)
        ff_report_add(n->report, FF_WARNING, given->place, "'%s' is %g rad, %.3g turns: write '%g deg' for degrees",
                      key, angle, angle / (2.0 * FF_PI), angle);
}

void ff_native_dh(const ff_native *n, ff_yaml *node, int body)
{
    ff_yaml *dh = ff_yaml_get(node, "dh");
    if (!dh || !ff_yaml_expect(dh, FF_YAML_MAP, "{a: .., alpha: .., d: .., theta: ..}", n->report)) return;
    const dh_row row = {.a = ff_yaml_number(dh, "a", 0.0, n->report),
                        .alpha = ff_yaml_number(dh, "alpha", 0.0, n->report),
                        .d = ff_yaml_number(dh, "d", 0.0, n->report),
                        .theta = ff_yaml_number(dh, "theta", 0.0, n->report),
                        .convention = ff_yaml_choice(dh, "convention", CONVENTIONS, STANDARD, n->report)};
    warn_of_degrees(n, dh, "alpha", row.alpha);
    warn_of_degrees(n, dh, "theta", row.theta);
    if (is_placed_twice(n, node)) return;
    place_body(&row, &n->spec->bodies[body]);
    for (int i = 0; i < n->spec->njoint; i++) {
        ff_spec_joint *joint = &n->spec->joints[i];
        if (joint->body != body) continue;
        if (joint->type == FF_JOINT_HINGE || joint->type == FF_JOINT_SLIDE)
            place_axis(&row, joint);
        else
            ff_report_add(n->report, FF_ERROR, dh->key_place, "a row 'dh' is for hinges and slides: '%.60s' is neither",
                          joint->name);
    }
}
