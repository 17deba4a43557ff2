// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state machine of a contact point: open, sliding (KINETIC), sticking (STATIC). Forces and springs need no help of
// it to yield, slide and come to rest (friction.c); the modes say when a point touches and which coefficient holds.
// With w = k s + d v, what friction would have to be, L_s = mu_static F_n and L_k = mu_kinetic F_n:
//
//     OPEN    -> KINETIC   depth > 0             latch the impact speed, springs slack
//     KINETIC -> STATIC    |w| <= L_k + a        the slider has stopped: its speed is (|w| - L_k) / d
//     STATIC  -> KINETIC   |w| > L_s             and slip along w
//     any     -> OPEN      depth <= 0            clear the state
//
// a = min(d v_stick, (L_s - L_k) / 2): slower than the stick speed is at rest, and at least half of the gap between the
// two thresholds stays, so that no contact alternates. Slip along w: a foot that is being unloaded may have its
// spring beyond the falling limit while it moves back. Its slider slips there, and the contact keeps
// sticking; alternating between slipping and sticking would need an event for each step of the load.
#include "contact/advance.h"
#include "contact/private.h"

static void open_contact(ff_contact_state *state)
{
    *state = (ff_contact_state){0};
}

static void begin_contact(const ff_contact_pair *pair, const ff_contact_point *point, ff_contact_state *state)
{
    *state = (ff_contact_state){.mode = FF_CONTACT_KINETIC};
    state->impact_speed = ff_max(point->closing, pair->impact_floor);
    ff_vec3_copy(state->plane, point->normal);
}

/// Brings springs to the present normal.
static void carry(const ff_contact_point *point, ff_contact_state *state)
{
    double spring[3], turn[3];
    ff_carry(spring, state->plane, point->normal, state->spring);
    ff_carry(turn, state->plane, point->normal, state->turn);
    ff_vec3_axpy(spring, -ff_vec3_dot(spring, point->normal), point->normal); // rounding of many steps
    ff_vec3_copy(state->spring, spring);
    ff_vec3_copy(state->turn, turn);
    ff_vec3_copy(state->plane, point->normal);
}

// ------------------------------------------------------------------------------------------ stick and slip

/// Distances of a point from its transitions [N]: it sticks where `stick` <= 0, slips where `slip` > 0.
typedef struct stick_slip_margins {
    double stick, slip;
} stick_slip_margins;

/// @param spring  at the present normal
/// @param ahead   time for which the slip goes on  [s]
static stick_slip_margins margins(const ff_contact_pair *pair, const ff_contact_point *point, double normal,
                                  const double spring[3], double ahead)
{
    const ff_friction *f = &pair->friction;
    const double k = f->stiffness * point->share;
    const ff_friction_limits limits = ff_contact_limits(pair, normal);
    ff_dash dash;
    double w[3];
    ff_dash_evaluate(&dash, pair, point->share, point->depth, point->slip);
    const double damping = dash.damping + k * ff_max(ff_friction_lag(k, dash.damping), ahead);
    for (int i = 0; i < 3; i++) w[i] = k * spring[i] + damping * point->slip[i];
    const double wanted = ff_vec3_norm(w), gap = limits.sticking - limits.sliding;
    const double rest = ff_core_stop_margin(gap, damping, f->stick_speed);
    const double along = ff_vec3_dot(point->slip, w) / f->stick_speed;
    return (stick_slip_margins){wanted - limits.sliding - rest, ff_min(wanted - limits.sticking, along)};
}

/// With semi-implicit steps the slider slips by what sticking would need at the end of a step (friction.c). The same
/// sum decides here: otherwise a point whose slider moved in the step counts as sticking while its load grows. After a
/// step with stages the spring is at that end already.
static stick_slip_margins margins_now(const ff_contact_pair *pair, const ff_contact_point *point,
                                      const ff_contact_state *state, const double spring[3])
{
    const ff_normal_force normal =
        ff_normal_evaluate(pair, point->share, point->depth, point->closing, state->impact_speed);
    return margins(pair, point, normal.force, spring, pair->ahead);
}

static int32_t next_mode(int32_t mode, ff_contact_event event, const stick_slip_margins *m)
{
    if (mode == FF_CONTACT_STATIC)
        return event == FF_CONTACT_SLIP || m->slip > 0.0 ? FF_CONTACT_KINETIC : FF_CONTACT_STATIC;
    return event == FF_CONTACT_STICK || m->stick <= 0.0 ? FF_CONTACT_STATIC : FF_CONTACT_KINETIC;
}

int32_t ff_contact_mode_after(const ff_contact_pair *pair, const ff_contact_point *point, double normal, double time,
                              const ff_contact_state *state)
{
    double spring[3];
    if (state->mode == FF_CONTACT_OPEN || !ff_contact_has_spring(pair)) return FF_CONTACT_OPEN;
    ff_carry(spring, state->plane, point->normal, state->spring);
    const stick_slip_margins m = margins(pair, point, normal, spring, time);
    return next_mode(state->mode, FF_CONTACT_NO_EVENT, &m);
}

static void update_mode(const ff_contact_pair *pair, const ff_contact_point *point, ff_contact_event event,
                        int32_t known, ff_contact_state *state)
{
    const int32_t before = state->mode;
    if (known == FF_CONTACT_OPEN) {
        const stick_slip_margins m = margins_now(pair, point, state, state->spring);
        known = next_mode(before, event, &m);
    }
    state->mode = known;
    if (known == FF_CONTACT_STATIC && before != known && pair->friction.stick == FF_STICK_SEED)
        ff_vec3_set(state->spring, 0.0, 0.0, 0.0);
}

ff_contact_change ff_contact_update(const ff_contact_pair *pair, const ff_contact_point *point, ff_contact_event event,
                                    ff_contact_state *state)
{
    return ff_contact_update_to(pair, point, event, FF_CONTACT_OPEN, state);
}

ff_contact_change ff_contact_update_to(const ff_contact_pair *pair, const ff_contact_point *point,
                                       ff_contact_event event, int32_t known, ff_contact_state *state)
{
    ff_contact_change change = {.from = state->mode};
    const double before = ff_contact_stored(pair, point->share, state);
    const bool crossed = event == FF_CONTACT_TOUCH;
    if (state->mode == FF_CONTACT_OPEN) {
        if (point->depth > 0.0 || crossed) begin_contact(pair, point, state);
    } else if (!(point->depth > 0.0) || crossed) {
        open_contact(state);
    } else {
        carry(point, state);
        if (ff_contact_has_spring(pair)) update_mode(pair, point, event, known, state);
    }
    change.to = state->mode;
    change.friction_loss = before - ff_contact_stored(pair, point->share, state);
    return change;
}

bool ff_contact_mode_matters(const ff_contact_pair *pair)
{
    const ff_friction *f = &pair->friction;
    return ff_friction_uses(f, FF_USES_STICKING) && (f->mu_static > f->mu_kinetic || f->stick == FF_STICK_SEED);
}

void ff_contact_event_values(const ff_contact_pair *pair, const ff_contact_point *point, const ff_contact_state *state,
                             double values[FF_CONTACT_EVENT_COUNT])
{
    values[FF_CONTACT_TOUCH] = point->depth;
    values[FF_CONTACT_STICK] = 1.0;
    values[FF_CONTACT_SLIP] = -1.0;
    if (!ff_contact_mode_matters(pair) || state->mode == FF_CONTACT_OPEN) return;
    double spring[3];
    ff_carry(spring, state->plane, point->normal, state->spring);
    const stick_slip_margins m = margins_now(pair, point, state, spring);
    if (state->mode == FF_CONTACT_STATIC)
        values[FF_CONTACT_SLIP] = m.slip;
    else
        values[FF_CONTACT_STICK] = m.stick;
}

ff_status ff_contact_state_hold(const ff_contact_pair *pair, const ff_contact_point *point, const double force[3],
                                ff_contact_state *state, ff_error *err)
{
    const ff_friction *f = &pair->friction;
    if (!ff_contact_has_spring(pair) || !(point->depth > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a contact with friction law '%s' and depth %g m holds no load",
                            ff_friction_law_name(f->law), point->depth);
    begin_contact(pair, point, state);
    state->mode = FF_CONTACT_STATIC;
    double normal = ff_normal_evaluate(pair, point->share, point->depth, point->closing, state->impact_speed).force;
    double load[3];
    ff_vec3_copy(load, force);
    ff_vec3_axpy(load, -ff_vec3_dot(load, point->normal), point->normal);
    const double limit = ff_contact_limits(pair, normal).sticking, size = ff_vec3_norm(load);
    if (size > limit) {
        open_contact(state);
        return ff_error_set(err, FF_BAD_ARGUMENT, "a tangential load of %g N is beyond %g times the normal force %g N",
                            size, limit / normal, normal);
    }
    ff_vec3_scale(state->spring, load, -1.0 / (f->stiffness * point->share));
    return FF_OK;
}
