// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One step of the implicit method. Backward Euler in the velocity,
//     M (v1 - v0) / h + bias = tau(q1, v1, t + h) + J' F(q1, v1),      q1 = q0 moved by v1 for h,
// by Newton's iteration  A dv = -h r(v),  A = M + h D + h^2 K,  then one more solution with the same factors,
//     (1 - h J) d = h/2 (f(x0) - f(y1)),          x1 = y1 + d,
// which makes the step second order, since y1 + h/2 (f(x0) - f(y1)) is the trapezoidal rule, and gives the error of y1
// on the way. For x' = lambda x and w = h lambda the step multiplies by (1 - w - w^2/2) / (1 - w)^2: below 1 for every
// w in the left half plane, -1/2 at infinity. J needs no accuracy for that (an error in it enters d at third order), so
// A may leave out what is hard to get.
//
// r is nearly the gradient of a convex function of v: inertia is, and forces that oppose motion are. Along dv its slope
// dv . r then rises through zero once. A step that overshoots far enough to have it rise to where it began is cut back
// to near that zero, so that friction and contacts, whose slopes jump, cannot make the iteration go in circles.
#include "dyn/loop_response.h"
#include "engine/implicit.h"

static const double CLOSE = 1e-9; // velocity to which a fixed step is solved, and part of the largest velocity:
static const double CLOSE_RELATIVE =
    1e-7; // well below the method's own error for steps above some 1e-5 s, well above rounding
static const double CLOSE_ACCURACY = 0.02; // with error control: part of the error allowed
static const double LENGTH = 0.1;          // the accuracy counts in units of this  [m, rad]
static const double EDGE = 1e-3;           // change of velocity, and part of the largest, that a jump may leave
static const double WHOLE = 0.2;           // rate of convergence beyond which contacts get their whole slope
static const double ASTRAY =
    1e6; // change of velocity beside which the next is small, wherever that leads  [m/s, rad/s]
enum { ROUNDS_MOST = 20, PROBES_MOST = 10 };

// ------------------------------------------------------------------------------------------ memory

static double *numbers(ff_sim *sim, int count)
{
    return FF_ARENA_NEW(&sim->arena, double, count > 0 ? count : 1);
}

/// Which states of a part measure its error.
static void count_states(const ff_sim *sim, int part)
{
    const ff_part_slot *slot = &sim->parts[part];
    ff_implicit *im = sim->implicit;
    const int *rate = slot->part.rate_of, n = slot->part.nstate;
    if (slot == im->coupled) return;
    for (int i = 0; i < n; i++) {
        bool speed = false;
        for (int k = 0; rate && k < n && !speed; k++) speed = rate[k] == i;
        if (!speed) im->counts[im->ncount++] = slot->offset + i;
    }
}

/// The part that couples bodies, where there is one.
static bool find_coupling(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->npart && !im->coupled; i++)
        if (sim->parts[i].inner.coupling) im->coupled = &sim->parts[i];
    if (!im->coupled) return true;
    im->coupling = im->coupled->inner.coupling;
    im->grips = FF_ARENA_NEW(&sim->arena, ff_grip_slope, im->coupling->most);
    im->held = FF_ARENA_NEW(&sim->arena, ff_held_grip, im->coupling->most);
    return im->grips && im->held && ff_implicit_units(sim);
}

static bool create_parts(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const size_t count = (size_t)sim->npart + 1;
    const ff_part_slot *contacts = im->coupled;
    im->own[0][1] = contacts ? contacts->offset : sim->nz;
    im->own[1][0] = contacts ? contacts->offset + contacts->part.nstate : sim->nz;
    im->own[1][1] = sim->nz;
    im->stiff = FF_ARENA_NEW(&sim->arena, bool, count);
    im->part_ready = FF_ARENA_NEW(&sim->arena, bool, count);
    im->part_matrix = FF_ARENA_NEW(&sim->arena, double *, count);
    im->part_pivot = FF_ARENA_NEW(&sim->arena, int *, count);
    im->counts = FF_ARENA_NEW(&sim->arena, int, sim->nz + 1);
    if (!im->stiff || !im->part_ready || !im->part_matrix || !im->part_pivot || !im->counts) return false;
    for (int i = 0; i < sim->npart; i++) {
        count_states(sim, i);
        const int n = sim->parts[i].part.nstate;
        if (n == 0 || n > FF_LINALG_MAX) continue;
        im->part_matrix[i] = numbers(sim, n * n);
        im->part_pivot[i] = FF_ARENA_NEW(&sim->arena, int, n);
        if (!im->part_matrix[i] || !im->part_pivot[i]) return false;
    }
    return true;
}

ff_status ff_implicit_create(ff_sim *sim, ff_error *err)
{
    ff_implicit *im = sim->implicit = FF_ARENA_NEW(&sim->arena, ff_implicit, 1);
    bool ok = im != NULL;
    const int nv = sim->nv, nz = sim->nz + sim->nquad;
    if (ok) {
        double **const of_nv[] = {
            &im->mean,         &im->jerk,    &im->v,    &im->acc0,  &im->seen,    &im->residual,
            &im->move,         &im->rest,    &im->base, &im->work,  &im->shift,   &im->shift_q,
            &im->stiffness,    &im->damping, &im->tau,  &im->right, &im->driving, &im->joint_stiffness,
            &im->joint_damping};
        double **const of_nz[] = {&im->z, &im->zdot, &im->zdot0, &im->shift_z, &im->follow_z};
        for (size_t i = 0; i < sizeof of_nv / sizeof *of_nv; i++) ok = ok && (*of_nv[i] = numbers(sim, nv));
        for (size_t i = 0; i < sizeof of_nz / sizeof *of_nz; i++) ok = ok && (*of_nz[i] = numbers(sim, nz));
        const int stops = nv + (sim->model ? sim->model->ntendon : 0);
        ok = ok && (im->stop_force = numbers(sim, stops)) && (im->stop_slope = numbers(sim, stops));
        ok = ok && (im->stop_unfelt = numbers(sim, stops)) && (im->stop_stiffness = numbers(sim, stops));
        ok = ok && (im->cones = FF_ARENA_NEW(&sim->arena, ff_cone_slope, (size_t)nv / 3 + 1));
        ok = ok && (im->q = numbers(sim, sim->nq));
        ok = ok && (im->wrench = numbers(sim, sim->model ? 6 * sim->model->nnode : 0));
        ok = ok && (im->applied = numbers(sim, sim->model ? 6 * sim->model->nnode : 0));
    }
    if (ok && sim->loops) {
        im->opening = numbers(sim, sim->loops->nrow);
        im->push = numbers(sim, sim->loops->nrow);
        ok = im->opening && im->push;
    }
    ok = ok && find_coupling(sim) && create_parts(sim) && ff_dry_friction_create(sim) && ff_implicit_matrix_create(sim);
    return ok ? FF_OK : ff_error_set(err, FF_NO_MEMORY, "no memory for the implicit method");
}

void ff_implicit_forget(ff_sim *sim)
{
    if (!sim->implicit) return;
    memset(sim->implicit->mean, 0, (size_t)sim->nv * sizeof(double));
    memset(sim->implicit->jerk, 0, (size_t)sim->nv * sizeof(double));
    sim->implicit->rate = 1.0;
    sim->implicit->factored = false;
}

// ------------------------------------------------------------------------------------------ Newton's iteration

static double fixed_closeness(const ff_sim *sim)
{
    double speed = 0.0;
    for (int i = 0; i < sim->nv; i++) speed = ff_max(speed, fabs(sim->implicit->v[i]));
    return CLOSE + CLOSE_RELATIVE * speed;
}

/// @param fixed  of fixed_closeness
static double closeness(const ff_sim *sim, double fixed)
{
    const ff_implicit *im = sim->implicit;
    if (!(sim->options.accuracy > 0.0)) return fixed;
    const double by_place = CLOSE_ACCURACY * LENGTH * sim->options.accuracy / im->h;
    const double by_speed = im->strict ? FF_IMPLICIT_STRICT * sim->options.accuracy : INFINITY;
    return ff_max(fixed, ff_min(by_place, by_speed));
}

double ff_implicit_closeness(const ff_sim *sim)
{
    return closeness(sim, fixed_closeness(sim));
}

static double slope_along(const ff_implicit *im, int nv)
{
    double sum = -im->pull;
    for (int i = 0; i < nv; i++) sum += im->move[i] * im->residual[i];
    return sum;
}

/// Tries v = base + length * move. @return move . r there, NAN when the forces are not finite
static double probe(ff_sim *sim, double length)
{
    ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->nv; i++) im->v[i] = im->base[i] + length * im->move[i];
    return ff_implicit_evaluate(sim) ? slope_along(im, sim->nv) : NAN;
}

/// Moves v along `move`, the whole way or to near the zero of the slope. @return false when there are no finite forces
/// on the way
static bool advance(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    memcpy(im->base, im->v, (size_t)sim->nv * sizeof(double));
    double low = 0.0, high = 1.0, slope_low = slope_along(im, sim->nv);
    const double begin = -slope_low;
    double slope = probe(sim, 1.0);
    if (slope <= 0.9 * begin) return true;
    double slope_high = isfinite(slope) ? slope : begin, far = high, slope_far = slope_high;
    for (int k = 0; k < PROBES_MOST; k++) {
        // Beyond where a stop or contact is met the slope may be a million times as steep: the line through two points
        // there leads to it, and what is evaluated next has it in its matrix.
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

/// Largest entry of `move`, remembered for messages.
static double size_of_move(const ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    double most = -1.0;
    for (int i = 0; i < sim->nv; i++) {
        if (!(fabs(im->move[i]) > most)) continue;
        most = fabs(im->move[i]);
        im->worst = i;
    }
    return most;
}

static void solve_step(void *context, double *x)
{
    ff_implicit_solve(context, x);
}

/// Newton's change under the loops of the model: A dv = -h r + G' (h lambda), and G (v + dv) = 0. The multipliers are
/// new at every round, and their pull along dv is left out of the slope.
static void close_loops(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    ff_loops *loops = sim->loops;
    if (!loops) return;
    ff_loops_position(sim->model, sim->data, loops);
    ff_loops_factor(sim->model, loops, solve_step, sim);
    ff_loops_multiply(loops, im->v, im->opening);
    for (int i = 0; i < loops->nrow; i++) im->opening[i] = -im->opening[i];
    ff_loops_solve(sim->model, loops, im->opening, im->move, im->push);
    im->pull = 0.0;
    for (int i = 0; i < loops->nrow; i++) im->pull += im->opening[i] * im->push[i] / im->h;
}

/// The slope that A leaves out acts on what GMRES found, `rest`; this change balances the step by A to rounding, which
/// one that is solved closely does by itself.
static void balance_by_matrix(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    memset(im->move, 0, (size_t)sim->nv * sizeof(double));
    ff_implicit_contact_rest(sim, im->rest, im->move);
    ff_implicit_solve(sim, im->move);
    if (sim->loops) {
        ff_loops_solve(sim->model, sim->loops, sim->no_motion, im->move, im->push);
        for (int i = 0; i < sim->loops->nrow; i++) im->pull -= im->opening[i] * im->push[i] / im->h;
    }
    for (int i = 0; i < sim->nv; i++) im->move[i] = im->base[i] - im->move[i];
}

/// Newton's change by the whole slope of the contacts, where it is a way down too.
static void whole_slope(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const size_t size = (size_t)sim->nv * sizeof(double);
    const double pull = im->pull;
    memcpy(im->base, im->move, size);
    ff_krylov_improve(sim, im->move);
    memcpy(im->rest, im->move, size);
    if (sim->options.accuracy > 0.0) balance_by_matrix(sim);
    im->whole = slope_along(im, sim->nv) < 0.0;
    if (im->whole) return;
    memcpy(im->move, im->base, size);
    im->pull = pull;
}

/// A force that jumps, such as a grip without a cone that lifts, can leave no balance: the velocity goes to and fro by
/// `size` between both sides of the jump. Over the shortest step one side is as good as the other.
static bool on_edge(ff_sim *sim, double size)
{
    const ff_implicit *im = sim->implicit;
    double speed = 1.0;
    for (int i = 0; i < sim->nv; i++) speed = ff_max(speed, fabs(im->v[i]));
    if (!im->shortest || im->slow_part >= 0 || !im->coupled || !(size <= EDGE * speed)) return false;
    sim->counts.edges++;
    return true;
}

/// Is the velocity found by Newton's change, of the largest entry `size`? What it leaves is a geometric series. At a
/// contact that the step does not resolve, a velocity that hardly moves anything may be as much force as the body
/// weighs, or turn its friction round: there the law is asked. And what hardly moves a point that is still apart may
/// press it into concrete: 18 um, which an accuracy of 1e-2 lets pass, hold 0.4 J there.
static bool found(ff_sim *sim, double size)
{
    const ff_implicit *im = sim->implicit;
    const double left = size * ff_min(1.0, im->rate / (1.0 - im->rate)), fixed = fixed_closeness(sim);
    if (im->slow_part >= 0 || !ff_stops_hold(sim) || !ff_dry_friction_holds(sim) || !(left <= closeness(sim, fixed)))
        return false;
    ff_implicit_contact_change(sim);
    return left <= fixed || (ff_dry_springs_hold(sim) && ff_implicit_contacts_hold(sim) && !ff_implicit_strikes(sim));
}

/// States of a part follow a change of the motion of the joints -> im->follow_z.
static const double *follow(const ff_sim *sim, int part, const double *moved, const double *faster)
{
    const ff_implicit *im = sim->implicit;
    const ff_part_slot *slot = &sim->parts[part];
    double *x = im->follow_z + slot->offset;
    slot->inner.states->follow(slot->part.context, im->h, moved, faster, x);
    if (!slot->part.relax) ff_implicit_part_solve(im, slot, part, x);
    return x;
}

/// Newton's last change, after which no states are settled again: they follow it, and have the rates that have led
/// there.
static void take_along(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->nv; i++) im->work[i] = im->h * im->move[i];
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.states) continue;
        const double *x = follow(sim, i, im->work, im->move), *z0 = sim->x + sim->nq + sim->nv + slot->offset;
        double *z = im->z + slot->offset, *rate = im->zdot + slot->offset;
        for (int k = 0; k < slot->part.nstate; k++) {
            z[k] += x[k];
            rate[k] = (z[k] - z0[k]) / im->h;
        }
    }
}

static ff_try newton(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const int nv = sim->nv;
    double before = INFINITY;
    if (!ff_implicit_evaluate(sim)) return FF_TRY_BAD;
    if (nv == 0) return im->slow_part < 0 ? FF_TRY_OK : FF_TRY_SLOW;
    if (!ff_implicit_matrix_lasts(sim) && !ff_implicit_factor(sim, !ff_implicit_mass_lasts(sim))) return FF_TRY_BAD;
    for (int round = 0; round < ROUNDS_MOST; round++) {
        if (sim->undoable && ff_stop_asked()) return FF_TRY_STOPPED;
        sim->counts.iterations++;
        for (int i = 0; i < nv; i++) im->move[i] = -im->h * im->residual[i];
        ff_implicit_solve(sim, im->move);
        im->pull = 0.0;
        im->whole = false;
        close_loops(sim);
        if (round > 1 && im->ngrip > 0 && im->rate > WHOLE) whole_slope(sim);
        const double size = size_of_move(sim);
        if (!isfinite(size)) return FF_TRY_BAD;
        if (round == 0 && im->active != im->active_last) im->rate = 1.0;
        if (round > 0) im->rate = before <= ASTRAY ? ff_min(size / before, 1.0) : 1.0;
        if (found(sim, size)) {
            for (int i = 0; i < nv; i++) im->v[i] += im->move[i];
            take_along(sim);
            im->active_last = im->active;
            im->rate = ff_min(1.0, 1.1 * im->rate + 1e-3); // to be measured again before long
            return FF_TRY_OK;
        }
        before = size;
        if (!advance(sim)) return FF_TRY_BAD;
        if ((im->rate > 0.3 || !ff_implicit_matrix_fits(sim)) && !ff_implicit_factor(sim, false)) return FF_TRY_BAD;
    }
    return on_edge(sim, before) ? FF_TRY_OK : FF_TRY_SLOW;
}

// ------------------------------------------------------------------------------------------ second order

/// A correction of states that the joints do not move with pushes these -> shift. Without it that of a stiff spring
/// between a rotor and its joint would be wrong by the whole of it.
static void push_joints(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (slot->inner.states)
            slot->inner.states->push(slot->part.context, im->h, im->shift_z + slot->offset, im->shift);
    }
}

/// States follow the correction of the joints -> shift_z.
static void follow_joints(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    for (int i = 0; i < sim->npart; i++) {
        const ff_part_slot *slot = &sim->parts[i];
        if (!slot->inner.states) continue;
        const double *x = follow(sim, i, im->shift_q, im->shift);
        for (int k = 0; k < slot->part.nstate; k++) im->shift_z[slot->offset + k] += x[k];
    }
}

/// The correction of y1 -> shift, shift_q, shift_z; with error control velocities of the points by it.
static void correct(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    const double h = im->h, *v0 = sim->x + sim->nq;
    for (int i = 0; i < im->own[0][1]; i++) im->shift_z[i] = 0.5 * h * (im->zdot0[i] - im->zdot[i]);
    for (int i = im->own[1][0]; i < sim->nz + sim->nledger; i++) // integrals of parts: when they are added
        im->shift_z[i] = 0.5 * h * (im->zdot0[i] - im->zdot[i]);
    if (sim->nledger > 0) im->shift_z[sim->nz + FF_LEDGER_JOINTS] -= 0.5 * h * im->stop_power;
    for (int i = 0; i < sim->npart; i++)
        ff_implicit_part_solve(im, &sim->parts[i], i, im->shift_z + sim->parts[i].offset);
    if (!sim->model) return;
    for (int i = 0; i < sim->nv; i++) im->work[i] = 0.5 * h * (im->acc0[i] - (im->v[i] - v0[i]) / h);
    ff_implicit_mass_mul(sim, im->work, im->shift);
    for (int i = 0; i < sim->nv; i++) {
        im->work[i] = v0[i] - im->v[i];
        im->shift[i] -= 0.5 * h * h * im->stiffness[i] * im->work[i];
    }
    ff_stops_late(sim, 0.5 * h, im->shift);
    ff_cones_pull(sim, im->work, 0.5 * h * h, im->shift);
    ff_strings_pull(sim, im->work, 0.5 * h * h, im->shift);
    ff_implicit_contact_pull(sim, im->work, 0.5 * h * h, im->shift);
    push_joints(sim);
    ff_implicit_solve(sim, im->shift);
    if (sim->loops) ff_loops_solve(sim->model, sim->loops, sim->no_motion, im->shift, NULL);
    for (int i = 0; i < sim->nv; i++) im->shift_q[i] = h * im->shift[i] + 0.5 * h * (v0[i] - im->v[i]);
    follow_joints(sim);
    if (sim->options.accuracy > 0.0) ff_implicit_grip_velocities(sim, im->shift); // which its error asks for
}

/// Size of the correction in units of what the accuracy allows. Velocities are left out but for those at contacts: a
/// body that lands on something hard is in the right place at the end of any step, whether it bounces there or not. So
/// are the speeds of rotors, as those of the joints behind them, and springs of contacts, which follow the positions.
static double error_of(const ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    double most = 0.0;
    for (int i = 0; i < sim->nv; i++) most = ff_max(most, fabs(im->shift_q[i]));
    most /= LENGTH;
    for (int k = 0; k < im->ncount; k++) {
        const int i = im->counts[k];
        most = ff_max(most, fabs(im->shift_z[i]) / (LENGTH + fabs(im->z[i])));
    }
    return ff_max(most, ff_implicit_contact_speed(sim)) / sim->options.accuracy;
}

/// Work of the drives along the way of the step from v0 to v1, less the trapezoid of their powers. `end` is the
/// velocity their forces at the end were evaluated at. The correction d moves v by the mean (f0 + f1) / 2 + J d of the
/// forces.
static double work_of_step(const ff_sim *sim, const double *v0, const double *end, const double *v1)
{
    const ff_implicit *im = sim->implicit;
    double sum = 0.0;
    for (int i = 0; i < sim->nv; i++) {
        const double f0 = im->driving[i], f1 = sim->driving[i];
        if (f0 == 0.0 && f1 == 0.0) continue; // slopes there are those of others
        const double stiffness = im->stiffness[i] - im->joint_stiffness[i],
                     damping = im->damping[i] - im->joint_damping[i];
        const double change = stiffness * im->shift_q[i] + damping * im->shift[i];
        const double mean = im->corrected ? 0.5 * (f0 + f1) - change : f1;
        sum += 0.5 * mean * (v0[i] + v1[i]) - 0.5 * (f0 * v0[i] + f1 * end[i]);
    }
    if (im->corrected && im->strings)
        sum -=
            0.5 * (ff_strings_work(sim, im->shift_q, im->shift, v0) + ff_strings_work(sim, im->shift_q, im->shift, v1));
    return im->h * sum;
}

/// Powers at the end of the step belong to the velocity evaluated last, which one more change has moved.
static void relax_losses(ff_sim *sim)
{
    const ff_implicit *im = sim->implicit;
    if (sim->nledger == 0) return;
    double *powers = im->zdot + sim->nz;
    for (int k = 0; k < im->ngrip; k++) {
        const ff_grip_slope *grip = &im->grips[k];
        powers[FF_LEDGER_NORMAL] += grip->lost_normal - grip->acting->loss_normal;
        powers[FF_LEDGER_FRICTION] += grip->lost_friction - grip->acting->loss_friction;
    }
}

/// States and integrals of the part that couples bodies, at the end of the step.
static void finish_coupled(const ff_sim *sim, double *x)
{
    const ff_implicit *im = sim->implicit;
    const void *context = im->coupled->part.context;
    const int at = sim->nq + sim->nv + im->coupled->offset;
    if (im->corrected && im->ngrip > 0) ff_implicit_held_twists(sim, im->shift);
    im->coupling->integrate(context, sim, im->grips, im->ngrip, im->h, im->corrected,
                            x + sim->n - sim->nintegral + im->coupled->integral);
    ff_implicit_grip_velocities(sim, im->work);
    im->coupling->finish(context, im->grips, im->ngrip, im->h, sim->x + at, x + at);
}

/// A step that is not corrected has moved the bodies by the forces at its end alone. Where a power of loss at the start
/// is another one, since a contact or a stop was pressed together or open there, the trapezoid of the two is wrong by
/// that.
/// @return what it has too much
static double excess(const ff_sim *sim, int entry)
{
    static const double SAME = 0.1; // half the change of power that slowing down or turning within a step explains
    const ff_implicit *im = sim->implicit;
    const double shift = im->shift_z[sim->nz + entry], most = SAME * im->h * fabs(im->zdot[sim->nz + entry]);
    return shift - ff_max(-most, ff_min(shift, most));
}

/// Integrals at the end of the step -> to: those of the ledger by the trapezoidal rule, whatever the step came to;
/// those of parts (impulses, energies of drives) likewise where it was corrected.
static void add_integrals(const ff_sim *sim, double *restrict to)
{
    const ff_implicit *im = sim->implicit;
    const double h = im->h;
    const double *from = sim->x + sim->n - sim->nquad, *rate = im->zdot + sim->nz, *rate0 = im->zdot0 + sim->nz;
    for (int i = 0; i < sim->nledger; i++) to[i] = from[i] + h * rate[i] + im->shift_z[sim->nz + i];
    if (im->corrected)
        for (int i = sim->nledger; i < sim->nquad; i++) to[i] = from[i] + h * rate[i] + 0.5 * h * (rate0[i] - rate[i]);
    else
        for (int i = sim->nledger; i < sim->nquad; i++) to[i] = from[i] + h * rate[i];
}

/// Takes back the heat of points in touch for a part of the step, half of whose power the trapezoid has for all of it.
static void take_back_late(const ff_sim *sim, double *x)
{
    static const int entries[2] = {FF_LEDGER_NORMAL, FF_LEDGER_FRICTION};
    const int at = sim->n - sim->nquad;
    for (int k = 0; k < 2; k++) {
        const int i = at + entries[k];
        if (sim->implicit->late[k] != 0.0)
            x[i] = ff_max(sim->x[i], x[i] - 0.5 * sim->implicit->h * sim->implicit->late[k]);
    }
}

/// The proposal -> in.trial.
static void propose(ff_sim *sim)
{
    ff_implicit *im = sim->implicit;
    double *x = sim->in.trial;
    const double *v0 = sim->x + sim->nq;
    for (int i = 0; i < sim->nv; i++) {
        im->mean[i] = (im->v[i] - v0[i]) / im->h;
        im->jerk[i] = (im->mean[i] - im->acc0[i]) / im->h;
        im->work[i] = im->v[i];
        if (im->corrected) {
            im->work[i] += im->shift_q[i] / im->h;
            im->v[i] += im->shift[i];
        }
        x[sim->nq + i] = im->v[i];
    }
    if (sim->model) ff_dyn_advance(sim->model, sim->x, im->work, im->h, x);
    for (int k = 0; k < 2; k++)
        for (int i = im->own[k][0]; i < im->own[k][1]; i++)
            x[sim->nq + sim->nv + i] = im->z[i] + (im->corrected ? im->shift_z[i] : 0.0);
    add_integrals(sim, x + sim->n - sim->nquad);
    if (sim->nledger > 0 && !im->corrected) {
        x[sim->n - sim->nquad + FF_LEDGER_FRICTION] -= excess(sim, FF_LEDGER_FRICTION);
        x[sim->n - sim->nquad + FF_LEDGER_JOINTS] -= excess(sim, FF_LEDGER_JOINTS);
    }
    if (im->coupled) finish_coupled(sim, x);
    if (sim->nledger > 0 && im->corrected && im->coupled) take_back_late(sim, x);
    if (sim->nledger > 0 && im->corrected && im->ngrip > 0) ff_implicit_contact_rub(sim, x);
    if (sim->nledger > 0 && !im->corrected && ff_implicit_too_hard(sim)) {
        const int at = sim->n - sim->nquad;
        double heat[2];
        ff_implicit_contact_heat(sim, x, heat);
        x[at + FF_LEDGER_NORMAL] = sim->x[at + FF_LEDGER_NORMAL] + heat[0];
        x[at + FF_LEDGER_FRICTION] = sim->x[at + FF_LEDGER_FRICTION] + heat[1];
    }
    if (sim->nledger > 0 && sim->model && sim->options.passive && im->stops_by_work)
        x[sim->n - sim->nquad + FF_LEDGER_JOINTS] += ff_stops_loss(sim, x);
    if (sim->nledger > 0 && sim->data) {
        ff_dry_friction_heat(sim, v0, x + sim->n - sim->nquad);
        x[sim->n - sim->nquad + FF_LEDGER_WORK] += work_of_step(sim, v0, im->seen, im->v);
    }
    sim->ode.normalise(sim->ode.context, x);
}

/// Mean acceleration to start from: that at the start of the step, and its change as in the last step. Where stiff
/// forces are at work that may be far off; it then differs much from the last mean, and the smaller of the two is
/// taken.
static double expected(const ff_implicit *im, int i)
{
    const double last = im->mean[i], now = im->acc0[i] + im->h * im->jerk[i];
    const double large = ff_max(fabs(last), fabs(now));
    if (fabs(now - last) <= 0.5 * large) return now;
    return fabs(now) < fabs(last) ? now : last;
}

ff_try ff_implicit_try(ff_sim *sim, double t, double h)
{
    ff_implicit *im = sim->implicit;
    const double *v0 = sim->x + sim->nq;
    im->t = t;
    im->h = h;
    for (int i = 0; i < sim->npart; i++) im->part_ready[i] = false;
    if (!ff_implicit_start(sim)) return FF_TRY_BAD;
    for (int i = 0; i < sim->nv; i++) im->v[i] = v0[i] + h * expected(im, i);
    const ff_try outcome = newton(sim);
    if (outcome != FF_TRY_OK) return outcome;
    ff_stops_judge(sim);
    relax_losses(sim);
    correct(sim);
    im->error = sim->options.accuracy > 0.0 ? error_of(sim) : 0.0;
    im->corrected = ff_implicit_resolved(sim) && !im->fallback;
    propose(sim);
    return FF_TRY_OK;
}
