// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The dynamic tree of boxes under the broad phase: every leaf is an object, every inner node the box around its two
// children. Nodes live in one array of 2 n; leaf i is node i.
#ifndef FOOTFALL_BROAD_TREE_H
#define FOOTFALL_BROAD_TREE_H

#include "geom_private.h"

#define BROAD_NONE (-1)
/// A query keeps one node a level, and the tree is balanced.
#define BROAD_STACK 256

typedef struct broad_node {
    double low[3], high[3];
    int parent;
    int child[2]; // BROAD_NONE for leaves
    int height;   // 0 for leaves
} broad_node;

typedef struct broad_tree {
    broad_node *node; // leaves 0..nleaf-1, then inner nodes  (2*nleaf)
    int nleaf;
    int root;
    int free; // first unused inner node, chained by parent
} broad_tree;

/// @return false when out of memory
bool broad_tree_init(broad_tree *tree, int nleaf);
void broad_tree_clear(broad_tree *tree);
/// The leaf's box must be set and the leaf not be in the tree.
void broad_tree_insert(broad_tree *tree, int leaf);
void broad_tree_remove(broad_tree *tree, int leaf);

/// Throws the tree away and builds a balanced one over the given leaves, whose boxes are set; `leaf` is reordered.
void broad_tree_build(broad_tree *tree, int *leaf, int count);

#endif
