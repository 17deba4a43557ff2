// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact without compliance: impacts are jumps of velocity, lasting contact is complementarity. Both work on A = J
// M^-1 J' of the points in touch, three rows a point (normal, two tangents), so free and jointed bodies are one case
// (response.h).
//
// Methods that locate events (adaptive, cvode) stop at each touch. All points that touch there and then take part in
// the impact; those that end without speed stay closed. For closed points the derivative finds the forces f at
// acceleration level,
//     w = A f + b,   b = J qacc + dJ/dt v,   w_n >= 0,  f_n >= 0,  f_n w_n = 0,  f_t by Coulomb,
// where dJ/dt v also counts that the point wanders over both surfaces: a ball that rolls is not thrown up by the
// centripetal acceleration of the material point at its foot. It is a difference along the motion, which asks of shapes
// no more than their contact points. Method euler steps at velocity level instead (D. E. Stewart, J. C. Trinkle 1996):
// u = J (v + h qacc) must not lead into the ground within the step, impacts and lasting contact are one problem.
#include "world/world.h"

#include <footfall/response.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double REACH =
    1e-7; // points nearer than this take part in an impact, and are closed when it leaves them without speed  [m]
static const double GONE =
    1e-9; // speed at which a point leaves after an impact                                         [m/s]
static const double SETTLE =
    0.01; // time constant that takes closed points back to depth zero                             [s]
static const double SLACK =
    1e-10; // overlap it leaves alone: touches are located to that, and balls that touch stay still  [m]
static const double PUSH =
    1e-4; // deepest overlap it acts on, so that an overlap from the start is not shot out         [m]
static const double WANDER =
    1e-6; // time of the difference for dJ/dt v                                                    [s]
static const double OUT = 0.1; // part of an overlap that a step at velocity level takes away

static const char *const RESPONSES[FF_RESPONSE_COUNT] = {"force", "propagation", "simultaneous"};

const char *ff_response_name(ff_response response)
{
    return (int)response >= 0 && response < FF_RESPONSE_COUNT ? RESPONSES[response] : NULL;
}

ff_status ff_response_find(const char *name, ff_response *response, ff_error *err)
{
    for (int i = 0; i < FF_RESPONSE_COUNT; i++) {
        if (!name || strcmp(name, RESPONSES[i]) != 0) continue;
        *response = (ff_response)i;
        return FF_OK;
    }
    return ff_error_set(err, FF_NOT_FOUND,
                        "no response of contacts is called \"%.60s\": choose force, propagation or simultaneous",
                        name ? name : "");
}

// ------------------------------------------------------------------------------------------ sizes

void ff_rigid_check(const ff_world *w, ff_report *report)
{
    for (int i = 0; i < w->nmaterial; i++) {
        const ff_friction *f = &w->materials[i].friction;
        if (f->torsion > 0.0 || f->rolling > 0.0)
            ff_report_add(report, FF_WARNING, (ff_place){0},
                          "material '%s': torsion and rolling resistance do not act with the response '%s'",
                          w->materials[i].name, ff_response_name(w->response));
    }
}

ff_status ff_rigid_create(ff_world *w, bool simultaneous, ff_error *err)
{
    ff_rigid *r = w->rigid = FF_ARENA_NEW(&w->arena, ff_rigid, 1);
    if (!r) return ff_error_set(err, FF_NO_MEMORY, "no memory for impulses");
    const int n = w->most < FF_RIGID_MOST ? w->most : FF_RIGID_MOST, nv = w->model->nv;
    const size_t work = ff_impulse_friction_work(n);
    r->simultaneous = simultaneous;
    r->most = n;
    r->touch = FF_ARENA_NEW(&w->arena, int, n);
    r->axes = FF_ARENA_NEW(&w->arena, double, 9 * n);
    r->J = FF_ARENA_NEW(&w->arena, double, 3 * n * nv + 1);
    r->X = FF_ARENA_NEW(&w->arena, double, 3 * n * nv + 1);
    r->A = FF_ARENA_NEW(&w->arena, double, 9 * n * n);
    r->u = FF_ARENA_NEW(&w->arena, double, 3 * n);
    r->before = FF_ARENA_NEW(&w->arena, double, 3 * n);
    r->j = FF_ARENA_NEW(&w->arena, double, 3 * n);
    r->slide = FF_ARENA_NEW(&w->arena, double, 3 * n);
    r->e = FF_ARENA_NEW(&w->arena, double, n);
    r->mu = FF_ARENA_NEW(&w->arena, double, n);
    r->shift = FF_ARENA_NEW(&w->arena, double, n);
    r->work = ff_arena_alloc(&w->arena, work, sizeof(double));
    r->q = FF_ARENA_NEW(&w->arena, double, w->model->nq + 1);
    r->force = FF_ARENA_NEW(&w->arena, double, 3 * w->most);
    if (w->arena.failed) return ff_error_set(err, FF_NO_MEMORY, "no memory for impulses of %d contacts", n);
    return FF_OK;
}

// ------------------------------------------------------------------------------------------ the points as a system

/// Velocity of the point along `direction` per generalised velocity, added to `row` with a sign.
static void add_row(const ff_world *w, const ff_data *d, int node, const double place[3], const double direction[3],
                    double sign, double *row)
{
    if (node < 0) return;
    const ff_model *m = w->model;
    const ff_node *n = &m->nodes[node];
    double arm[3];
    ff_vec3_sub(arm, place, d->tree_origin + 3 * n->tree);
    for (int i = n->vadr + ff_node_nv(n->type) - 1; i >= 0; i = m->dof_parent[i]) {
        double v[3];
        ff_vec3_cross(v, d->S + 6 * i, arm);
        ff_vec3_add(v, v, d->S + 6 * i + 3);
        row[i] += sign * ff_vec3_dot(v, direction);
    }
}

static void axes_of(const double normal[3], double axes[9])
{
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(normal[i]) < fabs(normal[least])) least = i;
    double along[3] = {least == 0, least == 1, least == 2};
    ff_vec3_copy(axes, normal);
    ff_vec3_cross(axes + 3, normal, along);
    ff_vec3_normalise(axes + 3);
    ff_vec3_cross(axes + 6, normal, axes + 3);
}

/// One more point to be solved for; false, and reported, when there are too many.
static bool take(ff_world *w, int touch)
{
    ff_rigid *r = w->rigid;
    if (r->n == r->most) {
        snprintf(r->trouble, sizeof r->trouble,
                 "more than %d contact points touch at once: use the response 'force', which takes any number",
                 r->most);
        return false;
    }
    r->touch[r->n++] = touch;
    return true;
}

static const ff_touch *point(const ff_world *w, int i)
{
    return &w->touches[w->rigid->touch[i]];
}

static void fill_rows(ff_world *w, const ff_data *d)
{
    ff_rigid *r = w->rigid;
    const size_t nv = (size_t)w->model->nv;
    memset(r->J, 0, sizeof(double) * 3 * (size_t)r->n * nv);
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = point(w, i);
        axes_of(t->contact.point.normal, r->axes + 9 * i);
        for (int k = 0; k < 3; k++) {
            double *row = r->J + (size_t)(3 * i + k) * nv;
            add_row(w, d, t->node2, t->contact.place, r->axes + 9 * i + 3 * k, 1.0, row);
            add_row(w, d, t->node1, t->contact.place, r->axes + 9 * i + 3 * k, -1.0, row);
        }
    }
}

static double product(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/// X = M^-1 J' and A = J X for the rows that are there. False when the mass matrix is singular.
static bool fill_matrix(ff_world *w, ff_data *d)
{
    ff_rigid *r = w->rigid;
    const int nv = w->model->nv, size = 3 * r->n;
    ff_dyn_mass(w->model, d);
    if (!ff_dyn_factor(w->model, d)) {
        snprintf(r->trouble, sizeof r->trouble, "the mass matrix is singular, so that impulses have no measure");
        return false;
    }
    memcpy(r->X, r->J, sizeof(double) * (size_t)size * (size_t)nv);
    ff_sim_prepare_response(w->sim);
    for (int i = 0; i < size; i++) ff_sim_response(w->sim, r->X + (size_t)i * (size_t)nv);
    for (int i = 0; i < size; i++)
        for (int k = 0; k <= i; k++)
            r->A[i * size + k] = r->A[k * size + i] =
                product(r->J + (size_t)i * (size_t)nv, r->X + (size_t)k * (size_t)nv, nv);
    return true;
}

/// v += M^-1 J' j.
static void apply(const ff_world *w, double *v)
{
    const ff_rigid *r = w->rigid;
    const int nv = w->model->nv;
    for (int i = 0; i < 3 * r->n; i++)
        if (r->j[i] != 0.0)
            for (int k = 0; k < nv; k++) v[k] += r->X[(size_t)i * (size_t)nv + (size_t)k] * r->j[i];
}

/// Force or impulse of point i in world axes, scaled.
static void to_world(const ff_world *w, int i, double scale, double out[3])
{
    const ff_rigid *r = w->rigid;
    ff_vec3_set(out, 0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) ff_vec3_axpy(out, scale * r->j[3 * i + k], r->axes + 9 * i + 3 * k);
}

// ------------------------------------------------------------------------------------------ impacts

static double rest_speed(const ff_contact_pair *law, double e)
{
    return e < 1.0 ? law->impact_floor : GONE;
}

/// Restitution of point i when the fastest of all approaches at `speed`. Below the impact floor nothing bounces, or a
/// ball would bounce for ever.
static double restitution_of(const ff_world *w, int i, double speed, double floor)
{
    const ff_rigid *r = w->rigid;
    const ff_contact_pair *law = point(w, i)->law;
    const double own = r->A[(3 * i) * 3 * r->n + 3 * i];
    if (!(own > 0.0) || !(speed > 0.0)) return 0.0;
    const double e = ff_contact_restitution(law, speed, 1.0 / own);
    return speed > ff_max(rest_speed(law, e), e < 1.0 ? floor : 0.0) ? e : 0.0;
}

/// Lost in the jump from `before` to u by the impulses j, along the normals and across them:  -j (u + before) / 2.
static void book(ff_world *w)
{
    const ff_rigid *r = w->rigid;
    double lost[2] = {0.0, 0.0};
    for (int i = 0; i < 3 * r->n; i++) lost[i % 3 != 0] -= 0.5 * r->j[i] * (r->u[i] + r->before[i]);
    ff_sim_book(w->sim, FF_LEDGER_NORMAL, lost[0]);
    ff_sim_book(w->sim, FF_LEDGER_FRICTION, lost[1]);
}

/// Solves for the impulses j of all points taken; u becomes the velocity after.
static bool solve_impulses(ff_world *w)
{
    ff_rigid *r = w->rigid;
    ff_error err = {0};
    const ff_status status = r->simultaneous
                                 ? ff_impulse_simultaneous_friction(r->n, r->A, r->e, r->mu, r->u, r->j, r->work, &err)
                                 : ff_impulse_propagate_friction(r->n, r->A, r->e, r->mu, r->u, r->j, &err);
    if (status != FF_OK) snprintf(r->trouble, sizeof r->trouble, "impact: %.120s", err.text);
    return status == FF_OK;
}

/// Impulses (or forces) j with which nothing approaches at u (or accelerates at b), without restitution: lasting
/// contact, whatever impacts do.
static bool solve_lasting(ff_world *w, const double *b, const double *slide)
{
    ff_rigid *r = w->rigid;
    ff_error err = {0};
    ff_status status = ff_lcp_friction(r->n, r->A, b, r->mu, slide, r->j, r->work, &err);
    if (status != FF_OK && slide) // a rod that slides may jam: no force keeps it sliding, so it is taken as gripping
        status = ff_lcp_friction(r->n, r->A, b, r->mu, NULL, r->j, r->work, &err);
    if (status != FF_OK) snprintf(r->trouble, sizeof r->trouble, "lasting contact: %.120s", err.text);
    return status == FF_OK;
}

static double fastest_approach(const ff_rigid *r)
{
    double speed = 0.0;
    for (int i = 0; i < r->n; i++) speed = ff_max(speed, -r->u[3 * i]);
    return speed;
}

static bool try_impact(ff_world *w, ff_sim *sim)
{
    ff_rigid *r = w->rigid;
    ff_data *d = sim->data;
    const int nv = w->model->nv;
    r->n = 0;
    for (int i = 0; i < w->ntouch; i++)
        if (w->touches[i].contact.point.depth >= -REACH && !take(w, i)) return false;
    fill_rows(w, d);
    if (!fill_matrix(w, d)) return false;
    for (int i = 0; i < 3 * r->n; i++) r->before[i] = r->u[i] = product(r->J + (size_t)i * (size_t)nv, d->v, nv);
    const double speed = fastest_approach(r);
    for (int i = 0; i < r->n; i++) {
        r->e[i] = restitution_of(w, i, speed, 0.0);
        r->mu[i] = point(w, i)->law->friction.law == FF_FRICTION_NONE ? 0.0 : point(w, i)->law->friction.mu_kinetic;
    }
    if (!solve_impulses(w)) return false;
    w->memory->counts.impacts++;
    book(w);
    apply(w, sim->x + sim->nq);
    ff_sim_forget(sim, true);
    ff_sim_lower(sim, FF_SIM_POSITION);
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    w->found_at = sim->state_number; // the same points, moving otherwise
    for (int i = 0; i < w->ntouch; i++) ff_world_motion(w, d, &w->touches[i]);
    return true;
}

/// Impact of all points in touch at the current state. Poses and velocities in d are current, and so are the touches.
static bool impact(ff_world *w, ff_sim *sim)
{
    const bool done = try_impact(w, sim);
    if (!done) w->rigid->failed = 1;
    return done;
}

// ------------------------------------------------------------------------------------------ modes

static void set_mode(ff_world *w, ff_touch *t, int mode)
{
    const int from = t->contact.mode;
    if (t->slot < 0 || from == mode) return;
    t->contact.mode = mode;
    w->slots[t->slot].state = (ff_contact_state){.mode = mode};
    ff_world_report_transition(w, t, from, mode);
}

static int closed_mode(const ff_touch *t)
{
    const ff_friction *f = &t->law->friction;
    const bool grips = f->law != FF_FRICTION_NONE && f->mu_kinetic > 0.0;
    return grips && ff_vec3_norm(t->contact.point.slip) < f->stick_speed ? FF_CONTACT_STATIC : FF_CONTACT_KINETIC;
}

/// A point whose own speed keeps it where it is.
static bool stays(const ff_touch *t)
{
    return t->contact.point.depth >= -REACH && t->contact.point.closing >= -GONE;
}

/// Points that touch: closed where they do not leave. Those closed already keep sliding or sticking until their event
/// comes.
static bool settle_modes(ff_world *w, bool after_impact)
{
    bool changed = false;
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        const int from = t->contact.mode;
        const bool still = t->contact.point.depth >= 0.0 && t->contact.point.closing <= GONE;
        if (from == FF_CONTACT_OPEN && stays(t) && (after_impact || still))
            set_mode(w, t, closed_mode(t));
        else if (from != FF_CONTACT_OPEN && (after_impact ? !stays(t) : t->contact.point.depth < -REACH))
            set_mode(w, t, FF_CONTACT_OPEN);
        changed = changed || t->contact.mode != from;
    }
    return changed;
}

/// After a step at velocity level: closed is what was pushed in it.
static bool modes_of_step(ff_world *w)
{
    bool changed = false;
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        const int from = t->contact.mode;
        const bool pushed = t->slot >= 0 && ff_vec3_norm(w->rigid->force + 3 * t->slot) > 0.0;
        set_mode(w, t, pushed ? closed_mode(t) : FF_CONTACT_OPEN);
        changed = changed || t->contact.mode != from;
    }
    return changed;
}

static void remember(ff_world *w)
{
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        if (t->slot < 0) {
            ff_world_open_slot(w, t);
            if (t->slot < 0) continue;
            ff_vec3_set(w->rigid->force + 3 * t->slot, 0.0, 0.0, 0.0);
        }
        w->slots[t->slot].id = t->contact.point.id;
        ff_vec3_copy(w->slots[t->slot].place, t->contact.place);
    }
}

bool ff_rigid_accept(ff_world *w, ff_sim *sim)
{
    bool changed = false;
    ff_world_find(w, sim->data);
    remember(w);
    if (!ff_sim_locates_events(sim)) {
        changed = modes_of_step(w);
    } else {
        bool hit = false;
        for (int i = 0; i < w->ntouch; i++) {
            const ff_touch *t = &w->touches[i];
            hit = hit || (t->contact.mode == FF_CONTACT_OPEN && t->contact.point.depth >= 0.0 &&
                          t->contact.point.closing > GONE);
        }
        if (hit) changed = impact(w, sim);
        changed = settle_modes(w, hit) || changed;
    }
    changed = ff_world_forget_lost(w) || changed;
    int touching = 0;
    for (int i = 0; i < w->ntouch; i++) touching += w->touches[i].contact.mode != FF_CONTACT_OPEN;
    if (touching > w->memory->counts.most) w->memory->counts.most = touching;
    w->memory->longest = ff_world_longest_step(w, sim->data);
    return changed;
}

// ------------------------------------------------------------------------------------------ events

double ff_rigid_touch_value(const ff_touch *t)
{
    return ff_min(t->contact.point.depth, 1e-3 * t->contact.point.closing);
}

void ff_rigid_event_values(const ff_touch *t, double values[FF_CONTACT_EVENT_COUNT])
{
    const double slip = ff_vec3_norm(t->contact.point.slip), stick = t->law->friction.stick_speed;
    const int mode = t->contact.mode;
    values[FF_CONTACT_TOUCH] = mode == FF_CONTACT_OPEN ? ff_rigid_touch_value(t) : t->contact.point.depth + REACH;
    values[FF_CONTACT_STICK] = 1.0;
    values[FF_CONTACT_SLIP] = -1.0;
    if (mode == FF_CONTACT_STATIC) values[FF_CONTACT_SLIP] = slip - 2.0 * stick;
    if (mode == FF_CONTACT_KINETIC && t->law->friction.law != FF_FRICTION_NONE && t->law->friction.mu_kinetic > 0.0)
        values[FF_CONTACT_STICK] = slip - stick;
}

bool ff_rigid_event(ff_world *w, ff_sim *sim, ff_touch *t, ff_contact_event event)
{
    if (event == FF_CONTACT_STICK || event == FF_CONTACT_SLIP) {
        set_mode(w, t, event == FF_CONTACT_STICK ? FF_CONTACT_STATIC : FF_CONTACT_KINETIC);
        return true;
    }
    if (t->contact.mode != FF_CONTACT_OPEN) {
        set_mode(w, t, FF_CONTACT_OPEN);
        return true;
    }
    if (!(t->contact.point.closing > GONE)) return settle_modes(w, true); // or the accepted step has dealt with it
    if (!impact(w, sim)) return false;
    settle_modes(w, true);
    w->memory->longest = ff_world_longest_step(w, sim->data);
    return true;
}

// ------------------------------------------------------------------------------------------ forces of closed points

/// Velocities of the points at the poses in d, in the axes of the points as they were taken; points that are gone keep
/// `u`.
static void velocities_at(ff_world *w, const int *slots, double sign, double *out)
{
    const ff_rigid *r = w->rigid;
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = NULL;
        for (int k = 0; k < w->ntouch && !t; k++)
            if (w->touches[k].slot == slots[i]) t = &w->touches[k];
        if (!t) continue;
        const ff_contact_point *p = &t->contact.point;
        out[3 * i] -= sign * p->closing;
        out[3 * i + 1] += sign * ff_vec3_dot(p->slip, r->axes + 9 * i + 3);
        out[3 * i + 2] += sign * ff_vec3_dot(p->slip, r->axes + 9 * i + 6);
    }
}

/// dJ/dt v of the points taken, added to b. Leaves d and the touches as they were.
static void add_drift(ff_world *w, ff_data *d, double *b)
{
    ff_rigid *r = w->rigid;
    const ff_model *m = w->model;
    int slots[FF_RIGID_MOST];
    double most = 0.0, rate[3 * FF_RIGID_MOST] = {0};
    for (int i = 0; i < m->nv; i++) most = ff_max(most, fabs(d->v[i]));
    if (most < 1e-7) return; // squares of it are nothing
    for (int i = 0; i < r->n; i++) slots[i] = point(w, i)->slot;
    memcpy(r->q, d->q, sizeof(double) * (size_t)m->nq);
    for (int side = 0; side < 3; side++) { // before, after, and back to now
        if (side < 2)
            ff_dyn_advance(m, r->q, d->v, side ? WANDER : -WANDER, d->q);
        else
            memcpy(d->q, r->q, sizeof(double) * (size_t)m->nq);
        ff_dyn_kinematics(m, d);
        ff_dyn_velocity(m, d);
        ff_world_find(w, d);
        if (side < 2) velocities_at(w, slots, side ? 1.0 : -1.0, rate);
    }
    for (int i = 0; i < 3 * r->n; i++) b[i] += rate[i] / (2.0 * WANDER);
}

/// b: accelerations of the points without their forces, and what takes them back onto the surface; friction as the
/// modes say.
static void fill_problem(ff_world *w, const ff_data *d)
{
    ff_rigid *r = w->rigid;
    const int nv = w->model->nv;
    memset(r->slide, 0, sizeof(double) * 3 * (size_t)r->n);
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = point(w, i);
        const ff_contact_point *p = &t->contact.point;
        const ff_friction *f = &t->law->friction;
        const bool sticks = t->contact.mode == FF_CONTACT_STATIC;
        const double slip[3] = {0.0, ff_vec3_dot(p->slip, r->axes + 9 * i + 3),
                                ff_vec3_dot(p->slip, r->axes + 9 * i + 6)};
        const double speed = ff_vec3_norm(slip);
        double *b = r->before + 3 * i;
        r->mu[i] = f->law == FF_FRICTION_NONE ? 0.0 : sticks ? ff_max(f->mu_static, f->mu_kinetic) : f->mu_kinetic;
        for (int k = 0; k < 3; k++) b[k] = product(r->J + (size_t)(3 * i + k) * (size_t)nv, d->qacc, nv);
        b[0] -= 2.0 * p->closing / SETTLE;
        if (fabs(p->depth) > SLACK) b[0] -= ff_min(p->depth, PUSH) / (SETTLE * SETTLE);
        if (sticks)
            for (int k = 1; k < 3; k++) b[k] += slip[k] / SETTLE;
        else if (speed > 1e-12 && r->mu[i] > 0.0)
            ff_vec3_scale(r->slide + 3 * i, slip, 1.0 / speed);
    }
}

bool ff_rigid_constrain(ff_world *w, ff_sim *sim, double *power)
{
    ff_rigid *r = w->rigid;
    ff_data *d = sim->data;
    r->n = 0;
    for (int i = 0; i < w->ntouch; i++)
        if (w->touches[i].contact.mode != FF_CONTACT_OPEN && !take(w, i)) return false;
    if (r->n == 0) return true;
    fill_rows(w, d);
    fill_problem(w, d);
    add_drift(w, d, r->before);
    if (!fill_matrix(w, d)) return false;
    if (!solve_lasting(w, r->before, r->slide)) return false;
    apply(w, d->qacc);
    double lost = 0.0;
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = point(w, i);
        double *force = r->force + 3 * t->slot;
        to_world(w, i, 1.0, force);
        lost -= ff_vec3_dot(force, t->contact.point.slip) - r->j[3 * i] * t->contact.point.closing;
    }
    if (power) power[FF_LEDGER_FRICTION] = lost;
    return true;
}

// ------------------------------------------------------------------------------------------ a step at velocity level

/// Points that could meet within the step, the fastest of them moving as now or as at its end.
static bool take_near(ff_world *w, const ff_data *d, double h, const double *v)
{
    ff_rigid *r = w->rigid;
    const int nv = w->model->nv;
    double speed = 0.0;
    bool any = false;
    r->n = 0;
    for (int i = 0; i < w->ntouch; i++) { // who approaches, and how fast
        const ff_touch *t = &w->touches[i];
        const ff_contact_point *p = &t->contact.point;
        memset(r->J, 0, sizeof(double) * (size_t)nv);
        add_row(w, d, t->node2, t->contact.place, p->normal, 1.0, r->J);
        add_row(w, d, t->node1, t->contact.place, p->normal, -1.0, r->J);
        const double closing = ff_max(p->closing, -product(r->J, v, nv));
        speed = ff_max(speed, fabs(closing));
        any = any || p->depth + h * closing > 0.0;
    }
    for (int i = 0; any && i < w->ntouch; i++)
        if (w->touches[i].contact.point.depth >= -(h * speed + REACH) && !take(w, i)) return false;
    return true;
}

static void velocities(const ff_world *w, const double *v, double *out)
{
    const ff_rigid *r = w->rigid;
    for (int i = 0; i < 3 * r->n; i++) out[i] = product(r->J + (size_t)i * (size_t)w->model->nv, v, w->model->nv);
}

/// Approach that point i may have until the surface is reached. An overlap is taken away no faster than gravity brings
/// back within a step, or the point would hop.
static double allowance(const ff_world *w, int i, double h)
{
    const double depth = point(w, i)->contact.point.depth, fall = h * ff_vec3_norm(w->model->gravity);
    return depth < 0.0 ? -depth / h : -ff_min(OUT * depth / h, 0.5 * fall);
}

/// Impulses of the points at the velocities v, added to `v` and `end` and to the forces of the step. In an impact
/// points bounce that are fast, or touch.
static bool push(ff_world *w, double h, bool in_impact, double floor, double *v, double *end)
{
    ff_rigid *r = w->rigid;
    velocities(w, in_impact ? v : end, r->u);
    velocities(w, v,
               r->before); // what gravity adds within a step and the ground takes at once was never there to be lost
    const double speed = fastest_approach(r);
    bool hit = false;
    for (int i = 0; i < r->n; i++) {
        const double fast = in_impact ? restitution_of(w, i, -r->u[3 * i], floor) : 0.0;
        const bool reaches = point(w, i)->contact.point.depth - h * r->u[3 * i] > 0.0;
        const bool bounces = fast > 0.0 && reaches;
        hit = hit || bounces;
        r->e[i] = bounces ? fast : 0.0;
    }
    if (in_impact && !hit) return true;
    for (int i = 0; i < r->n; i++) {
        const ff_friction *f = &point(w, i)->law->friction;
        const bool touches = point(w, i)->contact.point.depth >= -REACH;
        if (in_impact && r->e[i] == 0.0 && touches) r->e[i] = restitution_of(w, i, speed, floor);
        r->mu[i] = f->law == FF_FRICTION_NONE ? 0.0 : f->mu_kinetic;
        r->shift[i] = in_impact && (r->e[i] > 0.0 || touches) ? 0.0 : allowance(w, i, h);
        r->u[3 * i] += r->shift[i];
    }
    if (!(in_impact ? solve_impulses(w) : solve_lasting(w, r->u, NULL))) return false;
    if (!in_impact)
        for (int i = 0; i < 3 * r->n; i++) r->u[i] += product(r->A + (size_t)i * 3 * (size_t)r->n, r->j, 3 * r->n);
    for (int i = 0; i < r->n; i++) {
        double force[3];
        r->u[3 * i] -= r->shift[i];
        to_world(w, i, 1.0 / h, force);
        if (point(w, i)->slot >= 0)
            ff_vec3_add(r->force + 3 * point(w, i)->slot, r->force + 3 * point(w, i)->slot, force);
    }
    book(w);
    if (in_impact) w->memory->counts.impacts++;
    apply(w, v);
    apply(w, end);
    return true;
}

/// Impacts at the velocities the step starts with, then what the forces of the step add: the other way round gravity
/// would feed every bounce.
static bool try_step(ff_world *w, ff_data *d, double h, double *v)
{
    const double floor = 2.0 * h * ff_vec3_norm(w->model->gravity);
    if (!take_near(w, d, h, v)) return false;
    if (w->rigid->n == 0) return true;
    fill_rows(w, d);
    return fill_matrix(w, d) && push(w, h, true, floor, d->v, v) && push(w, h, false, floor, d->v, v);
}

void ff_rigid_step(ff_world *w, ff_sim *sim, double h, double *v)
{
    for (int i = 0; i < 3 * w->most; i++) w->rigid->force[i] = 0.0;
    if (!try_step(w, sim->data, h, v)) w->rigid->failed = 1;
}

// ------------------------------------------------------------------------------------------ reading

void ff_rigid_forces(ff_world *w, ff_sim *sim)
{
    if (ff_sim_locates_events(sim)) { // those of the derivative at this state
        for (int i = 0; i < 3 * w->most; i++) w->rigid->force[i] = 0.0;
        ff_sim_evaluate(sim, FF_SIM_ACCELERATION, NULL);
    }
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        ff_contact_force *f = &t->contact.force;
        *f = (ff_contact_force){0};
        if (t->slot < 0) continue;
        ff_vec3_copy(f->force, w->rigid->force + 3 * t->slot);
        f->normal = ff_vec3_dot(f->force, t->contact.point.normal);
        ff_vec3_copy(f->tangential, f->force);
        ff_vec3_axpy(f->tangential, -f->normal, t->contact.point.normal);
        f->wanted = ff_vec3_norm(f->tangential);
        f->limit = t->law->friction.mu_kinetic * f->normal;
    }
}
