// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The world of contacts as a part of a simulation. The springs of the points are states of the part. Modes change when
// a step is accepted, or at located events.
#include "base/missing.h"
#include "contact/advance.h"
#include "world/world.h"

#include <string.h>

static const char KIND[] = "contacts";

static void derivative(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)t, (void)m;
    ff_world *w = context;
    if (w->found_at != w->sim->state_number) ff_world_find(w, d);
    if (w->rigid) // ff_rigid_constrain computes the forces
        memset(zdot, 0, (size_t)ff_world_nstate(w) * sizeof *zdot);
    else
        ff_world_apply(w, d, z, 0.0, zdot, false);
}

static double energy(void *context, double t, const ff_model *m, ff_data *d, const double *z)
{
    ff_world *w = context;
    double sum = 0.0;
    (void)t, (void)m;
    if ((w->sim->due & FF_DUE_PARTS) || w->found_at != w->sim->state_number) ff_world_find(w, d);
    for (int i = 0; i < w->ntouch && !w->rigid; i++) {
        const ff_touch *touch = &w->touches[i];
        ff_contact_force force = touch->force;
        if (w->forces_at != w->found_at) { // not yet evaluated at this state
            const ff_contact_state state = ff_world_state(w, touch, z);
            ff_contact_evaluate(touch->law, &touch->point, &state, &force, NULL);
        }
        sum += force.elastic_normal + force.elastic_friction;
    }
    return sum;
}

/// @return power of the motion against friction  [W]
static double friction_power(const ff_world *w)
{
    double sum = 0.0;
    for (int i = 0; i < w->ntouch; i++) sum += ff_contact_friction_power(&w->touches[i].point, &w->touches[i].force);
    return sum;
}

static void powers(const void *context, double *power, double *force)
{
    (void)force;
    const ff_world *w = context;
    const ff_world_power p = w->power;
    power[FF_LEDGER_NORMAL] = p.loss_normal;
    const ff_method_traits traits = w->sim->method->traits;
    const bool euler = traits.fixed && traits.impulses;
    power[FF_LEDGER_FRICTION] = !euler && !w->rigid ? friction_power(w) : p.loss_friction;
}

/// @return energy in the springs of friction for the states z  [J]
static double stored_by_friction(const void *context, const double *z)
{
    const ff_world *w = context;
    double sum = 0.0;
    for (int64_t k = 0; k < w->memory->used && !w->rigid; k++) {
        const ff_slot *slot = &w->slots[w->order[k].slot];
        const ff_touch t = {.slot = (int)w->order[k].slot};
        const ff_contact_state state = ff_world_state(w, &t, z);
        const int law = ff_world_law_of(w, (int)(slot->pair >> 32), (int)(slot->pair & UINT32_MAX));
        sum += ff_contact_stored(&w->laws[law], slot->share, &state);
    }
    return sum;
}

static void bind_rates(void *context, double *rates)
{
    ff_world *w = context;
    w->impulse_rates = rates;
}

static double longest_step(const void *context)
{
    const ff_world *w = context;
    return w->memory->longest;
}

/// @return a twentieth of the least stretch at which a tangential spring slips under the weight of all bodies, since
/// the place where a body comes to rest depends on where it begins to slide; at least LEAST  [m]
static double tightest_tolerance(const void *context, double asked)
{
    static const double PART = 0.05, LEAST = 1e-8;
    const ff_world *w = context;
    if (asked <= LEAST) return asked; // without testing millions of pairs of thousands of shapes
    const double weight = w->model->mass * ff_vec3_norm(w->model->gravity);
    double most = INFINITY;
    for (int i = 0; i < w->nshape; i++)
        for (int j = 0; j < w->nmoving; j++) {
            const ff_contact_pair *law = ff_world_law(w, i, w->moving[j]);
            const double limit = law ? law->friction.mu_kinetic * weight : 0.0;
            if (limit > 0.0 && law->friction.stiffness > 0.0) most = ff_min(most, limit / law->friction.stiffness);
        }
    return ff_min(asked, ff_max(LEAST, PART * most));
}

// ------------------------------------------------------------------------------------------ in implicit steps

// The implicit method reads the points, and stores the results of a stage in them, from which states and integrals
// follow here. The method itself has the slopes and the convergence (engine/implicit/contacts.c).

/// Computes ff_touch.key, a hash of the shapes of a point and its place on them.
static void find_key(ff_touch *t)
{
    const uint64_t features[2] = {(uint64_t)t->shape1 << 32 | (uint64_t)t->shape2, t->point.id};
    if (features[0] != t->features[0] || features[1] != t->features[1]) { // the key is that of another point
        const uint64_t hash = ff_hash(features, sizeof features, FF_HASH_START);
        memcpy(t->features, features, sizeof features);
        t->key = (unsigned)(hash ^ hash >> 32);
    }
}

static int linearise(void *context, ff_sim *sim, const double *z0, double h, ff_touch **touches)
{
    ff_world *w = context;
    *touches = w->touches;
    ff_world_find(w, sim->data);
    ff_world_apply(w, sim->data, z0, h, NULL, true);
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        if (t->point.depth > 0.0) find_key(t);
        t->mass = ff_world_pair_mass(w, t->shape1, t->shape2);
        t->names[0] = w->shapes[t->shape1].name;
        t->names[1] = w->shapes[t->shape2].name;
    }
    return w->ntouch;
}

/// Adds impulses of limbs, and distances of slip.
static void add_integrals(const ff_world *w, double weight, double *integrals)
{
    const ff_data *d = w->sim->data;
    const int nway = w->model->nlimb + 1;
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        if (t->result.lasts) ff_world_add_impulse(w, d, t, weight, t->result.force, integrals);
    }
    memset(w->slip_rates, 0, (size_t)nway * sizeof *w->slip_rates);
    ff_world_slip_rates(w, d, w->slip_rates);
    for (int i = 0; i < nway; i++) integrals[3 * nway + i] += weight * w->slip_rates[i];
}

static void finish(void *context, double weight, const double *z0, double *z, double *integrals)
{
    ff_world *w = context;
    memcpy(z, z0, (size_t)ff_world_nstate(w) * sizeof *z);
    memset(w->proposed_mode, 0, (size_t)w->most * sizeof *w->proposed_mode);
    for (int i = 0; i < w->ntouch; i++) {
        const ff_contact_result *result = &w->touches[i].result;
        const int slot = w->touches[i].slot;
        if (!result->lasts || slot < 0) continue;
        w->proposed_mode[slot] = result->mode;
        ff_world_write_springs(w, z, slot, &result->state);
    }
    if (w->impulses) add_integrals(w, weight, integrals);
}

static ff_contact_interface contact_points_of(const ff_world *w)
{
    return (ff_contact_interface){.most = w->touch_capacity,
                                  .meets = w->broad != NULL, // otherwise bodies meet fixed planes only
                                  .linearise = linearise,
                                  .finish = finish};
}

// ------------------------------------------------------------------------------------------ joining

static ff_status check_joining(const ff_sim *sim, const ff_world *w, ff_error *err)
{
    if (!sim || !w) return ff_error_missing(err, "ff_sim_add_world", sim ? "world" : "simulation");
    if (ff_sim_find_inner(sim, KIND) || w->sim)
        return ff_error_set(err, FF_BAD_ARGUMENT, "one world a simulation, and one simulation a world");
    if (sim->model != w->model) return ff_error_set(err, FF_BAD_ARGUMENT, "the world was made for another model");
    if (w->response != FF_RESPONSE_FORCE && !sim->method->traits.impulses)
        return ff_error_set(err, FF_BAD_ARGUMENT,
                            "contacts with the response '%s' need the method euler, adaptive or cvode, not %s",
                            ff_response_name(w->response), ff_method_name(sim->options.method));
    return FF_OK;
}

static ff_part_inner inner_of(const ff_sim *sim, const ff_world *w)
{
    ff_part_inner inner = {.kind = KIND,
                           .contacts = true,
                           .powers = powers,
                           .stored_by_friction = stored_by_friction,
                           .channels = ff_world_add_channels};
    if (!w->rigid) inner.tightest_tolerance = tightest_tolerance;
    if (!w->rigid)
        inner.contact_points = &w->contact_points;
    else if (ff_sim_locates_events(sim))
        inner.constrain = ff_rigid_constrain;
    else
        inner.impulse = ff_rigid_step;
    if (w->rigid) inner.solve_error = ff_rigid_solve_error;
    if (w->impulses) {
        inner.nintegral = ff_world_nintegral(w->model->nlimb);
        inner.bind_rates = bind_rates;
    }
    return inner;
}

static ff_status join(ff_sim *sim, ff_world *w, ff_error *err)
{
    ff_part_memory memory[7] = {{w->slots, (size_t)w->most * sizeof *w->slots},
                                {w->order, (size_t)w->most * sizeof *w->order},
                                {w->memory, sizeof *w->memory},
                                {w->weights, (size_t)w->nshape * sizeof *w->weights}};
    const int rigid = w->rigid ? ff_rigid_memory(w, memory + 4) : 0;
    const ff_part part = {.name = "contacts",
                          .nstate = ff_world_nstate(w),
                          .context = w,
                          .derivative = derivative,
                          .energy = energy,
                          .accept = ff_world_accept,
                          .longest_step = longest_step,
                          .nevent = FF_CONTACT_EVENT_COUNT * w->most + 1,
                          .event_values = ff_world_event_values,
                          .event_signs = ff_world_event_signs,
                          .event = ff_world_event,
                          .memory = memory,
                          .nmemory = 4 + rigid};
    const ff_part_inner inner = inner_of(sim, w);
    w->part = ff_sim_add_inner_part(sim, &part, &inner, err);
    return w->part < 0 ? FF_BAD_ARGUMENT : FF_OK;
}

/// Gives the laws the length of explicit steps of fixed length.
static void set_step_of_laws(ff_world *w, const ff_sim *sim)
{
    const double step = ff_ticks_to_seconds(sim->step_ticks);
    const bool staged = ff_sim_has_stages(sim);
    for (int i = 0; i < w->nlaw; i++) {
        w->laws[i].ahead = staged ? 0.0 : step;
        w->laws[i].staged = staged ? step : 0.0;
    }
}

ff_status ff_sim_add_world(ff_sim *sim, ff_world *w, ff_error *err)
{
    ff_status status = check_joining(sim, w, err);
    if (!status) status = ff_world_size(w, err);
    if (!status && w->response != FF_RESPONSE_FORCE) status = ff_rigid_create(w, sim, err);
    if (status) return status;
    w->contact_points = contact_points_of(w);
    status = join(sim, w, err);
    if (status) return status;
    if (sim->method->traits.fixed) set_step_of_laws(w, sim);
    w->sim = sim;
    return ff_world_add_adhesion(sim, w, err);
}

ff_world *ff_sim_world(const ff_sim *sim)
{
    return ff_sim_find_inner(sim, KIND);
}
