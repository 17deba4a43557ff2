// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The contact points of a stage. A point is evaluated at the end of the stage, with its springs at
// z1 = z0 + h rate. Depth, closing speed, slip and spring depend on the velocity u of body 2 against body 1:
//     -dF/du = G = (F_closing + h F_depth) n' - (F_slip + h F_spring) P,        P = 1 - n n'.
// For the matrix of the step G is made symmetric and positive: the dependence of friction on the normal force is left
// out, and so is the negative slope of a falling friction curve. This may cost a round of the iteration, but does not
// change the solution.
#include "contact/advance.h"
#include "dyn/wrench.h"
#include "engine/implicit/implicit.h"

/// The force of a law with a damper c v at zero depth jumps when the point touches, and no end of the step may balance
/// it. Over this part of the distance moved in the step the force rises linearly instead.
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
        S[0] == S[8]) { // isotropic: a spring that sticks
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
    // The eigenvalues are mean +- spread; negative ones become zero.
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

/// Slopes of the moment of a point that resists turning.
static void find_turn_slopes(const ff_touch *touch, ff_step_point *point)
{
    const double *spin = touch->slope.moment_spin, *turn = touch->slope.moment_turn;
    point->turns = ff_contact_turns(touch->law);
    if (!point->turns) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            point->spin_slope[3 * i + j] = -0.5 * (spin[3 * i + j] + spin[3 * j + i]) -
                                           0.5 * point->spring_time * (turn[3 * i + j] + turn[3 * j + i]);
}

/// Does the force of a law jump when the point touches?
static bool jumps(const ff_contact_pair *law)
{
    return law->damping > 0.0 && !(law->damping_exponent > 0.0);
}

/// @return ff_step_point.ramp; *width: depth over which the force rises  [m]
static double ramp_of(const ff_touch *touch, double h, double *width)
{
    const ff_contact_point *p = &touch->point;
    if (touch->state.mode != FF_CONTACT_OPEN || !jumps(touch->law)) return 1.0;
    *width = RAMP * h * (fabs(p->closing) + 1e-6);
    return ff_min(1.0, p->depth / *width);
}

static void find_arm(const ff_sim *sim, const ff_touch *touch, int node, double arm[3])
{
    ff_vec3_set(arm, 0.0, 0.0, 0.0);
    if (node >= 0) ff_vec3_sub(arm, touch->place, sim->data->tree_origin + 3 * sim->model->nodes[node].tree);
}

/// Nodes and arms of a point.
static void place(const ff_sim *sim, const ff_touch *touch, ff_step_point *point)
{
    point->node1 = touch->node1;
    point->node2 = touch->node2;
    find_arm(sim, touch, touch->node1, point->arm1);
    find_arm(sim, touch, touch->node2, point->arm2);
}

static void make_point(const ff_sim *sim, ff_touch *touch, double ramp, double width, ff_step_point *point)
{
    const double h = sim->implicit->h, *n = touch->point.normal;
    const ff_contact_slope *s = &touch->slope;
    double both[9];
    point->touch = touch;
    ff_vec3_copy(point->normal, n);
    place(sim, touch, point);
    double by_depth = ramp * ff_vec3_dot(n, s->force_depth);
    if (ramp < 1.0) by_depth += touch->force.normal / width;
    // Springs of a point that touches in this step stay slack.
    point->spring_time = touch->state.mode == FF_CONTACT_OPEN ? 0.0 : h;
    for (int i = 0; i < 9; i++) both[i] = ramp * (s->force_slip[i] + point->spring_time * s->force_spring[i]);
    positive_slope(point->slope, n, ramp * ff_vec3_dot(n, s->force_closing) + h * by_depth, both);
    point->by_depth = by_depth;
    point->ramp = ramp;
    point->ramp_slope = ramp < 1.0 ? 1.0 / width : 0.0;
    find_turn_slopes(touch, point);
    ff_vec3_set(point->drop, 0.0, 0.0, 0.0); // until ff_contacts_follow
    point->force_error = 0.0;
    point->closing = touch->point.closing;
    point->lost_normal = ramp * touch->force.loss_normal;
    point->elastic_normal = touch->force.elastic_normal;
}

/// Adds factor times (force, moment) on body 2, and the opposite on body 1, to the wrenches.
static void push(ff_sim *sim, const ff_step_point *point, double factor, const double force[3], const double moment[3])
{
    const int nodes[2] = {point->node1, point->node2};
    const double *const arms[2] = {point->arm1, point->arm2};
    for (int side = 0; side < 2; side++) {
        if (nodes[side] < 0) continue;
        const double sign = side == 1 ? factor : -factor;
        ff_wrench_add(sim->data->wrench + 6 * nodes[side], sign, arms[side], force, moment);
    }
}

void ff_contacts_linearise(ff_sim *sim)
{
    const double h = sim->implicit->h, *z0 = sim->implicit->base + sim->nq + sim->nv;
    ff_step_contacts *all = &sim->implicit->contacts;
    all->ntouch = all->interface->linearise(all->slot->part.context, sim, z0 + all->slot->offset, h, &all->touches);
    all->count = 0;
    for (int i = 0; i < all->ntouch; i++) {
        ff_touch *touch = &all->touches[i];
        if (!(touch->point.depth > 0.0)) continue;
        double width = 1.0;
        const double ramp = ramp_of(touch, h, &width);
        ff_step_point *point = &all->points[all->count++];
        make_point(sim, touch, ramp, width, point);
        if (ramp < 1.0) push(sim, point, ramp - 1.0, touch->force.force, touch->force.moment);
    }
}

// ------------------------------------------------------------------------------------------ after a change

/// Evaluates the laws after Newton's last change of the velocity -> force_error, lost_normal. The
/// iteration ends when positions are accurate enough: at a contact as hard as concrete the last change can still be as
/// large as the speed itself.
static void reevaluate(ff_sim *sim)
{
    const double h = sim->implicit->h;
    ff_step_contacts *all = &sim->implicit->contacts;
    ff_implicit_twists(sim, sim->implicit->iterate.change);
    for (int k = 0; k < all->count; k++) {
        ff_step_point *point = &all->points[k];
        const ff_touch *touch = point->touch;
        ff_contact_point at = touch->point;
        ff_contact_force there;
        double linear[3], angular[3], off[3];
        ff_implicit_point_velocity(sim, point, linear, angular);
        ff_contact_point_motion(&at, linear, angular);
        at.depth += h * at.closing;
        at.closing += touch->point.closing;
        ff_vec3_add(at.slip, at.slip, touch->point.slip);
        ff_vec3_add(at.spin, at.spin, touch->point.spin);
        ff_contact_evaluate_ahead(touch->law, &at, &touch->state, h, &there, NULL);
        for (int i = 0; i < 3; i++) off[i] = point->ramp * (there.force[i] - touch->force.force[i]) + point->drop[i];
        point->force_error = ff_vec3_norm(off);
        point->closing = at.closing;
        point->lost_normal = point->ramp * there.loss_normal;
        point->elastic_normal = there.elastic_normal;
    }
}

bool ff_contacts_penetrate(ff_sim *sim)
{
    static const ff_contact_state open = {0};
    const ff_implicit *im = sim->implicit;
    const ff_step_contacts *all = &im->contacts;
    const double speed = ff_implicit_error_rate(sim);
    if (all->count == all->ntouch) return false; // no point is open
    ff_implicit_twists(sim, im->iterate.change);
    for (int i = 0; i < all->ntouch; i++) {
        const ff_touch *touch = &all->touches[i];
        ff_contact_point at = touch->point;
        ff_contact_force force;
        ff_step_point point;
        double linear[3], angular[3];
        if (at.depth > 0.0) continue; // the iteration has it
        place(sim, touch, &point);
        ff_implicit_point_velocity(sim, &point, linear, angular);
        ff_contact_point_motion(&at, linear, angular);
        at.depth += im->h * at.closing;
        if (!(at.depth > 0.0)) continue;
        ff_contact_evaluate(touch->law, &at, &open, &force, NULL);
        if (2.0 * force.elastic_normal > touch->mass * speed * speed) return true;
    }
    return false;
}

/// out = -dF of the law of a point for a change u of the velocity, by the whole slope.  [N]
static void whole_resistance(const ff_step_point *point, double h, const double u[3], double out[3])
{
    const ff_contact_slope *s = &point->touch->slope;
    const double along = ff_vec3_dot(point->normal, u);
    double slip[3];
    ff_vec3_copy(slip, u);
    ff_vec3_axpy(slip, -along, point->normal);
    for (int i = 0; i < 3; i++) {
        double whole = along * (s->force_closing[i] + h * s->force_depth[i]);
        for (int j = 0; j < 3; j++)
            whole -= (s->force_slip[3 * i + j] + point->spring_time * s->force_spring[3 * i + j]) * slip[j];
        out[i] = point->ramp * whole + along * h * point->ramp_slope * point->touch->force.force[i];
    }
}

/// Decrease of the forces by the part of the slope that A lacks -> drop.
static void set_rest_drop(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double linear[3], angular[3], own[3];
    if (im->iterate.whole_slope) ff_implicit_twists(sim, im->iterate.krylov_change);
    for (int k = 0; k < im->contacts.count; k++) {
        ff_step_point *point = &im->contacts.points[k];
        ff_vec3_set(point->drop, 0.0, 0.0, 0.0);
        if (!im->iterate.whole_slope) continue;
        ff_implicit_point_velocity(sim, point, linear, angular);
        whole_resistance(point, im->h, linear, point->drop);
        ff_mat3_mulv(own, point->slope, linear);
        ff_vec3_sub(point->drop, point->drop, own);
    }
}

/// out = decrease of the force of point k by the velocity of the last ff_factors_twists and the slope in A.  [N]
static void force_drop(const ff_sim *sim, int k, double out[3])
{
    const ff_implicit *im = sim->implicit;
    double u[3];
    ff_factors_point_velocity(sim, k, u);
    ff_mat3_mulv(out, im->factors.contacts[k].slope, u);
    ff_vec3_scale(out, out, 1.0 / im->h);
}

void ff_contacts_follow(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double own[3];
    if (im->contacts.count == 0) return;
    set_rest_drop(sim);
    ff_factors_twists(sim, im->iterate.change);
    for (int k = 0; k < im->contacts.count; k++) {
        force_drop(sim, k, own);
        ff_vec3_add(im->contacts.points[k].drop, im->contacts.points[k].drop, own);
    }
    if (!(sim->options.accuracy > 0.0)) return; // a fixed step is solved closely
    reevaluate(sim);
}

bool ff_contacts_converged(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        // The drop is that of the matrix, whose point and direction may belong to an earlier pose.
        const double unknown = point->force_error + FF_IMPLICIT_POSE_TOLERANCE * ff_vec3_norm(point->drop);
        if (unknown == 0.0) continue;
        const double mobility = im->factors.contacts[k].mobility;
        if (im->h * im->h * point->by_depth * mobility <= FF_IMPLICIT_RESOLVED) continue;
        if (!(im->h * unknown * mobility <= ff_implicit_tolerance(sim))) return false;
    }
    return true;
}

void ff_contacts_add_rest(ff_sim *sim, const double *v, double *tau)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h;
    ff_data *d = sim->data;
    memset(d->wrench, 0, 6 * (size_t)sim->model->nnode * sizeof(double));
    ff_implicit_twists(sim, v);
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const ff_contact_slope *s = &point->touch->slope;
        double u[3], spin[3], force[3], moment[3] = {0}, more[3];
        ff_implicit_point_velocity(sim, point, u, spin);
        const double along = ff_vec3_dot(point->normal, u);
        ff_mat3_mulv(more, point->slope, u);
        whole_resistance(point, h, u, force);
        ff_vec3_sub(force, force, more);
        if (point->turns) {
            ff_mat3_mulv(more, point->spin_slope, spin);
            for (int i = 0; i < 3; i++) {
                moment[i] = along * (s->moment_closing[i] + h * s->moment_depth[i]) - more[i];
                for (int j = 0; j < 3; j++)
                    moment[i] -= (s->moment_spin[3 * i + j] + point->spring_time * s->moment_turn[3 * i + j]) * spin[j];
            }
        }
        push(sim, point, h, force, moment);
    }
    ff_dyn_add_wrench_torque(sim->model, d, tau);
}

// ------------------------------------------------------------------------------------------ end of a stage

/// Moves the springs of point k by the twists of the stage -> result.
static void advance_springs(ff_sim *sim, int k)
{
    const double h = sim->implicit->h;
    const ff_step_point *point = &sim->implicit->contacts.points[k];
    const ff_touch *touch = point->touch;
    ff_contact_result *result = &point->touch->result;
    ff_contact_point at = touch->point;
    double linear[3], angular[3];
    result->state = touch->state;
    ff_implicit_point_velocity(sim, point, linear, angular);
    ff_contact_point_motion(&at, linear, angular);
    result->mode = ff_contact_mode_after(touch->law, &at, touch->force.normal, h, &result->state);
    ff_contact_advance(touch->law, &at, touch->force.normal, h, &result->state);
}

static int64_t name_of(const ff_touch *touch)
{
    return touch->slot >= 0 ? touch->slot : -1 - (int64_t)touch->key;
}

/// Is the normal force of point k too stiff for this stage, and strong enough to matter?
static bool is_unresolved(const ff_sim *sim, int k)
{
    const ff_implicit *im = sim->implicit;
    const ff_step_point *point = &im->contacts.points[k];
    const ff_touch *touch = point->touch;
    const double mobility = im->h * im->factors.contacts[k].mobility;
    double along[3];
    ff_mat3_mulv(along, point->slope, point->normal);
    return ff_implicit_unresolved(sim, mobility * ff_vec3_dot(along, point->normal), mobility * touch->force.normal,
                                  touch->point.closing);
}

/// Does a point hardly push at the start of the stage, in which it moves by h times its speed at the end?
static bool begins(const ff_touch *touch, double h)
{
    static const double PART = 0.1; // of the depth at its end
    return (1.0 - PART) * touch->point.depth < h * touch->point.closing;
}

/// Does the stage, which does not resolve point k, take much of the speed along its normal? Needs the twists of the
/// velocity at its start.
static bool brakes(const ff_sim *sim, int k)
{
    static const double MUCH = 0.1; // of the speeds of late
    const ff_step_point *point = &sim->implicit->contacts.points[k];
    double linear[3], angular[3];
    ff_implicit_point_velocity(sim, point, linear, angular);
    const double closing = -ff_vec3_dot(linear, point->normal);
    return closing - point->touch->point.closing > MUCH * sim->implicit->speed && is_unresolved(sim, k);
}

bool ff_contacts_reached(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const bool fixed = !(sim->options.accuracy > 0.0); // error control makes such steps shorter
    if (fixed && im->contacts.count > 0) ff_implicit_twists(sim, im->base + sim->nq);
    for (int k = 0; k < im->contacts.count; k++) {
        if (begins(im->contacts.points[k].touch, im->h) && is_unresolved(sim, k)) return true;
        if (fixed && brakes(sim, k)) return true;
    }
    return false;
}

void ff_contacts_keep_pushing(ff_sim *sim)
{
    ff_step_contacts *all = &sim->implicit->contacts;
    all->npushing = all->count;
    for (int k = 0; k < all->count; k++)
        all->pushing[k] = (ff_pushing_point){name_of(all->points[k].touch), is_unresolved(sim, k)};
}

bool ff_contacts_changed(const ff_sim *sim)
{
    const ff_step_contacts *all = &sim->implicit->contacts;
    int at = 0, found = 0; // both lists have nearly the same order
    for (int k = 0; k < all->count; k++) {
        const int64_t name = name_of(all->points[k].touch);
        int tried = 0;
        while (tried < all->npushing && all->pushing[at].name != name) {
            at = at + 1 < all->npushing ? at + 1 : 0;
            tried++;
        }
        const bool pushed = tried < all->npushing;
        if (!pushed && is_unresolved(sim, k)) return true;
        if (pushed) found += all->pushing[at].unresolved;
    }
    for (int k = 0; k < all->npushing; k++) found -= all->pushing[k].unresolved;
    return found != 0;
}

/// Work of the motion against the points in a step of a single stage, which moves by (v0 + v1) / 2 while one force
/// changes the velocity from v0 to v1: lost_normal, and what is taken along the normals -> contacts.taken.
static void find_work(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const double *v0 = im->base + sim->nq;
    for (int i = 0; i < sim->nv; i++) im->work[i] = 0.5 * (v0[i] + im->iterate.v[i]);
    ff_implicit_twists(sim, im->work);
    im->contacts.taken = im->contacts.stored / im->h;
    for (int k = 0; k < im->contacts.count; k++) {
        ff_step_point *point = &im->contacts.points[k];
        const double *force = point->touch->result.force, *n = point->normal;
        double linear[3], angular[3];
        ff_implicit_point_velocity(sim, point, linear, angular);
        const double speed = ff_vec3_dot(linear, n), along = ff_vec3_dot(force, n) * speed;
        if (point->closing != 0.0) point->lost_normal *= -speed / point->closing;
        im->contacts.taken -= along + point->elastic_normal / im->h;
    }
}

/// Adds the impulses of friction on the degrees of freedom. Uses d->wrench.
static void add_friction(ff_sim *sim, double weight)
{
    const ff_implicit *im = sim->implicit;
    memset(sim->data->wrench, 0, 6 * (size_t)sim->model->nnode * sizeof(double));
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const ff_contact_force *law = &point->touch->force;
        double force[3], moment[3];
        ff_vec3_copy(force, point->touch->result.force);
        ff_vec3_axpy(force, -ff_vec3_dot(force, point->normal), point->normal);
        ff_vec3_scale(moment, law->moment, point->ramp);
        push(sim, point, weight, force, moment);
    }
    ff_dyn_add_wrench_torque(sim->model, sim->data, im->friction);
}

void ff_contacts_end_stage(ff_sim *sim, double weight, double *z, double *integrals)
{
    const ff_step_contacts *all = &sim->implicit->contacts;
    const double *z0 = sim->implicit->base + sim->nq + sim->nv + all->slot->offset;
    for (int i = 0; i < all->ntouch; i++) all->touches[i].result = (ff_contact_result){0};
    if (all->count > 0) ff_implicit_twists(sim, sim->implicit->iterate.v);
    double stored = 0.0;
    for (int k = 0; k < all->count; k++) {
        const ff_step_point *point = &all->points[k];
        stored += point->elastic_normal;
        ff_contact_result *result = &point->touch->result;
        result->lasts = true;
        ff_vec3_scale(result->force, point->touch->force.force, point->ramp);
        ff_vec3_sub(result->force, result->force, point->drop); // what Newton's last change took from it
        if (point->touch->slot >= 0) advance_springs(sim, k);
    }
    sim->implicit->contacts.stored_after = stored;
    if (sim->nledger > 0 && all->count > 0) add_friction(sim, weight);
    if (sim->implicit->single) find_work(sim);
    all->interface->finish(all->slot->part.context, weight, z0, z, integrals);
}
