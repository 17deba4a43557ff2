// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Each contact point in an implicit step. A point is evaluated at the end of the step, its springs stretched to there,
// z1 = z0 + h rate. With u the velocity of body 2 against body 1 at the point, depth, closing speed, slip and spring
// all follow u:
//     -dF/du = G = (F_closing + h F_depth) n' - (F_slip + h F_spring) P,        P = 1 - n n'.
// For the matrix of the step G is made symmetric and positive: the pull of the normal force on friction (mu n) is left
// out, and so is what a falling friction curve gives. That costs a round of the iteration now and then, and never the
// solution.
#include "contact/advance.h"
#include "dyn/wrench.h"
#include "engine/implicit/implicit.h"

/// A law with a force c v at no depth jumps when the point touches, and the end of the step may have to lie on the
/// jump. Over this part of the distance moved in the step the force is let in along a line.
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

static void find_turn_slopes(const ff_contact_view *view, ff_step_point *point)
{
    const double *spin = view->slope->moment_spin, *turn = view->slope->moment_turn;
    point->turns = ff_contact_turns(view->law);
    if (!point->turns) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            point->turn_slope[3 * i + j] = -0.5 * (turn[3 * i + j] + turn[3 * j + i]);
            point->spin_slope[3 * i + j] =
                point->ahead * point->turn_slope[3 * i + j] - 0.5 * (spin[3 * i + j] + spin[3 * j + i]);
        }
}

/// Does the law of a point jump when it touches?
static bool jumps(const ff_contact_pair *law)
{
    return law->damping > 0.0 && !(law->damping_exponent > 0.0);
}

/// Part of its force that a point which touches in this step has come to, where its law jumps.
static double let_in(const ff_contact_view *view, double h, double *width)
{
    const ff_contact_point *p = view->point;
    if (view->mode != FF_CONTACT_OPEN || !jumps(view->law)) return 1.0;
    *width = RAMP * h * (fabs(p->closing) + 1e-6);
    return ff_min(1.0, p->depth / *width);
}

/// Mean force over a step of length h of a point that touches in it, in units of half the force at its end: the part of
/// the step for which it is in touch, and for laws that jump as much again times the part of the force that is there at
/// once.
static double since_touch(const ff_contact_view *view, double h)
{
    const ff_contact_point *p = view->point;
    const double force = view->force->normal;
    if (view->mode != FF_CONTACT_OPEN || !(p->closing > 0.0) || !(force > 0.0)) return 1.0;
    const double at_once = jumps(view->law) ? ff_min(1.0, view->law->damping * p->share * p->closing / force) : 0.0;
    return ff_min(1.0, p->depth / (h * p->closing)) * (1.0 + at_once);
}

/// From the origin of its tree to the point; nothing for the ground, where it is not needed, but which is saved.
static void find_arm(const ff_sim *sim, const ff_contact_view *view, int node, double arm[3])
{
    ff_vec3_set(arm, 0.0, 0.0, 0.0);
    if (node >= 0) ff_vec3_sub(arm, view->place, sim->data->tree_origin + 3 * sim->model->nodes[node].tree);
}

/// Where the point acts.
static void place(const ff_sim *sim, const ff_contact_view *view, ff_step_point *point)
{
    point->node1 = view->node1;
    point->node2 = view->node2;
    find_arm(sim, view, view->node1, point->arm1);
    find_arm(sim, view, view->node2, point->arm2);
}

/// The springs of a point by its law -> slides, spring_power
static void find_sliding(const ff_contact_point *at, const ff_contact_force *force, ff_step_point *point)
{
    point->slides = ff_contact_slides(force);
    point->spring_power = ff_contact_spring_power(at, force);
}

/// What the point had as the step began, NULL: it was not in touch.
static const ff_contact_start *start_of(const ff_step_contacts *all, const ff_contact_view *view)
{
    return view->memory >= 0 && all->touched[view->memory] ? &all->starts[view->memory] : NULL;
}

static void make_point(const ff_sim *sim, const ff_contact_view *view, double part, double width, ff_step_point *point)
{
    const double h = sim->implicit->h, *n = view->point->normal;
    const ff_contact_slope *s = view->slope;
    double both[9];
    point->view = view;
    point->start = start_of(&sim->implicit->contacts, view);
    ff_vec3_copy(point->normal, n);
    place(sim, view, point);
    double by_depth = part * ff_vec3_dot(n, s->force_depth);
    if (part < 1.0) by_depth += view->force->normal / width;
    // springs of a point that touches in this step are slack to its end
    point->ahead = view->mode == FF_CONTACT_OPEN ? 0.0 : h;
    for (int i = 0; i < 9; i++) both[i] = part * (s->force_slip[i] + point->ahead * s->force_spring[i]);
    positive_slope(point->slope, n, part * ff_vec3_dot(n, s->force_closing) + h * by_depth, both);
    point->by_depth = by_depth;
    point->since = since_touch(view, h);
    point->part = part;
    point->let_in = part < 1.0 ? 1.0 / width : 0.0;
    find_turn_slopes(view, point);
    ff_vec3_set(point->drop, 0.0, 0.0, 0.0); // until a change is made without another evaluation
    point->missed = 0.0;
    point->lost_normal = view->force->loss_normal;
    point->lost_friction = view->force->loss_friction;
    point->elastic_normal = view->force->elastic_normal;
    find_sliding(view->point, view->force, point);
}

void ff_contact_points_push(const ff_sim *sim, const ff_step_point *point, double factor, const double force[3],
                            const double moment[3])
{
    const int nodes[2] = {point->node1, point->node2};
    const double *const arms[2] = {point->arm1, point->arm2};
    for (int side = 0; side < 2; side++) {
        if (nodes[side] < 0) continue;
        const double sign = side == 1 ? factor : -factor;
        ff_wrench_add(sim->data->wrench + 6 * nodes[side], sign, arms[side], force, moment);
    }
}

static int linearise(ff_sim *sim, double h)
{
    const ff_step_contacts *all = &sim->implicit->contacts;
    return all->interface->linearise(all->slot->part.context, sim, sim->x + sim->nq + sim->nv + all->slot->offset, h,
                                     all->views);
}

void ff_contacts_linearise(ff_sim *sim)
{
    const double h = sim->implicit->h;
    ff_step_contacts *all = &sim->implicit->contacts;
    all->nview = linearise(sim, h);
    all->count = 0;
    for (int i = 0; i < all->nview; i++) {
        const ff_contact_view *view = &all->views[i];
        if (!(view->point->depth > 0.0)) continue;
        double width = 1.0;
        const double part = let_in(view, h, &width);
        ff_step_point *point = &all->points[all->count++];
        make_point(sim, view, part, width, point);
        if (part < 1.0) ff_contact_points_push(sim, point, part - 1.0, view->force->force, view->force->moment);
    }
}

void ff_contact_points_stiffen(ff_sim *sim)
{
    static const double slack[9] = {0};
    ff_step_contacts *all = &sim->implicit->contacts;
    for (int k = 0; k < all->count; k++) {
        ff_step_point *point = &all->points[k];
        positive_slope(point->place_slope, point->normal, point->by_depth,
                       point->ahead > 0.0 ? point->view->slope->force_spring : slack);
    }
}

// ------------------------------------------------------------------------------------------ start of a step

static ff_contact_start make_start(const ff_contact_view *view)
{
    const ff_contact_point *point = view->point;
    const ff_contact_force *force = view->force;
    ff_contact_start start = {.depth = point->depth, .opening = -point->closing};
    ff_vec3_copy(start.force, force->force);
    ff_vec3_copy(start.moment, force->moment);
    start.lost[0] = force->loss_normal;
    start.lost[1] = force->loss_friction;
    start.slides = ff_contact_slides(force);
    start.spring_power = ff_contact_spring_power(point, force);
    return start;
}

void ff_contacts_start(ff_sim *sim)
{
    ff_step_contacts *all = &sim->implicit->contacts;
    const int count = linearise(sim, 0.0);
    all->ntouched = 0;
    all->stored = 0.0;
    memset(all->touched, 0, (size_t)all->interface->remembered * sizeof *all->touched);
    for (int i = 0; i < count; i++) {
        const ff_contact_view *view = &all->views[i];
        if (view->memory < 0 || !(view->point->depth > 0.0)) continue;
        all->stored += view->force->elastic_normal;
        all->touched[view->memory] = true;
        all->ntouched++;
        all->starts[view->memory] = make_start(view);
    }
}

// ------------------------------------------------------------------------------------------ points that lift off

bool ff_contact_points_separate(const ff_sim *sim)
{
    const ff_step_contacts *all = &sim->implicit->contacts;
    int kept = 0;
    for (int k = 0; k < all->count; k++) kept += all->points[k].start != NULL;
    return kept < all->ntouched;
}

/// Part of a step of length h for which a point that lifts off in it is open.
static double open_part(const ff_contact_start *start, double h)
{
    return 1.0 - ff_min(1.0, start->depth / (h * start->opening));
}

/// Does a step of length h resolve such a point?
static bool is_slow(const ff_contact_view *view, const ff_contact_start *start, double h)
{
    const double ratio = FF_PI * h / ff_contact_step_advice(view->law, view->mass, view->mass * 9.81).half_period;
    return start->opening > 0.0 && ratio * ratio <= FF_IMPLICIT_RESOLVED;
}

bool ff_contact_points_take_back(ff_sim *sim, double factor)
{
    const double h = sim->implicit->h;
    const ff_step_contacts *all = &sim->implicit->contacts;
    double *lost = sim->implicit->correction.absent_loss;
    int kept = 0;
    for (int i = 0; i < all->nview; i++) {
        const ff_contact_view *view = &all->views[i];
        const ff_contact_start *start = start_of(all, view);
        ff_step_point point;
        if (!start) continue;
        kept++;
        if (view->point->depth > 0.0) continue;
        if (!is_slow(view, start, h)) return false;
        const double open = open_part(start, h);
        place(sim, view, &point);
        ff_contact_points_push(sim, &point, factor * open, start->force, start->moment);
        for (int k = 0; k < 2; k++) lost[k] += open * start->lost[k];
    }
    return kept == all->ntouched;
}

// ------------------------------------------------------------------------------------------ after a change

/// The iteration ends when positions are exact beside the accuracy: of the speed at a contact as hard as concrete, the
/// last change is all there is.
void ff_contact_points_reevaluate(ff_sim *sim)
{
    const double h = sim->implicit->h;
    ff_step_contacts *all = &sim->implicit->contacts;
    for (int k = 0; k < all->count; k++) {
        ff_step_point *point = &all->points[k];
        const ff_contact_view *view = point->view;
        ff_contact_point at = *view->point;
        ff_contact_force there;
        double off[3];
        ff_contact_point_motion(&at, point->linear, point->angular);
        at.depth += h * at.closing;
        at.closing += view->point->closing;
        ff_vec3_add(at.slip, at.slip, view->point->slip);
        ff_vec3_add(at.spin, at.spin, view->point->spin);
        ff_contact_evaluate_ahead(view->law, &at, view->state, h, &there, NULL);
        for (int i = 0; i < 3; i++) off[i] = point->part * (there.force[i] - view->force->force[i]) + point->drop[i];
        point->missed = ff_vec3_norm(off);
        point->lost_normal = there.loss_normal;
        point->lost_friction = there.loss_friction;
        point->elastic_normal = there.elastic_normal;
        find_sliding(&at, &there, point);
    }
}

bool ff_contacts_penetrate(const ff_sim *sim)
{
    static const ff_contact_state apart = {0};
    const ff_implicit *im = sim->implicit;
    const ff_step_contacts *all = &im->contacts;
    const double speed = FF_IMPLICIT_SPEED * sim->options.accuracy;
    if (!all->slot) return false;
    if (all->count == 0) ff_implicit_twists(sim, im->iterate.change);
    for (int i = 0; i < all->nview; i++) {
        const ff_contact_view *view = &all->views[i];
        ff_contact_point at = *view->point;
        ff_contact_force force;
        ff_step_point point;
        double linear[3], angular[3];
        if (at.depth > 0.0) continue; // the iteration knows its force
        place(sim, view, &point);
        ff_implicit_point_velocity(sim, &point, linear, angular);
        ff_contact_point_motion(&at, linear, angular);
        at.depth += im->h * at.closing;
        if (!(at.depth > 0.0)) continue;
        ff_contact_evaluate(view->law, &at, &apart, &force, NULL);
        if (2.0 * force.elastic_normal > view->mass * speed * speed) return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------------ end of a step

void ff_contacts_force_drop(const ff_sim *sim, int k, double out[3])
{
    const ff_implicit *im = sim->implicit;
    double u[3];
    ff_factors_point_velocity(sim, k, u);
    ff_mat3_mulv(out, im->factors.contacts[k].slope, u);
    ff_vec3_scale(out, out, 1.0 / im->h);
}

/// Without correction a step moves v by the forces f1 at its end, less what Newton's last change took from them, with
/// the correction d by (f0 + f1) / 2 + J d.
static void find_mean_force(const ff_sim *sim, int k, double force[3])
{
    const ff_implicit *im = sim->implicit;
    const ff_step_point *point = &im->contacts.points[k];
    double change[3];
    ff_vec3_scale(force, point->view->force->force, point->part);
    ff_vec3_sub(force, force, point->drop);
    if (!im->correction.applied) return;
    ff_contacts_force_drop(sim, k, change);
    ff_vec3_scale(force, force, sim->options.accuracy > 0.0 ? 0.5 * point->since : 0.5);
    ff_vec3_sub(force, force, change);
    ff_vec3_axpy(force, -0.5 * im->h, point->corrected);
}

/// The springs of point k move on.
static void advance(const ff_sim *sim, int k, ff_contact_result *result)
{
    const double h = sim->implicit->h;
    const ff_step_point *point = &sim->implicit->contacts.points[k];
    const ff_contact_view *view = point->view;
    ff_contact_point at = *view->point;
    result->state = *view->state;
    ff_contact_point_motion(&at, point->linear, point->angular);
    result->mode = ff_contact_mode_after(view->law, &at, view->force->normal, h, &result->state);
    ff_contact_advance(view->law, &at, view->force->normal, h, &result->state);
}

int ff_contact_points_finish(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const ff_step_contacts *all = &im->contacts;
    int count = all->count;
    if (im->correction.applied && count > 0) ff_factors_twists(sim, im->correction.v);
    for (int k = 0; k < count; k++) {
        all->results[k] =
            (ff_contact_result){.number = (int)(all->points[k].view - all->views), .lasts = true, .time = im->h};
        find_mean_force(sim, k, all->results[k].force);
    }
    ff_implicit_point_velocities(sim, im->work);
    for (int k = 0; k < count; k++)
        if (all->points[k].view->memory >= 0) advance(sim, k, &all->results[k]);
    for (int i = 0; im->correction.applied && i < all->nview; i++) { // half a step of their force at its start
        const ff_contact_start *start = start_of(all, &all->views[i]);
        if (!start || all->views[i].point->depth > 0.0) continue;
        all->results[count] = (ff_contact_result){.number = i, .time = -0.5 * im->h * open_part(start, im->h)};
        ff_vec3_copy(all->results[count++].force, start->force);
    }
    return count;
}

double ff_contact_points_stored(const ff_sim *sim, int k, bool after)
{
    const ff_step_contacts *all = &sim->implicit->contacts;
    const ff_contact_view *view = all->points[k].view;
    return ff_contact_stored(view->law, view->point->share, after ? &all->results[k].state : view->state);
}
