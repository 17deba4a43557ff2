// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the stabiliser, in the order of a tick (stabiliser.c). Each part is a function of gains, of its memory and
// of the results before it; "sec.", "alg." and "eq." are those of the thesis.
#ifndef FOOTFALL_BIPED_STABILISER_H
#define FOOTFALL_BIPED_STABILISER_H

#include "biped/ik.h"

enum { FF_LEFT, FF_RIGHT };

/// Filters, made from the gains once.
typedef struct ff_biped_filters {
    ff_filter contact; // of kappa and beta: 3 ms
    ff_filter reflex;  // 3 ms, second order
    ff_filter rate[4]; // of the inclination rate, in series
    int nrate;
    ff_filter height[3];    // notches of the vertical acceleration
    ff_filter force, slope; // low pass and derivative of forces
} ff_biped_filters;

ff_status ff_biped_filters_make(const ff_biped_gains *gains, ff_biped_filters *out, ff_error *err);

// ------------------------------------------------------------------------------------------ sensors

/// Times for which readings of the torso or a foot have been invalid, and bit-identical.  [s]
typedef struct ff_biped_sensor_fault {
    double invalid_time, same;
} ff_biped_sensor_fault;

typedef struct ff_biped_watch_memory {
    ff_biped_sensors last; // valid readings
    ff_biped_sensor_fault torso, foot[FF_BIPED_FEET];
    double pulled[FF_BIPED_FEET];  // time for which the ground has seemed to pull  [s]
    double against[FF_BIPED_FEET]; // that time while the foot was loaded, less the time of pressure  [s]
    bool reversed[FF_BIPED_FEET];
} ff_biped_watch_memory;

/// Fills `out` with the valid readings of the sensors, or `wanted` force and torque of a foot without one.
/// @param load  planned share of each foot
/// @return      conditions, FF_BIPED_..
unsigned ff_biped_watch_step(const ff_biped *robot, const ff_biped_gains *gains, const ff_biped_sensors *sensors,
                             const double load[FF_BIPED_FEET], double wanted[FF_BIPED_FEET][6],
                             ff_biped_watch_memory *memory, ff_biped_sensors *out);

// ------------------------------------------------------------------------------------------ bounds (guard.c)

/// Checks that gains are finite and not negative. @return FF_OK, or FF_BAD_ARGUMENT
ff_status ff_biped_guard_gains(const ff_biped_gains *gains, ff_error *err);
/// Can a target be followed after `last`? NULL: it is the first one.
bool ff_biped_guard_target(const ff_biped *robot, double period, const ff_biped_target *target,
                           const ff_biped_target *last);
/// Would the stabiliser follow this target next?
bool ff_biped_stabiliser_would_take(const ff_biped_stabiliser *s, const ff_biped_target *target);
/// Are positions finite, and speeds within bounds?
bool ff_biped_guard_joints(const ff_biped *robot, const double *q, const double *v);
/// Moves a task to within the distance that a tick may cover from `now`. @return whether it was farther away
bool ff_biped_guard_approach(const ff_biped *robot, double task_gain, const ff_biped_task *now, ff_biped_task *task);

// ------------------------------------------------------------------------------------------ contact (sec. 3.6)

typedef struct ff_biped_contact_memory {
    double closed, closed_filter[FF_FILTER_MEMORY]; // kappa
    double mode, mode_filter[FF_FILTER_MEMORY];     // beta
    bool early, late;
    double air, delay;  // time since the foot was loaded; time without contact although it should be  [s]
    double raise;       // of the load of a foot with early contact
    double since_early; // time since early contact, 0 during it  [s]
} ff_biped_contact_memory;

typedef struct ff_biped_contact_states {
    ff_biped_contact_memory foot[FF_BIPED_FEET];
    double late_mode; // mode of the other foot by late contact, which decays
} ff_biped_contact_states;

/// Contact of each foot.
typedef struct ff_biped_contact_view {
    double closed[FF_BIPED_FEET]; // kappa: 0 in the air, 1 on the ground
    double mode[FF_BIPED_FEET];   // beta: 0 controlled by position, 1 by force
    double load[FF_BIPED_FEET];   // adapted share
    bool early[FF_BIPED_FEET], late[FF_BIPED_FEET];
} ff_biped_contact_view;

void ff_biped_contact_step(const ff_biped_gains *gains, const ff_biped_filters *filters,
                           const ff_biped_sensors *sensors, const double load[FF_BIPED_FEET],
                           ff_biped_contact_states *memory, ff_biped_contact_view *out);

// ------------------------------------------------------------------------------------------ adaptation (sec. 3.7)

typedef struct ff_biped_adapt_memory {
    double reflex_filter[FF_BIPED_FEET][6][FF_FILTER_MEMORY];
    double reflex[FF_BIPED_FEET][6]; // displacement of the foot: linear, angular  [m, rad]
    double swing[FF_BIPED_FEET];     // [m]
} ff_biped_adapt_memory;

/// Stops feet with early contact, and moves swing feet with the ground under the other foot.
void ff_biped_adapt_step(const ff_biped *robot, const ff_biped_gains *gains, const ff_biped_filters *filters,
                         const ff_biped_contact_states *contacts, const ff_biped_contact_view *contact,
                         const ff_biped_sensors *sensors, const double tilt[3], const ff_biped_task *now,
                         ff_biped_adapt_memory *memory, ff_biped_task *task);

// ------------------------------------------------------------------------------------------ inclination (sec. 4.2)

typedef struct ff_biped_incline_memory {
    double rate_filter[2][4][FF_FILTER_MEMORY];
    double energy, alpha, torque[2], rate[2]; // of the passivity control
} ff_biped_incline_memory;

/// Tilt of the torso relative to the plan, in its own axes, and its rate; eq. 3.17 to 3.19.
void ff_biped_incline_measure(const ff_biped_sensors *sensors, const ff_biped_task *plan, double tilt[3],
                              double rate[3]);
/// DCM tracking: force and torque, in the axes of the body, for its tilt about the feet `height` below it.
void ff_biped_dcm_law(const ff_biped *robot, double gain, double height, const double tilt[2], const double rate[2],
                      double force[3], double torque[3]);
/// Adds the torque of inclination control, eq. 4.16, or that of the balance law of the gains.
void ff_biped_incline_step(const ff_biped *robot, const ff_biped_gains *gains, const ff_biped_filters *filters,
                           const ff_biped_target *target, const double tilt[3], const double rate[3],
                           ff_biped_incline_memory *memory, ff_biped_wrench *wrench);

// ------------------------------------------------------------------------------------------ distribution (sec. 4)

typedef struct ff_biped_distribution {
    ff_biped_wrench foot[FF_BIPED_FEET]; // at the origin of its frame, in its axes
} ff_biped_distribution;

/// Distributes a wrench about the centre of mass, in world axes, to the feet.
void ff_biped_distribute(const ff_biped *robot, const ff_biped_gains *gains, const ff_biped_task *now,
                         const double load[FF_BIPED_FEET], const ff_biped_wrench *wrench, ff_biped_distribution *out);
/// The same as a quadratic program. @return false where none was found; out is then that of ff_biped_distribute
bool ff_biped_distribute_quadratic(const ff_biped *robot, const ff_biped_gains *gains, const ff_biped_task *now,
                                   const double load[FF_BIPED_FEET], const ff_biped_wrench *wrench,
                                   ff_biped_distribution *out);

// ------------------------------------------------------------------------------------------ height (sec. 4.4, 4.5)

typedef struct ff_biped_height_memory {
    double notch[3][FF_FILTER_MEMORY];
    double speed, offset;       // of the centre of mass  [m/s, m]
    double foot[FF_BIPED_FEET]; // lowering of feet with late contact  [m]
} ff_biped_height_memory;

void ff_biped_height_step(const ff_biped *robot, const ff_biped_gains *gains, const ff_biped_filters *filters,
                          const ff_biped_target *target, const ff_biped_contact_view *contact, const ff_biped_task *now,
                          const ff_biped_distribution *wanted, const ff_biped_sensors *sensors,
                          ff_biped_height_memory *memory, ff_biped_task *task);

// ------------------------------------------------------------------------------------------ foot forces (sec. 5.2)

typedef struct ff_biped_foot_memory {
    double wanted_slope[FF_BIPED_FEET][3][FF_FILTER_MEMORY];
    double planned_slope[FF_BIPED_FEET][3][FF_FILTER_MEMORY];
    double error_slope[FF_BIPED_FEET][3][FF_FILTER_MEMORY];
    double error[FF_BIPED_FEET][3][FF_FILTER_MEMORY];
    double shift[FF_BIPED_FEET][3]; // of the foot, world  [m]
    double turn[FF_BIPED_FEET][3];  // its own axes  [rad]
} ff_biped_foot_memory;

void ff_biped_foot_force_step(const ff_biped *robot, const ff_biped_gains *gains, const ff_biped_filters *filters,
                              const ff_biped_contact_view *contact, const ff_biped_distribution *planned,
                              const ff_biped_distribution *wanted, const ff_biped_sensors *sensors,
                              ff_biped_foot_memory *memory, ff_biped_task *task);

// ------------------------------------------------------------------------------------------ operators (app. A.4)

/// Returns x to zero where forces do not control it.
static inline double ff_biped_position_control(const ff_biped_gains *gains, double u, double x)
{
    return u - gains->position_gain * x;
}

static inline double ff_biped_hybrid_control(const ff_biped_gains *gains, double mode, double u, double x)
{
    return mode * u - (1.0 - mode) * gains->position_gain * x;
}

/// Displaces a foot in world axes; eq. A.35.
void ff_biped_modify_world(ff_biped_motion *foot, const double shift[3], const double turn[3], const double vel[3],
                           const double omega[3]);
/// The same in the foot's own axes; eq. A.36. vel is the whole derivative of the shift, seen in these axes.
void ff_biped_modify_own(ff_biped_motion *foot, const double shift[3], const double turn[3], const double vel[3],
                         const double omega[3]);
/// Attitude of a foot.
void ff_biped_foot_axes(const ff_biped_motion *foot, double R[9]);

#endif
