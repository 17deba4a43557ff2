// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `ff_spec`, the editable description of a robot as a loader or a user makes it; reading it from files and writing it
// to them. footfall/model.h compiles it.
#ifndef FOOTFALL_SPEC_H
#define FOOTFALL_SPEC_H

#include <footfall/contact.h>
#include <footfall/geom.h>

#ifdef __cplusplus
extern "C" {
#endif

// =========================================================================================================
// Description

typedef enum ff_joint_type {
    FF_JOINT_HINGE,  // q: angle [rad]
    FF_JOINT_SLIDE,  // q: displacement [m]
    FF_JOINT_BALL,   // q: quaternion (4); v: angular velocity in the child frame (3)
    FF_JOINT_FREE,   // q: position (3), quaternion (4); v: linear, parent axes (3), angular, child axes (3)
    FF_JOINT_PLANAR, // q: x, y, angle in the plane normal to the axis; v: their rates
    FF_JOINT_COUNT
} ff_joint_type;

/// "hinge", "slide", "ball", "free", "planar".
FF_API const char *ff_joint_name(ff_joint_type type);
/// How many numbers of q, and of v, a joint has.
FF_API int ff_joint_nq(ff_joint_type type);
FF_API int ff_joint_nv(ff_joint_type type);
/// Hinge or slide: one number each for position and velocity, with limits, a spring and a reference.
FF_API bool ff_joint_is_scalar(ff_joint_type type);

/// A rigid body and its frame. Several joints may lie between a body and its parent; none means rigidly attached.
typedef struct ff_spec_body {
    const char *name; // unique, not empty
    int parent;       // index of an earlier body, -1 for the world
    double pos[3];    // frame in the parent's frame, all joints at their reference  [m]
    double quat[4];
    bool has_inertial;       // the numbers below were given
    bool inertia_from_geoms; // mass properties are the sum of this body's geoms instead
    bool coarse_axes;        // from geoms: put on principal axes with MuJoCo's tolerance, to agree with it beyond 1e-6
    double coarse_quat[4];   // orientation of the body in the frame in which those axes are computed
    double mass;             // [kg]
    double com[3];           // in the body frame  [m]
    double inertia_quat[4];  // axes of `inertia` in the body frame
    double inertia[6];       // about the centre of mass: xx, yy, zz, xy, xz, yz  [kg m^2]
    double gravcomp;         // share of its weight that a force at its centre of mass balances; 1: all
    bool mocap;              // callers move it (ff_sim_set_mocap); without joints, on the world
    ff_place place;
} ff_spec_body;

/// Joint between a body and its parent. Joints of one body act in the order they were added, the first nearest to the
/// parent.
typedef struct ff_spec_joint {
    const char *name;
    int body;
    ff_joint_type type;
    double pos[3];         // anchor in the body frame (ignored by free joints)  [m]
    double axis[3];        // in the body frame, any length > 0 (hinge, slide, planar)
    double ref;            // value of q in the pose that `pos` and `quat` of the body describe (hinge, slide)  [rad, m]
    bool limited;          // `range` holds (ball: largest angle in range[1])
    double range[2];       // lower, upper  [rad, m]
    double stop_stiffness; // one-sided spring beyond a limit; NAN for the default  [N m/rad, N/m]
    double stop_damping;   // acts while pressing into a stop; NAN for the default  [N m s/rad, N s/m]
    double stiffness;      // spring about `spring_ref`  [N m/rad, N/m]
    double spring_ref;     // [rad, m]
    double damping;        // viscous, all degrees of freedom of the joint  [N m s/rad, N s/m]
    double spring_time;    // where both are above 0, time constant [s] and damping ratio of the joint in the reference
    double spring_ratio; // pose: they give the stiffness, and damping that is added to `damping` (MJCF's springdamper)
    double dry_friction; // Coulomb level  [N m, N]
    double dry_speed;    // regularisation speed of dry friction; 0 for the default  [rad/s, m/s]
    double armature;     // inertia of the rotor seen at the joint, all degrees of freedom  [kg m^2, kg]
    double effort;       // largest drive torque, 0 when unknown  [N m, N]
    double speed;        // largest drive speed, 0 when unknown  [rad/s, m/s]
    const char *mimic;   // name of the joint this one follows, or NULL: q = mimic_gain * q_other + mimic_offset
    double mimic_gain;
    double mimic_offset;
    ff_place place;
} ff_spec_joint;

typedef enum ff_geom_role { FF_GEOM_BOTH, FF_GEOM_VISUAL, FF_GEOM_COLLISION } ff_geom_role;

/// Shape fixed to a body.
typedef struct ff_spec_geom {
    const char *name; // may be NULL
    int body;         // -1 for the world
    ff_shape_type type;
    double size[3];
    int mesh; // index into meshes, -1 for none
    double pos[3];
    double quat[4];
    double rgba[4];
    ff_geom_role role;
    bool gives_mass; // adds to the inertia of a body that comes from its geoms
    bool has_mass;   // `mass` is given; otherwise `density` counts
    double mass;     // [kg]
    double density;  // [kg/m^3]
    int group;
    int contype; // collision filters as in MJCF: pair collides if contype & conaffinity match either way
    int conaffinity;
    int condim;
    double friction[3];   // sliding, torsional [m], rolling [m]: of shapes without a material (ff_material_with_mjcf)
    bool has_friction;    // the file gave `friction` or `condim`; otherwise those of the standard material hold
    ff_mjcf_contact mjcf; // other numbers of MJCF for contacts
    bool ellipsoid;  // drag of the body is that of its ellipsoids (compile_medium.c), not of the box of equal inertia
    double fluid[5]; // of an ellipsoid: blunt, slender and angular drag, Kutta and Magnus lift
    const char *material; // name of a contact material, NULL for the default
    ff_place place;
    ff_place material_place; // where the material is named; line 0: at `place`
} ff_spec_geom;

typedef struct ff_spec_mesh {
    const char *name;
    const char *path; // as resolved; NULL when `data` was given inline
    double scale[3];
    double pos[3]; // frame of the file's data inside the mesh frame the geoms use
    double quat[4];
    ff_mesh_filling filling;
    bool coarse_axes;    // its inertia is put on principal axes with MuJoCo's tolerance, at density 1
    ff_mesh *data;       // NULL when the file is missing; owned by the spec
    const char *problem; // why `data` is NULL
    ff_place place;
} ff_spec_mesh;

/// Named frame (MJCF site, URDF link frames are bodies already).
typedef struct ff_spec_frame {
    const char *name;
    int body; // -1 for the world
    double pos[3];
    double quat[4];
    ff_place place;
} ff_spec_frame;

typedef enum ff_actuator_type {
    FF_ACTUATOR_MOTOR,
    FF_ACTUATOR_POSITION,
    FF_ACTUATOR_VELOCITY,
    FF_ACTUATOR_GENERAL
} ff_actuator_type;

/// What the length of a tendon is made of.
typedef enum ff_tendon_piece_type {
    FF_TENDON_JOINT,  // coefficient times the position of a hinge or slide; tendons of these alone are fixed ones
    FF_TENDON_POINT,  // a frame that the string runs through; straight to the next one
    FF_TENDON_WRAP,   // between two points: a sphere or cylinder that the string runs around
    FF_TENDON_PULLEY, // pieces behind it count 1/divisor; they are not connected with those before
    FF_TENDON_THRUST  // no string: a force and a moment at a frame, as of a jet; alone in its tendon
} ff_tendon_piece_type;

typedef struct ff_spec_tendon_piece {
    ff_tendon_piece_type type;
    const char *name; // joint, frame or shape; NULL for a pulley
    const char *side; // wrap: frame on the side of the string; in the shape: the string runs through it; NULL: either.
                      // thrust: frame that it pushes off from, in whose axes; NULL: none, axes of its own frame
    double factor;    // joint: coefficient [1, m/rad]; pulley: divisor
    double wrench[6]; // thrust: force, moment for a unit along the tendon  [1, m]
} ff_spec_tendon_piece;

/// A string over joints or through space, of length L(q), with spring, damper, dry friction and stops along it. Its
/// force F acts on the joints as (dL/dq)' F.
typedef struct ff_spec_tendon {
    const char *name;
    ff_spec_tendon_piece *pieces;
    int npiece;
    double stiffness;        // [N/m]; of fixed tendons all units are those of the sum
    double damping;          // [N s/m]
    bool spring_at_rest;     // the spring is slack where joints are at their spring references
    double spring_length[2]; // the spring is slack between these, the same twice for a plain one  [m]
    double dry_friction;     // Coulomb level  [N]
    double dry_speed;        // its regularisation speed; 0 for the default  [m/s]
    bool limited;            // `range` holds
    double range[2];         // shortest, longest  [m]
    double stop_stiffness;   // one-sided spring beyond a limit; NAN for the default  [N/m]
    double stop_damping;     // acts while pressing into it; NAN for the default  [N s/m]
    ff_place place;
} ff_spec_tendon;

/// How the force of an actuator follows from its command u: from u itself, or from an activation a, a state of the
/// simulation.
typedef enum ff_activation_type {
    FF_ACTIVATION_NONE,       // the command
    FF_ACTIVATION_INTEGRATOR, // a' = u
    FF_ACTIVATION_FILTER,     // a' = (u - a) / T
    FF_ACTIVATION_MUSCLE,     // the same with T by the direction and a: of muscles (src/physics/dyn/actuator.c)
    FF_ACTIVATION_COUNT
} ff_activation_type;

typedef struct ff_activation {
    ff_activation_type type;
    double time[2];  // T of the filter; of a muscle to activate and to deactivate  [s]
    double smooth;   // width of u - a over which the time of a muscle changes from one to the other, 0: at once
    bool limited;    // `range` holds
    double range[2]; // that a stays in
} ff_activation;

/// Curves of a muscle over its length, in units of its optimal length L0, and its speed (src/physics/dyn/actuator.c).
/// They take the place of the gain of an actuator, or of its bias.
typedef struct ff_muscle {
    bool acts;
    double operating[2];      // L at the ends of the length range
    double force;             // peak active force, below 0: `scale` over the acceleration by a unit force at rest  [N]
    double scale;             // [N m/s^2]
    double shortest, longest; // L at which the active force ends
    double speed;             // of shortening at which it is none  [L0/s]
    double passive;           // force of stretched tissue at L = longest, as a part of the peak
    double lengthening;       // active force of a muscle that is stretched fast, as a part of the peak
} ff_muscle;

/// Drive of a joint or a tendon with l = gear q, q the position of the joint or the length of the tendon:
///     force = gear * clamp(gain(l, l') * a + bias(l, l'))
/// where a is the command or an activation, and gain and bias are sums
///     gain + gain_by[0] l + gain_by[1] l',    bias[0] + bias[1] l + bias[2] l',    or curves of a muscle.
typedef struct ff_spec_actuator {
    const char *name;
    ff_actuator_type type;
    const char *joint; // one of the three
    const char *tendon;
    const char *body; // that adhesion pulls towards its contacts
    double gear;
    double gain, gain_by[2];
    double bias[3];
    // above 0: bias[2] = -2 damping_ratio sqrt(gain J) / |gear|, with J the inertia that the joint moves in the
    // reference pose while all others are held; bias[2] of the description has no effect then
    double damping_ratio;
    bool command_limited;
    double command_range[2];
    bool force_limited;
    double force_range[2];
    ff_activation activation;
    ff_muscle active, passive; // in place of gain and bias
    double length_range[2];    // of l, for muscles; the same twice: from the ranges of the joints
    ff_place place;
} ff_spec_actuator;

/// One number, list of numbers or word of a description that a later room understands, by its dotted name:
/// "motor.power" 8.68, "transmission.kind" backlash.
typedef struct ff_spec_setting {
    const char *name;
    const char *word;     // NULL for numbers
    const double *values; // (count)
    int count;
    ff_place place;
} ff_spec_setting;

/// Drive of one or two joints as described in the file; modelled by the drive room (docs/drives.md).
typedef struct ff_spec_drive {
    const char *name;
    const char *joint[2]; // the second NULL where there is one only
    ff_spec_setting *settings;
    int nsetting;
    double armature;     // of its rotor, added to the armature of the first joint  [kg m^2, kg]
    const char *battery; // that feeds it, NULL: a supply of constant voltage
    ff_place place;
} ff_spec_drive;

/// Battery as described in the file; modelled by the drive room (docs/drives.md).
typedef struct ff_spec_battery {
    const char *name;
    double voltage;    // nominal: the one that supplies of its drives are given for  [V]
    double capacity;   // [C]
    double resistance; // inner  [ohm]
    double charge;     // at the start, as a part of the capacity
    double load;       // power of other devices, such as computers  [W]
    double least;      // voltage at which it switches off, 0: never  [V]
    double *curve;     // open-circuit voltage over the charged part: charge, voltage, charge, ..  (ncurve)
    int ncurve;        // numbers in it, 0: the nominal voltage
    ff_place place;
} ff_spec_battery;

/// Sensor as named in the file; modelled by the sense room.
typedef struct ff_spec_sensor {
    const char *name;
    const char *type;        // "gyro", "accelerometer", "touch", "jointpos", ...
    const char *object_type; // "site", "joint", "body", "actuator", ... or ""
    const char *object;      // name, or ""
    double noise;
    double cutoff;
    ff_spec_setting *settings; // everything else of a native file
    int nsetting;
    ff_place place;
} ff_spec_sensor;

typedef enum ff_equality_type {
    FF_EQUALITY_CONNECT, // a point of one body stays on a point of another
    FF_EQUALITY_WELD,    // one body keeps its pose in the frame of another
    FF_EQUALITY_JOINT,   // one joint follows another, or stands still
    FF_EQUALITY_ROD      // two points keep their distance
} ff_equality_type;

/// Loop closure or coupling, enforced while it is active (footfall/loop.h).
typedef struct ff_spec_equality {
    const char *name;
    ff_equality_type type;
    const char *object1; // bodies, or joints for FF_EQUALITY_JOINT
    const char *object2; // "" for the world (object 1 too) or none
    bool active;
    bool at_rest; // point 2 of a connect, the pose of a weld and the length of a rod are those of the reference pose
    // connect: points in body 1 (3) and body 2 (3)
    // weld:    pose of body 2 in body 1 (pos 3, quat 4), point of body 2 that is held (3), torque scale; 0: no torque
    // joint:   q1 = y0 + sum data[k] (q2 - x0)^k (5), y0, x0
    // rod:     points in body 1 (3) and body 2 (3), length
    double data[11];
    ff_place place;
} ff_spec_equality;

typedef struct ff_spec_exclude {
    const char *body1; // "" for the world
    const char *body2;
    ff_place place;
} ff_spec_exclude;

#define FF_LEG_JOINTS  8 // joints of one leg at most
#define FF_LIMB_BODIES 8 // bodies of one foot or hand at most

/// A leg by names: the joints from hip to foot, the frame in the middle of the foot, and the bodies the foot consists
/// of.
typedef struct ff_spec_leg {
    const char *name; // "" in a part: becomes the prefix with which the part is attached
    const char *joints[FF_LEG_JOINTS];
    int njoint;
    const char *foot;                  // frame, or body: its frame
    const char *soles[FF_LIMB_BODIES]; // bodies of the foot, such as sole and toe; none: shapes around the frame
    int nsole;
    double radius;             // of the sphere of the foot; below 0: that of the shape around the frame  [m]
    const char *force, *touch; // sensors under the foot, NULL for none
    ff_place place;
} ff_spec_leg;

#define FF_BIPED_SOLE 32 // points of a sole that a file may list

/// Numbers of a two-legged robot that walks.
typedef enum ff_biped_number {
    FF_BIPED_STIFFNESS, // of a sole under the whole weight  [N/m]
    FF_BIPED_LEG_MASS,  // the planner's mass of a leg  [kg]
    FF_BIPED_REACH,     // farthest an ankle may be from its hip  [m]
    FF_BIPED_STEP_TIME, // [s]
    FF_BIPED_DOUBLE_SUPPORT,
    FF_BIPED_HOLD,
    FF_BIPED_LIFT, // [m]
    FF_BIPED_WIDTH,
    FF_BIPED_HEIGHT,
    FF_BIPED_SWEEP,
    FF_BIPED_CLEARANCE,
    FF_BIPED_LONGEST,
    FF_BIPED_WIDEST,
    FF_BIPED_MOST_TURN, // [rad]
    FF_BIPED_NUMBERS
} ff_biped_number;

/// Settings of a two-legged robot for walking (`biped` of its file, docs/biped.md). For numbers that are NAN, names
/// that are NULL and an empty sole the model gives defaults.
typedef struct ff_spec_biped {
    const char *pose;              // in which it stands
    const char *torso;             // body that is kept upright
    double sole[FF_BIPED_SOLE][2]; // points of the left foot that carry load, about its frame: ahead, to the left  [m]
    int nsole;
    double ahead[2], aside[2]; // bounds of the pressure about the frame of a foot: back to front, inside out  [m]
    double leg_com[3];         // of the planner's mass of the left leg, from the frame of its sole  [m]
    double numbers[FF_BIPED_NUMBERS];
    ff_place place;
} ff_spec_biped;

/// A hand by names: bodies that are meant to touch things, and are no feet.
typedef struct ff_spec_hand {
    const char *name;
    const char *frame; // its moments are about this; NULL: the frame of the first body
    const char *bodies[FF_LIMB_BODIES];
    int nbody;
    ff_place place;
} ff_spec_hand;

/// Two shapes that meet whatever their filters, their place in the tree and the self-collision of a scene say, with
/// numbers of their own (MJCF's <pair>).
typedef struct ff_spec_pair {
    const char *geom1, *geom2;
    double friction[3]; // sliding, torsional [m], rolling [m]
    int condim;
    ff_mjcf_contact numbers; // solref and impedance; priority and solmix mean nothing here
    ff_place place;
} ff_spec_pair;

/// Named state. Arrays may be NULL; their lengths must fit the compiled model.
typedef struct ff_spec_key {
    const char *name;
    double time;
    double *q;
    int nq;
    double *v;
    int nv;
    double *command;
    int ncommand;
    double *activation; // of all actuators, 0 for those without
    int nactivation;
    double *mocap; // position and quaternion of each body that callers move, in the order of bodies
    int nmocap;    // numbers
    ff_place place;
} ff_spec_key;

/// Contact material that shapes name. Those of the library need no definition.
typedef struct ff_spec_material {
    ff_material material;
    ff_place place;
} ff_spec_material;

/// Element or attribute of a file that Footfall does not use, once by name.
typedef struct ff_spec_ignored {
    const char *what; // "<tendon>", "attribute 'solimp' of <geom>"
    int count;
    ff_place place; // first occurrence
} ff_spec_ignored;

/// An editable robot (or scene of robots). Arrays are malloc'ed and grown by the add functions; strings live in
/// `arena`. Edit fields freely between adding and compiling; use ff_spec_text to store strings.
typedef struct ff_spec {
    ff_arena arena;
    const char *name;
    double gravity[3]; // [m/s^2]
    double density;    // of the air or liquid around, 0: no drag by it  [kg/m^3]
    double viscosity;  // the same  [Pa s]
    double wind[3];    // its velocity  [m/s]
    // rules for mass from geoms, as in MJCF's compiler element
    int inertia_group[2]; // groups that count
    double total_mass;    // rescale to this when > 0  [kg]
    double bound_mass;    // least mass of a moving body  [kg]
    double bound_inertia; // least principal moment of a moving body  [kg m^2]
    bool balance_inertia; // impossible A + B < C becomes the mean of the three
    ff_spec_body *bodies;
    ff_spec_joint *joints;
    ff_spec_geom *geoms;
    ff_spec_mesh *meshes;
    ff_spec_frame *frames;
    ff_spec_tendon *tendons;
    ff_spec_actuator *actuators;
    ff_spec_drive *drives;
    ff_spec_battery *batteries;
    ff_spec_sensor *sensors;
    ff_spec_equality *equalities;
    ff_spec_exclude *excludes;
    ff_spec_pair *pairs;
    ff_spec_leg *legs;
    ff_spec_hand *hands;
    ff_spec_biped *bipeds;
    ff_spec_key *keys;
    ff_spec_material *materials;
    ff_spec_ignored *ignored;
    int nbody, njoint, ngeom, nmesh, nframe, ntendon, nactuator, ndrive, nbattery, nsensor, nequality, nexclude, npair,
        nleg, nhand, nbiped, nkey, nmaterial, nignored;
    int leg_capacity, hand_capacity, biped_capacity, drive_capacity, battery_capacity, body_capacity, joint_capacity,
        geom_capacity, mesh_capacity, frame_capacity, tendon_capacity, actuator_capacity, sensor_capacity,
        equality_capacity, exclude_capacity, pair_capacity, key_capacity, material_capacity, ignored_capacity;
} ff_spec;

/// Empty description with gravity (0, 0, -9.81). NULL with the reason in `err` (FF_NO_MEMORY).
FF_API ff_spec *ff_spec_create(ff_error *err);
/// Frees it with all its items; NULL is allowed.
FF_API void ff_spec_destroy(ff_spec *spec);
/// Stores a copy of `text` in the description; NULL stays NULL.
FF_API const char *ff_spec_text(ff_spec *spec, const char *text);

// Each adds one item with default values and returns its address, valid until the next addition of the same kind;
// NULL when out of memory, and then ff_model_compile refuses the description. Names are copied.
FF_API ff_spec_body *ff_spec_add_body(ff_spec *spec, const char *name, int parent);
FF_API ff_spec_joint *ff_spec_add_joint(ff_spec *spec, const char *name, int body, ff_joint_type type);
FF_API ff_spec_geom *ff_spec_add_geom(ff_spec *spec, const char *name, int body, ff_shape_type type);
FF_API ff_spec_mesh *ff_spec_add_mesh(ff_spec *spec, const char *name);
FF_API ff_spec_frame *ff_spec_add_frame(ff_spec *spec, const char *name, int body);
FF_API ff_spec_tendon *ff_spec_add_tendon(ff_spec *spec, const char *name);
/// Adds a piece to a tendon; `name` and `side` are copied, NULL for none.
FF_API ff_spec_tendon_piece *ff_spec_add_tendon_piece(ff_spec *spec, ff_spec_tendon *tendon, ff_tendon_piece_type type,
                                                      const char *name, const char *side, double factor);
FF_API ff_spec_actuator *ff_spec_add_actuator(ff_spec *spec, const char *name, ff_actuator_type type);
FF_API ff_spec_drive *ff_spec_add_drive(ff_spec *spec, const char *name);
FF_API ff_spec_battery *ff_spec_add_battery(ff_spec *spec, const char *name);
FF_API ff_spec_sensor *ff_spec_add_sensor(ff_spec *spec, const char *name, const char *type);
FF_API ff_spec_equality *ff_spec_add_equality(ff_spec *spec, const char *name, ff_equality_type type);
FF_API ff_spec_exclude *ff_spec_add_exclude(ff_spec *spec, const char *body1, const char *body2);
/// Sliding friction 1 and no solref, as in MJCF.
FF_API ff_spec_pair *ff_spec_add_pair(ff_spec *spec, const char *geom1, const char *geom2);
FF_API ff_spec_leg *ff_spec_add_leg(ff_spec *spec, const char *name);
FF_API ff_spec_hand *ff_spec_add_hand(ff_spec *spec, const char *name);
FF_API ff_spec_biped *ff_spec_add_biped(ff_spec *spec);
FF_API ff_spec_key *ff_spec_add_key(ff_spec *spec, const char *name);
/// A material as ff_material_default. Set `source` by ff_spec_text.
/// @return NULL with the reason in `err`: FF_LIMIT (a name of FF_MATERIAL_NAME_MAX characters or more), FF_NO_MEMORY
FF_API ff_spec_material *ff_spec_add_material(ff_spec *spec, const char *name, ff_error *err);
/// Lists an element that the loader ignores: once by name, with the first place and a count.
FF_API void ff_spec_ignore(ff_spec *spec, ff_place place, const char *format, ...) FF_PRINTF(3, 4);

/// Index of a named item, -1 when there is none, or no name.
FF_API int ff_spec_find_body(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_joint(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_geom(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_mesh(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_frame(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_tendon(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_actuator(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_drive(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_battery(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_sensor(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_leg(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_hand(const ff_spec *spec, const char *name);
FF_API int ff_spec_find_material(const ff_spec *spec, const char *name);

/// Copies all of `other` into `spec`. Names get `prefix` in front ("" for none). Bodies on the world of `other` hang
/// on body `parent` of `spec` (-1: world), displaced by pos and quat. Roots that carry a free joint stay on the world,
/// and pos and quat move their rest pose. Mesh data is copied. Rules for masses of `other` (total_mass, bound_mass,
/// inertia_group, ..) are applied: its bodies get plain numbers. Materials keep their names: the same
/// material from two files is one, two different ones of one name are an error. Keyframes of `spec` stay, with the
/// joints that came at their reference; those of `other` come along only into a description without bodies, and are
/// left out with a note elsewhere.
/// @return FF_OK; FF_BAD_ARGUMENT, FF_BAD_MODEL, FF_NO_MEMORY. Materials that differ are errors of `report`
/// alone
FF_API ff_status ff_spec_attach(ff_spec *spec, const ff_spec *other, const char *prefix, int parent,
                                const double pos[3], const double quat[4], ff_report *report);

// =========================================================================================================
// Loading

typedef struct ff_load_options {
    bool floating;                   // a URDF root without a joint gets a free joint
    bool without_legs;               // legs of URDF and MJCF robots are not searched for
    bool repair;                     // impossible inertia is replaced and reported, not refused
    const char *const *search_paths; // folders in which package://NAME is looked up, after walking up from the file
    int nsearch_path;
    size_t max_bytes; // larger files are refused  [byte]
} ff_load_options;

/// Fixed roots, no repair, files up to 64 MiB.
FF_API ff_load_options ff_load_options_default(void);

#ifdef __cplusplus
}
#endif

#endif
