// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts in an implicit step. A point is asked at the end of the step, its springs stretched to there, z1 = z0 + h rate. With u the
// velocity of body 2 against body 1 at the point, depth, closing speed, slip and spring all follow u:
//     -dF/du = G = (F_closing + h F_depth) n' - (F_slip + h F_spring) P,        P = 1 - n n'.
// For the matrix of the step G is made symmetric and positive: the pull of the normal force on friction (mu n) is left out, and so is what a
// falling friction curve gives. That costs a round of the iteration now and then, and never the solution.
#include "sim/implicit.h"

/// A law with a force c v at no depth jumps when the point touches, and the end of the step may have to lie on the jump. Over this part of
/// the way of the step the force is let in along a line.
static const double RAMP = 0.05;
/// A contact is resolved when its half period is at least ten steps: (h omega)^2 <= (pi / 10)^2.
static const double RESOLVED = 0.0986960440108936;

bool ff_implicit_contact_create(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    if (!sim->world) return true;
    im->grips = FF_ARENA_NEW(&sim->arena, ff_grip_slope, sim->world->touch_capacity);
    im->touched = FF_ARENA_NEW(&sim->arena, bool, sim->world->most);
    return im->grips && im->touched;
}

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
static void positive_slope(double out[9], const double n[3], const double t[2][3], double g, const double S[9])
{
    double column[3], T[2][2];
    if (S[1] == 0.0 && S[2] == 0.0 && S[5] == 0.0 && S[3] == 0.0 && S[6] == 0.0 && S[7] == 0.0 && S[0] == S[4] &&
        S[0] == S[8]) { // the same to all sides: a spring that holds
        const double a = ff_larger(0.0, -S[0]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) out[3 * i + j] = (ff_larger(0.0, g) - a) * n[i] * n[j] + (i == j ? a : 0.0);
        return;
    }
    for (int j = 0; j < 2; j++) {
        ff_mat3_mulv(column, S, t[j]);
        for (int i = 0; i < 2; i++) T[i][j] = -ff_vec3_dot(t[i], column);
    }
    const double a = T[0][0], c = T[1][1], b = 0.5 * (T[0][1] + T[1][0]);
    // eigenvalues mean +- spread: the negative ones are dropped
    const double mean = 0.5 * (a + c), half = 0.5 * (a - c), spread = sqrt(half * half + b * b);
    const double high = ff_larger(0.0, mean + spread), low = ff_larger(0.0, mean - spread);
    const double even = 0.5 * (high + low), odd = spread > 0.0 ? 0.5 * (high - low) / spread : 0.0;
    const double A = even + odd * half, C = even - odd * half, B = odd * b;
    g = ff_larger(0.0, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = g * n[i] * n[j] + A * t[0][i] * t[0][j] + C * t[1][i] * t[1][j] +
                             B * (t[0][i] * t[1][j] + t[1][i] * t[0][j]);
}

static void turn_slopes(const ff_touch *t, ff_grip_slope *grip)
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

/// Part of its force that a point which touches in this step has come to, where its law jumps.
static double let_in(const ff_touch *t, double h, double *width)
{
    const ff_contact_point *p = &t->contact.point;
    if (t->contact.mode != FF_CONTACT_OPEN || !(t->law->damping > 0.0) || t->law->damping_exponent > 0.0) return 1.0;
    *width = RAMP * h * (fabs(p->closing) + 1e-6);
    return fmin(1.0, p->depth / *width);
}

static void make_grip(const ff_sim *sim, const ff_touch *t, double part, double width, ff_grip_slope *grip)
{
    const ff_model *m = sim->model;
    const double h = sim->implicit->h, *n = t->contact.point.normal;
    const ff_contact_slope *s = &t->slope;
    double tangents[2][3], both[9];
    grip->node1 = t->node1;
    grip->node2 = t->node2;
    ff_vec3_copy(grip->normal, n);
    if (t->node1 >= 0) ff_vec3_sub(grip->arm1, t->contact.place, sim->data->tree_origin + 3 * m->nodes[t->node1].tree);
    if (t->node2 >= 0) ff_vec3_sub(grip->arm2, t->contact.place, sim->data->tree_origin + 3 * m->nodes[t->node2].tree);
    double by_depth = part * ff_vec3_dot(n, s->force_depth);
    if (part < 1.0) by_depth += t->contact.force.normal / width;
    across(n, tangents[0], tangents[1]);
    // springs of a point that touches in this step are slack to its end
    grip->ahead = t->contact.mode == FF_CONTACT_OPEN ? 0.0 : h;
    for (int i = 0; i < 9; i++) both[i] = part * (s->force_slip[i] + grip->ahead * s->force_spring[i]);
    positive_slope(grip->force, n, tangents, part * ff_vec3_dot(n, s->force_closing) + h * by_depth, both);
    grip->by_depth = by_depth;
    grip->part = part;
    grip->let_in = part < 1.0 ? 1.0 / width : 0.0;
    turn_slopes(t, grip);
}

/// Takes back a part of the force of a point.
static void take_back(const ff_sim *sim, const ff_touch *t, double part)
{
    const ff_contact_force *f = &t->contact.force;
    const int nodes[2] = {t->node1, t->node2};
    for (int k = 0; k < 2; k++) {
        if (nodes[k] < 0) continue;
        const double sign = k == 1 ? -part : part;
        double *wrench = sim->data->wrench + 6 * nodes[k], arm[3], moment[3];
        ff_vec3_sub(arm, t->contact.place, sim->data->tree_origin + 3 * sim->model->nodes[nodes[k]].tree);
        ff_vec3_cross(moment, arm, f->force);
        ff_vec3_add(moment, moment, f->moment);
        ff_vec3_axpy(wrench, sign, moment);
        ff_vec3_axpy(wrench + 3, sign, f->force);
    }
}

void ff_implicit_contacts(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    ff_world *w = sim->world;
    const int offset = sim->parts[w->part].offset;
    ff_world_find(w, sim->data);
    ff_world_apply(w, sim->data, sim->x + sim->nq + sim->nv + offset, im->h, NULL, true);
    im->ngrip = 0;
    for (int i = 0; i < w->ntouch; i++) {
        const ff_touch *t = &w->touches[i];
        if (!(t->contact.point.depth > 0.0)) continue;
        double width = 1.0;
        const double part = let_in(t, im->h, &width);
        if (part < 1.0) take_back(sim, t, 1.0 - part);
        im->grips[im->ngrip].touch = i;
        make_grip(sim, t, part, width, &im->grips[im->ngrip]);
        im->ngrip++;
    }
}

// ------------------------------------------------------------------------------------------ start and end of a step

void ff_implicit_contact_start(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const ff_world *w = sim->world;
    if (!w) return;
    im->ntouched = 0;
    memset(im->touched, 0, (size_t)w->most * sizeof *im->touched);
    for (int i = 0; i < w->ntouch; i++) {
        const ff_touch *t = &w->touches[i];
        if (t->slot < 0 || !(t->contact.point.depth > 0.0)) continue;
        im->touched[t->slot] = true;
        im->ntouched++;
    }
}

/// by_place of all grips, which the iteration does not need.
static void make_places(const ff_sim *sim)
{
    static const double slack[9] = {0};
    ff_implicit *im = sim->implicit;
    for (int k = 0; k < im->ngrip; k++) {
        ff_grip_slope *grip = &im->grips[k];
        const double *spring = sim->world->touches[grip->touch].slope.force_spring;
        double tangents[2][3];
        across(grip->normal, tangents[0], tangents[1]);
        positive_slope(grip->place, grip->normal, tangents, grip->by_depth, grip->ahead > 0.0 ? spring : slack);
    }
}

/// Square of the fastest contact's frequency, from its stiffness and its mobility without itself: A holds  g n n',  g = h G,  so that
/// s = w / (1 + g w)  for w = n' J A0^-1 J' n.  [1/s^2]
static double fastest_contact(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double fastest = 0.0, image[3];
    for (int k = 0; k < im->ngrip; k++) {
        const ff_grip_slope *grip = &im->grips[k];
        const double stiffness = grip->by_depth;
        if (!(stiffness > 0.0)) continue;
        ff_mat3_mulv(image, grip->force, grip->normal);
        const double s = ff_grip_mobility(sim, grip, grip->normal);
        const double left = 1.0 - im->h * ff_vec3_dot(grip->normal, image) * s;
        const double square = left > 1e-9 ? stiffness * s / left : INFINITY;
        if (square > fastest) fastest = square;
    }
    return fastest;
}

/// Does a point that was in touch at the start lift off in this step?
static bool lifts(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    int kept = 0;
    for (int k = 0; k < im->ngrip; k++) {
        const int slot = sim->world->touches[im->grips[k].touch].slot;
        if (slot >= 0 && im->touched[slot]) kept++;
    }
    return kept < im->ntouched;
}

bool ff_implicit_resolved(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    if (!sim->world) return true;
    // A point that lifts off is in the forces at the start, and no longer in the matrix. To take half its last push along would also be to
    // leave faster than the spring can push: with the share a of the step left to go, k a (1 - a) (h v)^2 / 2 of energy too much.
    if (lifts(sim)) return false;
    return im->h * im->h * fastest_contact(sim) <= RESOLVED;
}

/// Adds factor times (force, moment) on body 2, and the opposite on body 1, to the wrenches.
static void push(const ff_sim *sim, const ff_grip_slope *grip, double factor, const double force[3],
                 const double moment[3])
{
    const int nodes[2] = {grip->node1, grip->node2};
    const double *const arms[2] = {grip->arm1, grip->arm2};
    for (int side = 0; side < 2; side++) {
        if (nodes[side] < 0) continue;
        const double sign = side == 1 ? factor : -factor;
        double *wrench = sim->data->wrench + 6 * nodes[side], turning[3];
        ff_vec3_cross(turning, arms[side], force);
        ff_vec3_add(turning, turning, moment);
        ff_vec3_axpy(wrench, sign, turning);
        ff_vec3_axpy(wrench + 3, sign, force);
    }
}

void ff_implicit_contact_pull(ff_sim *sim, const double *v, double factor, double *tau)
{
    const ff_implicit *im = sim->implicit;
    if (im->ngrip == 0) return;
    ff_data *d = sim->data;
    make_places(sim);
    memset(d->wrench, 0, 6 * (size_t)sim->model->nnode * sizeof(double));
    for (int k = 0; k < im->ngrip; k++) {
        const ff_grip_slope *grip = &im->grips[k];
        double linear[3], angular[3], force[3], moment[3] = {0};
        ff_grip_velocity(sim, grip, v, linear, angular);
        ff_mat3_mulv(force, grip->place, linear);
        if (grip->turns) ff_mat3_mulv(moment, grip->turn, angular);
        push(sim, grip, -factor, force, moment);
    }
    ff_dyn_add_wrench_torque(sim->model, d, tau);
}

double ff_implicit_contact_speed(const ff_sim *sim, const double *v)
{
    const ff_implicit *im = sim->implicit;
    double most = 0.0, linear[3], angular[3];
    if (!sim->world) return 0.0;
    if (lifts(sim)) // its way is no longer known
        for (int i = 0; i < sim->nv; i++) most = ff_larger(most, fabs(v[i]));
    for (int k = 0; k < im->ngrip; k++) {
        ff_grip_velocity(sim, &im->grips[k], v, linear, angular);
        most = ff_larger(most, ff_vec3_norm(linear));
    }
    return most;
}

void ff_implicit_contact_rest(ff_sim *sim, const double *v, double *tau)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h;
    ff_data *d = sim->data;
    memset(d->wrench, 0, 6 * (size_t)sim->model->nnode * sizeof(double));
    for (int k = 0; k < im->ngrip; k++) {
        const ff_grip_slope *grip = &im->grips[k];
        const ff_contact_slope *s = &sim->world->touches[grip->touch].slope;
        const ff_contact_force *f = &sim->world->touches[grip->touch].contact.force;
        double u[3], spin[3], slip[3], force[3], moment[3] = {0}, more[3];
        ff_grip_velocity(sim, grip, v, u, spin);
        const double along = ff_vec3_dot(grip->normal, u);
        ff_vec3_copy(slip, u);
        ff_vec3_axpy(slip, -along, grip->normal);
        ff_mat3_mulv(more, grip->force, u);
        for (int i = 0; i < 3; i++) {
            double whole = along * (s->force_closing[i] + h * s->force_depth[i]);
            for (int j = 0; j < 3; j++)
                whole -= (s->force_slip[3 * i + j] + grip->ahead * s->force_spring[3 * i + j]) * slip[j];
            force[i] = grip->part * whole + along * h * grip->let_in * f->force[i] - more[i];
        }
        if (grip->turns) {
            ff_mat3_mulv(more, grip->moment, spin);
            for (int i = 0; i < 3; i++) {
                moment[i] = along * (s->moment_closing[i] + h * s->moment_depth[i]) - more[i];
                for (int j = 0; j < 3; j++)
                    moment[i] -= (s->moment_spin[3 * i + j] + grip->ahead * s->moment_turn[3 * i + j]) * spin[j];
            }
        }
        push(sim, grip, h, force, moment);
    }
    ff_dyn_add_wrench_torque(sim->model, d, tau);
}

void ff_implicit_contact_finish(ff_sim *sim, const double *v, double *z)
{
    const ff_implicit *im = sim->implicit;
    const ff_world *w = sim->world;
    const int offset = sim->parts[w->part].offset;
    const double *z0 = sim->x + sim->nq + sim->nv + offset;
    memcpy(z, z0, (size_t)ff_world_nstate(w) * sizeof *z);
    for (int k = 0; k < im->ngrip; k++) {
        const ff_touch *t = &w->touches[im->grips[k].touch];
        if (t->slot < 0) continue;
        ff_contact_state state = ff_world_state(w, t, z0);
        ff_contact_point point = t->contact.point;
        double linear[3], angular[3];
        ff_grip_velocity(sim, &im->grips[k], v, linear, angular);
        ff_contact_point_motion(&point, linear, angular);
        ff_contact_advance(t->law, &point, im->h, &state);
        memcpy(z + w->width * t->slot, state.spring, sizeof state.spring);
        if (w->width > 3) memcpy(z + w->width * t->slot + 3, state.turn, sizeof state.turn);
    }
}
