// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Limbs, which are feet and hands: the limb of each contact, impulses of limbs, and how fast they slide.
#include "world/world.h"

#include <math.h>
#include <string.h>

/// Contacts within this many radii of the centre of a round foot belong to the foot. Those of a shin that lies flat may
/// be farther away.
#define REACH 2.0

bool ff_world_list_limbs(ff_world *w)
{
    const ff_model *m = w->model;
    w->limb_of = FF_ARENA_NEW(&w->arena, int, m->nbody + 1);
    w->foot_first = FF_ARENA_NEW(&w->arena, int, m->nnode + 1);
    w->foot_next = FF_ARENA_NEW(&w->arena, int, m->nlimb + 1);
    w->feet = FF_ARENA_NEW(&w->arena, ff_foot, m->nlimb + 1);
    w->limb_pressure = FF_ARENA_NEW(&w->arena, double, m->nlimb + 1);
    w->slip_rates = FF_ARENA_NEW(&w->arena, double, m->nlimb + 1);
    w->foot_origin = FF_ARENA_NEW(&w->arena, double, 3 * m->nlimb + 1);
    w->origin_at = FF_ARENA_NEW(&w->arena, uint64_t, m->nlimb + 1);
    if (w->arena.failed) return false;
    for (int i = 0; i < m->nlimb; i++) w->origin_at[i] = UINT64_MAX;
    for (int i = 0; i < m->nbody; i++) w->limb_of[i] = -1;
    for (int i = 0; i < m->nnode; i++) w->foot_first[i] = -1;
    for (int i = m->nlimb - 1; i >= 0; i--) {
        const ff_limb *limb = &m->limbs[i];
        for (int k = 0; k < limb->nbody; k++) w->limb_of[limb->bodies[k]] = i;
        if (limb->nbody > 0) continue;
        const int node = m->bodies[limb->body].node; // never -1, as a leg has a joint
        w->foot_next[i] = w->foot_first[node];
        w->foot_first[node] = i;
    }
    return true;
}

/// @return distance of the origin of a limb from that of a shape of the same node  [m]
static double distance_of(const ff_model *m, const ff_limb *limb, const ff_item *it)
{
    const ff_body *body = &m->bodies[limb->body];
    double origin[3];
    ff_mat3_mulv(origin, body->R, limb->pos);
    ff_vec3_add(origin, origin, body->pos);
    ff_vec3_sub(origin, origin, it->local.p);
    return ff_vec3_norm(origin);
}

/// @return ff_item.limb: the result of ff_world_limb for all places of the shape, or FF_LIMB_BY_PLACE
static int limb_of_shape(const ff_world *w, int shape)
{
    const ff_model *m = w->model;
    const ff_item *it = &w->items[shape];
    const int body = w->shapes[shape].body;
    if (body < 0 || it->node < 0) return -1;
    if (w->limb_of[body] >= 0) return w->limb_of[body];
    for (int i = w->foot_first[it->node]; i >= 0; i = w->foot_next[i]) {
        const ff_limb *limb = &m->limbs[i];
        if (!(limb->radius > 0)) {
            if (limb->body == body) return i;
            continue;
        }
        const double away = distance_of(m, limb, it);
        if (away + it->reach <= REACH * limb->radius) return i;
        if (away - it->reach <= REACH * limb->radius) return FF_LIMB_BY_PLACE;
    }
    return -1;
}

/// Shapes are numbered within a limb that names its bodies, and otherwise within a node.
bool ff_world_find_patches(ff_world *w)
{
    const ff_model *m = w->model;
    int *count = FF_ARENA_NEW(&w->arena, int, m->nlimb + m->nnode + 1);
    w->patch = FF_ARENA_NEW(&w->arena, int, w->nshape + 1);
    w->foot_points = FF_ARENA_NEW(&w->arena, int, 2 * w->touch_capacity + 1);
    if (!count || !w->patch || !w->foot_points) return false;
    for (int i = 0; i < w->nshape; i++) {
        const int body = w->shapes[i].body;
        w->items[i].limb = limb_of_shape(w, i);
        if (body < 0 || w->items[i].node < 0) continue;
        int *next = w->limb_of[body] >= 0 ? &count[w->limb_of[body]] : &count[m->nlimb + w->items[i].node];
        w->patch[i] = *next < 63 ? *next : 63;
        ++*next;
    }
    return true;
}

const double *ff_world_limb_origin(const ff_world *w, const ff_data *d, int limb)
{
    double *origin = w->foot_origin + 3 * limb;
    if (w->origin_at[limb] != w->sim->state_number)
        ff_dyn_point(w->model, d, w->model->limbs[limb].body, w->model->limbs[limb].pos, origin);
    w->origin_at[limb] = w->sim->state_number;
    return origin;
}

int ff_world_limb(const ff_world *w, const ff_data *d, int shape, const double place[3])
{
    const ff_item *it = &w->items[shape];
    if (it->limb != FF_LIMB_BY_PLACE) return it->limb;
    for (int i = w->foot_first[it->node]; i >= 0; i = w->foot_next[i]) {
        const ff_limb *limb = &w->model->limbs[i];
        double away[3];
        if (!(limb->radius > 0)) {
            if (limb->body == w->shapes[shape].body) return i;
            continue;
        }
        ff_vec3_sub(away, place, ff_world_limb_origin(w, d, i));
        if (ff_vec3_dot(away, away) <= REACH * REACH * limb->radius * limb->radius) return i;
    }
    return -1;
}

bool ff_world_is_limb(const ff_world *w, const ff_world_contact *c)
{
    return (c->limb1 >= 0 || c->limb2 >= 0) && ff_world_touches(c) && !ff_world_within_robot(w, c->shape1, c->shape2);
}

void ff_world_name_limbs(const ff_world *w, const ff_data *d, ff_touch *t)
{
    if (t->limbs_known) return;
    t->limb1 = ff_world_limb(w, d, t->shape1, t->place);
    t->limb2 = ff_world_limb(w, d, t->shape2, t->place);
    t->limbs_known = true;
}

void ff_world_add_impulse(const ff_world *w, const ff_data *d, ff_touch *t, double factor, const double force[3],
                          double *out)
{
    const int nlimb = w->model->nlimb;
    if (t->node1 < 0 || t->node2 < 0) ff_vec3_axpy(out + 3 * nlimb, t->node1 < 0 ? factor : -factor, force);
    if (!t->limbs_known) ff_world_name_limbs(w, d, t);
    if ((t->limb1 < 0 && t->limb2 < 0) || ff_world_within_robot(w, t->shape1, t->shape2)) return;
    if (t->limb1 >= 0) ff_vec3_axpy(out + 3 * t->limb1, -factor, force);
    if (t->limb2 >= 0) ff_vec3_axpy(out + 3 * t->limb2, factor, force);
}

/// @return speed of a point that slides, else 0  [m/s]
static double slip_of(const ff_touch *t)
{
    return t->point.depth > 0.0 && t->state.mode == FF_CONTACT_KINETIC ? ff_vec3_norm(t->point.slip) : 0.0;
}

/// @return sum over all pairs of shapes of the mean slip speed of their points, which follow each other  [m/s]
static double slip_of_pairs(const ff_world *w)
{
    double all = 0.0;
    for (int i = 0; i < w->ntouch;) {
        const ff_touch *first = &w->touches[i];
        double sum = 0.0;
        int points = 0;
        for (; i < w->ntouch; i++) {
            const ff_touch *t = &w->touches[i];
            if (t->shape1 != first->shape1 || t->shape2 != first->shape2) break;
            points += t->point.depth > 0.0;
            sum += slip_of(t);
        }
        if (sum > 0.0) all += sum / points;
    }
    return all;
}

void ff_world_slip_rates(const ff_world *w, const ff_data *d, double *rates)
{
    const int nlimb = w->model->nlimb;
    rates[nlimb] = slip_of_pairs(w);
    if (nlimb == 0 || !(rates[nlimb] > 0.0)) return;
    memset(w->limb_pressure, 0, (size_t)nlimb * sizeof *w->limb_pressure);
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        if (!(t->point.depth > 0.0) || ff_world_within_robot(w, t->shape1, t->shape2)) continue;
        ff_world_name_limbs(w, d, t);
        const int limbs[2] = {t->limb1, t->limb2};
        for (int side = 0; side < 2; side++) {
            if (limbs[side] < 0) continue;
            w->limb_pressure[limbs[side]] += t->force.normal;
            rates[limbs[side]] += t->force.normal * slip_of(t);
        }
    }
    for (int i = 0; i < nlimb; i++)
        if (rates[i] > 0.0) rates[i] /= w->limb_pressure[i];
}
