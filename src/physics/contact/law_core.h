// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The laws of contact at a point, in plain arithmetic, for one point (private.h, friction.c) and for lanes
// and devices (batch/touch.h). A source that includes this defines before
//     FF_CORE      qualifiers of functions
//     FF_REAL      a number of each robot; FF_SHARED, a number of the material
//     FF_EACH      makes an FF_REAL of an FF_SHARED
//     FF_CHOOSE    (condition, yes, no) for each robot
//     FF_EXP       exponential function
#ifndef FOOTFALL_CONTACT_LAW_CORE_H
#define FOOTFALL_CONTACT_LAW_CORE_H

/// Impact speed that a law of restitution divides its damping by. @param inelastic  the restitution is 0: it is always
/// the floor, as with F = k p^n (1 + v / floor) nothing leaves faster than the floor, however fast it came (e a < 1 of
/// X1 in restitution.c, with a = v0 / floor)
FF_CORE FF_REAL ff_core_impact_speed(FF_REAL latched, FF_SHARED floor, int inelastic)
{
    return inelastic ? FF_EACH(floor) : FF_CHOOSE(latched > floor, latched, FF_EACH(floor));
}

/// F = k p^n + c p^m v, no less than zero unless the ground pulls.
FF_CORE FF_REAL ff_core_normal_force(FF_REAL spring, FF_REAL damper, FF_REAL closing, int pulls)
{
    const FF_REAL force = spring + damper * closing;
    return pulls ? force : FF_CHOOSE(force < 0.0, FF_EACH(0.0), force);
}

/// Regularised Stribeck curve of the speed v >= 0 and its slope, for c_d = 1:
///     v < v_th: c_brk v      else: v_th (c_brk - 1) exp(decay (v - v_th) / v_min) + v
FF_CORE FF_REAL ff_core_stribeck(FF_SHARED threshold, FF_SHARED breakaway, FF_SHARED decay, FF_SHARED scale_speed,
                                 FF_REAL v, FF_REAL *slope)
{
    const FF_REAL beyond = FF_CHOOSE(v < threshold, FF_EACH(0.0), v - threshold);
    const FF_REAL peak = threshold * (breakaway - 1.0) * FF_EXP(decay * beyond / scale_speed);
    *slope = FF_CHOOSE(v < threshold, FF_EACH(breakaway), peak * decay / scale_speed + 1.0);
    return FF_CHOOSE(v < threshold, breakaway * v, peak + v);
}

/// How far below the limit of sliding a slider counts as stopped: below the stick speed, but by no more than half of
/// the gap between the limits of sticking and sliding, so that no contact alternates between both.
FF_CORE FF_REAL ff_core_stop_margin(FF_REAL gap, FF_REAL damping, FF_SHARED stick_speed)
{
    const FF_REAL slow = damping * stick_speed, half = 0.5 * gap;
    return FF_CHOOSE(gap > 0.0, FF_CHOOSE(slow < half, slow, half), FF_EACH(0.0));
}

#endif
