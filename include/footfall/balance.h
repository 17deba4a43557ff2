// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Balance on feet that can only push: the support polygon and the stability margin of a point in it, the shift that
// gives the centre of mass a wanted margin, the capture point, and the distribution of the weight to the feet. Points
// are (x, y) [m] in the horizontal plane, in any frame whose z axis points up.
// docs/control.md has the equations and their sources.
//
// Plain functions on plain data: no allocation, no state, the same answer on every machine.
#ifndef FOOTFALL_BALANCE_H
#define FOOTFALL_BALANCE_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Most points of a support: six feet, or two soles with many corners.
#define FF_SUPPORT_MAX 32

/// Support polygon: the convex hull of the points on which a robot stands.
typedef struct ff_support {
    int count;                        // corners; 0: no foot, 1: a point, 2: a line, 3 or more: a polygon
    double corner[FF_SUPPORT_MAX][2]; // counter-clockwise, seen from above  [m]
} ff_support;

/// Convex hull of `count` points (A. M. Andrew, 1979). Points that coincide or lie on an edge are no corners, so that
/// feet in a row give a line.
/// @return false, and no corners, when count is negative or above FF_SUPPORT_MAX or a coordinate is not finite (or
/// beyond 1e100)
FF_API bool ff_support_make(ff_support *support, const double (*points)[2], int count);

/// Signed stability margin: how far the point lies inside the polygon from its nearest edge, or, negative, how far
/// outside it lies. Never positive for a line or a single point; -INFINITY without corners.  [m]
FF_API double ff_support_margin(const ff_support *support, const double point[2]);

/// The point of the polygon (line, point) nearest to `point`, which is `point` itself inside.
/// @return false without corners
FF_API bool ff_support_nearest(const ff_support *support, const double point[2], double nearest[2]);

/// The part of a polygon whose points have at least `margin` (zero or more, [m]): each edge moved inwards. Where no
/// such part exists, it is the part with the greatest margin the polygon offers (a point or line, found to 1e-9 m); of
/// a line or a point, its middle. `out` may be `support`.
/// @return the margin that was reached  [m]
FF_API double ff_support_shrink(const ff_support *support, double margin, ff_support *out);

/// Smallest shift of the centre of mass after which it has the wanted margin, or the greatest possible one. Zero when
/// it has the margin already or there are no feet.
/// @param com     its vertical projection  [m]
/// @param margin  wanted, zero or more  [m]
/// @return        whether the shift is not zero
FF_API bool ff_balance_correction(const ff_support *support, const double com[2], double margin, double shift[2]);

/// Moves `value` towards `target` by at most `step` (a speed times a period), on the straight line [m]. A target that
/// is not finite changes nothing.
FF_API void ff_balance_follow(double value[2], const double target[2], double step);

/// Capture point: where a robot must step to come to rest, as a linear inverted pendulum of constant height,
///     xi = x + v sqrt(z / g)         J. Pratt et al., Capture point, Humanoids 2006
/// @param com     horizontal position of the centre of mass  [m]
/// @param velocity of it  [m/s]
/// @param height  of it above the feet; below zero counts as zero  [m]
/// @param gravity positive  [m/s^2]
FF_API void ff_balance_capture_point(const double com[2], const double velocity[2], double height, double gravity,
                                     double point[2]);

/// Centre of the vertical foot forces, sum F x / sum F: the projection of the centre of mass while the robot moves
/// slowly, and the centre of pressure always.
/// @param force  [N], (count)
/// @return       false, and `point` untouched, when the feet carry less than `least` newton together or a
///               number is not finite
FF_API bool ff_balance_pressure_point(const double (*feet)[2], const double *force, int count, double least,
                                      double point[2]);

/// Result of ff_balance_distribute.
typedef struct ff_balance_share {
    double margin;       // stability margin of the centre of mass on these feet  [m]
    bool balanced;       // margin > 0: the forces carry the weight where it is
    int loaded;          // feet with a force
    double shortfall[2]; // from the centre of mass to the point the forces carry, zero when balanced  [m]
} ff_balance_share;

/// Shares a weight among feet that can only push: the least sum of squares of forces F >= 0 with
///     sum F = P,   sum F x = P X,   sum F y = P Y
/// by the closed form for n feet where no foot pulls in it, else by an active-set method. When the centre of mass lies
/// outside the support, the forces are those for the nearest point of the support and `balanced` is false.
/// @param feet    where they stand  [m]
/// @param count   up to FF_SUPPORT_MAX
/// @param weight  P, zero or more  [N]
/// @param com     X, Y  [m]
/// @param force   result  [N], (count)
/// @param share   result, may be NULL
/// @return        FF_OK, balanced or not; FF_BAD_ARGUMENT for too many feet or numbers that are not finite (forces
/// zero)
FF_API ff_status ff_balance_distribute(const double (*feet)[2], int count, double weight, const double com[2],
                                       double *force, ff_balance_share *share);
/// The same with the least sum of F^2 / s: feet of a small share s carry little, and one whose share goes to zero loses
/// its load steadily. A share below a thousandth of the largest counts as that, for feet without which the robot cannot
/// stand.
/// @param shares  zero or more, at least one above zero, in any unit, (count)
/// @return        as above; also FF_BAD_ARGUMENT for shares that are negative, not finite, or all zero (forces zero)
FF_API ff_status ff_balance_distribute_by(const double (*feet)[2], const double *shares, int count, double weight,
                                          const double com[2], double *force, ff_balance_share *share);

#ifdef __cplusplus
}
#endif
#endif
