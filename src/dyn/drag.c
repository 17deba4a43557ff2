// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drag of a surrounding air or liquid on bodies, each seen as a box with sides a, b, c (compile_medium.c), in the axes
// of the box, v and w its velocity against the wind and its spin:
//     density     F_x = -rho b c |v_x| v_x / 2                     N_x = -rho a (b^4 + c^4) |w_x| w_x / 64
//     viscosity   F   = -3 pi d mu v                               N   = -pi d^3 mu w,     d = (a + b + c) / 3
// as MuJoCo has it: drag of plates, and of a sphere in slow flow (G. G. Stokes, 1851).
#include <footfall/dyn.h>

#include "dyn/layout.h"

static const double PI = 3.141592653589793;

/// Force and moment in the axes of the box.
static void drag_of(const ff_model *m, const double box[3], const double v[3], const double w[3], double force[3],
                    double moment[3])
{
    const double diameter = (box[0] + box[1] + box[2]) / 3.0;
    for (int k = 0; k < 3; k++) {
        const double a = box[k], b = box[(k + 1) % 3], c = box[(k + 2) % 3];
        force[k] = -3.0 * PI * diameter * m->viscosity * v[k] - 0.5 * m->density * b * c * fabs(v[k]) * v[k];
        moment[k] = -PI * diameter * diameter * diameter * m->viscosity * w[k] -
                    m->density * a * (b * b * b * b + c * c * c * c) * fabs(w[k]) * w[k] / 64.0;
    }
}

void ff_drags_add(const ff_model *m, ff_data *d, double *carried)
{
    for (int k = 0; k < m->ndrag; k++) {
        const ff_drag *drag = &m->drags[k];
        const ff_pose *pose = &d->pose[drag->node];
        const double *V = d->velocity + 6 * drag->node;
        double arm[3], R[9], velocity[3], against[3], v[3], w[3], force[3], moment[3], F[3], N[3];
        ff_mat3_mulv(arm, pose->R, drag->at);
        ff_vec3_add(arm, arm, pose->p);
        ff_mat3_mul(R, pose->R, drag->R);
        ff_vec3_copy(velocity, V + 3);
        ff_vec3_cross_add(velocity, V, arm);
        ff_vec3_sub(against, velocity, m->wind);
        ff_mat3_tmulv(v, R, against);
        ff_mat3_tmulv(w, R, V);
        drag_of(m, drag->box, v, w, force, moment);
        ff_mat3_mulv(F, R, force);
        ff_mat3_mulv(N, R, moment);
        d->passive_power -= ff_vec3_dot(F, velocity) + ff_vec3_dot(N, V);
        double *wrench = carried + 6 * drag->node;
        ff_vec3_add(wrench, wrench, N);
        ff_vec3_cross_add(wrench, arm, F);
        ff_vec3_add(wrench + 3, wrench + 3, F);
    }
}
