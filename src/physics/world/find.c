// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Where shapes meet: fixed planes are tested against the bounding sphere of each moving shape, all others by the broad
// phase; then the exact phase finds points, and each point gets its memory. A point keeps its slot by the features that
// meet. Where these have changed (a ball rolls onto the next triangle), it gets the nearest slot of the same two shapes
// whose own point is lost.
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double HAND_OVER = 0.02; // largest distance between a new point and a lost one whose slot it gets  [m]

/// Velocity of a node at a place of the world.
static inline void velocity_at(const ff_world *w, const ff_data *d, int node, const double place[3], double v[3])
{
    const double *V = d->velocity + 6 * node;
    double arm[3];
    ff_vec3_sub(arm, place, d->tree_origin + 3 * w->model->nodes[node].tree);
    ff_vec3_cross(v, V, arm);
    ff_vec3_add(v, v, V + 3);
}

/// Steps at velocity level need the points that could meet within the step: within the distance that the shape moves.
static void set_lookahead(const ff_world *w, const ff_data *d, ff_item *it)
{
    double v[3];
    velocity_at(w, d, it->node, it->pose.p, v);
    const double turning = (isfinite(it->reach) ? it->reach : 0.0) * ff_vec3_norm(d->velocity + 6 * it->node);
    it->lookahead = w->lookahead_time * (ff_vec3_norm(v) + turning);
}

// ------------------------------------------------------------------------------------------ motion at a point

void ff_world_add_velocity(const ff_world *w, const ff_data *d, int node, const double place[3], double sign,
                           double velocity[3], double spin[3])
{
    double v[3];
    if (node < 0) return;
    velocity_at(w, d, node, place, v);
    ff_vec3_axpy(velocity, sign, v);
    ff_vec3_axpy(spin, sign, d->velocity + 6 * node);
}

void ff_world_motion(const ff_world *w, const ff_data *d, ff_touch *t)
{
    double velocity[3] = {0}, spin[3] = {0};
    ff_world_add_velocity(w, d, t->node2, t->place, 1.0, velocity, spin);
    ff_world_add_velocity(w, d, t->node1, t->place, -1.0, velocity, spin);
    ff_contact_point_motion(&t->point, velocity, spin);
}

// ------------------------------------------------------------------------------------------ points and their memory

/// @return first entry of `order` that is not below the pair. Touches are mostly found in that order: `guess` is tried
/// first
static int64_t first_of(const ff_world *w, uint64_t pair, int64_t guess)
{
    if (guess < w->memory->used && w->order[guess].pair == pair && (guess == 0 || w->order[guess - 1].pair != pair))
        return guess;
    int64_t low = 0, high = w->memory->used;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (w->order[middle].pair < pair)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// The point gets a slot, with its mode.
static void assign_slot(ff_world *w, ff_touch *t, int slot)
{
    t->slot = slot;
    t->state.mode = w->slots[slot].state.mode;
    w->matched_at[slot] = w->find_count;
}

/// Points get the slots of their features.
static void match_features(ff_world *w, uint64_t pair, int64_t begin, int from)
{
    for (int i = from; i < w->ntouch; i++)
        for (int64_t k = begin; k < w->memory->used && w->order[k].pair == pair; k++) {
            const int slot = (int)w->order[k].slot;
            if (w->slots[slot].id != w->touches[i].point.id || w->matched_at[slot] == w->find_count) continue;
            assign_slot(w, &w->touches[i], slot);
            break;
        }
}

/// Each point whose features are new gets the slot of the nearest lost point; `single`: at any distance.
static void match_near(ff_world *w, uint64_t pair, int64_t begin, int from, bool single)
{
    for (int i = from; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        if (t->slot >= 0 || !(t->point.depth > 0.0)) continue;
        double nearest = single ? INFINITY : HAND_OVER;
        int best = -1;
        for (int64_t k = begin; k < w->memory->used && w->order[k].pair == pair; k++) {
            const ff_slot *slot = &w->slots[w->order[k].slot];
            if (w->matched_at[w->order[k].slot] == w->find_count || slot->state.mode == FF_CONTACT_OPEN) continue;
            double gap[3];
            ff_vec3_sub(gap, slot->place, t->place);
            const double distance = ff_vec3_norm(gap);
            if (!(distance < nearest)) continue;
            nearest = distance;
            best = (int)w->order[k].slot;
        }
        if (best >= 0) assign_slot(w, t, best);
    }
}

/// Finds the slots of the points of two shapes from number `from` on.
static void match(ff_world *w, int shape1, int shape2, int from, bool single)
{
    if (from == w->ntouch) return;
    const uint64_t pair = ff_world_key(shape1, shape2);
    const int64_t begin = first_of(w, pair, from);
    if (begin == w->memory->used || w->order[begin].pair != pair) return;
    match_features(w, pair, begin, from);
    match_near(w, pair, begin, from, single);
}

static ff_touch *add_touch(ff_world *w, int shape1, int shape2)
{
    if (w->ntouch == w->touch_capacity) {
        w->memory->counts.overflow++;
        return NULL;
    }
    ff_touch *t = &w->touches[w->ntouch++];
    t->slot = -1;
    t->node1 = w->items[shape1].node;
    t->node2 = w->items[shape2].node;
    t->law = &w->laws[ff_world_law_of(w, shape1, shape2)];
    t->shape1 = shape1;
    t->shape2 = shape2;
    t->limb1 = w->items[shape1].limb;
    t->limb2 = w->items[shape2].limb;
    t->limbs_known = t->limb1 != FF_LIMB_BY_PLACE && t->limb2 != FF_LIMB_BY_PLACE;
    t->state.mode = FF_CONTACT_OPEN;
    return t;
}

// ------------------------------------------------------------------------------------------ pairs

/// @return number of points among which two shapes share their stiffness. It is not the number of points found, with
/// which the stiffness and the energy of a box that rocks would jump
static int points_of(const ff_world *w, int shape1, int shape2)
{
    const int a = w->items[shape1].patch, b = w->items[shape2].patch;
    if (a == 2 && b == 2) return 1; // two rods cross in one point
    return a < b ? a : b;
}

/// Finds the points of two shapes.
static void meet(ff_world *w, const ff_data *d, int shape1, int shape2)
{
    ff_item *one = &w->items[shape1], *two = &w->items[shape2];
    ff_collide_point patch_points[2 * FF_COLLIDE_PATCH_MAX], *points = patch_points;
    int count = 0;
    ff_item_set_axes(d, one);
    ff_item_set_axes(d, two);
    if (ff_world_by_cells(one, two))
        count = ff_world_collide_cells(w, one, two, points = w->cell_found);
    else
        ff_collide(&w->shapes[shape1].collider, &one->pose, &w->shapes[shape2].collider, &two->pose,
                   w->margin + one->lookahead + two->lookahead, points, 2 * FF_COLLIDE_PATCH_MAX, &count);
    const int from = w->ntouch;
    const int patch = points_of(w, shape1, shape2);
    for (int i = 0; i < count; i++) {
        ff_touch *t = add_touch(w, shape1, shape2);
        if (!t) return;
        ff_contact_point *p = &t->point;
        p->id = points[i].id;
        p->share = t->law->per_point ? 1.0 : 1.0 / (double)patch;
        p->depth = points[i].depth;
        ff_vec3_copy(p->normal, points[i].normal);
        ff_vec3_copy(t->place, points[i].point);
        ff_world_motion(w, d, t);
    }
    match(w, shape1, shape2, from, patch == 1);
}

/// Finds the point of a sphere on a fixed plane, such as a foot on the floor, without the exact phase.
static void meet_sphere(ff_world *w, const ff_data *d, int plane, int sphere, double height)
{
    const double radius = w->shapes[sphere].collider.size[0], depth = radius - height;
    ff_touch *t = add_touch(w, plane, sphere);
    if (!t) return;
    const ff_item *ground = &w->items[plane], *ball = &w->items[sphere];
    ff_contact_point *p = &t->point;
    p->id = 0;
    p->share = 1.0;
    p->depth = depth;
    for (int i = 0; i < 3; i++) {
        p->normal[i] = ground->pose.R[3 * i + 2];
        t->place[i] = ball->pose.p[i] - (radius - 0.5 * depth) * p->normal[i];
    }
    ff_world_motion(w, d, t);
    match(w, plane, sphere, w->ntouch - 1, true);
}

/// @return distance that a shape extends from its origin towards a plane of normal n  [m]
static double half_height(const ff_data *d, const ff_collider *c, ff_item *it, const double n[3])
{
    if (c->type != FF_COLLIDER_BOX && c->type != FF_COLLIDER_CAPSULE) return it->reach;
    ff_item_set_axes(d, it);
    double along[3];
    ff_mat3_tmulv(along, it->pose.R, n);
    if (c->type == FF_COLLIDER_CAPSULE) return c->size[0] + c->size[1] * fabs(along[2]);
    return c->size[0] * fabs(along[0]) + c->size[1] * fabs(along[1]) + c->size[2] * fabs(along[2]);
}

/// Are all planes level? Then only shapes near a plane need a place.
static bool level_ground(const ff_world *w)
{
    for (int k = 0; k < w->nplane; k++) {
        const double *R = w->items[w->planes[k]].pose.R;
        if (R[2] != 0.0 || R[5] != 0.0 || R[8] != 1.0) return false;
    }
    return true;
}

/// @return height of a shape, pose.p[2] of ff_item_set_position  [m]
static double height_of(const ff_world *w, const ff_data *d, const ff_item *it)
{
    const double *R = d->pose[it->node].R, *local = it->local.p;
    const double up = R[6] * local[0] + R[7] * local[1] + R[8] * local[2];
    return d->tree_origin[3 * w->model->nodes[it->node].tree + 2] + (d->pose[it->node].p[2] + up);
}

/// Finds points on fixed planes. @param placed  all shapes have their places
static void meet_planes(ff_world *w, const ff_data *d, bool placed)
{
    for (int k = 0; k < w->nplane; k++) {
        const int plane = w->planes[k];
        const ff_item *ground = &w->items[plane];
        const double n[3] = {ground->pose.R[2], ground->pose.R[5], ground->pose.R[8]};
        const double level = ff_vec3_dot(n, ground->pose.p);
        for (int i = 0; i < ground->nmeet; i++) {
            const int shape = ground->meets[i];
            ff_item *it = &w->items[shape];
            const double height = (placed ? ff_vec3_dot(n, it->pose.p) : height_of(w, d, it)) - level;
            if (!(height < it->reach + w->margin + it->lookahead)) continue;
            if (!placed) ff_item_set_position(w->model, d, it);
            const ff_collider *c = &w->shapes[shape].collider;
            if (c->type == FF_COLLIDER_SPHERE)
                meet_sphere(w, d, plane, shape, height);
            else if (height < half_height(d, c, it, n) + w->margin + it->lookahead)
                meet(w, d, plane, shape);
        }
    }
}

/// Finds points of all other pairs by the broad phase.
static void meet_others(ff_world *w, const ff_data *d)
{
    for (int i = 0; i < w->nbroad; i++) {
        ff_item *it = &w->items[w->broad_shape[i]];
        if (it->node < 0 && it->mocap < 0) continue;
        double *low = w->low + 3 * i, *high = w->high + 3 * i;
        if (w->shapes[w->broad_shape[i]].collider.type == FF_COLLIDER_SPHERE) {
            for (int k = 0; k < 3; k++) {
                low[k] = it->pose.p[k] - it->reach;
                high[k] = it->pose.p[k] + it->reach;
            }
        } else {
            ff_item_set_axes(d, it);
            ff_collider_bounds(&w->shapes[w->broad_shape[i]].collider, &it->pose, low, high);
        }
        for (int k = 0; k < 3; k++) {
            low[k] -= w->margin + it->lookahead;
            high[k] += w->margin + it->lookahead;
        }
    }
    const ff_broad_pair *pairs;
    int count = 0;
    if (ff_broad_update(w->broad, w->low, w->high, &pairs, &count) != FF_OK) w->memory->counts.overflow++;
    for (int i = 0; i < count; i++) {
        int a = w->broad_shape[pairs[i].first], b = w->broad_shape[pairs[i].second];
        if (!ff_world_may_meet(w, a, b)) continue;
        const bool swap = w->items[a].node >= 0 && w->items[b].node < 0; // a fixed shape comes first
        meet(w, d, swap ? b : a, swap ? a : b);
    }
}

void ff_world_find(ff_world *w, const ff_data *d)
{
    w->ntouch = 0;
    w->found_at = w->sim->state_number;
    w->forces_at = w->copied_at = 0;
    w->find_count++;
    for (int i = 0; w->model->nmocap > 0 && i < w->nshape; i++) {
        ff_item *it = &w->items[i];
        if (it->mocap >= 0) it->pose = ff_pose_mul(&d->mocap[it->mocap], &it->local);
    }
    const bool all = w->broad || w->lookahead_time > 0.0 || !level_ground(w);
    for (int i = 0; all && i < w->nmoving; i++) ff_item_set_position(w->model, d, &w->items[w->moving[i]]);
    for (int i = 0; w->lookahead_time > 0.0 && i < w->nmoving; i++) set_lookahead(w, d, &w->items[w->moving[i]]);
    meet_planes(w, d, all);
    if (w->broad) meet_others(w, d);
    for (int i = 0; ff_world_turns(w) && i < w->ntouch; i++) ff_world_find_inertia(w, d, &w->touches[i]);
}

double ff_world_longest_step(const ff_world *w, const ff_data *d)
{
    double speed = 0.0;
    if (!w->broad) return INFINITY;
    for (int i = 0; i < w->nmoving; i++) {
        const ff_item *it = &w->items[w->moving[i]];
        double v[3];
        velocity_at(w, d, it->node, it->pose.p, v);
        speed = ff_max(speed, ff_vec3_norm(v));
    }
    const double gravity = ff_vec3_norm(w->model->gravity);
    return ff_min(speed > 0.0 ? 0.5 * w->thinnest / speed : INFINITY,
                  gravity > 0.0 ? sqrt(w->thinnest / gravity) : INFINITY);
}
