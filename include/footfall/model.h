// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `ff_model`, a robot in the immutable compiled form that all computation reads. Its editable description is `ff_spec`
// (footfall/spec.h, which is included here).
#ifndef FOOTFALL_MODEL_H
#define FOOTFALL_MODEL_H

#include <footfall/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Elementary joint of the computation. A user's planar joint becomes slide, slide, hinge; a free joint below another
/// body becomes slide, slide, slide, ball. Node frames are turned so that the axis of a hinge or slide is their z axis.
typedef enum ff_node_type { FF_NODE_HINGE, FF_NODE_SLIDE, FF_NODE_BALL, FF_NODE_FREE } ff_node_type;

/// Degrees of freedom of a node: 1, 1, 3, 6.
FF_API int ff_node_nv(ff_node_type type);

/// One moving frame: the joint between it and its parent, and the rigid mass fixed to it (fixed bodies merged).
typedef struct ff_node {
    ff_node_type type;
    int parent;         // node, -1 for the world
    int qadr;           // first of its generalised positions
    int vadr, vlast;    // first and last of its degrees of freedom
    int tree;           // which tree of the forest
    int joint;          // user's joint it belongs to
    int mocap;          // of a root: which of ff_model.mocaps carries it, -1: none
    double ref;         // q at which the joint displacement is zero (hinge, slide)
    ff_pose rest;       // frame in the parent's node frame at zero displacement (identity for FF_NODE_FREE)
    ff_inertia inertia; // about the node's origin, node axes
    double second[6];   // int x x' dm = tr(I)/2 1 - I, ordered as I: what recursive Newton-Euler needs  [kg m^2]
    int lump;           // number of its rigid lump; a massless node between two joints has that of its only child
} ff_node;

/// A named rigid body, fixed to a node.
typedef struct ff_body {
    const char *name;
    int parent;    // body, -1 for the world
    int node;      // node it moves with, -1 when fixed to the world
    double pos[3]; // in the node's frame (world frame when node is -1)
    double quat[4];
    double R[9];       // the same rotation as quat
    double mass;       // its own share of the node's mass  [kg]
    double com[3];     // its own centre of mass in its own frame
    double inertia[6]; // its own, about its centre of mass, body axes: xx, yy, zz, xy, xz, yz
    double axes[4];    // its principal axes: those of the file, where that says so
    int mocap;         // which of ff_model.mocaps it is or is fixed to, -1: none
    ff_place place;
} ff_body;

/// A force at the centre of mass of a body that balances a share of its weight (MJCF's gravcomp).
typedef struct ff_lift {
    int node;
    double mass;  // whose weight it balances  [kg]
    double at[3]; // in the node's frame  [m]
} ff_lift;

/// Drag in air or liquid: of a body as a box, or of one of its shapes as an ellipsoid (compile_medium.c).
typedef struct ff_drag {
    int node;
    double at[3], R[9];    // centre and axes, in the node's frame
    bool ellipsoid;        //
    double size[3];        // sides of the box, half axes of the ellipsoid  [m]
    double coefficient[5]; // of an ellipsoid: blunt, slender and angular drag, Kutta and Magnus lift
    double added[6]; // of an ellipsoid: volumes of the medium that move with it [m^3], and their second moments [m^5]
} ff_drag;

typedef struct ff_joint {
    const char *name;
    ff_joint_type type;
    int body;
    int node; // first of its nodes; the node of each dof is in dof_node
    int qadr, vadr;
    double axis[3]; // in the body's frame, unit
    double pos[3];  // anchor in the body's frame
    bool limited;
    double range[2];
    double stop_stiffness, stop_damping;
    double stiffness, spring_ref;
    double damping, dry_friction, dry_speed, armature;
    double effort, speed;
    int mimic; // joint it follows, -1 for none
    double mimic_gain, mimic_offset;
    ff_place place;
} ff_joint;

typedef struct ff_geom {
    const char *name; // may be NULL
    int body;         // -1 for the world
    ff_shape shape;
    double pos[3]; // in the body's frame
    double quat[4];
    double rgba[4];
    ff_geom_role role;
    int group, contype, conaffinity, condim;
    double friction[3];
    bool has_friction;
    ff_mjcf_contact mjcf;
    bool paired; // a pair names it
    const char *material;
    ff_place place;
    int mesh; // index into the model's meshes, -1 for none
} ff_geom;

/// Two shapes that always meet, see ff_spec_pair.
typedef struct ff_geom_pair {
    int geom1, geom2;
    double friction[3];
    int condim;
    ff_mjcf_contact numbers;
    ff_place place;
} ff_geom_pair;

typedef struct ff_frame {
    const char *name;
    int body;      // -1: world
    double pos[3]; // in the body's frame
    double quat[4];
} ff_frame;

/// A piece of a tendon: `index` of a joint, a frame or a geom; `side` of a frame, -1 for none.
typedef struct ff_tendon_piece {
    ff_tendon_piece_type type;
    int index, side;
    double factor, wrench[6];
} ff_tendon_piece;

typedef struct ff_tendon {
    const char *name;
    const ff_tendon_piece *pieces;
    int npiece;
    const int *dofs; // that move it: those between its points and the roots, or of its joints  (ndof)
    int ndof, first; // first: where its numbers begin in ff_data.tendon_lever
    bool fixed;      // its levers dL/dv never change
    double stiffness, damping, spring_length[2];
    double dry_friction, dry_speed;
    bool limited;
    double range[2], stop_stiffness, stop_damping;
    ff_place place;
} ff_tendon;

typedef struct ff_actuator {
    const char *name;
    ff_actuator_type type;
    int joint, tendon, body; // one of them, the others -1
    double gear, gain, gain_by[2], bias[3];
    bool command_limited, force_limited;
    double command_range[2], force_range[2];
    int state; // number of its activation, -1: none
    ff_activation activation;
    ff_muscle active, passive; // `force` is known
    double length_range[2];
} ff_actuator;

typedef struct ff_equality {
    const char *name;
    ff_equality_type type;
    int object1, object2; // bodies or joints; -1 for the world or none
    bool active;
    double data[11]; // as in ff_spec_equality, complete
    ff_place place;
} ff_equality;

/// A leg: a chain of hinges and slides that ends in a foot. Controllers and the measures of walking read it.
typedef struct ff_leg {
    const char *name;
    int joints[FF_LEG_JOINTS]; // from hip to foot, each below the one before; others may lie between
    int njoint;
    int frame;                 // centre of the foot: number of the frame
    double radius;             // of the sphere of the foot, 0: a point  [m]
    const char *force, *touch; // sensor names or NULL
} ff_leg;

/// A part of a robot that is meant to touch: the foot of a leg, or a hand. A round foot whose file names no bodies is
/// all shapes that move with its frame, within two radii of it; another foot without bodies is the body of its frame.
typedef struct ff_limb {
    const char *name;           // of the leg, or of the hand
    int leg;                    // -1: a hand
    int body;                   // that carries its frame
    double pos[3], quat[4];     // of the frame, in the body's
    double radius;              // of a round foot, 0: of another shape  [m]
    int bodies[FF_LIMB_BODIES]; // by name: all their shapes are its own, and no other limb's
    int nbody;
} ff_limb;

typedef struct ff_key {
    const char *name;
    double time;
    double *q;                 // (nq), q0 where the file gave none
    double *v;                 // (nv)
    double *command;           // (nactuator)
    double *activation;        // (nactuator)
    double *mocap;             // position and quaternion of each of ff_model.mocaps; NULL: as in the file  (7*nmocap)
    bool commanded, activated; // the file gave them
} ff_key;

/// Immutable after compilation: share it between any number of threads and states.
typedef struct ff_model {
    ff_arena arena; // owns every array below
    const char *name;
    int nq, nv; // sizes of the generalised position and velocity
    int ntree;  // separate trees (robots, free objects)
    int nlump;  // rigid lumps: nodes with mass or inertia of their own, or with several children
    int nnode, nbody, njoint, ngeom, nmesh, nframe, ntendon, nactuator, ndrive, nbattery, nsensor, nequality, nexclude,
        npair, nmocap, nleg, nlimb, nbiped, nkey, nmaterial, nignored;
    double gravity[3];      // [m/s^2]
    double mass;            // of all bodies, those fixed to the world included  [kg]
    double fixed_mass;      // the part of it that is fixed to the world  [kg]
    double fixed_moment[3]; // sum of m x over bodies fixed to the world  [kg m]
    double *q0;             // reference position (nq)
    uint64_t hash;          // of all that affects motion: tree, joints, shapes, materials, drives, sensors, names

    ff_node *nodes;    // by distance from the root: parents before children, branches side by side
    int *lump_carrier; // the next lump towards the root, -1 for none (nlump)
    int *lump_node;    // the node of each lump (nlump), in the order of nodes
    int *tree_root;    // root node of each tree (ntree)
    ff_lift *lifts;    // (nlift)
    int nlift;
    ff_drag *drags; // none without density and viscosity  (ndrag)
    int ndrag;
    double density, viscosity, wind[3]; // of the air or liquid around  [kg/m^3, Pa s, m/s]
    ff_body *bodies;                    // parents before children, depth-first
    ff_joint *joints;
    ff_geom *geoms;
    ff_mesh **meshes;
    const char **mesh_names;
    ff_frame *frames;
    ff_tendon *tendons;
    int ntendon_dof; // of all tendons together
    ff_actuator *actuators;
    int nactivation; // actuators with an activation
    ff_spec_drive *drives;
    ff_spec_battery *batteries;
    ff_spec_sensor *sensors;
    ff_equality *equalities;
    int *mocaps;         // bodies that callers move, in the order of bodies (nmocap)
    int *excludes;       // pairs of bodies (2*nexclude)
    ff_geom_pair *pairs; // shapes that always meet (npair)
    ff_leg *legs;        // in the order of the file
    ff_limb *limbs;      // feet of the legs in their order, then hands
    ff_spec_biped *bipeds;
    ff_key *keys;
    ff_material *materials; // that the files define; shapes may also name those of the library
    ff_spec_ignored *ignored;

    // degrees of freedom                                                      (nv each)
    int *dof_parent; // dof that moves this one's base, -1 at a root
    int *dof_node;
    int *dof_joint;
    int *dof_depth;       // number of ancestors
    double *dof_armature; // [kg m^2, kg]
    double *dof_damping;
    double *dof_dry_friction;
    double *dof_dry_speed;
    // packed mass matrix: row i holds M[i][ancestors of i, root first, then i itself]
    int nM;
    int *M_row;                   // start of row i (nv + 1)
    int *M_col;                   // dof number of each entry (nM)
    const struct ff_lanes *lanes; // private: the same constants, laid out for vector instructions
} ff_model;

/// Checks and compiles a description. Bodies without a joint are merged into the node that carries them. The
/// description is not changed; mesh data is copied.
/// @return NULL when `report` has errors afterwards
FF_API ff_model *ff_model_compile(const ff_spec *spec, const ff_load_options *options, ff_report *report);
/// Frees it; NULL is allowed. States, simulations and controllers made for it must be gone.
FF_API void ff_model_destroy(ff_model *model);

/// Index of a named item, -1 when there is none, or no name.
FF_API int ff_model_find_body(const ff_model *model, const char *name);
FF_API int ff_model_find_joint(const ff_model *model, const char *name);
FF_API int ff_model_find_frame(const ff_model *model, const char *name);
FF_API int ff_model_find_tendon(const ff_model *model, const char *name);
FF_API int ff_model_find_actuator(const ff_model *model, const char *name);
FF_API int ff_model_find_leg(const ff_model *model, const char *name);
/// Is a body below another one in the tree, or the same?
FF_API bool ff_model_is_below(const ff_model *model, int body, int above);
/// A foot by the name of its leg, or a hand.
FF_API int ff_model_find_limb(const ff_model *model, const char *name);
FF_API int ff_model_find_key(const ff_model *model, const char *name);
/// A keyframe that must be there -> `key`, -1 where it is not.
/// @return FF_OK; FF_NOT_FOUND, with the names of those that exist in the message
FF_API ff_status ff_model_need_key(const ff_model *model, const char *name, int *key, ff_error *err);

#ifdef __cplusplus
}
#endif
#endif
