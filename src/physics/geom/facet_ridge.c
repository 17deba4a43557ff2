// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Edges and corners of a surface that stand out, against a convex solid: a ridge under a box, a peak in its face. Each
// edge is a line and each corner a point against the solid. It counts when the direction of separation leads away from
// the triangles beside it. Corners of the solid against faces are in facet_point.c; together these are all contacts of
// two polyhedra.
#include "facets.h"

// The direction of separation may lean over a triangle by this much (sine) along a straight edge or face of the solid,
// so that a contact does not end while it is deep. Where the solid is round no lean is needed: there the contact of the
// face follows at the same depth.
#define LEAN 0.2
// Lean where the direction comes from EPA: contacts that are found twice are joined (see add).
#define SURE 0.02
// Near its end the shortest separation from an edge leads along it, past the end, where the next edge or a corner
// follows. Then edges are evaluated as if they were longer by this part of the solid's size at both ends.
#define BEYOND 0.05
// A cylinder stands on its cap while its axis is nearer to the normal than 0.1 rad.
#define CAP 0.995

// How far the direction n may lean over a triangle (sine), which the unit vector `into` leads into.
static double lean(const ff_solid *s, const double n[3], const double into[3])
{
    if (s->kind == SOLID_BOX || s->kind == SOLID_CONVEX) return LEAN;
    if (s->kind == SOLID_ELLIPSOID) return SURE;
    double axis[3] = {s->R[2], s->R[5], s->R[8]};
    if (s->kind == SOLID_CYLINDER)
        return fabs(ff_vec3_dot(axis, n)) > CAP ? LEAN : SURE + LEAN * fabs(ff_vec3_dot(axis, into));
    return 1e-9 + LEAN * fabs(ff_vec3_dot(axis, into));
}

// Does a round solid touch at x with a part that may also touch a face? Then both are one contact, with the number
// `code`.
static bool is_round_part(const ff_solid *s, const double n[3], const double x[3], uint32_t *code)
{
    double d[3], axis[3] = {s->R[2], s->R[5], s->R[8]};
    *code = 0;
    if (s->kind != SOLID_CYLINDER) return s->kind == SOLID_ELLIPSOID;
    ff_vec3_sub(d, x, s->p);
    double along = ff_vec3_dot(d, axis);
    *code = along < 0.0 ? FF_RIM_CODE : FF_RIM_CODE + 8;
    return fabs(ff_vec3_dot(axis, n)) <= CAP && fabs(along) > 0.999 * s->size[1];
}

static void add(ff_facet_query *q, int t, bool gentle, const double x[3], ff_collide_point *p)
{
    uint32_t code;
    const bool ellipsoid = q->solid.kind == SOLID_ELLIPSOID;
    if ((gentle || ellipsoid) && q->nround < FF_TOUCHED_MAX && is_round_part(&q->solid, p->normal, x, &code)) {
        if (gentle) p->id = ff_facets_piece_id(q->facets, t, code);
        q->round[q->nround++] = (ff_touched){.point = *p, .radius = q->curve, .joins = ellipsoid ? 1 : p->id};
    } else {
        ff_gather_add(&q->ridges, p);
    }
}

// Normal of a triangle, zero for one without area.
static void triangle_up(const ff_facets *f, int t, double n[3])
{
    double c[9];
    if (!f->get(f->self, t, c, n)) ff_vec3_set(n, 0.0, 0.0, 0.0);
}

// The direction from the solid's face that looks towards `up`; false where that is no face.
static bool face_toward(const ff_solid *s, const double up[3], double n[3], double at[3])
{
    ff_feature face;
    double opposite[3];
    ff_vec3_scale(opposite, up, -1.0);
    ff_solid_feature(s, opposite, &face);
    if (face.count < 3) return false;
    ff_vec3_scale(n, face.normal, -1.0);
    ff_vec3_copy(at, face.corner[0]);
    return true;
}

// Keeps the deepest place of the surface inside the solid that has no direction of separation, in case nothing else
// touches.
static void keep_spare(ff_facet_query *q, const double x[3], const double up[3], double depth)
{
    if (!(depth > q->spare_depth)) return;
    q->spare_depth = depth;
    ff_vec3_copy(q->spare, x);
    ff_vec3_copy(q->spare_up, up);
}

// Box around the solid in its own frame.
static void local_box(const ff_solid *s, double low[3], double high[3])
{
    if (s->kind == SOLID_CONVEX) {
        ff_vec3_copy(low, s->convex->low);
        ff_vec3_copy(high, s->convex->high);
        return;
    }
    ff_vec3_copy(high, s->size);
    if (s->kind == SOLID_LINE) ff_vec3_set(high, s->radius, s->radius, s->size[0] + s->radius);
    if (s->kind == SOLID_CYLINDER) ff_vec3_set(high, s->size[0], s->size[0], s->size[1]);
    ff_vec3_scale(low, high, -1.0);
}

// Is the segment a, b surely farther from the solid than the margin? By the box of the solid in its own frame, and for
// round ones by their cross-section, scaled to a unit circle or ball. Saves most calls of GJK.
static bool surely_apart(const ff_solid *s, const double a[3], const double b[3], double margin)
{
    double low[3], high[3], d[3], x[3], y[3], grow = 1.0;
    local_box(s, low, high);
    ff_vec3_sub(d, a, s->p);
    ff_mat3_tmulv(x, s->R, d);
    ff_vec3_sub(d, b, s->p);
    ff_mat3_tmulv(y, s->R, d);
    for (int k = 0; k < 3; k++)
        if ((x[k] > high[k] + margin && y[k] > high[k] + margin) || (x[k] < low[k] - margin && y[k] < low[k] - margin))
            return true;
    if (s->kind != SOLID_CYLINDER && s->kind != SOLID_ELLIPSOID) return false;
    for (int k = 0; k < 3; k++) {
        bool flat = s->kind == SOLID_CYLINDER && k == 2;
        if (!(high[k] > 0.0)) return false;
        grow = ff_max(grow, 1.0 + margin / high[k]);
        x[k] = flat ? 0.0 : x[k] / high[k];
        y[k] = flat ? 0.0 : y[k] / high[k];
    }
    ff_vec3_sub(d, y, x);
    double length2 = ff_vec3_dot(d, d), t = length2 > 0.0 ? -ff_vec3_dot(x, d) / length2 : 0.0;
    ff_vec3_axpy(x, t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t, d);
    return ff_vec3_dot(x, x) > grow * grow * (1.0 + 1e-9);
}

// ------------------------------------------------------------------------------------------ corners

// Does the direction of separation n lead away from the triangles around a corner?
static bool leaves_tip(const ff_facets *f, const ff_ring *ring, const ff_solid *s, const double up[3],
                       const double n[3])
{
    if (!(ff_vec3_dot(n, up) > 0.0)) return false;
    for (int i = 0; i < ring->count; i++) {
        double c[9], m[3];
        int j = ring->corner[i];
        if (!f->get(f->self, ring->triangle[i], c, m)) continue;
        for (int side = 1; side < 3; side++) {
            double e[3];
            ff_vec3_sub(e, c + 3 * ((j + side) % 3), c + 3 * j);
            ff_vec3_scale(e, e, 1.0 / ff_vec3_norm(e));
            if (ff_vec3_dot(n, e) > lean(s, n, e)) return false;
        }
    }
    return true;
}

// Is x at an end of a capsule? The ends are balls, whose contacts facet_point.c finds.
static bool at_end(const ff_solid *s, const double x[3])
{
    double d[3], axis[3] = {s->R[2], s->R[5], s->R[8]};
    if (s->kind != SOLID_LINE) return false;
    ff_vec3_sub(d, x, s->p);
    return fabs(ff_vec3_dot(d, axis)) >= s->size[0] * (1.0 - 1e-9);
}

// Directions of separation for a point x inside the solid, other than the shortest: through each face, and for a
// cylinder also through the mantle. Takes the shortest that leads away from the triangles. @return its depth, infinite
// for none
static double next_separation(const ff_facets *f, const ff_ring *ring, const ff_solid *s, const double up[3],
                              const double x[3], double n[3])
{
    double d[3], local[3], least = INFINITY;
    int faces = s->kind == SOLID_BOX        ? 6
                : s->kind == SOLID_CYLINDER ? 3
                : s->kind == SOLID_CONVEX   ? s->convex->nface
                                            : 0;
    ff_vec3_sub(d, x, s->p);
    ff_mat3_tmulv(local, s->R, d);
    for (int i = 0; i < faces; i++) {
        double out[3] = {0.0, 0.0, 0.0}, apart[3], depth;
        if (s->kind == SOLID_CONVEX) {
            ff_vec3_copy(out, s->convex->face + 3 * (size_t)i);
            const double *at = s->convex->vertex + 3 * (size_t)s->convex->corner[s->convex->corner_at[i]];
            depth = ff_vec3_dot(at, out) - ff_vec3_dot(local, out);
        } else if (s->kind == SOLID_BOX || i < 2) {
            int axis = s->kind == SOLID_BOX ? i / 2 : 2;
            out[axis] = i & 1 ? 1.0 : -1.0;
            depth = s->size[s->kind == SOLID_BOX ? axis : 1] - out[axis] * local[axis];
        } else {
            double rho = sqrt(local[0] * local[0] + local[1] * local[1]);
            ff_vec3_set(out, rho > 0.0 ? local[0] / rho : 1.0, rho > 0.0 ? local[1] / rho : 0.0, 0.0);
            depth = s->size[0] - rho;
        }
        ff_mat3_mulv(apart, s->R, out);
        ff_vec3_scale(apart, apart, -1.0); // the solid moves, not the point
        if (!(depth < least) || !leaves_tip(f, ring, s, up, apart)) continue;
        least = depth;
        ff_vec3_copy(n, apart);
    }
    return least;
}

static void touch_tip(ff_facet_query *q, int t, int k, const double x[3])
{
    const ff_facets *f = q->facets;
    double up[3] = {0.0, 0.0, 0.0};
    if (surely_apart(&q->solid, x, x, q->margin)) return;
    ff_solid point = {.kind = SOLID_POINT, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .p = {x[0], x[1], x[2]}};
    ff_collide_nearest near;
    ff_nearest_cores(&point, &q->solid, &near);
    double depth = q->solid.radius - near.distance;
    if (!(depth > -q->margin) || at_end(&q->solid, near.point2)) return;
    ff_ring ring;
    bool gentle = true;
    ff_facets_ring(f, t, k, &ring);
    for (int i = 0; i < ring.count; i++) {
        double n[3];
        int u = ring.triangle[i], j = ring.corner[i];
        triangle_up(f, u, n);
        ff_vec3_add(up, up, n);
        gentle = gentle && ff_facets_has(f, u, j, FF_FACET_GENTLE) && ff_facets_has(f, u, (j + 2) % 3, FF_FACET_GENTLE);
    }
    ff_vec3_normalise(up);
    if (!leaves_tip(f, &ring, &q->solid, up, near.normal)) {
        if (!(depth > 0.0)) return;
        keep_spare(q, x, up, depth);
        depth = next_separation(f, &ring, &q->solid, up, x, near.normal);
        if (isinf(depth)) return;
    }
    if (depth > q->shell) return;
    ff_collide_point p = {.depth = depth};
    p.id = ff_contact_id(FF_FEATURE_CORNER | ((uint32_t)f->vertex(f->self, t, k) & 0x3fffffffu), 0);
    ff_vec3_copy(p.normal, near.normal);
    for (int i = 0; i < 3; i++) p.point[i] = x[i] - 0.5 * depth * p.normal[i];
    add(q, t, gentle, near.point2, &p);
}

// ------------------------------------------------------------------------------------------ edges

typedef struct ridge {
    ff_solid line;
    double half;    // length of the edge  [m]
    double u[2][3]; // into the triangles beside it, unit
    double up[3];
    bool border;
} ridge;

// Unit vector from the edge at a along e into a triangle at it.
static void direction_into(const double *corner, const double a[3], const double e[3], double out[3])
{
    double most = 0.0;
    ff_vec3_set(out, 0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
        double w[3];
        ff_vec3_sub(w, corner + 3 * k, a);
        ff_vec3_axpy(w, -ff_vec3_dot(w, e), e);
        if (ff_vec3_norm(w) <= most) continue;
        most = ff_vec3_norm(w);
        ff_vec3_scale(out, w, 1.0 / most);
    }
}

static void make_ridge(const ff_facets *f, int t, int k, const double *c, const double n[3], ridge *out)
{
    const double *a = c + 3 * k, *b = c + 3 * ((k + 1) % 3);
    double e[3], x[3], y[3], theirs[9], m[3];
    ff_vec3_sub(e, b, a);
    double length = ff_vec3_norm(e);
    ff_vec3_scale(e, e, 1.0 / length);
    ff_perpendicular(x, e);
    ff_vec3_cross(y, e, x);
    out->half = 0.5 * length;
    out->line = (ff_solid){.kind = SOLID_LINE, .size = {out->half, 0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        out->line.R[3 * i] = x[i], out->line.R[3 * i + 1] = y[i], out->line.R[3 * i + 2] = e[i];
        out->line.p[i] = 0.5 * (a[i] + b[i]);
    }
    direction_into(c, a, e, out->u[0]);
    ff_vec3_copy(out->up, n);
    int other = f->beside(f->self, t, k);
    out->border = other < 0 || !f->get(f->self, other, theirs, m);
    if (out->border) {
        ff_vec3_copy(out->u[1], out->u[0]);
        return;
    }
    direction_into(theirs, a, e, out->u[1]);
    ff_vec3_add(out->up, out->up, m);
    if (ff_vec3_norm(out->up) > 1e-6)
        ff_vec3_normalise(out->up);
    else // folded over: the direction is away from both
        ff_vec3_scale(out->up, out->u[0], -1.0);
}

// Does the direction of separation n lead across an edge, away from the triangles beside it?
static bool leaves_ridge(const ridge *r, const ff_solid *s, const double n[3])
{
    const double e[3] = {r->line.R[2], r->line.R[5], r->line.R[8]};
    return fabs(ff_vec3_dot(n, e)) <= LEAN && ff_vec3_dot(n, r->up) > (r->border ? -lean(s, n, r->up) : 0.0) &&
           ff_vec3_dot(n, r->u[0]) <= lean(s, n, r->u[0]) && ff_vec3_dot(n, r->u[1]) <= lean(s, n, r->u[1]);
}

// Does the edge itself touch at that point, where its line was made longer?
static bool inside_edge(const ridge *r, const ff_collide_point *p)
{
    double d[3], e[3] = {r->line.R[2], r->line.R[5], r->line.R[8]};
    ff_vec3_sub(d, p->point, r->line.p);
    ff_vec3_axpy(d, 0.5 * p->depth, p->normal);
    return fabs(ff_vec3_dot(d, e)) <= r->half;
}

// The separation from a longer edge, where it leads sideways and starts on the edge itself: then `near` and the line
// are replaced by it.
static bool leaves_sideways(ridge *r, const ff_solid *s, double beyond, ff_collide_nearest *near)
{
    ridge longer = *r;
    ff_collide_nearest side;
    ff_collide_point p;
    if (!(near->distance < s->radius)) return false;
    longer.line.size[0] += beyond;
    ff_nearest_cores(&longer.line, s, &side);
    for (int k = 0; k < 3; k++) p.point[k] = side.point1[k], p.normal[k] = side.normal[k];
    p.depth = 0.0;
    if (!leaves_ridge(r, s, side.normal) || !inside_edge(r, &p)) return false;
    *r = longer;
    *near = side;
    return true;
}

// An edge crosses the rim of a cylinder at two places, one on each side of its axis. The corners that stand for the rim
// turn with its tilt, so that the number of an edge between them would not be stable.
static uint32_t rim_side(const ff_solid *line, const ff_solid *s, const double x[3])
{
    double d[3], e[3] = {line->R[2], line->R[5], line->R[8]};
    ff_vec3_sub(d, x, s->p);
    return FF_FEATURE_EDGE | (ff_vec3_dot(d, e) < 0.0 ? 1u : 2u);
}

static void touch_ridge(ff_facet_query *q, int t, int k, const double *corner, const double n[3])
{
    const ff_solid *s = &q->solid;
    ridge r;
    ff_collide_nearest near;
    ff_collide_point p[FF_COLLIDE_PATCH_MAX];
    double at[3];
    if (surely_apart(s, corner + 3 * k, corner + 3 * ((k + 1) % 3), q->margin)) return;
    make_ridge(q->facets, t, k, corner, n, &r);
    ff_nearest_cores(&r.line, s, &near);
    if (!(s->radius - near.distance > -q->margin) || s->radius - near.distance > q->shell) return;
    bool by_face = !leaves_ridge(&r, s, near.normal) && !leaves_sideways(&r, s, BEYOND * q->reach, &near);
    if (by_face) {
        if (!(s->radius - near.distance > 0.0)) return;
        keep_spare(q, near.point1, r.up, s->radius - near.distance);
        if (!face_toward(s, r.up, near.normal, at)) return;
        double e[3] = {r.line.R[2], r.line.R[5], r.line.R[8]};
        ff_vec3_axpy(near.normal, -ff_vec3_dot(near.normal, e), e);
        ff_vec3_normalise(near.normal);
        if (!leaves_ridge(&r, s, near.normal)) return;
    }
    int count = ff_patch_line(&r.line, s, &near, q->margin, p, FF_COLLIDE_PATCH_MAX);
    for (int i = 0; i < count; i++) {
        uint32_t own = (uint32_t)(p[i].id >> 32), other = (uint32_t)p[i].id;
        if (own & FF_FEATURE_CORNER && !(own & FF_FEATURE_EDGE)) continue; // the ends of the edge are tips
        if (own == 0 && other != 0 && s->kind == SOLID_LINE) continue;     // the ends of a capsule likewise
        // Nearest points alone: not at an end of the solid either, and only along the shortest separation.
        if (own == 0 && other == 0 && (by_face || at_end(s, near.point2))) continue;
        if (!inside_edge(&r, &p[i])) continue;
        if (p[i].depth > q->shell) continue;
        if (s->kind == SOLID_CYLINDER && (other & FF_FEATURE_EDGE)) other = rim_side(&r.line, s, p[i].point);
        p[i].id = ff_contact_id(FF_FEATURE_EDGE | ff_facets_edge(q->facets, t, k), other);
        add(q, t, ff_facets_has(q->facets, t, k, FF_FACET_GENTLE), near.point2, &p[i]);
    }
}

static void touch_triangle(void *context, int t)
{
    ff_facet_query *q = context;
    const ff_facets *f = q->facets;
    double c[9], n[3];
    if (f->bits[t] < FF_FACET_RIDGE || !f->get(f->self, t, c, n)) return; // nothing stands out
    for (int k = 0; k < 3; k++) {
        if (ff_facets_has(f, t, k, FF_FACET_TIP)) touch_tip(q, t, k, c + 3 * k);
        if (ff_facets_has(f, t, k, FF_FACET_RIDGE)) touch_ridge(q, t, k, c, n);
    }
}

void ff_facets_ridges(ff_facet_query *q, const double low[3], const double high[3])
{
    q->spare_depth = 0.0;
    q->facets->visit(q->facets->self, low, high, touch_triangle, q);
}

// Distance along -up from the point x in a solid to its surface, by bisection.
static double depth_along(const ff_solid *s, const double x[3], const double up[3], double most)
{
    double low = 0.0, high = most;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        ff_solid point = {.kind = SOLID_POINT, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        ff_collide_nearest near;
        for (int k = 0; k < 3; k++) point.p[k] = x[k] - middle * up[k];
        ff_nearest_cores(&point, s, &near);
        if (near.distance - s->radius < 0.0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

void ff_facets_last_resort(ff_facet_query *q)
{
    if (!(q->spare_depth > 0.0)) return;
    for (int i = 0; i < q->gather.count; i++)
        if (q->gather.point[i].depth > 0.0) return;
    ff_collide_point p = {.id = ff_contact_id(FF_FEATURE_EDGE, 0)};
    p.depth = depth_along(&q->solid, q->spare, q->spare_up, 2.0 * q->reach);
    ff_vec3_copy(p.normal, q->spare_up);
    for (int k = 0; k < 3; k++) p.point[k] = q->spare[k] - 0.5 * p.depth * p.normal[k];
    if (p.depth <= q->shell) ff_gather_add(&q->gather, &p);
}
