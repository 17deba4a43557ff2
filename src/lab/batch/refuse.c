// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Refuses features of a simulation that a batch lacks: each is an error with its name and, if it has one, its place.
// Contacts are checked when they are compiled.
#include "batch/compile.h"

#include <math.h>

static const ff_place NOWHERE = {0};

static void refuse_method(const ff_sim *sim, ff_report *report)
{
    if (sim->method == &ff_method_euler) return;
    ff_report_add(report, FF_ERROR, NOWHERE,
                  "a batch steps by the method euler, and the simulation by '%s': the scene needs 'solver: {method: "
                  "euler, step: 1e-4}', on the command line by --set solver.method=euler --set solver.step=1e-4",
                  ff_method_name(sim->options.method));
}

static void refuse_joint(const ff_model *m, const ff_joint *joint, ff_report *report)
{
    const bool scalar = ff_joint_is_scalar(joint->type), planar = joint->type == FF_JOINT_PLANAR;
    if (joint->mimic >= 0)
        ff_report_add(report, FF_ERROR, joint->place, "joint \"%s\" follows another one, which a batch does not know",
                      joint->name);
    if (!scalar && !planar && (joint->stiffness != 0.0 || joint->limited))
        ff_report_add(report, FF_ERROR, joint->place, "joint \"%s\": a batch has no springs and stops of %s joints",
                      joint->name, ff_joint_name(joint->type));
    if (m->nodes[joint->node].type != FF_NODE_FREE) return;
    for (int i = joint->vadr; i < joint->vadr + 6; i++)
        if (m->dof_damping[i] != 0.0 || m->dof_dry_friction[i] != 0.0) {
            ff_report_add(report, FF_ERROR, joint->place, "joint \"%s\": a batch has no damping of free roots",
                          joint->name);
            return;
        }
}

/// Refuses mocap bodies: fixed bodies of a batch keep their poses of the model.
static void refuse_mocaps(const ff_model *m, ff_report *report)
{
    for (int i = 0; i < m->nmocap; i++) {
        const ff_body *body = &m->bodies[m->mocaps[i]];
        ff_report_add(report, FF_ERROR, body->place, "a batch has no bodies that callers move: mocap body \"%s\"",
                      body->name);
    }
}

static void refuse_model(const ff_sim *sim, ff_report *report)
{
    const ff_model *m = sim->model;
    for (int i = 0; i < m->njoint; i++) refuse_joint(m, &m->joints[i], report);
    for (int i = 0; i < m->nequality; i++)
        if (m->equalities[i].active)
            ff_report_add(report, FF_ERROR, m->equalities[i].place, "a batch has no loops: \"%s\"",
                          m->equalities[i].name ? m->equalities[i].name : "");
    for (int i = 0; i < m->ntendon; i++)
        ff_report_add(report, FF_ERROR, m->tendons[i].place, "a batch has no tendons: \"%s\"", m->tendons[i].name);
    refuse_mocaps(m, report);
    for (int i = 0; i < m->nlift; i++)
        ff_report_add(report, FF_ERROR, NOWHERE, "a batch has no carried weight (gravcomp): joint \"%s\"",
                      m->joints[m->nodes[m->lifts[i].node].joint].name);
    for (int k = 0; k < sim->nacting; k++) {
        const ff_actuator *a = &m->actuators[sim->acting[k]];
        if (a->body >= 0 || a->active.acts || a->passive.acts || a->gain_by[0] != 0.0 || a->gain_by[1] != 0.0)
            ff_report_add(report, FF_ERROR, NOWHERE,
                          "a batch has no muscles, adhesion and gains that depend on the state: actuator \"%s\"",
                          a->name);
    }
    if (m->ndrag > 0)
        ff_report_add(report, FF_ERROR, NOWHERE,
                      "a batch has no drag: a medium of density %g kg/m^3 and viscosity %g Pa s is around", m->density,
                      m->viscosity);
}

/// Refuses parts, tasks, events and forces in addition to the model and its contacts.
static void refuse_others(const ff_sim *sim, const ff_batch_given *given, ff_report *report)
{
    const ff_world *world = ff_sim_world(sim);
    for (int i = 0; i < sim->npart; i++)
        if (!(given->parts && given->parts[i]) && (!world || i != world->part))
            ff_report_add(report, FF_ERROR, NOWHERE, "a batch does not know the part \"%s\"", sim->parts[i].part.name);
    for (int i = 0; i < sim->ntask; i++) // those that read only, such as recorders, are left out
        if (!sim->tasks[i].task.reads_only && !(given->tasks && given->tasks[i]))
            ff_report_add(report, FF_ERROR, NOWHERE, "a batch has no tasks: \"%s\"", sim->tasks[i].task.name);
    for (int i = 0; i < sim->events.ncaller; i++)
        ff_report_add(report, FF_ERROR, NOWHERE, "a batch has no events: \"%s\"", sim->events.slots[i].event.name);
    if (sim->napplied > 0)
        ff_report_add(report, FF_ERROR, NOWHERE, "a batch has no held wrenches, and %d are applied", sim->napplied);
    const int rotors = ff_batch_other_rotors(sim, given);
    if (rotors > 0)
        ff_report_add(report, FF_ERROR, NOWHERE,
                      "a batch has no rotors behind cranks, rods, tables and levers of two joints, and there are %d",
                      rotors);
}

int ff_batch_refuse(ff_sim *sim, const ff_batch_given *given, ff_report *report)
{
    const int before = report->errors;
    refuse_method(sim, report);
    refuse_model(sim, report);
    refuse_others(sim, given, report);
    return report->errors - before;
}
