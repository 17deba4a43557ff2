// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The stopwatch of a profile: time is charged to one row after the other.
#include "engine/profile.h"

void ff_profile_charge(ff_stopwatch *p)
{
    const double now = p->clock(p->context);
    p->seconds[p->row] += now - p->last;
    p->last = now;
}

int ff_profile_switch(ff_stopwatch *p, int row)
{
    const int before = p->row;
    ff_profile_charge(p);
    p->row = row;
    p->calls[row]++;
    return before;
}

void ff_profile_return(ff_stopwatch *p, int row)
{
    ff_profile_charge(p);
    p->row = row;
}
