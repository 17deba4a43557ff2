// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of the MJCF loader share. The elements a default class can preset (joint, geom, site, mesh, material,
// actuator) are read into plain records: a class is a set of records copied from its parent class, and an element
// starts as a copy of its class and overwrites what its own attributes say. Angles stay as written until an element is
// finished.
#ifndef FOOTFALL_MJCF_MJCF_H
#define FOOTFALL_MJCF_MJCF_H

#include "files/format.h"
#include "model/fields.h"
#include "text/names.h"
#include "text/xml.h"

// ------------------------------------------------------------------------------------------ records

/// Orientation as written: a quaternion, overruled by the alternative forms that are set, euler being the strongest.
typedef struct mjcf_orient {
    double quat[4];
    bool has_axisangle, has_xyaxes, has_zaxis, has_euler;
    double axisangle[4];
    double xyaxes[6];
    double zaxis[3];
    double euler[3];
} mjcf_orient;

/// MJCF's limited="false|true|auto".
typedef enum mjcf_limited { MJCF_UNLIMITED, MJCF_LIMITED, MJCF_AUTO } mjcf_limited;

typedef struct mjcf_joint {
    ff_joint_type type;
    double pos[3], axis[3];
    mjcf_limited limited, force_limited;
    double range[2];       // in the file's unit of angle
    double force_range[2]; // actuatorfrcrange  [N m, N]
    double ref, springref; // in the file's unit of angle
    double stiffness, damping, armature, frictionloss;
    double springdamper[2]; // time constant [s], damping ratio
} mjcf_joint;

/// Kinds of geoms and sites, in the order of the words in geom.c.
typedef enum mjcf_shape {
    MJCF_PLANE,
    MJCF_HFIELD,
    MJCF_SPHERE,
    MJCF_CAPSULE,
    MJCF_ELLIPSOID,
    MJCF_CYLINDER,
    MJCF_BOX,
    MJCF_MESH,
    MJCF_SDF
} mjcf_shape;

typedef struct mjcf_geom {
    mjcf_shape type;
    double size[3], pos[3];
    mjcf_orient orient;
    bool has_fromto, has_mass, shell;
    double fromto[6];
    double mass, density, fitscale;
    double rgba[4];
    double friction[3];
    const char *material, *mesh, *hfield; // names, or NULL
    int group, contype, conaffinity, condim;
    bool ellipsoid;
    double fluid[5];
    ff_mjcf_contact contact;
} mjcf_geom;

/// The volume of a site: contacts in it press a touch sensor there.
typedef struct mjcf_zone {
    int frame; // of the description
    mjcf_shape type;
    double size[3]; // [m]
} mjcf_zone;

typedef struct mjcf_site {
    double pos[3];
    mjcf_orient orient;
    bool has_fromto;
    double fromto[6];
    mjcf_zone zone;
} mjcf_site;

typedef struct mjcf_mesh {
    double scale[3], refpos[3], refquat[4];
    int filling; // an ff_mesh_filling, -1 for the compiler's choice
} mjcf_mesh;

typedef struct mjcf_actuator {
    int dyntype, gaintype, biastype; // indices into the word lists of actuator.c
    double dynprm[3], gainprm[9];
    double biasprm[9]; // the third of a position servo: below 0 damping, above 0 a damping ratio
    double inheritrange;
    double armature, damping; // at the end of the transmission; the joint sees gear^2 of them  [kg m^2, N m s/rad]
    double gear[6];
    mjcf_limited ctrllimited, forcelimited, actlimited;
    double ctrlrange[2], forcerange[2], actrange[2], lengthrange[2];
} mjcf_actuator;

typedef struct mjcf_tendon {
    mjcf_limited limited;
    double range[2], margin;
    double springlength[2]; // -1: at rest
    double stiffness, damping, frictionloss;
} mjcf_tendon;

typedef struct mjcf_class {
    const char *name;
    mjcf_joint joint;
    mjcf_geom geom;
    mjcf_site site;
    mjcf_mesh mesh;
    mjcf_actuator actuator;
    mjcf_tendon tendon;
    ff_spec_pair pair; // without names
    double material_rgba[4];
    bool equality_active;
} mjcf_class;

// ------------------------------------------------------------------------------------------ names

typedef enum mjcf_kind {
    MJCF_BODY,
    MJCF_JOINT,
    MJCF_GEOM,
    MJCF_SITE,
    MJCF_MESH_ASSET,
    MJCF_HFIELD_ASSET,
    MJCF_MATERIAL,
    MJCF_CLASS,
    MJCF_TENDON,
    MJCF_ACTUATOR,
    MJCF_SENSOR,
    MJCF_EQUALITY,
    MJCF_KEY,
    MJCF_KIND_COUNT
} mjcf_kind;

#define MJCF_NONE     (-1) // no such name
#define MJCF_LEFT_OUT (-2) // the file has it, the description has not

typedef struct mjcf_entry {
    const char *name;
    int index;
    ff_place place;
} mjcf_entry;

typedef struct mjcf_table {
    ff_names names; // name -> entry
    mjcf_entry *entries;
    int count, capacity;
} mjcf_table;

// ------------------------------------------------------------------------------------------ the loader's state

typedef enum mjcf_mass_rule { MJCF_MASS_GIVEN, MJCF_MASS_FROM_GEOMS, MJCF_MASS_AUTO } mjcf_mass_rule;

/// What became of an actuator of the file: the description has it, and whether it has an activation.
typedef struct mjcf_use {
    bool kept, stateful;
} mjcf_use;

/// Bodies from an <attach>, whose masses follow the rules of their own file.
typedef struct mjcf_part {
    int first, end;
} mjcf_part;

/// What the actuators of a joint may do together: its actuatorfrcrange.  [N m, N]
typedef struct mjcf_bound {
    int joint;
    double range[2];
} mjcf_bound;

typedef struct mjcf {
    ff_spec *spec;
    ff_report *report;
    const ff_robot_text *from;
    ff_arena arena;   // the XML tree and all scratch
    const char *file; // the main file, in the description's arena
    ff_xml *root;
    bool no_memory;
    bool long_names; // names of copies that are too long have been reported
    bool grown;      // <replicate> or <attach> have added bodies, for which keyframes may have no numbers
    bool incomplete; // bodies were left out, so that names may be missing without a fault of the file

    // <compiler>
    bool radian, global, autolimits, strippath, exact_meshes, fit_bounds, discard_visual;
    bool no_contact; // <flag contact="disable"/> of <option>
    char eulerseq[4];
    const char *meshdir;
    mjcf_mass_rule mass_rule;
    double magnetic[3]; // <option magnetic>: flux of the world, in any unit
    double timestep;    // <option timestep>  [s]: bounds solref; a run has the step of its scene

    mjcf_class **classes; // the first is "main"
    int nclass, class_capacity;
    mjcf_table tables[MJCF_KIND_COUNT];
    double (*material_rgba)[4]; // by index of the material
    int nmaterial, material_capacity;
    mjcf_zone *zones; // of sites
    int nzone, zone_capacity;
    int *massless; // bodies in which something that gives mass was left out
    int nmassless, massless_capacity;
    mjcf_part *parts; // in the order of bodies
    int npart, part_capacity;
    /// Reads a model that is attached in `above`.
    ff_status (*read_below)(const struct mjcf *above, ff_spec *spec, const ff_robot_text *from, ff_report *report);
    int depth;               // models that this one is attached in
    int *nattached;          // models read, by this file and all that it attaches
    mjcf_use *actuator_uses; // by order in the file
    int nactuator, actuator_capacity;
    mjcf_bound *bounds; // of forces of actuators on joints
    int nbound, bound_capacity;
} mjcf;

ff_status mjcf_read(ff_spec *spec, const ff_robot_text *from, ff_report *report); // mjcf.c

// report.c
void mjcf_error(mjcf *m, ff_place place, const char *format, ...) FF_PRINTF(3, 4);
void mjcf_warn(mjcf *m, ff_place place, const char *format, ...) FF_PRINTF(3, 4);
/// Lists an element as ignored, with the reason, and takes it out of the tree's final check.
void mjcf_leave_out(mjcf *m, ff_xml *node, const char *format, ...) FF_PRINTF(3, 4);
/// A reference to a name that does not exist: an error, unless elements that could have this name were left out.
void mjcf_unresolved(mjcf *m, ff_xml *node, const char *what, const char *name);
/// Remembers that memory ran out; false when `memory` is NULL.
bool mjcf_has_memory(mjcf *m, const void *memory);
/// Makes room for one more item, as ff_array_grow does, and remembers that memory ran out.
bool mjcf_grow(mjcf *m, void *items, int count, int *capacity, size_t size);
/// Lists the attributes of an element that no reader has used.
void mjcf_list_unread(mjcf *m, const ff_xml *node);
/// Lists all that no reader has used: whole elements, or single attributes.
void mjcf_list_all_unread(mjcf *m);

// names.c
/// Registers a name (NULL or "" registers nothing); an earlier one of the same kind is an error with both places.
void mjcf_name_add(mjcf *m, mjcf_kind kind, const char *name, int index, ff_place place);
/// Index of a name, MJCF_NONE or MJCF_LEFT_OUT.
int mjcf_name_find(const mjcf *m, mjcf_kind kind, const char *name);
/// The same; a name that does not exist is reported, and what refers to something that was left out is left out, too.
/// @param word  of what it names, for messages
/// @return below 0 in both cases
int mjcf_find(mjcf *m, ff_xml *node, mjcf_kind kind, const char *word, const char *name);
/// The same for a name that an element must have in an attribute.
int mjcf_find_needed(mjcf *m, ff_xml *node, mjcf_kind kind, const char *word, const char *attribute);
/// Gives every nameless body, joint, site, tendon, actuator, sensor, equality and keyframe a name like "body_3" that
/// is unused.
void mjcf_name_rest(mjcf *m);
/// Registers the names of an attached model. @param before  numbers of items before it was attached
void mjcf_name_attached(mjcf *m, const int before[FF_ITEM_COUNT]);
/// Class named by attribute `name`, or `fallback` when absent; an unknown one is an error.
const mjcf_class *mjcf_class_of(mjcf *m, ff_xml *node, const char *name, const mjcf_class *fallback);
/// A body by attribute, as the description names it ("" for the world); NULL when missing, unknown or out of memory.
const char *mjcf_body_named(mjcf *m, ff_xml *node, const char *attribute, bool needed);

// read.c
bool mjcf_flag(mjcf *m, ff_xml *node, const char *name, bool fallback);
mjcf_limited mjcf_limited_read(mjcf *m, ff_xml *node, const char *name, mjcf_limited fallback);
/// Does `range` hold? Under autolimits, "auto" means: when it is not 0 0. A range that holds must be in order.
bool mjcf_limited_resolve(mjcf *m, ff_xml *node, const char *what, mjcf_limited limited, const double range[2]);
/// A number that must not be negative.
double mjcf_not_negative(mjcf *m, ff_xml *node, const char *name, double fallback);
/// First of one to three numbers; more than one (a polynomial) is listed as ignored.
double mjcf_first_number(mjcf *m, ff_xml *node, const char *name, double fallback);
/// Any count of numbers up to `most` into memory of `arena`; NULL when absent, bad or out of memory. @param count set
/// always
double *mjcf_numbers(mjcf *m, ff_xml *node, const char *name, int most, ff_arena *arena, int *count);

/// Four numbers of a colour over what the class says. An empty attribute is listed as unused.
void mjcf_colour(mjcf *m, ff_xml *node, double rgba[4]);
/// Path of a file that an element names, in the description's arena: beside the file that contains the element, else
/// beside the main one. NULL when out of memory.
const char *mjcf_file_beside(mjcf *m, const ff_xml *node, const char *file);
/// File name without folders and without its ending.
const char *mjcf_base_name(mjcf *m, const char *file);
/// Where a mesh file is: in meshdir, which starts at the folder of the file that names it, or at the main one's.
const char *mjcf_asset_path(mjcf *m, const ff_xml *node, const char *file);
bool mjcf_ends_with(const char *text, const char *end);

// include.c
/// Replaces every <include> by the contents of its file.
void mjcf_include_all(mjcf *m);

// replicate.c
/// Attribute of an <attach> in a copy: the suffix of the names of what it attaches.
#define MJCF_SUFFIX       " suffix"
#define MJCF_LONGEST_NAME 1000 // characters of a name that copies or attached models may get
/// Replaces every <replicate> by frames with its copies. Needs the settings of <compiler>.
void mjcf_replicate_all(mjcf *m);

// orient.c
mjcf_orient mjcf_orient_default(void);
/// Reads the orientation attributes of an element over what its class says; more than one in an element is an error.
void mjcf_orient_read(mjcf *m, ff_xml *node, mjcf_orient *orient);
/// Unit quaternion; an orientation without meaning is reported and becomes the identity.
void mjcf_orient_resolve(mjcf *m, const ff_xml *node, const mjcf_orient *orient, double quat[4]);
/// Frame of a segment: in the middle, z along it. @return its length [m], 0 (reported) when the ends coincide
double mjcf_orient_segment(mjcf *m, const ff_xml *node, const double fromto[6], double pos[3], double quat[4]);

// attach.c
/// Attaches the model that an element names to a body, at a pose in its frame. False where no <asset> declares it;
/// what else is wrong is reported.
bool mjcf_attach(mjcf *m, ff_xml *node, int body, const double pos[3], const double quat[4]);
/// Puts that many actuators and sensors, which came first, behind those of the file itself, as MuJoCo has them.
void mjcf_attached_last(mjcf *m, int actuators, int sensors);

// default.c
void mjcf_default_all(mjcf *m);

// body.c
void mjcf_joint_read(mjcf *m, ff_xml *node, mjcf_joint *joint);
void mjcf_worldbody(mjcf *m, ff_xml *section);

// mass.c
void mjcf_masses(mjcf *m);
void mjcf_note_massless(mjcf *m, int body); // something that gives the body mass was left out

// geom.c
void mjcf_geom_read(mjcf *m, ff_xml *node, mjcf_geom *geom);
/// Reads solref, and of solimp the impedance of deep contacts.
void mjcf_hardness_read(mjcf *m, ff_xml *node, ff_mjcf_contact *contact);
void mjcf_site_read(mjcf *m, ff_xml *node, mjcf_site *site);
void mjcf_geom_add(mjcf *m, ff_xml *node, int body, const mjcf_class *class, const double pos[3], const double quat[4]);
void mjcf_site_add(mjcf *m, ff_xml *node, int body, const mjcf_class *class, const double pos[3], const double quat[4]);

// mesh.c
void mjcf_mesh_read(mjcf *m, ff_xml *node, mjcf_mesh *mesh);
void mjcf_assets(mjcf *m, ff_xml *section);
/// Half sides of the box with the mesh's volume and principal moments, their frame in the mesh frame, or the
/// axis-aligned bounds when the compiler says fitaabb. False when the mesh has no data or no volume.
bool mjcf_mesh_box(mjcf *m, int mesh, double half[3], double pos[3], double quat[4]);
/// Radius and half length of the sphere, capsule or cylinder (type) about the frame (pos, quat) that just holds all
/// vertices.
void mjcf_mesh_wrap(const mjcf *m, int mesh, mjcf_shape type, const double pos[3], const double quat[4],
                    double size[3]);

// hfield.c
void mjcf_hfield_add(mjcf *m, ff_xml *node);

// actuator.c
/// Is the element some actuator? They all share one preset of their class.
bool mjcf_actuator_is(const char *element);
void mjcf_actuator_read(mjcf *m, ff_xml *node, mjcf_actuator *actuator);
void mjcf_actuators(mjcf *m, ff_xml *section);
void mjcf_bound_actuators(mjcf *m); // by the ranges of their joints

// tendon.c
void mjcf_tendon_read(mjcf *m, ff_xml *node, mjcf_tendon *tendon);
void mjcf_tendons(mjcf *m, ff_xml *section);

// contact.c
/// <contact>: excluded pairs of bodies, and pairs of geoms that can touch in spite of their filters.
void mjcf_contacts(mjcf *m, ff_xml *section);
void mjcf_pair_read(mjcf *m, ff_xml *node, ff_spec_pair *pair);

// object_word.c
/// What a word of objtype or an attribute names, and what the description calls it.
typedef struct mjcf_object_word {
    const char *word;
    mjcf_kind kind;
    const char *ours;      // object_type of the sensor
    const char *reference; // as `reference_on` of ours
} mjcf_object_word;

/// NULL: MJCF has no such word.
const mjcf_object_word *mjcf_object_word_of(const char *word);
/// The word for a frame of ours, by an `object_type` or by `reference_on`; NULL: there is none.
const mjcf_object_word *mjcf_object_word_of_ours(const char *ours);

// sensor.c
void mjcf_sensors(mjcf *m, ff_xml *section);

// other.c
void mjcf_equalities(mjcf *m, ff_xml *section);
void mjcf_keyframes(mjcf *m, ff_xml *section);

#endif
