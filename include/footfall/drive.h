// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A drive, from a reference to the torque at a joint:
//     reference -> loop (sampled) -> motor -> transmission -> path -> joint(s)
// as plain data. The kinds of loop, motor, transmission and path are chosen by name; any goes with any. A drive has a
// few continuous states z (currents, motor angle and speed), which an integrator moves by ff_drive_evaluate, and a
// memory of sampled values, which ff_drive_sample changes at the rates of its loops. Parts and their equations:
// drive_parts.h, docs/drives.md.
//
// Units: the coordinate x of a drive is what its path makes of the joint, an angle [rad] or a travel [m]; force means
// what is conjugate to it [N m, N]. `ratio` is motor turns for one of x [1, rad/m].
#ifndef FOOTFALL_DRIVE_H
#define FOOTFALL_DRIVE_H

#include <footfall/drive_parts.h>
#include <footfall/dyn.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ff_drive_motor {
    FF_MOTOR_NONE,  // "none"   passive: a cable between joints
    FF_MOTOR_IDEAL, // "ideal"  the wanted torque at once, within a bound
    FF_MOTOR_SERVO, // "servo"  hobby servo
    FF_MOTOR_DC,    // "dc"     voltage on R, L and k
    FF_MOTOR_LAG,   // "lag"    current with a first-order lag: the shortcut for a current-controlled motor
    FF_MOTOR_PMSM,  // "pmsm"   three phases, rotor axes, field-oriented control
    FF_MOTOR_COUNT
} ff_drive_motor;

typedef enum ff_drive_transmission {
    FF_TRANSMISSION_RIGID,    // "rigid"     the rotor turns with the joint; its inertia is the joint's armature
    FF_TRANSMISSION_FLEXIBLE, // "flexible"  spring and damper between rotor and joint (level 2)
    // "backlash"  backlash with impacts between rotor and transmission, spring to the joint (level 3)
    FF_TRANSMISSION_BACKLASH,
    FF_TRANSMISSION_TEETH,  // "teeth"     the same with teeth as stiff springs
    FF_TRANSMISSION_CABLES, // "cables"    series elastic: one or two cables with springs
    FF_TRANSMISSION_COUNT
} ff_drive_transmission;

typedef enum ff_drive_path_kind {
    FF_PATH_JOINT,        // "joint"   x = q
    FF_PATH_LEVERS,       // "levers"  x = x0 + r1 q1 + r2 q2: differential, parallel spindles, biarticular cables
    FF_PATH_TABLE,        // "table"   x = integral of r(q)
    FF_PATH_CRANK,        // "crank"   length of the rod of a crank triangle
    FF_PATH_ROD,          // "rod"     exact length of a rod with ball joints over two joints
    FF_PATH_DIFFERENTIAL, // "differential" in files: FF_PATH_LEVERS of one of two motors that move two joints together
    FF_PATH_COUNT
} ff_drive_path_kind;

typedef enum ff_drive_loop {
    FF_LOOP_DIRECT,    // "direct"    the command of the motor itself: torque, angle, voltage or current
    FF_LOOP_PD,        // "pd"        torque = kp (x* - x) + kd (v* - v) + forward
    FF_LOOP_CASCADE,   // "cascade"   position P, velocity PI, current PI
    FF_LOOP_FORCE,     // "force"     PD on the force in the spring
    FF_LOOP_COMPLIANT, // "compliant" position loop with a bound of force around the force loop
    FF_LOOP_COUNT
} ff_drive_loop;

/// Names as in robot files, in the order of the values, NULL-ended.
FF_API extern const char *const ff_drive_motor_names[FF_MOTOR_COUNT + 1];
FF_API extern const char *const ff_drive_transmission_names[FF_TRANSMISSION_COUNT + 1];
FF_API extern const char *const ff_drive_path_names[FF_PATH_COUNT + 1];
FF_API extern const char *const ff_drive_loop_names[FF_LOOP_COUNT + 1];

/// How joint coordinates become the coordinate of the drive.
typedef struct ff_drive_path {
    ff_drive_path_kind kind;
    int njoint;   // 1 or 2
    int joint[2]; // of the model
    int qadr[2], vadr[2];
    double lever[2]; // FF_PATH_LEVERS [m, 1]
    double offset;   // x0 [m, rad]
    ff_table table;  // lever over angle
    ff_crank crank;
    double crank_rest; // length that counts as x = 0 [m]
    ff_rod rod;
} ff_drive_path;

/// Where the drive stands, from ff_drive_path_locate.
typedef struct ff_drive_position {
    double x, speed;
    double lever[2]; // dx/dq
} ff_drive_position;

typedef struct ff_drive {
    const char *name;
    ff_drive_motor motor;
    ff_drive_transmission transmission;
    ff_drive_loop loop;
    bool pole;   // the current of a dc motor or a lag, or both of a pmsm, are states of their own
    int nstate;  // from ff_drive_finish
    int nmoving; // the last of them: angle and speed of the rotor, then of the transmission
    ff_drive_path path;
    double ratio;      // motor turns for one of x                          [1, rad/m]
    double efficiency; // of the gear                                       [1]
    ff_dc_motor dc;    // constants and friction of any motor but servo and ideal
    double lag;        // w_c of FF_MOTOR_LAG                               [rad/s]
    double stall;      // bound of the force; 0: none                       [N m, N]
    double no_load;    // speed at which nothing is left of this bound      [rad/s, m/s]
    double peak;       // bound of the current; 0: none                     [A]
    ff_table bound;    // force over speed of a linear drive; n = 0: none
    double stroke[2];  // limit switches: no push beyond; equal: none       [rad, m]
    bool linear;       // a spindle: x is a travel, whatever the path
    ff_servo servo;
    ff_pmsm pmsm;
    ff_pmsm_control foc;
    // transmission, after the gear
    double inertia;            // of the rotor, ratio^2 rotor unless given   [kg m^2, kg]
    double motor_damping;      // B_m                                        [N m s/rad]
    double inertia_behind;     // J_T, with backlash                         [kg m^2]
    double damping_behind;     // B_T                                        [N m s/rad]
    double stiffness, damping; // spring to the joint: K, D                  [N m/rad, N m s/rad]
    ff_backlash backlash;
    ff_sea sea;
    ff_cable cable; // of a passive drive
    // loop
    double reach[2]; // position references are clamped to it; equal: no clamp         [rad, m]
    double kp, kd;   // FF_LOOP_PD                                             [N m/rad, N m s/rad]
    double rate;     // of the outer loop; of a direct drive that of checking switches and temperature   [Hz]
    double span; // its fast loops run ahead of the mechanics by this time (ff_drive_memory.ahead); 0: they do not  [s]
    bool at_joint; // loops measure the joint, not the motor
    int counts;    // of the motor's encoder in a turn, for the loops; 0: perfect, speed too
    ff_cascade cascade;
    ff_shaper shaper; // most_acceleration 0: none
    ff_force_loop force_loop;
    ff_compliance compliance;
    ff_thermal thermal; // capacity 0: none
    int battery;        // number of the battery that feeds it; -1: a supply of constant voltage
    int partner; // the other motor of its differential, in the set; -1: none. The first of the two takes the references
                 // of the first joint, the second those of the second
    ff_place place;
} ff_drive;

/// A span of time of loops that run ahead of the mechanics; within it the motor has its mean torque.
typedef struct ff_drive_ahead {
    double end[2];  // i, or i_d and i_q, at the end of the span                     [A]
    double current; // mean, torque-making                                           [A]
    double voltage; // mean, of a pmsm along q                                       [V]
    double torque;  // mean, on the motor shaft                                      [N m]
    double copper;  // mean heat of the winding                                      [W]
    double field;   // energy in the inductance at the start of the span             [J]
    double speed;   // of the rotor after the gear, at the start of the span         [rad/s, m/s]
} ff_drive_ahead;

/// Sampled values, counters and accounts of one drive: part of the saved set.
typedef struct ff_drive_memory {
    double reference[3]; // position, speed, force or current forward (the command itself for FF_LOOP_DIRECT)
    double target;       // of the servo, quantised and held             [rad]
    double force;        // demand of an ideal motor, or F* of force loops [N m, N]
    double current;      // demand                                        [A]
    double voltage;      // held                                        [V]
    double measured, measured_speed; // position and speed, last
    double measured_force;
    ff_cascade_state cascade;
    ff_shaper_state shaper;
    ff_pmsm_state foc;
    ff_drive_ahead ahead; // of drives with a span
    double temperature;
    double electrical, mechanical, copper; // energies so far, integrals of the powers of the flow       [J]
    double warmed;      // part of `copper` that the temperature contains                                [J]
    double sag;         // drop of the supply voltage, relative to that of the description; below 0: it is higher
    int mode;           // of the backlash
    int off;            // not 0: no power; the rotor turns freely, against its friction
    int impacts, locks; // so far
} ff_drive_memory;

/// Forces and powers of a drive at a state.
typedef struct ff_drive_flow {
    ff_drive_position at;
    double force;              // on the path: torque at joint k is lever[k] force  [N m, N]
    double motor_torque;       // electromagnetic, on the motor shaft (after the gear for ideal and servo) [N m]
    double motor_speed;        // [rad/s], after the gear for ideal and servo
    double current;            // torque-making                                    [A]
    double voltage;            // [V]
    double electrical;         // power taken from the supply                      [W]
    double mechanical;         // power given to the joints, force times speed     [W]
    double copper;             // [W]
    double loss;               // all that became heat, copper included            [W]
    double stored;             // in springs, rotor (unless rigid) and inductance  [J]
    double spring;             // of it, in the spring or cables to the joint      [J]
    double stiffness, damping; // -dforce/dx, -dforce/dv
    double rotor_stiffness, rotor_damping; // of the motor's force on its rotor after the gear, at constant current
    double tooth_stiffness, tooth_damping; // of teeth in touch
} ff_drive_flow;

/// An ideal torque without bound on joint `joint` of the model, direct.
FF_API ff_drive ff_drive_default(void);
/// Fills what follows from the rest (inertia, tooth damping, number of states) and checks the numbers.
/// @param step  of a fixed-step method, decides whether the electrical pole is kept; 0: keep it
/// @return FF_OK or FF_BAD_ARGUMENT with the number in `err`
FF_API ff_status ff_drive_finish(ff_drive *drive, double step, ff_error *err);

/// Coordinate of the drive, its speed, and the levers dx/dq of its joints, at the positions q and velocities v of the
/// model.
FF_API ff_drive_position ff_drive_path_locate(const ff_drive_path *path, const double *q, const double *v);
/// dr/dt v: the acceleration of x while the joints do not accelerate.
FF_API double ff_drive_path_drift(const ff_drive_path *path, const double *q, const double *v);

/// States and memory at the start: at rest relative to the joint, without current, with the tension of the pose.
FF_API void ff_drive_start(const ff_drive *drive, ff_drive_memory *memory, const double *q, const double *v, double *z);
/// Difference between a reference of position and the path of a drive that carries `force` at rest: the twist, where
/// the loop measures the motor, and the position error of a servo.
FF_API double ff_drive_reference_offset(const ff_drive *drive, double force);
/// After ff_drive_start: preloads the drive so that it carries `force` from the first instant on.
FF_API void ff_drive_preload(const ff_drive *drive, ff_drive_memory *memory, double force, double *z);
/// Derivative and flow; adds nothing anywhere. `zdot` may be NULL. Pure in (q, v, z).
FF_API void ff_drive_evaluate(const ff_drive *drive, const ff_drive_memory *memory, const double *q, const double *v,
                              const double *z, double *zdot, ff_drive_flow *flow);

/// New references; a direct drive follows immediately, others at their next sample.
FF_API void ff_drive_command(const ff_drive *drive, ff_drive_memory *memory, double position, double speed,
                             double force);

typedef enum ff_drive_level { FF_LEVEL_OUTER, FF_LEVEL_SPEED, FF_LEVEL_CURRENT, FF_LEVEL_COUNT } ff_drive_level;

// ------------------------------------------------------------------------------------------ drives of a model

/// Which effects of the drives a file describes are modelled.
typedef struct ff_drive_options {
    bool ideal;                         // torques without delay, within the bounds of the described motor
    bool lag;                           // synchronous motors by a first-order lag in place of phases, pulses and loops
    ff_drive_transmission transmission; // RIGID: all rigid; FLEXIBLE: backlash left out; BACKLASH: as described
    bool battery;                       // batteries act; otherwise every supply has a constant voltage
    double step;      // of a fixed-step method: faster electrical poles are left out; 0: keep all  [s]
    double loop_span; // current loops that are faster run ahead of the mechanics by this time, together with the
                      // loops around them; 0: each sample ends a step  [s]
} ff_drive_options;

/// Full motors, transmissions as described, no step.
FF_API ff_drive_options ff_drive_options_default(void);

/// Drives of a model as numbers: as many as its file describes, and an ideal one for each actuator (motor, position,
/// velocity) of a joint that has none. Nothing here changes: any number of simulations and threads share it.
typedef struct ff_drive_set {
    ff_arena arena;        // owns every array below
    const ff_model *model; // borrowed
    const ff_drive *drives;
    const int *offset; // of each drive's states in z (n + 1)
    const ff_battery *batteries;
    const int *actuators; // of the model that no drive replaces, such as those on spatial tendons  (nactuator)
    int nactuator;
    int n;
    int nbattery;
    int nstate;
} ff_drive_set;

/// Number of a drive, -1 when there is none of that name.
FF_API int ff_drive_set_find(const ff_drive_set *set, const char *name);
#ifdef __cplusplus
}
#endif
#endif
