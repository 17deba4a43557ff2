// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What callers may ask of a world, and what its contacts ask of the step.
#include "base/missing.h"
#include "contact/advance.h"
#include "dyn/wrench.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

ff_status ff_world_add_listener(ff_world *w, const ff_world_listener *listener, ff_error *err)
{
    if (!listener) return ff_error_missing(err, __func__, "listener");
    if (!listener->change) return ff_error_set(err, FF_BAD_ARGUMENT, "a listener without a function hears nothing");
    if (!ff_array_grow(&w->listeners, w->nlistener, &w->listener_capacity, sizeof *w->listeners))
        return ff_error_set(err, FF_NO_MEMORY, "no memory for one more listener");
    w->listeners[w->nlistener++] = *listener;
    return FF_OK;
}

const ff_world_shape *ff_world_shapes(const ff_world *w, int *count)
{
    if (count) *count = w->nshape;
    return w->shapes;
}

const ff_material *ff_world_material(const ff_world *w, int index)
{
    return index >= 0 && index < w->nmaterial ? &w->materials[index] : NULL;
}

const ff_contact_pair *ff_world_law(const ff_world *w, int shape1, int shape2)
{
    if (shape1 < 0 || shape2 < 0 || shape1 >= w->nshape || shape2 >= w->nshape) return NULL;
    if (!ff_world_may_meet(w, shape1, shape2)) return NULL;
    return &w->laws[ff_world_law_of(w, shape1, shape2)];
}

/// Points and forces at the current state; wrenches in data are left alone. Where the state was written from outside,
/// they are seen as they will be when the run goes on, and the memory of the points stays as it is: it changes with the
/// run, not by looking.
static void evaluate_here(ff_world *w, ff_sim *sim)
{
    if (ff_sim_begin(sim, NULL)) return;
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    const bool anew = sim->due & FF_DUE_PARTS;
    if (ff_world_turns(w) && !w->memory->weighed) ff_world_weigh(w, sim); // as the start of the run will
    if (anew || w->found_at != sim->state_number) ff_world_find(w, sim->data);
    if (!anew && w->forces_at != 0 && w->forces_at == w->found_at) return;
    w->copied_at = 0;
    if (w->rigid) {
        ff_rigid_forces(w, sim);
        return;
    }
    const double *z = ff_sim_part_state(sim, w->part);
    for (int i = 0; i < w->ntouch; i++) {
        ff_touch *t = &w->touches[i];
        const ff_contact_state state = anew ? ff_world_settled(w, t) : ff_world_state(w, t, z);
        t->contact.mode = state.mode;
        ff_contact_evaluate(t->law, &t->contact.point, &state, &t->contact.force, NULL);
    }
    w->forces_at = anew ? 0 : w->found_at;
    if (anew) w->found_at = 0; // forces of a step follow from the memory
}

static void copy_contacts(ff_world *w, const ff_data *d)
{
    for (int i = 0; i < w->ntouch; i++) {
        ff_world_name_limbs(w, d, &w->touches[i]);
        w->contacts[i] = w->touches[i].contact;
    }
    w->copied_at = w->forces_at;
    w->loads_at = w->levers_at = 0;
}

const ff_world_contact *ff_world_contacts(ff_world *w, ff_sim *sim, int *count)
{
    if (count) *count = 0;
    if (!w || w->sim != sim) return NULL;
    evaluate_here(w, sim);
    if (w->copied_at == 0 || w->copied_at != w->forces_at) copy_contacts(w, sim->data);
    if (count) *count = w->ntouch;
    return w->contacts;
}

void ff_world_wrench(ff_world *w, ff_sim *sim, int body, double force[3], double moment[3])
{
    int count;
    double origin[3], quat[4];
    const ff_world_contact *c = ff_world_contacts(w, sim, &count);
    double wrench[6] = {0};
    if (count > 0) ff_dyn_body_pose(w->model, sim->data, body, origin, quat);
    for (int i = 0; i < count; i++) {
        const double sign = c[i].body2 == body ? 1.0 : c[i].body1 == body ? -1.0 : 0.0;
        if (sign == 0.0) continue;
        double arm[3];
        ff_vec3_sub(arm, c[i].place, origin);
        ff_wrench_add(wrench, sign, arm, c[i].force.force, c[i].force.moment);
    }
    ff_vec3_copy(moment, wrench);
    ff_vec3_copy(force, wrench + 3);
}

ff_world_counts ff_world_get_counts(const ff_world *w)
{
    return w->memory->counts;
}

// ------------------------------------------------------------------------------------------ step size

/// W = J M^-1 J' for the lowest point of a shape: its velocity in the axes given as rows of `axes`, then the angular
/// velocity in the axes of the node. Needs the factors M = L' D L in d. Only the dofs between the shape and its root
/// have a share in J, and L'^-1 J' stays among them: W = (L'^-1 J')' D^-1 (L'^-1 J').
static void mobility(const ff_world *w, const ff_data *d, const ff_item *it, double axes[3][3], double *rows,
                     double W[6][6])
{
    const ff_model *m = w->model;
    const ff_node *node = &m->nodes[it->node];
    const int last = node->vlast;
    const double reach = isfinite(it->reach) ? it->reach : 0.0;
    double arm[3], p[3];
    ff_mat3_mulv(p, d->pose[it->node].R, it->local.p);
    for (int i = 0; i < 3; i++) arm[i] = d->pose[it->node].p[i] + p[i] - reach * axes[0][i];
    for (int i = last; i >= 0; i = m->dof_parent[i]) {
        double v[3];
        ff_vec3_cross(v, d->S + 6 * i, arm);
        ff_vec3_add(v, v, d->S + 6 * i + 3);
        for (int a = 0; a < 3; a++) rows[6 * i + a] = ff_vec3_dot(v, axes[a]);
        ff_mat3_tmulv(rows + 6 * i + 3, d->pose[it->node].R, d->S + 6 * i);
    }
    memset(W, 0, 6 * sizeof *W);
    for (int i = last; i >= 0; i = m->dof_parent[i]) {
        const int end = m->M_row[i + 1] - 1; // the diagonal, where D is inverted
        for (int k = m->M_row[i]; k < end; k++)
            for (int a = 0; a < 6; a++) rows[6 * m->M_col[k] + a] -= d->LD[k] * rows[6 * i + a];
        for (int a = 0; a < 36; a++) W[a / 6][a % 6] += d->LD[end] * rows[6 * i + a / 6] * rows[6 * i + a % 6];
    }
}

/// Effective masses of a moving shape: 1 / W along `up`, 1 / (larger eigenvalue of W) across it; and how it turns.
static ff_weight weigh(const ff_world *w, const ff_data *d, const ff_item *it, double axes[3][3], double *rows)
{
    double W[6][6];
    mobility(w, d, it, axes, rows, W);
    const double mean = 0.5 * (W[1][1] + W[2][2]), half = 0.5 * (W[1][1] - W[2][2]);
    const double across = mean + sqrt(half * half + W[1][2] * W[1][2]);
    ff_weight weight = {.mass = W[0][0] > 0.0 ? 1.0 / W[0][0] : INFINITY, .agility = across};
    for (int a = 0; a < 9; a++) weight.turning[a] = W[3 + a / 3][3 + a % 3];
    return weight;
}

bool ff_world_weigh(ff_world *w, ff_sim *sim)
{
    const ff_model *m = w->model;
    ff_data *d = sim->data;
    double axes[3][3]; // up, and two across
    ff_vec3_scale(axes[0], m->gravity, -1.0);
    if (!(ff_vec3_normalise(axes[0]) > 0.0)) ff_vec3_set(axes[0], 0.0, 0.0, 1.0);
    const bool steep = fabs(axes[0][2]) > 0.7;
    const double other[3] = {steep, 0.0, !steep};
    ff_vec3_cross(axes[1], axes[0], other);
    ff_vec3_normalise(axes[1]);
    ff_vec3_cross(axes[2], axes[0], axes[1]);
    ff_dyn_mass(m, d);
    if (!ff_dyn_factor(m, d)) return false;
    for (int i = 0; i < w->nshape; i++)
        w->weights[i] = w->items[i].node < 0 ? (ff_weight){.mass = INFINITY} : weigh(w, d, &w->items[i], axes, w->rows);
    return true;
}

double ff_world_pair_mass(const ff_world *w, int shape1, int shape2)
{
    return 1.0 / (1.0 / w->weights[shape1].mass + 1.0 / w->weights[shape2].mass);
}

/// Adds the angular velocity that a moment at the point gives to one of its bodies: about the normal, and the mean of
/// the axes across it. There the grip holds the point, h below the middle of the shape: I + m h^2.  [1/(kg m^2)]
static void add_turning(const ff_world *w, const ff_data *d, int shape, const ff_world_contact *c, double turning[2])
{
    const ff_item *it = &w->items[shape];
    const ff_weight *weight = &w->weights[shape];
    if (it->node < 0) return;
    double n[3], Wn[3], up[3];
    ff_mat3_tmulv(n, d->pose[it->node].R, c->point.normal);
    ff_mat3_mulv(Wn, weight->turning, n);
    ff_vec3_sub(up, it->pose.p, c->place);
    const double along = ff_vec3_dot(n, Wn), h = ff_vec3_dot(up, c->point.normal);
    const double across = 0.5 * (weight->turning[0] + weight->turning[4] + weight->turning[8] - along);
    turning[0] += along;
    turning[1] += across / (1.0 + across * (isfinite(weight->mass) ? weight->mass * h * h : 0.0));
}

void ff_world_pair_inertia(const ff_world *w, const ff_data *d, const ff_world_contact *c, double inertia[2])
{
    double turning[2] = {0};
    add_turning(w, d, c->shape1, c, turning);
    add_turning(w, d, c->shape2, c, turning);
    for (int i = 0; i < 2; i++) inertia[i] = turning[i] > 0.0 ? 1.0 / turning[i] : 0.0;
}

static double side_mass(const ff_world *w, int shape1, int shape2)
{
    return 1.0 / (w->weights[shape1].agility + w->weights[shape2].agility);
}

bool ff_world_hardest(ff_world *w, ff_sim *sim, ff_world_advice *hardest, ff_world_advice *tightest)
{
    ff_world_advice hard = {.step.half_period = INFINITY}, tight = {.step.explicit_limit = INFINITY};
    if (w->sim != sim || ff_sim_begin(sim, NULL)) return false;
    ff_sim_reach(sim, FF_SIM_VELOCITY);
    if (!ff_world_weigh(w, sim)) return false;
    const double weight = w->model->mass * ff_vec3_norm(w->model->gravity);
    for (int i = 0; i < w->nshape; i++)
        for (int j = 0; j < w->nmoving; j++) {
            const int k = w->moving[j];
            if (w->items[i].node >= 0 && i >= k) continue;
            const ff_contact_pair *law = ff_world_law(w, i, k);
            if (!law) continue;
            ff_world_advice a = {.shape1 = i, .shape2 = k, .mass = ff_world_pair_mass(w, i, k)};
            a.step = ff_contact_step_advice(law, a.mass, weight);
            if (a.step.half_period < hard.step.half_period) hard = a;
            if (a.step.explicit_limit < tight.step.explicit_limit) tight = a;
            a.across = true;
            a.mass = side_mass(w, i, k);
            a.step = ff_contact_grip_advice(law, a.mass, weight);
            if (a.step.explicit_limit < tight.step.explicit_limit) tight = a;
        }
    *hardest = hard;
    if (tightest) *tightest = tight;
    return isfinite(hard.step.half_period);
}
