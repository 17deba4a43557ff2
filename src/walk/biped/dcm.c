// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// DCM tracking, a balance law to compare with: the divergent component of motion z = r + b r', b = sqrt(l / g), is
// controlled back to the plan by a force through the centre of mass,
//     F = m r_d'' + (m / b) (k (r_d - r) + (1 + k b) (r_d' - r'))                                   (eq. 4.23 to 4.25)
// Nobody measures the centre of mass: of a robot that tips over its feet by an angle it is off by angle times height.
// Its weight then acts beside the planned place, which the torque takes up. About the feet that is a stiffness of
// k m l^2 / b and a damping of (1 + k b) m l^2 / b: with k = 4/s LOLA's are 704 N m/rad and 387 N m s/rad.
#include "biped/stabiliser.h"

#include <footfall/math.h>

void ff_biped_dcm_law(const ff_biped *robot, double gain, double height, const double tilt[2], const double rate[2],
                      double force[3], double torque[3])
{
    const double b = sqrt(height * robot->mass / robot->weight);
    // ahead of the plan by tilting about y, to the left by tilting back about x
    const double off[2] = {height * tilt[1], -height * tilt[0]}, speed[2] = {height * rate[1], -height * rate[0]};
    for (int k = 0; k < 2; k++) {
        force[k] = -robot->mass / b * (gain * off[k] + (1.0 + gain * b) * speed[k]);
        torque[k] = -robot->weight * height * ff_sin(tilt[k]);
    }
    force[2] = torque[2] = 0.0;
}
