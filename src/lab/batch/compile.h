// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files that compile a batch model share.
#ifndef FOOTFALL_BATCH_COMPILE_H
#define FOOTFALL_BATCH_COMPILE_H

#include <footfall/batch.h>

#include "batch/model.h"
#include "world/world.h"

/// A model in the making: the model comes first, so that both have one address.
typedef struct ff_batch_making {
    ff_batch_model model;
    ff_arena arena; // owns its arrays
} ff_batch_making;

/// A force on a body or a torque on a degree of freedom that acts for some steps.
typedef struct ff_batch_force {
    int body;        // of the model, -1: on a degree of freedom
    double at[3];    // in the frame of the body  [m]
    double force[3]; // world axes  [N]
    int dof;
    double torque;      // [N m, N]
    int64_t first, end; // step in which it begins, and the one before which it has ended
} ff_batch_force;

/// A channel of a sensor.
typedef struct ff_batch_sensed {
    const char *name;    // in formulas
    const char *truth;   // what a perfect sensor reads: a formula
    const char *missing; // why a batch does not have it; NULL: it does
    ff_signal signal;    // errors: scale, bias with walk and slope, noise, reading
    unsigned stages;     // of them that act
    uint64_t stream;     // of its random numbers
} ff_batch_sensed;

/// Two motors of a differential: their servos stand in the list, the first with the first joint.
typedef struct ff_batch_pair {
    int joint[2];
    double lever[2][2], offset[2]; // of each motor
    double rotor[2];               // after the gear, 0: none  [kg m^2]
    ff_place place;
} ff_batch_pair;

/// The cut of a force sensor.
typedef struct ff_batch_cut_given {
    int body;         // that it sits on, which moves
    double R[9];      // its axes in the frame of the node of the body
    double at[3];     // its place there, for the moment
    bool six;         // the moment is asked for
    const int *below; // bodies  (nbelow)
    int nbelow;
    bool part; // the cut lies inside its body: of that, `mass` with the centre `com` in its frame is below
    double mass, com[3];
} ff_batch_cut_given;

/// What a batch is given besides a simulation, whose parts and tasks of that meaning it takes the place of.
typedef struct ff_batch_given {
    const ff_batch_servo *servos;
    int nservo;
    const ff_batch_pair *pairs;
    int npair;
    const double *targets; // position, speed and torque of each servo at the start  (3*nservo)
                           // NULL: positions of the state
    const double *poses;   // of a cycle, added to the targets  (npose*nq)  NULL: none
    int npose;
    double period; // [s]
    int every;     // steps between two targets of the cycle that are sent
    const ff_batch_force *forces;
    int nforce;
    const ff_batch_sensed *sensed;
    int nsensed;
    const ff_batch_cut_given *cuts;
    int ncut;
    const bool *parts, *tasks; // of the simulation: does the rest stand for it?  NULL: for none  (npart), (ntask)
} ff_batch_given;
/// ff_batch_compile with that.
ff_batch_model *ff_batch_compile_given(ff_sim *sim, const ff_batch_given *given, ff_report *report);

/// Reports everything a batch cannot do (refuse.c). @return how many errors were added
int ff_batch_refuse(ff_sim *sim, const ff_batch_given *given, ff_report *report);
/// Differentials, servos and degrees of freedom being there (compile_forces.c). @return false: no memory
bool ff_batch_add_pairs(ff_batch_making *making, const ff_model *model, const ff_batch_given *given, ff_report *report);
/// Rotors of drives that are neither armature nor those of a pair.
int ff_batch_other_rotors(const ff_sim *sim, const ff_batch_given *given);
/// Forces on nodes and degrees of freedom, both being there (compile_forces.c). @return false: no memory
/// @param at  number of each node of the simulation's model in the batch model
bool ff_batch_add_pushes(ff_batch_making *making, const ff_model *model, const ff_batch_given *given, const int *at,
                         ff_report *report);
/// Planes, points and laws of the contacts, `nodes` being there; their memory in the start (compile_contacts.c).
/// @param at  number of each node of the simulation's model in the batch model
void ff_batch_add_contacts(ff_batch_making *making, ff_sim *sim, const int *at, ff_report *report);
void ff_batch_start_contacts(const ff_batch_model *model, ff_sim *sim, double *start);
/// Cuts of force sensors, nodes and points being there (compile_cuts.c). @return false: no memory
/// @param at  number of each node of the simulation's model in the batch model
bool ff_batch_add_cuts(ff_batch_making *making, const ff_sim *sim, const ff_batch_given *given, const int *at);
/// Channels of sensors, the rows being known (compile_names.c). @return false: no memory
bool ff_batch_add_channels(ff_batch_making *making, const ff_batch_given *given);
/// Names of joints, feet, bodies and shapes (compile_names.c). @return false: no memory
/// @param at  number of each node of the simulation's model in the batch model
bool ff_batch_add_names(ff_batch_making *making, const ff_sim *sim, const int *at);

/// Where a shape of the world stands in its file.
ff_place ff_batch_place_of(const ff_world *world, int shape);

// Height fields (compile_fields.c).
/// Is a shape a height field that is fixed to the world?
bool ff_batch_is_field(const ff_world *world, int shape);
int ff_batch_count_fields(const ff_world *world);
/// Fields with their heights; there is room for ff_batch_count_fields. @return false without memory
bool ff_batch_add_fields(ff_batch_making *making, const ff_world *world);
/// How bent the ground is around each triangle, for the points of the model.
void ff_batch_find_bends(ff_batch_model *model);
/// Reports where a shape cannot stand on a field. @return false: it cannot
bool ff_batch_check_bends(const ff_world *world, int field, int shape, ff_report *report);
/// Warns of fields with ridges that boxes and capsules do not feel.
void ff_batch_warn_of_ridges(const ff_batch_model *model, const ff_world *world, ff_report *report);
/// The first upright field below the first free root at the start, -1: none.
int ff_batch_field_below(const ff_batch_model *model);

#endif
