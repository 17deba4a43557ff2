// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Measures of walking, for each robot that has legs:
//     walk.c         what is done after a step, and falls       walk_robots.c   robots, their legs, bodies and memory
//     walk_feet.c    forces and slip of the feet                walk_steps.c    touch-downs, lift-offs, cycles, support
//     walk_body.c    where body, centre of mass and feet are    walk_drives.c   energy and tracking of the drives
//     walk_metrics.c names and values of the metrics
//
// Each robot keeps one running state, and for each window of time sums that grow with it. Contacts, energies and the
// extremes of tracking, heading, height, attitude and reach are taken at the end of every step of the integrator,
// everything else that needs poses at most 100 times a second, ten times as fast as a body on legs sways.
//
// A foot's touch is debounced: touches and gaps shorter than `debounce` do not count. 20 ms lie between the chatter of
// rubber feet at touch-down (half period pi sqrt(m/k), some milliseconds) and swings of a tenth of a second and more. A
// change that lasts counts from its beginning, so that duty factors are not biased, but it is known only later: what
// depends on which feet carry (support, margin) waits that long. A flat foot lands on its heel, yields and leaves the
// ground again while the robot's weight comes over it, LOLA's for 26 to 40 ms: a foot that is up for less than
// `rebound`, 50 ms, has made no step.
#ifndef FOOTFALL_MEASURE_WALK_H
#define FOOTFALL_MEASURE_WALK_H

#include "measure/measure.h"

#include <footfall/balance.h>

enum { FF_WALK_TOUCHES = 8 }; // touch-downs of a leg kept within one cycle of the first leg

#define FF_WALK_SAMPLE 10e-3 // period of the samples  [s]

/// Sums of one leg in one window.
typedef struct ff_walk_leg_sum {
    double push;    // integral of the vertical force  [N s]
    double peak;    // largest normal force            [N]
    double touched; // time in touch                   [s]
    double slid;    // [m]
    int steps;      // touch-downs
    double began;   // last touch-down in the window, NaN before the first  [s]
    int cycles;     // whole ones, from touch-down to touch-down
    double cycle_time, stance_time;
    int stances; // from touch-down to lift-off
    double stance_slip, stance_slip_most;
    double phase_cos, phase_sin;
    int phases;
    double ahead[2]; // least and greatest place of the foot along the axis of the body  [m]
} ff_walk_leg_sum;

/// Sums of one robot in one window.
typedef struct ff_walk_sum {
    ff_walk_leg_sum *legs;
    double span;                            // measured at the steps    [s]
    double push;                            // of all feet, up          [N s]
    double energy;                          // of the drives            [J]
    double time;                            // measured at the samples  [s]
    double way[3];                          // ahead, left, up: level axes  [m]
    double forward, sideways;               // the same along the heading of the body, which turns  [m]
    double command_way[2], command_time;    // commanded way ahead and to the left, and for how long one was  [m], [s]
    double command_done, command_squares;   // integrals of velocity times command, and of its square  [m^2/s]
    double heading0, turned, commanded;     // heading at the beginning; turned since then, and commanded to  [rad]
    double heading_error;                   // greatest difference of these two, in size
    double height0, height, height_squares; // integrals of height - height0  [m s], [m^2 s]
    double low, high;
    double roll[2]; // least and greatest  [rad]
    double rise[2]; // the same of how far the body's x axis points up: - sin(pitch)
    double upright; // least of how far its z axis does: cos(tilt)
    double track_squares, track_most;
    long long tracked;
    double support_time, support; // integral of the number of feet that carry  [s]
    double support_least;
    double margin_time, margin, margin_least, negative; // integral [m s]; least [m]; time below zero [s]
    double neighbours;                                  // time with two neighbours of one side in the air  [s]
    bool begun;                                         // a sample has been inside
} ff_walk_sum;

typedef struct ff_walk_leg {
    int leg;          // of the model
    const char *name; // without the prefix of the robot
    // at this sample of the contacts and the one before
    bool touching, touched;
    double up, up_before;     // vertical force    [N]
    double pushed;            // its integral over the last step, by the method itself where it has one  [N s]
    double impulse;           // since the start   [N s]
    double normal;            // sum of normal forces  [N]
    double slip, slip_before; // speed across the ground, mean of its points by their normal forces  [m/s]
    double slipped;           // its integral over the last step, as that of the force  [m]
    double way;               // the same since the start  [m]
    double (*points)[2];      // where it touches, level axes
    int npoint;
    // debounced
    bool down;
    double changed;                  // when that began, -INFINITY: before the run  [s]
    double pending;                  // when it may have changed, NaN: it has not    [s]
    double lift;                     // last lift-off  [s]
    bool rising;                     // it may still be the begin of a rebound
    double stance_slid;              // before it      [m]
    double slid;                     // since then     [m]
    double waiting[FF_WALK_TOUCHES]; // touch-downs since that of the first leg  [s]
    int nwaiting;
    double ahead;  // place of the foot along the axis of the body  [m]
    double sole;   // height of its lowest point, level axes         [m]
    int neighbour; // next leg behind it on its side, -1: none
} ff_walk_leg;

/// What follows a joint's position: the reference of a drive, or the joint law (drive -1).
typedef struct ff_walk_track {
    int drive, joint, qadr;
} ff_walk_track;

/// Samples that wait until it is known which feet carried.
typedef struct ff_walk_queue {
    double *time, *span, (*com)[2]; // (size)
    int *npoint;                    // (size*nleg)
    double (*points)[2];            // (size*nleg*most)
    int first, count, size;
} ff_walk_queue;

/// What recorders may keep: as it is at the last sample, not debounced.
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

/// A robot with legs, as it is seen walking.
typedef struct ff_walker {
    const char *lead; // "" or "NAME." behind that of the window, where there are several robots
    int robot;        // of the site
    int vadr, nv;
    ff_walk_leg *legs;
    int nleg;
    int most_points;   // of a foot
    int base;          // body whose axes are those of the robot
    int *nodes, nnode; // that have mass
    bool *trunk;       // does the node belong to no leg?  (nnode)
    double mass, trunk_mass, weight;
    int *drives, ndrive;
    double *drawn; // energy of each drive at the last look  [J]
    ff_walk_track *tracks;
    int ntrack;
    double other;   // vertical force on what is no foot  [N]
    double sampled; // time of the last sample, NaN before the first
    double pos[3];  // of the trunk's centre of mass, level axes
    double heading, roll, pitch, tilt;
    double stature; // height of the trunk's centre of mass above the lowest foot  [m]
    double lowest; // it has collapsed below this: half of what it had at the start, or was commanded to have since  [m]
    double command;              // of the height, at the start  [m]
    double fall_since, up_since; // [s], NaN
    bool fallen;
    int falls, reported_falls;
    double fall_time;
    double *across; // places of the feet at the start, left positive  [m]  (nleg)
    double *few;    // since when at most that many feet carry, NaN: more do  (nleg + 1)
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
    int *robot_of; // of each body, -1: none  (nbody)
    int *leg_of;   // number in its robot of each leg of the model  (nleg)
    double looked; // [s]
} ff_walk;

/// A vector in the level frame.
static inline void ff_walk_level(const ff_walk *walk, const double world[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = ff_vec3_dot(walk->axes + 3 * i, world);
}

static inline void ff_walk_note(const ff_walk *walk, ff_measure_event event, int number, double t)
{
    if (walk->site->note) walk->site->note(walk->site->context, event, number, t);
}

// walk_robots.c
/// Robots with legs; NULL when there are none, or memory is short: then the arena says so.
ff_walk *ff_walk_find(const ff_measure_site *site, ff_arena *arena);
/// Memory for a run. @return false when memory is short
bool ff_walk_make(ff_walk *walk, ff_arena *arena);

// walk_feet.c
/// What feet do after a step, and integrals over it.
void ff_walk_inspect_feet(ff_walk *walk, const ff_world_contact *contacts, int count);
void ff_walk_add_forces(const ff_walk *walk, ff_walker *robot, double t, double span);
/// One point more where a foot stands, while there is room.
void ff_walk_add_point(const ff_walker *robot, ff_walk_leg *leg, const double at[3]);

// walk_drives.c
/// Drives and references of the robot. @return false when memory is short
bool ff_walk_list_drives(const ff_walk *walk, ff_arena *arena, ff_walker *robot);
/// Energy over the step that has ended.
void ff_walk_add_energy(const ff_walk *walk, ff_walker *robot, double t, double span);
/// Errors of tracking: the largest after every step, the sum of their squares at the samples.
void ff_walk_watch_tracking(const ff_walk *walk, ff_walker *robot, double t);
void ff_walk_add_tracking(const ff_walk *walk, ff_walker *robot, double t);

// walk_body.c
/// Extremes of height and attitude of the body and of where its feet are, after every step.
void ff_walk_watch_posture(const ff_walk *walk, ff_walker *robot, double t);
/// Where body, centre of mass and feet are.
void ff_walk_sample(const ff_walk *walk, ff_walker *robot, double t);

// walk_steps.c
void ff_walk_start_steps(const ff_walk *walk, ff_walker *robot);
/// Touch-downs and lift-offs that are certain by now.
void ff_walk_step(const ff_walk *walk, ff_walker *robot, double t);
/// Keeps where the centre of mass and the feet are now.
void ff_walk_queue_put(ff_walker *robot, double t, double span, const double com[2]);
/// Support and margin of all that is certain at time t (infinite: of all).
void ff_walk_queue_take(const ff_walk *walk, ff_walker *robot, double t);

// walk_metrics.c
extern const ff_metric_help ff_walk_help[];
void ff_walk_names(const ff_measure_site *site, ff_measure_names *out);
void ff_walk_list(const void *context, double *values);

/// Copies all that was measured into the block (NULL: counts alone), and back. @return bytes
size_t ff_walk_save(const void *context, void *block);
void ff_walk_restore(void *context, const void *block);

#endif
