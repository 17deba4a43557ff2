// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Broad phase with memory. Each object has an enlarged box in a dynamic tree; the list of candidates, the pairs of
// enlarged boxes that overlap, is kept sorted. While an object stays inside its enlarged box nothing about it
// changes. An object that leaves it gets a new box, loses its candidates and queries the tree for new ones, which are
// sorted and merged. Each update then passes once over the candidates with the true boxes. So a step costs O(objects +
// candidates) with small constants, plus O(log n) for each object that moved far. Sweep-and-prune along one axis is
// slower here: robots walk on a plane, and thousands of objects share every interval of any single axis, while the tree
// divides by all three.
#include <stdlib.h>

#include <footfall/collide.h>

#include "base/missing.h"
#include "broad_tree.h"

// The tree is rebuilt when more than one in so many objects left its box.
#define REBUILD_SHARE 4

typedef enum place { ABSENT, IN_TREE, UNBOUNDED } place;

struct ff_broad {
    int nobject;
    ff_broad_object *object;
    uint64_t *excluded; // keys of pairs of bodies, sorted
    int nexcluded;
    double slack;
    broad_tree tree;
    unsigned char *place;    // (nobject)
    unsigned char *left_box; // the object left its enlarged box in this update  (nobject)
    int *mover;              // objects that left their boxes, increasing
    int *unbounded;          // objects with infinite boxes, increasing
    int nunbounded;          //
    int *leaf;               // objects in the tree
    uint64_t *candidate;     // keys of pairs, sorted  (2*capacity+1)
    uint64_t *fresh;         // found in this update  (capacity)
    uint64_t *merged;        // the other buffer of candidate  (2*capacity+1)
    int ncandidate;          //
    int nfresh;              //
    int capacity;            //
    bool overflow;           // candidates are missing: search for all of them in the next update
    ff_broad_pair *pair;     // (capacity+1): each is written before it is known to overlap
    ff_broad_stats stats;
};

static uint64_t key_of(int i, int j)
{
    return i < j ? (uint64_t)(unsigned)i << 32 | (unsigned)j : (uint64_t)(unsigned)j << 32 | (unsigned)i;
}

static int compare_keys(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

// Heap sort, since qsort of the C library may allocate.
static void sift(uint64_t *key, int i, int n)
{
    uint64_t moving = key[i];
    for (int c = 2 * i + 1; c < n; c = 2 * i + 1) {
        if (c + 1 < n && key[c + 1] > key[c]) c++;
        if (key[c] <= moving) break;
        key[i] = key[c];
        i = c;
    }
    key[i] = moving;
}

static void sort_keys(uint64_t *key, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--) sift(key, i, n);
    for (int i = n - 1; i > 0; i--) {
        uint64_t last = key[i];
        key[i] = key[0];
        key[0] = last;
        sift(key, 0, i);
    }
}

// ------------------------------------------------------------------------------------------ filters

static bool is_excluded(const ff_broad *b, int body1, int body2)
{
    if (b->nexcluded == 0 || body1 < 0 || body2 < 0) return false;
    uint64_t key = key_of(body1, body2);
    int low = 0, high = b->nexcluded;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (b->excluded[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->nexcluded && b->excluded[low] == key;
}

static bool may_meet(const ff_broad *b, int i, int j)
{
    const ff_broad_object *p = &b->object[i], *q = &b->object[j];
    if (!(p->type & q->affinity) && !(q->type & p->affinity)) return false;
    if (p->fixed && q->fixed) return false;
    if (p->body >= 0 && p->body == q->body) return false;
    return !is_excluded(b, p->body, q->body);
}

// ------------------------------------------------------------------------------------------ objects that moved

static bool is_ordered(const double low[3], const double high[3])
{
    return low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2];
}

static bool is_bounded(const double low[3], const double high[3])
{
    for (int k = 0; k < 3; k++)
        if (!(low[k] > -1e300 && high[k] < 1e300)) return false;
    return true;
}

static place place_of(const double low[3], const double high[3])
{
    return !is_ordered(low, high) ? ABSENT : is_bounded(low, high) ? IN_TREE : UNBOUNDED;
}

// Is a valid box inside the enlarged one? For nearly all objects of nearly all steps this is the only test. It has no
// branches, and is false for any NaN.
static bool is_inside(const broad_node *n, const double low[3], const double high[3])
{
    return (low[0] >= n->low[0]) & (low[1] >= n->low[1]) & (low[2] >= n->low[2]) & (high[0] <= n->high[0]) &
           (high[1] <= n->high[1]) & (high[2] <= n->high[2]) & (low[0] <= high[0]) & (low[1] <= high[1]) &
           (low[2] <= high[2]);
}

static void enlarge(ff_broad *b, int i, const double low[3], const double high[3])
{
    broad_node *n = &b->tree.node[i];
    double slack = b->object[i].fixed ? 0.0 : b->slack;
    for (int k = 0; k < 3; k++) {
        n->low[k] = low[k] - slack;
        n->high[k] = high[k] + slack;
    }
}

// Gives an object that left its enlarged box a new one: in the tree, unless the tree is rebuilt afterwards.
static void set_box(ff_broad *b, int i, const double low[3], const double high[3], bool rebuild)
{
    place to = place_of(low, high);
    if (b->place[i] == IN_TREE && !rebuild) broad_tree_remove(&b->tree, i);
    b->place[i] = (unsigned char)to;
    if (to != IN_TREE) return;
    enlarge(b, i, low, high);
    if (!rebuild) broad_tree_insert(&b->tree, i);
}

static bool stays_in_place(const ff_broad *b, int i, const double low[3], const double high[3])
{
    if (b->place[i] == IN_TREE) return is_inside(&b->tree.node[i], low, high);
    return b->place[i] == place_of(low, high);
}

static int find_movers(ff_broad *b, const double *low, const double *high)
{
    int count = 0;
    for (int i = 0; i < b->nobject; i++) {
        b->left_box[i] = !stays_in_place(b, i, low + 3 * (size_t)i, high + 3 * (size_t)i);
        if (b->left_box[i]) b->mover[count++] = i;
    }
    return count;
}

// After an overflow the candidates of all objects are searched again.
static int move_all(ff_broad *b)
{
    int count = 0;
    for (int i = 0; i < b->nobject; i++) {
        b->left_box[i] = b->left_box[i] || b->place[i] != ABSENT;
        if (b->left_box[i]) b->mover[count++] = i;
    }
    return count;
}

static int move_objects(ff_broad *b, const double *low, const double *high)
{
    int count = find_movers(b, low, high);
    if (count > 0) {
        // Where many move, as in the first step, a new tree costs less than as many insertions and answers queries
        // faster.
        bool rebuild = count > b->nobject / REBUILD_SHARE;
        for (int m = 0; m < count; m++) {
            size_t at = 3 * (size_t)b->mover[m];
            set_box(b, b->mover[m], low + at, high + at, rebuild);
        }
        int nleaf = 0;
        b->nunbounded = 0;
        for (int i = 0; i < b->nobject; i++) {
            if (b->place[i] == UNBOUNDED) b->unbounded[b->nunbounded++] = i;
            if (b->place[i] == IN_TREE) b->leaf[nleaf++] = i;
        }
        if (rebuild) broad_tree_build(&b->tree, b->leaf, nleaf);
    }
    return b->overflow ? move_all(b) : count;
}

// ------------------------------------------------------------------------------------------ candidates

// Do two boxes overlap? Without branches, since a branch predictor cannot guess which of thousands of candidates do.
static int boxes_meet(const double low1[3], const double high1[3], const double low2[3], const double high2[3])
{
    return (low1[0] <= high2[0]) & (low2[0] <= high1[0]) & (low1[1] <= high2[1]) & (low2[1] <= high1[1]) &
           (low1[2] <= high2[2]) & (low2[2] <= high1[2]);
}

static void add_candidate(ff_broad *b, int i, int j)
{
    // of two objects that left their boxes, the one with the lower number adds the pair
    if (i == j || (b->left_box[j] && j < i) || !may_meet(b, i, j)) return;
    if (b->nfresh == b->capacity) {
        b->overflow = true;
        return;
    }
    b->fresh[b->nfresh++] = key_of(i, j);
}

static void query_tree(ff_broad *b, int i)
{
    const broad_node *node = b->tree.node, *own = &node[i];
    int stack[BROAD_STACK], top = 0;
    for (int at = b->tree.root; at != BROAD_NONE && !b->overflow; at = top > 0 ? stack[--top] : BROAD_NONE) {
        const broad_node *n = &node[at];
        b->stats.visits++;
        if (n->child[0] == BROAD_NONE) {
            add_candidate(b, i, at);
            continue;
        }
        for (int k = 0; k < 2; k++) {
            const broad_node *c = &node[n->child[k]];
            stack[top] = n->child[k];
            top += boxes_meet(c->low, c->high, own->low, own->high) & (top < BROAD_STACK - 1);
        }
    }
}

static void find_fresh(ff_broad *b, int nmover)
{
    b->nfresh = 0;
    b->overflow = false;
    for (int m = 0; m < nmover && !b->overflow; m++) { // a full list ends the search
        int i = b->mover[m];
        if (b->place[i] == ABSENT) continue;
        if (b->place[i] == IN_TREE) {
            query_tree(b, i);
            for (int k = 0; k < b->nunbounded; k++) add_candidate(b, i, b->unbounded[k]);
        } else {
            for (int j = 0; j < b->nobject; j++)
                if (b->place[j] != ABSENT) add_candidate(b, i, j);
        }
    }
    sort_keys(b->fresh, b->nfresh);
}

// Removes the candidates of objects that moved and adds the fresh ones; both lists are sorted. `merged` has room for
// all of them.
static void merge_fresh(ff_broad *b)
{
    int n = 0, f = 0;
    for (int c = 0; c < b->ncandidate; c++) {
        uint64_t key = b->candidate[c];
        while (f < b->nfresh && b->fresh[f] < key) b->merged[n++] = b->fresh[f++];
        b->merged[n] = key;
        n += !(b->left_box[key >> 32] | b->left_box[key & 0xffffffffu]);
    }
    while (f < b->nfresh) b->merged[n++] = b->fresh[f++];
    if (n > b->capacity) b->overflow = true;
    uint64_t *old = b->candidate;
    b->candidate = b->merged;
    b->merged = old;
    b->ncandidate = n < b->capacity ? n : b->capacity;
}

ff_status ff_broad_update(ff_broad *b, const double *low, const double *high, const ff_broad_pair **pairs, int *npair)
{
    int nmover = move_objects(b, low, high), count = 0;
    if (nmover > 0) {
        find_fresh(b, nmover);
        merge_fresh(b);
    }
    for (int c = 0; c < b->ncandidate; c++) {
        int i = (int)(b->candidate[c] >> 32), j = (int)(b->candidate[c] & 0xffffffffu);
        b->pair[count] = (ff_broad_pair){i, j};
        count += boxes_meet(low + 3 * (size_t)i, high + 3 * (size_t)i, low + 3 * (size_t)j, high + 3 * (size_t)j);
    }
    b->stats.updates++;
    b->stats.moves += nmover;
    b->stats.candidates += b->ncandidate;
    *pairs = b->pair;
    *npair = count;
    return b->overflow ? FF_LIMIT : FF_OK;
}

ff_broad_stats ff_broad_statistics(const ff_broad *b)
{
    ff_broad_stats stats = b->stats;
    stats.height = b->tree.root == BROAD_NONE ? 0 : b->tree.node[b->tree.root].height;
    return stats;
}

// ------------------------------------------------------------------------------------------ memory

static bool allocate(ff_broad *b, const ff_broad_object *objects, const ff_broad_pair *excluded)
{
    size_t n = (size_t)b->nobject + 1, c = (size_t)b->capacity, x = (size_t)b->nexcluded + 1;
    b->object = malloc(n * sizeof *b->object);
    b->excluded = malloc(x * sizeof *b->excluded);
    b->place = calloc(n, 1);
    b->left_box = calloc(n, 1);
    b->mover = malloc(n * sizeof(int));
    b->unbounded = malloc(n * sizeof(int));
    b->leaf = malloc(n * sizeof(int));
    b->candidate = malloc((2 * c + 1) * sizeof(uint64_t));
    b->fresh = malloc(c * sizeof(uint64_t));
    b->merged = malloc((2 * c + 1) * sizeof(uint64_t));
    b->pair = malloc((c + 1) * sizeof *b->pair);
    if (!b->object || !b->excluded || !b->place || !b->left_box || !b->mover || !b->unbounded || !b->leaf ||
        !b->candidate || !b->fresh || !b->merged || !b->pair || !broad_tree_init(&b->tree, b->nobject))
        return false;
    if (b->nobject > 0) memcpy(b->object, objects, (n - 1) * sizeof *b->object);
    for (int i = 0; i < b->nexcluded; i++) b->excluded[i] = key_of(excluded[i].first, excluded[i].second);
    qsort(b->excluded, (size_t)b->nexcluded, sizeof(uint64_t), compare_keys);
    return true;
}

enum { OBJECTS_MOST = 100000000 };

static ff_status check(int nobject, int nexcluded, int capacity, double slack, ff_error *err)
{
    if (nobject < 0 || nobject > OBJECTS_MOST)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d objects: 0 to %d are allowed", nobject, OBJECTS_MOST);
    if (nexcluded < 0 || capacity < 0)
        return ff_error_set(err, FF_BAD_ARGUMENT, "%d excluded pairs, room for %d pairs: both must be zero or more",
                            nexcluded, capacity);
    if (!(slack >= 0.0) || !isfinite(slack))
        return ff_error_set(err, FF_BAD_ARGUMENT, "a slack of %g m: it must be zero or more, and finite", slack);
    return FF_OK;
}

ff_broad *ff_broad_create(const ff_broad_object *objects, int nobject, const ff_broad_pair *excluded, int nexcluded,
                          int capacity, double slack, ff_error *err)
{
    if (check(nobject, nexcluded, capacity, slack, err) != FF_OK) return NULL;
    if (nobject > 0 && !objects) return ff_error_missing(err, __func__, "list of objects"), NULL;
    if (nexcluded > 0 && !excluded) return ff_error_missing(err, __func__, "list of excluded pairs"), NULL;
    ff_broad *b = calloc(1, sizeof *b);
    if (!b) {
        ff_error_set(err, FF_NO_MEMORY, "no memory for the broad phase");
        return NULL;
    }
    b->nobject = nobject;
    b->nexcluded = nexcluded;
    b->capacity = capacity > 0 ? capacity : 16 * (nobject + 1);
    b->slack = slack;
    if (allocate(b, objects, excluded)) return b;
    ff_error_set(err, FF_NO_MEMORY, "no memory for %d objects and %d pairs in the broad phase", nobject, b->capacity);
    ff_broad_destroy(b);
    return NULL;
}

void ff_broad_destroy(ff_broad *b)
{
    if (!b) return;
    broad_tree_clear(&b->tree);
    free(b->object);
    free(b->excluded);
    free(b->place);
    free(b->left_box);
    free(b->mover);
    free(b->unbounded);
    free(b->leaf);
    free(b->candidate);
    free(b->fresh);
    free(b->merged);
    free(b->pair);
    free(b);
}
