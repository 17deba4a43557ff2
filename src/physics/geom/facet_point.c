// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A point, or a ball around it, against a surface of triangles. In front of the surface it touches at every place that
// is nearer than all places around it: one on open ground, two in a valley, one at a ridge. On a face that is the foot
// of the point. On an edge or corner, the direction to the point must lead away from all triangles that meet there, so
// that the edge of a face that is touched already makes no contact of its own. Behind the surface there is one contact,
// at the nearest place of it, so that the depth has no jumps under ridges and in valleys.
#include "facets.h"

#define FF_CORE static inline
#include "nearest_core.h"

double ff_facets_distance2(const double corner[9], const double normal[3], const double x[3])
{
    double c[9], q[3];
    int k;
    for (int i = 0; i < 3; i++) ff_vec3_sub(c + 3 * i, corner + 3 * i, x);
    ff_core_triangle_nearest(c, normal, q, &k);
    double d2 = ff_vec3_dot(q, q);
    return ff_vec3_dot(c, normal) > 0.0 ? d2 * (1.0 + 1e-8) : d2;
}

// ------------------------------------------------------------------------------------------ edges and corners

static bool edge_minimum(const ff_facets *f, int t, int k, const double *c, const double n[3], const double d[3],
                         bool certain, ff_minimum *out)
{
    int other = f->beside(f->self, t, k);
    double e[3], neighbour[9], m[3], up[3];
    ff_vec3_copy(up, n);
    if (other < 0) {
        if (ff_vec3_dot(d, n) < 0.0) return false; // beside and below a border there is nothing
    } else if (f->get(f->self, other, neighbour, m)) {
        ff_vec3_sub(e, c + 3 * ((k + 1) % 3), c + 3 * k);
        if (!certain && ff_core_leads_over(neighbour, c + 3 * k, e, d)) return false;
        ff_vec3_add(up, up, m);
        ff_vec3_normalise(up);
    }
    out->distance = ff_core_signed_step(d, up, out->normal);
    out->gentle = ff_facets_has(f, t, k, FF_FACET_GENTLE);
    out->feature = FF_FEATURE_EDGE | ff_facets_edge(f, t, k);
    return true;
}

static bool corner_minimum(const ff_facets *f, int t, int k, const double d[3], bool certain, ff_minimum *out)
{
    ff_ring ring;
    double up[3] = {0.0, 0.0, 0.0}, most = -1.0, length = ff_vec3_norm(d);
    bool border = false;
    out->gentle = true;
    ff_facets_ring(f, t, k, &ring);
    for (int i = 0; i < ring.count; i++) {
        double c[9], n[3];
        int u = ring.triangle[i], j = ring.corner[i];
        if (!f->get(f->self, u, c, n)) continue;
        for (int side = 1; side < 3; side++) {
            double e[3];
            ff_vec3_sub(e, c + 3 * ((j + side) % 3), c + 3 * j);
            if (!certain && ff_vec3_dot(d, e) > 1e-12 * length * ff_vec3_norm(e)) return false;
            int edge = side == 1 ? j : (j + 2) % 3;
            border = border || f->beside(f->self, u, edge) < 0;
            out->gentle = out->gentle && ff_facets_has(f, u, edge, FF_FACET_GENTLE);
        }
        // Front or behind is decided by the triangle that faces the point most.
        double facing = fabs(ff_vec3_dot(d, n));
        if (facing <= most) continue;
        most = facing;
        ff_vec3_copy(up, n);
    }
    if (border && ff_vec3_dot(d, up) < 0.0) return false;
    out->distance = ff_core_signed_step(d, up, out->normal);
    out->feature = FF_FEATURE_CORNER | ((uint32_t)f->vertex(f->self, t, k) & 0x3fffffffu);
    return true;
}

bool ff_facets_minimum(const ff_facets *f, int t, const double x[3], double reach, bool certain, ff_minimum *out)
{
    double corner[9], c[9], n[3], q[3], d[3];
    int k = 0;
    if (!f->get(f->self, t, corner, n)) return false;
    ff_vec3_sub(c, corner, x);
    double height = -ff_vec3_dot(c, n);
    if (fabs(height) > reach) return false;
    for (int i = 1; i < 3; i++) ff_vec3_sub(c + 3 * i, corner + 3 * i, x);
    int on = ff_core_triangle_nearest(c, n, q, &k);
    out->triangle = t;
    const bool flat = on != FF_ON_FACE && (ff_facets_has(f, t, k, FF_FACET_FLAT) ||
                                           (on == FF_ON_CORNER && ff_facets_has(f, t, (k + 2) % 3, FF_FACET_FLAT)));
    if (flat && ff_core_nearly_over(c, height, n, q)) on = FF_ON_FACE;
    if (on == FF_ON_FACE) {
        out->distance = height;
        ff_vec3_copy(out->normal, n);
        out->feature = 1u + (uint32_t)f->group[t] % 0x3fffffffu;
        out->gentle = true;
        return true;
    }
    ff_vec3_scale(d, q, -1.0);
    if (on == FF_ON_CORNER) return corner_minimum(f, t, k, d, certain, out);
    if (ff_facets_has(f, t, k, FF_FACET_FLAT) && !certain)
        return false; // over the neighbour, which reports the point itself
    return edge_minimum(f, t, k, corner, n, d, certain, out);
}

// ------------------------------------------------------------------------------------------ probing

typedef struct probe {
    const ff_facets *f;
    const double *x;
    double reach;
    ff_minimum *found;
    int count;
} probe;

// Adds a place; where there is no room it replaces the farthest.
static void add_minimum(probe *p, const ff_minimum *m)
{
    int farthest = 0;
    for (int i = 0; i < p->count; i++) {
        if (p->found[i].feature == m->feature) {
            if (fabs(m->distance) < fabs(p->found[i].distance)) p->found[i] = *m;
            return;
        }
        if (fabs(p->found[i].distance) > fabs(p->found[farthest].distance)) farthest = i;
    }
    if (p->count < FF_MINIMUM_MAX)
        p->found[p->count++] = *m;
    else if (fabs(m->distance) < fabs(p->found[farthest].distance))
        p->found[farthest] = *m;
}

static void visit_triangle(void *context, int t)
{
    probe *p = context;
    ff_minimum m;
    if (ff_facets_minimum(p->f, t, p->x, p->reach, false, &m) && fabs(m.distance) <= p->reach) add_minimum(p, &m);
}

static void search_around(probe *p, double reach)
{
    double low[3], high[3];
    p->reach = reach;
    for (int k = 0; k < 3; k++) {
        low[k] = p->x[k] - reach;
        high[k] = p->x[k] + reach;
    }
    p->f->visit(p->f->self, low, high, visit_triangle, p);
}

// An edge or corner that lies in the plane of a face that is touched belongs to the same floor, although it shares no
// corners with it.
static bool in_touched_face(const probe *p, int i)
{
    double c[9], n[3];
    if (p->found[i].feature < FF_FEATURE_CORNER || !p->f->get(p->f->self, p->found[i].triangle, c, n)) return false;
    for (int j = 0; j < p->count; j++) {
        const ff_minimum *m = &p->found[j], *own = &p->found[i];
        if (m->feature >= FF_FEATURE_CORNER || fabs(m->distance) > fabs(own->distance)) continue;
        double in_plane = own->distance * ff_vec3_dot(own->normal, m->normal) - m->distance;
        if (ff_vec3_dot(n, m->normal) > 1.0 - 1e-12 && fabs(in_plane) < 1e-7 * fabs(own->distance)) return true;
    }
    return false;
}

// Keeps the places that touch: all in front, and the nearest of those behind if x is inside. @return how many
static int keep_touching(probe *p, bool inside, double reach, double shell)
{
    int nearest = -1, count = 0;
    bool drop[FF_MINIMUM_MAX + 1];
    for (int i = 0; i < p->count; i++) {
        const ff_minimum *m = &p->found[i];
        drop[i] = m->distance < 0.0 || !(m->distance < reach) || in_touched_face(p, i);
        if (m->distance < 0.0 && (nearest < 0 || m->distance > p->found[nearest].distance)) nearest = i;
    }
    if (inside && nearest >= 0) drop[nearest] = -p->found[nearest].distance > shell;
    for (int i = 0; i < p->count; i++)
        if (!drop[i]) p->found[count++] = p->found[i];
    return count;
}

static int probe_field(probe *p, double reach)
{
    const ff_facets *f = p->f;
    ff_minimum face;
    double c[9];
    int t = f->above(f->self, p->x);
    if (t < 0) {
        if (reach > 0.0) search_around(p, reach);
        return keep_touching(p, false, reach, INFINITY);
    }
    // Below ground: the face above gives the radius of the search, a few cells at most; its own plane is the answer
    // where nothing is found.
    f->get(f->self, t, c, face.normal);
    face.distance = 0.0;
    for (int k = 0; k < 3; k++) face.distance += (p->x[k] - c[k]) * face.normal[k];
    search_around(p, ff_max(reach, ff_min(-face.distance * (1.0 + 1e-9), 4.0 * f->cell)));
    bool found = false;
    for (int i = 0; i < p->count; i++) found = found || p->found[i].distance < 0.0;
    if (!found) {
        face.triangle = t;
        face.feature = 1u + (uint32_t)f->group[t] % 0x3fffffffu;
        face.gentle = true;
        add_minimum(p, &face);
    }
    return keep_touching(p, true, reach, INFINITY);
}

int ff_facets_probe(const ff_facets *f, const double x[3], double r, double margin, double shell, ff_minimum *out,
                    double *clear)
{
    probe p = {.f = f, .x = x, .found = out};
    double reach = ff_max(r + margin, FF_FILLET * r);
    *clear = 0.0;
    if (f->above) return probe_field(&p, reach);
    ff_minimum nearest;
    int t = f->nearest(f->self, x, ff_max(shell, reach));
    if (t < 0 || !ff_facets_minimum(f, t, x, INFINITY, true, &nearest)) return 0;
    bool inside = nearest.distance < 0.0;
    if (!inside && !(nearest.distance < reach)) {
        if (f->closed)
            *clear = (nearest.distance - reach) * (1.0 - 1e-9); // within this radius no point is on the other side
        return 0;
    }
    if (reach > 0.0) search_around(&p, reach);
    add_minimum(&p, &nearest);
    return keep_touching(&p, inside, reach, shell);
}
