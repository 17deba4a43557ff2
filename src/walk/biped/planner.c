// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The planner: makes a plan when a step begins; a later plan does not change the present step.
#include "biped/plan.h"

#include <footfall/math.h>

#include <stdlib.h>
#include <string.h>

/// All that changes.
typedef struct memory {
    ff_plan_walk walk;
    ff_plan plan;       // no phases: standing
    double next;        // when the next step of the plan begins, and may be planned again  [s]
    int swing;          // foot that swings in it
    double lift;        // when the first foot of a plan from a stand lifts; below zero: never  [s]
    bool of_list;       // the first step of the plan is one of the list
    ff_plan_begin rest; // how the robot stands
    int sent;           // numbers of the plan that were sent as slices
} memory;

/// The plan of another planner, as far as it was received.
typedef struct incoming {
    ff_plan plan;
    double start; // of the plan  [s]
    int received; // numbers of it
    bool adopted; // a complete plan was received, and the robot has not stood since
} incoming;

struct ff_biped_planner {
    ff_plan_setup setup;
    ff_biped_ik ik;
    double *work;
    memory own, *memory;
    incoming incoming;
};

// ------------------------------------------------------------------------------------------ making

/// Defaults: those of the source, for legs of 0.86 m and a centre of mass at 0.886 m; lengths are scaled by the leg,
/// times by the root of the height. Numbers of the robot's file take their place.
ff_biped_gait ff_biped_gait_default(const ff_biped *robot)
{
    const double leg = robot->leg, pace = sqrt(robot->com[2] / 0.886);
    ff_biped_gait gait = {.step_time = 0.8 * pace,
                          .lift = 0.08 * leg,
                          .width = robot->width,
                          .height = robot->com[2],
                          // assumed: 0.35 of half a sole, 44 mm for LOLA
                          .sweep = 0.25 * (robot->feet[0].high[0] - robot->feet[0].low[0]) * 0.7,
                          .rise = 0.4,
                          .arrive = 0.8,
                          .clearance = 0.01,
                          .longest = 0.56 * leg,
                          .widest = 0.12 * leg,
                          .most_turn = 0.2,
                          .ahead = 4,
                          .correction = true};
    const struct {
        ff_biped_number number;
        double *to;
    } list[] = {{FF_BIPED_STEP_TIME, &gait.step_time}, {FF_BIPED_DOUBLE_SUPPORT, &gait.double_support},
                {FF_BIPED_HOLD, &gait.hold},           {FF_BIPED_LIFT, &gait.lift},
                {FF_BIPED_WIDTH, &gait.width},         {FF_BIPED_HEIGHT, &gait.height},
                {FF_BIPED_SWEEP, &gait.sweep},         {FF_BIPED_CLEARANCE, &gait.clearance},
                {FF_BIPED_LONGEST, &gait.longest},     {FF_BIPED_WIDEST, &gait.widest},
                {FF_BIPED_MOST_TURN, &gait.most_turn}};
    // no farther than the sole reaches, as it stands
    gait.sweep = ff_max(
        ff_min(gait.sweep, 0.9 * ff_min(robot->feet[0].high[0] - robot->com[0], robot->com[0] - robot->feet[0].low[0])),
        0.0);
    gait.double_support = gait.hold = NAN;
    for (size_t i = 0; robot->given && i < sizeof list / sizeof *list; i++)
        if (isfinite(robot->given->numbers[list[i].number])) *list[i].to = robot->given->numbers[list[i].number];
    if (!isfinite(gait.double_support)) gait.double_support = 0.2 * gait.step_time;
    if (!isfinite(gait.hold)) gait.hold = 2.0 * gait.step_time;
    return gait;
}

static void stand(const ff_biped_planner *p, memory *m, double t)
{
    const ff_biped *r = p->setup.robot;
    m->rest = (ff_plan_begin){.time = t, .load = 0.5, .standing = true};
    m->lift = -1.0;
    // after a plan the robot stands as at its end, at the start as in the standing pose
    if (m->plan.nphase > 0) {
        const ff_phase *last = &m->plan.phases[m->plan.nphase - 1];
        memcpy(m->rest.feet, last->at, sizeof last->at);
        memcpy(m->rest.zmp, last->zmp[1], sizeof m->rest.zmp);
        m->rest.torso = m->plan.torso[m->plan.n];
        m->plan.nphase = 0;
        if (m->of_list && m->walk.listed) m->walk.done = m->walk.count;
        return;
    }
    const double body = r->mass - 2.0 * r->leg_mass;
    m->rest.low = p->setup.gait.height - r->com[2]; // it begins as it stands
    for (int k = 0; k < 2; k++) {
        m->rest.zmp[k] = r->com[k];
        m->rest.torso.x[k] = r->mass * r->com[k] / body;
    }
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        m->rest.feet[f] = (ff_footprint){.x = 0.0, .y = (f == 0 ? 0.5 : -0.5) * r->width};
        m->rest.torso.x[0] -= r->leg_mass * (m->rest.feet[f].x + r->feet[f].lump[0]) / body;
        m->rest.torso.x[1] -= r->leg_mass * (m->rest.feet[f].y + r->feet[f].lump[1]) / body;
    }
}

/// Greatest acceleration of swing feet, in g: LOLA's own gait has 0.6, and steps of 0.45 s, which it walks, 3.0.
#define MOST_LIFTING 4.0
/// Greatest rise of swing feet, in legs: with 0.23 LOLA falls, as its joints are too slow.
#define HIGHEST_LIFT 0.2
/// Least height of the hip above the ankle, in legs: knees of two equal links are bent by a right angle.
#define SHORTEST_LEG 0.7071
/// Greatest distance of the feet, in legs: the body must sway from foot to foot in a step.
#define WIDEST_STAND 0.55

/// Height of the hip above the ankle while the robot stands with its centre of mass that high.  [m]
static double span_of(const ff_biped *r, double height)
{
    const double body = r->mass - 2.0 * r->leg_mass, lumps = r->feet[0].lump[2] + r->feet[1].lump[2];
    return (r->mass * height - r->leg_mass * lumps) / body + r->feet[0].hip[2] - r->feet[0].ankle[2];
}

/// Greatest acceleration of a foot that rises by a quintic, in g.
static double lifting_of(const ff_biped *r, const ff_biped_gait *g)
{
    const double time = g->rise * (g->step_time - g->double_support);
    return 10.0 / sqrt(3.0) * g->lift / (time * time) * r->mass / r->weight;
}

/// Can the robot walk this gait, and is it short enough for a plan?
static ff_status check_gait(const ff_biped *robot, const ff_biped_gait *g, ff_error *err)
{
    const ff_biped_foot *foot = &robot->feet[0];
    const double front = foot->high[0] - robot->com[0], back = robot->com[0] - foot->low[0];
    const double swing = g->step_time - g->double_support;
    const double whole = 2.0 * g->hold + (g->ahead + 1) * g->step_time + g->double_support;
    const double stands = span_of(robot, robot->com[2]), walks = span_of(robot, g->height);
    const struct {
        const char *what;
        bool holds;
    } rules[] = {
        {"its numbers must be finite",
         isfinite(whole + g->lift + g->width + g->height + g->sweep + g->lag + g->arrive + g->rise)},
        {"'double_support' must be shorter than 'step_time', and both positive",
         g->double_support > 0.0 && swing > 0.0},
        {"a swing foot must have time to move",
         g->lag >= 0.0 && g->arrive <= 1.0 && g->arrive * swing > g->lag && g->rise > 0.0 && g->rise <= 0.5},
        {"its centre of mass does not stand over where its soles may press", front > 0.0 && back > 0.0},
        {"'sweep' moves the ZMP off the sole", g->sweep >= 0.0 && g->sweep <= ff_min(front, back)},
        {"its feet would touch side by side: 'width' is too small",
         g->width >= foot->edge[1][1] - foot->edge[1][0] + g->clearance},
        {"its body cannot sway so far from foot to foot: 'width' is more than 0.55 of a leg",
         g->width <= ff_max(robot->width, WIDEST_STAND * robot->leg)},
        {"steps must have a length", g->longest > 0.0 && g->widest >= 0.0},
        {"its legs do not reach: 'longest' is longer than they are", g->longest <= robot->leg},
        {"'lift' is more than a fifth of a leg", g->lift <= HIGHEST_LIFT * robot->leg},
        {"its legs are not long enough for this 'height'", walks <= ff_max(stands, robot->reach)},
        {"at this 'height' its knees are bent by more than a right angle",
         walks >= ff_min(stands, SHORTEST_LEG * robot->leg)},
        {"a swing foot would be accelerated by more than 4 g: lower 'lift', or lengthen 'step_time' less "
         "'double_support'",
         lifting_of(robot, g) <= MOST_LIFTING},
        {"a plan holds 2 to 16 steps", g->ahead >= 2 && g->ahead <= FF_PLAN_STEPS},
        {"a plan lasts 20 s at most: shorten 'hold' or 'step_time'",
         g->hold >= 0.0 && whole <= FF_PLAN_KNOTS * FF_PLAN_KNOT},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!rules[i].holds) return ff_error_set(err, FF_BAD_ARGUMENT, "this gait cannot be walked: %s", rules[i].what);
    return FF_OK;
}

/// Fills in the numbers that the caller leaves to the robot.
static ff_biped_gait complete(const ff_biped *robot, ff_biped_gait gait)
{
    if (gait.width == 0.0) gait.width = robot->width;
    if (gait.height == 0.0) gait.height = robot->com[2];
    return gait;
}

ff_biped_planner *ff_biped_planner_create(const ff_biped *robot, const ff_biped_gait *gait, ff_error *err)
{
    const ff_biped_gait whole = complete(robot, *gait);
    if (check_gait(robot, &whole, err) != FF_OK) return NULL;
    ff_biped_planner *p = calloc(1, sizeof *p);
    if (p) {
        p->setup = (ff_plan_setup){robot, whole};
        p->ik.robot = robot;
        p->ik.data = ff_data_create(robot->model, err);
        p->work = calloc(ff_collocation_work(FF_PLAN_KNOTS), sizeof *p->work);
    }
    if (!p || !p->ik.data || !p->work) {
        ff_biped_planner_destroy(p);
        ff_error_set(err, FF_NO_MEMORY, "no memory for the planner");
        return NULL;
    }
    p->memory = &p->own;
    stand(p, p->memory, 0.0);
    return p;
}

void ff_biped_planner_destroy(ff_biped_planner *p)
{
    if (!p) return;
    ff_data_destroy(p->ik.data);
    free(p->work);
    free(p);
}

size_t ff_biped_planner_memory_size(void)
{
    return sizeof(memory);
}

void ff_biped_planner_use_memory(ff_biped_planner *p, void *to)
{
    memcpy(to, p->memory, sizeof *p->memory);
    p->memory = to;
}

/// A number clamped to -most .. most; `all` becomes false where it was beyond.
static double within(double x, double most, bool *all)
{
    const double out = isfinite(x) ? ff_min(ff_max(x, -most), most) : 0.0;
    *all = *all && out == x;
    return out;
}

bool ff_biped_planner_command(ff_biped_planner *p, const ff_biped_command *command)
{
    const ff_biped_gait *gait = &p->setup.gait;
    bool all = true;
    p->memory->walk.listed = false;
    p->memory->walk.command = (ff_biped_command){.speed = within(command->speed, gait->longest / gait->step_time, &all),
                                                 .side = within(command->side, gait->widest / gait->step_time, &all),
                                                 .turn = within(command->turn, gait->most_turn / gait->step_time, &all),
                                                 .walk = command->walk};
    return all;
}

ff_status ff_biped_planner_footsteps(ff_biped_planner *p, const ff_biped_step *steps, int count, int *bad,
                                     ff_error *err)
{
    memory *m = p->memory;
    int first = 0;
    ff_status status = FF_OK;
    if (count < 1 || count > FF_BIPED_STEPS)
        status = ff_error_set(err, FF_BAD_ARGUMENT, "%d footsteps: a list has 1 to %d", count, FF_BIPED_STEPS);
    // from where the present step ends
    const ff_footprint *feet = m->plan.nphase > 0 ? ff_plan_phase(&m->plan, m->next)->at : m->rest.feet;
    if (status == FF_OK) status = ff_plan_check_steps(&p->setup, feet, steps, count, &first, err);
    if (bad) *bad = first;
    if (status != FF_OK) return status;
    m->walk = (ff_plan_walk){.count = count, .listed = true};
    m->of_list = false;
    memcpy(m->walk.steps, steps, (size_t)count * sizeof *steps);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ a tick

static void plan_from(ff_biped_planner *p, const ff_plan_begin *begin)
{
    memory *m = p->memory;
    ff_plan_lay_out(&p->setup, begin, &m->walk, &m->plan);
    ff_plan_move_torso(&p->setup, &m->plan, &p->ik, p->work);
    // The next step begins at the end of the first swing. After the last step the robot stands before it walks again:
    // the torso comes to rest between the feet, too far from the foot that another step would stand on.
    int swings = 0;
    m->next = INFINITY;
    m->lift = -1.0;
    m->of_list = m->walk.listed;
    m->sent = 0;
    for (int i = 0; i < m->plan.nphase; i++) {
        if (m->plan.phases[i].swing < 0 || swings++ > 0) continue;
        m->next = m->plan.phases[i].end;
        m->swing = 1 - m->plan.phases[i].swing;
        if (begin->standing) m->lift = m->plan.phases[i].start;
    }
    if (swings == 1) m->next = INFINITY;
}

/// Plans again at the end of a swing, from the feet and the torso of the last plan.
static void plan_on(ff_biped_planner *p)
{
    memory *m = p->memory;
    const ff_phase *phase = ff_plan_phase(&m->plan, m->next);
    double low[3];
    ff_plan_low(&m->plan, m->next, low);
    if (m->of_list && m->walk.listed) m->walk.done++;
    const ff_plan_begin begin = {.time = m->next,
                                 .feet = {phase->at[0], phase->at[1]},
                                 .zmp = {phase->zmp[0][0], phase->zmp[0][1]},
                                 .load = phase->load[0],
                                 .torso = ff_plan_torso(&m->plan, m->next),
                                 .low = low[0],
                                 .swing = m->swing};
    plan_from(p, &begin);
}

/// A robot that is commanded to stand before its first foot has left the ground stays where it is.
static void stay(ff_biped_planner *p, double t)
{
    memory *m = p->memory;
    const ff_phase *phase = ff_plan_phase(&m->plan, t);
    ff_plan plan;
    double low[3];
    ff_plan_low(&m->plan, t, low);
    ff_plan_begin begin = {.time = t,
                           .feet = {phase->at[0], phase->at[1]},
                           .load = ff_phase_load(phase, t),
                           .torso = ff_plan_torso(&m->plan, t),
                           .low = low[0]};
    ff_phase_zmp(phase, t, begin.zmp);
    m->lift = -1.0; // once
    if (!ff_plan_lay_out_stay(&p->setup, &begin, &plan)) return;
    m->plan = plan;
    ff_plan_move_torso(&p->setup, &m->plan, &p->ik, p->work);
    m->next = INFINITY;
    m->sent = 0;
}

void ff_biped_planner_tick(ff_biped_planner *p, double t, ff_biped_target *out)
{
    memory *m = p->memory;
    if (t < m->lift && !m->walk.listed && !m->walk.command.walk) stay(p, t);
    if (m->plan.nphase > 0 && t >= m->next) plan_on(p);
    if (m->plan.nphase > 0 && t >= m->plan.phases[m->plan.nphase - 1].end) stand(p, m, t);
    if (m->plan.nphase == 0 && (m->walk.listed ? m->walk.done < m->walk.count : m->walk.command.walk)) {
        m->rest.time = t;
        m->rest.swing = m->walk.command.side > 0.0 || m->walk.command.turn > 0.0 ? 0 : 1;
        plan_from(p, &m->rest);
    }
    if (m->plan.nphase > 0) {
        ff_plan_target(&p->setup, &m->plan, t, out);
        return;
    }
    // standing: a plan of one phase that does not move
    ff_plan still = {.nphase = 1,
                     .start = t,
                     .h = 1.0,
                     .n = 1,
                     .low = {m->rest.low, m->rest.low},
                     .lowered = t + 1.0,
                     .raise = t + 1.0,
                     .torso = {m->rest.torso, m->rest.torso}};
    still.phases[0] = (ff_phase){.start = t,
                                 .end = t + 1.0,
                                 .swing = -1,
                                 .at = {m->rest.feet[0], m->rest.feet[1]},
                                 .zmp = {{m->rest.zmp[0], m->rest.zmp[1]}, {m->rest.zmp[0], m->rest.zmp[1]}},
                                 .load = {0.5, 0.5}};
    ff_plan_target(&p->setup, &still, t, out);
    out->walking = false;
}

// ------------------------------------------------------------------------------------------ slices

void ff_biped_planner_slice(ff_biped_planner *p, ff_biped_slice *out)
{
    memory *m = p->memory;
    *out = (ff_biped_slice){.plan = -1.0};
    if (m->plan.nphase == 0) return;
    const int count = ff_plan_numbers(&m->plan);
    if (m->sent >= count) m->sent = 0;
    out->plan = m->plan.start;
    out->first = m->sent;
    for (int i = 0; i < FF_BIPED_SLICE && m->sent < count; i++, m->sent++)
        out->numbers[i] = ff_plan_access(&m->plan, m->sent, 0.0, false);
}

/// Numbers of the incoming plan; 2 until the first two are known.
static int count_numbers(const incoming *c)
{
    return c->received < 2 ? 2 : ff_plan_numbers(&c->plan);
}

void ff_biped_planner_adopt(ff_biped_planner *p, const ff_biped_slice *slice)
{
    memory *m = p->memory;
    incoming *c = &p->incoming;
    if (slice->plan < 0.0) {
        c->adopted = false;
        c->start = -1.0;
        return;
    }
    if (slice->plan != c->start) *c = (incoming){.start = slice->plan, .adopted = c->adopted};
    if (slice->first != c->received) return; // an earlier slice was lost: slices are sent again and again
    for (int i = 0; i < FF_BIPED_SLICE && c->received < count_numbers(c); i++, c->received++) {
        ff_plan_access(&c->plan, c->received, slice->numbers[i], true);
        if (c->received == 1 && !ff_plan_fits(&c->plan)) { // the planner is faulty
            c->received = -1;
            return;
        }
    }
    if (c->received < count_numbers(c) || !ff_plan_is_valid(&c->plan)) return;
    m->plan = c->plan;
    m->next = INFINITY;
    c->adopted = true;
}

bool ff_biped_planner_follow_adopted(ff_biped_planner *p, double t, ff_biped_target *out)
{
    static const ff_biped_command stand_still = {.walk = false};
    if (!p->incoming.adopted) return false;
    ff_biped_planner_command(p, &stand_still);
    ff_biped_planner_tick(p, t, out);
    return true;
}
