// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Quadratic programs: closed cases, the conditions of Karush, Kuhn and Tucker on thousands of random problems
// (degenerate, nearly dependent, badly conditioned), all active sets tried one by one where that is possible,
// infeasible problems by construction. The wrench distribution whose numbers the reference prints is in
// biped/test_biped_stabiliser.c.
#include <footfall/balance.h>
#include <footfall/qp.h>

#include "check.h"

#define N 24
#define M 80

typedef struct task {
    int n, m;
    double H[N * N], g[N], A[M * N], low[M], high[M];
} task;

typedef struct answer {
    double x[N], multiplier[M];
    int active[M];
    ff_qp_result result;
} answer;

static double work[2 * N * N + 7 * N + M + N + M];

static ff_qp qp_of(const task *t)
{
    return (ff_qp){.n = t->n, .m = t->m, .H = t->H, .g = t->g, .A = t->A, .low = t->low, .high = t->high};
}

static void solve_qp(const ff_qp *qp, answer *a)
{
    CHECK(ff_qp_work_size(qp->n, qp->m) <= sizeof work / sizeof *work);
    CHECK_INT(ff_qp_solve(qp, a->x, a->multiplier, a->active, work, &a->result), FF_OK);
}

static answer solve(const task *t)
{
    answer a;
    ff_qp qp = qp_of(t);
    solve_qp(&qp, &a);
    return a;
}

static double row_value(const task *t, int i, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < t->n; k++) sum += t->A[i * t->n + k] * x[k];
    return sum;
}

// The four conditions, each relative to the size of its terms.
static void check_optimal(const task *t, const answer *a, double tolerance, double room)
{
    CHECK_INT(a->result.outcome, FF_QP_SOLVED);
    double length = 0.0;
    for (int k = 0; k < t->n; k++) length += a->x[k] * a->x[k];
    length = sqrt(length);
    for (int k = 0; k < t->n; k++) { // H x + g = A' multiplier
        double sum = t->g[k], size = fabs(t->g[k]);
        for (int l = 0; l < t->n; l++) {
            double h = k >= l ? t->H[k * t->n + l] : t->H[l * t->n + k];
            sum += h * a->x[l];
            size += fabs(h * a->x[l]);
        }
        for (int i = 0; i < t->m; i++) {
            sum -= t->A[i * t->n + k] * a->multiplier[i];
            size += fabs(t->A[i * t->n + k] * a->multiplier[i]);
        }
        CHECK_NEAR(sum / fmax(size, 1e-12), 0.0, tolerance);
    }
    for (int i = 0; i < t->m; i++) {
        double value = row_value(t, i, a->x), norm = 0.0;
        for (int k = 0; k < t->n; k++) norm += t->A[i * t->n + k] * t->A[i * t->n + k];
        double size = sqrt(norm) * length;
        CHECK(value >= t->low[i] - room * (size + fabs(t->low[i])));
        CHECK(value <= t->high[i] + room * (size + fabs(t->high[i])));
        if (a->active[i] == 0) CHECK_NEAR(a->multiplier[i], 0.0, 0.0);
        if (t->low[i] == t->high[i]) continue;
        if (a->multiplier[i] > 0.0) CHECK_NEAR(value, t->low[i], 1e-11 * (size + fabs(t->low[i])));
        if (a->multiplier[i] < 0.0) CHECK_NEAR(value, t->high[i], 1e-11 * (size + fabs(t->high[i])));
    }
}

// ------------------------------------------------------------------------------------------ closed cases

static task distance_task(const double *target, int n)
{
    task t = {.n = n};
    for (int i = 0; i < n; i++) {
        t.H[i * n + i] = 1.0;
        t.g[i] = -target[i];
    }
    return t;
}

static void add_row(task *t, const double *a, double low, double high)
{
    memcpy(t->A + t->m * t->n, a, (size_t)t->n * sizeof *a);
    t->low[t->m] = low;
    t->high[t->m] = high;
    t->m++;
}

/// A limit of each unknown.
static void add_limits(task *t, double low, double high)
{
    for (int i = 0; i < t->n; i++) {
        double unit[N] = {0};
        unit[i] = 1.0;
        add_row(t, unit, low, high);
    }
}

TEST(nearest_point_of_a_box_is_the_clamped_one)
{
    ff_random random = ff_random_make(61, 0);
    for (int trial = 0; trial < 500; trial++) {
        double target[8];
        for (int i = 0; i < 8; i++) target[i] = 2.0 * ff_random_normal(&random);
        task t = distance_task(target, 8);
        add_limits(&t, -1.0, 0.5);
        answer a = solve(&t);
        CHECK_INT(a.result.outcome, FF_QP_SOLVED);
        for (int i = 0; i < 8; i++) {
            double want = fmin(fmax(target[i], -1.0), 0.5);
            CHECK_NEAR(a.x[i], want, 1e-15);
            CHECK_NEAR(a.multiplier[i], want - target[i], 1e-14); // H x + g = multiplier
            CHECK_INT(a.active[i], target[i] < -1.0 ? -1 : target[i] > 0.5 ? 1 : 0);
        }
    }
}

// Nearest point of {x >= 0, sum x = 1}: subtract a number and clamp at zero, the number found by sorting (M. Held, P.
// Wolfe, H. P. Crowder, 1974).
TEST(nearest_point_of_a_simplex_is_the_water_level)
{
    ff_random random = ff_random_make(62, 0);
    for (int trial = 0; trial < 500; trial++) {
        double target[10], sorted[10], level = 0.0, ones[10];
        for (int i = 0; i < 10; i++) {
            target[i] = ff_random_normal(&random);
            ones[i] = 1.0;
            int k = i;
            for (; k > 0 && sorted[k - 1] < target[i]; k--) sorted[k] = sorted[k - 1];
            sorted[k] = target[i];
        }
        double sum = 0.0;
        for (int i = 0; i < 10; i++) {
            sum += sorted[i];
            if (sorted[i] - (sum - 1.0) / (i + 1) > 0.0) level = (sum - 1.0) / (i + 1);
        }
        task t = distance_task(target, 10);
        add_row(&t, ones, 1.0, 1.0);
        add_limits(&t, 0.0, INFINITY);
        answer a = solve(&t);
        CHECK_INT(a.result.outcome, FF_QP_SOLVED);
        for (int i = 0; i < 10; i++) CHECK_NEAR(a.x[i], fmax(target[i] - level, 0.0), 1e-14);
    }
}

TEST(least_squares_share_of_the_weight_is_that_of_balance)
{
    ff_random random = ff_random_make(63, 0);
    for (int trial = 0; trial < 1000; trial++) {
        double feet[6][2], com[2] = {0, 0}, force[6];
        double zero[6] = {0}, rows[3][6];
        for (int i = 0; i < 6; i++) {
            feet[i][0] = ff_random_range(&random, -0.3, 0.3);
            feet[i][1] = ff_random_range(&random, -0.2, 0.2);
        }
        double sum = 0.0, share[6];
        for (int i = 0; i < 6; i++) sum += share[i] = pow(ff_random_uniform(&random), 4.0);
        task t = distance_task(zero, 6);
        for (int i = 0; i < 6; i++) {
            rows[0][i] = 1.0;
            rows[1][i] = feet[i][0];
            rows[2][i] = feet[i][1];
            com[0] += share[i] / sum * feet[i][0];
            com[1] += share[i] / sum * feet[i][1];
        }
        add_row(&t, rows[0], 1.0, 1.0);
        add_row(&t, rows[1], com[0], com[0]);
        add_row(&t, rows[2], com[1], com[1]);
        add_limits(&t, 0.0, INFINITY);
        answer a = solve(&t);
        CHECK_INT(a.result.outcome, FF_QP_SOLVED);
        CHECK_INT(ff_balance_distribute(feet, 6, 1.0, com, force, NULL), FF_OK);
        for (int i = 0; i < 6; i++) CHECK_NEAR(a.x[i], force[i], 1e-9); // feet nearly in line: condition 1e6
    }
}

// ------------------------------------------------------------------------------------------ random problems

// H = B B' + shift 1 with columns of B scaled over `decades`.
static void random_objective(task *t, ff_random *random, double decades)
{
    double B[N * N];
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < t->n; k++) B[i * t->n + k] = ff_random_normal(random) * pow(10.0, -decades * k / t->n);
    for (int i = 0; i < t->n; i++) {
        t->g[i] = 3.0 * ff_random_normal(random);
        for (int k = 0; k < t->n; k++) {
            double sum = i == k ? pow(10.0, -2.0 * decades) : 0.0;
            for (int l = 0; l < t->n; l++) sum += B[i * t->n + l] * B[k * t->n + l];
            t->H[i * t->n + k] = sum;
        }
    }
}

typedef enum flavour { PLAIN, VERTEX, REPEATED, NEARLY_REPEATED, FLAVOURS } flavour;

static void random_row(task *t, ff_random *random, flavour kind, double *a)
{
    for (int k = 0; k < t->n; k++) a[k] = ff_random_uniform(random) < 0.3 ? 0.0 : ff_random_normal(random);
    if (kind < REPEATED || t->m == 0 || ff_random_uniform(random) < 0.4) return;
    // a mixture of rows that exist, exactly or nearly
    double off = kind == NEARLY_REPEATED ? pow(10.0, ff_random_range(random, -13, -5)) : 0.0;
    int first = (int)(ff_random_uniform(random) * t->m), second = (int)(ff_random_uniform(random) * t->m);
    double p = ff_random_uniform(random) < 0.5 ? 1.0 : ff_random_normal(random),
           q = p == 1.0 ? 0.0 : ff_random_normal(random);
    for (int k = 0; k < t->n; k++)
        a[k] = p * t->A[first * t->n + k] + q * t->A[second * t->n + k] + off * ff_random_normal(random);
}

// Constraints around a point that satisfies them; for degenerate problems many hold there with equality.
static task random_task(ff_random *random, flavour kind, int most_n, int most_m, double decades)
{
    task t = {.n = 1 + (int)(ff_random_uniform(random) * most_n)};
    int m = (int)(ff_random_uniform(random) * most_m);
    int equations = (int)(ff_random_uniform(random) * 0.7 * t.n);
    double inside[N];
    random_objective(&t, random, decades);
    for (int k = 0; k < t.n; k++) inside[k] = ff_random_normal(random);
    for (int i = 0; i < m; i++) {
        double a[N] = {0}, value = 0.0, below = -INFINITY, above = INFINITY;
        random_row(&t, random, kind, a);
        for (int k = 0; k < t.n; k++) value += a[k] * inside[k];
        double draw = ff_random_uniform(random);
        double room = kind == VERTEX && ff_random_uniform(random) < 0.7 ? 0.0 : fabs(ff_random_normal(random));
        if (draw < 0.6) below = value - room;
        if (draw > 0.4) above = value + fabs(ff_random_normal(random)) + 0.01;
        // below and above may both be there
        if (equations > 0) {
            below = above = value;
            equations--;
        }
        add_row(&t, a, below, above);
    }
    return t;
}

static const char *const names[FLAVOURS] = {"plain", "at a vertex", "repeated rows", "nearly repeated rows"};

TEST(conditions_of_kuhn_and_tucker_hold_on_random_problems)
{
    const int trials = CHECK_LASTS(3000, 300);
    for (flavour kind = PLAIN; kind < FLAVOURS; kind++) {
        ff_random random = ff_random_make(64, (uint64_t)kind);
        int most = 0, steps = 0, active = 0;
        for (int trial = 0; trial < trials; trial++) {
            task t = random_task(&random, kind, 12, 40, trial % 4);
            answer a = solve(&t);
            if (a.result.outcome != FF_QP_SOLVED)
                CHECK_FAIL("%s, problem %d (%d variables, %d constraints): outcome %d at constraint %d", names[kind],
                           trial, t.n, t.m, a.result.outcome, a.result.constraint);
            // rounding; multipliers of nearly repeated rows grow to 1e9 times the gradient, and the header says what
            // holds
            bool nearly = kind == NEARLY_REPEATED;
            check_optimal(&t, &a, nearly ? 1e-9 : 1e-14, nearly ? 1e-7 : 1.1e-11);
            steps += a.result.iterations;
            active += a.result.nactive;
            most = a.result.iterations > most ? a.result.iterations : most;
        }
        printf("  %s: %.1f steps for %.1f active constraints, at most %d\n", names[kind], (double)steps / trials,
               (double)active / trials, most);
    }
}

// ------------------------------------------------------------------------------------------ every active set

// The best point over all choices of constraints that hold with equality, each solved by elimination.
static double best_by_trial(const task *t)
{
    double best = INFINITY;
    int choices = 1;
    for (int i = 0; i < t->m; i++) choices *= 3;
    for (int choice = 0; choice < choices; choice++) {
        double K[100] = {0}, rhs[10] = {0};
        int pivot[10], q = 0, which[10], code = choice;
        bool skip = false;
        for (int i = 0; i < t->m; i++, code /= 3) {
            if (code % 3 == 0) continue;
            double limit = code % 3 == 1 ? t->low[i] : t->high[i];
            if (isinf(limit) || q + t->n >= 10) skip = true;
            if (skip) break;
            which[q] = i;
            rhs[t->n + q++] = limit;
        }
        if (skip || q > t->n) continue;
        int size = t->n + q;
        for (int k = 0; k < t->n; k++) {
            rhs[k] = -t->g[k];
            for (int l = 0; l < t->n; l++) K[k * size + l] = t->H[k * t->n + l];
            for (int c = 0; c < q; c++) K[k * size + t->n + c] = K[(t->n + c) * size + k] = t->A[which[c] * t->n + k];
        }
        if (!ff_lu_factor(K, pivot, size)) continue;
        ff_lu_solve(K, pivot, size, rhs);
        bool feasible = true;
        for (int i = 0; i < t->m; i++) {
            double value = row_value(t, i, rhs);
            feasible = feasible && value >= t->low[i] - 1e-9 && value <= t->high[i] + 1e-9;
        }
        double objective = 0.0;
        for (int k = 0; k < t->n; k++) {
            objective += t->g[k] * rhs[k];
            for (int l = 0; l < t->n; l++) objective += 0.5 * rhs[k] * t->H[k * t->n + l] * rhs[l];
        }
        if (feasible) best = fmin(best, objective);
    }
    return best;
}

TEST(no_choice_of_active_constraints_is_better)
{
    ff_random random = ff_random_make(65, 0);
    for (int trial = 0; trial < 400; trial++) {
        task t = random_task(&random, trial % 2 ? PLAIN : VERTEX, 3, 6, 1);
        answer a = solve(&t);
        CHECK_INT(a.result.outcome, FF_QP_SOLVED);
        CHECK_NEAR(a.result.objective, best_by_trial(&t),
                   1e-7 * (1.0 + fabs(a.result.objective))); // 1e-9 of room, times multipliers
    }
}

// ------------------------------------------------------------------------------------------ infeasible

// Rows with a positive combination that is zero while the same combination of limits is positive (Farkas), hidden among
// others.
TEST(contradictions_are_found)
{
    ff_random random = ff_random_make(66, 0);
    for (int trial = 0; trial < 2000; trial++) {
        task t = random_task(&random, trial % 2 ? PLAIN : VERTEX, 10, 20, 1);
        int parts = 1 + (int)(ff_random_uniform(&random) * 5);
        double last[N] = {0}, bound = 0.0;
        for (int i = 0; i < parts; i++) {
            double a[N], c = 0.1 + ff_random_uniform(&random), low = ff_random_normal(&random);
            for (int k = 0; k < t.n; k++) last[k] -= c * (a[k] = ff_random_normal(&random));
            bound -= c * low;
            add_row(&t, a, low, INFINITY);
        }
        add_row(&t, last, bound + 0.01 + ff_random_uniform(&random), INFINITY);
        answer a = solve(&t);
        CHECK_INT(a.result.outcome, FF_QP_INFEASIBLE);
        CHECK(a.result.constraint >= 0 && a.result.constraint < t.m);
        for (int k = 0; k < t.n; k++) CHECK(isfinite(a.x[k]));
    }
}

TEST(contradicting_equations_and_limits_are_named)
{
    const double target[2] = {1, 2}, a[2] = {1, 1}, zero[2] = {0, 0};
    task t = distance_task(target, 2);
    add_row(&t, a, 1.0, 1.0);
    add_row(&t, a, 2.0, 2.0);
    answer got = solve(&t);
    CHECK_INT(got.result.outcome, FF_QP_INFEASIBLE);
    CHECK_INT(got.result.constraint, 1);
    t.low[1] = t.high[1] = 1.0; // said twice is fine
    got = solve(&t);
    CHECK_INT(got.result.outcome, FF_QP_SOLVED);
    CHECK_NEAR(got.x[0], 0.0, 1e-15);
    t.low[1] = 3.0, t.high[1] = 2.0;
    CHECK_INT(solve(&t).result.outcome, FF_QP_INFEASIBLE);
    t.m = 0;
    add_row(&t, zero, -1.0, 1.0);
    CHECK_INT(solve(&t).result.outcome, FF_QP_SOLVED);
    add_row(&t, zero, 0.5, 1.0);
    got = solve(&t);
    CHECK_INT(got.result.outcome, FF_QP_INFEASIBLE);
    CHECK_INT(got.result.constraint, 1);
}

// ------------------------------------------------------------------------------------------ promises about use

TEST(guess_gives_the_same_answer_in_fewer_steps)
{
    ff_random random = ff_random_make(67, 0);
    int cold = 0, warm = 0;
    for (int trial = 0; trial < 1000; trial++) {
        task t =
            random_task(&random, trial % FLAVOURS == NEARLY_REPEATED ? PLAIN : (flavour)(trial % FLAVOURS), 12, 40, 1);
        answer first = solve(&t), again = first, fresh;
        for (int k = 0; k < t.n; k++) t.g[k] += 0.05 * ff_random_normal(&random);
        fresh = solve(&t);
        ff_qp qp = qp_of(&t);
        qp.warm = true;
        solve_qp(&qp, &again);
        check_optimal(&t, &again, 1e-14, 1.1e-11);
        for (int k = 0; k < t.n; k++) CHECK_NEAR(again.x[k], fresh.x[k], 1e-6 * (1.0 + fabs(fresh.x[k]))); // condition
        cold += fresh.result.iterations - fresh.result.nactive;
        warm += again.result.iterations - again.result.nactive;
        for (int i = 0; i < t.m; i++) again.active[i] = (int)ff_random_range(&random, -1.0, 2.0); // a useless guess
        solve_qp(&qp, &again);
        check_optimal(&t, &again, 1e-14, 1.1e-11);
    }
    printf("  steps beyond the active constraints: %d cold, %d from the last answer\n", cold, warm);
    CHECK(warm < cold);
}

TEST(bad_problems_are_refused_and_limits_of_steps_kept)
{
    ff_random random = ff_random_make(68, 0);
    const double target[2] = {1, 2}, a[2] = {1, 1};
    task t = distance_task(target, 2);
    answer got;
    t.H[3] = 0.0;
    CHECK_INT(solve(&t).result.outcome, FF_QP_NOT_CONVEX);
    t.H[1] = t.H[2] = 0.5;
    t.H[3] = nextafter(0.25, 1.0); // 1, 0.5, 0.25 is singular: what is left is rounding
    CHECK_INT(solve(&t).result.outcome, FF_QP_NOT_CONVEX);
    t = distance_task(target, 2);
    add_row(&t, a, NAN, 1.0);
    ff_qp qp = qp_of(&t);
    CHECK_INT(ff_qp_solve(&qp, got.x, NULL, NULL, work, &got.result), FF_BAD_ARGUMENT);
    t.low[0] = INFINITY, t.high[0] = INFINITY;
    CHECK_INT(ff_qp_solve(&qp, got.x, NULL, NULL, work, &got.result), FF_BAD_ARGUMENT);
    t.low[0] = -INFINITY;
    t.g[0] = NAN;
    CHECK_INT(ff_qp_solve(&qp, got.x, NULL, NULL, work, &got.result), FF_BAD_ARGUMENT);
    t.g[0] = -1.0; // open on both sides, and no multipliers wanted
    CHECK_INT(ff_qp_solve(&qp, got.x, NULL, NULL, work, &got.result), FF_OK);
    CHECK_NEAR(got.x[0], 1.0, 1e-15);
    qp.n = qp.m = 0;
    CHECK_INT(ff_qp_solve(&qp, got.x, NULL, NULL, work, &got.result), FF_OK);
    CHECK_INT(got.result.outcome, FF_QP_SOLVED);
    int stopped = 0;
    for (int trial = 0; trial < 100; trial++) {
        t = random_task(&random, PLAIN, 12, 40, 0);
        qp = qp_of(&t);
        qp.iterations = 2;
        solve_qp(&qp, &got);
        if (got.result.outcome == FF_QP_ITERATIONS) stopped++;
        for (int k = 0; k < t.n; k++) CHECK(isfinite(got.x[k]));
    }
    CHECK(stopped > 20);
}
