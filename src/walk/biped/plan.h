// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan: some steps that end in a stand (sec. 3.5 of the thesis). First places and loads of the feet (phases.c), then
// the motion of the torso's mass that gives the wanted ZMP (torso.c).
#ifndef FOOTFALL_BIPED_PLAN_H
#define FOOTFALL_BIPED_PLAN_H

#include "biped/ik.h"

// ----------------------------------------------------------------------------------------- collocation (collocation.c)
//
// A motion x(t) of the torso in the plane that approximates
//     alpha(t) x'' + gamma(t) x = tau(t)
// and starts and ends with given place, speed and acceleration. A spline of fifth degree with continuous derivatives up
// to the fourth fulfils these six conditions, and the equation at its inner knots. T. Buschmann et al., A collocation
// method for real-time walking pattern generation (Humanoids 2007).

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
/// Computes the inner knots of the spline; first and last knot are given.
/// @param tau   right-hand sides along x and y at the knots  (n + 1)
/// @param work  factors of ff_collocation_factor
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
    int padding;                    // 0, so that equal plans have equal bytes in saved states
    ff_footprint at[FF_BIPED_FEET]; // feet, at its start
    ff_footprint to;                // where the swing foot lands
    double zmp[2][2];               // at its start and end  [m]
    double load[2];                 // of the left foot at its start and end
} ff_phase;

typedef struct ff_plan {
    ff_phase phases[FF_PLAN_PHASES];
    int nphase;
    double low[2];   // depth of the centre of mass below its height, at the start and while the robot walks  [m]
    double lowered;  // time at which it has the latter  [s]
    double raise;    // time from which it rises, until the end of the plan  [s]
    double start, h; // time of the first knot, and between knots  [s]
    int n;           // segments between knots
    double zmp[FF_PLAN_KNOTS + 1][2]; // of the three masses, such that the whole robot has that of the phases  [m]
    ff_knot torso[FF_PLAN_KNOTS + 1];
} ff_plan;

/// Place of a foot and its first two derivatives: x, y, z, yaw.
typedef struct ff_foot_state {
    double x[4], v[4], a[4];
} ff_foot_state;

/// Constants of a plan.
typedef struct ff_plan_setup {
    const ff_biped *robot;
    ff_biped_gait gait;
} ff_plan_setup;

/// State in which a plan begins.
typedef struct ff_plan_begin {
    double time;
    ff_footprint feet[FF_BIPED_FEET];
    double zmp[2]; // [m]
    double load;   // of the left foot
    ff_knot torso;
    double low;    // depth of the centre of mass below its height  [m]
    int swing;     // foot that moves first
    bool standing; // from a stand: with a hold before the first step
} ff_plan_begin;

/// Commands of a walk.
typedef struct ff_plan_walk {
    ff_biped_command command;
    ff_biped_step steps[FF_BIPED_STEPS]; // where `listed`: a list in place of the command
    int count, done;                     // steps of the list, and those that were made
    bool listed;
} ff_plan_walk;

/// Makes the phases of a walk that follows a command or a list, of at most gait.ahead steps, and stops.
void ff_plan_lay_out(const ff_plan_setup *setup, const ff_plan_begin *begin, const ff_plan_walk *walk, ff_plan *out);
/// Makes the phases of a robot that stops before its first step: both feet stand, and the ZMP moves such that the
/// centre of mass comes to rest between them. @return false where no ZMP within the soles does this
bool ff_plan_lay_out_stay(const ff_plan_setup *setup, const ff_plan_begin *begin, ff_plan *out);
/// Can feet that stand there make the steps of a list? @return FF_BAD_ARGUMENT, and the number of the first they cannot
ff_status ff_plan_check_steps(const ff_plan_setup *setup, const ff_footprint feet[FF_BIPED_FEET],
                              const ff_biped_step *steps, int count, int *bad, ff_error *err);
/// The phase of a time, the first or last one where it lies outside.
const ff_phase *ff_plan_phase(const ff_plan *plan, double t);
ff_foot_state ff_plan_foot(const ff_plan_setup *setup, const ff_phase *phase, int foot, double t);
/// Load of the left foot.
double ff_phase_load(const ff_phase *phase, double t);
void ff_phase_zmp(const ff_phase *phase, double t, double out[2]);

/// Computes the motion of the torso's mass; ik and work (ff_collocation_work(FF_PLAN_KNOTS)) are scratch.
/// @return false where no motion was found: the torso then stays over its first place
bool ff_plan_move_torso(const ff_plan_setup *setup, ff_plan *plan, ff_biped_ik *ik, double *work);
/// Targets of motion and contact forces at a time.
void ff_plan_target(const ff_plan_setup *setup, const ff_plan *plan, double t, ff_biped_target *out);
/// Depth of the centre of mass below its height, and two derivatives.  [m, m/s, m/s^2]
void ff_plan_low(const ff_plan *plan, double t, double out[3]);
/// The torso's mass at a time.
ff_knot ff_plan_torso(const ff_plan *plan, double t);

// A plan as a row of numbers (slice.c).
/// Length of the row, which follows from its first two numbers.
int ff_plan_numbers(const ff_plan *plan);
/// Number i of the row. @param put  sets it to `value` first
double ff_plan_access(ff_plan *plan, int i, double value, bool put);
/// Are the numbers of phases and knots within bounds?
bool ff_plan_fits(const ff_plan *plan);
/// Can a received plan be followed?
bool ff_plan_is_valid(const ff_plan *plan);

#endif
