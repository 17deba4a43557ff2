// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What differs from robot to robot: rows of the table are found in the model by name, then each robot draws from them
// in their order, into the rows of its state.
#include "batch/draw.h"
#include "batch/spread.h"

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

/// Has the foot a point that touches?
static bool touches(const ff_batch_model *m, int foot)
{
    for (int k = 0; k < m->npoint; k++)
        if (m->points[k].foot == foot) return true;
    return false;
}

/// Points of the shape or foot of that name.
static ff_status find_points(ff_draws *d, const ff_batch_model *m, int i, ff_error *err)
{
    const ff_batch_spread *row = &d->rows[i];
    char list[300] = "";
    bool found = false;
    d->hits[i] = FF_ARENA_NEW(&d->arena, unsigned char, m->npoint + 1);
    if (!d->hits[i]) return ff_error_set(err, FF_NO_MEMORY, "no memory for a table of distributions");
    for (int k = 0; k < m->npoint; k++) {
        const char *shape = m->point_names[k], *foot = m->points[k].foot >= 0 ? m->feet[m->points[k].foot] : "";
        d->hits[i][k] = strcmp(shape, row->which) == 0 || strcmp(foot, row->which) == 0;
        found = found || d->hits[i][k];
        if (k == 0 || strcmp(shape, m->point_names[k - 1]) != 0) list_name(list, shape);
    }
    for (int foot = 0; foot < m->nfoot; foot++)
        if (touches(m, foot)) list_name(list, m->feet[foot]);
    return found ? FF_OK : unknown_name(row, "no shape that touches and no foot", list, err);
}

/// What a row is about in the model.
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
    ff_status status = ff_spread_check(row, model->delay, err);
    if (!status && !copy_row(d, row, i))
        status = ff_error_set(err, FF_NO_MEMORY, "no memory for a table of distributions");
    if (!status) status = check_once(d, i, err);
    return status ? status : find_target(d, model, i, err);
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
    d->hits = FF_ARENA_NEW(&d->arena, unsigned char *, count + 1);
    d->bodies = FF_ARENA_NEW(&d->arena, ff_body_draw, model->nbody + 1);
    if (d->arena.failed) return ff_error_set(err, FF_NO_MEMORY, "no memory for a table of distributions");
    ff_status status = FF_OK;
    for (int i = 0; i < count && !status; i++, d->count++) status = take_row(d, model, &rows[i], i, err);
    if (!status) status = check_push(d, model, err);
    if (!status) status = check_places(d, model, err);
    if (!status && !ff_batch_vary(d, model))
        status = ff_error_set(err, FF_NO_MEMORY, "no memory for a table of distributions");
    d->noise = row_of(d, FF_BATCH_NOISE);
    return status;
}

void ff_draws_clear(ff_draws *d)
{
    ff_arena_clear(&d->arena);
}

// ------------------------------------------------------------------------------------------ drawing

/// Adds a draw each to the positions, or velocities, of the hinges and slides a row is about.
static double draw_joints(const ff_draws *d, int i, ff_random *random, double *rows)
{
    const ff_batch_model *m = d->model;
    const ff_batch_spread *s = &d->rows[i];
    const int only = d->target[i] >= 0 ? m->joints[d->target[i]].v - m->nq : -1;
    double last = 0.0;
    for (int k = 0; k < m->nv; k++) {
        const bool speed = s->quantity == FF_BATCH_START_SPEEDS;
        if ((only >= 0 && only != k) || (!speed && m->dofs[k].q < 0)) continue;
        rows[speed ? m->nq + k : m->dofs[k].q] += last = ff_spread_draw(s, random);
    }
    return last;
}

/// Adds a draw to the height of each free root, or tilts all by one about a level axis of any direction.
static double draw_roots(const ff_draws *d, int i, ff_random *random, double *rows)
{
    const ff_batch_model *m = d->model;
    const ff_batch_spread *s = &d->rows[i];
    const bool tilt = s->quantity == FF_BATCH_START_TILT;
    double last = tilt ? ff_spread_draw(s, random) : 0.0, turn[4], turned[4];
    const double way = tilt ? ff_random_range(random, 0.0, 2.0 * FF_PI) : 0.0;
    const double axis[3] = {ff_cos(way), ff_sin(way), 0.0};
    ff_quat_from_axis_angle(turn, axis, last);
    for (int k = 0; k < m->nnode; k++) {
        double *q = rows + m->nodes[k].q;
        if (m->nodes[k].type != FF_LINK_FREE) continue;
        if (!tilt) q[2] += last = ff_spread_draw(s, random);
        if (!tilt) continue;
        ff_quat_mul(turned, turn, q + 3);
        memcpy(q + 3, turned, sizeof turned);
    }
    return last;
}

/// What is drawn of bodies is put together first.
static double draw_bodies(const ff_draws *d, int i, ff_random *random)
{
    const ff_batch_spread *s = &d->rows[i];
    const bool each = s->quantity >= FF_BATCH_COM_X && s->quantity <= FF_BATCH_COM_Z;
    double last = each ? 0.0 : ff_spread_draw(s, random);
    for (int k = 0; k < d->model->nbody; k++) {
        ff_body_draw *body = &d->bodies[k];
        if (d->target[i] >= 0 && d->target[i] != k) continue;
        if (each) body->shift[s->quantity - FF_BATCH_COM_X] += last = ff_spread_draw(s, random);
        if (s->quantity == FF_BATCH_MASS) body->mass *= last;
        if (s->quantity == FF_BATCH_INERTIA) body->inertia *= last;
        if (s->quantity == FF_BATCH_PAYLOAD) body->payload += last;
    }
    return last;
}

/// Factors of the whole robot, or of single points or a servo. A point of a shape that has a row and of a foot that has
/// one, too, has the product.
static double draw_factor(const ff_draws *d, int i, ff_random *random, double *rows)
{
    const ff_batch_model *m = d->model;
    const ff_batch_spread *s = &d->rows[i];
    const double value = ff_spread_draw(s, random);
    for (int k = 0; k < m->npoint && d->hits[i]; k++)
        if (d->hits[i][k]) rows[m->points[k].factor + (int)s->quantity] *= value;
    if (s->quantity == FF_BATCH_GAIN && s->which)
        rows[m->servos[m->joints[d->target[i]].servo].factor] = value;
    else if (!s->which)
        rows[m->parameter + (int)s->quantity] = value;
    return value;
}

/// Puts a robot that stands at the start somewhere else, with its gap to the ground.
static void move_away(const ff_batch_model *m, const double away[2], double *rows)
{
    const double lift = ff_batch_lift(m, away);
    for (int k = 0; k < m->nnode; k++) {
        double *q = rows + m->nodes[k].q;
        if (m->nodes[k].type != FF_LINK_FREE) continue;
        q[0] += away[0], q[1] += away[1], q[2] += lift;
    }
}

static void push(const ff_draws *d, const double *drawn, double *rows)
{
    const ff_batch_model *m = d->model;
    const int force = row_of(d, FF_BATCH_PUSH_FORCE), way = row_of(d, FF_BATCH_PUSH_DIRECTION);
    const int time = row_of(d, FF_BATCH_PUSH_TIME), duration = row_of(d, FF_BATCH_PUSH_DURATION);
    if (force < 0) return;
    double *robot = rows + m->robot;
    const double direction = way >= 0 ? drawn[way] : 0.0;
    robot[FF_ROBOT_PUSH] = drawn[force] * ff_cos(direction);
    robot[FF_ROBOT_PUSH + 1] = drawn[force] * ff_sin(direction);
    robot[FF_ROBOT_PUSH_FROM] = time >= 0 ? floor(drawn[time] / m->step + 0.5) : 0.0;
    robot[FF_ROBOT_PUSHED] = robot[FF_ROBOT_PUSH_FROM] + floor(drawn[duration] / m->step + 0.5);
}

/// Of what ff_batch_sense reads, and of the sensors of a scene.
static double draw_noise(const ff_draws *d, int i, ff_random *random, double *rows)
{
    const double value = ff_spread_draw(&d->rows[i], random);
    if (d->model->nchannel > 0) rows[d->model->loud] = value;
    return value;
}

/// @param away  where the robot goes, which is done when all is drawn  @return does it start in another state?
static bool draw_row(const ff_draws *d, int i, ff_random *random, double *rows, double away[2], double *drawn)
{
    const ff_batch_spread *s = &d->rows[i];
    switch (s->quantity) {
    case FF_BATCH_START_HEIGHT:
    case FF_BATCH_START_TILT:
        *drawn = draw_roots(d, i, random, rows);
        return true;
    case FF_BATCH_START_JOINTS:
    case FF_BATCH_START_SPEEDS:
        *drawn = draw_joints(d, i, random, rows);
        return true;
    case FF_BATCH_START_X:
    case FF_BATCH_START_Y:
        away[s->quantity == FF_BATCH_START_Y] = *drawn = ff_spread_draw(s, random);
        return true;
    case FF_BATCH_DELAY:
        rows[d->model->delay_row] = *drawn = ff_spread_draw_whole(s, random);
        return false;
    case FF_BATCH_INERTIA:
    case FF_BATCH_COM_X:
    case FF_BATCH_COM_Y:
    case FF_BATCH_COM_Z:
    case FF_BATCH_PAYLOAD:
        *drawn = draw_bodies(d, i, random);
        return false;
    case FF_BATCH_NOISE:
        *drawn = draw_noise(d, i, random, rows);
        return false;
    default:
        break;
    }
    if (s->quantity >= FF_BATCH_PARAMETERS) // pushes
        *drawn = ff_spread_draw(s, random);
    else if (s->quantity == FF_BATCH_MASS && s->which)
        *drawn = draw_bodies(d, i, random);
    else
        *drawn = draw_factor(d, i, random, rows);
    return false;
}

void ff_draws_robot(const ff_draws *d, ff_random *random, double *rows, double *drawn)
{
    const ff_batch_model *m = d->model;
    double away[2] = {0.0, 0.0};
    bool moved = false;
    for (int k = 0; k < m->nbody; k++) d->bodies[k] = (ff_body_draw){.mass = 1.0, .inertia = 1.0};
    for (int i = 0; i < d->count; i++) moved = draw_row(d, i, random, rows, away, &drawn[i]) || moved;
    for (int k = 0; k < m->nbody; k++)
        if (m->nodes[m->bodies[k].node].own > 0)
            ff_batch_weigh_body(&m->bodies[k], &d->bodies[k], rows[m->parameter + FF_BATCH_MASS],
                                rows + m->nodes[m->bodies[k].node].own);
    push(d, drawn, rows);
    if (away[0] != 0.0 || away[1] != 0.0) move_away(m, away, rows);
    for (int k = m->nq + m->nv; moved && k < m->robot; k++) rows[k] = 0.0; // contacts of another state
}
