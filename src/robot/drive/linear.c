// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear drives: spindle, bound of force over speed, and the force and position loops of the drive with a flat spring
// in series. With F = C (K phi - x), J phi'' = C_M i - K F and a locked output,
//     F'' + D a F' + (P a + C K^2 / J) F = (P + forward) a F*,       a = C K C_M / J,
// which has the gain 1 at rest for forward = K / C_M.
#include "drive/private.h"

#include <footfall/drive_parts.h>

double ff_spindle_travel(double lead, double belt)
{
    return lead / (2.0 * FF_PI * belt);
}

double ff_spindle_force(const ff_table *bound, double speed, double demand)
{
    const double most = ff_max(0.0, demand * speed >= 0.0 ? ff_table_value(bound, fabs(speed)) : bound->y[0]);
    return demand > most ? most : demand < -most ? -most : demand;
}

ff_force_loop ff_force_loop_design(double stiffness, double travel, double constant, double inertia,
                                   double bandwidth_hz, double damping)
{
    const double z = damping * damping;
    // ratio of bandwidth (-3 dB) to natural frequency of a second-order loop without zeros
    const double ratio = sqrt(1.0 - 2.0 * z + sqrt(4.0 * z * z - 4.0 * z + 2.0));
    const double w = 2.0 * FF_PI * bandwidth_hz / ratio, plant = stiffness * travel * constant / inertia;
    return (ff_force_loop){.p = ff_max(0.0, (w * w - stiffness * travel * travel / inertia) / plant),
                           .d = 2.0 * damping * w / plant,
                           .forward = travel / constant};
}
