// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Changes of the contacts between two steps: memory for new points, and transitions. Methods of fixed step make them at
// the end of every step. Methods that locate events end a step at each transition that changes forces; between those
// nothing is written to x, so that the history of the method stays valid.
#include "contact/advance.h"
#include "world/world.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TRANSITIONS_AT_ONCE = 3 }; // open, sliding, sticking: no chain is longer

static double *states_of(const ff_world *w)
{
    return ff_sim_part_place(w->sim, w->part);
}

// ------------------------------------------------------------------------------------------ slots

static int free_slot(ff_world *w)
{
    for (int64_t i = w->memory->lowest; i < w->most; i++) {
        if (w->slots[i].pair != UINT64_MAX) continue;
        w->memory->lowest = i + 1;
        return (int)i;
    }
    return -1;
}

void ff_world_open_slot(ff_world *w, ff_touch *t)
{
    const int slot = free_slot(w);
    if (slot < 0) {
        w->memory->counts.overflow++;
        return;
    }
    w->slots[slot] = (ff_slot){.pair = ff_world_key(t->shape1, t->shape2)};
    w->matched_at[slot] = w->find_count;
    t->slot = slot;
    // Sorted by pairs, since ff_world_find searches in it; few points are new in a step.
    int64_t at = w->memory->used++;
    while (at > 0 && w->order[at - 1].pair > w->slots[slot].pair) {
        w->order[at] = w->order[at - 1];
        at--;
    }
    w->order[at] = (ff_slot_order){w->slots[slot].pair, slot};
}

/// Writes the springs of a point to x. @return whether they differ from those there
static bool write_states(const ff_world *w, double *states, int slot, const ff_contact_state *state)
{
    double *z = states + w->width * slot;
    const bool turns = ff_world_turns(w);
    if (memcmp(z, state->spring, sizeof state->spring) == 0 &&
        (!turns || memcmp(z + 3, state->turn, sizeof state->turn) == 0))
        return false;
    ff_world_write_springs(w, states, slot, state);
    return true;
}

// ------------------------------------------------------------------------------------------ transitions

static void count_transition(ff_world *w, const ff_touch *t, int from, int to)
{
    ff_world_counts *c = &w->memory->counts;
    if (to == FF_CONTACT_OPEN) c->lifts++;
    if (from == FF_CONTACT_OPEN) c->touches++;
    if (to == FF_CONTACT_STATIC) c->sticks++;
    if (from == FF_CONTACT_STATIC && to == FF_CONTACT_KINETIC) c->slips++;
    if (from != FF_CONTACT_OPEN || w->rigid || ff_sim_locates_events(w->sim)) return;
    const double mass = ff_world_pair_mass(w, t->shape1, t->shape2);
    if (ff_contact_impact_time(t->law, mass, t->point.closing) < 10.0 * w->sim->last_step) c->unresolved++;
}

void ff_world_report_transition(ff_world *w, const ff_touch *t, int from, int to)
{
    ff_world_contact c = ff_world_contact_of(w, t);
    count_transition(w, t, from, to);
    c.limb1 = ff_world_limb(w, w->sim->data, c.shape1, c.place);
    c.limb2 = ff_world_limb(w, w->sim->data, c.shape2, c.place);
    for (int i = 0; i < w->nlistener; i++)
        w->listeners[i].change(w->listeners[i].context, w->sim, &c, from, to, ff_sim_time(w->sim));
}

/// One update of the memory of a point at the end of a step.
/// @param staged    length of a step with stages; 0: none  [s]
/// @param proposed  mode by an implicit step; OPEN: not known
/// @param moved     set where its states in x changed
/// @return whether the mode changed
static bool update(ff_world *w, ff_touch *t, ff_contact_event event, double staged, int32_t proposed, bool *moved)
{
    ff_slot *slot = &w->slots[t->slot];
    double *z = states_of(w);
    ff_contact_state state = ff_world_state(w, t, z);
    const ff_contact_change change = ff_contact_update_to(t->law, &t->point, event, proposed, &state);
    double lost = change.friction_loss;
    if (staged > 0.0) lost += ff_contact_return_springs(t->law, &t->point, change.from, staged, &state);
    slot->state = state;
    w->forces_at = w->copied_at = 0;
    if (write_states(w, z, t->slot, &state)) *moved = true;
    ff_ledger_book(w->sim, FF_LEDGER_FRICTION, lost);
    t->state.mode = state.mode;
    if (change.from == change.to) return false;
    ff_world_report_transition(w, t, change.from, change.to);
    return true;
}

/// Updates a point until its mode stays: a foot that is set down without slip sticks at once. @return whether the mode
/// changed
static bool settle(ff_world *w, ff_touch *t, ff_contact_event event, bool *moved)
{
    bool changed = false;
    ff_contact_point *point = &t->point;
    // A touch-down may be located a rounding error before the surface, where it would lift off at once.
    if (event == FF_CONTACT_TOUCH && t->state.mode == FF_CONTACT_OPEN && !(point->depth > 0.0)) point->depth = DBL_MIN;
    for (int round = 0; round < TRANSITIONS_AT_ONCE; round++) {
        if (!update(w, t, event, 0.0, FF_CONTACT_OPEN, moved)) break;
        changed = true;
        event = FF_CONTACT_NO_EVENT;
        if (t->state.mode == FF_CONTACT_OPEN || t->state.mode == FF_CONTACT_STATIC) break;
    }
    return changed;
}

ff_contact_state ff_world_settled(const ff_world *w, const ff_touch *t)
{
    ff_contact_state state = ff_world_state(w, t, states_of(w));
    for (int round = 0; round < TRANSITIONS_AT_ONCE; round++) {
        const int from = state.mode;
        ff_contact_update(t->law, &t->point, FF_CONTACT_NO_EVENT, &state);
        if (state.mode == from || state.mode == FF_CONTACT_OPEN || state.mode == FF_CONTACT_STATIC) break;
    }
    return state;
}

/// Updates a mode that forces do not depend on, for which methods that locate events need not restart.
static void update_informative(ff_world *w, ff_touch *t)
{
    if (ff_contact_mode_matters(t->law) || t->state.mode == FF_CONTACT_OPEN || !(t->point.depth > 0.0)) return;
    ff_contact_state state = ff_world_state(w, t, states_of(w));
    const ff_contact_change change = ff_contact_update(t->law, &t->point, FF_CONTACT_NO_EVENT, &state);
    if (change.from == change.to) return;
    w->slots[t->slot].state.mode = t->state.mode = state.mode;
    ff_world_report_transition(w, t, change.from, change.to);
}

// ------------------------------------------------------------------------------------------ accepted steps

bool ff_world_forget_lost(ff_world *w)
{
    bool changed = false;
    int64_t kept = 0;
    double *z = states_of(w);
    for (int64_t k = 0; k < w->memory->used; k++) {
        const int slot = (int)w->order[k].slot;
        if (w->matched_at[slot] == w->find_count) {
            w->order[kept++] = w->order[k];
            continue;
        }
        ff_slot *lost = &w->slots[slot];
        if (lost->state.mode != FF_CONTACT_OPEN) {
            ff_touch t = {.slot = slot, .law = NULL};
            t.shape1 = (int)(lost->pair >> 32);
            t.shape2 = (int)(lost->pair & UINT32_MAX);
            t.law = ff_world_law(w, t.shape1, t.shape2);
            t.point.depth = -w->margin;
            t.point.share = lost->share;
            ff_vec3_copy(t.place, lost->place);
            bool moved;
            changed =
                (w->rigid ? ff_rigid_lose(w, &t) : update(w, &t, FF_CONTACT_NO_EVENT, 0.0, FF_CONTACT_OPEN, &moved)) ||
                changed;
        }
        memset(z + w->width * slot, 0, (size_t)w->width * sizeof *z);
        lost->pair = UINT64_MAX;
        if (slot < w->memory->lowest) w->memory->lowest = slot;
    }
    w->memory->used = kept;
    return changed;
}

bool ff_world_accept(void *context, ff_sim *sim, ff_accept_reason reason)
{
    ff_world *w = context;
    if (w->rigid) return ff_rigid_accept(w, sim);
    bool changed = false, moved = false;
    const bool located = ff_sim_locates_events(sim);
    const double staged = ff_sim_has_stages(sim) ? sim->last_step : 0.0;
    if (!w->memory->weighed) w->memory->weighed = ff_world_weigh(w, sim);
    ff_world_find(w, sim->data);
    int touching = 0;
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        const bool fresh = t->slot < 0;
        if (fresh) ff_world_open_slot(w, t);
        if (t->slot < 0) continue;
        w->slots[t->slot].id = t->point.id;
        w->slots[t->slot].share = t->point.share;
        ff_vec3_copy(w->slots[t->slot].place, t->place);
        if (reason == FF_ACCEPT_WRITTEN || (located && fresh))
            changed = settle(w, t, FF_CONTACT_NO_EVENT, &moved) || changed;
        else if (!located)
            changed = update(w, t, FF_CONTACT_NO_EVENT, staged, w->proposed_mode[t->slot], &moved) || changed;
        else
            update_informative(w, t);
        w->proposed_mode[t->slot] = FF_CONTACT_OPEN;
        touching += t->state.mode != FF_CONTACT_OPEN;
    }
    changed = ff_world_forget_lost(w) || changed;
    if (touching > w->memory->counts.most) w->memory->counts.most = touching;
    if (located || sim->options.accuracy > 0.0) w->memory->longest = ff_world_longest_step(w, sim->data);
    return changed || moved;
}

// ------------------------------------------------------------------------------------------ located events

void ff_world_event_signs(const void *context, int *signs)
{
    const ff_world *w = context;
    for (int i = 0; i < w->most; i++) {
        const bool open = w->slots[i].pair == UINT64_MAX || w->slots[i].state.mode == FF_CONTACT_OPEN;
        signs[FF_CONTACT_EVENT_COUNT * i + FF_CONTACT_TOUCH] = open ? -1 : 1;
        signs[FF_CONTACT_EVENT_COUNT * i + FF_CONTACT_STICK] = 1;
        signs[FF_CONTACT_EVENT_COUNT * i + FF_CONTACT_SLIP] = -1;
    }
    signs[FF_CONTACT_EVENT_COUNT * w->most] = -1;
}

void ff_world_event_values(void *context, ff_data *d, const double *z, double *values)
{
    ff_world *w = context;
    ff_world_find(w, d);
    for (int i = 0; i < w->most; i++) {
        values[FF_CONTACT_EVENT_COUNT * i + FF_CONTACT_TOUCH] = -w->margin;
        values[FF_CONTACT_EVENT_COUNT * i + FF_CONTACT_STICK] = 1.0;
        values[FF_CONTACT_EVENT_COUNT * i + FF_CONTACT_SLIP] = -1.0;
    }
    double *fresh = &values[FF_CONTACT_EVENT_COUNT * w->most];
    *fresh = -w->margin;
    for (int i = 0; i < w->ntouch; i++) {
        const ff_touch *t = &w->touches[i];
        if (t->slot < 0) {
            *fresh = ff_max(*fresh, w->rigid ? ff_rigid_touch_value(t) : t->point.depth);
            continue;
        }
        if (w->rigid) {
            ff_rigid_event_values(t, values + FF_CONTACT_EVENT_COUNT * t->slot);
            continue;
        }
        const ff_contact_state state = ff_world_state(w, t, z);
        ff_contact_event_values(t->law, &t->point, &state, values + FF_CONTACT_EVENT_COUNT * t->slot);
    }
}

bool ff_world_event(void *context, ff_sim *sim, int index, int direction)
{
    ff_world *w = context;
    if (index == FF_CONTACT_EVENT_COUNT * w->most) return ff_world_accept(w, sim, FF_ACCEPT_STEP);
    const int slot = index / FF_CONTACT_EVENT_COUNT;
    const ff_contact_event event = (ff_contact_event)(index % FF_CONTACT_EVENT_COUNT);
    const int mode = w->slots[slot].state.mode;
    const bool fits = (event == FF_CONTACT_TOUCH && (direction > 0) == (mode == FF_CONTACT_OPEN)) ||
                      (event == FF_CONTACT_STICK && direction < 0 && mode == FF_CONTACT_KINETIC) ||
                      (event == FF_CONTACT_SLIP && direction > 0 && mode == FF_CONTACT_STATIC);
    if (w->slots[slot].pair == UINT64_MAX || !fits) return false;
    if (w->found_at != sim->state_number) ff_world_find(w, sim->data);
    for (int i = 0; i < w->ntouch; i++) {
        bool moved = false;
        if (w->touches[i].slot != slot) continue;
        if (w->rigid) return ff_rigid_event(w, sim, &w->touches[i], event);
        return settle(w, &w->touches[i], event, &moved);
    }
    return ff_world_accept(w, sim, FF_ACCEPT_STEP); // the point was lost within the step
}

// ------------------------------------------------------------------------------------------ start in equilibrium

ff_status ff_world_hold(ff_world *w, ff_sim *sim, const double *force, ff_error *err)
{
    static const double none[3] = {0};
    if (w->sim != sim) return ff_error_set(err, FF_BAD_ARGUMENT, "this world belongs to another simulation");
    ff_status status = ff_sim_begin(sim, err);
    if (status) return status;
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    if (sim->due & FF_DUE_PARTS)
        ff_sim_accept_parts(sim, FF_ACCEPT_WRITTEN); // all parts must accept the state
    else
        ff_world_accept(w, sim, FF_ACCEPT_STEP);
    for (int i = 0; i < w->ntouch && status == FF_OK && !w->rigid; i++) { // forces of rigid contacts are solved for
        ff_touch *t = &w->touches[i];
        if (t->slot < 0 || !(t->point.depth > 0.0) || (force && isnan(force[3 * i]))) continue;
        ff_contact_state state;
        status = ff_contact_state_hold(t->law, &t->point, force ? force + 3 * i : none, &state, err);
        if (status) break;
        w->slots[t->slot].state = state;
        t->state.mode = state.mode;
        w->forces_at = w->copied_at = 0;
        write_states(w, states_of(w), t->slot, &state);
    }
    ff_sim_forget(sim, false);
    sim->due |= FF_DUE_EVENTS;
    return status;
}
