// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Triangle surfaces and height fields: against the solid that they bound, against a test of every triangle, and on
// floors made of triangles, which must act like planes.
#include <stdlib.h>

#include "collide_random.h"
#include "geom/facets.h"
#include "tessellate.h"

static double deepest(const ff_collide_point *p, int count)
{
    double most = -INFINITY;
    for (int i = 0; i < count; i++) most = fmax(most, p[i].depth);
    return most;
}

// Outside the box the surface and the solid are the same thing.
TEST(a_ball_touches_a_mesh_as_it_touches_the_solid)
{
    ff_random r = ff_random_make(41, 1);
    ff_mesh *mesh = mesh_box(0.4, 0.3, 0.2);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    const ff_collider faceted = {.type = FF_COLLIDER_SURFACE, .surface = surface};
    const ff_collider solid = {.type = FF_COLLIDER_BOX, .size = {0.4, 0.3, 0.2}};
    int touching = 0;
    for (int n = 0; n < 10000; n++) {
        const ff_collider ball = {.type = FF_COLLIDER_SPHERE, .size = {ff_random_range(&r, 0.02, 0.3)}};
        ff_pose pose = random_pose(&r, 0.5), at = random_pose(&r, 0.8);
        ff_collide_nearest expected;
        ff_collide_point p[16];
        int count;
        ff_collide_distance(&solid, &pose, &ball, &at, &expected);
        if (expected.distance + ball.size[0] < 1e-6) continue; // centre inside
        CHECK_INT(ff_collide(&faceted, &pose, &ball, &at, 0.0, p, 16, &count), FF_OK);
        CHECK_INT(count > 0, expected.distance < 0.0);
        if (count == 0) continue;
        touching++;
        CHECK_NEAR(deepest(p, count), -expected.distance, 1e-12);
        int flipped;
        ff_collide_point q[16];
        CHECK_INT(ff_collide(&ball, &at, &faceted, &pose, 0.0, q, 16, &flipped), FF_OK);
        CHECK_INT(flipped, count);
        CHECK_NEAR(deepest(q, flipped), deepest(p, count), 0.0);
        CHECK_NEAR(ff_vec3_dot(p[0].normal, q[0].normal), -1.0, 1e-12);
    }
    printf("  %d touching\n", touching);
    CHECK(touching > 500);
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
}

#define CELLS 8
static ff_mesh *floor_mesh(void)
{
    static double v[(CELLS + 1) * (CELLS + 1) * 3];
    static int t[CELLS * CELLS * 6];
    int n = 0;
    for (int j = 0; j <= CELLS; j++)
        for (int i = 0; i <= CELLS; i++)
            ff_vec3_set(v + 3 * (j * (CELLS + 1) + i), 0.25 * i - 1.0, 0.25 * j - 1.0, 0.0);
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            int a = j * (CELLS + 1) + i, b = a + 1, c = a + CELLS + 1, d = c + 1;
            t[n++] = a, t[n++] = b, t[n++] = d, t[n++] = a, t[n++] = d, t[n++] = c;
        }
    return ff_mesh_create(v, (CELLS + 1) * (CELLS + 1), t, 2 * CELLS * CELLS, NULL);
}

typedef struct floors {
    ff_mesh *mesh;
    ff_surface *surface;
    ff_field *field;
    ff_collider kind[2];
} floors;

static floors make_floors(void)
{
    floors f;
    f.mesh = floor_mesh();
    f.surface = ff_surface_create(f.mesh, NULL);
    f.field = ff_field_create(NULL, CELLS + 1, CELLS + 1, (double[2]){2.0, 2.0}, NULL);
    CHECK(f.surface && f.field);
    f.kind[0] = (ff_collider){.type = FF_COLLIDER_SURFACE, .surface = f.surface};
    f.kind[1] = (ff_collider){.type = FF_COLLIDER_FIELD, .field = f.field};
    return f;
}

static void clear_floors(floors *f)
{
    ff_surface_destroy(f->surface);
    ff_field_destroy(f->field);
    ff_mesh_destroy(f->mesh);
}

// Edges inside a flat floor are not there: depth and normal are those of the half-space, the identity stays.
TEST(every_shape_slides_over_a_floor_of_triangles_as_over_a_plane)
{
    floors f = make_floors();
    const ff_collider plane = {.type = FF_COLLIDER_PLANE};
    const ff_collider shapes[5] = {{.type = FF_COLLIDER_SPHERE, .size = {0.1}},
                                   {.type = FF_COLLIDER_CAPSULE, .size = {0.1, 0.2}},
                                   {.type = FF_COLLIDER_BOX, .size = {0.2, 0.15, 0.1}},
                                   {.type = FF_COLLIDER_CYLINDER, .size = {0.1, 0.2}},
                                   {.type = FF_COLLIDER_ELLIPSOID, .size = {0.1, 0.2, 0.15}}};
    for (int kind = 0; kind < 2; kind++)
        for (int s = 0; s < 5; s++)
            for (int i = 0; i < 400; i++) {
                double q[4], rpy[3] = {0.3 + 0.001 * i, 0.4, 0.5};
                ff_pose pose = HOME;
                ff_quat_from_rpy(q, rpy);
                ff_quat_to_mat3(pose.R, q);
                ff_vec3_set(pose.p, -0.6 + 0.003 * i, 0.1 + 0.001 * i, 0.0);
                double low[3], high[3];
                ff_collider_bounds(&shapes[s], &pose, low, high);
                pose.p[2] = -low[2] - 0.002; // 2 mm deep
                ff_collide_point p[16], expected[8];
                int count, n;
                CHECK_INT(ff_collide(&plane, &HOME, &shapes[s], &pose, 0.0, expected, 8, &n), FF_OK);
                CHECK_INT(ff_collide(&f.kind[kind], &HOME, &shapes[s], &pose, 0.0, p, 16, &count), FF_OK);
                CHECK(count >= 1);
                CHECK_NEAR(deepest(p, count), 0.002, 1e-9);
                for (int k = 0; k < count; k++) CHECK_NEAR(p[k].normal[2], 1.0, 1e-12);
                if (s != 3) CHECK_INT(count, n);
            }
    clear_floors(&f);
}

TEST(a_flat_box_on_a_floor_of_triangles_keeps_its_four_corners)
{
    floors f = make_floors();
    const ff_collider box = {.type = FF_COLLIDER_BOX, .size = {0.2, 0.15, 0.1}};
    for (int kind = 0; kind < 2; kind++) {
        uint64_t sum = 0;
        for (int i = 0; i < 1000; i++) {
            ff_pose pose = HOME;
            ff_vec3_set(pose.p, -0.6 + 0.001 * i, 0.05 + 0.0003 * i, 0.099);
            ff_collide_point p[16];
            int count;
            CHECK_INT(ff_collide(&f.kind[kind], &HOME, &box, &pose, 0.0, p, 16, &count), FF_OK);
            CHECK_INT(count, 4);
            uint64_t all = 0;
            for (int k = 0; k < 4; k++) {
                CHECK_NEAR(p[k].depth, 0.001, 1e-12);
                all += p[k].id;
            }
            if (i == 0) sum = all;
            CHECK(all == sum); // the same four identities
        }
    }
    clear_floors(&f);
}

static double valley(void *context, double x, double y)
{
    (void)context;
    (void)y;
    return fabs(x);
}

// A ball in a 90 degree valley touches both sides: depth r - d / sqrt 2 with d the height of its centre.
TEST(a_ball_in_a_valley_touches_both_sides)
{
    ff_field *field = ff_field_create_from(valley, NULL, 21, 21, (double[2]){2.0, 2.0}, NULL);
    const ff_collider ground = {.type = FF_COLLIDER_FIELD, .field = field};
    const ff_collider ball = {.type = FF_COLLIDER_SPHERE, .size = {0.2}};
    ff_pose pose = HOME;
    ff_vec3_set(pose.p, 0.0, 0.033, 0.28);
    ff_collide_point p[8];
    int count;
    CHECK_INT(ff_collide(&ground, &HOME, &ball, &pose, 0.0, p, 8, &count), FF_OK);
    CHECK_INT(count, 2);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(p[i].depth, 0.2 - 0.28 / sqrt(2.0), 1e-12);
        CHECK_NEAR(p[i].normal[2], sqrt(0.5), 1e-12);
    }
    CHECK(p[0].id != p[1].id);
    // Buried: still pushed up and out.
    for (double z = 0.0; z > -3.0; z -= 0.1) {
        ff_vec3_set(pose.p, 0.01, 0.033, z);
        CHECK_INT(ff_collide(&ground, &HOME, &ball, &pose, 0.0, p, 8, &count), FF_OK);
        CHECK(count >= 1);
        CHECK(p[0].depth > 0.2 && p[0].normal[2] > 0.5);
    }
    ff_field_destroy(field);
}

// Point to triangle by GJK on three points, over all triangles: the referee of the tree.
TEST(a_tree_finds_what_a_test_of_all_triangles_finds)
{
    ff_random r = ff_random_make(42, 1);
    enum { N = 150 };
    static double v[9 * N];
    static int index[3 * N];
    ff_collider tri[N];
    ff_convex *owned[N];
    for (int t = 0; t < N; t++) {
        double c[3];
        for (int k = 0; k < 3; k++) c[k] = ff_random_range(&r, -1, 1);
        for (int k = 0; k < 9; k++) v[9 * t + k] = c[k % 3] + ff_random_range(&r, -0.3, 0.3);
        for (int k = 0; k < 3; k++) index[3 * t + k] = 3 * t + k;
        ff_mesh *one = ff_mesh_create(v + 9 * t, 3, NULL, 0, NULL);
        owned[t] = ff_convex_create(one, NULL);
        ff_mesh_destroy(one);
        tri[t] = (ff_collider){.type = FF_COLLIDER_CONVEX, .convex = owned[t]};
    }
    ff_mesh *mesh = ff_mesh_create(v, 3 * N, index, N, NULL);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    const ff_collider soup = {.type = FF_COLLIDER_SURFACE, .surface = surface};
    int compared = 0;
    for (int n = 0; n < 500; n++) {
        const ff_collider ball = {.type = FF_COLLIDER_SPHERE, .size = {0.15}};
        ff_pose at = random_pose(&r, 1.0);
        double least = INFINITY;
        bool behind = false;
        for (int t = 0; t < N; t++) {
            ff_collide_nearest near;
            double ab[3], ac[3], m[3], d[3];
            ff_collide_distance(&tri[t], &HOME, &ball, &at, &near);
            ff_vec3_sub(ab, v + 9 * t + 3, v + 9 * t);
            ff_vec3_sub(ac, v + 9 * t + 6, v + 9 * t);
            ff_vec3_cross(m, ab, ac);
            ff_vec3_sub(d, at.p, v + 9 * t);
            bool front = ff_vec3_dot(m, d) > 0.0;
            if (near.distance < 0.0 && !front) behind = true; // one-sided surfaces differ there
            if (front) least = fmin(least, near.distance);
        }
        if (behind) continue;
        compared++;
        ff_collide_point p[64];
        int count;
        CHECK_INT(ff_collide(&soup, &HOME, &ball, &at, 0.0, p, 64, &count), FF_OK);
        CHECK_INT(count > 0, least < 0.0);
        if (count > 0) CHECK_NEAR(deepest(p, count), -least, 1e-9);
    }
    printf("  %d places compared\n", compared);
    CHECK(compared > 50);
    for (int t = 0; t < N; t++) ff_convex_destroy(owned[t]);
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
}

TEST(broken_meshes_and_fields_are_tolerated_or_refused)
{
    const double v[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const int t[15] = {0, 1, 2, 0, 1, 3, 0, 1, 2, 0, 0, 0, 0, 4, 1}; // three on one edge, doubled, without area
    ff_mesh *mesh = ff_mesh_create(v, 5, t, 5, NULL);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    CHECK(surface);
    const ff_collider c = {.type = FF_COLLIDER_SURFACE, .surface = surface},
                      ball = {.type = FF_COLLIDER_SPHERE, .size = {0.2}}, plane = {.type = FF_COLLIDER_PLANE};
    ff_pose at = HOME;
    ff_vec3_set(at.p, 0.2, 0.2, 0.1);
    ff_collide_point p[8];
    ff_collide_nearest near;
    int count;
    CHECK_INT(ff_collide(&c, &HOME, &ball, &at, 0.0, p, 8, &count), FF_OK);
    CHECK(count > 0);
    CHECK_NEAR(deepest(p, count), 0.3, 0.21);
    CHECK_INT(ff_collide(&c, &HOME, &c, &HOME, 0.0, p, 8, &count), FF_BAD_ARGUMENT);
    CHECK_INT(ff_collide(&plane, &HOME, &plane, &HOME, 0.0, p, 8, &count), FF_BAD_ARGUMENT);
    ff_vec3_set(at.p, 50, 50, 50);
    CHECK_INT(ff_collide_distance(&c, &HOME, &ball, &at, &near), FF_OK);
    CHECK(isinf(near.distance));
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
    const double size[2] = {1, 1}, bad[2] = {1, NAN}, heights[4] = {0, 0, INFINITY, 0};
    CHECK(!ff_surface_create(NULL, NULL));
    CHECK(!ff_field_create(NULL, 1, 2, size, NULL));
    CHECK(!ff_field_create(NULL, 2, 2, bad, NULL));
    CHECK(!ff_field_create(heights, 2, 2, size, NULL));
}

// ------------------------------------------------------------------------------------------ heaps of triangles

static long long heap_asked; // for triangles

/// Triangle t of a heap: each has a plane of its own.
static bool heap_get(const void *self, int t, double corner[9], double normal[3])
{
    const ff_facets *heap = self;
    const double angle = FF_PI * t / heap->count, across[3] = {0, cos(angle), sin(angle)};
    heap_asked++;
    memset(corner, 0, 9 * sizeof *corner);
    corner[3] = 1.0;
    ff_vec3_copy(corner + 6, across);
    ff_vec3_set(normal, 0, -sin(angle), cos(angle));
    return true;
}

static int heap_beside(const void *self, int t, int k)
{
    (void)self, (void)t, (void)k;
    return -1;
}

static int heap_vertex(const void *self, int t, int k)
{
    (void)self;
    return 3 * t + k;
}

/// The box of every triangle holds every place.
static void heap_visit(const void *self, const double low[3], const double high[3], ff_facet_visitor *visitor,
                       void *context)
{
    (void)low, (void)high;
    for (int t = 0; t < ((const ff_facets *)self)->count; t++) visitor(context, t);
}

// Nothing is shared and all boxes overlap, as in damaged files: without a bound each of 3 n borders asks for n of them.
TEST(a_heap_of_triangles_is_prepared_with_bounded_work)
{
    const int n = 3000;
    ff_facets heap = {.count = n,
                      .nvertex = 3 * n,
                      .get = heap_get,
                      .beside = heap_beside,
                      .vertex = heap_vertex,
                      .visit = heap_visit};
    heap.self = &heap;
    heap_asked = 0;
    CHECK(ff_facets_prepare(&heap));
    CHECK_BELOW((double)heap_asked, 1.2e6); // a million tests of neighbours, and one call for each triangle itself
    for (int t = 0; t < n; t++) CHECK(ff_facets_has(&heap, t, 0, FF_FACET_RIDGE));
    ff_facets_clear(&heap);
}
