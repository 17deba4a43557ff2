// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Differentials of a batch model: pairs of servos whose motors move two joints together (pair.h). Their rotors add
//     L' diag(J1, J2) L
// to the inertia of the joints, of which a batch has the diagonal alone, the armature: where the rest is not zero the
// differential is refused.
#include "batch/compile.h"

#include <math.h>

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
