// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which legs of a gait lift now (thesis 3.4.2). The clock (step_clock.c) says which legs ask; a leg stays on the ground
// while a rule forbids it to lift:
//     (a) stability:  a neighbour is in the air
//     (b) sequencing: a neighbour that also asks to lift is nearer to its rear extreme position, or reached it earlier
//     (c) support:    fewer than N_min feet would stay down (not in the thesis; it follows from its demand for static
//         stability)
//     (d) balance:    where the centre of mass is corrected, it does not lie above the feet that would stay down yet,
//         for half a second at most while it walks; or the body rests, and the foot has not handed its load over
#include "gait/walk.h"

#include <footfall/balance.h>

#define PATIENCE 0.5 // with a centre of mass that does not come [s]
#define STANDING 2.0 // with a load that no other foot takes over, where the body rests [s]

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

bool ff_footstep_is_blind(const ff_footstep_leg *leg, const ff_feet_seen *seen, int i)
{
    return seen->blind[i] || leg->stuck || (leg->missed >= 2 && !seen->contact[i]);
}

/// Whether a foot that should stand has bounced off the ground: it does not carry, and searches for the ground until it
/// finds it or misses it.
static bool has_bounced(ff_footstep_leg *leg, const ff_feet_seen *seen, int i)
{
    if (ff_footstep_in_air(leg) || ff_footstep_stands(leg, seen, i) || ff_footstep_is_blind(leg, seen, i)) return false;
    leg->awaited = 1;
    return leg->missed == 0;
}

/// (d), evaluated for all legs that the table lifts together. After a while a centre of mass on the edge must do for a
/// robot that walks; one that stands had better leave its feet where they are. Where the body rests, its feet hand
/// their load over before they lift.
static bool is_balanced(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_feet_seen *seen,
                        ff_footstep_memory *memory, int i)
{
    ff_footstep_leg *legs = memory->legs;
    const double least = memory->moving && memory->held > PATIENCE ? 0.0 : seen->least_margin;
    const bool hands_over = (!memory->moving || memory->pace == 0.0) && memory->held <= STANDING;
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

/// @param unbalanced  legs that (d) keeps down: no leg waits for them
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
