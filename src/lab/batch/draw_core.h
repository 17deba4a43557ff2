// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a robot draws when it begins: each row of the table in its order, into the rows of its state. One source for
// processors and devices, whose results are bit-identical: lanes.h (of one lane) comes before it. Row k of the state is
// x[k * stride].
#ifndef FOOTFALL_BATCH_DRAW_CORE_H
#define FOOTFALL_BATCH_DRAW_CORE_H

#include "batch/lanes.h" // first: it defines FF_CORE

#include "base/random_core.h"
#include "batch/ground_core.h"
#include "batch/life.h"

#define DRAWN_ROW(x, row) ((x)[(size_t)(row) * (size_t)stride])

// ------------------------------------------------------------------------------------------ distributions

APART double draw_normal(const ff_draw_entry *s, ff_random *random)
{
    double x;
    do x = s->mean + s->deviation * ff_core_random_normal(random);
    while (s->bounded && (x < s->low || x > s->high));
    return x;
}

APART double draw_log_uniform(const ff_draw_entry *s, ff_random *random)
{
    const double log = ff_core_random_range(random, s->log_low, s->log_high);
    const double x = fabs(log) < FF_EXP_USUAL ? ff_exp_core(log, 0.0) : ff_exp_extreme(log, 0.0);
    return ff_min(ff_max(x, s->low), s->high); // rounding of the two functions
}

FF_CORE double draw_one(const ff_draw_entry *s, ff_random *random)
{
    switch (s->kind) {
    case FF_BATCH_LOG_UNIFORM:
        return draw_log_uniform(s, random);
    case FF_BATCH_NORMAL:
        return draw_normal(s, random);
    case FF_BATCH_CHOICE:
        return s->values[(int)(ff_core_random_uniform(random) * s->nvalue)];
    default:
        return ff_core_random_range(random, s->low, s->high);
    }
}

/// A whole number: a uniform one has each number between its ends as likely as the others, others are rounded.
FF_CORE double draw_whole(const ff_draw_entry *s, ff_random *random)
{
    if (s->kind == FF_BATCH_UNIFORM) return ff_min(floor(ff_core_random_range(random, s->low, s->high + 1.0)), s->high);
    return floor(draw_one(s, random) + 0.5);
}

// ------------------------------------------------------------------------------------------ rows

/// Adds a draw each to the positions, or velocities, of the hinges and slides a row is about.
APART double draw_joints(const ff_batch_model *m, const ff_draw_entry *s, ff_random *random, double *x, int stride)
{
    const int speed = s->quantity == FF_BATCH_START_SPEEDS;
    double last = 0.0;
    for (int k = 0; k < m->nv; k++) {
        if ((s->dof >= 0 && s->dof != k) || (!speed && m->dofs[k].q < 0)) continue;
        last = draw_one(s, random);
        DRAWN_ROW(x, speed ? m->nq + k : m->dofs[k].q) += last;
    }
    return last;
}

/// Turns the quaternion at `row`.
FF_CORE void turn_row(double *x, int row, int stride, const double *turn)
{
    double before[4], turned[4];
    for (int k = 0; k < 4; k++) before[k] = DRAWN_ROW(x, row + k);
    ff_quat_mul(turned, turn, before);
    for (int k = 0; k < 4; k++) DRAWN_ROW(x, row + k) = turned[k];
}

/// Tilts all free roots about a level axis of any direction.
APART double draw_tilt(const ff_batch_model *m, const ff_draw_entry *s, ff_random *random, double *x, int stride)
{
    const double tilt = draw_one(s, random), way = ff_core_random_range(random, 0.0, 2.0 * FF_PI);
    double along[2], sine, cosine;
    ff_sincos_core(way, &along[1], &along[0]);
    ff_sincos_core(0.5 * tilt, &sine, &cosine);
    const double turn[4] = {cosine, along[0] * sine, along[1] * sine, 0.0 * sine};
    for (int k = 0; k < m->nnode; k++)
        if (m->nodes[k].type == FF_LINK_FREE) turn_row(x, m->nodes[k].q + 3, stride, turn);
    return tilt;
}

/// Adds a draw to the height of each free root.
FF_CORE double draw_heights(const ff_batch_model *m, const ff_draw_entry *s, ff_random *random, double *x, int stride)
{
    double last = 0.0;
    for (int k = 0; k < m->nnode; k++) {
        if (m->nodes[k].type != FF_LINK_FREE) continue;
        last = draw_one(s, random);
        DRAWN_ROW(x, m->nodes[k].q + 2) += last;
    }
    return last;
}

/// What is drawn of bodies is put together first.
APART double draw_bodies(const ff_batch_model *m, const ff_draw_entry *s, ff_random *random, ff_body_draw *bodies)
{
    const int each_one = s->quantity >= FF_BATCH_COM_X && s->quantity <= FF_BATCH_COM_Z;
    double last = each_one ? 0.0 : draw_one(s, random);
    for (int k = 0; k < m->nbody; k++) {
        ff_body_draw *body = &bodies[k];
        if (s->body >= 0 && s->body != k) continue;
        if (each_one) body->shift[s->quantity - FF_BATCH_COM_X] += last = draw_one(s, random);
        if (s->quantity == FF_BATCH_MASS) body->mass *= last;
        if (s->quantity == FF_BATCH_INERTIA) body->inertia *= last;
        if (s->quantity == FF_BATCH_PAYLOAD) body->payload += last;
    }
    return last;
}

/// Factors of the whole robot, or of single points or a servo. A point of a shape that has a row and of a foot that has
/// one, too, has the product.
FF_CORE double draw_factor(const ff_batch_model *m, const ff_draw_entry *s, ff_random *random, double *x, int stride)
{
    const double value = draw_one(s, random);
    for (int k = 0; k < m->npoint && s->names_point; k++)
        if (s->names_point[k]) DRAWN_ROW(x, m->points[k].factor_row + (int)s->quantity) *= value;
    if (s->quantity == FF_BATCH_GAIN && s->single)
        DRAWN_ROW(x, s->factor_row) = value;
    else if (!s->single)
        DRAWN_ROW(x, m->parameter + (int)s->quantity) = value;
    return value;
}

/// Of what ff_batch_sense reads, and of the sensors of a scene.
FF_CORE double draw_noise(const ff_batch_model *m, const ff_draw_entry *s, ff_random *random, double *x, int stride)
{
    const double value = draw_one(s, random);
    if (m->nchannel > 0) DRAWN_ROW(x, m->loud) = value;
    return value;
}

// ------------------------------------------------------------------------------------------ a robot

/// What a robot draws with.
typedef struct drawing {
    const ff_batch_model *model;
    const ff_draw_table *table;
    ff_body_draw *bodies; // to work in  (nbody)
    ff_random random;
    double away[2]; // where the robot goes, which is done when all is drawn
    int moved;      // it starts in another state
} drawing;

FF_CORE double draw_entry(drawing *d, const ff_draw_entry *s, double *x, int stride)
{
    const ff_batch_model *m = d->model;
    const int moves = s->quantity >= FF_BATCH_START_HEIGHT && s->quantity <= FF_BATCH_START_Y;
    if (moves || s->quantity == FF_BATCH_START_TILT) d->moved = 1;
    switch (s->quantity) {
    case FF_BATCH_START_HEIGHT:
        return draw_heights(m, s, &d->random, x, stride);
    case FF_BATCH_START_TILT:
        return draw_tilt(m, s, &d->random, x, stride);
    case FF_BATCH_START_JOINTS:
    case FF_BATCH_START_SPEEDS:
        return draw_joints(m, s, &d->random, x, stride);
    case FF_BATCH_START_X:
    case FF_BATCH_START_Y:
        return d->away[s->quantity == FF_BATCH_START_Y] = draw_one(s, &d->random);
    case FF_BATCH_DELAY:
        return DRAWN_ROW(x, m->delay_row) = draw_whole(s, &d->random);
    case FF_BATCH_INERTIA:
    case FF_BATCH_COM_X:
    case FF_BATCH_COM_Y:
    case FF_BATCH_COM_Z:
    case FF_BATCH_PAYLOAD:
        return draw_bodies(m, s, &d->random, d->bodies);
    case FF_BATCH_NOISE:
        return draw_noise(m, s, &d->random, x, stride);
    default:
        break;
    }
    if (s->quantity >= FF_BATCH_PARAMETERS) return draw_one(s, &d->random); // pushes
    if (s->quantity == FF_BATCH_MASS && s->single) return draw_bodies(m, s, &d->random, d->bodies);
    return draw_factor(m, s, &d->random, x, stride);
}

/// Inertia of a point mass at c about the origin: xx, yy, zz, xy, xz, yz.
FF_CORE void point_inertia(double mass, const double *c, double *out)
{
    for (int k = 0; k < 3; k++) {
        const double a = c[(k + 1) % 3], b = c[(k + 2) % 3];
        out[k] = mass * (a * a + b * b);
    }
    out[3] = -mass * c[0] * c[1];
    out[4] = -mass * c[0] * c[2];
    out[5] = -mass * c[1] * c[2];
}

/// Puts what was drawn of a body into the ten numbers of its node.
/// @param whole  factor of all masses of the robot, by which the step multiplies them; a payload is what it is
/// @param row    first of FF_OWN_ROWS
APART void weigh_body(const ff_batch_body *body, const ff_body_draw *drawn, double whole, double *x, int row,
                      int stride)
{
    const double mass = drawn->mass * body->mass + drawn->payload / whole;
    double com[3], before[6], after[6];
    ff_mat3_mulv(com, body->R, drawn->shift);
    ff_vec3_add(com, com, body->com);
    point_inertia(body->mass, body->com, before);
    point_inertia(mass, com, after);
    DRAWN_ROW(x, row) += mass - body->mass;
    for (int k = 0; k < 3; k++) DRAWN_ROW(x, row + 1 + k) += mass * com[k] - body->mass * body->com[k];
    for (int k = 0; k < 6; k++)
        DRAWN_ROW(x, row + 4 + k) += (drawn->mass * drawn->inertia - 1.0) * body->I[k] + (after[k] - before[k]);
}

FF_CORE void push_by_draws(const drawing *d, const double *drawn, double *x, int stride)
{
    const ff_batch_model *m = d->model;
    const ff_draw_table *t = d->table;
    double sine, cosine;
    if (t->force < 0) return;
    ff_sincos_core(t->direction >= 0 ? drawn[t->direction] : 0.0, &sine, &cosine);
    const double from = t->time >= 0 ? floor(drawn[t->time] / m->step + 0.5) : 0.0;
    DRAWN_ROW(x, m->robot + FF_ROBOT_PUSH) = drawn[t->force] * cosine;
    DRAWN_ROW(x, m->robot + FF_ROBOT_PUSH + 1) = drawn[t->force] * sine;
    DRAWN_ROW(x, m->robot + FF_ROBOT_PUSH_FROM) = from;
    DRAWN_ROW(x, m->robot + FF_ROBOT_PUSHED) = from + floor(drawn[t->duration] / m->step + 0.5);
}

/// Puts a robot that stands at the start somewhere else, with its gap to the ground.
APART void move_away(const ff_batch_model *m, const double *away, double *x, int stride)
{
    const double by[3] = {away[0], away[1], ff_core_lift(m, away)};
    for (int i = 0; i < m->nnode; i++)
        for (int k = 0; k < 3 && m->nodes[i].type == FF_LINK_FREE; k++) DRAWN_ROW(x, m->nodes[i].q + k) += by[k];
}

/// Draws a robot that stands at the start.
/// @param x      rows of its state, changed
/// @param drawn  number of each row of the table; of one that draws several the last  (count)
FF_CORE void draw_robot(drawing *d, double *x, int stride, double *drawn)
{
    const ff_batch_model *m = d->model;
    d->away[0] = d->away[1] = 0.0;
    d->moved = 0;
    for (int k = 0; k < m->nbody && m->varied; k++) {
        ff_body_draw *body = &d->bodies[k];
        body->mass = body->inertia = 1.0;
        body->payload = body->shift[0] = body->shift[1] = body->shift[2] = 0.0;
    }
    for (int i = 0; i < d->table->count; i++) drawn[i] = draw_entry(d, &d->table->entries[i], x, stride);
    for (int k = 0; k < m->nbody && m->varied; k++) {
        const int own_row = m->nodes[m->bodies[k].node].own_row;
        if (own_row > 0)
            weigh_body(&m->bodies[k], &d->bodies[k], DRAWN_ROW(x, m->parameter + FF_BATCH_MASS), x, own_row, stride);
    }
    push_by_draws(d, drawn, x, stride);
    if (d->away[0] != 0.0 || d->away[1] != 0.0) move_away(m, d->away, x, stride);
    for (int k = m->nq + m->nv; d->moved && k < m->robot; k++) DRAWN_ROW(x, k) = 0.0; // contacts of another state
}

#endif
