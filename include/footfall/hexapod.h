// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Walking on many legs as ANTON does it: three levels with plain data between them.
//
//     ff_walk_command --action--> ff_walk_setpoint --primitive--> ff_walk_plan --servo--> references
//     gait, speed, turn,       step cycle, twist of the     feet, phases, force     joint angles, their
//     height, attitude         body, centres of the steps   references, body shift  rates and torques
//
// The source is chapter 3.4 of the thesis on ANTON ("thesis" below); docs/gait.md has the equations, what was added and
// why. Any robot whose legs stand in rows of two on one or several segments can use it.
//
// Walk frame: origin on the ground below the root body, x ahead, y left, z up. Feet, centres of steps and shifts are
// given in it. The body moves through the world with the commanded twist, so that a foot that stands moves with the
// opposite of it in this frame.
#ifndef FOOTFALL_HEXAPOD_H
#define FOOTFALL_HEXAPOD_H

#include <footfall/ik.h>
#include <footfall/io_bus.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most legs of a robot; they stand in rows of two.
#define FF_WALK_LEGS 12
/// Most joints between the segments, which no leg owns.
#define FF_WALK_BODY_JOINTS 16

// ------------------------------------------------------------------------------------------ gaits

typedef enum ff_gait { FF_GAIT_WAVE, FF_GAIT_GALLOP, FF_GAIT_TRIPOD, FF_GAIT_COUNT } ff_gait;

/// "wave", "gallop", "tripod".
FF_API const char *ff_gait_name(ff_gait gait);

/// Where a leg stands: its row from the front, and 0 on the left or 1 on the right.
typedef struct ff_leg_place {
    int row, side;
} ff_leg_place;

/// A gait for the legs of one robot (thesis 3.4.1).
typedef struct ff_gait_table {
    int n;      // legs
    double tau; // share of a cycle in the air: the thesis calls it the duty factor
    int least;  // feet that must stay down, N_min
    // share of the period, before the first leg starts, in which all feet should stand and the body is shifted
    double pause;
    double start[FF_WALK_LEGS];        // when a leg starts its transfer, as a share of the period
    uint32_t neighbours[FF_WALK_LEGS]; // legs that must stand while this one is in the air, one bit each
    uint32_t beside[FF_WALK_LEGS];     // the part of them on the same side
} ff_gait_table;

/// Fills a table for legs in rows of two: tripod lifts every other leg, gallop row after row from the rear, wave leg
/// after leg, the left side before the right, from the rear.
/// @return FF_OK, or FF_BAD_ARGUMENT where a row is not complete, or the gait leaves less than three feet down
FF_API ff_status ff_gait_table_make(ff_gait gait, const ff_leg_place *places, int n, ff_gait_table *table,
                                    ff_error *err);

// ------------------------------------------------------------------------------------------ the step cycle

/// Parts of a step: rise (23 of the thesis) and lay (24) move with the ground, swing up (13) and down (14) travel
/// ahead.
typedef enum ff_footstep_phase {
    FF_FOOTSTEP_SUPPORT,
    FF_FOOTSTEP_RISE,
    FF_FOOTSTEP_UP,
    FF_FOOTSTEP_DOWN,
    FF_FOOTSTEP_LAY
} ff_footstep_phase;

/// Step cycle (thesis 3.1 to 3.6), cleaned: T_tr = 2 L / V_tr, Period = T_tr / tau, V_st = V_tr tau / (2 - tau).
typedef struct ff_footstep_cycle {
    double tau;      // share of the transfer                                       in (0, 1/2]
    double length;   // L_sum, between the extreme positions                        [m]
    double zone;     // H_ad, height of the zone in which a foot searches for ground; the foot rises to twice that  [m]
    double transfer; // V_tr, horizontal speed against the body in the air          [m/s]
    double lift;     // V_up = V_down                                               [m/s]
    double air;      // T_tr, of the four parts together                            [s]
    double period;   // [s]
    double stance;   // V_st, speed of the body                                     [m/s]
    double rounded;  // share of the descent that is smooth at both ends: a foot lands with V_down less this share
} ff_footstep_cycle;

/// The cycle for these four; the rest follows from them.
FF_API ff_footstep_cycle ff_footstep_cycle_make(double tau, double length, double zone, double transfer);
/// The same period and speed of the body with less time in the air, so that a share `pause` of the period is left:
/// steps get a little longer, the transfer faster.
FF_API ff_footstep_cycle ff_footstep_cycle_with_pause(const ff_footstep_cycle *cycle, double pause);
/// Transfer speed that gives the body the speed `stance`: V_tr = V_st (2 - tau) / tau.
FF_API double ff_footstep_transfer_for(double tau, double stance);

/// Ideal step at the time t of its cycle, 0 at the start of the transfer: part, travel x from the centre (ahead +),
/// height.
FF_API ff_footstep_phase ff_footstep_ideal(const ff_footstep_cycle *cycle, double t, double *x, double *height);

// ------------------------------------------------------------------------------------------ between the levels

/// What goes from the action to the primitive level.
typedef struct ff_walk_setpoint {
    bool walk; // false: come to a stand with all feet at their centres
    ff_gait gait;
    ff_footstep_cycle cycle;          // its stance speed is the one of the fastest foot
    double pause;                     // share of the period with all feet down, before the first start of the table
    double velocity[2];               // of the body in the walk frame  [m/s]
    double turn;                      // yaw rate of the body           [rad/s]
    double centre[FF_WALK_LEGS][2];   // of the step cycles  [m]
    double scale[FF_WALK_LEGS];       // of each leg's step, 1 unless it should differ
    double rotation[FF_WALK_LEGS];    // of each leg's step about the vertical  [rad]
    double slope[FF_WALK_LEGS];       // rise of the ground below each leg's step, ahead, where it is known  [m/m]
    double height;                    // of the root body above the ground  [m]
    double roll, pitch;               // of the root body  [rad]
    double body[FF_WALK_BODY_JOINTS]; // joints between segments  [rad, m]
    bool shift_body;                  // correct the centre of mass
    bool control_forces;              // share the vertical forces out
} ff_walk_setpoint;

/// What the primitive level knows of the feet.
typedef struct ff_feet_seen {
    bool contact[FF_WALK_LEGS];         // the foot touches
    bool contact_unknown[FF_WALK_LEGS]; // by sensors; the foot is down when its step says so
    bool not_following[FF_WALK_LEGS];   // a joint of it does not follow its reference: it takes no step
    bool hold;                          // a joint somewhere does not: no foot is lifted any more
    bool bent;                          // it is one of the body: heights of feet say nothing about the ground
    bool light[FF_WALK_LEGS];           // it should carry so little that no contact means nothing
    bool loaded[FF_WALK_LEGS];          // it carries what it should, or more
    bool idle[FF_WALK_LEGS];            // it carries less than a third of what it should
    bool laden[FF_WALK_LEGS];           // it carries more than it should: a robot that stands does not lift it yet
    double force[FF_WALK_LEGS];         // vertical force of the ground on it  [N]
    bool ground_known[FF_WALK_LEGS];
    double ground[FF_WALK_LEGS]; // height of a foot against the standing ones, as measured  [m]
    double com[2];               // centre of mass in the walk frame  [m]
    double com_soon[2];          // where it will be when a foot that lifts now has left the ground  [m]
    bool balance;                // feet lift only where `com_soon` lies above those that stay down, by
    double least_margin;         // [m]
    double most_rate;            // where `balance`: change of the body's speed that its feet bear  [m/s^2]
    bool level_known;            // roll and pitch are known
    double roll, pitch;          // of the root body, less the commanded ones  [rad]
} ff_feet_seen;

/// What goes from the primitive to the servo level.
typedef struct ff_walk_plan {
    double foot[FF_WALK_LEGS][3]; // lowest point of each foot in the walk frame  [m]
    ff_footstep_phase phase[FF_WALK_LEGS];
    double force[FF_WALK_LEGS]; // wanted vertical force, 0 in the air  [N]
    double shift[2];            // of the bodies against the walk frame  [m]
    double margin;              // stability margin of the centre of mass on the feet that are down  [m]
    double forecast;            // the least of this and the next phase  [m]
    int support;                // feet down
} ff_walk_plan;

// ------------------------------------------------------------------------------------------ step generator

/// Limits and speeds of the step generator.
typedef struct ff_footstep_options {
    double behind;       // share of L_sum a foot may fall behind its centre; then the body waits
    double acceleration; // of the body when the pace rises; it falls twice as fast  [m/s^2]
    double catch_up;     // most a late leg hurries in the air
    double most_speed;   // of a foot in the air  [m/s]
    double search;       // speed at which a foot that has lost the ground is lowered  [m/s]
    double lost;         // time after which such a foot no longer counts as down  [s]
    double settle;       // speed of a foot from where it touched to where the ground is  [m/s]
    double close;        // a foot this near to its centre need not step when the robot stands  [m]
    double adapt;        // speed at which the body follows the height of the ground  [m/s]
    double level;        // time in which the body turns as commanded where its roll and pitch are known  [s]
    double parallel;     // and parallel to its feet where they are not  [s]
} ff_footstep_options;

/// One leg of the generator.
typedef struct ff_footstep_leg {
    ff_footstep_phase phase;
    double swing;    // share of the transfer done, 0 to 1, while in the air
    double foot[2];  // reference  [m]
    double height;   // reference above the level of the ground  [m]
    double ground;   // height on which it stands or stood last  [m]
    double aim;      // height at which it was when it left the ground  [m]
    double travel;   // x: from its centre along its step, ahead +  [m]
    double waiting;  // since it asked to lift; below 0 when it does not ask  [s]
    double without;  // time without contact in support  [s]
    double ideal[2]; // travel and height of the ideal generator  [m]
    int32_t missed;  // steps in a row that found no ground
    uint32_t stuck;  // its contact sensor reported contact all through the air: ignored until it is released
    int32_t awaited; // 1: it does not touch, and another leg cannot lift before it does
    int32_t early;   // 1: it met something before the end of its swing, and stands on that
} ff_footstep_leg;

/// All that a generator remembers: plain data.
typedef struct ff_footstep_memory {
    ff_footstep_leg legs[FF_WALK_LEGS];
    double clock;   // of the ideal generator, 0 to 1 a period
    double pace;    // share of the commanded twist at which the body moves now
    double raised;  // how far the ground has risen below the feet, as the adaptation found it  [m]
    int32_t gait;   // last
    int32_t moving; // 0: stands or comes to a stand
    double rest;    // after a change of gait: time that all feet should still stand before the next lift  [s]
    double held;    // time that a leg has waited for the centre of mass alone, 0: none does  [s]
} ff_footstep_memory;

/// The gait tables of a robot and the options of its generator; immutable.
typedef struct ff_footstep_setup {
    int n;
    ff_gait_table tables[FF_GAIT_COUNT];
    bool allowed[FF_GAIT_COUNT];
    ff_footstep_options options;
} ff_footstep_setup;

/// Tables of all gaits the legs allow.
/// @return FF_OK, or FF_BAD_ARGUMENT when there is none
FF_API ff_status ff_footstep_setup_make(const ff_leg_place *places, int n, const ff_footstep_options *options,
                                        ff_footstep_setup *setup, ff_error *err);
/// All feet down at `centre`, standing.
FF_API void ff_footstep_start(const ff_footstep_setup *setup, const double (*centre)[2], ff_footstep_memory *memory);
/// One period of the generator: clock, rules, pace of the body, new reference of each foot, adaptation to the ground.
/// @param dt  [s]
FF_API void ff_footstep_update(const ff_footstep_setup *setup, const ff_walk_setpoint *order, const ff_feet_seen *seen,
                               double dt, ff_footstep_memory *memory);

// ------------------------------------------------------------------------------------------ action level

/// What a user commands. Get one from ff_hexapod_command_get, change it, hand it to ff_hexapod_command_set.
typedef struct ff_walk_command {
    bool walk; // false: stand
    ff_gait gait;
    double speed;       // of the body                                                             [m/s]
    double direction;   // of it against ahead, to the left +                                      [rad]
    double turn;        // yaw rate, to the left +                                                 [rad/s]
    double transfer;    // V_tr; above 0 the size of the speed follows from it and the gait (thesis 3.1 to 3.6)  [m/s]
    double length;      // L_sum                                                                   [m]
    double zone;        // H_ad                                                                    [m]
    double height;      // of the root body above the ground                                       [m]
    double roll, pitch; // of the root body                                                       [rad]
    double body[FF_WALK_BODY_JOINTS]; // joints that no leg owns, in the order of the model       [rad, m]
    double scale[FF_WALK_LEGS];       // of each leg's step, in the order of the model's legs
    double rotation[FF_WALK_LEGS];    // of each leg's step about the vertical                    [rad]
    double slope[FF_WALK_LEGS];       // rise of the ground below each step, ahead, against that of all feet  [m/m]
    double incline;                   // rise of the plane of all feet against the horizontal, 1 at most           [rad]
    bool shift_body;                  // correct the centre of mass
    bool control_forces;              // control the vertical foot forces
    int hand;          // leg that serves as a hand while the others stand, by its number from 1 on; 0: none
    double reach[3];   // where its lowest point goes in the walk frame of the robot that stands     [m]
    double hand_speed; // of that motion                                                            [m/s]
    double hand_force; // it stops where the force on it reaches this; 0: it does not             [N]
    bool probe;        // where the hand arrives it presses and drags the ground, to find out what it is
} ff_walk_command;

/// What was found of the ground below a foot by pressing it, F = k p + c p v: stiffness k, damping c, friction.
typedef struct ff_walk_ground {
    double stiffness; // [N/m]; 0: not known
    double damping;   // [N s/m^2]
    double friction;  // [1]
} ff_walk_ground;

/// Status of a controller, one bit each.
typedef enum ff_walk_status {
    FF_WALK_SPEED_CLAMPED = 1 << 0,   // the commanded speed needs a faster transfer than the limit
    FF_WALK_POSE_CLAMPED = 1 << 1,    // height or attitude beyond what the legs can do
    FF_WALK_OUT_OF_REACH = 1 << 2,    // a foot or joint could not go where it should
    FF_WALK_CONTACT_UNKNOWN = 1 << 3, // the contact of a foot is unknown or ignored
    FF_WALK_STALE = 1 << 4,           // no joint data received for a while
    FF_WALK_UNBALANCED = 1 << 5,      // the centre of mass lies outside the feet that are down
    FF_WALK_BAD_NUMBER = 1 << 6,      // a number that is not finite was met and not passed on
    FF_WALK_WAITING = 1 << 7,         // the body waits for a foot
    FF_WALK_NOT_FOLLOWING = 1 << 8,   // a joint does not follow its reference: the robot stops
} ff_walk_status;
#define FF_WALK_STATUS_BITS 9

// ------------------------------------------------------------------------------------------ the controller

/// Where the feet stand (thesis, Fig. 3.24).
typedef enum ff_stance { FF_STANCE_POSE, FF_STANCE_RECTANGLE, FF_STANCE_ELLIPSE } ff_stance;

typedef struct ff_hexapod_options {
    ff_footstep_options step;
    const char *pose;      // in which the robot stands; q0 where the model has none of that name
    ff_stance stance;      // FF_STANCE_POSE: feet as in the pose
    double half[2];        // half axes of the rectangle or ellipse, ahead and sideways  [m]
    double transfer_limit; // greatest V_tr: what the motors can do  [m/s]
    double contact_on;     // vertical force above which a foot touches  [N]
    double contact_off;    // below which it no longer does  [N]
    double stale;          // time after which an old sensor value is not used  [s]
    double margin;         // of the centre of mass that the body shift aims at  [m]
    double shift_speed;    // of the body shift  [m/s]
    double shift_rate;     // change of that  [m/s^2]
    double shift_limit;    // of the body shift  [m]
    double posture;        // time in which joint sensors correct height and attitude  [s]
    double force_gain;     // K_f of the integral law  [m/(N s)]
    double force_leak;     // time in which the correction of a foot decays  [s]
    double force_limit;    // of the correction of a foot  [m]
    bool feedforward;      // send the torques that carry weight and foot forces along
    double rise;           // joint speed on the way to the stance at the start  [rad/s]
} ff_hexapod_options;
/// The defaults, which `footfall keys scene.control.gait` lists with all ranges; feet as in the pose.
FF_API ff_hexapod_options ff_hexapod_options_default(void);

typedef struct ff_hexapod ff_hexapod;

/// A controller for a robot with legs in rows of two (ff_model.legs), which stand on one root body or on segments that
/// joints connect.
/// @param model    its own model of the robot; must outlive it
/// @param options  copied; NULL for the default
/// @return         NULL with the reason in `err`: FF_BAD_ARGUMENT, FF_NOT_FOUND with the leg or number that does not
///                 fit, FF_LIMIT (a name of a leg is too long), FF_NO_MEMORY
FF_API ff_hexapod *ff_hexapod_create(const ff_model *model, const ff_hexapod_options *options, ff_error *err);
/// Frees it; NULL is allowed.
FF_API void ff_hexapod_destroy(ff_hexapod *hexapod);
/// Looks up the items of the frames: drives.JOINT.position, .speed and .force of every joint of legs and body, and of
/// the sensors what there is of joint positions, foot forces or touches, roll and pitch or their rates. Drives are
/// needed, sensors are not.
/// @return FF_OK, or FF_NOT_FOUND with the drive that is missing
FF_API ff_status ff_hexapod_bind(ff_hexapod *hexapod, const ff_io_layout *sensors, const ff_io_layout *references,
                                 ff_error *err);
/// The controller for frames of the layouts it is bound to; valid as long as `hexapod`.
FF_API ff_controller ff_hexapod_controller(ff_hexapod *hexapod);

/// The present commands; at first: stand in the stance, tripod, 7 cm steps, 2.5 cm zone, both corrections on.
FF_API ff_walk_command ff_hexapod_command_get(const ff_hexapod *hexapod);
/// Part of the commanded speeds that the robot walks at: below 1 where feet would be too fast (FF_WALK_SPEED_CLAMPED).
FF_API double ff_hexapod_slowed(const ff_hexapod *hexapod);
/// New commands, from the next cycle on. What is beyond reach is clamped, and the status says so.
/// @return FF_OK, or FF_BAD_ARGUMENT when a number is not finite or the gait unknown; the old commands stay
FF_API ff_status ff_hexapod_command_set(ff_hexapod *hexapod, const ff_walk_command *command, ff_error *err);

/// Bits of ff_walk_status that were met in the last cycle, and since the start.
FF_API unsigned ff_hexapod_status(const ff_hexapod *hexapod, unsigned *ever);

/// Place of a joint in ff_walk_command.body, -1 when there is no such joint, it belongs to a leg, or has no drive.
FF_API int ff_hexapod_body_joint(const ff_model *model, const char *name);
/// The last plan.
FF_API const ff_walk_plan *ff_hexapod_plan(const ff_hexapod *hexapod);

#ifdef __cplusplus
}
#endif
#endif
