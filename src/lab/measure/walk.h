// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures of walking, for each robot that has legs:
//     walk.c         calls after a step, and falls              walk_robots.c   robots, their legs, bodies and memory
//     walk_feet.c    forces and slip of the feet                walk_steps.c    touch-downs, lift-offs, cycles, support
//     walk_body.c    motion of body, centre of mass and feet    walk_drives.c   energy and tracking of the drives
//     walk_metrics.c names and values of the metrics
//
// Each robot has one state, and sums for each window of time. Contacts, energies and the extremes of tracking, heading,
// height, attitude and reach are sampled at the end of every integration step; everything else that needs poses at most
// 100 times a second, ten times as fast as a body on legs sways.
//
// The touch of a foot is debounced: touches and gaps shorter than `debounce` do not count. Its 20 ms are longer than
// the chatter of rubber feet at touch-down (half period pi sqrt(m/k), some milliseconds), and shorter than swings of a
// tenth of a second and more. A change that lasts counts from its beginning, so that duty factors are not biased, but
// is known only later. So samples for support and margin, which depend on the feet on the ground, wait that long. A
// flat foot lands on its heel and leaves the ground again while the robot's weight moves over it, that of LOLA for 26
// to 40 ms: a foot that is in the air for less than `rebound`, 50 ms, has made no footstep.
#ifndef FOOTFALL_MEASURE_WALK_H
#define FOOTFALL_MEASURE_WALK_H

#include "measure/measure.h"

#include <footfall/balance.h>

enum { FF_WALK_TOUCHES = 8 }; // touch-downs of a leg stored within one cycle of the first leg

#define FF_WALK_SAMPLE 10e-3 // period of the samples  [s]

/// Sums of one leg in one window.
typedef struct ff_walk_leg_sum {
    double push;                          // integral of the vertical force  [N s]
    double peak;                          // largest normal force            [N]
    double touched;                       // time in touch                   [s]
    double slid;                          // distance slid                   [m]
    int steps;                            // number of touch-downs
    double began;                         // last touch-down in the window, NaN before the first  [s]
    int cycles;                           // number of whole cycles, from touch-down to touch-down
    double cycle_time, stance_time;       // sums over these  [s]
    int stances;                          // number of stances, from touch-down to lift-off
    double stance_slip, stance_slip_most; // distance slid in stances: sum, largest  [m]
    double phase_cos, phase_sin;          // sums over touch-downs
    int phases;                           // number of these
    double ahead[2];                      // least and greatest position of the foot along the x axis of the body  [m]
} ff_walk_leg_sum;

/// Sums of one robot in one window.
typedef struct ff_walk_sum {
    ff_walk_leg_sum *legs;
    double span;                            // time covered by steps             [s]
    double push;                            // impulse of all feet, up           [N s]
    double energy;                          // energy of the drives              [J]
    double time;                            // time covered by samples           [s]
    double way[3];                          // displacement ahead, left, up: level axes  [m]
    double forward, sideways;               // displacement along the heading of the body, and to its left  [m]
    double command_way[2], command_time;    // commanded displacement ahead and to the left; its time  [m], [s]
    double command_done, command_squares;   // integrals of velocity times command, and of command squared  [m^2/s]
    double heading0, turned, commanded;     // heading at the beginning; rotation since then, and commanded one  [rad]
    double heading_error;                   // largest |turned - commanded|      [rad]
    double height0, height, height_squares; // first height [m]; integrals of height - height0  [m s], [m^2 s]
    double low, high;                       // least and greatest height         [m]
    double roll[2];                         // least and greatest roll           [rad]
    double rise[2];                         // least and greatest vertical component of the body's x axis, -sin(pitch)
    double upright;                         // least vertical component of its z axis, cos(tilt)
    double track_squares, track_most;       // tracking errors: sum of squares, largest
    long long tracked;                      // number of errors in the sum
    double support_time, support;           // time; integral of the number of feet on the ground  [s]
    double support_least;                   // fewest feet on the ground
    double margin_time, margin, margin_least, negative; // time, integral [m s], least [m], time below zero [s]
    double neighbours;                                  // time with two neighbours of one side in the air  [s]
    bool begun;                                         // the window has a sample
} ff_walk_sum;

typedef struct ff_walk_leg {
    int leg;          // of the model
    const char *name; // without the prefix of the robot
    // at the end of this step and of the one before
    bool touching, touched;
    double up, up_before;     // vertical force  [N]
    double pushed;            // its integral over the last step, by the method if it integrates it  [N s]
    double impulse;           // the same since the start  [N s]
    double normal;            // sum of normal forces  [N]
    double slip, slip_before; // speed across the ground, mean of its points weighted by normal forces  [m/s]
    double slipped;           // its integral over the last step, by the method if it integrates it  [m]
    double way;               // the same since the start  [m]
    double (*points)[2];      // points in touch, level axes
    int npoint;
    // debounced
    bool down;
    double changed;                  // time since which it is `down` or not, -INFINITY: before the run  [s]
    double pending;                  // time of a change that is not certain yet, NaN: none  [s]
    double lift;                     // last lift-off  [s]
    bool rising;                     // that lift-off may still be the begin of a rebound
    double stance_slid;              // distance slid in the stance before it  [m]
    double slid;                     // distance slid since then  [m]
    double waiting[FF_WALK_TOUCHES]; // touch-downs since that of the first leg  [s]
    int nwaiting;
    double ahead;  // position of the foot along the x axis of the body  [m]
    double sole;   // height of its lowest point, level axes  [m]
    int neighbour; // next leg behind it on its side, -1: none
} ff_walk_leg;

/// A joint with a position reference: that of a drive, or of the joint law (drive -1).
typedef struct ff_walk_track {
    int drive, joint, qadr;
} ff_walk_track;

/// Samples that wait until it is certain which feet were on the ground.
typedef struct ff_walk_queue {
    double *time, *span, (*com)[2]; // (size)
    int *npoint;                    // (size*nleg)
    double (*points)[2];            // (size*nleg*most)
    int first, count, size;
} ff_walk_queue;

/// Signals that can be recorded: values at the last sample, not debounced.
enum {
    FF_WALKER_MARGIN,
    FF_WALKER_SUPPORT,
    FF_WALKER_HEIGHT,
    FF_WALKER_SPEED,
    FF_WALKER_HEADING,
    FF_WALKER_ROLL,
    FF_WALKER_PITCH,
    FF_WALKER_SIGNALS
};

/// A robot with legs and the state of its measures.
typedef struct ff_walker {
    const char *lead; // part of names after that of the window: "", or "NAME." if there are several robots
    int robot;        // its number in the site
    int vadr, nv;
    ff_walk_leg *legs;
    int nleg;
    int most_points;   // largest number of points of a foot
    int base;          // body whose axes are those of the robot
    int *nodes, nnode; // nodes with mass
    bool *trunk;       // whether the node belongs to no leg  (nnode)
    double mass, trunk_mass, weight;
    int *drives, ndrive;
    double *drawn; // energy of each drive at the last step  [J]
    ff_walk_track *tracks;
    int ntrack;
    double other;   // vertical force on bodies other than feet  [N]
    double sampled; // time of the last sample, NaN before the first  [s]
    double pos[3];  // centre of mass of the trunk, level axes  [m]
    double heading, roll, pitch, tilt;
    double stature; // height of the trunk's centre of mass above the lowest foot  [m]
    double lowest;  // the robot has collapsed below this stature: half of that at the start, less if commanded  [m]
    double command; // least height commanded since the start  [m]
    double fall_since, up_since; // since when it lies or does not lie, NaN  [s]
    bool fallen;
    int falls, reported_falls;
    double fall_time; // of the first fall  [s]
    double *across;   // lateral positions of the feet at the start, left positive  [m]  (nleg)
    double *few;      // since when at most that many feet are on the ground, NaN: more are  [s]  (nleg + 1)
    ff_walk_queue queue;
    ff_walk_sum *sums; // (nwindow)
    double signals[FF_WALKER_SIGNALS];
} ff_walker;

typedef struct ff_walk {
    const ff_measure_site *site;
    const ff_measure_window *windows;
    int nwindow;
    double debounce; // [s]
    double rebound;  // [s]
    double tilt;     // limit of a fall  [rad]
    double axes[9];  // level frame: x ahead, y left and z up, against gravity, as rows
    ff_walker *robots;
    int nrobot;
    int *robot_of;    // robot of each body, -1: none  (nbody)
    int *leg_of;      // number in its robot of each leg of the model  (nleg)
    double last_step; // time of its end  [s]
} ff_walk;

/// Turns a vector into the level frame.
static inline void ff_walk_level(const ff_walk *walk, const double world[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = ff_vec3_dot(walk->axes + 3 * i, world);
}

static inline void ff_walk_note(const ff_walk *walk, ff_measure_event event, int number, double t)
{
    if (walk->site->note) walk->site->note(walk->site->context, event, number, t);
}

// walk_robots.c
/// Finds the robots with legs; NULL if there are none, or without memory (arena->failed).
ff_walk *ff_walk_find(const ff_measure_site *site, ff_arena *arena);
/// Allocates memory for a run. @return false without memory
bool ff_walk_make(ff_walk *walk, ff_arena *arena);

// walk_feet.c
/// Stores forces, slip and points of the feet at the end of a step.
void ff_walk_inspect_feet(ff_walk *walk, const ff_world_contact *contacts, int count);
/// Integrates them over the step.
void ff_walk_add_forces(const ff_walk *walk, ff_walker *robot, double t, double span);
/// Adds a point at which a foot touches, if there is room.
void ff_walk_add_point(const ff_walker *robot, ff_walk_leg *leg, const double at[3]);

// walk_drives.c
/// Lists drives and references of the robot. @return false without memory
bool ff_walk_list_drives(const ff_walk *walk, ff_arena *arena, ff_walker *robot);
/// Adds the energy of the drives over a step.
void ff_walk_add_energy(const ff_walk *walk, ff_walker *robot, double t, double span);
/// Updates the largest tracking error, after every step.
void ff_walk_watch_tracking(const ff_walk *walk, ff_walker *robot, double t);
/// Adds the squares of tracking errors, at a sample.
void ff_walk_add_tracking(const ff_walk *walk, ff_walker *robot, double t);

// walk_body.c
/// Updates extremes of height and attitude of the body and of positions of its feet, after every step.
void ff_walk_watch_posture(const ff_walk *walk, ff_walker *robot, double t);
/// Samples the motion of body, centre of mass and feet.
void ff_walk_sample(const ff_walk *walk, ff_walker *robot, double t);

// walk_steps.c
/// Sets the touch of all feet at the start.
void ff_walk_start_steps(const ff_walk *walk, ff_walker *robot);
/// Handles touch-downs and lift-offs that are certain by now.
void ff_walk_step(const ff_walk *walk, ff_walker *robot, double t);
/// Stores the positions of the centre of mass and the feet at a sample.
void ff_walk_queue_put(ff_walker *robot, double t, double span, const double com[2]);
/// Computes support and margin of all stored samples that are certain at time t (infinite: of all).
void ff_walk_queue_take(const ff_walk *walk, ff_walker *robot, double t);

// walk_metrics.c
extern const ff_metric_help ff_walk_help[];
void ff_walk_names(const ff_measure_site *site, ff_measure_names *out);
void ff_walk_list(const void *context, double *values);

/// Copies the state of the measures to a block (NULL: only counts), and back. @return its size  [byte]
size_t ff_walk_save(const void *context, void *block);
void ff_walk_restore(void *context, const void *block);

#endif
