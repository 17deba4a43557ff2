// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Broad phase against a test of all pairs, on objects that wander, jump, vanish and come back; filters; limits; and how
// its work grows.
#include <stdlib.h>

#include <footfall/collide.h>

#include "check.h"

#define N 300

typedef struct world {
    double *low, *high;
    ff_broad_object *object;
    int n;
} world;

static world world_make(int n)
{
    world w = {calloc((size_t)n * 3, sizeof(double)), calloc((size_t)n * 3, sizeof(double)),
               calloc((size_t)n, sizeof(ff_broad_object)), n};
    for (int i = 0; i < n; i++) w.object[i] = (ff_broad_object){1, 1, -1, false};
    return w;
}

static void world_clear(world *w)
{
    free(w->low);
    free(w->high);
    free(w->object);
}

static void set_box(world *w, int i, const double centre[3], double half)
{
    for (int k = 0; k < 3; k++) {
        w->low[3 * i + k] = centre[k] - half;
        w->high[3 * i + k] = centre[k] + half;
    }
}

static bool meets(const world *w, int i, int j)
{
    const ff_broad_object *p = &w->object[i], *q = &w->object[j];
    if (!((p->type & q->affinity) | (q->type & p->affinity))) return false;
    if ((p->fixed && q->fixed) || (p->body >= 0 && p->body == q->body)) return false;
    if ((p->body == 3 && q->body == 5) || (p->body == 5 && q->body == 3)) return false; // the excluded pair
    for (int k = 0; k < 3; k++)
        if (!(w->low[3 * i + k] <= w->high[3 * j + k] && w->low[3 * j + k] <= w->high[3 * i + k])) return false;
    return true;
}

static void check_all_pairs(const world *w, const ff_broad_pair *pair, int npair)
{
    int at = 0;
    for (int i = 0; i < w->n; i++)
        for (int j = i + 1; j < w->n; j++) {
            if (!meets(w, i, j)) continue;
            CHECK(at < npair);
            CHECK_INT(pair[at].first, i); // in order, complete, nothing else
            CHECK_INT(pair[at].second, j);
            at++;
        }
    CHECK_INT(at, npair);
}

TEST(the_pairs_are_those_of_a_test_of_all_in_order)
{
    ff_random r = ff_random_make(21, 1);
    world w = world_make(N);
    static double centre[N][3];
    for (int i = 0; i < N; i++) {
        w.object[i] = (ff_broad_object){(uint32_t)ff_random_range(&r, 0, 8), (uint32_t)ff_random_range(&r, 0, 8),
                                        (int)ff_random_range(&r, -1, 40), i % 7 == 0};
        for (int k = 0; k < 3; k++) centre[i][k] = ff_random_range(&r, -2, 2);
    }
    const ff_broad_pair excluded[2] = {{5, 3}, {100, 101}};
    ff_broad *b = ff_broad_create(w.object, N, excluded, 2, 0, 0.05, NULL);
    for (int step = 0; step < 300; step++) {
        for (int i = 0; i < N; i++) {
            if (!w.object[i].fixed)
                for (int k = 0; k < 3; k++) centre[i][k] += ff_random_range(&r, -0.02, 0.02);
            double jumps = step % 50 == 49 ? 0.6 : 0.002; // mostly few, sometimes so many that the tree is rebuilt
            if (ff_random_uniform(&r) < jumps) centre[i][0] = ff_random_range(&r, -2, 2);
            set_box(&w, i, centre[i], 0.1 + 0.001 * i);
        }
        int strange = step % N;
        if (step % 3 == 0) w.low[3 * strange] = NAN;                                                     // gone
        if (step % 5 == 0) w.high[3 * strange + 2] = INFINITY;                                           // unbounded
        if (step % 4 == 0) w.low[0] = w.low[1] = w.low[2] = -INFINITY, w.high[0] = w.high[1] = INFINITY; // a plane
        const ff_broad_pair *pair;
        int npair;
        CHECK_INT(ff_broad_update(b, w.low, w.high, &pair, &npair), FF_OK);
        check_all_pairs(&w, pair, npair);
    }
    ff_broad_stats stats = ff_broad_statistics(b);
    printf("  height %d for %d objects, %.1f moves a step\n", stats.height, N, (double)stats.moves / 300.0);
    CHECK_BELOW(stats.height, 1.45 * log2(N) + 2); // bound of AVL trees
    ff_broad_destroy(b);
    world_clear(&w);
}

TEST(too_many_pairs_are_reported_and_forgotten_when_they_part)
{
    world w = world_make(20);
    ff_broad *b = ff_broad_create(w.object, 20, NULL, 0, 30, 0.01, NULL);
    const ff_broad_pair *pair;
    int npair;
    const double origin[3] = {0, 0, 0};
    for (int i = 0; i < 20; i++) set_box(&w, i, origin, 1.0);
    CHECK_INT(ff_broad_update(b, w.low, w.high, &pair, &npair), FF_LIMIT); // 190 pairs
    CHECK_INT(npair, 30);
    CHECK_INT(ff_broad_update(b, w.low, w.high, &pair, &npair), FF_LIMIT); // nothing moved, still incomplete
    for (int i = 0; i < 20; i++) {
        double c[3] = {1.5 * i, 0, 0};
        set_box(&w, i, c, 1.0);
    }
    CHECK_INT(ff_broad_update(b, w.low, w.high, &pair, &npair), FF_OK);
    check_all_pairs(&w, pair, npair);
    ff_broad_destroy(b);
    world_clear(&w);
    CHECK(!ff_broad_create(NULL, -1, NULL, 0, 0, 0.0, NULL));
    CHECK(!ff_broad_create(NULL, 0, NULL, 0, 0, NAN, NULL));
    b = ff_broad_create(NULL, 0, NULL, 0, 0, 0.0, NULL);
    CHECK_INT(ff_broad_update(b, NULL, NULL, &pair, &npair), FF_OK);
    CHECK_INT(npair, 0);
    ff_broad_destroy(b);
}

// Work of one step after the first, counted and not timed: objects, candidates and visited nodes of the tree. Cubes
// of 0.2 m at equal density, each wandering by 1 mm a step.
static double step_work(int n)
{
    enum { STEPS = CHECK_LASTS(150, 50) };
    ff_random r = ff_random_make(22, 1);
    world w = world_make(n);
    double *centre = calloc((size_t)n * 3, sizeof(double)), side = 0.25 * cbrt((double)n);
    for (int i = 0; i < 3 * n; i++) centre[i] = ff_random_range(&r, 0.0, side);
    ff_broad *b = ff_broad_create(w.object, n, NULL, 0, 0, 0.02, NULL);
    ff_broad_stats first = {0}, last;
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < 3 * n; i++) centre[i] += ff_random_range(&r, -0.001, 0.001);
        for (int i = 0; i < n; i++) set_box(&w, i, centre + 3 * i, 0.1);
        const ff_broad_pair *pair;
        int npair;
        CHECK_INT(ff_broad_update(b, w.low, w.high, &pair, &npair), FF_OK);
        if (step == 0) first = ff_broad_statistics(b);
        if (step == STEPS - 1) check_all_pairs(&w, pair, npair);
    }
    last = ff_broad_statistics(b);
    printf(
        "  %5d objects: %.1f moves, %.0f candidates, %.0f nodes a step; %.0f nodes an object in the first, height %d\n",
        n, (double)(last.moves - first.moves) / (STEPS - 1), (double)(last.candidates - first.candidates) / (STEPS - 1),
        (double)(last.visits - first.visits) / (STEPS - 1), (double)first.visits / n, last.height);
    double work = n + (double)(last.candidates + last.visits - first.candidates - first.visits) / (STEPS - 1);
    free(centre);
    ff_broad_destroy(b);
    world_clear(&w);
    return work;
}

TEST(ten_thousand_objects_are_little_more_work_than_ten_times_a_thousand)
{
    const int many = CHECK_LASTS(10000, 3000);
    double small = step_work(1000), large = step_work(many);
    // A test of all pairs would grow by 100. Objects at the border of the heap have fewer neighbours, so that
    // candidates grow by a little more than 10.
    CHECK_BELOW(large / small, 1.2 * many / 1000);
}
