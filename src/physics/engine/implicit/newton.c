// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Solve and limit: Newton's change of the velocity, its length, and convergence.
//
// The residual r is nearly the gradient of a convex function of v, since inertia and forces that oppose the motion are
// gradients of such functions. Along a change dv the slope dv . r then rises through zero once. Where the full change
// leads so far beyond this zero that the slope is as large as at the start, it is shortened to near the zero. So the
// iteration does not cycle at friction and contacts, whose slopes jump.
#include "dyn/loop_response.h"
#include "engine/implicit/implicit.h"

/// Velocity tolerance at a force that jumps: absolute, and relative to the largest velocity.
static const double JUMP_TOLERANCE = 1e-3;
static const double WHOLE_SLOPE_RATE = 0.2; // rate of convergence above which contacts have their whole slope
static const double REFACTOR_RATE = 0.3;    // rate above which the factors are computed again
static const double FAR_OFF = 1e6;          // changes above this give no rate of convergence  [m/s, rad/s]
enum { PROBES_MOST = 10 };                  // lengths of a change that are tried

/// @return change . r, less the work of the loops
static double slope_along(const ff_implicit *im, int nv)
{
    double sum = -im->iterate.loop_slope;
    for (int i = 0; i < nv; i++) sum += im->iterate.change[i] * im->iterate.residual[i];
    return sum;
}

/// Evaluates the forces at v = base_v + length * change. @return the slope there, NAN when they are not finite
static double probe(ff_sim *sim, double length)
{
    ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->nv; i++) im->iterate.v[i] = im->iterate.base_v[i] + length * im->iterate.change[i];
    return ff_implicit_evaluate(sim) ? slope_along(im, sim->nv) : NAN;
}

/// Moves v along `change`, all of it or to near the zero of the slope. @return false when no forces on the way are
/// finite
static bool move_along(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    memcpy(im->iterate.base_v, im->iterate.v, (size_t)sim->nv * sizeof(double));
    double low = 0.0, high = 1.0, slope_low = slope_along(im, sim->nv);
    const double begin = -slope_low;
    double slope = probe(sim, 1.0);
    if (slope <= 0.9 * begin) return true;
    double slope_high = isfinite(slope) ? slope : begin, far = high, slope_far = slope_high;
    for (int k = 0; k < PROBES_MOST; k++) {
        // Beyond a stop or contact the slope may be a million times steeper. A line through two points there leads to
        // the stop or contact, so that the next matrix has it.
        double length = high - slope_high * (far - high) / (slope_far - slope_high);
        if (!(slope_far > slope_high && length > low && length < high)) {
            length = low + (high - low) * (slope_low / (slope_low - slope_high));
            if (!(length > low + 0.02 * (high - low) && length < high - 0.02 * (high - low)) || k % 3 == 2)
                length = 0.5 * (low + high);
        }
        slope = probe(sim, length);
        if (fabs(slope) <= 0.5 * begin) return true;
        if (slope < 0.0) {
            low = length;
            slope_low = slope;
        } else {
            far = high;
            slope_far = slope_high;
            high = length;
            slope_high = isfinite(slope) ? slope : begin;
        }
    }
    return isfinite(slope) || isfinite(probe(sim, low));
}

/// @return size of the largest entry of `change`; its number -> iterate.worst, for messages
static double size_of_change(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    double most = -1.0;
    for (int i = 0; i < sim->nv; i++) {
        if (!(fabs(im->iterate.change[i]) > most)) continue;
        most = fabs(im->iterate.change[i]);
        im->iterate.worst = i;
    }
    return most;
}

static void solve_step(void *context, double *x)
{
    ff_factors_solve(context, x);
}

/// Newton's change under the loops of the model: A dv = -h r + G' (h lambda), and G (v + dv) = 0. The multipliers are
/// new in every round; their work along dv -> loop_slope.
static void close_loops(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    ff_loops *loops = sim->loops;
    if (!loops) return;
    ff_loops_position(sim->model, sim->data, loops);
    ff_loops_factor(sim->model, loops, solve_step, sim);
    ff_loops_multiply(loops, im->iterate.v, im->iterate.loop_speed);
    for (int i = 0; i < loops->nrow; i++) im->iterate.loop_speed[i] = -im->iterate.loop_speed[i];
    ff_loops_solve(sim->model, loops, im->iterate.loop_speed, im->iterate.change, im->iterate.loop_impulse);
    im->iterate.loop_slope = 0.0;
    for (int i = 0; i < loops->nrow; i++)
        im->iterate.loop_slope += im->iterate.loop_speed[i] * im->iterate.loop_impulse[i] / im->h;
}

/// Computes the change by A alone, with the part of the slope that A lacks multiplied with the change that GMRES found.
/// This balances the forces of the step to rounding, and not to the tolerance of GMRES.
static void balance_by_matrix(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    memset(im->iterate.change, 0, (size_t)sim->nv * sizeof(double));
    ff_contacts_add_rest(sim, im->iterate.krylov_change, im->iterate.change);
    ff_factors_solve(sim, im->iterate.change);
    if (sim->loops) {
        ff_loops_solve(sim->model, sim->loops, sim->no_motion, im->iterate.change, im->iterate.loop_impulse);
        for (int i = 0; i < sim->loops->nrow; i++)
            im->iterate.loop_slope -= im->iterate.loop_speed[i] * im->iterate.loop_impulse[i] / im->h;
    }
    for (int i = 0; i < sim->nv; i++) im->iterate.change[i] = im->iterate.matrix_change[i] - im->iterate.change[i];
}

// ----------------------------------------------------------------------------------------- whole slope of the contacts

// The matrix A has the symmetric and positive part of the slope, which can be factored along the branches. The other
// part, E, has a small rank: friction of sliding points depends on the normal force, and where dampers grow with the
// depth also on the depth. Without E the iteration alternates with a rate near 1 at hard contacts. The system with E is
// solved by the method of generalised minimal residuals, GMRES (Y. Saad, M. H. Schultz, SIAM J. Sci. Stat. Comput. 7,
// 1986), preconditioned by A^-1,
//     (1 + A^-1 E) x = A^-1 b,
// which takes at most as many rounds as the rank of E, in practice three to five.

enum { BASIS = 24 };
static const double KRYLOV_TOLERANCE = 1e-4; // residual by the right-hand side: Newton's own error is larger

struct ff_krylov {
    double *basis[BASIS + 1];        // (nv each)
    double column[BASIS][BASIS + 1]; // of the Hessenberg matrix, rotated to a triangle
    double cosine[BASIS], sine[BASIS];
    double goal[BASIS + 1]; // right-hand side, rotated with the matrix
};

bool ff_krylov_create(ff_sim *sim)
{
    ff_krylov *kr = sim->implicit->krylov = FF_ARENA_NEW(&sim->arena, ff_krylov, 1);
    if (!kr) return false;
    for (int k = 0; k <= BASIS; k++) kr->basis[k] = FF_ARENA_NEW(&sim->arena, double, sim->nv + 1);
    return !sim->arena.failed;
}

/// y = A^-1 E x, under the loops of the model.
static void multiply(ff_sim *sim, const double *x, double *y)
{
    memset(y, 0, (size_t)sim->nv * sizeof(double));
    ff_contacts_add_rest(sim, x, y);
    ff_factors_solve(sim, y);
    if (sim->loops) ff_loops_solve(sim->model, sim->loops, sim->no_motion, y, NULL);
}

/// Makes the next vector of the basis orthogonal to those before. @return its length before it was scaled to 1
static double orthogonalise(ff_krylov *kr, int k, int n)
{
    double *next = kr->basis[k + 1];
    for (int i = 0; i <= k; i++) {
        const double along = ff_dot(next, kr->basis[i], n);
        kr->column[k][i] = along;
        for (int j = 0; j < n; j++) next[j] -= along * kr->basis[i][j];
    }
    const double length = sqrt(ff_dot(next, next, n));
    kr->column[k][k + 1] = length;
    if (length > 0.0)
        for (int j = 0; j < n; j++) next[j] /= length;
    return length;
}

/// Rotates the new column to triangular form, and the right-hand side with it (W. Givens).
static void rotate(ff_krylov *kr, int k)
{
    double *column = kr->column[k];
    for (int i = 0; i < k; i++) {
        const double a = column[i], b = column[i + 1];
        column[i] = kr->cosine[i] * a + kr->sine[i] * b;
        column[i + 1] = kr->cosine[i] * b - kr->sine[i] * a;
    }
    const double length = sqrt(column[k] * column[k] + column[k + 1] * column[k + 1]);
    kr->cosine[k] = length > 0.0 ? column[k] / length : 1.0;
    kr->sine[k] = length > 0.0 ? column[k + 1] / length : 0.0;
    column[k] = length;
    kr->goal[k + 1] = -kr->sine[k] * kr->goal[k];
    kr->goal[k] *= kr->cosine[k];
}

/// Takes x = A^-1 b to the solution of the system with E.
static void solve_whole(ff_sim *sim, double *x)
{
    ff_krylov *kr = sim->implicit->krylov;
    const int n = sim->nv;
    double *first = kr->basis[0];
    multiply(sim, x, first); // the residual of x = A^-1 b is -A^-1 E x
    const double length = sqrt(ff_dot(first, first, n)), enough = KRYLOV_TOLERANCE * sqrt(ff_dot(x, x, n));
    if (!(length > enough)) return;
    for (int j = 0; j < n; j++) first[j] /= -length;
    kr->goal[0] = length;
    int count = 0;
    while (count < BASIS && fabs(kr->goal[count]) > enough) {
        multiply(sim, kr->basis[count], kr->basis[count + 1]);
        for (int j = 0; j < n; j++) kr->basis[count + 1][j] += kr->basis[count][j];
        const double length_left = orthogonalise(kr, count, n);
        rotate(kr, count++);
        if (!(length_left > 0.0)) break;
    }
    for (int k = count - 1; k >= 0; k--) { // back substitution, and the sum of the basis on the way
        if (!(kr->column[k][k] > 0.0)) return;
        kr->goal[k] /= kr->column[k][k];
        for (int i = 0; i < k; i++) kr->goal[i] -= kr->goal[k] * kr->column[k][i];
        for (int j = 0; j < n; j++) x[j] += kr->goal[k] * kr->basis[k][j];
    }
}

/// Newton's change by the whole slope of the contacts; it stays that by A where the other is no descent direction.
static void use_whole_slope(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const size_t size = (size_t)sim->nv * sizeof(double);
    const double loop_slope = im->iterate.loop_slope;
    memcpy(im->iterate.matrix_change, im->iterate.change, size);
    solve_whole(sim, im->iterate.change);
    memcpy(im->iterate.krylov_change, im->iterate.change, size);
    if (sim->options.accuracy > 0.0) balance_by_matrix(sim);
    im->iterate.whole_slope = slope_along(im, sim->nv) < 0.0;
    if (im->iterate.whole_slope) return;
    memcpy(im->iterate.change, im->iterate.matrix_change, size);
    im->iterate.loop_slope = loop_slope;
}

// ------------------------------------------------------------------------------------------ convergence

/// Does the velocity alternate between both sides of a jump of a force? A force that jumps, such as friction without a
/// cone at a point that lifts off, may allow no balance. In the shortest step either side is accepted.
static bool is_accepted_at_jump(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double speed = 1.0;
    for (int i = 0; i < sim->nv; i++) speed = ff_max(speed, fabs(im->iterate.v[i]));
    return im->shortest && im->iterate.slow_part < 0 && im->contacts.slot && im->iterate.size <= JUMP_TOLERANCE * speed;
}

/// @return sum of the later changes of the velocity, which would continue Newton's change as a geometric series
static double remaining_change(const ff_iterate *it)
{
    return it->size * ff_min(1.0, it->rate / (1.0 - it->rate));
}

/// Is the remaining change `left` small, and do part states, stops and dry friction stay as they were evaluated?
/// @param fixed  velocity tolerance of a fixed step
static bool is_change_small(const ff_sim *sim, double left, double fixed)
{
    return sim->implicit->iterate.slow_part < 0 && ff_stops_converged(sim) && ff_dry_friction_converged(sim) &&
           left <= ff_tolerance_of(sim, fixed);
}

/// Are the forces known after a small change? At a contact that the step does not resolve, a velocity that hardly
/// changes positions may change the force by the weight of the body, or reverse friction: its law has been evaluated
/// after the change (ff_contacts_follow). A small change may also press an open point into concrete: a depth of 18 um,
/// within an accuracy of 1e-2, stores 0.4 J.
static bool are_forces_known(ff_sim *sim, double left, double fixed)
{
    return left <= fixed ||
           (ff_dry_springs_converged(sim) && ff_contacts_converged(sim) && !ff_contacts_penetrate(sim));
}

/// Lets part states follow Newton's last change, after which the forces are not evaluated again. Their rates become the
/// mean rates over the step.
static void update_part_states(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->nv; i++) im->work[i] = im->h * im->iterate.change[i];
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.states) continue;
        const double *dz = ff_implicit_part_follow(sim, i, im->work, im->iterate.change),
                     *z0 = im->base + sim->nq + sim->nv + slot->offset;
        double *z = im->iterate.z + slot->offset, *rate = im->iterate.zdot + slot->offset;
        for (int k = 0; k < slot->part.nstate; k++) {
            z[k] += dz[k];
            rate[k] = (z[k] - z0[k]) / im->h;
        }
    }
}

ff_try ff_newton_begin(ff_sim *sim)
{
    ff_iterate *it = &sim->implicit->iterate;
    it->size = INFINITY;
    if (!ff_implicit_evaluate(sim)) return FF_TRY_BAD;
    if (sim->nv == 0) return it->slow_part < 0 ? FF_TRY_OK : FF_TRY_SLOW;
    return ff_factors_last(sim) || ff_factors_make(sim, !ff_factors_mass_lasts(sim)) ? FF_TRY_MORE : FF_TRY_BAD;
}

/// Adds the last change to the velocity and the part states.
static void add_change(ff_sim *sim)
{
    ff_iterate *it = &sim->implicit->iterate;
    for (int i = 0; i < sim->nv; i++) it->v[i] += it->change[i];
    update_part_states(sim);
    it->active_before = it->active;
    it->rate = ff_min(1.0, 1.1 * it->rate + 1e-2); // until it is measured again
}

ff_try ff_newton_solve(ff_sim *sim, int round)
{
    const ff_implicit *im = sim->implicit;
    ff_iterate *it = &sim->implicit->iterate;
    if (sim->undo.possible && ff_stop_asked()) return FF_TRY_STOPPED;
    sim->counts.iterations++;
    for (int i = 0; i < sim->nv; i++) it->change[i] = -im->h * it->residual[i];
    ff_factors_solve(sim, it->change);
    it->loop_slope = 0.0;
    it->whole_slope = false;
    close_loops(sim);
    if (round > 1 && im->contacts.count > 0 && it->rate > WHOLE_SLOPE_RATE) use_whole_slope(sim);
    const double size = size_of_change(sim), before = it->size;
    if (!isfinite(size)) return FF_TRY_BAD;
    if (round == 0 && it->active != it->active_before) it->rate = 1.0;
    if (round > 0) it->rate = before <= FAR_OFF ? ff_min(size / before, 1.0) : 1.0;
    it->size = size;
    const double left = remaining_change(it), fixed = ff_tolerance_fixed(sim);
    if (!is_change_small(sim, left, fixed)) return FF_TRY_MORE;
    ff_contacts_follow(sim);
    if (!are_forces_known(sim, left, fixed)) return FF_TRY_MORE;
    add_change(sim);
    return FF_TRY_OK;
}

ff_try ff_newton_limit(ff_sim *sim)
{
    return move_along(sim) ? FF_TRY_MORE : FF_TRY_BAD;
}

ff_try ff_newton_linearise(ff_sim *sim)
{
    const bool fit = sim->implicit->iterate.rate <= REFACTOR_RATE && ff_factors_fit(sim);
    return fit || ff_factors_make(sim, false) ? FF_TRY_MORE : FF_TRY_BAD;
}

ff_try ff_newton_end(ff_sim *sim)
{
    if (!is_accepted_at_jump(sim)) return FF_TRY_SLOW;
    sim->counts.edges++;
    return FF_TRY_OK;
}
