// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Interface of the files that read a scene. Many of them both read something and implement its action: what they read
// is constant (ff_scene_spec), its action belongs to one run (running.h).
//
//     the file    scene.c, its variants (variants.c), its image (image.c); a robot file alone: single_robot.c
//     the world   robots.c and their start, loops.c their loops, objects.c; the ground: terrain.c;
//                 contacts.c, forces.c (scripted forces and springs)
//     effects     effects.c and sensors.c: drives, sensors and bus; faults.c: faults of these
//     control     control.c the joint law, host.c the same over a bus; controllers.c the key `control`
//     results     pictures.c, measuring.c, expectations.c
#ifndef FOOTFALL_SCENE_READER_H
#define FOOTFALL_SCENE_READER_H

#include "image/store.h"
#include "model/edit.h"
#include "native/material.h"
#include "native/native.h"
#include "steer/steering.h"
#include "text/yaml.h"

#include <footfall/scene.h>

/// A scene being read.
typedef struct ff_scene_reader {
    ff_scene_spec *scene;
    ff_yaml *root;
    const char *file; // lives as long as the scene
    ff_report *report;
    ff_store *store;              // files of the scene, for its image; NULL: they are only read from disk
    ff_spec *spec;                // materials and terrain of the scene; robots and objects are added
    int nmaterial;                // number of materials of the scene itself, which come first
    struct ff_measures *measures; // available metrics
} ff_scene_reader;

// Readers rely on the check of the schema (keys.h): each value has a form, a unit and a range that its row allows. A
// map may still be empty (null).

// reader.c
/// Number of items of a list, 0 for NULL.
int ff_scene_count(const ff_yaml *list);
/// Reports that the scene has no `kind` ("drive") of that name, with a similar name.
void ff_scene_report_unknown(const ff_scene_reader *r, ff_place place, const char *kind, const char *name,
                             const char *const *names, int count);
/// Moves the messages of some severities (a bit each) to another report, and clears the first.
void ff_scene_hand_over(ff_report *from, unsigned severities, ff_report *to);

/// Reads `seed` of a map, if it is given.
void ff_scene_seed(const ff_scene_reader *r, ff_yaml *node, uint64_t *seed);

/// Place of a node, with a file name that lives as long as the scene.
ff_place ff_scene_place(const ff_scene_reader *r, const ff_yaml *node);

/// Loads the robots, joins them and the objects to r->spec, compiles the model, fills scene->plant, model, robots, q,
/// v. False when something was reported.
bool ff_scene_read_robots(ff_scene_reader *r);
/// Moves the free bodies of a robot by the pose at which it is placed, since their coordinates are in world axes.
void ff_scene_displace(const ff_model *m, const double pos[3], const double quat[4], double *q, double *v);

/// Joints whose start is given in the scene.
typedef struct ff_scene_given {
    bool *q, *v;  // whether position, speed of a degree of freedom is given  (nv)
    double *base; // position without them  (nq)
} ff_scene_given;
/// Closes the loops of a robot at its start (q, v) without changing given values. Reports loops that cannot close.
/// @return false without memory
/// @param mocap  position and quaternion of each mocap body, NULL: where the model has them
bool ff_scene_close_start(const ff_scene_reader *r, const ff_model *m, const ff_scene_given *given, ff_place start,
                          const double *mocap, double *q, double *v);

/// How an object starts.
typedef struct ff_scene_motion {
    double quat[4], velocity[3], spin[3]; // world axes
} ff_scene_motion;
/// Description of all objects of the scene; NULL if there are none, or without memory.
/// @param motion  one each, in the order of the bodies; the caller frees it
ff_spec *ff_scene_read_objects(ff_scene_reader *r, ff_scene_motion **motion);
/// Velocities of the joints of the objects' own model.
void ff_scene_set_motion(const ff_model *m, const ff_scene_motion *motion, double *v);

/// Reads planes, boxes, meshes and height fields into r->spec and scene->fields.
void ff_scene_read_terrain(ff_scene_reader *r);

/// Reads `contacts`, `self_collision` and `pairs`; after all materials are in r->spec.
void ff_scene_read_contacts(ff_scene_reader *r);
void ff_scene_read_forces(ff_scene_reader *r);
void ff_scene_read_springs(ff_scene_reader *r);

/// Writes the values of the chosen variant into the document; before the overrides.
void ff_scene_apply_variant(ff_scene_reader *r, ff_arena *tree, const char *const *overrides, int noverride);
/// Reads the names of all variants.
void ff_scene_read_variants(ff_scene_reader *r);

/// The joint law: hold the start, or follow a cycle of poses.
typedef struct ff_scene_law {
    double stiffness, damping; // of every joint  [N m/rad, N/m], [N m s/rad, N s/m]
    bool feedforward;          // adds the torques that balance the robot at its start
    double period;             // of the cycle  [s]
    const double *poses;       // targets one after the other (npose*nq), NULL: the start is held
    int npose;
} ff_scene_law;
void ff_scene_read_control(ff_scene_reader *r);

// controllers.c: controllers of robots by frames.
/// Does the scene name a controller? Can be called before anything is read, since a controller implies drives and
/// sensors.
bool ff_scene_names_controller(const ff_scene_reader *r);
/// Place for errors in what a controller implies.
ff_place ff_scene_controller_place(const ff_scene_reader *r);
/// Reads the controllers of `control` at the top and of each robot. @return whether `control` at the top names one
bool ff_scene_read_controllers(ff_scene_reader *r);
/// Reports an unknown key under `control`.
void ff_scene_report_unknown_control(const ff_scene_reader *r, const ff_yaml *control);
/// Reports drives that cannot follow the references of their robot's controller.
void ff_scene_check_drives(const ff_scene_reader *r);
/// Does the scene name a controller for the robot of that degree of freedom?
bool ff_scene_is_steered(const ff_scene_spec *scene, int dof);
/// Is the degree of freedom the robot's?
bool ff_scene_owns(const ff_scene_robot *robot, int dof);

/// The model of a robot that its controller works with.
const ff_model *ff_scene_controller_model(const ff_scene_robot *robot);

// effects.c: the drives of the robots.
/// Reads `effects`; before the robots are compiled, since they decide whether rotors are armature of joints.
void ff_scene_read_effects(ff_scene_reader *r);
/// Makes the drives of the plant, and reads `references`. Needs the model.
void ff_scene_make_drives(ff_scene_reader *r);
/// Reports notes on the drives, such as electrical poles that are left out.
void ff_scene_advise_drives(const ff_scene_spec *scene, ff_report *report);
/// Does a motor move the joint?
bool ff_scene_is_driven(const ff_scene_spec *scene, int joint);

// faults.c: sensors that are lost and drives that receive nothing.
typedef struct ff_scene_fault {
    ff_io_kind kind;  // of a sensor, or of a drive (references)
    bool other;       // a sensor is stuck, not lost; a drive is off, not frozen
    const char *name; // pattern
    ff_ticks from, to;
} ff_scene_fault;
/// Reads `faults`. Needs the controllers.
void ff_scene_read_faults(ff_scene_reader *r);

// host.c: the joint law and `references` over a modelled bus.
/// Can the host close the loops of drives without one? If not, reports an error at `place`.
void ff_scene_check_host(const ff_scene_reader *r, const ff_drive_set *drives, const ff_sensor_set *sensors,
                         ff_place place);

// sensors.c
/// Adds the model that is used for an effect to the list for the summary.
void ff_scene_note_effect(ff_scene_spec *scene, const char *name, const char *value);
/// Reads `sensors`, `cameras` and `bus` of `effects`.
void ff_scene_read_sensing(ff_scene_reader *r, ff_yaml *effects);
/// Makes the sensors of the plant. Needs the model.
void ff_scene_read_sensors(ff_scene_reader *r);
/// Warns if no robot has sensors, and reports loops that the host of a modelled bus cannot close with the existing
/// sensors. After everything else has been read.
void ff_scene_check_sensing(ff_scene_reader *r);
/// Does a sensor of the scene detect shapes, by rays or as a camera?
bool ff_scene_senses_shapes(const ff_scene_spec *scene);

// pictures.c
/// Reads `pictures` of `record`.
void ff_scene_read_pictures(ff_scene_reader *r, ff_yaml *record);
/// Checks the names of cameras. Needs the model and the effects.
void ff_scene_check_pictures(ff_scene_reader *r);

// measuring.c: measures of runs (src/lab/measure).
/// Reads `metrics`. Needs everything that can be measured, controllers included.
void ff_scene_read_metrics(ff_scene_reader *r);
/// Sets the duration of a run, and the time from which on no force of the scene acts.
void ff_scene_set_measured_time(const ff_scene_spec *scene, double time, struct ff_measure_site *site);

// scene.c
/// ff_scene_parse that also writes the image of the scene. @param image  to free; NULL after an error
const ff_scene_spec *ff_scene_parse_to_image(const char *text, size_t length, const char *file,
                                             const char *const *overrides, int noverride, unsigned char **image,
                                             size_t *size, ff_report *report);

// expectations.c
/// Is there such a metric? If not, reports an error at the node.
bool ff_scene_check_metric(const ff_scene_reader *r, const ff_yaml *node, const char *name);
/// Read `expect` and `compare`; after `metrics`.
void ff_scene_read_expectations(ff_scene_reader *r);
void ff_scene_read_comparisons(ff_scene_reader *r);

// image.c
typedef struct ff_scene_image {
    const char *path;    // of the scene's file
    const char *variant; // name of the variant in the document; NULL: none
    const char *text;    // text of the file, with the overrides as comments
    ff_yaml *root;       // the document with variant and overrides applied
    ff_store store;      // the files it names
} ff_scene_image;
/// Reads an image; texts and document are in memory of `arena`, the files in `bytes`. @return false with errors in
/// `report`
bool ff_scene_image_read(ff_scene_image *image, const void *bytes, size_t size, const char *file, ff_arena *arena,
                         ff_report *report);
/// Encodes an image. @return the bytes, which the caller frees; NULL without memory
unsigned char *ff_scene_image_write(ff_scene_image *image, size_t *size);

#endif
