// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Ground properties by pressing a foot (thesis 3.4.5), from the force sensor in the shank and the joint sensors.
// Ground and foot together follow F = k p (1 + d v), with the depth p, v = dp/dt and the damping c = k d.
//
// Depth is measured below the plane through the standing feet, whose height at the hand is the sum of w_i z_i. While
// the hand presses, standing feet carry less and rise by (F_i - F_i0) / k_i; the depth is p less the weighted sum R of
// these (relief). k_i is known from earlier probes. At the first one the feet are assumed to stand on the same ground:
// with R = rho F
//     depth = (1 - rho) F / k - d / k^2 (F F' - sum w_i F_i F_i')
// so that the fit gives k (1 - rho) and c (1 - rho)^3 F F' / (F F' - sum w_i F_i F_i').
//
// Fit. With p = depth - p0 and a drift b of the sensors, F = k depth + c depth v - k p0 - c p0 v + b t is linear in k,
// c, k p0 and b for a given p0, which a few rounds find. As depths are noisy (0.3 of 1 mm) but forces are not (0.05 of
// 10 N), least squares would be biased; F, F F', 1 and t as instrumental variables Z, Z' (F - X b) = 0, are not. All
// signals pass through the same filter. Friction is tangential by normal force while the foot is dragged sideways.
#include "gait/walk.h"

#include <footfall/linalg.h>
#include <math.h>
#include <string.h>

#define RESTING       0.3   // time of the tare [s]
#define LOWERING      0.01  // [m/s]
#define DEEPEST       0.06  // greatest depth of the search for ground [m]
#define TOUCHED       1.0   // force of a hand that touches [N]
#define LEAST         2.0   // least and greatest force of the strokes [N]
#define MOST          10.0  // [N]
#define SLOW          10e-3 // speed of the first strokes [m/s]
#define FAST          25e-3 // and of the others [m/s]
#define SLOW_STROKES  4     // down and up count as two
#define STROKES       16    // in all
#define FILTER        0.015 // of forces and depth [s]
#define DRAG_SPEED    8e-3  // [m/s]
#define DRAG_DISTANCE 0.016 // [m]
#define SLIDES        0.6   // share of it after which the foot slides: leg and gears stretch by 5 mm, rubber by 1 mm
#define RISING        0.03  // [m/s]
#define UP            0.02  // height of the hand after a probe [m]
#define SAME          0.03  // places nearer than this have the same ground [m]

enum { FITTED = 4, ROUNDS = 5 }; // numbers that are fitted; p0 converges by a digit a round

static double distance(const double a[2], const double b[2])
{
    const double x = a[0] - b[0], y = a[1] - b[1];
    return sqrt(x * x + y * y);
}

// ------------------------------------------------------------------------------------------ measuring

/// Computes the weights w_i, and stores the forces of the standing feet. @return false where the feet lie in a line
static bool weigh_feet(const ff_walk_robot *robot, ff_walk_memory *memory)
{
    ff_walk_hand *hand = &memory->hand;
    const double *at = memory->measured[hand->leg];
    double m[2] = {0.0, 0.0}, xx = 0.0, xy = 0.0, yy = 0.0;
    const int n = robot->n - 1;
    for (int i = 0; i < robot->n; i++)
        for (int k = 0; k < 2 && i != hand->leg; k++) m[k] += memory->measured[i][k] / n;
    for (int i = 0; i < robot->n; i++) {
        if (i == hand->leg) continue;
        const double x = memory->measured[i][0] - m[0], y = memory->measured[i][1] - m[1];
        xx += x * x, xy += x * y, yy += y * y;
    }
    const double det = xx * yy - xy * xy, dx = at[0] - m[0], dy = at[1] - m[1];
    if (!(det > 1e-6 * (xx + yy) * (xx + yy))) return false;
    for (int i = 0; i < robot->n; i++) {
        const double x = memory->measured[i][0] - m[0], y = memory->measured[i][1] - m[1];
        const double slope = (dx * (yy * x - xy * y) + dy * (xx * y - xy * x)) / det;
        hand->probe.weight[i] = i == hand->leg ? 0.0 : 1.0 / n + slope;
        hand->probe.first[i] = memory->seen.force[i];
        hand->probe.feet[i][0] = hand->probe.feet[i][1] = memory->seen.force[i];
    }
    return true;
}

/// Is the ground below the standing feet known?
static bool is_known(const ff_walk_memory *memory)
{
    return memory->floor.stiffness > 0.0;
}

/// Depth below the plane of the feet, where their ground is known below that ground [m].
static double total_depth(const ff_walk_memory *memory)
{
    const ff_walk_probe *p = &memory->hand.probe;
    return p->depth[1] + (is_known(memory) ? p->relief : 0.0);
}

static void smooth(double value, double dt, double state[2])
{
    const double share = ff_min(1.0, dt / FILTER);
    state[0] += share * (value - state[0]);
    state[1] += share * (state[0] - state[1]);
}

/// Computes the relief, the weighted sum of F / k - d F F' / k^2; where the ground is unknown, of changes of force.
static void measure_relief(const ff_walk_robot *robot, double dt, ff_walk_memory *memory)
{
    ff_walk_probe *p = &memory->hand.probe;
    p->relief = p->turning = 0.0;
    for (int i = 0; i < robot->n; i++) {
        const double before = p->feet[i][1], w = p->weight[i];
        const ff_walk_ground g = ff_probe_ground(memory, memory->step.legs[i].foot);
        smooth(memory->seen.force[i], dt, p->feet[i]);
        const double force = p->feet[i][1], rate = (force - before) / dt, k = g.stiffness;
        const double lag = k > 0.0 ? g.damping * force * rate / (k * k * k) : 0.0;
        p->relief += w * ((force - p->first[i]) / (k > 0.0 ? k : 1.0) - lag);
        p->turning += w * force * rate;
    }
}

static void measure(const ff_walk_robot *robot, double dt, ff_walk_memory *memory)
{
    const ff_walk_hand *hand = &memory->hand;
    ff_walk_probe *p = &memory->hand.probe;
    double depth = -memory->measured[hand->leg][2];
    for (int i = 0; i < robot->n; i++) depth += p->weight[i] * memory->measured[i][2];
    if (!(dt > 0.0)) return;
    const double before[2] = {p->force[1], total_depth(memory)};
    smooth(hand->raw[2] - p->tare[2], dt, p->force);
    smooth(depth, dt, p->depth);
    measure_relief(robot, dt, memory);
    p->rate = (p->force[1] - before[0]) / dt;
    p->speed = (total_depth(memory) - before[1]) / dt;
}

/// Adds a sample to the sums of the fit.
static void collect(const ff_walk_memory *memory, ff_walk_probe *p)
{
    const double f = p->force[1], r = p->relief, depth = total_depth(memory), v = p->speed;
    const double terms[FF_PROBE_TERMS] = {depth, depth * v, v, 1.0, p->time};
    const double instruments[FF_PROBE_TERMS] = {f, f * p->rate, p->rate, 1.0, p->time};
    for (int i = 0; i < FF_PROBE_TERMS; i++) {
        for (int k = 0; k < FF_PROBE_TERMS; k++) p->square[i][k] += instruments[i] * terms[k];
        p->side[i] += instruments[i] * f;
    }
    const double moments[7] = {f, r, f * f, f * r, p->rate * p->rate, f * p->rate * p->rate, p->turning * p->rate};
    for (int i = 0; i < 7; i++) p->moments[i] += moments[i];
    p->samples++;
}

/// Solves for k, c, -k p0 and b, where the ground begins at `p0`. @return false where force and speed did not vary
static bool fit(const ff_walk_probe *p, double p0, double x[FITTED])
{
    static const int rows[FITTED] = {0, 1, 3, 4}; // instruments F, F F', 1, t
    double a[FITTED * FITTED];
    int pivot[FITTED];
    for (int i = 0; i < FITTED; i++) {
        const double *from = p->square[rows[i]];
        const double row[FITTED] = {from[0], from[1] - p0 * from[2], from[3], from[4]};
        memcpy(a + FITTED * i, row, sizeof row);
        x[i] = p->side[rows[i]];
    }
    if (!ff_lu_factor(a, pivot, FITTED)) return false;
    ff_lu_solve(a, pivot, FITTED, x);
    return x[0] > 0.0 && isfinite(x[1]) && isfinite(x[2]);
}

/// Ground properties by the sums; stiffness 0: unknown.
static ff_walk_ground evaluate_ground(const ff_walk_memory *memory)
{
    const ff_walk_probe *p = &memory->hand.probe;
    const double n = p->samples, *m = p->moments, spread = n > 1.0 ? m[2] - m[0] * m[0] / n : 0.0;
    double x[FITTED], p0 = 0.0;
    ff_walk_ground found = {0};
    if (!(spread > 0.0)) return found;
    for (int k = 0; k < ROUNDS; k++) {
        if (!fit(p, p0, x)) return found;
        p0 = -x[2] / x[0];
    }
    found.stiffness = x[0];
    found.damping = ff_max(0.0, x[1]);
    if (!is_known(memory)) { // the feet are on the same ground
        const double share = 1.0 - (m[3] - m[0] * m[1] / n) / spread;
        found.stiffness *= share;
        found.damping *= share * share * share * m[5] / (m[5] - m[6]);
    }
    found.friction = p->load > 0.0 ? p->drag / p->load : 0.0;
    return found;
}

// ------------------------------------------------------------------------------------------ stages

static void enter(ff_walk_hand *hand, ff_probe_stage stage)
{
    hand->probe.stage = (int32_t)stage;
    hand->probe.time = 0.0;
    memcpy(hand->probe.start, hand->at, sizeof hand->at);
}

static void press(const ff_walk_memory *memory, ff_walk_hand *hand, double dt)
{
    ff_walk_probe *p = &hand->probe;
    const double speed = p->strokes < SLOW_STROKES ? SLOW : FAST;
    if ((p->down > 0.0 && p->force[1] > MOST) || (p->down < 0.0 && p->force[1] < LEAST)) {
        p->down = -p->down;
        p->strokes++;
    }
    hand->at[2] -= p->down * speed * dt;
    collect(memory, p);
    if (p->strokes >= STROKES && p->force[1] > 0.5 * (LEAST + MOST)) enter(hand, FF_PROBE_DRAG);
}

static void drag(ff_walk_hand *hand, double dt)
{
    ff_walk_probe *p = &hand->probe;
    hand->at[0] -= DRAG_SPEED * dt;
    if (p->start[0] - hand->at[0] > SLIDES * DRAG_DISTANCE) {
        const double x = hand->raw[0] - p->tare[0], y = hand->raw[1] - p->tare[1];
        p->drag += sqrt(x * x + y * y);
        p->load += hand->raw[2] - p->tare[2];
    }
    if (p->start[0] - hand->at[0] > DRAG_DISTANCE) enter(hand, FF_PROBE_RISE);
}

/// Stores the ground that was found, in place of that of the same place or else of the oldest probe.
static void conclude(ff_walk_memory *memory)
{
    const ff_walk_ground found = evaluate_ground(memory);
    const double *at = memory->hand.probe.start;
    if (!(found.stiffness > 0.0)) return;
    int to = memory->probes % FF_WALK_FOOTHOLDS;
    for (int i = 0; i < FF_WALK_FOOTHOLDS; i++)
        if (memory->footholds[i].ground.stiffness > 0.0 && distance(memory->footholds[i].place, at) < SAME) to = i;
    memory->footholds[to] = (ff_walk_foothold){{at[0], at[1]}, found};
    if (memory->probes++ == 0) memory->floor = found;
}

// ------------------------------------------------------------------------------------------ ground of a place

ff_walk_ground ff_probe_ground(const ff_walk_memory *memory, const double place[2])
{
    ff_walk_ground ground = memory->floor;
    double nearest = SAME;
    for (int i = 0; i < FF_WALK_FOOTHOLDS && memory->probes > 0; i++) {
        const ff_walk_foothold *f = &memory->footholds[i];
        const double off = distance(f->place, place);
        if (!(f->ground.stiffness > 0.0) || off > nearest) continue;
        nearest = off;
        ground = f->ground;
    }
    return ground;
}

void ff_probe_carry(const ff_walk_setpoint *setpoint, double dt, ff_walk_memory *memory)
{
    const double time = memory->step.pace * dt, *v = setpoint->velocity, turn = setpoint->turn;
    for (int i = 0; i < FF_WALK_FOOTHOLDS && memory->probes > 0; i++) {
        double *p = memory->footholds[i].place;
        const double x = p[0], y = p[1];
        p[0] -= time * (v[0] - turn * y);
        p[1] -= time * (v[1] + turn * x);
    }
}

bool ff_probe_update(const ff_walk_robot *robot, double dt, ff_walk_memory *memory)
{
    ff_walk_hand *hand = &memory->hand;
    ff_walk_probe *p = &hand->probe;
    memset(hand->speed, 0, sizeof hand->speed);
    p->time += dt;
    if (p->stage > FF_PROBE_TARE) measure(robot, dt, memory);
    switch ((ff_probe_stage)p->stage) {
    case FF_PROBE_TARE:
        for (int k = 0; k < 3; k++) p->tare[k] += ff_min(1.0, dt / (p->time + dt)) * (hand->raw[k] - p->tare[k]);
        if (p->time < RESTING) break;
        if (!weigh_feet(robot, memory))
            p->stage = FF_PROBE_NONE, p->done = 1;
        else
            enter(hand, FF_PROBE_LOWER);
        break;
    case FF_PROBE_LOWER:
        hand->at[2] -= LOWERING * dt;
        p->down = 1.0;
        if (p->force[1] > TOUCHED)
            enter(hand, FF_PROBE_PRESS);
        else if (p->start[2] - hand->at[2] > DEEPEST)
            enter(hand, FF_PROBE_RISE);
        break;
    case FF_PROBE_PRESS:
        press(memory, hand, dt);
        break;
    case FF_PROBE_DRAG:
        drag(hand, dt);
        if (p->stage == FF_PROBE_RISE) conclude(memory);
        break;
    case FF_PROBE_RISE:
        hand->at[2] += RISING * dt;
        if (hand->at[2] < p->start[2] + UP) break;
        p->stage = FF_PROBE_NONE;
        p->done = 1;
        break;
    default:
        break;
    }
    return p->stage != FF_PROBE_NONE;
}
