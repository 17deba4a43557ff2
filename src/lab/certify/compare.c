// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How far two runs lie apart: the largest difference of any degree of freedom, an angle counting with a lever of 0.1 m,
// as in the accuracy of the implicit method. And where they part: the first sample at which that is more than a
// thousandth of the way moved. The contact that causes it is the one that was longest in one run alone since they were
// ten times as close; closing and opening for a moment, as resting contacts do, weighs no more than the moment.
#include "certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEVER = 0.1;        // [m/rad]
static const double PARTED = 1e-3;      // of the way moved
static const double PERTURBED = 1e-9;   // a start was changed by this  [m]
static const double LEAST_TOUCH = 1e-7; // contacts that differ by less are the same  [s]

// ------------------------------------------------------------------------------------------ distance

static double lever_of(const ff_model *m, int dof)
{
    int j = 0;
    while (j + 1 < m->njoint && m->joints[j + 1].vadr <= dof) j++;
    const ff_joint *joint = &m->joints[j];
    const int own = dof - joint->vadr;
    switch (joint->type) {
    case FF_JOINT_SLIDE:
        return 1.0;
    case FF_JOINT_FREE:
        return own < 3 ? 1.0 : LEVER;
    case FF_JOINT_PLANAR:
        return own < 2 ? 1.0 : LEVER;
    default:
        return LEVER;
    }
}

static double *list_levers(const ff_model *m, ff_arena *arena)
{
    double *levers = FF_ARENA_NEW(arena, double, m->nv + 1);
    for (int i = 0; levers && i < m->nv; i++) levers[i] = lever_of(m, i);
    return levers;
}

static double distance_of(const ff_model *m, const double *levers, const double *qa, const double *qb, double *scratch)
{
    double most = 0.0;
    if (memcmp(qa, qb, (size_t)m->nq * sizeof *qa) == 0) return 0.0; // quaternions that are alike differ by rounding
    ff_dyn_difference(m, qa, qb, scratch);
    for (int i = 0; i < m->nv; i++) most = ff_max(most, levers[i] * fabs(scratch[i]));
    return most;
}

ff_distance ff_trace_distance(const ff_trace *a, const ff_trace *b, ff_arena *arena)
{
    ff_distance out = {.most = NAN};
    if (!a->run || !b->run) return out;
    const ff_model *m = ff_run_scene(a->run)->model;
    const int most = a->count < b->count ? a->count : b->count;
    double *scratch = FF_ARENA_NEW(arena, double, m->nv + 1), *levers = list_levers(m, arena);
    out.t = FF_ARENA_NEW(arena, double, most + 1);
    out.d = FF_ARENA_NEW(arena, double, most + 1);
    if (!scratch || !levers || !out.t || !out.d) return (ff_distance){.most = NAN};
    for (int i = 0; i < most && a->t[i] == b->t[i]; i++) {
        const size_t at = (size_t)i * (size_t)m->nq;
        out.t[i] = a->t[i];
        out.d[i] = distance_of(m, levers, a->q + at, b->q + at, scratch);
        out.most = i == 0 ? out.d[0] : ff_max(out.most, out.d[i]);
        out.count++;
    }
    return out;
}

double ff_trace_moved(const ff_trace *trace, ff_arena *arena)
{
    const ff_model *m = ff_run_scene(trace->run)->model;
    double *scratch = FF_ARENA_NEW(arena, double, m->nv + 1), *levers = list_levers(m, arena);
    double most = 0.0;
    for (int i = 0; scratch && levers && i < trace->count; i++)
        most = ff_max(most, distance_of(m, levers, trace->q, trace->q + (size_t)i * (size_t)m->nq, scratch));
    return most;
}

double ff_distance_doubling(const ff_distance *distance)
{
    int first = 0, last = 0;
    while (first < distance->count && !(distance->d[first] > PERTURBED)) first++; // as far as it was put
    while (last < distance->count && !(distance->d[last] >= 0.1 * distance->most)) last++;
    if (first >= last || last >= distance->count) return NAN;
    const double decades = ff_log10(distance->d[last] / distance->d[first]);
    return decades < 2.0 ? NAN : (distance->t[last] - distance->t[first]) * ff_log10(2.0) / decades;
}

// ------------------------------------------------------------------------------------------ contacts

static int by_pair(const void *a, const void *b)
{
    const ff_trace_touch *x = a, *y = b;
    if (x->shape1 != y->shape1) return x->shape1 < y->shape1 ? -1 : 1;
    if (x->shape2 != y->shape2) return x->shape2 < y->shape2 ? -1 : 1;
    if (x->t != y->t) return x->t < y->t ? -1 : 1;
    return y->change - x->change; // a point that takes the place of another: no gap between them
}

/// The touches of one pair of shapes in one run.
typedef struct timeline {
    const ff_trace_touch *touches;
    int count;
    int next, points; // those before `next` have happened
} timeline;

/// Points in touch at the start: none ceases that has not begun.
static int points_at_start(const timeline *l)
{
    int points = 0, least = 0;
    for (int i = 0; i < l->count; i++) {
        points += l->touches[i].change;
        if (points < least) least = points;
    }
    return -least;
}

static bool is_same_pair(const ff_trace_touch *a, const ff_trace_touch *b)
{
    return a->shape1 == b->shape1 && a->shape2 == b->shape2;
}

static int pair_end(const ff_trace_touch *touches, int count, int from)
{
    int end = from;
    while (end < count && is_same_pair(&touches[end], &touches[from])) end++;
    return end;
}

/// What one pair of shapes does in one run alone.
typedef struct disagreement {
    const ff_trace_touch *pair; // NULL: none
    double at, lasts;           // [s]
    bool in_first;
} disagreement;

static double next_time(const timeline *l, double end)
{
    return l->next < l->count ? l->touches[l->next].t : end;
}

static void pass(timeline *l, double t)
{
    while (l->next < l->count && l->touches[l->next].t <= t) l->points += l->touches[l->next++].change;
}

/// The longest time that begins between `from` and `to`, in which one touches and the other does not.
static void disagree(timeline a, timeline b, double from, double to, double end, disagreement *longest)
{
    double t = 0.0;
    a.points = points_at_start(&a);
    b.points = points_at_start(&b);
    while (t < end) {
        pass(&a, t);
        pass(&b, t);
        const double next = ff_min(end, ff_min(next_time(&a, end), next_time(&b, end)));
        const bool in_a = a.points > 0, in_b = b.points > 0;
        if (in_a != in_b && t >= from && t <= to && next - t > longest->lasts)
            *longest = (disagreement){a.count > 0 ? a.touches : b.touches, t, next - t, in_a};
        t = next;
    }
}

static ff_trace_touch *sorted(const ff_trace *trace, ff_arena *arena)
{
    ff_trace_touch *out = FF_ARENA_NEW(arena, ff_trace_touch, trace->ntouch + 1);
    if (out && trace->ntouch > 0) {
        memcpy(out, trace->touches, (size_t)trace->ntouch * sizeof *out);
        qsort(out, (size_t)trace->ntouch, sizeof *out, by_pair);
    }
    return out;
}

static disagreement find_disagreement(const ff_trace *a, const ff_trace *b, double from, double to, double end,
                                      ff_arena *arena)
{
    const ff_trace_touch *all_a = sorted(a, arena), *all_b = sorted(b, arena);
    disagreement longest = {.lasts = LEAST_TOUCH};
    if (!all_a || !all_b) return longest;
    for (int i = 0, k = 0; i < a->ntouch || k < b->ntouch;) {
        const bool of_a = i < a->ntouch, of_b = k < b->ntouch;
        ff_trace_touch one = of_a ? all_a[i] : all_b[k], other = of_b ? all_b[k] : one;
        one.t = other.t = 0.0;
        one.change = other.change = 0;
        const int order = by_pair(&one, &other); // which of the two pairs comes first
        const int end_a = of_a && order <= 0 ? pair_end(all_a, a->ntouch, i) : i;
        const int end_b = of_b && (order >= 0) ? pair_end(all_b, b->ntouch, k) : k;
        disagree((timeline){all_a + i, end_a - i, 0, 0}, (timeline){all_b + k, end_b - k, 0, 0}, from, to, end,
                 &longest);
        i = end_a;
        k = end_b;
    }
    return longest;
}

/// "the foot LF" where a leg ends there, else the name of the shape.
static const char *name_of(const ff_run *run, int shape)
{
    int count = 0;
    const ff_world_shape *shapes = ff_world_shapes(ff_run_world(run), &count);
    return shape < count && shapes[shape].name ? shapes[shape].name : "a shape";
}

ff_parting ff_trace_part(const ff_trace *a, const ff_trace *b, const ff_distance *distance, double moved,
                         ff_arena *arena)
{
    ff_parting out = {.t = NAN, .since = NAN, .distance = NAN, .at = NAN, .lasts = NAN};
    const double limit = PARTED * moved;
    int at = 0, since = 0;
    while (at < distance->count && !(distance->d[at] > limit)) at++;
    if (at == distance->count) return out;
    while (since < at && distance->d[since + 1] < 0.1 * limit) since++;
    out.parted = true;
    if (!a->recorder) return out; // they were seen at their start and at their end alone
    out.t = distance->t[at];
    out.since = distance->t[since];
    out.distance = distance->d[at];
    const double end = ff_min(a->t[a->count - 1], b->t[b->count - 1]);
    const disagreement d = find_disagreement(a, b, out.since, out.t, end, arena);
    if (!d.pair) return out;
    out.contact =
        ff_arena_printf(arena, "'%.60s' and '%.60s'", name_of(a->run, d.pair->shape2), name_of(a->run, d.pair->shape1));
    out.at = d.at;
    out.lasts = d.lasts;
    out.in_run = d.in_first;
    return out;
}
