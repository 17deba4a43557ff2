// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact without compliance: impacts are jumps of velocity, and forces of lasting contact solve a complementarity
// problem. Both use A = J M^-1 J' of the points in touch, with three rows for a point (normal, two tangents; six where
// it resists turning), so that free and jointed bodies are treated alike (response.h).
//
// Methods that locate events (adaptive, cvode) end a step at each touch. All points that touch at that time take part
// in the impact; those that end without speed stay closed. For closed points the derivative solves for the forces f at
// acceleration level,
//     w = A f + b,   b = J qacc + dJ/dt v,   w_n >= 0,  f_n >= 0,  f_n w_n = 0,  f_t by Coulomb,
// where dJ/dt v includes the motion of the point over both surfaces: the centripetal acceleration of the material point
// at the foot of a rolling ball must not throw it up. It is a difference along the motion, for which shapes need only
// contact points. Method euler makes steps at velocity level instead (rigid_step.c).
#include "world/rigid.h"

#include <footfall/response.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SETTLING_TIME = 0.01;   // time constant by which closed points return to depth zero          [s]
static const double IGNORED_DEPTH = 1e-10;  // overlap that is not corrected, as touches are located to this      [m]
static const double CORRECTED_DEPTH = 1e-4; // largest overlap that is corrected: a start in overlap is no impact [m]
static const double PARALLEL = 1.0 - 1e-9;  // cosine of the angle up to which normals count as parallel          [1]
static const double DIFFERENCE_TIME = 1e-6; // time of the difference for dJ/dt v                                 [s]

// ------------------------------------------------------------------------------------------ impacts

static void set_mode(ff_world *w, ff_touch *t, int mode)
{
    const int from = t->state.mode;
    if (t->slot < 0 || from == mode) return;
    t->state.mode = mode;
    w->slots[t->slot].state = (ff_contact_state){.mode = mode};
    ff_world_report_transition(w, t, from, mode);
}

/// @return largest approaching speed of the points of an island  [m/s]
static double fastest_approach(const ff_rigid *r, const int *order, int n)
{
    double speed = 0.0;
    for (int k = 0; k < n; k++) speed = ff_max(speed, -r->points[order[k]].before[0]);
    return speed;
}

/// Solves the impact of an island, and changes the velocity v. @return false without a solution
static bool solve_island(ff_world *w, int island, double *v)
{
    ff_rigid *r = w->rigid;
    int n;
    const int *order = ff_rigid_island(r, island, &n);
    const double speed = fastest_approach(r, order, n);
    if (!(speed > 0.0)) return true;
    for (int k = 0; k < n; k++) {
        const ff_friction *f = &ff_rigid_touch(w, order[k])->law->friction;
        r->points[order[k]].restitution = ff_rigid_restitution(w, order[k], speed, 0.0);
        r->rows[order[k]].mu = f->law == FF_FRICTION_NONE ? 0.0 : f->mu_kinetic;
    }
    if (!ff_rigid_solve_impact(w, order, n, 0.0, v)) return false;
    for (int k = 0; k < n; k++) ff_sweep_velocity(&r->rows[order[k]], v, r->points[order[k]].u);
    ff_rigid_book(w, order, n);
    return true;
}

/// Reports a transition of points that were hit and leave at once: they touch and lift off, and stay open.
static void report_bounces(ff_world *w, int from, int to)
{
    const ff_rigid *r = w->rigid;
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = ff_rigid_touch(w, i);
        const bool hit = r->rows[i].j[0] > 0.0 && t->state.mode == FF_CONTACT_OPEN;
        if (hit && r->points[i].u[0] > FF_RIGID_LEAVES) ff_world_report_transition(w, t, from, to);
    }
}

static bool try_impact(ff_world *w, ff_sim *sim)
{
    ff_rigid *r = w->rigid;
    ff_data *d = sim->data;
    r->n = 0;
    for (int i = 0; i < w->ntouch; i++)
        if (w->touches[i].point.depth >= -FF_RIGID_REACH) ff_rigid_take(w, i);
    if (!ff_rigid_fill_rows(w, d) || !ff_rigid_fill_response(w, d)) return false;
    ff_rigid_find_islands(w);
    for (int i = 0; i < r->n; i++) ff_sweep_velocity(&r->rows[i], d->v, r->points[i].before);
    for (int k = 0; k < r->nisland; k++)
        if (!solve_island(w, k, sim->x + sim->nq)) return false;
    report_bounces(w, FF_CONTACT_OPEN, FF_CONTACT_KINETIC);
    w->memory->counts.impacts++;
    ff_sim_forget(sim, true);
    ff_sim_invalidate(sim, FF_SIM_POSITION);
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    w->found_at = sim->state_number; // the same points, with other velocities
    for (int i = 0; i < w->ntouch; i++) ff_world_motion(w, d, &w->touches[i]);
    report_bounces(w, FF_CONTACT_KINETIC, FF_CONTACT_OPEN);
    return true;
}

/// Impact of all points in touch at the current state. Needs poses and velocities in d, and the touches.
static bool impact(ff_world *w, ff_sim *sim)
{
    const bool done = try_impact(w, sim);
    if (!done) w->rigid->failed = 1;
    return done;
}

// ------------------------------------------------------------------------------------------ modes

/// @return mode of a closed point: sticking or sliding
static int closed_mode(const ff_touch *t)
{
    const ff_friction *f = &t->law->friction;
    const bool sticks = f->law != FF_FRICTION_NONE && f->mu_kinetic > 0.0;
    return sticks && ff_vec3_norm(t->point.slip) < f->stick_speed ? FF_CONTACT_STATIC : FF_CONTACT_KINETIC;
}

bool ff_rigid_lose(ff_world *w, ff_touch *t)
{
    t->state.mode = w->slots[t->slot].state.mode;
    set_mode(w, t, FF_CONTACT_OPEN);
    return true;
}

/// Does a point touch without leaving?
static bool stays(const ff_touch *t)
{
    return t->point.depth >= -FF_RIGID_REACH && t->point.closing >= -FF_RIGID_LEAVES;
}

/// Closes points that touch and do not leave, and opens those that are apart. Closed points keep sliding or sticking
/// until an event. @return whether a mode changed
static bool settle_modes(ff_world *w, bool after_impact)
{
    bool changed = false;
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        const int from = t->state.mode;
        const bool still = t->point.depth >= 0.0 && t->point.closing <= FF_RIGID_LEAVES;
        if (from == FF_CONTACT_OPEN && stays(t) && (after_impact || still))
            set_mode(w, t, closed_mode(t));
        else if (from != FF_CONTACT_OPEN && (after_impact ? !stays(t) : t->point.depth < -FF_RIGID_REACH))
            set_mode(w, t, FF_CONTACT_OPEN);
        changed = changed || t->state.mode != from;
    }
    return changed;
}

/// Did a force act on the point in the last step?
static bool is_pushed(const ff_world *w, const ff_touch *t)
{
    return t->slot >= 0 && ff_vec3_norm(w->rigid->force + 6 * t->slot) > 0.0;
}

/// Closes the points at the start of a step at velocity level that were pushed in it: they have touched, even where
/// they are apart at its end.
static void close_pushed(ff_world *w)
{
    for (int i = 0; i < w->ntouch; i++)
        if (w->touches[i].state.mode == FF_CONTACT_OPEN && is_pushed(w, &w->touches[i]))
            set_mode(w, &w->touches[i], FF_CONTACT_KINETIC);
}

/// Closes the points at the end of such a step that were pushed in it, and opens others. A closed point without force,
/// such as one in a pile, opens when it is farther away than gravity moves it in a step. @return whether a mode changed
static bool update_modes(ff_world *w)
{
    const double h = w->sim->last_step, near = h * h * ff_vec3_norm(w->model->gravity);
    bool changed = false;
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        const int from = t->state.mode;
        const bool rests = from != FF_CONTACT_OPEN && t->point.depth >= -near;
        set_mode(w, t, is_pushed(w, t) || rests ? closed_mode(t) : FF_CONTACT_OPEN);
        changed = changed || t->state.mode != from;
    }
    return changed;
}

/// Gives new points memory, and stores features and places of all.
static void remember(ff_world *w)
{
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        if (t->slot < 0) {
            ff_world_open_slot(w, t);
            if (t->slot < 0) continue;
            memset(w->rigid->force + 6 * t->slot, 0, 6 * sizeof(double));
            memset(w->rigid->held + 6 * t->slot, 0, 6 * sizeof(double));
        }
        w->slots[t->slot].id = t->point.id;
        ff_vec3_copy(w->slots[t->slot].place, t->place);
    }
}

/// Updates the largest number of points in touch.
static void count_closed(ff_world *w)
{
    int touching = 0;
    for (int i = 0; i < w->ntouch; i++) touching += w->touches[i].state.mode != FF_CONTACT_OPEN;
    if (touching > w->memory->counts.most) w->memory->counts.most = touching;
}

bool ff_rigid_accept(ff_world *w, ff_sim *sim)
{
    bool changed = false;
    if (!ff_sim_locates_events(sim)) {
        close_pushed(w);
        count_closed(w);
    }
    ff_world_find(w, sim->data);
    remember(w);
    if (!ff_sim_locates_events(sim)) {
        changed = update_modes(w);
    } else {
        bool hit = false;
        for (int i = 0; i < w->ntouch; i++) {
            const ff_touch *t = &w->touches[i];
            hit = hit ||
                  (t->state.mode == FF_CONTACT_OPEN && t->point.depth >= 0.0 && t->point.closing > FF_RIGID_LEAVES);
        }
        if (hit) changed = impact(w, sim);
        changed = settle_modes(w, hit) || changed;
    }
    changed = ff_world_forget_lost(w) || changed;
    count_closed(w);
    w->memory->longest = ff_world_longest_step(w, sim->data);
    return changed;
}

// ------------------------------------------------------------------------------------------ events

double ff_rigid_touch_value(const ff_touch *t)
{
    return ff_min(t->point.depth, 1e-3 * t->point.closing);
}

void ff_rigid_event_values(const ff_touch *t, double values[FF_CONTACT_EVENT_COUNT])
{
    const double slip = ff_vec3_norm(t->point.slip), stick = t->law->friction.stick_speed;
    const int mode = t->state.mode;
    values[FF_CONTACT_TOUCH] = mode == FF_CONTACT_OPEN ? ff_rigid_touch_value(t) : t->point.depth + FF_RIGID_REACH;
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
    if (t->state.mode != FF_CONTACT_OPEN) {
        set_mode(w, t, FF_CONTACT_OPEN);
        return true;
    }
    if (!(t->point.closing > FF_RIGID_LEAVES)) return settle_modes(w, true); // it does not approach any more
    if (!impact(w, sim)) return false;
    settle_modes(w, true);
    w->memory->longest = ff_world_longest_step(w, sim->data);
    return true;
}

// ------------------------------------------------------------------------------------------ forces of closed points

/// Adds the velocities of the points at the poses in d, in their axes at the state, and their places to `before`, times
/// the sign; points that are lost do not change.
static void add_velocities(ff_world *w, double sign)
{
    ff_rigid *r = w->rigid;
    for (int k = 0; k < w->ntouch; k++) {
        const ff_touch *t = &w->touches[k];
        const int i = t->slot >= 0 ? r->by_slot[t->slot] : -1;
        if (i < 0) continue;
        const ff_contact_point *p = &t->point;
        const double *axes = r->points[i].axes;
        double *out = r->points[i].before;
        out[0] -= sign * p->closing;
        out[1] += sign * ff_vec3_dot(p->slip, axes + 3);
        out[2] += sign * ff_vec3_dot(p->slip, axes + 6);
        ff_vec3_axpy(out + 3, sign, t->place);
    }
}

/// Shifts the slip of a sticking point, so that it decays in axes that turn with the body whose corner it is: the one
/// with which the place moves. Otherwise no forces could give each corner of a turning body its centripetal
/// acceleration.
static void turn_slip(ff_world *w, const ff_data *d, int i)
{
    const ff_touch *t = ff_rigid_touch(w, i);
    const ff_rigid_point *p = &w->rigid->points[i];
    const double *slip = t->point.slip; // of body 2 against body 1
    double both[3] = {0}, spin[2][3] = {{0}}, twice[3], *shift = w->rigid->rows[i].shift;
    ff_world_add_velocity(w, d, t->node1, t->place, 1.0, both, spin[0]);
    ff_world_add_velocity(w, d, t->node2, t->place, 1.0, both, spin[1]);
    ff_vec3_scale(twice, p->before + 3, 1.0 / DIFFERENCE_TIME); // its velocity
    const bool second = ff_vec3_dot(twice, slip) > ff_vec3_dot(both, slip);
    const double turn = ff_vec3_dot(spin[second], p->axes);
    shift[1] += turn * ff_vec3_dot(slip, p->axes + 6);
    shift[2] -= turn * ff_vec3_dot(slip, p->axes + 3);
}

/// Adds dJ/dt v to the shifts of the points. d and the touches are unchanged at the end.
static void add_drift(ff_world *w, ff_data *d)
{
    ff_rigid *r = w->rigid;
    const ff_model *m = w->model;
    double most = 0.0;
    for (int i = 0; i < m->nv; i++) most = ff_max(most, fabs(d->v[i]));
    if (most < 1e-7) return; // its square is negligible
    for (int k = 0; k < w->most; k++) r->by_slot[k] = -1;
    for (int i = 0; i < r->n; i++) {
        r->by_slot[ff_rigid_touch(w, i)->slot] = i;
        memset(r->points[i].before, 0, sizeof r->points[i].before);
    }
    memcpy(r->q, d->q, sizeof(double) * (size_t)m->nq);
    for (int side = 0; side < 3; side++) { // before, after, and at the state again
        if (side < 2)
            ff_dyn_advance(m, r->q, d->v, side ? DIFFERENCE_TIME : -DIFFERENCE_TIME, d->q);
        else
            memcpy(d->q, r->q, sizeof(double) * (size_t)m->nq);
        ff_dyn_kinematics(m, d);
        ff_dyn_velocity(m, d);
        ff_world_find(w, d);
        if (side < 2) add_velocities(w, side ? 1.0 : -1.0);
    }
    for (int i = 0; i < r->n; i++) {
        ff_vec3_axpy(r->rows[i].shift, 1.0 / (2.0 * DIFFERENCE_TIME), r->points[i].before);
        if (ff_rigid_touch(w, i)->state.mode == FF_CONTACT_STATIC) turn_slip(w, d, i);
    }
}

/// Are these points of the same two bodies?
static bool of_one_pair(const ff_touch *a, const ff_touch *b)
{
    return a->node1 == b->node1 && a->node2 == b->node2;
}

/// Does a point of the same two bodies need a correction of its depth? All points of a pair are corrected together:
/// otherwise the corners of a box press against each other.
static bool needs_correction(const ff_world *w, const ff_touch *t)
{
    for (int i = 0; i < w->rigid->n; i++) {
        const ff_touch *other = ff_rigid_touch(w, i);
        if (fabs(other->point.depth) > IGNORED_DEPTH && of_one_pair(other, t)) return true;
    }
    return false;
}

/// Makes rolling consistent with the normals: the shifts of the normals of several points of two bodies require a turn,
/// that of the plane through them by least squares, and the shift of rolling must require the same one.
static void align_rolling(ff_world *w, int i)
{
    ff_rigid *r = w->rigid;
    const ff_touch *own = ff_rigid_touch(w, i);
    const double *n = r->points[i].axes, *t1 = n + 3, *t2 = n + 6;
    double *shift = r->rows[i].shift;
    double a = 0.0, b = 0.0, c = 0.0, x = 0.0, y = 0.0; // of (a c; c b) turn = (x, y)
    double mean[3] = {0};
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < r->n; k++) {
            const ff_touch *t = ff_rigid_touch(w, k);
            if (!of_one_pair(t, own) || ff_vec3_dot(r->points[k].axes, n) < PARALLEL) continue;
            double arm[3];
            ff_vec3_sub(arm, t->place, own->place);
            const double u = ff_vec3_dot(arm, t2),
                         v = -ff_vec3_dot(arm, t1); // it rises by these for turns about t1, t2
            const double want = shift[4] * u + shift[5] * v - r->rows[k].shift[0];
            if (pass == 0) {
                mean[0] += u, mean[1] += v, mean[2] += want, count++;
                continue;
            }
            const double du = u - mean[0] / count, dv = v - mean[1] / count, dw = want - mean[2] / count;
            a += du * du, b += dv * dv, c += du * dv, x += du * dw, y += dv * dw;
        }
    }
    const double size = a + b, det = a * b - c * c;
    if (!(size > 0.0)) return;
    const bool plane = det > 1e-6 * size * size;
    shift[4] -= plane ? (b * x - c * y) / det : x / size;
    shift[5] -= plane ? (a * y - c * x) / det : y / size;
}

/// Fills the problem with accelerations that return points to the surface and stop the slip of sticking points, and
/// with friction by the modes. Spin has no modes: within its limit it decays, which is nearly Coulomb's law.
static void fill_problem(ff_world *w)
{
    ff_rigid *r = w->rigid;
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = ff_rigid_touch(w, i);
        const ff_contact_point *p = &t->point;
        const bool sticks = t->state.mode == FF_CONTACT_STATIC;
        const double *axes = r->points[i].axes;
        const double slip[3] = {0.0, ff_vec3_dot(p->slip, axes + 3), ff_vec3_dot(p->slip, axes + 6)};
        const double speed = ff_vec3_norm(slip);
        ff_sweep_point *row = &r->rows[i];
        row->mu = ff_rigid_friction(t);
        row->shift[0] = -2.0 * p->closing / SETTLING_TIME;
        if (needs_correction(w, t))
            row->shift[0] -= ff_min(p->depth, CORRECTED_DEPTH) / (SETTLING_TIME * SETTLING_TIME);
        if (sticks)
            for (int k = 1; k < 3; k++) row->shift[k] = slip[k] / SETTLING_TIME;
        else if (speed > 1e-12 && row->mu > 0.0)
            ff_vec3_scale(row->slide, slip, 1.0 / speed);
        for (int k = 3; k < row->rows; k++) row->shift[k] = ff_vec3_dot(p->spin, axes + 3 * (k - 3)) / SETTLING_TIME;
    }
}

/// Stores the forces of the points by slot. @return power of friction  [W]
static double read_forces(ff_world *w)
{
    ff_rigid *r = w->rigid;
    double lost = 0.0;
    for (int i = 0; i < r->n; i++) {
        const ff_touch *t = ff_rigid_touch(w, i);
        const ff_contact_point *p = &t->point;
        double *force = r->force + 6 * t->slot;
        ff_rigid_to_world(w, i, r->rows[i].j, 1.0, force);
        lost -= ff_vec3_dot(force, p->slip) - r->rows[i].j[0] * p->closing + ff_vec3_dot(force + 3, p->spin);
    }
    return lost;
}

bool ff_rigid_constrain(void *context, ff_sim *sim, double *power)
{
    ff_world *w = context;
    // Much more accurate than any method: a derivative must be smooth.
    static const ff_sweep_rule rule = {.tolerance = 1e-12, .most = 10000, .enough = 1e-8};
    ff_rigid *r = w->rigid;
    ff_data *d = sim->data;
    r->n = 0;
    for (int i = 0; i < w->ntouch; i++)
        if (w->touches[i].state.mode != FF_CONTACT_OPEN) ff_rigid_take(w, i);
    if (r->n == 0) return true;
    if (!ff_rigid_fill_rows(w, d)) return false;
    fill_problem(w);
    add_drift(w, d);
    for (int i = 0; i < r->n; i++)
        if (r->rows[i].rows > 3) align_rolling(w, i);
    if (!ff_rigid_fill_response(w, d)) return false;
    ff_rigid_find_islands(w);
    for (int k = 0; k < r->nisland; k++) {
        int n;
        const int *order = ff_rigid_island(r, k, &n);
        if (!ff_rigid_solve_lasting(w, order, n, rule, d->qacc)) return false;
    }
    const double lost = read_forces(w);
    if (power) power[FF_LEDGER_FRICTION] = lost;
    return true;
}

// ------------------------------------------------------------------------------------------ reading

void ff_rigid_forces(ff_world *w, ff_sim *sim)
{
    if (ff_sim_locates_events(sim)) { // forces of the derivative at this state
        memset(w->rigid->force, 0, sizeof(double) * 6 * (size_t)w->most);
        ff_sim_evaluate(sim, FF_SIM_ACCELERATION, NULL);
    }
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        ff_contact_force *f = &t->force;
        *f = (ff_contact_force){0};
        if (t->slot < 0) continue;
        ff_vec3_copy(f->force, w->rigid->force + 6 * t->slot);
        ff_vec3_copy(f->moment, w->rigid->force + 6 * t->slot + 3);
        f->normal = ff_vec3_dot(f->force, t->point.normal);
        ff_vec3_copy(f->tangential, f->force);
        ff_vec3_axpy(f->tangential, -f->normal, t->point.normal);
        f->wanted = ff_vec3_norm(f->tangential);
        f->limit = t->law->friction.mu_kinetic * f->normal;
    }
}

int ff_rigid_memory(const ff_world *w, ff_part_memory *out)
{
    ff_rigid *r = w->rigid;
    const size_t size = 6 * (size_t)w->most * sizeof(double);
    out[0] = (ff_part_memory){r->force, size};
    out[1] = (ff_part_memory){r->held, size};
    out[2] = (ff_part_memory){&r->failed, sizeof r->failed};
    return 3;
}

const char *ff_rigid_solve_error(const void *context, bool *ends)
{
    const ff_world *w = context;
    *ends = w->rigid->failed != 0;
    return w->rigid->solve_error;
}
