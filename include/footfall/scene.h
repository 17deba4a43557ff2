// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scene files: one YAML file describes one run (robots, where and how they start, the integrator, what is recorded,
// what is expected). What is read here is constant, and any number of runs share it (run.h). docs/scenes.md is the
// manual of scene files.
//
//     ff_report report = {0};
//     const ff_scene_spec *scene = ff_scene_load("tumble.yaml", overrides, noverride, &report);  // NULL: see report
//     ff_run *run = ff_run_create(scene, NULL, &report);                                   // NULL: see report
//     ...
//     ff_run_destroy(run);
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
} ff_scene_force;

/// Spring and damper between two points of two bodies. Along the line between them, or for each world axis on its own
/// (then the two forces are opposite but need not lie on one line: for bodies that do not turn).
typedef struct ff_scene_spring {
    int body1, body2;      // -1: the world
    double at1[3], at2[3]; // in the body frames  [m]
    bool line;             // only the first of each number below counts
    double stiffness[3];   // [N/m]
    double damping[3];     // [N s/m]
    double rest[3];        // displacement from point 1 to point 2 without force; its length for a line  [m]
} ff_scene_spring;

/// Ground given by heights; its drawing is a shape of the model of the same name.
typedef struct ff_scene_field {
    const char *name;
    const char *material; // NULL: the standard
    const char *picture;  // the file of its heights; NULL: they are those of a function
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
    ff_place start_place;    // of `start`, where it has positions; line 0: none
    double pos[3], quat[4];  // where it is placed, by which its controller's start is moved, too
    ff_model *model;         // of this robot alone, its own names; owned by the scene
    ff_model *assumed_model; // that its controller works with, owned as well; NULL: its own
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

/// A scene as it was read. Constant: runs and threads share it.
typedef struct ff_scene_spec {
    ff_arena arena; // owns what no line below claims
    const char *path;
    const char *title;     // for people; the file's name when it gives none
    const char *text;      // the file as read; overrides follow as comment lines "# --set path=value"
    const ff_model *model; // that of the plant
    ff_plant *plant; // owned: model, drives and sensors of all robots; drives and sensors where the effects want them
    ff_scene_robot *robots;
    int nrobot;
    double *q, *v;                // start, before controllers move it  (model->nq, model->nv)
    double *command, *activation; // of the model's own actuators by the keyframes of the start, NAN: none (nactuator)
    double *mocap;                // pos and quat of ff_model.mocaps by these keyframes, NAN: as in the file (7*nmocap)
    ff_sim_options options;       // method, step, tolerances, seed
    ff_place solver_place;        // where the step, or the solver, stands in the file
    double time;                  // planned end  [s]
    ff_record_options record; // rate and channels ("?NAME": where it exists); nchannel is 0 when nothing is recorded
    ff_place *channel_places; // (record.nchannel)
    bool csv;                 // the scene wants CSV beside HDF5
    const char **pictures;    // cameras whose pictures are kept, names or patterns
    int npicture;
    ff_scene_force *forces;
    int nforce;
    ff_scene_spring *springs;
    int nspring;
    ff_scene_field *fields;
    int nfield;
    bool contacts;                // false: nothing touches anything
    ff_world_options touch;       // margin, pairs, self-collision
    bool touch_overlaps;          // self-collision also of bodies that overlap at the start
    ff_place touch_place;         // of what touches
    ff_expectation *expectations; // as asked: `got` and `met` are those of a result
    int nexpectation;
    ff_comparison *comparisons; // between runs of this scene and its variants
    int ncomparison;
    ff_scene_reported *reported; // they are among the metrics of a result
    int nreported;
    const char **variants; // names; load with the override "variant=NAME" to get one
    bool *long_variants;   // those that a short run of the book leaves out
    int nvariant;
    const char *variant;  // the one this is, NULL for the scene itself
    ff_effect effects[8]; // what `effects` chose, by name; all none: forces and `control` alone move joints
    int neffect;
    bool driven; // the drives of the robots act
    ff_drive_options drive_options;
    bool sensed; // the sensors of the robots measure
    ff_sensor_options sensor_options;
    ff_place plant_place; // of `effects`, or of the controller that implies drives and sensors
    ff_bus bus;           // between the joint law and the drives
    ff_scene_reference *references;
    int nreference;
    // private, constant as well
    struct ff_steering_spec *controls; // what `control` says, a robot each
    int ncontrol;
    struct ff_scene_law *law;      // the joint law, NULL: none
    struct ff_scene_fault *faults; // what breaks
    int nfault;
    struct ff_measure_site *site; // what measures know of the scene
} ff_scene_spec;

/// Reads a scene file or the image of one, applies the overrides ("solver.step=1 ms"), loads and compiles its robots.
/// What is wrong in the files is reported here; what only shows when a simulation is made of them, by ff_run_create.
/// @param overrides  NULL: none; each must be a text
/// @return NULL when `report` has errors afterwards
FF_API const ff_scene_spec *ff_scene_load(const char *path, const char *const *overrides, int noverride,
                                          ff_report *report);
/// The same from memory; `file` is the name used in messages and the base of relative paths.
FF_API const ff_scene_spec *ff_scene_parse(const char *text, size_t length, const char *file,
                                           const char *const *overrides, int noverride, ff_report *report);

// ------------------------------------------------------------------------------------------ a robot alone

/// What surrounds a robot whose file is run without a scene.
typedef enum ff_single_robot {
    FF_SINGLE_FREE,       // what its file has, nothing holds its joints; 5 s; state and energy are recorded
    FF_SINGLE_STANDING,   // a floor on which it starts in static equilibrium, its joints held; 10 s
    FF_SINGLE_WEIGHTLESS, // neither gravity nor contacts, its joints held; for one that cannot stand; 10 s
} ff_single_robot;
/// A scene of a robot file alone. It starts in the keyframe "home", else in the first, else in the reference pose;
/// joints beyond their limits start at the limit, and with FF_SINGLE_FREE a robot on a free base that would start in
/// the ground, or above it by more than its own size, starts on it. Each of these is a note in `report`, and overrides
/// of `start`, `start.pose` and `start.q` take their place. What is wrong with the robot is reported with its places in
/// the file.
/// @param load  NULL: the defaults
/// @return NULL when `report` has errors afterwards
FF_API const ff_scene_spec *ff_scene_of_robot(const char *path, ff_single_robot how, const ff_load_options *load,
                                              const char *const *overrides, int noverride, ff_report *report);
/// Copies errors that a run of such a scene found. Places in the scene, which the user has not written, are left out;
/// those in an override stay.
FF_API void ff_scene_of_robot_errors(const char *path, const ff_report *found, ff_report *report);

// ------------------------------------------------------------------------------------------ images

/// An image is a scene as one block of bytes: its document with variant and overrides in place, and every file it
/// names, as its reader gave it. Any build on any processor reads it, one without YAML, XML, meshes and PNG, too, and
/// runs it to the same bits. ff_scene_load and ff_scene_parse take an image wherever they take a scene file. What a
/// build cannot run is refused by name, such as a script in Lua. (docs/scenes.md) Images of more bytes are refused.
#define FF_SCENE_IMAGE_MAX ((size_t)256 << 20)
/// The image of a scene given as by ff_scene_parse: a text, or an image. The image of an image is the same bytes. A
/// scene that cannot run has none.
/// @return the image, which the caller frees, with its length in `size`; NULL when `report` has errors afterwards
FF_API unsigned char *ff_scene_make_image(const char *text, size_t length, const char *file,
                                          const char *const *overrides, int noverride, size_t *size, ff_report *report);
/// The same from file to file. @return FF_OK; FF_BAD_FILE with the reasons in `report`
FF_API ff_status ff_scene_write_image(const char *path, const char *const *overrides, int noverride, const char *out,
                                      ff_report *report);
/// Are these the first bytes of an image? Eight are enough.
FF_API bool ff_scene_is_image(const void *bytes, size_t size);

/// Number of the first robot that a controller of the scene steers; 0 where there is none.
FF_API int ff_scene_first_steered(const ff_scene_spec *spec);

/// Can anything meet in it, or does a sensor look for shapes? Its runs have contacts then, and measures of walking.
FF_API bool ff_scene_has_contacts(const ff_scene_spec *spec);

/// Frees the scene with its plant, after its runs; NULL is allowed.
FF_API void ff_scene_destroy(const ff_scene_spec *spec);
/// Does a comparison of this scene need the run of a variant ("": of the scene itself)?
FF_API bool ff_scene_compares(const ff_scene_spec *spec, const ff_comparison *c, const char *run);
/// Does this text look like a scene file rather than a robot file? (An image, or a YAML map with `robot`, `robots`,
/// `objects` or `terrain` at its top.)
FF_API bool ff_scene_detect(const char *text, size_t length);

/// Everything that is wrong with a robot or scene file, or the syntax of a script (.lua), in the order of its lines:
/// problems of reading, of the compiled model, of making a run of it, of all variants; and as warnings what the file
/// has and Footfall does not use.
/// @param load  for robot files; NULL: the defaults
FF_API void ff_scene_check_file(const char *path, const ff_load_options *load, const char *const *overrides,
                                int noverride, ff_report *report);

/// Name of metric number i, for help texts, with its unit ("" without one) and meaning; NULL past the end. Names with
/// NAME stand for one metric a joint or body.
FF_API const char *ff_scene_metric_help(int i, const char **unit, const char **meaning);

#ifdef __cplusplus
}
#endif
#endif
