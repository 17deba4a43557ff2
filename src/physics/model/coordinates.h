// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Coordinates of a description before it is compiled: where the numbers of each joint lie, and how the named states of
// the description change when joints and actuators are added, removed or moved. Numbers belong to the names of joints
// and actuators.
#ifndef FOOTFALL_MODEL_COORDINATES_H
#define FOOTFALL_MODEL_COORDINATES_H

#include <footfall/model.h>

/// Where each joint's coordinates lie: joints in depth-first order of the bodies, as the compiler numbers them.
typedef struct ff_layout {
    int *qadr, *vadr;  // (njoint)
    int *child;        // first child of body i at [i + 1], of the world at [0]  (nbody + 1)
    int *sibling;      // next child of the parent of a body  (nbody)
    int *first, *next; // joints of a body  (nbody), (njoint)
    int nq, nv;
} ff_layout;

/// The description must be a tree: every parent before its child, every joint on a body.
/// @return false when out of memory
bool ff_layout_make(ff_layout *l, const ff_spec *spec);
void ff_layout_clear(ff_layout *l);
/// The body that follows another one in depth-first order, which starts at child[0]; -1: it is the last.
int ff_layout_next(const ff_layout *l, const ff_spec *spec, int body);
/// Every joint at its reference, free bodies at their rest pose.
void ff_layout_rest(const ff_spec *spec, const ff_layout *l, double *q);

/// Which joints and actuators the numbers of the named states of a description belong to; lives in its arena.
typedef struct ff_coordinates ff_coordinates;

/// @return NULL when out of memory (the arena has failed), or where the description is no tree, which the compiler
/// reports
const ff_coordinates *ff_coordinates_note(ff_spec *spec);
/// Moves free bodies of the named states with a description that is placed elsewhere: their coordinates are in world
/// axes. States that do not have the coordinates `c` stay.
void ff_coordinates_move(const ff_spec *spec, const ff_coordinates *c, const double pos[3], const double quat[4]);
/// Moves the numbers of the named states to the present places of their joints and actuators; new joints get their
/// reference. States that do not have the coordinates `c` are left for the compiler to report. Out of
/// memory: the arena has failed.
void ff_coordinates_fit(ff_spec *spec, const ff_coordinates *c);

#endif
