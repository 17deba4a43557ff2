// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The motion of the torso's mass: three point masses, torso b and legs f, of which the legs ride on the feet; without
// a horizontal moment about the ZMP p (stage 3 of sec. 3.5)
//     m_b (z_b - p_z) x_b'' - m_b (z_b'' + g) x_b
//         = -m_b (z_b'' + g) p_x - sum m_f [(z_f - p_z) x_f'' - (x_f - p_x) (z_f'' + g)]
// The whole robot is not three points: once solved, inverse dynamics of the whole body along the plan tell where its
// ZMP comes to lie, and the plan is solved again with the difference taken off (31 mm rms without, 7 mm with it).
#include "biped/plan.h"
#include "biped/rotation.h"

#include <string.h>

static double gravity_of(const ff_plan_setup *s)
{
    return s->robot->weight / s->robot->mass;
}

// ------------------------------------------------------------------------------------------ three masses

typedef struct masses {
    double leg[FF_BIPED_FEET][3], leg_a[FF_BIPED_FEET][3]; // place and acceleration  [m, m/s^2]
    double leg_v[FF_BIPED_FEET][3];
    double height, height_v, height_a; // of the torso
} masses;

/// A leg's mass rides on its foot; turning of the foot moves it, too.
static void place_leg(const ff_plan_setup *s, int f, const ff_foot_state *foot, masses *out)
{
    const double *lump = s->robot->feet[f].lump, c = ff_cos(foot->x[3]), sn = ff_sin(foot->x[3]);
    const double arm[2] = {c * lump[0] - sn * lump[1], sn * lump[0] + c * lump[1]};
    const double w = foot->v[3], a = foot->a[3];
    out->leg[f][0] = foot->x[0] + arm[0];
    out->leg[f][1] = foot->x[1] + arm[1];
    out->leg[f][2] = foot->x[2] + lump[2];
    out->leg_v[f][0] = foot->v[0] - w * arm[1];
    out->leg_v[f][1] = foot->v[1] + w * arm[0];
    out->leg_v[f][2] = foot->v[2];
    out->leg_a[f][0] = foot->a[0] - a * arm[1] - w * w * arm[0];
    out->leg_a[f][1] = foot->a[1] + a * arm[0] - w * w * arm[1];
    out->leg_a[f][2] = foot->a[2];
}

/// The centre of mass keeps its height; the ground of a plan is z = 0.
static void place_masses(const ff_plan_setup *s, const ff_plan *plan, double t, masses *out)
{
    const ff_biped *r = s->robot;
    const ff_phase *p = ff_plan_phase(plan, t);
    const double body = r->mass - 2.0 * r->leg_mass;
    out->height = r->mass * s->gait.height;
    out->height_v = out->height_a = 0.0;
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const ff_foot_state foot = ff_plan_foot(s, p, f, t);
        place_leg(s, f, &foot, out);
        out->height -= r->leg_mass * out->leg[f][2];
        out->height_v -= r->leg_mass * out->leg_v[f][2];
        out->height_a -= r->leg_mass * out->leg_a[f][2];
    }
    out->height /= body;
    out->height_v /= body;
    out->height_a /= body;
}

static bool solve(const ff_plan_setup *s, ff_plan *plan, double *work)
{
    const ff_biped *r = s->robot;
    const double g = gravity_of(s), body = r->mass - 2.0 * r->leg_mass;
    double alpha[FF_PLAN_KNOTS + 1], gamma[FF_PLAN_KNOTS + 1], tau[FF_PLAN_KNOTS + 1][2];
    for (int i = 0; i <= plan->n; i++) {
        masses m;
        place_masses(s, plan, plan->start + i * plan->h, &m);
        alpha[i] = body * m.height;
        gamma[i] = -body * (m.height_a + g);
        for (int k = 0; k < 2; k++) {
            tau[i][k] = gamma[i] * plan->zmp[i][k];
            for (int f = 0; f < FF_BIPED_FEET; f++)
                tau[i][k] -=
                    r->leg_mass * (m.leg[f][2] * m.leg_a[f][k] - (m.leg[f][k] - plan->zmp[i][k]) * (m.leg_a[f][2] + g));
        }
    }
    // at rest over the last point, legs and torso in balance
    ff_knot *last = &plan->torso[plan->n];
    *last = (ff_knot){.x = {tau[plan->n][0] / gamma[plan->n], tau[plan->n][1] / gamma[plan->n]}};
    return ff_collocate(plan->n, plan->h, alpha, gamma, (const double(*)[2])tau, plan->torso, work);
}

// ------------------------------------------------------------------------------------------ the whole body

enum { NEWTON = 2 }; // steps of inverse kinematics from knot to knot

/// Joint positions at a knot, from those at the one before.
static void bend(const ff_plan_setup *s, const ff_plan *plan, double t, ff_biped_ik *ik)
{
    static const ff_biped_ik_gains gains = {.task = 1.0, .comfort = 0.1};
    ff_biped_target target;
    double v[FF_BIPED_DOFS];
    ff_plan_target(s, plan, t, &target);
    memset(target.task.com_vel, 0, sizeof target.task.com_vel);
    memset(target.task.torso_omega, 0, sizeof target.task.torso_omega);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        memset(target.task.foot[f].vel, 0, sizeof target.task.foot[f].vel);
        memset(target.task.foot[f].omega, 0, sizeof target.task.foot[f].omega);
    }
    for (int k = 0; k < NEWTON; k++) {
        ff_biped_ik_velocity(ik, &target.task, &gains, v);
        ff_biped_ik_advance(ik, v, 1.0);
    }
}

/// ZMP on z = 0 of the forces that the base would have to give.
static void zmp_of(const ff_biped *r, const double *q, const double *tau, double out[2])
{
    const ff_joint *base = &r->model->joints[r->base];
    const double *pos = q + base->qadr, *force = tau + base->vadr;
    double moment[3];
    ff_quat_rotate(moment, pos + 3, force + 3); // about the base, from its axes to the world's
    out[0] = pos[0] - (moment[1] + pos[2] * force[0]) / force[2];
    out[1] = pos[1] + (moment[0] - pos[2] * force[1]) / force[2];
}

/// The standing pose, turned and moved to where the plan begins.
static void begin_at(const ff_plan_setup *s, const ff_plan *plan, ff_biped_ik *ik)
{
    const ff_biped *r = s->robot;
    const int base = r->model->joints[r->base].qadr;
    double q[FF_BIPED_DOFS + 1], away[3], turned[3], yaw[4];
    ff_biped_target target;
    memcpy(q, r->q, (size_t)r->model->nq * sizeof *q);
    ff_plan_target(s, plan, plan->start, &target);
    ff_vec3_sub(away, r->q + base, r->com);
    ff_rotvec_to_quat(yaw, target.task.torso);
    ff_quat_mul(q + base + 3, yaw, r->q + base + 3);
    ff_quat_rotate(turned, yaw, away);
    ff_vec3_add(q + base, target.task.com, turned);
    ff_biped_ik_place(ik, q);
}

/// Three configurations in a row give velocity and acceleration at the middle one.
static void correct(const ff_plan_setup *s, ff_plan *plan, ff_biped_ik *ik)
{
    const ff_biped *r = s->robot;
    const ff_model *m = r->model;
    const size_t nq = (size_t)m->nq * sizeof(double);
    double q[3][FF_BIPED_DOFS + 1], before[FF_BIPED_DOFS], after[FF_BIPED_DOFS], v[FF_BIPED_DOFS], a[FF_BIPED_DOFS];
    double tau[FF_BIPED_DOFS];
    begin_at(s, plan, ik);
    for (int k = 0; k < 4; k++) bend(s, plan, plan->start, ik);
    memcpy(q[0], ik->data->q, nq);
    bend(s, plan, plan->start + plan->h, ik);
    memcpy(q[1], ik->data->q, nq);
    for (int i = 1; i < plan->n; i++) {
        const double t = plan->start + i * plan->h;
        double wanted[2], is[2];
        bend(s, plan, t + plan->h, ik);
        memcpy(q[2], ik->data->q, nq);
        ff_dyn_difference(m, q[0], q[1], before);
        ff_dyn_difference(m, q[1], q[2], after);
        for (int k = 0; k < m->nv; k++) {
            v[k] = 0.5 * (before[k] + after[k]) / plan->h;
            a[k] = (after[k] - before[k]) / (plan->h * plan->h);
        }
        ff_dyn_inverse(m, ik->data, q[1], v, a, tau);
        zmp_of(r, q[1], tau, is);
        ff_biped_ik_place(ik, q[2]);
        ff_phase_zmp(ff_plan_phase(plan, t), t, wanted);
        for (int k = 0; k < 2; k++) plan->zmp[i][k] -= is[k] - wanted[k];
        memcpy(q[0], q[1], nq);
        memcpy(q[1], q[2], nq);
    }
}

bool ff_plan_move_torso(const ff_plan_setup *s, ff_plan *plan, ff_biped_ik *ik, double *work)
{
    bool found = solve(s, plan, work);
    for (int pass = 0; pass < s->gait.corrections && found; pass++) {
        correct(s, plan, ik);
        found = solve(s, plan, work);
    }
    for (int i = 1; i <= plan->n && !found; i++)
        plan->torso[i] = (ff_knot){.x = {plan->torso[0].x[0], plan->torso[0].x[1]}};
    return found;
}

// ------------------------------------------------------------------------------------------ looking up

ff_knot ff_plan_torso(const ff_plan *plan, double t)
{
    const double u = ff_min(ff_max((t - plan->start) / plan->h, 0.0), (double)plan->n);
    const int i = u < plan->n ? (int)u : plan->n - 1;
    return ff_collocation_at(&plan->torso[i], plan->h, (u - i) * plan->h);
}

static void move_foot(const ff_foot_state *from, ff_biped_motion *out)
{
    *out = (ff_biped_motion){.pos = {from->x[0], from->x[1], from->x[2]},
                             .rot = {0.0, 0.0, from->x[3]},
                             .vel = {from->v[0], from->v[1], from->v[2]},
                             .omega = {0.0, 0.0, from->v[3]}};
}

void ff_plan_target(const ff_plan_setup *s, const ff_plan *plan, double t, ff_biped_target *out)
{
    const ff_biped *r = s->robot;
    const ff_phase *p = ff_plan_phase(plan, t);
    const ff_knot torso = ff_plan_torso(plan, t);
    const double body = r->mass - 2.0 * r->leg_mass, share[2] = {body / r->mass, r->leg_mass / r->mass};
    masses m;
    double acceleration[3];
    place_masses(s, plan, t, &m);
    *out = (ff_biped_target){.time = t, .walking = plan->nphase > 0};
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const ff_foot_state foot = ff_plan_foot(s, p, f, t);
        move_foot(&foot, &out->task.foot[f]);
        out->task.torso[2] += 0.5 * foot.x[3];
        out->task.torso_omega[2] += 0.5 * foot.v[3];
    }
    const double place[3] = {torso.x[0], torso.x[1], m.height}, rate[3] = {torso.v[0], torso.v[1], m.height_v};
    const double second[3] = {torso.a[0], torso.a[1], m.height_a};
    for (int k = 0; k < 3; k++) {
        out->task.com[k] = share[0] * place[k] + share[1] * (m.leg[0][k] + m.leg[1][k]);
        out->task.com_vel[k] = share[0] * rate[k] + share[1] * (m.leg_v[0][k] + m.leg_v[1][k]);
        acceleration[k] = share[0] * second[k] + share[1] * (m.leg_a[0][k] + m.leg_a[1][k]);
    }
    for (int k = 0; k < 3; k++) out->wrench.force[k] = r->mass * (acceleration[k] + (k == 2 ? gravity_of(s) : 0.0));
    ff_phase_zmp(p, t, out->zmp);
    const double arm[3] = {out->zmp[0] - out->task.com[0], out->zmp[1] - out->task.com[1], -out->task.com[2]};
    ff_vec3_cross(out->wrench.torque, arm, out->wrench.force);
    out->wrench.torque[2] = 0.0;
    out->load[0] = ff_phase_load(p, t);
    out->load[1] = 1.0 - out->load[0];
}
