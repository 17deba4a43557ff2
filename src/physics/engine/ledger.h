// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy ledger: powers integrated along with the state, and the stored energy (ledger.c).
#ifndef FOOTFALL_ENGINE_LEDGER_H
#define FOOTFALL_ENGINE_LEDGER_H

#include <footfall/sim.h>

struct ff_part_slot;

/// Integrals of the energy ledger, in the order of their places in x.
enum {
    FF_LEDGER_NORMAL,   // lost by contacts along the normal        [J]
    FF_LEDGER_FRICTION, // lost by contacts across it               [J]
    FF_LEDGER_JOINTS,   // lost by dampers, dry friction and stops  [J]
    FF_LEDGER_PARTS,    // lost by other parts                      [J]
    FF_LEDGER_WORK,     // done by drives, held and scripted forces [J]
    FF_LEDGER_COUNT
};

/// What the ledger has besides its integrals in x.
typedef struct ff_ledger_state {
    bool begun;               // `start` is known
    double start;             // stored energy when the ledger began  [J]
    double outside;           // energy brought in by writes of the state from outside  [J]
    double before_write;      // stored energy before the writes not yet committed      [J]
    double loops, loops_last; // energy added by closing the loops, in all steps and in the last  [J]
    double friction_debt;     // heat of friction below zero, which is subtracted from later heat  [J]
    double stops_debt;        // the same of stops of joints                                       [J]
    double *driving;          // forces on the joints whose work is `work`, at the last evaluation  (nv)
} ff_ledger_state;

/// Allocates what the ledger needs. @return false when out of memory
bool ff_ledger_create(ff_sim *sim);
/// Begins the ledger with the energy stored now, unless it has begun.
void ff_ledger_begin(ff_sim *sim);
/// Adds the energy of a jump to an entry. In methods with stages, whose springs of friction jump to their limits at the
/// end of each step, heat below zero is subtracted from later heat.  [J]
void ff_ledger_book(ff_sim *sim, int entry, double amount);
/// @return stored energy of the state that is about to be written from outside  [J]
double ff_ledger_before_change(ff_sim *sim);
/// Books the stored energy beyond `before` as `outside`.
void ff_ledger_after_change(ff_sim *sim, double before);
/// ff_sim_energy after the first run has begun.
ff_energy ff_energy_now(ff_sim *sim);

// `power` is the place of the rates of the ledger in dx.
/// Keeps the forces before a part without energies is evaluated, or after: what such a part adds is work.
void ff_ledger_measure(const ff_sim *sim, const struct ff_part_slot *slot, bool after);
/// Computes all powers of the last evaluation, at the states z of the parts; forces whose power is work -> driving.
void ff_ledger_powers(ff_sim *sim, double t, const double *z, double *power);
/// The powers that do not come from parts.
void ff_ledger_set_joints(const ff_sim *sim, double *power);
/// Adds the powers of one part.
void ff_ledger_add_part(ff_sim *sim, const struct ff_part_slot *slot, double t, const double *z, double *power);
/// @return rate of the energy in stops with dampers, which `implicit` and methods that locate events integrate with the
/// losses of joints  [W]
double ff_ledger_stops_rate(const ff_sim *sim);

// Entries at the state x that a method with stages or located events proposes after x0; once a step.
/// @param work  on friction, integrated from x0 to x  [J]    @return heat of friction up to x  [J]
double ff_ledger_friction(ff_sim *sim, const double *x0, const double *x, double work);
/// @param work  of the losses of joints, integrated from x0 to x  [J]    @param end  these losses up to x  [J]
/// @return `end`, or the heat where stops have stored or returned energy  [J]
double ff_ledger_joints(ff_sim *sim, const double *x0, const double *x, double end, double work);
/// Keeps the loss along the normal from falling below that of the state of the simulation: one weight of the
/// fifth-order rule is negative, and polynomials of CVODE may fall.
void ff_ledger_keep_losses(const ff_sim *sim, double *x);

#endif
