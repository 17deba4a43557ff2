// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The search for a climb, depth first. A plan is a list of instants (ff_climb_instant). A row is a left and a right leg
// that step together. Rows step one after the other, rear to front, again and again, each as far ahead as possible:
// there must be a pose in which the row can lift and one in which it can be put down, and the rules must hold at every
// instant between them. A row without a better place does not step.
//
// A controller plans while its robot stands, so the search runs in slices of one pose each. The list of branches is the
// stack of the search.
#include "gait/climb_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The search is repeated with each of these until it succeeds. Wide stances on a coarse grid fail least often; narrow
// ones on a fine grid reach the highest ledges.
static const struct attempt {
    double grid; // distance of the places where a row can be put down  [m]
    double wide; // least distance of neighbouring feet, as a multiple of `gap`  [1]
} ATTEMPTS[] = {{0.02, 2.0}, {0.02, 1.0}, {0.01, 1.0}};
static const double FARTHEST = 0.30;  // longest step that is tried  [m]
static const double SPREAD = 0.28;    // a row is put down at most so far ahead of the one behind it  [m]
static const double SAMPLE = 0.01;    // distance that feet or body move between two instants of a plan  [m]
static const double TOLERANCE = 5e-4; // violation of a rule that is accepted; the rules have margins  [m]
static const double HALFWAY = 1e-3;   // the same half-way between two instants  [m]
static const double JUMP = 0.03;      // largest distance that the body moves between two instants  [m]
static const double LENGTH = 0.1;     // distance that a turn of 1 rad counts as  [m]
enum { STEPS = 60, STATES = 200 };    // in a plan; sets of feet in an attempt (135 for the highest ledge of ANTON)

/// Path of a foot through the air: up, ahead, down.  [m]
typedef struct flight {
    double from[2], to[2], top;
    double length;
} flight;

/// A state of the search: feet, and the row that steps next.
typedef struct branch {
    int row, depth, stays; // steps so far; rows before this one that have not stepped
    int places, tried;     // where the row could step to; after all of these it stays where it is
    double x[64];          // of the places  [m]
    double progress;       // sum of x of the feet  [m]
    int count;             // instants of the plan so far
    double foot[FF_CLIMB_ROWS][2];
    ff_climb_body body, lift; // present pose; pose in which the row can leave the ground
} branch;

typedef enum stage { ENTER, LIFT, PLACE, LAND, AFTER, SHIFT, SWING, REST, OVER } stage;

typedef struct ff_climb_search search;
struct ff_climb_search {
    const ff_climb_robot *robot;
    ff_climb_plan *plan;
    struct attempt attempt;
    double foot[FF_CLIMB_ROWS][2];
    ff_climb_body body;
    uint64_t *seen; // feet that were tried, and the row to step next
    int nseen;
    bool failed; // memory is short
    // the farthest feet so far, and the step from there that violates the rules least
    double progress, farthest; // sum of x of the feet, present and farthest  [m]
    int up;                    // rows on the ledge
    double least_excess;       // of that step  [m]
    ff_climb_rule rule;
    int row;
    // state of the search
    stage stage;
    int tries; // attempts begun
    bool found;
    branch *branches;        // (STATES + 1)
    int top;                 // number of branches
    double to[2];            // where the row of the last branch is put down  [m]
    ff_climb_body from, end; // of the present motion of the body
    ff_climb_body land;      // pose in which the row is put down
    int done, total;         // instants of the motion between them
    flight flight;
};

// ------------------------------------------------------------------------------------------ plan

static ff_climb_instant *add_instant(search *s, const ff_climb_body *body, const double (*foot)[2], int swing,
                                     bool stop, const ff_climb_state *state)
{
    ff_climb_plan *plan = s->plan;
    if (!ff_array_grow(&plan->instants, plan->count, &plan->capacity, sizeof *plan->instants)) {
        s->failed = true;
        return NULL;
    }
    ff_climb_instant *instant = &plan->instants[plan->count++];
    *instant = (ff_climb_instant){.swing = swing, .stop = stop, .body = *body, .load = state->load};
    memcpy(instant->foot, foot, sizeof instant->foot);
    memcpy(instant->torque, state->torque, sizeof instant->torque);
    instant->margin = ff_climb_margin(s->robot, foot, swing, state->com);
    return instant;
}

static ff_climb_body between(const ff_climb_robot *robot, const ff_climb_body *a, const ff_climb_body *b, double u)
{
    ff_climb_body out = *a;
    out.x += u * (b->x - a->x);
    out.z += u * (b->z - a->z);
    out.pitch += u * (b->pitch - a->pitch);
    for (int i = 0; i < robot->npitch; i++) out.bend[i] += u * (b->bend[i] - a->bend[i]);
    return out;
}

static double apart(const ff_climb_robot *robot, const ff_climb_body *a, const ff_climb_body *b)
{
    double most = ff_max(fabs(a->x - b->x), fabs(a->z - b->z));
    most = ff_max(most, LENGTH * fabs(a->pitch - b->pitch));
    for (int i = 0; i < robot->npitch; i++) most = ff_max(most, LENGTH * fabs(a->bend[i] - b->bend[i]));
    return most;
}

static void note_failure(search *s, int row, const ff_climb_state *state)
{
    const double far = s->farthest;
    if (s->progress < far - 1e-9 || (s->progress < far + 1e-9 && state->worst >= s->least_excess)) return;
    s->farthest = s->progress;
    s->up = 0;
    for (int k = 0; k < s->robot->rows; k++) s->up += s->foot[k][0] > 0.0;
    s->least_excess = state->worst;
    s->rule = state->rule[state->worst_at];
    s->row = row;
}

// ------------------------------------------------------------------------------------------ motions

/// Sets the body to the pose `like`, or, unless `exact`, to a pose near it that keeps the rules.
/// @return the largest violation left  [m]
static double find_pose_near(search *s, int swing, bool exact, const ff_climb_body *like, ff_climb_state *state)
{
    const double(*foot)[2] = (const double(*)[2])s->foot;
    s->body = *like;
    if (!exact) return ff_climb_find(s->robot, foot, swing, like, &s->body, state);
    ff_climb_assess(s->robot, &s->body, foot, swing, state);
    return state->worst;
}

/// Can the body move straight from the last instant to this one? It must not move far, and rules must hold half-way.
/// @param state  that of the pose half-way when it cannot
static bool is_smooth(const search *s, int swing, ff_climb_state *state)
{
    const ff_climb_robot *robot = s->robot;
    const ff_climb_instant *last = &s->plan->instants[s->plan->count - 1];
    const ff_climb_body body = between(robot, &last->body, &s->body, 0.5);
    double foot[FF_CLIMB_ROWS][2];
    ff_climb_state half;
    for (int row = 0; row < robot->rows; row++)
        for (int k = 0; k < 2; k++) foot[row][k] = 0.5 * (last->foot[row][k] + s->foot[row][k]);
    ff_climb_assess(robot, &body, (const double(*)[2])foot, swing, &half);
    const bool smooth = half.worst < HALFWAY && apart(robot, &last->body, &s->body) < JUMP;
    if (!smooth) *state = half;
    return smooth;
}

/// Begins a motion of the body to a pose. Its number of instants follows from the distance, but at least from `length`.
static void begin_motion(search *s, stage next, const ff_climb_body *to, double length)
{
    s->from = s->body;
    s->end = *to;
    s->done = 0;
    s->total = (int)ceil(ff_max(length, apart(s->robot, &s->from, to)) / SAMPLE);
    s->stage = next;
}

/// Adds the next instant of a motion to the plan, for a row that is to step. @return whether the rules hold there
static bool add_next_instant(search *s, int swing, int row)
{
    const int i = ++s->done, n = s->total;
    const ff_climb_body like = between(s->robot, &s->from, &s->end, (double)i / n);
    ff_climb_state state;
    if (find_pose_near(s, swing, i == n, &like, &state) > TOLERANCE || !is_smooth(s, swing, &state)) {
        note_failure(s, row, &state);
        return false;
    }
    return add_instant(s, &s->body, (const double(*)[2])s->foot, swing, i == n, &state) != NULL;
}

static flight plan_flight(const ff_climb_robot *robot, int row, const double from[2], const double to[2])
{
    flight f = {.from = {from[0], from[1]}, .to = {to[0], to[1]}};
    const double over = from[0] < 0.0 && to[0] > 0.0 ? robot->options.height + robot->radius[row] : 0.0;
    f.top = ff_max(over, ff_max(from[1], to[1])) + robot->options.lift;
    f.length = f.top - from[1] + f.top - to[1] + fabs(to[0] - from[0]);
    return f;
}

static void fly(const flight *f, double way, double foot[2])
{
    const double up = f->top - f->from[1], over = fabs(f->to[0] - f->from[0]);
    foot[0] = f->from[0] + (f->to[0] - f->from[0]) * ff_max(0.0, ff_min(1.0, (way - up) / over));
    foot[1] = way < up ? f->from[1] + way : ff_max(f->to[1], f->top - ff_max(0.0, way - up - over));
}

/// Adds an instant at which the other feet take the load of a row that lifts next, so that the body does not rock.
static bool unload(search *s, int row)
{
    ff_climb_state state;
    ff_climb_assess(s->robot, &s->body, (const double(*)[2])s->foot, row, &state);
    ff_climb_instant *instant = add_instant(s, &s->body, (const double(*)[2])s->foot, -1, true, &state);
    if (instant) instant->margin = ff_climb_margin(s->robot, (const double(*)[2])s->foot, row, state.com);
    return instant != NULL;
}

// ------------------------------------------------------------------------------------------ steps

static int next_row(const search *s, int row)
{
    return row > 0 ? row - 1 : s->robot->rows - 1;
}

/// Can a row leave the ground with these feet? Searches for the pose from `body` on.
static bool can_lift(search *s, const double (*foot)[2], int row, ff_climb_body *body)
{
    ff_climb_state state;
    if (ff_climb_find(s->robot, foot, row, NULL, body, &state) <= TOLERANCE) return true;
    note_failure(s, row, &state);
    return false;
}

static void go_back(search *s, const ff_climb_body *body, const double (*foot)[2], int count)
{
    s->body = *body;
    memcpy(s->foot, foot, sizeof s->foot);
    s->plan->count = count;
}

/// Lists places of the grid, off the edge, where a row may be put down, the farthest first. @return how many
static int places(const search *s, int row, double *x)
{
    const ff_climb_robot *robot = s->robot;
    const ff_climb_options *o = &robot->options;
    const double here = s->foot[row][0], grid = s->attempt.grid;
    double far = here + FARTHEST;
    int n = 0;
    if (row > 0) far = ff_min(far, s->foot[row - 1][0] - s->attempt.wide * o->gap);
    if (row < robot->rows - 1) far = ff_min(far, s->foot[row + 1][0] + SPREAD);
    for (double k = floor(far / grid + 1e-6); k * grid > here + 0.5 * grid; k -= 1.0) {
        const double at = k * grid;
        const double kept = fabs(at) >= o->edge ? at : at > 0.0 ? o->edge : -o->edge;
        if (fabs(kept - at) < grid && kept <= far && kept > here + 0.5 * grid && (n == 0 || kept < x[n - 1] - 1e-9))
            x[n++] = kept;
    }
    return n;
}

static bool all_rows_are_up(const search *s)
{
    for (int row = 0; row < s->robot->rows; row++)
        if (s->foot[row][0] < s->robot->options.edge - 1e-9) return false;
    return true;
}

// ------------------------------------------------------------------------------------------ depth first

/// Were these feet tried before, with this row to step next? From now on they were.
static bool was_tried(search *s, int row)
{
    int64_t where[FF_CLIMB_ROWS];
    for (int k = 0; k < s->robot->rows; k++) where[k] = (int64_t)floor(s->foot[k][0] / (0.1 * s->attempt.grid) + 0.5);
    const uint64_t code = ff_hash(where, (size_t)s->robot->rows * sizeof *where, (uint64_t)row + 1);
    for (int i = 0; i < s->nseen; i++)
        if (s->seen[i] == code) return true;
    if (s->nseen < STATES) s->seen[s->nseen++] = code;
    return false;
}

static void push(search *s, int row, int depth, int stays)
{
    s->branches[s->top++] = (branch){.row = row, .depth = depth, .stays = stays};
    s->stage = ENTER;
}

/// Leaves the last branch, a dead end, and with it those whose places are all tried; then the next attempt begins.
static void pop(search *s)
{
    for (s->top--; s->top > 0; s->top--) {
        const branch *b = &s->branches[s->top - 1];
        if (b->tried > b->places) continue; // its row stayed
        go_back(s, &b->body, (const double(*)[2])b->foot, b->count);
        s->stage = PLACE;
        return;
    }
    if (s->failed || s->tries == (int)(sizeof ATTEMPTS / sizeof *ATTEMPTS)) {
        s->stage = OVER;
        return;
    }
    s->attempt = ATTEMPTS[s->tries++];
    s->nseen = 0;
    push(s, s->robot->rows - 1, 0, 0); // feet and plan are those of the stance again
}

static void enter(search *s, branch *b)
{
    if (all_rows_are_up(s) && b->row == s->robot->rows - 1) {
        s->found = true;
        s->stage = REST;
        return;
    }
    const bool deep = b->depth == STEPS || b->stays == s->robot->rows || s->nseen == STATES;
    if (s->failed || deep || was_tried(s, b->row)) {
        pop(s);
        return;
    }
    b->body = b->lift = s->body;
    b->count = s->plan->count;
    memcpy(b->foot, s->foot, sizeof b->foot);
    for (int k = 0; k < s->robot->rows; k++) b->progress += b->foot[k][0];
    s->progress = b->progress;
    b->places = places(s, b->row, b->x);
    s->stage = b->places > 0 ? LIFT : PLACE;
}

/// Tries the next place; after the last one the row stays where it is.
static void choose_place(search *s, branch *b)
{
    s->progress = b->progress;
    if (b->tried++ >= b->places) {
        push(s, next_row(s, b->row), b->depth, b->stays + 1);
        return;
    }
    s->to[0] = b->x[b->tried - 1];
    s->to[1] = ff_climb_ground(&s->robot->options, s->to[0]) + s->robot->radius[b->row];
    s->land = b->lift;
    s->stage = LAND;
}

/// The feet after the row has landed.
static void feet_after_landing(const search *s, const branch *b, double (*foot)[2])
{
    memcpy(foot, s->foot, sizeof s->foot);
    foot[b->row][0] = s->to[0], foot[b->row][1] = s->to[1];
}

static void find_landing(search *s, branch *b)
{
    double foot[FF_CLIMB_ROWS][2];
    ff_climb_state state;
    feet_after_landing(s, b, foot);
    const bool can = ff_climb_find(s->robot, (const double(*)[2])foot, b->row, NULL, &s->land, &state) <= TOLERANCE;
    if (!can) note_failure(s, b->row, &state);
    s->stage = can ? AFTER : PLACE;
}

/// Continues only if the next row could lift after the landing.
static void check_next_lift(search *s, branch *b)
{
    double foot[FF_CLIMB_ROWS][2];
    ff_climb_body next = s->land;
    feet_after_landing(s, b, foot);
    s->stage = PLACE;
    if (can_lift(s, (const double(*)[2])foot, next_row(s, b->row), &next)) begin_motion(s, SHIFT, &b->lift, 0.0);
}

static void begin_swing(search *s, branch *b)
{
    s->flight = plan_flight(s->robot, b->row, s->foot[b->row], s->to);
    begin_motion(s, SWING, &s->land, s->flight.length);
    if (!unload(s, b->row)) s->stage = PLACE;
}

/// Adds an instant of the motion to the lift, or of the flight. Where the rules do not hold, tries the next place.
static void continue_motion(search *s, branch *b)
{
    const bool flies = s->stage == SWING, over = s->done == s->total;
    if (over && flies) {
        push(s, next_row(s, b->row), b->depth + 1, 0);
    } else if (over) {
        begin_swing(s, b);
    } else {
        if (flies) fly(&s->flight, s->flight.length * (s->done + 1) / s->total, s->foot[b->row]);
        if (add_next_instant(s, flies ? b->row : -1, b->row)) return;
        go_back(s, &b->body, (const double(*)[2])b->foot, b->count);
        s->stage = PLACE;
    }
}

// ------------------------------------------------------------------------------------------ begin and end of a search

/// Adds the stance as the first instant of the plan; it must keep the rules.
static ff_status add_first_instant(search *s, ff_error *err)
{
    const ff_climb_robot *robot = s->robot;
    const ff_model *m = robot->model;
    ff_climb_state state;
    double pos[3];
    memcpy(robot->d->q, robot->stand, (size_t)m->nq * sizeof *robot->stand);
    ff_dyn_kinematics(m, robot->d);
    const double shift_x = robot->start.x - robot->d->q[m->joints[robot->base].qadr];
    for (int row = 0; row < robot->rows; row++) {
        const ff_frame *frame = &m->frames[m->legs[robot->legs[2 * row]].frame];
        ff_dyn_point(m, robot->d, frame->body, frame->pos, pos);
        s->foot[row][0] = pos[0] + shift_x;
        s->foot[row][1] = robot->radius[row];
    }
    s->body = robot->start;
    ff_climb_assess(robot, &s->body, (const double(*)[2])s->foot, -1, &state);
    if (state.worst > TOLERANCE) {
        const ff_climb_rule rule = state.rule[state.worst_at];
        const bool near = rule == FF_CLIMB_LIMB || rule == FF_CLIMB_BELLY;
        return ff_error_set(err, FF_NOT_FOUND, "%s where the climb begins, by %.1f mm%s", ff_climb_rule_text(rule),
                            1e3 * state.worst, near ? ": is the ledge nearer than the front of the robot?" : "");
    }
    return add_instant(s, &s->body, (const double(*)[2])s->foot, -1, true, &state)
               ? FF_OK
               : ff_error_set(err, FF_NO_MEMORY, "no memory for the plan of a climb");
}

/// Instants at which the flight that first puts a row on the ledge begins and ends. @return false: there is none
static bool find_flight(const ff_climb_plan *plan, int row, int *first, int *last)
{
    for (*last = 0; *last < plan->count; ++*last) {
        const ff_climb_instant *instant = &plan->instants[*last];
        if (instant->swing != row || !instant->stop || instant->foot[row][0] < 0.0) continue;
        for (*first = *last; *first > 0 && plan->instants[*first - 1].swing == row && !plan->instants[*first - 1].stop;)
            --*first;
        return true;
    }
    return false;
}

/// Numbers instants by the eight steps of the thesis: in step 3 the front row flies onto the ledge, in step 7 the rear.
static void number_steps(const ff_climb_robot *robot, ff_climb_plan *plan)
{
    int front[2], rear[2];
    if (!find_flight(plan, 0, &front[0], &front[1]) || !find_flight(plan, robot->rows - 1, &rear[0], &rear[1])) return;
    int wave = front[0] - 1, moved = front[1] + 1, moving = rear[0];
    while (wave > 0 && plan->instants[wave - 1].swing != 0) wave--;
    while (moved < rear[0] && plan->instants[moved].swing < 0) moved++;
    while (moving > moved && plan->instants[moving - 1].swing < 0) moving--;
    for (int i = 0; i < plan->count; i++)
        plan->instants[i].step = i < wave        ? 1
                                 : i < front[0]  ? 2
                                 : i <= front[1] ? 3
                                 : i < moved     ? 4
                                 : i < moving    ? 5
                                 : i < rear[0]   ? 6
                                 : i <= rear[1]  ? 7
                                                 : 8;
}

ff_status ff_climb_stand(const ff_climb_robot *robot, ff_climb_plan *plan, ff_error *err)
{
    search s = {.robot = robot, .plan = plan};
    return add_first_instant(&s, err);
}

/// On the ledge the robot returns to its preferred pose.
static void come_to_rest(search *s)
{
    if (s->total < 0) { // the pose is not chosen yet
        ff_climb_body end = s->body;
        ff_climb_state state;
        number_steps(s->robot, s->plan);
        ff_climb_find(s->robot, (const double(*)[2])s->foot, -1, NULL, &end, &state);
        begin_motion(s, REST, &end, 0.0);
    } else if (s->done == s->total || !add_next_instant(s, -1, -1)) {
        for (int i = s->plan->count - 1; i >= 0 && s->plan->instants[i].step == 0; i--) s->plan->instants[i].step = 8;
        s->stage = OVER;
    }
}

ff_climb_search *ff_climb_search_begin(const ff_climb_robot *robot, ff_climb_plan *plan, ff_error *err)
{
    search *s = calloc(1, sizeof *s);
    if (s) *s = (search){.robot = robot, .plan = plan, .farthest = -INFINITY};
    if (s) s->seen = calloc(STATES, sizeof *s->seen);
    if (s) s->branches = calloc(STATES + 1, sizeof *s->branches);
    if (!s || !s->seen || !s->branches) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the plan of a climb");
    } else if (add_first_instant(s, err) == FF_OK) {
        s->attempt = ATTEMPTS[s->tries++];
        push(s, robot->rows - 1, 0, 0);
        return s;
    }
    ff_climb_search_end(s);
    return NULL;
}

void ff_climb_search_end(ff_climb_search *s)
{
    if (!s) return;
    free(s->seen);
    free(s->branches);
    free(s);
}

bool ff_climb_search_slice(ff_climb_search *s)
{
    branch *b = s->top > 0 ? &s->branches[s->top - 1] : NULL;
    if (s->failed) s->stage = OVER;
    switch (s->stage) {
    case ENTER:
        enter(s, b);
        if (s->found) s->total = -1;
        break;
    case LIFT:
        if (!can_lift(s, (const double(*)[2])b->foot, b->row, &b->lift)) b->places = 0;
        s->stage = PLACE;
        break;
    case PLACE:
        choose_place(s, b);
        break;
    case LAND:
        find_landing(s, b);
        break;
    case AFTER:
        check_next_lift(s, b);
        break;
    case SHIFT:
    case SWING:
        continue_motion(s, b);
        break;
    case REST:
        come_to_rest(s);
        break;
    default:
        break;
    }
    return s->stage != OVER;
}

ff_status ff_climb_search_result(const ff_climb_search *s, ff_error *err)
{
    const ff_climb_options *o = &s->robot->options;
    if (s->failed) return ff_error_set(err, FF_NO_MEMORY, "no memory for the plan of a climb");
    if (s->found) return FF_OK;
    if (s->farthest == -INFINITY)
        return ff_error_set(
            err, FF_NOT_FOUND,
            "no path onto a ledge of %g m: with a gap of %g m and %g m off the edge no row has a place to step to",
            o->height, o->gap, o->edge);
    return ff_error_set(
        err, FF_NOT_FOUND,
        "no path onto a ledge of %g m: %d of %d rows get up; then row %d cannot step: %s, by %.1f mm at least",
        o->height, s->up, s->robot->rows, s->row + 1, ff_climb_rule_text(s->rule), 1e3 * s->least_excess);
}
