// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Events: functions of the state whose zeros are instants of interest, those of callers first, then those of the parts.
// Methods that locate events end a step at each. For other methods the values at the two ends of a step are compared.
#include "engine/system.h"

#include <math.h>

bool ff_events_add_parts(ff_sim *sim)
{
    for (int i = 0; i < sim->npart && ff_sim_locates_events(sim); i++) {
        const ff_part *part = &sim->parts[i].part;
        sim->parts[i].event = sim->events.count;
        for (int k = 0; k < part->nevent; k++) {
            if (!ff_array_grow(&sim->events.slots, sim->events.count, &sim->events.capacity, sizeof *sim->events.slots))
                return false;
            sim->events.slots[sim->events.count++] =
                (ff_event_slot){.event = {.name = part->name, .direction = part->event_direction}};
        }
    }
    return true;
}

/// Computes poses and velocities of the state x, or of a trial state x at the local time t. @return its time  [s]
static double place_state(ff_sim *sim, double t, const double *x)
{
    const double time = x == sim->x ? ff_sim_time(sim) : sim->time_origin + t;
    if (x == sim->x)
        ff_sim_reach(sim, FF_SIM_VELOCITY);
    else
        ff_sim_place_trial(sim, time, x, x + sim->nq, false);
    return time;
}

void ff_events_evaluate(ff_sim *sim, double t, const double *x, double *values)
{
    const double time = place_state(sim, t, x);
    for (int i = 0; i < sim->events.ncaller; i++) {
        const ff_event *event = &sim->events.slots[i].event;
        values[i] = event->value(event->context, time, sim->model, sim->data, x);
    }
    for (int i = 0; i < sim->npart && sim->events.count > sim->events.ncaller; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (slot->part.nevent > 0)
            slot->part.event_values(slot->part.context, sim->data, x + sim->nq + sim->nv + slot->offset,
                                    values + slot->event);
    }
}

double ff_events_value(ff_sim *sim, int i, double t, const double *x)
{
    if (i >= sim->events.ncaller) {
        ff_events_evaluate(sim, t, x, sim->events.values);
        return sim->events.values[i];
    }
    const ff_event *event = &sim->events.slots[i].event;
    const double time = place_state(sim, t, x);
    return event->value(event->context, time, sim->model, sim->data, x);
}

/// Some parts know the signs of their events from their modes.
static void take_part_signs(ff_sim *sim, const ff_part_slot *slot)
{
    if (slot->part.nevent == 0 || !slot->part.event_signs) return;
    slot->part.event_signs(slot->part.context, sim->events.part_signs);
    for (int i = 0; i < slot->part.nevent; i++) {
        sim->events.slots[slot->event + i].sign = sim->events.part_signs[i];
        sim->events.slots[slot->event + i].slack = 0.0;
    }
}

void ff_events_prepare(ff_sim *sim)
{
    if (!(sim->due & FF_DUE_EVENTS)) return;
    if (sim->events.count > 0) ff_events_evaluate(sim, 0.0, sim->x, sim->events.values);
    for (int i = 0; i < sim->events.count; i++) {
        ff_event_slot *slot = &sim->events.slots[i];
        slot->value = sim->events.values[i];
        slot->sign = fabs(slot->value) <= slot->slack ? 0 : (slot->value > 0.0) - (slot->value < 0.0);
        if (slot->sign != 0) slot->slack = 0.0; // otherwise it still separates values from rounding
    }
    for (int i = 0; i < sim->npart && sim->events.count > sim->events.ncaller; i++)
        take_part_signs(sim, &sim->parts[i]);
    sim->due &= ~FF_DUE_EVENTS;
    ff_sim_copy_to_data(sim);
}

/// A part changes its modes by its events that have crossed. @return whether anything changed
static bool serve_part(ff_sim *sim, const ff_part_slot *slot)
{
    bool changed = false;
    for (int i = 0; i < slot->part.nevent; i++) {
        ff_event_slot *event = &sim->events.slots[slot->event + i];
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

/// All parts do so. Where something changed, the integrator restarts with the same step size.
static void serve_parts(ff_sim *sim)
{
    bool changed = false;
    for (int i = 0; i < sim->npart && sim->events.count > sim->events.ncaller; i++)
        changed = serve_part(sim, &sim->parts[i]) || changed;
    if (!changed) return;
    ff_sim_forget(sim, false);
    sim->due |= FF_DUE_EVENTS;
}

void ff_events_handle(ff_sim *sim)
{
    serve_parts(sim);
    for (int i = 0; i < sim->events.ncaller; i++) {
        ff_event_slot *slot = &sim->events.slots[i];
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
        ff_sim_invalidate(sim, FF_SIM_VELOCITY);
        if (!(sim->due & FF_DUE_EVENTS)) slot->slack = 0.0; // the state was not written, so that the new sign is known
        sim->due |= due;
        ff_sim_perform(sim, actions);
    }
}

void ff_events_compare(ff_sim *sim, const ff_step *step)
{
    for (int i = 0; i < sim->events.ncaller; i++) {
        ff_event_slot *slot = &sim->events.slots[i];
        const double before = slot->value, after = ff_events_value(sim, i, 0.0, sim->x);
        const int sign = (after > 0.0) - (after < 0.0);
        if (sign * slot->sign < 0 && slot->event.direction * sign >= 0) {
            slot->crossing = sign;
            slot->when = step->start + step->h * before / (before - after); // linear interpolation
        }
        slot->value = after;
        if (sign != 0) slot->sign = sign;
    }
}
