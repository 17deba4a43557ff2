// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts in an implicit step. A point is asked at the end of the step, its springs stretched to there, z1 = z0 + h
// rate. With u the velocity of body 2 against body 1 at the point, depth, closing speed, slip and spring all follow u:
//     -dF/du = G = (F_closing + h F_depth) n' - (F_slip + h F_spring) P,        P = 1 - n n'.
// For the matrix of the step G is made symmetric and positive: the pull of the normal force on friction (mu n) is left
// out, and so is what a falling friction curve gives. That costs a round of the iteration now and then, and never the
// solution.
#include "engine/implicit/implicit.h"
#include "contact/advance.h"
#include "world/world.h"

#include <stdio.h>

/// A law with a force c v at no depth jumps when the point touches, and the end of the step may have to lie on the
/// jump. Over this part of the way of the step the force is let in along a line.
static const double RAMP = 0.05;

// ------------------------------------------------------------------------------------------ slopes

/// Two unit vectors across n.
static void across(const double n[3], double a[3], double b[3])
{
    const int k = fabs(n[0]) < 0.6 ? 0 : fabs(n[1]) < 0.6 ? 1 : 2;
    const double axis[3] = {k == 0, k == 1, k == 2};
    ff_vec3_cross(a, n, axis);
    ff_vec3_normalise(a);
    ff_vec3_cross(b, n, a);
}

/// out = g n n' + the positive part of -(S + S') / 2 across n.
static void positive_slope(double out[9], const double n[3], double g, const double S[9])
{
    double column[3], t[2][3], T[2][2];
    if (S[1] == 0.0 && S[2] == 0.0 && S[5] == 0.0 && S[3] == 0.0 && S[6] == 0.0 && S[7] == 0.0 && S[0] == S[4] &&
        S[0] == S[8]) { // the same to all sides: a spring that holds
        const double a = ff_max(0.0, -S[0]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) out[3 * i + j] = (ff_max(0.0, g) - a) * n[i] * n[j] + (i == j ? a : 0.0);
        return;
    }
    across(n, t[0], t[1]);
    for (int j = 0; j < 2; j++) {
        ff_mat3_mulv(column, S, t[j]);
        for (int i = 0; i < 2; i++) T[i][j] = -ff_vec3_dot(t[i], column);
    }
    const double a = T[0][0], c = T[1][1], b = 0.5 * (T[0][1] + T[1][0]);
    // eigenvalues mean +- spread: the negative ones are dropped
    const double mean = 0.5 * (a + c), half = 0.5 * (a - c), spread = sqrt(half * half + b * b);
    const double high = ff_max(0.0, mean + spread), low = ff_max(0.0, mean - spread);
    const double even = 0.5 * (high + low), odd = spread > 0.0 ? 0.5 * (high - low) / spread : 0.0;
    const double A = even + odd * half, C = even - odd * half, B = odd * b;
    g = ff_max(0.0, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = g * n[i] * n[j] + A * t[0][i] * t[0][j] + C * t[1][i] * t[1][j] +
                             B * (t[0][i] * t[1][j] + t[1][i] * t[0][j]);
}

static void turn_slopes(const ff_touch *t, ff_step_point *grip)
{
    const double *spin = t->slope.moment_spin, *turn = t->slope.moment_turn;
    grip->turns = t->law->friction.torsion > 0.0 || t->law->friction.rolling > 0.0;
    if (!grip->turns) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            grip->turn[3 * i + j] = -0.5 * (turn[3 * i + j] + turn[3 * j + i]);
            grip->moment[3 * i + j] = grip->ahead * grip->turn[3 * i + j] - 0.5 * (spin[3 * i + j] + spin[3 * j + i]);
        }
}

/// Does the law of a point jump when it touches?
static bool jumps(const ff_contact_pair *law)
{
    return law->damping > 0.0 && !(law->damping_exponent > 0.0);
}

/// Part of its force that a point which touches in this step has come to, where its law jumps.
static double let_in(const ff_touch *t, double h, double *width)
{
    const ff_contact_point *p = &t->contact.point;
    if (t->contact.mode != FF_CONTACT_OPEN || !jumps(t->law)) return 1.0;
    *width = RAMP * h * (fabs(p->closing) + 1e-6);
    return ff_min(1.0, p->depth / *width);
}

/// Mean force over a step of length h of a point that touches in it, in units of half the force at its end: the part of
/// the step for which it is in touch, and for laws that jump as much again times the part of the force that is there at
/// once.
static double since_touch(const ff_touch *t, double h)
{
    const ff_contact_point *p = &t->contact.point;
    const double force = t->contact.force.normal;
    if (t->contact.mode != FF_CONTACT_OPEN || !(p->closing > 0.0) || !(force > 0.0)) return 1.0;
    const double at_once = jumps(t->law) ? ff_min(1.0, t->law->damping * p->share * p->closing / force) : 0.0;
    return ff_min(1.0, p->depth / (h * p->closing)) * (1.0 + at_once);
}

/// A number for the shapes of a point and its place on them. Those of neighbours must not be neighbours: they are added
/// up over all points, where a corner more of one box would make up for a box less.
static unsigned key_of(ff_touch *t)
{
    const ff_world_contact *c = &t->contact;
    const uint64_t features[2] = {(uint64_t)c->shape1 << 32 | (uint64_t)c->shape2, c->point.id};
    if (features[0] != t->key_of[0] || features[1] != t->key_of[1]) { // others than found here before
        const uint64_t hash = ff_hash(features, sizeof features, FF_HASH_START);
        memcpy(t->key_of, features, sizeof features);
        t->key = (unsigned)(hash ^ hash >> 32);
    }
    return t->key;
}

/// From the origin of its tree to the point; nothing for the ground, of which nobody asks it, but which is saved.
static void find_arm(const ff_sim *sim, const ff_touch *t, int node, double arm[3])
{
    ff_vec3_set(arm, 0.0, 0.0, 0.0);
    if (node >= 0) ff_vec3_sub(arm, t->contact.place, sim->data->tree_origin + 3 * sim->model->nodes[node].tree);
}

/// Where the point acts.
static void place_grip(const ff_sim *sim, const ff_touch *t, ff_step_point *grip)
{
    grip->node1 = t->node1;
    grip->node2 = t->node2;
    find_arm(sim, t, t->node1, grip->arm1);
    find_arm(sim, t, t->node2, grip->arm2);
}

/// -> slides, gripped
static void look_at_grip(const ff_contact_point *point, const ff_contact_force *force, ff_step_point *grip)
{
    grip->slides = ff_contact_slides(force);
    grip->gripped = ff_contact_gripped(point, force);
}

static void make_grip(const ff_sim *sim, ff_touch *t, double h, double part, double width, ff_step_point *grip)
{
    const double *n = t->contact.point.normal;
    const ff_contact_slope *s = &t->slope;
    double both[9];
    grip->key = key_of(t);
    grip->slope = &t->slope;
    grip->acting = &t->contact.force;
    ff_vec3_copy(grip->normal, n);
    grip->closing = t->contact.point.closing;
    place_grip(sim, t, grip);
    double by_depth = part * ff_vec3_dot(n, s->force_depth);
    if (part < 1.0) by_depth += t->contact.force.normal / width;
    // springs of a point that touches in this step are slack to its end
    grip->ahead = t->contact.mode == FF_CONTACT_OPEN ? 0.0 : h;
    for (int i = 0; i < 9; i++) both[i] = part * (s->force_slip[i] + grip->ahead * s->force_spring[i]);
    positive_slope(grip->force, n, part * ff_vec3_dot(n, s->force_closing) + h * by_depth, both);
    grip->by_depth = by_depth;
    grip->since = since_touch(t, h);
    grip->part = part;
    grip->let_in = part < 1.0 ? 1.0 / width : 0.0;
    turn_slopes(t, grip);
    ff_vec3_set(grip->resisted, 0.0, 0.0, 0.0); // until a change is made without asking again
    grip->missed = 0.0;
    grip->lost_normal = t->contact.force.loss_normal;
    grip->lost_friction = t->contact.force.loss_friction;
    grip->elastic_normal = t->contact.force.elastic_normal;
}

static double stiffness_at_start(const ff_world *w, const ff_touch *t)
{
    if (t->slot < 0 || !w->touched[t->slot]) return 0.0;
    const ff_slot_start *at = &w->starts[t->slot];
    return ff_vec3_dot(at->force, t->contact.point.normal) / at->depth;
}

static int evaluate(void *context, ff_sim *sim, const double *z0, double h, ff_step_point *grips)
{
    ff_world *w = context;
    int n = 0;
    ff_world_find(w, sim->data);
    ff_world_apply(w, sim->data, z0, h, NULL, true);
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        if (!(t->contact.point.depth > 0.0)) continue;
        double width = 1.0;
        const double part = let_in(t, h, &width);
        if (part < 1.0) ff_world_push(w, sim->data, t, part - 1.0, t->contact.force.force, t->contact.force.moment);
        grips[n].touch = i;
        make_grip(sim, t, h, part, width, &grips[n]);
        grips[n].at_start = stiffness_at_start(w, t);
        look_at_grip(&t->contact.point, &t->contact.force, &grips[n]);
        n++;
    }
    return n;
}

// ------------------------------------------------------------------------------------------ start and end of a step

static ff_slot_start look_at_start(const ff_touch *t)
{
    const ff_contact_point *point = &t->contact.point;
    ff_slot_start at = {.depth = point->depth, .opening = -point->closing};
    ff_vec3_copy(at.force, t->contact.force.force);
    ff_vec3_copy(at.moment, t->contact.force.moment);
    at.lost[0] = t->contact.force.loss_normal;
    at.lost[1] = t->contact.force.loss_friction;
    at.slides = ff_contact_slides(&t->contact.force);
    at.gripped = ff_contact_gripped(&t->contact.point, &t->contact.force);
    return at;
}

static void start(void *context)
{
    ff_world *w = context;
    w->ntouched = 0;
    w->stored = 0.0;
    memset(w->touched, 0, (size_t)w->most * sizeof *w->touched);
    for (int i = 0; i < w->ntouch; i++) {
        const ff_touch *t = &w->touches[i];
        if (t->slot < 0 || !(t->contact.point.depth > 0.0)) continue;
        w->stored += t->contact.force.elastic_normal;
        w->touched[t->slot] = true;
        w->ntouched++;
        w->starts[t->slot] = look_at_start(t);
    }
}

static void stiffen(const void *context, ff_step_point *grips, int n)
{
    static const double slack[9] = {0};
    (void)context;
    for (int k = 0; k < n; k++) {
        ff_step_point *grip = &grips[k];
        positive_slope(grip->place, grip->normal, grip->by_depth,
                       grip->ahead > 0.0 ? grip->slope->force_spring : slack);
    }
}

static bool lifts(const void *context, const ff_step_point *grips, int n)
{
    const ff_world *w = context;
    int kept = 0;
    for (int k = 0; k < n; k++) {
        const int slot = w->touches[grips[k].touch].slot;
        if (slot >= 0 && w->touched[slot]) kept++;
    }
    return kept < w->ntouched;
}

/// Has a point lifted off that was in touch at the start of the step?
static bool has_left(const ff_world *w, const ff_touch *t)
{
    return t->slot >= 0 && w->touched[t->slot] && !(t->contact.point.depth > 0.0);
}

/// Part of a step of length h for which such a point is open.
static double open_part(const ff_world *w, const ff_touch *t, double h)
{
    const ff_slot_start *at = &w->starts[t->slot];
    return 1.0 - ff_min(1.0, at->depth / (h * at->opening));
}

/// Does a step of length h resolve such a point?
static bool is_slow(const ff_world *w, const ff_touch *t, double h)
{
    const double mass = ff_world_pair_mass(w, t->contact.shape1, t->contact.shape2);
    const double ratio = FF_PI * h / ff_contact_step_advice(t->law, mass, mass * 9.81).half_period;
    return w->starts[t->slot].opening > 0.0 && ratio * ratio <= FF_IMPLICIT_RESOLVED;
}

static bool leave(const void *context, const ff_sim *sim, double h, double factor, double lost[2])
{
    const ff_world *w = context;
    int kept = 0;
    for (int i = 0; i < w->ntouch; i++) {
        const ff_touch *t = &w->touches[i];
        if (t->slot < 0 || !w->touched[t->slot]) continue;
        kept++;
        if (!has_left(w, t)) continue;
        if (!is_slow(w, t, h)) return false;
        const ff_slot_start *at = &w->starts[t->slot];
        const double open = open_part(w, t, h);
        ff_world_push(w, sim->data, t, factor * open, at->force, at->moment);
        for (int k = 0; k < 2; k++) lost[k] += open * at->lost[k];
    }
    return kept == w->ntouched;
}

/// The iteration ends when positions are exact beside the accuracy: of the speed at a contact as hard as concrete, the
/// last change is all there is.
static void ask_again(const void *context, ff_step_point *grips, int n, double h, const double *z0)
{
    const ff_world *w = context;
    for (int k = 0; k < n; k++) {
        ff_step_point *grip = &grips[k];
        const ff_touch *t = &w->touches[grip->touch];
        const ff_contact_state state = ff_world_state(w, t, z0);
        ff_contact_point point = t->contact.point;
        ff_contact_force there;
        double off[3];
        ff_contact_point_motion(&point, grip->linear, grip->angular);
        point.depth += h * point.closing;
        point.closing += t->contact.point.closing;
        ff_vec3_add(point.slip, point.slip, t->contact.point.slip);
        ff_vec3_add(point.spin, point.spin, t->contact.point.spin);
        ff_contact_evaluate_ahead(t->law, &point, &state, h, &there, NULL);
        for (int i = 0; i < 3; i++)
            off[i] = grip->part * (there.force[i] - t->contact.force.force[i]) + grip->resisted[i];
        grip->missed = ff_vec3_norm(off);
        grip->lost_normal = there.loss_normal;
        grip->lost_friction = there.loss_friction;
        grip->elastic_normal = there.elastic_normal;
        look_at_grip(&point, &there, grip);
    }
}

static bool strikes(const void *context, const ff_sim *sim, double h, double speed)
{
    static const ff_contact_state apart = {0};
    const ff_world *w = context;
    for (int i = 0; i < w->ntouch; i++) {
        const ff_touch *t = &w->touches[i];
        ff_contact_point point = t->contact.point;
        ff_contact_force force;
        ff_step_point grip;
        double linear[3], angular[3];
        if (point.depth > 0.0) continue; // the iteration knows its force
        place_grip(sim, t, &grip);
        ff_implicit_point_velocity(sim, &grip, linear, angular);
        ff_contact_point_motion(&point, linear, angular);
        point.depth += h * point.closing;
        if (!(point.depth > 0.0)) continue;
        ff_contact_evaluate(t->law, &point, &apart, &force, NULL);
        const double mass = ff_world_pair_mass(w, t->contact.shape1, t->contact.shape2);
        if (2.0 * force.elastic_normal > mass * speed * speed) return true;
    }
    return false;
}

static void finish(const void *context, const ff_step_point *grips, int n, double h, const double *z0, double *z)
{
    const ff_world *w = context;
    memcpy(z, z0, (size_t)ff_world_nstate(w) * sizeof *z);
    memset(w->after, 0, (size_t)w->most * sizeof *w->after);
    for (int k = 0; k < n; k++) {
        const ff_touch *t = &w->touches[grips[k].touch];
        if (t->slot < 0) continue;
        ff_contact_state state = ff_world_state(w, t, z0);
        ff_contact_point point = t->contact.point;
        ff_contact_point_motion(&point, grips[k].linear, grips[k].angular);
        w->after[t->slot] = ff_contact_mode_after(t->law, &point, t->contact.force.normal, h, &state);
        ff_contact_advance(t->law, &point, t->contact.force.normal, h, &state);
        memcpy(z + w->width * t->slot, state.spring, sizeof state.spring);
        if (w->width > 3) memcpy(z + w->width * t->slot + 3, state.turn, sizeof state.turn);
    }
}

/// Without correction a step moves v by the forces f1 at its end, less what Newton's last change took from them, with
/// the correction d by (f0 + f1) / 2 + J d.
static void integrate(const void *context, const ff_sim *sim, const ff_step_point *grips, int n, double h,
                      bool corrected, double *impulses)
{
    const ff_world *w = context;
    for (int k = 0; w->impulses && k < n; k++) {
        ff_touch *t = &w->touches[grips[k].touch];
        double force[3];
        ff_vec3_scale(force, t->contact.force.force, grips[k].part);
        ff_vec3_sub(force, force, grips[k].resisted);
        if (corrected) {
            double change[3];
            ff_contacts_force_drop(sim, k, change);
            ff_vec3_scale(force, force, sim->options.accuracy > 0.0 ? 0.5 * grips[k].since : 0.5);
            ff_vec3_sub(force, force, change);
            ff_vec3_axpy(force, -0.5 * h, grips[k].pulled);
        }
        ff_world_add_impulse(w, sim->data, t, h, force, impulses);
    }
    for (int i = 0; corrected && w->impulses && i < w->ntouch; i++) { // of half a step with their force at its start
        ff_touch *t = &w->touches[i];
        if (has_left(w, t))
            ff_world_add_impulse(w, sim->data, t, -0.5 * h * open_part(w, t, h), w->starts[t->slot].force, impulses);
    }
    if (!w->impulses) return;
    const int nway = w->model->nlimb + 1;
    memset(w->slip_rates, 0, (size_t)nway * sizeof *w->slip_rates);
    ff_world_slip_rates(w, sim->data, w->slip_rates);
    for (int i = 0; i < nway; i++) impulses[3 * nway + i] += (corrected ? 0.5 * h : h) * w->slip_rates[i];
}

static void describe(const void *context, const ff_step_point *grip, char *text, size_t size)
{
    const ff_world *w = context;
    const ff_world_contact *c = &w->touches[grip->touch].contact;
    snprintf(text, size, "between \"%.60s\" and \"%.60s\"", w->shapes[c->shape1].name, w->shapes[c->shape2].name);
}

// ------------------------------------------------------------------------------------------ energies

/// The heat of an impact shorter than the step cannot be known from the powers at the ends. What the forces take from
/// the motion can be: a velocity that goes from v0 to v1 under one force meets it with (v0 + v1) / 2.
static void take_work(const ff_world *w, const ff_step_record *record, double *ledger)
{
    const double h = record->h;
    double normal = w->stored, friction = 0.0;
    for (int k = 0; k < record->npoint; k++) {
        const ff_step_point *grip = &record->points[k];
        const ff_touch *t = &w->touches[grip->touch];
        double force[3];
        ff_vec3_scale(force, grip->acting->force, grip->part);
        ff_vec3_sub(force, force, grip->resisted);
        const double work = h * ff_vec3_dot(force, grip->linear);
        const double along = h * ff_vec3_dot(force, grip->normal) * ff_vec3_dot(grip->linear, grip->normal);
        normal -= along + grip->elastic_normal;
        friction -= work - along + h * grip->part * ff_vec3_dot(grip->acting->moment, grip->angular);
        if (t->slot < 0) continue;
        const ff_contact_state before = ff_world_state(w, t, record->z0), after = ff_world_state(w, t, record->z1);
        const double share = t->contact.point.share;
        friction += ff_contact_stored(t->law, share, &before) - ff_contact_stored(t->law, share, &after);
    }
    ledger[FF_LEDGER_NORMAL] = record->ledger[FF_LEDGER_NORMAL] + ff_max(0.0, normal);
    ledger[FF_LEDGER_FRICTION] = record->ledger[FF_LEDGER_FRICTION] + ff_max(0.0, friction);
}

/// A spring that slides and finds its place fast stands at its limit but for d ds/dt. Its rate (T - k s) / d is what
/// that small difference says, and so is its heat T v - k s ds/dt: an error e of T, such as that of a normal force
/// before the correction, is T e / d of power, some thousand watts per newton for d = 1 N s/m. What it holds at the
/// ends of the step is known well, and so is the work T v, in which no 1 / d stands: heat is the one less the other. A
/// point that lost 0.67 J by friction booked 0.64 J (k 1e5 N/m, d 1 N s/m, accuracy 1e-3). Springs that take several
/// steps need it as well: one of 4 kg with d/k = 7.5 ms booked 4.464 J of 4.500 J in steps of 1 ms.
static void correct_friction(const ff_world *w, const ff_step_record *record, double *ledger)
{
    const ff_step_point *points = record->points;
    const double from = record->ledger[FF_LEDGER_FRICTION];
    double sum = 0.0;
    for (int k = 0; k < record->npoint; k++) {
        const ff_touch *t = &w->touches[points[k].touch];
        if (t->slot < 0 || !w->touched[t->slot]) continue;
        const ff_slot_start *at = &w->starts[t->slot];
        if (!at->slides && !points[k].slides) continue;
        const double share = t->contact.point.share;
        const ff_contact_state before = ff_world_state(w, t, record->z0), after = ff_world_state(w, t, record->z1);
        const double kept = ff_contact_stored(t->law, share, &after) - ff_contact_stored(t->law, share, &before);
        sum += 0.5 * record->h * (at->gripped + points[k].gripped) - kept;
    }
    if (sum != 0.0) ledger[FF_LEDGER_FRICTION] = ff_max(from, ledger[FF_LEDGER_FRICTION] + sum);
}

void ff_world_account(const ff_world *w, const ff_step_record *record, double *ledger)
{
    if (!record->ledger) return;
    if (record->shift_v)
        correct_friction(w, record, ledger);
    else if (record->too_hard)
        take_work(w, record, ledger);
}

ff_coupling ff_world_coupling(const ff_world *w)
{
    return (ff_coupling){.most = w->touch_capacity,
                         .meets = w->broad != NULL, // otherwise bodies meet fixed planes only
                         .start = start,
                         .evaluate = evaluate,
                         .lifts = lifts,
                         .leave = leave,
                         .stiffen = stiffen,
                         .ask_again = ask_again,
                         .strikes = strikes,
                         .finish = finish,
                         .integrate = integrate,
                         .describe = describe};
}
