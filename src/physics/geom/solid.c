// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Support points and flat features of convex cores: the farthest point along a direction, and the face, edge or corner
// around it.
#include "collide_private.h"

// With fewer corners than this an exhaustive search is faster than climbing.
#define CLIMB_FROM 24
// Tilt (sine) beyond which the corners of a cylinder's cap have turned to its deepest point; see cap_feature.
#define CAP_TILT 0.05

void ff_solid_make(const ff_collider *c, const ff_pose *pose, const double origin[3], ff_solid *out)
{
    static const solid_kind KINDS[] = {SOLID_POINT,    SOLID_LINE,      SOLID_BOX,
                                       SOLID_CYLINDER, SOLID_ELLIPSOID, SOLID_CONVEX};
    out->kind = KINDS[c->type];
    out->radius = c->type <= FF_COLLIDER_CAPSULE ? c->size[0] : 0.0;
    out->convex = c->convex;
    ff_vec3_copy(out->size, c->size);
    if (c->type == FF_COLLIDER_CAPSULE) out->size[0] = c->size[1];
    memcpy(out->R, pose->R, sizeof out->R);
    ff_vec3_sub(out->p, pose->p, origin);
}

// Number of the direction to a side, edge or corner of a cube that is nearest to d; 13 where d is zero.
static int direction_of(const double d[3])
{
    const double part = 0.4 * ff_max(fabs(d[0]), ff_max(fabs(d[1]), fabs(d[2])));
    int number = 0;
    for (int k = 2; k >= 0; k--) number = 3 * number + (d[k] > part ? 2 : d[k] < -part ? 0 : 1);
    return number;
}

int ff_convex_toward(const ff_convex *c, const double d[3])
{
    return c->toward[direction_of(d)];
}

static int farthest_vertex(const ff_convex *c, const double d[3], int start)
{
    int best = start >= 0 && start < c->nvertex ? start : 0;
    double most = ff_vec3_dot(c->vertex + 3 * (size_t)best, d);
    if (!c->neighbour_at || c->nvertex < CLIMB_FROM) {
        for (int i = 0; i < c->nvertex; i++) {
            double along = ff_vec3_dot(c->vertex + 3 * (size_t)i, d);
            if (along > most) most = along, best = i;
        }
        return best;
    }
    for (bool climbs = true; climbs;) {
        climbs = false;
        for (int k = c->neighbour_at[best], end = c->neighbour_at[best + 1]; k < end; k++) {
            int i = c->neighbour[k];
            double along = ff_vec3_dot(c->vertex + 3 * (size_t)i, d);
            if (along > most) most = along, best = i, climbs = true;
        }
    }
    return best;
}

static void local_support(const ff_solid *s, const double d[3], double out[3], int *vertex)
{
    const double *size = s->size;
    double length;
    switch (s->kind) {
    case SOLID_LINE:
        ff_vec3_set(out, 0.0, 0.0, d[2] < 0.0 ? -size[0] : size[0]);
        return;
    case SOLID_BOX:
        for (int k = 0; k < 3; k++) out[k] = d[k] < 0.0 ? -size[k] : size[k];
        return;
    case SOLID_CYLINDER:
        length = sqrt(d[0] * d[0] + d[1] * d[1]);
        out[0] = length > 0.0 ? size[0] * d[0] / length : 0.0;
        out[1] = length > 0.0 ? size[0] * d[1] / length : 0.0;
        out[2] = d[2] < 0.0 ? -size[1] : size[1];
        return;
    case SOLID_ELLIPSOID:
        for (int k = 0; k < 3; k++) out[k] = size[k] * d[k];
        length = ff_vec3_norm(out);
        for (int k = 0; k < 3; k++) out[k] = length > 0.0 ? size[k] * out[k] / length : 0.0;
        return;
    case SOLID_CONVEX:
        *vertex = farthest_vertex(s->convex, d, *vertex);
        ff_vec3_copy(out, s->convex->vertex + 3 * (size_t)*vertex);
        return;
    default:
        ff_vec3_set(out, 0.0, 0.0, 0.0);
    }
}

static void place(const ff_solid *s, const double local[3], double out[3])
{
    ff_mat3_mulv(out, s->R, local);
    ff_vec3_add(out, out, s->p);
}

void ff_solid_support(const ff_solid *s, const double d[3], double out[3], int *vertex)
{
    if (s->kind == SOLID_POINT) {
        ff_vec3_copy(out, s->p);
        return;
    }
    double local[3], point[3];
    ff_mat3_tmulv(local, s->R, d);
    local_support(s, local, point, vertex);
    place(s, point, out);
}

void ff_solid_centre(const ff_solid *s, double out[3])
{
    if (s->kind == SOLID_CONVEX)
        place(s, s->convex->centre, out);
    else
        ff_vec3_copy(out, s->p);
}

double ff_solid_extent(const ff_solid *s)
{
    double d[3] = {0.0, 0.0, 0.0};
    switch (s->kind) {
    case SOLID_POINT:
        return s->radius;
    case SOLID_LINE:
        return s->size[0] + s->radius;
    case SOLID_CYLINDER:
        return s->size[0] + s->size[1];
    case SOLID_CONVEX:
        ff_vec3_sub(d, s->convex->high, s->convex->low);
        return 0.5 * ff_vec3_norm(d);
    default:
        return ff_vec3_norm(s->size);
    }
}

// ------------------------------------------------------------------------------------------ features

static void add_corner(ff_feature *f, const ff_solid *s, const double local[3], uint32_t code)
{
    place(s, local, f->corner[f->count]);
    f->code[f->count++] = code;
}

static void box_feature(const ff_solid *s, const double n[3], ff_feature *out)
{
    int a = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(n[k]) > fabs(n[a])) a = k;
    double sign = n[a] < 0.0 ? -1.0 : 1.0, local[3] = {0.0, 0.0, 0.0};
    int u = (a + 1) % 3, v = (a + 2) % 3;
    for (int k = 0; k < 4; k++) {
        double x = k == 0 || k == 3 ? 1.0 : -1.0, y = k < 2 ? 1.0 : -1.0; // counter-clockwise from outside for sign > 0
        if (sign < 0.0) y = -y;
        local[a] = sign * s->size[a], local[u] = x * s->size[u], local[v] = y * s->size[v];
        uint32_t code = (uint32_t)(local[0] < 0.0) | (uint32_t)(local[1] < 0.0) << 1 | (uint32_t)(local[2] < 0.0) << 2;
        add_corner(out, s, local, code);
    }
    ff_vec3_set(local, 0.0, 0.0, 0.0);
    local[a] = sign;
    ff_mat3_mulv(out->normal, s->R, local);
}

// Cosine of max(0, angle - least) from the cosines of both: the height of a rim point that is moved towards the deepest
// one by the angle of the nearest of the four main corners.
static double cosine_beyond(double cosine, double least)
{
    if (cosine >= least) return 1.0;
    double sine = sqrt(ff_max(0.0, 1.0 - cosine * cosine)), sine_least = sqrt(ff_max(0.0, 1.0 - least * least));
    return cosine * least + sine * sine_least;
}

// Direction of the first corner of the cap: the nearest of x, y, -x, -y upright, the deepest point of the rim from
// CAP_TILT on.
static uint32_t cap_start(const double n[3], double tilt, double e[2])
{
    bool along_x = fabs(n[0]) >= fabs(n[1]);
    double axis[2] = {along_x ? 1.0 : 0.0, along_x ? 0.0 : 1.0}, t = tilt / CAP_TILT;
    uint32_t quarter = along_x ? 0 : 2;
    if (axis[0] * n[0] + axis[1] * n[1] < 0.0) axis[0] = -axis[0], axis[1] = -axis[1], quarter += 4;
    double blend = t >= 1.0 ? 1.0 : t * t * (3.0 - 2.0 * t);
    for (int k = 0; k < 2; k++) e[k] = tilt > 0.0 ? (1.0 - blend) * axis[k] + blend * n[k] / tilt : axis[k];
    double length = sqrt(e[0] * e[0] + e[1] * e[1]);
    e[0] /= length, e[1] /= length;
    return quarter;
}

// Eight corners stand for the round cap. Upright, they are fixed points of the cap (the first at +x), so that a
// cylinder that stands keeps its contact points; tilted by CAP_TILT or more, the first is the deepest point of the rim,
// so that one that rolls on its rim rolls smoothly. Between, the first corner turns from the nearest fixed point to the
// deepest: as the fixed points repeat every quarter turn, depths stay continuous. Corners beside the deepest point of
// the rim lack some of its depth (at most 0.4 % of the radius), which is added to them along the axis, so that the
// deepest corner is as deep as the rim.
static void cap_feature(const ff_solid *s, const double n[3], ff_feature *out)
{
    double tilt = sqrt(n[0] * n[0] + n[1] * n[1]), side = n[2] < 0.0 ? -1.0 : 1.0, e[2];
    uint32_t quarter = cap_start(n, tilt, e);
    double least = tilt > 0.0 ? (e[0] * n[0] + e[1] * n[1]) / tilt : 1.0;
    const double half = sqrt(0.5), turn[8][2] = {{1, 0},  {half, half},   {0, 1},  {-half, half},
                                                 {-1, 0}, {-half, -half}, {0, -1}, {half, -half}};
    for (int i = 0; i < 8; i++) {
        int k = side > 0.0 ? i : (8 - i) % 8; // counter-clockwise from outside
        double x = e[0] * turn[k][0] - e[1] * turn[k][1], y = e[1] * turn[k][0] + e[0] * turn[k][1];
        double cosine = tilt > 0.0 ? (x * n[0] + y * n[1]) / tilt : 1.0;
        double missing = s->size[0] * tilt * (cosine_beyond(cosine, least) - cosine) / fabs(n[2]);
        double local[3] = {s->size[0] * x, s->size[0] * y, side * (s->size[1] + missing)};
        uint32_t code = tilt < CAP_TILT ? (quarter + (uint32_t)k) % 8 : FF_RIM_CODE + (uint32_t)k;
        add_corner(out, s, local, code + (side > 0.0 ? 8 : 0));
    }
    double up[3] = {0.0, 0.0, side};
    ff_mat3_mulv(out->normal, s->R, up);
}

// The line of the mantle that faces n; its ends carry the numbers that cap_feature gives the deepest points.
static void mantle_feature(const ff_solid *s, const double n[3], ff_feature *out)
{
    double length = sqrt(n[0] * n[0] + n[1] * n[1]);
    for (int k = 0; k < 2; k++) {
        double local[3] = {s->size[0] * n[0] / length, s->size[0] * n[1] / length, k ? s->size[1] : -s->size[1]};
        add_corner(out, s, local, FF_RIM_CODE + (k ? 8 : 0));
    }
}

static void line_feature(const ff_solid *s, const double n[3], ff_feature *out)
{
    double end[3] = {0.0, 0.0, s->size[0]};
    bool steep = n[2] * n[2] > 0.5;
    if (!steep || n[2] < 0.0) {
        end[2] = -s->size[0];
        add_corner(out, s, end, 0);
    }
    end[2] = s->size[0];
    if (!steep || n[2] >= 0.0) add_corner(out, s, end, 1);
}

static void convex_feature(const ff_solid *s, const double n[3], ff_feature *out)
{
    const ff_convex *c = s->convex;
    int best = 0;
    for (int f = 1; f < c->nface; f++)
        if (ff_vec3_dot(c->face + 3 * (size_t)f, n) > ff_vec3_dot(c->face + 3 * (size_t)best, n)) best = f;
    if (c->nface == 0 || c->corner_at[best + 1] - c->corner_at[best] < 3) {
        int vertex = farthest_vertex(c, n, 0);
        add_corner(out, s, c->vertex + 3 * (size_t)vertex, (uint32_t)vertex);
        return;
    }
    // A face with more corners than fit is thinned out evenly.
    int first = c->corner_at[best], count = c->corner_at[best + 1] - first,
        kept = count < FF_FEATURE_MAX ? count : FF_FEATURE_MAX;
    for (int i = 0; i < kept; i++) {
        int v = c->corner[first + (int)((long)i * count / kept)];
        add_corner(out, s, c->vertex + 3 * (size_t)v, (uint32_t)v);
    }
    ff_mat3_mulv(out->normal, s->R, c->face + 3 * (size_t)best);
}

void ff_solid_feature(const ff_solid *s, const double n[3], ff_feature *out)
{
    double local[3];
    int vertex = 0;
    out->count = 0;
    ff_vec3_set(out->normal, 0.0, 0.0, 0.0);
    ff_mat3_tmulv(local, s->R, n);
    switch (s->kind) {
    case SOLID_BOX:
        box_feature(s, local, out);
        return;
    case SOLID_CYLINDER:
        if (local[2] * local[2] >= 0.5)
            cap_feature(s, local, out);
        else
            mantle_feature(s, local, out);
        return;
    case SOLID_LINE:
        line_feature(s, local, out);
        return;
    case SOLID_CONVEX:
        convex_feature(s, local, out);
        return;
    case SOLID_POINT:
    case SOLID_ELLIPSOID:
        ff_solid_support(s, n, out->corner[0], &vertex);
        out->code[0] = 0;
        out->count = 1;
    }
}
