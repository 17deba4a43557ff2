// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Static walking on two feet: the centre of mass moves over one foot, the other is lifted, swung and set down, and the
// centre of mass moves over that one. Any robot with two legs of six to eight hinges and flat soles can use it, such as
// ROTTO. The controller reads an I/O frame of sensor values and fills an I/O frame of references (footfall/io_bus.h),
// by its own model of the robot. Its pelvis is the body that carries the legs.
//
// Balance is corrected by the centre of mass, which follows from joint and attitude sensors, or by the zero moment
// point, which force sensors in the feet measure, or by both together, the capture point. docs/gait.md has the states,
// the equations and what was measured.
#ifndef FOOTFALL_STATIC_WALK_H
#define FOOTFALL_STATIC_WALK_H

#include <footfall/io_bus.h>
#include <footfall/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Input of the correction of balance.
typedef enum ff_static_walk_input {
    FF_STATIC_WALK_COM,     // "com"      centre of mass, by joint and attitude sensors
    FF_STATIC_WALK_ZMP,     // "zmp"      zero moment point, by the force sensors of the feet
    FF_STATIC_WALK_CAPTURE, // "capture"  capture point, by both
    FF_STATIC_WALK_NONE,    // "none"     nothing: the plan alone
    FF_STATIC_WALK_INPUTS
} ff_static_walk_input;

typedef enum ff_static_walk_phase {
    FF_STATIC_WALK_STAND, // on both feet, the centre of mass between them
    FF_STATIC_WALK_SHIFT, // it moves over the stance foot
    FF_STATIC_WALK_SWING, // the other foot is lifted, moved and lowered
    FF_STATIC_WALK_LAND   // the foot turns until it lies flat on the ground
} ff_static_walk_phase;

/// Conditions of the last cycle.
enum {
    FF_STATIC_WALK_STEP_CLAMPED = 1,  // a step was out of reach and is shortened
    FF_STATIC_WALK_OUT_OF_REACH = 2,  // a leg or a drive is at its limit
    FF_STATIC_WALK_FORCE_UNKNOWN = 4, // a foot has no force sensor, or sends no data
    FF_STATIC_WALK_STALE = 8,         // no joint or attitude data received
    FF_STATIC_WALK_UNBALANCED = 16,   // the controlled point lies outside the soles that carry
    FF_STATIC_WALK_BAD_NUMBER = 32,   // a number that is not finite was left out
    FF_STATIC_WALK_SATURATED = 64,    // a foot's sensor is at the end of its range
    FF_STATIC_WALK_WAITING = 128,     // a foot is not lifted because the balance is not there yet
    FF_STATIC_WALK_NO_GROUND = 256,   // a foot has searched and found no ground
    FF_STATIC_WALK_STATUS_BITS = 9
};

/// A few words on a condition.
FF_API const char *ff_static_walk_status_text(int bit);

typedef struct ff_static_walk_options {
    const char *pose;           // keyframe in which it stands: "stand"
    const char *trunk;          // joint that leans the trunk to the stance side; NULL: none
    double lean;                // by this  [rad]
    double shift_time;          // of the centre of mass, to the other foot  [s]
    double swing_time;          // of a foot  [s]
    double lift;                // of a foot above the ground  [m]
    double inward;              // centre of mass over the stance foot, from its middle to the other foot  [m]
    double ahead;               // and ahead of its middle  [m]
    ff_static_walk_input input; // of the balance
    double balance;             // time in which an error of balance is corrected  [s]
    double yield;               // of feet to moments that are not planned  [rad/(N m s)]
    double yield_time;          // in which they come back  [s]
    double shift_limit;         // greatest correction  [m]
    double tolerance;           // error of balance with which a foot may lift  [m]
    double timeout;             // of the wait for that  [s]
    double level;               // time in which the feet follow the ground they stand on  [s]
    double contact_on;          // vertical force of a foot that has landed  [N]
    double press;               // with which it is pressed while it turns onto the ground  [N]
    double comply;              // how fast it turns  [rad/(N m s)]
    double land_time;           // longest time for that  [s]
    double search;              // depth below the expected ground at which it ends its search  [m]
    double stale;               // age beyond which a sensor value is not used  [s]
    bool feedforward;           // send the torques that carry the weight with the references
} ff_static_walk_options;

/// The defaults, which `footfall keys scene.control.static_walk.static_walk` lists with all ranges.
FF_API ff_static_walk_options ff_static_walk_options_default(void);

/// A command; each step uses the command at the time when its foot lifts.
typedef struct ff_static_walk_command {
    bool walk;       // false: it comes to a stand with its feet side by side
    double forward;  // advance of a step  [m]
    double sideways; // step to the left +; the other foot follows  [m]
    double turn;     // of a step to the left +; the other foot follows  [rad]
    double height;   // of the pelvis frame above the lower sole; 0: as in the pose  [m]
} ff_static_walk_command;

typedef struct ff_static_walk ff_static_walk;

/// @return NULL with the reason in `err`: not two legs, a leg that is no chain of six to eight hinges, a wrong option
FF_API ff_static_walk *ff_static_walk_create(const ff_model *model, const ff_static_walk_options *options,
                                             ff_error *err);
FF_API void ff_static_walk_destroy(ff_static_walk *biped);
/// Finds the items of its frames. Before the first cycle.
FF_API ff_status ff_static_walk_bind(ff_static_walk *biped, const ff_io_layout *sensors, const ff_io_layout *references,
                                     ff_error *err);
/// @return FF_BAD_ARGUMENT when a number is not finite or the height beyond what it can hold (ff_static_walk_heights);
///         the old command stays
FF_API ff_status ff_static_walk_command_set(ff_static_walk *biped, const ff_static_walk_command *command,
                                            ff_error *err);
FF_API ff_static_walk_command ff_static_walk_command_get(const ff_static_walk *biped);
/// Height of the pelvis frame in its pose  [m].
FF_API double ff_static_walk_stand_height(const ff_static_walk *biped);
/// Least and greatest height of the pelvis frame at which one foot could carry the robot: reach of its legs, strokes
/// and 85 % of the forces of its drives; zero before it is bound  [m].
FF_API void ff_static_walk_heights(const ff_static_walk *biped, double range[2]);
FF_API ff_controller ff_static_walk_controller(ff_static_walk *biped);
/// Conditions of the last cycle, and of all of them.
FF_API unsigned ff_static_walk_status(const ff_static_walk *biped, unsigned *ever);
/// When a condition was met first, NaN: never  [s].
FF_API double ff_static_walk_first(const ff_static_walk *biped, int bit);
/// The leg that was the first out of reach, and the drive that was the first at the end of its stroke; NULL: none.
FF_API const char *ff_static_walk_short_leg(const ff_static_walk *biped);
FF_API const char *ff_static_walk_short_drive(const ff_static_walk *biped);

#ifdef __cplusplus
}
#endif
#endif
