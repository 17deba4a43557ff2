// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The search for a climb. Rows step one after the other, rear to front, wave after wave, each as far ahead as poses
// allow: there must be a pose in which the row can leave where it stands, one in which it can be put down, and rules
// must hold on the way between them, sample by sample. A row that finds no better place stays.
#include "gait/climb_plan.h"

#include <footfall/math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Tries one after the other: grid of places, and least distance of neighbouring feet as a multiple of `gap`. Wide
// stances on a coarse grid get lost least often, narrow ones on a fine grid get highest.
static const struct attempt {
    double grid; // [m]
    double wide;
} ATTEMPTS[] = {{0.02, 2.0}, {0.02, 1.0}, {0.01, 1.0}};
static const double FARTHEST = 0.30;  // longest step that is tried  [m]
static const double SPREAD = 0.28;    // a row is put down at most so far ahead of the one behind it  [m]
static const double SAMPLE = 0.01;    // way of feet or body between two instants of a plan  [m]
static const double TOLERANCE = 5e-4; // excess of rules that is let pass; they have room of their own  [m]
static const double HALFWAY = 1e-3;   // the same between two instants  [m]
static const double JUMP = 0.03;      // largest way of the body between two instants  [m]
static const double LENGTH = 0.1;     // an angle of 1 rad counts like so many metres
enum { STEPS = 60, STATES = 200 };    // in a plan; sets of feet in a try (135 for the highest ledge of ANTON)

/// A search under way.
typedef struct search {
    const ff_climb_robot *robot;
    ff_climb_plan *plan;
    struct attempt attempt;
    double foot[FF_CLIMB_ROWS][2];
    ff_climb_body body;
    uint64_t *seen; // feet that were tried, and the row to step next
    int nseen;
    bool failed; // memory is short
    // the feet that got farthest, and what came nearest to a step from there
    double way, farthest; // sum of x of the feet, now and there  [m]
    int up;               // rows on the ledge
    double hope;          // excess of the step  [m]
    ff_climb_rule rule;
    int row;
} search;

// ------------------------------------------------------------------------------------------ plan

static ff_climb_key *add_key(search *s, const ff_climb_body *body, const double (*foot)[2], int swing, bool stop,
                             const ff_climb_state *state)
{
    ff_climb_plan *plan = s->plan;
    if (!ff_array_grow(&plan->keys, plan->count, &plan->capacity, sizeof *plan->keys)) {
        s->failed = true;
        return NULL;
    }
    ff_climb_key *key = &plan->keys[plan->count++];
    *key = (ff_climb_key){.swing = swing, .stop = stop, .body = *body, .load = state->load};
    memcpy(key->foot, foot, sizeof key->foot);
    memcpy(key->torque, state->torque, sizeof key->torque);
    key->margin = ff_climb_margin(s->robot, foot, swing, state->com);
    return key;
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

static int rows_up(const search *s)
{
    int up = 0;
    for (int row = 0; row < s->robot->rows; row++) up += s->foot[row][0] > 0.0;
    return up;
}

static void note_failure(search *s, int row, const ff_climb_state *state)
{
    if (s->way < s->farthest - 1e-9 || (s->way < s->farthest + 1e-9 && state->worst >= s->hope)) return;
    s->farthest = s->way;
    s->up = rows_up(s);
    s->hope = state->worst;
    s->rule = state->rule[state->worst_at];
    s->row = row;
}

// ------------------------------------------------------------------------------------------ ways

/// The pose `like`, or on the way one near to it that keeps the rules. @return the excess left  [m]
static double follow(search *s, int swing, bool on_the_way, const ff_climb_body *like, ff_climb_state *state)
{
    const double(*foot)[2] = (const double(*)[2])s->foot;
    s->body = *like;
    if (on_the_way) return ff_climb_find(s->robot, foot, swing, like, &s->body, state);
    ff_climb_judge(s->robot, &s->body, foot, swing, state);
    return state->worst;
}

/// Whether the body can go straight from the last instant to this one: not far, and rules hold half-way.
static bool smooth(const search *s, int swing, ff_climb_state *state)
{
    const ff_climb_robot *robot = s->robot;
    const ff_climb_key *last = &s->plan->keys[s->plan->count - 1];
    const ff_climb_body body = between(robot, &last->body, &s->body, 0.5);
    double foot[FF_CLIMB_ROWS][2];
    ff_climb_state half;
    for (int row = 0; row < robot->rows; row++)
        for (int k = 0; k < 2; k++) foot[row][k] = 0.5 * (last->foot[row][k] + s->foot[row][k]);
    ff_climb_judge(robot, &body, (const double(*)[2])foot, swing, &half);
    const bool fine = half.worst < HALFWAY && apart(robot, &last->body, &s->body) < JUMP;
    if (!fine) *state = half;
    return fine;
}

/// From pose to pose with all feet where they stand.
static bool shift(search *s, const ff_climb_body *to, int row)
{
    const ff_climb_robot *robot = s->robot;
    const ff_climb_body from = s->body;
    const int n = (int)ceil(apart(robot, &from, to) / SAMPLE);
    for (int i = 1; i <= n; i++) {
        const ff_climb_body like = between(robot, &from, to, (double)i / n);
        ff_climb_state state;
        if (follow(s, -1, i < n, &like, &state) > TOLERANCE || !smooth(s, -1, &state)) {
            note_failure(s, row, &state);
            return false;
        }
        if (!add_key(s, &s->body, (const double(*)[2])s->foot, -1, i == n, &state)) return false;
    }
    return true;
}

/// Way of a foot through the air: up, over, down.
typedef struct flight {
    double from[2], to[2], top;
    double length;
} flight;

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

/// Before a row leaves the ground the other feet take its load over, so that the body does not rock when it lifts.
static bool unload(search *s, int row)
{
    ff_climb_state state;
    ff_climb_judge(s->robot, &s->body, (const double(*)[2])s->foot, row, &state);
    ff_climb_key *key = add_key(s, &s->body, (const double(*)[2])s->foot, -1, true, &state);
    if (key) key->margin = ff_climb_margin(s->robot, (const double(*)[2])s->foot, row, state.com);
    return key != NULL;
}

static bool swing(search *s, int row, const double to[2], const ff_climb_body *end)
{
    const ff_climb_robot *robot = s->robot;
    const ff_climb_body from = s->body;
    const flight f = plan_flight(robot, row, s->foot[row], to);
    const int n = (int)ceil(ff_max(f.length, apart(robot, &from, end)) / SAMPLE);
    if (!unload(s, row)) return false;
    for (int i = 1; i <= n; i++) {
        const ff_climb_body like = between(robot, &from, end, (double)i / n);
        ff_climb_state state;
        fly(&f, f.length * i / n, s->foot[row]);
        if (follow(s, row, i < n, &like, &state) > TOLERANCE || !smooth(s, row, &state)) {
            note_failure(s, row, &state);
            return false;
        }
        if (!add_key(s, &s->body, (const double(*)[2])s->foot, row, i == n, &state)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------ steps

static int next_row(const search *s, int row)
{
    return row > 0 ? row - 1 : s->robot->rows - 1;
}

/// Whether a row could leave the ground with the feet so; looks for the pose from `body` on.
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

/// A row steps to x from the pose `lift`, in which it can leave the ground; all is as before where it cannot.
static bool step(search *s, int row, const ff_climb_body *lift, double x)
{
    const ff_climb_robot *robot = s->robot;
    const ff_climb_body was = s->body;
    const int count = s->plan->count;
    const double to[2] = {x, ff_climb_ground(&robot->options, x) + robot->radius[row]};
    const double from[2] = {s->foot[row][0], s->foot[row][1]};
    ff_climb_body land = *lift;
    ff_climb_state state;
    double foot[FF_CLIMB_ROWS][2];
    memcpy(foot, s->foot, sizeof foot);
    foot[row][0] = to[0], foot[row][1] = to[1];
    if (ff_climb_find(robot, (const double(*)[2])foot, row, NULL, &land, &state) > TOLERANCE) {
        note_failure(s, row, &state);
        return false;
    }
    ff_climb_body next = land;
    if (!can_lift(s, (const double(*)[2])foot, next_row(s, row), &next)) return false;
    if (shift(s, lift, row) && swing(s, row, to, &land)) return true;
    foot[row][0] = from[0], foot[row][1] = from[1];
    go_back(s, &was, (const double(*)[2])foot, count);
    return false;
}

/// Places where a row may be put down, the farthest first; on one grid for all, but as near to the edge as may be.
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

static bool done(const search *s)
{
    for (int row = 0; row < s->robot->rows; row++)
        if (s->foot[row][0] < s->robot->options.edge - 1e-9) return false;
    return true;
}

// ------------------------------------------------------------------------------------------ depth first

/// Whether these feet were tried before with this row to step next; remembers them.
static bool seen(search *s, int row)
{
    int64_t where[FF_CLIMB_ROWS];
    for (int k = 0; k < s->robot->rows; k++) where[k] = (int64_t)floor(s->foot[k][0] / (0.1 * s->attempt.grid) + 0.5);
    const uint64_t code = ff_hash(where, (size_t)s->robot->rows * sizeof *where, (uint64_t)row + 1);
    for (int i = 0; i < s->nseen; i++)
        if (s->seen[i] == code) return true;
    if (s->nseen < STATES) s->seen[s->nseen++] = code;
    return false;
}

static bool explore(search *s, int row, int depth, int stays)
{
    const int next = next_row(s, row);
    double x[64];
    if (done(s) && row == s->robot->rows - 1) return true;
    if (s->failed || depth == STEPS || stays == s->robot->rows || s->nseen == STATES || seen(s, row)) return false;
    const ff_climb_body body = s->body;
    ff_climb_body lift = body;
    const int count = s->plan->count;
    double foot[FF_CLIMB_ROWS][2], way = 0.0;
    memcpy(foot, s->foot, sizeof foot);
    for (int k = 0; k < s->robot->rows; k++) way += foot[k][0];
    s->way = way;
    int n = places(s, row, x);
    if (n > 0 && !can_lift(s, (const double(*)[2])foot, row, &lift)) n = 0;
    for (int i = 0; i < n; i++) {
        s->way = way;
        if (!step(s, row, &lift, x[i])) continue;
        if (explore(s, next, depth + 1, 0)) return true;
        go_back(s, &body, (const double(*)[2])foot, count);
    }
    return explore(s, next, depth, stays + 1);
}

// ------------------------------------------------------------------------------------------ all

/// Feet and body of the stance; all of it must keep the rules.
static ff_status begin(search *s, ff_error *err)
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
    ff_climb_judge(robot, &s->body, (const double(*)[2])s->foot, -1, &state);
    if (state.worst > TOLERANCE) {
        const ff_climb_rule rule = state.rule[state.worst_at];
        const bool near = rule == FF_CLIMB_LIMB || rule == FF_CLIMB_BELLY;
        return ff_error_set(err, FF_NOT_FOUND, "%s where the climb begins, by %.1f mm%s", ff_climb_rule_text(rule),
                            1e3 * state.worst, near ? ": is the ledge nearer than the front of the robot?" : "");
    }
    return add_key(s, &s->body, (const double(*)[2])s->foot, -1, true, &state)
               ? FF_OK
               : ff_error_set(err, FF_NO_MEMORY, "no memory for the plan of a climb");
}

/// Where the flight that first puts a row on the ledge begins and ends; false where the row begins up there.
static bool find_flight(const ff_climb_plan *plan, int row, int *first, int *last)
{
    for (*last = 0; *last < plan->count; ++*last) {
        const ff_climb_key *key = &plan->keys[*last];
        if (key->swing != row || !key->stop || key->foot[row][0] < 0.0) continue;
        for (*first = *last; *first > 0 && plan->keys[*first - 1].swing == row && !plan->keys[*first - 1].stop;)
            --*first;
        return true;
    }
    return false;
}

/// Which of the eight steps of the thesis an instant belongs to, by the flights of front and rear row onto the
/// ledge.
static void number_steps(const ff_climb_robot *robot, ff_climb_plan *plan)
{
    int front[2], rear[2];
    if (!find_flight(plan, 0, &front[0], &front[1]) || !find_flight(plan, robot->rows - 1, &rear[0], &rear[1])) return;
    int wave = front[0] - 1, moved = front[1] + 1, moving = rear[0];
    while (wave > 0 && plan->keys[wave - 1].swing != 0) wave--;
    while (moved < rear[0] && plan->keys[moved].swing < 0) moved++;
    while (moving > moved && plan->keys[moving - 1].swing < 0) moving--;
    for (int i = 0; i < plan->count; i++)
        plan->keys[i].step = i < wave        ? 1
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
    return begin(&s, err);
}

ff_status ff_climb_search(const ff_climb_robot *robot, ff_climb_plan *plan, ff_error *err)
{
    search s = {.robot = robot, .plan = plan, .farthest = -INFINITY};
    const ff_status status = begin(&s, err);
    if (status != FF_OK) return status;
    s.seen = calloc(STATES, sizeof *s.seen);
    if (!s.seen) s.failed = true;
    bool found = false;
    for (size_t i = 0; i < sizeof ATTEMPTS / sizeof *ATTEMPTS && !found && !s.failed; i++) {
        s.attempt = ATTEMPTS[i];
        s.nseen = 0;
        found = explore(&s, robot->rows - 1, 0, 0); // where it finds nothing, all is as before
    }
    free(s.seen);
    if (s.failed) return ff_error_set(err, FF_NO_MEMORY, "no memory for the plan of a climb");
    if (!found && s.farthest == -INFINITY)
        return ff_error_set(
            err, FF_NOT_FOUND,
            "no path onto a ledge of %g m: with a gap of %g m and %g m off the edge no row has a place to step to",
            robot->options.height, robot->options.gap, robot->options.edge);
    if (!found)
        return ff_error_set(
            err, FF_NOT_FOUND,
            "no path onto a ledge of %g m: %d of %d rows get up; then row %d cannot step: %s, by %.1f mm at least",
            robot->options.height, s.up, robot->rows, s.row + 1, ff_climb_rule_text(s.rule), 1e3 * s.hope);
    number_steps(robot, plan);
    ff_climb_body end = s.body;
    ff_climb_state state;
    ff_climb_find(robot, (const double(*)[2])s.foot, -1, NULL, &end, &state);
    shift(&s, &end, -1);
    for (int i = plan->count - 1; i >= 0 && plan->keys[i].step == 0; i--) plan->keys[i].step = 8;
    return FF_OK;
}
