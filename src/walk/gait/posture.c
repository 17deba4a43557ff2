// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Position feedback of the primitive level. Legs comply under the weight, so the body stands lower and leans more than
// its references. A plane is fitted to the differences of measured and wanted heights of the standing feet
//     d(x, y) = sunk + slope_x x + slope_y y
// and its integral is subtracted from the references of all feet. A foot that touches at the measured height z stands
// on ground of the height z - d.
//
// A motion (dx, dy, dyaw) fitted to the changes of these feet is the travel of the body. By compliance ANTON would walk
// 5 % too fast; an integral law on the difference to the setpoint trims the twist.
#include "base/clamp.h"
#include "gait/walk.h"

#include <math.h>

#define SETTLED     0.05  // a foot counts from this time after its landing on [s]
#define SETTLING    1e-3  // and not while its reference is farther from the ground than this [m]
#define FLAT        2e-3  // ground nearer than this to the plane of the standing feet is taken as that plane [m]
#define MOST_SUNK   0.03  // [m]
#define MOST_SLOPED 0.15  // [1]
#define MOST_DROOP  0.01  // [m]
#define LEARNED     0.8   // share of an error that is learned in one step [1]
#define OBSTACLE    0.006 // from ground this far from that of the last step nothing is learned [m]
#define TRIM_TIME   2.0   // of the integral law on the travel [s]
#define MOST_TRIM   0.15  // share of the speed of the feet [1]

/// Least squares plane through n points; false where they lie in a line.
static bool fit(const double (*points)[3], int n, double plane[3])
{
    double m[3] = {0.0, 0.0, 0.0}, xx = 0.0, xy = 0.0, yy = 0.0, xz = 0.0, yz = 0.0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) m[k] += points[i][k] / n;
    for (int i = 0; i < n; i++) {
        const double x = points[i][0] - m[0], y = points[i][1] - m[1], z = points[i][2] - m[2];
        xx += x * x, xy += x * y, yy += y * y, xz += x * z, yz += y * z;
    }
    const double det = xx * yy - xy * xy;
    if (!(det > 1e-6 * (xx + yy) * (xx + yy))) return false;
    plane[1] = (xz * yy - yz * xy) / det;
    plane[2] = (yz * xx - xz * xy) / det;
    plane[0] = m[2] - plane[1] * m[0] - plane[2] * m[1];
    return isfinite(plane[0]) && isfinite(plane[1]) && isfinite(plane[2]);
}

static double height_of(const double plane[3], const double *point)
{
    return plane[0] + plane[1] * point[0] + plane[2] * point[1];
}

/// Estimates the height of the ground below each foot that touches now.
static void assess_ground(const ff_walk_robot *robot, const double level[3], bool has_level, ff_walk_memory *memory)
{
    for (int i = 0; i < robot->n; i++) {
        const double *foot = memory->measured[i];
        const double ground = foot[2] - height_of(memory->sunk, foot);
        const double flat = has_level ? height_of(level, foot) : ground;
        memory->seen.ground_known[i] = memory->feet_measured;
        const double above = ground - flat, doubt = ff_max(0.0, ff_min(FLAT, 2.0 * FLAT - fabs(above)));
        memory->seen.ground[i] = ground - ff_max(-doubt, ff_min(doubt, above));
    }
}

/// With too few feet for a plane, slopes follow from the estimated tilt, and the height from the standing feet.
static void sink_by_tilt(const double (*points)[3], int n, ff_walk_memory *memory)
{
    double height = 0.0;
    memory->sunk[1] = ff_clamp(memory->tilt[1] - memory->pitch, -MOST_SLOPED, MOST_SLOPED);
    memory->sunk[2] = ff_clamp(memory->roll - memory->tilt[0], -MOST_SLOPED, MOST_SLOPED);
    for (int i = 0; i < n; i++)
        height += (points[i][2] - memory->sunk[1] * points[i][0] - memory->sunk[2] * points[i][1]) / n;
    memory->sunk[0] = ff_clamp(height, -MOST_SUNK, MOST_SUNK);
}

void ff_primitive_posture(const ff_walk_robot *robot, double dt, ff_walk_memory *memory)
{
    double points[FF_WALK_LEGS][3], grounds[FF_WALK_LEGS][3], plane[3], level[3];
    int n = 0;
    for (int i = 0; i < robot->n; i++) {
        const ff_footstep_leg *leg = &memory->step.legs[i];
        const bool stands =
            leg->phase == FF_FOOTSTEP_SUPPORT && leg->without == 0.0 && !memory->seen.contact_unknown[i];
        memory->standing[i] = stands ? memory->standing[i] + dt : 0.0;
        if (memory->standing[i] < SETTLED || fabs(leg->height - leg->ground) > SETTLING) continue;
        for (int k = 0; k < 2; k++) points[n][k] = grounds[n][k] = memory->measured[i][k];
        points[n][2] = memory->measured[i][2] - leg->height - memory->lift[i] + memory->sink[i];
        grounds[n++][2] = leg->ground;
    }
    const bool enough = memory->feet_measured && n >= 3;
    // the feet of a body that has bent say nothing of its posture: the correction decays
    const double decay = memory->seen.bent ? ff_min(1.0, dt / robot->options.posture) : 0.0;
    for (int k = 0; k < 3; k++) memory->posture[k] -= decay * memory->posture[k];
    if (memory->feet_measured && n > 0 && n < 3) sink_by_tilt((const double(*)[3])points, n, memory);
    if (enough && fit((const double(*)[3])points, n, plane)) {
        const double share = ff_min(1.0, dt / robot->options.posture);
        for (int k = 0; k < 3; k++) {
            const double most = k == 0 ? MOST_SUNK : MOST_SLOPED;
            memory->sunk[k] = ff_clamp(plane[k], -most, most);
            memory->posture[k] = ff_clamp(memory->posture[k] + share * memory->sunk[k], -most, most);
        }
    }
    assess_ground(robot, level, enough && fit((const double(*)[3])grounds, n, level), memory);
}

// ------------------------------------------------------------------------------------------ droop

/// A foot in the air hangs below its reference, because leg and body comply, and touches too early. The difference is
/// measured at each landing and added to the height of the next step in the air.
void ff_primitive_droop(const ff_walk_robot *robot, ff_walk_memory *memory)
{
    for (int i = 0; i < robot->n; i++) {
        ff_footstep_leg *leg = &memory->step.legs[i];
        if (ff_footstep_in_air(leg)) {
            memory->raised[i] = ff_min(1.0, 2.0 * leg->swing) * memory->droop[i];
            memory->expected[i] = leg->aim;
            continue;
        }
        const bool landed = memory->plan.phase[i] != FF_FOOTSTEP_SUPPORT;
        const double early = leg->height - memory->expected[i];
        if (landed && leg->missed == 0 && fabs(early) < OBSTACLE)
            memory->droop[i] = ff_clamp(memory->droop[i] + LEARNED * early, -MOST_DROOP, MOST_DROOP);
        leg->height += memory->raised[i];
        memory->raised[i] = 0.0;
    }
}

// ------------------------------------------------------------------------------------------ travel

/// Motion of the body in one cycle, by the feet that stand before and after it: each moves by -(v + w x p) dt.
static bool measure_motion(const ff_walk_robot *robot, ff_walk_memory *memory, double motion[3])
{
    double m[2] = {0.0, 0.0}, d[2] = {0.0, 0.0}, turned = 0.0, square = 0.0;
    bool both[FF_WALK_LEGS];
    int n = 0;
    for (int i = 0; i < robot->n; i++) {
        const bool stands = memory->step.legs[i].phase == FF_FOOTSTEP_SUPPORT && memory->seen.contact[i];
        both[i] = stands && memory->stood[i];
        memory->stood[i] = stands;
        n += both[i];
        for (int k = 0; k < 2 && both[i]; k++) {
            m[k] += memory->before[i][k];
            d[k] += memory->measured[i][k] - memory->before[i][k];
        }
    }
    for (int i = 0; i < robot->n; i++) {
        double *before = memory->before[i];
        const double *now = memory->measured[i];
        if (both[i]) {
            const double x = before[0] - m[0] / n, y = before[1] - m[1] / n;
            turned += x * (now[1] - before[1]) - y * (now[0] - before[0]);
            square += x * x + y * y;
        }
        before[0] = now[0];
        before[1] = now[1];
    }
    if (n < 2 || !(square > 0.0)) return false;
    motion[2] = -turned / square;
    motion[0] = -d[0] / n + motion[2] * m[1] / n;
    motion[1] = -d[1] / n - motion[2] * m[0] / n;
    return true;
}

void ff_primitive_trim(const ff_walk_robot *robot, double dt, ff_walk_memory *memory, ff_walk_setpoint *setpoint)
{
    const double wanted[3] = {setpoint->velocity[0], setpoint->velocity[1], setpoint->turn};
    const double reach[3] = {1.0, 1.0, 4.0}; // a turn of 4 rad/s moves feet about as fast as 1 m/s
    const double pace = memory->step.pace;
    double motion[3];
    const bool seen = memory->feet_measured && measure_motion(robot, memory, motion);
    for (int k = 0; k < 3; k++) {
        if (seen && pace > 0.5) memory->trim[k] += (pace * wanted[k] * dt - motion[k]) / TRIM_TIME;
        const double most = MOST_TRIM * reach[k] * setpoint->cycle.stance;
        memory->trim[k] = ff_clamp(memory->trim[k], -most, most);
    }
    setpoint->velocity[0] += memory->trim[0];
    setpoint->velocity[1] += memory->trim[1];
    setpoint->turn += memory->trim[2];
}
