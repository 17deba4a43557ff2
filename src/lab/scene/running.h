// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run of a scene: its own memory, and the functions that add the contents of the constant description to it. run.c
// calls these in their order.
#ifndef FOOTFALL_SCENE_RUNNING_H
#define FOOTFALL_SCENE_RUNNING_H

#include "scene/reader.h"

#include <footfall/run.h>
#include <math.h>

typedef struct ff_run_law ff_run_law;
typedef struct ff_run_host ff_run_host;
typedef struct ff_run_faults ff_run_faults;
typedef struct ff_run_interactions ff_run_interactions;
typedef struct ff_run_events ff_run_events;
typedef struct ff_run_pictures ff_run_pictures;

struct ff_run {
    const ff_scene_spec *scene;
    ff_run_options options; // what it points to is in the arena, but for controllers
    ff_arena arena;
    double *q, *v; // start
    ff_sim *sim;
    ff_world *world;       // NULL: nothing can meet
    ff_recorder *recorder; // owned by sim; NULL: nothing is recorded
    ff_steering *steerings;
    int nsteering;
    bool steered;                      // all controllers have begun
    struct ff_run_force *forces;       // (scene->nforce)
    ff_run_law *law;                   // NULL: none
    struct ff_run_slack *slack;        // NULL: no pairs of cables
    struct ff_run_wraps *wraps;        // NULL: no tendons around shapes
    ff_run_host *host;                 // the joint law over a bus, NULL: none is modelled
    ff_run_faults *faults;             // NULL: none
    ff_run_interactions *interactions; // pushes and pulls, NULL: the run is not touchable
    ff_run_events *events;             // list of events, NULL: nothing is recorded
    ff_run_pictures *pictures;         // NULL: none are written
    struct ff_measures *measures;
    ff_expectation *expectations;
    ff_result result;
};

// run.c
#define FF_RUN_COMMAND_PERIOD 1e-3 // period of the host that sends references to drives  [s]

// control.c
/// The joint law of a run.
struct ff_run_law {
    ff_scene_law asked;
    int *joints; // hinges and slides of the robots
    int njoint;
    double *start;   // (nq)
    double *torque;  // feedforward of joints without drives  (nv)
    bool pushes;     // some of it is not zero
    double *push;    // feedforward of joints with drives  (nv)
    double *target;  // scratch: targets and their rates  (nq + nv)
    double *squares; // scratch: sum of the squared levers of all drives on a degree of freedom  (nv)
};
/// Adds the joint law, if there is one or a robot settles.
ff_status ff_run_add_law(ff_run *run, ff_error *err);
/// Target of coordinate `qadr` at time t and its rate.
static inline void ff_law_target(const ff_run_law *c, int nq, int qadr, double t, double *q, double *rate)
{
    *q = c->start[qadr];
    *rate = 0.0;
    if (!c->asked.poses) return;
    double phase = t / c->asked.period * c->asked.npose, whole = floor(phase), u = phase - whole;
    int from = (int)fmod(whole, c->asked.npose), to = (from + 1) % c->asked.npose;
    double a = c->asked.poses[from * nq + qadr], b = c->asked.poses[to * nq + qadr];
    *q = a + (b - a) * u * u * (3.0 - 2.0 * u);
    *rate = (b - a) * 6.0 * u * (1.0 - u) * c->asked.npose / c->asked.period;
}

// effects.c
/// Adds drives and sensors, with tasks that give the drives the targets of the joint law and the references.
ff_status ff_run_add_plant(ff_run *run, ff_error *err);
/// Starts the drives at the positions of the robots, with the torques of robots that settled.
void ff_run_start_drives(ff_run *run, ff_report *report);

/// Sends targets of the joint law as references to the drives of robots without a controller. A drive without a loop
/// gets the torque of the law, sampled.
/// @param q, v   measured state of the joints; NULL: not known, then without feedback
/// @param frame  gets the references; NULL: they go to the drives directly
void ff_run_send_targets(const ff_run *run, double t, const double *q, const double *v, ff_io_frame *frame);

// controllers.c
/// The steering of a robot; NULL: none.
ff_steering *ff_run_find_steering(const ff_run *run, int robot);
/// Has the robot of that degree of freedom a controller?
bool ff_run_is_steered(const ff_run *run, int dof);
/// Does a controller give position references to the drive of that degree of freedom, which has no own loop?
bool ff_run_is_led(const ff_run *run, int dof);
/// Kind of a controller of the scene that another one replaces (ff_run_options.controllers), whose signals do not
/// exist, which is no error; NULL: there is none.
const char *ff_run_replaced_controller(const ff_run *run);
/// Signal of that name (PREFIXNAME if a robot has a prefix), in memory of its controller; NULL: none has it.
const double *ff_run_find_signal(const ff_run *run, const char *name, size_t length);
void ff_run_report_controllers(const ff_run *run, ff_report *report);
/// Present command of the controller of a robot for the motion of the body; zero if it takes no commands.
ff_body_command ff_run_body_command(const ff_run *run, int robot);

// host.c
/// Adds the host, if the bus is modelled; after drives and sensors.
ff_status ff_run_add_host(ff_run *run, ff_error *err);
void ff_run_host_cycle(const ff_run *run, double t, const ff_io_frame *sensors, ff_io_frame *references);

// faults.c
/// Adds faults of sensors and drives; after the bus.
ff_status ff_run_add_faults(ff_run *run, ff_error *err);
/// A frame of sensors with the faults of sensors; `sensors` itself if there are none.
const ff_io_frame *ff_run_lose_sensors(const ff_run *run, double t, const ff_io_frame *sensors);
/// Removes references that do not reach their drives because of faults.
void ff_run_lose_references(const ff_run *run, double t, ff_io_frame *references);

// forces.c
/// A force of the scene.
typedef struct ff_run_force {
    const ff_scene_force *asked;
    int acts; // 1 in its window
} ff_run_force;
ff_status ff_run_add_springs(ff_run *run, ff_error *err);
ff_status ff_run_add_forces(ff_run *run, ff_error *err);

/// Has the run contacts without compliance?
static inline bool ff_run_is_rigid(const ff_run *run)
{
    return run->world && run->scene->touch.response != FF_RESPONSE_FORCE;
}

// sensors.c
/// Reports notes on the sensors, such as sample rates at which steps must end.
void ff_run_advise_sensors(const ff_run *run, ff_report *report);

// pictures.c
/// Ends the list of pictures. @return the first error of their files
ff_status ff_run_close_pictures(ff_run *run, ff_error *err);

#endif
