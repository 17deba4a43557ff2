// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles: things of the model by name, and what is done with one of them. A wrong name or handle is noted
// (ff_sim_mistake), and the next run reports it.
#include "engine/system.h"

#include <footfall/text.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// ------------------------------------------------------------------------------------------ bodies, joints, actuators

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
    if (!ff_sim_holds(sim, "joint", joint.index, sim->model ? sim->model->njoint : 0)) return NULL;
    const ff_joint *j = &sim->model->joints[joint.index];
    if (ff_joint_is_scalar(j->type)) return j;
    ff_sim_mistake(sim, FF_BAD_ARGUMENT,
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
    if (ff_sim_holds(sim, "actuator", actuator.index, sim->model ? sim->model->nactuator : 0))
        ff_sim_hold(sim, &sim->command[actuator.index], value);
}
