// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A batch model whose robots differ in single bodies, contact points or servos: a copy with rows for these numbers
// behind all others, and the places of the rows in nodes, points and servos. Servos without a delay get one that is as
// long as robots can draw. What no row of the table is about keeps
// its constants. A body that is fixed to another moves with the same node: its own share of the node's numbers changes.
#include "batch/life.h"

#include <string.h>

static bool about_bodies(const ff_batch_spread *row)
{
    return (row->quantity == FF_BATCH_MASS && row->which) || row->quantity == FF_BATCH_INERTIA ||
           (row->quantity >= FF_BATCH_COM_X && row->quantity <= FF_BATCH_COM_Z) || row->quantity == FF_BATCH_PAYLOAD;
}

static void *copied(ff_arena *arena, const void *from, size_t count, size_t size)
{
    void *to = ff_arena_alloc(arena, count + 1, size);
    if (to && count > 0) memcpy(to, from, count * size);
    return to;
}

/// Rows of the nodes, points and servos that the row `i` of the table is about.
static void give_rows(const ff_draws *d, ff_batch_model *m, int i)
{
    const ff_batch_spread *row = &d->rows[i];
    const bool bodies = about_bodies(row);
    for (int k = 0; k < m->nbody && bodies; k++) {
        ff_batch_node *node = &m->nodes[m->bodies[k].node];
        if ((d->target[i] >= 0 && d->target[i] != k) || node->own > 0) continue;
        node->own = m->nrow;
        node->massive = 1;
        m->nrow += FF_OWN_ROWS;
    }
    for (int k = 0; k < m->npoint && d->hits[i]; k++) {
        if (!d->hits[i][k] || m->points[k].factor > 0) continue;
        m->points[k].factor = m->nrow;
        m->nrow += FF_FACTOR_ROWS;
    }
    if (row->quantity == FF_BATCH_GAIN && row->which) {
        ff_batch_servo_law *servo = &m->servos[m->joints[d->target[i]].servo];
        if (servo->factor == 0) servo->factor = m->nrow++;
    }
}

/// Rows for targets under way, where robots draw a delay and the servos have none: those that the model would have.
static void give_delay(const ff_draws *d, ff_batch_model *m)
{
    for (int i = 0; i < d->count && m->delay == 0; i++) {
        double ends[2];
        if (d->rows[i].quantity != FF_BATCH_DELAY) continue;
        ff_spread_ends(&d->rows[i], ends);
        m->delay = ends[1] > 1.0 ? (int)ends[1] : 1;
        ff_batch_place_delay(m);
    }
}

/// Numbers of a robot that drew nothing.
static void start_rows(const ff_batch_model *m, double *start)
{
    ff_batch_start_delay(m, start);
    for (int i = 0; i < m->nnode; i++) {
        const ff_batch_node *node = &m->nodes[i];
        if (node->own == 0) continue;
        start[node->own] = node->mass;
        memcpy(start + node->own + 1, node->h, sizeof node->h);
        memcpy(start + node->own + 4, node->I, sizeof node->I);
    }
    for (int i = 0; i < m->npoint; i++)
        for (int k = 0; k < FF_FACTOR_ROWS && m->points[i].factor > 0; k++) start[m->points[i].factor + k] = 1.0;
    for (int i = 0; i < m->nservo; i++)
        if (m->servos[i].factor > 0) start[m->servos[i].factor] = 1.0;
}

bool ff_batch_vary(ff_draws *d, const ff_batch_model *from)
{
    ff_batch_model *m = &d->varied;
    *m = *from;
    d->model = from;
    m->nodes = copied(&d->arena, from->nodes, (size_t)from->nnode, sizeof *from->nodes);
    m->points = copied(&d->arena, from->points, (size_t)from->npoint, sizeof *from->points);
    m->servos = copied(&d->arena, from->servos, (size_t)from->nservo, sizeof *from->servos);
    if (!m->nodes || !m->points || !m->servos) return false;
    give_delay(d, m);
    const int rows = m->nrow;
    for (int i = 0; i < d->count; i++) give_rows(d, m, i);
    if (m->nrow == from->nrow) return true;
    m->varied = m->nrow > rows;
    double *start = FF_ARENA_NEW(&d->arena, double, m->nrow);
    if (!start) return false;
    memcpy(start, from->start, (size_t)from->nrow * sizeof *start);
    start_rows(m, start);
    m->start = start;
    d->model = m;
    return true;
}
