// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The grid of a height field as plain numbers, for processors and devices. Its middle is the origin of its frame.
#ifndef FOOTFALL_GRID_H
#define FOOTFALL_GRID_H

typedef struct ff_grid {
    const double *height; // (nx*ny)  [m]
    int nx, ny;
    double step[2], origin[2]; // cell size; first grid point  [m]
    double high;               // highest point  [m]
} ff_grid;

#endif
