// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// All contact points of an implicit step together: whether its length resolves them, how far they have converged, and
// their slopes times a velocity.
#include "engine/implicit/implicit.h"

static const double HALF_PERIOD = 9.869604401089358; // (h omega)^2 of a half period of one step
static const double QUIET = 0.1;                     // part of a normal force

/// Part of a normal force by which the depth made in a fixed step may change it where the step does not resolve the
/// contact and is corrected nevertheless. The correction throws such a point back by up to half its speed, where
/// backward Euler stops it, so a force may tremble by this part for some steps: it has to be small. What a robot shifts
/// from foot to foot within 0.1 s, a hundred steps of 1 ms, has to pass. In between it hardly matters. On floors of 5e4
/// to 1e8 N/m, in steps of 0.5 to 2 ms, with 0.001 to 0.1: a block pulled to and fro and a ball that comes to roll
/// (test_one_friction) end at the same micrometre, a drop with slip moves by 0.5 mm of 1.08 m, and ANTON on feet of 1e7
/// N/m slides 104 to 114 um a step, without a trend; its own feet, which its steps of 0.5 ms resolve, do not need it.
/// With 0 the block lacks 10 to 30 % of its heat, with 1 the drop lacks 1 J of 5.
static const double SLOW = 0.01;

// ------------------------------------------------------------------------------------------ units of speeds

/// Masses of a tree along the vertical.
typedef struct ff_upright {
    double mass, moment; // [kg], [kg m]
    double lowest;       // [m]
} ff_upright;

/// Adds a node; massless ones carry nothing.
static void pile_up(ff_upright *tree, double mass, double moment)
{
    if (!(mass > 0.0)) return;
    const double height = moment / mass;
    tree->lowest = tree->mass > 0.0 ? ff_min(tree->lowest, height) : height;
    tree->mass += mass;
    tree->moment += moment;
}

bool ff_contacts_create(ff_sim *sim)
{
    const ff_model *m = sim->model;
    if (!(sim->options.accuracy > 0.0)) return true;
    const double gravity = ff_vec3_norm(m->gravity);
    ff_upright *trees = FF_ARENA_NEW(&sim->arena, ff_upright, m->ntree + 1);
    double *unit = sim->implicit->contacts.unit = FF_ARENA_NEW(&sim->arena, double, m->ntree + 1);
    ff_data *reference = ff_data_create(m, NULL); // at m->q0, wherever mocap bodies carry what is simulated
    if (!trees || !unit || !reference) {
        ff_data_destroy(reference);
        return false;
    }
    ff_dyn_kinematics(m, reference);
    for (int i = 0; i < m->nnode && gravity > 0.0; i++) {
        const ff_node *node = &m->nodes[i];
        double moment[3];
        ff_mat3_mulv(moment, reference->pose[i].R, node->inertia.h);
        ff_vec3_axpy(moment, node->inertia.mass, reference->pose[i].p);
        pile_up(&trees[node->tree], node->inertia.mass, -ff_vec3_dot(moment, m->gravity) / gravity);
    }
    ff_data_destroy(reference);
    for (int k = 0; k < m->ntree; k++) {
        const double height = trees[k].mass > 0.0 ? trees[k].moment / trees[k].mass - trees[k].lowest : 0.0;
        unit[k] = ff_max(FF_IMPLICIT_SPEED, sqrt(gravity * ff_max(height, 0.0)));
    }
    return true;
}

/// The smaller unit of the two trees that touch.
static double unit_of(const ff_sim *sim, const ff_step_point *point)
{
    const ff_node *nodes = sim->model->nodes;
    const double *unit = sim->implicit->contacts.unit;
    const double unit1 = point->node1 >= 0 ? unit[nodes[point->node1].tree] : INFINITY;
    const double unit2 = point->node2 >= 0 ? unit[nodes[point->node2].tree] : INFINITY;
    return ff_min(unit1, unit2);
}

// ------------------------------------------------------------------------------------------ resolution

/// Square of the frequency of a contact, from its stiffness and its mobility.  [1/s^2]
static double frequency_squared(const ff_implicit *im, int k)
{
    return im->contacts.points[k].by_depth > 0.0 ? im->contacts.points[k].by_depth * im->factors.contacts[k].mobility
                                                 : 0.0;
}

/// Normal force of a point at the start of the step over its depth there; 0: it was not in touch.  [N/m]
static double start_stiffness(const ff_step_point *point)
{
    return point->start ? ff_vec3_dot(point->start->force, point->normal) / point->start->depth : 0.0;
}

/// Largest squared frequency of a contact at either end of the step. A point that leaves so fast that its damper takes
/// all that its spring gives has no stiffness at the end: half the force that it had at the start threw a box that was
/// pressed into concrete by 0.1 mm back at 160 m/s by friction.
static double fastest_contact(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double fastest = 0.0;
    for (int k = 0; k < im->contacts.count; k++) {
        const double square = ff_max(frequency_squared(im, k),
                                     start_stiffness(&im->contacts.points[k]) * im->factors.contacts[k].mobility);
        if (square > fastest) fastest = square;
    }
    return fastest;
}

/// Does every point last the step, and does the correction change its force by no more than QUIET of the normal one?
static bool quiet(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double change[3];
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        ff_mat3_mulv(change, point->place_slope, point->linear);
        if (!(point->ahead > 0.0) || !(im->h * ff_vec3_norm(change) <= QUIET * point->view->force->normal))
            return false;
    }
    return true;
}

/// Would neither the velocity at the start of the step nor the one found change the force of a point by more than SLOW
/// of the normal one, by the depth it makes in the step? A point that presses itself in or comes out has an impact,
/// which a fixed step does not resolve. Points still have the difference of the two velocities, of
/// ff_contacts_correct; what Newton's last change adds to `closing` is rounding beside SLOW.
static bool carries(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const double start = point->view->point->closing - ff_vec3_dot(point->normal, point->linear);
        const double change = im->h * point->by_depth * ff_max(fabs(start), fabs(point->view->point->closing));
        if (!(change <= SLOW * point->view->force->normal)) return false;
    }
    return true;
}

bool ff_contacts_resolved(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    if (sim->data && sim->options.passive && !im->stops.resolved && !ff_stops_steady(sim)) return false;
    if (!im->contacts.slot) return true;
    // A point that lifts off is in the forces at the start, and no longer in the matrix. To take half its last push
    // along would also be to leave faster than the spring can push: with the share a of the step left to go, k a (1 -
    // a) (h v)^2 / 2 of energy too much. With error control that share is known.
    if (im->correction.separates && !(im->correction.separation_known && im->correction.error <= 1.0)) return false;
    const double square = im->h * im->h * fastest_contact(sim);
    if (square <= FF_IMPLICIT_RESOLVED) return true;
    // Points that carry or slide along have nothing to bounce: plain backward Euler would only brake what goes on
    // beside them, by the whole error of every step. A block of 1 kg on a spring of 400 N/m, whose steps of 3 ms do not
    // resolve its contact with the floor, was 2 cm off after seven swings of at most 10 cm, and is now 0.2 mm off
    // (accuracy 1e-3). Beyond half a period the correction would throw a point back by up to half its speed. Fixed
    // steps do not go by an error: there no point may have a speed that matters, in the step or before it.
    if (sim->options.accuracy > 0.0) return im->correction.error <= 1.0 && square <= HALF_PERIOD && quiet(sim);
    if (!carries(sim)) return false;
    ff_implicit_point_velocities(sim, im->correction.v);
    return quiet(sim);
}

/// The correction goes by the trapezoid of the forces at the two ends. A point that is in touch for a part of the step
/// only, its force zero at one end, has that part of it: the rest of its push, and of its heat, is taken back.
static void take_back_open(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const double open = 1.0 - point->since;
        if (open == 0.0) continue;
        double force[3], moment[3];
        ff_vec3_scale(force, point->view->force->force, point->part);
        ff_vec3_sub(force, force, point->drop);
        ff_vec3_scale(moment, point->view->force->moment, point->part);
        ff_contact_points_push(sim, point, -0.5 * im->h * open, force, moment);
        im->correction.absent_loss[0] += open * point->lost_normal;
        im->correction.absent_loss[1] += open * point->lost_friction;
    }
    if (im->correction.separates) im->correction.separation_known = ff_contact_points_take_back(sim, -0.5 * im->h);
}

void ff_contacts_correct(ff_sim *sim, const double *v, double factor, double *tau)
{
    ff_implicit *im = sim->implicit;
    im->correction.separates = im->correction.separation_known = false;
    im->correction.absent_loss[0] = im->correction.absent_loss[1] = 0.0;
    if (!im->contacts.slot) return;
    im->correction.separates = ff_contact_points_separate(sim);
    if (im->contacts.count == 0 && !im->correction.separates) return;
    ff_data *d = sim->data;
    ff_contact_points_stiffen(sim);
    memset(d->wrench, 0, 6 * (size_t)sim->model->nnode * sizeof(double));
    ff_implicit_twists(sim, v);
    for (int k = 0; k < im->contacts.count; k++) {
        ff_step_point *point = &im->contacts.points[k];
        double moment[3] = {0};
        ff_implicit_point_velocity(sim, point, point->linear, point->angular);
        ff_mat3_mulv(point->corrected, point->place_slope, point->linear);
        if (point->turns) ff_mat3_mulv(moment, point->turn_slope, point->angular);
        ff_contact_points_push(sim, point, -factor, point->corrected, moment);
    }
    if (sim->options.accuracy > 0.0) take_back_open(sim);
    ff_dyn_add_wrench_torque(sim->model, d, tau);
}

/// Speed of the correction at a point. Where the step resolves it, its place counts, too, by the speed that its spring
/// makes of it: where it turns round it hardly has a speed, and its steps would be half as long again.
static double speed_of(const ff_implicit *im, int k)
{
    const ff_step_point *point = &im->contacts.points[k];
    const double h = im->h, speed = ff_vec3_norm(point->linear), square = frequency_squared(im, k);
    if (!(square > 0.0) || h * h * square > FF_IMPLICIT_RESOLVED) return speed;
    const double before = ff_vec3_dot(point->normal, point->corrected) / point->by_depth;
    const double moved = h * (ff_vec3_dot(point->normal, point->linear) + 0.5 * before);
    return ff_max(speed, sqrt(square) * fabs(moved));
}

double ff_contacts_error(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const ff_model *m = sim->model;
    double most = 0.0;
    if (!im->contacts.slot) return 0.0;
    if (im->correction.separates) // its way is no longer known
        for (int i = 0; i < sim->nv; i++)
            most = ff_max(most, fabs(im->correction.v[i]) / im->contacts.unit[m->nodes[m->dof_node[i]].tree]);
    for (int k = 0; k < im->contacts.count; k++)
        most = ff_max(most, speed_of(im, k) / unit_of(sim, &im->contacts.points[k]));
    return most;
}

/// What the law of a point sets against a change u of the velocity, -dF.
static void whole_resistance(const ff_step_point *point, double h, const double u[3], double out[3])
{
    const ff_contact_slope *s = point->view->slope;
    const double along = ff_vec3_dot(point->normal, u);
    double slip[3];
    ff_vec3_copy(slip, u);
    ff_vec3_axpy(slip, -along, point->normal);
    for (int i = 0; i < 3; i++) {
        double whole = along * (s->force_closing[i] + h * s->force_depth[i]);
        for (int j = 0; j < 3; j++)
            whole -= (s->force_slip[3 * i + j] + point->ahead * s->force_spring[3 * i + j]) * slip[j];
        out[i] = point->part * whole + along * h * point->let_in * point->view->force->force[i];
    }
}

/// What A leaves out of the change of forces -> drop.
static void add_rest_drop(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double own[3];
    if (im->iterate.whole_slope) ff_implicit_point_velocities(sim, im->iterate.krylov_change);
    for (int k = 0; k < im->contacts.count; k++) {
        ff_step_point *point = &im->contacts.points[k];
        ff_vec3_set(point->drop, 0.0, 0.0, 0.0);
        if (!im->iterate.whole_slope) continue;
        whole_resistance(point, im->h, point->linear, point->drop);
        ff_mat3_mulv(own, point->slope, point->linear);
        ff_vec3_sub(point->drop, point->drop, own);
    }
}

void ff_contacts_follow(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double own[3];
    if (im->contacts.count == 0) return;
    add_rest_drop(sim);
    ff_factors_twists(sim, im->iterate.change);
    for (int k = 0; k < im->contacts.count; k++) {
        ff_contacts_force_drop(sim, k, own);
        ff_vec3_add(im->contacts.points[k].drop, im->contacts.points[k].drop, own);
    }
    if (!(sim->options.accuracy > 0.0)) return; // a fixed step is solved closely
    ff_implicit_point_velocities(sim, im->iterate.change);
    ff_contact_points_reevaluate(sim);
}

bool ff_contacts_converged(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        // the matrix has the change of force, and its point and direction may be those of a pose before
        const double unknown = point->missed + FF_IMPLICIT_POSE_TOLERANCE * ff_vec3_norm(point->drop);
        if (unknown == 0.0) continue;
        const double mobility = im->factors.contacts[k].mobility;
        if (im->h * im->h * point->by_depth * mobility <= FF_IMPLICIT_RESOLVED) continue;
        if (!(im->h * unknown * mobility <= FF_IMPLICIT_STRICT * sim->options.accuracy)) return false;
    }
    return true;
}

bool ff_contacts_too_stiff(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    return im->contacts.slot && im->h * im->h * fastest_contact(sim) > FF_IMPLICIT_RESOLVED;
}

void ff_contacts_add_rest(ff_sim *sim, const double *v, double *tau)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h;
    ff_data *d = sim->data;
    memset(d->wrench, 0, 6 * (size_t)sim->model->nnode * sizeof(double));
    ff_implicit_point_velocities(sim, v);
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const ff_contact_slope *s = point->view->slope;
        const double *u = point->linear, *spin = point->angular;
        double force[3], moment[3] = {0}, more[3];
        const double along = ff_vec3_dot(point->normal, u);
        ff_mat3_mulv(more, point->slope, u);
        whole_resistance(point, h, u, force);
        ff_vec3_sub(force, force, more);
        if (point->turns) {
            ff_mat3_mulv(more, point->spin_slope, spin);
            for (int i = 0; i < 3; i++) {
                moment[i] = along * (s->moment_closing[i] + h * s->moment_depth[i]) - more[i];
                for (int j = 0; j < 3; j++)
                    moment[i] -= (s->moment_spin[3 * i + j] + point->ahead * s->moment_turn[3 * i + j]) * spin[j];
            }
        }
        ff_contact_points_push(sim, point, h, force, moment);
    }
    ff_dyn_add_wrench_torque(sim->model, d, tau);
}
