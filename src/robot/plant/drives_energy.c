// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Energies of drives from whole implicit steps (drive/step_energy.c), in place of the powers at the ends of a step.
#include "plant/drives.h"

/// The step of drive i from the flow at its start. @param z  number of its first state in the part
/// @param dz  room for the corrections of its states, which the result points to
static ff_drive_step step_of(const ff_drives_part *p, int i, const ff_step_record *step, int z,
                             const ff_drive_flow *start, double *dz)
{
    const ff_drive *d = &p->set->drives[i];
    const ff_drive_path *path = &d->path;
    ff_drive_step drive_step = {.h = step->h,
                                .start = start->at,
                                .end = ff_drive_path_locate(path, step->q1, step->v1),
                                .z0 = step->z0 + z,
                                .z1 = step->z1 + z,
                                .dz = dz};
    for (int k = 0; k < d->nstate; k++)
        dz[k] = step->shift_z ? step->shift_z[z + k] : drive_step.z1[k] - drive_step.z0[k];
    if (!step->shift_q) {
        drive_step.shift = drive_step.end.x - drive_step.start.x;
        drive_step.shift_speed = drive_step.end.speed - drive_step.start.speed;
    }
    for (int k = 0; step->shift_q && k < path->njoint; k++) {
        drive_step.shift += drive_step.end.lever[k] * step->shift_q[path->vadr[k]];
        drive_step.shift_speed += drive_step.end.lever[k] * step->shift_v[path->vadr[k]];
    }
    return drive_step;
}

/// Replaces the energies that follow from the powers at both ends of the step.
static void override_energy(const ff_drives_part *p, int i, const ff_step_record *step, double *ledger,
                            double *integrals)
{
    const ff_drive *d = &p->set->drives[i];
    const ff_drive_memory *m = &p->link->memory[i];
    const ff_drive_flow *end = &p->link->flows[i];
    double dz[FF_DRIVE_STATES_MOST];
    const int z = p->set->offset[i] - p->set->offset[p->from];
    ff_drive_flow start;
    ff_drive_energy energy;
    ff_drive_evaluate(d, m, step->q0, step->v0, step->z0 + z, NULL, &start);
    const ff_drive_step drive_step = step_of(p, i, step, z, &start, dz);
    ff_drive_step_energy(d, m, &drive_step, &energy);
    ledger[FF_LEDGER_PARTS] += energy.lost - 0.5 * step->h * (start.loss + end->loss);
    ledger[FF_LEDGER_WORK] += energy.electrical - 0.5 * step->h * (start.electrical + end->electrical);
    integrals[FF_DRIVES_ACCOUNTS * i] = step->integrals[FF_DRIVES_ACCOUNTS * i] + energy.electrical;
    integrals[FF_DRIVES_ACCOUNTS * i + 1] = step->integrals[FF_DRIVES_ACCOUNTS * i + 1] + energy.mechanical;
    integrals[FF_DRIVES_ACCOUNTS * i + 2] = step->integrals[FF_DRIVES_ACCOUNTS * i + 2] + energy.copper;
}

/// Twice the numerical damping of an inertia whose speed is state k.
static inline double numerical_damping(const double *z0, const double *z1, const double *shift, double inertia, int k)
{
    const double change = z1[k] - z0[k];
    return fabs(inertia * change * (shift ? shift[k] : change));
}

// For drives that the step resolves the powers at its ends are exact enough: computing all of them would take 6 % of a
// walk of ANTON with full drives.
void ff_drives_account(const void *context, const ff_step_record *step, double *ledger, double *integrals)
{
    const ff_drives_part *p = context;
    const ff_drives_energy_override *s = p->link->overrides, *last_override = s + p->link->noverride;
    const ff_drive_flow *flows = p->link->flows;
    const double *z0 = step->z0, *z1 = step->z1, *shift = step->shift_z, negligible = 2.0 * step->negligible * step->h;
    for (; s < last_override; s++) {
        const double rotor = numerical_damping(z0, z1, shift, s->inertia, s->rotor),
                     last = numerical_damping(z0, z1, shift, s->behind, s->last);
        if (rotor + last > negligible * flows[s->drive].loss) override_energy(p, s->drive, step, ledger, integrals);
    }
}

bool ff_drives_find_overrides(ff_sim *sim, ff_drives_link *drives)
{
    const ff_drive_set *set = drives->set;
    drives->overrides = FF_ARENA_NEW(&sim->arena, ff_drives_energy_override, set->n + 1);
    for (int i = 0; drives->overrides && i < set->n; i++) {
        const ff_drive *d = &set->drives[i];
        if (!ff_drive_has_step_energy(d)) continue;
        const int last = set->offset[i + 1] - 1, rotor = last + 2 - d->nmoving;
        drives->overrides[drives->noverride++] =
            (ff_drives_energy_override){.drive = i,
                                        .rotor = rotor,
                                        .last = last,
                                        .inertia = d->inertia,
                                        .behind = last > rotor ? d->inertia_behind : 0.0};
    }
    return drives->overrides != NULL;
}
