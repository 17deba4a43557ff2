// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of a batch model: its hinges and slides, its feet and hands. A batch outlives the simulation it stems from, so
// that names are copied.
#include "batch/compile.h"

bool ff_batch_add_names(ff_batch_making *making, const ff_model *model)
{
    ff_batch_model *m = &making->model;
    m->joints = FF_ARENA_NEW(&making->arena, ff_batch_joint, model->njoint + 1);
    m->feet = FF_ARENA_NEW(&making->arena, const char *, m->nfoot + 1);
    if (!m->joints || !m->feet) return false;
    for (int i = 0; i < model->njoint; i++) {
        const ff_joint *joint = &model->joints[i];
        if (!ff_joint_is_scalar(joint->type)) continue;
        m->joints[m->njoint++] = (ff_batch_joint){.name = ff_arena_strdup(&making->arena, joint->name),
                                                  .q = joint->qadr,
                                                  .v = m->nq + joint->vadr,
                                                  .servo = m->dofs[joint->vadr].servo};
    }
    for (int i = 0; i < m->nfoot; i++) m->feet[i] = ff_arena_strdup(&making->arena, model->limbs[i].name);
    return !making->arena.failed;
}
