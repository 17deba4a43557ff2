// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts of force sensors in a batch model: the masses below each, node by node with the way from the root to it, and the
// contact points below.
#include "batch/compile.h"

#include <footfall/spatial.h>

#include <string.h>

typedef struct maker {
    ff_batch_model *m;
    const ff_model *model;
    const ff_world *world;
    const ff_batch_cut_given *from;
    const int *at; // number of each node of the simulation's model in the batch model
    int used;      // of the list
} maker;

static bool is_below(const ff_batch_cut_given *cut, int body)
{
    for (int i = 0; i < cut->nbelow; i++)
        if (cut->below[i] == body) return true;
    return false;
}

/// Writes the nodes from the root to `node` to the list, where there is one. @return how many
static int write_path(const maker *k, int node)
{
    const int parent = k->model->nodes[node].parent, before = parent >= 0 ? write_path(k, parent) : 0;
    if (k->m->cut_list) k->m->cut_list[k->used + before] = k->at[node];
    return before + 1;
}

/// Adds what lies in a body. @param I  about its centre of mass, axes of the body; NULL: a point
static void add_body(ff_batch_cut_mass *mass, const ff_body *body, double kg, const double com[3], const double *I)
{
    ff_inertia alone = {.mass = kg}, placed;
    double centre[3];
    if (I) memcpy(alone.I, I, sizeof alone.I);
    ff_mat3_mulv(centre, body->R, com);
    ff_vec3_add(centre, centre, body->pos);
    ff_inertia_place(&placed, &alone, body->R, centre);
    mass->body[0] += placed.mass;
    for (int i = 0; i < 3; i++) mass->body[1 + i] += placed.h[i];
    for (int i = 0; i < 6; i++) mass->body[4 + i] += placed.I[i];
}

/// What lies below the cut of a node of the model.
static ff_batch_cut_mass mass_of(const maker *k, int node)
{
    const ff_batch_cut_given *from = k->from;
    ff_batch_cut_mass mass = {.node = k->at[node], .path = k->used, .depth = write_path(k, node), .whole = 1};
    for (int i = 0; i < k->model->nbody; i++) {
        const ff_body *body = &k->model->bodies[i];
        const bool part = from->part && i == from->body;
        if (body->node != node) continue;
        if (part) add_body(&mass, body, from->mass, from->com, NULL);
        if (!part && is_below(from, i)) add_body(&mass, body, body->mass, body->com, body->inertia);
        if (part || !is_below(from, i)) mass.whole = 0;
    }
    return mass;
}

/// Has the node a body below the cut?
static bool has_below(const maker *k, int node)
{
    for (int i = 0; i < k->from->nbelow; i++)
        if (k->model->bodies[k->from->below[i]].node == node) return true;
    return false;
}

static void add_points(maker *k, ff_batch_cut *cut)
{
    cut->point = k->used;
    for (int i = 0; i < k->m->npoint; i++) {
        if (!is_below(k->from, k->world->shapes[k->m->points[i].shape].body)) continue;
        if (k->m->cut_list) k->m->cut_list[k->used] = i;
        k->used++;
        cut->npoint++;
    }
}

/// Once to count, without arrays, and once to fill them. @return masses of all cuts
static int add_cuts(maker *k, const ff_batch_given *given)
{
    int masses = 0;
    k->used = 0;
    for (int i = 0; i < given->ncut; i++) {
        k->from = &given->cuts[i];
        ff_batch_cut cut = {.mass = masses, .six = k->from->six};
        memcpy(cut.R, k->from->R, sizeof cut.R);
        memcpy(cut.at, k->from->at, sizeof cut.at);
        const int own = k->model->bodies[k->from->body].node;
        for (int n = -1; n < k->model->nnode; n++) { // its own first
            const int node = n < 0 ? own : n;
            if ((n >= 0 && n == own) || !has_below(k, node)) continue;
            const ff_batch_cut_mass mass = mass_of(k, node);
            if (k->m->cut_masses) k->m->cut_masses[masses] = mass;
            k->used += mass.depth;
            masses++;
        }
        cut.nmass = masses - cut.mass;
        add_points(k, &cut);
        if (k->m->cuts) k->m->cuts[i] = cut;
    }
    return masses;
}

bool ff_batch_add_cuts(ff_batch_making *making, const ff_sim *sim, const ff_batch_given *given, const int *at)
{
    ff_batch_model *m = &making->model;
    maker k = {.m = m, .model = sim->model, .world = ff_sim_world(sim), .at = at};
    m->ncut = given->ncut;
    m->ncut_mass = add_cuts(&k, given);
    m->ncut_list = k.used;
    m->cuts = FF_ARENA_NEW(&making->arena, ff_batch_cut, m->ncut + 1);
    m->cut_masses = FF_ARENA_NEW(&making->arena, ff_batch_cut_mass, m->ncut_mass + 1);
    m->cut_list = FF_ARENA_NEW(&making->arena, int, m->ncut_list + 1);
    if (making->arena.failed) return false;
    add_cuts(&k, given);
    return true;
}
