// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the rooms above use of drives: making all of a model, and what a simulation does with them between steps and
// inside the implicit method (plant/drives.c). Users compile a plant, and command drives by footfall/drives.h.
#ifndef FOOTFALL_DRIVE_INTERFACE_H
#define FOOTFALL_DRIVE_INTERFACE_H

#include <footfall/drive.h>

/// Lets the drive act on one joint, or two (joint2 >= 0), of a model: hinges and slides.
/// @return FF_OK; FF_BAD_ARGUMENT (no such joint, the same one twice) or FF_BAD_MODEL (a joint of another type)
ff_status ff_drive_join(ff_drive *drive, const ff_model *model, int joint, int joint2, ff_error *err);
/// Is it an electric motor, whose torque follows from a current?
static inline bool ff_drive_has_current(const ff_drive *drive)
{
    return drive->motor == FF_MOTOR_DC || drive->motor == FF_MOTOR_LAG || drive->motor == FF_MOTOR_PMSM;
}
/// Has the drive a loop that follows references of position?
static inline bool ff_drive_follows_position(const ff_drive *drive)
{
    return drive->motor == FF_MOTOR_SERVO || (drive->loop != FF_LOOP_DIRECT && drive->loop != FF_LOOP_FORCE);
}
/// Is it a motor behind a rod, a crank or a table, whose position is expensive to compute?
static inline bool ff_drive_has_curved_path(const ff_drive *drive)
{
    const ff_drive_path_kind kind = drive->path.kind;
    return drive->motor != FF_MOTOR_NONE && (kind == FF_PATH_TABLE || kind == FF_PATH_CRANK || kind == FF_PATH_ROD);
}
/// ff_drive_evaluate of a motor at a known position of its path.
void ff_drive_evaluate_at(const ff_drive *drive, const ff_drive_memory *memory, const ff_drive_position *at,
                          const double *z, double *zdot, ff_drive_flow *flow);
/// Is its rotor rigid behind a variable lever, or on two joints? Then it is an ff_rotor, and not armature of a joint.
bool ff_drive_couples(const ff_drive *drive);
/// Force of a cable without a motor at rest, at the coordinate x of its path; 0 for other drives.
double ff_drive_pull(const ff_drive *drive, double x);
/// Does a command act at once? Loops and servos read theirs when they sample.
bool ff_drive_acts_at_once(const ff_drive *drive);
/// Event function of backlash: its falling zeros are impacts (free) or releases (locked); 1 for other drives.
double ff_drive_backlash_event(const ff_drive *drive, const ff_drive_memory *memory, const double *q, const double *v,
                               const double *z);
/// Time since free faces met, by their speeds at the state z. 0 where they have not, or so recently that the spring
/// behind them has not moved: (t w)^2 of its angular frequency w is at most `tolerance`.  [s]
double ff_drive_time_since_impact(const ff_drive *drive, const ff_drive_memory *memory, const double *z,
                                  double tolerance);
/// Handles impact, locking and release of the faces. Call it after every accepted step of length `span` (0: at a
/// located event).
/// @param held  `span` where steps need not resolve the spring, 0 where they do
/// @param loss  dissipated energy is added here  [J]
/// @return true when z or the mode changed
bool ff_drive_update_backlash(const ff_drive *drive, ff_drive_memory *memory, const double *q, const double *v,
                              double *z, double span, double held, double *loss);
enum { FF_DRIVE_STATES_MOST = 6 }; // two currents, two inertias
/// Temperature after a time `span`, by the growth of memory->copper in it.
void ff_drive_update_temperature(const ff_drive *drive, ff_drive_memory *memory, double span);
/// One sample of a loop. Outer loops come first where several fall on one instant.
void ff_drive_sample(const ff_drive *drive, ff_drive_memory *memory, ff_drive_level level, const double *q,
                     const double *v, const double *z);
/// When the loops of a drive that run ahead sample: whole ticks of `tick` seconds, all multiples of their periods.
typedef struct ff_drive_schedule {
    int64_t now, until;             // the span
    int64_t period[FF_LEVEL_COUNT]; // 0: the loop does not run ahead, or there is none
    double tick;                    // [s]
} ff_drive_schedule;

/// Does this loop run ahead of the mechanics, with a drive that has a span?
bool ff_drive_runs_ahead(const ff_drive *drive, ff_drive_level level);
/// Advances the winding and its loops from `now` to `until`, without the samples at the two ends, and stores the mean
/// torque of this span in memory->ahead. The rotor is extrapolated with the constant acceleration of the last span.
/// @return energy that the field took in the span before  [J]
double ff_drive_run_ahead(const ff_drive *drive, ff_drive_memory *memory, const ff_drive_schedule *schedule,
                          const double *q, const double *v, const double *z);
/// Rate of a loop of the drive; 0 when it has none. [Hz]
double ff_drive_rate(const ff_drive *drive, ff_drive_level level);
/// Response of the states of a drive over an implicit step to a unit force of the path on the inertia behind the
/// spring. All 0 where there is none.
typedef struct ff_drive_response {
    double speed;   // of the inertia at the spring  [rad/s / (N m), m/s / N]
    double rotor;   // of the rotor, which differs where there is backlash between  [likewise]
    double current; // [A / (N m), A / N]
} ff_drive_response;

/// States at the end of an implicit step, z = z0 + h zdot(z), for the motion (q, v) of the joints there: z holds a
/// guess. Flow, response and derivative are those of the last iteration, within `close` of the result. For drives that
/// ff_drive_settles names.
/// @param close  change of speeds that counts as none  [rad/s, m/s]
/// @return false when the iteration does not converge
bool ff_drive_settle(const ff_drive *drive, const ff_drive_memory *memory, const double *q, const double *v,
                     const double *z0, double h, double close, double *z, double *zdot, ff_drive_flow *flow,
                     ff_drive_response *response);
/// Does ff_drive_settle apply? Not to drives with two electrical states (pmsm).
bool ff_drive_settles(const ff_drive *drive);
/// Solves (1 - h dzdot/dz) x = x with the slopes of a flow.
void ff_drive_relax(const ff_drive *drive, const ff_drive_memory *memory, const ff_drive_flow *flow, double h,
                    double *x);
/// Response of a drive that does not settle by itself, without that of its currents.
ff_drive_response ff_drive_response_of(const ff_drive *drive, const ff_drive_memory *memory, const ff_drive_flow *flow,
                                       double h);
/// Part of the stiffness and damping of a flow that acts on the joints over a step h in which the inertia behind the
/// spring follows them: 1 where there is none.
static inline double ff_drive_reflected_share(const ff_drive_flow *flow, const ff_drive_response *response, double h)
{
    return 1.0 - (flow->damping + h * flow->stiffness) * response->speed;
}
/// Changes x of the states by a force of the path on the inertia behind the spring, over an implicit step h.
static inline void ff_drive_follow_path(const ff_drive *drive, const ff_drive_response *response, double force,
                                        double h, double *x)
{
    double *last = x + drive->nstate - 2;
    if (drive->nstate > drive->nmoving) x[0] = response->current * force;
    if (drive->nmoving == 0) return;
    last[1] = response->speed * force;
    last[0] = h * last[1];
    if (drive->nmoving < 4) return;
    last[-1] = response->rotor * force;
    last[-2] = h * last[-1];
}
/// Changes x = h dzdot by that force, for a drive whose states the method solves for; x holds zeros.
void ff_drive_accelerate_states(const ff_drive *drive, const ff_drive_memory *memory, double force, double h,
                                double *x);

// ------------------------------------------------------------------------------------------ all drives of a model

/// Takes the rotors of drives that move on their own off the armature of their joints, and adds those of drives listed
/// under `drives` that do not. Call it on a description before it is compiled, with the options of the set.
void ff_drive_prepare(ff_spec *spec, const ff_drive_options *options);
/// Makes the drives of a model. Mistakes in the descriptions are reported with their places, poles left out as notes.
/// @return NULL when `report` has errors
ff_drive_set *ff_drive_set_create(const ff_model *model, const ff_drive_options *options, ff_report *report);
/// Frees it; NULL is allowed.
void ff_drive_set_destroy(ff_drive_set *set);
/// ff_drive_evaluate of drives `from` to `to` - 1, whose states follow each other in z. `memory` and `flows` have a
/// place for each drive of the set; flows are zero or from the last call.
/// @param at  positions of curved paths (ff_drive_has_curved_path) by the numbers of their drives; NULL: not known
void ff_drive_evaluate_all(const ff_drive_set *set, const ff_drive_memory *memory, int from, int to, const double *q,
                           const double *v, const ff_drive_position *at, const double *z, double *zdot,
                           ff_drive_flow *flows);
/// Position, speed and torque of the two joints as references of the two motors `a` (the first) and `b`.
void ff_differential_to_motors(const ff_drive *a, const ff_drive *b, const double joints[2][3], double motors[2][3]);
/// The inverse: references of the two joints from those of the two motors.
void ff_differential_to_joints(const ff_drive *a, const ff_drive *b, const double motors[2][3], double joints[2][3]);

#endif
