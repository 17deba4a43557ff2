// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The energy ledger: powers integrated along with the state, by the same method, so that the balance
//     stored now - stored at the start + lost = work + outside + loops + residual
// leaves the error of the integration as residual. Energy that a contact stored when it opens is booked as it happens.
//
// Work. `euler` moves v by one force f, so that the work of the drives is h f (v0 + v1) / 2. With `implicit` the
// impulse of its two stages takes the place of h f. The powers f0 v0 and f1 v1 at the ends of the step give another
// number for stiff servos: 0.38 J of 0.70 J in a walk.
//
// Losses are powers of the laws. What `implicit` takes by itself is no loss of a law, and stays in the residual.
//
// Heat of friction is d (ds/dt)^2 + T v_p (contact/friction.c). Where the damper d is weak, the spring s of a point
// that slides is a stiff state, ds/dt = (T - k s) / d: an error e of a stage becomes heat of the order T k e / d. So
// all methods but `euler` integrate the work T v (`implicit` in implicit/energy.c), and heat is the part of it that the
// springs do not store at the end of the step. If that is below zero, it is subtracted from later heat.
//
// Stops of joints never pull. A joint that leaves its stop faster than the stop recovers has no force on it any more,
// and the energy left in the stop becomes heat. The motion is smooth there, so that error control takes long steps, and
// with powers cvode was wrong by up to 2 % of the energy turned over. So `implicit` and methods that locate events
// integrate the work on stops with dampers, and heat is the part of it that the stops do not store at the end of the
// step.
#include "engine/system.h"

/// Heat is never negative: an amount below zero becomes a debt, which is subtracted from later amounts.
static double heat_beyond(double *debt, double amount)
{
    const double heat = amount - *debt;
    *debt = ff_max(0.0, -heat);
    return ff_max(0.0, heat);
}

void ff_ledger_book(ff_sim *sim, int entry, double amount)
{
    if (sim->nledger == 0) return;
    const bool may_return = entry == FF_LEDGER_FRICTION && ff_sim_has_stages(sim);
    sim->x[sim->nstate + entry] += may_return ? heat_beyond(&sim->ledger.friction_debt, amount) : amount;
}

// ------------------------------------------------------------------------------------------ powers

/// What a part without energies added to the forces of the last evaluation.
typedef struct ff_part_work {
    double *before, *after; // d->tau without it, and with it  (nv)
    double power;           // [W]
} ff_part_work;

bool ff_ledger_create(ff_sim *sim)
{
    const int nv = sim->nv + 1;
    for (int i = 0; i < sim->npart && sim->nledger > 0; i++) {
        ff_part_slot *slot = &sim->parts[i];
        const bool reports = slot->part.energy || slot->part.power || slot->inner.powers;
        if (!slot->part.derivative || reports) continue;
        ff_part_work *work = slot->work = FF_ARENA_NEW(&sim->arena, ff_part_work, 1);
        if (!work) return false;
        work->before = FF_ARENA_NEW(&sim->arena, double, nv);
        work->after = FF_ARENA_NEW(&sim->arena, double, nv);
    }
    return !sim->arena.failed;
}

/// Power of all forces in tau and wrench.
static double power_of_forces(const ff_sim *sim)
{
    const ff_data *d = sim->data;
    double power = 0.0;
    for (int i = 0; i < sim->nv; i++) power += d->tau[i] * d->v[i];
    for (int i = 0; i < 6 * sim->model->nnode; i++) power += d->wrench[i] * d->velocity[i];
    return power;
}

void ff_ledger_measure(const ff_sim *sim, const ff_part_slot *slot, bool after)
{
    ff_part_work *work = slot->work;
    memcpy(after ? work->after : work->before, sim->data->tau, (size_t)sim->nv * sizeof(double));
    work->power = power_of_forces(sim) - (after ? work->power : 0.0);
}

void ff_ledger_set_joints(const ff_sim *sim, double *power)
{
    double work = 0.0;
    for (int i = 0; i < sim->nv; i++) work += sim->ledger.driving[i] * sim->data->v[i];
    for (int i = 0; i < FF_LEDGER_COUNT; i++) power[i] = 0.0;
    power[FF_LEDGER_WORK] = work;
    ff_sim_add_applied_power(sim, &power[FF_LEDGER_WORK]);
    if (!sim->options.passive) return;
    power[FF_LEDGER_JOINTS] = sim->data->passive_power;
    if (ff_sim_locates_events(sim) || sim->implicit) power[FF_LEDGER_JOINTS] += ff_ledger_stops_rate(sim);
}

void ff_ledger_add_part(ff_sim *sim, const ff_part_slot *slot, double t, const double *z, double *power)
{
    const ff_part *part = &slot->part;
    const ff_part_work *work = slot->work;
    if (slot->inner.powers) {
        slot->inner.powers(part->context, power, sim->ledger.driving);
        return;
    }
    for (int i = 0; work && i < sim->nv; i++)
        sim->ledger.driving[i] = (sim->ledger.driving[i] - work->before[i]) + work->after[i];
    if (work) power[FF_LEDGER_WORK] += work->power;
    if (part->power) power[FF_LEDGER_PARTS] += part->power(part->context, t, sim->model, sim->data, z);
    if (part->supply) power[FF_LEDGER_WORK] += part->supply(part->context, t, sim->model, sim->data, z);
}

void ff_ledger_powers(ff_sim *sim, double t, const double *z, double *power)
{
    ff_ledger_set_joints(sim, power);
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (slot->part.derivative) ff_ledger_add_part(sim, slot, t, z + slot->offset, power);
    }
}

// ------------------------------------------------------------------------------------------ steps

void ff_ledger_keep_losses(const ff_sim *sim, double *x)
{
    const int at = sim->nstate + FF_LEDGER_NORMAL;
    x[at] = ff_max(x[at], sim->x[at]);
}

double ff_ledger_friction(ff_sim *sim, const double *x0, const double *x, double work)
{
    double heat = work;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        const int z = sim->nq + sim->nv + slot->offset;
        if (!slot->inner.stored_by_friction) continue;
        heat -= slot->inner.stored_by_friction(slot->part.context, x + z) -
                slot->inner.stored_by_friction(slot->part.context, x0 + z);
    }
    return x0[sim->nstate + FF_LEDGER_FRICTION] + heat_beyond(&sim->ledger.friction_debt, heat);
}

/// @return signed distance of a joint beyond its range, at a stop with a damper; 0 within the range or without such a
/// stop  [m, rad]
/// @param axis  receives the axis about which a ball joint has turned
static double beyond_range(const ff_joint *joint, const double *q, double axis[3])
{
    if (!joint->limited || !(joint->stop_damping > 0.0)) return 0.0;
    if (joint->type == FF_JOINT_BALL) return ff_max(0.0, ff_quat_angle(axis, q) - joint->range[1]);
    if (!ff_joint_is_scalar(joint->type)) return 0.0;
    return *q > joint->range[1] ? *q - joint->range[1] : ff_min(0.0, *q - joint->range[0]);
}

double ff_ledger_stops_rate(const ff_sim *sim)
{
    const ff_model *m = sim->model;
    const ff_data *d = sim->data;
    double rate = 0.0;
    for (int j = 0; j < m->njoint; j++) {
        const ff_joint *joint = &m->joints[j];
        double axis[3] = {0};
        const double depth = beyond_range(joint, d->q + joint->qadr, axis), *v = d->v + joint->vadr;
        if (depth != 0.0)
            rate += joint->stop_stiffness * depth * (joint->type == FF_JOINT_BALL ? ff_vec3_dot(axis, v) : *v);
    }
    return rate;
}

/// Energy in stops with dampers at the state x.  [J]
static double energy_of_stops(const ff_sim *sim, const double *x)
{
    const ff_model *m = sim->model;
    double sum = 0.0;
    for (int j = 0; m && sim->options.passive && j < m->njoint; j++) {
        double axis[3] = {0};
        const double depth = beyond_range(&m->joints[j], x + m->joints[j].qadr, axis);
        sum += 0.5 * m->joints[j].stop_stiffness * depth * depth;
    }
    return sum;
}

double ff_ledger_joints(ff_sim *sim, const double *x0, const double *x, double end, double work)
{
    const double stored = energy_of_stops(sim, x) - energy_of_stops(sim, x0);
    if (stored == 0.0 && sim->ledger.stops_debt == 0.0) return end;
    return x0[sim->nstate + FF_LEDGER_JOINTS] + heat_beyond(&sim->ledger.stops_debt, work - stored);
}

// ------------------------------------------------------------------------------------------ stored energy

/// @return energy of the parts that have contacts, or of all others  [J]
static double energy_of_parts(ff_sim *sim, bool contacts)
{
    double sum = 0.0;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part *part = &sim->parts[i].part;
        if (part->energy && sim->parts[i].inner.contacts == contacts)
            sum += part->energy(part->context, ff_sim_time(sim), sim->model, sim->data, ff_sim_part_state(sim, i));
    }
    return sum;
}

ff_energy ff_energy_now(ff_sim *sim)
{
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    if (sim->energy_at == sim->forces_number) return sim->energy; // several measures and channels read one state
    ff_energy e = {0};
    if (sim->data) {
        e.kinetic = ff_dyn_kinetic_energy(sim->model, sim->data);
        e.potential = ff_dyn_potential_energy(sim->model, sim->data);
        if (sim->options.passive) {
            e.elastic = sim->data->passive_energy;
            e.potential += sim->data->lift_energy;
        }
    }
    e.contacts = energy_of_parts(sim, true);
    e.parts = energy_of_parts(sim, false);
    e.total = e.kinetic + e.potential + e.elastic + e.contacts + e.parts;
    sim->energy_at = sim->forces_number;
    return sim->energy = e;
}

double ff_ledger_before_change(ff_sim *sim)
{
    return sim->ledger.begun && sim->data ? ff_energy_now(sim).total : 0.0;
}

void ff_ledger_after_change(ff_sim *sim, double before)
{
    if (sim->ledger.begun && sim->data) sim->ledger.outside += ff_energy_now(sim).total - before;
}

void ff_ledger_begin(ff_sim *sim)
{
    if (sim->ledger.begun || sim->nledger == 0) return;
    const double *q = sim->x + sim->nstate;
    double lost = 0.0; // before the ledger begins, by bodies that meet at the start
    for (int i = 0; i < sim->nledger; i++) lost += i == FF_LEDGER_WORK ? -q[i] : q[i];
    sim->ledger.start = ff_energy_now(sim).total + lost;
    sim->ledger.begun = true;
}
