// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of a scene: a simulation with everything that the scene contains, commands and interaction while it runs, and
// its results. A run has its own memory; runs of one scene are independent, also in several threads.
//
//     ff_run_options options = ff_run_options_default(scene);
//     options.time = 2.0;
//     ff_run *run = ff_run_create(scene, &options, &report);               // NULL: all errors are in the report
//     ff_recorder_open_hdf5(ff_run_recorder(run), "run.h5", &info, &err);  // or keep it in memory
//     ff_sim_add_listener(ff_run_sim(run), &progress, &err);
//     ff_status status = ff_run_go(run, &err);                             // runs, closes the recorder, evaluates
//     ... ff_run_result(run)->metrics, ->expectations ...
//     ff_run_destroy(run);
#ifndef FOOTFALL_RUN_H
#define FOOTFALL_RUN_H

#include <footfall/batch.h>
#include <footfall/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ff_run ff_run;

/// A controller of the caller for a robot, in place of the one that the scene names for it.
typedef struct ff_run_controller {
    int robot;                      // its number in scene->robots
    ff_robot_controller controller; // what it points to is borrowed for the run
    const ff_plugin *plugin;        // in its place, borrowed as well; NULL: none
} ff_run_controller;

/// A relay to a controller that runs elsewhere, such as in another process.
typedef struct ff_run_relay {
    int robot;      // its number in scene->robots
    ff_relay relay; // what it points to is borrowed for the run
} ff_run_relay;

/// Settings of a run that may differ from those of its scene.
typedef struct ff_run_options {
    double time;                          // planned end  [s]
    ff_sim_options sim;                   // method, step, tolerances, seed
    uint64_t bus_seed;                    // of jitter and losses of the bus: robots with one controller share them
    ff_record_options record;             // channels: "?NAME" where it exists; nchannel 0: nothing is recorded
    const double *q, *v;                  // start; NULL: that of the scene, from which a controller may move its robot
    bool touchable;                       // ff_run_push and ff_run_pull can be used
    const ff_run_controller *controllers; // of scenes with drives and sensors: `control: {callback: NAME}`
    int ncontroller;
    const ff_run_relay *relays; // robots whose controllers work elsewhere (footfall/link.h)
    int nrelay;
    unsigned permissions;    // granted to scripts, FF_PERMIT_..; a script that needs others is not started
    ff_python_finder python; // finds the function that runs controllers in Python; NULL: they are refused
    bool limited;            // bounds Lua scripts by FF_LIMITED_TIME and FF_LIMITED_MEMORY, to only inspect a scene
} ff_run_options;

/// The settings of the scene; all zero for NULL, which ff_run_create refuses.
FF_API ff_run_options ff_run_options_default(const ff_scene_spec *scene);

/// Creates a run: the simulation with start state, contacts, drives, sensors, controllers, forces, measures and
/// recorder. Errors are reported with their places in the file: channels and signals that do not exist, pairs of shapes
/// that cannot touch, controllers without the joints or sensors they need, robots that do not settle.
/// @param scene    borrowed; it must outlive the run
/// @param options  copied, with all it points to except controllers; NULL: the default
/// @return NULL when there were errors, or no scene
FF_API ff_run *ff_run_create(const ff_scene_spec *scene, const ff_run_options *options, ff_report *report);
/// Frees a run, also one that has not reached its end; NULL is allowed.
FF_API void ff_run_destroy(ff_run *run);

FF_API const ff_scene_spec *ff_run_scene(const ff_run *run);
/// The options of the run.
FF_API const ff_run_options *ff_run_get_options(const ff_run *run);
/// The simulation, which can be stepped, saved and restored. It lives as long as the run, as all below.
FF_API ff_sim *ff_run_sim(const ff_run *run);
/// @return NULL when nothing can meet
FF_API ff_world *ff_run_world(const ff_run *run);
/// @return NULL when nothing is recorded
FF_API ff_recorder *ff_run_recorder(const ff_run *run);

/// Can it run? @return FF_OK; FF_BAD_ARGUMENT if a controller is missing that the program must provide, or a script
/// lacks permissions. Such a run can still be inspected.
FF_API ff_status ff_run_is_ready(const ff_run *run, ff_error *err);
/// Runs to the planned end, closes the recorder and fills the result, also if the run fails or is stopped (then no
/// expectation is met). The simulation may have been stepped before.
/// @return status of ff_run_is_ready, of ff_sim_run, or of the recorder if that failed; FF_CONTROL if a controller
/// failed, after which its robot was held in place to the end: the result is that of the whole run
FF_API ff_status ff_run_go(ff_run *run, ff_error *err);

/// The robots of a run at its start as a batch model (batch.h). The joint law of the scene (`control: {hold, cycle}`)
/// and drives without states of their own become servos, the same for every robot of a batch; targets of a robot are
/// added to a cycle. Forces of the scene act on every robot, its sensors become names in formulas. Features that a
/// batch does not support are errors of `report`, unsupported sensors are warnings.
/// @param run  it has not begun
/// @return NULL when there were errors
FF_API ff_batch_model *ff_run_compile_batch(ff_run *run, ff_report *report);

// ------------------------------------------------------------------------------------------ the controller alone

/// Layouts of the I/O frames and signals of the controller of a robot. `values` are read only.
/// @return FF_NOT_FOUND if no controller of this run controls the robot
FF_API ff_status ff_run_controller_site(const ff_run *run, int robot, ff_relay_site *out, ff_error *err);
/// Sets a function that is called after each cycle of the controller of a robot, in the thread that simulates; before
/// the first step. What the tap points to is borrowed for the run. The tap stays if the script is replaced.
/// @return FF_NOT_FOUND as above
FF_API ff_status ff_run_tap_controller(ff_run *run, int robot, const ff_cycle_tap *tap, ff_error *err);
/// One cycle of the controller of a robot with frames of the caller, for a run that is not simulated because the robot
/// is elsewhere. Commands that are due are given first. All references are invalid before the call.
/// @return the conditions of the controller, a bit each
FF_API uint32_t ff_run_answer(ff_run *run, int robot, double t, const ff_io_frame *sensors, ff_io_frame *references);

/// Has the controller of a robot failed, so that its robot is held? @return FF_OK, or FF_CONTROL with time and cause
FF_API ff_status ff_run_check_controller(const ff_run *run, int robot, ff_error *err);

/// Layout of the frames between the two halves of a controller: a planner, and a stabiliser that follows its plans.
/// Each half works in a run of its own and gets the sensors of each cycle; together they are bit-identical to
/// ff_run_answer. The kinds `gait` and `biped` have halves. Names live as long as the run.
/// @return FF_OK; FF_NOT_FOUND if no controller of this run controls the robot; FF_BAD_ARGUMENT if it has no halves;
/// FF_LIMIT if a name of the robot is too long for an item
FF_API ff_status ff_run_plan_layout(const ff_run *run, int robot, ff_io_layout *out, ff_error *err);
/// A cycle of the planner. All items of the plan are invalid before the call, and stay so until there is a plan.
/// @return the conditions of the controller, a bit each
FF_API uint32_t ff_run_plan(ff_run *run, int robot, double t, const ff_io_frame *sensors, ff_io_frame *plan);
/// A cycle of the stabiliser with a plan. After a plan without values it keeps the robot where the last valid one
/// ended. All references are invalid before the call. @return the conditions of the controller, a bit each
FF_API uint32_t ff_run_stabilise(ff_run *run, int robot, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                                 ff_io_frame *references);

// ------------------------------------------------------------------------------------------ results

typedef struct ff_result {
    const ff_metric *metrics; // see ff_scene_metric_help
    int nmetric;
    const ff_expectation *expectations; // those of the scene, with measured values
    int nexpectation;
    bool passed;        // every expectation for this seed is met
    const char *events; // as of ff_run_list_events; NULL: nothing was recorded
} ff_result;

/// The result of a run, filled by ff_run_go.
FF_API const ff_result *ff_run_result(const ff_run *run);
/// Value of a metric after ff_run_go, also of bodies, which the result does not list. @return false if there is no
/// metric of that name
FF_API bool ff_run_metric(const ff_run *run, const char *name, double *value);
/// The expectations for this seed with their verdicts, as a summary lists them, in memory of `arena`. `count` is 0
/// without memory.
FF_API const ff_verdict *ff_run_verdicts(const ff_run *run, ff_arena *arena, int *count);

// ------------------------------------------------------------------------------------------ while it runs

/// The controller of a robot.
typedef struct ff_run_steering {
    const char *kind; // "gait", "lua", ..; "hold": the joint law alone; NULL: nothing
    const char *path; // of a script, else NULL
    const char *text; // of the script as it runs
    size_t length;
} ff_run_steering;
/// @param robot  its number in scene->robots
FF_API ff_run_steering ff_run_get_steering(const ff_run *run, int robot);

/// Keys of the commands that the controller of a robot takes now. @return how many were filled, at most `most`
FF_API int ff_run_command_keys(const ff_run *run, int robot, ff_command_key *out, int most);
/// Gives a command to the controller of a robot, between two steps: "{speed: 0.1, gait: wave}", as under `commands` of
/// the scene. Memory does not grow.
/// @return FF_OK; else the reason is in `report` and the last command stays valid, but a biped that cannot make the
/// commanded footsteps stops on two feet
FF_API ff_status ff_run_command(ff_run *run, int robot, const char *text, size_t length, ff_report *report);

/// Parameters that the script of a robot declares. @return how many were filled, at most `most`
FF_API int ff_run_parameters(const ff_run *run, int robot, ff_script_parameter *out, int most);
/// Sets a parameter of a script between two steps. @return FF_OK; FF_NOT_FOUND, or FF_BAD_ARGUMENT with the range in
/// `err`
FF_API ff_status ff_run_set_parameter(ff_run *run, int robot, const char *name, double value, ff_error *err);
/// Replaces the script of a robot between two steps; the motion continues. Numbers of `memory` that both scripts have
/// keep their values, as do parameters that were changed. New signals cannot be recorded before the next run. A script
/// that cannot start is reported with its line, and the old one continues.
/// @return FF_OK; FF_BAD_ARGUMENT if no script controls the robot; else the status of the script that cannot start
FF_API ff_status ff_run_set_script(ff_run *run, int robot, const char *text, size_t length, ff_report *report);
/// Messages that this has not reported before: falls, failures of controllers, lines that scripts print.
FF_API void ff_run_report_news(ff_run *run, ff_report *report);

/// Largest number of forces by the user at the same time: half of them pushes, half of them pulls.
#define FF_RUN_INTERACTIONS 16
/// Begins to push a point of a body, between two steps; the push ends with the first step that ends at or after its
/// time. Only in runs that are `touchable`. Recorded as push.force and push.body.
/// @param at       in the body's frame  [m]
/// @param force    world axes  [N]
/// @param seconds  up to 60
/// @return FF_OK, FF_BAD_ARGUMENT, or FF_LIMIT when too many act
FF_API ff_status ff_run_push(ff_run *run, int body, const double at[3], const double force[3], double seconds,
                             ff_error *err);
/// Pulls a point of a body to a target by a spring and damper, until it is called with NULL as target.
/// @param number  of the pull, 0 to FF_RUN_INTERACTIONS / 2 - 1
/// @param target  world  [m]
/// @return as ff_run_push
FF_API ff_status ff_run_pull(ff_run *run, int number, int body, const double at[3], const double *target,
                             ff_error *err);
/// Force number i of those that act on bodies now: `forces` of the scene, pushes and pulls. Poses must be current
/// (ff_sim_evaluate). @return the body; -1 past the last
FF_API int ff_run_outside(const ff_run *run, int i, double point[3], double force[3]);

/// Moves a robot with a free base to another pose, between two steps; it is at rest then, with the same joint
/// positions.
/// @param pos  of its base, NULL: unchanged  [m]
/// @param yaw  heading of its x axis, NaN: unchanged  [rad]
/// @return FF_OK, or FF_BAD_ARGUMENT with the reason
FF_API ff_status ff_run_put_robot(ff_run *run, int robot, const double *pos, double yaw, ff_error *err);
/// Sets the position of a hinge or slide within its stops; the robot is at rest then. Other joints follow if closed
/// kinematic loops demand it.
/// @param joint  with or without the prefix of the robot
/// @return FF_OK; FF_NOT_FOUND (no such joint), or FF_BAD_ARGUMENT with the reason
FF_API ff_status ff_run_put_joint(ff_run *run, int robot, const char *joint, double value, ff_error *err);

/// Events of a run that records, up to now, as a JSON list sorted by time, docs/studio.md. A touch-down or lift-off is
/// listed when it has lasted for the debounce.
/// @return malloc'ed; NULL without memory
FF_API char *ff_run_list_events(const ff_run *run);

// ------------------------------------------------------------------------------------------ pictures and advice

/// Begins to write pictures of the cameras in scene->pictures to an existing folder, when they are taken:
/// NAME-00001.png, NAME-00001-depth.png and pictures.csv with their times. A later error of a file ends the run.
/// @return FF_OK, FF_NOT_BUILT without libpng, or FF_BAD_FILE
FF_API ff_status ff_run_open_pictures(ff_run *run, const char *folder, ff_error *err);
/// Number of pictures written so far.
FF_API int ff_run_picture_count(const ff_run *run);

/// Reports notes on drives and sensors at this step: electrical poles that are left out, steps that end at samples.
FF_API void ff_run_report_choices(const ff_run *run, ff_report *report);
/// Reports those notes, and advice on the run: a warning if gravity is so large that it may not end; a warning if
/// shapes overlap at the start, or joints are beyond their stops, so that contacts or stops throw the robot; a note on
/// the step that the hardest contact needs; a warning if a fixed step is unstable, or does not resolve peaks of contact
/// forces.
FF_API void ff_run_advise(ff_run *run, ff_report *report);
/// After ff_run_go: reports scripts that failed, as errors, and warnings about contacts that steps did not resolve,
/// about a full contact buffer, and of controllers.
FF_API void ff_run_report_limits(const ff_run *run, ff_report *report);

#ifdef __cplusplus
}
#endif
#endif
