// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors that cannot be trusted: numbers that are none, readings that no longer come, and a foot sensor of the wrong
// sign, seen by ground that pulls at the foot, as no ground does. A foot that is not felt is taken to carry what it
// should, a torso whose lean is not known to be upright: the loops about them are then open, and the host is told to
// stop the robot, which can come to rest on two feet by its plan.
#include "biped/stabiliser.h"

#include <footfall/math.h>

/// Pull for so long is no noise and no blow, if it is half of what says contact: a foot's own inertia gives 30 N where
/// it is stopped.  [s]
#define PULLED 0.02
/// A robot that leans by more has fallen: what lies on its feet pulls at them.  [rad]
#define FALLEN 0.5

static bool is_sound(const ff_biped_sensors *s)
{
    bool sound = isfinite(s->roll) && isfinite(s->pitch) && ff_all_finite(s->gyro, 3);
    for (int f = 0; f < FF_BIPED_FEET; f++)
        sound = sound && ff_all_finite(s->foot[f].force, 3) && ff_all_finite(s->foot[f].torque, 3);
    return sound;
}

static ff_biped_wrench wrench_of(const double values[6])
{
    return (ff_biped_wrench){.force = {values[0], values[1], values[2]}, .torque = {values[3], values[4], values[5]}};
}

unsigned ff_biped_watch_step(const ff_biped_gains *g, const ff_biped_sensors *sensors, double wanted[FF_BIPED_FEET][6],
                             ff_biped_watch_memory *m, ff_biped_sensors *out)
{
    unsigned trouble = is_sound(sensors) ? 0 : FF_BIPED_BAD_SENSOR;
    if (!trouble) m->last = *sensors;
    *out = m->last;
    const bool upright = fabs(m->last.roll) < FALLEN && fabs(m->last.pitch) < FALLEN;
    if (!(sensors->torso_age <= FF_BIPED_OLDEST)) trouble |= FF_BIPED_NO_TORSO;
    for (int f = 0; f < FF_BIPED_FEET; f++) {
        const bool pulled = upright && m->last.foot[f].force[2] < -0.5 * g->contact_force;
        m->pulled[f] = pulled ? m->pulled[f] + g->period : 0.0;
        m->reversed[f] = m->reversed[f] || m->pulled[f] > PULLED;
        const bool old = !(sensors->foot_age[f] <= FF_BIPED_OLDEST);
        if (old) trouble |= FF_BIPED_NO_FOOT;
        if (m->reversed[f]) trouble |= FF_BIPED_WRONG_SIGN;
        if (m->reversed[f] || old) out->foot[f] = wrench_of(wanted[f]);
    }
    return trouble;
}
