// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves of an arm: planned, followed, checked.
#include "control/arm_path.h"
#include "dyn/packed.h"

#include <footfall/linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SINGULAR = 1e-3; // least volume between the columns of J1, over the cube of the longest column
static const double CLOSE = 1e-10;   // tolerance of the tip, far above rounding  [m]
enum { SAMPLES = 400 };              // along a move: they give the greatest speed of a quintic within 1e-5

// ------------------------------------------------------------------------------------------ the arm

static ff_status check_joints(const ff_model *m, ff_error *err)
{
    if (m->nv < 1 || m->nv > FF_ARM_JOINTS)
        return ff_error_set(err, FF_BAD_MODEL, "an arm has 1 to %d joints, and this robot %d degrees of freedom",
                            FF_ARM_JOINTS, m->nv);
    for (int i = 0; i < m->njoint; i++)
        if (!ff_joint_is_scalar(m->joints[i].type) || m->joints[i].mimic >= 0)
            return ff_error_set(err, FF_BAD_MODEL,
                                "an arm has hinges and slides alone, and joint '%.60s' is none or follows another one",
                                m->joints[i].name);
    return FF_OK;
}

ff_status ff_arm_init(ff_arm *arm, const ff_model *model, const char *frame, ff_error *err)
{
    static const double nowhere[3] = {0};
    *arm = (ff_arm){.model = model, .n = model->nv};
    const ff_status status = check_joints(model, err);
    if (status != FF_OK) return status;
    const int number = ff_model_find_frame(model, frame);
    if (number < 0) return ff_error_set(err, FF_NOT_FOUND, "the robot has no frame '%.60s' for the tip", frame);
    arm->tip = ff_ik_target_frame(model, number, nowhere, NULL);
    for (int i = FF_ARM_PLACING; i < arm->n; i++) arm->held[i] = true;
    arm->data = ff_data_create(model, err);
    arm->work = calloc(ff_ik_work_size(model, 1) + 6 * (size_t)arm->n, sizeof *arm->work);
    return arm->data && arm->work ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for an arm");
}

void ff_arm_clear(ff_arm *arm)
{
    ff_data_destroy(arm->data);
    free(arm->work);
    *arm = (ff_arm){0};
}

void ff_arm_tip(const ff_arm *arm, const double *q, double tip[3])
{
    memcpy(arm->data->q, q, (size_t)arm->n * sizeof *q);
    ff_dyn_kinematics(arm->model, arm->data);
    ff_dyn_point(arm->model, arm->data, arm->tip.body, arm->tip.local, tip);
}

/// Position of the joint of a degree of freedom.  [m]
static void locate_joint(const ff_arm *arm, int dof, double pos[3])
{
    const ff_joint *joint = &arm->model->joints[arm->model->dof_joint[dof]];
    ff_dyn_point(arm->model, arm->data, joint->body, joint->pos, pos);
}

/// Greatest distance that the joint of a degree of freedom can slide from where it is, 0 for a hinge.  [m]
static double longest_slide(const ff_arm *arm, int dof)
{
    const ff_joint *joint = &arm->model->joints[arm->model->dof_joint[dof]];
    const double q = arm->data->q[dof];
    if (joint->type != FF_JOINT_SLIDE) return 0.0;
    return joint->limited ? ff_max(fabs(joint->range[0] - q), fabs(joint->range[1] - q)) : 1.0;
}

// The second joint moves on a circle about the axis of the first. From there the tip stays within the length of the arm
// stretched out: the distances from joint to joint, and what slides add.
void ff_arm_box(const ff_arm *arm, double low[3], double high[3])
{
    double outer[3], inner[3], offset[3], length = 0.0; // from joint to joint, beginning at the tip
    ff_arm_tip(arm, arm->model->q0, outer);
    for (int i = arm->n - 1; i > 0; i--) {
        locate_joint(arm, i, inner);
        length += longest_slide(arm, i);
        ff_vec3_sub(offset, outer, inner);
        length += ff_vec3_norm(offset);
        ff_vec3_copy(outer, inner);
    }
    locate_joint(arm, 0, inner);
    length += longest_slide(arm, 0);
    const double *axis = arm->data->S; // of rotation; zero for a slide, which turns nothing
    ff_vec3_sub(offset, outer, inner);
    const double along = ff_vec3_dot(offset, axis);
    const double radius = sqrt(ff_max(ff_vec3_dot(offset, offset) - along * along, 0.0));
    const bool turns = ff_vec3_dot(axis, axis) > 0.0;
    for (int k = 0; k < 3; k++) {
        const double middle = turns ? inner[k] + along * axis[k] : outer[k];
        const double circle = turns ? radius * sqrt(ff_max(1.0 - axis[k] * axis[k], 0.0)) : 0.0;
        low[k] = middle - circle - length;
        high[k] = middle + circle + length;
    }
}

void ff_arm_gravity(const ff_arm *arm, const double *q, double *torque)
{
    memcpy(arm->data->q, q, (size_t)arm->n * sizeof *q);
    ff_dyn_kinematics(arm->model, arm->data);
    ff_dyn_gravity(arm->model, arm->data, torque);
    ff_dyn_take_lifts(arm->model, arm->data, torque);
}

void ff_arm_torque(const ff_arm *arm, const ff_arm_point *point, double *torque)
{
    ff_dyn_inverse(arm->model, arm->data, point->q, point->v, point->a, torque);
    if (arm->model->nlift > 0) {
        memcpy(arm->data->q, point->q, (size_t)arm->n * sizeof *point->q);
        ff_dyn_kinematics(arm->model, arm->data);
        ff_dyn_take_lifts(arm->model, arm->data, torque);
    }
    for (int i = 0; i < arm->n; i++) torque[i] -= arm->rotor[i] * point->a[i];
}

/// Puts the tip at a place by the joints that are free. @return how far away it stays  [m]
static double place_tip(const ff_arm *arm, const double tip[3], double *q)
{
    ff_ik_options options = ff_ik_options_default();
    ff_ik_target target = arm->tip;
    ff_ik_result result = {0};
    options.position_tolerance = CLOSE;
    options.held = arm->held;
    ff_vec3_copy(target.pos, tip);
    if (ff_ik_solve(arm->model, arm->data, q, &target, 1, &options, arm->work, &result) != FF_OK) return INFINITY;
    return result.position_error;
}

/// Puts the tip at a place from any start q. A stretched arm that should shorten is at a saddle of the error, so the
/// search is repeated with the arm bent to either side. @return how far away the tip stays  [m]
static double find_tip(const ff_arm *arm, const double tip[3], double *q)
{
    static const double bends[][FF_ARM_PLACING] = {{0.0, 0.0, 0.0}, {0.0, 0.5, -1.0}, {0.0, -0.5, 1.0}};
    double away = INFINITY;
    for (size_t k = 0; k < sizeof bends / sizeof *bends && !(away <= CLOSE); k++) {
        double trial[FF_ARM_JOINTS];
        memcpy(trial, q, sizeof trial);
        for (int i = 0; i < FF_ARM_PLACING; i++) trial[i] += bends[k][i];
        const double left = place_tip(arm, tip, trial);
        if (!(left < away)) continue;
        away = left;
        if (away <= CLOSE) memcpy(q, trial, sizeof trial);
    }
    return away;
}

// ------------------------------------------------------------------------------------------ planning

ff_arm_move ff_arm_stand(const ff_arm *arm, const double *q)
{
    ff_arm_move move = {.duration = 1.0};
    for (int i = 0; i < arm->n; i++) move.joint[i] = ff_quintic_make((const double[3]){q[i], 0.0, 0.0}, q[i], 1.0);
    return move;
}

static ff_status report_reach(const double asked[3], double away, ff_error *err)
{
    double tip[3];
    for (int k = 0; k < 3; k++) tip[k] = fabs(asked[k]) < 1e-9 ? 0.0 : asked[k]; // rounding
    return ff_error_set(err, FF_BAD_ARGUMENT,
                        "the tip cannot reach (%.4g, %.4g, %.4g) m: it stays %.3g m away, out of reach or held back by "
                        "limits of joints",
                        tip[0], tip[1], tip[2], away);
}

/// Position, velocity and acceleration of the tip, as three numbers for each axis.
static void tip_motion(const ff_arm *arm, const ff_arm_point *p, double out[3][3])
{
    double place[3], velocity[6], acceleration[6];
    const size_t size = (size_t)arm->n * sizeof(double);
    memcpy(arm->data->q, p->q, size);
    memcpy(arm->data->v, p->v, size);
    ff_dyn_kinematics(arm->model, arm->data);
    ff_dyn_velocity(arm->model, arm->data);
    ff_dyn_point(arm->model, arm->data, arm->tip.body, arm->tip.local, place);
    ff_dyn_point_velocity(arm->model, arm->data, arm->tip.body, arm->tip.local, velocity);
    ff_dyn_point_acceleration(arm->model, arm->data, arm->tip.body, arm->tip.local, p->a, acceleration);
    for (int k = 0; k < 3; k++) {
        out[k][0] = place[k];
        out[k][1] = velocity[3 + k];
        out[k][2] = acceleration[3 + k];
    }
}

ff_status ff_arm_plan(const ff_arm *arm, const ff_arm_point *from, const ff_arm_target *target, double start,
                      double duration, ff_arm_move *out, ff_error *err)
{
    ff_arm_target goal = *target;
    if ((goal.line || goal.at_tip) && arm->n < FF_ARM_PLACING)
        return ff_error_set(err, FF_BAD_ARGUMENT, "an arm of %d joints cannot place its tip: that takes %d", arm->n,
                            FF_ARM_PLACING);
    if (goal.at_tip) {
        const double away = find_tip(arm, goal.tip, goal.q);
        if (!(away <= CLOSE)) return report_reach(goal.tip, away, err);
    } else
        ff_arm_tip(arm, goal.q, goal.tip);
    *out = (ff_arm_move){.line = goal.line, .start = start, .duration = duration};
    for (int i = 0; i < arm->n; i++)
        out->joint[i] = ff_quintic_make((const double[3]){from->q[i], from->v[i], from->a[i]}, goal.q[i], duration);
    if (!goal.line) return FF_OK;
    double tip[3][3];
    tip_motion(arm, from, tip);
    for (int k = 0; k < 3; k++) out->tip[k] = ff_quintic_make(tip[k], goal.tip[k], duration);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ following

/// Solves J1 x = b for the joints that place the tip. @return false: the columns of J1 are nearly dependent, or one is
/// short
static bool solve_placing(const ff_arm *arm, const double *J, const double b[3], double *x)
{
    double A[9], largest = 0.0;
    int pivots[3];
    for (int c = 0; c < 3; c++) {
        double square = 0.0;
        for (int r = 0; r < 3; r++) {
            A[3 * r + c] = J[(3 + r) * arm->n + c];
            square += A[3 * r + c] * A[3 * r + c];
        }
        largest = ff_max(largest, sqrt(square));
    }
    const double volume =
        A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) + A[2] * (A[3] * A[7] - A[4] * A[6]);
    if (!(fabs(volume) > SINGULAR * largest * largest * largest) || !ff_lu_factor(A, pivots, 3)) return false;
    ff_vec3_copy(x, b);
    ff_lu_solve(A, pivots, 3, x);
    return true;
}

/// Subtracts from b what the other joints contribute by their speeds or accelerations x.
static void subtract_others(const ff_arm *arm, const double *J, const double *x, double b[3])
{
    for (int k = 0; k < 3; k++)
        for (int i = FF_ARM_PLACING; i < arm->n; i++) b[k] -= J[(3 + k) * arm->n + i] * x[i];
}

/// Stops a point that has a fault. @return the fault
static ff_arm_fault stop_point(ff_arm_fault fault, ff_arm_point *p)
{
    memset(p->v, 0, sizeof p->v);
    memset(p->a, 0, sizeof p->a);
    return fault;
}

/// Positions, speeds and accelerations of the joints that place the tip, from those of the tip and the other joints.
static ff_arm_fault follow_line(const ff_arm *arm, const ff_arm_move *move, double t, ff_arm_point *p)
{
    double at[3][3], place[3], velocity[3], acceleration[3], drift[6];
    double *J = arm->work + ff_ik_work_size(arm->model, 1);
    for (int k = 0; k < 3; k++) {
        ff_quintic_at(&move->tip[k], t, at[k]);
        place[k] = at[k][0];
        velocity[k] = at[k][1];
        acceleration[k] = at[k][2];
    }
    if (!(place_tip(arm, place, p->q) <= CLOSE)) return stop_point(FF_ARM_FAR, p);
    memcpy(arm->data->q, p->q, (size_t)arm->n * sizeof *p->q);
    ff_dyn_kinematics(arm->model, arm->data);
    ff_dyn_jacobian(arm->model, arm->data, arm->tip.body, arm->tip.local, J);
    subtract_others(arm, J, p->v, velocity);
    if (!solve_placing(arm, J, velocity, p->v)) return stop_point(FF_ARM_SINGULAR, p);
    memcpy(arm->data->v, p->v, (size_t)arm->n * sizeof *p->v);
    ff_dyn_velocity(arm->model, arm->data);
    ff_dyn_jacobian_drift(arm->model, arm->data, arm->tip.body, arm->tip.local, drift);
    subtract_others(arm, J, p->a, acceleration);
    ff_vec3_sub(acceleration, acceleration, drift + 3);
    solve_placing(arm, J, acceleration, p->a);
    return FF_ARM_FINE;
}

ff_arm_fault ff_arm_locate(const ff_arm *arm, const ff_arm_move *move, double t, ff_arm_point *point)
{
    const double since = t - move->start;
    for (int i = move->line ? FF_ARM_PLACING : 0; i < arm->n; i++) {
        double out[3];
        ff_quintic_at(&move->joint[i], since, out);
        point->q[i] = out[0];
        point->v[i] = out[1];
        point->a[i] = out[2];
    }
    return move->line ? follow_line(arm, move, since, point) : FF_ARM_FINE;
}

// ------------------------------------------------------------------------------------------ checks

/// The joint whose speed exceeds `worst` times its limit most; -1: none. @param worst  that factor, which is updated
static int find_fastest(const ff_arm *arm, const ff_arm_point *p, double *worst)
{
    int fastest = -1;
    for (int i = 0; i < arm->n; i++) {
        const double limit = arm->model->joints[arm->model->dof_joint[i]].speed;
        if (!(limit > 0.0) || !(fabs(p->v[i]) > *worst * limit)) continue;
        *worst = fabs(p->v[i]) / limit;
        fastest = i;
    }
    return fastest;
}

/// Reports a joint beyond its limits. @param since  time from the start of the move  [s]
static ff_status check_range(const ff_arm *arm, const ff_arm_point *p, double since, ff_error *err)
{
    for (int i = 0; i < arm->n; i++) {
        const ff_joint *joint = &arm->model->joints[arm->model->dof_joint[i]];
        if (!joint->limited || (p->q[i] >= joint->range[0] - 1e-9 && p->q[i] <= joint->range[1] + 1e-9)) continue;
        return ff_error_set(
            err, FF_BAD_ARGUMENT, "%.3g s into this move joint '%.60s' is at %.4g %s, beyond its limits %.4g to %.4g",
            since, joint->name, p->q[i], joint->type == FF_JOINT_HINGE ? "rad" : "m", joint->range[0], joint->range[1]);
    }
    return FF_OK;
}

/// Checks the move at one time for reach, singular positions and limits of positions.
static ff_status check_at(const ff_arm *arm, const ff_arm_move *move, double since, ff_arm_point *p, ff_error *err)
{
    double tip[3], rates[3];
    const ff_arm_fault fault = ff_arm_locate(arm, move, move->start + since, p);
    if (fault == FF_ARM_FINE) return check_range(arm, p, since, err);
    for (int k = 0; k < 3; k++) {
        ff_quintic_at(&move->tip[k], since, rates);
        tip[k] = rates[0];
    }
    return ff_error_set(err, FF_BAD_ARGUMENT, "%.3g s into this move, at (%.4g, %.4g, %.4g) m, %s", since, tip[0],
                        tip[1], tip[2],
                        fault == FF_ARM_FAR ? "the tip is out of reach, or held back by limits of joints"
                                            : "the arm is singular: stretched, folded, or above its first axis");
}

ff_status ff_arm_check(const ff_arm *arm, const ff_arm_move *move, const ff_arm_point *from, ff_arm_point *end,
                       ff_error *err)
{
    double worst = 1.0, speed = 0.0;
    int fastest = -1;
    *end = *from;
    for (int k = 0; k <= SAMPLES; k++) {
        const ff_status status = check_at(arm, move, move->duration * k / SAMPLES, end, err);
        if (status != FF_OK) return status;
        const int faster = find_fastest(arm, end, &worst);
        if (faster < 0) continue;
        fastest = faster;
        speed = fabs(end->v[faster]);
    }
    if (fastest < 0) return FF_OK;
    const ff_joint *joint = &arm->model->joints[arm->model->dof_joint[fastest]];
    return ff_error_set(
        err, FF_BAD_ARGUMENT, "joint '%.60s' would need %.4g %s, and its limit is %.4g: from rest, take %.3g s or more",
        joint->name, speed, joint->type == FF_JOINT_HINGE ? "rad/s" : "m/s", joint->speed, move->duration * worst);
}
