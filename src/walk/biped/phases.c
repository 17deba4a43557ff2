// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Footsteps and phases of a plan: stages 1 and 2 of sec. 3.5. A step is a double support, which moves the load to the
// stance foot, and a single support, in which the other foot swings. A plan from a stand begins with a hold (both feet
// stand); the last step puts the feet side by side, and another hold ends the plan.
#include "biped/plan.h"
#include "control/quintic.h"

#include <footfall/math.h>

// ------------------------------------------------------------------------------------------ feet in the air

static void blend(double from, double to, const double q[3], double rate, int k, ff_foot_state *out)
{
    out->x[k] += from + (to - from) * q[0];
    out->v[k] += (to - from) * q[1] * rate;
    out->a[k] += (to - from) * q[2] * rate * rate;
}

ff_foot_state ff_plan_foot(const ff_plan_setup *setup, const ff_phase *p, int foot, double t)
{
    const ff_footprint *at = &p->at[foot];
    ff_foot_state out = {.x = {at->x, at->y, at->z, at->yaw}};
    if (p->swing != foot) return out;
    out = (ff_foot_state){.x = {0.0}};
    const double whole = p->end - p->start, along = setup->gait.arrive * whole - setup->gait.lag;
    const double rate = 1.0 / along, u = (t - p->start) / whole;
    double q[3], up[3];
    ff_quintic_blend((t - p->start - setup->gait.lag) / along, q);
    blend(at->x, p->to.x, q, rate, 0, &out);
    blend(at->y, p->to.y, q, rate, 1, &out);
    blend(at->yaw, p->to.yaw, q, rate, 3, &out);
    ff_quintic_blend(u, q);
    blend(at->z, p->to.z, q, 1.0 / whole, 2, &out);
    const double stretch = setup->gait.rise * whole;
    const bool down = u > 0.5;
    ff_quintic_blend(down ? (p->end - t) / stretch : (t - p->start) / stretch, up);
    blend(0.0, setup->gait.lift, up, (down ? -1.0 : 1.0) / stretch, 2, &out);
    return out;
}

void ff_plan_low(const ff_plan *plan, double t, double out[3])
{
    const double end = plan->start + plan->n * plan->h, down = plan->lowered - plan->start, up = end - plan->raise;
    const bool rises = t > plan->raise && plan->lowered <= plan->raise;
    double q[3];
    ff_quintic_blend(rises ? (t - plan->raise) / up : (t - plan->start) / down, q);
    const double from = rises ? plan->low[1] : plan->low[0], to = rises ? 0.0 : plan->low[1];
    const double rate = 1.0 / (rises ? up : down);
    out[0] = from + (to - from) * q[0];
    out[1] = (to - from) * q[1] * rate;
    out[2] = (to - from) * q[2] * rate * rate;
}

double ff_phase_load(const ff_phase *p, double t)
{
    const double s = ff_min(ff_max((t - p->start) / (p->end - p->start), 0.0), 1.0);
    return p->load[0] + (p->load[1] - p->load[0]) * s * s * (3.0 - 2.0 * s);
}

void ff_phase_zmp(const ff_phase *p, double t, double out[2])
{
    const double s = ff_min(ff_max((t - p->start) / (p->end - p->start), 0.0), 1.0);
    for (int k = 0; k < 2; k++) out[k] = p->zmp[0][k] + (p->zmp[1][k] - p->zmp[0][k]) * s;
}

const ff_phase *ff_plan_phase(const ff_plan *plan, double t)
{
    int i = 0;
    while (i < plan->nphase - 1 && t >= plan->phases[i].end) i++;
    return &plan->phases[i];
}

// ------------------------------------------------------------------------------------------ footsteps

/// A plan while its steps are added.
typedef struct layout {
    const ff_plan_setup *setup;
    const ff_plan_walk *walk;
    ff_plan *plan;
    double time, load, zmp[2];
    ff_footprint feet[FF_BIPED_FEET];
} layout;

static double side_of(int foot)
{
    return foot == 0 ? 1.0 : -1.0;
}

/// Moves a footprint in its own axes.
static void move_print(ff_footprint *p, double ahead, double left)
{
    const double c = ff_cos(p->yaw), s = ff_sin(p->yaw);
    p->x += c * ahead - s * left;
    p->y += s * ahead + c * left;
}

/// Corners of a sole, world.
static void place_corners(const ff_biped_foot *foot, const ff_footprint *at, double out[4][2])
{
    for (int i = 0; i < 4; i++) {
        ff_footprint corner = *at;
        move_print(&corner, foot->edge[0][i & 1], foot->edge[1][i >> 1]);
        out[i][0] = corner.x;
        out[i][1] = corner.y;
    }
}

/// Distance of two soles along their best separating axis; below zero: they overlap.
static double gap_of(const ff_biped *robot, const ff_footprint feet[FF_BIPED_FEET])
{
    double corners[FF_BIPED_FEET][4][2], most = -INFINITY;
    for (int f = 0; f < FF_BIPED_FEET; f++) place_corners(&robot->feet[f], &feet[f], corners[f]);
    for (int axis = 0; axis < 4; axis++) {
        const double angle = feet[axis >> 1].yaw + (axis & 1) * 0.5 * FF_PI, c = ff_cos(angle), s = ff_sin(angle);
        double low[FF_BIPED_FEET] = {INFINITY, INFINITY}, high[FF_BIPED_FEET] = {-INFINITY, -INFINITY};
        for (int f = 0; f < FF_BIPED_FEET; f++)
            for (int i = 0; i < 4; i++) {
                const double along = c * corners[f][i][0] + s * corners[f][i][1];
                low[f] = ff_min(low[f], along);
                high[f] = ff_max(high[f], along);
            }
        most = ff_max(most, ff_max(low[0] - high[1], low[1] - high[0]));
    }
    return most;
}

/// Moves a print outward until its sole is clear of the other.
static void clear_sole(const layout *l, int swing, ff_footprint *to)
{
    ff_footprint feet[FF_BIPED_FEET] = {l->feet[0], l->feet[1]};
    for (int i = 0; i < 3; i++) {
        feet[swing] = *to;
        const double missing = l->setup->gait.clearance - gap_of(l->setup->robot, feet);
        if (!(missing > 0.0)) return;
        move_print(to, 0.0, side_of(swing) * missing);
    }
}

/// Next footstep: beside the other foot, ahead by the length of a step. Steps to the side and turns are of the foot
/// on that side, twice as far, so that feet never cross. Soles turn about the point that carries the robot at rest.
static ff_footprint next_print(const layout *l, int swing, bool last)
{
    const ff_biped_gait *gait = &l->setup->gait;
    const ff_biped_command *c = &l->walk->command;
    const double side = side_of(swing), middle = l->setup->robot->com[0];
    ff_footprint to = l->feet[1 - swing];
    const double turn = last || c->turn * side <= 0.0 ? 0.0 : 2.0 * c->turn * gait->step_time;
    const double left = last || c->side * side <= 0.0 ? 0.0 : 2.0 * c->side * gait->step_time;
    const double ahead = last ? 0.0 : c->speed * gait->step_time;
    move_print(&to, middle, 0.5 * side * gait->width); // between the feet
    to.yaw += turn;
    move_print(&to, ahead - middle, left + 0.5 * side * gait->width);
    if (turn != 0.0) clear_sole(l, swing, &to);
    return to;
}

ff_status ff_plan_check_steps(const ff_plan_setup *setup, const ff_footprint feet[FF_BIPED_FEET],
                              const ff_biped_step *steps, int count, int *bad, ff_error *err)
{
    const ff_biped_gait *gait = &setup->gait;
    ff_footprint at[FF_BIPED_FEET] = {feet[0], feet[1]};
    for (int i = 0; i < count; i++) {
        const ff_biped_step *step = &steps[i];
        *bad = i;
        if ((step->foot != 0 && step->foot != 1) || !isfinite(step->x + step->y + step->turn))
            return ff_error_set(err, FF_BAD_ARGUMENT, "a footstep needs a foot, 0 or 1, and numbers that are finite");
        const ff_footprint *stand = &at[1 - step->foot];
        const double c = ff_cos(stand->yaw), s = ff_sin(stand->yaw), x = step->x - stand->x, y = step->y - stand->y;
        const double ahead = c * x + s * y, lateral = side_of(step->foot) * (c * y - s * x),
                     turn = step->turn - stand->yaw;
        const double widest = gait->width + 2.0 * gait->widest;
        at[step->foot] = (ff_footprint){.x = step->x, .y = step->y, .yaw = step->turn};
        if (fabs(ahead) > gait->longest)
            return ff_error_set(err, FF_BAD_ARGUMENT, "%.3f m %s of the other foot: steps are %.3f m long at most",
                                fabs(ahead), ahead > 0.0 ? "ahead" : "behind", gait->longest);
        if (lateral > widest)
            return ff_error_set(err, FF_BAD_ARGUMENT, "%.3f m beside the other foot: that is %.3f m at most", lateral,
                                widest);
        if (fabs(turn) > 2.0 * gait->most_turn)
            return ff_error_set(err, FF_BAD_ARGUMENT,
                                "turned by %.3f rad against the other foot: that is %.3f rad at most", fabs(turn),
                                2.0 * gait->most_turn);
        if (!(lateral > 0.0) || gap_of(setup->robot, at) < gait->clearance)
            return ff_error_set(err, FF_BAD_ARGUMENT,
                                "the soles would touch or cross: they keep %.3f m from each other", gait->clearance);
    }
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ phases

/// The place under the foot that carries the robot at rest, moved along the foot.
static void point_under(const layout *l, int foot, double ahead, double out[2])
{
    ff_footprint p = l->feet[foot];
    move_print(&p, l->setup->robot->com[0] + ahead, 0.0);
    out[0] = p.x;
    out[1] = p.y;
}

static void add_phase(layout *l, double time, int swing, const double zmp[2], double load, const ff_footprint *to)
{
    ff_phase *p = &l->plan->phases[l->plan->nphase++];
    *p = (ff_phase){.start = l->time,
                    .end = l->time + time,
                    .swing = swing,
                    .at = {l->feet[0], l->feet[1]},
                    .zmp = {{l->zmp[0], l->zmp[1]}, {zmp[0], zmp[1]}},
                    .load = {l->load, load}};
    if (to) p->to = *to;
    if (to) l->feet[swing] = *to;
    l->time += time;
    l->load = load;
    for (int k = 0; k < 2; k++) l->zmp[k] = zmp[k];
}

static void add_step(layout *l, int swing, const ff_footprint *to)
{
    const ff_biped_gait *gait = &l->setup->gait;
    const int stand = 1 - swing;
    const double dx = to->x - l->feet[stand].x, dy = to->y - l->feet[stand].y;
    const double length = ff_cos(l->feet[stand].yaw) * dx + ff_sin(l->feet[stand].yaw) * dy;
    const double sweep = gait->sweep * ff_min(ff_max(length / gait->longest, -1.0), 1.0);
    double zmp[2];
    point_under(l, stand, -sweep, zmp);
    add_phase(l, gait->double_support, -1, zmp, stand == 0 ? 1.0 : 0.0, NULL);
    point_under(l, stand, sweep, zmp);
    add_phase(l, gait->step_time - gait->double_support, swing, zmp, stand == 0 ? 1.0 : 0.0, to);
}

static void add_steps_of_list(layout *l)
{
    const ff_plan_walk *walk = l->walk;
    for (int i = walk->done; i < walk->count && i < walk->done + l->setup->gait.ahead; i++) {
        const ff_biped_step *step = &walk->steps[i];
        const ff_footprint to = {.x = step->x, .y = step->y, .yaw = step->turn};
        add_step(l, step->foot, &to);
    }
}

static bool are_side_by_side(const layout *l)
{
    const ff_footprint *a = &l->feet[0], *b = &l->feet[1];
    const double ahead = ff_cos(a->yaw) * (b->x - a->x) + ff_sin(a->yaw) * (b->y - a->y);
    return fabs(ahead) < 1e-3 && fabs(a->yaw - b->yaw) < 1e-3 &&
           ff_hypot(b->x - a->x, b->y - a->y) < l->setup->gait.width + 1e-3;
}

/// Adds steps by the command; the last one puts the feet side by side.
static void add_steps_of_command(layout *l, int first)
{
    const int count = l->walk->command.walk ? l->setup->gait.ahead : 0;
    int swing = first;
    for (int i = 0; i < count; i++, swing = 1 - swing) {
        const ff_footprint to = next_print(l, swing, i == count - 1);
        add_step(l, swing, &to);
    }
    if (are_side_by_side(l)) return;
    const ff_footprint to = next_print(l, swing, true);
    add_step(l, swing, &to);
}

static void add_hold(layout *l, double time)
{
    double left[2], right[2], zmp[2];
    point_under(l, 0, 0.0, left);
    point_under(l, 1, 0.0, right);
    for (int k = 0; k < 2; k++) zmp[k] = 0.5 * (left[k] + right[k]);
    add_phase(l, time, -1, zmp, 0.5, NULL);
}

static layout layout_from(const ff_plan_setup *setup, const ff_plan_begin *begin, const ff_plan_walk *walk,
                          ff_plan *out)
{
    out->nphase = 0;
    out->start = begin->time;
    out->low[0] = out->low[1] = begin->low;
    return (layout){.setup = setup,
                    .walk = walk,
                    .plan = out,
                    .time = begin->time,
                    .load = begin->load,
                    .zmp = {begin->zmp[0], begin->zmp[1]},
                    .feet = {begin->feet[0], begin->feet[1]}};
}

/// Sets times and ZMP of the knots of the spline; the first knot is given.
static void lay_knots(const layout *l, const ff_knot *first)
{
    ff_plan *out = l->plan;
    const double whole = l->time - out->start;
    out->n = (int)ceil(whole / FF_PLAN_KNOT);
    if (out->n > FF_PLAN_KNOTS) out->n = FF_PLAN_KNOTS;
    out->h = whole / out->n;
    for (int i = 0; i <= out->n; i++)
        ff_phase_zmp(ff_plan_phase(out, out->start + i * out->h), out->start + i * out->h, out->zmp[i]);
    out->torso[0] = *first;
}

void ff_plan_lay_out(const ff_plan_setup *setup, const ff_plan_begin *begin, const ff_plan_walk *walk, ff_plan *out)
{
    const ff_biped_gait *gait = &setup->gait;
    layout l = layout_from(setup, begin, walk, out);
    if (begin->standing) add_hold(&l, gait->hold);
    if (walk->listed)
        add_steps_of_list(&l);
    else
        add_steps_of_command(&l, begin->swing);
    add_hold(&l, gait->double_support);
    add_hold(&l, gait->hold);
    // the centre of mass has the height of the walk from the end of the first step until the last hold
    out->raise = out->phases[out->nphase - 1].start;
    out->lowered = begin->standing ? out->phases[0].end : l.time;
    for (int i = out->nphase - 1; i >= 0 && !begin->standing; i--)
        if (out->phases[i].swing >= 0) out->lowered = out->phases[i].end;
    lay_knots(&l, &begin->torso);
}

// ------------------------------------------------------------------------------------------ staying

/// Times in which the ZMP moves to its place, and for which it stays there, in sqrt(height / g).
#define STAY_GO   0.3
#define STAY_HOLD 1.5
/// Usable part of a sole's half width.
#define STAY_EDGE 0.5

/// w int exp(-w s) p(s) ds for a p that falls linearly from 1 to 0 over the time u / w; rising_share: from 0 to 1.
static double falling_share(double u)
{
    return 1.0 - (1.0 - ff_exp(-u)) / u;
}

static double rising_share(double u)
{
    return (1.0 - ff_exp(-u)) / u - ff_exp(-u);
}

/// The capture point c = x + x' / w of a robot that comes to rest over `rest` fulfils c = w int exp(-w s) p(s) ds with
/// the ZMP p from now on (docs/biped-proof.md). @return P of a ZMP that goes from `zmp` to P, stays, and goes to `rest`
static double find_stay(double capture, double zmp, double rest, double w, const double time[3])
{
    const double u[3] = {w * time[0], w * time[1], w * time[2]};
    const double after[3] = {ff_exp(-u[0]), ff_exp(-u[0] - u[1]), ff_exp(-u[0] - u[1] - u[2])};
    const double share = rising_share(u[0]) + after[0] - after[1] + after[1] * falling_share(u[2]);
    const double others = zmp * falling_share(u[0]) + rest * (after[1] * rising_share(u[2]) + after[2]);
    return (capture - others) / share;
}

bool ff_plan_lay_out_stay(const ff_plan_setup *setup, const ff_plan_begin *begin, ff_plan *out)
{
    const ff_biped *r = setup->robot;
    layout l = layout_from(setup, begin, NULL, out);
    const double w = sqrt(r->weight / (r->mass * setup->gait.height)), body = (r->mass - 2.0 * r->leg_mass) / r->mass;
    const double time[3] = {STAY_GO / w, STAY_HOLD / w, setup->gait.double_support};
    double under[FF_BIPED_FEET][2], stay[2];
    for (int f = 0; f < FF_BIPED_FEET; f++) point_under(&l, f, 0.0, under[f]);
    for (int k = 0; k < 2; k++) {
        // legs stand still, so that only the torso's mass moves; at rest it hangs over the middle of the feet
        const double middle = 0.5 * (under[0][k] + under[1][k]);
        double still = body * begin->torso.x[k];
        for (int f = 0; f < FF_BIPED_FEET; f++) {
            ff_footprint lump = l.feet[f];
            move_print(&lump, r->feet[f].lump[0], r->feet[f].lump[1]);
            still += r->leg_mass / r->mass * (k == 0 ? lump.x : lump.y);
        }
        stay[k] = find_stay(still + body * begin->torso.v[k] / w, begin->zmp[k], middle, w, time);
    }
    // on the line from right to left foot: 0 under the right one, 1 under the left one
    const double dx = under[0][0] - under[1][0], dy = under[0][1] - under[1][1], apart = dx * dx + dy * dy;
    const double along = ((stay[0] - under[1][0]) * dx + (stay[1] - under[1][1]) * dy) / apart;
    const double edge = STAY_EDGE * ff_min(r->feet[0].high[1], -r->feet[0].low[1]) / sqrt(apart);
    if (!(along > -edge && along < 1.0 + edge)) return false;
    // a foot without load would count as one in the air
    const double load = ff_min(ff_max(along, 0.02), 0.98);
    add_phase(&l, time[0], -1, stay, load, NULL);
    add_phase(&l, time[1], -1, stay, load, NULL);
    add_hold(&l, time[2]);
    add_hold(&l, setup->gait.hold);
    out->lowered = out->raise = out->phases[out->nphase - 1].start;
    lay_knots(&l, &begin->torso);
    return true;
}
