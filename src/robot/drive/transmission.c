// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The drive at a state, and its backlash between steps: impacts of the faces, locking, release. The equations are in
// flow.h.
#include "drive/flow.h"
#include "drive/interface.h"

#include <string.h>

/// A cable without a motor, stretched by the path, pulls it back.
static void passive_cable(const ff_drive *d, ff_drive_flow *f)
{
    const double force = ff_cable_force(&d->cable, f->at.x, f->at.speed);
    f->force = -force;
    f->stored = f->spring = ff_cable_energy(&d->cable, f->at.x);
    f->loss = (force - ff_cable_force(&d->cable, f->at.x, 0.0)) * f->at.speed;
    f->stiffness = ff_cable_slope(&d->cable, f->at.x);
    f->damping = f->at.x > 0.0 ? d->cable.damping : 0.0;
}

/// Is it an ideal torque at one joint?
static inline bool is_plain(const ff_drive *d)
{
    return d->motor == FF_MOTOR_IDEAL && d->transmission == FF_TRANSMISSION_RIGID && d->path.kind == FF_PATH_JOINT &&
           d->bound.n == 0;
}

/// The fast path: most drives of most runs are of this kind. The rest of the flow is that of begin_plain.
static inline void evaluate_plain(const ff_drive *d, const ff_drive_memory *memory, const double *q, const double *v,
                                  ff_drive_flow *flow)
{
    const ff_drive_path *path = &d->path;
    const double speed = v[path->vadr[0]];
    double force = memory->off ? 0.0 : memory->force;
    const bool braking = !(force * speed > 0.0) && fabs(force) <= d->stall; // the line bounds driving torques alone
    if (d->stall > 0.0 && !braking) force = ff_motor_line(d->stall, d->no_load, speed, force);
    flow->at.x = q[path->qadr[0]] + path->offset;
    flow->at.speed = flow->motor_speed = speed;
    flow->force = flow->motor_torque = force;
    flow->electrical = flow->mechanical = force * speed;
}

static void begin_plain(ff_drive_flow *flow)
{
    *flow = (ff_drive_flow){.at = {.lever = {1.0, 0.0}}};
}

void ff_drive_evaluate_at(const ff_drive *drive, const ff_drive_memory *memory, const ff_drive_position *at,
                          const double *z, double *zdot, ff_drive_flow *flow)
{
    *flow = (ff_drive_flow){.at = *at};
    const ff_drive_turn joint = {at->x, at->speed};
    ff_flow_evaluate_at(drive, ff_drive_kind_of(drive), memory, joint, z, zdot, flow);
}

void ff_drive_evaluate_all(const ff_drive_set *set, const ff_drive_memory *memory, int from, int to, const double *q,
                           const double *v, const ff_drive_position *at, const double *z, double *zdot,
                           ff_drive_flow *flows)
{
    for (int i = from; i < to; i++) {
        const ff_drive *d = &set->drives[i];
        if (is_plain(d) && flows[i].at.lever[0] == 1.0)
            evaluate_plain(d, &memory[i], q, v, &flows[i]);
        else if (at && ff_drive_has_curved_path(d))
            ff_drive_evaluate_at(d, &memory[i], &at[i], z, zdot, &flows[i]);
        else
            ff_drive_evaluate(d, &memory[i], q, v, z, zdot, &flows[i]);
        z += d->nstate;
        zdot += d->nstate;
    }
}

void ff_drive_evaluate(const ff_drive *drive, const ff_drive_memory *memory, const double *q, const double *v,
                       const double *z, double *zdot, ff_drive_flow *flow)
{
    const ff_drive *d = drive;
    if (is_plain(d)) {
        begin_plain(flow);
        evaluate_plain(d, memory, q, v, flow);
    } else if (ff_drive_geared(d)) {
        if (d->pole)
            ff_flow_evaluate(d, ff_drive_geared_kind(d, true), memory, q, v, z, zdot, flow);
        else
            ff_flow_evaluate(d, ff_drive_geared_kind(d, false), memory, q, v, z, zdot, flow);
    } else if (d->motor == FF_MOTOR_NONE) {
        memset(flow, 0, sizeof *flow);
        ff_drive_locate(&d->path, d->path.kind, q, v, &flow->at);
        passive_cable(d, flow);
        flow->mechanical = flow->force * flow->at.speed;
    } else {
        ff_flow_evaluate(d, ff_drive_kind_of(d), memory, q, v, z, zdot, flow);
    }
}

// ------------------------------------------------------------------------------------------ impacts

FF_FLOW void torques_of(const ff_drive *d, ff_drive_kind kind, const ff_drive_memory *m, const double *q,
                        const double *v, const double *z, double torque[2])
{
    const double *mechanic = z + ff_drive_nelectric_of(kind.motor, kind.pole);
    ff_drive_flow flow = {0};
    ff_drive_locate(&d->path, kind.path, q, v, &flow.at);
    const double force = ff_flow_motor(d, kind, m, (ff_drive_turn){mechanic[0], mechanic[1]}, z, NULL, &flow);
    ff_flow_torques(d, &flow.at, mechanic, force, torque);
}

/// Torques on both inertias at a state without contact of the faces.
static void free_torques(const ff_drive *d, const ff_drive_memory *m, const double *q, const double *v, const double *z,
                         double torque[2])
{
    if (ff_drive_geared(d) && d->pole)
        torques_of(d, ff_drive_geared_kind(d, true), m, q, v, z, torque);
    else if (ff_drive_geared(d))
        torques_of(d, ff_drive_geared_kind(d, false), m, q, v, z, torque);
    else
        torques_of(d, ff_drive_kind_of(d), m, q, v, z, torque);
}

double ff_drive_backlash_event(const ff_drive *drive, const ff_drive_memory *memory, const double *q, const double *v,
                               const double *z)
{
    if (drive->transmission != FF_TRANSMISSION_BACKLASH) return 1.0;
    const double *mechanic = z + ff_drive_nelectric(drive);
    if (memory->mode == FF_BACKLASH_FREE) return 0.5 * drive->backlash.gap - fabs(mechanic[0] - mechanic[2]);
    double torque[2];
    free_torques(drive, memory, q, v, z, torque);
    return memory->mode * ff_backlash_press(&drive->backlash, torque[0], torque[1]);
}

/// Part of a free motion that the transmission makes while the joint holds the end of its spring for a time `held`.
/// Without this factor, angles that move freely within a step that does not resolve the spring would store more energy
/// in it than the impact has (1e5 N m/rad in steps of 1 ms: 7 kJ of heat from 0.3 J of work).
static double compliant_share(const ff_drive *d, double held)
{
    return d->inertia_behind / (d->inertia_behind + held * (d->damping + held * d->stiffness));
}

/// Places the faces at the distance `apart` on a side without moving the common centre of both inertias. While the
/// joint holds the spring, the rotor moves most of the distance.
static void place_faces(const ff_drive *d, double *mechanic, int side, double apart, double held)
{
    const double Jm = d->inertia, JT = d->inertia_behind / compliant_share(d, held), all = Jm + JT;
    const double half = side * (0.5 * d->backlash.gap - apart);
    const double middle = (Jm * mechanic[0] + JT * mechanic[2]) / all;
    mechanic[0] = middle + half * JT / all;
    mechanic[2] = middle - half * Jm / all;
}

/// Distance of the faces after a located event, so that the function of the next event has a sign. The speed that they
/// gain over it must stay well below that at which they lock: sqrt(2 a clearance) = floor / 10.
static double clearance(const ff_drive *d, double meeting)
{
    const double floor = d->backlash.floor, wide = 1e-9 * d->backlash.gap;
    return meeting > 0.0 ? ff_min(wide, 0.005 * floor * floor / meeting) : wide;
}

/// Gives both inertias their common speed, which conserves momentum, and lets the faces touch.
static void lock(const ff_drive *d, ff_drive_memory *m, double *mechanic, int side, double held, double *loss)
{
    const double Jm = d->inertia, JT = d->inertia_behind, all = Jm + JT, apart = mechanic[1] - mechanic[3];
    *loss += 0.5 * Jm * JT / all * apart * apart;
    mechanic[1] = mechanic[3] = (Jm * mechanic[1] + JT * mechanic[3]) / all;
    place_faces(d, mechanic, side, 0.0, held);
    m->mode = side;
    m->locks++;
}

static bool release(const ff_drive *d, ff_drive_memory *m, const double *q, const double *v, double *z, double span)
{
    double torque[2];
    free_torques(d, m, q, v, z, torque);
    const double rounding = span > 0.0 ? 0.0 : 1e-9 * (fabs(torque[0]) + fabs(torque[1]));
    if (m->mode * ff_backlash_press(&d->backlash, torque[0], torque[1]) > rounding) return false;
    if (!(span > 0.0)) place_faces(d, z + ff_drive_nelectric(d), m->mode, clearance(d, 0.0), 0.0);
    m->mode = FF_BACKLASH_FREE;
    return true;
}

/// Time since the impact, from depth, closing speed and its rate at the end of the step.
static double time_since(double depth, double closing, double rate, double span)
{
    const double root = closing * closing - 2.0 * rate * depth;
    return ff_min(ff_max(2.0 * depth / (closing + sqrt(ff_max(root, 0.0))), 0.0), span);
}

/// An impact within the step that has just ended.
typedef struct impact {
    double since;    // how long ago                              [s]
    double speed[2]; // of motor and transmission before it       [rad/s]
    double rate[2];  // their accelerations before it             [rad/s^2]
} impact;

static void accelerations(const ff_drive *d, const ff_drive_memory *m, const double *q, const double *v,
                          const double *z, double rate[2])
{
    double torque[2];
    free_torques(d, m, q, v, z, torque);
    rate[0] = torque[0] / d->inertia;
    rate[1] = torque[1] / d->inertia_behind;
}

/// Finds the impact from the end of the step, first by the accelerations there, then by the mean of those at both ends:
/// viscous friction B makes them differ by B / J of the speeds, 40 % in 12.5 us for a knee of Silva's robot.
static impact find_impact(const ff_drive *d, const ff_drive_memory *m, const double *q, const double *v, double *z,
                          int side, double depth, double span, double held)
{
    double *mechanic = z + ff_drive_nelectric(d), last[2], before[4];
    impact p;
    const double closing = side * (mechanic[1] - mechanic[3]);
    accelerations(d, m, q, v, z, last);
    memcpy(p.rate, last, sizeof last);
    memcpy(before, mechanic, sizeof before);
    for (int round = 0; round < 2; round++) {
        const double mean[2] = {0.5 * (p.rate[0] + last[0]), compliant_share(d, held) * 0.5 * (p.rate[1] + last[1])};
        p.since = time_since(depth, closing, side * (mean[0] - mean[1]), span);
        for (int k = 0; k < 2; k++) {
            p.speed[k] = before[2 * k + 1] - mean[k] * p.since;
            mechanic[2 * k] = before[2 * k] - 0.5 * p.since * (before[2 * k + 1] + p.speed[k]);
            mechanic[2 * k + 1] = p.speed[k];
        }
        accelerations(d, m, q, v, z, p.rate);
    }
    memcpy(mechanic, before, sizeof before);
    return p;
}

double ff_drive_time_since_impact(const ff_drive *drive, const ff_drive_memory *memory, const double *z,
                                  double tolerance)
{
    if (drive->transmission != FF_TRANSMISSION_BACKLASH || memory->mode != FF_BACKLASH_FREE) return 0.0;
    const double *mechanic = z + ff_drive_nelectric(drive), offset = mechanic[0] - mechanic[2];
    const double depth = fabs(offset) - 0.5 * drive->backlash.gap;
    const double closing = (offset > 0.0 ? 1.0 : -1.0) * (mechanic[1] - mechanic[3]);
    if (!(depth > 0.0) || !(closing > 0.0)) return 0.0;
    const double since = depth / closing, square = since * since * drive->stiffness / drive->inertia_behind;
    return square > tolerance ? since : 0.0;
}

/// Energy of both inertias and of the spring to a path at x.  [J]
static double stored_energy(const ff_drive *d, double x, const double *mechanic)
{
    const double turn = mechanic[2] - x;
    return 0.5 * (d->inertia * mechanic[1] * mechanic[1] + d->inertia_behind * mechanic[3] * mechanic[3] +
                  d->stiffness * turn * turn);
}

/// Handles an impact of free faces, which may lock. @param loss  that of the law of impacts is added here  [J]
/// @return false: there was no impact
static bool handle_impact(const ff_drive *d, ff_drive_memory *memory, const double *q, const double *v, double *z,
                          double span, double held, double *loss)
{
    double *mechanic = z + ff_drive_nelectric(d);
    const double offset = mechanic[0] - mechanic[2], depth = fabs(offset) - 0.5 * d->backlash.gap;
    const int side = offset > 0.0 ? 1 : -1;
    const double closing = side * (mechanic[1] - mechanic[3]);
    // A located event lies within rounding of the impact, of the time (1e-12 s) and of the angles. If such an impact
    // were missed, the correction after the next step would add energy (1e-13 of the gap: 1e-2 J in 300 impacts).
    const double rounding = 1e-9 * d->backlash.gap + 1e-12 * closing + 4e-16 * fabs(mechanic[0]);
    if (depth < (span > 0.0 ? 0.0 : -rounding) || !(closing > 0.0)) return false;
    // Speeds and accelerations are those at the impact, not at the end of the step: with the latter each impact returns
    // what the torques added since, and the faces bounce without an end (a hip of Silva's robot under 50 N m).
    const impact p = find_impact(d, memory, q, v, z, side, depth, span, held);
    const double speed = side * (p.speed[0] - p.speed[1]);
    double after[2] = {p.speed[0], p.speed[1]}, before[2] = {mechanic[1], mechanic[3]}, rate[2];
    ff_backlash_impact(&d->backlash, &after[0], &after[1]);
    mechanic[1] = after[0];
    mechanic[3] = after[1];
    accelerations(d, memory, q, v, z, rate);
    mechanic[1] = before[0];
    mechanic[3] = before[1];
    // A bounce begins with the accelerations after the impact and ends with about those before. It lasts 2 eps w / a;
    // one that is shorter than two steps cannot be distinguished from contact.
    const double meeting = 0.5 * side * (p.rate[0] - p.rate[1] + rate[0] - rate[1]);
    const double bounce = d->backlash.restitution * speed, slowest = ff_max(d->backlash.floor, span * meeting);
    if (meeting > 0.0 && bounce < slowest) {
        lock(d, memory, mechanic, side, held, loss);
        return true;
    }
    *loss += ff_backlash_loss(&d->backlash, speed);
    for (int k = 0; k < 2; k++) mechanic[2 * k + 1] += after[k] - p.speed[k];
    const double free_motion = p.since * (after[1] - p.speed[1]), motion = compliant_share(d, held) * free_motion;
    mechanic[0] += p.since * (after[0] - p.speed[0]) + (motion - free_motion);
    mechanic[2] += motion;
    if (!(span > 0.0)) place_faces(d, mechanic, side, clearance(d, meeting), 0.0);
    memory->impacts++;
    return true;
}

bool ff_drive_update_backlash(const ff_drive *drive, ff_drive_memory *memory, const double *q, const double *v,
                              double *z, double span, double held, double *loss)
{
    if (drive->transmission != FF_TRANSMISSION_BACKLASH) return false;
    if (memory->mode != FF_BACKLASH_FREE) return release(drive, memory, q, v, z, span);
    double *mechanic = z + ff_drive_nelectric(drive), before[4], lost = 0.0;
    memcpy(before, mechanic, sizeof before);
    if (!handle_impact(drive, memory, q, v, z, span, held, &lost)) return false;
    // States at the end of the step are corrected for the impact within it. The energy that this takes is heat; energy
    // that it may add stays in the residual.
    const double x = ff_drive_path_locate(&drive->path, q, v).x;
    *loss += span > 0.0 ? ff_max(0.0, stored_energy(drive, x, before) - stored_energy(drive, x, mechanic)) : lost;
    return true;
}
