// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Insertion, removal and rebuilding of the dynamic box tree. A new leaf goes down to where it enlarges the surface of
// boxes least, which is the cost it adds to a query (J. Goldsmith, J. Salmon, IEEE Computer Graphics and Applications
// 7(5), 1987); on the way back up nodes whose children differ by more than one level are rotated, as in an AVL tree, so
// that the height stays below 1.45 log2 n.
#include <stdlib.h>

#include "broad_tree.h"

static void empty(broad_tree *tree)
{
    tree->root = tree->free = BROAD_NONE;
    for (int i = 2 * tree->nleaf - 1; i >= 0; i--) {
        broad_node *n = &tree->node[i];
        n->child[0] = n->child[1] = n->parent = BROAD_NONE;
        if (i < tree->nleaf) continue;
        n->parent = tree->free;
        tree->free = i;
    }
}

bool broad_tree_init(broad_tree *tree, int nleaf)
{
    tree->nleaf = nleaf;
    tree->node = calloc((size_t)nleaf * 2 + 1, sizeof *tree->node);
    if (!tree->node) return false;
    empty(tree);
    return true;
}

void broad_tree_clear(broad_tree *tree)
{
    free(tree->node);
    tree->node = NULL;
}

// Half the surface of the smallest box around two boxes.
static double half_surface_around(const broad_node *a, const broad_node *b)
{
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = ff_max(a->high[k], b->high[k]) - ff_min(a->low[k], b->low[k]);
    return d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
}

static double half_surface(const broad_node *box)
{
    return half_surface_around(box, box);
}

// Computes box and height of an inner node from its children.
static void refit(broad_tree *t, int i)
{
    broad_node *n = &t->node[i];
    const broad_node *a = &t->node[n->child[0]], *b = &t->node[n->child[1]];
    for (int k = 0; k < 3; k++) {
        n->low[k] = a->low[k] < b->low[k] ? a->low[k] : b->low[k];
        n->high[k] = a->high[k] > b->high[k] ? a->high[k] : b->high[k];
    }
    n->height = 1 + (a->height > b->height ? a->height : b->height);
}

static void replace_child(broad_tree *t, int parent, int old, int new)
{
    if (new != BROAD_NONE) t->node[new].parent = parent;
    if (parent == BROAD_NONE)
        t->root = new;
    else
        t->node[parent].child[t->node[parent].child[1] == old] = new;
}

// Rotates the taller child c of node i above it: i takes the lower of c's children, c keeps the taller one.
// @return c
static int rotate(broad_tree *t, int i, int side)
{
    int c = t->node[i].child[side], f = t->node[c].child[0], g = t->node[c].child[1];
    int up = t->node[f].height >= t->node[g].height ? f : g, down = up == f ? g : f;
    replace_child(t, t->node[i].parent, i, c);
    t->node[c].child[0] = i;
    t->node[c].child[1] = up;
    t->node[i].parent = c;
    t->node[i].child[side] = down;
    t->node[down].parent = i;
    refit(t, i);
    refit(t, c);
    return c;
}

// Refits the boxes from node i up to the root, and rotates nodes whose children differ in height by more than 1.
static void repair_upward(broad_tree *t, int i)
{
    while (i != BROAD_NONE) {
        int difference = t->node[t->node[i].child[1]].height - t->node[t->node[i].child[0]].height;
        if (difference > 1)
            i = rotate(t, i, 1);
        else if (difference < -1)
            i = rotate(t, i, 0);
        else
            refit(t, i);
        i = t->node[i].parent;
    }
}

// The node beside which a new leaf adds least to the surfaces of boxes, found by going down from the root.
static int best_sibling(const broad_tree *t, const broad_node *leaf)
{
    int i = t->root;
    while (t->node[i].child[0] != BROAD_NONE) {
        const broad_node *n = &t->node[i];
        const double joint = half_surface_around(n, leaf), growth = joint - half_surface(n);
        double cost[2]; // least surface that is added beside or below each child
        for (int k = 0; k < 2; k++) {
            const broad_node *c = &t->node[n->child[k]];
            cost[k] = half_surface_around(c, leaf) + growth;
            if (c->child[0] != BROAD_NONE) cost[k] -= half_surface(c);
        }
        if (joint < cost[0] && joint < cost[1]) break;
        i = n->child[cost[1] < cost[0]];
    }
    return i;
}

void broad_tree_insert(broad_tree *t, int leaf)
{
    t->node[leaf].height = 0;
    if (t->root == BROAD_NONE) {
        t->root = leaf;
        t->node[leaf].parent = BROAD_NONE;
        return;
    }
    int sibling = best_sibling(t, &t->node[leaf]), parent = t->free;
    t->free = t->node[parent].parent;
    replace_child(t, t->node[sibling].parent, sibling, parent);
    t->node[parent].child[0] = sibling;
    t->node[parent].child[1] = leaf;
    t->node[sibling].parent = t->node[leaf].parent = parent;
    repair_upward(t, parent);
}

void broad_tree_remove(broad_tree *t, int leaf)
{
    int parent = t->node[leaf].parent;
    t->node[leaf].parent = BROAD_NONE;
    if (parent == BROAD_NONE) {
        t->root = BROAD_NONE;
        return;
    }
    int sibling = t->node[parent].child[t->node[parent].child[0] == leaf], above = t->node[parent].parent;
    replace_child(t, above, parent, sibling);
    t->node[parent].child[0] = t->node[parent].child[1] = BROAD_NONE;
    t->node[parent].parent = t->free;
    t->free = parent;
    repair_upward(t, above);
}

// ------------------------------------------------------------------------------------------ rebuilding

// Twice the middle of the box of a leaf.
static double double_middle(const broad_tree *t, int leaf, int axis)
{
    return t->node[leaf].low[axis] + t->node[leaf].high[axis];
}

// Is leaf i before leaf j along an axis? Equal ones are ordered by number, so that one input gives one tree.
static bool before(const broad_tree *t, int i, int j, int axis)
{
    double a = double_middle(t, i, axis), b = double_middle(t, j, axis);
    return a < b || (a == b && i < j);
}

// Puts the leaf of rank `rank` in its place, smaller ones before it, larger ones after it (quickselect).
static void select_rank(const broad_tree *t, int *leaf, int count, int rank, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        int pivot = leaf[low + (high - low) / 2], i = low, j = high;
        while (i <= j) {
            while (before(t, leaf[i], pivot, axis)) i++;
            while (before(t, pivot, leaf[j], axis)) j--;
            if (i > j) break;
            int keep = leaf[i];
            leaf[i++] = leaf[j];
            leaf[j--] = keep;
        }
        if (rank <= j)
            high = j;
        else if (rank >= i)
            low = i;
        else
            return;
    }
}

static int widest_axis(const broad_tree *t, const int *leaf, int count)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double m = double_middle(t, leaf[i], k);
            low[k] = m < low[k] ? m : low[k];
            high[k] = m > high[k] ? m : high[k];
        }
    int axis = high[1] - low[1] > high[0] - low[0];
    return high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
}

// Halves the leaves at the median of the widest axis. Inner nodes are numbered in the order of the recursion, so that
// neighbours in the tree are neighbours in memory. @return the root
static int build(broad_tree *t, int *leaf, int count)
{
    if (count == 1) {
        t->node[leaf[0]].height = 0;
        return leaf[0];
    }
    int half = count / 2, i = t->free;
    t->free = t->node[i].parent;
    select_rank(t, leaf, count, half, widest_axis(t, leaf, count));
    int first = build(t, leaf, half), second = build(t, leaf + half, count - half);
    t->node[i].child[0] = first;
    t->node[i].child[1] = second;
    t->node[i].parent = BROAD_NONE;
    t->node[first].parent = t->node[second].parent = i;
    refit(t, i);
    return i;
}

void broad_tree_build(broad_tree *t, int *leaf, int count)
{
    empty(t);
    if (count > 0) t->root = build(t, leaf, count);
}
