// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulation object and its one derivative:
//     q, v -> kinematics -> velocity -> passive forces -> actuators and parts add forces -> forward dynamics -> (qdot,
//     qacc, zdot)
// The state x is the truth; ff_data carries a copy of it for callbacks and serves as scratch of the derivative in
// between.
#include "sim/implicit.h"
#include "sim/sensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t COOKIE = 0x53494d31; // "SIM1"

// ------------------------------------------------------------------------------------------ time

ff_ticks ff_ticks_from_seconds(double seconds)
{
    const double ticks = seconds * (double)FF_TICKS_PER_SECOND;
    if (!(ticks > -9.2e18)) return INT64_MIN;
    if (ticks > 9.2e18) return INT64_MAX;
    return (ff_ticks)llround(ticks);
}

double ff_ticks_to_seconds(ff_ticks ticks)
{
    // Whole seconds and the rest apart: the rest is below 2^53, so its quotient is rounded once.
    const ff_ticks whole = ticks / FF_TICKS_PER_SECOND, rest = ticks % FF_TICKS_PER_SECOND;
    return (double)whole + (double)rest / (double)FF_TICKS_PER_SECOND;
}

ff_sim_options ff_sim_options_default(void)
{
    return (ff_sim_options){.method = FF_METHOD_EULER,
                            .step = 1e-3,
                            .relative = 1e-6,
                            .absolute = 1e-9,
                            .event_tolerance = 1e-12,
                            .passive = true,
                            .limit_speed = 1e8,
                            .cookie = COOKIE};
}

// ------------------------------------------------------------------------------------------ derivative

double ff_sim_actuator_force(const ff_sim *sim, const ff_data *d, int i)
{
    const ff_actuator *a = &sim->model->actuators[i];
    const ff_joint *joint = &sim->model->joints[a->joint];
    double u = sim->command[i];
    if (a->command_limited) u = fmin(fmax(u, a->command_range[0]), a->command_range[1]);
    double force =
        a->gain * u + a->bias[0] + a->bias[1] * a->gear * d->q[joint->qadr] + a->bias[2] * a->gear * d->v[joint->vadr];
    return a->force_limited ? fmin(fmax(force, a->force_range[0]), a->force_range[1]) : force;
}

/// Forces of the model's own actuators: gear * clamp(gain u + bias0 + bias1 (gear q) + bias2 (gear v)).
static void add_actuators(const ff_sim *sim, ff_data *d)
{
    const ff_model *m = sim->model;
    for (int i = 0; i < m->nactuator; i++) {
        const ff_actuator *a = &m->actuators[i];
        if (a->joint < 0 || !ff_joint_is_scalar(m->joints[a->joint].type)) continue;
        d->tau[m->joints[a->joint].vadr] += a->gear * ff_sim_actuator_force(sim, d, i);
    }
}

void ff_sim_gather_joints(ff_sim *sim, double *power)
{
    const ff_model *m = sim->model;
    ff_data *d = sim->data;
    memcpy(d->tau, sim->held, (size_t)sim->nv * sizeof(double));
    memset(d->wrench, 0, 6 * (size_t)m->nnode * sizeof(double));
    if (sim->options.actuators) add_actuators(sim, d);
    if (power) ff_ledger_drives(sim, power);
    if (!sim->options.passive) return;
    if (!sim->at_state) ff_dyn_passive(m, d); // ff_sim_update has done it
    for (int i = 0; i < sim->nv; i++) d->tau[i] += d->passive[i];
    if (power) power[FF_LEDGER_JOINTS] = d->passive_power;
}

void ff_sim_gather_forces(ff_sim *sim, double t, const double *z, double *zdot)
{
    const ff_model *m = sim->model;
    ff_data *d = sim->data;
    double *power = sim->nledger > 0 ? zdot + sim->nz : NULL;
    ff_sim_aim_accounts(sim, zdot);
    if (d) ff_sim_gather_joints(sim, power);
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        const double before = power ? ff_ledger_before(sim, slot) : 0.0;
        slot->part.derivative(slot->part.context, t, m, d, z + slot->offset, zdot + slot->offset);
        if (power) ff_ledger_part(sim, slot, t, z + slot->offset, before, power);
    }
}

/// Everything between (q, v) in d and qacc; zdot of the parts on the way. `t` is absolute.
static bool evaluate_forces(ff_sim *sim, double t, const double *z, double *zdot)
{
    ff_sim_gather_forces(sim, t, z, zdot);
    if (!sim->data) return true;
    if (!ff_sim_forward(sim)) return false;
    if (!sim->world || !sim->world->rigid || !ff_sim_locates_events(sim)) return true;
    return ff_rigid_constrain(sim->world, sim, sim->nledger > 0 ? zdot + sim->nz : NULL);
}

static bool derivative(void *context, double t, const double *x, double *dx)
{
    ff_sim *sim = context;
    const ff_model *m = sim->model;
    ff_data *d = sim->data;
    const double time = sim->base + t;
    sim->counts.evaluations++;
    // At the state itself, after a step that was looked at, poses and velocities are there already.
    sim->at_state = sim->data_fresh && x == sim->x;
    sim->data_fresh = sim->at_state;
    if (d && sim->at_state) {
        ff_dyn_qdot(m, x, d->v, dx);
    } else if (d) {
        d->time = time;
        memcpy(d->q, x, (size_t)sim->nq * sizeof(double));
        memcpy(d->v, x + sim->nq, (size_t)sim->nv * sizeof(double));
        // Stages, and the history of cvode, leave the unit sphere a little. Forces must depend on the direction alone;
        // the rate of a quaternion grows with its length, so that it turns at the angular velocity whatever its length.
        ff_dyn_qdot(m, x, d->v, dx);
        if (x != sim->x) ff_dyn_normalise(m, d->q); // the state itself is normalised after every step
        ff_sim_place_rotors(sim);
        ff_dyn_kinematics(m, d);
        ff_dyn_velocity(m, d);
    }
    if (sim->at_state && sim->forces_ready)
        memcpy(dx + sim->nq + sim->nv, sim->in.probe + sim->nq + sim->nv,
               (size_t)(sim->nz + sim->nquad) * sizeof(double));
    else if (!evaluate_forces(sim, time, x + sim->nq + sim->nv, dx + sim->nq + sim->nv))
        return false;
    if (d) memcpy(dx + sim->nq, d->qacc, (size_t)sim->nv * sizeof(double));
    return true;
}

static void normalise(void *context, double *x)
{
    const ff_sim *sim = context;
    if (sim->model) ff_dyn_normalise(sim->model, x);
}

static void euler(void *context, double h, double *x, const double *dx)
{
    ff_sim *sim = context;
    for (int i = sim->nq; i < sim->n; i++) x[i] += h * dx[i];
    for (int i = 0; i < sim->npart; i++) {
        const ff_part *part = &sim->parts[i].part;
        const int at = sim->nq + sim->nv + sim->parts[i].offset;
        for (int k = 0; part->rate_of && k < part->nstate; k++)
            if (part->rate_of[k] >= 0) x[at + k] += h * (x[at + part->rate_of[k]] - dx[at + k]);
    }
    if (sim->world && sim->world->rigid) ff_rigid_step(sim->world, sim, h, x + sim->nq);
    if (sim->model) ff_dyn_advance(sim->model, x, x + sim->nq, h, x);
}

// ------------------------------------------------------------------------------------------ create and size

static ff_status check_options(const ff_sim_options *o, ff_error *err)
{
    if (o->cookie != COOKIE)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "the simulation options were built by hand: start from ff_sim_options_default()");
    if ((int)o->method < 0 || o->method >= FF_METHOD_COUNT)
        return ff_error_set(err, FF_BAD_ARGUMENT, "there is no integration method number %d", (int)o->method);
    if (!ff_method_built(o->method))
        return ff_error_set(err, FF_NOT_BUILT,
                            "method %s needs SUNDIALS, which this build lacks: use adaptive, or build with it",
                            ff_method_name(o->method));
    if (!(o->step > 0.0) || !isfinite(o->step) || ff_ticks_from_seconds(o->step) < 1)
        return ff_error_set(err, FF_BAD_ARGUMENT, "step is %g s: it must be positive and at least 3e-14 s", o->step);
    if (!(o->relative >= 1e-15 && o->relative < 1.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "relative tolerance is %g: choose between 1e-15 and 1", o->relative);
    if (!(o->absolute > 0.0) || !isfinite(o->absolute))
        return ff_error_set(err, FF_BAD_ARGUMENT, "absolute tolerance is %g: it must be positive", o->absolute);
    if (!(o->max_step >= 0.0) || !(o->first_step >= 0.0) || !isfinite(o->first_step))
        return ff_error_set(err, FF_BAD_ARGUMENT, "largest step %g s and first step %g s must not be negative",
                            o->max_step, o->first_step);
    if (o->accuracy > 0.0 && o->method != FF_METHOD_IMPLICIT)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "accuracy belongs to method implicit, and the method is %s: set relative and "
                            "absolute, or step",
                            ff_method_name(o->method));
    if (!(o->accuracy >= 0.0 && o->accuracy < 1.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "accuracy is %g: choose between 1e-9 and 0.1, or 0 for a fixed step",
                            o->accuracy);
    if (!(o->event_tolerance > 0.0) || !(o->limit_speed > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "event tolerance %g s and limit speed %g must be positive",
                            o->event_tolerance, o->limit_speed);
    return FF_OK;
}

static double *numbers(ff_sim *sim, int count)
{
    return FF_ARENA_NEW(&sim->arena, double, count > 0 ? count : 1);
}

ff_sim *ff_sim_create(const ff_model *model, const ff_sim_options *options, ff_error *err)
{
    const ff_sim_options o = options ? *options : ff_sim_options_default();
    if (check_options(&o, err)) return NULL;
    // on cache lines of its own: the neighbour in memory may belong to another thread of a batch
    ff_sim *sim = aligned_alloc(64, (sizeof *sim + 63) / 64 * 64);
    if (!sim) goto no_memory;
    memset(sim, 0, sizeof *sim);
    sim->model = model;
    sim->options = o;
    sim->method = ff_methods[o.method];
    sim->step_ticks = ff_ticks_from_seconds(o.step);
    sim->nq = model ? model->nq : 0;
    sim->nv = model ? model->nv : 0;
    sim->held = numbers(sim, sim->nv);
    sim->command = numbers(sim, model ? model->nactuator : 0);
    sim->held_known = numbers(sim, sim->nv);
    sim->command_known = numbers(sim, model ? model->nactuator : 0);
    if (!sim->held || !sim->command || !sim->held_known || !sim->command_known) goto no_memory;
    if (model && !(sim->data = ff_data_create(model))) goto no_memory;
    if (ff_sim_create_loops(sim, err) == FF_OK) return sim;
    ff_sim_destroy(sim);
    return NULL;
no_memory:
    ff_sim_destroy(sim);
    ff_error_set(err, FF_NO_MEMORY, "no memory for the simulation");
    return NULL;
}

void ff_sim_destroy(ff_sim *sim)
{
    if (!sim) return;
    for (int i = 0; i < sim->nrecorder; i++) ff_recorder_destroy(sim->recorders[i]);
    ff_sensors_clear(sim);
    if (sim->method && sim->method->destroy) sim->method->destroy(sim);
    ff_data_destroy(sim->data);
    ff_loops_destroy(sim->loops);
    free(sim->parts);
    free(sim->tasks);
    free(sim->order);
    free(sim->signals);
    free(sim->listeners);
    free(sim->events);
    free(sim->memories);
    free(sim->randoms);
    free(sim->recorders);
    free(sim->part_start);
    ff_arena_clear(&sim->arena);
    free(sim);
}

static bool size_integrator(ff_sim *sim)
{
    ff_integrator *in = &sim->in;
    bool ok = (in->trial = numbers(sim, sim->n)) && (in->probe = numbers(sim, sim->n));
    for (int i = 0; i < FF_STAGES; i++) ok = ok && (in->k[i] = numbers(sim, sim->n));
    for (int i = 0; i < 5; i++) ok = ok && (in->dense[i] = numbers(sim, sim->n));
    return ok;
}

ff_status ff_sim_begin(ff_sim *sim, ff_error *err)
{
    if (sim->begun) return FF_OK;
    sim->nledger = sim->options.ledger && sim->model ? FF_LEDGER_COUNT : 0;
    sim->nquad = sim->nledger + ff_sim_count_accounts(sim);
    sim->n = sim->nq + sim->nv + sim->nz + sim->nquad;
    if (!ff_sim_add_world_events(sim)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the events of contacts");
    sim->x = numbers(sim, sim->n);
    sim->x_last = numbers(sim, sim->n);
    sim->roots = FF_ARENA_NEW(&sim->arena, int, sim->nevent > 0 ? sim->nevent : 1);
    sim->event_values = numbers(sim, 2 * sim->nevent);
    if (!sim->x || !sim->x_last || !sim->roots || !sim->event_values || !size_integrator(sim))
        return ff_error_set(err, FF_NO_MEMORY, "no memory for a state of %d numbers", sim->n);
    sim->ode = (ff_ode){.n = sim->n,
                        .ncontrol = sim->n - sim->nquad,
                        .context = sim,
                        .derivative = derivative,
                        .normalise = normalise,
                        .euler = euler};
    if (sim->nz > 0) memcpy(sim->x + sim->nq + sim->nv, sim->part_start, (size_t)sim->nz * sizeof(double));
    const ff_status status = sim->method->create ? sim->method->create(sim, err) : FF_OK;
    if (status) return status;
    sim->begun = true;
    ff_sim_adopt(sim);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ state

void ff_sim_forget(ff_sim *sim, bool state)
{
    sim->forces_ready = false;
    if (sim->method->forget) sim->method->forget(sim, state);
}

void ff_sim_publish(ff_sim *sim)
{
    ff_data *d = sim->data;
    sim->data_fresh = false;
    if (!d) return;
    d->time = ff_sim_time(sim);
    memcpy(d->q, sim->x, (size_t)sim->nq * sizeof(double));
    memcpy(d->v, sim->x + sim->nq, (size_t)sim->nv * sizeof(double));
    ff_sim_place_rotors(sim);
}

void ff_sim_adopt(ff_sim *sim)
{
    const double before = ff_ledger_before_change(sim);
    if (sim->data) {
        memcpy(sim->x, sim->data->q, (size_t)sim->nq * sizeof(double));
        memcpy(sim->x + sim->nq, sim->data->v, (size_t)sim->nv * sizeof(double));
        ff_dyn_normalise(sim->model, sim->x);
    }
    ff_sim_publish(sim);
    ff_sim_forget(sim, true);
    sim->loops_open = sim->loops != NULL;
    sim->events_ready = false;
    if (sim->world) sim->world->stale = true;
    ff_ledger_after_change(sim, before);
}

void ff_sim_changed(ff_sim *sim)
{
    if (sim->begun) ff_sim_adopt(sim);
    sim->data_fresh = false;
}

void ff_sim_accept(ff_sim *sim)
{
    if (!sim->world) return;
    ff_sim_update(sim);
    if (!ff_world_accept(sim->world, sim)) return;
    ff_sim_forget(sim, false);
    if (ff_sim_locates_events(sim)) sim->events_ready = false; // others compare the ends of steps
}

void ff_sim_update(ff_sim *sim)
{
    if (sim->data_fresh || !sim->data) return;
    if (sim->begun)
        ff_sim_publish(sim);
    else
        ff_sim_place_rotors(sim);
    ff_dyn_kinematics(sim->model, sim->data);
    ff_dyn_velocity(sim->model, sim->data);
    ff_dyn_passive(sim->model, sim->data);
    sim->data_fresh = true;
    sim->inertias_known = sim->forces_ready = false;
}

ff_status ff_sim_evaluate(ff_sim *sim, ff_error *err)
{
    const ff_status status = ff_sim_begin(sim, err);
    if (status) return status;
    ff_sim_update(sim);
    sim->at_state = true;
    if (sim->forces_ready) return FF_OK;
    if (!evaluate_forces(sim, ff_sim_time(sim), sim->x + sim->nq + sim->nv, sim->in.probe + sim->nq + sim->nv))
        return ff_sim_derivative_failed(sim, err);
    sim->forces_ready = sim->data && !(sim->world && sim->world->rigid); // rigid contacts ask again
    return FF_OK;
}

ff_energy ff_sim_energy(ff_sim *sim)
{
    ff_energy e = {0};
    if (ff_sim_begin(sim, NULL)) return e;
    ff_sim_update(sim);
    if (sim->data) {
        e.kinetic = ff_dyn_kinetic_energy(sim->model, sim->data);
        e.potential = ff_dyn_potential_energy(sim->model, sim->data);
        if (sim->options.passive) e.elastic = sim->data->passive_energy;
    }
    for (int i = 0; i < sim->npart; i++) {
        const ff_part *part = &sim->parts[i].part;
        if (!part->energy) continue;
        e.parts += part->energy(part->context, ff_sim_time(sim), sim->model, sim->data, ff_sim_part_state(sim, i));
    }
    if (sim->world) { // its energy came with those of the parts
        ff_world_find(sim->world, sim->data);
        sim->world->valid = true;
        e.contacts = ff_world_energy(sim->world, ff_sim_part_state(sim, sim->world->part));
    }
    e.total = e.kinetic + e.potential + e.elastic + e.contacts + e.parts;
    return e;
}

// ------------------------------------------------------------------------------------------ small getters

const ff_model *ff_sim_model(const ff_sim *sim)
{
    return sim->model;
}

const ff_sim_options *ff_sim_get_options(const ff_sim *sim)
{
    return &sim->options;
}

ff_data *ff_sim_data(ff_sim *sim)
{
    return sim->data;
}

const ff_loops *ff_sim_loops(const ff_sim *sim)
{
    return sim->loops;
}

double *ff_sim_held_torque(ff_sim *sim)
{
    return sim->held;
}

double *ff_sim_command(ff_sim *sim)
{
    return sim->command;
}

double ff_sim_time(const ff_sim *sim)
{
    return ff_ticks_to_seconds(sim->ticks) + sim->offset;
}

const double *ff_sim_state(ff_sim *sim, int *size)
{
    if (ff_sim_begin(sim, NULL)) return NULL;
    if (size) *size = sim->n;
    return sim->x;
}

ff_sim_counts ff_sim_get_counts(const ff_sim *sim)
{
    return sim->counts;
}

const char *ff_sim_stop_reason(const ff_sim *sim)
{
    return sim->reason;
}

double *ff_sim_part_state(ff_sim *sim, int part)
{
    if (part < 0 || part >= sim->npart) return NULL;
    double *z = sim->begun ? sim->x + sim->nq + sim->nv : sim->part_start;
    return z ? z + sim->parts[part].offset : NULL;
}
