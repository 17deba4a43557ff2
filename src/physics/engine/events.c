// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Events: functions of the state whose zeros are instants of interest, those of callers first, then those of the parts.
// Methods that locate them end a step at each; for the others the ends of a step are compared.
#include "engine/system.h"

#include <math.h>

bool ff_sim_add_part_events(ff_sim *sim)
{
    for (int i = 0; i < sim->npart && ff_sim_locates_events(sim); i++) {
        const ff_part *part = &sim->parts[i].part;
        sim->parts[i].event = sim->nevent;
        for (int k = 0; k < part->nevent; k++) {
            if (!ff_array_grow(&sim->events, sim->nevent, &sim->event_capacity, sizeof *sim->events)) return false;
            sim->events[sim->nevent++] =
                (ff_event_slot){.event = {.name = part->name, .direction = part->event_direction}};
        }
    }
    return true;
}

/// Poses and velocities of the state x into data. @return its time, which for the state itself does not depend on where
/// the method counts from  [s]
static double show_state(ff_sim *sim, double t, const double *x)
{
    const double time = x == sim->x ? ff_sim_time(sim) : sim->base + t;
    if (x == sim->x)
        ff_sim_reach(sim, FF_SIM_VELOCITY);
    else
        ff_sim_place_trial(sim, time, x, x + sim->nq, false);
    return time;
}

void ff_sim_event_values(ff_sim *sim, double t, const double *x, double *values)
{
    const double time = show_state(sim, t, x);
    for (int i = 0; i < sim->nevent_user; i++) {
        const ff_event *event = &sim->events[i].event;
        values[i] = event->value(event->context, time, sim->model, sim->data, x);
    }
    for (int i = 0; i < sim->npart && sim->nevent > sim->nevent_user; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (slot->part.nevent > 0)
            slot->part.event_values(slot->part.context, sim->data, x + sim->nq + sim->nv + slot->offset,
                                    values + slot->event);
    }
}

double ff_sim_event_value(ff_sim *sim, int i, double t, const double *x)
{
    if (i >= sim->nevent_user) {
        ff_sim_event_values(sim, t, x, sim->event_values);
        return sim->event_values[i];
    }
    const ff_event *event = &sim->events[i].event;
    const double time = show_state(sim, t, x);
    return event->value(event->context, time, sim->model, sim->data, x);
}

/// Some parts know the sides of their events from their modes.
static void take_signs(ff_sim *sim, const ff_part_slot *slot)
{
    if (slot->part.nevent == 0 || !slot->part.event_signs) return;
    slot->part.event_signs(slot->part.context, sim->roots);
    for (int i = 0; i < slot->part.nevent; i++) {
        sim->events[slot->event + i].sign = sim->roots[i];
        sim->events[slot->event + i].slack = 0.0;
    }
}

void ff_sim_prepare_events(ff_sim *sim)
{
    if (!(sim->due & FF_DUE_EVENTS)) return;
    if (sim->nevent > 0) ff_sim_event_values(sim, 0.0, sim->x, sim->event_values);
    for (int i = 0; i < sim->nevent; i++) {
        ff_event_slot *slot = &sim->events[i];
        slot->value = sim->event_values[i];
        slot->sign = fabs(slot->value) <= slot->slack ? 0 : (slot->value > 0.0) - (slot->value < 0.0);
        if (slot->sign != 0) slot->slack = 0.0; // otherwise it still says when the new side shows
    }
    for (int i = 0; i < sim->npart && sim->nevent > sim->nevent_user; i++) take_signs(sim, &sim->parts[i]);
    sim->due &= ~FF_DUE_EVENTS;
    ff_sim_show(sim);
}

/// One part changes its modes by its events that crossed. @return whether anything changed
static bool serve_part(ff_sim *sim, const ff_part_slot *slot)
{
    bool changed = false;
    for (int i = 0; i < slot->part.nevent; i++) {
        ff_event_slot *event = &sim->events[slot->event + i];
        const int crossing = event->crossing;
        if (!crossing) continue;
        event->crossing = 0;
        event->slack = 0.0;
        sim->counts.events++;
        ff_sim_reach(sim, FF_SIM_VELOCITY);
        changed = slot->part.event(slot->part.context, sim, i, crossing) || changed;
    }
    return changed;
}

/// Where something changed, the integrator restarts with the same step size.
static void serve_parts(ff_sim *sim)
{
    bool changed = false;
    for (int i = 0; i < sim->npart && sim->nevent > sim->nevent_user; i++)
        changed = serve_part(sim, &sim->parts[i]) || changed;
    if (!changed) return;
    ff_sim_forget(sim, false);
    sim->due |= FF_DUE_EVENTS;
}

void ff_sim_handle_events(ff_sim *sim)
{
    serve_parts(sim);
    for (int i = 0; i < sim->nevent_user; i++) {
        ff_event_slot *slot = &sim->events[i];
        if (!slot->crossing) continue;
        const double crossing = sim->method->traits.locates ? ff_sim_time(sim) : slot->when;
        slot->crossing = 0;
        sim->counts.events++;
        const int due = sim->due & FF_DUE_EVENTS;
        int actions = FF_SIM_GO;
        sim->due &= ~FF_DUE_EVENTS;
        if (slot->event.handle) {
            ff_sim_reach(sim, FF_SIM_VELOCITY);
            actions = (int)slot->event.handle(slot->event.context, sim, crossing);
        }
        ff_sim_lower(sim, FF_SIM_VELOCITY);
        if (!(sim->due & FF_DUE_EVENTS))
            slot->slack = 0.0; // nothing written, the state goes on across: the new side is known
        sim->due |= due;
        ff_sim_perform(sim, actions);
    }
}

void ff_sim_compare_events(ff_sim *sim, const ff_step *step)
{
    for (int i = 0; i < sim->nevent_user; i++) {
        ff_event_slot *slot = &sim->events[i];
        const double before = slot->value, after = ff_sim_event_value(sim, i, 0.0, sim->x);
        const int sign = (after > 0.0) - (after < 0.0);
        if (sign * slot->sign < 0 && slot->event.direction * sign >= 0) {
            slot->crossing = sign;
            slot->when = step->start + step->h * before / (before - after); // a linear estimate
        }
        slot->value = after;
        if (sign != 0) slot->sign = sign;
    }
}
