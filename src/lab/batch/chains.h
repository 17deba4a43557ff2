// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The tree of a model as chains of nodes, and who of a crew does which (specialise.c writes them out):
//     chain    nodes of which each hangs on the one before
//     limb     a chain that ends, down and up at once, so that its frames, lumps and bodies are registers
//     trunk    chains that end where branches part, from the root outward level by level
//     station  the last node of a chain of the trunk, where branches meet
//     kind     chains whose nodes are alike share one piece of code
//     crew     threads that share a robot: chains of a level go round among them, and so do limbs
//     turn     in which members add to one station, so that its sum has one order
#ifndef FOOTFALL_BATCH_CHAINS_H
#define FOOTFALL_BATCH_CHAINS_H

#include "batch/model.h"

#include <stdbool.h>

enum { LIMB_NODES = 8, MOST_PIECES = 48 }; // longer or more numerous ones give code that no cache holds

typedef struct chain {
    int first, nodes; // of the model
    int tree, level;  // chains of the trunk between it and the world; limbs come after all of them
    int parent;       // station it hangs on, -1: the world
    int station;      // its own, -1: none
    int kind;
    int turn;
    bool limb;
} chain;

/// Chains that may be done at the same time, as none hangs on another.
typedef struct rank {
    int from, to; // chains
    int rounds;   // of the crew
    int nodes;    // of the longest
    int turns;
    int opened; // first of its places among those of the nodes of the trunk
} rank;

typedef struct layout {
    const ff_batch_model *m;
    int crew;
    int *parent;   // of each node, -1: the world
    int *children; // how many each has
    int *thin;     // of each node: nothing below it branches
    int *station;  // of each node, -1: none
    chain *chains; // by tree, level, node
    int nchain, nstation, nkind, pieces;
} layout;

/// Finds the chains of a model, for crews of so many members. The model must live as long.
/// @return false: no memory, or the model is too large; ff_chains_clear is due all the same
bool ff_chains_find(layout *l, const ff_batch_model *m, int crew);
void ff_chains_clear(layout *l);

/// The chains of a tree from `from` on that may be done at the same time.
rank ff_chains_rank(const layout *l, int from);

/// Degrees of freedom of a node that is no free root.
int ff_chains_dofs(const ff_batch_node *node);

#endif
