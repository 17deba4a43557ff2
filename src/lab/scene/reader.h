// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files that read a scene share. Many of them read something and let it act, too: what they read is constant
// (ff_scene_spec), what acts belongs to one run (running.h).
//
//     the file    scene.c, its variants (variants.c), its image (image.c); a robot file alone: single_robot.c
//     the world   robots.c and their start, loops.c their loops, objects.c; the ground: terrain.c;
//                 contacts.c, forces.c (scripted forces and springs)
//     effects     effects.c and sensors.c: what lies between reference, joint and controller; faults.c: what fails
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
    ff_store *store;              // files of the scene; NULL: they are read from disk and forgotten
    ff_spec *spec;                // materials and terrain of the scene; robots and objects join it
    int nmaterial;                // how many of its materials are the scene's own: they come first
    struct ff_measures *measures; // what there is to measure
} ff_scene_reader;

// The readers rely on the check of the schema (keys.h): a value that they find has a form, a unit and a range that its
// row allows. Where a row allows a map, it may still be left empty (null).

// reader.c
/// Number of items of a list, 0 for NULL.
int ff_scene_count(const ff_yaml *list);
/// Reports that the scene has no `kind` ("drive") of that name, with a name that may have been meant.
void ff_scene_report_unknown(const ff_scene_reader *r, ff_place place, const char *kind, const char *name,
                             const char *const *names, int count);
/// Moves the messages of some severities (a bit each) to another report, and clears the first.
void ff_scene_hand_over(ff_report *from, unsigned severities, ff_report *to);

/// `seed` of a map, where it is given.
void ff_scene_seed(const ff_scene_reader *r, ff_yaml *node, uint64_t *seed);

/// Place of a node, with a file name that lives as long as the scene.
ff_place ff_scene_place(const ff_scene_reader *r, const ff_yaml *node);

/// Loads the robots, joins them and the objects to r->spec, compiles the model, fills scene->plant, model, robots, q,
/// v. False when something was reported.
bool ff_scene_read_robots(ff_scene_reader *r);
/// A placed robot carries its free bodies along: their coordinates are in world axes.
void ff_scene_displace(const ff_model *m, const double pos[3], const double quat[4], double *q, double *v);

/// What a start gives by joints.
typedef struct ff_scene_given {
    bool *q, *v;  // degrees of freedom whose position, whose speed is given  (nv)
    double *base; // position before joints were given  (nq)
} ff_scene_given;
/// Closes the loops of a robot at its start (q, v); what is given stays. What cannot close is reported. False when
/// memory is short.
/// @param mocap  position and quaternion of each mocap body, NULL: where the model has them
bool ff_scene_close_start(const ff_scene_reader *r, const ff_model *m, const ff_scene_given *given, ff_place start,
                          const double *mocap, double *q, double *v);

/// How an object starts.
typedef struct ff_scene_motion {
    double quat[4], velocity[3], spin[3]; // world axes
} ff_scene_motion;
/// Description of all objects of the scene, NULL when there are none or memory is short.
/// @param motion  one each, in the order of the bodies; the caller frees it
ff_spec *ff_scene_read_objects(ff_scene_reader *r, ff_scene_motion **motion);
/// Velocities of the joints of the objects' own model.
void ff_scene_set_motion(const ff_model *m, const ff_scene_motion *motion, double *v);

/// Planes, boxes, meshes and height fields, into r->spec and scene->fields.
void ff_scene_read_terrain(ff_scene_reader *r);

/// `contacts`, `self_collision` and `pairs`. Needs all materials in r->spec.
void ff_scene_read_contacts(ff_scene_reader *r);
void ff_scene_read_forces(ff_scene_reader *r);
void ff_scene_read_springs(ff_scene_reader *r);

/// Puts the values of the chosen variant in place; before the overrides.
void ff_scene_apply_variant(ff_scene_reader *r, ff_arena *tree, const char *const *overrides, int noverride);
/// Names of all variants.
void ff_scene_read_variants(ff_scene_reader *r);

/// The joint law: hold the start, or follow a cycle of poses.
typedef struct ff_scene_law {
    double stiffness, damping; // of every joint  [N m/rad, N/m], [N m s/rad, N s/m]
    bool feedforward;          // joints carry what they carry at the start
    double period;             // of the cycle  [s]
    const double *poses;       // targets one after the other (npose*nq), NULL: the start is held
    int npose;
} ff_scene_law;
void ff_scene_read_control(ff_scene_reader *r);

// controllers.c: what steers a robot by frames.
/// Does the scene name a controller? Before anything else is read: it implies drives and sensors.
bool ff_scene_names_controller(const ff_scene_reader *r);
/// Place to complain about what a controller implies.
ff_place ff_scene_controller_place(const ff_scene_reader *r);
/// The controllers of `control` at the top and of each robot. @return true when `control` at the top names one
bool ff_scene_read_controllers(ff_scene_reader *r);
/// A key under `control` that is none of ours.
void ff_scene_report_unknown_control(const ff_scene_reader *r, const ff_yaml *control);
/// Reports drives that cannot do what the controller of their robot asks of them.
void ff_scene_check_drives(const ff_scene_reader *r);
/// Does the scene name a controller for the robot of that degree of freedom?
bool ff_scene_is_steered(const ff_scene_spec *scene, int dof);
/// Is the degree of freedom the robot's?
bool ff_scene_owns(const ff_scene_robot *robot, int dof);

/// The model of a robot that its controller works with.
const ff_model *ff_scene_controller_model(const ff_scene_robot *robot);

// effects.c: the drives of the robots.
/// `effects`. Before the robots are compiled: rotors that move on their own leave the joints.
void ff_scene_read_effects(ff_scene_reader *r);
/// Makes the drives of the plant, and reads `references`. Needs the model.
void ff_scene_read_references(ff_scene_reader *r);
/// Notes on the drives, such as electrical poles left out.
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
/// `faults`. Needs the controllers.
void ff_scene_read_faults(ff_scene_reader *r);

// host.c: the joint law and `references` over a modelled bus.
/// Can the host close the loops that drives lack? If not, says so at `place`.
void ff_scene_check_host(const ff_scene_reader *r, const ff_drive_set *drives, const ff_sensor_set *sensors,
                         ff_place place);

// sensors.c
/// Lists how much of something is modelled, for the summary.
void ff_scene_note_effect(ff_scene_spec *scene, const char *name, const char *value);
/// `sensors`, `cameras` and `bus` of `effects`.
void ff_scene_read_sensing(ff_scene_reader *r, ff_yaml *effects);
/// Makes the sensors of the plant. Needs the model.
void ff_scene_read_sensors(ff_scene_reader *r);
/// Warns where no robot has sensors, and reports loops that the host of a modelled bus cannot close with the sensors
/// there are. Everything else must have been read.
void ff_scene_check_sensing(ff_scene_reader *r);
/// Does a sensor of the scene look for shapes, by rays or as a camera?
bool ff_scene_looks(const ff_scene_spec *scene);

// pictures.c
/// `pictures` of `record`.
void ff_scene_read_pictures(ff_scene_reader *r, ff_yaml *record);
/// Names of cameras. Needs the model and the effects.
void ff_scene_check_pictures(ff_scene_reader *r);

// measuring.c: what the run is measured by (src/lab/measure).
/// `metrics`. Needs everything that can be measured, controllers included.
void ff_scene_read_metrics(ff_scene_reader *r);
/// Sets the duration of a run, and the time from which on no force of the scene acts.
void ff_scene_set_measured_time(const ff_scene_spec *scene, double time, struct ff_measure_site *site);

// scene.c
/// ff_scene_parse that also writes the image of the scene. @param image  to free; NULL where it could not be made
const ff_scene_spec *ff_scene_parse_to_image(const char *text, size_t length, const char *file,
                                             const char *const *overrides, int noverride, unsigned char **image,
                                             size_t *size, ff_report *report);

// expectations.c
/// Is there such a metric? If not, says so at the node.
bool ff_scene_check_metric(const ff_scene_reader *r, const ff_yaml *node, const char *name);
/// `expect` and `compare`. After `metrics`.
void ff_scene_read_expectations(ff_scene_reader *r);
void ff_scene_read_comparisons(ff_scene_reader *r);

// image.c
typedef struct ff_scene_image {
    const char *path;    // of the scene's file
    const char *variant; // whose values the document has; NULL: none
    const char *text;    // of the file, with the overrides as comments
    ff_yaml *root;       // the document, as it is read: one variant, overrides in place
    ff_store store;      // the files it names
} ff_scene_image;
/// Reads an image; texts and document live in `arena`, the files in `bytes`. @return false with what is wrong in
/// `report`
bool ff_scene_image_read(ff_scene_image *image, const void *bytes, size_t size, const char *file, ff_arena *arena,
                         ff_report *report);
/// @return the bytes, which the caller frees; NULL when memory is short
unsigned char *ff_scene_image_write(ff_scene_image *image, size_t *size);

#endif
