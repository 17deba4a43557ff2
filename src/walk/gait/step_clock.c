// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Time and speed of the step generator. One clock runs through the period of the gait and asks each leg to lift at its
// start in the table. Where the rules make a leg late, the body slows down: with R the time until a leg leaves its rear
// extreme position
//     pace V_st <= (x + behind L) / R          for each leg that stands
// In steady walking x + L/2 = V_st R for all legs, and nothing is slowed.
//
// A foot at rest in the world moves by p' = -(v + w x p) in the walk frame, so a step is an arc about the centre of
// the turn: at w = 0.4 rad/s a straight step of 7 cm would drag the foot by 2 mm.
#include "gait/walk.h"

#include <footfall/math.h>
#include <math.h>

#define BALANCE_TIMEOUT 0.5 // longest wait for the centre of mass while the robot walks [s]
#define LOAD_TIMEOUT    2.0 // longest wait until other feet have taken the load of a foot, while the body rests [s]

enum { CLOCK_CANDIDATES = 96 };

static double fraction(double x)
{
    const double f = x - floor(x);
    return f < 1.0 ? f : 0.0;
}

// ------------------------------------------------------------------------------------------ geometry of a step

void ff_footstep_flow(const ff_walk_setpoint *setpoint, int leg, const double point[2], double flow[2])
{
    flow[0] = setpoint->scale[leg] * (setpoint->velocity[0] - setpoint->turn * point[1]);
    flow[1] = setpoint->scale[leg] * (setpoint->velocity[1] + setpoint->turn * point[0]);
    if (setpoint->rotation[leg] != 0.0) ff_gait_turn(setpoint->rotation[leg], flow, flow);
}

void ff_footstep_point(const ff_walk_setpoint *setpoint, int leg, double x, double point[2])
{
    const double *centre = setpoint->centre[leg];
    const double w = setpoint->turn, time = x / setpoint->cycle.stance;
    const double flow[2] = {setpoint->velocity[0] - w * centre[1], setpoint->velocity[1] + w * centre[0]};
    double angle = w * time, s, c;
    ff_sincos(&angle, &s, &c, 1);
    const double along = fabs(angle) > 1e-6 ? s / w : time;
    const double across = fabs(angle) > 1e-6 ? (1.0 - c) / w : 0.5 * angle * time;
    double move[2] = {along * flow[0] - across * flow[1], along * flow[1] + across * flow[0]};
    if (setpoint->rotation[leg] != 0.0) ff_gait_turn(setpoint->rotation[leg], move, move);
    for (int k = 0; k < 2; k++) point[k] = centre[k] + setpoint->scale[leg] * move[k];
}

double ff_footstep_travel(const ff_walk_setpoint *setpoint, int leg, const double foot[2])
{
    const double *centre = setpoint->centre[leg];
    double flow[2];
    ff_footstep_flow(setpoint, leg, centre, flow);
    const double square = flow[0] * flow[0] + flow[1] * flow[1], speed = setpoint->cycle.stance;
    if (square < 4e-4 * speed * speed) return 0.0;
    return speed * ((foot[0] - centre[0]) * flow[0] + (foot[1] - centre[1]) * flow[1]) / square;
}

// ------------------------------------------------------------------------------------------ clock

double ff_footstep_until_lift(const ff_gait_table *table, const ff_walk_setpoint *setpoint,
                              const ff_footstep_memory *memory, int leg)
{
    if (memory->legs[leg].waiting >= 0.0) return 0.0;
    return setpoint->cycle.period * fraction(ff_footstep_start_at(table, setpoint, leg) - memory->clock);
}

/// Speed of the body that brings one leg to its rear extreme position when the clock stands at `clock`.
static double speed_for(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_walk_setpoint *setpoint,
                        const ff_footstep_leg *leg, int i, double clock)
{
    const ff_footstep_cycle *c = &setpoint->cycle;
    const double room = setup->options.behind * c->length, rise = 0.25 * c->air;
    if (!ff_footstep_in_air(leg)) {
        const double wait =
            leg->waiting >= 0.0 ? 0.0 : c->period * fraction(ff_footstep_start_at(table, setpoint, i) - clock);
        return (leg->travel + room) / (wait + rise);
    }
    double lift = c->period * fraction(ff_footstep_start_at(table, setpoint, i) - clock);
    const double landing = (1.0 - leg->swing) * c->air;
    if (lift < landing) lift += c->period;
    return (0.5 * c->length + room) / (lift - landing + 2.0 * rise);
}

void ff_footstep_fit_clock(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint, ff_footstep_memory *memory)
{
    const ff_gait_table *table = &setup->tables[setpoint->gait];
    double best = -INFINITY;
    for (int k = 0; k < CLOCK_CANDIDATES + setup->n; k++) {
        // with equal scores the first candidate, the start of the table, is chosen
        const double clock = k < CLOCK_CANDIDATES ? (double)k / CLOCK_CANDIDATES
                                                  : ff_footstep_start_at(table, setpoint, k - CLOCK_CANDIDATES);
        double least = setpoint->cycle.stance, sum = 0.0;
        for (int i = 0; i < setup->n; i++) {
            const double speed =
                ff_min(setpoint->cycle.stance, speed_for(setup, table, setpoint, &memory->legs[i], i, clock));
            least = ff_min(least, speed);
            sum += speed;
        }
        const double score = least + 1e-3 * sum; // with equal least speeds the sum decides
        if (score <= best) continue;
        best = score;
        memory->clock = clock;
    }
}

void ff_footstep_advance_clock(const ff_gait_table *table, const ff_walk_setpoint *setpoint, double dt,
                               ff_footstep_memory *memory)
{
    // a wait for the centre of mass stops the clock, so that legs are asked in their order
    const bool waits = memory->held > (memory->pace == 0.0 ? 0.0 : FF_FOOTSTEP_HURRIED);
    const double tick = memory->rest > 0.0 || waits ? 0.0 : dt / setpoint->cycle.period;
    for (int i = 0; i < table->n; i++) {
        ff_footstep_leg *leg = &memory->legs[i];
        const bool asked = fraction(ff_footstep_start_at(table, setpoint, i) - memory->clock) < tick;
        if (leg->waiting >= 0.0) leg->waiting += dt;
        if (asked && !ff_footstep_in_air(leg) && leg->waiting < 0.0) leg->waiting = 0.0;
    }
    memory->clock = fraction(memory->clock + tick);
    for (int i = 0; i < table->n; i++)
        ff_footstep_ideal(&setpoint->cycle,
                          setpoint->cycle.period * fraction(memory->clock - ff_footstep_start_at(table, setpoint, i)),
                          &memory->legs[i].ideal[0], &memory->legs[i].ideal[1]);
}

// ------------------------------------------------------------------------------------------ pace

/// Share of the commanded speed at which no leg falls too far behind.
static double allowed_pace(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                           const ff_footstep_memory *memory)
{
    const ff_footstep_cycle *c = &setpoint->cycle;
    const double room = setup->options.behind * c->length, rise = 0.25 * c->air;
    double least = c->stance;
    for (int i = 0; i < setup->n; i++) {
        const ff_footstep_leg *leg = &memory->legs[i];
        if (leg->phase == FF_FOOTSTEP_UP || leg->phase == FF_FOOTSTEP_DOWN) continue;
        double time = rise;
        if (leg->phase == FF_FOOTSTEP_RISE) time *= 1.0 - 4.0 * leg->swing + 0.1; // never zero
        if (leg->phase == FF_FOOTSTEP_LAY || leg->phase == FF_FOOTSTEP_SUPPORT)
            time += ff_footstep_until_lift(&setup->tables[setpoint->gait], setpoint, memory, i);
        least = ff_min(least, (leg->travel + room) / time);
    }
    return ff_max(0.0, least / c->stance);
}

void ff_footstep_advance_pace(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                              const ff_feet_seen *seen, double dt, ff_footstep_memory *memory)
{
    // the body starts to move when its first foot may lift
    const bool moves = memory->moving && !(memory->pace == 0.0 && memory->held > 0.0);
    const double wanted = moves ? allowed_pace(setup, setpoint, memory) : 0.0;
    const double most = seen->balance ? seen->most_rate : INFINITY, rate = setup->options.acceleration;
    const double step = dt / ff_max(setpoint->cycle.stance, 1e-3);
    if (wanted > memory->pace)
        memory->pace = ff_min(wanted, memory->pace + ff_min(most, rate) * step);
    else
        memory->pace = ff_max(wanted, memory->pace - ff_min(most, 2.0 * rate) * step);
}

// ------------------------------------------------------------------------------------------ which legs lift

// The clock says which legs ask; a leg stays on the ground while a rule forbids it to lift (thesis 3.4.2):
//     (a) stability:  a neighbour is in the air
//     (b) sequencing: a neighbour that also asks to lift is nearer to its rear extreme position, or reached it earlier
//     (c) support:    fewer than N_min feet would stay down (not in the thesis)
//     (d) balance:    the centre of mass, where it is corrected, does not lie above the feet that would stay down, for
//         half a second at most while the robot walks; or the body rests, and the foot carries its load still

bool ff_footstep_is_down(const ff_footstep_setup *setup, const ff_footstep_leg *leg)
{
    return leg->phase == FF_FOOTSTEP_SUPPORT && leg->without < setup->options.lost;
}

int ff_footstep_support(const ff_footstep_setup *setup, const ff_footstep_memory *memory)
{
    int down = 0;
    for (int i = 0; i < setup->n; i++) down += ff_footstep_is_down(setup, &memory->legs[i]);
    return down;
}

bool ff_footstep_goes_before(const ff_gait_table *table, const ff_footstep_leg *legs, int i, int k)
{
    if (legs[i].travel != legs[k].travel) return legs[i].travel < legs[k].travel;
    if (legs[i].waiting != legs[k].waiting) return legs[i].waiting > legs[k].waiting;
    if (table->start[i] != table->start[k]) return table->start[i] < table->start[k];
    return i < k;
}

bool ff_footstep_ignores_contact(const ff_footstep_leg *leg, const ff_feet_seen *seen, int i)
{
    return seen->contact_unknown[i] || leg->stuck || (leg->missed >= 2 && !seen->contact[i]);
}

/// Has a foot that should stand lost the ground? It does not carry, and searches until it finds the ground or none.
static bool has_bounced(ff_footstep_leg *leg, const ff_feet_seen *seen, int i)
{
    if (ff_footstep_in_air(leg) || ff_footstep_stands(leg, seen, i) || ff_footstep_ignores_contact(leg, seen, i))
        return false;
    leg->awaited = 1;
    return leg->missed == 0;
}

/// Rule (d), for all legs that the table lifts at once. After BALANCE_TIMEOUT a walking robot, but no standing one,
/// lifts with its centre of mass on the edge of the support.
static bool is_balanced(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_feet_seen *seen,
                        ff_footstep_memory *memory, int i)
{
    ff_footstep_leg *legs = memory->legs;
    const double least = memory->moving && memory->held > BALANCE_TIMEOUT ? 0.0 : seen->least_margin;
    const bool hands_over = (!memory->moving || memory->pace == 0.0) && memory->held <= LOAD_TIMEOUT;
    double feet[FF_WALK_LEGS][2];
    int n = 0;
    ff_support support;
    if (!seen->balance) return true;
    for (int k = 0; k < setup->n; k++) {
        const bool lifts = k == i || (legs[k].waiting >= 0.0 && table->start[k] == table->start[i]);
        if (lifts && seen->laden[k] && hands_over) return false;
        if (lifts || !ff_footstep_is_down(setup, &legs[k]) || has_bounced(&legs[k], seen, k)) continue;
        feet[n][0] = legs[k].foot[0];
        feet[n++][1] = legs[k].foot[1];
    }
    return ff_support_make(&support, (const double(*)[2])feet, n) &&
           ff_support_margin(&support, seen->com_soon) > least;
}

/// Rules (a) to (c). @param unbalanced  legs that (d) keeps down: no leg waits for them
static bool may_lift(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_feet_seen *seen,
                     ff_footstep_leg *legs, int i, int down, uint32_t unbalanced)
{
    for (int k = 0; k < setup->n; k++) {
        if (!(table->neighbours[i] >> k & 1U)) continue;
        if (has_bounced(&legs[k], seen, k) || !ff_footstep_is_down(setup, &legs[k])) return false; // (a)
        const bool asks = legs[k].waiting >= 0.0 && !(unbalanced >> k & 1U);
        if (asks && ff_footstep_goes_before(table, legs, k, i)) return false; // (b)
    }
    return down - (ff_footstep_is_down(setup, &legs[i]) ? 1 : 0) >= table->least; // (c)
}

static void lift(ff_footstep_leg *leg)
{
    leg->phase = FF_FOOTSTEP_RISE;
    leg->swing = 0.0;
    leg->aim = leg->height;
    leg->waiting = -1.0;
    leg->without = 0.0;
    leg->stuck = 0;
}

void ff_footstep_grant(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_feet_seen *seen, double dt,
                       ff_footstep_memory *memory)
{
    ff_footstep_leg *legs = memory->legs;
    uint32_t done = 0, unbalanced = 0;
    const double held = memory->held + dt;
    for (int i = 0; i < setup->n; i++)
        if (legs[i].waiting >= 0.0 && !is_balanced(setup, table, seen, memory, i)) unbalanced |= 1U << i;
    memory->held = 0.0;
    for (;;) {
        int first = -1;
        for (int i = 0; i < setup->n; i++)
            if (legs[i].waiting >= 0.0 && !(done >> i & 1U) &&
                (first < 0 || ff_footstep_goes_before(table, legs, i, first)))
                first = i;
        if (first < 0) return;
        done |= 1U << first;
        if (!may_lift(setup, table, seen, legs, first, ff_footstep_support(setup, memory), unbalanced)) continue;
        if (unbalanced >> first & 1U)
            memory->held = held;
        else
            lift(&legs[first]);
    }
}
