// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the scene room share. Who does what:
//
//     reading    scene.c the file, variants.c its variants, image.c its image, check.c every problem of one; robots.c robots and their start, loops.c their loops,
//                objects.c objects, terrain.c and heights.c the ground, contacts.c and world.c what touches; effects.c and sensors.c what lies
//                between reference, joint and controller, faults.c what breaks of it
//     steering   control.c the joint law, host.c the same over a bus; controllers.c what steers by frames (src/steer), live.c what is said to it meanwhile
//     running    settle.c static equilibrium, forces.c scripted forces and springs, run.c the simulation; hands.c what is done meanwhile,
//                events.c what happened when, pictures.c what cameras saw
//     measuring  measuring.c what the run is measured by, expectations.c what should come out; advice.c what contacts ask of the step
#ifndef FOOTFALL_SCENE_INTERNAL_H
#define FOOTFALL_SCENE_INTERNAL_H

#include "model/material.h"
#include "model/native.h"
#include "model/yaml.h"
#include "steer/steering.h"

#include <footfall/scene.h>

/// A scene being read.
typedef struct ff_scene_reader {
    ff_scene *scene;
    ff_yaml *root;
    const char *file; // lives as long as the scene
    ff_report *report;
    ff_store *store; // files of the scene; NULL: they are read from disk and forgotten
    ff_spec *spec;   // materials and terrain of the scene; robots and objects join it
    int nmaterial;   // how many of its materials are the scene's own: they come first
} ff_scene_reader;

/// Number of children of a list; 0 (reported) for anything else, and for NULL.
int ff_scene_list(const ff_scene_reader *r, ff_yaml *node, const char *what);

/// `seed` of a map, where it is given. False (reported) when it is no seed.
bool ff_scene_seed(const ff_scene_reader *r, ff_yaml *node, uint64_t *seed);

/// Place of a node, with a file name that lives as long as the scene.
ff_place ff_scene_place(const ff_scene_reader *r, const ff_yaml *node);

/// Loads the robots, joins them and the objects to r->spec, compiles the model, fills scene->plant, model, robots, q, v. False when something was
/// reported.
bool ff_scene_read_robots(ff_scene_reader *r);

/// What a start gives by joints.
typedef struct ff_scene_given {
    bool *q, *v;  // degrees of freedom whose position, whose speed is given  (nv)
    double *base; // position before joints were given  (nq)
} ff_scene_given;
/// Closes the loops of a robot at its start (q, v); what is given stays. What cannot close is reported. False when memory is short.
bool ff_scene_close_start(const ff_scene_reader *r, const ff_model *m, const ff_scene_given *given, ff_place start,
                          double *q, double *v);

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
/// The field that `png`, `slope`, `waves`, `steps` or `noise` of a map describes; NULL when reported.
/// @param cells  how finely to draw it
ff_field *ff_scene_read_heights(ff_scene_reader *r, ff_yaml *node, const double size[2], int cells[2]);

/// `contacts`, `self_collision` and `pairs`. Needs all materials in r->spec.
void ff_scene_read_contacts(ff_scene_reader *r);
/// Makes the world of contacts and joins it to scene->sim, where anything can meet.
ff_status ff_scene_add_world(ff_scene *scene, ff_error *err);
/// Makes the world once, so that what cannot touch is told with its place and not only when the run begins.
void ff_scene_check_world(ff_scene_reader *r);
/// Destroys the world, after its simulation.
void ff_scene_clear_world(ff_scene *scene);
void ff_scene_read_forces(ff_scene_reader *r);
void ff_scene_read_springs(ff_scene_reader *r);

/// Puts the values of the chosen variant in place; before the overrides.
void ff_scene_apply_variant(ff_scene_reader *r, ff_arena *tree, const char *const *overrides, int noverride);
/// Names of all variants.
void ff_scene_read_variants(ff_scene_reader *r);

/// The joint law: hold the start, or follow a cycle of poses.
typedef struct ff_scene_control {
    double stiffness, damping; // of every joint  [N m/rad, N/m], [N m s/rad, N s/m]
    bool feedforward;          // joints carry what they carry at the start
    double period;             // of the cycle  [s]
    const double *poses;       // targets one after the other (npose*nq), NULL: the start is held
    int npose;
    // from ff_scene_begin on
    int *joints; // hinges and slides of the robots
    int njoint;
    double *start;   // (nq)
    double *torque;  // feedforward  (nv)
    bool pushes;     // some of it is not zero
    double *push;    // the part of it that drives bring  (nv)
    double *target;  // scratch: targets and their rates  (nq + nv)
    double *squares; // scratch: of the levers of all drives on a degree of freedom  (nv)
} ff_scene_control;
void ff_scene_read_control(ff_scene_reader *r);

/// controllers.c: what steers a robot by frames.
typedef struct ff_scene_events ff_scene_events;
/// Does the scene name a controller? Before anything else is read: it implies drives and sensors.
bool ff_scene_names_controller(const ff_scene_reader *r);
/// Place to complain about what a controller implies.
ff_place ff_scene_controller_place(const ff_scene_reader *r);
/// The controllers of `control` at the top and of each robot. @return true when `control` at the top names one
bool ff_scene_read_controllers(ff_scene_reader *r);
/// A key under `control` that is none of ours.
void ff_scene_report_unknown_control(const ff_scene_reader *r, const ff_yaml *control);
/// Begins each controller once, so that what it cannot find is reported with its place. Needs everything else to be read.
void ff_scene_check_controllers(ff_scene_reader *r);
/// What the controller of a robot is commanded to do with the body now; zero where it takes no commands.
ff_body_command ff_scene_body_command(const ff_scene *scene, int robot);
/// Does a controller steer the robot of that degree of freedom?
bool ff_scene_is_steered(const ff_scene *scene, int dof);
/// Does a controller give the drives positions of the joint, though they have no loop of their own?
bool ff_scene_is_led(const ff_scene *scene, int dof);
/// Begins the controllers and the bus that carries their frames, where there are any. After drives and sensors.
ff_status ff_scene_add_controllers(ff_scene *scene, ff_error *err);
/// Where a controller at work keeps the signal of that name (PREFIXNAME where a robot has a prefix); NULL: none has it.
const double *ff_scene_find_signal(const ff_scene *scene, const char *name, size_t length);
/// Is there a controller wherever the scene leaves it to the program?
ff_status ff_scene_need_controllers(const ff_scene *scene, ff_error *err);
void ff_scene_report_controllers(const ff_scene *scene, ff_report *report);
void ff_scene_end_controllers(ff_scene *scene);
/// Adds the joint law to scene->sim, where there is one or a robot settles.
ff_status ff_scene_add_control(ff_scene *scene, ff_error *err);
/// Moves robots that settle into balance and lets their contacts hold it. Last of all: it evaluates the simulation.
ff_status ff_scene_settle(ff_scene *scene, ff_error *err);

/// Target of coordinate `qadr` at time t and its rate.
void ff_scene_control_target(const ff_scene_control *c, int nq, int qadr, double t, double *q, double *rate);

// effects.c: the drives of the robots.
/// `effects`. Before the robots are compiled: rotors that move on their own leave the joints.
void ff_scene_read_effects(ff_scene_reader *r);
/// Makes the drives of the plant, and reads `references`. Needs the model.
void ff_scene_read_references(ff_scene_reader *r);
/// Notes on the drives, such as electrical poles left out.
void ff_scene_advise_drives(const ff_scene *scene, ff_report *report);
/// Does a motor move the joint?
bool ff_scene_is_driven(const ff_scene *scene, int joint);
/// Adds drives and sensors to scene->sim, with tasks that give the drives the targets of the joint law and the references.
ff_status ff_scene_add_plant(ff_scene *scene, ff_error *err);
/// Lets the drives begin where the robots stand, with the torques of those that settled.
void ff_scene_start_drives(ff_scene *scene);

/// Targets of the joint law become references of the drives that no controller steers. A drive without a loop gets the law itself, sampled.
/// @param q, v   what is known of the joints; NULL: nothing, and nothing is fed back
/// @param frame  takes the references, NULL: they go to the drives at once
void ff_scene_send_targets(const ff_scene *scene, double t, const double *q, const double *v, ff_io_frame *frame);

// faults.c: sensors that are lost and drives that hear nothing.
/// `faults`. Needs the controllers.
void ff_scene_read_faults(ff_scene_reader *r);
/// After the bus.
ff_status ff_scene_add_faults(ff_scene *scene, ff_error *err);
/// What is left of a frame of sensors; `sensors` itself where nothing is broken.
const ff_io_frame *ff_scene_lose_sensors(const ff_scene *scene, double t, const ff_io_frame *sensors);
/// Takes references out that do not reach their drives.
void ff_scene_lose_references(const ff_scene *scene, double t, ff_io_frame *references);

// host.c: the joint law and `references` over a modelled bus.
typedef struct ff_scene_host ff_scene_host;
/// Can the host close the loops that drives lack? If not, says so at `place`.
void ff_scene_check_host(const ff_scene_reader *r, const ff_drive_set *drives, const ff_sensor_set *sensors,
                         ff_place place);
/// After drives and sensors, where the bus is modelled.
ff_status ff_scene_add_host(ff_scene *scene, ff_error *err);
void ff_scene_host_cycle(const ff_scene *scene, double t, const ff_io_frame *sensors, ff_io_frame *references);

// sensors.c
/// `sensors`, `cameras` and `bus` of `effects`.
void ff_scene_read_sensing(ff_scene_reader *r, ff_yaml *effects);
/// Makes the sensors of the plant. Needs the model.
void ff_scene_read_sensors(ff_scene_reader *r);
/// Sensors that lack, for a bus or at all. Needs all that is read.
void ff_scene_check_sensors(ff_scene_reader *r);
/// Does a sensor of the scene look for shapes, by rays or as a camera?
bool ff_scene_looks(const ff_scene *scene);
/// Notes on the sensors, such as rates that cut steps short.
void ff_scene_advise_sensors(const ff_scene *scene, ff_report *report);

// pictures.c
/// `pictures` of `record`.
void ff_scene_read_pictures(ff_scene_reader *r, ff_yaml *record);
/// Names of cameras. Needs the model and the effects.
void ff_scene_check_pictures(ff_scene_reader *r);
/// Ends the list of pictures. @return the first trouble with their files
ff_status ff_scene_close_pictures(ff_scene *scene, ff_error *err);

// measuring.c: what the run is measured by (src/measure).
/// `metrics`. Needs everything that can be measured, controllers included.
void ff_scene_read_metrics(ff_scene_reader *r);
/// Starts measuring; before the recorder, which may keep what is measured. After drives and controllers.
ff_status ff_scene_add_measures(ff_scene *scene, ff_error *err);
/// Reports expectations and reported metrics whose signal no controller has. While controllers are at work.
void ff_scene_check_signal_metrics(const ff_scene *scene, ff_report *report);
/// Robots that have fallen since the last call.
void ff_scene_tell_falls(const ff_scene *scene, ff_report *report);
/// Takes the last sample and fills metrics and expectations. `finished` is false when the run failed.
void ff_scene_judge(ff_scene *scene, bool finished);

// expectations.c
/// Is there such a metric? If not, says so at the node.
bool ff_scene_check_metric(const ff_scene_reader *r, const ff_yaml *node, const char *name);
/// `expect`. After `metrics`.
void ff_scene_read_expectations(ff_scene_reader *r);

/// Takes back what ff_scene_begin made.
void ff_scene_end(ff_scene *scene);

/// Hands that push and pull, in touchable scenes. (hands.c)
ff_status ff_scene_add_hands(ff_scene *scene, ff_error *err);

/// Adds forces and springs to scene->sim.
ff_status ff_scene_add_forces(ff_scene *scene, ff_error *err);
ff_status ff_scene_add_springs(ff_scene *scene, ff_error *err);

#endif
