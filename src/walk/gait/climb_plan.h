// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the climbing controller: properties of the robot, rules of poses, the search for poses and plans, and the
// scan of the ground ahead.
#ifndef FOOTFALL_SRC_GAIT_CLIMB_PLAN_H
#define FOOTFALL_SRC_GAIT_CLIMB_PLAN_H

#include "text/schema.h"

#include <footfall/climb.h>
#include <footfall/ik.h>

/// Settings, about ff_climb_options (climb_robot.c) and ff_hill_options (hill.c).
extern const ff_row ff_climb_settings[], ff_hill_settings[];

enum { FF_CLIMB_BOXES = 16, FF_CLIMB_RULES = 160 };
enum { FF_CLIMB_SLICE = 600 }; // most poses that a slice of a search assesses

/// A box around a shape of a body that belongs to no leg.
typedef struct ff_climb_box {
    int body;
    double pos[3], R[9], half[3]; // in the body's frame  [m]
} ff_climb_box;

/// The robot; only its scratch changes.
typedef struct ff_climb_robot {
    const ff_model *model;
    ff_data *d; // scratch
    ff_climb_options options;
    int rows, legs[FF_CLIMB_LEGS];       // from the front, left and right
    ff_leg_ik ik[FF_CLIMB_LEGS];         //
    double limb[FF_CLIMB_ROWS][3];       // radius of coxa, femur, tibia  [m]
    double radius[FF_CLIMB_ROWS];        // of the feet  [m]
    double side[FF_CLIMB_LEGS];          // y of the feet  [m]
    int base;                            // free joint of the root body
    int carrier;                         // node of the last body that legs are fixed to
    int npitch, pitch[FF_CLIMB_PITCHES]; // joints that bend the body
    double usual[FF_CLIMB_PITCHES];      // their preferred angles  [rad]
    bool held[FF_CLIMB_PITCHES];         // constant, as the body is to be rigid
    int nbox;
    ff_climb_box boxes[FF_CLIMB_BOXES];
    int njoint, joints[FF_CLIMB_JOINTS]; // driven
    double *stand;                       // (nq)
    ff_climb_body start;                 // of the stance
    double height;                       // of the hips above their feet in the stance  [m]
    double weight;                       // [N]
    int64_t *assessed;                   // number of poses that were assessed: the work of a search
} ff_climb_robot;

/// Rules of a pose. Violations are in metres: an angle of 0.1 rad counts as 1 cm, a tenth of a drive's torque as 2 mm.
typedef enum ff_climb_rule {
    FF_CLIMB_REACH,      // a foot is where it should be
    FF_CLIMB_LIMIT,      // a joint keeps off its limit
    FF_CLIMB_LIMB,       // a limb keeps clear of ground and ledge
    FF_CLIMB_LEGS_APART, // a leg keeps clear of the next one of its side
    FF_CLIMB_BELLY,      // a body keeps clear of ground and ledge
    FF_CLIMB_BALANCE,    // the centre of mass lies inside the support polygon, by the margin
    FF_CLIMB_TORQUE      // a drive can carry the weight
} ff_climb_rule;
/// The violation of a rule in a few words.
const char *ff_climb_rule_text(ff_climb_rule rule);

/// Assessment of a pose: how far it violates each rule; below zero it holds.
typedef struct ff_climb_state {
    int count;
    double excess[FF_CLIMB_RULES]; // [m]
    ff_climb_rule rule[FF_CLIMB_RULES];
    int row[FF_CLIMB_RULES];        // of the leg, -1: the rule is of the body
    double worst;                   // the largest excess  [m]
    int worst_at;                   // its number
    double com[3];                  // [m]
    double hip[FF_CLIMB_ROWS][2];   // x and z  [m]
    double load;                    // largest share of its torque that a drive needs  [1]
    double torque[FF_CLIMB_JOINTS]; // [N m]
} ff_climb_state;

ff_status ff_climb_robot_make(const ff_model *model, const ff_climb_options *options, ff_climb_robot *robot,
                              ff_error *err);
void ff_climb_robot_clear(ff_climb_robot *robot);

/// Puts d into the pose. @param error  result, may be NULL: distance of the left foot of each row from its place  [m]
/// @return the largest of these distances  [m]
double ff_climb_pose(const ff_climb_robot *robot, const ff_climb_body *body, const double (*foot)[2], ff_data *d,
                     double *error);
/// Evaluates the rules for a pose; robot->d has that pose afterwards.
/// @param swing  row in the air, -1: none
void ff_climb_assess(const ff_climb_robot *robot, const ff_climb_body *body, const double (*foot)[2], int swing,
                     ff_climb_state *state);
/// The same without torques, which are half of the work: for poses close to one whose drives have much to spare.
void ff_climb_assess_light(const ff_climb_robot *robot, const ff_climb_body *body, const double (*foot)[2], int swing,
                           ff_climb_state *state);
/// Margin of the centre of mass in the polygon of the feet that stand.
double ff_climb_margin(const ff_climb_robot *robot, const double (*foot)[2], int swing, const double com[3]);
/// Height of the ground or ledge at x.
static inline double ff_climb_ground(const ff_climb_options *options, double x)
{
    return x > 0.0 ? options->height : 0.0;
}

/// Searches for a body pose that keeps the rules, by damped least squares from `body`.
/// @param foot  x and z of the feet of each row  [m]
/// @param like  the pose to stay near to; NULL: hips above their feet, at their height in the stance
/// @return      the largest violation left  [m]; `state` is that of the pose found, robot->d has any pose
double ff_climb_find(const ff_climb_robot *robot, const double (*foot)[2], int swing, const ff_climb_body *like,
                     ff_climb_body *body, ff_climb_state *state);

typedef struct ff_climb_plan {
    int count, capacity;
    ff_climb_instant *instants;
} ff_climb_plan;
/// A plan of one instant: the stance.
ff_status ff_climb_stand(const ff_climb_robot *robot, ff_climb_plan *plan, ff_error *err);

/// A search for the plan, slice by slice; robot and plan must outlive it.
typedef struct ff_climb_search ff_climb_search;
/// @return NULL with the reason in `err`
ff_climb_search *ff_climb_search_begin(const ff_climb_robot *robot, ff_climb_plan *plan, ff_error *err);
/// Searches for one more pose, by at most FF_CLIMB_SLICE assessments. @return false: the search is over
bool ff_climb_search_slice(ff_climb_search *search);
/// Of a search that is over. @return FF_OK: the plan is complete but for its times; or the reason why there is no plan
ff_status ff_climb_search_result(const ff_climb_search *search, ff_error *err);
void ff_climb_search_end(ff_climb_search *search);

// ------------------------------------------------------------------------------------------ looking ahead (look.c)

// A robot that stands nods, and a distance sensor in its head scans the ground before it.
enum { FF_LOOK_SAMPLES = 512, FF_LOOK_CHAIN = 8 };

/// Sensor and joints; immutable.
typedef struct ff_look {
    const ff_model *model;
    int distance, hit;           // items of the sensor
    int frame;                   // where it sits; it looks along x
    int joint;                   // that nods
    double sign;                 // of its angle where the head goes up
    double low, high;            // least and greatest angle of the head, up positive  [rad]
    int njoint;                  // joints between root body and sensor that are measured
    int joints[FF_LOOK_CHAIN];   //
    int position[FF_LOOK_CHAIN]; // items of their positions
} ff_look;

/// One ray in the middle plane, ahead and up from the ground below the root body of the robot that stands.
typedef struct ff_look_ray {
    double origin[2], direction[2]; // the direction has the length 1 in space  [m, 1]
    double distance;                // below 0: the ray meets nothing  [m]
} ff_look_ray;

/// All that changes: plain data.
typedef struct ff_look_memory {
    int64_t stamp; // of the last sample  [ns]
    int32_t count, spare;
    ff_look_ray rays[FF_LOOK_SAMPLES];
} ff_look_memory;

/// A ledge as measured.
typedef struct ff_look_ledge {
    double distance, height; // from the root body's origin to the wall  [m]
} ff_look_ledge;

/// A hill as measured: height (1 - cos(2 pi (x - start) / length)) / 2.
typedef struct ff_look_hill {
    double start, length, height; // [m]
} ff_look_hill;

/// Finds a distance sensor on a head that a driven joint nods. @return FF_OK, or FF_NOT_FOUND with what is missing
ff_status ff_look_bind(ff_look *look, const ff_model *model, const ff_io_layout *sensors, ff_error *err);
/// Angle of the nodding joint at the time t of a scan, which begins and ends at `usual`. @return false: it is over
bool ff_look_nod(const ff_look *look, double t, double usual, double *angle);
/// Stores a ray of a new sample. d->q is the pose with the root body above the origin; measured joints are put in.
void ff_look_take(const ff_look *look, const ff_io_frame *sensors, ff_data *d, ff_look_memory *memory);
/// The wall ahead and its height. @return FF_OK, or FF_NOT_FOUND with what was seen instead
ff_status ff_look_find_ledge(const ff_look_memory *memory, ff_look_ledge *ledge, ff_error *err);
/// Height of a hill at x, by its start, length and height.
double ff_look_hill_height(const double wave[3], double x);
/// The wave that fits what was seen of a hill best. @return FF_OK, or FF_NOT_FOUND
ff_status ff_look_find_hill(const ff_look_memory *memory, ff_look_hill *hill, ff_error *err);

#endif
