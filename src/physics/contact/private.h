// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share.
#ifndef FOOTFALL_CONTACT_PRIVATE_H
#define FOOTFALL_CONTACT_PRIVATE_H

#include "contact/friction.h"
#include "contact/normal.h"

/// Is there nothing to carry: the same plane, as on level ground, or none yet?
static inline bool ff_carry_stays(const double from[3], const double to[3])
{
    if (from[0] == to[0] && from[1] == to[1] && from[2] == to[2]) return true;
    return from[0] == 0.0 && from[1] == 0.0 && from[2] == 0.0;
}
/// ff_carry where there is something to carry.
void ff_carry_turn(double out[3], const double from[3], const double to[3], const double a[3]);
/// out = a carried by the shortest turn that takes the unit vector `from` to `to`; copied where they are opposite or
/// unset.
static inline void ff_carry(double out[3], const double from[3], const double to[3], const double a[3])
{
    if (ff_carry_stays(from, to))
        ff_vec3_copy(out, a);
    else
        ff_carry_turn(out, from, to, a);
}

#endif
