// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The distance of two runs: the largest difference of any degree of freedom, where an angle counts with a lever of
// 0.1 m. Runs separate at the first sample at which that exceeds a
// thousandth of the distance moved. The cause is the contact that existed longest in only one of them, since the last
// time they were ten times as close; so short openings of resting contacts do not count.
#include "certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEVER = 0.1;        // [m/rad]
static const double PARTED = 1e-3;      // distance over distance moved at which runs separate
static const double PERTURBED = 1e-9;   // change of a start  [m]
static const double LEAST_TOUCH = 1e-7; // contacts whose times differ by less count as equal  [s]

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
    if (memcmp(qa, qb, (size_t)m->nq * sizeof *qa) == 0) return 0.0; // the difference of equal quaternions is rounded
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
    while (first < distance->count && !(distance->d[first] > PERTURBED)) first++;
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
    return y->change - x->change; // +1 before -1: a point that replaces another leaves no gap
}

/// The touches of one pair of shapes in one run.
typedef struct timeline {
    const ff_trace_touch *touches;
    int count;
    int next;   // first touch that is still to come
    int points; // number of points in touch before it
} timeline;

/// Number of points in touch at the start, such that the number never becomes negative.
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

/// A contact of two shapes that exists in only one of two runs.
typedef struct disagreement {
    const ff_trace_touch *pair; // NULL: there is none
    double at, lasts;           // begin and duration  [s]
    bool in_first;              // it is in the first run
} disagreement;

static double next_time(const timeline *l, double end)
{
    return l->next < l->count ? l->touches[l->next].t : end;
}

/// Advances a timeline to a time.
static void advance(timeline *l, double t)
{
    while (l->next < l->count && l->touches[l->next].t <= t) l->points += l->touches[l->next++].change;
}

/// Updates `longest` with the longest contact of one pair of shapes that begins between `from` and `to` in one run
/// only.
static void compare_pair(timeline a, timeline b, double from, double to, double end, disagreement *longest)
{
    double t = 0.0;
    a.points = points_at_start(&a);
    b.points = points_at_start(&b);
    while (t < end) {
        advance(&a, t);
        advance(&b, t);
        const double next = ff_min(end, ff_min(next_time(&a, end), next_time(&b, end)));
        const bool in_a = a.points > 0, in_b = b.points > 0;
        if (in_a != in_b && t >= from && t <= to && next - t > longest->lasts)
            *longest = (disagreement){a.count > 0 ? a.touches : b.touches, t, next - t, in_a};
        t = next;
    }
}

static ff_trace_touch *sort_by_pair(const ff_trace *trace, ff_arena *arena)
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
    const ff_trace_touch *all_a = sort_by_pair(a, arena), *all_b = sort_by_pair(b, arena);
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
        compare_pair((timeline){all_a + i, end_a - i, 0, 0}, (timeline){all_b + k, end_b - k, 0, 0}, from, to, end,
                     &longest);
        i = end_a;
        k = end_b;
    }
    return longest;
}

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
    if (!a->recorder) return out; // without a recording only the start and the end are known
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
