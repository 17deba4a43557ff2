// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The contact points of an implicit step. A point is evaluated at the end of the step, with its springs at
// z1 = z0 + h rate. Depth, closing speed, slip and spring depend on the velocity u of body 2 against body 1:
//     -dF/du = G = (F_closing + h F_depth) n' - (F_slip + h F_spring) P,        P = 1 - n n'.
// For the matrix of the step G is made symmetric and positive: the dependence of friction on the normal force is left
// out, and so is the negative slope of a falling friction curve. This may cost a round of the iteration, but does not
// change the solution.
#include "contact/advance.h"
#include "dyn/wrench.h"
#include "engine/implicit/implicit.h"

static const double HALF_PERIOD = 9.869604401089358; // (h omega)^2 of a half period of one step
static const double QUIET = 0.1;                     // part of a normal force by which a correction may change a force

/// Part of a normal force by which the change of depth in a fixed step may change it, where the step does not resolve
/// the contact and is corrected nevertheless. Between 0.001 and 0.1 results hardly change (test_one_friction); with 0 a
/// block lacks 10 to 30 % of its heat, with 1 a drop lacks 1 J of 5.
static const double SLOW = 0.01;

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
        for (int j = 0; j < 3; j++) {
            point->turn_slope[3 * i + j] = -0.5 * (turn[3 * i + j] + turn[3 * j + i]);
            point->spin_slope[3 * i + j] =
                point->spring_time * point->turn_slope[3 * i + j] - 0.5 * (spin[3 * i + j] + spin[3 * j + i]);
        }
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

/// @return ff_step_point.mean_ratio: the part of the step for which a point is in touch that touches in it, and for
/// laws that jump also the part of the force that acts at once
static double mean_ratio_of(const ff_touch *touch, double h)
{
    const ff_contact_point *p = &touch->point;
    const double force = touch->force.normal;
    if (touch->state.mode != FF_CONTACT_OPEN || !(p->closing > 0.0) || !(force > 0.0)) return 1.0;
    const double at_once = jumps(touch->law) ? ff_min(1.0, touch->law->damping * p->share * p->closing / force) : 0.0;
    return ff_min(1.0, p->depth / (h * p->closing)) * (1.0 + at_once);
}

/// Vector from the origin of the tree of a node to the point; zero for the ground.
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

static void find_sliding(const ff_contact_point *at, const ff_contact_force *force, ff_step_point *point)
{
    point->slides = ff_contact_slides(force);
    point->spring_power = ff_contact_spring_power(at, force);
}

/// @return the point at the start of the step, NULL: it was not in touch
static const ff_contact_start *start_of(const ff_step_contacts *all, const ff_touch *touch)
{
    if (touch->slot < 0) return NULL;
    const ff_contact_start *start = &all->starts[touch->slot];
    return start->step == all->step ? start : NULL;
}

static void make_point(const ff_sim *sim, ff_touch *touch, double ramp, double width, ff_step_point *point)
{
    const double h = sim->implicit->h, *n = touch->point.normal;
    const ff_contact_slope *s = &touch->slope;
    double both[9];
    point->touch = touch;
    point->start = start_of(&sim->implicit->contacts, touch);
    ff_vec3_copy(point->normal, n);
    place(sim, touch, point);
    double by_depth = ramp * ff_vec3_dot(n, s->force_depth);
    if (ramp < 1.0) by_depth += touch->force.normal / width;
    // Springs of a point that touches in this step stay slack.
    point->spring_time = touch->state.mode == FF_CONTACT_OPEN ? 0.0 : h;
    for (int i = 0; i < 9; i++) both[i] = ramp * (s->force_slip[i] + point->spring_time * s->force_spring[i]);
    positive_slope(point->slope, n, ramp * ff_vec3_dot(n, s->force_closing) + h * by_depth, both);
    point->by_depth = by_depth;
    point->mean_ratio = mean_ratio_of(touch, h);
    point->ramp = ramp;
    point->ramp_slope = ramp < 1.0 ? 1.0 / width : 0.0;
    find_turn_slopes(touch, point);
    ff_vec3_set(point->drop, 0.0, 0.0, 0.0); // until ff_contacts_follow
    point->force_error = 0.0;
    point->lost_normal = touch->force.loss_normal;
    point->lost_friction = touch->force.loss_friction;
    point->elastic_normal = touch->force.elastic_normal;
    find_sliding(&touch->point, &touch->force, point);
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

/// ff_contact_interface.linearise. @return number of points -> contacts.touches
static int linearise(ff_sim *sim, double h)
{
    ff_step_contacts *all = &sim->implicit->contacts;
    return all->interface->linearise(all->slot->part.context, sim, sim->x + sim->nq + sim->nv + all->slot->offset, h,
                                     &all->touches);
}

void ff_contacts_linearise(ff_sim *sim)
{
    const double h = sim->implicit->h;
    ff_step_contacts *all = &sim->implicit->contacts;
    all->ntouch = linearise(sim, h);
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

/// Computes place_slope of the points, which only the correction needs.
static void find_place_slopes(ff_sim *sim)
{
    static const double no_slope[9] = {0};
    ff_step_contacts *all = &sim->implicit->contacts;
    for (int k = 0; k < all->count; k++) {
        ff_step_point *point = &all->points[k];
        positive_slope(point->place_slope, point->normal, point->by_depth,
                       point->spring_time > 0.0 ? point->touch->slope.force_spring : no_slope);
    }
}

// ------------------------------------------------------------------------------------------ start of a step

static void make_start(const ff_touch *touch, uint64_t step, ff_contact_start *start)
{
    const ff_contact_point *point = &touch->point;
    const ff_contact_force *force = &touch->force;
    *start = (ff_contact_start){.step = step,
                                .depth = point->depth,
                                .opening = -point->closing,
                                .lost = {force->loss_normal, force->loss_friction},
                                .slides = ff_contact_slides(force),
                                .spring_power = ff_contact_spring_power(point, force)};
    ff_vec3_copy(start->force, force->force);
    ff_vec3_copy(start->moment, force->moment);
}

void ff_contacts_start(ff_sim *sim)
{
    ff_step_contacts *all = &sim->implicit->contacts;
    const int count = linearise(sim, 0.0);
    all->nstart = 0;
    all->stored = 0.0;
    all->step++;
    for (int i = 0; i < count; i++) {
        const ff_touch *touch = &all->touches[i];
        if (touch->slot < 0 || !(touch->point.depth > 0.0)) continue;
        all->stored += touch->force.elastic_normal;
        all->nstart++;
        make_start(touch, all->step, &all->starts[touch->slot]);
    }
}

// ------------------------------------------------------------------------------------------ points that lift off

/// Does a point that was in touch at the start of the step lift off in it?
static bool has_separated(const ff_sim *sim)
{
    const ff_step_contacts *all = &sim->implicit->contacts;
    int kept = 0;
    for (int k = 0; k < all->count; k++) kept += all->points[k].start != NULL;
    return kept < all->nstart;
}

/// @return part of a step of length h for which a point that lifts off in it is open
static double open_part(const ff_contact_start *start, double h)
{
    return 1.0 - ff_min(1.0, start->depth / (h * start->opening));
}

/// Does a step of length h resolve the contact of a point that lifts off?
static bool resolves_separation(const ff_touch *touch, const ff_contact_start *start, double h)
{
    const double ratio = FF_PI * h / ff_contact_step_advice(touch->law, touch->mass, touch->mass * 9.81).half_period;
    return start->opening > 0.0 && ratio * ratio <= FF_IMPLICIT_RESOLVED;
}

/// Of each point that lifts off: adds its force at the start times `factor` to d->wrench, and its powers of heat there
/// to correction.absent_loss, both times the part of the step for which it is open. @return false when a point is too
/// hard for the step, or is no longer found
static bool remove_separated(ff_sim *sim, double factor)
{
    const double h = sim->implicit->h;
    const ff_step_contacts *all = &sim->implicit->contacts;
    double *lost = sim->implicit->correction.absent_loss;
    int kept = 0;
    for (int i = 0; i < all->ntouch; i++) {
        const ff_touch *touch = &all->touches[i];
        const ff_contact_start *start = start_of(all, touch);
        ff_step_point point;
        if (!start) continue;
        kept++;
        if (touch->point.depth > 0.0) continue;
        if (!resolves_separation(touch, start, h)) return false;
        const double open = open_part(start, h);
        place(sim, touch, &point);
        push(sim, &point, factor * open, start->force, start->moment);
        for (int k = 0; k < 2; k++) lost[k] += open * start->lost[k];
    }
    return kept == all->nstart;
}

// ------------------------------------------------------------------------------------------ after a change

/// Evaluates the laws after Newton's last change of the velocity -> force_error, losses, slides, spring_power. The
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
        point->lost_normal = there.loss_normal;
        point->lost_friction = there.loss_friction;
        point->elastic_normal = there.elastic_normal;
        find_sliding(&at, &there, point);
    }
}

bool ff_contacts_penetrate(ff_sim *sim)
{
    static const ff_contact_state open = {0};
    const ff_implicit *im = sim->implicit;
    const ff_step_contacts *all = &im->contacts;
    const double speed = FF_IMPLICIT_SPEED * sim->options.accuracy;
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

// ------------------------------------------------------------------------------------------ resolution

/// @return the smaller unit of speed of the two trees that touch  [m/s]
static double unit_of(const ff_sim *sim, const ff_step_point *point)
{
    const ff_node *nodes = sim->model->nodes;
    const double *unit = sim->implicit->contacts.unit;
    const double unit1 = point->node1 >= 0 ? unit[nodes[point->node1].tree] : INFINITY;
    const double unit2 = point->node2 >= 0 ? unit[nodes[point->node2].tree] : INFINITY;
    return ff_min(unit1, unit2);
}

/// @return squared angular frequency of a contact, from its stiffness and its mobility  [1/s^2]
static double frequency_squared(const ff_implicit *im, int k)
{
    const double stiffness = im->contacts.points[k].by_depth;
    return stiffness > 0.0 ? stiffness * im->factors.contacts[k].mobility : 0.0;
}

/// @return largest squared angular frequency of a contact at both ends of the step. A point that leaves so fast that
/// its damper cancels its spring has no stiffness at the end; with the end alone, friction threw a box that was pressed
/// 0.1 mm into concrete back at 160 m/s  [1/s^2]
static double fastest_contact(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double fastest = 0.0;
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        fastest = ff_max(fastest, frequency_squared(im, k));
        if (!point->start) continue;
        const double stiffness = ff_vec3_dot(point->start->force, point->normal) / point->start->depth;
        fastest = ff_max(fastest, stiffness * im->factors.contacts[k].mobility);
    }
    return fastest;
}

void ff_contacts_move(ff_sim *sim)
{
    const ff_step_contacts *all = &sim->implicit->contacts;
    double angular[3];
    if (all->count == 0) return;
    ff_implicit_twists(sim, sim->implicit->correction.v);
    for (int k = 0; k < all->count; k++)
        ff_implicit_point_velocity(sim, &all->points[k], all->points[k].correction_velocity, angular);
}

/// Is every point in touch over the whole step, and does the correction change its force by at most QUIET of the normal
/// force?
static bool is_correction_small(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double change[3];
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        ff_mat3_mulv(change, point->place_slope, point->correction_velocity);
        if (!(point->spring_time > 0.0) || !(im->h * ff_vec3_norm(change) <= QUIET * point->touch->force.normal))
            return false;
    }
    return true;
}

/// Does the depth of each point change its force by at most SLOW of the normal force, at its closing speeds at both
/// ends of the step? A point that moves faster along its normal has an impact, which a fixed step does not resolve.
static bool is_load_steady(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const double fastest = ff_max(fabs(point->closing_before), fabs(point->touch->point.closing));
        const double change = im->h * point->by_depth * fastest;
        if (!(change <= SLOW * point->touch->force.normal)) return false;
    }
    return true;
}

bool ff_contacts_resolved(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    if (sim->data && sim->options.passive && !im->stops.resolved && !ff_stops_steady(sim)) return false;
    if (!im->contacts.slot) return true;
    // A point that lifts off is in the forces at the start, but not in the matrix. With half its force for the whole
    // step it would leave with too much energy, k a (1 - a) (h v)^2 / 2 for the part a of the step in which it is open.
    // With error control that part is known.
    if (im->correction.separates && !(im->correction.separation_known && im->correction.error <= 1.0)) return false;
    const double square = im->h * im->h * fastest_contact(sim);
    if (square <= FF_IMPLICIT_RESOLVED) return true;
    // Where points only carry a load or slide, the correction is applied although the step does not resolve them: plain
    // backward Euler would damp all other motion. In steps longer than half a period the correction would reverse up to
    // half the speed of a point. Fixed steps have no error estimate: there the load of each point must be steady.
    const bool allowed =
        sim->options.accuracy > 0.0 ? im->correction.error <= 1.0 && square <= HALF_PERIOD : is_load_steady(sim);
    return allowed && is_correction_small(sim);
}

/// Removes force and heat of points for the part of the step in which they are open: the correction uses the trapezoid
/// of the forces at the two ends.
static void remove_open(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        const double open = 1.0 - point->mean_ratio;
        if (open == 0.0) continue;
        double force[3], moment[3];
        ff_vec3_scale(force, point->touch->force.force, point->ramp);
        ff_vec3_sub(force, force, point->drop);
        ff_vec3_scale(moment, point->touch->force.moment, point->ramp);
        push(sim, point, -0.5 * im->h * open, force, moment);
        im->correction.absent_loss[0] += open * point->lost_normal;
        im->correction.absent_loss[1] += open * point->lost_friction;
    }
    if (im->correction.separates) im->correction.separation_known = remove_separated(sim, -0.5 * im->h);
}

void ff_contacts_correct(ff_sim *sim, const double *v, double factor, double *tau)
{
    ff_implicit *im = sim->implicit;
    im->correction.separates = im->correction.separation_known = false;
    im->correction.absent_loss[0] = im->correction.absent_loss[1] = 0.0;
    if (!im->contacts.slot) return;
    im->correction.separates = has_separated(sim);
    if (im->contacts.count == 0 && !im->correction.separates) return;
    ff_data *d = sim->data;
    find_place_slopes(sim);
    memset(d->wrench, 0, 6 * (size_t)sim->model->nnode * sizeof(double));
    ff_implicit_twists(sim, v);
    for (int k = 0; k < im->contacts.count; k++) {
        ff_step_point *point = &im->contacts.points[k];
        double linear[3], angular[3], moment[3] = {0};
        ff_implicit_point_velocity(sim, point, linear, angular);
        point->closing_before = point->touch->point.closing - ff_vec3_dot(point->normal, linear);
        ff_mat3_mulv(point->corrected, point->place_slope, linear);
        if (point->turns) ff_mat3_mulv(moment, point->turn_slope, angular);
        push(sim, point, -factor, point->corrected, moment);
    }
    if (sim->options.accuracy > 0.0) remove_open(sim);
    ff_dyn_add_wrench_torque(sim->model, d, tau);
}

/// @return speed of the correction at a point. Where the step resolves the contact, the displacement times the
/// frequency counts, too: where the motion reverses, the speed is small, and without it steps would be too long by half
static double speed_of(const ff_implicit *im, int k)
{
    const ff_step_point *point = &im->contacts.points[k];
    const double *linear = point->correction_velocity;
    const double h = im->h, speed = ff_vec3_norm(linear), square = frequency_squared(im, k);
    if (!(square > 0.0) || h * h * square > FF_IMPLICIT_RESOLVED) return speed;
    const double before = ff_vec3_dot(point->normal, point->corrected) / point->by_depth;
    const double moved = h * (ff_vec3_dot(point->normal, linear) + 0.5 * before);
    return ff_max(speed, sqrt(square) * fabs(moved));
}

double ff_contacts_error(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const ff_model *m = sim->model;
    double most = 0.0;
    if (!im->contacts.slot) return 0.0;
    if (im->correction.separates) // the point that lifts off is no longer in the list
        for (int i = 0; i < sim->nv; i++)
            most = ff_max(most, fabs(im->correction.v[i]) / im->contacts.unit[m->nodes[m->dof_node[i]].tree]);
    for (int k = 0; k < im->contacts.count; k++)
        most = ff_max(most, speed_of(im, k) / unit_of(sim, &im->contacts.points[k]));
    return most;
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

// ------------------------------------------------------------------------------------------ end of a step

/// Mean force of point k over the step. Without correction it is the force f1 at the end after Newton's last change,
/// with the correction d it is (f0 + f1) / 2 + J d.
static void find_mean_force(const ff_sim *sim, int k, double force[3])
{
    const ff_implicit *im = sim->implicit;
    const ff_step_point *point = &im->contacts.points[k];
    double change[3];
    ff_vec3_scale(force, point->touch->force.force, point->ramp);
    ff_vec3_sub(force, force, point->drop);
    if (!im->correction.applied) return;
    force_drop(sim, k, change);
    ff_vec3_scale(force, force, sim->options.accuracy > 0.0 ? 0.5 * point->mean_ratio : 0.5);
    ff_vec3_sub(force, force, change);
    ff_vec3_axpy(force, -0.5 * im->h, point->corrected);
}

/// Moves the springs of point k by the twists of the step -> result.
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

void ff_contacts_finish(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const ff_step_contacts *all = &im->contacts;
    if (im->correction.applied && all->count > 0) ff_factors_twists(sim, im->correction.v);
    for (int i = 0; i < all->ntouch; i++) {
        ff_touch *touch = &all->touches[i];
        const ff_contact_start *start = start_of(all, touch);
        touch->result = (ff_contact_result){0};
        if (!im->correction.applied || !start || touch->point.depth > 0.0) continue;
        touch->result.time = -0.5 * im->h * open_part(start, im->h); // the trapezoid has half its force at the start
        ff_vec3_copy(touch->result.force, start->force);
    }
    for (int k = 0; k < all->count; k++) {
        ff_contact_result *result = &all->points[k].touch->result;
        result->lasts = true;
        result->time = im->h;
        find_mean_force(sim, k, result->force);
    }
    if (all->count > 0) ff_implicit_twists(sim, im->iterate.motion);
    for (int k = 0; k < all->count; k++)
        if (all->points[k].touch->slot >= 0) advance_springs(sim, k);
}
