// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Self-collision avoidance: a cost in the null space,
//     H = w / 2 sum max(0, d0 - d)^2        dH/dq = -w sum (d0 - d) n' (J_a - J_b)
// with the distance d of the hulls of two bodies, n from b to a. A hull is a capsule around the shapes of one body, so
// that a distance is that of two line segments.
#include "biped/ik.h"

#include <footfall/math.h>

/// Distance below which limbs repel each other, for legs of 0.86 m; less where they stand nearer.  [m]
#define KEEP_AWAY 0.05

// ------------------------------------------------------------------------------------------ hulls

/// The box around all collision shapes of a body, in its frame. @return false: it has none
static bool bound_body(const ff_model *m, int body, double low[3], double high[3])
{
    bool any = false;
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < m->ngeom; i++) {
        const ff_geom *g = &m->geoms[i];
        double R[9], own[3], top[3];
        if (g->body != body || g->role == FF_GEOM_VISUAL) continue;
        ff_quat_to_mat3(R, g->quat);
        ff_shape_bounds(&g->shape, own, top);
        if (!ff_all_finite(own, 3) || !ff_all_finite(top, 3)) continue;
        double middle[3], at[3];
        for (int k = 0; k < 3; k++) middle[k] = 0.5 * (own[k] + top[k]);
        ff_mat3_mulv(at, R, middle);
        for (int k = 0; k < 3; k++) {
            const double half = fabs(R[3 * k]) * (top[0] - middle[0]) + fabs(R[3 * k + 1]) * (top[1] - middle[1]) +
                                fabs(R[3 * k + 2]) * (top[2] - middle[2]);
            low[k] = ff_min(low[k], g->pos[k] + at[k] - half);
            high[k] = ff_max(high[k], g->pos[k] + at[k] + half);
        }
        any = true;
    }
    return any;
}

/// A capsule along the longest side of the box, as thick as the next one.
static ff_biped_hull hull_of(int body, const double low[3], const double high[3])
{
    const double side[3] = {high[0] - low[0], high[1] - low[1], high[2] - low[2]};
    const int along = side[0] >= side[1] && side[0] >= side[2] ? 0 : side[1] >= side[2] ? 1 : 2;
    ff_biped_hull hull = {.body = body, .radius = 0.5 * ff_max(side[(along + 1) % 3], side[(along + 2) % 3])};
    for (int k = 0; k < 3; k++) hull.from[k] = hull.to[k] = 0.5 * (low[k] + high[k]);
    hull.from[along] = ff_min(low[along] + hull.radius, hull.from[along]);
    hull.to[along] = ff_max(high[along] - hull.radius, hull.to[along]);
    return hull;
}

/// The child of the torso on the branch of a body; -1 for the torso.
static int limb_of(const ff_biped *robot, int body)
{
    const ff_model *m = robot->model;
    while (body >= 0 && m->bodies[body].parent != robot->torso && body != robot->torso) body = m->bodies[body].parent;
    return body == robot->torso ? -1 : body;
}

static bool is_leg(const ff_biped *robot, int body)
{
    const ff_model *m = robot->model;
    for (int leg = 0; leg < m->nleg; leg++)
        if (ff_model_is_below(m, body, m->joints[m->legs[leg].joints[0]].body)) return true;
    return false;
}

/// Do two bodies repel each other? Both legs, arms and legs, and arms but their first bodies and the torso do.
static bool is_pair(const ff_biped *robot, int a, int b)
{
    const ff_model *m = robot->model;
    const bool leg[2] = {is_leg(robot, a), is_leg(robot, b)};
    for (int i = 0; i < m->nexclude; i++)
        if ((m->excludes[2 * i] == a && m->excludes[2 * i + 1] == b) ||
            (m->excludes[2 * i] == b && m->excludes[2 * i + 1] == a))
            return false;
    if (m->bodies[a].parent == b || m->bodies[b].parent == a) return false;
    if (leg[0] && leg[1]) {
        const int hip = m->joints[m->legs[0].joints[0]].body;
        return ff_model_is_below(m, a, hip) != ff_model_is_below(m, b, hip);
    }
    return limb_of(robot, a) != limb_of(robot, b);
}

/// From the middle of a hull to its farthest point.
static double reach_of(const ff_biped_hull *hull)
{
    double along[3];
    ff_vec3_sub(along, hull->to, hull->from);
    return 0.5 * ff_vec3_norm(along) + hull->radius;
}

void ff_biped_find_hulls(const ff_data *d, ff_biped *robot)
{
    const ff_model *m = robot->model;
    const double away = KEEP_AWAY * robot->leg / 0.86;
    for (int b = 0; b < m->nbody && robot->nhull < FF_BIPED_HULLS; b++) {
        double low[3], high[3];
        if (bound_body(m, b, low, high)) robot->hulls[robot->nhull++] = hull_of(b, low, high);
    }
    for (int i = 0; i < robot->nhull; i++)
        for (int k = 0; k < i && robot->npair < FF_BIPED_PAIRS; k++) {
            double a[3], b[3];
            if (!is_pair(robot, robot->hulls[i].body, robot->hulls[k].body)) continue;
            ff_biped_pair pair = {.hull = {i, k}};
            const double now = ff_biped_hull_distance(robot, d, &pair, a, b);
            pair.away = ff_min(away, 0.8 * now);
            pair.reach = pair.away + reach_of(&robot->hulls[i]) + reach_of(&robot->hulls[k]);
            if (now > 0.0) robot->pairs[robot->npair++] = pair;
        }
}

// ------------------------------------------------------------------------------------------ distances

/// Nearest points of two line segments; C. Ericson, Real-Time Collision Detection (2005), sec. 5.1.9.
static void nearest(const double p1[3], const double q1[3], const double p2[3], const double q2[3], double a[3],
                    double b[3])
{
    double d1[3], d2[3], r[3], s = 0.0, t = 0.0;
    ff_vec3_sub(d1, q1, p1);
    ff_vec3_sub(d2, q2, p2);
    ff_vec3_sub(r, p1, p2);
    const double aa = ff_vec3_dot(d1, d1), ee = ff_vec3_dot(d2, d2), ab = ff_vec3_dot(d1, d2);
    const double c = ff_vec3_dot(d1, r), f = ff_vec3_dot(d2, r), det = aa * ee - ab * ab;
    if (det > 1e-12 * aa * ee) s = ff_min(ff_max((ab * f - c * ee) / det, 0.0), 1.0);
    t = ee > 0.0 ? (ab * s + f) / ee : 0.0;
    if (t < 0.0 || t > 1.0) t = ff_min(ff_max(t, 0.0), 1.0);
    if (aa > 0.0) s = ff_min(ff_max((ab * t - c) / aa, 0.0), 1.0);
    for (int k = 0; k < 3; k++) {
        a[k] = p1[k] + s * d1[k];
        b[k] = p2[k] + t * d2[k];
    }
}

/// Ends of a hull's axis, world.
static void place_hull(const ff_biped *robot, const ff_data *d, const ff_biped_hull *hull, double ends[2][3])
{
    ff_dyn_point(robot->model, d, hull->body, hull->from, ends[0]);
    ff_dyn_point(robot->model, d, hull->body, hull->to, ends[1]);
}

static double distance_of(const ff_biped *robot, const ff_biped_pair *pair, double one[2][3], double two[2][3],
                          double a[3], double b[3])
{
    double apart[3];
    nearest(one[0], one[1], two[0], two[1], a, b);
    ff_vec3_sub(apart, a, b);
    return ff_vec3_norm(apart) - robot->hulls[pair->hull[0]].radius - robot->hulls[pair->hull[1]].radius;
}

double ff_biped_hull_distance(const ff_biped *robot, const ff_data *d, const ff_biped_pair *pair, double a[3],
                              double b[3])
{
    double one[2][3], two[2][3];
    place_hull(robot, d, &robot->hulls[pair->hull[0]], one);
    place_hull(robot, d, &robot->hulls[pair->hull[1]], two);
    return distance_of(robot, pair, one, two, a, b);
}

/// Are the middles of two hulls farther apart than both reach?
static bool is_far(const double one[2][3], const double two[2][3], double reach)
{
    double apart = 0.0;
    for (int k = 0; k < 3; k++) {
        const double off = 0.5 * (one[0][k] + one[1][k] - two[0][k] - two[1][k]);
        apart += off * off;
    }
    return apart > reach * reach;
}

// ------------------------------------------------------------------------------------------ the cost

/// Adds `factor` n' J of a point of a body.
static void add_row(const ff_biped *robot, const ff_data *d, int body, const double at[3], const double n[3],
                    double factor, double *gradient)
{
    const int nv = robot->model->nv;
    double J[6 * FF_BIPED_DOFS], pos[3], quat[4], R[9], away[3], local[3];
    ff_dyn_body_pose(robot->model, d, body, pos, quat);
    ff_quat_to_mat3(R, quat);
    ff_vec3_sub(away, at, pos);
    ff_mat3_tmulv(local, R, away);
    ff_dyn_jacobian(robot->model, d, body, local, J);
    for (int k = 0; k < nv; k++)
        gradient[k] += factor * (n[0] * J[3 * nv + k] + n[1] * J[4 * nv + k] + n[2] * J[5 * nv + k]);
}

double ff_biped_collision_cost(const ff_biped *robot, const ff_data *d, double weight, double *gradient)
{
    double cost = 0.0, ends[FF_BIPED_HULLS][2][3];
    for (int i = 0; i < robot->nhull; i++) place_hull(robot, d, &robot->hulls[i], ends[i]);
    for (int i = 0; i < robot->npair; i++) {
        const ff_biped_pair *pair = &robot->pairs[i];
        double a[3], b[3], n[3];
        if (is_far((const double(*)[3])ends[pair->hull[0]], (const double(*)[3])ends[pair->hull[1]], pair->reach))
            continue;
        const double near = pair->away - distance_of(robot, pair, ends[pair->hull[0]], ends[pair->hull[1]], a, b);
        if (!(near > 0.0)) continue;
        ff_vec3_sub(n, a, b);
        const double length = ff_vec3_norm(n);
        if (!(length > 0.0)) continue; // axes that cross give no direction
        ff_vec3_scale(n, n, 1.0 / length);
        add_row(robot, d, robot->hulls[pair->hull[0]].body, a, n, -weight * near, gradient);
        add_row(robot, d, robot->hulls[pair->hull[1]].body, b, n, weight * near, gradient);
        cost += 0.5 * weight * near * near;
    }
    return cost;
}
