// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan: some steps that end in standing. First where the feet are and what they carry (phases.c), then the motion of
// the torso's mass that keeps the ZMP where it should be (torso.c); sec. 3.5 of the thesis.
#ifndef FOOTFALL_BIPED_PLAN_H
#define FOOTFALL_BIPED_PLAN_H

#include "biped/ik.h"

// ----------------------------------------------------------------------------------------- collocation (collocation.c)
//
// A motion x(t) of the torso in the plane that comes near to
//     alpha(t) x'' + gamma(t) x = tau(t)
// and starts and ends with given place, speed and acceleration: six conditions for an equation of second order, whose
// solutions grow without bound besides. A spline of fifth degree with continuous derivatives up to the fourth fulfils
// all six and the equation at its inner knots. T. Buschmann et al., A collocation method for real-time walking pattern
// generation (Humanoids 2007).

/// Place, speed and acceleration along x and y at a knot.  [m, m/s, m/s^2]
typedef struct ff_knot {
    double x[2], v[2], a[2];
} ff_knot;

/// Numbers of workspace for n segments.
size_t ff_collocation_work(int n);
/// Factors the equations of a spline over n segments of length h, for any number of right-hand sides.
/// @param alpha, gamma  at the knots  (n + 1)
/// @return false where they are singular
bool ff_collocation_factor(int n, double h, const double *alpha, const double *gamma, double *work);
/// The spline. First and last knot are given, those between are filled.
/// @param tau   right-hand sides along x and y at the knots  (n + 1)
/// @param work  as ff_collocation_factor left it
/// @return false where the numbers are not finite; knots is then not changed
bool ff_collocate(int n, double h, const double *gamma, const double (*tau)[2], ff_knot *knots, double *work);
/// The spline of one segment, `at` from 0 to h behind its first knot.
ff_knot ff_collocation_at(const ff_knot knots[2], double h, double at);

// ------------------------------------------------------------------------------------------ plans

enum { FF_PLAN_PHASES = 48, FF_PLAN_KNOTS = 400, FF_PLAN_STEPS = 16 };

/// Longest distance of two knots of the torso's spline: 0.1 s leave the ZMP off by 15 mm.  [s]
#define FF_PLAN_KNOT 0.05

typedef struct ff_footprint {
    double x, y, z, yaw; // of the frame of the sole  [m, rad]
} ff_footprint;

/// A stretch of time in which the same feet stand.
typedef struct ff_phase {
    double start, end;              // [s]
    int swing;                      // foot in the air, -1: none
    int padding;                    // 0: saved states hold the bytes of a plan, and equal runs save equal bytes
    ff_footprint at[FF_BIPED_FEET]; // feet, at its start
    ff_footprint to;                // where the swing foot lands
    double zmp[2][2];               // at its start and end  [m]
    double load[2];                 // of the left foot at its start and end
} ff_phase;

typedef struct ff_plan {
    ff_phase phases[FF_PLAN_PHASES];
    int nphase;
    double low[2];   // how far the centre of mass is below its height at the start, and while it walks  [m]
    double lowered;  // when it has got there  [s]
    double raise;    // when it begins to rise again, to the end of the plan  [s]
    double start, h; // time of the first knot, and between knots  [s]
    int n;           // segments between knots
    double zmp[FF_PLAN_KNOTS + 1]
              [2]; // that the torso's mass is to bring about, so that the whole robot's is that of the phases
    ff_knot torso[FF_PLAN_KNOTS + 1];
} ff_plan;

/// Place of a foot and its first two derivatives: x, y, z, yaw.
typedef struct ff_foot_state {
    double x[4], v[4], a[4];
} ff_foot_state;

/// What a plan is made from, constant.
typedef struct ff_plan_setup {
    const ff_biped *robot;
    ff_biped_gait gait;
} ff_plan_setup;

/// Where a plan begins.
typedef struct ff_plan_begin {
    double time;
    ff_footprint feet[FF_BIPED_FEET];
    double zmp[2]; // [m]
    double load;   // of the left foot
    ff_knot torso;
    double low;    // of the centre of mass, below its height  [m]
    int swing;     // foot that moves first
    bool standing; // from a stand: with a hold before the first step
} ff_plan_begin;

/// Commands of a walk.
typedef struct ff_plan_walk {
    ff_biped_command command;
    ff_biped_step steps[FF_BIPED_STEPS]; // in place of it
    int count, done;                     // of them
    bool listed;                         // a list was given; the robot stands at its end
} ff_plan_walk;

/// Phases of a walk that follows a command or a list, and stops; at most gait.ahead steps.
void ff_plan_lay_out(const ff_plan_setup *setup, const ff_plan_begin *begin, const ff_plan_walk *walk, ff_plan *out);
/// Phases of a robot that was about to walk and stays where it is: both feet stand, and the ZMP goes where it brings
/// the centre of mass, which moves already, to rest between them.
/// @return false where no ZMP within the soles does
bool ff_plan_lay_out_stay(const ff_plan_setup *setup, const ff_plan_begin *begin, ff_plan *out);
/// Can feet that stand there make the steps of a list? @return FF_BAD_ARGUMENT, and the number of the first they cannot
ff_status ff_plan_check_steps(const ff_plan_setup *setup, const ff_footprint feet[FF_BIPED_FEET],
                              const ff_biped_step *steps, int count, int *bad, ff_error *err);
/// The phase of a time, the first or last one where it lies outside.
const ff_phase *ff_plan_phase(const ff_plan *plan, double t);
ff_foot_state ff_plan_foot(const ff_plan_setup *setup, const ff_phase *phase, int foot, double t);
/// Of the left foot.
double ff_phase_load(const ff_phase *phase, double t);
void ff_phase_zmp(const ff_phase *phase, double t, double out[2]);

/// The torso's mass over the whole plan; ik and work (ff_collocation_work(FF_PLAN_KNOTS)) are scratch.
/// @return false where no motion was found: the torso then stays over its first place
bool ff_plan_move_torso(const ff_plan_setup *setup, ff_plan *plan, ff_biped_ik *ik, double *work);
/// Targets of motion and contact forces at a time.
void ff_plan_target(const ff_plan_setup *setup, const ff_plan *plan, double t, ff_biped_target *out);
/// Depth of the centre of mass below its height, and two derivatives.  [m, m/s, m/s^2]
void ff_plan_low(const ff_plan *plan, double t, double out[3]);
/// The torso's mass at a time.
ff_knot ff_plan_torso(const ff_plan *plan, double t);

// A plan as a row of numbers (slice.c).
/// How many they are. The first two of the row say it: they come first.
int ff_plan_numbers(const ff_plan *plan);
/// Number i of the row, after it was put to `value` where `put` says so.
double ff_plan_access(ff_plan *plan, int i, double value, bool put);
/// Is there room for as many phases and knots?
bool ff_plan_fits(const ff_plan *plan);
/// Can a received plan be followed?
bool ff_plan_is_sound(const ff_plan *plan);

#endif
