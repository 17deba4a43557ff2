// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Interface of the files that compile a batch model.
#ifndef FOOTFALL_BATCH_COMPILE_H
#define FOOTFALL_BATCH_COMPILE_H

#include <footfall/batch.h>

#include "batch/model.h"
#include "world/world.h"

/// A model that is being compiled. The model is the first member, so that both have the same address.
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
    int64_t first, end; // acts in steps first <= number < end
} ff_batch_force;

/// A channel of a sensor.
typedef struct ff_batch_sensed {
    const char *name;    // in formulas
    const char *truth;   // formula for the value of a perfect sensor
    const char *missing; // reason why a batch does not have the channel; NULL: it has
    ff_signal signal;    // errors: scale, bias with walk and slope, noise, reading
    unsigned stages;     // error stages that act
    uint64_t stream;     // of its random numbers
} ff_batch_sensed;

/// Two motors of a differential, whose servos are in the list of servos, the first on the first joint.
typedef struct ff_batch_pair {
    int joint[2];
    double lever[2][2], offset[2]; // of each motor
    double rotor[2];               // after the gear, 0: none  [kg m^2]
    ff_place place;
} ff_batch_pair;

/// The cut of a force sensor.
typedef struct ff_batch_cut_given {
    int body;         // moving body with the sensor
    double R[9];      // its axes in the frame of the node of the body
    double at[3];     // its position there, for the moment
    bool six;         // force and moment, not only the force
    const int *below; // bodies below the cut  (nbelow)
    int nbelow;
    bool part; // the cut is inside its body: of that only `mass` with the centre `com` in its frame is below
    double mass, com[3];
} ff_batch_cut_given;

/// Input of a batch in addition to a simulation. It replaces some parts and tasks of that simulation.
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
    int every;     // number of steps between two targets of the cycle
    const ff_batch_force *forces;
    int nforce;
    const ff_batch_sensed *sensed;
    int nsensed;
    const ff_batch_cut_given *cuts;
    int ncut;
    const bool *parts, *tasks; // whether the input replaces it; NULL: it replaces none  (npart), (ntask)
} ff_batch_given;
/// ff_batch_compile with this input.
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

/// Place of a shape of the world in its file.
ff_place ff_batch_place_of(const ff_world *world, int shape);

// Height fields (compile_fields.c).
/// Is a shape a height field that is fixed to the world?
bool ff_batch_is_field(const ff_world *world, int shape);
int ff_batch_count_fields(const ff_world *world);
/// Fields with their heights; there is room for ff_batch_count_fields. @return false without memory
bool ff_batch_add_fields(ff_batch_making *making, const ff_world *world);
/// Computes the bend of the ground around each triangle, for the points of the model.
void ff_batch_find_bends(ff_batch_model *model);
/// Can a shape stand on a field? Reports an error if the ground is bent too much for it.
bool ff_batch_check_bends(const ff_world *world, int field, int shape, ff_report *report);
/// Warns of fields with ridges that boxes and capsules do not detect.
void ff_batch_warn_of_ridges(const ff_batch_model *model, const ff_world *world, ff_report *report);
/// The first upright field below the first free root at the start, -1: none.
int ff_batch_field_below(const ff_batch_model *model);

#endif
