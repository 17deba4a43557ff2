// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The step generator of the primitive level (thesis 3.4.1, 3.4.2). It follows the ideal generator of the gait table,
// but keeps a leg on the ground while a rule forbids it to lift (step_clock.c). A late leg moves faster through the
// air, so that delays of contact do not add up.
//
// A foot in the air moves to the point from which it reaches its rear extreme position when it is asked to lift again.
// In steady walking that gives the constant speed of the thesis.
#include "gait/walk.h"

#include <footfall/math.h>
#include <math.h>

#define TURNED 6.0  // acceleration of a fast foot at the top of its step [m/s^2]
#define FAST   0.22 // steps are fast, in part, where feet rise faster than this [m/s]
#define FASTER 0.25 // and wholly from this on [m/s]
// time on all feet at a change to or from a gait with a pause: half a swing of the body on its legs [s]
#define REST 0.12

ff_status ff_footstep_setup_make(const ff_leg_place *places, int n, const ff_footstep_options *options,
                                 ff_footstep_setup *setup, ff_error *err)
{
    *setup = (ff_footstep_setup){.n = n, .options = *options};
    ff_status status = FF_BAD_ARGUMENT;
    for (int i = 0; i < FF_GAIT_COUNT; i++) {
        const ff_status table_status = ff_gait_table_make((ff_gait)i, places, n, &setup->tables[i], err);
        setup->allowed[i] = table_status == FF_OK;
        if (table_status == FF_OK) status = FF_OK;
    }
    if (status == FF_OK && err) *err = (ff_error){0};
    return status;
}

void ff_footstep_start(const ff_footstep_setup *setup, const double (*centre)[2], ff_footstep_memory *memory)
{
    *memory = (ff_footstep_memory){.gait = FF_GAIT_COUNT};
    for (int i = 0; i < setup->n; i++)
        memory->legs[i] = (ff_footstep_leg){.foot = {centre[i][0], centre[i][1]}, .waiting = -1.0};
}

// ------------------------------------------------------------------------------------------ standing

/// While the robot stands, each foot that is not at its centre asks for a step.
static void ask_to_centre(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint, const ff_feet_seen *seen,
                          double dt, ff_footstep_memory *memory)
{
    for (int i = 0; i < setup->n; i++) {
        ff_footstep_leg *leg = &memory->legs[i];
        const double x = leg->foot[0] - setpoint->centre[i][0], y = leg->foot[1] - setpoint->centre[i][1];
        const double off = sqrt(x * x + y * y);
        leg->travel = -off;
        leg->ideal[0] = leg->ideal[1] = 0.0;
        if (ff_footstep_in_air(leg)) continue;
        if (off <= setup->options.close || seen->hold)
            leg->waiting = -1.0;
        else
            leg->waiting = leg->waiting < 0.0 ? 0.0 : leg->waiting + dt;
    }
}

// ------------------------------------------------------------------------------------------ motion of a leg

/// The point where a leg in the air should land.
static void landing_point(const ff_gait_table *table, const ff_walk_setpoint *setpoint,
                          const ff_footstep_memory *memory, int i, double point[2])
{
    const ff_footstep_cycle *c = &setpoint->cycle;
    if (!memory->moving) {
        point[0] = setpoint->centre[i][0];
        point[1] = setpoint->centre[i][1];
        return;
    }
    const double left = (1.0 - memory->legs[i].swing) * c->air;
    double lift_at = ff_footstep_until_lift(table, setpoint, memory, i);
    if (lift_at < left) lift_at += c->period;
    // from the end of the swing, a quarter before the landing, to the end of the next rise
    double x = -0.5 * c->length + c->stance * (lift_at - left + 0.5 * c->air);
    // when the robot is to stand, the foot goes to its centre, but not backwards, which would push the body
    if (!setpoint->walk) x = ff_min(x, ff_max(memory->legs[i].travel, 0.0));
    ff_footstep_point(setpoint, i, ff_max(-0.5 * c->length, ff_min(0.5 * c->length, x)), point);
}

/// Speed of a leg in the air, as a multiple of that of the table: above 1 after a late start.
static double hurry(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_walk_setpoint *setpoint,
                    const ff_footstep_memory *memory, int i)
{
    const ff_footstep_cycle *c = &setpoint->cycle;
    if (!memory->moving) return 1.0;
    double late = c->period * (memory->clock - ff_footstep_start_at(table, setpoint, i));
    late -= memory->legs[i].swing * c->air;
    late -= c->period * floor(late / c->period + 0.5);
    return 1.0 + ff_max(0.0, ff_min(setup->options.catch_up - 1.0, late / (0.5 * c->air)));
}

static void move_with_ground(const ff_walk_setpoint *setpoint, const ff_footstep_memory *memory, int i, double dt,
                             double foot[2])
{
    double flow[2];
    ff_footstep_flow(setpoint, i, foot, flow);
    foot[0] -= memory->pace * dt * flow[0];
    foot[1] -= memory->pace * dt * flow[1];
}

static void move_ahead(const ff_footstep_setup *setup, const double point[2], double share, double dt, double foot[2])
{
    const double dx = share * (point[0] - foot[0]), dy = share * (point[1] - foot[1]);
    const double step = sqrt(dx * dx + dy * dy), most = setup->options.most_speed * dt;
    const double part = step > most ? most / step : 1.0;
    foot[0] += part * dx;
    foot[1] += part * dy;
}

/// Ends a swing. Early contact is an obstacle, or the body has sunk: seen->ground is the height of the ground.
static void land(ff_footstep_leg *leg, const ff_feet_seen *seen, int i, double zone, bool touched)
{
    leg->early = touched && leg->phase == FF_FOOTSTEP_DOWN;
    leg->phase = FF_FOOTSTEP_SUPPORT;
    leg->ground = leg->height;
    if (touched && seen->ground_known[i])
        leg->ground = ff_max(leg->height - zone, ff_min(leg->height + zone, seen->ground[i]));
    leg->aim = touched ? ff_min(leg->aim, leg->ground) : leg->ground;
    leg->missed = touched ? 0 : leg->missed + 1;
    leg->without = 0.0;
    leg->waiting = -1.0;
}

static ff_footstep_phase part_of(double swing)
{
    return swing < 0.25   ? FF_FOOTSTEP_RISE
           : swing < 0.5  ? FF_FOOTSTEP_UP
           : swing < 0.75 ? FF_FOOTSTEP_DOWN
                          : FF_FOOTSTEP_LAY;
}

/// How fast a step is, 0 to 1. Joints have no speed or torque to spare for fast ones.
static double haste(const ff_footstep_cycle *c)
{
    return ff_max(0.0, ff_min(1.0, (c->lift - FAST) / (FASTER - FAST)));
}

/// Share of the descent that is done. It is slow at the top and at the expected contact, as the rotors act like 1.3 kg
/// at the foot. Fast steps descend evenly in DOWN, where the joints also swing the foot ahead, and slow down in LAY:
/// u' = 1 - rounded (7.5 v^2 - 3.5 v - 3 v^3).
static double descended(const ff_footstep_cycle *c, double swing)
{
    const double u = 2.0 * swing - 1.0,
                 v = ff_max(0.0, ff_min(1.0, 2.0 * u - 1.0)); // of the transfer, of its phase LAY
    double angle = FF_PI * ff_min(1.0, u), sine, cosine;
    ff_sincos(&angle, &sine, &cosine, 1);
    const double smooth = (1.0 - c->rounded) * u + c->rounded * 0.5 * (1.0 - cosine);
    const double even = u - c->rounded * (ff_max(0.0, u - 1.0) + 0.5 * v * v * (2.5 * v - 1.75 - 0.75 * v * v));
    return smooth + haste(c) * (even - smooth);
}

/// Height that is cut off the top of a fast step, so that the joints reverse with a bounded acceleration.
static double height_cut(const ff_footstep_cycle *c, double swing)
{
    const double time = haste(c) * ff_min(c->lift / TURNED, 0.25 * c->air), left = time - fabs(swing - 0.5) * c->air;
    return left > 0.0 ? 0.5 * c->lift * left * left / time : 0.0;
}

/// Moves a foot in the air up to twice the zone, then down until it touches or the zone ends.
static void move_height(const ff_footstep_cycle *c, ff_footstep_leg *leg, bool no_contact_data, double before,
                        double rate, double dt)
{
    const double after = before + rate * dt / c->air, cutting = height_cut(c, after) - height_cut(c, before);
    if (before < 0.5) {
        const double uncut = leg->height + height_cut(c, before);
        leg->height +=
            ff_min(1.0, (leg->swing - before) / (0.5 - before)) * (leg->aim + 2.0 * c->zone - uncut) - cutting;
    } else if (no_contact_data && before < 1.0) {
        leg->height -=
            ff_min(1.0, (leg->swing - before) / (1.0 - before)) * leg->height; // to the level of the other feet
    } else {
        leg->height -= 2.0 * c->zone * (descended(c, after) - descended(c, before)) + cutting;
    }
}

static void move_in_air(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint, const ff_feet_seen *seen,
                        int i, double dt, ff_footstep_memory *memory)
{
    const ff_gait_table *table = &setup->tables[setpoint->gait];
    const ff_footstep_cycle *c = &setpoint->cycle;
    ff_footstep_leg *leg = &memory->legs[i];
    const double before = leg->swing, rate = hurry(setup, table, setpoint, memory, i);
    leg->swing = ff_min(1.0, before + rate * dt / c->air);
    if (before < 0.25 && leg->swing >= 0.25) leg->stuck = 1;
    if (!seen->contact[i]) leg->stuck = 0;
    const bool no_contact_data = ff_footstep_ignores_contact(leg, seen, i);
    move_height(c, leg, no_contact_data, before, rate, dt);
    if (before >= 0.25 && before < 0.75) {
        double point[2];
        landing_point(table, setpoint, memory, i, point);
        move_ahead(setup, point, ff_min(1.0, (leg->swing - before) / (0.75 - before)), dt, leg->foot);
    } else {
        move_with_ground(setpoint, memory, i, dt, leg->foot);
    }
    leg->phase = part_of(leg->swing);
    if (no_contact_data) {
        if (leg->swing >= 1.0) land(leg, seen, i, c->zone, seen->contact_unknown[i] || leg->stuck);
    } else if (leg->swing > 0.55 && seen->contact[i]) {
        land(leg, seen, i, c->zone, true);
    } else if (leg->height <= leg->aim - (leg->missed == 0 ? 2.0 : 1.0) * c->zone) { // no ground
        land(leg, seen, i, c->zone, false);
    }
}

/// A standing foot moves from where it touched to the height of its ground, and down only until it carries its share. A
/// foot that has lost the ground is lowered to the end of its zone.
static void move_in_support(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint, const ff_feet_seen *seen,
                            int i, double dt, ff_footstep_memory *memory)
{
    ff_footstep_leg *leg = &memory->legs[i];
    move_with_ground(setpoint, memory, i, dt, leg->foot);
    if (seen->contact[i] && !leg->stuck) leg->missed = 0;
    const bool bounced = !ff_footstep_stands(leg, seen, i) && !ff_footstep_ignores_contact(leg, seen, i);
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
    if (leg->without < 0.5 * setup->options.lost || leg->height > leg->ground) return; // a short loss is ignored
    leg->height -= setup->options.search * dt;
    leg->ground = leg->height;
    if (leg->height <= leg->aim - setpoint->cycle.zone) {
        leg->missed++;
        leg->without = 0.0;
    }
}

// ------------------------------------------------------------------------------------------ one period

/// Does a robot that is to stand complete its step first? A gait with a pause is not stopped with feet in the air.
static bool ends_step(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint, const ff_feet_seen *seen,
                      const ff_footstep_memory *memory)
{
    const bool stops = memory->moving && !setpoint->walk && memory->gait == (int32_t)setpoint->gait && !seen->hold;
    if (!stops || !seen->balance || setup->tables[setpoint->gait].pause == 0.0) return false;
    for (int i = 0; i < setup->n; i++)
        if (ff_footstep_in_air(&memory->legs[i])) return true;
    return false;
}

static void start_or_stop(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint, const ff_feet_seen *seen,
                          ff_footstep_memory *memory)
{
    const bool changed = memory->gait != (int32_t)setpoint->gait;
    if (ends_step(setup, setpoint, seen, memory)) {
        memory->rest = REST;
        return;
    }
    if (setpoint->walk && (changed || !memory->moving)) {
        for (int i = 0; i < setup->n && !memory->moving; i++) memory->legs[i].waiting = -1.0;
        for (int i = 0; i < setup->n; i++)
            memory->legs[i].travel = ff_footstep_travel(setpoint, i, memory->legs[i].foot);
        ff_footstep_fit_clock(setup, setpoint, memory);
        // a gait with a pause begins and ends on all feet, or feet would lose the ground
        const ff_gait_table *tables = setup->tables;
        const bool swings = tables[setpoint->gait].pause > 0.0 || (memory->moving && tables[memory->gait].pause > 0.0);
        if (memory->moving && seen->balance && swings && memory->rest <= 0.0) memory->rest = REST;
    }
    memory->moving = setpoint->walk;
    memory->gait = (int32_t)setpoint->gait;
}

/// Keeps all feet on the ground for the time `rest`, then sets the clock again.
static void rest(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint, double dt,
                 ff_footstep_memory *memory)
{
    const bool stands = ff_footstep_support(setup, memory) == setup->n;
    memory->rest = stands || !memory->moving ? memory->rest - dt : REST;
    if (memory->rest <= 0.0 && memory->moving) ff_footstep_fit_clock(setup, setpoint, memory);
}

void ff_footstep_update(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint, const ff_feet_seen *seen,
                        double dt, ff_footstep_memory *memory)
{
    const ff_gait_table *table = &setup->tables[setpoint->gait];
    start_or_stop(setup, setpoint, seen, memory);
    if (memory->moving) {
        for (int i = 0; i < setup->n; i++)
            memory->legs[i].travel = ff_footstep_travel(setpoint, i, memory->legs[i].foot);
        ff_footstep_advance_clock(table, setpoint, dt, memory);
    } else {
        ask_to_centre(setup, setpoint, seen, dt, memory);
    }
    if (memory->rest > 0.0)
        rest(setup, setpoint, dt, memory);
    else
        ff_footstep_grant(setup, table, seen, dt, memory);
    ff_footstep_advance_pace(setup, setpoint, seen, dt, memory);
    for (int i = 0; i < setup->n; i++) {
        const double before = memory->legs[i].foot[0];
        if (ff_footstep_in_air(&memory->legs[i]))
            move_in_air(setup, setpoint, seen, i, dt, memory);
        else
            move_in_support(setup, setpoint, seen, i, dt, memory);
        ff_footstep_raise(&memory->legs[i], setpoint->slope[i] * (memory->legs[i].foot[0] - before));
        // a leg that does not follow its reference does not count as support
        if (seen->not_following[i]) memory->legs[i].without = ff_max(memory->legs[i].without, setup->options.lost);
    }
    ff_footstep_adapt(setup, seen, dt, memory);
}

/// Does the leg of a standing robot lift next? It asks, and the table lifts it together with the most urgent leg.
static bool lifts_next(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_footstep_leg *legs, int leg)
{
    int first = -1;
    for (int i = 0; i < setup->n; i++)
        if (legs[i].waiting >= 0.0 && (first < 0 || ff_footstep_goes_before(table, legs, i, first))) first = i;
    return legs[leg].waiting >= 0.0 && table->start[leg] == table->start[first];
}

double ff_footstep_time_to_lift(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                                const ff_footstep_memory *memory, int leg)
{
    const ff_gait_table *table = &setup->tables[setpoint->gait];
    if (ff_footstep_in_air(&memory->legs[leg])) return 0.0;
    if (!memory->moving && !lifts_next(setup, table, memory->legs, leg)) return INFINITY;
    double time = ff_max(memory->rest, ff_footstep_until_lift(table, setpoint, memory, leg));
    for (int k = 0; k < setup->n; k++)
        if (table->neighbours[leg] >> k & 1U && ff_footstep_in_air(&memory->legs[k]))
            time = ff_max(time, (1.0 - memory->legs[k].swing) * setpoint->cycle.air);
    return time;
}

bool ff_footstep_will_support(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                              const ff_footstep_memory *memory, int leg, double ahead)
{
    const ff_footstep_leg *l = &memory->legs[leg];
    if (ff_footstep_in_air(l)) return (1.0 - l->swing) * setpoint->cycle.air <= ahead;
    return ff_footstep_time_to_lift(setup, setpoint, memory, leg) > ahead;
}
