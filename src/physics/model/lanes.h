// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Copies of constants of a model, laid out for functions that work on two nodes at a time (base/pair.h): numbers of
// two nodes stand in alternate places. For the rooms that compute; users read the plain arrays of ff_model.
#ifndef FOOTFALL_MODEL_LANES_H
#define FOOTFALL_MODEL_LANES_H

#include <footfall/model.h>

typedef struct ff_lanes {
    bool *with_next; // a hinge that is placed together with the next node, also a hinge, not its child  (nnode)
    double *rest;    // rest.R, rest.p of nodes i and i + 1, where node i has with_next  (24*nnode)
    double *inertia; // inertia of lumps 2 k and 2 k + 1, the last of an odd number twice  (20*(nlump + 1)/2)
    int nrow;        // even
    int *row;        // dofs in the order of nodes, free roots left out, the last twice if need be  (nrow)
    int *axis;       // 6 * M_col, where the motion axis of the entry's column begins  (nM)
} ff_lanes;

#endif
