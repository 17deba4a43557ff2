// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the native robot reader share. native.c reads the top of a file, imports and parts; native_body.c
// bodies, inertia and shapes; native_joint.c joints; native_drive.c drives; native_items.c actuators, excludes and poses; native_sensor.c sensors; native_loops.c loops;
// native_leg.c legs;
// mirror.c turns a part into its mirror image. docs/model-files.md is the manual of the format.
#ifndef FOOTFALL_MODEL_NATIVE_H
#define FOOTFALL_MODEL_NATIVE_H

#include "model/store.h"

#define FF_NATIVE_MAX_ITEMS 10000 // bodies of one robot; ten times as many shapes, frames and the like

#define FF_NATIVE_MAX_LEGS 1000

/// A file being read, and the file that imports it.
typedef struct ff_native_file {
    const char *path; // resolved
    const struct ff_native_file *importer;
} ff_native_file;

typedef struct ff_native {
    ff_spec *spec;
    ff_report *report;
    const ff_load_options *options;
    const ff_native_file *files;
    ff_store *store;  // where the files come from that are named; NULL: the disk
    const char *file; // for messages; lives as long as the description
    ff_yaml *root;
    int nimported;  // bodies that came by `import` and may be changed
    ff_yaml *parts; // map of parts, or NULL; not for use inside a part
} ff_native;

/// Place of a node with a file name that outlives the tree.
ff_place ff_native_place(const ff_native *n, ff_place place);
/// True (reported at `place`) when the description has grown beyond what a robot can need, or when memory is short.
bool ff_native_too_large(const ff_native *n, ff_place place);

/// Bodies of a map under `parent`; those whose name exists already are changed instead.
void ff_native_bodies(ff_native *n, ff_yaml *bodies, int parent);
void ff_native_shapes(ff_native *n, ff_yaml *shapes, int body);
/// The shape that one of the keys sphere, box, .. of a map describes, with its looks, mass and material, at the body's origin. NULL when reported.
ff_spec_geom *ff_native_shape(const ff_native *n, ff_yaml *node, int body);
/// Role, colour, friction, material and mass of a shape.
void ff_native_look(const ff_native *n, ff_yaml *node, ff_spec_geom *geom);
/// Loads the mesh `file` or {file, scale} of a shape. False when it is missing, which is reported as `missing` says.
bool ff_native_mesh(const ff_native *n, ff_yaml *node, ff_spec_geom *geom, ff_severity missing);
void ff_native_frames(ff_native *n, ff_yaml *frames, int body);
/// Parts and files under `attach` of a body.
void ff_native_attach(ff_native *n, ff_yaml *list, int body);

/// `joint` and `joints` of a body.
void ff_native_body_joints(ff_native *n, ff_yaml *body_node, int body);
/// Changes to joints by name or pattern, at the top of a file.
void ff_native_joint_changes(ff_native *n, ff_yaml *joints);

/// Keeps the description of a drive as settings; one of the same name is replaced.
void ff_native_drive(const ff_native *n, ff_yaml *node, const char *name, const char *joint, double armature);
/// Is the joint one of those the drive acts on?
bool ff_spec_drive_acts_on(const ff_spec_drive *drive, const char *joint);
/// The map `drives` at the top: drives of several joints, and cables without a motor.
void ff_native_drives(ff_native *n, ff_yaml *drives);
void ff_native_actuators(ff_native *n, ff_yaml *actuators);
void ff_native_sensors(ff_native *n, ff_yaml *sensors);
void ff_native_contact(ff_native *n, ff_yaml *contact);
void ff_native_loops(ff_native *n, ff_yaml *loops);
/// `leg` of a part: one leg, called after the prefix.
void ff_native_leg(ff_native *n, ff_yaml *leg);
/// `legs`: a map of legs, or the order of those that are there.
void ff_native_legs(ff_native *n, ff_yaml *legs);
/// `hands`: a map of hands; one of the same name is replaced.
void ff_native_hands(ff_native *n, ff_yaml *hands);
/// Takes a joint out of the legs; a leg without joints goes.
void ff_native_shorten_legs(ff_spec *spec, const char *joint);
/// Couplings to a joint that is about to go: those of the joint itself go with it, others hold what it led. False when out of memory.
bool ff_native_unlink_joint(ff_spec *spec, const ff_spec_joint *locked);
/// Removes a joint, so that its body stays at the reference, with what drives and senses it. False when out of memory.
bool ff_native_lock_joint(ff_native *n, int index);
/// Named states; needs the complete tree.
void ff_native_poses(ff_native *n, ff_yaml *poses);

/// Position of one joint as written in poses and scenes: a number for hinge and slide, [x, y, angle] for planar, {rpy} or {quat} for
/// ball, {pos, rpy or quat} for free; `q` keeps what is not given.
void ff_native_position(ff_yaml *node, ff_joint_type type, double *q, ff_report *report);

/// Mirror image of a description across the plane through its origin normal to `axis` (0 x, 1 y, 2 z). Joints keep
/// signs: equal coordinates give mirrored poses.
void ff_spec_mirror(ff_spec *spec, int axis);

#endif
