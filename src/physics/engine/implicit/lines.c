// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tendons in an implicit step, and other lines along which parts pull, such as springs between bodies. A force along a
// line with levers r has the slopes r' k r and r' d r, which couple all its degrees of freedom, on one branch of a tree
// or on several: they are not in the pattern of the packed matrix A0 of branches and contacts. As each has rank one,
// they are added to the inverse instead (M. A. Woodbury, 1950): with R the rows of levers and g = h (d + h k),
//     (A0 + R' g R)^-1 b = x - W (1/g + R W)^-1 R x,      x = A0^-1 b,   W = A0^-1 R'.
// Where lines outnumber the degrees of freedom, R' g R = C C' is split by a Cholesky factorisation with pivots (N. J.
// Higham, Accuracy and Stability of Numerical Algorithms, 2002, sec. 10.3), and the columns of C take the place of R.
// Changes of levers with the pose are left out: they influence only the speed of the iteration.
#include "engine/implicit/implicit.h"

/// If parts have more lines, all of these are left out: the cost of the matrix grows with the cube of their number.
enum { LINES_MOST = 384 };

/// A line of a part: number k of those that it has.
typedef struct part_line {
    const ff_part_slot *slot;
    int k;
} part_line;

struct ff_lines {
    part_line *lines; // of parts; their numbers follow those of the tendons
    int nline;
    double *levers;              // of lines of parts                                 (nline*nv)
    double *stiffness, *damping; // of all forces along each tendon or line    (ntendon + nline)
    int *pulling;                // tendons and lines with a slope
    int *begin, *end;            // range of entries of a row that are not zero           (nrow)
    int nrow;                    // number of rows, at most nv
    double *row;                 // R: levers of these, or columns of C                (nrow*nv)
    double *response;            // W'                                                (nrow*nv)
    double *core;                // 1/g + R W, factored                               (nrow*nrow)
    double *whole;               // R' g R, where there are more lines than nv           (nv*nv)
    double *rest;                // diagonal of `whole` less the rows found              (nv)
    double *force;               // g of the rows, then scratch                          (nrow)
};

static bool create_lines(ff_sim *sim, int count)
{
    ff_lines *s = sim->implicit->lines;
    s->lines = FF_ARENA_NEW(&sim->arena, part_line, count + 1);
    s->levers = FF_ARENA_NEW(&sim->arena, double, (size_t)count *(size_t)sim->nv + 1);
    if (sim->arena.failed) return false;
    for (int i = 0; count > 0 && i < sim->npart; i++)
        for (int k = 0; k < sim->parts[i].inner.nline; k++) s->lines[s->nline++] = (part_line){&sim->parts[i], k};
    return true;
}

bool ff_lines_create(ff_sim *sim)
{
    int lines = 0;
    for (int i = 0; i < sim->npart; i++) lines += sim->parts[i].inner.nline;
    if (lines > LINES_MOST) lines = 0;
    const size_t n = (size_t)(sim->model->ntendon + lines), nv = (size_t)sim->nv;
    if (n == 0) return true;
    ff_arena *arena = &sim->arena;
    ff_lines *s = sim->implicit->lines = FF_ARENA_NEW(arena, ff_lines, 1);
    if (!s || !create_lines(sim, lines)) return false;
    double **const of_n[] = {&s->stiffness, &s->damping, &s->force};
    for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++) *of_n[i] = FF_ARENA_NEW(arena, double, n);
    s->pulling = FF_ARENA_NEW(arena, int, n);
    const size_t rows = n < nv ? n : nv, all = n > nv ? nv * nv : 0;
    s->begin = FF_ARENA_NEW(arena, int, rows + 1);
    s->end = FF_ARENA_NEW(arena, int, rows + 1);
    s->row = FF_ARENA_NEW(arena, double, rows *nv + 1);
    s->response = FF_ARENA_NEW(arena, double, rows *nv + 1);
    s->core = FF_ARENA_NEW(arena, double, rows *rows + 1);
    s->whole = FF_ARENA_NEW(arena, double, all + 1);
    s->rest = FF_ARENA_NEW(arena, double, nv + 1);
    return !arena->failed;
}

// ------------------------------------------------------------------------------------------ slopes

/// @return number of tendons and lines
static int count_of(const ff_sim *sim)
{
    const ff_lines *s = sim->implicit->lines;
    return s ? sim->model->ntendon + s->nline : 0;
}

/// @return h k + d of a tendon or line, without negative ones
static double slope_of(const ff_sim *sim, int tendon)
{
    const ff_lines *s = sim->implicit->lines;
    return ff_max(0.0, s->damping[tendon]) + sim->implicit->h * ff_max(0.0, s->stiffness[tendon]);
}

void ff_lines_linearise(ff_sim *sim)
{
    const ff_model *m = sim->model;
    const ff_lines *s = sim->implicit->lines;
    for (int i = 0; i < m->ntendon; i++) {
        const ff_tendon *t = &m->tendons[i];
        const double length = sim->data->tendon_length[i], v = sim->data->tendon_speed[i];
        const bool taut =
            length < t->spring_length[0] || length > t->spring_length[1] || t->spring_length[0] == t->spring_length[1];
        s->stiffness[i] = s->damping[i] = 0.0;
        if (!sim->options.passive) continue;
        if (taut) s->stiffness[i] = t->stiffness;
        s->damping[i] = t->damping;
        if (t->dry_friction > 0.0) {
            const double square = v * v + t->dry_speed * t->dry_speed;
            s->damping[i] += t->dry_friction * t->dry_speed * t->dry_speed / (square * sqrt(square));
        }
        if (t->limited) ff_stops_linearise_tendon(sim, i);
    }
}

/// Adds the levers of one end of a line, at the point `at` of a body.
static void add_end(ff_sim *sim, int body, const double at[3], const double along[3], double sign, double *row)
{
    const ff_model *m = sim->model;
    const int node = body < 0 ? -1 : m->bodies[body].node;
    if (node < 0) return;
    double arm[3];
    ff_vec3_sub(arm, at, sim->data->tree_origin + 3 * m->nodes[node].tree);
    const ff_side s = ff_side_make(sim, node, arm, sim->implicit->factors.path);
    for (int k = 0; k < s.count; k++) row[s.dofs[k]] += sign * ff_vec3_dot(s.linear + 3 * k, along);
}

void ff_lines_linearise_parts(ff_sim *sim)
{
    const ff_lines *s = sim->implicit->lines;
    const int nv = sim->nv, first = sim->model->ntendon;
    for (int i = 0; i < s->nline; i++) {
        const ff_part_slot *slot = s->lines[i].slot;
        const ff_part_line line = slot->inner.line(slot->part.context, s->lines[i].k);
        double *row = s->levers + i * nv;
        s->stiffness[first + i] = line.stiffness;
        s->damping[first + i] = line.damping;
        if (!(slope_of(sim, first + i) > 0.0)) continue;
        memset(row, 0, (size_t)nv * sizeof(double));
        add_end(sim, line.body1, line.at1, line.along, -1.0, row);
        add_end(sim, line.body2, line.at2, line.along, 1.0, row);
    }
}

void ff_lines_add(ff_sim *sim, int tendon, double stiffness, double damping)
{
    const ff_lines *s = sim->implicit->lines;
    s->stiffness[tendon] += stiffness;
    s->damping[tendon] += damping;
}

double ff_lines_slope_sum(const ff_sim *sim)
{
    double sum = 0.0;
    for (int i = 0; i < count_of(sim); i++) sum += slope_of(sim, i);
    return sum;
}

// ------------------------------------------------------------------------------------------ matrix

/// x += factor times the levers of a tendon or line.
static void add_levers(const ff_sim *sim, int i, double factor, double *x)
{
    const int line = i - sim->model->ntendon;
    if (line < 0) {
        ff_dyn_tendon_apply(sim->model, sim->data, i, factor, x);
        return;
    }
    const double *lever = sim->implicit->lines->levers + line * sim->nv;
    for (int k = 0; k < sim->nv; k++) x[k] += factor * lever[k];
}

static void add_tendon(ff_sim *sim, const ff_tendon *t, double g)
{
    const double *lever = sim->data->tendon_lever + t->first;
    double *whole = sim->implicit->lines->whole;
    for (int i = 0; i < t->ndof; i++)
        for (int k = 0; k < t->ndof; k++) whole[t->dofs[i] * sim->nv + t->dofs[k]] += g * lever[i] * lever[k];
}

static void add_line(ff_sim *sim, int line, double g)
{
    const ff_lines *s = sim->implicit->lines;
    const double *lever = s->levers + line * sim->nv;
    for (int i = 0; i < sim->nv; i++)
        for (int k = 0; lever[i] != 0.0 && k < sim->nv; k++) s->whole[i * sim->nv + k] += g * lever[i] * lever[k];
}

/// R' g R of all tendons and lines with a slope -> whole.
static void assemble_whole(ff_sim *sim, int count)
{
    const ff_model *m = sim->model;
    const ff_lines *s = sim->implicit->lines;
    memset(s->whole, 0, (size_t)sim->nv * (size_t)sim->nv * sizeof(double));
    for (int a = 0; a < count; a++) {
        const int i = s->pulling[a];
        const double g = sim->implicit->h * slope_of(sim, i);
        if (i < m->ntendon)
            add_tendon(sim, &m->tendons[i], g);
        else
            add_line(sim, i - m->ntendon, g);
    }
}

/// Factors `whole` into C C' -> row. @return number of rows
static int factor_whole(const ff_lines *s, int nv)
{
    double most = 0.0;
    for (int i = 0; i < nv; i++) most = ff_max(most, s->rest[i] = s->whole[i * nv + i]);
    for (int k = 0; k < nv; k++) {
        int p = 0;
        for (int i = 1; i < nv; i++)
            if (s->rest[i] > s->rest[p]) p = i;
        if (!(s->rest[p] > 1e-14 * most)) return k;
        double *row = s->row + k * nv;
        const double root = sqrt(s->rest[p]);
        for (int i = 0; i < nv; i++) {
            double sum = s->whole[i * nv + p];
            for (int j = 0; j < k; j++) sum -= s->row[j * nv + p] * s->row[j * nv + i];
            row[i] = sum / root;
        }
        for (int i = 0; i < nv; i++) s->rest[i] -= row[i] * row[i];
        s->rest[p] = 0.0;
    }
    return nv;
}

/// Fills R, and the g of its rows -> force. @return number of rows
static int fill_rows(ff_sim *sim)
{
    const ff_model *m = sim->model;
    const ff_lines *s = sim->implicit->lines;
    const int nv = sim->nv;
    int count = 0;
    for (int i = 0; i < count_of(sim); i++)
        if ((i >= m->ntendon || m->tendons[i].ndof > 0) && slope_of(sim, i) > 0.0) s->pulling[count++] = i;
    if (count > nv) {
        assemble_whole(sim, count);
        count = factor_whole(s, nv);
        for (int a = 0; a < count; a++) s->force[a] = 1.0;
        return count;
    }
    memset(s->row, 0, (size_t)count * (size_t)nv * sizeof(double));
    for (int a = 0; a < count; a++) {
        add_levers(sim, s->pulling[a], 1.0, s->row + a * nv);
        s->force[a] = sim->implicit->h * slope_of(sim, s->pulling[a]);
    }
    return count;
}

/// Finds the range of entries of a row that are not zero: a spring between two of a thousand bodies has a dozen.
static void find_ends(const ff_lines *s, int row, int nv)
{
    const double *lever = s->row + row * nv;
    int begin = 0, end = nv;
    while (begin < nv && lever[begin] == 0.0) begin++;
    while (end > begin && lever[end - 1] == 0.0) end--;
    s->begin[row] = begin;
    s->end[row] = end;
}

static double along_row(const ff_lines *s, int row, int nv, const double *x)
{
    return ff_dot(s->row + row * nv + s->begin[row], x + s->begin[row], s->end[row] - s->begin[row]);
}

bool ff_lines_factor(ff_sim *sim, void (*solve)(ff_sim *sim, double *x))
{
    ff_lines *s = sim->implicit->lines;
    const int nv = sim->nv;
    if (!s) return true;
    s->nrow = fill_rows(sim);
    for (int a = 0; a < s->nrow; a++) {
        double *response = s->response + a * nv;
        find_ends(s, a, nv);
        memcpy(response, s->row + a * nv, (size_t)nv * sizeof(double));
        solve(sim, response);
        for (int b = 0; b <= a; b++) s->core[a * s->nrow + b] = along_row(s, b, nv, response);
        s->core[a * s->nrow + a] += 1.0 / s->force[a];
    }
    return ff_cholesky_factor(s->core, s->nrow);
}

void ff_lines_solve(ff_sim *sim, double *x)
{
    const ff_lines *s = sim->implicit->lines;
    const int nv = sim->nv;
    if (!s || s->nrow == 0) return;
    for (int a = 0; a < s->nrow; a++) s->force[a] = along_row(s, a, nv, x);
    ff_cholesky_solve(s->core, s->nrow, s->force);
    for (int a = 0; a < s->nrow; a++)
        for (int i = 0; i < nv; i++) x[i] -= s->force[a] * s->response[a * nv + i];
}
