// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scene files: one YAML file describes one run (robots, where and how they start, the integrator, what is recorded,
// what is expected). docs/scenes.md is their manual.
//
//     ff_report report = {0};
//     ff_scene *scene = ff_scene_load("experiments/tumble.yaml", overrides, noverride, &report);   // NULL: see report
//     ff_scene_begin(scene, &err);                  // scene->sim stands at its start, scene->recorder waits
//     ff_recorder_open_hdf5(scene->recorder, "run.h5", &info, &err);              // or keep it in memory
//     ff_sim_add_listener(scene->sim, &progress, &err);
//     ff_status status = ff_scene_run(scene, &err);  // runs, closes the recorder, measures, judges
//     ... scene->metrics, scene->expectations ...
//     ff_scene_destroy(scene);
#ifndef FOOTFALL_SCENE_H
#define FOOTFALL_SCENE_H

#include <footfall/measure.h>
#include <footfall/plant.h>
#include <footfall/record.h>
#include <footfall/steer.h>
#include <footfall/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Generalised force on one degree of freedom, or a force on a body, during a window of time.
typedef struct ff_scene_force {
    int dof;         // of the model; -1: on a body
    double value;    // [N, N m]
    int body;        // -1: on a degree of freedom
    double push[3];  // on the body, world axes  [N]
    double at[3];    // where, in the body's frame  [m]
    double from, to; // acts for from <= t < to  [s]
    int acts;        // of a body, while a simulation runs: 1 in the window
} ff_scene_force;

/// Spring and damper between two points of two bodies. Along the line between them, or for each world axis on its own (then the two
/// forces are opposite but need not lie on one line: for bodies that do not turn).
typedef struct ff_scene_spring {
    int body1, body2;      // -1: the world
    double at1[3], at2[3]; // in the body frames  [m]
    bool line;             // only the first of each number below counts
    double stiffness[3];   // [N/m]
    double damping[3];     // [N s/m]
    double rest[3];        // displacement from point 1 to point 2 without force; its length for a line  [m]
    double loss;           // of its dampers, at the force computed last while a simulation runs  [W]
} ff_scene_spring;

/// Ground given by heights; its drawing is a shape of the model of the same name.
typedef struct ff_scene_field {
    const char *name;
    const char *material; // NULL: the standard
    ff_field *field;      // owned by the scene
    ff_pose pose;
} ff_scene_field;

/// One robot of the scene.
typedef struct ff_scene_robot {
    const char *name;   // unique in the scene
    const char *prefix; // in front of all its names in the model; "" for a single robot
    const char *path;   // its file
    int qadr, nq;       // its part of q
    int vadr, nv;       // its part of v
    bool settle;        // starts in static equilibrium on its feet
    ff_place settle_place;
    ff_model *model; // of this robot alone, its own names; owned by the scene
} ff_scene_robot;

/// New references of a drive from a time on.
typedef struct ff_scene_reference {
    int drive;       // of the set of drives
    double at;       // [s]
    double value[3]; // position, speed, force
    bool given[3];   // others stay as they are
    ff_place place;
} ff_scene_reference;

/// A metric that the scene wants to see, whatever it comes out as.
typedef struct ff_scene_reported {
    const char *metric;
    ff_place place;
} ff_scene_reported;

typedef struct ff_scene {
    ff_arena arena; // owns what no line below claims
    const char *path;
    const char *title;     // for people; the file's name when it gives none
    const char *text;      // the file as read; overrides follow as comment lines "# --set path=value"
    const ff_model *model; // that of the plant
    ff_plant *plant; // owned: model, drives and sensors of all robots; drives and sensors where the effects want them
    ff_scene_robot *robots;
    int nrobot;
    double *q, *v;          // start  (model->nq, model->nv)
    ff_sim_options options; // method, step, tolerances, seed
    ff_place solver_place;  // where the step, or the solver, stands in the file
    double time;            // planned end  [s]
    ff_record_options
        record;            // rate and channels ("?NAME": where it exists); nchannel is 0 when the scene records nothing
    bool csv;              // the scene wants CSV beside HDF5
    const char **pictures; // cameras whose pictures are kept, names or patterns
    int npicture;
    ff_scene_force *forces;
    int nforce;
    ff_scene_spring *springs;
    int nspring;
    ff_scene_field *fields;
    int nfield;
    bool contacts;          // false: nothing touches anything
    ff_world_options touch; // margin, pairs, self-collision
    ff_expectation *expectations;
    int nexpectation;
    ff_scene_reported *reported; // they are among `metrics` after the run
    int nreported;
    const char **variants; // names; load with the override "variant=NAME" to get one
    int nvariant;
    const char *variant; // the one this is, NULL for the scene itself
    ff_effect effects
        [8]; // what `effects` chose, each by name; all of them none: joints are moved by forces and `control` alone
    int neffect;
    bool driven; // the drives of the robots act
    ff_drive_options drive_options;
    bool sensed; // the sensors of the robots measure
    ff_sensor_options sensor_options;
    ff_bus bus; // between the joint law and the drives
    ff_scene_reference *references;
    int nreference;
    bool touchable; // set before ff_scene_begin: ff_scene_push and ff_scene_pull can be used
    // from ff_scene_begin on
    ff_sim *sim;                             // owned
    struct ff_scene_pictures *picture_files; // private
    ff_world *world;                         // owned; NULL when nothing can meet
    ff_recorder *recorder;                   // owned by sim; NULL when nchannel is 0
    // from ff_scene_run on
    const ff_metric *metrics; // see ff_scene_metric_help
    int nmetric;
    bool passed;                       // every expectation for this seed is met
    struct ff_measures *measures;      // private: what is measured, from reading on
    struct ff_scene_control *control;  // private
    struct ff_scene_host *host;        // private: the joint law over a bus
    struct ff_scene_faults *faults;    // private
    struct ff_scene_hands *hands;      // private: pushes and pulls
    struct ff_scene_events *events;    // private: what happened when
    struct ff_steering_spec *controls; // private: what `control` says, a robot each
    struct ff_steering *steerings;     // private: the controllers of these robots
    int nsteering;
} ff_scene;

/// Reads a scene file or the image of one, applies the overrides ("solver.step=1 ms"), loads and compiles its robots.
/// @return NULL when `report` has errors afterwards
FF_API ff_scene *ff_scene_load(const char *path, const char *const *overrides, int noverride, ff_report *report);
/// The same from memory; `file` is the name used in messages and the base of relative paths.
FF_API ff_scene *ff_scene_parse(const char *text, size_t length, const char *file, const char *const *overrides,
                                int noverride, ff_report *report);

// ------------------------------------------------------------------------------------------ images

/// An image is a scene as one block of bytes: its document with variant and overrides in place, and every file it names, as its reader gave it. Any build on any
/// processor reads it, one without YAML, XML, meshes and PNG, too, and runs it to the same bits. ff_scene_load and ff_scene_parse take an image wherever they take
/// a scene file. What a build cannot run is refused by name, such as a script in Lua. (docs/scenes.md)
/// Images of more bytes are refused.
#define FF_SCENE_IMAGE_MAX ((size_t)256 << 20)
/// The image of a scene given as by ff_scene_parse: a text, or an image. The image of an image is the same bytes.
/// @return the image, which the caller frees, with its length in `size`; NULL when `report` has errors afterwards
FF_API unsigned char *ff_scene_make_image(const char *text, size_t length, const char *file,
                                          const char *const *overrides, int noverride, size_t *size, ff_report *report);
/// The same from file to file. @return FF_OK; FF_BAD_FILE with the reasons in `report`
FF_API ff_status ff_scene_write_image(const char *path, const char *const *overrides, int noverride, const char *out,
                                      ff_report *report);
/// Are these the first bytes of an image? Eight are enough.
FF_API bool ff_scene_is_image(const void *bytes, size_t size);

/// Ends a run that is still open and frees the scene with its model and simulation; NULL is allowed.
FF_API void ff_scene_destroy(ff_scene *scene);
/// Does this text look like a scene file rather than a robot file? (An image, or a YAML map with `robot`, `robots`, `objects` or `terrain` at its top.)
FF_API bool ff_scene_detect(const char *text, size_t length);

/// Everything that is wrong with a robot or scene file, or the syntax of a script (.lua), in the order of its lines: problems of reading, of the
/// compiled model, of beginning the simulation, of all variants; and as warnings what the file has and Footfall does not use.
/// @param load  for robot files; NULL: the defaults
FF_API void ff_scene_check_file(const char *path, const ff_load_options *load, const char *const *overrides,
                                int noverride, ff_report *report);

/// Lets a controller of the caller's own steer a robot, in place of the one the scene names for it. Before ff_scene_begin; the scene needs drives
/// and sensors, which `control: {callback: NAME}` brings. What the controller points to is borrowed.
/// @param robot  its number in scene->robots
/// @return FF_OK, or FF_BAD_ARGUMENT with what is missing
FF_API ff_status ff_scene_set_controller(ff_scene *scene, int robot, const ff_robot_controller *controller,
                                         ff_error *err);

/// Makes the simulation with start state, forces, measuring and recorder. Change scene->time, options or record before
/// it.
/// @return FF_OK; FF_BAD_ARGUMENT when it has begun already; else the status of what could not be made
FF_API ff_status ff_scene_begin(ff_scene *scene, ff_error *err);
/// Begins where that has not been done, runs to scene->time, closes the recorder, fills metrics and expectations, also
/// after a run that failed or was stopped (then no expectation is met).
/// @return status of ff_sim_run, or of the recorder when that failed
FF_API ff_status ff_scene_run(ff_scene *scene, ff_error *err);

// ------------------------------------------------------------------------------------------ while it runs

/// What steers a robot.
typedef struct ff_scene_steering {
    const char *kind; // "gait", "lua", ..; NULL: no controller
    const char *path; // of a script, else NULL
    const char *text; // of the script as it runs
    size_t length;
} ff_scene_steering;
/// @param robot  its number in scene->robots
FF_API ff_scene_steering ff_scene_get_steering(const ff_scene *scene, int robot);

/// What the controller of a robot can be commanded to do now. @return how many keys were filled, at most `most`; 0 where it takes no commands
FF_API int ff_scene_command_keys(const ff_scene *scene, int robot, ff_command_key *out, int most);
/// Commands the controller of a robot from now on, between two runs: "{speed: 0.1, gait: wave}", as under `commands` of the scene. Memory does not grow.
/// @return FF_OK; anything else with the reason in `report`, and the controller does what it did before
FF_API ff_status ff_scene_command(ff_scene *scene, int robot, const char *text, size_t length, ff_report *report);

/// Numbers that the script of a robot declares. @return how many were filled, at most `most`
FF_API int ff_scene_parameters(const ff_scene *scene, int robot, ff_script_parameter *out, int most);
/// Between two runs. @return FF_OK; FF_NOT_FOUND, or FF_BAD_ARGUMENT with the range in `err`
FF_API ff_status ff_scene_set_parameter(ff_scene *scene, int robot, const char *name, double value, ff_error *err);
/// Lets another text take the place of the script of a robot, between two runs: the robot goes on where it stands. Numbers of `memory` that both have
/// keep their values, as do parameters that were changed. Numbers that are new cannot be recorded before the scene begins again. A text that cannot
/// start is told with its line, and the old script goes on.
/// @return FF_OK; FF_BAD_ARGUMENT where no script steers the robot; else the status of the text that cannot start
FF_API ff_status ff_scene_set_script(ff_scene *scene, int robot, const char *text, size_t length, ff_report *report);
/// What there is to tell that has not been told by this before: falls, failures of controllers, lines that scripts print.
FF_API void ff_scene_tell_news(ff_scene *scene, ff_report *report);

/// Forces by hand at a time: half of them pushes, half of them pulls.
#define FF_SCENE_HANDS 16
/// Pushes a point of a body from now on, between two runs; the push ends with the first step at or beyond its time. Of scenes that are `touchable`.
/// Recorded as push.force and push.body.
/// @param at       in the body's frame  [m]
/// @param force    world axes  [N]
/// @param seconds  up to 60
/// @return FF_OK, FF_BAD_ARGUMENT, or FF_LIMIT when too many act
FF_API ff_status ff_scene_push(ff_scene *scene, int body, const double at[3], const double force[3], double seconds,
                               ff_error *err);
/// Draws a point of a body to a place by a spring and damper, until it is called with NULL as target.
/// @param hand    0 to FF_SCENE_HANDS / 2 - 1; each pulls at one point
/// @param target  world  [m]
/// @return as ff_scene_push
FF_API ff_status ff_scene_pull(ff_scene *scene, int hand, int body, const double at[3], const double *target,
                               ff_error *err);
/// Force number i that acts on a body from outside now, those of `forces` included. Poses must be current (ff_sim_evaluate).
/// @return the body; -1 past the last
FF_API int ff_scene_outside(const ff_scene *scene, int i, double point[3], double force[3]);

/// Puts a robot with a free base elsewhere, between two runs, at rest; its joints stay.
/// @param pos  of its base, NULL: as it is  [m]
/// @param yaw  heading of its x axis, NaN: as it is  [rad]
/// @return FF_OK, or FF_BAD_ARGUMENT with the reason
FF_API ff_status ff_scene_put_robot(ff_scene *scene, int robot, const double *pos, double yaw, ff_error *err);
/// Puts a hinge or slide at a position within its stops; the robot is at rest then, and others of its joints follow where loops demand it.
/// @param joint  with or without the prefix of the robot
/// @return FF_OK; FF_NOT_FOUND (no such joint), or FF_BAD_ARGUMENT with the reason
FF_API ff_status ff_scene_put_joint(ff_scene *scene, int robot, const char *joint, double value, ff_error *err);

/// What happened when, up to now, in a scene that records: a JSON list by time, docs/studio.md. A step of a foot is known when it has lasted for the debounce.
/// @return malloc'ed; NULL without memory
FF_API char *ff_scene_list_events(const ff_scene *scene);

// ------------------------------------------------------------------------------------------ around a run

/// After ff_scene_begin: pictures of the cameras in scene->pictures are written into a folder that exists, as they are taken: NAME-00001.png,
/// NAME-00001-depth.png and pictures.csv with their times. What then goes wrong with files is told by ff_scene_run.
/// @return FF_OK, FF_NOT_BUILT without libpng, or FF_BAD_FILE
FF_API ff_status ff_scene_open_pictures(ff_scene *scene, const char *folder, ff_error *err);
/// How many pictures have been written.
FF_API int ff_scene_picture_count(const ff_scene *scene);

/// Notes on what drives and sensors do at this step: electrical poles left out, steps cut short at samples.
FF_API void ff_scene_tell_choices(const ff_scene *scene, ff_report *report);
/// After ff_scene_begin: those notes, and what the hardest contact asks of the step, as a note, and a warning where the fixed step of the scene is longer: for explicit
/// methods beyond their limit of stability, for all where peaks of the contact force are not resolved.
FF_API void ff_scene_advise(ff_scene *scene, ff_report *report);
/// After ff_scene_run: warnings about contacts that steps did not resolve, about points that found no memory, and of controllers.
FF_API void ff_scene_tell_limits(const ff_scene *scene, ff_report *report);

/// The expectations for this seed with what came out, as a summary lists them; they live in `arena`. `count`: 0 without memory.
FF_API const ff_verdict *ff_scene_verdicts(const ff_scene *scene, ff_arena *arena, int *count);

/// Value of a metric after ff_scene_run, those of bodies included, which scene->metrics does not list. @return false when there is none of that
/// name
FF_API bool ff_scene_metric(const ff_scene *scene, const char *name, double *value);
/// Name of metric number i, for help texts, with its unit ("" without one) and meaning; NULL past the end. Names with NAME stand for one metric a
/// joint or body.
FF_API const char *ff_scene_metric_help(int i, const char **unit, const char **meaning);

#ifdef __cplusplus
}
#endif
#endif
