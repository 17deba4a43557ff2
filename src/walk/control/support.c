// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Support polygon: convex hull, distances, and the polygon moved inwards by a margin.
//
// The inward distance of a point p to the edge from a to b is s = (b - a) x (p - a) / |b - a|, positive inside. The
// margin is the smallest s inside, and the polygon of margin m, where s >= m for each edge, is cut edge by edge (I. E.
// Sutherland, G. W. Hodgman, 1974).
#include <footfall/balance.h>

// Greatest coordinate, so that squares do not overflow  [m].
#define FAR_AWAY 1e100

// Corners of a cut polygon that are closer than this are one  [m].
#define TWIN_DISTANCE 1e-12

static double cross(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double distance(const double a[2], const double b[2])
{
    double x = b[0] - a[0], y = b[1] - a[1];
    return sqrt(x * x + y * y);
}

static bool comes_before(const double a[2], const double b[2])
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

// By x, then y, by insertion: there are few points, and a fixed order for equal ones.
static void sort_points(double (*points)[2], int count)
{
    for (int i = 1; i < count; i++) {
        double x = points[i][0], y = points[i][1];
        int k = i;
        for (; k > 0 && comes_before((double[2]){x, y}, points[k - 1]); k--) {
            points[k][0] = points[k - 1][0];
            points[k][1] = points[k - 1][1];
        }
        points[k][0] = x;
        points[k][1] = y;
    }
}

// One half of Andrew's monotone chain: appends sorted points, dropping corners that do not turn left.
static int chain(double (*hull)[2], int count, int keep, const double point[2])
{
    while (count > keep && cross(hull[count - 2], hull[count - 1], point) <= 0.0) count--;
    hull[count][0] = point[0];
    hull[count][1] = point[1];
    return count + 1;
}

static int unique_points(double (*points)[2], int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (kept > 0 && points[i][0] == points[kept - 1][0] && points[i][1] == points[kept - 1][1]) continue;
        points[kept][0] = points[i][0];
        points[kept][1] = points[i][1];
        kept++;
    }
    return kept;
}

bool ff_support_make(ff_support *support, const double (*points)[2], int count)
{
    double sorted[FF_SUPPORT_MAX][2], hull[2 * FF_SUPPORT_MAX + 1][2];
    support->count = 0;
    if (count < 0 || count > FF_SUPPORT_MAX) return false;
    for (int i = 0; i < count; i++) {
        // written so that NaN fails
        if (!(fabs(points[i][0]) <= FAR_AWAY && fabs(points[i][1]) <= FAR_AWAY)) return false;
        sorted[i][0] = points[i][0];
        sorted[i][1] = points[i][1];
    }
    sort_points(sorted, count);
    count = unique_points(sorted, count);
    int n = 0;
    if (count <= 2) {
        for (; n < count; n++) memcpy(hull[n], sorted[n], sizeof hull[n]);
    } else {
        for (int i = 0; i < count; i++) n = chain(hull, n, 1, sorted[i]);
        int lower = n;
        for (int i = count - 2; i >= 0; i--) n = chain(hull, n, lower, sorted[i]);
        n--; // the first point came again
    }
    support->count = n;
    memcpy(support->corner, hull, (size_t)n * sizeof hull[0]);
    return true;
}

static void nearest_on_segment(const double a[2], const double b[2], const double p[2], double out[2])
{
    double ux = b[0] - a[0], uy = b[1] - a[1];
    double square = ux * ux + uy * uy;
    double t = square > 0.0 ? ((p[0] - a[0]) * ux + (p[1] - a[1]) * uy) / square : 0.0;
    // beyond an end it is the end itself, without rounding
    if (!(t > 0.0)) {
        memcpy(out, a, 2 * sizeof *out);
    } else if (t >= 1.0) {
        memcpy(out, b, 2 * sizeof *out);
    } else {
        out[0] = a[0] + t * ux;
        out[1] = a[1] + t * uy;
    }
}

static const double *corner_after(const ff_support *support, int i)
{
    return support->corner[i + 1 < support->count ? i + 1 : 0];
}

// Smallest inward distance to the lines of the edges of a polygon.
static double inward_distance(const ff_support *support, const double p[2])
{
    double least = INFINITY;
    for (int i = 0; i < support->count; i++) {
        const double *a = support->corner[i], *b = corner_after(support, i);
        double length = distance(a, b);
        if (length == 0.0) continue; // corners nearer than the smallest number squared
        double s = cross(a, b, p) / length;
        if (s < least) least = s;
    }
    return least < INFINITY ? least : -INFINITY;
}

// Nearest point of the boundary. @return its distance  [m]
static double nearest_on_boundary(const ff_support *support, const double p[2], double out[2])
{
    double best = INFINITY;
    for (int i = 0; i < support->count; i++) {
        double candidate[2];
        nearest_on_segment(support->corner[i], corner_after(support, i), p, candidate);
        double far = distance(p, candidate);
        if (far < best) {
            best = far;
            memcpy(out, candidate, sizeof candidate);
        }
    }
    return best;
}

double ff_support_margin(const ff_support *support, const double point[2])
{
    double nearest[2];
    if (support->count == 0) return -INFINITY;
    if (support->count >= 3) {
        double inside = inward_distance(support, point);
        if (inside >= 0.0) return inside;
    }
    return -nearest_on_boundary(support, point, nearest);
}

bool ff_support_nearest(const ff_support *support, const double point[2], double nearest[2])
{
    if (support->count == 0) return false;
    if (support->count >= 3 && inward_distance(support, point) >= 0.0) {
        memmove(nearest, point, 2 * sizeof *nearest);
        return true;
    }
    double found[2];
    nearest_on_boundary(support, point, found);
    memcpy(nearest, found, sizeof found);
    return true;
}

// ------------------------------------------------------------------------------------------ moved inwards

// Each line that cuts a convex polygon adds at most one corner; a third more is for rounding.
#define CUT_MAX (3 * FF_SUPPORT_MAX)
typedef struct cut_polygon {
    int count;
    double corner[CUT_MAX][2];
} cut_polygon;

// Keeps what lies at least `margin` inside the line from a to b.
static void cut(cut_polygon *polygon, const double a[2], const double b[2], double margin)
{
    cut_polygon kept = {0};
    double length = distance(a, b);
    if (length == 0.0) return;
    for (int i = 0; i < polygon->count && kept.count + 2 <= CUT_MAX; i++) {
        const double *p = polygon->corner[i], *q = polygon->corner[i + 1 < polygon->count ? i + 1 : 0];
        double sp = cross(a, b, p) / length - margin, sq = cross(a, b, q) / length - margin;
        if (sp >= 0.0) memcpy(kept.corner[kept.count++], p, 2 * sizeof *p);
        if ((sp >= 0.0) == (sq >= 0.0)) continue;
        double t = sp / (sp - sq);
        kept.corner[kept.count][0] = p[0] + t * (q[0] - p[0]);
        kept.corner[kept.count][1] = p[1] + t * (q[1] - p[1]);
        kept.count++;
    }
    *polygon = kept;
}

// What is left with the given margin, as a hull; no corners when nothing is.
static void cut_all(const ff_support *support, double margin, ff_support *out)
{
    cut_polygon polygon = {.count = support->count};
    memcpy(polygon.corner, support->corner, (size_t)support->count * sizeof support->corner[0]);
    for (int i = 0; i < support->count; i++) cut(&polygon, support->corner[i], corner_after(support, i), margin);
    // a cut through a corner can leave twins; without them there are no more corners than edges
    double merged[FF_SUPPORT_MAX][2];
    int count = 0;
    for (int i = 0; i < polygon.count && count < FF_SUPPORT_MAX; i++) {
        if (count > 0 && distance(merged[count - 1], polygon.corner[i]) <= TWIN_DISTANCE) continue;
        memcpy(merged[count++], polygon.corner[i], sizeof merged[0]);
    }
    ff_support_make(out, merged, count);
}

static double middle_of(const ff_support *support, ff_support *out)
{
    double middle[2] = {0.0, 0.0};
    for (int i = 0; i < support->count; i++) {
        middle[0] += support->corner[i][0] / support->count;
        middle[1] += support->corner[i][1] / support->count;
    }
    out->count = support->count > 0 ? 1 : 0;
    memcpy(out->corner[0], middle, sizeof middle);
    return out->count > 0 ? 0.0 : -INFINITY;
}

double ff_support_shrink(const ff_support *support, double margin, ff_support *out)
{
    if (support->count < 3) return middle_of(support, out);
    ff_support whole = *support;
    cut_all(&whole, ff_max(margin, 0.0), out);
    if (out->count > 0) return ff_max(margin, 0.0);
    double low = 0.0, high = margin; // something is left at low, nothing at high
    *out = whole;
    while (high - low > 1e-9) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        ff_support left;
        cut_all(&whole, middle, &left);
        if (left.count == 0) {
            high = middle;
        } else {
            low = middle;
            *out = left;
        }
    }
    return low;
}
