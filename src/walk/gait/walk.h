// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the walking controller for many legs: properties of its robot, its memory, and the functions of its levels.
#ifndef FOOTFALL_SRC_GAIT_WALK_H
#define FOOTFALL_SRC_GAIT_WALK_H

#include "gait/items.h"
#include "sense/io_frames.h"
#include "text/schema.h"

#include <footfall/balance.h>
#include <footfall/hexapod.h>

enum {
    FF_WALK_JOINTS = 3 * FF_WALK_LEGS + FF_WALK_BODY_JOINTS,
    FF_WALK_SHOWN = 6, // footholds that are signals
    FF_WALK_SIGNALS = 29 + 3 * FF_WALK_SHOWN + 10 * FF_WALK_LEGS
};

/// Properties of the robot that the levels need; constant.
typedef struct ff_walk_robot {
    const ff_model *model;
    ff_hexapod_options options;
    ff_footstep_setup step;
    int n; // legs, in the order of the model
    ff_leg_ik ik[FF_WALK_LEGS];
    ff_leg_place places[FF_WALK_LEGS];
    double radius[FF_WALK_LEGS];    // of the feet  [m]
    double centre[FF_WALK_LEGS][2]; // of the stance in the walk frame  [m]
    int root, base;                 // root body, and its free joint or -1
    int njoint;                     // driven joints: those of all legs, then those of the body
    int joints[FF_WALK_JOINTS];
    int first[FF_WALK_LEGS];      // index of the first joint of a leg among these
    int nbody, body;              // joints of the body: `nbody` of these, from index `body` on
    double height;                // of the root in the stance  [m]
    double stand[FF_WALK_JOINTS]; // positions of these joints in the stance  [rad, m]
    double weight;                // [N]
} ff_walk_robot;

/// The last samples of the sensors.
typedef struct ff_walk_senses {
    ff_gait_sample joint[FF_WALK_JOINTS];  // [rad, m]
    ff_gait_sample force[FF_WALK_LEGS][3]; // in the axes of its sensor  [N]
    ff_gait_sample touch[FF_WALK_LEGS];
    ff_gait_sample spin[2];     // roll and pitch rate of the root  [rad/s]
    ff_gait_sample attitude[2]; // roll and pitch  [rad]
} ff_walk_senses;

/// Deviation of a joint from its reference.
typedef struct ff_walk_deviation {
    double far_time; // time for which it has been far from the reference  [s]
    double worst;    // greatest difference of reference and position since it was near  [rad, m]
    double worst_at; // position at that time  [rad, m]
} ff_walk_deviation;

/// Numbers of items in the frames, -1 where there is none.
typedef struct ff_walk_items {
    ff_joint_items drive[FF_WALK_JOINTS]; // references
    int joint[FF_WALK_JOINTS], force[FF_WALK_LEGS][3], touch[FF_WALK_LEGS], spin[2], attitude[2];
    int force_frame[FF_WALK_LEGS]; // frame of the model in whose axes the force is given, -1: those of the foot's body
    double below[FF_WALK_LEGS];    // mass below the force sensor of each foot  [kg]
    uint32_t count[2];             // items of the frames, by ff_io_kind
    bool has_joints;               // every joint has a position sensor
} ff_walk_items;

/// Stages of a leg that serves as a hand.
typedef enum ff_hand_stage {
    FF_HAND_NONE,
    FF_HAND_SHIFT, // the body moves to where the other feet carry it
    FF_HAND_LIFT,
    FF_HAND_LED, // the hand moves to the commanded place
    FF_HAND_RETURN,
    FF_HAND_LOWER // onto the place that the foot left
} ff_hand_stage;

/// Stages of a hand that probes the ground.
typedef enum ff_probe_stage {
    FF_PROBE_NONE,
    FF_PROBE_TARE,  // measures the output of the force sensor without load
    FF_PROBE_LOWER, // until it touches
    FF_PROBE_PRESS, // loads and unloads the ground, slowly, then fast
    FF_PROBE_DRAG,  // slides sideways
    FF_PROBE_RISE
} ff_probe_stage;

enum { FF_PROBE_TERMS = 5, FF_WALK_FOOTHOLDS = 16 };

/// A place that was probed.
typedef struct ff_walk_foothold {
    double place[2]; // in the walk frame: it moves back while the body walks  [m]
    ff_walk_ground ground;
} ff_walk_foothold;

/// A probe of the ground by a hand, and sums of its measurements (probe.c has the symbols).
typedef struct ff_walk_probe {
    int32_t stage, done; // ff_probe_stage; this place was probed
    int32_t strokes, samples;
    double time;                  // in this stage  [s]
    double down;                  // 1 while the hand loads the ground, -1 while it unloads it
    double tare[3];               // [N]
    double start[3];              // reference where the stage began  [m]
    double weight[FF_WALK_LEGS];  // w_i of standing feet
    double first[FF_WALK_LEGS];   // forces F_i0 of standing feet at the start  [N]
    double feet[FF_WALK_LEGS][2]; // forces F_i now, filtered once and twice  [N]
    double force[2], depth[2];    // F on the hand [N] and its depth [m], filtered likewise
    double relief;                // R of the standing feet; a depth where their ground is known  [N, m]
    double turning;               // sum of w_i F_i F_i'  [N^2/s]
    double rate, speed;           // of force and total depth  [N/s, m/s]
    double square[FF_PROBE_TERMS][FF_PROBE_TERMS], side[FF_PROBE_TERMS]; // equations of the fit
    double moments[7]; // sums of F, R, F^2, F R; of F'^2, F F'^2, turning F'
    double drag, load; // sums of tangential and normal force while it slides  [N]
} ff_walk_probe;

/// A leg that serves as a hand (hand.c).
typedef struct ff_walk_hand {
    int32_t leg, stage; // ff_hand_stage
    int32_t stopped;    // the commanded force was reached
    int32_t spare;
    double steady;   // time for which the body has had its margin  [s]
    double home[3];  // where the foot stood  [m]
    double at[3];    // reference of its lowest point  [m]
    double speed[3]; // [m/s]
    double goal[3];  // [m]
    double force[3]; // of the world on the hand, in the walk frame, filtered  [N]
    double raw[3];   // not filtered  [N]
    ff_walk_probe probe;
} ff_walk_hand;

/// All that changes: plain data.
typedef struct ff_walk_memory {
    double time;           // of the last cycle
    int32_t started;       // 0 before the first cycle
    uint32_t status, ever; // conditions of the last cycle, and of all
    // action level
    ff_walk_command command, goal; // as commanded, and limited to what is possible
    uint32_t clamped;              // conditions that say so
    double transfer_limit;         // [m/s]
    double velocity[2], turn, height, roll, pitch;
    double body[FF_WALK_BODY_JOINTS];
    // primitive level
    ff_walk_senses senses;
    ff_feet_seen seen;
    ff_walk_deviation deviation[FF_WALK_JOINTS];
    double grounded; // time for which half of the feet have touched since the start  [s]
    double waited;   // time since the robot reached its stance  [s]
    double tilt[2];  // estimated roll and pitch of the root  [rad]
    double bias[2];  // estimated bias of their rates  [rad/s]
    ff_footstep_memory step;
    double shift[2];                  // [m]
    double com_wanted[2];             // centre of mass of the references, from an unshifted root  [m]
    double com_mean[2];               // its mean over a step  [m]
    double shift_velocity[2];         // [m/s]
    double com_height;                // above the ground  [m]
    double sunk[3];                   // measured sinkage of the body: down, and per metre ahead and left  [m, 1]
    double posture[3];                // correction of the sinkage, likewise
    double standing[FF_WALK_LEGS];    // time since a foot landed  [s]
    double measured[FF_WALK_LEGS][3]; // lowest point of each foot in the walk frame, by joint sensors  [m]
    double before[FF_WALK_LEGS][2];   // the same a cycle ago  [m]
    int32_t stood[FF_WALK_LEGS];      // whether the foot stood then
    double trim[3];                   // added to the twist, so that feet travel as commanded  [m/s, m/s, rad/s]
    int32_t feet_measured;            // whether `measured` is valid
    double lift[FF_WALK_LEGS];        // correction of the height of a foot by force control  [m]
    double droop[FF_WALK_LEGS];       // learned distance of a foot below its reference when it lands  [m]
    double raised[FF_WALK_LEGS];      // part of it that is added to the height now  [m]
    double expected[FF_WALK_LEGS];    // height at which a foot in the air left the ground  [m]
    double load[FF_WALK_LEGS];        // force on a foot, filtered  [N]
    double push[FF_WALK_LEGS];        // least impulse of a contact of a foot that is high in the air  [N s]
    double peak[FF_WALK_LEGS];        // greatest force of it  [N]
    ff_walk_hand hand;
    ff_walk_foothold footholds[FF_WALK_FOOTHOLDS]; // places that were probed; a new one replaces the oldest
    ff_walk_ground floor;                          // of the first, assumed where nothing was probed
    double sink[FF_WALK_LEGS];                     // expected depth of a standing foot in the ground  [m]
    int32_t probes, spare;                         // number of probes
    ff_walk_plan plan;
    // servo level
    double rising;                   // share of the motion to the stance at the start that is done, 0 to 1
    double rise_time;                // of that motion  [s]
    double from[FF_WALK_JOINTS];     // positions where it begins  [rad, m]
    double position[FF_WALK_JOINTS]; // references  [rad, m]
    double speed[FF_WALK_JOINTS];
    double torque[FF_WALK_JOINTS];
    double signals[FF_WALK_SIGNALS];
} ff_walk_memory;

struct ff_hexapod {
    ff_walk_robot robot;
    ff_walk_items items;
    ff_data *d; // scratch: measured pose of the robot, then that of the references
    ff_walk_memory memory;
    ff_walk_setpoint setpoint;    // of this cycle
    double planner_status;        // conditions of the planning levels
    ff_io_numbers planner_output; // numbers of setpoint and plan that the servo level needs
    int nsignal;
    const char *hands[FF_WALK_LEGS + 2]; // "none", names of legs, NULL
    ff_io_name names[FF_WALK_SIGNALS];
};

// walk_robot.c
ff_status ff_walk_robot_make(const ff_model *model, const ff_hexapod_options *options, ff_data *d, ff_walk_robot *robot,
                             ff_error *err);

// ------------------------------------------------------------------------------------------ frames (walk_io.c)

ff_status ff_walk_bind(const ff_walk_robot *robot, const ff_io_layout *sensors, const ff_io_layout *references,
                       ff_walk_items *items, ff_error *err);
/// Reads new values; other samples get older.
void ff_walk_read(const ff_walk_robot *robot, const ff_walk_items *items, const ff_io_frame *frame, double dt,
                  ff_walk_memory *memory);
/// Derives contacts, vertical forces, centre of mass and tilt from the sensors.
void ff_walk_evaluate(const ff_walk_robot *robot, const ff_walk_items *items, double dt, ff_data *d,
                      ff_walk_memory *memory);
void ff_walk_write(const ff_walk_robot *robot, const ff_walk_items *items, double t, const ff_walk_memory *memory,
                   ff_io_frame *frame);

// ------------------------------------------------------------------------------------------ steps (step*.c)

/// Velocity of the body at a point, scaled and turned for one leg. A standing foot moves opposite to it.
void ff_footstep_flow(const ff_walk_setpoint *setpoint, int leg, const double point[2], double flow[2]);
/// Point of a leg's step at the travel x from its centre.
void ff_footstep_point(const ff_walk_setpoint *setpoint, int leg, double x, double point[2]);
/// Travel of a foot from its centre  [m]; 0 where the step of the leg has no length.
double ff_footstep_travel(const ff_walk_setpoint *setpoint, int leg, const double foot[2]);

/// When a leg starts its transfer, as a share of the period.
static inline double ff_footstep_start_at(const ff_gait_table *table, const ff_walk_setpoint *setpoint, int leg)
{
    return setpoint->pause + (1.0 - setpoint->pause) * table->start[leg];
}
/// Time until the ideal generator asks a leg to lift  [s]; 0 while it asks.
double ff_footstep_until_lift(const ff_gait_table *table, const ff_walk_setpoint *setpoint,
                              const ff_footstep_memory *memory, int leg);
/// Sets the clock so that the body needs to wait least for its feet.
void ff_footstep_fit_clock(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                           ff_footstep_memory *memory);
/// Advances clock and ideal steps, and marks legs that are asked to lift.
void ff_footstep_advance_clock(const ff_gait_table *table, const ff_walk_setpoint *setpoint, double dt,
                               ff_footstep_memory *memory);
/// Changes the pace of the body towards what its feet allow.
void ff_footstep_advance_pace(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                              const ff_feet_seen *seen, double dt, ff_footstep_memory *memory);

/// Contact is ignored of a sensor that reports it all through the swing, and of one that never does (step_clock.c).
bool ff_footstep_ignores_contact(const ff_footstep_leg *leg, const ff_feet_seen *seen, int i);
/// Does a foot stand on what it touches? One with early contact and no load leans against a step or slides off an edge.
static inline bool ff_footstep_stands(const ff_footstep_leg *leg, const ff_feet_seen *seen, int i)
{
    return seen->contact[i] && !(leg->early && seen->idle[i]);
}
/// Does leg i lift before leg k? It is nearer to its rear extreme position, or asked earlier, or by the table.
bool ff_footstep_goes_before(const ff_gait_table *table, const ff_footstep_leg *legs, int i, int k);
/// Lifts legs that ask and may, the most urgent first; each counts for those after it.
void ff_footstep_grant(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_feet_seen *seen, double dt,
                       ff_footstep_memory *memory);

/// Least squares plane through the points on which the feet stand: slopes ahead and to the left, middle of the points.
/// @param uneven  root mean square of their heights above that plane, or NULL  [m]
/// @return        false where they lie in a line
bool ff_footstep_fit_plane(int n, const ff_footstep_leg *legs, double middle[2], double slope[2], double *uneven);
/// Moves and turns all steps with the ground below the feet.
void ff_footstep_adapt(const ff_footstep_setup *setup, const ff_feet_seen *seen, double dt, ff_footstep_memory *memory);

/// Moves all heights of a leg up.
void ff_footstep_raise(ff_footstep_leg *leg, double by);

/// Does a foot count as down? It is in support, and has not been without contact for long.
bool ff_footstep_is_down(const ff_footstep_setup *setup, const ff_footstep_leg *leg);

/// A leg that is late by less than this catches up in the air; the clock waits for one that is later  [s].
#define FF_FOOTSTEP_HURRIED 0.08

static inline bool ff_footstep_in_air(const ff_footstep_leg *leg)
{
    return leg->phase != FF_FOOTSTEP_SUPPORT;
}
/// @return the number of feet that are down
int ff_footstep_support(const ff_footstep_setup *setup, const ff_footstep_memory *memory);
/// Time until a leg lifts, by the clock and its neighbours  [s]; 0 in the air.
double ff_footstep_time_to_lift(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                                const ff_footstep_memory *memory, int leg);
/// Will a leg be down after the time `ahead`  [s]?
bool ff_footstep_will_support(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                              const ff_footstep_memory *memory, int leg, double ahead);

// ------------------------------------------------------------------------------------------ levels

/// Limits the command to what is possible: speed, and height, attitude and length of steps within reach.
void ff_action_resolve(const ff_walk_robot *robot, ff_data *d, ff_walk_memory *memory);
/// Limited over commanded speed, 1 unless feet would be too fast.
double ff_action_slowed(const ff_walk_robot *robot, const ff_walk_memory *memory);
/// Moves the setpoint towards the goal.
void ff_action_update(const ff_walk_robot *robot, double dt, ff_walk_memory *memory, ff_walk_setpoint *setpoint);

void ff_primitive_update(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, double dt,
                         ff_walk_memory *memory);
/// Measures how far the body has sunk on its feet, corrects that, and estimates the height of the ground (posture.c).
void ff_primitive_posture(const ff_walk_robot *robot, double dt, ff_walk_memory *memory);
/// Corrects the heights of feet in the air, which hang below their references (posture.c).
void ff_primitive_droop(const ff_walk_robot *robot, ff_walk_memory *memory);
/// Corrects the twist of a setpoint by what the standing feet have travelled (posture.c).
void ff_primitive_trim(const ff_walk_robot *robot, double dt, ff_walk_memory *memory, ff_walk_setpoint *setpoint);
/// Moves along one axis with bounded speed, such that it can stop at the target with the acceleration `full`.
/// @param rate  bounds of the acceleration in this cycle, back and ahead  [m/s^2]
void ff_primitive_follow(double target, double speed, double full, const double rate[2], double dt, double *value,
                         double *velocity);
/// Sets the feet of the plan: those of the steps, with all corrections.
void ff_primitive_place_feet(const ff_walk_robot *robot, double dt, ff_walk_memory *memory);
/// Does a leg serve as a hand, or is it commanded to while the robot stands? (hand.c)
bool ff_hand_is_used(const ff_walk_robot *robot, const ff_walk_memory *memory);
/// In place of ff_primitive_update: five feet stand, one moves as commanded. `d` has the pose as measured.
void ff_hand_update(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, const ff_data *d, double dt,
                    ff_walk_memory *memory);
/// The ground at a place of the walk frame, by probes nearby or the first probe; stiffness 0: not known (probe.c).
ff_walk_ground ff_probe_ground(const ff_walk_memory *memory, const double place[2]);
/// Moves probed places back while the body walks.
void ff_probe_carry(const ff_walk_setpoint *setpoint, double dt, ff_walk_memory *memory);
/// One cycle of the probing hand. @return false: the probe is over (probe.c)
bool ff_probe_update(const ff_walk_robot *robot, double dt, ff_walk_memory *memory);
/// Computes wanted forces, and corrections of the heights of feet that carry another force.
void ff_primitive_forces(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, double dt,
                         ff_walk_memory *memory);

/// Puts root and joints of the body of d into a pose, and computes kinematics; legs keep their angles.
void ff_servo_pose(const ff_walk_robot *robot, ff_data *d, double height, const double shift[2], double roll,
                   double pitch, const double *body);
/// Joint angles of a leg for the lowest point of its foot in the walk frame. Needs ff_servo_pose.
ff_reach ff_servo_leg(const ff_walk_robot *robot, const ff_data *d, int leg, const double foot[3], double *q);
/// Joint speeds of a leg at the angles q for a velocity of its foot in the walk frame. Needs ff_servo_pose.
void ff_servo_rates(const ff_walk_robot *robot, const ff_data *d, int leg, const double *q, const double velocity[3],
                    double *rate);
/// Computes the references of the joints from the plan.
void ff_servo_update(const ff_walk_robot *robot, ff_data *d, const ff_walk_setpoint *setpoint, double dt,
                     ff_walk_memory *memory);

// ------------------------------------------------------------------------------------------ for controllers

/// Settings of ff_hexapod_options that have a key in files.
extern const ff_row ff_hexapod_settings[];
/// Words of ff_gait, NULL-ended.
extern const char *const ff_gait_names[FF_GAIT_COUNT + 1];

/// A few words on the condition of one bit, "" for none.
const char *ff_walk_status_text(int bit);
/// The command with which a controller starts.
ff_walk_command ff_hexapod_first_command(const ff_hexapod *hexapod);
/// Greatest speed of a standing foot against the body, with the present gait and steps  [m/s].
double ff_hexapod_fastest(const ff_hexapod *hexapod);
/// Greatest speed straight in the commanded direction, with the gait, steps and pose now commanded, at which no joint
/// needs more than its share of its own greatest speed  [m/s].
double ff_hexapod_top_speed(const ff_hexapod *hexapod);

// The levels in two processes: action and primitive level, which plan, in one, the servo level in the other.
/// A cycle of the planning levels. `plan` gets no values before joint sensors have sent some.
void ff_hexapod_plan_cycle(ff_hexapod *hexapod, double t, const ff_io_frame *sensors, ff_io_frame *plan);
/// A cycle of the servo level. Where `plan` has no values, the last plan is followed.
void ff_hexapod_servo_cycle(ff_hexapod *hexapod, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                            ff_io_frame *references);

#endif
