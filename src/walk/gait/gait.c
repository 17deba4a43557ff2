// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Gait tables and the ideal step cycle: pure functions of a few numbers. With three rows the tables are those of the
// thesis on ANTON (docs/control.md; Fig. 3.12), whose numbers of legs are 1 front left, 2 front right, 3 middle left,
// .., 6 rear right.
//
// A cycle starts with the transfer, which has four phases of equal length T_tr / 4 = L / (2 V_tr). The thesis numbers
// the phases; here they have the names of ff_footstep_phase:
//     phase          dx/dt   dh/dt
//     RISE     23    -V_st   +V_up      up, while the foot moves with the ground
//     UP       13    +V_tr   +V_up
//     DOWN     14    +V_tr   -V_up
//     LAY      24    -V_st   -V_up      down, while the foot moves with the ground
//     SUPPORT   2    -V_st    0         the rest of the period
// x is -L/2 at the end of RISE and +L/2 at the end of DOWN, so that the foot leaves and meets the ground vertically in
// the world.
#include "gait/walk.h"

#include <math.h>

// share of a period: some 80 ms on six feet, with delays, in which the centre of mass passes the middle row
#define PAUSE 0.0215

#define ROUNDED      0.2  // share of the descent of a foot that is smooth at both ends; the rest is even
#define MOST_ROUNDED 0.6  // with more, joints would have to be half as fast again half-way down
#define LANDING      0.15 // greatest speed at which feet land in a gait with a pause [m/s]

const char *const ff_gait_names[FF_GAIT_COUNT + 1] = {"wave", "gallop", "tripod"};

const char *ff_gait_name(ff_gait gait)
{
    return (int)gait >= 0 && gait < FF_GAIT_COUNT ? ff_gait_names[gait] : "?";
}

// ------------------------------------------------------------------------------------------ tables

static bool rows_are_complete(const ff_leg_place *places, int n)
{
    if (n < 2 || n > FF_WALK_LEGS || n % 2 != 0) return false;
    unsigned seen = 0;
    for (int i = 0; i < n; i++) {
        if (places[i].row < 0 || places[i].row >= n / 2 || (places[i].side != 0 && places[i].side != 1)) return false;
        seen |= 1U << (2 * places[i].row + places[i].side);
    }
    return seen == (1U << n) - 1U;
}

/// Start of the transfer in steps of 1 / (rows) or 1 / n of a period, from the rear.
static double start_of(ff_gait gait, ff_leg_place place, int rows)
{
    const int from_rear = rows - 1 - place.row;
    if (gait == FF_GAIT_WAVE) return (double)(from_rear + place.side * rows) / (2 * rows);
    if (gait == FF_GAIT_GALLOP) return (double)from_rear / rows;
    return (place.row + place.side) % 2 == 0 ? 0.0 : 0.5;
}

/// Finds the legs that must stand while a leg is in the air: those in the next rows of its side, and the other leg of
/// its row except in a gallop, which lifts both.
static void find_neighbours(ff_gait gait, const ff_leg_place *places, ff_gait_table *table)
{
    for (int i = 0; i < table->n; i++)
        for (int k = 0; k < table->n; k++) {
            const int rows = places[i].row - places[k].row;
            const bool same_side = places[i].side == places[k].side;
            if (same_side && (rows == 1 || rows == -1)) table->beside[i] |= 1U << k;
            if (!same_side && rows == 0 && gait != FF_GAIT_GALLOP) table->neighbours[i] |= 1U << k;
        }
    for (int i = 0; i < table->n; i++) table->neighbours[i] |= table->beside[i];
}

ff_status ff_gait_table_make(ff_gait gait, const ff_leg_place *places, int n, ff_gait_table *table, ff_error *err)
{
    *table = (ff_gait_table){.n = n};
    if (!rows_are_complete(places, n))
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "%d legs do not stand in rows of two, one left and one right, 2 to %d in all", n,
                            FF_WALK_LEGS);
    const int rows = n / 2, in_air = gait == FF_GAIT_WAVE ? 1 : gait == FF_GAIT_GALLOP ? 2 : rows;
    if (n - in_air < 3)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%s leaves %d of %d feet down; three are needed", ff_gait_name(gait),
                            n - in_air, n);
    table->tau = (double)in_air / n;
    // the wave may use the spare foot of six while a leg is late, but no more than the gallop does
    const int spare = gait == FF_GAIT_WAVE && n > 4 ? 1 : 0;
    table->least = n - in_air - spare;
    for (int i = 0; i < n; i++) table->start[i] = start_of(gait, places[i], rows);
    // of the feet that stand while the front row swings only the middle row stands while the rear row swings, too
    table->pause = gait == FF_GAIT_GALLOP && rows == 3 ? PAUSE : 0.0;
    find_neighbours(gait, places, table);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ the ideal cycle

ff_footstep_cycle ff_footstep_cycle_make(double tau, double length, double zone, double transfer)
{
    ff_footstep_cycle c = {.tau = tau, .length = length, .zone = zone, .transfer = transfer, .rounded = ROUNDED};
    c.lift = 2.0 * zone * transfer / length;
    c.air = 2.0 * length / transfer;
    c.period = c.air / tau;
    c.stance = transfer * tau / (2.0 - tau);
    return c;
}

ff_footstep_cycle ff_footstep_cycle_with_pause(const ff_footstep_cycle *cycle, double pause)
{
    ff_footstep_cycle c = *cycle;
    c.tau *= 1.0 - pause;
    c.air *= 1.0 - pause;
    c.length = c.stance * (c.period - 0.5 * c.air); // (3.6), with L / V_tr = T_tr / 2
    c.transfer = 2.0 * c.length / c.air;
    c.lift = 4.0 * c.zone / c.air;
    // the speed of landing is bounded, as two feet that land push the body up with the momentum of their rotors
    if (pause > 0.0) c.rounded = ff_max(ROUNDED, ff_min(MOST_ROUNDED, 1.0 - LANDING / c.lift));
    return c;
}

double ff_footstep_transfer_for(double tau, double stance)
{
    return stance * (2.0 - tau) / tau;
}

ff_footstep_phase ff_footstep_ideal(const ff_footstep_cycle *c, double t, double *x, double *height)
{
    const double quarter = 0.25 * c->air, half = 0.5 * c->length;
    if (t < quarter) {
        *x = -half + c->stance * (quarter - t);
        *height = c->lift * t;
        return FF_FOOTSTEP_RISE;
    }
    if (t < 3.0 * quarter) {
        const bool rising = t < 2.0 * quarter;
        *x = -half + c->transfer * (t - quarter);
        *height = c->lift * (rising ? t : c->air - t);
        return rising ? FF_FOOTSTEP_UP : FF_FOOTSTEP_DOWN;
    }
    *x = half - c->stance * (t - 3.0 * quarter);
    *height = t < c->air ? c->lift * (c->air - t) : 0.0;
    return t < c->air ? FF_FOOTSTEP_LAY : FF_FOOTSTEP_SUPPORT;
}
