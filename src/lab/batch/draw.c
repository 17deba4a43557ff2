// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What differs from robot to robot. The table of distributions names quantities of the model; here its entries are
// found in the model and made ready to be drawn from. Where robots differ in single bodies, contact points or servos,
// the model is copied, and the state of its robots gets rows for these numbers behind all others: own_row of a node,
// factor_row of a point or a servo is the first. Servos without a delay get one that is as long as robots can draw.
// Everything else keeps the constants of the model. A body that is fixed to another moves with the same node: its own
// share of the node's numbers changes.
#include "batch/life.h"

#include <footfall/math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ names

/// Adds a name to a list that is cut where it is full.
static void list_name(char list[300], const char *name)
{
    const size_t used = strlen(list);
    snprintf(list + used, 300 - used, "%s%s", used > 0 ? ", " : "", name);
}

static ff_status unknown_name(const ff_batch_spread *row, const char *what, const char *list, ff_error *err)
{
    return ff_error_set(err, FF_BAD_ARGUMENT, "%s.%.100s cannot be spread: %s has that name, there are %s",
                        ff_batch_parameter_name(row->quantity), row->which, what, list[0] ? list : "none");
}

static ff_status find_body(const ff_batch_model *m, const ff_batch_spread *row, int *target, ff_error *err)
{
    char list[300] = "";
    for (int i = 0; i < m->nbody; i++) {
        if (strcmp(m->bodies[i].name, row->which) == 0) return *target = i, FF_OK;
        list_name(list, m->bodies[i].name);
    }
    return unknown_name(row, "no body that moves", list, err);
}

static ff_status find_joint(const ff_batch_model *m, const ff_batch_spread *row, bool servo, int *target, ff_error *err)
{
    char list[300] = "";
    for (int i = 0; i < m->njoint; i++) {
        if (servo && m->joints[i].servo < 0) continue;
        if (strcmp(m->joints[i].name, row->which) == 0) return *target = i, FF_OK;
        list_name(list, m->joints[i].name);
    }
    return unknown_name(row, servo ? "no hinge or slide with a servo" : "no hinge or slide", list, err);
}

/// Has the foot a contact point?
static bool touches(const ff_batch_model *m, int foot)
{
    for (int k = 0; k < m->npoint; k++)
        if (m->points[k].foot == foot) return true;
    return false;
}

/// Marks the contact points of the shape or foot that entry `i` names.
static ff_status find_points(ff_draws *d, const ff_batch_model *m, int i, ff_error *err)
{
    const ff_batch_spread *row = &d->rows[i];
    char list[300] = "";
    bool found = false;
    d->names_point[i] = FF_ARENA_NEW(&d->arena, unsigned char, m->npoint + 1);
    if (!d->names_point[i]) return ff_error_set(err, FF_NO_MEMORY, "no memory for a table of distributions");
    for (int k = 0; k < m->npoint; k++) {
        const char *shape = m->point_names[k], *foot = m->points[k].foot >= 0 ? m->feet[m->points[k].foot] : "";
        d->names_point[i][k] = strcmp(shape, row->which) == 0 || strcmp(foot, row->which) == 0;
        found = found || d->names_point[i][k];
        if (k == 0 || strcmp(shape, m->point_names[k - 1]) != 0) list_name(list, shape);
    }
    for (int foot = 0; foot < m->nfoot; foot++)
        if (touches(m, foot)) list_name(list, m->feet[foot]);
    return found ? FF_OK : unknown_name(row, "no shape that touches and no foot", list, err);
}

/// Finds what entry `i` names in the model: a body, a joint or contact points.
static ff_status find_target(ff_draws *d, const ff_batch_model *m, int i, ff_error *err)
{
    const ff_batch_spread *row = &d->rows[i];
    d->target[i] = -1;
    if (row->quantity == FF_BATCH_PAYLOAD && !row->which && m->nbody > 0) d->target[i] = 0;
    if (!row->which) return FF_OK;
    switch (ff_spread_of(row->quantity)) {
    case FF_SPREAD_OF_BODIES:
        return find_body(m, row, &d->target[i], err);
    case FF_SPREAD_OF_JOINTS:
        return find_joint(m, row, false, &d->target[i], err);
    case FF_SPREAD_OF_SERVOS:
        return find_joint(m, row, true, &d->target[i], err);
    case FF_SPREAD_OF_POINTS:
        return find_points(d, m, i, err);
    default: // of the whole robot, which has been checked
        return FF_OK;
    }
}

// ------------------------------------------------------------------------------------------ the table

static int row_of(const ff_draws *d, ff_batch_parameter quantity)
{
    for (int i = 0; i < d->count; i++)
        if (d->rows[i].quantity == quantity) return i;
    return -1;
}

/// Each quantity of the same thing has one row: of two one would overrule the other.
static ff_status check_once(const ff_draws *d, int row, ff_error *err)
{
    for (int i = 0; i < row; i++)
        if (strcmp(d->names[i], d->names[row]) == 0)
            return ff_error_set(err, FF_BAD_ARGUMENT, "%s is spread twice: give each quantity one distribution",
                                d->names[row]);
    return FF_OK;
}

static ff_status check_push(const ff_draws *d, const ff_batch_model *m, ff_error *err)
{
    const bool force = row_of(d, FF_BATCH_PUSH_FORCE) >= 0, duration = row_of(d, FF_BATCH_PUSH_DURATION) >= 0;
    const bool more = row_of(d, FF_BATCH_PUSH_DIRECTION) >= 0 || row_of(d, FF_BATCH_PUSH_TIME) >= 0;
    if (!force && !duration && !more) return FF_OK;
    if (!force || !duration)
        return ff_error_set(err, FF_BAD_ARGUMENT, "a push needs push_force and push_duration, and %s is not there",
                            force ? "push_duration" : "push_force");
    if (!m->nodes[0].massive)
        return ff_error_set(err, FF_BAD_ARGUMENT, "push_force cannot be spread: the root of this robot has no mass");
    return FF_OK;
}

/// Least and most that a row draws, for a normal one without bounds as far as four deviations.
static void ends_of(const ff_draws *d, ff_batch_parameter quantity, double ends[2])
{
    const int i = row_of(d, quantity);
    ends[0] = ends[1] = 0.0;
    if (i >= 0) ff_spread_ends(&d->rows[i], ends);
}

/// Starts must lie over ground: beyond the border of a height field nothing carries a robot.
static ff_status check_places(const ff_draws *d, const ff_batch_model *m, ff_error *err)
{
    double x[2], y[2];
    ends_of(d, FF_BATCH_START_X, x);
    ends_of(d, FF_BATCH_START_Y, y);
    for (int k = 0; k < 4 && m->root >= 0; k++) {
        const double away[2] = {x[k % 2], y[k / 2]}, *at = m->start + m->root;
        if (ff_batch_is_over_ground(m, away)) continue;
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "start_x from %g to %g m and start_y from %g to %g m put robots beyond the height field: a "
                            "root that starts at (%g, %g) m would be at (%g, %g) m, where there is no ground",
                            x[0], x[1], y[0], y[1], at[0], at[1], at[0] + away[0], at[1] + away[1]);
    }
    return FF_OK;
}

/// Copies a row with its values and its names. @return false without memory
static bool copy_row(ff_draws *d, const ff_batch_spread *from, int i)
{
    ff_batch_spread *row = &d->rows[i];
    const char *name = ff_batch_parameter_name(from->quantity);
    *row = *from;
    if (from->kind == FF_BATCH_CHOICE) {
        double *values = FF_ARENA_NEW(&d->arena, double, from->nvalue);
        if (!values) return false;
        memcpy(values, from->values, sizeof *values * (size_t)from->nvalue);
        row->values = values;
    }
    if (from->which) row->which = ff_arena_strdup(&d->arena, from->which);
    d->names[i] = from->which ? ff_arena_printf(&d->arena, "%s.%s", name, from->which) : name;
    return d->names[i] && (row->which || !from->which);
}

static ff_status take_row(ff_draws *d, const ff_batch_model *model, const ff_batch_spread *row, int i, ff_error *err)
{
    const int most_delay = model->delay > 0 ? model->delay : model->nservo > 0 ? FF_BATCH_DELAY_MOST : 0;
    ff_status status = ff_spread_check(row, most_delay, err);
    if (!status && !copy_row(d, row, i))
        status = ff_error_set(err, FF_NO_MEMORY, "no memory for a table of distributions");
    if (!status) status = check_once(d, i, err);
    return status ? status : find_target(d, model, i, err);
}

// ------------------------------------------------------------------------------------------ rows added to the state

static bool concerns_bodies(const ff_batch_spread *row)
{
    return (row->quantity == FF_BATCH_MASS && row->which) || row->quantity == FF_BATCH_INERTIA ||
           (row->quantity >= FF_BATCH_COM_X && row->quantity <= FF_BATCH_COM_Z) || row->quantity == FF_BATCH_PAYLOAD;
}

static void *copy_array(ff_arena *arena, const void *from, size_t count, size_t size)
{
    void *to = ff_arena_alloc(arena, count + 1, size);
    if (to && count > 0) memcpy(to, from, count * size);
    return to;
}

/// Adds rows of the state for the nodes, points and servos that entry `i` of the table names.
static void add_state_rows(const ff_draws *d, ff_batch_model *m, int i)
{
    const ff_batch_spread *row = &d->rows[i];
    const bool bodies = concerns_bodies(row);
    for (int k = 0; k < m->nbody && bodies; k++) {
        ff_batch_node *node = &m->nodes[m->bodies[k].node];
        if ((d->target[i] >= 0 && d->target[i] != k) || node->own_row > 0) continue;
        node->own_row = m->nrow;
        node->massive = 1;
        m->nrow += FF_OWN_ROWS;
    }
    for (int k = 0; k < m->npoint && d->names_point[i]; k++) {
        if (!d->names_point[i][k] || m->points[k].factor_row > 0) continue;
        m->points[k].factor_row = m->nrow;
        m->nrow += FF_FACTOR_ROWS;
    }
    if (row->quantity == FF_BATCH_GAIN && row->which) {
        ff_batch_servo_law *servo = &m->servos[m->joints[d->target[i]].servo];
        if (servo->factor_row == 0) servo->factor_row = m->nrow++;
    }
}

/// Gives servos without a delay the longest that robots can draw, and the state its rows for targets under way.
static void add_delay(const ff_draws *d, ff_batch_model *m)
{
    for (int i = 0; i < d->count && m->delay == 0; i++) {
        double ends[2];
        if (d->rows[i].quantity != FF_BATCH_DELAY) continue;
        ff_spread_ends(&d->rows[i], ends);
        m->delay = ends[1] > 1.0 ? (int)ends[1] : 1;
        ff_batch_place_delay(m);
    }
}

/// Fills the added rows for a robot without random changes: its bodies are those of the model, factors are 1.
static void fill_start_rows(const ff_batch_model *m, double *start)
{
    ff_batch_start_delay(m, start);
    for (int i = 0; i < m->nnode; i++) {
        const ff_batch_node *node = &m->nodes[i];
        if (node->own_row == 0) continue;
        start[node->own_row] = node->mass;
        memcpy(start + node->own_row + 1, node->h, sizeof node->h);
        memcpy(start + node->own_row + 4, node->I, sizeof node->I);
    }
    for (int i = 0; i < m->npoint; i++)
        for (int k = 0; k < FF_FACTOR_ROWS && m->points[i].factor_row > 0; k++)
            start[m->points[i].factor_row + k] = 1.0;
    for (int i = 0; i < m->nservo; i++)
        if (m->servos[i].factor_row > 0) start[m->servos[i].factor_row] = 1.0;
}

static bool vary_model(ff_draws *d, const ff_batch_model *from)
{
    ff_batch_model *m = &d->varied;
    *m = *from;
    d->model = from;
    m->nodes = copy_array(&d->arena, from->nodes, (size_t)from->nnode, sizeof *from->nodes);
    m->points = copy_array(&d->arena, from->points, (size_t)from->npoint, sizeof *from->points);
    m->servos = copy_array(&d->arena, from->servos, (size_t)from->nservo, sizeof *from->servos);
    if (!m->nodes || !m->points || !m->servos) return false;
    add_delay(d, m);
    const int rows = m->nrow;
    for (int i = 0; i < d->count; i++) add_state_rows(d, m, i);
    if (m->nrow == from->nrow) return true;
    m->varied = m->nrow > rows;
    double *start = FF_ARENA_NEW(&d->arena, double, m->nrow);
    if (!start) return false;
    memcpy(start, from->start, (size_t)from->nrow * sizeof *start);
    fill_start_rows(m, start);
    m->start = start;
    d->model = m;
    return true;
}

// ------------------------------------------------------------------------------------------ ready to draw from

/// Makes an entry of the table ready to be drawn from, after vary_model added rows to the state.
static ff_draw_entry resolve_entry(const ff_draws *d, int i)
{
    const ff_batch_spread *row = &d->rows[i];
    const ff_batch_model *m = d->model;
    const int target = d->target[i]; // a body or a joint, by the quantity; -1: all
    const bool log = row->kind == FF_BATCH_LOG_UNIFORM, single = row->which != NULL;
    const bool of_joint = ff_spread_of(row->quantity) == FF_SPREAD_OF_JOINTS && target >= 0;
    const bool of_servo = row->quantity == FF_BATCH_GAIN && single;
    return (ff_draw_entry){.quantity = row->quantity,
                           .kind = row->kind,
                           .low = row->low,
                           .high = row->high,
                           .log_low = log ? ff_log(row->low) : 0.0,
                           .log_high = log ? ff_log(row->high) : 0.0,
                           .mean = row->mean,
                           .deviation = row->deviation,
                           .bounded = row->low != 0.0 || row->high != 0.0,
                           .values = row->values,
                           .nvalue = row->nvalue,
                           .single = single,
                           .body = target,                                     // read for quantities of bodies alone
                           .dof = of_joint ? m->joints[target].v - m->nq : -1, // rows of the state: q, then v
                           .factor_row = of_servo ? m->servos[m->joints[target].servo].factor_row : 0,
                           .names_point = d->names_point[i]};
}

/// @return false without memory
static bool make_ready(ff_draws *d)
{
    d->table = (ff_draw_table){.entries = FF_ARENA_NEW(&d->arena, ff_draw_entry, d->count + 1),
                               .count = d->count,
                               .force = row_of(d, FF_BATCH_PUSH_FORCE),
                               .direction = row_of(d, FF_BATCH_PUSH_DIRECTION),
                               .time = row_of(d, FF_BATCH_PUSH_TIME),
                               .duration = row_of(d, FF_BATCH_PUSH_DURATION)};
    for (int i = 0; i < d->count && d->table.entries; i++) d->table.entries[i] = resolve_entry(d, i);
    return d->table.entries != NULL;
}

ff_status ff_draws_make(ff_draws *d, const ff_batch_model *model, const ff_batch_spread *rows, int count, ff_error *err)
{
    *d = (ff_draws){.model = model};
    if (count > FF_BATCH_SPREADS_MOST)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d rows of distributions: a table has up to %d", count,
                            FF_BATCH_SPREADS_MOST);
    d->rows = FF_ARENA_NEW(&d->arena, ff_batch_spread, count + 1);
    d->names = FF_ARENA_NEW(&d->arena, const char *, count + 1);
    d->target = FF_ARENA_NEW(&d->arena, int, count + 1);
    d->names_point = FF_ARENA_NEW(&d->arena, unsigned char *, count + 1);
    d->bodies = FF_ARENA_NEW(&d->arena, ff_body_draw, model->nbody + 1);
    if (d->arena.failed) return ff_error_set(err, FF_NO_MEMORY, "no memory for a table of distributions");
    ff_status status = FF_OK;
    for (int i = 0; i < count && !status; i++, d->count++) status = take_row(d, model, &rows[i], i, err);
    if (!status) status = check_push(d, model, err);
    if (!status) status = check_places(d, model, err);
    if (!status && !(vary_model(d, model) && make_ready(d)))
        status = ff_error_set(err, FF_NO_MEMORY, "no memory for a table of distributions");
    d->noise = row_of(d, FF_BATCH_NOISE);
    return status;
}

void ff_draws_clear(ff_draws *d)
{
    ff_arena_clear(&d->arena);
}
