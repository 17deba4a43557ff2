// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Climbing on many legs (thesis on ANTON, sec. 3.4.7): over smooth hills with a body that bends with the ground, at the
// end of this header, and onto a ledge about as high as the robot, by a plan that is made before the first step (Fig.
// 3.31).
//
// Legs stand in rows of two. Rows lift one after the other, always rear, middle, front (the symmetrical gallop). A
// search at the start finds where each row is put down, how the body moves meanwhile, and how its segments bend, in the
// middle plane of the robot. At every instant of the plan all feet are within reach, limbs and bodies keep clear of the
// ledge, the centre of mass lies inside the feet that stand, and the drives can carry the weight. When no such plan
// exists the ledge is refused with the reason.
//
// Plan frame: origin on the ground at the foot of the wall, x ahead, z up; the ledge is all x > 0 below its height.
#ifndef FOOTFALL_CLIMB_H
#define FOOTFALL_CLIMB_H

#include <footfall/dyn.h>
#include <footfall/hexapod.h>
#include <footfall/io_bus.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most rows of legs, and most joints that bend the body up and down.
#define FF_CLIMB_ROWS    6
#define FF_CLIMB_PITCHES 8
#define FF_CLIMB_LEGS    (2 * FF_CLIMB_ROWS)
/// Most driven joints: three a leg, and those of the body.
#define FF_CLIMB_JOINTS (3 * FF_CLIMB_LEGS + 16)

// ------------------------------------------------------------------------------------------ commands

typedef struct ff_climb_options {
    double distance;    // from the origin of the root body to the wall, at the start of the plan  [m]
    double height;      // of the ledge  [m]
    bool look;          // measure distance and height by a scan of the head, and plan from them
    bool rigid;         // segments stay in line: joints of the body are held
    const char *pose;   // keyframe in which the robot stands
    double margin;      // least stability margin of the centre of mass  [m]
    double clearance;   // of bodies and limbs from ground and ledge, of legs from each other  [m]
    double edge;        // distance of the middle of a foot from the edge, and from the wall  [m]
    double gap;         // between neighbouring feet of one side  [m]
    double lift;        // clearance of a foot above what it steps over  [m]
    double limit;       // distance of joints from their limits  [rad]
    double torque;      // share of its torque that a drive may need to carry the weight  [1]
    double joint_speed; // greatest speed of a joint  [rad/s]
    double foot_speed;  // of a foot in the air  [m/s]
    double body_speed;  // of the body  [m/s]
} ff_climb_options;

/// The defaults, which `footfall keys scene.control.climb.climb` lists with all ranges.
FF_API ff_climb_options ff_climb_options_default(void);

// ------------------------------------------------------------------------------------------ the plan

/// Body in the middle plane: root body and joints that bend it.
typedef struct ff_climb_body {
    double x, z;                   // origin of the root body  [m]
    double pitch;                  // of the root body, positive: front up  [rad]
    double bend[FF_CLIMB_PITCHES]; // coordinates of these joints  [rad]
} ff_climb_body;

/// One instant of the plan.
typedef struct ff_climb_instant {
    double t;  // since the start of the plan  [s]
    int step;  // 1 to 8, of the thesis
    int swing; // row in the air, -1: none
    bool stop; // body and feet are at rest here
    ff_climb_body body;
    double foot[FF_CLIMB_ROWS][2];  // x and z of the middle of the feet of each row  [m]
    double margin;                  // stability margin of the centre of mass  [m]
    double load;                    // largest share of its torque that a drive needs  [1]
    double torque[FF_CLIMB_JOINTS]; // static, of driven joints in the order of ff_climb_joints  [N m]
} ff_climb_instant;

typedef struct ff_climb ff_climb;

/// Plans the climb for a robot with 2 to FF_CLIMB_ROWS rows of two three-jointed legs and a free base.
/// @param model  of the robot alone; must outlive the climb
/// @return       NULL with the reason in `err`: FF_BAD_ARGUMENT, FF_BAD_MODEL, FF_NOT_FOUND with the number or item
///               that does not fit; FF_NOT_FOUND when no plan leads onto the ledge, with the row that cannot step and
///               the rule it violates; FF_NO_MEMORY
FF_API ff_climb *ff_climb_create(const ff_model *model, const ff_climb_options *options, ff_error *err);
/// The same by a plan that was made before for this robot and these options (ff_climb_instants), without a search.
/// @param instants  copied  (count)
/// @return      as above, and FF_BAD_ARGUMENT where there are no instants
FF_API ff_climb *ff_climb_create_planned(const ff_model *model, const ff_climb_options *options,
                                         const ff_climb_instant *instants, int count, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_climb_destroy(ff_climb *climb);

/// Instants of the plan, in order of time.
FF_API const ff_climb_instant *ff_climb_instants(const ff_climb *climb, int *count);
/// Rows of legs, and which: 2 row for the left leg, 2 row + 1 for the right, from the front.  (2 rows)
FF_API const int *ff_climb_legs(const ff_climb *climb, int *rows);
/// Driven joints of the plan (FF_CLIMB_JOINTS at most).
FF_API const int *ff_climb_joints(const ff_climb *climb, int *count);
/// The plan at any time: body, feet, row in the air; margin and load are those of the instant before.
FF_API void ff_climb_at(const ff_climb *climb, double t, ff_climb_instant *out);
/// Generalised coordinates of the robot for an instant, in the plan frame.
/// @param d  scratch: its q and poses are those of the instant on return
/// @return   largest distance of a foot from where it should be  [m]
FF_API double ff_climb_coordinates(const ff_climb *climb, const ff_climb_instant *instant, ff_data *d);

// ------------------------------------------------------------------------------------------ the controller

/// Finds drives.JOINT.position, and .speed and .force where there are, of all joints of the plan. Sensors are used to
/// look ahead alone: the plan is carried out as it is.
/// @return FF_OK, or FF_NOT_FOUND with the drive, or the sensor to look with, that is missing
FF_API ff_status ff_climb_bind(ff_climb *climb, const ff_io_layout *sensors, const ff_io_layout *references,
                               ff_error *err);
/// The controller for frames of the layouts it is bound to; valid as long as `climb`.
/// Its signals: step, swing, progress (share of the plan), margin, load, body.x, .z, .pitch, seen.distance,
/// .height, work (slices of planning for what was seen, one a cycle while it stands).
FF_API ff_controller ff_climb_controller(ff_climb *climb);
/// Did the scan find no ledge, or none that the robot can climb? The robot stands then.
/// @return FF_OK, or FF_CONTROL with the reason in `err`
FF_API ff_status ff_climb_check(const ff_climb *climb, ff_error *err);
/// Continues the plan, or stops in it and holds the joints.
FF_API void ff_climb_set_walking(ff_climb *climb, bool walking);
FF_API bool ff_climb_is_walking(const ff_climb *climb);

// ------------------------------------------------------------------------------------------ smooth obstacles

/// Profile of the ground ahead, from an operator or a sensor: height  [m] as a function of x  [m].
typedef struct ff_profile {
    double (*height)(const void *context, double x);
    const void *context;
} ff_profile;

/// Angles of the ground below the segments of a body that follows it at the height `clearance` (thesis 3.10: normals at
/// clearance height).
/// @param x      place of the first segment  [m]
/// @param along  straight distance of each segment ahead of the first, negative: behind  [m], (n)
/// @param angle  result, of the ground below each segment  [rad], (n)
FF_API void ff_profile_follow(const ff_profile *surface, double clearance, double x, const double *along, int n,
                              double *angle);

typedef struct ff_hill_options {
    // the ground is height (1 - cos(2 pi (x - start) / length)) / 2, flat before and behind
    double start;          // from the origin of the root body at the start  [m]
    double length, height; // [m]
    bool look;             // measure the three by a scan of the head before the first step
    bool rigid;            // joints of the body are held, legs alone adapt
    ff_gait gait;
    double speed; // of the body  [m/s]
    double zone;  // H_ad of the steps  [m]
    double way;   // distance after which the robot stops, 0: never  [m]
} ff_hill_options;
/// The defaults, which `footfall keys scene.control.hill.hill` lists with all ranges.
FF_API ff_hill_options ff_hill_options_default(void);

/// Walks over a hill that is described by the options or measured by a scan: the walking controller of hexapod.h, with
/// body joints at
///     phi = phi_normal(next segment) - phi_normal(previous segment)                                   thesis (3.10)
/// and steps along the ground below each row of legs. Where the robot is follows from its speed (dead reckoning).
typedef struct ff_hill ff_hill;
/// @param model    of the robot alone; must outlive the hill
/// @param options  copied; NULL for the default
/// @return NULL with the reason in `err`: FF_BAD_ARGUMENT with the number that does not fit, FF_NO_MEMORY, or what
/// ff_hexapod_create says
FF_API ff_hill *ff_hill_create(const ff_model *model, const ff_hill_options *options, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_hill_destroy(ff_hill *hill);
/// As ff_hexapod_bind, without the sensors of attitude: the body should be parallel to the ground, not level.
/// @return as that, and FF_NO_MEMORY
FF_API ff_status ff_hill_bind(ff_hill *hill, const ff_io_layout *sensors, const ff_io_layout *references,
                              ff_error *err);
/// The controller for frames of the layouts it is bound to; valid as long as `hill`.
/// Its signals: way, ground (its angle below the root body), seen.start, .length, .height, bend.JOINT, and the
/// signals of the walking controller.
FF_API ff_controller ff_hill_controller(ff_hill *hill);
/// Did the scan find no hill? The robot stands then.
/// @return FF_OK, or FF_CONTROL with the reason in `err`
FF_API ff_status ff_hill_check(const ff_hill *hill, ff_error *err);
/// Continues the walk, or ends the step and stands.
FF_API void ff_hill_set_walking(ff_hill *hill, bool walking);
FF_API bool ff_hill_is_walking(const ff_hill *hill);
/// Bits of ff_walk_status of the walking controller, of the last cycle and since the start.
FF_API unsigned ff_hill_status(const ff_hill *hill, unsigned *ever);

#ifdef __cplusplus
}
#endif
#endif
