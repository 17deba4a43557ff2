// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Inside of the world of contacts, for the files of this room. One evaluation is ff_world_find (where shapes meet at the poses and
// velocities in d), then ff_world_apply (what the laws say about it). Both are pure: they read the memory of the points (slots) and write
// scratch only, so any trial state of an integrator may be asked. The memory changes in ff_world_accept and ff_world_event.
#ifndef FOOTFALL_SIM_WORLD_H
#define FOOTFALL_SIM_WORLD_H

#include "sim/system.h"

#include <footfall/world.h>

enum { FF_SLOT_STATES = 6 }; // spring and turn of a point in x

/// A point found at the state in d.
typedef struct ff_touch {
    int slot;         // its memory, -1: none yet
    int node1, node2; // that carry its shapes, -1: fixed to the world
    const ff_contact_pair *law;
    ff_contact_slope slope; // filled on request
    ff_world_contact contact;
} ff_touch;

/// Finds the points. Needs ff_dyn_kinematics and ff_dyn_velocity.
void ff_world_find(ff_world *world, const ff_data *d);
/// The points found last.
ff_touch *ff_world_touches(ff_world *world, int *count);
/// Evaluates the laws at the points found and adds their wrenches to d->wrench.
/// @param z      states of the points in x  (ff_world_nstate)
/// @param ahead  springs are taken as z + ahead * rate: zero for explicit methods, the step for backward Euler  [s]
/// @param zdot   rates of z, may be NULL
/// @param slope  fill the slopes too
void ff_world_apply(ff_world *world, ff_data *d, const double *z, double ahead, double *zdot, bool slope);
int ff_world_nstate(const ff_world *world);

/// Power and energy of the points evaluated last.
typedef struct ff_world_power {
    double elastic;                    // [J]
    double loss_normal, loss_friction; // [W]
} ff_world_power;
ff_world_power ff_world_get_power(const ff_world *world);

/// After an accepted step: transitions that are due, springs that trail, memory for new points. Current poses and velocities in d.
/// @return whether z, or a force at this state, changed
bool ff_world_accept(ff_world *world, ff_sim *sim);

// Located events: `count` functions of the state, whose signs follow from the modes of the points.
int ff_world_event_count(const ff_world *world);
/// Values at the points found last.
void ff_world_event_values(ff_world *world, const double *z, double *values);
/// Sign that each value has in the present modes: +1, -1.
void ff_world_event_signs(const ff_world *world, int *signs);
/// The event `index` crossed in `direction`. @return whether anything changed
bool ff_world_event(ff_world *world, ff_sim *sim, int index, int direction);

#endif
