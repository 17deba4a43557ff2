// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles: bodies, joints and actuators by name, and functions that take one. A wrong name or handle is noted
// (ff_sim_note_mistake), and the next run reports it.
#include "engine/system.h"

#include <footfall/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *body_name(const void *model, int i)
{
    return ((const ff_model *)model)->bodies[i].name;
}

static const char *joint_name(const void *model, int i)
{
    return ((const ff_model *)model)->joints[i].name;
}

static const char *actuator_name(const void *model, int i)
{
    return ((const ff_model *)model)->actuators[i].name;
}

ff_body_id ff_sim_find_body(ff_sim *sim, const char *name)
{
    return (ff_body_id){ff_sim_find_name(sim, "body", name, body_name, sim->model, sim->model ? sim->model->nbody : 0)};
}

ff_joint_id ff_sim_find_joint(ff_sim *sim, const char *name)
{
    return (ff_joint_id){
        ff_sim_find_name(sim, "joint", name, joint_name, sim->model, sim->model ? sim->model->njoint : 0)};
}

ff_actuator_id ff_sim_find_actuator(ff_sim *sim, const char *name)
{
    return (ff_actuator_id){
        ff_sim_find_name(sim, "actuator", name, actuator_name, sim->model, sim->model ? sim->model->nactuator : 0)};
}

/// The joint, where it is a hinge or slide; NULL otherwise, and the mistake is noted.
static const ff_joint *find_scalar(const ff_sim *sim, ff_joint_id joint)
{
    if (!ff_sim_check_handle(sim, "joint", joint.index, sim->model ? sim->model->njoint : 0)) return NULL;
    const ff_joint *j = &sim->model->joints[joint.index];
    if (ff_joint_is_scalar(j->type)) return j;
    ff_sim_note_mistake(sim, FF_BAD_ARGUMENT,
                        "joint '%.80s' is no hinge or slide: read it by ff_sim_q and ff_sim_v, set its torques by "
                        "ff_sim_set_torque",
                        j->name);
    return NULL;
}

double ff_sim_joint_position(const ff_sim *sim, ff_joint_id joint)
{
    const ff_joint *j = find_scalar(sim, joint);
    return j ? sim->x[j->qadr] : NAN;
}

double ff_sim_joint_speed(const ff_sim *sim, ff_joint_id joint)
{
    const ff_joint *j = find_scalar(sim, joint);
    return j ? sim->x[sim->nq + j->vadr] : NAN;
}

void ff_sim_set_joint_torque(ff_sim *sim, ff_joint_id joint, double torque)
{
    const ff_joint *j = find_scalar(sim, joint);
    if (j) ff_sim_set_torque(sim, j->vadr, torque);
}

void ff_sim_set_command(ff_sim *sim, ff_actuator_id actuator, double value)
{
    if (ff_sim_check_handle(sim, "actuator", actuator.index, sim->model ? sim->model->nactuator : 0))
        ff_sim_set_input(sim, &sim->command[actuator.index], value);
}

// A mocap body is fixed to the world and has no coordinates. Its pose T is stored as the displacement D = T T0^-1 from
// its pose T0 in the model, in ff_data, and applies to everything fixed to it. Energy that contacts and loops gain or
// lose by a move is `outside` in the ledger.

/// @return what is wrong with a pose for a body, NULL: nothing
static const char *mocap_error(const ff_model *m, int body, const double pos[3], const double quat[4])
{
    const int mocap = m->bodies[body].mocap;
    if (mocap < 0 || m->mocaps[mocap] != body) return "it is no mocap body: its file must say mocap=\"true\"";
    if (!isfinite(ff_vec3_dot(pos, pos))) return "its position must be finite";
    const double length = quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
    if (!isfinite(length) || !(length > 0.0)) return "its quaternion must be finite, and not zero";
    return NULL;
}

void ff_sim_set_mocap(ff_sim *sim, ff_body_id body, const double pos[3], const double quat[4])
{
    const ff_model *m = sim->model;
    if (!ff_sim_check_handle(sim, "body", body.index, m ? m->nbody : 0)) return;
    double p[3], q[4];
    ff_dyn_body_pose(m, sim->data, body.index, p, q);
    if (pos) ff_vec3_copy(p, pos);
    if (quat) ff_quat_copy(q, quat);
    const char *problem = mocap_error(m, body.index, p, q);
    if (problem) {
        ff_sim_note_mistake(sim, FF_BAD_ARGUMENT,
                            "ff_sim_set_mocap: body '%.80s' at (%g, %g, %g), turned by (%g, %g, %g, %g): %s",
                            m->bodies[body.index].name, p[0], p[1], p[2], q[0], q[1], q[2], q[3], problem);
        return;
    }
    ff_quat_normalise(q);
    ff_sim_begin_change(sim);
    ff_dyn_place_mocap(m, sim->data, m->bodies[body.index].mocap, p, q);
}
