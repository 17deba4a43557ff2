// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The shortest way out of several half-spaces at once: the smallest u with
//     n_i . u >= e_i   for all i,     u = sum of s_i n_i,   s_i >= 0, zero where n_i . u > e_i.
// At most three of them decide in space. There are few, so that all ones, twos and threes are tried in turn. The length
// |u| is the distance to the intersection of the half-spaces: its gradient by a common motion is the unit vector along
// u, so that a force along it that depends on |u| has a potential.
#include "collide_private.h"

// Met in spite of rounding.
#define MET 1e-12

typedef struct search {
    const double (*n)[3];
    const double *e;
    int count;
    double most; // of e
    double *u, *share;
} search;

static bool all_met(const search *s)
{
    for (int k = 0; k < s->count; k++)
        if (ff_vec3_dot(s->n[k], s->u) < s->e[k] - MET * s->most) return false;
    return true;
}

static bool try_two(const search *s, int i, int j)
{
    const double c = ff_vec3_dot(s->n[i], s->n[j]), det = (1.0 - c) * (1.0 + c);
    const double a = (s->e[i] - c * s->e[j]) / det, b = (s->e[j] - c * s->e[i]) / det;
    if (!(a >= 0.0 && b >= 0.0)) return false;
    for (int k = 0; k < 3; k++) s->u[k] = a * s->n[i][k] + b * s->n[j][k];
    s->share[i] = a;
    s->share[j] = b;
    return all_met(s);
}

static bool try_three(const search *s, int i, int j, int k)
{
    double across[3][3];
    ff_vec3_cross(across[0], s->n[j], s->n[k]);
    ff_vec3_cross(across[1], s->n[k], s->n[i]);
    ff_vec3_cross(across[2], s->n[i], s->n[j]);
    const double det = ff_vec3_dot(s->n[i], across[0]);
    const int of[3] = {i, j, k};
    ff_vec3_set(s->u, 0.0, 0.0, 0.0);
    for (int m = 0; m < 3; m++) ff_vec3_axpy(s->u, s->e[of[m]] / det, across[m]);
    for (int m = 0; m < 3; m++) s->share[of[m]] = ff_vec3_dot(s->u, across[m]) / det;
    return s->share[i] >= 0.0 && s->share[j] >= 0.0 && s->share[k] >= 0.0 && all_met(s);
}

static void clear(const search *s)
{
    for (int k = 0; k < s->count; k++) s->share[k] = 0.0;
}

double ff_fillet(const double (*n)[3], const double *e, int count, double u[3], double *share)
{
    search s = {.n = n, .e = e, .count = count, .u = u, .share = share};
    int first = 0;
    for (int i = 1; i < count; i++)
        if (e[i] > e[first]) first = i;
    s.most = e[first];
    clear(&s);
    ff_vec3_scale(u, n[first], s.most);
    share[first] = s.most;
    if (all_met(&s)) return s.most;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            clear(&s);
            if (try_two(&s, i, j)) return ff_vec3_norm(u);
        }
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++) {
                clear(&s);
                if (try_three(&s, i, j, k)) return ff_vec3_norm(u);
            }
    clear(&s); // rounding has found fault with all: the deepest stands for them
    ff_vec3_scale(u, n[first], s.most);
    share[first] = s.most;
    return s.most;
}
