// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of its robot that a walking controller needs: closed forms of the legs, rows and sides by the places of
// the hips, the joints between the segments, the stance.
#include "dyn/packed.h"
#include "gait/walk.h"

#include <footfall/math.h>
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ joints

/// The body that carries everything else, and its free joint.
static void find_root(const ff_model *m, ff_walk_robot *robot)
{
    int body = m->joints[m->legs[0].joints[0]].body;
    while (m->bodies[body].parent >= 0) body = m->bodies[body].parent;
    robot->root = body;
    robot->base = ff_gait_free_joint(m, body);
}

static bool has_drive(const ff_model *m, int joint)
{
    for (int i = 0; i < m->ndrive; i++)
        if (m->drives[i].joint[0] && strcmp(m->drives[i].joint[0], m->joints[joint].name) == 0) return true;
    return false;
}

/// Is this a joint between segments? It belongs to no leg, and has a drive.
static bool is_of_body(const ff_model *m, int joint)
{
    for (int i = 0; i < m->nleg; i++)
        for (int k = 0; k < m->legs[i].njoint; k++)
            if (m->legs[i].joints[k] == joint) return false;
    return ff_joint_is_scalar(m->joints[joint].type) && has_drive(m, joint);
}

int ff_hexapod_body_joint(const ff_model *model, const char *name)
{
    const int joint = ff_model_find_joint(model, name);
    int place = 0;
    if (joint < 0 || !is_of_body(model, joint)) return -1;
    for (int j = 0; j < joint; j++) place += is_of_body(model, j);
    return place;
}

static ff_status list_joints(const ff_model *m, ff_walk_robot *robot, ff_error *err)
{
    robot->njoint = 0;
    for (int i = 0; i < robot->n; i++) {
        robot->first[i] = robot->njoint;
        for (int k = 0; k < robot->ik[i].njoint; k++) robot->joints[robot->njoint++] = robot->ik[i].joint[k];
    }
    robot->body = robot->njoint;
    for (int j = 0; j < m->njoint; j++) {
        if (!is_of_body(m, j)) continue;
        if (robot->nbody == FF_WALK_BODY_JOINTS)
            return ff_error_set(err, FF_BAD_ARGUMENT, "more than %d joints that belong to no leg", FF_WALK_BODY_JOINTS);
        robot->joints[robot->njoint++] = j;
        robot->nbody++;
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ legs

static void hip_in_root(const ff_walk_robot *robot, const ff_data *d, int leg, double hip[3])
{
    ff_dyn_point(robot->model, d, robot->ik[leg].body, robot->ik[leg].p, hip);
}

/// Finds side and row of each leg; rows are numbered from the front on each side.
static ff_status place_legs(ff_walk_robot *robot, const ff_data *d, ff_error *err)
{
    double hips[FF_WALK_LEGS][3];
    int left = 0;
    for (int i = 0; i < robot->n; i++) {
        hip_in_root(robot, d, i, hips[i]);
        robot->places[i].side = hips[i][1] > 0.0 ? 0 : 1;
        left += robot->places[i].side == 0;
    }
    for (int i = 0; i < robot->n; i++)
        for (int k = 0; k < robot->n; k++)
            if (robot->places[k].side == robot->places[i].side &&
                (hips[k][0] > hips[i][0] || (hips[k][0] == hips[i][0] && k < i)))
                robot->places[i].row++;
    if (2 * left != robot->n)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "%d legs on the left and %d on the right: this gait needs rows of two", left,
                            robot->n - left);
    return FF_OK;
}

static ff_status find_legs(const ff_model *m, const double *posture, ff_walk_robot *robot, ff_error *err)
{
    if (m->nleg < 4 || m->nleg > FF_WALK_LEGS || m->nleg % 2 != 0)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the robot describes %d legs; walking in rows of two needs an even number from 4 to %d "
                            "(`legs` of the robot file)",
                            m->nleg, FF_WALK_LEGS);
    robot->n = m->nleg;
    for (int i = 0; i < robot->n; i++) {
        const ff_status status = ff_leg_ik_make(m, &m->legs[i], posture, &robot->ik[i], err);
        if (status != FF_OK) return status;
        robot->radius[i] = m->legs[i].radius;
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ stance

/// Centres of the steps: those of the pose, or on a rectangle or ellipse (thesis, Fig. 3.24).
static ff_status make_stance(ff_walk_robot *robot, const ff_data *d, ff_error *err)
{
    const ff_model *m = robot->model;
    const ff_hexapod_options *o = &robot->options;
    double low = INFINITY, far = 0.0, hips[FF_WALK_LEGS][3];
    for (int i = 0; i < robot->n; i++) {
        const ff_frame *frame = &m->frames[m->legs[i].frame];
        double foot[3];
        ff_dyn_point(m, d, frame->body, frame->pos, foot);
        hip_in_root(robot, d, i, hips[i]);
        robot->centre[i][0] = foot[0];
        robot->centre[i][1] = foot[1];
        low = ff_min(low, foot[2] - robot->radius[i]);
        far = ff_max(far, fabs(hips[i][0]));
    }
    robot->height = -low;
    if (o->stance == FF_STANCE_POSE) return FF_OK;
    if (!(o->half[0] > 0.0 && o->half[1] > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "half axes of the stance %g x %g m: both must be positive",
                            o->half[0], o->half[1]);
    for (int i = 0; i < robot->n; i++) {
        const double side = robot->places[i].side == 0 ? 1.0 : -1.0, row = far > 0.0 ? hips[i][0] / far : 0.0;
        if (o->stance == FF_STANCE_RECTANGLE) {
            robot->centre[i][0] = o->half[0] * row;
            robot->centre[i][1] = o->half[1] * side;
        } else { // rows at equal angles about the middle, the first and the last 45 degrees off the sides
            const double angle = 0.25 * FF_PI * row;
            double sine, cosine;
            ff_sincos(&angle, &sine, &cosine, 1);
            robot->centre[i][0] = o->half[0] * sine;
            robot->centre[i][1] = o->half[1] * cosine * side;
        }
    }
    return FF_OK;
}

/// Solves for the joint angles of the stance, which is refused when it is out of reach.
static ff_status solve_stance(ff_walk_robot *robot, ff_data *d, ff_error *err)
{
    static const double none[2] = {0.0, 0.0};
    const ff_model *m = robot->model;
    for (int j = 0; j < robot->nbody; j++)
        robot->stand[robot->body + j] = d->q[m->joints[robot->joints[robot->body + j]].qadr];
    ff_servo_pose(robot, d, robot->height, none, 0.0, 0.0, robot->stand + robot->body);
    for (int i = 0; i < robot->n; i++) {
        const double foot[3] = {robot->centre[i][0], robot->centre[i][1], 0.0};
        const ff_reach reach = ff_servo_leg(robot, d, i, foot, robot->stand + robot->first[i]);
        if (reach != FF_REACH_OK)
            return ff_error_set(
                err, FF_BAD_ARGUMENT,
                "leg '%s' cannot stand at (%g, %g) m below a root at %g m: %s; choose another pose or stance",
                m->legs[i].name, foot[0], foot[1], robot->height, ff_reach_text(reach));
    }
    return FF_OK;
}

ff_status ff_walk_robot_make(const ff_model *model, const ff_hexapod_options *options, ff_data *d, ff_walk_robot *robot,
                             ff_error *err)
{
    *robot = (ff_walk_robot){.model = model, .options = *options};
    const int key = options->pose ? ff_model_find_key(model, options->pose) : -1;
    ff_status status = find_legs(model, key >= 0 ? model->keys[key].q : model->q0, robot, err);
    if (status != FF_OK) return status;
    find_root(model, robot);
    memcpy(d->q, key >= 0 ? model->keys[key].q : model->q0, (size_t)model->nq * sizeof *d->q);
    ff_gait_place_root(model, robot->base, 0.0, d->q);
    ff_dyn_kinematics(model, d);
    status = place_legs(robot, d, err);
    if (status == FF_OK) status = ff_footstep_setup_make(robot->places, robot->n, &options->step, &robot->step, err);
    if (status == FF_OK) status = list_joints(model, robot, err);
    if (status == FF_OK) status = make_stance(robot, d, err);
    if (status == FF_OK) status = solve_stance(robot, d, err);
    const double g = sqrt(ff_vec3_dot(model->gravity, model->gravity));
    robot->weight = (model->mass - model->fixed_mass - ff_dyn_lifted_mass(model)) * g;
    return status;
}
