// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Channels of the contacts: the force of the ground on everything, the contact force on each body, and the points themselves for replay.
#include <math.h>

#include "record.h"
#include "world.h"

enum { MOST_POINTS = 64, POINT_WIDTH = 7 };

static void read_count(const ff_channel *c, ff_sim *sim, double *out)
{
    int count, touching = 0;
    const ff_world_contact *points = ff_world_contacts(sim->world, sim, &count);
    (void)c;
    for (int i = 0; i < count; i++) touching += points[i].point.depth > 0.0;
    out[0] = touching;
}

/// What is fixed to the world pushes with this on what moves.
static void read_ground_force(const ff_channel *c, ff_sim *sim, double *out)
{
    int count;
    const ff_world_contact *points = ff_world_contacts(sim->world, sim, &count);
    (void)c;
    ff_vec3_set(out, 0.0, 0.0, 0.0);
    for (int i = 0; i < count; i++) {
        const ff_world_contact *p = &points[i];
        const bool fixed1 = p->body1 < 0 || sim->model->bodies[p->body1].node < 0;
        const bool fixed2 = p->body2 < 0 || sim->model->bodies[p->body2].node < 0;
        if (fixed1 != fixed2) ff_vec3_axpy(out, fixed1 ? 1.0 : -1.0, p->force.force);
    }
}

static void read_body_force(const ff_channel *c, ff_sim *sim, double *out)
{
    double moment[3];
    ff_world_wrench(sim->world, sim, c->index, out, moment);
}

/// Place, force on the second body and mode of each point; NaN behind the last.
static void read_points(const ff_channel *c, ff_sim *sim, double *out)
{
    int count, n = 0;
    const ff_world_contact *points = ff_world_contacts(sim->world, sim, &count);
    for (int i = 0; i < count && n + POINT_WIDTH <= c->width; i++) {
        if (!(points[i].point.depth > 0.0)) continue;
        ff_vec3_copy(out + n, points[i].place);
        ff_vec3_copy(out + n + 3, points[i].force.force);
        out[n + 6] = points[i].mode;
        n += POINT_WIDTH;
    }
    for (; n < c->width; n++) out[n] = NAN;
}

static void add_points(ff_channel_list *l)
{
    static const char *const columns[POINT_WIDTH] = {"x", "y", "z", "fx", "fy", "fz", "mode"};
    const int most = l->sim->world->most < MOST_POINTS ? l->sim->world->most : MOST_POINTS;
    const char **names = FF_ARENA_NEW(&l->sim->arena, const char *, most *POINT_WIDTH);
    for (int i = 0; names && i < most * POINT_WIDTH; i++)
        names[i] = ff_arena_printf(&l->sim->arena, "%d.%s", i / POINT_WIDTH, columns[i % POINT_WIDTH]);
    if (!names) l->failed = true;
    ff_channel_add(l, "contacts.points", "m, N, 1", most * POINT_WIDTH, names, read_points, 0);
}

void ff_channel_add_contacts(ff_channel_list *l)
{
    const ff_model *m = l->sim->model;
    const ff_world *w = l->sim->world;
    ff_channel_add(l, "contacts.count", "1", 1, NULL, read_count, 0);
    ff_channel_add(l, "contacts.force", "N", 3, ff_channel_xyz, read_ground_force, 0);
    add_points(l);
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
