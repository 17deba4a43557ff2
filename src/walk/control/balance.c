// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Balance: shifting the centre of mass to a wanted margin, catching a fall, and sharing the weight among feet. For n
// feet with the mean (mean_x, mean_y), sums Sxx, Syy, Sxy of squares about it, D = Sxx Syy - Sxy^2, and the centre of
// mass at (u, w) from it, the least sum of squares is
//     F_i = P [ 1/n + ((u Syy - w Sxy)(x_i - mean_x) + (w Sxx - u Sxy)(y_i - mean_y)) / D ]
// Where a foot would pull, a primal active-set method starts from a triangle of feet around the centre of mass and
// moves from one such closed form to the next (docs/control.md).
#include <footfall/balance.h>

// D / (Sxx + Syy)^2 of feet on a line is below this: the polygon is a millionth as wide as long.
#define LINE_RATIO 1e-12

// Rounding of forces, as a part of the weight.
#define FORCE_ROUNDING 1e-13

// Least share of a foot, as a part of the largest. Of 400 000 random feet and shares the balance was off by 5e-9 of the
// weight at worst; with 1e-6 in place of 1e-3, by 2e-4.
#define LEAST_SHARE 1e-3

// ------------------------------------------------------------------------------------------ centre of mass

bool ff_balance_correction(const ff_support *support, const double com[2], double margin, double shift[2])
{
    ff_support inner;
    double goal[2];
    shift[0] = shift[1] = 0.0;
    if (support->count == 0 || ff_support_margin(support, com) >= margin) return false;
    ff_support_shrink(support, margin, &inner);
    if (!ff_support_nearest(&inner, com, goal)) return false;
    shift[0] = goal[0] - com[0];
    shift[1] = goal[1] - com[1];
    return shift[0] != 0.0 || shift[1] != 0.0;
}

void ff_balance_follow(double value[2], const double target[2], double step)
{
    double x = target[0] - value[0], y = target[1] - value[1];
    double far = sqrt(x * x + y * y);
    if (!isfinite(far)) return;
    if (far <= step) {
        value[0] = target[0];
        value[1] = target[1];
    } else if (step > 0.0) {
        value[0] += step / far * x;
        value[1] += step / far * y;
    }
}

void ff_balance_capture_point(const double com[2], const double velocity[2], double height, double gravity,
                              double point[2])
{
    double time = height > 0.0 ? sqrt(height / gravity) : 0.0;
    point[0] = com[0] + velocity[0] * time;
    point[1] = com[1] + velocity[1] * time;
}

bool ff_balance_pressure_point(const double (*feet)[2], const double *force, int count, double least, double point[2])
{
    double sum = 0.0, x = 0.0, y = 0.0;
    for (int i = 0; i < count; i++) {
        sum += force[i];
        x += force[i] * feet[i][0];
        y += force[i] * feet[i][1];
    }
    if (!(sum > 0.0) || sum < least || !isfinite(x / sum) || !isfinite(y / sum)) return false;
    point[0] = x / sum;
    point[1] = y / sum;
    return true;
}

// ------------------------------------------------------------------------------------------ sharing the weight

// Force on a foot at the place p with the share 1, for weight 1: constant + slope (p - mean).
typedef struct affine_force {
    double constant, mean[2], slope[2];
} affine_force;

static double force_at(const affine_force *f, const double p[2], double share)
{
    return share * (f->constant + f->slope[0] * (p[0] - f->mean[0]) + f->slope[1] * (p[1] - f->mean[1]));
}

// Sums of squares of feet about their mean, and the slope that balances a centre of mass at (u, w) from it. On a line
// only what lies along it can be balanced.
typedef struct spread {
    double xx, yy, xy;
} spread;

static void balancing_slope(const spread *s, double u, double w, double slope[2])
{
    double d = s->xx * s->yy - s->xy * s->xy, trace = s->xx + s->yy;
    slope[0] = slope[1] = 0.0;
    if (d > LINE_RATIO * trace * trace) {
        slope[0] = (u * s->yy - w * s->xy) / d;
        slope[1] = (w * s->xx - u * s->xy) / d;
    } else if (trace > 0.0) { // rank one: S = trace e e', so its pseudo-inverse is S / trace^2
        slope[0] = (s->xx * u + s->xy * w) / (trace * trace);
        slope[1] = (s->xy * u + s->yy * w) / (trace * trace);
    }
}

// Moment that the forces leave unbalanced_moment, about the mean of the feet.
static void unbalanced_moment(const affine_force *f, const double (*feet)[2], const double *shares, const bool *used,
                              int count, const double com[2], double moment[2])
{
    moment[0] = com[0] - f->mean[0];
    moment[1] = com[1] - f->mean[1];
    for (int i = 0; i < count; i++) {
        if (!used[i]) continue;
        double force = force_at(f, feet[i], shares[i]);
        moment[0] -= force * (feet[i][0] - f->mean[0]);
        moment[1] -= force * (feet[i][1] - f->mean[1]);
    }
}

// The closed form for the feet in use.
static affine_force closed_form(const double (*feet)[2], const double *shares, const bool *used, int count,
                                const double com[2])
{
    affine_force f = {0};
    spread s = {0};
    double n = 0.0;
    for (int i = 0; i < count; i++) {
        if (!used[i]) continue;
        n += shares[i];
        f.mean[0] += shares[i] * feet[i][0];
        f.mean[1] += shares[i] * feet[i][1];
    }
    f.constant = 1.0 / n;
    f.mean[0] /= n;
    f.mean[1] /= n;
    for (int i = 0; i < count; i++) {
        if (!used[i]) continue;
        double x = feet[i][0] - f.mean[0], y = feet[i][1] - f.mean[1];
        s.xx += shares[i] * x * x;
        s.yy += shares[i] * y * y;
        s.xy += shares[i] * x * y;
    }
    balancing_slope(&s, com[0] - f.mean[0], com[1] - f.mean[1], f.slope);
    // D of thin polygons is a small difference of large numbers: one correction by the moment that is left
    double left[2], more[2];
    unbalanced_moment(&f, feet, shares, used, count, com, left);
    balancing_slope(&s, left[0], left[1], more);
    f.slope[0] += more[0];
    f.slope[1] += more[1];
    return f;
}

static int nearest_foot(const double (*feet)[2], int count, const double p[2])
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        double x = feet[i][0] - p[0], y = feet[i][1] - p[1];
        if (x * x + y * y < least) {
            least = x * x + y * y;
            best = i;
        }
    }
    return best;
}

static double doubled_area(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Forces on two feet at the ends of a line that carries com.
static void start_on_line(const double (*feet)[2], int a, int b, const double com[2], double *force)
{
    double ux = feet[b][0] - feet[a][0], uy = feet[b][1] - feet[a][1];
    double t = ((com[0] - feet[a][0]) * ux + (com[1] - feet[a][1]) * uy) / (ux * ux + uy * uy);
    t = ff_min(ff_max(t, 0.0), 1.0);
    force[a] = 1.0 - t;
    force[b] = t;
}

// Some forces of zero or more that balance: of the triangles from one corner of the hull, those of the one that holds
// com. Rounding can put com outside of all of them; then the one with the least violation is used.
static void feasible_start(const ff_support *hull, const double (*feet)[2], int count, const double com[2],
                           double *force, bool *used)
{
    int corner[FF_SUPPORT_MAX], best = 1;
    double best_least = -INFINITY, weight[3] = {1.0, 0.0, 0.0};
    for (int i = 0; i < count; i++) force[i] = 0.0;
    for (int k = 0; k < hull->count; k++) corner[k] = nearest_foot(feet, count, hull->corner[k]);
    if (hull->count == 1) force[corner[0]] = 1.0;
    if (hull->count == 2) start_on_line(feet, corner[0], corner[1], com, force);
    for (int k = 1; k + 1 < hull->count; k++) {
        const double *a = hull->corner[0], *b = hull->corner[k], *c = hull->corner[k + 1];
        double whole = doubled_area(a, b, c);
        double part[3] = {doubled_area(com, b, c) / whole, doubled_area(a, com, c) / whole,
                          doubled_area(a, b, com) / whole};
        double least = ff_min(part[0], ff_min(part[1], part[2]));
        if (least > best_least) {
            best_least = least;
            best = k;
            memcpy(weight, part, sizeof weight);
        }
    }
    if (hull->count >= 3) {
        force[corner[0]] = ff_max(weight[0], 0.0);
        force[corner[best]] = ff_max(weight[1], 0.0);
        force[corner[best + 1]] = ff_max(weight[2], 0.0);
    }
    for (int i = 0; i < count; i++) used[i] = force[i] > 0.0;
}

// Moves the forces towards those of the closed form until a foot loses its load; that foot is taken out.
// @return whether the closed form was reached
static bool move_to(const affine_force *goal, const double (*feet)[2], const double *shares, int count, double *force,
                    bool *used)
{
    double step = 1.0;
    int blocking = -1;
    for (int i = 0; i < count; i++) {
        if (!used[i]) continue;
        double wanted = force_at(goal, feet[i], shares[i]);
        if (wanted >= -FORCE_ROUNDING) continue;
        double possible = force[i] / (force[i] - wanted);
        if (possible < step) {
            step = possible;
            blocking = i;
        }
    }
    for (int i = 0; i < count; i++)
        if (used[i]) force[i] = ff_max(force[i] + step * (force_at(goal, feet[i], shares[i]) - force[i]), 0.0);
    if (blocking < 0) return true;
    force[blocking] = 0.0;
    used[blocking] = false;
    return false;
}

// The foot without load on which the closed form has the largest force; -1 when there is none: forces are optimal.
static int foot_to_add(const affine_force *f, const double (*feet)[2], const double *shares, int count,
                       const bool *used)
{
    int best = -1;
    double most = FORCE_ROUNDING;
    for (int i = 0; i < count; i++) {
        double wanted = used[i] ? 0.0 : force_at(f, feet[i], shares[i]);
        if (wanted > most) {
            most = wanted;
            best = i;
        }
    }
    return best;
}

// Forces for weight 1 at a point of the hull.
static void share(const ff_support *hull, const double (*feet)[2], const double *shares, int count, const double com[2],
                  double *force)
{
    bool used[FF_SUPPORT_MAX], all_push = true;
    for (int i = 0; i < count; i++) used[i] = true;
    affine_force f = closed_form(feet, shares, used, count, com);
    for (int i = 0; i < count; i++) {
        force[i] = force_at(&f, feet[i], shares[i]);
        if (force[i] < 0.0) all_push = false;
    }
    if (all_push) return;
    feasible_start(hull, feet, count, com, force, used);
    // each round lowers the sum of squares, so no set of feet comes twice, but by rounding: the bound ends that
    for (int round = 0; round < 8 * FF_SUPPORT_MAX; round++) {
        f = closed_form(feet, shares, used, count, com);
        if (!move_to(&f, feet, shares, count, force, used)) continue;
        int add = foot_to_add(&f, feet, shares, count, used);
        if (add < 0) break;
        used[add] = true;
    }
}

// Scales shares to between LEAST_SHARE and about 1, by a power of two, which is exact. @return whether they are valid
static bool usable_shares(const double *shares, int count, double *usable)
{
    double most = 0.0;
    int exponent;
    for (int i = 0; i < count; i++) {
        if (!(shares[i] >= 0.0) || !isfinite(shares[i])) return false;
        most = ff_max(most, shares[i]);
    }
    if (count > 0 && most <= 0.0) return false;
    most = frexp(most, &exponent);
    for (int i = 0; i < count; i++) usable[i] = ff_max(ldexp(shares[i], -exponent), LEAST_SHARE * most);
    return true;
}

ff_status ff_balance_distribute_by(const double (*feet)[2], const double *shares, int count, double weight,
                                   const double com[2], double *force, ff_balance_share *result)
{
    ff_balance_share found = {.margin = -INFINITY};
    ff_support hull;
    double carried[2] = {com[0], com[1]}, usable[FF_SUPPORT_MAX];
    for (int i = 0; i < count; i++) force[i] = 0.0;
    if (result) *result = found;
    if (!ff_support_make(&hull, feet, count) || !isfinite(com[0]) || !isfinite(com[1]) || !isfinite(weight) ||
        weight < 0.0 || !usable_shares(shares, count, usable))
        return FF_BAD_ARGUMENT;
    if (count > 0) {
        found.margin = ff_support_margin(&hull, com);
        found.balanced = found.margin > 0.0;
        if (!found.balanced) ff_support_nearest(&hull, com, carried);
        share(&hull, feet, usable, count, carried, force);
    }
    found.shortfall[0] = carried[0] - com[0];
    found.shortfall[1] = carried[1] - com[1];
    for (int i = 0; i < count; i++) {
        force[i] *= weight;
        if (force[i] > 0.0) found.loaded++;
    }
    if (result) *result = found;
    return FF_OK;
}

ff_status ff_balance_distribute(const double (*feet)[2], int count, double weight, const double com[2], double *force,
                                ff_balance_share *result)
{
    double equal[FF_SUPPORT_MAX];
    for (int i = 0; i < FF_SUPPORT_MAX; i++) equal[i] = 1.0;
    return ff_balance_distribute_by(feet, equal, count, weight, com, force, result);
}
