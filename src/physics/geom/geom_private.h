// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share with each other.
#ifndef FOOTFALL_GEOM_PRIVATE_H
#define FOOTFALL_GEOM_PRIVATE_H

#include <footfall/geom.h>

/// Most triangles and vertices a mesh may have: beyond any robot part, small enough that 3 * count fits an int.
#define FF_MESH_MAX 5000000

/// A mesh with room for so many vertices and triangles, not yet filled. NULL when out of memory or beyond FF_MESH_MAX.
ff_mesh *ff_mesh_alloc(int nvertex, int ntriangle);

/// Integrals over the solid that a closed surface bounds, by signed tetrahedra: volume [m^3], first moments [m^4] and
/// second moments xx, yy, zz, xy, xz, yz [m^5] about `origin`.
void ff_mesh_integrals(const ff_mesh *mesh, const double origin[3], double *volume, double first[3], double second[6]);

/// Indices of the six entries of a symmetric tensor: xx, yy, zz, xy, xz, yz.
static const int FF_TENSOR_PAIR[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

/// Inertia tensor from second moments (int x_i x_j dm).
void ff_tensor_from_moments(double I[6], const double second[6]);

/// Which side of the plane through a, b, c the point d is on, without rounding: +1 where a, b, c run counter-clockwise
/// as seen from d, -1 on the other side, 0 in the plane. Right for coordinates up to 1e90 in size and not below 1e-70
/// unless 0.
int ff_geom_side(const double a[3], const double b[3], const double c[3], const double d[3]);

#endif
