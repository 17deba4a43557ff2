// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Detects faults of sensors: readings out of range, missing, constant, or of the wrong sign (the ground seems to pull
// at a foot). A foot without readings is assumed to carry its wanted load, a torso to be upright. As these loops are
// then open, the host must stop the robot on two feet.
#include "biped/stabiliser.h"

#include <footfall/math.h>

#include <string.h>

/// Greatest force on a foot, in weights of the robot: LOLA's hardest landing has 2.6, OP3's on soft soles 7.5.
#define MOST_FORCE 10.0
/// Greatest rate of the torso, in sqrt(g / height): 33 rad/s for LOLA, four times that of a fall.
#define MOST_SPIN 10.0
/// Time after which a pull of half the contact threshold is a fault (the inertia of a stopped foot gives 30 N).  [s]
#define PULLED 0.02
/// Time by which a pull at a loaded foot lasts longer than pressure where the sign is wrong: a rebound takes 0.05 s.
#define AGAINST 0.2
/// Least share of the weight of a foot that carries.
#define CARRIES 0.25
/// A robot that leans by more has fallen, and its feet may measure a pull.  [rad]
#define FALLEN 0.5

static bool is_torso_valid(const ff_biped *robot, const ff_biped_sensors *s)
{
    const double spin = MOST_SPIN * sqrt(robot->weight / (robot->mass * robot->com[2]));
    return fabs(s->roll) <= 1.01 * FF_PI && fabs(s->pitch) <= 1.01 * FF_PI && ff_vec3_norm(s->gyro) <= spin;
}

static bool is_foot_valid(const ff_biped *robot, int f, const ff_biped_wrench *w)
{
    const double(*edge)[2] = robot->feet[f].edge;
    const double most = MOST_FORCE * robot->weight;
    const double arm = ff_hypot(ff_max(fabs(edge[0][0]), fabs(edge[0][1])), ff_max(fabs(edge[1][0]), fabs(edge[1][1])));
    return ff_vec3_norm(w->force) <= most && ff_vec3_norm(w->torque) <= most * arm;
}

static ff_biped_wrench wrench_of(const double values[6])
{
    return (ff_biped_wrench){.force = {values[0], values[1], values[2]}, .torque = {values[3], values[4], values[5]}};
}

static bool is_same_torso(const ff_biped_sensors *a, const ff_biped_sensors *b)
{
    return a->roll == b->roll && a->pitch == b->pitch && memcmp(a->gyro, b->gyro, sizeof a->gyro) == 0;
}

/// @return whether there has been no valid, new and, for a sensor with noise, changing reading for too long
static bool is_lost(const ff_biped_gains *g, bool valid, bool same, double age, ff_biped_sensor_fault *d)
{
    d->invalid_time = valid ? 0.0 : d->invalid_time + g->period;
    d->same = same ? d->same + g->period : 0.0;
    return !(fabs(age) <= FF_BIPED_OLDEST) || d->invalid_time > FF_BIPED_OLDEST ||
           d->same > FF_BIPED_OLDEST + fabs(age);
}

static bool watch_torso(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_sensors *s,
                        ff_biped_watch_memory *m, unsigned *conditions)
{
    const bool valid = is_torso_valid(robot, s), same = s->torso_noisy && is_same_torso(s, &m->last);
    if (!valid) *conditions |= FF_BIPED_BAD_SENSOR;
    if (valid) {
        m->last.roll = s->roll;
        m->last.pitch = s->pitch;
        ff_vec3_copy(m->last.gyro, s->gyro);
    }
    return is_lost(g, valid, same, s->torso_age, &m->torso);
}

static bool watch_foot(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_sensors *s, int f,
                       ff_biped_watch_memory *m, unsigned *conditions)
{
    const ff_biped_wrench *w = &s->foot[f];
    const bool valid = is_foot_valid(robot, f, w),
               same = s->foot_noisy[f] && memcmp(w, &m->last.foot[f], sizeof *w) == 0;
    if (!valid) *conditions |= FF_BIPED_BAD_SENSOR;
    if (valid) m->last.foot[f] = *w;
    m->last.pad[f] = s->pad[f];
    return is_lost(g, valid, same, s->foot_age[f], &m->foot[f]);
}

/// @return whether the ground seems to pull
static bool watch_sign(const ff_biped_gains *g, int f, double load, ff_biped_watch_memory *m)
{
    const double press = m->last.foot[f].force[2];
    const bool upright = fabs(m->last.roll) < FALLEN && fabs(m->last.pitch) < FALLEN;
    const bool pulls = upright && press < -0.5 * g->contact_force;
    m->pulled[f] = pulls ? m->pulled[f] + g->period : 0.0;
    if (load >= CARRIES && (pulls || press > 0.0))
        m->against[f] = ff_max(m->against[f] + (pulls ? g->period : -g->period), 0.0);
    m->reversed[f] = m->reversed[f] || m->against[f] > AGAINST;
    return m->reversed[f] || m->pulled[f] > PULLED;
}

unsigned ff_biped_watch_step(const ff_biped *robot, const ff_biped_gains *g, const ff_biped_sensors *sensors,
                             const double load[FF_BIPED_FEET], double wanted[FF_BIPED_FEET][6],
                             ff_biped_watch_memory *m, ff_biped_sensors *out)
{
    unsigned conditions = 0;
    if (watch_torso(robot, g, sensors, m, &conditions)) conditions |= FF_BIPED_NO_TORSO;
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const bool lost = watch_foot(robot, g, sensors, f, m, &conditions), pulls = watch_sign(g, f, load[f], m);
        if (lost) conditions |= FF_BIPED_NO_FOOT;
        if (m->reversed[f]) conditions |= FF_BIPED_WRONG_SIGN;
        out->foot[f] = lost || pulls ? wrench_of(wanted[f]) : m->last.foot[f];
        out->pad[f] = m->last.pad[f];
    }
    out->roll = m->last.roll;
    out->pitch = m->last.pitch;
    ff_vec3_copy(out->gyro, m->last.gyro);
    return conditions;
}
