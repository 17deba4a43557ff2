// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Free legs: a controller for robots of many legs without a gait table. Each leg is a state machine that asks a central
// control, which keeps the balance, for permission before it leaves the ground:
//
//     DOWN     the tip moves with the ground, w = -(m + turn x s)        until it is about to leave its boundary
//         and may lift
//     LIFTING  up                                                        until lift_height is reached
//     UP       over to the far side of the boundary, fast                until it is there
//     LAYING   down, slower than up                                      until the touch sensor measures contact
//
// Legs carry only when DOWN. Permission is given when enough legs stay DOWN, among them both neighbours around the
// body, and the centre of mass lies within the feet that remain. While any leg is refused the body stands still. In
// straight walking two groups of three legs then alternate; walking with turns is slower. After the control system of a
// hexapod with 18 hobby servos; docs/gait.md, "Free legs".
//
// Boundaries are upright cylinders about the tips of a standing pose. Tips are given in the frame of the body that
// carries the legs. Part of the room gait.
#ifndef FOOTFALL_FREE_LEGS_H
#define FOOTFALL_FREE_LEGS_H

#include <footfall/io_bus.h>
#include <footfall/model.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FF_FREE_LEGS_MAX 12

typedef struct ff_free_legs_options {
    const char *pose;    // keyframe whose tips are the centres of the boundaries
    double radius;       // of the boundaries: half a step  [m]
    double ground_speed; // v_f, greatest speed of a tip that carries  [m/s]
    double air_speed;    // v_b, of a tip in the air  [m/s]
    double lift_speed;   // of a tip that leaves the ground  [m/s]
    double lay_speed;    // of a tip that is lowered  [m/s]
    double lift_height;  // above where the tip stood, or would stand on flat ground  [m]
    double search_depth; // greatest depth below flat ground to which a tip is laid  [m]
    double body_speed;   // greatest speed of a change of height  [m/s]
    double acceleration; // of the tips on the ground; 0: the body starts and stops at once  [m/s^2]
    double height_time;  // with which the mean height of the feet returns to the wanted one  [s]
    double level_time;   // with which the body turns parallel to its feet  [s]
    int least_down;      // legs that must stay DOWN
    double margin;       // of the centre of mass within the feet that remain  [m]
    bool touch;          // contact is measured; false: the ground is assumed to be flat
    bool waits;          // the body stands still while any leg is in the air
} ff_free_legs_options;

/// The defaults, which `footfall keys scene.control.free_legs.free_legs` lists with all ranges.
FF_API ff_free_legs_options ff_free_legs_options_default(void);

/// A command in the axes of the body. Where it would make a tip on the ground faster than ground_speed, speeds and turn
/// are scaled down together.
typedef struct ff_free_legs_command {
    double velocity[2]; // of the body, ahead and to the left  [m/s]
    double turn;        // to the left                         [rad/s]
    double height;      // of the body's origin above ground; 0: that of the pose  [m]
    bool gather;        // legs off the centres of their boundaries step back there
} ff_free_legs_command;

typedef enum ff_free_leg_state {
    FF_FREE_LEG_DOWN,
    FF_FREE_LEG_LIFTING,
    FF_FREE_LEG_UP,
    FF_FREE_LEG_LAYING
} ff_free_leg_state;

typedef struct ff_free_legs ff_free_legs;

/// @param model  of the one robot with 6 to FF_FREE_LEGS_MAX legs of three joints each, see ff_model.legs; borrowed
/// @param options  copied; NULL for the default
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT, FF_BAD_MODEL with the number that does not fit, among others
/// a boundary that a leg cannot reach; FF_NO_MEMORY
FF_API ff_free_legs *ff_free_legs_create(const ff_model *model, const ff_free_legs_options *options, ff_error *err);
/// Finds drives.JOINT.position (and .speed, where there is one) of every leg joint, and sensors.TOUCH.touched of legs
/// with a touch sensor, or sensors.FORCE.fx, .fy, .fz of legs with a force sensor alone, which feels ground from 2 N
/// on. A leg with neither in the layout is laid at the height of flat ground.
/// @return FF_OK, or FF_NOT_FOUND with the drive that is missing
FF_API ff_status ff_free_legs_bind(ff_free_legs *legs, const ff_io_layout *sensors, const ff_io_layout *references,
                                   ff_error *err);
/// The controller for frames of the layouts it is bound to; valid as long as `legs`.
/// Its signals: down, stopped, stopped.time, refused, lifts, unreachable, scale, margin; state.LEG, tip.LEG.x, .y,
/// .z.
FF_API ff_controller ff_free_legs_controller(ff_free_legs *legs);
/// Commands from now on. Numbers that are not finite, or a height below the reach of the legs, are refused and change
/// nothing.
/// @return FF_OK, or FF_BAD_ARGUMENT with the number
FF_API ff_status ff_free_legs_command_set(ff_free_legs *legs, const ff_free_legs_command *command, ff_error *err);
/// The present commands.
FF_API ff_free_legs_command ff_free_legs_command_get(const ff_free_legs *legs);
/// Part of the commanded speeds that the robot walks at: below 1 while a tip on the ground would be too fast.
FF_API double ff_free_legs_slowed(const ff_free_legs *legs);
/// Frees it; NULL is allowed.
FF_API void ff_free_legs_destroy(ff_free_legs *legs);

#ifdef __cplusplus
}
#endif
#endif
