// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces on bodies and torques on degrees of freedom, by the nodes and degrees of freedom they act on.
#include "batch/compile.h"

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
