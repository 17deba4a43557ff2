// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The simulation object: options, creation, allocation.
#include "engine/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t COOKIE = 0x53494d31; // "SIM1"

ff_sim_options ff_sim_options_default(void)
{
    // docs/work-precision.md compares the methods: implicit is fit for rubber and concrete alike.
    return (ff_sim_options){.method = FF_METHOD_IMPLICIT,
                            .step = 1e-3,
                            .accuracy = 1e-3,
                            .relative = 1e-6,
                            .absolute = 1e-9,
                            .event_tolerance = 1e-12,
                            .passive = true,
                            .limit_speed = 1e8,
                            .cookie = COOKIE};
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
    if (!(o->accuracy >= 0.0 && o->accuracy < 1.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "accuracy is %g: choose between 1e-9 and 0.1, or 0 for a fixed step",
                            o->accuracy);
    if (!(o->event_tolerance > 0.0) || !(o->limit_speed > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "event tolerance %g s and limit speed %g must be positive",
                            o->event_tolerance, o->limit_speed);
    return FF_OK;
}

ff_sim *ff_sim_create(const ff_model *model, const ff_sim_options *options, ff_error *err)
{
    ff_sim_options o = options ? *options : ff_sim_options_default();
    if (check_options(&o, err)) return NULL;
    if (!ff_method_get_traits(o.method).accuracy) o.accuracy = 0.0;
    // Aligned to cache lines: the neighbour in memory may belong to another thread of a team.
    ff_sim *sim = aligned_alloc(64, (sizeof *sim + 63) / 64 * 64);
    if (!sim) goto no_memory;
    memset(sim, 0, sizeof *sim);
    sim->model = model;
    sim->options = o;
    sim->method = ff_methods[o.method];
    sim->step_ticks = ff_ticks_from_seconds(o.step);
    sim->forces_number = 1;
    sim->nq = model ? model->nq : 0;
    sim->nv = model ? model->nv : 0;
    sim->held = ff_sim_new_numbers(sim, sim->nv);
    sim->command = ff_sim_new_numbers(sim, model ? model->nactuator : 0);
    sim->acting = FF_ARENA_NEW(&sim->arena, int, model ? model->nactuator + 1 : 1);
    sim->applied = FF_ARENA_NEW(&sim->arena, ff_applied, model ? model->nbody + 1 : 1);
    sim->x = ff_sim_new_numbers(sim, sim->nq + sim->nv);
    sim->mistake = FF_ARENA_NEW(&sim->arena, ff_error, 1);
    if (sim->arena.failed) goto no_memory;
    for (int i = 0; model && o.actuators && i < model->nactuator; i++) sim->acting[sim->nacting++] = i;
    if (model && !(sim->data = ff_data_create(model, NULL))) goto no_memory;
    if (model) memcpy(sim->x, sim->data->q, (size_t)sim->nq * sizeof(double));
    if (ff_sim_create_loops(sim, err) == FF_OK && ff_sim_create_activations(sim, err) == FF_OK) return sim;
    ff_sim_destroy(sim);
    return NULL;
no_memory:
    ff_sim_destroy(sim);
    ff_error_set(err, FF_NO_MEMORY, "no memory for the simulation");
    return NULL;
}

void ff_sim_enable_actuator(ff_sim *sim, int actuator)
{
    if (!sim->options.actuators) sim->acting[sim->nacting++] = actuator;
}

void ff_sim_destroy(ff_sim *sim)
{
    if (!sim) return;
    for (int i = 0; i < sim->nowned; i++) sim->owned[i].destroy(sim->owned[i].object);
    if (sim->method && sim->method->destroy) sim->method->destroy(sim);
    ff_data_destroy(sim->data);
    ff_loops_destroy(sim->loops);
    void *const blocks[] = {sim->parts,     sim->tasks,        sim->task_order, sim->signals,
                            sim->listeners, sim->events.slots, sim->memories,   sim->randoms,
                            sim->owned,     sim->part_start,   sim->start,      sim->undo.bytes};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
    ff_arena_clear(&sim->arena);
    free(sim);
}

bool ff_sim_own(ff_sim *sim, void *object, void (*destroy)(void *object))
{
    if (!ff_array_grow(&sim->owned, sim->nowned, &sim->capacity.owned, sizeof *sim->owned)) return false;
    sim->owned[sim->nowned++] = (ff_owned_slot){object, destroy};
    return true;
}

void ff_sim_disown(ff_sim *sim, const void *object)
{
    int kept = 0;
    for (int i = 0; i < sim->nowned; i++)
        if (sim->owned[i].object != object) sim->owned[kept++] = sim->owned[i];
    sim->nowned = kept;
}

static void create_integrator(ff_sim *sim)
{
    ff_integrator *in = &sim->integrator;
    in->trial = ff_sim_new_numbers(sim, sim->n);
    in->probe = ff_sim_new_numbers(sim, sim->n);
    for (int i = 0; i < FF_STAGES; i++) in->k[i] = ff_sim_new_numbers(sim, sim->n);
    for (int i = 0; i < 5; i++) in->dense[i] = ff_sim_new_numbers(sim, sim->n);
}

/// Allocates what depends on the parts, events and loops that were added. sim->x keeps its place until all succeeded.
static ff_status allocate(ff_sim *sim, ff_error *err)
{
    sim->nledger = sim->options.ledger && sim->model ? FF_LEDGER_COUNT : 0;
    sim->nquad = sim->nledger + sim->nintegral;
    sim->nstate = sim->nq + sim->nv + sim->nz;
    sim->n = sim->nstate + sim->nquad;
    sim->arena.failed = false; // an earlier attempt may have failed
    if (!ff_events_add_parts(sim)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the events of parts");
    double *x = ff_sim_new_numbers(sim, sim->n);
    sim->x_last = ff_sim_new_numbers(sim, sim->n);
    sim->rates = ff_sim_new_numbers(sim, sim->n);
    sim->ledger.driving = ff_sim_new_numbers(sim, sim->nv);
    sim->events.part_signs = FF_ARENA_NEW(&sim->arena, int, sim->events.count > 0 ? sim->events.count : 1);
    sim->events.values = ff_sim_new_numbers(sim, 2 * sim->events.count);
    create_integrator(sim);
    if (sim->arena.failed) return ff_error_set(err, FF_NO_MEMORY, "no memory for a state of %d numbers", sim->n);
    sim->ode = ff_sim_make_ode(sim);
    if (!ff_ledger_create(sim)) return ff_error_set(err, FF_NO_MEMORY, "no memory for the energy ledger");
    if (!ff_sim_limit_dry_friction(sim) || !ff_sim_limit_part_states(sim))
        return ff_error_set(err, FF_NO_MEMORY, "no memory for the limits of errors");
    const ff_status status = sim->method->create ? sim->method->create(sim, err) : FF_OK;
    if (status) return status;
    memcpy(x, sim->x, (size_t)(sim->nq + sim->nv) * sizeof(double));
    if (sim->nz > 0) memcpy(x + sim->nq + sim->nv, sim->part_start, (size_t)sim->nz * sizeof(double));
    sim->x = x;
    return FF_OK;
}

ff_status ff_sim_begin(ff_sim *sim, ff_error *err)
{
    if (sim->begun) return FF_OK;
    sim->events.ncaller = sim->events.count;
    const ff_status status = allocate(sim, err);
    if (status) {
        sim->events.count = sim->events.ncaller; // the next attempt adds those of the parts again
        return status;
    }
    sim->begun = true;
    sim->due = FF_DUE_ALL & ~(sim->loops ? 0 : FF_DUE_LOOPS);
    ff_sim_commit_writes(sim);
    ff_sim_forget(sim, true);
    return FF_OK;
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

const ff_data *ff_sim_data(const ff_sim *sim)
{
    return sim->data;
}

const ff_loops *ff_sim_loops(const ff_sim *sim)
{
    return sim->loops;
}

ff_sim_counts ff_sim_get_counts(const ff_sim *sim)
{
    return sim->counts;
}

const char *ff_sim_stop_reason(const ff_sim *sim)
{
    return sim->reason;
}
