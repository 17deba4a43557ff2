// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces of a batch model. Forces on bodies and torques on degrees of freedom stand by the nodes and degrees of freedom
// that they act on. Differentials are pairs of servos whose motors move two joints together (pair.h). Their rotors add
//     L' diag(J1, J2) L
// to the inertia of the joints, of which a batch has the diagonal alone, the armature: where the rest is not zero the
// differential is refused.
#include "batch/compile.h"

#include <math.h>

// ------------------------------------------------------------------------------------------ differentials

static int servo_on(const ff_batch_model *m, int joint)
{
    for (int i = 0; i < m->nservo; i++)
        if (m->servo_joint[i] == joint) return i;
    return -1;
}

static void add_rotors(ff_batch_model *m, const ff_model *model, const ff_batch_pair *from, ff_report *report)
{
    const int dof[2] = {model->joints[from->joint[0]].vadr, model->joints[from->joint[1]].vadr};
    double own[2] = {0.0, 0.0}, across = 0.0;
    for (int i = 0; i < 2; i++) {
        const double *r = from->lever[i], J = from->rotor[i];
        own[0] += J * r[0] * r[0];
        own[1] += J * r[1] * r[1];
        across += J * r[0] * r[1];
    }
    for (int k = 0; k < 2; k++) m->dofs[dof[k]].armature += own[k];
    if (fabs(across) > 1e-12 * sqrt(own[0] * own[1]))
        ff_report_add(report, FF_ERROR, from->place,
                      "a batch has rotors that turn with one joint each, and those of this differential couple joints "
                      "\"%s\" and \"%s\": J1 r11 r12 + J2 r21 r22 is %g kg m^2, and 0 for equal rotors with levers (r, "
                      "s) and (r, -s)",
                      model->joints[from->joint[0]].name, model->joints[from->joint[1]].name, across);
}

static ff_batch_pair_law law_of(const ff_batch_model *m, const ff_model *model, const ff_batch_pair *from)
{
    ff_batch_pair_law law = {0};
    const double(*r)[2] = from->lever, determinant = r[0][0] * r[1][1] - r[0][1] * r[1][0];
    for (int i = 0; i < 2; i++) {
        const ff_joint *joint = &model->joints[from->joint[i]];
        law.servo[i] = servo_on(m, from->joint[i]);
        law.q[i] = joint->qadr;
        law.v[i] = m->nq + joint->vadr;
        law.offset[i] = from->offset[i];
        for (int k = 0; k < 2; k++) law.lever[i][k] = r[i][k];
    }
    law.share[0][0] = r[1][1] / determinant; // (L')^-1
    law.share[0][1] = -r[1][0] / determinant;
    law.share[1][0] = -r[0][1] / determinant;
    law.share[1][1] = r[0][0] / determinant;
    return law;
}

bool ff_batch_add_pairs(ff_batch_making *making, const ff_model *model, const ff_batch_given *given, ff_report *report)
{
    ff_batch_model *m = &making->model;
    m->pairs = FF_ARENA_NEW(&making->arena, ff_batch_pair_law, given->npair + 1);
    if (!m->pairs) return false;
    for (int i = 0; i < given->npair; i++) {
        const ff_batch_pair_law law = law_of(m, model, &given->pairs[i]);
        for (int k = 0; k < 2; k++) m->servos[law.servo[k]].paired = m->servos[law.servo[k]].driven = 1;
        m->pairs[m->npair++] = law;
        m->driven = m->sampled = 1;
        add_rotors(m, model, &given->pairs[i], report);
    }
    return true;
}

int ff_batch_other_rotors(const ff_sim *sim, const ff_batch_given *given)
{
    int count = 0;
    for (int i = 0; i < sim->data->nrotor; i++) {
        const ff_rotor *rotor = &sim->data->rotors[i];
        bool known = false;
        for (int k = 0; k < given->npair && rotor->ndof == 2; k++)
            known = known || (sim->model->joints[given->pairs[k].joint[0]].vadr == rotor->dof[0] &&
                              sim->model->joints[given->pairs[k].joint[1]].vadr == rotor->dof[1]);
        if (!known) count++;
    }
    return count;
}

// ------------------------------------------------------------------------------------------ pushes

static ff_batch_force_law force_on(const ff_model *model, const ff_batch_force *f)
{
    const ff_body *body = &model->bodies[f->body];
    ff_batch_force_law law = {.first = (double)f->first, .end = (double)f->end};
    ff_mat3_mulv(law.at, body->R, f->at);
    ff_vec3_add(law.at, law.at, body->pos);
    ff_vec3_copy(law.force, f->force);
    return law;
}

static void add_on_node(ff_batch_model *m, const ff_model *model, const ff_batch_given *given, const int *at, int node)
{
    m->nodes[at[node]].push = m->npush;
    for (int i = 0; i < given->nforce; i++) {
        const ff_batch_force *f = &given->forces[i];
        if (f->body < 0 || model->bodies[f->body].node != node) continue;
        m->pushes[m->npush++] = force_on(model, f);
        m->nodes[at[node]].npush++;
        m->nodes[at[node]].massive = 1;
    }
}

static void add_on_dof(ff_batch_model *m, const ff_batch_given *given, int dof)
{
    m->dofs[dof].push = m->npush;
    for (int i = 0; i < given->nforce; i++) {
        const ff_batch_force *f = &given->forces[i];
        if (f->body >= 0 || f->dof != dof) continue;
        m->pushes[m->npush++] =
            (ff_batch_force_law){.force = {f->torque}, .first = (double)f->first, .end = (double)f->end};
        m->dofs[dof].npush++;
        m->dofs[dof].passive = 1;
    }
}

bool ff_batch_add_pushes(ff_batch_making *making, const ff_model *model, const ff_batch_given *given, const int *at,
                         ff_report *report)
{
    ff_batch_model *m = &making->model;
    m->pushes = FF_ARENA_NEW(&making->arena, ff_batch_force_law, given->nforce + 1);
    if (!m->pushes) return false;
    for (int i = 0; i < model->nnode; i++) add_on_node(m, model, given, at, i);
    for (int i = 0; i < m->nv; i++) {
        add_on_dof(m, given, i);
        if (m->dofs[i].npush > 0 && model->nodes[model->dof_node[i]].type == FF_NODE_FREE)
            ff_report_add(report, FF_ERROR, model->joints[model->dof_joint[i]].place,
                          "a batch has forces on bodies, and torques on joints that are not free: \"%s\" is, and the "
                          "same force on its body does as well",
                          model->joints[model->dof_joint[i]].name);
    }
    return true;
}
