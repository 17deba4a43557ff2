// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps of a contact state that only a simulation makes.
#ifndef FOOTFALL_CONTACT_ADVANCE_H
#define FOOTFALL_CONTACT_ADVANCE_H

#include <footfall/contact.h>

/// Moves the springs of a state by `time` at the rates of ff_contact_force: where they will be at the end of an
/// implicit step that ends with this point.  [s]
void ff_contact_advance(const ff_contact_pair *pair, const ff_contact_point *point, double time,
                        ff_contact_state *state);
/// The same across the normal: the spring and the damper of the grip. A foot is often much lighter sideways than
/// upwards, and then this is the tighter bound.
ff_contact_step ff_contact_grip_advice(const ff_contact_pair *pair, double mass, double load);

#endif
