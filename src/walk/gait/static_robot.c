// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of its robot for the static walk: legs and their sides, soles, the stance, the joint that leans the trunk.
#include "dyn/packed.h"
#include "gait/static_walk.h"

#include <footfall/math.h>
#include <math.h>
#include <string.h>

void ff_static_walk_foot_axes(const ff_static_walk_foot *foot, double R[9])
{
    const double rpy[3] = {foot->tilt[0], foot->tilt[1], foot->yaw};
    double quat[4];
    ff_quat_from_rpy(quat, rpy);
    ff_quat_to_mat3(R, quat);
}

void ff_static_walk_tilt_of(const double R[9], double yaw, double tilt[2])
{
    // z of Rz(yaw) Ry(pitch) Rx(roll) is (sin pitch cos roll, -sin roll, cos pitch cos roll) in the axes of the yaw
    const double up[2] = {R[2], R[5]};
    double turned[2];
    ff_gait_turn(-yaw, up, turned);
    tilt[0] = ff_atan2(-turned[1], sqrt(ff_max(0.0, 1.0 - turned[1] * turned[1])));
    tilt[1] = ff_atan2(turned[0], R[8]);
}

// ------------------------------------------------------------------------------------------ legs

/// The body that carries both legs.
static int carrier_of(const ff_model *m)
{
    int body = m->bodies[m->joints[m->legs[0].joints[0]].body].parent;
    const int other = m->bodies[m->joints[m->legs[1].joints[0]].body].parent;
    return body == other ? body : -1;
}

static ff_status find_legs(const ff_model *m, ff_data *d, ff_static_walk_robot *robot, ff_error *err)
{
    ff_leg_chain chain[2];
    if (m->nleg != 2)
        return ff_error_set(err, FF_BAD_MODEL,
                            "the robot describes %d legs; a biped has two ('legs' of the robot file)", m->nleg);
    robot->root = carrier_of(m);
    robot->base = robot->root >= 0 ? ff_gait_free_joint(m, robot->root) : -1;
    if (robot->base < 0)
        return ff_error_set(err, FF_BAD_MODEL, "a biped needs a pelvis with a free joint that carries both legs");
    for (int i = 0; i < 2; i++) {
        const ff_status status = ff_leg_chain_make(m, d, &m->legs[i], robot->root, &chain[i], err);
        if (status != FF_OK) return status;
    }
    robot->leg[0] = chain[0].end.p[1] > chain[1].end.p[1] ? 0 : 1;
    robot->leg[1] = 1 - robot->leg[0];
    for (int side = 0; side < 2; side++) robot->chain[side] = chain[robot->leg[side]];
    robot->half = 0.5 * (robot->chain[0].end.p[1] - robot->chain[1].end.p[1]);
    robot->height = -0.5 * (robot->chain[0].end.p[2] + robot->chain[1].end.p[2]) + m->legs[0].radius;
    if (!(robot->half > 0.0) || !(robot->height > 0.0))
        return ff_error_set(err, FF_BAD_MODEL, "in its pose the feet of a biped lie side by side below the pelvis");
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ soles

static void add_corner(ff_static_walk_robot *robot, int side, const double point[3])
{
    if (robot->ncorner[side] == FF_STATIC_WALK_CORNERS) return;
    double *corner = robot->corner[side][robot->ncorner[side]++];
    corner[0] = point[0];
    corner[1] = point[1];
}

/// Adds points of a shape that can touch the ground: the middle of a sphere, the corners of a box seen from above.
static void add_shape(ff_static_walk_robot *robot, int side, const ff_geom *geom, const double about[3])
{
    const double *size = geom->shape.size;
    const bool box = geom->shape.type == FF_SHAPE_BOX;
    for (int k = 0; k < (box ? 4 : 1); k++) {
        const double local[3] = {box ? (k & 1 ? size[0] : -size[0]) : 0.0, box ? (k & 2 ? size[1] : -size[1]) : 0.0,
                                 0.0};
        double point[3];
        ff_quat_rotate(point, geom->quat, local);
        ff_vec3_add(point, point, geom->pos);
        ff_vec3_sub(point, point, about);
        add_corner(robot, side, point);
    }
}

static ff_status find_soles(const ff_model *m, ff_static_walk_robot *robot, ff_error *err)
{
    for (int side = 0; side < 2; side++) {
        const ff_frame *frame = &m->frames[m->legs[robot->leg[side]].frame];
        for (int i = 0; i < m->ngeom; i++)
            if (m->geoms[i].body == frame->body && m->geoms[i].role != FF_GEOM_VISUAL)
                add_shape(robot, side, &m->geoms[i], frame->pos);
        if (robot->ncorner[side] < 3)
            return ff_error_set(err, FF_BAD_MODEL,
                                "the foot of leg '%.40s' has no sole: three spheres or a box on its body",
                                m->legs[robot->leg[side]].name);
    }
    return FF_OK;
}

void ff_static_walk_support(const ff_static_walk_robot *robot, const ff_static_walk_state *memory,
                            const bool carries[2], ff_support *support)
{
    double points[2 * FF_STATIC_WALK_CORNERS][2];
    int n = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; carries[side] && k < robot->ncorner[side]; k++, n++) {
            const ff_static_walk_foot *foot = &memory->foot[side];
            ff_gait_turn(foot->yaw, robot->corner[side][k], points[n]);
            points[n][0] += foot->place[0];
            points[n][1] += foot->place[1];
        }
    ff_support_make(support, (const double(*)[2])points, n);
}

// ------------------------------------------------------------------------------------------ trunk

static ff_status find_trunk(const ff_model *m, ff_data *d, ff_static_walk_robot *robot, ff_error *err)
{
    robot->trunk = robot->options.trunk ? ff_model_find_joint(m, robot->options.trunk) : -1;
    if (!robot->options.trunk) return FF_OK;
    if (robot->trunk < 0 || m->joints[robot->trunk].type != FF_JOINT_HINGE)
        return ff_error_set(err, FF_NOT_FOUND, "the robot has no hinge '%.60s' that could lean its trunk",
                            robot->options.trunk);
    double before[3], after[3];
    double *q = &d->q[m->joints[robot->trunk].qadr];
    ff_dyn_com(m, d, before);
    *q += 0.1;
    ff_dyn_kinematics(m, d);
    ff_dyn_com(m, d, after);
    *q -= 0.1;
    ff_dyn_kinematics(m, d);
    robot->trunk_sign = after[1] > before[1] ? 1.0 : -1.0;
    if (fabs(after[1] - before[1]) < 1e-6)
        return ff_error_set(err, FF_BAD_ARGUMENT, "joint '%.60s' does not lean the trunk sideways",
                            robot->options.trunk);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ making

ff_status ff_static_walk_robot_make(const ff_model *m, const ff_static_walk_options *options, ff_data *d,
                                    ff_static_walk_robot *robot, ff_error *err)
{
    *robot = (ff_static_walk_robot){.model = m, .options = *options};
    if (m->nq > FF_STATIC_WALK_COORDINATES || m->njoint > FF_STATIC_WALK_COORDINATES)
        return ff_error_set(err, FF_BAD_MODEL, "a biped has at most %d coordinates, this robot %d",
                            FF_STATIC_WALK_COORDINATES, m->nq);
    int key;
    if (ff_model_need_key(m, options->pose, &key, err) != FF_OK) return FF_NOT_FOUND;
    memcpy(d->q, m->keys[key].q, (size_t)m->nq * sizeof *d->q);
    if (m->nleg == 2 && carrier_of(m) >= 0) ff_gait_place_root(m, ff_gait_free_joint(m, carrier_of(m)), 0.0, d->q);
    memcpy(robot->stand, d->q, (size_t)m->nq * sizeof *d->q);
    ff_dyn_kinematics(m, d);
    ff_status status = find_legs(m, d, robot, err);
    if (status == FF_OK) status = find_soles(m, robot, err);
    if (status == FF_OK) status = find_trunk(m, d, robot, err);
    if (status != FF_OK) return status;
    double com[3];
    ff_dyn_com(m, d, com);
    for (int k = 0; k < 2; k++) robot->com[k] = com[k] - 0.5 * (robot->chain[0].end.p[k] + robot->chain[1].end.p[k]);
    robot->com_height = com[2] + robot->height;
    robot->weight = (m->mass - m->fixed_mass - ff_dyn_lifted_mass(m)) * ff_vec3_norm(m->gravity);
    return FF_OK;
}
