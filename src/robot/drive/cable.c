// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Springs on cables, which pull and never push, and the series elastic joint made of one or two of them. While both
// cables are taut the joint has the stiffness 2 k r^2; beyond |angle| = x0 / r one is slack and half of it is left.
#include "drive/private.h"

#include <footfall/drive_parts.h>

static double spring(const ff_cable *cable, double stretch)
{
    return cable->force.n > 0 ? ff_table_value(&cable->force, stretch) : cable->stiffness * stretch;
}

double ff_cable_force(const ff_cable *cable, double stretch, double rate)
{
    if (!(stretch > 0.0)) return 0.0;
    return ff_max(0.0, spring(cable, stretch) + cable->damping * rate);
}

double ff_cable_energy(const ff_cable *cable, double stretch)
{
    if (!(stretch > 0.0)) return 0.0;
    if (cable->force.n == 0) return 0.5 * cable->stiffness * stretch * stretch;
    return ff_table_integral(&cable->force, stretch) - ff_table_integral(&cable->force, 0.0);
}

double ff_cable_slope(const ff_cable *cable, double stretch)
{
    if (!(stretch > 0.0)) return 0.0;
    return cable->force.n > 0 ? ff_table_slope(&cable->force, stretch) : cable->stiffness;
}

double ff_sea_torque(const ff_sea *sea, double angle, double rate)
{
    const double r = sea->radius;
    double force = ff_cable_force(&sea->cable, sea->stretch + r * angle, r * rate);
    if (!sea->one) force -= ff_cable_force(&sea->cable, sea->stretch - r * angle, -r * rate);
    return r * force;
}

double ff_sea_energy(const ff_sea *sea, double angle)
{
    double energy = ff_cable_energy(&sea->cable, sea->stretch + sea->radius * angle);
    if (!sea->one) energy += ff_cable_energy(&sea->cable, sea->stretch - sea->radius * angle);
    return energy;
}

double ff_sea_slope(const ff_sea *sea, double angle)
{
    double slope = ff_cable_slope(&sea->cable, sea->stretch + sea->radius * angle);
    if (!sea->one) slope += ff_cable_slope(&sea->cable, sea->stretch - sea->radius * angle);
    return sea->radius * sea->radius * slope;
}
