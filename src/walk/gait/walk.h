// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the walking controller: its settings, what it knows of its robot, what it remembers, and the functions of
// its levels.
#ifndef FOOTFALL_SRC_GAIT_WALK_H
#define FOOTFALL_SRC_GAIT_WALK_H

#include "gait/items.h"
#include "sense/io_frames.h"
#include "text/schema.h"

#include <footfall/balance.h>
#include <footfall/hexapod.h>

enum {
    FF_WALK_JOINTS = 3 * FF_WALK_LEGS + FF_WALK_BODY_JOINTS,
    FF_WALK_SHOWN = 6, // footholds among the signals
    FF_WALK_SIGNALS = 29 + 3 * FF_WALK_SHOWN + 10 * FF_WALK_LEGS
};

/// The robot as the levels know it; immutable.
typedef struct ff_walk_robot {
    const ff_model *model;
    ff_hexapod_options options;
    ff_footstep_setup step;
    int n; // legs, in the order of the model
    ff_leg_ik ik[FF_WALK_LEGS];
    ff_leg_place places[FF_WALK_LEGS];
    double radius[FF_WALK_LEGS];    // of the feet  [m]
    double centre[FF_WALK_LEGS][2]; // of the stance in the walk frame  [m]
    int root, base;                 // body, and its free joint or -1
    int njoint;                     // driven: all of the legs, then those of the body
    int joints[FF_WALK_JOINTS];
    int first[FF_WALK_LEGS]; // where the joints of a leg begin among them
    int nbody, body;         // joints of the body among them, from `body` on
    double height;           // of the root in the stance  [m]
    double stand[FF_WALK_JOINTS];
    double weight; // [N]
} ff_walk_robot;

typedef struct ff_walk_senses {
    ff_gait_sample joint[FF_WALK_JOINTS];  // [rad, m]
    ff_gait_sample force[FF_WALK_LEGS][3]; // in the axes of its sensor  [N]
    ff_gait_sample touch[FF_WALK_LEGS];
    ff_gait_sample spin[2];     // roll and pitch rate of the root  [rad/s]
    ff_gait_sample attitude[2]; // roll and pitch  [rad]
} ff_walk_senses;

/// How far a joint is from its reference.
typedef struct ff_walk_deviation {
    double far_time; // time that it has been far from it                              [s]
    double worst;    // reference less position, the greatest since it was last near   [rad, m]
    double worst_at; // position then                                                  [rad, m]
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

/// What a leg that serves as a hand does.
typedef enum ff_hand_stage {
    FF_HAND_NONE,
    FF_HAND_SHIFT, // the body goes where the other feet carry it
    FF_HAND_LIFT,
    FF_HAND_LED, // to the place that is commanded
    FF_HAND_RETURN,
    FF_HAND_LOWER // onto the place it left
} ff_hand_stage;

/// How a hand probes the ground.
typedef enum ff_probe_stage {
    FF_PROBE_NONE,
    FF_PROBE_TARE,  // at rest in the air: what the force sensor shows without load
    FF_PROBE_LOWER, // until it touches
    FF_PROBE_PRESS, // harder and less hard, slowly and fast
    FF_PROBE_DRAG,  // sideways
    FF_PROBE_RISE
} ff_probe_stage;

enum { FF_PROBE_TERMS = 5, FF_WALK_FOOTHOLDS = 16 };

/// A place whose ground is known.
typedef struct ff_walk_foothold {
    double place[2]; // in the walk frame, with which it moves back while the body walks  [m]
    ff_walk_ground ground;
} ff_walk_foothold;

/// Sums of what is measured while a hand probes (probe.c).
typedef struct ff_walk_probe {
    int32_t stage, done; // ff_probe_stage; done at this place
    int32_t strokes, samples;
    double time;                  // in this stage  [s]
    double down;                  // 1 while it presses harder, -1 less hard
    double tare[3];               // [N]
    double start[3];              // reference where the stage began  [m]
    double weight[FF_WALK_LEGS];  // of standing feet in the height of their plane below the hand
    double first[FF_WALK_LEGS];   // their forces at the start  [N]
    double feet[FF_WALK_LEGS][2]; // their forces now, smoothed once and twice as the next two  [N]
    double force[2], depth[2];    // on the hand [N], against the plane of the feet [m]
    double relief;                // of the standing feet: force, or depth where their ground is known  [N, m]
    double turning;               // sum of weight F F' of them  [N^2/s]
    double rate, speed;           // of force and depth, relief of known ground included  [N/s, m/s]
    double square[FF_PROBE_TERMS][FF_PROBE_TERMS], side[FF_PROBE_TERMS]; // equations of the fit
    double moments[7]; // sums of F, R, F^2, F R; of F'^2, F F'^2, turning F'
    double drag, load; // sums of tangential and normal force while it slides  [N]
} ff_walk_probe;

/// A leg that serves as a hand (hand.c).
typedef struct ff_walk_hand {
    int32_t leg, stage; // ff_hand_stage
    int32_t stopped;    // the force that was commanded is there
    int32_t spare;
    double steady;   // time that the body has stood where it should  [s]
    double home[3];  // where the foot stood: place, height  [m]
    double at[3];    // reference of its lowest point  [m]
    double speed[3]; // [m/s]
    double goal[3];  // [m]
    double force[3]; // of the world on it, in the walk frame, smoothed  [N]
    double raw[3];   // not smoothed  [N]
    ff_walk_probe probe;
} ff_walk_hand;

/// All that changes: plain data.
typedef struct ff_walk_memory {
    double time;     // of the last cycle
    int32_t started; // 0 before the first cycle
    uint32_t status, ever;
    // action level
    ff_walk_command command, goal; // as commanded, and what of it is possible
    uint32_t clamped;
    double transfer_limit; // [m/s]
    double velocity[2], turn, height, roll, pitch;
    double body[FF_WALK_BODY_JOINTS];
    // primitive level
    ff_walk_senses senses;
    ff_feet_seen seen;
    ff_walk_deviation deviation[FF_WALK_JOINTS];
    double grounded; // time that enough feet have touched since the start  [s]
    double waited;   // since the robot reached its stance  [s]
    double tilt[2];  // roll and pitch of the root as far as they are known  [rad]
    double bias[2];  // of the rates of roll and pitch, as learned  [rad/s]
    ff_footstep_memory step;
    double shift[2];               // [m]
    double com_wanted[2];          // centre of mass of the references against an unshifted root  [m]
    double com_mean[2];            // its mean over a step  [m]
    double shift_velocity[2];      // [m/s]
    double com_height;             // above the ground, as commanded  [m]
    double sunk[3];                // the body against its feet: down, and per metre ahead and left, as measured  [m, 1]
    double posture[3];             // what is added to make up for it
    double standing[FF_WALK_LEGS]; // time since a foot landed  [s]
    double measured[FF_WALK_LEGS][3]; // lowest point of each foot in the walk frame, as joint sensors measure it  [m]
    double before[FF_WALK_LEGS][2];   // the same a cycle ago, and whether the foot stood then
    int32_t stood[FF_WALK_LEGS];
    double trim[3];            // added to the twist, so that feet travel as commanded  [m/s, m/s, rad/s]
    int32_t feet_measured;     // 0: they are not
    double lift[FF_WALK_LEGS]; // what force control adds to the height of a foot  [m]
    double
        droop[FF_WALK_LEGS]; // how far a foot hangs below its reference when it lands, learned from step to step  [m]
    double raised[FF_WALK_LEGS];   // what is added for it now  [m]
    double expected[FF_WALK_LEGS]; // height at which a foot in the air left the ground  [m]
    double load[FF_WALK_LEGS];     // force on a foot, smoothed  [N]
    double push[FF_WALK_LEGS];     // least impulse of what a foot high in the air has met  [N s]
    double peak[FF_WALK_LEGS];     // and its greatest force  [N]
    ff_walk_hand hand;
    ff_walk_foothold footholds[FF_WALK_FOOTHOLDS]; // that were probed, the newest in place of the oldest
    ff_walk_ground floor;                          // the first: that of places which were not probed
    double sink[FF_WALK_LEGS];                     // how deep a foot that stands is expected to be in the ground  [m]
    int32_t probes, spare;                         // so far
    ff_walk_plan plan;
    // servo level
    double rising;                   // share of the motion to the stance that is done at the start, 1: all
    double rise_time;                // [s]
    double from[FF_WALK_JOINTS];     // where that motion begins
    double position[FF_WALK_JOINTS]; // references  [rad, m]
    double speed[FF_WALK_JOINTS];
    double torque[FF_WALK_JOINTS];
    double signals[FF_WALK_SIGNALS];
} ff_walk_memory;

struct ff_hexapod {
    ff_walk_robot robot;
    ff_walk_items items;
    ff_data *d; // scratch: poses of the robot as it is, then as it should be
    ff_walk_memory memory;
    ff_walk_setpoint setpoint;    // of this cycle
    double planner_status;        // status after the planning levels
    ff_io_numbers planner_output; // what the servo level reads of setpoint and plan
    int nsignal;
    const char *hands[FF_WALK_LEGS + 2]; // "none", names of legs, NULL
    ff_io_name names[FF_WALK_SIGNALS];
};

/// walk_robot.c
ff_status ff_walk_robot_make(const ff_model *model, const ff_hexapod_options *options, ff_data *d, ff_walk_robot *robot,
                             ff_error *err);

// ------------------------------------------------------------------------------------------ frames (walk_io.c)

ff_status ff_walk_bind(const ff_walk_robot *robot, const ff_io_layout *sensors, const ff_io_layout *references,
                       ff_walk_items *items, ff_error *err);
/// Reads new values; the others grow older.
void ff_walk_read(const ff_walk_robot *robot, const ff_walk_items *items, const ff_io_frame *frame, double dt,
                  ff_walk_memory *memory);
/// Derives from values of sensors what the primitive level uses: contacts, vertical forces, centre of mass, tilt.
void ff_walk_evaluate(const ff_walk_robot *robot, const ff_walk_items *items, double dt, ff_data *d,
                      ff_walk_memory *memory);
void ff_walk_write(const ff_walk_robot *robot, const ff_walk_items *items, double t, const ff_walk_memory *memory,
                   ff_io_frame *frame);

// ------------------------------------------------------------------------------------------ steps (step*.c)

/// Velocity of the body at a point of the walk frame, scaled and turned for one leg. A standing foot moves opposite to
/// it.
void ff_footstep_flow(const ff_walk_setpoint *setpoint, int leg, const double point[2], double flow[2]);
/// Point of a leg's step at the travel x from its centre.
void ff_footstep_point(const ff_walk_setpoint *setpoint, int leg, double x, double point[2]);
/// Travel of a foot from its centre; 0 where the step of the leg has no length.
double ff_footstep_travel(const ff_walk_setpoint *setpoint, int leg, const double foot[2]);

/// When a leg starts its transfer, as a share of the period.
static inline double ff_footstep_start_at(const ff_gait_table *table, const ff_walk_setpoint *setpoint, int leg)
{
    return setpoint->pause + (1.0 - setpoint->pause) * table->start[leg];
}
/// Time until the ideal generator asks a leg to lift, 0 while it is asking.
double ff_footstep_until_lift(const ff_gait_table *table, const ff_walk_setpoint *setpoint,
                              const ff_footstep_memory *memory, int leg);
/// Sets the clock so that the body needs to wait least for its feet.
void ff_footstep_fit_clock(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                           ff_footstep_memory *memory);
/// Advances clock and ideal steps, and notes which legs ask to lift.
void ff_footstep_advance_clock(const ff_gait_table *table, const ff_walk_setpoint *setpoint, double dt,
                               ff_footstep_memory *memory);
/// Moves the pace of the body towards what its feet allow.
void ff_footstep_advance_pace(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                              const ff_feet_seen *seen, double dt, ff_footstep_memory *memory);

/// Contact is ignored from a sensor that reported it all through the air, and from one that never does. (step_clock.c)
bool ff_footstep_ignores_contact(const ff_footstep_leg *leg, const ff_feet_seen *seen, int i);
/// Whether a foot stands on what it touches. A foot with early contact and no load leans against a step or slides off
/// an edge.
static inline bool ff_footstep_stands(const ff_footstep_leg *leg, const ff_feet_seen *seen, int i)
{
    return seen->contact[i] && !(leg->early && seen->idle[i]);
}
/// Whether leg i goes before leg k when both ask: nearer to its rear extreme position, asked earlier, earlier in the
/// table.
bool ff_footstep_goes_before(const ff_gait_table *table, const ff_footstep_leg *legs, int i, int k);
/// Lifts legs that ask and may, the most urgent first; each counts for those after it.
void ff_footstep_grant(const ff_footstep_setup *setup, const ff_gait_table *table, const ff_feet_seen *seen, double dt,
                       ff_footstep_memory *memory);

/// Slopes, ahead and to the left, of the plane through the points on which the feet stand, and the middle of these
/// points.
/// @param uneven  root mean square of their heights above that plane, or NULL  [m]
/// @return        false where they lie in a line
bool ff_footstep_fit_plane(int n, const ff_footstep_leg *legs, double middle[2], double slope[2], double *uneven);
/// Shifts and turns all steps after the ground below the feet.
void ff_footstep_adapt(const ff_footstep_setup *setup, const ff_feet_seen *seen, double dt, ff_footstep_memory *memory);

/// Moves a leg up, with the ground it knows.
void ff_footstep_raise(ff_footstep_leg *leg, double by);

/// Whether a foot counts as down: in support, and not for long without contact.
bool ff_footstep_is_down(const ff_footstep_setup *setup, const ff_footstep_leg *leg);

/// A leg that is this late catches up in the air; later, the clock waits for it [s].
#define FF_FOOTSTEP_HURRIED 0.08

static inline bool ff_footstep_in_air(const ff_footstep_leg *leg)
{
    return leg->phase != FF_FOOTSTEP_SUPPORT;
}
int ff_footstep_support(const ff_footstep_setup *setup, const ff_footstep_memory *memory);
/// Time until a leg of a walking robot lifts, by the clock and its neighbours; 0 in the air.
double ff_footstep_time_to_lift(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                                const ff_footstep_memory *memory, int leg);
/// Whether a leg is down and, where `ahead` > 0, still will be in that time, or will be again.
bool ff_footstep_will_support(const ff_footstep_setup *setup, const ff_walk_setpoint *setpoint,
                              const ff_footstep_memory *memory, int leg, double ahead);

// ------------------------------------------------------------------------------------------ levels

/// What of a command is possible: speed, height, attitude and length of steps within reach.
void ff_action_resolve(const ff_walk_robot *robot, ff_data *d, ff_walk_memory *memory);
/// Part of the commanded speeds that is left where feet would be too fast, else 1.
double ff_action_slowed(const ff_walk_robot *robot, const ff_walk_memory *memory);
/// Moves the setpoint towards the goal.
void ff_action_update(const ff_walk_robot *robot, double dt, ff_walk_memory *memory, ff_walk_setpoint *setpoint);

/// Steps, shift of the body, forces.
void ff_primitive_update(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, double dt,
                         ff_walk_memory *memory);
/// How far the body has sunk against its feet, what makes up for it, and what that says of the ground (posture.c).
void ff_primitive_posture(const ff_walk_robot *robot, double dt, ff_walk_memory *memory);
/// Holds the feet in the air at their heights (posture.c).
void ff_primitive_droop(const ff_walk_robot *robot, ff_walk_memory *memory);
/// Corrects the twist of a setpoint by what the standing feet have travelled (posture.c).
void ff_primitive_trim(const ff_walk_robot *robot, double dt, ff_walk_memory *memory, ff_walk_setpoint *setpoint);
/// Moves along one axis with bounded speed, such that it can stop at the target with the acceleration `full`. At
/// present the acceleration is bounded by rate[0] back and rate[1] ahead.
void ff_primitive_follow(double target, double speed, double full, const double rate[2], double dt, double *value,
                         double *velocity);
/// Feet of the plan from those of the steps, with what is added to them.
void ff_primitive_place_feet(const ff_walk_robot *robot, double dt, ff_walk_memory *memory);
/// Does a leg serve as a hand, or is it commanded to while the robot stands? (hand.c)
bool ff_hand_is_used(const ff_walk_robot *robot, const ff_walk_memory *memory);
/// In place of ff_primitive_update: five feet stand, one moves as commanded. `d` has the pose as measured.
void ff_hand_update(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, const ff_data *d, double dt,
                    ff_walk_memory *memory);
/// The ground at a place of the walk frame, as far as it was probed; stiffness 0: not known (probe.c).
ff_walk_ground ff_probe_ground(const ff_walk_memory *memory, const double place[2]);
/// Moves probed places back while the body walks.
void ff_probe_carry(const ff_walk_setpoint *setpoint, double dt, ff_walk_memory *memory);
/// One step of the probing hand. @return whether it goes on (probe.c)
bool ff_probe_update(const ff_walk_robot *robot, double dt, ff_walk_memory *memory);
/// Wanted forces, and corrections of the heights of feet that carry something else.
void ff_primitive_forces(const ff_walk_robot *robot, const ff_walk_setpoint *setpoint, double dt,
                         ff_walk_memory *memory);

/// Root at the walk frame's height with its attitude, joints of the body as commanded, legs as they are; fills poses.
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

/// Settings that files can name, about ff_hexapod_options.
extern const ff_row ff_hexapod_settings[];
/// Words of ff_gait, NULL-ended.
extern const char *const ff_gait_names[FF_GAIT_COUNT + 1];

/// A few words on one bit, "" for none.
const char *ff_walk_status_text(int bit);
/// The commands with which it was created.
ff_walk_command ff_hexapod_first_command(const ff_hexapod *hexapod);
/// Greatest speed of a standing foot against the body, with the gait and steps now commanded; faster commands are
/// clamped [m/s].
double ff_hexapod_fastest(const ff_hexapod *hexapod);
/// Greatest speed straight in the commanded direction, with the gait, steps and pose now commanded, at which no joint
/// needs more than its share of its own greatest speed  [m/s].
double ff_hexapod_top_speed(const ff_hexapod *hexapod);

// The levels in two processes: action and primitive level, which plan, in one, the servo level in the other.
/// A cycle of the planning levels. `plan` stays without values as long as joint sensors have not sent any.
void ff_hexapod_plan_cycle(ff_hexapod *hexapod, double t, const ff_io_frame *sensors, ff_io_frame *plan);
/// A cycle of the servo level; a plan without values leaves it with the last that had.
void ff_hexapod_servo_cycle(ff_hexapod *hexapod, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                            ff_io_frame *references);

#endif
