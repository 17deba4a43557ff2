// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Feet of the model's legs among the contacts: which touch is a foot's, and the force of the ground on each foot.
#include <footfall/world.h>

#include "world/world.h"

#define REACH                                                                                                          \
    2.0 // touches within this many radii of the centre of a round foot are its own; a shin that lies flat touches elsewhere too

bool ff_world_find_feet(ff_world *w)
{
    const ff_model *m = w->model;
    w->foot_first = FF_ARENA_NEW(&w->arena, int, m->nnode + 1);
    w->foot_next = FF_ARENA_NEW(&w->arena, int, m->nleg + 1);
    if (!w->foot_first || !w->foot_next) return false;
    for (int i = 0; i < m->nnode; i++) w->foot_first[i] = -1;
    for (int i = m->nleg - 1; i >= 0; i--) {
        const int node = m->bodies[m->frames[m->legs[i].frame].body].node; // a leg has a joint, so there is one
        w->foot_next[i] = w->foot_first[node];
        w->foot_first[node] = i;
    }
    return true;
}

int ff_world_foot(const ff_world *w, ff_sim *sim, const ff_world_contact *c, int side)
{
    const ff_model *m = w->model;
    const int body = side == 1 ? c->body1 : c->body2;
    if (body < 0 || m->bodies[body].node < 0) return -1;
    for (int i = w->foot_first[m->bodies[body].node]; i >= 0; i = w->foot_next[i]) {
        const ff_leg *leg = &m->legs[i];
        const ff_frame *frame = &m->frames[leg->frame];
        double centre[3], apart[3];
        if (!(leg->radius > 0) && frame->body == body) return i;
        ff_dyn_point(m, sim->data, frame->body, frame->pos, centre);
        ff_vec3_sub(apart, c->place, centre);
        if (ff_vec3_dot(apart, apart) <= REACH * REACH * leg->radius * leg->radius) return i;
    }
    return -1;
}

bool ff_world_within_robot(const ff_world *w, const ff_world_contact *c)
{
    return w->items[c->shape1].robot == w->items[c->shape2].robot && w->items[c->shape1].robot >= 0;
}

void ff_world_feet(ff_world *w, ff_sim *sim, double *force, bool *touching)
{
    int count;
    const ff_world_contact *c = ff_world_contacts(w, sim, &count);
    for (int i = 0; i < w->model->nleg; i++) {
        if (touching) touching[i] = false;
        if (force) ff_vec3_set(force + 3 * i, 0.0, 0.0, 0.0);
    }
    for (int k = 0; k < count; k++) {
        if (!ff_world_touches(&c[k]) || ff_world_within_robot(w, &c[k])) continue;
        for (int side = 1; side <= 2; side++) {
            const int leg = ff_world_foot(w, sim, &c[k], side);
            if (leg < 0) continue;
            if (touching) touching[leg] = true;
            if (force) ff_vec3_axpy(force + 3 * leg, side == 2 ? 1.0 : -1.0, c[k].force.force);
        }
    }
}
