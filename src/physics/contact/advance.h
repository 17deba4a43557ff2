// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Steps of a contact state that only a simulation makes.
#ifndef FOOTFALL_CONTACT_ADVANCE_H
#define FOOTFALL_CONTACT_ADVANCE_H

#include "contact/laws.h"

/// ff_contact_evaluate at the end of a step of length `ahead` [s], which the point belongs to: springs are taken there.
void ff_contact_evaluate_ahead(const ff_contact_pair *pair, const ff_contact_point *point,
                               const ff_contact_state *state, double ahead, ff_contact_force *out,
                               ff_contact_slope *slope);
/// Does the force depend on the mode of a point in touch? Otherwise sticking and sliding are for information only.
bool ff_contact_mode_matters(const ff_contact_pair *pair);
/// Moves the springs of a state over such a step, under the normal force that acts.  [s], [N]
void ff_contact_advance(const ff_contact_pair *pair, const ff_contact_point *point, double normal, double time,
                        ff_contact_state *state);
/// Mode at the end of such a step, by the sum that decides how far its spring slips: at the end the spring is at the
/// limit, with and without slip. OPEN: unknown, since the point touched within the step or has no friction spring.
int32_t ff_contact_mode_after(const ff_contact_pair *pair, const ff_contact_point *point, double normal, double time,
                              const ff_contact_state *state);
/// ff_contact_update of a point.  @param known  its next mode if it stays in touch; OPEN: unknown
ff_contact_change ff_contact_update_to(const ff_contact_pair *pair, const ff_contact_point *point,
                                       ff_contact_event event, int32_t known, ff_contact_state *state);
/// Half period of a contact that a mass hits with this speed, by the steepest force over depth that it may meet: a
/// Hertzian spring is stiffer the deeper it is pressed, and the damper of hunt-crossley makes it 1 + lambda v / k times
/// as stiff. No longer than that of the mass at rest.  [s]
double ff_contact_impact_time(const ff_contact_pair *pair, double mass, double speed);
/// ff_contact_step_advice across the normal: the spring and the damper of friction. A foot is often much lighter
/// sideways than upwards, and then this is the tighter bound.
ff_contact_step ff_contact_friction_advice(const ff_contact_pair *pair, double mass, double load);

/// @return power of the motion against friction: heat, and what its springs store  [W]
static inline double ff_contact_friction_power(const ff_contact_point *point, const ff_contact_force *force)
{
    return -ff_vec3_dot(force->tangential, point->slip) - ff_vec3_dot(force->moment, point->spin);
}

/// Does the point resist turning?
static inline bool ff_contact_turns(const ff_contact_pair *pair)
{
    return pair->friction.torsion > 0.0 || pair->friction.rolling > 0.0;
}
/// Splits the vector `a` into its parts along the normal (torsion) and across it (rolling).
static inline void ff_split(const double a[3], const double normal[3], double along[3], double across[3])
{
    ff_vec3_scale(along, normal, ff_vec3_dot(a, normal));
    ff_vec3_sub(across, a, along);
}
/// Energy stored in the springs of a state.
static inline double ff_contact_stored(const ff_contact_pair *pair, double share, const ff_contact_state *state)
{
    double along[3], across[3];
    if (state->mode == FF_CONTACT_OPEN) return 0.0;
    if (!ff_contact_turns(pair))
        return 0.5 * share * pair->friction.stiffness * ff_vec3_dot(state->spring, state->spring);
    ff_split(state->turn, state->plane, along, across);
    return 0.5 * share *
           (pair->friction.stiffness * ff_vec3_dot(state->spring, state->spring) +
            pair->torsion_stiffness * ff_vec3_dot(along, along) +
            pair->rolling_stiffness * ff_vec3_dot(across, across));
}

#endif
