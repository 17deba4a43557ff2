// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of a batch model: its hinges and slides, its feet and hands, its bodies, the shapes that touch, and the
// channels of its sensors. A batch outlives the simulation it stems from, so that names are copied.
#include "batch/compile.h"

#include <string.h>

/// Bodies that move, each with what it adds to its node.
static bool add_bodies(ff_batch_making *making, const ff_model *model, const int *at)
{
    ff_batch_model *m = &making->model;
    m->bodies = FF_ARENA_NEW(&making->arena, ff_batch_body, model->nbody + 1);
    for (int i = 0; i < model->nbody && m->bodies; i++) {
        const ff_body *from = &model->bodies[i];
        if (from->node < 0) continue;
        ff_batch_body *body = &m->bodies[m->nbody++];
        *body = (ff_batch_body){
            .name = ff_arena_strdup(&making->arena, from->name), .node = at[from->node], .mass = from->mass};
        memcpy(body->R, from->R, sizeof body->R);
        ff_mat3_mulv(body->com, from->R, from->com);
        ff_vec3_add(body->com, body->com, from->pos);
        const double *s = from->inertia, *R = from->R, I[9] = {s[0], s[3], s[4], s[3], s[1], s[5], s[4], s[5], s[2]};
        double RI[9], turned[9];
        ff_mat3_mul(RI, R, I);
        for (int k = 0; k < 9; k++) turned[k] = ff_vec3_dot(RI + k / 3 * 3, R + k % 3 * 3); // R I R'
        const double six[6] = {turned[0], turned[4], turned[8], turned[1], turned[2], turned[5]};
        memcpy(body->I, six, sizeof six);
    }
    return m->bodies != NULL;
}

static bool add_shapes(ff_batch_making *making, const ff_world *world)
{
    ff_batch_model *m = &making->model;
    m->point_names = FF_ARENA_NEW(&making->arena, const char *, m->npoint + 1);
    for (int i = 0; i < m->npoint && m->point_names; i++) {
        const bool again = i > 0 && m->points[i - 1].shape == m->points[i].shape;
        m->point_names[i] =
            again ? m->point_names[i - 1] : ff_arena_strdup(&making->arena, world->shapes[m->points[i].shape].name);
    }
    return m->point_names != NULL;
}

bool ff_batch_add_names(ff_batch_making *making, const ff_sim *sim, const int *at)
{
    const ff_model *model = sim->model;
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
    return add_bodies(making, model, at) && add_shapes(making, ff_sim_world(sim)) && !making->arena.failed;
}

// ------------------------------------------------------------------------------------------ channels

bool ff_batch_add_channels(ff_batch_making *making, const ff_batch_given *given)
{
    ff_batch_model *m = &making->model;
    m->channels = FF_ARENA_NEW(&making->arena, ff_batch_channel, m->nchannel + 1);
    for (int i = 0; m->channels && i < m->nchannel; i++) {
        const ff_batch_sensed *from = &given->sensed[i];
        m->channels[i] = (ff_batch_channel){
            .name = ff_arena_strdup(&making->arena, from->name),
            .written = ff_arena_printf(&making->arena, ff_formula_is_plain(from->name) ? "%s" : "'%s'", from->name),
            .truth = from->truth ? ff_arena_strdup(&making->arena, from->truth) : NULL,
            .missing = from->missing ? ff_arena_strdup(&making->arena, from->missing) : NULL,
            .signal = from->signal,
            .stages = from->stages,
            .stream = from->stream,
            .key = m->key,
            .loud = m->loud,
            .age = m->robot + FF_ROBOT_AGE,
            .step = m->step};
    }
    return !making->arena.failed;
}

static const ff_batch_channel *next_there(const ff_batch_model *m, int *i)
{
    for (; m && *i < m->nchannel; (*i)++)
        if (!m->channels[*i].missing) return &m->channels[(*i)++];
    return NULL;
}

int ff_batch_channel_count(const ff_batch_model *model)
{
    int count = 0;
    for (int i = 0; next_there(model, &i);) count++;
    return count;
}

const char *ff_batch_channel_name(const ff_batch_model *model, int i)
{
    const ff_batch_channel *channel = NULL;
    for (int at = 0; i >= 0 && (channel = next_there(model, &at)) && i > 0;) i--;
    return channel ? channel->written : NULL;
}
