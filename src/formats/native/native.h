// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the native robot reader share. native.c reads the top of a file, imports and parts; items.c
// actuators, excludes and locked joints; change.c finds the items that an entry changes; the other files are named
// after what they read. docs/model-files.md is the manual of the format.
#ifndef FOOTFALL_NATIVE_NATIVE_H
#define FOOTFALL_NATIVE_NATIVE_H

#include "files/format.h"
#include "image/store.h"
#include "model/coordinates.h"

#define FF_NATIVE_MAX_ITEMS 10000 // bodies of one robot; ten times as many shapes, frames and the like

#define FF_NATIVE_MAX_LEGS 1000

#define FF_NATIVE_MAX_SETTINGS 200 // of a drive or a sensor

typedef struct ff_native {
    ff_spec *spec;
    ff_report *report;
    const ff_robot_text *from; // NULL: not a file of its own, but a part of a scene
    ff_store *store;           // of files that this one names; NULL: the disk
    const char *file;          // for messages; lives as long as the description
    ff_yaml *root;
    int nimported;                  // bodies of the imported file, which may be changed
    ff_yaml *parts;                 // map of parts, or NULL; not for use inside a part
    double *compared;               // number of names that changes of this file were compared with
    const ff_coordinates *imported; // of the poses of the imported file; NULL: none
} ff_native;

ff_status ff_native_read(ff_spec *spec, const ff_robot_text *from, ff_report *report);

/// Place of a node with a file name that outlives the tree.
ff_place ff_native_place(const ff_native *n, ff_place place);
/// True (reported at `place`) when the description has grown beyond what a robot can need, or when memory is short.
bool ff_native_too_large(const ff_native *n, ff_place place);

// ------------------------------------------------------------------------------------------ changes by name or pattern

typedef enum ff_native_kind {
    FF_NATIVE_BODY,
    FF_NATIVE_JOINT,
    FF_NATIVE_SHAPE,
    FF_NATIVE_FRAME,
    FF_NATIVE_ACTUATOR,
    FF_NATIVE_DRIVE,
    FF_NATIVE_SENSOR
} ff_native_kind;

enum { FF_NATIVE_ANYWHERE = -2 };

/// A map whose entries change items, and may add some.
typedef struct ff_native_map {
    ff_native_kind kind;
    int body;               // only items of this body, or FF_NATIVE_ANYWHERE
    int before;             // number of items before the map was read: a plain name means one of those
    const char *how_to_add; // how a new one is written, for messages
} ff_native_map;

/// Applies an entry to item number `index`.
typedef void ff_native_changer(ff_native *n, ff_yaml *node, int index);

/// The map as it is about to be read.
ff_native_map ff_native_map_of(const ff_native *n, ff_native_kind kind, int body, const char *how_to_add);
/// Has the key a star?
bool ff_native_is_pattern(const char *key);
/// Changes every item whose name an entry gives, or whose name fits its pattern.
/// @return true when an item was found, or the entry was refused with a message, such as a pattern that fits no name;
///         false for a plain name that is new
bool ff_native_change(ff_native *n, ff_yaml *node, const ff_native_map *map, ff_native_changer *change);
/// Number of the item of a name among those that existed before the map, -1 for none. Messages are about `node`.
int ff_native_find(const ff_native *n, const ff_yaml *node, const ff_native_map *map, const char *name);
/// Reports that no item has the name of an entry, with the nearest name and how a new one is written.
void ff_native_report_missing(const ff_native *n, const ff_yaml *node, const ff_native_map *map);
/// Makes messages about an item of another file point to its change in this file.
void ff_native_mark_changed(const ff_native *n, ff_place *place, ff_place change);

// ------------------------------------------------------------------------------------------ readers

/// Bodies of a map under `parent`; at the top of a file it changes those of an import.
void ff_native_bodies(ff_native *n, ff_yaml *bodies, int parent);
/// Shapes of a body (-1: fixed to the world): a list adds shapes, a map changes those of the body; at the top, those of
/// all bodies.
void ff_native_shapes(ff_native *n, ff_yaml *shapes, int body);
/// The shape that one of the keys sphere, box, .. of a map describes, with its colour, mass and material, at the body's
/// origin. NULL: reported.
ff_spec_geom *ff_native_shape(const ff_native *n, ff_yaml *node, int body);
/// Role, colour, friction, material and mass of a new shape.
void ff_native_shape_properties(const ff_native *n, ff_yaml *node, ff_spec_geom *geom);
/// Loads the mesh `file` or {file, scale} of a shape. False when it is missing, which is reported as `missing` says.
bool ff_native_mesh(const ff_native *n, ff_yaml *node, ff_spec_geom *geom, ff_severity missing);
/// Frames of a body (-1: fixed to the world). A frame that exists is changed; at the top, those of all bodies are
/// found.
void ff_native_frames(ff_native *n, ff_yaml *frames, int body);
/// Parts and files under `attach` of a body.
void ff_native_attach(ff_native *n, ff_yaml *list, int body);

/// `joint` and `joints` of a body.
void ff_native_body_joints(ff_native *n, ff_yaml *body_node, int body);
/// `dh` of a body whose joint is read already: places both.
void ff_native_dh(const ff_native *n, ff_yaml *body_node, int body);
/// Changes to joints by name or pattern, at the top of a file.
void ff_native_joint_changes(ff_native *n, ff_yaml *joints);

/// `drive` of a joint: rotor, largest torque and speed, a motor to command, and all its settings. What a change does
/// not give stays.
void ff_native_joint_drive(ff_native *n, ff_yaml *drive, const char *name, ff_spec_joint *joint);
/// The drive that `drive` of a joint made, with a motor of its name; NULL: none.
const ff_spec_drive *ff_native_drive_of(const ff_spec *spec, const char *joint);
/// Stores the description of a drive as settings. A drive of the same name is changed, or replaced where a `kind` is
/// given.
/// @param is_new  NULL, or gets whether it is new or replaced
/// @return      NULL when out of memory, or reported
ff_spec_drive *ff_native_drive(const ff_native *n, ff_yaml *node, const char *name, const char *joint, bool *is_new);
/// A number, a list of numbers, or true and false for 1 and 0.
void ff_native_setting_values(const ff_native *n, ff_yaml *node, ff_spec_setting *to);
/// Keeps the settings that a change does not give, then adds those that it gives. @param owner  "drive" or "sensor",
/// for messages
void ff_native_merge_settings(const ff_native *n, const char *owner, ff_spec_setting **settings, int *count,
                              const ff_spec_setting *given, int ngiven, ff_place place);
/// The map `drives` at the top: drives of several joints, and cables without a motor.
void ff_native_drives(ff_native *n, ff_yaml *drives);
/// The map `biped` at the top.
void ff_native_biped(const ff_native *n, ff_yaml *biped);
/// The map `battery` at the top; needs all drives.
void ff_native_battery(const ff_native *n, ff_yaml *battery);
void ff_native_actuators(ff_native *n, ff_yaml *actuators);
void ff_native_sensors(ff_native *n, ff_yaml *sensors);
void ff_native_contact(ff_native *n, ff_yaml *contact);
void ff_native_loops(ff_native *n, ff_yaml *loops);
void ff_native_tendons(ff_native *n, ff_yaml *tendons);
/// Removes a joint from tendons that are sums of joints. A tendon that has no joint left is removed with its actuators
/// and sensors.
void ff_native_remove_from_tendons(ff_spec *spec, const ff_spec_joint *locked);
/// A leg by its name; "" for `leg` of a part, which is named after the prefix.
void ff_native_leg(const ff_native *n, ff_yaml *leg, const char *name);
/// `legs`: a map of legs, or a list that orders those that exist.
void ff_native_legs(ff_native *n, ff_yaml *legs);
/// `hands`: a map of hands; one of the same name is replaced.
void ff_native_hands(ff_native *n, ff_yaml *hands);
/// Removes a joint from the legs; a leg that has no joint left is removed.
void ff_native_remove_from_legs(ff_spec *spec, const char *joint);
/// Couplings of a joint that is removed: those of the joint itself are removed, joints that follow it are held where
/// they are. False when out of memory.
bool ff_native_remove_from_loops(ff_spec *spec, const ff_spec_joint *locked);
/// Reads [lower, upper], or `none`, which removes bounds.
void ff_native_range(const ff_native *n, ff_yaml *node, const char *key, double range[2], bool *limited);
/// Reads stiffness and damping under `stop`.
void ff_native_stop(const ff_native *n, ff_yaml *node, double *stiffness, double *damping);
/// Removes a joint with its actuators, drives and sensors; its body stays at the reference. False when out of memory.
bool ff_native_lock_joint(ff_native *n, int index);
/// Named states; needs the complete tree.
void ff_native_poses(ff_native *n, ff_yaml *poses);

/// Position of one joint as written in poses and scenes: a number for hinge and slide, [x, y, angle] for planar, {rpy}
/// or {quat} for ball, {pos, rpy or quat} for free; `q` keeps what is not given.
void ff_native_position(ff_yaml *node, ff_joint_type type, double *q, ff_report *report);

#endif
