// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Islands: trees that touch each other or themselves. A contact between two moving bodies couples branches that are
// separate in the mass matrix, by  -J1' G J2 - J2' G J1.  The trees that such contacts join form an island. Its matrix
// is expanded and factored by Cholesky's method within its envelope, with the trees in the order of Cuthill and McKee:
// for many balls on one box only the rows of the box are long. If an island is too large for that, the whole system is
// solved by conjugate gradients (M. R. Hestenes, E. Stiefel, 1952), preconditioned by the packed factors, which lack
// only the coupling.
#include "dyn/packed.h"
#include "dyn/wrench.h"
#include "engine/archive.h"
#include "engine/implicit/implicit.h"

static const int ISLAND_MOST = 1024;            // degrees of freedom; for more, gradients are cheaper than factors
static const size_t DENSE_MOST = 4194304;       // numbers in all dense matrices together: 32 MiB
static const double GRADIENT_TOLERANCE = 1e-10; // residual by the right-hand side, in the norm of the preconditioner

typedef struct island {
    int first, count; // of its degrees of freedom in `dof`
    size_t matrix;    // start of its numbers
} island;

struct ff_islands {
    int *tree_start, *tree_dofs; // degrees of freedom sorted by trees            (ntree + 1), (nv)
    int *near_start, *near;      // trees that touch a tree, by trees             (ntree + 2), (2*touches)
    int *order;                  // trees in islands, island by island            (ntree)
    int *member;                 // number of the island of a tree                (ntree)
    int *dof;                    // degrees of freedom of all islands             (nv)
    int *place;                  // of a degree of freedom in its island          (nv)
    int *row_first;              // first column of a row that is not zero, in the order of `dof`  (nv)
    island *all;                 // (ntree)
    int count;
    double *dense; // lower triangles, row-major
    size_t dense_size;
    bool large;    // gradients instead of factors
    double *cg[4]; // vectors of conjugate gradients  (nv each)
    double *part;  // right-hand side of an island    (nv)
};

bool ff_islands_create(ff_sim *sim)
{
    const ff_model *m = sim->model;
    ff_arena *arena = &sim->arena;
    const size_t nv = (size_t)m->nv, trees = (size_t)m->ntree;
    const size_t touches = sim->implicit->contacts.interface ? (size_t)sim->implicit->contacts.interface->most : 0;
    ff_islands *is = sim->implicit->islands = FF_ARENA_NEW(arena, ff_islands, 1);
    if (!is) return false;
    const bool meet = sim->implicit->contacts.interface && sim->implicit->contacts.interface->meets;
    const size_t wanted = meet ? nv * (nv < (size_t)ISLAND_MOST ? nv : (size_t)ISLAND_MOST) : 0;
    is->dense_size = wanted < DENSE_MOST ? wanted : DENSE_MOST;
    int **const of_trees[] = {&is->tree_start, &is->near_start, &is->order, &is->member};
    int **const of_nv[] = {&is->tree_dofs, &is->dof, &is->place, &is->row_first};
    for (int k = 0; k < 4; k++) *of_trees[k] = FF_ARENA_NEW(arena, int, trees + 2);
    for (int k = 0; k < 4; k++) *of_nv[k] = FF_ARENA_NEW(arena, int, nv + 1);
    is->near = FF_ARENA_NEW(arena, int, 2 * touches + 1);
    is->all = FF_ARENA_NEW(arena, island, trees + 1);
    is->dense = FF_ARENA_NEW(arena, double, is->dense_size + 1);
    is->part = FF_ARENA_NEW(arena, double, nv + 1);
    for (int k = 0; k < 4; k++) is->cg[k] = FF_ARENA_NEW(arena, double, nv + 1);
    if (arena->failed) return false;
    for (int i = 0; i < m->nv; i++) is->tree_start[m->nodes[m->dof_node[i]].tree + 2]++;
    for (int t = 0; t < m->ntree; t++) is->tree_start[t + 2] += is->tree_start[t + 1];
    for (int i = 0; i < m->nv; i++) is->tree_dofs[is->tree_start[m->nodes[m->dof_node[i]].tree + 1]++] = i;
    return true;
}

// ------------------------------------------------------------------------------------------ which trees touch

/// Does a contact couple two moving bodies?
static bool joins(const ff_step_point *point)
{
    return point->node1 >= 0 && point->node2 >= 0 && point->node1 != point->node2;
}

/// Lists for each tree the trees that it touches, once for each contact -> near.
static void list_neighbours(ff_sim *sim)
{
    const ff_model *m = sim->model;
    const ff_implicit *im = sim->implicit;
    ff_islands *is = im->islands;
    memset(is->near_start, 0, ((size_t)m->ntree + 2) * sizeof(int));
    for (int k = 0; k < im->contacts.count; k++) {
        if (!joins(&im->contacts.points[k])) continue;
        is->near_start[m->nodes[im->contacts.points[k].node1].tree + 2]++;
        is->near_start[m->nodes[im->contacts.points[k].node2].tree + 2]++;
    }
    for (int t = 0; t < m->ntree; t++) is->near_start[t + 2] += is->near_start[t + 1];
    for (int k = 0; k < im->contacts.count; k++) {
        if (!joins(&im->contacts.points[k])) continue;
        const int a = m->nodes[im->contacts.points[k].node1].tree, b = m->nodes[im->contacts.points[k].node2].tree;
        is->near[is->near_start[a + 1]++] = b;
        is->near[is->near_start[b + 1]++] = a;
    }
}

static int degree(const ff_islands *is, int tree)
{
    return is->near_start[tree + 1] - is->near_start[tree];
}

/// Lists the trees of one island from `first` outwards, those of few contacts first (E. Cuthill, J. McKee, 1969).
/// @return their number
static int traverse(ff_islands *is, int first, int number, int *order)
{
    int count = 1;
    order[0] = first;
    is->member[first] = number;
    for (int at = 0; at < count; at++) {
        const int begin = count;
        for (int k = is->near_start[order[at]]; k < is->near_start[order[at] + 1]; k++) {
            const int tree = is->near[k];
            if (is->member[tree] == number) continue;
            is->member[tree] = number;
            int place = count++;
            for (; place > begin && degree(is, order[place - 1]) > degree(is, tree); place--)
                order[place] = order[place - 1];
            order[place] = tree;
        }
    }
    return count;
}

/// Lists the trees in islands, island by island. Each island is traversed twice, the second time from the last tree of
/// the first, and then reversed, so that rows of the matrix begin close to the diagonal. @return number of these trees
static int order_trees(ff_sim *sim)
{
    const ff_model *m = sim->model;
    ff_islands *is = sim->implicit->islands;
    int listed = 0;
    for (int t = 0; t < m->ntree; t++) is->member[t] = -1;
    for (int t = 0; t < m->ntree; t++) {
        if (is->member[t] >= 0 || degree(is, t) == 0) continue;
        int *order = is->order + listed, count = traverse(is, t, 2 * m->ntree, order);
        count = traverse(is, order[count - 1], is->count++, order);
        for (int i = 0; i < count / 2; i++) {
            const int other = order[count - 1 - i];
            order[count - 1 - i] = order[i];
            order[i] = other;
        }
        listed += count;
    }
    return listed;
}

/// Numbers the degrees of freedom of each island, and places its matrix.
static void lay_out(ff_islands *is, int count)
{
    int placed = 0;
    size_t used = 0;
    for (int k = 0; k < count; k++) {
        const int tree = is->order[k];
        island *one = &is->all[is->member[tree]];
        if (k == 0 || is->member[tree] != is->member[is->order[k - 1]]) *one = (island){.first = placed};
        for (int i = is->tree_start[tree]; i < is->tree_start[tree + 1]; i++) {
            is->dof[placed++] = is->tree_dofs[i];
            is->place[is->tree_dofs[i]] = one->count++;
        }
    }
    for (int k = 0; k < is->count; k++) {
        island *one = &is->all[k];
        one->matrix = used;
        used += (size_t)one->count * (size_t)one->count;
        is->large = is->large || one->count > ISLAND_MOST || used > is->dense_size;
    }
}

// ------------------------------------------------------------------------------------------ factors

/// @return entry of the matrix of an island
static double *entry(const ff_islands *is, const island *one, int dof1, int dof2)
{
    const int a = is->place[dof1], b = is->place[dof2], row = a > b ? a : b, column = a > b ? b : a;
    int *first = &is->row_first[one->first + row];
    if (column < *first) *first = column;
    return is->dense + one->matrix + (size_t)row * (size_t)one->count + (size_t)column;
}

/// Copies the packed rows of the trees of an island to its matrix.
static void expand(ff_sim *sim, const island *one)
{
    const ff_model *m = sim->model;
    const ff_implicit *im = sim->implicit;
    ff_islands *is = im->islands;
    memset(is->dense + one->matrix, 0, (size_t)one->count * (size_t)one->count * sizeof(double));
    for (int row = 0; row < one->count; row++) is->row_first[one->first + row] = row;
    for (int row = 0; row < one->count; row++) {
        const int i = is->dof[one->first + row];
        for (int k = m->M_row[i]; k < m->M_row[i + 1]; k++) *entry(is, one, i, m->M_col[k]) = im->factors.A[k];
    }
}

/// Adds  -h J1' G J2 - h J2' G J1  to the matrix of an island.
static void add_coupling(ff_sim *sim, const ff_side *s1, const ff_side *s2, bool angular, const double G[9],
                         const island *one)
{
    const double h = sim->implicit->h;
    for (int b = 0; b < s2->count; b++) {
        double weighted[3];
        ff_mat3_mulv(weighted, G, (angular ? s2->angular : s2->linear) + 3 * b);
        for (int a = 0; a < s1->count; a++) {
            const double value = h * ff_vec3_dot((angular ? s1->angular : s1->linear) + 3 * a, weighted);
            const double times = s1->dofs[a] == s2->dofs[b] ? 2.0 : 1.0; // (a, b) and (b, a) are one entry
            *entry(sim->implicit->islands, one, s1->dofs[a], s2->dofs[b]) -= times * value;
        }
    }
}

/// Scalar product, in four independent sums, which a processor adds at the same time.
static double product(const double *a, const double *b, int n)
{
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int k = 0;
    for (; k + 3 < n; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < n; k++) s0 += a[k] * b[k];
    return (s0 + s1) + (s2 + s3);
}

/// Cholesky's method within the envelope: entries before the first of a row stay zero. @return false when not positive
static bool factor(ff_islands *is, const island *one)
{
    const int n = one->count, *first = is->row_first + one->first;
    double *A = is->dense + one->matrix;
    for (int i = 0; i < n; i++) {
        double *row = A + (size_t)i * (size_t)n;
        for (int j = first[i]; j <= i; j++) {
            const double *other = A + (size_t)j * (size_t)n;
            const int from = first[i] > first[j] ? first[i] : first[j];
            const double sum = row[j] - product(row + from, other + from, j - from);
            if (j < i) {
                row[j] = sum * other[j];
            } else {
                if (!(sum > 0.0)) return false;
                row[i] = 1.0 / sqrt(sum); // inverted: divisions are slow
            }
        }
    }
    return true;
}

bool ff_islands_factor(ff_sim *sim)
{
    const ff_model *m = sim->model;
    const ff_implicit *im = sim->implicit;
    ff_islands *is = im->islands;
    is->count = 0;
    is->large = false;
    bool any = false;
    for (int k = 0; k < im->contacts.count && !any; k++) any = joins(&im->contacts.points[k]);
    if (!any) return true;
    list_neighbours(sim);
    lay_out(is, order_trees(sim));
    if (is->large) return true;
    for (int k = 0; k < is->count; k++) expand(sim, &is->all[k]);
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        if (!joins(point)) continue;
        const ff_side s1 = ff_side_make(sim, point->node1, point->arm1, im->factors.path);
        const ff_side s2 = ff_side_make(sim, point->node2, point->arm2, im->factors.path + 6 * s1.count);
        const island *one = &is->all[is->member[m->nodes[point->node1].tree]];
        add_coupling(sim, &s1, &s2, false, point->slope, one);
        if (point->turns) add_coupling(sim, &s1, &s2, true, point->spin_slope, one);
    }
    for (int k = 0; k < is->count; k++)
        if (!factor(is, &is->all[k])) return false;
    return true;
}

static void solve_one(const ff_islands *is, const island *one, double *x)
{
    const int n = one->count, *first = is->row_first + one->first;
    const double *L = is->dense + one->matrix;
    for (int i = 0; i < n; i++) {
        const double *row = L + (size_t)i * (size_t)n;
        double sum = x[i];
        for (int k = first[i]; k < i; k++) sum -= row[k] * x[k];
        x[i] = sum * row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = L + (size_t)i * (size_t)n;
        x[i] *= row[i];
        for (int k = first[i]; k < i; k++) x[k] -= row[k] * x[i];
    }
}

bool ff_islands_any(const ff_sim *sim)
{
    return sim->implicit->islands->count > 0;
}

void ff_islands_transfer(ff_sim *sim, ff_archive *a)
{
    ff_archive_int(a, &sim->implicit->islands->count);
}

void ff_islands_solve(ff_sim *sim, const double *b, double *x)
{
    ff_islands *is = sim->implicit->islands;
    for (int k = 0; k < is->count; k++) {
        const island *one = &is->all[k];
        for (int i = 0; i < one->count; i++) is->part[i] = b[is->dof[one->first + i]];
        solve_one(is, one, is->part);
        for (int i = 0; i < one->count; i++) x[is->dof[one->first + i]] = is->part[i];
    }
}

// ------------------------------------------------------------------------------------------ conjugate gradients

bool ff_islands_large(const ff_sim *sim)
{
    return sim->implicit->islands->large;
}

/// y -= J' (force, moment) for one side of a contact.
static void subtract_wrench(const ff_sim *sim, int node, const double arm[3], const double force[3],
                            const double moment[3], double *y)
{
    const ff_model *m = sim->model;
    double wrench[6] = {0};
    ff_wrench_add(wrench, 1.0, arm, force, moment);
    for (int i = m->nodes[node].vlast; i >= 0; i = m->dof_parent[i]) y[i] -= ff_dot6(sim->data->S + 6 * i, wrench);
}

/// y = A x, coupling included.
static void multiply(ff_sim *sim, const double *x, double *y)
{
    const ff_implicit *im = sim->implicit;
    ff_dyn_multiply_packed(sim->model, im->factors.A, x, y);
    ff_implicit_twists(sim, x);
    for (int k = 0; k < im->contacts.count; k++) {
        const ff_step_point *point = &im->contacts.points[k];
        if (!joins(point)) continue;
        const int nodes[2] = {point->node1, point->node2};
        const double *const arms[2] = {point->arm1, point->arm2};
        for (int from = 0; from < 2; from++) {
            ff_step_point half = {.node1 = -1, .node2 = nodes[from]};
            double linear[3], angular[3], force[3], moment[3] = {0};
            ff_vec3_copy(half.arm2, arms[from]);
            ff_implicit_point_velocity(sim, &half, linear, angular);
            ff_mat3_mulv(force, point->slope, linear);
            if (point->turns) ff_mat3_mulv(moment, point->spin_slope, angular);
            ff_vec3_scale(force, force, im->h);
            ff_vec3_scale(moment, moment, im->h);
            subtract_wrench(sim, nodes[1 - from], arms[1 - from], force, moment, y);
        }
    }
}

void ff_islands_iterate(ff_sim *sim, double *x)
{
    const int n = sim->nv;
    const ff_implicit *im = sim->implicit;
    double *residual = im->islands->cg[0], *scaled = im->islands->cg[1], *direction = im->islands->cg[2],
           *image = im->islands->cg[3];
    const size_t size = (size_t)n * sizeof(double);
    memcpy(residual, x, size);
    memset(x, 0, size);
    memcpy(scaled, residual, size);
    ff_dyn_solve_packed(sim->model, im->factors.LD, scaled);
    memcpy(direction, scaled, size);
    double now = ff_dot(residual, scaled, n);
    const double goal = now * GRADIENT_TOLERANCE * GRADIENT_TOLERANCE;
    for (int round = 0; round < 2 * n + 50 && now > goal; round++) {
        multiply(sim, direction, image);
        const double curvature = ff_dot(direction, image, n);
        if (!(curvature > 0.0)) break;
        const double length = now / curvature;
        for (int i = 0; i < n; i++) {
            x[i] += length * direction[i];
            residual[i] -= length * image[i];
        }
        memcpy(scaled, residual, size);
        ff_dyn_solve_packed(sim->model, im->factors.LD, scaled);
        const double next = ff_dot(residual, scaled, n), turn = next / now;
        for (int i = 0; i < n; i++) direction[i] = scaled[i] + turn * direction[i];
        now = next;
    }
}
