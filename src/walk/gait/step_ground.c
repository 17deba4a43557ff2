// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Adaptation to the ground (thesis 3.4.2, Fig. 3.21). Each foot stops where it touches, so feet stand at different
// heights. Two motions of all feet together move the body alone:
// - up and down: when all feet stand above level 0, the least of their heights is taken from each, and likewise below;
// - pitch and roll (not in the thesis): where they are unknown, the plane through the feet decays with a time
// constant, and on a slope the body becomes parallel to it. Where they are known they follow the command, as far as
// legs reach: on stairs of 6 cm a level body would stand on its front.
#include "gait/walk.h"

#include <math.h>

#define LEVEL_REACH     0.125 // greatest slope of feet below a level body: 4.5 cm from front to rear [1]
#define STRAIGHTEN_TIME 0.3   // in which feet return to level 0 after the body has bent [s]

void ff_footstep_raise(ff_footstep_leg *leg, double by)
{
    leg->height += by;
    leg->ground += by;
    leg->aim += by;
}

static void follow_height(const ff_footstep_setup *setup, double dt, ff_footstep_memory *memory)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < setup->n; i++) {
        low = ff_min(low, memory->legs[i].ground);
        high = ff_max(high, memory->legs[i].ground);
    }
    const double wanted = low > 0.0 ? low : high < 0.0 ? high : 0.0;
    const double most = setup->options.adapt * dt, by = ff_max(-most, ff_min(most, wanted));
    memory->raised += by;
    for (int i = 0; i < setup->n; i++) ff_footstep_raise(&memory->legs[i], -by);
}

bool ff_footstep_fit_plane(int n, const ff_footstep_leg *legs, double middle[2], double slope[2], double *uneven)
{
    double sum[3] = {0.0, 0.0, 0.0}, xx = 0.0, xy = 0.0, yy = 0.0, xz = 0.0, yz = 0.0;
    for (int i = 0; i < n; i++) {
        sum[0] += legs[i].foot[0];
        sum[1] += legs[i].foot[1];
        sum[2] += legs[i].ground;
    }
    for (int k = 0; k < 2; k++) middle[k] = sum[k] / n;
    for (int i = 0; i < n; i++) {
        const double x = legs[i].foot[0] - middle[0], y = legs[i].foot[1] - middle[1], z = legs[i].ground - sum[2] / n;
        xx += x * x, xy += x * y, yy += y * y, xz += x * z, yz += y * z;
    }
    const double det = xx * yy - xy * xy;
    if (det < 1e-9 * (xx + yy) * (xx + yy)) return false;
    slope[0] = (xz * yy - yz * xy) / det;
    slope[1] = (yz * xx - xz * xy) / det;
    double square = 0.0;
    for (int i = 0; i < n && uneven; i++) {
        const double x = legs[i].foot[0] - middle[0], y = legs[i].foot[1] - middle[1], z = legs[i].ground - sum[2] / n;
        const double off = z - slope[0] * x - slope[1] * y;
        square += off * off;
    }
    if (uneven) *uneven = sqrt(square / n);
    return true;
}

static void follow_slope(const ff_footstep_setup *setup, const ff_feet_seen *seen, double dt,
                         ff_footstep_memory *memory)
{
    double middle[2], slope[2];
    if (!ff_footstep_fit_plane(setup->n, memory->legs, middle, slope, NULL)) return;
    int contacts = 0;
    for (int i = 0; i < setup->n; i++) contacts += seen->contact[i];
    const bool tips = seen->level_known && contacts < 3;
    if (seen->level_known) {
        // pitch is positive with the front down: front feet move down; roll with the left side up: right feet move down
        slope[0] = ff_max(slope[0] - LEVEL_REACH, ff_min(slope[0] + LEVEL_REACH, seen->pitch));
        slope[1] = ff_max(slope[1] - LEVEL_REACH, ff_min(slope[1] + LEVEL_REACH, -seen->roll));
    }
    const double time = seen->level_known ? setup->options.level : setup->options.parallel;
    const double share = ff_min(1.0, dt / time);
    for (int i = 0; i < setup->n; i++) {
        ff_footstep_leg *leg = &memory->legs[i];
        const double rise = -share * (slope[0] * (leg->foot[0] - middle[0]) + slope[1] * (leg->foot[1] - middle[1]));
        // on fewer than three feet the body tips over: feet only move down, to catch it
        ff_footstep_raise(leg, tips ? ff_min(0.0, rise) : rise);
    }
}

/// When a joint of the body has bent, moves all feet to level 0, which lifts the bent segment.
static void straighten(const ff_footstep_setup *setup, double dt, ff_footstep_memory *memory)
{
    const double share = ff_min(1.0, dt / STRAIGHTEN_TIME);
    for (int i = 0; i < setup->n; i++) memory->legs[i].ground -= share * memory->legs[i].ground;
}

void ff_footstep_adapt(const ff_footstep_setup *setup, const ff_feet_seen *seen, double dt, ff_footstep_memory *memory)
{
    if (seen->bent) {
        straighten(setup, dt, memory);
        return;
    }
    follow_slope(setup, seen, dt, memory);
    follow_height(setup, dt, memory);
}
