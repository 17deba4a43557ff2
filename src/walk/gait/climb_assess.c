// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Whether a pose of a climb keeps the rules. The ledge has no ends to the left and right, so limbs and bodies are
// compared with it in the plane of x and z: a capsule is a segment with a radius there. Legs keep clear of each other
// in space.
#include "dyn/packed.h"
#include "gait/climb_plan.h"

#include <footfall/balance.h>
#include <footfall/math.h>
#include <math.h>
#include <string.h>

static const double LENGTH = 0.1;  // distance that a turn of 1 rad counts as  [m]
static const double STRAIN = 0.02; // distance that the whole torque of a drive counts as  [m]

const char *ff_climb_rule_text(ff_climb_rule rule)
{
    static const char *const texts[] = {
        "a foot is out of reach",
        "a joint comes too near to its limit",
        "a limb comes too near to ground or ledge",
        "two legs come too near to each other",
        "the body comes too near to ground or ledge",
        "the centre of mass does not stay within the feet",
        "a drive would need too much torque",
    };
    return texts[rule];
}

double ff_climb_pose(const ff_climb_robot *robot, const ff_climb_body *body, const double (*foot)[2], ff_data *d,
                     double *error)
{
    const ff_model *m = robot->model;
    double *q = d->q + m->joints[robot->base].qadr, half[2] = {0.5 * body->pitch, 0.0}, sine[2], cosine[2], worst = 0.0;
    memcpy(d->q, robot->stand, (size_t)m->nq * sizeof *d->q);
    ff_sincos(half, sine, cosine, 1);
    ff_vec3_set(q, body->x, 0.0, body->z);
    q[3] = cosine[0], q[4] = 0.0, q[5] = -sine[0], q[6] = 0.0;
    for (int i = 0; i < robot->npitch; i++) d->q[m->joints[robot->pitch[i]].qadr] = body->bend[i];
    ff_dyn_kinematics_until(m, d, robot->carrier); // without the legs, whose angles follow
    for (int i = 0; i < 2 * robot->rows; i++) {
        const ff_leg_ik *ik = &robot->ik[i];
        const double world[3] = {foot[i / 2][0], robot->side[i], foot[i / 2][1]};
        double pos[3], quat[4], back[4], away[3], local[3], angle[3], missed;
        ff_dyn_body_pose(m, d, ik->body, pos, quat);
        ff_vec3_sub(away, world, pos);
        ff_quat_conjugate(back, quat);
        ff_quat_rotate(local, back, away);
        ff_leg_ik_solve(ik, local, angle, &missed);
        for (int k = 0; k < 3; k++) d->q[ik->qadr[k]] = angle[k];
        if (error && i % 2 == 0) error[i / 2] = missed;
        worst = ff_max(worst, missed);
    }
    ff_dyn_kinematics(m, d);
    return worst;
}

// ------------------------------------------------------------------------------------------ distances from the side

/// Distance of a point from ground and ledge, negative inside.
static double point_distance(double height, double x, double z)
{
    if (x > 0.0) return z >= height ? z - height : -ff_min(x, height - z);
    const double ledge = z >= height ? sqrt(x * x + (z - height) * (z - height)) : -x;
    return ff_min(z, ledge);
}

/// Distance of the segment from a to b: of its ends, and of the edge from it.
static double segment_distance(double height, const double a[2], const double b[2])
{
    const double along[2] = {b[0] - a[0], b[1] - a[1]}, square = along[0] * along[0] + along[1] * along[1];
    double distance = ff_min(point_distance(height, a[0], a[1]), point_distance(height, b[0], b[1]));
    if (square > 0.0) {
        const double share = (-a[0] * along[0] + (height - a[1]) * along[1]) / square;
        if (share > 0.0 && share < 1.0) {
            const double x = a[0] + share * along[0], z = a[1] + share * along[1];
            const bool inside = x > 0.0 && z < height;
            const double edge = sqrt(x * x + (z - height) * (z - height));
            distance = ff_min(distance, inside ? -edge : edge);
        }
    }
    return distance;
}

/// Least distance of the segments a b and c d in space.
static double segments_apart(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[3], v[3], w[3], apart[3];
    ff_vec3_sub(u, b, a);
    ff_vec3_sub(v, d, c);
    ff_vec3_sub(w, a, c);
    const double uu = ff_vec3_dot(u, u), uv = ff_vec3_dot(u, v), vv = ff_vec3_dot(v, v);
    const double uw = ff_vec3_dot(u, w), vw = ff_vec3_dot(v, w), square = uu * vv - uv * uv;
    double s = square > 1e-12 * uu * vv ? ff_max(0.0, ff_min(1.0, (uv * vw - vv * uw) / square)) : 0.0;
    const double t = vv > 0.0 ? ff_max(0.0, ff_min(1.0, (uv * s + vw) / vv)) : 0.0;
    if (uu > 0.0) s = ff_max(0.0, ff_min(1.0, (uv * t - uw) / uu));
    for (int k = 0; k < 3; k++) apart[k] = w[k] + s * u[k] - t * v[k];
    return ff_vec3_norm(apart);
}

static void add_excess(ff_climb_state *s, ff_climb_rule rule, int row, double excess)
{
    if (s->count == FF_CLIMB_RULES) return;
    s->rule[s->count] = rule;
    s->row[s->count] = row;
    s->excess[s->count] = excess;
    if (s->count == 0 || excess > s->worst) {
        s->worst = excess;
        s->worst_at = s->count;
    }
    s->count++;
}

// ------------------------------------------------------------------------------------------ rules

/// Places of hip, two more joints and foot of the left leg of a row.
typedef double leg_points[4][3];

static void assess_leg(const ff_climb_robot *robot, int row, double missed, leg_points points, ff_climb_state *s)
{
    const ff_model *m = robot->model;
    const ff_climb_options *o = &robot->options;
    const ff_leg *leg = &m->legs[robot->legs[2 * row]];
    const ff_leg_ik *ik = &robot->ik[2 * row];
    add_excess(s, FF_CLIMB_REACH, row, missed);
    for (int k = 0; k < 3; k++) {
        const ff_joint *joint = &m->joints[leg->joints[k]];
        const double q = robot->d->q[joint->qadr];
        ff_dyn_point(m, robot->d, joint->body, joint->pos, points[k]);
        add_excess(s, FF_CLIMB_LIMIT, row, LENGTH * (o->limit - ff_min(q - ik->low[k], ik->high[k] - q)));
    }
    const ff_frame *frame = &m->frames[leg->frame];
    ff_dyn_point(m, robot->d, frame->body, frame->pos, points[3]);
    s->hip[row][0] = points[0][0], s->hip[row][1] = points[0][2];
    for (int k = 0; k < 3; k++) {
        const double from[2] = {points[k][0], points[k][2]}, to[2] = {points[k + 1][0], points[k + 1][2]};
        double wanted = robot->limb[row][k] + o->clearance;
        // the axis of a shank ends in its foot, whose centre is a radius above the ground
        if (k == 2) wanted = ff_min(wanted, robot->radius[row]);
        add_excess(s, FF_CLIMB_LIMB, row, wanted - segment_distance(o->height, from, to));
    }
}

/// Radius of a limb; a shank is as thick as its foot.
static double thickness(const ff_climb_robot *robot, int row, int limb)
{
    return limb == 2 ? ff_max(robot->limb[row][2], robot->radius[row]) : robot->limb[row][limb];
}

/// Distance of a leg from the one behind it on the same side.
static void assess_neighbours(const ff_climb_robot *robot, int row, const leg_points *points, ff_climb_state *s)
{
    double nearest = INFINITY;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double(*a)[3] = &points[row][i], (*b)[3] = &points[row + 1][k];
            const double thick = thickness(robot, row, i) + thickness(robot, row + 1, k);
            nearest = ff_min(nearest, segments_apart(a[0], a[1], b[0], b[1]) - thick);
        }
    add_excess(s, FF_CLIMB_LEGS_APART, row, robot->options.clearance - nearest);
}

/// Lowest corners of a box against ground and ledge, and the edge against the box.
static void assess_box(const ff_climb_robot *robot, const ff_climb_box *box, ff_climb_state *s)
{
    const double height = robot->options.height, clearance = robot->options.clearance;
    double pos[3], quat[4], R[9], turn[9], middle[3], nearest = INFINITY;
    ff_dyn_body_pose(robot->model, robot->d, box->body, pos, quat);
    ff_quat_to_mat3(turn, quat);
    ff_mat3_mul(R, turn, box->R);
    ff_mat3_mulv(middle, turn, box->pos);
    ff_vec3_add(middle, middle, pos);
    for (int k = 0; k < 4; k++) {
        const double local[3] = {k & 1 ? box->half[0] : -box->half[0], 0.0, k & 2 ? box->half[2] : -box->half[2]};
        double corner[3];
        ff_mat3_mulv(corner, R, local);
        nearest = ff_min(nearest, point_distance(height, middle[0] + corner[0], middle[2] + corner[2]));
    }
    add_excess(s, FF_CLIMB_BELLY, -1, clearance - nearest);
    const double edge[3] = {-middle[0], 0.0, height - middle[2]};
    double local[3];
    ff_mat3_tmulv(local, R, edge);
    add_excess(s, FF_CLIMB_BELLY, -1, clearance - ff_max(fabs(local[0]) - box->half[0], fabs(local[2]) - box->half[2]));
}

static void assess_body(const ff_climb_robot *robot, const ff_climb_body *body, ff_climb_state *s)
{
    for (int i = 0; i < robot->npitch; i++) {
        const ff_joint *joint = &robot->model->joints[robot->pitch[i]];
        if (joint->limited && !robot->held[i])
            add_excess(s, FF_CLIMB_LIMIT, -1,
                       LENGTH * (robot->options.limit -
                                 ff_min(body->bend[i] - joint->range[0], joint->range[1] - body->bend[i])));
    }
    for (int i = 0; i < robot->nbox; i++) assess_box(robot, &robot->boxes[i], s);
}

static void assess_balance(const ff_climb_robot *robot, const double (*foot)[2], int swing, ff_climb_state *s)
{
    double low = INFINITY, high = -INFINITY;
    for (int row = 0; row < robot->rows; row++)
        if (row != swing) {
            low = ff_min(low, foot[row][0]);
            high = ff_max(high, foot[row][0]);
        }
    add_excess(s, FF_CLIMB_BALANCE, -1, low + robot->options.margin - s->com[0]);
    add_excess(s, FF_CLIMB_BALANCE, -1, s->com[0] - (high - robot->options.margin));
}

/// Torque of the drive of a joint; right legs repeat the left ones.
static void assess_torque(const ff_climb_robot *robot, int joint, double load, ff_climb_state *s)
{
    const bool leg = joint < 6 * robot->rows, right = leg && (joint / 3) % 2;
    if (!right) add_excess(s, FF_CLIMB_TORQUE, leg ? joint / 6 : -1, STRAIN * (load - robot->options.torque));
}

/// Lists the standing feet as points, and their legs. @return how many
static int standing_feet(const ff_climb_robot *robot, const double (*foot)[2], int swing, double (*feet)[2], int *legs)
{
    int n = 0;
    for (int i = 0; i < 2 * robot->rows; i++) {
        if (i / 2 == swing) continue;
        feet[n][0] = foot[i / 2][0];
        feet[n][1] = robot->side[i];
        legs[n++] = robot->legs[i];
    }
    return n;
}

/// Torques that carry the weight when the standing feet share it with the least sum of squares.
static void assess_torques(const ff_climb_robot *robot, const double (*foot)[2], int swing, ff_climb_state *s)
{
    const ff_model *m = robot->model;
    ff_data *d = robot->d;
    const double none[3] = {0.0, 0.0, 0.0};
    double feet[FF_CLIMB_LEGS][2], force[FF_CLIMB_LEGS];
    int legs[FF_CLIMB_LEGS];
    const int n = standing_feet(robot, foot, swing, feet, legs);
    ff_balance_distribute((const double(*)[2])feet, n, robot->weight, s->com, force, NULL);
    ff_dyn_clear_forces(m, d);
    for (int i = 0; i < n; i++) {
        const ff_frame *frame = &m->frames[m->legs[legs[i]].frame];
        const double down[3] = {0.0, 0.0, -force[i]};
        double point[3];
        ff_dyn_point(m, d, frame->body, frame->pos, point);
        ff_dyn_apply_force(m, d, frame->body, point, down, none);
    }
    memset(d->v, 0, (size_t)m->nv * sizeof *d->v);
    ff_dyn_inverse(m, d, d->q, d->v, NULL, d->tau);
    ff_dyn_take_lifts(m, d, d->tau);
    ff_dyn_add_wrench_torque(m, d, d->tau);
    s->load = 0.0;
    for (int i = 0; i < robot->njoint; i++) {
        const ff_joint *joint = &m->joints[robot->joints[i]];
        s->torque[i] = d->tau[joint->vadr];
        if (!(joint->effort > 0.0)) continue;
        const double load = fabs(s->torque[i]) / joint->effort;
        s->load = ff_max(s->load, load);
        assess_torque(robot, i, load, s);
    }
}

double ff_climb_margin(const ff_climb_robot *robot, const double (*foot)[2], int swing, const double com[3])
{
    ff_support support;
    double feet[FF_CLIMB_LEGS][2];
    int legs[FF_CLIMB_LEGS];
    ff_support_make(&support, (const double(*)[2])feet, standing_feet(robot, foot, swing, feet, legs));
    return ff_support_margin(&support, com);
}

/// All rules but those of torques.
static void assess_place(const ff_climb_robot *robot, const ff_climb_body *body, const double (*foot)[2], int swing,
                         ff_climb_state *state)
{
    ++*robot->assessed;
    double missed[FF_CLIMB_ROWS];
    leg_points points[FF_CLIMB_ROWS];
    state->count = 0;
    ff_climb_pose(robot, body, foot, robot->d, missed);
    for (int row = 0; row < robot->rows; row++) assess_leg(robot, row, missed[row], points[row], state);
    for (int row = 0; row + 1 < robot->rows; row++) assess_neighbours(robot, row, (const leg_points *)points, state);
    assess_body(robot, body, state);
    ff_dyn_com(robot->model, robot->d, state->com);
    assess_balance(robot, foot, swing, state);
}

void ff_climb_assess(const ff_climb_robot *robot, const ff_climb_body *body, const double (*foot)[2], int swing,
                     ff_climb_state *state)
{
    assess_place(robot, body, foot, swing, state);
    assess_torques(robot, foot, swing, state);
}

void ff_climb_assess_light(const ff_climb_robot *robot, const ff_climb_body *body, const double (*foot)[2], int swing,
                           ff_climb_state *state)
{
    assess_place(robot, body, foot, swing, state);
    for (int i = 0; i < robot->njoint; i++)
        if (robot->model->joints[robot->joints[i]].effort > 0.0) assess_torque(robot, i, 0.0, state);
}
