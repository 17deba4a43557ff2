// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A servo drive by CiA 402 (IEC 61800-7-201): modes of operation, ramps by option codes, faults. It computes demands
// for the motor, in counts, from the objects of the drive, independent of bus and robot.
//
//     amplifier.c         mode in effect, ramps, faults, status word, touch probe: one step
//     amplifier_modes.c   cyclic synchronous position, velocity and torque; profile position
//     amplifier_homing.c  homing
//     profile.c           trapezoidal profiles
//
// Two kinds of positions: counts of the motor from its first valid one (double, unwrapped, which demands and profiles
// use), and those of the objects, which wrap at 32 bits: object = sign count + shift, where polarity (607E)
// gives the sign and homing the shift.
#ifndef FOOTFALL_HARDWARE_AMPLIFIER_H
#define FOOTFALL_HARDWARE_AMPLIFIER_H

#include "hardware/cia402.h"
#include "slave/registers.h"

#include <footfall/ethercat.h>

// ------------------------------------------------------------------------------------------ profile.c

// Motion profiles: from any position and velocity to rest at a target with limited velocity, acceleration and
// deceleration (trapezoidal velocity), and to rest as soon as possible. Each step plans the remaining motion in closed
// form and follows it for the length of the step, so that targets and limits may change at any step, and the only state
// is position and velocity.

/// A motion. Any unit of length, such as counts.
typedef struct ff_motion {
    double position, velocity; // [1, 1/s]
} ff_motion;

/// Limits; 0: none.
typedef struct ff_motion_bounds {
    double velocity;                   // [1/s]
    double acceleration, deceleration; // [1/s^2]
} ff_motion_bounds;

/// Moves to rest at the target. @return whether the target is reached
bool ff_motion_approach(ff_motion *motion, double target, const ff_motion_bounds *bounds, double dt);
/// Accelerates to a velocity.
void ff_motion_accelerate(ff_motion *motion, double velocity, const ff_motion_bounds *bounds, double dt);
/// Decelerates to rest. @param deceleration  0: immediately  [1/s^2]
void ff_motion_brake(ff_motion *motion, double deceleration, double dt);

// ------------------------------------------------------------------------------------------ one step

/// Inputs of a step from motor and bus.
typedef struct ff_amplifier_inputs {
    double dt;        // since the last step  [s]
    bool known;       // the position is valid
    int32_t count;    // of the motor's encoder
    double turn;      // counts of a turn
    bool indexed;     // an index mark was detected
    int32_t mark;     // its count
    bool has_indices; // the encoder has marks
    uint32_t limits;  // existing limit switches, bits as in 60FD
    bool applied;     // the bus is in OP: the control word applies
    bool lost;        // the bus left OP by an error
    bool broken;      // a fault is injected
} ff_amplifier_inputs;

enum { FF_AMPLIFIER_LIMIT_NEGATIVE = 1, FF_AMPLIFIER_LIMIT_POSITIVE = 2 }; // bits of 60FD

typedef enum ff_homing_phase {
    FF_HOMING_IDLE,
    FF_HOMING_SEEK,  // towards the limit switch
    FF_HOMING_LEAVE, // away from it, slowly
    FF_HOMING_INDEX, // an index mark
    FF_HOMING_STOP,  // home was found: decelerates
    FF_HOMING_DONE,
    FF_HOMING_FAILED
} ff_homing_phase;

typedef struct ff_amplifier {
    uint32_t modes; // supported modes: bit m - 1 of mode m, object 6502
    ff_cia402 machine;
    uint16_t control;            // word of the last step; 0: it did not apply
    int mode;                    // active mode
    int32_t zero;                // the first valid count of the encoder
    int32_t shift;               // from counts to objects
    ff_motion demand;            // counts since `zero`
    double velocity_feedforward; // velocity feedforward of the position loop  [counts/s]
    double torque_feedforward;   // torque feedforward  [1/1000 of the rated torque]
    bool is_driving;             // the motor follows the demands
    uint16_t error;              // of the fault; 0: none
    bool tripped;                // a fault has occurred to which the state machine has to react
    double time_outside;         // time since the following error left its window; below 0: it is inside  [s]
    bool limited;                // a target was clipped
    bool is_braking;             // decelerates by an option code
    struct {                     // profile position
        double target, next;
        double inside; // time since the motor entered the window 6067; below 0: it is outside  [s]
        bool moves, buffered, acknowledged;
    } profile;
    struct { // interpolation over 60C2
        double target;
        int left; // steps until the target
    } interpolation;
    struct { // touch probe 1
        bool stored;
        int32_t mark; // the stored position
    } probe;
    struct { // homing
        ff_homing_phase phase;
        double begin;  // position at which the search for an index mark began
        double last;   // position in the step before
        double home;   // counts
        int direction; // of the search
    } homing;
} ff_amplifier;

/// Resets a drive that was switched on.
void ff_amplifier_reset(ff_amplifier *amplifier);
/// Sets the zero of the drive's positions, when the first valid count of the encoder is known.
void ff_amplifier_set_zero(ff_amplifier *amplifier, int32_t count);
/// Writes position and velocity to the objects.
void ff_amplifier_measure(const ff_amplifier *amplifier, ff_ec_drive *objects, int32_t count, double velocity);
/// One step: computes demands from control word, mode and targets of the objects, and updates status and error code.
void ff_amplifier_step(ff_amplifier *amplifier, ff_ec_drive *objects, const ff_amplifier_inputs *inputs);
/// Checks a value before it is written to an object. @return an abort code; 0: it may be written
uint32_t ff_amplifier_check(const ff_amplifier *amplifier, const ff_amplifier_inputs *inputs, uint16_t index,
                            int64_t value);

// ------------------------------------------------------------------------------------------ internal interface

/// A mode of operation.
typedef struct ff_amplifier_mode {
    int number;
    bool follows_position; // its following error is monitored
    /// Called when the mode is selected or operation enabled; NULL: nothing to do.
    void (*begin)(ff_amplifier *amplifier);
    /// Computes the demand of this step. @param edge  bit 4 of the control word has just been set
    void (*step)(ff_amplifier *amplifier, const ff_ec_drive *objects, const ff_amplifier_inputs *inputs, bool edge);
    /// Bits 10, 12 and 13 of the status word.
    uint16_t (*status)(const ff_amplifier *amplifier, const ff_ec_drive *objects);
} ff_amplifier_mode;
/// NULL: the mode is not supported.
const ff_amplifier_mode *ff_amplifier_mode_of(int number);
extern const ff_amplifier_mode ff_amplifier_homing;

/// From objects to counts since `zero`, and back.
double ff_amplifier_counts(const ff_amplifier *amplifier, const ff_ec_drive *objects, int32_t position);
int32_t ff_amplifier_object(const ff_amplifier *amplifier, const ff_ec_drive *objects, double counts);
double ff_amplifier_sign(const ff_ec_drive *objects, int bit); // of 607E
double ff_amplifier_measured(const ff_amplifier *amplifier, const ff_amplifier_inputs *inputs);
/// Is the homing method possible with these inputs?
bool ff_amplifier_can_home(const ff_amplifier_inputs *inputs, int method);

#endif
