// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inverse kinematics of any model by damped least squares. With e the errors of all targets and J their Jacobian, each
// iteration minimises |e - J dq|^2 + mu |dq|^2, by
//     dq = J' y,   (J J' + mu 1) y = e
// Six feet make an 18 x 18 system for any number of joints. The next mu follows from how well the step was predicted
// (H. B. Nielsen, Damping parameter in Marquardt's method, IMM-REP-1999-05); a step that does not lower the error is
// undone. Joints that would pass a limit are put on it, and the others are solved for again.
#include <footfall/ik.h>

#include "dot.h"

#include <stdlib.h>

// Damping as a part of the largest diagonal entry of J J'.
#define DAMPING_START 1e-3
#define DAMPING_LEAST 1e-15
#define DAMPING_MOST  1e10

// The search ends after so many steps in a row that remove less than this part of the squared error.
#define SLOW_STEPS 6
#define SLOW_PART  1e-6

// At a saddle of the error: stride of a coordinate [rad, m], and the part of the squared error it must remove.
#define SADDLE_STRIDE 0.1
#define SADDLE_PART   1e-6

ff_ik_options ff_ik_options_default(void)
{
    return (ff_ik_options){
        .position_tolerance = 1e-9, .attitude_tolerance = 1e-9, .length = 0.2, .step = 0.5, .iterations = 200};
}

ff_ik_target ff_ik_target_frame(const ff_model *m, int frame, const double pos[3], const double *quat)
{
    const ff_frame *f = &m->frames[frame];
    ff_ik_target target = {.body = f->body, .position = true, .attitude = quat != NULL, .quat = {1, 0, 0, 0}};
    ff_vec3_copy(target.local, f->pos);
    ff_quat_copy(target.local_quat, f->quat);
    ff_vec3_copy(target.pos, pos);
    if (quat) ff_quat_copy(target.quat, quat);
    return target;
}

// ------------------------------------------------------------------------------------------ workspace

typedef struct solver {
    const ff_model *m;
    ff_data *d;
    const ff_ik_target *targets;
    int ntarget;
    const ff_ik_options *options;
    int rows;      // of J
    double *J;     // (rows x nv), columns of mimics added to those of their leaders
    double *free;  // the same with zeros in the columns of what does not move (rows x nv)
    double *body;  // Jacobian of one body, later J' times a vector (6 x nv)
    double *A;     // J J' + mu 1 (rows x rows)
    double *e;     // errors [m] (rows)
    double *trial; // errors of the step that is tried (rows)
    double *y;     // (rows)
    double *dq;    // (nv)
    double *state; // 0: free, 1: does not move, 2: put on a limit (nv)
    double *low; // how far the coordinate of a degree of freedom may go down and up, infinite where nothing limits (nv)
    double *high;
    double *next; // position that is tried (nq)
    double damping, growth, largest;
} solver;

size_t ff_ik_work_size(const ff_model *m, int ntarget)
{
    size_t rows = 6 * (size_t)ntarget, nv = (size_t)m->nv;
    return 2 * rows * nv + 6 * nv + rows * rows + 3 * rows + 4 * nv + (size_t)m->nq;
}

static int count_rows(const ff_ik_target *targets, int ntarget)
{
    int rows = 0;
    for (int i = 0; i < ntarget; i++) rows += (targets[i].position ? 3 : 0) + (targets[i].attitude ? 3 : 0);
    return rows;
}

static void lay_out(solver *s, double *work)
{
    int nv = s->m->nv, rows = s->rows = count_rows(s->targets, s->ntarget);
    s->J = take(&work, rows * nv);
    s->free = take(&work, rows * nv);
    s->body = take(&work, 6 * nv);
    s->A = take(&work, rows * rows);
    s->e = take(&work, rows);
    s->trial = take(&work, rows);
    s->y = take(&work, rows);
    s->dq = take(&work, nv);
    s->state = take(&work, nv);
    s->low = take(&work, nv);
    s->high = take(&work, nv);
    s->next = take(&work, s->m->nq);
}

// ------------------------------------------------------------------------------------------ joints

// The joint at the head of a row of mimics, and how this one follows it: q = gain q_leader + offset.
static int leader_of(const ff_model *m, int joint, double *gain, double *offset)
{
    *gain = 1.0;
    *offset = 0.0;
    for (int k = 0; k < m->njoint && m->joints[joint].mimic >= 0; k++) {
        *offset += *gain * m->joints[joint].mimic_offset;
        *gain *= m->joints[joint].mimic_gain;
        joint = m->joints[joint].mimic;
    }
    return joint;
}

// Limits of a hinge or slide hold for the joint it follows.
static void narrow(solver *s, const ff_joint *joint, int leader, double gain, double offset)
{
    if (!joint->limited || gain == 0.0) return;
    int dof = s->m->joints[leader].vadr;
    double a = (joint->range[0] - offset) / gain, b = (joint->range[1] - offset) / gain;
    s->low[dof] = ff_max(s->low[dof], ff_min(a, b));
    s->high[dof] = ff_min(s->high[dof], ff_max(a, b));
}

static void find_limits(solver *s)
{
    const ff_model *m = s->m;
    for (int i = 0; i < m->nv; i++) {
        s->low[i] = -INFINITY;
        s->high[i] = INFINITY;
    }
    for (int i = 0; i < m->njoint; i++) {
        double gain, offset;
        if (!ff_joint_is_scalar(m->joints[i].type)) continue;
        int leader = leader_of(m, i, &gain, &offset);
        narrow(s, &m->joints[i], leader, gain, offset);
    }
}

static void bound_ball(const ff_joint *joint, double *quat)
{
    static const double straight[4] = {1, 0, 0, 0};
    double turn[3];
    ff_quat_difference(turn, straight, quat);
    double angle = ff_vec3_norm(turn);
    if (joint->limited && angle > joint->range[1]) ff_quat_integrate(quat, straight, turn, joint->range[1] / angle);
}

// Puts every joint within its limits and mimics where their leaders say.
static void bound(const solver *s, double *q)
{
    const ff_model *m = s->m;
    for (int i = 0; i < m->njoint; i++) {
        const ff_joint *joint = &m->joints[i];
        if (joint->type == FF_JOINT_BALL) bound_ball(joint, q + joint->qadr);
        if (!ff_joint_is_scalar(joint->type) || joint->mimic >= 0) continue;
        if (s->options->held && s->options->held[joint->vadr]) continue;
        q[joint->qadr] = ff_min(ff_max(q[joint->qadr], s->low[joint->vadr]), s->high[joint->vadr]);
    }
    for (int i = 0; i < m->njoint; i++) {
        double gain, offset;
        if (m->joints[i].mimic < 0) continue;
        int leader = leader_of(m, i, &gain, &offset);
        q[m->joints[i].qadr] = gain * q[m->joints[leader].qadr] + offset;
    }
}

// ------------------------------------------------------------------------------------------ errors and Jacobian

static void attitude_error(const ff_data *d, const ff_model *m, const ff_ik_target *target, double out[3])
{
    double pos[3], body[4], now[4], wanted[4], turn[3];
    ff_dyn_body_pose(m, d, target->body, pos, body);
    ff_quat_mul(now, body, target->local_quat);
    ff_quat_copy(wanted, target->quat);
    ff_quat_normalise(now);
    ff_quat_normalise(wanted);
    ff_quat_difference(turn, now, wanted);
    ff_quat_rotate(out, now, turn); // from the turned frame to world axes
}

// Errors of all targets at a position; the poses in d are then those of it. @return the sum of squares
static double find_errors(const solver *s, const double *q, double *e, ff_ik_result *worst)
{
    double sum = 0.0;
    worst->position_error = worst->attitude_error = 0.0;
    memcpy(s->d->q, q, (size_t)s->m->nq * sizeof *q);
    ff_dyn_kinematics(s->m, s->d);
    for (int i = 0, row = 0; i < s->ntarget; i++) {
        const ff_ik_target *target = &s->targets[i];
        if (target->position) {
            double at[3];
            ff_dyn_point(s->m, s->d, target->body, target->local, at);
            ff_vec3_sub(e + row, target->pos, at);
            worst->position_error = ff_max(worst->position_error, ff_vec3_norm(e + row));
            row += 3;
        }
        if (target->attitude) {
            attitude_error(s->d, s->m, target, e + row);
            worst->attitude_error = ff_max(worst->attitude_error, ff_vec3_norm(e + row));
            ff_vec3_scale(e + row, e + row, s->options->length);
            row += 3;
        }
    }
    for (int i = 0; i < s->rows; i++) sum += e[i] * e[i];
    return sum;
}

static bool close_enough(const solver *s, const ff_ik_result *worst)
{
    return worst->position_error <= s->options->position_tolerance &&
           worst->attitude_error <= s->options->attitude_tolerance;
}

// Joints that follow others: their columns go to the leader.
static void fold_mimics(solver *s)
{
    const ff_model *m = s->m;
    for (int i = 0; i < m->njoint; i++) {
        double gain, offset;
        if (m->joints[i].mimic < 0) continue;
        int from = m->joints[i].vadr, to = m->joints[leader_of(m, i, &gain, &offset)].vadr;
        for (int r = 0; r < s->rows; r++) {
            s->J[r * m->nv + to] += gain * s->J[r * m->nv + from];
            s->J[r * m->nv + from] = 0.0;
        }
    }
}

static void find_jacobian(solver *s)
{
    int nv = s->m->nv, row = 0;
    for (int i = 0; i < s->ntarget; i++) {
        const ff_ik_target *target = &s->targets[i];
        ff_dyn_jacobian(s->m, s->d, target->body, target->local, s->body);
        if (target->position) {
            memcpy(s->J + row * nv, s->body + 3 * nv, 3 * (size_t)nv * sizeof *s->J);
            row += 3;
        }
        if (target->attitude) {
            for (int k = 0; k < 3 * nv; k++) s->J[row * nv + k] = s->options->length * s->body[k];
            row += 3;
        }
    }
    fold_mimics(s);
}

// ------------------------------------------------------------------------------------------ one step

// out = J' x
static void transposed_times(const solver *s, const double *x, double *out)
{
    int nv = s->m->nv;
    for (int i = 0; i < nv; i++) out[i] = 0.0;
    for (int r = 0; r < s->rows; r++)
        for (int i = 0; i < nv; i++) out[i] += s->J[r * nv + i] * x[r];
}

// Chooses the degrees of freedom that may move: not held, no mimic, and not at a limit that they would pass.
// @return whether any of them could lower the error
static bool choose_free(solver *s, const double *q)
{
    const ff_model *m = s->m;
    double most = 0.0, size = 0.0;
    for (int i = 0; i < s->rows * m->nv; i++) size = fabs(s->J[i]) > size ? fabs(s->J[i]) : size;
    transposed_times(s, s->e, s->body); // the gradient
    for (int i = 0; i < m->nv; i++) {
        const ff_joint *joint = &m->joints[m->dof_joint[i]];
        double down = s->body[i];
        bool fixed = (s->options->held && s->options->held[i]) || joint->mimic >= 0;
        if (ff_joint_is_scalar(joint->type))
            fixed =
                fixed || (down > 0.0 && q[joint->qadr] >= s->high[i]) || (down < 0.0 && q[joint->qadr] <= s->low[i]);
        s->state[i] = fixed ? 1.0 : 0.0;
        s->dq[i] = 0.0;
        if (!fixed) most = ff_max(most, fabs(down));
    }
    double error = 0.0;
    for (int r = 0; r < s->rows; r++) error = ff_max(error, fabs(s->e[r]));
    return most > 1e-12 * size * error;
}

// y from (J J' + mu 1) y = e - J_c dq_c over the free columns.
static bool solve_rows(solver *s, double mu)
{
    int n = s->rows, nv = s->m->nv;
    for (int r = 0; r < n; r++) {
        const double *all = s->J + r * nv;
        double *a = s->free + r * nv;
        s->y[r] = s->e[r];
        for (int i = 0; i < nv; i++) {
            a[i] = s->state[i] == 0.0 ? all[i] : 0.0;
            if (s->state[i] == 2.0) s->y[r] -= all[i] * s->dq[i];
        }
        for (int c = 0; c <= r; c++) s->A[r * n + c] = dot(a, s->free + c * nv, nv);
        s->A[r * n + r] += mu;
    }
    if (!ff_cholesky_factor(s->A, n)) return false;
    ff_cholesky_solve(s->A, n, s->y);
    return true;
}

// Free coordinates that would pass a limit are put on it. @return whether there was one
static bool put_on_limits(solver *s, const double *q)
{
    const ff_model *m = s->m;
    bool any = false;
    for (int i = 0; i < m->nv; i++) {
        const ff_joint *joint = &m->joints[m->dof_joint[i]];
        if (s->state[i] != 0.0 || !ff_joint_is_scalar(joint->type)) continue;
        double at = q[joint->qadr], wanted = at + s->dq[i];
        if (wanted >= s->low[i] && wanted <= s->high[i]) continue;
        s->dq[i] = (wanted < s->low[i] ? s->low[i] : s->high[i]) - at;
        s->state[i] = 2.0;
        any = true;
    }
    return any;
}

static bool find_step(solver *s, const double *q)
{
    int nv = s->m->nv;
    for (int round = 0; round <= nv; round++) {
        if (!solve_rows(s, s->damping * s->largest)) return false;
        transposed_times(s, s->y, s->body);
        for (int i = 0; i < nv; i++)
            if (s->state[i] == 0.0) s->dq[i] = s->body[i];
        if (!put_on_limits(s, q)) break;
    }
    double most = 0.0;
    for (int i = 0; i < nv; i++) most = ff_max(most, fabs(s->dq[i]));
    if (most > s->options->step)
        for (int i = 0; i < nv; i++) s->dq[i] *= s->options->step / most;
    return true;
}

// Squared error after the step, by the linear model.
static double predicted(const solver *s)
{
    double sum = 0.0;
    for (int r = 0; r < s->rows; r++) {
        double left = s->e[r] - dot(s->J + r * s->m->nv, s->dq, s->m->nv);
        sum += left * left;
    }
    return sum;
}

static void shorten(solver *s)
{
    s->damping *= s->growth;
    s->growth *= 2.0;
}

static void lengthen(solver *s, double quality)
{
    double x = 2.0 * quality - 1.0;
    s->damping = ff_max(s->damping * ff_max(0.05, 1.0 - x * x * x), DAMPING_LEAST);
    s->growth = 2.0;
}

static double largest_diagonal(const solver *s)
{
    double most = 0.0;
    for (int r = 0; r < s->rows; r++) {
        const double *a = s->J + r * s->m->nv;
        most = ff_max(most, dot(a, a, s->m->nv));
    }
    return most > 0.0 ? most : 1.0;
}

// ------------------------------------------------------------------------------------------ iterations

static bool good_arguments(const solver *s, const double *q)
{
    if (s->ntarget < 0 || !(s->options->length > 0.0) || !(s->options->step > 0.0) || !ff_all_finite(q, s->m->nq))
        return false;
    for (int i = 0; i < s->ntarget; i++) {
        const ff_ik_target *t = &s->targets[i];
        if (t->body < 0 || t->body >= s->m->nbody || !ff_all_finite(t->local, 3)) return false;
        if (t->position && !ff_all_finite(t->pos, 3)) return false;
        if (t->attitude && !(ff_all_finite(t->quat, 4) && ff_all_finite(t->local_quat, 4))) return false;
    }
    return true;
}

// Makes a step from q if it lowers the error. @return the part of the squared error it removed, 0 when refused
static double try_step(solver *s, double *q, double *square, ff_ik_result *result)
{
    ff_ik_result at_trial;
    if (!find_step(s, q)) {
        shorten(s);
        return 0.0;
    }
    ff_dyn_advance(s->m, q, s->dq, 1.0, s->next);
    bound(s, s->next);
    double foreseen = *square - predicted(s), reached = find_errors(s, s->next, s->trial, &at_trial);
    double removed = *square - reached;
    if (!(removed > 0.0)) {
        shorten(s);
        return 0.0;
    }
    lengthen(s, foreseen > 0.0 ? ff_min(removed / foreseen, 1.0) : 0.0);
    memcpy(q, s->next, (size_t)s->m->nq * sizeof *q);
    memcpy(s->e, s->trial, (size_t)s->rows * sizeof *s->e);
    result->position_error = at_trial.position_error;
    result->attitude_error = at_trial.attitude_error;
    double part = removed / *square;
    *square = reached;
    return part;
}

// A motion of coordinate i and others that does not move the targets to first order. Needs the factors of solve_rows.
// @return false when there is none
static bool inner_motion(solver *s, int i)
{
    const int nv = s->m->nv;
    const double size = ff_min(SADDLE_STRIDE, s->options->step);
    double most = 0.0;
    for (int r = 0; r < s->rows; r++) s->y[r] = s->free[r * nv + i];
    ff_cholesky_solve(s->A, s->rows, s->y);
    for (int k = 0; k < nv; k++) {
        double sum = k == i ? 1.0 : 0.0;
        for (int r = 0; r < s->rows; r++) sum -= s->free[r * nv + k] * s->y[r];
        s->dq[k] = sum;
        most = ff_max(most, fabs(sum));
    }
    if (!(most > 1e-6)) return false;
    for (int k = 0; k < nv; k++) s->dq[k] *= size / most;
    return true;
}

// Where no joint could lower the error to first order, makes the best stride along such a motion: a straight arm that
// is to become shorter must bend. @return whether there was one that lowers the error
static bool leave_saddle(solver *s, double *q, double *square, ff_ik_result *result)
{
    ff_ik_result at_trial;
    double best = (1.0 - SADDLE_PART) * *square;
    int chosen = 0; // coordinate and sign
    if (!solve_rows(s, 1e-9 * s->largest)) return false;
    for (int i = 0; i < 2 * s->m->nv; i++) {
        const double sign = i % 2 == 0 ? 1.0 : -1.0;
        if (s->state[i / 2] != 0.0 || !inner_motion(s, i / 2)) continue;
        ff_dyn_advance(s->m, q, s->dq, sign, s->next);
        bound(s, s->next);
        const double reached = find_errors(s, s->next, s->trial, &at_trial);
        if (!(reached < best)) continue;
        best = reached;
        chosen = i / 2 + 1;
        if (sign < 0.0) chosen = -chosen;
    }
    if (chosen != 0) {
        inner_motion(s, abs(chosen) - 1);
        ff_dyn_advance(s->m, q, s->dq, chosen > 0 ? 1.0 : -1.0, s->next);
        bound(s, s->next);
        memcpy(q, s->next, (size_t)s->m->nq * sizeof *q);
        s->damping = DAMPING_START;
        s->growth = 2.0;
    }
    *square = find_errors(s, q, s->e, &at_trial); // poses of q again, too
    result->position_error = at_trial.position_error;
    result->attitude_error = at_trial.attitude_error;
    return chosen != 0;
}

static void iterate(solver *s, double *q, double square, ff_ik_result *result)
{
    bool fresh = true; // the position is new: it needs its Jacobian
    int slow = 0;
    result->outcome = FF_IK_ITERATIONS;
    while (result->iterations < s->options->iterations) {
        if (fresh) {
            find_jacobian(s);
            s->largest = largest_diagonal(s);
        }
        const bool flat = !choose_free(s, q);
        if (flat && leave_saddle(s, q, &square, result)) {
            result->iterations++;
            fresh = true;
            continue;
        }
        if (flat || s->damping > DAMPING_MOST || slow >= SLOW_STEPS) {
            result->outcome = FF_IK_STUCK;
            break;
        }
        result->iterations++;
        double part = try_step(s, q, &square, result);
        fresh = part > 0.0;
        slow = !fresh ? slow : part < SLOW_PART ? slow + 1 : 0;
        if (close_enough(s, result)) {
            result->outcome = FF_IK_CONVERGED;
            break;
        }
    }
}

ff_status ff_ik_solve(const ff_model *m, ff_data *d, double *q, const ff_ik_target *targets, int ntarget,
                      const ff_ik_options *options, double *work, ff_ik_result *result)
{
    solver s = {.m = m, .d = d, .targets = targets, .ntarget = ntarget, .options = options};
    *result = (ff_ik_result){.outcome = FF_IK_STUCK};
    if (!good_arguments(&s, q)) return FF_BAD_ARGUMENT;
    s.damping = DAMPING_START;
    s.growth = 2.0;
    lay_out(&s, work);
    find_limits(&s);
    bound(&s, q);
    double square = find_errors(&s, q, s.e, result);
    if (close_enough(&s, result)) {
        result->outcome = FF_IK_CONVERGED;
    } else {
        iterate(&s, q, square, result);
        ff_ik_result again;
        find_errors(&s, q, s.trial, &again); // leaves the poses of the solution in d
    }
    result->damping = s.damping;
    return FF_OK;
}
