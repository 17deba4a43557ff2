// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds properties of a robot in its model: places and compliance of soles, masses of legs and torso, its pose.
#include "biped/ik.h"

#include <footfall/contact.h>
#include <footfall/math.h>

#include <stdlib.h>
#include <string.h>

/// Points of a foot within this height above its lowest point are of the sole.  [m]
#define SOLE 2e-3
/// Sinkage of the whole robot on one foot, for soles whose material has no stiffness.  [m]
#define SINKAGE 2e-3

static bool is_given(const ff_spec_biped *given, ff_biped_number number)
{
    return given && isfinite(given->numbers[number]);
}

// ------------------------------------------------------------------------------------------ base and legs

static ff_status find_base(const ff_model *m, ff_biped *out, ff_error *err)
{
    out->base = -1;
    for (int j = 0; j < m->njoint && out->base < 0; j++)
        if (m->joints[j].type == FF_JOINT_FREE) out->base = j;
    if (out->base < 0) return ff_error_set(err, FF_BAD_ARGUMENT, "a biped needs a base that moves freely");
    if (m->ntree != 1 || m->nv > FF_BIPED_DOFS || m->nq > FF_BIPED_DOFS + 1)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a biped is one tree of at most %d joints", FF_BIPED_DOFS - 6);
    if (m->nleg != FF_BIPED_FEET)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "a biped needs two legs, and the robot describes %d (`legs` of its file)", m->nleg);
    const ff_leg *one = &m->legs[0], *two = &m->legs[1];
    if (one->frame == two->frame || one->joints[one->njoint - 1] == two->joints[two->njoint - 1])
        return ff_error_set(err, FF_BAD_ARGUMENT, "legs '%.60s' and '%.60s' of the biped are the same leg", one->name,
                            two->name);
    if (one->njoint != two->njoint)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "legs '%.60s' and '%.60s' of the biped have %d and %d joints: they must be alike",
                            one->name, two->name, one->njoint, two->njoint);
    out->given = m->nbiped > 0 ? &m->bipeds[0] : NULL;
    out->torso = m->joints[out->base].body;
    if (out->given && out->given->torso) out->torso = ff_model_find_body(m, out->given->torso);
    if (!ff_model_is_below(m, out->torso, m->joints[out->base].body))
        return ff_error_set(err, FF_BAD_ARGUMENT, "the torso '%s' of the biped does not hang on its base",
                            m->bodies[out->torso].name);
    return FF_OK;
}

static bool is_driven(const ff_model *m, int joint)
{
    for (int i = 0; i < m->ndrive; i++)
        for (int k = 0; k < 2; k++)
            if (m->drives[i].joint[k] && strcmp(m->drives[i].joint[k], m->joints[joint].name) == 0) return true;
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuators[i].joint == joint) return true;
    return false;
}

static void hold_joints(const ff_model *m, ff_biped *out)
{
    for (int dof = 0; dof < m->nv; dof++)
        out->held[dof] = m->dof_joint[dof] != out->base && !is_driven(m, m->dof_joint[dof]);
}

static void list_chains(const ff_model *m, ff_biped *out)
{
    const int bodies[1 + FF_BIPED_FEET] = {out->torso, out->feet[0].body, out->feet[1].body};
    for (int i = 0; i < 1 + FF_BIPED_FEET; i++)
        for (int dof = 0; dof < m->nv; dof++)
            if (ff_model_is_below(m, bodies[i], m->joints[m->dof_joint[dof]].body))
                out->chain[i].dof[out->chain[i].count++] = dof;
}

static void foot_point(const ff_model *m, const ff_data *d, int leg, double out[3])
{
    const ff_frame *frame = &m->frames[m->legs[leg].frame];
    ff_dyn_point(m, d, frame->body, frame->pos, out);
}

/// The limb that is the foot of a leg.
static const ff_limb *limb_of(const ff_model *m, int leg)
{
    for (int i = 0; i < m->nlimb; i++)
        if (m->limbs[i].leg == leg) return &m->limbs[i];
    return NULL;
}

static bool is_of_foot(const ff_model *m, const ff_limb *limb, int body)
{
    for (int i = 0; i < limb->nbody; i++)
        if (limb->bodies[i] == body) return true;
    return limb->nbody == 0 && ff_model_is_below(m, body, limb->body);
}

// ------------------------------------------------------------------------------------------ sole

/// Lowest points of a shape in a pose: ends of round ones, corners of the box around others.
static int lowest_points(const ff_model *m, const ff_data *d, const ff_geom *g, double out[8][3])
{
    double centre[3], R[9], body[3], quat[4], turned[4];
    int n = 0;
    ff_dyn_body_pose(m, d, g->body, body, quat);
    ff_dyn_point(m, d, g->body, g->pos, centre);
    ff_quat_mul(turned, quat, g->quat);
    ff_quat_to_mat3(R, turned);
    if (g->shape.type == FF_SHAPE_SPHERE || g->shape.type == FF_SHAPE_CAPSULE) {
        const double half = g->shape.type == FF_SHAPE_CAPSULE ? g->shape.size[1] : 0.0;
        for (int end = -1; end <= (half > 0.0 ? 1 : -1); end += 2, n++)
            for (int k = 0; k < 3; k++)
                out[n][k] = centre[k] + end * half * R[3 * k + 2] - (k == 2 ? g->shape.size[0] : 0.0);
        return n;
    }
    double low[3], high[3];
    ff_shape_bounds(&g->shape, low, high);
    for (; n < 8; n++) {
        const double corner[3] = {n & 1 ? high[0] : low[0], n & 2 ? high[1] : low[1], n & 4 ? high[2] : low[2]};
        ff_mat3_mulv(out[n], R, corner);
        ff_vec3_add(out[n], out[n], centre);
    }
    return n;
}

/// Stiffness of each of n points of this shape under a load, 0 where its material has none: the slope of
/// f = s k p^e, of which the points share s.
static double stiffness_of(const ff_model *m, const ff_geom *g, int n, double load)
{
    ff_material material;
    if (!g->material) return 0.0;
    bool found = false;
    for (int i = 0; i < m->nmaterial && !found; i++) {
        found = strcmp(m->materials[i].name, g->material) == 0;
        if (found) material = m->materials[i];
    }
    if (!found && ff_material_find(g->material, &material, NULL) != FF_OK) return 0.0;
    const double k = material.per_point ? material.normal.stiffness : material.normal.stiffness / n;
    const double e = material.normal.exponent;
    if (!isfinite(k) || !(k > 0.0) || !(e > 0.0)) return 0.0;
    return e == 1.0 ? k : e * load / ff_pow(load / k, 1.0 / e);
}

/// Is shape i one of a foot that can touch?
static bool is_of_sole(const ff_model *m, const ff_limb *limb, int i)
{
    return m->geoms[i].role != FF_GEOM_VISUAL && m->geoms[i].body >= 0 && is_of_foot(m, limb, m->geoms[i].body);
}

/// Height of the lowest point of a foot.
static double sole_height(const ff_model *m, const ff_data *d, const ff_limb *limb)
{
    double low = INFINITY, points[8][3];
    for (int i = 0; i < m->ngeom; i++) {
        const int n = is_of_sole(m, limb, i) ? lowest_points(m, d, &m->geoms[i], points) : 0;
        for (int k = 0; k < n; k++) low = ff_min(low, points[k][2]);
    }
    return low;
}

static ff_status find_points(const ff_model *m, const ff_data *d, const ff_limb *limb, const double origin[3],
                             double weight, ff_biped_foot *foot, ff_error *err)
{
    double points[8][3];
    int geom[FF_BIPED_POINTS];
    foot->npoint = 0;
    for (int i = 0; i < m->ngeom; i++) {
        const int n = is_of_sole(m, limb, i) ? lowest_points(m, d, &m->geoms[i], points) : 0;
        for (int k = 0; k < n; k++) {
            if (points[k][2] > origin[2] + SOLE) continue;
            if (foot->npoint == FF_BIPED_POINTS)
                return ff_error_set(err, FF_BAD_ARGUMENT, "foot '%s' has more than %d points", foot->name,
                                    FF_BIPED_POINTS);
            geom[foot->npoint] = i;
            foot->points[foot->npoint++] =
                (ff_biped_point){.x = points[k][0] - origin[0], .y = points[k][1] - origin[1]};
        }
    }
    for (int i = 0; i < foot->npoint; i++) {
        int same = 0;
        for (int k = 0; k < foot->npoint; k++) same += geom[k] == geom[i];
        foot->points[i].stiffness = stiffness_of(m, &m->geoms[geom[i]], same, weight / foot->npoint);
    }
    return FF_OK;
}

/// The points that the file lists for the left foot; the right one mirrors them.
static void take_points(const ff_spec_biped *given, bool left, ff_biped_foot *foot)
{
    foot->npoint = given->nsole;
    for (int i = 0; i < given->nsole; i++)
        foot->points[i] = (ff_biped_point){.x = given->sole[i][0], .y = (left ? 1.0 : -1.0) * given->sole[i][1]};
}

/// Scales the stiffness to that of the file.
static void scale_points(const ff_spec_biped *given, double weight, ff_biped_foot *foot)
{
    double sum = 0.0;
    for (int i = 0; i < foot->npoint; i++) sum += foot->points[i].stiffness;
    const double whole = is_given(given, FF_BIPED_STIFFNESS) ? given->numbers[FF_BIPED_STIFFNESS] : weight / SINKAGE;
    for (int i = 0; i < foot->npoint && sum > 0.0 && is_given(given, FF_BIPED_STIFFNESS); i++)
        foot->points[i].stiffness *= whole / sum;
    for (int i = 0; i < foot->npoint && sum == 0.0; i++) foot->points[i].stiffness = whole / foot->npoint;
}

static void bound_pressure(const ff_spec_biped *given, bool left, ff_biped_foot *foot)
{
    if (!given) return;
    const double bounds[2][2] = {
        {given->ahead[0], given->ahead[1]},
        {left ? given->aside[0] : -given->aside[1], left ? given->aside[1] : -given->aside[0]}};
    for (int k = 0; k < 2; k++) {
        if (!isfinite(bounds[k][0])) continue;
        foot->low[k] = ff_max(foot->low[k], bounds[k][0]);
        foot->high[k] = ff_min(foot->high[k], bounds[k][1]);
    }
}

/// Computes U of sec. 5.2.1 from the points, whose forces are f_i = k_i (x_i pitch - y_i roll - z), and its inverse.
static ff_status invert_sole(ff_biped_foot *foot, ff_error *err)
{
    double U[9] = {0.0};
    for (int i = 0; i < foot->npoint; i++) {
        const ff_biped_point *p = &foot->points[i];
        const double row[3] = {-p->y, p->x, -1.0};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) U[3 * a + b] -= p->stiffness * row[a] * row[b];
        for (int k = 0; k < 2; k++) {
            foot->low[k] = ff_min(foot->low[k], k ? p->y : p->x);
            foot->high[k] = ff_max(foot->high[k], k ? p->y : p->x);
            foot->edge[k][0] = foot->low[k];
            foot->edge[k][1] = foot->high[k];
        }
    }
    foot->stiffness = -U[8];
    double cofactor[9];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const int a1 = (a + 1) % 3, a2 = (a + 2) % 3, b1 = (b + 1) % 3, b2 = (b + 2) % 3;
            cofactor[3 * b + a] = U[3 * a1 + b1] * U[3 * a2 + b2] - U[3 * a1 + b2] * U[3 * a2 + b1];
        }
    const double det = U[0] * cofactor[0] + U[1] * cofactor[3] + U[2] * cofactor[6];
    if (foot->npoint < 3 || !(fabs(det) > 1e-12 * foot->stiffness * foot->stiffness * foot->stiffness))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the sole of foot '%s' is no area: %d of its points touch level ground in this pose",
                            foot->name, foot->npoint);
    for (int k = 0; k < 9; k++) foot->compliance[k] = cofactor[k] / det;
    return FF_OK;
}

/// The frame of the sole: level, below the foot frame of the robot's file.
static void place_frame(const ff_model *m, const ff_data *d, const double origin[3], ff_biped_foot *foot)
{
    double pos[3], quat[4], away[3], R[9];
    ff_dyn_body_pose(m, d, foot->body, pos, quat);
    ff_quat_to_mat3(R, quat);
    ff_vec3_sub(away, origin, pos);
    ff_mat3_tmulv(foot->pos, R, away);
    ff_quat_conjugate(foot->quat, quat);
}

static ff_status make_foot(const ff_model *m, const ff_data *d, int leg, bool left, const ff_biped *robot,
                           ff_biped_foot *foot, ff_error *err)
{
    const ff_limb *limb = limb_of(m, leg);
    double origin[3];
    *foot = (ff_biped_foot){.name = m->legs[leg].name,
                            .body = m->frames[m->legs[leg].frame].body,
                            .low = {INFINITY, INFINITY},
                            .high = {-INFINITY, -INFINITY}};
    foot_point(m, d, leg, origin);
    origin[2] = sole_height(m, d, limb);
    if (!isfinite(origin[2]))
        return ff_error_set(err, FF_BAD_ARGUMENT, "foot '%s' has no shape that touches", foot->name);
    place_frame(m, d, origin, foot);
    ff_status status = FF_OK;
    if (robot->given && robot->given->nsole > 0)
        take_points(robot->given, left, foot);
    else
        status = find_points(m, d, limb, origin, robot->weight, foot, err);
    if (status == FF_OK) {
        scale_points(robot->given, robot->weight, foot);
        status = invert_sole(foot, err);
    }
    bound_pressure(robot->given, left, foot);
    if (status == FF_OK && !(foot->low[0] < foot->high[0] && foot->low[1] < foot->high[1]))
        return ff_error_set(err, FF_BAD_ARGUMENT, "'pressure' of the biped lies beside the sole of foot '%s'",
                            foot->name);
    for (int b = 0; b < m->nbody && status == FF_OK; b++) {
        if (!ff_model_is_below(m, b, foot->body)) continue;
        double com[3];
        ff_dyn_point(m, d, b, m->bodies[b].com, com);
        ff_vec3_sub(com, com, origin);
        ff_vec3_axpy(foot->mass_pos, m->bodies[b].mass, com);
        foot->mass += m->bodies[b].mass;
    }
    if (foot->mass > 0.0) ff_vec3_scale(foot->mass_pos, foot->mass_pos, 1.0 / foot->mass);
    return status;
}

// ------------------------------------------------------------------------------------------ masses

static void joint_point(const ff_model *m, const ff_data *d, int joint, double out[3])
{
    ff_dyn_point(m, d, m->joints[joint].body, m->joints[joint].pos, out);
}

/// The joint of a leg nearest to the middle between hip and foot.
static int find_knee(const ff_model *m, const ff_data *d, const ff_leg *leg)
{
    double hip[3], foot[3], at[3], best = INFINITY;
    int knee = leg->joints[0];
    joint_point(m, d, leg->joints[0], hip);
    joint_point(m, d, leg->joints[leg->njoint - 1], foot);
    for (int k = 0; k < leg->njoint; k++) {
        joint_point(m, d, leg->joints[k], at);
        const double off = fabs(at[2] - 0.5 * (hip[2] + foot[2]));
        if (off < best) {
            best = off;
            knee = leg->joints[k];
        }
    }
    return knee;
}

/// The planner's mass of a leg: that below the knee, and half of the thigh at the knee. @return that mass  [kg]
static double lump_leg(const ff_model *m, const ff_data *d, int leg, ff_biped *out, ff_biped_foot *foot)
{
    const int joint = find_knee(m, d, &m->legs[leg]), shank = m->joints[joint].body, thigh = m->bodies[shank].parent;
    double sum[3] = {0.0}, knee[3], ankle[3], upper[3], lower[3], origin[3], mass = 0.0;
    for (int b = 0; b < m->nbody; b++) {
        double com[3];
        if (!ff_model_is_below(m, b, shank)) continue;
        ff_dyn_point(m, d, b, m->bodies[b].com, com);
        ff_vec3_axpy(sum, m->bodies[b].mass, com);
        mass += m->bodies[b].mass;
    }
    joint_point(m, d, joint, knee);
    joint_point(m, d, m->legs[leg].joints[0], foot->hip);
    joint_point(m, d, m->legs[leg].joints[m->legs[leg].njoint - 1], ankle);
    if (thigh >= 0 && thigh != out->torso) {
        ff_vec3_axpy(sum, 0.5 * m->bodies[thigh].mass, knee);
        mass += 0.5 * m->bodies[thigh].mass;
    }
    ff_dyn_point(m, d, foot->body, foot->pos, origin);
    ff_vec3_sub(foot->ankle, ankle, origin);
    for (int k = 0; k < 3; k++) foot->lump[k] = sum[k] / mass - origin[k];
    ff_vec3_sub(upper, foot->hip, knee);
    ff_vec3_sub(lower, knee, ankle);
    out->leg = ff_min(out->leg, ff_vec3_norm(upper) + ff_vec3_norm(lower));
    return mass;
}

/// Applies the numbers of the file to the legs, and finds the hips relative to the planner's mass of the torso.
static ff_status weigh_torso(ff_biped *out, ff_error *err)
{
    const ff_spec_biped *given = out->given;
    double torso[3];
    if (is_given(given, FF_BIPED_LEG_MASS)) out->leg_mass = given->numbers[FF_BIPED_LEG_MASS];
    out->reach = is_given(given, FF_BIPED_REACH) ? given->numbers[FF_BIPED_REACH] : 0.99 * out->leg;
    const double body = out->mass - 2.0 * out->leg_mass;
    if (!(body > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "two legs of %g kg leave nothing of the %g kg of the biped",
                            out->leg_mass, out->mass);
    ff_vec3_scale(torso, out->com, out->mass / body);
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        ff_biped_foot *foot = &out->feet[f];
        for (int k = 0; k < 3 && given && isfinite(given->leg_com[0]); k++)
            foot->lump[k] = (k == 1 && f == 1 ? -1.0 : 1.0) * given->leg_com[k];
        const double place[3] = {foot->lump[0], foot->lump[1] + (f == 0 ? 0.5 : -0.5) * out->width, foot->lump[2]};
        ff_vec3_axpy(torso, -out->leg_mass / body, place);
    }
    for (int f = 0; f < FF_BIPED_FEET; f++) ff_vec3_sub(out->feet[f].hip, out->feet[f].hip, torso);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ making

/// The pose with soles on z = 0, x = y = 0 between the feet.
static void stand_up(const ff_model *m, ff_data *d, ff_biped *out)
{
    double *base = d->q + m->joints[out->base].qadr, one[3], two[3], pos[3], quat[4];
    memset(base, 0, 3 * sizeof *base);
    ff_dyn_kinematics(m, d);
    foot_point(m, d, 0, one);
    foot_point(m, d, 1, two);
    base[0] = -0.5 * (one[0] + two[0]);
    base[1] = -0.5 * (one[1] + two[1]);
    base[2] = -ff_min(sole_height(m, d, limb_of(m, 0)), sole_height(m, d, limb_of(m, 1)));
    ff_dyn_kinematics(m, d);
    ff_dyn_body_pose(m, d, out->torso, pos, quat);
    ff_quat_conjugate(out->torso_quat, quat);
    memcpy(out->q, d->q, (size_t)m->nq * sizeof *out->q);
}

/// Feet must be side by side on level ground, as the planner begins with that.
static ff_status check_stance(const ff_model *m, const ff_data *d, const double one[3], const double two[3],
                              ff_error *err)
{
    const double up = sole_height(m, d, limb_of(m, 0)) - sole_height(m, d, limb_of(m, 1));
    if (fabs(up) > SOLE)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the biped does not stand level: one sole lies %.1f mm above the other in its pose",
                            1e3 * fabs(up));
    if (fabs(one[0] - two[0]) > SOLE)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the biped does not stand with its feet side by side: one is %.1f mm ahead in its pose",
                            1e3 * fabs(one[0] - two[0]));
    return FF_OK;
}

static ff_status describe(const ff_model *m, ff_data *d, ff_biped *out, ff_error *err)
{
    double one[3], two[3];
    stand_up(m, d, out);
    foot_point(m, d, 0, one);
    foot_point(m, d, 1, two);
    const int left = one[1] > two[1] ? 0 : 1;
    out->mass = m->mass - m->fixed_mass;
    out->weight = out->mass * sqrt(ff_vec3_dot(m->gravity, m->gravity));
    out->width = fabs(one[1] - two[1]);
    out->leg = INFINITY;
    if (!(out->weight > 0.0)) return ff_error_set(err, FF_BAD_ARGUMENT, "a biped needs weight to walk");
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const int leg = f == 0 ? left : 1 - left;
        const ff_status status = make_foot(m, d, leg, f == 0, out, &out->feet[f], err);
        if (status != FF_OK) return status;
        out->leg_mass += 0.5 * lump_leg(m, d, leg, out, &out->feet[f]);
    }
    const ff_status status = check_stance(m, d, one, two, err);
    if (status != FF_OK) return status;
    ff_dyn_com(m, d, out->com);
    list_chains(m, out);
    ff_biped_find_hulls(d, out);
    return weigh_torso(out, err);
}

/// The pose in which it stands, -1: the reference pose.
static ff_status find_pose(const ff_model *m, const ff_spec_biped *given, const char *pose, int *key, ff_error *err)
{
    const char *name = pose ? pose : given && given->pose ? given->pose : NULL;
    if (name) return ff_model_need_key(m, name, key, err);
    *key = ff_model_find_key(m, "stand");
    return FF_OK;
}

/// Finds all properties in the model.
static ff_status find_all(const ff_model *m, const char *pose, ff_biped *out, ff_error *err)
{
    int key = -1;
    ff_status status = find_base(m, out, err);
    if (status == FF_OK) status = find_pose(m, out->given, pose, &key, err);
    if (status != FF_OK) return status;
    hold_joints(m, out);
    ff_data *d = ff_data_create(m, err);
    if (!d) return FF_NO_MEMORY;
    if (key >= 0) memcpy(d->q, m->keys[key].q, (size_t)m->nq * sizeof *d->q);
    status = describe(m, d, out, err);
    ff_data_destroy(d);
    return status;
}

ff_biped *ff_biped_create(const ff_model *model, const char *pose, ff_error *err)
{
    ff_biped *robot = calloc(1, sizeof *robot);
    if (!robot) return ff_error_set(err, FF_NO_MEMORY, "no memory for a biped"), NULL;
    robot->model = model;
    if (find_all(model, pose, robot, err) == FF_OK) return robot;
    ff_biped_destroy(robot);
    return NULL;
}

void ff_biped_destroy(ff_biped *robot)
{
    free(robot);
}

const double *ff_biped_standing_pose(const ff_biped *robot)
{
    return robot->q;
}
