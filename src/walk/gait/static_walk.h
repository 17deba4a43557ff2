// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the static walk on two legs: properties of its robot, its memory, and the functions of its levels, which are
// those of the hexapod (walk.h): action (choice of the step), primitive (places of centre of mass and feet), servo
// (joints and drives).
//
// Walk frame: origin between the feet of the first stance, x ahead, z up. Sides: 0 left, 1 right.
#ifndef FOOTFALL_GAIT_STATIC_WALK_H
#define FOOTFALL_GAIT_STATIC_WALK_H

#include "control/leg_chain.h"
#include "control/quintic.h"
#include "gait/items.h"
#include "text/schema.h"

#include <footfall/balance.h>
#include <footfall/drive.h>
#include <footfall/sense.h>
#include <footfall/static_walk.h>

enum { FF_STATIC_WALK_COORDINATES = 72, FF_STATIC_WALK_CORNERS = 8, FF_STATIC_WALK_SIGNALS = 22 + 2 * 7 };

// Corrections by the zero moment point are slower by this: it moves by 1 + w^2 z / g times a sway of frequency w.
#define FF_STATIC_WALK_ZMP_TIMES 4.0 // [1]

/// Settings, about ff_static_walk_options.
extern const ff_row ff_static_walk_settings[];

// travel.c
// From positions, speeds and torques of joints to those of drives. A joint has one drive, or two joints have two drives
// (parallel spindles, a differential gear); other drives of one joint get the least forces that give its torque.
enum { FF_TRAVEL_DRIVES = 64 };

typedef struct ff_travel {
    int n;
    ff_drive_path path[FF_TRAVEL_DRIVES]; // by degrees of freedom of the robot's own model
    const char *name[FF_TRAVEL_DRIVES];
    double stroke[FF_TRAVEL_DRIVES][2];  // equal: none  [rad, m]
    double stall[FF_TRAVEL_DRIVES];      // greatest force; 0: none  [N m, N]
    double compliance[FF_TRAVEL_DRIVES]; // of a spring between motor and joint; 0: none  [rad/(N m), m/N]
    int partner[FF_TRAVEL_DRIVES];       // the other drive on the same two joints, -1: none
    ff_joint_items items[FF_TRAVEL_DRIVES];
} ff_travel;

/// Lists the drives of a set. @param out  about 20 kB, constant afterwards; points into `set`
ff_status ff_travel_make(const ff_drive_set *set, const ff_io_layout *references, ff_travel *out, ff_error *err);
/// Does any drive move the joint?
bool ff_travel_moves(const ff_travel *travel, int joint);
/// Writes references of all drives, clamped to their strokes.
/// @param q, v, tau  positions, speeds and torques of the joints, in the order of the model (nq, nv, nv)
/// @return           the first drive that was clamped, -1: none
int ff_travel_write(const ff_travel *travel, double t, const double *q, const double *v, const double *tau,
                    ff_io_frame *references);
/// Can the drives hold these torques of the joints here, with `share` of their greatest forces?
/// @return the first drive that lacks stroke or force, -1: none
int ff_travel_lacks(const ff_travel *travel, const double *q, const double *v, const double *tau, double share);

/// Properties of the robot that the levels need; constant.
typedef struct ff_static_walk_robot {
    const ff_model *model;
    ff_static_walk_options options;
    int root, base;                              // pelvis, and its free joint or -1
    int leg[2];                                  // of the model, by side
    ff_leg_chain chain[2];                       // in the pose, by side
    double half;                                 // half of the sideways distance of the feet  [m]
    double height;                               // of the pelvis above the soles  [m]
    double com[2];                               // centre of mass from the middle between the feet  [m]
    double com_height;                           // above the soles  [m]
    double weight;                               // [N]
    double heights[2];                           // of the pelvis at which it can stand on one foot  [m]
    const ff_travel *travel;                     // NULL before it is bound
    int trunk;                                   // joint that leans the trunk, -1: none
    double trunk_sign;                           // 1 where a positive angle leans the trunk to the left, else -1
    double corner[2][FF_STATIC_WALK_CORNERS][2]; // of the soles, about the foot's frame  [m]
    int ncorner[2];
    double stand[FF_STATIC_WALK_COORDINATES]; // positions of the pose  (nq)
} ff_static_walk_robot;

/// Planned pose of a foot: of its frame in the walk frame.
typedef struct ff_static_walk_foot {
    double place[3]; // [m]
    double yaw;      // [rad]
    double tilt[2];  // roll and pitch, in the axes of the yaw  [rad]
} ff_static_walk_foot;

/// A force sensor with six components below a leg.
typedef struct ff_static_walk_sensor {
    int item[6];     // of the frame, -1: none
    int body;        // that carries it
    double pos[3];   // in the body  [m]
    double R[9];     //
    double range[6]; // infinite where there is none  [N, N m]
    double mass;     // below the sensor, whose weight is part of the force  [kg]
} ff_static_walk_sensor;

/// Numbers of items in the frames, -1 where there is none.
typedef struct ff_static_walk_items {
    int joint[FF_STATIC_WALK_COORDINATES]; // position of each joint of the model
    int attitude[2];
    ff_static_walk_sensor foot[2];
    uint32_t count[2]; // items of the frames, by ff_io_kind
} ff_static_walk_items;

/// Estimates from sensors, in the walk frame.
typedef struct ff_static_walk_seen {
    double tilt[2];           // roll and pitch of the pelvis  [rad]
    double com[2];            // [m]
    double zmp[2];            // of both feet together, filtered; that of the plan where no foot carries  [m]
    double load[2];           // vertical force of the ground  [N]
    double pressure[2][2];    // centre of pressure of each foot  [m]
    double moment[2][2];      // of the ground about the foot's frame, in the axes of its yaw  [N m]
    double foot_tilt[2][2];   // of the feet, in the axes of their yaw  [rad]
    int32_t force_unknown[2]; // no data from the foot's sensor
    int32_t saturated[2];
} ff_static_walk_seen;

/// All that changes: plain data.
typedef struct ff_static_walk_state {
    double time;
    int32_t started;
    uint32_t status, ever;
    double first[FF_STATIC_WALK_STATUS_BITS]; // when each condition was met first  [s]
    int32_t short_leg, short_drive;           // side of the leg and drive that were at their limits first, -1: none
    ff_static_walk_command command;
    ff_gait_sample joint[FF_STATIC_WALK_COORDINATES], force[2][6], attitude[2];
    ff_static_walk_seen seen;
    // action and primitive level
    int32_t phase, stance; // ff_static_walk_phase, side
    int32_t swung;         // side that has swung last
    double balanced_time;  // for which the error of balance has been small  [s]
    double phase_time;     // since the phase began  [s]
    ff_static_walk_foot foot[2], from, to;
    double yield[2][2];                // of the feet to moments that are not planned: roll, pitch  [rad]
    double ground[2];                  // heights that the feet stand on, or are expected to  [m]
    ff_quintic path[2], lean, loading; // of the centre of mass, the trunk, the share of the left foot
    double path_time;                  // since these began  [s]
    double com[2], com_speed[2];       // centre of mass of the plan  [m], [m/s]
    double zmp[2];                     // zero moment point of the plan  [m]
    double sway[2], sway_speed[2];     // estimated centre of mass and its speed  [m], [m/s]
    double aim[2];                     // wanted zero moment point: that of the plan, corrected  [m]
    double trunk;                      // lean to the left  [rad]
    double share;                      // of the weight on the left foot in the plan
    double load;                       // the same, corrected
    double stretch;                    // by which the left foot is held higher and the right one lower  [m]
    double shift[2];                   // of the pelvis, to correct the balance  [m]
    double error[2];                   // of the balance  [m]
    double margin;                     // of the controlled point within the soles that carry  [m]
    int64_t steps;
    double waited, saturated; // since the start  [s]
    double clamped;           // least share of a commanded step that was possible
    // servo level
    double height;                                  // of the pelvis in the walk frame  [m]
    double offset[2];                               // centre of mass from the pelvis, in the last cycle  [m]
    double pelvis[3];                               // its place  [m]
    double start_error[FF_STATIC_WALK_COORDINATES]; // of joints at the first cycle; it fades  [rad, m]
    double fade;                                    // time for which it has  [s]
    double q[FF_STATIC_WALK_COORDINATES], v[FF_STATIC_WALK_COORDINATES], tau[FF_STATIC_WALK_COORDINATES];
    double signals[FF_STATIC_WALK_SIGNALS];
} ff_static_walk_state;

struct ff_static_walk {
    ff_static_walk_robot robot;
    ff_static_walk_items items;
    ff_drive_set *drives; // as the file describes them
    ff_travel travel;
    ff_data *d; // scratch: measured pose of the robot, then that of the references
    ff_static_walk_state memory;
    ff_io_name names[FF_STATIC_WALK_SIGNALS];
};

/// Attitude of a foot in the walk frame.
void ff_static_walk_foot_axes(const ff_static_walk_foot *foot, double R[9]);
/// Roll and pitch of an attitude with this yaw, by the direction of its z axis.
void ff_static_walk_tilt_of(const double R[9], double yaw, double tilt[2]);

// static_robot.c
ff_status ff_static_walk_robot_make(const ff_model *m, const ff_static_walk_options *options, ff_data *d,
                                    ff_static_walk_robot *robot, ff_error *err);
/// Support polygon of the soles that carry, in the walk frame.
void ff_static_walk_support(const ff_static_walk_robot *robot, const ff_static_walk_state *memory,
                            const bool carries[2], ff_support *support);

// static_sense.c
ff_status ff_static_walk_find_items(const ff_static_walk_robot *robot, const ff_io_layout *sensors,
                                    const ff_io_layout *references, ff_static_walk_items *items, ff_error *err);
/// Reads new values; other samples get older.
void ff_static_walk_read(const ff_static_walk_robot *robot, const ff_static_walk_items *items, const ff_io_frame *frame,
                         double dt, ff_static_walk_state *memory);
/// Derives from values of sensors centre of mass, zero moment point, loads and tilts.
void ff_static_walk_evaluate(const ff_static_walk_robot *robot, const ff_static_walk_items *items, double dt,
                             ff_data *d, ff_static_walk_state *memory);

// static_plan.c
/// Starts with a stand on both feet.
void ff_static_walk_plan_start(const ff_static_walk_robot *robot, ff_static_walk_state *memory);
/// Updates phase, feet and centre of mass, and corrects the balance. `d` is scratch.
void ff_static_walk_plan_update(const ff_static_walk_robot *robot, double dt, ff_data *d, ff_static_walk_state *memory);

// static_balance.c
/// Corrects pelvis and feet by what the sensors say of centre of mass, zero moment point and moments.
void ff_static_walk_balance(const ff_static_walk_robot *robot, double dt, ff_static_walk_state *memory);

// static_servo.c
/// Vertical forces of the feet and the points where they act, for the wanted zero moment point.
void ff_static_walk_plan_forces(const ff_static_walk_robot *robot, const ff_static_walk_state *memory, double force[2],
                                double at[2][3]);
/// Can the robot stand on these feet while one of them carries alone, with the centre of mass over a point and the
/// trunk leant to that side? Reach, strokes and forces of the drives must suffice, with a reserve for the balance.
/// @param over    that point  [m]
/// @param pelvis  its height, and the start of the search for its place  [m]
/// @param force   share of the greatest force of the drives that may be used
/// @param q       start of the search for the joints
/// @param d       scratch
bool ff_static_walk_can_carry(const ff_static_walk_robot *robot, const ff_static_walk_foot feet[2], int stance,
                              const double over[2], const double pelvis[3], double force, const double *q, ff_data *d);
/// Finds the heights of the pelvis at which one foot could carry the robot, about that of its pose.
void ff_static_walk_find_heights(ff_static_walk_robot *robot, ff_data *d);
/// Computes the references of the joints.
void ff_static_walk_servo_update(const ff_static_walk_robot *robot, double dt, ff_data *d,
                                 ff_static_walk_state *memory);

#endif
