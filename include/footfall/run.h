// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs of a scene: a simulation with everything the scene wants in it, what is said and done while it runs, and what
// comes out. A run has its own memory; runs of one scene are independent, also in several threads.
//
//     ff_run_options options = ff_run_options_default(scene);
//     options.time = 2.0;
//     ff_run *run = ff_run_create(scene, &options, &report);               // NULL: every mistake is in the report
//     ff_recorder_open_hdf5(ff_run_recorder(run), "run.h5", &info, &err);  // or keep it in memory
//     ff_sim_add_listener(ff_run_sim(run), &progress, &err);
//     ff_status status = ff_run_go(run, &err);                             // runs, closes the recorder, judges
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

/// A controller of the caller's own for a robot, in place of the one the scene names for it.
typedef struct ff_run_controller {
    int robot;                      // its number in scene->robots
    ff_robot_controller controller; // what it points to is borrowed for the run
    const ff_plugin *plugin;        // in its place, borrowed as well; NULL: none
} ff_run_controller;

/// The cycles of a robot's controller are done elsewhere.
typedef struct ff_run_relay {
    int robot;      // its number in scene->robots
    ff_relay relay; // what it points to is borrowed for the run
} ff_run_relay;

/// What a run may have otherwise than its scene says.
typedef struct ff_run_options {
    double time;                          // planned end  [s]
    ff_sim_options sim;                   // method, step, tolerances, seed
    uint64_t bus_seed;                    // of jitter and losses of the bus: robots with one controller share them
    ff_record_options record;             // channels: "?NAME" where it exists; nchannel 0: nothing is recorded
    const double *q, *v;                  // start; NULL: that of the scene, from which a controller may move its robot
    bool touchable;                       // ff_run_push and ff_run_pull can be used
    const ff_run_controller *controllers; // scenes with drives and sensors take them: `control: {callback: NAME}`
    int ncontroller;
    const ff_run_relay *relays; // robots whose controllers work elsewhere (footfall/link.h)
    int nrelay;
    unsigned permissions;    // of scripts, FF_PERMIT_..; 0: none, and such a script is not started
    ff_python_finder python; // finds what runs controllers in Python; NULL: nothing, and they are refused
    /// Scripts in Lua get FF_LIMITED_TIME and FF_LIMITED_MEMORY at most: for programs that only show scenes.
    bool limited;
} ff_run_options;

/// As the scene says; all zero without one (NULL), which ff_run_create refuses.
FF_API ff_run_options ff_run_options_default(const ff_scene_spec *scene);

/// Makes the simulation with start state, contacts, drives, sensors, controllers, forces, measuring and recorder. What
/// is wrong goes to the report, each mistake with its place in the file: channels and signals that do not exist, shapes
/// that cannot touch, controllers that do not find what they need, robots that do not settle.
/// @param scene    borrowed: it outlives the run
/// @param options  copied, with what it points to but for controllers; NULL: the default
/// @return NULL when there were errors, or no scene
FF_API ff_run *ff_run_create(const ff_scene_spec *scene, const ff_run_options *options, ff_report *report);
/// Ends a run, also one that did not go to its end; NULL is allowed.
FF_API void ff_run_destroy(ff_run *run);

FF_API const ff_scene_spec *ff_run_scene(const ff_run *run);
/// The options it was made with.
FF_API const ff_run_options *ff_run_get_options(const ff_run *run);
/// The simulation, which can be stepped, listened to, saved and restored. It lives as long as the run, as all below.
FF_API ff_sim *ff_run_sim(const ff_run *run);
/// @return NULL when nothing can meet
FF_API ff_world *ff_run_world(const ff_run *run);
/// @return NULL when nothing is recorded
FF_API ff_recorder *ff_run_recorder(const ff_run *run);

/// Can it run? @return FF_OK; FF_BAD_ARGUMENT, where a controller lacks that the scene leaves to the program, or a
/// script lacks permissions. Such a run can be inspected all the same.
FF_API ff_status ff_run_is_ready(const ff_run *run, ff_error *err);
/// Runs to the planned end, closes the recorder, fills the result, also after a run that failed or was stopped (then no
/// expectation is met). Time that the simulation was run by other means before counts.
/// @return status of ff_run_is_ready, of ff_sim_run, or of the recorder when that failed; FF_CONTROL where a controller
/// failed on the way, and its robot was held to the end: the result is that of the whole run
FF_API ff_status ff_run_go(ff_run *run, ff_error *err);

/// The robots of a run at its start as a batch model (batch.h): the joint law of the scene (`control: {hold, cycle}`)
/// and drives without states of their own become servos, which every robot of a batch follows; with a cycle, targets of
/// a robot are added to it. Forces of the scene act on every robot, its sensors are names of formulas. What a batch
/// cannot do is an error of `report`, sensors it does not have are a warning.
/// @param run  not begun
/// @return NULL when there were errors
FF_API ff_batch_model *ff_run_compile_batch(ff_run *run, ff_report *report);

// ------------------------------------------------------------------------------------------ the controller alone

/// What the controller of a robot works with: its frames and signals. `values` are read only.
/// @return FF_NOT_FOUND where no controller of this run steers the robot
FF_API ff_status ff_run_controller_site(const ff_run *run, int robot, ff_relay_site *out, ff_error *err);
/// Lets the caller see each cycle of the controller of a robot, in the thread that simulates; before the first step.
/// What the tap points to is borrowed for the run. A script that another one replaces while it runs is seen on.
/// @return FF_NOT_FOUND as above
FF_API ff_status ff_run_tap_controller(ff_run *run, int robot, const ff_cycle_tap *tap, ff_error *err);
/// One cycle of the controller of a robot with frames of the caller, for a run that is not simulated: the robot is
/// elsewhere. Commands that are due are given before. References are all invalid before the call.
/// @return the conditions it met, a bit each
FF_API uint32_t ff_run_answer(ff_run *run, int robot, double t, const ff_io_frame *sensors, ff_io_frame *references);

/// Has the controller of a robot failed, so that its robot is held? @return FF_OK, or FF_CONTROL with time and cause
FF_API ff_status ff_run_check_controller(const ff_run *run, int robot, ff_error *err);

/// The same controller as two halves, each in a run of its own: a planner, and a stabiliser that follows its plans.
/// Both get the sensors of each cycle; together they give the bits of ff_run_answer. `gait` and `biped` have halves.
/// The frames that go from one to the other; names live as long as the run.
/// @return FF_OK; FF_NOT_FOUND where no controller of this run steers the robot; FF_BAD_ARGUMENT where it has no
/// halves; FF_LIMIT where a name of the robot is too long for an item
FF_API ff_status ff_run_plan_layout(const ff_run *run, int robot, ff_io_layout *out, ff_error *err);
/// A cycle of the planner; its controller has halves. The plan is all invalid before the call, and stays so where there
/// is none yet. @return the conditions it met, a bit each
FF_API uint32_t ff_run_plan(ff_run *run, int robot, double t, const ff_io_frame *sensors, ff_io_frame *plan);
/// A cycle of the stabiliser with a plan. One without values leaves it with the last that had: it then keeps the robot
/// there. References are all invalid before the call. @return the conditions it met, a bit each
FF_API uint32_t ff_run_stabilise(ff_run *run, int robot, double t, const ff_io_frame *sensors, const ff_io_frame *plan,
                                 ff_io_frame *references);

// ------------------------------------------------------------------------------------------ what came out

typedef struct ff_result {
    const ff_metric *metrics; // see ff_scene_metric_help
    int nmetric;
    const ff_expectation *expectations; // those of the scene, with what was got
    int nexpectation;
    bool passed;        // every expectation for this seed is met
    const char *events; // as of ff_run_list_events; NULL: nothing was recorded
} ff_result;

/// After ff_run_go; before it, nothing is got and nothing met.
FF_API const ff_result *ff_run_result(const ff_run *run);
/// Value of a metric after ff_run_go, those of bodies included, which the result does not list. @return false when
/// there is none of that name
FF_API bool ff_run_metric(const ff_run *run, const char *name, double *value);
/// The expectations for this seed with what came out, as a summary lists them; they live in `arena`. `count`: 0 without
/// memory.
FF_API const ff_verdict *ff_run_verdicts(const ff_run *run, ff_arena *arena, int *count);

// ------------------------------------------------------------------------------------------ while it runs

/// What steers a robot.
typedef struct ff_run_steering {
    const char *kind; // "gait", "lua", ..; "hold": the joint law alone; NULL: nothing
    const char *path; // of a script, else NULL
    const char *text; // of the script as it runs
    size_t length;
} ff_run_steering;
/// @param robot  its number in scene->robots
FF_API ff_run_steering ff_run_get_steering(const ff_run *run, int robot);

/// What the controller of a robot can be commanded to do now. @return how many keys were filled, at most `most`; 0
/// where it takes no commands
FF_API int ff_run_command_keys(const ff_run *run, int robot, ff_command_key *out, int most);
/// Commands the controller of a robot from now on, between two steps: "{speed: 0.1, gait: wave}", as under
/// `commands` of the scene. Memory does not grow.
/// @return FF_OK; anything else with the reason in `report`, and the controller does what it did before; a biped whose
/// footsteps cannot be made stops on two feet
FF_API ff_status ff_run_command(ff_run *run, int robot, const char *text, size_t length, ff_report *report);

/// Numbers that the script of a robot declares. @return how many were filled, at most `most`
FF_API int ff_run_parameters(const ff_run *run, int robot, ff_script_parameter *out, int most);
/// Between two steps. @return FF_OK; FF_NOT_FOUND, or FF_BAD_ARGUMENT with the range in `err`
FF_API ff_status ff_run_set_parameter(ff_run *run, int robot, const char *name, double value, ff_error *err);
/// Lets another text take the place of the script of a robot, between two steps: the robot goes on where it stands.
/// Numbers of `memory` that both have keep their values, as do parameters that were changed. New numbers cannot be
/// recorded before the next run. A text that cannot start is reported with its line, and the old script goes on.
/// @return FF_OK; FF_BAD_ARGUMENT where no script steers the robot; else the status of the text that cannot start
FF_API ff_status ff_run_set_script(ff_run *run, int robot, const char *text, size_t length, ff_report *report);
/// Messages that this has not reported before: falls, failures of controllers, lines that scripts print.
FF_API void ff_run_report_news(ff_run *run, ff_report *report);

/// Forces by the user that act at a time: half of them pushes, half of them pulls.
#define FF_RUN_INTERACTIONS 16
/// Pushes a point of a body from now on, between two steps; the push ends with the first step at or beyond its
/// time. Of runs that are `touchable`. Recorded as push.force and push.body.
/// @param at       in the body's frame  [m]
/// @param force    world axes  [N]
/// @param seconds  up to 60
/// @return FF_OK, FF_BAD_ARGUMENT, or FF_LIMIT when too many act
FF_API ff_status ff_run_push(ff_run *run, int body, const double at[3], const double force[3], double seconds,
                             ff_error *err);
/// Draws a point of a body to a place by a spring and damper, until it is called with NULL as target.
/// @param number  0 to FF_RUN_INTERACTIONS / 2 - 1; each pulls at one point
/// @param target  world  [m]
/// @return as ff_run_push
FF_API ff_status ff_run_pull(ff_run *run, int number, int body, const double at[3], const double *target,
                             ff_error *err);
/// Force number i that acts on a body from outside now, those of `forces` included. Poses must be current
/// (ff_sim_evaluate).
/// @return the body; -1 past the last
FF_API int ff_run_outside(const ff_run *run, int i, double point[3], double force[3]);

/// Puts a robot with a free base elsewhere, between two steps, at rest; its joints stay.
/// @param pos  of its base, NULL: as it is  [m]
/// @param yaw  heading of its x axis, NaN: as it is  [rad]
/// @return FF_OK, or FF_BAD_ARGUMENT with the reason
FF_API ff_status ff_run_put_robot(ff_run *run, int robot, const double *pos, double yaw, ff_error *err);
/// Puts a hinge or slide at a position within its stops; the robot is at rest then, and others of its joints follow
/// where loops demand it.
/// @param joint  with or without the prefix of the robot
/// @return FF_OK; FF_NOT_FOUND (no such joint), or FF_BAD_ARGUMENT with the reason
FF_API ff_status ff_run_put_joint(ff_run *run, int robot, const char *joint, double value, ff_error *err);

/// What happened when, up to now, in a run that records: a JSON list by time, docs/studio.md. A step of a foot is
/// known when it has lasted for the debounce.
/// @return malloc'ed; NULL without memory
FF_API char *ff_run_list_events(const ff_run *run);

// ------------------------------------------------------------------------------------------ around a run

/// Pictures of the cameras in scene->pictures are written into a folder that exists, as they are taken: NAME-00001.png,
/// NAME-00001-depth.png and pictures.csv with their times. What then goes wrong with files ends the run.
/// @return FF_OK, FF_NOT_BUILT without libpng, or FF_BAD_FILE
FF_API ff_status ff_run_open_pictures(ff_run *run, const char *folder, ff_error *err);
/// How many pictures have been written.
FF_API int ff_run_picture_count(const ff_run *run);

/// Notes on what drives and sensors do at this step: electrical poles left out, steps cut short at samples.
FF_API void ff_run_report_choices(const ff_run *run, ff_report *report);
/// Those notes; a warning where gravity is so large that a run may not end; one where the start is in overlap or beyond
/// the stops of joints, such that contacts or stops throw what they should carry; and what the hardest contact asks of
/// the step, as a note, with a warning where the fixed step is longer: for explicit methods beyond their limit of
/// stability, for all where peaks of the contact force are not resolved.
FF_API void ff_run_advise(ff_run *run, ff_report *report);
/// After ff_run_go: scripts that failed, as errors; warnings about contacts that steps did not resolve,
/// about points that found no memory, and of controllers.
FF_API void ff_run_report_limits(const ff_run *run, ff_report *report);

#ifdef __cplusplus
}
#endif
#endif
