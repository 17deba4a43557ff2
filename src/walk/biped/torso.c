// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The motion of the torso's mass: three point masses, torso b and legs f, of which the legs ride on the feet; without
// a horizontal moment about the ZMP p (stage 3 of sec. 3.5)
//     m_b (z_b - p_z) x_b'' - m_b (z_b'' + g) x_b
//         = -m_b (z_b'' + g) p_x - sum m_f [(z_f - p_z) x_f'' - (x_f - p_x) (z_f'' + g)]
// The centre of mass is lowered where legs are too short. The error of this model is corrected once: inverse kinematics
// of the whole body gives its angular momentum, whose rate shifts the ZMP, and the plan is solved again without this
// shift (31 mm rms without the correction, 7 mm with it).
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

/// Places the mass of a leg, which moves and turns with its foot.
static void place_leg(const ff_plan_setup *s, int f, const ff_foot_state *foot, masses *out)
{
    const double *lump = s->robot->feet[f].lump;
    double c, sn;
    ff_sincos(&foot->x[3], &sn, &c, 1);
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

/// Places all masses at a time of the plan, whose ground is z = 0.
static void place_masses(const ff_plan_setup *s, const ff_plan *plan, double t, masses *out)
{
    const ff_biped *r = s->robot;
    const ff_phase *p = ff_plan_phase(plan, t);
    const double body = r->mass - 2.0 * r->leg_mass;
    double low[3] = {0.0, 0.0, 0.0};
    if (plan->low[0] != 0.0 || plan->low[1] != 0.0) ff_plan_low(plan, t, low);
    out->height = r->mass * (s->gait.height - low[0]);
    out->height_v = -r->mass * low[1];
    out->height_a = -r->mass * low[2];
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

/// The equation at the knots of a plan.
typedef struct equations {
    double alpha[FF_PLAN_KNOTS + 1], gamma[FF_PLAN_KNOTS + 1];
    double tau[FF_PLAN_KNOTS + 1][2]; // without the ZMP
    double force[FF_PLAN_KNOTS + 1];  // of the ground on all masses: by -force, tau grows with the ZMP  [N]
} equations;

static void write_equations(const ff_plan_setup *s, const ff_plan *plan, equations *e)
{
    const ff_biped *r = s->robot;
    const double g = gravity_of(s), body = r->mass - 2.0 * r->leg_mass;
    for (int i = 0; i <= plan->n; i++) {
        masses m;
        place_masses(s, plan, plan->start + i * plan->h, &m);
        e->alpha[i] = body * m.height;
        e->gamma[i] = -body * (m.height_a + g);
        e->force[i] = -e->gamma[i];
        e->tau[i][0] = e->tau[i][1] = 0.0;
        for (int f = 0; f < FF_BIPED_FEET; f++) {
            const double press = r->leg_mass * (m.leg_a[f][2] + g);
            for (int k = 0; k < 2; k++) e->tau[i][k] -= r->leg_mass * m.leg[f][2] * m.leg_a[f][k] - press * m.leg[f][k];
            e->force[i] += press;
        }
    }
}

static bool solve(ff_plan *plan, const equations *e, double *work)
{
    double tau[FF_PLAN_KNOTS + 1][2];
    for (int i = 0; i <= plan->n; i++)
        for (int k = 0; k < 2; k++) tau[i][k] = e->tau[i][k] - e->force[i] * plan->zmp[i][k];
    // at rest over the last point, legs and torso in balance
    ff_knot *last = &plan->torso[plan->n];
    *last = (ff_knot){.x = {tau[plan->n][0] / e->gamma[plan->n], tau[plan->n][1] / e->gamma[plan->n]}};
    return ff_collocate(plan->n, plan->h, e->gamma, (const double(*)[2])tau, plan->torso, work);
}

// ------------------------------------------------------------------------------------------ the whole body

enum { NEWTON = 2 }; // steps from the standing pose to where a plan begins

/// Null space of the whole body along a plan: as the stabiliser's.
static const ff_biped_ik_gains WHOLE_BODY = {.comfort = 1.0, .limits = 50.0};

/// Motion of the robot at a time of the plan.
typedef struct posture {
    double shift[FF_BIPED_DOFS]; // that brings its joints onto the plan
    double v[FF_BIPED_DOFS];     // how they move there
    double momentum[2];          // angular about x and y, about the centre of mass  [N m s]
    double zmp[2];               // of a robot without angular momentum  [m]
    double force;                // of the ground  [N]
} posture;

static void list_speeds(const ff_biped_task *task, double out[FF_TASK_ROWS])
{
    ff_vec3_copy(out, task->com_vel);
    ff_vec3_copy(out + 3, task->torso_omega);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        ff_vec3_copy(out + 6 + 6 * f, task->foot[f].vel);
        ff_vec3_copy(out + 9 + 6 * f, task->foot[f].omega);
    }
}

/// Solves for the posture at a time of the plan, from a nearby one.
static void find_posture(const ff_plan_setup *s, const ff_plan *plan, double t, ff_biped_ik *ik, posture *out)
{
    const int nv = s->robot->model->nv;
    ff_biped_target target;
    double speeds[FF_TASK_ROWS], off[FF_TASK_ROWS];
    ff_plan_target(s, plan, t, &target);
    ff_biped_ik_prepare(ik, &WHOLE_BODY);
    list_speeds(&target.task, speeds);
    ff_biped_ik_rates(ik, &target.task, 1.0, off);
    for (int r = 0; r < FF_TASK_ROWS; r++) off[r] -= speeds[r];
    ff_biped_ik_solve(ik, speeds, out->v);
    memset(ik->gradient, 0, sizeof ik->gradient); // in `v` alone
    ff_biped_ik_solve(ik, off, out->shift);
    for (int row = 0; row < 2; row++) {
        out->momentum[row] = 0.0;
        for (int k = 0; k < nv; k++) out->momentum[row] += ik->momentum[row * nv + k] * out->v[k];
    }
    const double *force = target.wrench.force, *com = target.task.com;
    out->force = force[2];
    for (int k = 0; k < 2; k++) out->zmp[k] = com[k] - com[2] * force[k] / force[2];
}

/// The standing pose, turned and moved to where the plan begins.
static void begin_at(const ff_plan_setup *s, const ff_plan *plan, double t, ff_biped_ik *ik)
{
    const ff_biped *r = s->robot;
    const int base = r->model->joints[r->base].qadr;
    double q[FF_BIPED_DOFS + 1], away[3], turned[3], yaw[4];
    ff_biped_target target;
    posture start;
    memcpy(q, r->q, (size_t)r->model->nq * sizeof *q);
    ff_plan_target(s, plan, t, &target);
    ff_vec3_sub(away, r->q + base, r->com);
    ff_rotvec_to_quat(yaw, target.task.torso);
    ff_quat_mul(q + base + 3, yaw, r->q + base + 3);
    ff_quat_rotate(turned, yaw, away);
    ff_vec3_add(q + base, target.task.com, turned);
    ff_biped_ik_place(ik, q);
    for (int k = 0; k < NEWTON; k++) {
        find_posture(s, plan, t, ik, &start);
        ff_biped_ik_advance(ik, start.shift, 1.0);
    }
}

/// Knots from shortly before the first step to one step behind it. At the end of the first step a new plan is made, and
/// knots farther ahead have less than 0.08 of their weight (exp(-w T) of the pendulum).
static void find_window(const ff_plan_setup *s, const ff_plan *plan, int *first, int *last)
{
    double from = plan->start, to = plan->start + plan->n * plan->h;
    for (int i = plan->nphase - 1; i >= 0; i--) {
        if (plan->phases[i].swing < 0) continue;
        from = plan->phases[i].start - 0.4 * s->gait.step_time;
        to = plan->phases[i].end + 0.8 * s->gait.step_time;
    }
    *first = (int)ff_max(floor((from - plan->start) / plan->h), 0.0);
    *last = (int)ff_min(ceil((to - plan->start) / plan->h), (double)plan->n);
}

/// Shifts the ZMP of the three masses by the part of the whole body: the rate of its angular momentum, by differences
/// of the knots on either side.
static void correct(const ff_plan_setup *s, ff_plan *plan, ff_biped_ik *ik)
{
    const int nv = s->robot->model->nv;
    int first, last;
    posture at[3];
    double ahead[FF_BIPED_DOFS] = {0.0};
    find_window(s, plan, &first, &last);
    begin_at(s, plan, plan->start + first * plan->h, ik);
    for (int i = first; i <= last; i++) {
        posture *now = &at[i % 3];
        const posture *before = &at[(i + 2) % 3], *two = &at[(i + 1) % 3];
        const double t = plan->start + i * plan->h;
        find_posture(s, plan, t, ik, now);
        for (int k = 0; k < nv; k++)
            ahead[k] = now->shift[k] +
                       plan->h * (i == first ? now->v[k] : 1.5 * now->v[k] - 0.5 * before->v[k]); // Adams and Bashforth
        ff_biped_ik_advance(ik, ahead, 1.0);
        if (i < first + 2) continue;
        double rate[2], wanted[2];
        for (int k = 0; k < 2; k++) rate[k] = (now->momentum[k] - two->momentum[k]) / (2.0 * plan->h);
        ff_phase_zmp(ff_plan_phase(plan, t - plan->h), t - plan->h, wanted);
        plan->zmp[i - 1][0] -= before->zmp[0] - rate[1] / before->force - wanted[0];
        plan->zmp[i - 1][1] -= before->zmp[1] + rate[0] / before->force - wanted[1];
    }
}

// ------------------------------------------------------------------------------------------ reach

enum { LOWERINGS = 4 };
#define REACH_SLACK 2.5e-3 // share of the reach by which a leg may be too long or too short

/// Depth by which the centre of mass must be lowered for all ankles to be in reach; below zero: it may rise.
static double missing_reach(const ff_plan_setup *s, const ff_plan *plan, const equations *e)
{
    const ff_biped *r = s->robot;
    const double body = r->mass - 2.0 * r->leg_mass;
    double most = -INFINITY;
    for (int i = 0; i <= plan->n; i++) {
        const double t = plan->start + i * plan->h;
        const ff_phase *p = ff_plan_phase(plan, t);
        ff_foot_state feet[FF_BIPED_FEET];
        for (int f = 0; f < FF_BIPED_FEET; f++) feet[f] = ff_plan_foot(s, p, f, t);
        const double yaw = 0.5 * (feet[0].x[3] + feet[1].x[3]);
        const double torso[3] = {plan->torso[i].x[0], plan->torso[i].x[1], e->alpha[i] / body};
        for (int f = 0; f < FF_BIPED_FEET; f++) {
            const double angles[2] = {yaw, feet[f].x[3]}, *hip = r->feet[f].hip, *ankle = r->feet[f].ankle;
            double sine[2], cosine[2];
            ff_sincos(angles, sine, cosine, 2);
            const double x = torso[0] + cosine[0] * hip[0] - sine[0] * hip[1] - feet[f].x[0] - cosine[1] * ankle[0] +
                             sine[1] * ankle[1];
            const double y = torso[1] + sine[0] * hip[0] + cosine[0] * hip[1] - feet[f].x[1] - sine[1] * ankle[0] -
                             cosine[1] * ankle[1];
            const double z = torso[2] + hip[2] - feet[f].x[2] - ankle[2];
            const double high = r->reach * r->reach - x * x - y * y; // as high as the hip may be, squared
            most = ff_max(most, z - (high > 0.0 ? sqrt(high) : 0.0));
        }
    }
    return most;
}

/// Solves for the torso, and lowers the centre of mass until the legs are long enough; at most by a sixth.
static bool solve_in_reach(const ff_plan_setup *s, ff_plan *plan, equations *e, double *work)
{
    bool found = true;
    for (int pass = 0; pass <= LOWERINGS && found; pass++) {
        write_equations(s, plan, e);
        found = ff_collocation_factor(plan->n, plan->h, e->alpha, e->gamma, work) && solve(plan, e, work);
        const double low = ff_min(ff_max(plan->low[1] + missing_reach(s, plan, e), 0.0), s->gait.height / 6.0);
        if (!found || fabs(low - plan->low[1]) <= REACH_SLACK * s->robot->reach || pass == LOWERINGS) break;
        plan->low[1] = low;
    }
    return found;
}

bool ff_plan_move_torso(const ff_plan_setup *s, ff_plan *plan, ff_biped_ik *ik, double *work)
{
    equations e;
    bool found = solve_in_reach(s, plan, &e, work);
    if (found && s->gait.correction) {
        correct(s, plan, ik);
        found = solve(plan, &e, work);
    }
    for (int i = 1; i <= plan->n && !found; i++)
        plan->torso[i] = (ff_knot){.x = {plan->torso[0].x[0], plan->torso[0].x[1]}};
    return found;
}

// ------------------------------------------------------------------------------------------ values at a time

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
