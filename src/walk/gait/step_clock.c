// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Time and speed of the step generator. One clock runs through the period of the gait; it asks each leg to lift when it
// passes the leg's start in the table, and it never waits, so that the cycle keeps its time whenever contact comes.
// Where the rules make a leg late, the body waits for its foot instead: with R the time a leg has until it leaves its
// rear extreme position,
//     pace V_st <= (x + behind L) / R          for each leg that stands
// In steady walking x + L/2 = V_st R for all legs, and nothing is held back; after a start or a change of gait the body
// slows down as far as the leg with most to wait needs, and no foot falls farther behind its centre than `behind` L.
//
// Steps of a body that moves and turns: a foot at rest in the world moves by p' = -(v + w x p) in the walk frame, so a
// step is an arc about the centre of the turn. It is used as it is, not straightened: at w = 0.4 rad/s a straight step
// of 7 cm would drag the foot by 2 mm.
#include "gait/walk.h"

#include <footfall/math.h>

#include <math.h>

enum { CLOCK_CANDIDATES = 96 };

static double fraction(double x)
{
    const double f = x - floor(x);
    return f < 1.0 ? f : 0.0;
}

static void turn_by(double angle, double vector[2])
{
    double s, c;
    ff_sincos(&angle, &s, &c, 1);
    const double x = c * vector[0] - s * vector[1];
    vector[1] = s * vector[0] + c * vector[1];
    vector[0] = x;
}

// ------------------------------------------------------------------------------------------ geometry of a step

void ff_footstep_flow(const ff_walk_setpoint *setpoint, int leg, const double point[2], double flow[2])
{
    flow[0] = setpoint->scale[leg] * (setpoint->velocity[0] - setpoint->turn * point[1]);
    flow[1] = setpoint->scale[leg] * (setpoint->velocity[1] + setpoint->turn * point[0]);
    if (setpoint->rotation[leg] != 0.0) turn_by(setpoint->rotation[leg], flow);
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
    if (setpoint->rotation[leg] != 0.0) turn_by(setpoint->rotation[leg], move);
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
        // the start of the table first: of equal ones it wins, and a walk begins as the table does
        const double clock = k < CLOCK_CANDIDATES ? (double)k / CLOCK_CANDIDATES
                                                  : ff_footstep_start_at(table, setpoint, k - CLOCK_CANDIDATES);
        double least = setpoint->cycle.stance, sum = 0.0;
        for (int i = 0; i < setup->n; i++) {
            const double speed =
                ff_min(setpoint->cycle.stance, speed_for(setup, table, setpoint, &memory->legs[i], i, clock));
            least = ff_min(least, speed);
            sum += speed;
        }
        const double score = least + 1e-3 * sum; // of equal ones, that which leaves the other legs most time
        if (score <= best) continue;
        best = score;
        memory->clock = clock;
    }
}

void ff_footstep_advance_clock(const ff_gait_table *table, const ff_walk_setpoint *setpoint, double dt,
                               ff_footstep_memory *memory)
{
    // a centre of mass that is under way holds the whole pattern, so that no leg is asked out of its turn
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

/// Share of the commanded speed that all legs on the ground can follow.
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
        if (leg->phase == FF_FOOTSTEP_RISE) time *= 1.0 - 4.0 * leg->swing + 0.1; // a last speed for the end of it
        if (leg->phase == FF_FOOTSTEP_LAY || leg->phase == FF_FOOTSTEP_SUPPORT)
            time += ff_footstep_until_lift(&setup->tables[setpoint->gait], setpoint, memory, i);
        least = ff_min(least, (leg->travel + room) / time);
    }
    return ff_max(0.0, least / c->stance);
}

void ff_footstep_advance_pace(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                              const ff_feet_seen *seen, double dt, ff_footstep_memory *memory)
{
    const bool sets_out = memory->moving && !(memory->pace == 0.0 && memory->held > 0.0); // with its first foot
    const double wanted = sets_out ? allowed_pace(setup, setpoint, memory) : 0.0;
    const double most = seen->balance ? seen->most_rate : INFINITY, rate = setup->options.acceleration;
    const double step = dt / ff_max(setpoint->cycle.stance, 1e-3);
    if (wanted > memory->pace)
        memory->pace = ff_min(wanted, memory->pace + ff_min(most, rate) * step);
    else
        memory->pace = ff_max(wanted, memory->pace - ff_min(most, 2.0 * rate) * step);
}
