// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The state machine of a contact point: open, sliding (KINETIC), sticking (STATIC).
//
//     OPEN    -> KINETIC   depth > 0             latch the impact speed, springs slack
//     KINETIC -> STATIC    |slip| < stick speed  and the damper within mu_static F_n: the spring takes over the
//         force that slid
//                                                (rule seed: it starts at zero)
//     STATIC  -> KINETIC   |w| > mu_static F_n   and slip along w: the spring trails, stretched by the kinetic
//         force; guard
//                                                against chatter
//     any     -> OPEN      depth <= 0            forget everything
//
// Three things beyond the textbook make it safe with fixed steps. Slip that turned back within a step (slip . spring <
// 0) sticks although it never was seen below the stick speed. The guard, which keeps a fresh slip from sticking again
// before it passed the stick speed once, is lifted by turning back too: without that a slip that never gets fast would
// be Coulomb friction through zero. And slow slip is left to the spring: Coulomb's force follows the direction of slip,
// which turns at the least push when slip is slow, so across it the law is a damper of mu F_n / |v|, too stiff for
// explicit steps h once |v| < mu F_n h / 2 m. A guarded contact, and with explicit steps of fixed length every sliding
// one, is a grip that gives way at mu_kinetic F_n instead: its force points along the spring, which turns after the
// slip within mu F_n / k_t of way (a fraction of a millimetre), and is no stiffer than the spring. (To change over to
// Coulomb's force beyond some speed was tried: a foot that trembles then loses the part of its spring that holds the
// load, and creeps.)
#include "contact/advance.h"
#include "contact/private.h"

static void open_contact(ff_contact_state *state)
{
    *state = (ff_contact_state){0};
}

static void touch(const ff_contact_pair *pair, const ff_contact_point *point, ff_contact_state *state)
{
    *state = (ff_contact_state){.mode = FF_CONTACT_KINETIC, .share = point->share};
    state->impact_speed = ff_max(point->closing, pair->impact_floor);
    ff_vec3_copy(state->plane, point->normal);
}

/// Brings springs to the present normal and, where the patch has changed, to the present share at equal force.
static void carry(const ff_contact_point *point, ff_contact_state *state)
{
    double spring[3], turn[3], scale = state->share / point->share;
    ff_contact_springs(state, point->normal, spring, turn);
    if (scale != 1.0) {
        ff_vec3_scale(spring, spring, scale);
        ff_vec3_scale(turn, turn, scale);
    }
    ff_vec3_axpy(spring, -ff_vec3_dot(spring, point->normal), point->normal); // rounding of many steps
    ff_vec3_copy(state->spring, spring);
    ff_vec3_copy(state->turn, turn);
    ff_vec3_copy(state->plane, point->normal);
    state->share = point->share;
}

// ------------------------------------------------------------------------------------------ stick and slip

/// Whether the slip has turned against the trailing spring.
static bool turned_back(const ff_contact_point *point, const ff_contact_state *state)
{
    return ff_vec3_dot(point->slip, state->spring) < 0.0;
}

/// Lets the spring trail behind the slip: it carries the kinetic force, but is stretched no further than the contact
/// has slid since it was slack. The force that slid was larger than the spring's all the way, so the spring never holds
/// energy that friction work has not supplied; without this bound a foot that lands with a millimetre of slip would be
/// thrown back.
static void trail(const ff_contact_pair *pair, const ff_contact_point *point, double normal, ff_contact_state *state)
{
    ff_slide slide;
    double k = pair->friction.stiffness * state->share;
    ff_slide_evaluate(&slide, pair, state->share, normal, point->slip, state->spring);
    double force = ff_vec3_norm(slide.force);
    if (!(force > 0.0)) {
        ff_vec3_set(state->spring, 0.0, 0.0, 0.0);
        return;
    }
    double along = ff_max(0.0, -ff_vec3_dot(state->spring, slide.force) / force);
    ff_vec3_scale(state->spring, slide.force, -ff_min(force / k, along) / force);
}

/// Shortens the spring by what the damper beside it takes over, at most to nothing.
static void share_with_damper(const ff_friction *f, const double slip[3], double spring[3])
{
    double square = ff_vec3_dot(spring, spring);
    double taken = f->damping / f->stiffness * ff_vec3_dot(slip, spring);
    if (square > 0.0) ff_vec3_scale(spring, spring, ff_min(1.0, ff_max(0.0, 1.0 - taken / square)));
}

static void stick(const ff_contact_pair *pair, const ff_contact_point *point, double normal, ff_contact_state *state)
{
    const ff_friction *f = &pair->friction;
    double most = f->mu_kinetic * normal / (f->stiffness * state->share), length = ff_vec3_norm(state->spring);
    state->mode = FF_CONTACT_STATIC;
    state->bristle = 0;
    if (f->stick == FF_STICK_SEED) {
        ff_vec3_set(state->spring, 0.0, 0.0, 0.0);
    } else if (turned_back(point, state)) { // the last direction of sliding is the one that is held
        if (length > most) ff_vec3_scale(state->spring, state->spring, most / length);
    } else { // spring and damper together hold what slid
        trail(pair, point, normal, state);
        share_with_damper(f, point->slip, state->spring);
    }
}

/// Shortens a grip's spring to what the limit lets it hold.
static void give_way(const ff_contact_pair *pair, const ff_contact_point *point, double limit, ff_contact_state *state)
{
    ff_dash dash;
    ff_dash_evaluate(&dash, pair, state->share, point->depth, point->slip);
    ff_grip_trail(pair->friction.stiffness * state->share, state->spring, dash.force, limit);
}

/// Slip beyond what can stick: it must be slower than the stick speed, and the damper of the grip must be within its
/// limit. A foot that has just touched has no grip yet: sticking at once, it would slip again at the first rounding of
/// its speed.  [m/s]
static double too_fast(const ff_contact_pair *pair, const ff_contact_point *point, double share, double normal)
{
    ff_dash dash;
    double slip = ff_vec3_norm(point->slip), limit = pair->friction.mu_static * normal;
    ff_dash_evaluate(&dash, pair, share, point->depth, point->slip);
    double force = ff_vec3_norm(dash.force), fast = slip - pair->friction.stick_speed;
    return force > 0.0 ? ff_max(fast, slip * (1.0 - limit / force)) : fast;
}

static void update_sliding(const ff_contact_pair *pair, const ff_contact_point *point, ff_contact_event event,
                           double normal, ff_contact_state *state)
{
    bool fast = too_fast(pair, point, state->share, normal) >= 0.0, back = turned_back(point, state);
    if (ff_vec3_norm(point->slip) >= pair->friction.stick_speed || back) state->guard = 0;
    bool may_stick = event == FF_CONTACT_STICK || back || (!fast && !state->guard);
    if (may_stick) {
        stick(pair, point, normal, state);
        return;
    }
    double limit = pair->friction.mu_kinetic * normal;
    state->bristle = state->guard || pair->explicit_steps;
    if (state->bristle)
        give_way(pair, point, limit, state);
    else
        trail(pair, point, normal, state);
}

/// Tangential force the sticking contact would need.
static double needed(const ff_contact_pair *pair, const ff_contact_point *point, const double spring[3], double share,
                     double w[3])
{
    ff_dash dash;
    ff_dash_evaluate(&dash, pair, share, point->depth, point->slip);
    for (int i = 0; i < 3; i++) w[i] = pair->friction.stiffness * share * spring[i] + dash.force[i];
    return ff_vec3_norm(w);
}

/// Does the contact slide the way its grip resists? A spring beyond the limit whose contact moves back is only relaxing
/// more slowly than the load goes: it gives way where it is, and sticks on.
static bool slides_on(const ff_contact_point *point, const double w[3])
{
    return ff_vec3_dot(point->slip, w) > 0.0;
}

static void update_sticking(const ff_contact_pair *pair, const ff_contact_point *point, ff_contact_event event,
                            double normal, ff_contact_state *state)
{
    const ff_friction *f = &pair->friction;
    double w[3], wanted = needed(pair, point, state->spring, state->share, w);
    bool beyond = wanted > f->mu_static * normal;
    if (event != FF_CONTACT_SLIP && !(beyond && slides_on(point, w))) {
        if (beyond) give_way(pair, point, f->mu_static * normal, state);
        return;
    }
    state->mode = FF_CONTACT_KINETIC;
    state->guard = state->bristle = ff_vec3_norm(point->slip) < f->stick_speed;
    if (!(wanted > 0.0)) return;
    double along = ff_max(0.0, ff_vec3_dot(state->spring, w) / wanted);
    double most = f->mu_kinetic * normal / (f->stiffness * state->share);
    ff_vec3_scale(state->spring, w, ff_min(most, along) / wanted);
}

/// Laws whose spring slides at its limit by itself: the mode is for information only.
static void update_limited(const ff_contact_pair *pair, const ff_contact_point *point, double normal,
                           ff_contact_state *state)
{
    double mu = ff_grip_mu(pair, state), limit = isinf(mu) ? INFINITY : mu * normal;
    ff_dash dash;
    ff_dash_evaluate(&dash, pair, state->share, point->depth, point->slip);
    bool slides = ff_grip_trail(pair->friction.stiffness * state->share, state->spring, dash.force, limit);
    state->mode = slides ? FF_CONTACT_KINETIC : FF_CONTACT_STATIC;
}

static void update_turn(const ff_contact_pair *pair, const ff_contact_point *point, double normal,
                        ff_contact_state *state)
{
    const ff_friction *f = &pair->friction;
    if (f->torsion <= 0.0 && f->rolling <= 0.0) return;
    double twist[3], roll[3], spin[3], wheel[3], g[3];
    double kt = pair->torsion_stiffness * state->share, kr = pair->rolling_stiffness * state->share;
    ff_split(state->turn, point->normal, twist, roll);
    ff_split(point->spin, point->normal, spin, wheel);
    ff_vec3_scale(g, spin, kt * pair->turn_lag);
    ff_grip_trail(kt, twist, g, f->torsion * normal);
    ff_vec3_scale(g, wheel, kr * pair->turn_lag);
    ff_grip_trail(kr, roll, g, f->rolling * normal);
    ff_vec3_add(state->turn, twist, roll);
}

ff_contact_change ff_contact_update(const ff_contact_pair *pair, const ff_contact_point *point, ff_contact_event event,
                                    ff_contact_state *state)
{
    ff_contact_change change = {.from = state->mode};
    double before = ff_contact_stored(pair, state);
    bool crossed = event == FF_CONTACT_TOUCH;
    if (state->mode == FF_CONTACT_OPEN) {
        if (point->depth > 0.0 || crossed) touch(pair, point, state);
    } else if (!(point->depth > 0.0) || crossed) {
        open_contact(state);
    } else {
        carry(point, state);
        double normal = ff_normal_evaluate(pair, point->share, point->depth, point->closing, state->impact_speed).force;
        switch (pair->friction.law) {
        case FF_FRICTION_NONE:
        case FF_FRICTION_STRIBECK:
            break;
        case FF_FRICTION_STICK_SLIP:
            if (state->mode == FF_CONTACT_STATIC)
                update_sticking(pair, point, event, normal, state);
            else
                update_sliding(pair, point, event, normal, state);
            break;
        default:
            update_limited(pair, point, normal, state);
        }
        update_turn(pair, point, normal, state);
    }
    change.to = state->mode;
    state->stored = ff_contact_spring_energy(pair, state);
    change.friction_loss = before - ff_contact_stored(pair, state);
    return change;
}

void ff_contact_event_values(const ff_contact_pair *pair, const ff_contact_point *point, const ff_contact_state *state,
                             double values[FF_CONTACT_EVENT_COUNT])
{
    const ff_friction *f = &pair->friction;
    values[FF_CONTACT_TOUCH] = point->depth;
    values[FF_CONTACT_STICK] = 1.0;
    values[FF_CONTACT_SLIP] = -1.0;
    if (f->law != FF_FRICTION_STICK_SLIP || state->mode == FF_CONTACT_OPEN) return;
    double spring[3], turn[3], w[3];
    ff_contact_springs(state, point->normal, spring, turn);
    if (state->mode == FF_CONTACT_STATIC) {
        double normal = ff_normal_evaluate(pair, point->share, point->depth, point->closing, state->impact_speed).force;
        double wanted = needed(pair, point, spring, state->share, w);
        values[FF_CONTACT_SLIP] =
            ff_min(wanted - f->mu_static * normal, ff_vec3_dot(point->slip, w) / f->stick_speed); // both above zero
    } else if (state->guard) { // it sticks when it turns back
        double length = ff_vec3_norm(spring);
        if (length > 0.0) values[FF_CONTACT_STICK] = ff_vec3_dot(point->slip, spring) / length;
    } else {
        double normal = ff_normal_evaluate(pair, point->share, point->depth, point->closing, state->impact_speed).force;
        values[FF_CONTACT_STICK] = too_fast(pair, point, state->share, normal);
    }
}

ff_status ff_contact_state_hold(const ff_contact_pair *pair, const ff_contact_point *point, const double force[3],
                                ff_contact_state *state, ff_error *err)
{
    const ff_friction *f = &pair->friction;
    bool springs = f->law == FF_FRICTION_STICK_SLIP || f->law == FF_FRICTION_ANCHORED || f->law == FF_FRICTION_SOIL;
    if (!springs || !(point->depth > 0.0))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a contact with friction law '%s' and depth %g m holds no load",
                            ff_friction_law_name(f->law), point->depth);
    touch(pair, point, state);
    state->mode = FF_CONTACT_STATIC;
    double normal = ff_normal_evaluate(pair, point->share, point->depth, point->closing, state->impact_speed).force;
    double load[3];
    ff_vec3_copy(load, force);
    ff_vec3_axpy(load, -ff_vec3_dot(load, point->normal), point->normal);
    double mu = ff_grip_mu(pair, state), size = ff_vec3_norm(load);
    if (size > mu * normal) {
        open_contact(state);
        return ff_error_set(err, FF_BAD_ARGUMENT, "a tangential load of %g N is beyond %g times the normal force %g N",
                            size, mu, normal);
    }
    ff_vec3_scale(state->spring, load, -1.0 / (f->stiffness * state->share));
    state->stored = ff_contact_spring_energy(pair, state);
    return FF_OK;
}

void ff_contact_advance(const ff_contact_pair *pair, const ff_contact_point *point, double time,
                        ff_contact_state *state)
{
    const ff_friction *f = &pair->friction;
    if (state->mode == FF_CONTACT_OPEN || !(point->depth > 0.0)) return;
    double moved[3];
    if (f->law != FF_FRICTION_NONE && f->law != FF_FRICTION_STRIBECK) {
        ff_carry(moved, point->normal, state->plane, point->slip);
        ff_vec3_axpy(state->spring, time, moved);
    }
    double spin[3], wheel[3];
    ff_split(point->spin, point->normal, spin, wheel);
    if (f->torsion > 0.0) {
        ff_carry(moved, point->normal, state->plane, spin);
        ff_vec3_axpy(state->turn, time, moved);
    }
    if (f->rolling > 0.0) {
        ff_carry(moved, point->normal, state->plane, wheel);
        ff_vec3_axpy(state->turn, time, moved);
    }
}
