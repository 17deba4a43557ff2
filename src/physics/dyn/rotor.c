// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Rotors behind levers. An inertia J on a coordinate x(q) with dx/dt = r v has the energy J (r v)^2 / 2, so that
//     M += J r r',        bias += J r (dr/dt v).
// With one joint and a constant lever that is armature. Otherwise the lever changes with the pose, and a rotor on two
// joints couples them: the packed mass matrix has an entry for that where one joint carries the other. The
// articulated-body method has none and is replaced by the factors of M.
#include <footfall/dyn.h>

#include "dyn/layout.h"
#include "dyn/packed.h"

int ff_dyn_mass_entry(const ff_model *m, int i, int j)
{
    const int row = i > j ? i : j, column = i > j ? j : i;
    for (int k = m->M_row[row]; k < m->M_row[row + 1]; k++)
        if (m->M_col[k] == column) return k;
    return -1;
}

/// Speed or acceleration of x: r y.
static double along(const ff_rotor *rotor, const double *y)
{
    double sum = 0.0;
    for (int k = 0; k < rotor->ndof; k++) sum += rotor->lever[k] * y[rotor->dof[k]];
    return sum;
}

void ff_rotors_add_mass(const ff_model *m, ff_data *d)
{
    for (int i = 0; i < d->nrotor; i++) {
        const ff_rotor *rotor = &d->rotors[i];
        for (int k = 0; k < rotor->ndof; k++) {
            const int dof = rotor->dof[k];
            d->M[m->M_row[dof + 1] - 1] += rotor->inertia * rotor->lever[k] * rotor->lever[k];
        }
        if (rotor->ndof == 2) d->M[rotor->entry] += rotor->inertia * rotor->lever[0] * rotor->lever[1];
    }
}

void ff_rotors_add_torque(const ff_data *d, const double *a, double *tau)
{
    for (int i = 0; i < d->nrotor; i++) {
        const ff_rotor *rotor = &d->rotors[i];
        const double force = rotor->inertia * (rotor->drift + (a ? along(rotor, a) : 0.0));
        for (int k = 0; k < rotor->ndof; k++) tau[rotor->dof[k]] += rotor->lever[k] * force;
    }
}

double ff_rotors_twice_energy(const ff_data *d)
{
    double twice = 0.0;
    for (int i = 0; i < d->nrotor; i++) {
        const double speed = along(&d->rotors[i], d->v);
        twice += d->rotors[i].inertia * speed * speed;
    }
    return twice;
}

bool ff_rotors_forward(const ff_model *m, ff_data *d)
{
    ff_dyn_inverse(m, d, d->q, d->v, NULL, d->qacc);
    for (int i = 0; i < m->nv; i++) d->qacc[i] = d->tau[i] - d->qacc[i];
    ff_dyn_add_wrench_torque(m, d, d->qacc);
    ff_dyn_mass(m, d);
    if (!ff_dyn_factor(m, d)) return false;
    ff_dyn_solve(m, d, d->qacc);
    return true;
}
