// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "biped/ik.h"
#include "biped/rotation.h"

#include <footfall/linalg.h>

#include <string.h>

/// Damping of J J' where a leg is nearly stretched: 1e-3 of the diagonal of a bent leg.
#define DAMPING 1e-4
/// Least pivot of J J', over its diagonal, of a leg that is not stretched.
#define STRETCHED 1e-5

void ff_biped_ik_place(ff_biped_ik *ik, const double *q)
{
    const ff_model *m = ik->robot->model;
    memcpy(ik->data->q, q, (size_t)m->nq * sizeof *q);
    ff_dyn_kinematics(m, ik->data);
    ik->known = false;
}

void ff_biped_ik_advance(ff_biped_ik *ik, const double *v, double dt)
{
    const ff_model *m = ik->robot->model;
    double q[FF_BIPED_DOFS + 1];
    ff_dyn_advance(m, ik->data->q, v, dt, q);
    ff_dyn_normalise(m, q);
    ff_biped_ik_place(ik, q);
}

// ------------------------------------------------------------------------------------------ reading

static void foot_pose(const ff_biped_ik *ik, int f, double pos[3], double quat[4])
{
    const ff_biped_foot *foot = &ik->robot->feet[f];
    double at[3], body[4];
    ff_dyn_body_pose(ik->robot->model, ik->data, foot->body, at, body);
    ff_quat_mul(quat, body, foot->quat);
    ff_dyn_point(ik->robot->model, ik->data, foot->body, foot->pos, pos);
}

/// Product of n rows (a multiple of three) with v; NULL: zero. The processor computes three sums at the same time.
static void multiply(const double *rows, int n, int nv, const double *v, double *out)
{
    for (int r = 0; r < n; r += 3) {
        const double *a = rows + r * nv;
        double sum[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < nv && v; k++) {
            sum[0] += a[k] * v[k];
            sum[1] += a[k + nv] * v[k];
            sum[2] += a[k + 2 * nv] * v[k];
        }
        for (int k = 0; k < 3; k++) out[r + k] = sum[k];
    }
}

/// Rows of J: centre of mass, torso (angular), then of each foot linear and angular, all in world axes.
static void fill_jacobian(ff_biped_ik *ik)
{
    if (ik->known) return;
    ik->known = true;
    const ff_biped *r = ik->robot;
    const ff_model *m = r->model;
    const int nv = m->nv;
    const size_t three = (size_t)(3 * nv) * sizeof *ik->J;
    double J[6 * FF_BIPED_DOFS];
    static const double origin[3] = {0.0, 0.0, 0.0};
    ff_dyn_momentum_matrix(m, ik->data, ik->momentum);
    for (int k = 0; k < 3 * nv; k++) ik->J[k] = ik->momentum[3 * nv + k] / r->mass;
    ff_dyn_jacobian(m, ik->data, r->torso, origin, J);
    memcpy(ik->J + 3 * nv, J, three);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        ff_dyn_jacobian(m, ik->data, r->feet[f].body, r->feet[f].pos, J);
        memcpy(ik->J + (6 + 6 * f) * nv, J + 3 * nv, three);
        memcpy(ik->J + (9 + 6 * f) * nv, J, three);
    }
    for (int k = 0; k < nv; k++)
        for (int row = 0; row < FF_TASK_ROWS && r->held[k]; row++) ik->J[row * nv + k] = 0.0;
}

static void read_places(const ff_biped_ik *ik, ff_biped_task *out)
{
    double pos[3], quat[4], body[4];
    ff_dyn_com(ik->robot->model, ik->data, out->com);
    ff_dyn_body_pose(ik->robot->model, ik->data, ik->robot->torso, pos, body);
    ff_quat_mul(quat, body, ik->robot->torso_quat);
    ff_rotvec_from_quat(out->torso, quat);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        foot_pose(ik, f, out->foot[f].pos, quat);
        ff_rotvec_from_quat(out->foot[f].rot, quat);
    }
}

void ff_biped_ik_read(ff_biped_ik *ik, const double *v, ff_biped_task *out)
{
    double rates[FF_TASK_ROWS];
    read_places(ik, out);
    fill_jacobian(ik);
    multiply(ik->J, FF_TASK_ROWS, ik->robot->model->nv, v, rates);
    ff_vec3_copy(out->com_vel, rates);
    ff_vec3_copy(out->torso_omega, rates + 3);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        ff_vec3_copy(out->foot[f].vel, rates + 6 + 6 * f);
        ff_vec3_copy(out->foot[f].omega, rates + 9 + 6 * f);
    }
}

// ------------------------------------------------------------------------------------------ solving

void ff_biped_ik_rates(const ff_biped_ik *ik, const ff_biped_task *task, double gain, double out[FF_TASK_ROWS])
{
    ff_biped_task now;
    double error[3];
    read_places(ik, &now);
    for (int k = 0; k < 3; k++) out[k] = task->com_vel[k] + gain * (task->com[k] - now.com[k]);
    ff_rotvec_error(error, task->torso, now.torso);
    for (int k = 0; k < 3; k++) out[3 + k] = task->torso_omega[k] + gain * error[k];
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const ff_biped_motion *foot = &task->foot[f];
        ff_rotvec_error(error, foot->rot, now.foot[f].rot);
        for (int k = 0; k < 3; k++) {
            out[6 + 6 * f + k] = foot->vel[k] + gain * (foot->pos[k] - now.foot[f].pos[k]);
            out[9 + 6 * f + k] = foot->omega[k] + gain * error[k];
        }
    }
}

/// Gradient of the cost: standing pose, by the square of each joint's range, and joint limits.
static void fill_gradient(ff_biped_ik *ik, const ff_biped_ik_gains *gains)
{
    const ff_model *m = ik->robot->model;
    memset(ik->gradient, 0, sizeof ik->gradient);
    for (int j = 0; j < m->njoint; j++) {
        const ff_joint *joint = &m->joints[j];
        if (j == ik->robot->base || !ff_joint_is_scalar(joint->type) || ik->robot->held[joint->vadr]) continue;
        const double q = ik->data->q[joint->qadr],
                     half = joint->limited ? 0.5 * (joint->range[1] - joint->range[0]) : 1.0;
        if (!(half > 0.0)) continue; // it cannot move
        const double middle = joint->limited ? 0.5 * (joint->range[0] + joint->range[1]) : 0.0;
        double g = gains->comfort * (q - ik->robot->q[joint->qadr]) / (4.0 * half * half);
        const double off = q - middle, beyond = fabs(off) - 0.8 * half;
        if (joint->limited && beyond > 0.0) g += gains->limits * (off > 0.0 ? beyond : -beyond) / (half * half);
        ik->gradient[joint->vadr] = g;
    }
    if (gains->self_collision > 0.0) ff_biped_collision_cost(ik->robot, ik->data, gains->self_collision, ik->gradient);
    for (int k = 0; k < m->nv; k++)
        if (ik->robot->held[k]) ik->gradient[k] = 0.0;
}

/// Computes the lower triangle of J J'. Rows of torso and feet have few columns that are not zero, which are packed.
static void fill_square(ff_biped_ik *ik, double damping)
{
    static const int begin[2 + FF_BIPED_FEET] = {3, 6, 12, FF_TASK_ROWS};
    const ff_biped *robot = ik->robot;
    const int nv = robot->model->nv;
    double packed[FF_TASK_ROWS * FF_BIPED_DOFS];
    for (int r = 0; r < 3; r++) multiply(ik->J, 3, nv, ik->J + r * nv, ik->JJ + r * FF_TASK_ROWS);
    for (int part = 0; part < 1 + FF_BIPED_FEET; part++) {
        const int n = robot->chain[part].count, *dof = robot->chain[part].dof;
        for (int r = 0; r < begin[part + 1]; r++)
            for (int k = 0; k < n; k++) packed[r * n + k] = ik->J[r * nv + dof[k]];
        for (int r = begin[part]; r < begin[part + 1]; r++)
            multiply(packed, r - r % 3 + 3, n, packed + r * n, ik->JJ + r * FF_TASK_ROWS);
    }
    for (int r = 0; r < FF_TASK_ROWS; r++) ik->JJ[r * FF_TASK_ROWS + r] += damping;
}

static bool is_stretched(const double *L)
{
    for (int r = 0; r < FF_TASK_ROWS; r++) {
        double whole = 0.0;
        for (int c = 0; c <= r; c++) whole += L[r * FF_TASK_ROWS + c] * L[r * FF_TASK_ROWS + c];
        if (L[r * FF_TASK_ROWS + r] * L[r * FF_TASK_ROWS + r] < STRETCHED * whole) return true;
    }
    return false;
}

bool ff_biped_ik_prepare(ff_biped_ik *ik, const ff_biped_ik_gains *gains)
{
    fill_jacobian(ik);
    fill_gradient(ik, gains);
    fill_square(ik, 0.0);
    ik->usable = ff_cholesky_factor(ik->JJ, FF_TASK_ROWS);
    const bool fine = ik->usable && !is_stretched(ik->JJ);
    if (!fine) {
        fill_square(ik, DAMPING);
        ik->usable = ff_cholesky_factor(ik->JJ, FF_TASK_ROWS);
    }
    return fine;
}

/// v += J' (J J')^-1 (rates - J v)
static void fulfil(const ff_biped_ik *ik, const double *rates, double *v)
{
    const int nv = ik->robot->model->nv;
    double rest[FF_TASK_ROWS];
    multiply(ik->J, FF_TASK_ROWS, nv, v, rest);
    for (int r = 0; r < FF_TASK_ROWS; r++) rest[r] = (rates ? rates[r] : 0.0) - rest[r];
    ff_cholesky_solve(ik->JJ, FF_TASK_ROWS, rest);
    for (int r = 0; r < FF_TASK_ROWS; r++)
        for (int k = 0; k < nv; k++) v[k] += ik->J[r * nv + k] * rest[r];
}

void ff_biped_ik_solve(const ff_biped_ik *ik, const double rates[FF_TASK_ROWS], double *v)
{
    const int nv = ik->robot->model->nv;
    for (int k = 0; k < nv; k++)
        v[k] = ik->usable ? -ik->gradient[k] : 0.0; // without valid numbers the robot stands still
    if (ik->usable) fulfil(ik, rates, v);
}

void ff_biped_ik_swing(const ff_biped_ik *ik, double weight, double *v)
{
    const int nv = ik->robot->model->nv;
    const double *turning = ik->momentum + 2 * nv; // momentum about the vertical axis = turning' v
    double free[FF_BIPED_DOFS] = {0.0}, all = 0.0, freely = 0.0;
    if (!(weight > 0.0) || !ik->usable) return;
    for (int k = 0; k < nv; k++) free[k] = ik->robot->held[k] ? 0.0 : turning[k];
    fulfil(ik, NULL, free);
    for (int k = 0; k < nv; k++) {
        all += turning[k] * v[k];
        freely += turning[k] * free[k];
    }
    for (int k = 0; k < nv; k++) v[k] -= weight * all / (1.0 + weight * freely) * free[k];
}

bool ff_biped_ik_velocity(ff_biped_ik *ik, const ff_biped_task *task, const ff_biped_ik_gains *gains, double *v)
{
    double rates[FF_TASK_ROWS];
    const bool fine = ff_biped_ik_prepare(ik, gains);
    ff_biped_ik_rates(ik, task, gains->task, rates);
    ff_biped_ik_solve(ik, rates, v);
    ff_biped_ik_swing(ik, gains->angular_momentum, v);
    return fine;
}
