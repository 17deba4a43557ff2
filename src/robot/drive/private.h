// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the room drive share: the layout of the states z of a drive, its rotor, its parts.
#ifndef FOOTFALL_DRIVE_PRIVATE_H
#define FOOTFALL_DRIVE_PRIVATE_H

#include "drive/interface.h"

/// Number of electrical states, which are the first ones in z: i, or i_d and i_q.
static inline int ff_drive_nelectric_of(ff_drive_motor motor, bool pole)
{
    if (motor == FF_MOTOR_PMSM) return pole ? 2 : 0;
    return (motor == FF_MOTOR_LAG || motor == FF_MOTOR_DC) && pole ? 1 : 0;
}

/// Number of states of the transmission of a motor, which follow them in z: angle and speed of each inertia.
static inline int ff_drive_nmoving_of(ff_drive_transmission transmission)
{
    static const int moving[FF_TRANSMISSION_COUNT] = {0, 2, 4, 4, 2};
    return moving[transmission];
}

static inline int ff_drive_nelectric(const ff_drive *d)
{
    return ff_drive_nelectric_of(d->motor, d->pole);
}

/// Does a temperature bound its current?
static inline bool ff_drive_limits_temperature(const ff_drive *d)
{
    return ff_drive_has_current(d) && d->thermal.capacity > 0.0 && d->thermal.limit > d->thermal.ambient;
}

/// Must a direct drive be checked between commands, for its limit switches or its temperature?
static inline bool ff_drive_is_supervised(const ff_drive *d)
{
    return d->loop == FF_LOOP_DIRECT &&
           (d->stroke[1] > d->stroke[0] || ff_drive_limits_temperature(d) || d->battery >= 0);
}

/// Angle and speed of a rotor, after the gear. They are passed by value: read back from memory they would be loaded as
/// one vector out of two fresh scalar stores, which a processor cannot forward (measured: 15 ns of 45 ns for a drive).
typedef struct ff_drive_turn {
    double angle, speed;
} ff_drive_turn;

/// Is the current of a DC motor a state of its own in steps of this length? 0: any step.
bool ff_drive_keeps_pole(const ff_drive *d, double step);

/// Angle and speed of the rotor: the first two states of the transmission, or those of the joint behind a rigid one.
static inline ff_drive_turn ff_drive_rotor(const ff_drive *d, ff_drive_turn joint, const double *z)
{
    if (d->transmission == FF_TRANSMISSION_RIGID) return joint;
    const double *mechanic = z + ff_drive_nelectric(d);
    return (ff_drive_turn){mechanic[0], mechanic[1]};
}

/// Position of the path; without a call for a plain joint, which nearly all drives have.
static inline ff_drive_turn ff_drive_locate(const ff_drive_path *path, ff_drive_path_kind kind, const double *q,
                                            const double *v, ff_drive_position *at)
{
    ff_drive_turn joint;
    if (kind == FF_PATH_JOINT) {
        joint = (ff_drive_turn){q[path->qadr[0]] + path->offset, v[path->vadr[0]]};
        *at = (ff_drive_position){.x = joint.angle, .speed = joint.speed, .lever = {1.0, 0.0}};
    } else {
        *at = ff_drive_path_locate(path, q, v);
        joint = (ff_drive_turn){at->x, at->speed};
    }
    return joint;
}

/// Measurable quantities of a drive.
typedef struct ff_drive_view {
    ff_drive_turn joint; // along the path
    ff_drive_turn rotor; // after the gear
    double current[2];   // i, or i_d and i_q  [A]
    double spring;       // force in the spring, for force loops  [N m, N]
} ff_drive_view;

/// Quantities that the loops of a level measure at a state; others are zero.
ff_drive_view ff_drive_view_of(const ff_drive *drive, const ff_drive_memory *memory, ff_drive_level level,
                               const double *q, const double *v, const double *z);
/// One sample of a loop with these measurements.
void ff_drive_sample_view(const ff_drive *drive, ff_drive_memory *memory, ff_drive_level level,
                          const ff_drive_view *view);
/// Lets the winding carry a current at rest until its loops run ahead for the first time.
void ff_drive_hold_ahead(const ff_drive *drive, ff_drive_memory *memory, double current);

// ------------------------------------------------------------------------------------------ descriptions

/// Points x1, y1, x2, y2, .. of a description as a table in the arena. @return false without memory (describe.c)
bool ff_drive_make_table(ff_arena *arena, const double *points, int count, ff_table *table);
/// The setting of that name, NULL when the file does not give it.
const ff_spec_setting *ff_drive_setting(const ff_spec_drive *from, const char *name);
/// Fills a drive that has its name and joints. Tables live in the arena.
void ff_drive_describe(ff_drive *d, const ff_spec_drive *from, const ff_drive_options *options, ff_arena *arena,
                       ff_report *report);
/// The described transmission as far as the options model it.
ff_drive_transmission ff_drive_modelled_transmission(const ff_spec_drive *from, const ff_drive_options *options,
                                                     ff_report *report);
/// Does a drive of a description act with these options? Motors of differentials act where drives are modelled in full;
/// where drives are ideal, the joints' own drives act in their place.
bool ff_drive_acts(const ff_spec_drive *drives, int n, const ff_spec_drive *drive, const ff_drive_options *options);
/// Finds the two motors of each differential among the first n drives of a set. One motor alone, a third one, and
/// levers that leave a joint unmoved are reported.
void ff_differential_join(const ff_model *model, ff_drive *drives, int n, const ff_drive_options *options,
                          ff_report *report);

// -------------------------------------------------------------------------------------- parts (footfall/drive_parts.h)

/// dy/dx at x; at a corner that of the piece to the right.
double ff_table_slope(const ff_table *table, double x);
/// Kp (q_ref - q) - Kd q', before the line bounds it.
double ff_servo_demand(const ff_servo *servo, double reference, double angle, double speed);
/// 3/2 (L_d i_d^2 + L_q i_q^2) / 2.
double ff_pmsm_energy(const ff_pmsm *motor, const double i[2]);
/// One sample: takes two phase currents and the rotor's angle and speed, sets the voltage of the next period.
/// @param demand  (i_d, i_q), unused while aligning [A]
void ff_pmsm_control_update(const ff_pmsm_control *c, const ff_pmsm *motor, ff_pmsm_state *s, const double phases[2],
                            double angle, double speed, const double demand[2]);
/// F at a stretch x [m] that grows at `rate` [m/s]  [N].
double ff_cable_force(const ff_cable *cable, double stretch, double rate);
/// Stored at the stretch  [J].
double ff_cable_energy(const ff_cable *cable, double stretch);
/// dF/dx at the stretch.
double ff_cable_slope(const ff_cable *cable, double stretch);
/// Damping of the teeth with which a contact has the restitution eps: half a swing of a damped oscillator leaves
/// exp(-pi zeta / sqrt(1 - zeta^2)) of any speed.
double ff_backlash_tooth_damping(const ff_backlash *b);
/// Torque on the transmission of teeth that are a spring and a damper in parallel, k d + c d', where d is how far the
/// offset theta_m - theta_T passes gap / 2. Teeth may pull a little as they separate: without that the half swing would
/// be incomplete, and eps wrong.
double ff_backlash_tooth(const ff_backlash *b, double offset, double rate);
/// k d^2 / 2.
double ff_backlash_tooth_energy(const ff_backlash *b, double offset);
/// Torque with which locked faces press: that which the motor exerts on the transmission while both move as one.
/// @param motor_torque, other_torque  all other torques on motor and transmission
double ff_backlash_press(const ff_backlash *b, double motor_torque, double other_torque);
/// Acceleration of the travel at the speeds v of the two angles, when these do not accelerate.
double ff_rod_drift(const ff_rod *rod, const double q[2], const double v[2]);

#endif
