// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Types and functions that the stages of the compiler share. Order of work: check numbers and names, sort bodies
// depth-first, mass properties, kinematic tree, check of the inertia, everything that refers to bodies and joints by
// name.
#ifndef FOOTFALL_MODEL_COMPILE_H
#define FOOTFALL_MODEL_COMPILE_H

#include <footfall/model.h>

#include "model/tendon_path.h"
#include "text/names.h"

#include <math.h>

// Defaults for joints.
#define FF_DEFAULT_STOP_STIFFNESS 1000.0 // [N m/rad, N/m]
#define FF_DEFAULT_STOP_DAMPING   10.0   // [N m s/rad, N s/m]
#define FF_DEFAULT_DRY_SPEED      1e-2   // dry friction reaches 71 % of its level at this speed  [rad/s, m/s]

typedef struct ff_compiler {
    const ff_spec *spec;
    const ff_load_options *options;
    ff_report *report;
    ff_model *model;
    ff_arena scratch; // freed after compilation
    int *body_of;     // model body -> spec body
    int *body_to;     // spec body -> model body
    int *joint_to;    // spec joint -> model joint
    int *joint_first; // spec joints of spec body b are joint_list[joint_first[b] .. joint_first[b + 1])
    int *joint_list;
    ff_inertia *composite; // of each node with all nodes it carries, reference pose, about its origin in its axes
    double *rest_factors;  // of M in the reference pose, NULL: not made (compile_rest.c)
    ff_names body_names, joint_names, frame_names, tendon_names, actuator_names; // -> model index
} ff_compiler;

/// Rotation matrix of a quaternion that has length 1 up to the rounding of a file.
static inline void ff_compile_rotation(double R[9], const double quat[4])
{
    double q[4];
    ff_quat_copy(q, quat);
    ff_quat_normalise(q);
    ff_quat_to_mat3(R, q);
}

/// Is it the name of the world? NULL and "" are.
static inline bool ff_compile_is_world(const char *name)
{
    return !name || !name[0] || strcmp(name, "world") == 0;
}

/// A number of a description, or the fallback where it is NAN: not given.
static inline double ff_compile_given(double value, double fallback)
{
    return isnan(value) ? fallback : value;
}

/// Was an item with this place read from MJCF, where frames are called sites, and shapes geoms? (compile_check.c)
bool ff_compile_is_mjcf(ff_place place);
/// Number of what a name refers to; a name that does not exist is reported, as "`user` "`user_name`" refers to `kind`
/// ..". (compile_check.c) @return below 0: there is none
int ff_compile_find(ff_compiler *c, const ff_names *names, const char *name, ff_place place, const char *user,
                    const char *user_name, const char *kind);
/// Numbers finite and in range, names present and unique, references inside the arrays. (compile_check.c)
bool ff_compile_check(ff_compiler *c);
/// Mass, centre of mass and inertia of each model body, from numbers or from geoms. (compile_mass.c)
bool ff_compile_masses(ff_compiler *c);
/// Writes the masses that compiling would give to the bodies of `spec` as plain numbers to `weighed`, in the order of
/// spec->bodies: for descriptions that join others, which have other rules. (compile.c)
bool ff_compile_weigh(const ff_spec *spec, ff_spec_body *weighed, ff_report *report);
/// Rotation whose z column is the unit vector a: the shortest turn from z, exact for axes along x, y, z. Its x and y
/// columns are the axes of a planar joint. (compile_tree.c)
void ff_compile_frame_along(double R[9], const double a[3]);
/// Nodes, joints, degrees of freedom, layout of the packed mass matrix. (compile_tree.c)
bool ff_compile_tree(ff_compiler *c);
/// Refuses or repairs mass properties no body can have, after merging. (compile_mass.c)
bool ff_compile_check_inertia(ff_compiler *c);
/// Shapes of the bodies for the drag of the surrounding air or liquid. (compile_medium.c)
bool ff_compile_medium(ff_compiler *c);
/// Principal moments and axes of a body, in its own frame (compile_medium.c). @param number  in the description
void ff_compile_axes(const ff_spec *spec, int number, const ff_body *body, double moments[3], double quat[4]);
/// Springs that are given by time constant and damping ratio. (compile_rest.c)
bool ff_compile_springs(ff_compiler *c);
/// Inertia of a degree of freedom in the reference pose while all others are held: M_ii. (compile_rest.c)
double ff_compile_inertia_of(const ff_compiler *c, int dof);
/// Layouts for vector instructions; needs all of the above. (compile_lanes.c)
bool ff_compile_lanes(ff_compiler *c);
/// Equalities, with the data that follow from the reference pose. (compile_loops.c)
bool ff_compile_loops(ff_compiler *c);
/// Tendons; needs geoms and frames. (compile_tendons.c)
bool ff_compile_tendons(ff_compiler *c);
/// Legs, names resolved and the chain from hip to foot checked; needs geoms, frames and sensors. (compile_legs.c)
bool ff_compile_legs(ff_compiler *c);
/// Feet and hands: their frames and bodies. Needs the legs. (compile_limbs.c)
bool ff_compile_limbs(ff_compiler *c);
/// Actuators; needs tendons. (compile_actuators.c)
bool ff_compile_actuators(ff_compiler *c);
/// x = M^-1 x in the reference pose; linear parts of free joints are along the axes of the body. False without memory.
/// (compile_rest.c)
bool ff_compile_response(ff_compiler *c, double *x);
/// Poses of the nodes in the world at q.  (nnode) (compile_tendons.c)
void ff_compile_poses(const ff_model *m, const double *q, ff_pose *poses);
/// Length of a tendon at q. @param poses  of ff_compile_poses  @param visit  of its straight parts, may be NULL
double ff_compile_tendon_length(const ff_model *m, const ff_tendon *t, const double *q, const ff_pose *poses,
                                ff_tendon_visit *visit, void *context);
/// Geoms, meshes, frames, actuators, sensors, equalities, excludes, keyframes. (compile_items.c)
bool ff_compile_items(ff_compiler *c);

/// The hash of a finished model. (hash.c)
uint64_t ff_model_make_hash(const ff_model *model);

#endif
