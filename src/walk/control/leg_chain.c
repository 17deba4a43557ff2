// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinematics of a chain,  T(q) = e^(S1 (q1 - r1)) .. e^(Sn (qn - rn)) T(r),  and Newton's method for T(q) = T_wanted
// with damping near singular positions:  dq = J' (J J' + mu 1)^-1 e.
#include "control/leg_chain.h"

#include <footfall/linalg.h>
#include <footfall/math.h>

#include <math.h>

enum { ROUNDS = 30 };
static const double LENGTH = 0.2;   // distance that an attitude error of 1 rad counts as  [m]
static const double DAMPING = 1e-8; // mu, against squares of levers  [m^2]
static const double FAR_STEP = 0.3; // greatest change of an angle in a round  [rad]
static const double CLOSE = 1e-10;  // error at which it ends  [m]
static const double REACHED = 1e-6; // and at which the end is there  [m], [rad]

// ------------------------------------------------------------------------------------------ making

static ff_status take_joint(const ff_model *m, const ff_leg *leg, int k, ff_leg_chain *chain, ff_error *err)
{
    const ff_joint *joint = &m->joints[leg->joints[k]];
    if (joint->type != FF_JOINT_HINGE)
        return ff_error_set(err, FF_NOT_FOUND, "leg '%.40s': joint '%.40s' is no hinge", leg->name, joint->name);
    chain->joint[k] = leg->joints[k];
    chain->qadr[k] = joint->qadr;
    chain->vadr[k] = joint->vadr;
    chain->low[k] = joint->limited ? joint->range[0] : -INFINITY;
    chain->high[k] = joint->limited ? joint->range[1] : INFINITY;
    return FF_OK;
}

/// The line of a hinge from the motion axis about the origin of its tree: a point of it is w x v.
static void take_line(const ff_data *d, int tree, const ff_pose *carrier, int k, ff_leg_chain *chain)
{
    const double *s = d->S + 6 * chain->vadr[k], *origin = d->tree_origin + 3 * tree;
    double at[3], moved[3];
    ff_vec3_cross(at, s, s + 3);
    ff_vec3_add(at, at, origin);
    ff_vec3_sub(moved, at, carrier->p);
    ff_mat3_tmulv(chain->axis[k], carrier->R, s);
    ff_mat3_tmulv(chain->point[k], carrier->R, moved);
    chain->reference[k] = d->q[chain->qadr[k]];
}

static ff_pose pose_of(const ff_model *m, const ff_data *d, int body)
{
    double quat[4];
    ff_pose pose;
    ff_dyn_body_pose(m, d, body, pose.p, quat);
    ff_quat_to_mat3(pose.R, quat);
    return pose;
}

static ff_pose in_frame_of(const ff_pose *carrier, const ff_pose *pose)
{
    ff_pose out;
    double moved[3];
    ff_mat3_tmul(out.R, carrier->R, pose->R);
    ff_vec3_sub(moved, pose->p, carrier->p);
    ff_mat3_tmulv(out.p, carrier->R, moved);
    return out;
}

ff_status ff_leg_chain_make(const ff_model *m, ff_data *d, const ff_leg *leg, int body, ff_leg_chain *out,
                            ff_error *err)
{
    *out = (ff_leg_chain){.njoint = leg->njoint, .body = body};
    if (leg->njoint < 6)
        return ff_error_set(err, FF_NOT_FOUND, "leg '%.40s' has %d joints; a sole needs six to be placed", leg->name,
                            leg->njoint);
    const ff_pose carrier = pose_of(m, d, body);
    const int tree = m->nodes[m->bodies[body].node].tree;
    for (int k = 0; k < leg->njoint; k++) {
        const ff_status status = take_joint(m, leg, k, out, err);
        if (status != FF_OK) return status;
        take_line(d, tree, &carrier, k, out);
    }
    const ff_frame *frame = &m->frames[leg->frame];
    const ff_pose foot = pose_of(m, d, frame->body);
    ff_pose local;
    ff_quat_to_mat3(local.R, frame->quat);
    ff_vec3_copy(local.p, frame->pos);
    const ff_pose end = ff_pose_mul(&foot, &local);
    out->end = in_frame_of(&carrier, &end);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ kinematics

/// Rotation about the line of hinge k by an angle.
static ff_pose turn_about(const ff_leg_chain *chain, int k, double angle)
{
    const double *w = chain->axis[k], *p = chain->point[k];
    double s, c, turned[3];
    ff_pose out;
    ff_sincos(&angle, &s, &c, 1);
    const double u = 1.0 - c;
    const double R[9] = {c + u * w[0] * w[0],        u * w[0] * w[1] - s * w[2], u * w[0] * w[2] + s * w[1],
                         u * w[0] * w[1] + s * w[2], c + u * w[1] * w[1],        u * w[1] * w[2] - s * w[0],
                         u * w[0] * w[2] - s * w[1], u * w[1] * w[2] + s * w[0], c + u * w[2] * w[2]};
    for (int i = 0; i < 9; i++) out.R[i] = R[i];
    ff_mat3_mulv(turned, R, p);
    ff_vec3_sub(out.p, p, turned);
    return out;
}

/// Pose of the end, and axes and points of the hinges as they lie now.
static ff_pose locate(const ff_leg_chain *chain, const double *q, double (*axis)[3], double (*point)[3])
{
    ff_pose sum = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int k = 0; k < chain->njoint; k++) {
        if (axis) {
            ff_mat3_mulv(axis[k], sum.R, chain->axis[k]);
            ff_mat3_mulv(point[k], sum.R, chain->point[k]);
            ff_vec3_add(point[k], point[k], sum.p);
        }
        const ff_pose turn = turn_about(chain, k, q[k] - chain->reference[k]);
        sum = ff_pose_mul(&sum, &turn);
    }
    return ff_pose_mul(&sum, &chain->end);
}

ff_pose ff_leg_chain_forward(const ff_leg_chain *chain, const double *q)
{
    return locate(chain, q, NULL, NULL);
}

// ------------------------------------------------------------------------------------------ angles

/// (rotation times LENGTH, displacement) from one pose to another; the rotation is its axis by the sine of the angle.
static void differ(const ff_pose *from, const ff_pose *to, double e[6])
{
    double back[9], R[9];
    ff_mat3_transpose(back, from->R);
    ff_mat3_mul(R, to->R, back);
    e[0] = 0.5 * LENGTH * (R[7] - R[5]);
    e[1] = 0.5 * LENGTH * (R[2] - R[6]);
    e[2] = 0.5 * LENGTH * (R[3] - R[1]);
    ff_vec3_sub(e + 3, to->p, from->p);
}

static double size_of(const double e[6])
{
    return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
}

/// Columns of the Jacobian of (rotation times LENGTH, displacement), 6 x n.
static void make_columns(const ff_leg_chain *chain, double (*axis)[3], double (*point)[3], const double end[3],
                         double J[6][FF_CHAIN_JOINTS])
{
    for (int k = 0; k < chain->njoint; k++) {
        double arm[3], move[3];
        ff_vec3_sub(arm, end, point[k]);
        ff_vec3_cross(move, axis[k], arm);
        for (int i = 0; i < 3; i++) {
            J[i][k] = LENGTH * axis[k][i];
            J[i + 3][k] = move[i];
        }
    }
}

/// One round of damped least squares. Angles that limits hold back do not take part.
static void step_towards(const ff_leg_chain *chain, double J[6][FF_CHAIN_JOINTS], const double e[6], const bool *held,
                         double *dq)
{
    double A[36], y[6];
    for (int i = 0; i < 6; i++) {
        y[i] = e[i];
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? DAMPING : 0.0;
            for (int k = 0; k < chain->njoint; k++)
                if (!held[k]) sum += J[i][k] * J[j][k];
            A[6 * i + j] = sum;
        }
    }
    for (int k = 0; k < chain->njoint; k++) dq[k] = 0.0;
    if (!ff_cholesky_factor(A, 6)) return;
    ff_cholesky_solve(A, 6, y);
    double most = 0.0;
    for (int k = 0; k < chain->njoint; k++) {
        for (int i = 0; i < 6 && !held[k]; i++) dq[k] += J[i][k] * y[i];
        most = ff_max(most, fabs(dq[k]));
    }
    for (int k = 0; k < chain->njoint && most > FAR_STEP; k++) dq[k] *= FAR_STEP / most;
}

bool ff_leg_chain_solve(const ff_leg_chain *chain, const ff_pose *end, double *q, double *error)
{
    double axis[FF_CHAIN_JOINTS][3], point[FF_CHAIN_JOINTS][3], J[6][FF_CHAIN_JOINTS], dq[FF_CHAIN_JOINTS], e[6];
    bool held[FF_CHAIN_JOINTS] = {false};
    double best = INFINITY, best_q[FF_CHAIN_JOINTS];
    for (int k = 0; k < chain->njoint; k++) q[k] = ff_max(chain->low[k], ff_min(chain->high[k], q[k]));
    for (int round = 0; round < ROUNDS; round++) {
        const ff_pose now = locate(chain, q, axis, point);
        differ(&now, end, e);
        const double left = size_of(e);
        if (!(left < best)) break; // it comes no nearer
        best = left;
        for (int k = 0; k < chain->njoint; k++) best_q[k] = q[k];
        if (left < CLOSE) break;
        make_columns(chain, axis, point, now.p, J);
        step_towards(chain, J, e, held, dq);
        for (int k = 0; k < chain->njoint; k++) {
            const double next = q[k] + dq[k], within = ff_max(chain->low[k], ff_min(chain->high[k], next));
            held[k] = held[k] || next != within;
            q[k] = within;
        }
    }
    if (best < INFINITY)
        for (int k = 0; k < chain->njoint; k++) q[k] = best_q[k];
    if (error) *error = best;
    return best < REACHED;
}
