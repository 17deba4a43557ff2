// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What planner and stabiliser must know of a robot, found in its model: where its soles are and how they give way, how
// its mass is shared between legs and torso, and how it stands.
#include <footfall/biped.h>

#include <footfall/contact.h>
#include <footfall/math.h>

#include <string.h>

/// Points within this of the lowest one of a foot carry it.  [m]
#define SOLE 2e-3
/// Sinkage of the whole robot on one foot, for soles whose material does not say.  [m]
#define SINKAGE 2e-3

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
    out->torso = m->joints[out->base].body;
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

static bool is_below(const ff_model *m, int body, int above)
{
    while (body >= 0 && body != above) body = m->bodies[body].parent;
    return body == above;
}

static bool is_of_foot(const ff_model *m, const ff_limb *limb, int body)
{
    for (int i = 0; i < limb->nbody; i++)
        if (limb->bodies[i] == body) return true;
    return limb->nbody == 0 && is_below(m, body, limb->body);
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

/// Stiffness of a point of this shape, 0 where its material does not tell.
static double stiffness_of(const ff_model *m, const ff_geom *g)
{
    ff_material material;
    if (!g->material) return 0.0;
    bool found = false;
    for (int i = 0; i < m->nmaterial && !found; i++) {
        found = strcmp(m->materials[i].name, g->material) == 0;
        if (found) material = m->materials[i];
    }
    if (!found && ff_material_find(g->material, &material, NULL) != FF_OK) return 0.0;
    const bool tells = material.per_point && material.normal.exponent == 1.0 && isfinite(material.normal.stiffness);
    return tells ? material.normal.stiffness : 0.0;
}

/// Height of the lowest point of a foot.
static double sole_height(const ff_model *m, const ff_data *d, const ff_limb *limb)
{
    double low = INFINITY, points[8][3];
    for (int i = 0; i < m->ngeom; i++) {
        if (m->geoms[i].role == FF_GEOM_VISUAL || m->geoms[i].body < 0 || !is_of_foot(m, limb, m->geoms[i].body))
            continue;
        const int n = lowest_points(m, d, &m->geoms[i], points);
        for (int k = 0; k < n; k++) low = ff_min(low, points[k][2]);
    }
    return low;
}

static ff_status find_points(const ff_model *m, const ff_data *d, const ff_limb *limb, const double origin[3],
                             ff_biped_foot *foot, ff_error *err)
{
    double points[8][3];
    foot->npoint = 0;
    for (int i = 0; i < m->ngeom; i++) {
        if (m->geoms[i].role == FF_GEOM_VISUAL || m->geoms[i].body < 0 || !is_of_foot(m, limb, m->geoms[i].body))
            continue;
        const int n = lowest_points(m, d, &m->geoms[i], points);
        for (int k = 0; k < n; k++) {
            if (points[k][2] > origin[2] + SOLE) continue;
            if (foot->npoint == FF_BIPED_POINTS)
                return ff_error_set(err, FF_BAD_ARGUMENT, "foot '%s' has more than %d points", foot->name,
                                    FF_BIPED_POINTS);
            foot->points[foot->npoint++] = (ff_biped_point){.x = points[k][0] - origin[0],
                                                            .y = points[k][1] - origin[1],
                                                            .stiffness = stiffness_of(m, &m->geoms[i])};
        }
    }
    return FF_OK;
}

/// U of sec. 5.2.1 over the points instead of an area, and its inverse. Their load tilts and lowers the foot:
/// f_i = k_i (x_i pitch - y_i roll - z).
static ff_status invert_sole(ff_biped_foot *foot, double weight, ff_error *err)
{
    double U[9] = {0.0}, sum = 0.0;
    for (int i = 0; i < foot->npoint; i++) sum += foot->points[i].stiffness;
    for (int i = 0; i < foot->npoint; i++) {
        ff_biped_point *p = &foot->points[i];
        if (sum == 0.0) p->stiffness = weight / SINKAGE / foot->npoint;
        const double row[3] = {-p->y, p->x, -1.0};
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) U[3 * a + b] -= p->stiffness * row[a] * row[b];
        for (int k = 0; k < 2; k++) {
            foot->low[k] = ff_min(foot->low[k], k ? p->y : p->x);
            foot->high[k] = ff_max(foot->high[k], k ? p->y : p->x);
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

/// The frame of the sole: level, below the frame that the robot's file leads.
static void place_frame(const ff_model *m, const ff_data *d, const double origin[3], ff_biped_foot *foot)
{
    double pos[3], quat[4], away[3], R[9];
    ff_dyn_body_pose(m, d, foot->body, pos, quat);
    ff_quat_to_mat3(R, quat);
    ff_vec3_sub(away, origin, pos);
    ff_mat3_tmulv(foot->pos, R, away);
    ff_quat_conjugate(foot->quat, quat);
}

static ff_status make_foot(const ff_model *m, const ff_data *d, int leg, double weight, ff_biped_foot *foot,
                           ff_error *err)
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
    ff_status status = find_points(m, d, limb, origin, foot, err);
    if (status == FF_OK) status = invert_sole(foot, weight, err);
    for (int b = 0; b < m->nbody && status == FF_OK; b++) {
        if (!is_below(m, b, foot->body)) continue;
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

/// The planner's mass of a leg: all below the knee, and half the thigh at the knee.
static void lump_leg(const ff_model *m, const ff_data *d, int leg, ff_biped *out, ff_biped_foot *foot)
{
    const int joint = find_knee(m, d, &m->legs[leg]), shank = m->joints[joint].body, thigh = m->bodies[shank].parent;
    double sum[3] = {0.0}, knee[3], hip[3], ankle[3], away[3], origin[3], mass = 0.0;
    for (int b = 0; b < m->nbody; b++) {
        double com[3];
        if (!is_below(m, b, shank)) continue;
        ff_dyn_point(m, d, b, m->bodies[b].com, com);
        ff_vec3_axpy(sum, m->bodies[b].mass, com);
        mass += m->bodies[b].mass;
    }
    joint_point(m, d, joint, knee);
    joint_point(m, d, m->legs[leg].joints[0], hip);
    joint_point(m, d, m->legs[leg].joints[m->legs[leg].njoint - 1], ankle);
    if (thigh >= 0 && thigh != out->torso) {
        ff_vec3_axpy(sum, 0.5 * m->bodies[thigh].mass, knee);
        mass += 0.5 * m->bodies[thigh].mass;
    }
    ff_dyn_point(m, d, foot->body, foot->pos, origin);
    for (int k = 0; k < 3; k++) foot->lump[k] = sum[k] / mass - origin[k];
    out->leg_mass = mass;
    ff_vec3_sub(away, hip, knee);
    out->reach = ff_vec3_norm(away);
    ff_vec3_sub(away, knee, ankle);
    out->reach += ff_vec3_norm(away);
}

// ------------------------------------------------------------------------------------------ all

/// The pose with an upright base, soles on z = 0, x = y = 0 between the feet.
static void stand_up(const ff_model *m, ff_data *d, ff_biped *out)
{
    double *base = d->q + m->joints[out->base].qadr, one[3], two[3];
    memset(base, 0, 7 * sizeof *base);
    base[3] = 1.0;
    ff_dyn_kinematics(m, d);
    foot_point(m, d, 0, one);
    foot_point(m, d, 1, two);
    base[0] = -0.5 * (one[0] + two[0]);
    base[1] = -0.5 * (one[1] + two[1]);
    base[2] = -ff_min(sole_height(m, d, limb_of(m, 0)), sole_height(m, d, limb_of(m, 1)));
    ff_dyn_kinematics(m, d);
    memcpy(out->q, d->q, (size_t)m->nq * sizeof *out->q);
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
    if (!(out->weight > 0.0)) return ff_error_set(err, FF_BAD_ARGUMENT, "a biped needs weight to walk");
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const int leg = f == 0 ? left : 1 - left;
        const ff_status status = make_foot(m, d, leg, out->weight, &out->feet[f], err);
        if (status != FF_OK) return status;
        lump_leg(m, d, leg, out, &out->feet[f]);
    }
    ff_dyn_com(m, d, out->com);
    return FF_OK;
}

ff_status ff_biped_make(const ff_model *m, const char *pose, ff_biped *out, ff_error *err)
{
    *out = (ff_biped){.model = m};
    ff_status status = find_base(m, out, err);
    if (status != FF_OK) return status;
    hold_joints(m, out);
    const int key = pose ? ff_model_find_key(m, pose) : -1;
    if (pose && key < 0) return ff_error_set(err, FF_NOT_FOUND, "the robot has no pose '%.60s'", pose);
    ff_data *d = ff_data_create(m, err);
    if (!d) return FF_NO_MEMORY;
    if (key >= 0) memcpy(d->q, m->keys[key].q, (size_t)m->nq * sizeof *d->q);
    status = describe(m, d, out, err);
    ff_data_destroy(d);
    return status;
}
