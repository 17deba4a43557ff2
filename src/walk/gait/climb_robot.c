// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of a robot for the planner of climbs: rows of legs, joints that bend its body, boxes of bodies.
#include "control/setting.h"
#include "dyn/packed.h"
#include "gait/climb_plan.h"

#include <footfall/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double HEAD_UP =
    0.7; // preferred angle of joints that carry no legs: the head does not touch the ledge [rad]

// ------------------------------------------------------------------------------------------ legs

static ff_status check_model(const ff_model *m, ff_error *err)
{
    if (m->nleg < 4 || m->nleg > FF_CLIMB_LEGS || m->nleg % 2)
        return ff_error_set(err, FF_BAD_MODEL,
                            "climbing needs an even number of legs, 4 to %d in rows of two; the robot describes %d",
                            FF_CLIMB_LEGS, m->nleg);
    if (m->njoint < 1 || m->joints[0].type != FF_JOINT_FREE)
        return ff_error_set(err, FF_BAD_MODEL, "climbing needs a robot whose first joint is a free base");
    for (int i = 0; i < m->nleg; i++)
        if (m->legs[i].njoint != 3)
            return ff_error_set(err, FF_BAD_MODEL, "leg %.40s has %d joints; climbing legs have 3", m->legs[i].name,
                                m->legs[i].njoint);
    return FF_OK;
}

/// Centre of a foot in the pose of d, world  [m].
static void find_foot(const ff_model *m, const ff_data *d, int leg, double foot[3])
{
    const ff_frame *frame = &m->frames[m->legs[leg].frame];
    ff_dyn_point(m, d, frame->body, frame->pos, foot);
}

static void swap(int *a, int *b)
{
    const int c = *a;
    *a = *b;
    *b = c;
}

/// Sorts legs by rows from the front, left before right. The two of a row must stand opposite each other.
static ff_status sort_legs(ff_climb_robot *robot, ff_error *err)
{
    const ff_model *m = robot->model;
    double foot[FF_CLIMB_LEGS][3];
    robot->rows = m->nleg / 2;
    for (int i = 0; i < m->nleg; i++) {
        find_foot(m, robot->d, i, foot[i]);
        robot->legs[i] = i;
    }
    for (int i = 1; i < m->nleg; i++)
        for (int k = i; k > 0 && foot[robot->legs[k]][0] > foot[robot->legs[k - 1]][0] + 1e-6; k--)
            swap(&robot->legs[k], &robot->legs[k - 1]);
    for (int row = 0; row < robot->rows; row++) {
        int *pair = robot->legs + 2 * (size_t)row;
        if (foot[pair[0]][1] < foot[pair[1]][1]) swap(&pair[0], &pair[1]);
        const double *left = foot[pair[0]], *right = foot[pair[1]];
        if (fabs(left[0] - right[0]) > 1e-6 || fabs(left[2] - right[2]) > 1e-6 || fabs(left[1] + right[1]) > 1e-6)
            return ff_error_set(err, FF_BAD_MODEL,
                                "feet of legs %.40s and %.40s do not stand opposite each other in the pose '%.40s'",
                                m->legs[pair[0]].name, m->legs[pair[1]].name, robot->options.pose);
        robot->side[2 * row] = left[1];
        robot->side[2 * row + 1] = right[1];
        robot->radius[row] = m->legs[pair[0]].radius;
    }
    return FF_OK;
}

/// Largest radius of the capsules and cylinders of a body.
static double radius_of(const ff_model *m, int body)
{
    double radius = 0.0;
    for (int i = 0; i < m->ngeom; i++) {
        const ff_geom *g = &m->geoms[i];
        const bool round = g->shape.type == FF_SHAPE_CAPSULE || g->shape.type == FF_SHAPE_CYLINDER;
        if (g->body == body && round) radius = ff_max(radius, g->shape.size[0]);
    }
    return radius;
}

static ff_status take_legs(ff_climb_robot *robot, ff_error *err)
{
    const ff_model *m = robot->model;
    ff_status status = sort_legs(robot, err);
    for (int i = 0; i < m->nleg && status == FF_OK; i++) {
        const ff_leg *leg = &m->legs[robot->legs[i]];
        status = ff_leg_ik_make(m, leg, robot->stand, &robot->ik[i], err);
        for (int k = 0; k < 3; k++) {
            if (i % 2 == 0) robot->limb[i / 2][k] = radius_of(m, m->joints[leg->joints[k]].body);
            robot->joints[robot->njoint++] = leg->joints[k];
        }
        const int body = robot->ik[i].body, node = body >= 0 ? m->bodies[body].node : 0;
        robot->carrier = node > robot->carrier ? node : robot->carrier;
    }
    return status;
}

// ------------------------------------------------------------------------------------------ body

/// Does a body move with a leg?
static bool is_of_leg(const ff_model *m, int body)
{
    for (int i = 0; i < m->nleg; i++)
        if (ff_model_is_below(m, body, m->joints[m->legs[i].joints[0]].body)) return true;
    return false;
}

static bool is_driven(const ff_model *m, int joint)
{
    for (int i = 0; i < m->ndrive; i++)
        if (!m->drives[i].joint[1] && strcmp(m->drives[i].joint[0], m->joints[joint].name) == 0) return true;
    for (int i = 0; i < m->nactuator; i++)
        if (m->actuators[i].joint == joint) return true;
    return false;
}

/// Does a body carry a leg, itself or by bodies that hang on it?
static bool carries_legs(const ff_climb_robot *robot, int body)
{
    for (int i = 0; i < robot->model->nleg; i++)
        if (ff_model_is_below(robot->model, robot->ik[i].body, body)) return true;
    return false;
}

/// An angle brought to at least `limit` from the limits of the joint.  [rad]
static double within_limits(const ff_joint *joint, double angle, double limit)
{
    return joint->limited ? ff_max(joint->range[0] + limit, ff_min(joint->range[1] - limit, angle)) : angle;
}

/// Lists the driven joints of the body, and those of them that bend it up and down.
static void take_joints(ff_climb_robot *robot)
{
    const ff_model *m = robot->model;
    for (int j = 0; j < m->njoint && robot->njoint < FF_CLIMB_JOINTS; j++) {
        const ff_joint *joint = &m->joints[j];
        double pos[3], quat[4], axis[3];
        if (joint->type != FF_JOINT_HINGE || is_of_leg(m, joint->body) || !is_driven(m, j)) continue;
        robot->joints[robot->njoint++] = j;
        ff_dyn_body_pose(m, robot->d, joint->body, pos, quat);
        ff_quat_rotate(axis, quat, joint->axis);
        if (fabs(axis[1]) < 0.999 || robot->npitch == FF_CLIMB_PITCHES) continue;
        const bool legs = carries_legs(robot, joint->body);
        robot->held[robot->npitch] = robot->options.rigid && legs;
        robot->usual[robot->npitch] =
            legs ? 0.0 : within_limits(joint, axis[1] < 0.0 ? HEAD_UP : -HEAD_UP, robot->options.limit);
        robot->pitch[robot->npitch++] = j;
    }
}

static void take_boxes(ff_climb_robot *robot)
{
    const ff_model *m = robot->model;
    for (int i = 0; i < m->ngeom && robot->nbox < FF_CLIMB_BOXES; i++) {
        const ff_geom *g = &m->geoms[i];
        double low[3], high[3], middle[3];
        if (g->role == FF_GEOM_VISUAL || g->body < 0 || is_of_leg(m, g->body) || g->shape.type == FF_SHAPE_PLANE)
            continue;
        ff_climb_box *box = &robot->boxes[robot->nbox++];
        ff_shape_bounds(&g->shape, low, high);
        box->body = g->body;
        ff_quat_to_mat3(box->R, g->quat);
        for (int k = 0; k < 3; k++) {
            middle[k] = 0.5 * (low[k] + high[k]);
            box->half[k] = 0.5 * (high[k] - low[k]);
        }
        ff_mat3_mulv(box->pos, box->R, middle);
        ff_vec3_add(box->pos, box->pos, g->pos);
    }
}

/// The stance in the plan frame, in which the plan begins: feet on the ground, the root at its distance from the wall.
static ff_status take_stance(ff_climb_robot *robot, ff_error *err)
{
    const ff_model *m = robot->model;
    const double *q = robot->stand + m->joints[robot->base].qadr;
    double foot[3], lowest = INFINITY, hip = 0.0;
    for (int i = 0; i < m->nleg; i++) {
        double world[3];
        find_foot(m, robot->d, robot->legs[i], foot);
        lowest = ff_min(lowest, foot[2] - robot->radius[i / 2]);
        ff_dyn_point(m, robot->d, robot->ik[i].body, robot->ik[i].p, world);
        hip += (world[2] - foot[2]) / m->nleg;
    }
    if (fabs(q[4]) + fabs(q[5]) + fabs(q[6]) > 1e-9)
        return ff_error_set(err, FF_BAD_MODEL, "in the pose '%.40s' the robot is not level", robot->options.pose);
    robot->height = hip;
    robot->start = (ff_climb_body){.x = -robot->options.distance, .z = q[2] - lowest};
    for (int i = 0; i < robot->npitch; i++) robot->start.bend[i] = robot->stand[m->joints[robot->pitch[i]].qadr];
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ settings and making

#define OF ff_climb_options
const ff_row ff_climb_settings[] = {
    FF_SETTING_NUMBER("height", height, "m", FF_BETWEEN(0, 10), "0.1", "height of the ledge"),
    FF_SETTING_NUMBER("distance", distance, "m", FF_BETWEEN(0, 10), "0.5",
                      "distance of the wall from the root body's origin"),
    FF_SETTING_NUMBER("margin", margin, "m", FF_BETWEEN(0, 1), "0.02", "least stability margin of the centre of mass"),
    FF_SETTING_NUMBER("clearance", clearance, "m", FF_BETWEEN(0, 1), "0.008",
                      "gap between bodies or limbs and the ground"),
    FF_SETTING_NUMBER("edge", edge, "m", FF_BETWEEN(0, 1), "0.022",
                      "distance of the middle of a foot from edge and wall"),
    FF_SETTING_NUMBER("gap", gap, "m", FF_BETWEEN(0, 1), "0.04", "distance between neighbouring feet of one side"),
    FF_SETTING_NUMBER("lift", lift, "m", FF_BETWEEN(0, 1), "0.02", "height of a foot above what it steps over"),
    FF_SETTING_NUMBER("limit", limit, "rad", FF_BETWEEN(0, 1), "0.03", "distance of joints from their limits"),
    FF_SETTING_NUMBER("torque", torque, "", FF_BETWEEN(0, 1), "0.8", "share of a drive's torque that weight may need"),
    FF_SETTING_NUMBER("joint_speed", joint_speed, "rad/s", FF_BETWEEN(1e-3, 100), "1.2", "largest speed of a joint"),
    FF_SETTING_NUMBER("foot_speed", foot_speed, "m/s", FF_BETWEEN(1e-4, 10), "0.25", "speed of a foot in the air"),
    FF_SETTING_NUMBER("body_speed", body_speed, "m/s", FF_BETWEEN(1e-4, 10), "0.06", "speed of the body"),
    FF_SETTING_SWITCH("look", look, "false", "measure height and distance by a distance sensor in the head, then plan"),
    FF_SETTING_SWITCH("rigid", rigid, "false", "joints between the segments of the body are held"),
    FF_SETTING_TEXT("pose", pose, "stand", "standing pose, from the robot's file"),
    {0},
};
#undef OF

FF_DEFINE_DEFAULT(ff_climb_options, ff_climb_settings)

ff_status ff_climb_robot_make(const ff_model *model, const ff_climb_options *options, ff_climb_robot *robot,
                              ff_error *err)
{
    const char *pose = options->pose ? options->pose : "stand";
    int key;
    *robot = (ff_climb_robot){.model = model, .options = *options};
    robot->options.pose = pose;
    ff_status status = ff_settings_check(ff_climb_settings, options, err);
    if (status == FF_OK) status = check_model(model, err);
    if (status != FF_OK) return status;
    status = ff_model_need_key(model, pose, &key, err);
    if (status != FF_OK) return status;
    robot->d = ff_data_create(model, NULL);
    robot->stand = malloc((size_t)model->nq * sizeof *robot->stand);
    robot->assessed = calloc(1, sizeof *robot->assessed);
    if (!robot->d || !robot->stand || !robot->assessed)
        return ff_error_set(err, FF_NO_MEMORY, "no memory for the plan of a climb");
    memcpy(robot->stand, model->keys[key].q, (size_t)model->nq * sizeof *robot->stand);
    memcpy(robot->d->q, robot->stand, (size_t)model->nq * sizeof *robot->stand);
    ff_dyn_kinematics(model, robot->d);
    robot->weight = (model->mass - ff_dyn_lifted_mass(model)) * fabs(model->gravity[2]);
    status = take_legs(robot, err);
    if (status != FF_OK) return status;
    take_joints(robot);
    take_boxes(robot);
    status = take_stance(robot, err);
    robot->options.pose = NULL; // the text belongs to the caller
    return status;
}

void ff_climb_robot_clear(ff_climb_robot *robot)
{
    ff_data_destroy(robot->d);
    free(robot->stand);
    free(robot->assessed);
    robot->d = NULL;
    robot->stand = NULL;
}
