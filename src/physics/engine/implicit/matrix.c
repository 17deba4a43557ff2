// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The matrix of an implicit step, A = M + h D + h^2 K, and its factors. Joints, actuators and parts add to the
// diagonal. A contact with the fixed world adds J' G J, which couples the degrees of freedom between its body and the
// root: these are coupled by M already, so that A is packed and factored as M is, along the branches and without
// fill-in. A contact between two bodies that move adds
//     J1' G J1  +  J2' G J2  -  J1' G J2  -  J2' G J1,
// of which only the last two are not in the pattern: islands.c has the trees that such contacts join, lines.c the terms
// of tendons.
#include "base/pair.h"
#include "dyn/packed.h"
#include "engine/archive.h"
#include "engine/implicit/implicit.h"

#include <float.h>

/// Relative change of the sum of all slopes up to which factors are used again within a step.
static const double SLOPE_CHANGE = 0.1;
/// The same from step to step, and the change of the pose [m, rad]. The iteration converges at about that rate: with
/// the larger changes a fixed step, solved to 1e-7, would need one more round, which costs more than new factors. The
/// order of the method does not depend on the factors (step.c).
static const struct reuse {
    double slope, pose;
} FIXED_STEPS = {1e-2, 1e-3}, CONTROLLED_STEPS = {0.1, FF_IMPLICIT_POSE_TOLERANCE};

/// An axis may be light only because the joints after it are free (a thin rod on a ball joint, with a heavy body on the
/// next). In a matrix of another pose it is misaligned: turned by an angle a, it has a^2 of the inertia of the bodies
/// after it. This is the largest such part, relative to its own inertia.
static const double MISALIGNED = 0.02;
static const double RATHER_LIGHT = 0.05; // inertia of a light axis, divided by its entry of M

bool ff_factors_create(ff_sim *sim)
{
    const ff_model *m = sim->model;
    ff_implicit *im = sim->implicit;
    if (!m) return true;
    ff_arena *arena = &sim->arena;
    for (int j = 0; j < m->njoint; j++)
        im->factors.ball_joints = im->factors.ball_joints || m->joints[j].type == FF_JOINT_BALL;
    int longest = 1;
    for (int i = 0; i < m->nv; i++)
        if (m->dof_depth[i] + 1 > longest) longest = m->dof_depth[i] + 1;
    im->factors.A = FF_ARENA_NEW(arena, double, (size_t)m->nM + 1);
    im->factors.LD = FF_ARENA_NEW(arena, double, (size_t)m->nM + 1);
    im->factors.M = FF_ARENA_NEW(arena, double, (size_t)m->nM + 1);
    im->factors.q = FF_ARENA_NEW(arena, double, (size_t)m->nq + 1);
    im->factors.S = FF_ARENA_NEW(arena, double, 6 * (size_t)sim->nv + 1);
    im->factors.path = FF_ARENA_NEW(arena, double, 12 * (size_t)longest);
    im->factors.twist = FF_ARENA_NEW(arena, double, 6 * ((size_t)sim->nv + 1));
    return !arena->failed && ff_islands_create(sim) && ff_lines_create(sim);
}

// ------------------------------------------------------------------------------------------ mobilities

/// x[c] -= row[c] xk for c from `from` to k.
static inline void subtract_row(double *x, const double *row, double xk, int from, int k)
{
    int c = from;
    for (; c + 1 < k; c += 2) {
        ff_pair a, b;
        memcpy(&a, x + c, sizeof a);
        memcpy(&b, row + c, sizeof b);
        a -= b * ff_pair_both(xk);
        memcpy(x + c, &a, sizeof a);
    }
    if (c < k) x[c] -= row[c] * xk;
}

/// @return x' A^-1 x for x along the path to the root: with A = L' D L, L'^-1 x has entries on that path alone.
/// Overwrites x. The first six numbers of a long path, those of a free root, stay in registers
static double path_mobility(const ff_sim *sim, int last, double *x)
{
    enum { HEAD = 6 };
    const ff_model *m = sim->model;
    const int *dofs = m->M_col + m->M_row[last];
    const double *LD = sim->implicit->factors.LD;
    double sum = 0.0, head[HEAD] = {0};
    int k = m->dof_depth[last];
    if (k < HEAD) {
        for (; k >= 0; k--) {
            const double *row = LD + m->M_row[dofs[k]], xk = x[k];
            sum += xk * xk * row[k];
            subtract_row(x, row, xk, 0, k);
        }
        return sum;
    }
    memcpy(head, x, sizeof head);
    for (; k >= HEAD; k--) {
        const double *row = LD + m->M_row[dofs[k]], xk = x[k];
        sum += xk * xk * row[k];
        for (int c = 0; c < HEAD; c++) head[c] -= row[c] * xk;
        subtract_row(x, row, xk, HEAD, k);
    }
    for (k = HEAD - 1; k >= 0; k--) {
        const double *row = LD + m->M_row[dofs[k]], xk = head[k];
        sum += xk * xk * row[k];
        for (int c = 0; c < k; c++) head[c] -= row[c] * xk;
    }
    return sum;
}

/// @return n' J A^-1 J' n of one side of a contact  [1/kg]
static double side_mobility(ff_sim *sim, int node, const double arm[3], const double n[3])
{
    const ff_model *m = sim->model;
    const int last = m->nodes[node].vlast, *dofs = m->M_col + m->M_row[last];
    double *x = sim->implicit->factors.path, wrench[6];
    ff_vec3_cross(wrench, arm, n);
    ff_vec3_copy(wrench + 3, n);
    for (int k = 0; k <= m->dof_depth[last]; k++) x[k] = ff_dot6(sim->data->S + 6 * dofs[k], wrench);
    return path_mobility(sim, last, x);
}

/// @return mobility w of a point along its normal n without its own slope, its two sides taken as independent. A has
/// g n n',  so that  s = n' J A^-1 J' n = w / (1 + g w)  for  w = n' J A0^-1 J' n.  For concrete g w is some thousand,
/// so that J must be the one in A  [1/kg]
static double own_mobility(ff_sim *sim, const ff_step_point *point, const ff_factored_contact *held)
{
    const double *n = point->normal;
    double s = 0.0, image[3];
    if (point->node1 >= 0) s += side_mobility(sim, point->node1, point->arm1, n);
    if (point->node2 >= 0) s += side_mobility(sim, point->node2, point->arm2, n);
    ff_mat3_mulv(image, held->slope, n);
    const double left = 1.0 - ff_vec3_dot(n, image) * s;
    return left > 1e-9 ? s / left : INFINITY;
}

// ------------------------------------------------------------------------------------------ assembly

/// A += h J' G J of one side, in the packed pattern.
static void add_own(ff_sim *sim, const ff_side *s, const double *columns, const double G[9], double *weighted)
{
    const ff_model *m = sim->model;
    ff_implicit *im = sim->implicit;
    double scaled[9];
    for (int i = 0; i < 9; i++) scaled[i] = im->h * G[i];
    for (int k = 0; k < s->count; k++) ff_mat3_mulv(weighted + 3 * k, scaled, columns + 3 * k);
    for (int a = 0; a < s->count; a++) {
        double *row = im->factors.A + m->M_row[s->dofs[a]];
        const double *column = columns + 3 * a;
        for (int b = 0; b <= a; b++) row[b] += ff_vec3_dot(column, weighted + 3 * b);
    }
}

/// Adds a contact to A, except for the coupling of two moving bodies.
static void add_point(ff_sim *sim, const ff_step_point *point)
{
    const ff_implicit *im = sim->implicit;
    const int nodes[2] = {point->node1, point->node2};
    const double *const arms[2] = {point->arm1, point->arm2};
    for (int k = 0; k < 2; k++) {
        if (nodes[k] < 0) continue;
        const ff_side s = ff_side_make(sim, nodes[k], arms[k], im->factors.path);
        double *weighted = im->factors.path + 6 * s.count;
        add_own(sim, &s, s.linear, point->slope, weighted);
        if (point->turns) add_own(sim, &s, s.angular, point->spin_slope, weighted);
    }
}

/// Computes A without lines and the coupling of islands.
static void assemble(ff_sim *sim)
{
    const ff_model *m = sim->model;
    ff_implicit *im = sim->implicit;
    const double h = im->h;
    memcpy(im->factors.A, im->factors.M, (size_t)m->nM * sizeof(double));
    for (int i = 0; i < m->nv; i++)
        im->factors.A[m->M_row[i + 1] - 1] += h * (im->slopes.damping[i] + h * im->slopes.stiffness[i]);
    ff_stops_assemble(sim);
    im->factors.ncontact = im->contacts.count;
    if (im->contacts.count > 0) memcpy(im->factors.S, sim->data->S, 6 * (size_t)m->nv * sizeof(double));
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        ff_factored_contact *held = &im->factors.contacts[k];
        add_point(sim, point);
        for (int i = 0; i < 9; i++) held->slope[i] = h * point->slope[i];
        ff_vec3_copy(held->arm1, point->arm1);
        ff_vec3_copy(held->arm2, point->arm2);
    }
}

/// @return sum of all slopes evaluated last
static double slopes_of(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double sum = 0.0;
    for (int i = 0; i < sim->nv; i++) sum += im->slopes.damping[i] + im->h * im->slopes.stiffness[i];
    for (int k = 0; k < im->contacts.count; k++)
        sum += im->contacts.points[k].slope[0] + im->contacts.points[k].slope[4] + im->contacts.points[k].slope[8];
    return sum + ff_stops_slope_sum(sim) + ff_lines_slope_sum(sim);
}

/// Do the same contacts and stops push as in A, and has the sum of slopes changed by at most `change`?
static bool slopes_within(const ff_sim *sim, double change)
{
    const ff_implicit *im = sim->implicit;
    return im->iterate.active == im->factors.active &&
           fabs(slopes_of(sim) - im->factors.slope_sum) <= change * im->factors.slope_sum;
}

bool ff_factors_fit(const ff_sim *sim)
{
    return sim->implicit->stops.ncone == 0 && slopes_within(sim, SLOPE_CHANGE); // axes of cones turn
}

static struct reuse reuse_of(const ff_sim *sim)
{
    return sim->options.accuracy > 0.0 ? CONTROLLED_STEPS : FIXED_STEPS;
}

bool ff_factors_mass_lasts(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const double most = ff_min(reuse_of(sim).pose, im->factors.pose_tolerance);
    if (!im->factors.valid) return false;
    for (int i = 0; i < sim->nq; i++)
        if (!(fabs(sim->data->q[i] - im->factors.q[i]) <= most)) return false;
    return true;
}

bool ff_factors_last(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    const double slope = reuse_of(sim).slope;
    // A depends on the length of the step. Fixed steps have one length, and those of pieces.
    const double stretch = sim->options.accuracy > 0.0 ? slope * im->h : 0.0;
    if (!im->factors.valid || !(fabs(im->factors.h - im->h) <= stretch) || ff_islands_any(sim) || im->lines ||
        im->stops.ncone > 0 || !slopes_within(sim, slope))
        return false; // the terms of islands and lines are not saved with the factors, and axes of cones turn
    for (int k = 0; k < im->contacts.count; k++)
        if (im->contacts.points[k].node1 >= 0 && im->contacts.points[k].node2 >= 0)
            return false; // the factors lack this contact, as there are no islands
    return ff_factors_mass_lasts(sim);
}

/// x = A^-1 x, without lines.
static void solve_branches(ff_sim *sim, double *x)
{
    ff_implicit *im = sim->implicit;
    if (ff_islands_large(sim)) {
        ff_islands_iterate(sim, x);
        return;
    }
    const bool islands = ff_islands_any(sim);
    if (islands) memcpy(im->factors.right_side, x, (size_t)sim->nv * sizeof(double));
    ff_dyn_solve_packed(sim->model, im->factors.LD, x);
    if (islands) ff_islands_solve(sim, im->factors.right_side, x);
}

/// Least ratio of the inertia of an axis, with all joints after it free, to its entry of M -> factors.lightest_axis;
/// the change of the pose that misaligns such an axis -> factors.pose_tolerance.
static void find_light_axes(ff_sim *sim)
{
    const ff_model *m = sim->model;
    ff_implicit *im = sim->implicit;
    double least = 1.0;
    if (!ff_dyn_factor_packed(m, im->factors.M, im->factors.LD)) least = 0.0;
    for (int i = 0; i < m->nv; i++) {
        const int end = m->M_row[i + 1] - 1; // of LD: 1 over the inertia of i alone
        least = ff_min(least, 1.0 / (im->factors.LD[end] * im->factors.M[end]));
    }
    im->factors.lightest_axis = ff_max(least, DBL_MIN);
    im->factors.pose_tolerance = sqrt(MISALIGNED * im->factors.lightest_axis);
}

bool ff_factors_make(ff_sim *sim, bool mass)
{
    ff_implicit *im = sim->implicit;
    if (!sim->model) return true;
    ff_undo_keep(sim, FF_UNDO_FACTORS);
    if (mass) {
        ff_dyn_mass(sim->model, sim->data);
        memcpy(im->factors.M, sim->data->M, (size_t)sim->model->nM * sizeof(double));
        memcpy(im->factors.q, sim->data->q, (size_t)sim->nq * sizeof(double));
        // Factors of M alone cost as much as those of A. They are computed where there is a ball joint, whose axes turn
        // with the pose, and where an axis was rather light as the simulation began.
        if (im->factors.ball_joints || im->factors.lightest_axis < RATHER_LIGHT) find_light_axes(sim);
    }
    assemble(sim);
    im->factors.h = im->h;
    im->factors.slope_sum = slopes_of(sim);
    im->factors.active = im->iterate.active;
    sim->counts.factorisations++;
    im->factors.valid = ff_dyn_factor_packed(sim->model, im->factors.A, im->factors.LD);
    for (int k = 0; im->factors.valid && k < im->contacts.count; k++)
        im->factors.contacts[k].mobility = own_mobility(sim, &im->contacts.points[k], &im->factors.contacts[k]);
    im->factors.valid = im->factors.valid && ff_islands_factor(sim) && ff_lines_factor(sim, solve_branches);
    return im->factors.valid;
}

void ff_factors_solve(ff_sim *sim, double *x)
{
    solve_branches(sim, x);
    if (sim->implicit->lines) ff_lines_solve(sim, x);
}
