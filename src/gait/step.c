// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The step generator of the primitive level (thesis 3.4.1, 3.4.2). An ideal generator follows the table of the gait (step_clock.c); the reference
// generator here follows the ideal one, except that it keeps a leg on the ground while a rule forbids it to lift (step_lift.c). A late leg hurries through the air, so that a contact that comes late at every step does not add up.
//
// In the air a foot is led to a point, not by a speed: the point where it must land to be at its rear extreme position when it is next asked
// to lift. In steady walking that is the constant speed of the thesis; after changes of gait, speed or direction it still lands well.
#include "gait/step.h"
#include "gait/hexapod_plan.h"

#include <footfall/balance.h>
#include <footfall/math.h>

#include <math.h>

#define TURNED 6.0  // acceleration of a fast foot at the top of its step [m/s^2]
#define FAST   0.22 // feet that rise faster begin to be fast [m/s]
#define FASTER 0.25 // and are [m/s]
#define REST                                                                                                           \
    0.12 // on all feet, at a change to or from a gait in which the body swings: half a swing of the body on its legs [s]

ff_step_options ff_step_options_default(void)
{
    return (ff_step_options){.behind = 0.6,
                             .acceleration = 0.5,
                             .catch_up = 1.25,
                             .most_speed = 0.8,
                             .search = 0.1,
                             .lost = 0.1,
                             .settle = 0.05,
                             .close = 0.004,
                             .adapt = 0.05,
                             .level = 0.35,
                             .parallel = 1.0};
}

ff_status ff_step_setup_make(const ff_leg_place *places, int n, const ff_step_options *options, ff_step_setup *setup,
                             ff_error *err)
{
    *setup = (ff_step_setup){.n = n, .options = *options};
    ff_status status = FF_BAD_ARGUMENT;
    for (int i = 0; i < FF_GAIT_COUNT; i++) {
        const ff_status made = ff_gait_table_make((ff_gait)i, places, n, &setup->tables[i], err);
        setup->allowed[i] = made == FF_OK;
        if (made == FF_OK) status = FF_OK;
    }
    if (status == FF_OK && err) *err = (ff_error){0};
    return status;
}

void ff_step_start(const ff_step_setup *setup, const double (*centre)[2], ff_step_memory *memory)
{
    *memory = (ff_step_memory){.gait = FF_GAIT_COUNT};
    for (int i = 0; i < setup->n; i++)
        memory->legs[i] = (ff_step_leg){.foot = {centre[i][0], centre[i][1]}, .waiting = -1.0};
}

// ------------------------------------------------------------------------------------------ standing

/// Standing: each foot that is not at its centre asks for a step.
static void ask_to_centre(const ff_step_setup *setup, const ff_walk_order *order, const ff_feet_seen *seen, double dt,
                          ff_step_memory *memory)
{
    for (int i = 0; i < setup->n; i++) {
        ff_step_leg *leg = &memory->legs[i];
        const double x = leg->foot[0] - order->centre[i][0], y = leg->foot[1] - order->centre[i][1];
        const double off = sqrt(x * x + y * y);
        leg->travel = -off;
        leg->ideal[0] = leg->ideal[1] = 0.0;
        if (ff_step_in_air(leg)) continue;
        if (off <= setup->options.close || seen->hold)
            leg->waiting = -1.0;
        else
            leg->waiting = leg->waiting < 0.0 ? 0.0 : leg->waiting + dt;
    }
}

// ------------------------------------------------------------------------------------------ motion of a leg

/// Where a leg in the air shall land, and the share of the transfer that is left until then.
static void landing_point(const ff_gait_table *table, const ff_walk_order *order, const ff_step_memory *memory, int i,
                          double point[2])
{
    const ff_step_cycle *c = &order->cycle;
    if (!memory->moving) {
        point[0] = order->centre[i][0];
        point[1] = order->centre[i][1];
        return;
    }
    const double left = (1.0 - memory->legs[i].swing) * c->air;
    double lift_at = ff_step_until_lift(table, order, memory, i);
    if (lift_at < left) lift_at += c->period;
    // from the end of the swing, a quarter before the landing, to the end of the next rise
    double x = -0.5 * c->length + c->stance * (lift_at - left + 0.5 * c->air);
    // told to stand, it goes to its centre, but not back: its leg would push the body
    if (!order->walk) x = ff_min(x, ff_max(memory->legs[i].travel, 0.0));
    ff_step_point(order, i, ff_max(-0.5 * c->length, ff_min(0.5 * c->length, x)), point);
}

/// How much faster than the table a leg goes through the air to make up for a late start.
static double hurry(const ff_step_setup *setup, const ff_gait_table *table, const ff_walk_order *order,
                    const ff_step_memory *memory, int i)
{
    const ff_step_cycle *c = &order->cycle;
    if (!memory->moving) return 1.0;
    double late = c->period * (memory->clock - ff_step_start_at(table, order, i));
    late -= memory->legs[i].swing * c->air;
    late -= c->period * floor(late / c->period + 0.5);
    return 1.0 + ff_max(0.0, ff_min(setup->options.catch_up - 1.0, late / (0.5 * c->air)));
}

static void move_with_ground(const ff_walk_order *order, const ff_step_memory *memory, int i, double dt, double foot[2])
{
    double flow[2];
    ff_step_flow(order, i, foot, flow);
    foot[0] -= memory->pace * dt * flow[0];
    foot[1] -= memory->pace * dt * flow[1];
}

static void move_ahead(const ff_step_setup *setup, const double point[2], double share, double dt, double foot[2])
{
    const double dx = share * (point[0] - foot[0]), dy = share * (point[1] - foot[1]);
    const double step = sqrt(dx * dx + dy * dy), most = setup->options.most_speed * dt;
    const double part = step > most ? most / step : 1.0;
    foot[0] += part * dx;
    foot[1] += part * dy;
}

/// A foot that touches early may have met an obstacle, or the body has sunk: what the standing feet tell decides.
static void land(ff_step_leg *leg, const ff_feet_seen *seen, int i, double zone, bool touched)
{
    leg->phase = FF_STEP_SUPPORT;
    leg->ground = leg->height;
    if (touched && seen->ground_known[i])
        leg->ground = ff_max(leg->height - zone, ff_min(leg->height + zone, seen->ground[i]));
    leg->aim = leg->ground;
    leg->missed = touched ? 0 : leg->missed + 1;
    leg->without = 0.0;
    leg->waiting = -1.0;
}

static ff_step_phase part_of(double swing)
{
    return swing < 0.25 ? FF_STEP_RISE : swing < 0.5 ? FF_STEP_UP : swing < 0.75 ? FF_STEP_DOWN : FF_STEP_LAY;
}

/// How much a step belongs to the fast ones, for which joints have neither speed nor torque to spare.
static double haste(const ff_step_cycle *c)
{
    return ff_max(0.0, ff_min(1.0, (c->lift - FAST) / (FASTER - FAST)));
}

/// Share of the way down that is done: slower where the foot turns and where it will touch, and on with the last speed. A rotor of 0.4 g cm^2 behind a gear of
/// 251 weighs as much as 1.3 kg at the foot, and throws the body up when it is stopped. Fast steps are even in part 14, while joints swing the foot ahead, too; what they lose
/// before they touch they make up for at the begin of part 24: u' = 1 - rounded (7.5 v^2 - 3.5 v - 3 v^3).
static double sunk(const ff_step_cycle *c, double swing)
{
    const double u = 2.0 * swing - 1.0, v = ff_max(0.0, ff_min(1.0, 2.0 * u - 1.0)); // of the whole way, of part 24
    double angle = FF_PI * ff_min(1.0, u), sine, cosine;
    ff_sincos(&angle, &sine, &cosine, 1);
    const double smooth = (1.0 - c->rounded) * u + c->rounded * 0.5 * (1.0 - cosine);
    const double even = u - c->rounded * (ff_max(0.0, u - 1.0) + 0.5 * v * v * (2.5 * v - 1.75 - 0.75 * v * v));
    return smooth + haste(c) * (even - smooth);
}

/// What is cut off the top of a fast step, so that joints need not turn round at once: one that cannot follow there hurries down after its reference, and lands with all
/// its speed.
static double cut(const ff_step_cycle *c, double swing)
{
    const double time = haste(c) * ff_min(c->lift / TURNED, 0.25 * c->air), left = time - fabs(swing - 0.5) * c->air;
    return left > 0.0 ? 0.5 * c->lift * left * left / time : 0.0;
}

/// Height of a foot in the air: up to twice the zone, then down until it touches or the zone ends.
static void move_height(const ff_step_cycle *c, ff_step_leg *leg, bool blind, double before, double rate, double dt)
{
    const double after = before + rate * dt / c->air, cutting = cut(c, after) - cut(c, before);
    if (before < 0.5) {
        const double whole = leg->height + cut(c, before);
        leg->height +=
            ff_min(1.0, (leg->swing - before) / (0.5 - before)) * (leg->aim + 2.0 * c->zone - whole) - cutting;
    } else if (blind && before < 1.0) {
        leg->height -=
            ff_min(1.0, (leg->swing - before) / (1.0 - before)) * leg->height; // to the level of the other feet
    } else {
        leg->height -= 2.0 * c->zone * (sunk(c, after) - sunk(c, before)) + cutting;
    }
}

static void move_in_air(const ff_step_setup *setup, const ff_walk_order *order, const ff_feet_seen *seen, int i,
                        double dt, ff_step_memory *memory)
{
    const ff_gait_table *table = &setup->tables[order->gait];
    const ff_step_cycle *c = &order->cycle;
    ff_step_leg *leg = &memory->legs[i];
    const double before = leg->swing, rate = hurry(setup, table, order, memory, i);
    leg->swing = ff_min(1.0, before + rate * dt / c->air);
    if (before < 0.25 && leg->swing >= 0.25) leg->stuck = 1;
    if (!seen->contact[i]) leg->stuck = 0;
    const bool blind = ff_step_is_blind(leg, seen, i);
    move_height(c, leg, blind, before, rate, dt);
    if (before >= 0.25 && before < 0.75) {
        double point[2];
        landing_point(table, order, memory, i, point);
        move_ahead(setup, point, ff_min(1.0, (leg->swing - before) / (0.75 - before)), dt, leg->foot);
    } else {
        move_with_ground(order, memory, i, dt, leg->foot);
    }
    leg->phase = part_of(leg->swing);
    if (blind) {
        if (leg->swing >= 1.0) land(leg, seen, i, c->zone, seen->blind[i] || leg->stuck);
    } else if (leg->swing > 0.55 && seen->contact[i]) {
        land(leg, seen, i, c->zone, true);
    } else if (leg->height <= leg->aim - (leg->missed == 0 ? 2.0 : 1.0) * c->zone) { // others wait for it meanwhile
        land(leg, seen, i, c->zone, false);
    }
}

/// A foot goes from where it touched to where its ground is, down only until it carries what it shall; one that has lost the ground is
/// lowered after it, to the end of its zone.
static void move_in_support(const ff_step_setup *setup, const ff_walk_order *order, const ff_feet_seen *seen, int i,
                            double dt, ff_step_memory *memory)
{
    ff_step_leg *leg = &memory->legs[i];
    move_with_ground(order, memory, i, dt, leg->foot);
    if (seen->contact[i] && !leg->stuck) leg->missed = 0;
    const bool bounced = !seen->contact[i] && !ff_step_is_blind(leg, seen, i);
    const double most = (bounced ? setup->options.search : setup->options.settle) * dt;
    const double down = seen->loaded[i] && !bounced ? 0.0 : -most;
    leg->height += ff_max(down, ff_min(most, leg->ground - leg->height));
    const bool awaited = leg->awaited;
    leg->awaited = 0;
    if (!bounced || (seen->light[i] && !awaited) || leg->missed > 0) {
        leg->without = 0.0;
        return;
    }
    leg->without += dt;
    if (leg->without < 0.5 * setup->options.lost || leg->height > leg->ground) return; // a foot may tremble
    leg->height -= setup->options.search * dt;
    leg->ground = leg->height;
    if (leg->height <= leg->aim - order->cycle.zone) {
        leg->missed++;
        leg->without = 0.0;
    }
}

// ------------------------------------------------------------------------------------------ one period

/// Whether a robot that is told to stand first ends the step it is in: a body that swings from feet to feet is not braked while some of them are in the
/// air, nor are these pulled back.
static bool ends_step(const ff_step_setup *setup, const ff_walk_order *order, const ff_feet_seen *seen,
                      const ff_step_memory *memory)
{
    const bool stops = memory->moving && !order->walk && memory->gait == (int32_t)order->gait && !seen->hold;
    if (!stops || !seen->balance || setup->tables[order->gait].pause == 0.0) return false;
    for (int i = 0; i < setup->n; i++)
        if (ff_step_in_air(&memory->legs[i])) return true;
    return false;
}

static void set_out_or_stop(const ff_step_setup *setup, const ff_walk_order *order, const ff_feet_seen *seen,
                            ff_step_memory *memory)
{
    const bool changed = memory->gait != (int32_t)order->gait;
    if (ends_step(setup, order, seen, memory)) {
        memory->rest = REST;
        return;
    }
    if (order->walk && (changed || !memory->moving)) {
        for (int i = 0; i < setup->n && !memory->moving; i++) memory->legs[i].waiting = -1.0;
        for (int i = 0; i < setup->n; i++) memory->legs[i].travel = ff_step_travel(order, i, memory->legs[i].foot);
        ff_step_fit_clock(setup, order, memory);
        // a gait in which the body swings begins and ends on all feet: from any other place of body and feet it would lose some of them
        const ff_gait_table *tables = setup->tables;
        const bool swings = tables[order->gait].pause > 0.0 || (memory->moving && tables[memory->gait].pause > 0.0);
        if (memory->moving && seen->balance && swings && memory->rest <= 0.0) memory->rest = REST;
    }
    memory->moving = order->walk;
    memory->gait = (int32_t)order->gait;
}

/// All feet stand for a while, then the clock is set anew.
static void rest(const ff_step_setup *setup, const ff_walk_order *order, double dt, ff_step_memory *memory)
{
    const bool stands = ff_step_support(setup, memory) == setup->n;
    memory->rest = stands || !memory->moving ? memory->rest - dt : REST;
    if (memory->rest <= 0.0 && memory->moving) ff_step_fit_clock(setup, order, memory);
}

void ff_step_update(const ff_step_setup *setup, const ff_walk_order *order, const ff_feet_seen *seen, double dt,
                    ff_step_memory *memory)
{
    const ff_gait_table *table = &setup->tables[order->gait];
    set_out_or_stop(setup, order, seen, memory);
    if (memory->moving) {
        for (int i = 0; i < setup->n; i++) memory->legs[i].travel = ff_step_travel(order, i, memory->legs[i].foot);
        ff_step_advance_clock(table, order, dt, memory);
    } else {
        ask_to_centre(setup, order, seen, dt, memory);
    }
    if (memory->rest > 0.0)
        rest(setup, order, dt, memory);
    else
        ff_step_grant(setup, table, seen, dt, memory);
    ff_step_advance_pace(setup, order, seen, dt, memory);
    for (int i = 0; i < setup->n; i++) {
        const double before = memory->legs[i].foot[0];
        if (ff_step_in_air(&memory->legs[i]))
            move_in_air(setup, order, seen, i, dt, memory);
        else
            move_in_support(setup, order, seen, i, dt, memory);
        ff_step_raise(&memory->legs[i], order->slope[i] * (memory->legs[i].foot[0] - before));
        // nobody may count on a leg that does not do what it is told
        if (seen->lame[i]) memory->legs[i].without = ff_max(memory->legs[i].without, setup->options.lost);
    }
    ff_step_adapt(setup, seen, dt, memory);
}

/// Legs of a robot that stands lift when they ask, the most urgent first and with it those that the table lifts together.
static bool lifts_next(const ff_step_setup *setup, const ff_gait_table *table, const ff_step_leg *legs, int leg)
{
    int first = -1;
    for (int i = 0; i < setup->n; i++)
        if (legs[i].waiting >= 0.0 && (first < 0 || ff_step_goes_before(table, legs, i, first))) first = i;
    return legs[leg].waiting >= 0.0 && table->start[leg] == table->start[first];
}

double ff_step_time_to_lift(const ff_step_setup *setup, const ff_walk_order *order, const ff_step_memory *memory,
                            int leg)
{
    const ff_gait_table *table = &setup->tables[order->gait];
    if (ff_step_in_air(&memory->legs[leg])) return 0.0;
    if (!memory->moving && !lifts_next(setup, table, memory->legs, leg)) return INFINITY;
    double time = ff_max(memory->rest, ff_step_until_lift(table, order, memory, leg));
    for (int k = 0; k < setup->n; k++)
        if (table->neighbours[leg] >> k & 1U && ff_step_in_air(&memory->legs[k]))
            time = ff_max(time, (1.0 - memory->legs[k].swing) * order->cycle.air);
    return time;
}

bool ff_step_will_support(const ff_step_setup *setup, const ff_walk_order *order, const ff_step_memory *memory, int leg,
                          double ahead)
{
    const ff_step_leg *l = &memory->legs[leg];
    if (ff_step_in_air(l)) return (1.0 - l->swing) * order->cycle.air <= ahead;
    return ff_step_time_to_lift(setup, order, memory, leg) > ahead;
}
