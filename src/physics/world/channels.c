// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Recorder channels. Of contacts: the force of the ground on all moving bodies, the contact force on each body, the
// points for replay. Of feet and hands: place, force, moment and centre of pressure. Of feet: the points that carry. Of
// robots with feet: their common centre of pressure and divergent component of motion.
#include <math.h>

#include "engine/channel.h"
#include "world/world.h"

enum { MOST_POINTS = 64, POINT_WIDTH = 7 };
enum { MOST_SOLE_POINTS = 32, BOX_POINTS = 8 };

static void read_count(const ff_channel *c, ff_sim *sim, double *out)
{
    int count, touching = 0;
    const ff_world_contact *points = ff_world_contacts(c->context, sim, &count);
    for (int i = 0; i < count; i++) touching += ff_world_touches(&points[i]);
    out[0] = touching;
}

/// Force of all fixed shapes on all moving bodies.
static void read_ground_force(const ff_channel *c, ff_sim *sim, double *out)
{
    int count;
    const ff_world_contact *points = ff_world_contacts(c->context, sim, &count);
    ff_vec3_set(out, 0.0, 0.0, 0.0);
    for (int i = 0; i < count; i++) {
        const ff_world_contact *p = &points[i];
        const bool fixed1 = p->body1 < 0 || sim->model->bodies[p->body1].node < 0;
        const bool fixed2 = p->body2 < 0 || sim->model->bodies[p->body2].node < 0;
        if (fixed1 != fixed2) ff_vec3_axpy(out, fixed1 ? 1.0 : -1.0, p->force.force);
    }
}

/// Integral of that force since the start, by the integration method.
static void read_ground_impulse(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_world *w = c->context;
    if (sim->begun)
        ff_vec3_copy(out, ff_sim_part_integrals(sim, w->part) + 3 * w->model->nlimb);
    else
        ff_vec3_set(out, 0.0, 0.0, 0.0);
}

static void read_body_force(const ff_channel *c, ff_sim *sim, double *out)
{
    double moment[3];
    ff_world_wrench(c->context, sim, c->index, out, moment);
}

/// Place, force on the second body and mode of each point; NaN after the last.
static void read_points(const ff_channel *c, ff_sim *sim, double *out)
{
    int count, n = 0;
    const ff_world_contact *points = ff_world_contacts(c->context, sim, &count);
    for (int i = 0; i < count && n + POINT_WIDTH <= c->width; i++) {
        if (!ff_world_touches(&points[i])) continue;
        ff_vec3_copy(out + n, points[i].place);
        ff_vec3_copy(out + n + 3, points[i].force.force);
        out[n + 6] = points[i].mode;
        n += POINT_WIDTH;
    }
    for (; n < c->width; n++) out[n] = NAN;
}

static void add_points(const ff_world *w, ff_channel_list *l)
{
    static const char *const columns[POINT_WIDTH] = {"x", "y", "z", "fx", "fy", "fz", "mode"};
    const int most = w->most < MOST_POINTS ? w->most : MOST_POINTS;
    const char **names = FF_ARENA_NEW(&l->sim->arena, const char *, most *POINT_WIDTH);
    for (int i = 0; names && i < most * POINT_WIDTH; i++)
        names[i] = ff_arena_printf(&l->sim->arena, "%d.%s", i / POINT_WIDTH, columns[i % POINT_WIDTH]);
    if (!names) l->failed = true;
    ff_channel_add(l, "contacts.points", "m, N, 1", most * POINT_WIDTH, names, read_points, 0);
}

/// Lets recorders keep the mean rate of a channel that is an integral.
static void record_mean(ff_channel *c)
{
    if (c) c->mean = true;
}

static void add_contacts(const ff_world *w, ff_channel_list *l)
{
    const ff_model *m = w->model;
    ff_channel_add(l, "contacts.count", "1", 1, NULL, read_count, 0);
    ff_channel_add(l, "contacts.force", "N", 3, ff_channel_xyz, read_ground_force, 0);
    if (w->impulses) {
        ff_channel_add(l, "contacts.impulse", "N s", 3, ff_channel_xyz, read_ground_impulse, 0);
        record_mean(ff_channel_add(l, "contacts.force.mean", "N", 3, ff_channel_xyz, read_ground_impulse, 0));
    }
    add_points(w, l);
    bool *has_shape = FF_ARENA_NEW(&l->sim->arena, bool, m->nbody + 1);
    if (!has_shape) l->failed = true;
    for (int i = 0; has_shape && i < w->nshape; i++)
        if (w->shapes[i].body >= 0) has_shape[w->shapes[i].body] = true;
    for (int body = 0; has_shape && body < m->nbody; body++) {
        if (!has_shape[body] || m->bodies[body].node < 0) continue;
        ff_channel_add(l, ff_arena_printf(&l->sim->arena, "bodies.%s.contact.force", m->bodies[body].name), "N", 3,
                       ff_channel_xyz, read_body_force, body);
    }
}

// ------------------------------------------------------------------------------------------ feet

static const ff_foot *all_feet(const ff_channel *c, ff_sim *sim)
{
    int count;
    return ff_world_feet(c->context, sim, &count);
}

static void read_forces(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_foot *feet = all_feet(c, sim);
    for (int i = 0; i < sim->model->nleg; i++) ff_vec3_copy(out + 3 * i, feet[i].force);
}

/// Vectors of a foot or hand; the index of a channel is VECTORS times the limb plus one of these.
enum { FORCE, MOMENT, COP, IMPULSE, VECTORS };

static void read_vector(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_foot *foot = &all_feet(c, sim)[c->index / VECTORS];
    const double *const vectors[VECTORS] = {foot->force, foot->moment, foot->cop, foot->impulse};
    ff_vec3_copy(out, vectors[c->index % VECTORS]);
}

static void read_support(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_foot *feet = all_feet(c, sim);
    out[0] = 0.0;
    for (int i = 0; i < sim->model->nleg; i++) out[0] += feet[i].touching;
}

static void read_pos(const ff_channel *c, ff_sim *sim, double *out)
{
    const ff_limb *limb = &sim->model->limbs[c->index];
    ff_dyn_point(sim->model, sim->data, limb->body, limb->pos, out);
}

static void read_all_pos(const ff_channel *c, ff_sim *sim, double *out)
{
    ff_channel one = *c;
    for (one.index = 0; one.index < sim->model->nleg; one.index++) read_pos(&one, sim, out + 3 * one.index);
}

static const char **foot_names(const ff_model *m, ff_channel_list *l)
{
    const char **names = FF_ARENA_NEW(&l->sim->arena, const char *, 3 * m->nleg);
    for (int i = 0; names && i < 3 * m->nleg; i++)
        names[i] = ff_arena_printf(&l->sim->arena, "%s.%s", m->legs[i / 3].name, ff_channel_xyz[i % 3]);
    if (!names) l->failed = true;
    return names;
}

/// "feet.FL.force" of a foot, "hands.left.force" of a hand.
static ff_channel *add_channel(const ff_model *m, ff_channel_list *l, int limb, const char *what, const char *unit,
                               ff_channel_reader *read, int index)
{
    const char *group = m->limbs[limb].leg >= 0 ? "feet" : "hands";
    return ff_channel_add(l, ff_arena_printf(&l->sim->arena, "%s.%s.%s", group, m->limbs[limb].name, what), unit, 3,
                          ff_channel_xyz, read, index);
}

void ff_world_add_foot_places(ff_channel_list *l, const ff_model *m)
{
    if (m->nleg > 0) ff_channel_add(l, "feet.pos", "m", 3 * m->nleg, foot_names(m, l), read_all_pos, -1);
    for (int i = 0; i < m->nlimb; i++) add_channel(m, l, i, "pos", "m", read_pos, i);
}

static void add_feet(const ff_world *w, ff_channel_list *l)
{
    const ff_model *m = w->model;
    if (m->nleg > 0) {
        const char **names = foot_names(m, l);
        ff_channel_add(l, "feet.pos", "m", 3 * m->nleg, names, read_all_pos, -1);
        ff_channel_add(l, "feet.force", "N", 3 * m->nleg, names, read_forces, -1);
        ff_channel_add(l, "feet.support", "1", 1, NULL, read_support, -1);
    }
    for (int i = 0; i < m->nlimb; i++) {
        add_channel(m, l, i, "pos", "m", read_pos, i);
        add_channel(m, l, i, "force", "N", read_vector, VECTORS * i + FORCE);
        add_channel(m, l, i, "moment", "N m", read_vector, VECTORS * i + MOMENT);
        add_channel(m, l, i, "cop", "m", read_vector, VECTORS * i + COP);
        if (!w->impulses) continue;
        add_channel(m, l, i, "impulse", "N s", read_vector, VECTORS * i + IMPULSE);
        record_mean(add_channel(m, l, i, "force.mean", "N", read_vector, VECTORS * i + IMPULSE));
    }
}

// ------------------------------------------------------------------------------------------ support

/// Horizontal places of the points of a foot that carry; NaN after the last.
static void read_sole(const ff_channel *c, ff_sim *sim, double *out)
{
    int count, n = 0;
    const ff_world_contact *points = ff_world_contacts(c->context, sim, &count);
    const ff_foot *foot = &all_feet(c, sim)[c->index];
    for (int i = 0; i < foot->points && n + 2 <= c->width; i++) {
        const ff_world_contact *p = &points[foot->contacts[i]];
        if (!(p->force.normal > 0.0)) continue;
        out[n++] = p->place[0];
        out[n++] = p->place[1];
    }
    for (; n < c->width; n++) out[n] = NAN;
}

/// @return number of points of a foot that its channel has room for
static int sole_points(const ff_world *w, int leg)
{
    const int node = w->model->bodies[w->model->limbs[leg].body].node;
    int points = 0;
    for (int i = 0; i < w->nshape; i++) {
        const ff_item *it = &w->items[i];
        const ff_collider *c = &w->shapes[i].collider; // most shapes have all their points
        if (it->limb == leg || (it->limb == FF_LIMB_BY_PLACE && it->node == node))
            points += c->type == FF_COLLIDER_SPHERE ? 1 : c->type == FF_COLLIDER_POINTS ? c->npoint : BOX_POINTS;
    }
    return points < MOST_SOLE_POINTS ? points : MOST_SOLE_POINTS;
}

static void add_soles(const ff_world *w, ff_channel_list *l)
{
    const char **names = FF_ARENA_NEW(&l->sim->arena, const char *, 2 * MOST_SOLE_POINTS);
    for (int i = 0; names && i < 2 * MOST_SOLE_POINTS; i++)
        names[i] = ff_arena_printf(&l->sim->arena, "%d.%s", i / 2, ff_channel_xyz[i % 2]);
    if (!names) l->failed = true;
    for (int i = 0; i < w->model->nleg; i++) {
        const int points = sole_points(w, i);
        if (points > 0)
            ff_channel_add(l, ff_arena_printf(&l->sim->arena, "soles.%s", w->model->legs[i].name), "m", 2 * points,
                           names, read_sole, i);
    }
}

/// The index of a channel is twice a body of the robot, plus one for the divergent component of motion.
static void read_balance(const ff_channel *c, ff_sim *sim, double *out)
{
    ff_world_balance balance;
    ff_world_get_balance(c->context, sim, c->index / 2, &balance);
    ff_vec3_copy(out, c->index % 2 ? balance.dcm : balance.cop);
}

/// Adds channels of the robot with this leg: "balance.cop", or with several robots "balance.BASE.cop".
static void add_balance(const ff_model *m, ff_channel_list *l, int leg, bool single)
{
    static const char *const WHAT[2] = {"cop", "dcm"};
    const int root = ff_world_root(m, m->limbs[leg].body);
    int base = 0;
    while (ff_world_root(m, base) != root) base++;
    const char *name = single ? "" : m->bodies[base].name, *dot = single ? "" : ".";
    for (int k = 0; k < 2; k++)
        ff_channel_add(l, ff_arena_printf(&l->sim->arena, "balance.%s%s%s", name, dot, WHAT[k]), "m", 3, ff_channel_xyz,
                       read_balance, 2 * base + k);
}

static bool is_first_leg(const ff_model *m, int leg)
{
    for (int i = 0; i < leg; i++)
        if (ff_world_root(m, m->limbs[i].body) == ff_world_root(m, m->limbs[leg].body)) return false;
    return true;
}

static void add_balances(const ff_model *m, ff_channel_list *l)
{
    int robots = 0;
    for (int i = 0; i < m->nleg; i++) robots += is_first_leg(m, i);
    for (int i = 0; i < m->nleg; i++)
        if (is_first_leg(m, i)) add_balance(m, l, i, robots == 1);
}

void ff_world_add_channels(void *context, ff_channel_list *l)
{
    const ff_world *w = context;
    add_contacts(w, l);
    add_feet(w, l);
    add_soles(w, l);
    add_balances(w->model, l);
}
