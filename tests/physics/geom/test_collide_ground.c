// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Every shape on every ground. A floor of triangles, however it is cut, must be a floor: the points, depths and normals
// of the half-space, none twice on a shared edge, none from edges inside it. Bodies made of triangles (experiment E3)
// on a floor and a ramp of triangles.
#include "ground.h"

#define MOST 32

static double deepest(const ff_collide_point *p, int count)
{
    double most = -INFINITY;
    for (int i = 0; i < count; i++) most = fmax(most, p[i].depth);
    return most;
}

static double sum_of_depths(const ff_collide_point *p, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += p[i].depth;
    return sum;
}

// The bodies that may stand on ground: every type of collider that moves.
typedef struct bodies {
    ff_collider c[9];
    const char *name[9];
    ff_convex *owned[3];
    double points[12];
    int count;
} bodies;

static ff_convex *convex_of(ff_mesh *mesh)
{
    ff_convex *convex = ff_convex_create(mesh, NULL);
    ff_mesh_destroy(mesh);
    CHECK(convex);
    return convex;
}

static void add_body(bodies *b, ff_collider c, const char *name)
{
    b->c[b->count] = c;
    b->name[b->count++] = name;
}

static bodies make_bodies(void)
{
    const ff_shape capsule = {.type = FF_SHAPE_CAPSULE, .size = {0.06, 0.1}};
    bodies b = {.points = {0.1, 0, 0, -0.1, 0.05, 0, 0, -0.1, 0.02, 0.03, 0, 0.01}};
    b.owned[0] = convex_of(mesh_box(0.1, 0.1, 0.1));
    b.owned[1] = convex_of(mesh_icosphere(0.1, 2));     // 320 triangles
    b.owned[2] = convex_of(mesh_of_shape(&capsule, 8)); // a capsule of triangles
    add_body(&b, (ff_collider){.type = FF_COLLIDER_SPHERE, .size = {0.1}}, "sphere");
    add_body(&b, (ff_collider){.type = FF_COLLIDER_CAPSULE, .size = {0.06, 0.1}}, "capsule");
    add_body(&b, (ff_collider){.type = FF_COLLIDER_BOX, .size = {0.2, 0.15, 0.1}}, "box");
    add_body(&b, (ff_collider){.type = FF_COLLIDER_CYLINDER, .size = {0.1, 0.15}}, "cylinder");
    add_body(&b, (ff_collider){.type = FF_COLLIDER_ELLIPSOID, .size = {0.1, 0.2, 0.15}}, "ellipsoid");
    add_body(&b, (ff_collider){.type = FF_COLLIDER_CONVEX, .convex = b.owned[0]}, "box of triangles");
    add_body(&b, (ff_collider){.type = FF_COLLIDER_CONVEX, .convex = b.owned[1]}, "ball of triangles");
    add_body(&b, (ff_collider){.type = FF_COLLIDER_CONVEX, .convex = b.owned[2]}, "capsule of triangles");
    add_body(&b, (ff_collider){.type = FF_COLLIDER_POINTS, .size = {0.02}, .npoint = 4}, "points");
    return b;
}

// Borrows from b itself, so only when it lies still.
static void link_points(bodies *b)
{
    b->c[8].points = b->points;
}

static void clear_bodies(bodies *b)
{
    for (int i = 0; i < 3; i++) ff_convex_destroy(b->owned[i]);
}

// Places a body so that its lowest point is `depth` below z = 0.
static void lower(const ff_collider *c, ff_pose *pose, double depth)
{
    double low[3], high[3];
    pose->p[2] = 0.0;
    ff_collider_bounds(c, pose, low, high);
    pose->p[2] = -low[2] - depth;
}

static int find_twin(const ff_collide_point *p, const ff_collide_point *list, int count, double within)
{
    for (int i = 0; i < count; i++) {
        double d[3];
        ff_vec3_sub(d, p->point, list[i].point);
        if (ff_vec3_norm(d) <= within) return i;
    }
    return -1;
}

// z along y: capsules and cylinders lie.
static const double LYING[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};

// [m] and [1]: rounding of a few operations on numbers of size 1
#define EXACT 1e-12

static void compare_with_plane(const ff_collider *plane, const ff_collider *floor, const ff_pose *at,
                               const ff_collider *body, const ff_pose *pose)
{
    ff_collide_point expected[MOST], p[MOST], q[MOST];
    int n, count, flipped;
    const double up[3] = {at->R[2], at->R[5], at->R[8]};
    CHECK_INT(ff_collide(plane, at, body, pose, 0.0, expected, MOST, &n), FF_OK);
    CHECK_INT(ff_collide(floor, at, body, pose, 0.0, p, MOST, &count), FF_OK);
    CHECK(n >= 1);
    CHECK_NEAR(deepest(p, count), deepest(expected, n), EXACT);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) CHECK_NEAR(p[i].normal[k], up[k], EXACT);
        for (int j = 0; j < i; j++) CHECK(p[i].id != p[j].id);
    }
    if (n < FF_COLLIDE_PATCH_MAX) { // a patch that was not thinned out
        CHECK_INT(count, n);
        CHECK_NEAR(sum_of_depths(p, count), sum_of_depths(expected, n), 8 * EXACT); // none counts twice
        for (int i = 0; i < n; i++) {
            int twin = find_twin(&expected[i], p, count, EXACT);
            CHECK(twin >= 0);
            CHECK_NEAR(p[twin].depth, expected[i].depth, EXACT);
            CHECK((uint32_t)p[twin].id == (uint32_t)expected[i].id); // the same corner of the body
        }
    }
    CHECK_INT(ff_collide(body, pose, floor, at, 0.0, q, MOST, &flipped), FF_OK);
    CHECK_INT(flipped, count);
    for (int i = 0; i < count; i++) CHECK_NEAR(ff_vec3_dot(p[i].normal, q[i].normal), -1.0, EXACT);
}

TEST(a_floor_of_triangles_is_a_floor_for_every_shape_however_it_is_cut)
{
    ff_random r = ff_random_make(61, 1);
    const ff_collider plane = {.type = FF_COLLIDER_PLANE};
    bodies b = make_bodies();
    link_points(&b);
    for (int kind = 0; kind < FLOOR_COUNT; kind++) {
        test_floor g = make_floor(kind, &r);
        for (int n = 0; n < POSES(9000); n++) {
            const ff_collider *body = &b.c[n % b.count];
            ff_pose pose = random_pose(&r, 0.55), place = random_pose(&r, 1.0), moved;
            if (n % 2) memcpy(pose.R, n % 4 == 1 ? HOME.R : LYING, sizeof pose.R); // flat on the floor
            if (n % 5 == 0)
                pose.p[0] = floor(4.0 * pose.p[0]) / 4.0; // middle, then also a corner, over edges of the grid
            if (n % 10 == 0) pose.p[1] = floor(4.0 * pose.p[1]) / 4.0;
            if (n % 15 == 0 && body->type == FF_COLLIDER_BOX) pose.p[0] += 0.05, pose.p[1] += 0.1;
            lower(body, &pose, ff_random_range(&r, 1e-4, 5e-3));
            if (n % 3) place = HOME;
            ff_mat3_mul(moved.R, place.R, pose.R);
            ff_mat3_mulv(moved.p, place.R, pose.p);
            ff_vec3_add(moved.p, moved.p, place.p);
            compare_with_plane(&plane, &g.c, &place, body, &moved);
        }
        printf("  floor %s\n", FLOOR_NAMES[kind]);
        clear_ground(&g);
    }
    clear_bodies(&b);
}

// A box as ground is one more: contact points may be more than the plane's where edges cross, the deepest is the same.
TEST(every_shape_rests_on_plane_box_surface_and_field_alike)
{
    ff_random r = ff_random_make(62, 1);
    test_floor g[2] = {make_floor(FLOOR_UNEVEN, &r), make_floor(FLOOR_FIELD, &r)};
    const ff_collider grounds[4] = {
        {.type = FF_COLLIDER_PLANE}, {.type = FF_COLLIDER_BOX, .size = {1.0, 1.0, 0.5}}, g[0].c, g[1].c};
    bodies b = make_bodies();
    link_points(&b);
    for (int i = 0; i < b.count; i++)
        for (int k = 0; k < 4; k++) {
            ff_pose pose = HOME, at = HOME;
            if (k == 1) at.p[2] = -0.5;
            ff_vec3_set(pose.p, 0.03, -0.07, 0.0);
            lower(&b.c[i], &pose, 0.002);
            ff_collide_point p[MOST];
            ff_collide_nearest near;
            int count;
            CHECK_INT(ff_collide(&grounds[k], &at, &b.c[i], &pose, 0.0, p, MOST, &count), FF_OK);
            CHECK(count >= 1);
            CHECK_NEAR(deepest(p, count), 0.002, 1e-9); // [m] EPA on the box
            CHECK_INT(ff_collide_distance(&b.c[i], &pose, &grounds[k], &at, &near), FF_OK);
            CHECK_NEAR(near.distance, -0.002, 1e-9);
            CHECK_NEAR(near.normal[2], -1.0, 1e-9);
        }
    clear_bodies(&b);
    clear_ground(&g[0]);
    clear_ground(&g[1]);
}

// ------------------------------------------------------------------------------------------ rolling

// Across edges, along an edge, and through corners: one point, the depth and normal of the plane, one identity.
TEST(a_ball_rolls_over_a_flat_floor_with_one_contact)
{
    ff_random r = ff_random_make(63, 1);
    const ff_collider ball = {.type = FF_COLLIDER_SPHERE, .size = {0.1}};
    const double ways[4][4] = {
        {-0.8, -0.7, 1.6, 1.1}, {-0.75, -0.5, 1.5, 0.0}, {-0.75, -0.75, 1.5, 1.5}, {0, -0.9, 0, 1.8}};
    for (int kind = 0; kind < FLOOR_COUNT; kind++) {
        test_floor g = make_floor(kind, &r);
        for (int w = 0; w < 4; w++) {
            uint64_t id = 0;
            for (int i = 0; i <= 4000; i++) {
                ff_pose pose = HOME;
                double s = i / 4000.0;
                ff_vec3_set(pose.p, ways[w][0] + s * ways[w][2], ways[w][1] + s * ways[w][3], 0.099);
                ff_collide_point p[8];
                int count;
                CHECK_INT(ff_collide(&g.c, &HOME, &ball, &pose, 0.0, p, 8, &count), FF_OK);
                CHECK_INT(count, 1);
                CHECK_NEAR(p[0].depth, 0.001, 1e-15);
                CHECK_NEAR(p[0].normal[2], 1.0, 1e-15);
                if (i == 0) id = p[0].id;
                if (kind != FLOOR_SPLIT)
                    CHECK(p[0].id == id); // triangles that share no corners are not known to be neighbours
            }
        }
        clear_ground(&g);
    }
}

// Balls, points and corners of boxes exactly over edges and corners of triangles, in any pose, where rounding puts them
// on either side: none is lost, none counts twice.
TEST(nothing_is_lost_or_doubled_over_edges_and_corners_of_a_floor)
{
    ff_random r = ff_random_make(66, 1);
    const double origin[3] = {0, 0, 0};
    const ff_collider body[3] = {{.type = FF_COLLIDER_SPHERE, .size = {0.1}},
                                 {.type = FF_COLLIDER_POINTS, .npoint = 1, .points = origin},
                                 {.type = FF_COLLIDER_BOX, .size = {0.05, 0.05, 0.05}}};
    for (int kind = 0; kind < FLOOR_FIELD; kind++) {
        test_floor g = make_floor(kind, &r);
        for (int n = 0; n < POSES(6000); n++) {
            const int *t = g.mesh->triangles + 3 * (n / 3 % g.mesh->ntriangle);
            const double *a = g.mesh->vertices + 3 * t[n % 3], *b = g.mesh->vertices + 3 * t[(n + 1) % 3];
            double s = n % 7 == 0 ? 0.0 : ff_random_uniform(&r);
            ff_pose place = n % 2 ? HOME : random_pose(&r, 1.0), pose = place;
            double x[3] = {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), 0.0};
            if (fmax(fabs(x[0]), fabs(x[1])) > 0.85) continue; // inside the floor
            const ff_collider *c = &body[n / 2 % 3];
            x[2] = c->type == FF_COLLIDER_SPHERE ? 0.099 : c->type == FF_COLLIDER_POINTS ? -0.001 : 0.049;
            if (c->type == FF_COLLIDER_BOX) x[0] += 0.05, x[1] += 0.05; // one corner over the edge
            ff_mat3_mulv(pose.p, place.R, x);
            ff_vec3_add(pose.p, pose.p, place.p);
            ff_collide_point p[8];
            int count;
            CHECK_INT(ff_collide(&g.c, &place, c, &pose, 0.0, p, 8, &count), FF_OK);
            CHECK_INT(count, c->type == FF_COLLIDER_BOX ? 4 : 1);
            for (int i = 0; i < count; i++) {
                CHECK_NEAR(p[i].depth, 0.001, EXACT);
                CHECK_NEAR(p[i].normal[0], place.R[2], EXACT);
                CHECK_NEAR(p[i].normal[2], place.R[8], EXACT);
            }
        }
        clear_ground(&g);
    }
}

// Two plates side by side in one plane, 1 mm apart: over one of them the other has no effect; over the gap both edges
// have one.
TEST(a_ball_beside_a_gap_touches_one_plate)
{
    const double v[24] = {-1, -1, 0, -5e-4, -1, 0, -5e-4, 1, 0, -1, 1, 0, 5e-4, -1, 0, 1, -1, 0, 1, 1, 0, 5e-4, 1, 0};
    const int t[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    ff_mesh *mesh = ff_mesh_create(v, 8, t, 4, NULL);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    const ff_collider plates = {.type = FF_COLLIDER_SURFACE, .surface = surface},
                      ball = {.type = FF_COLLIDER_SPHERE, .size = {0.1}};
    for (int i = -2000; i <= 2000; i++) {
        ff_pose pose = HOME;
        ff_vec3_set(pose.p, 1e-5 * i, 0.3, 0.099);
        ff_collide_point p[8];
        int count;
        CHECK_INT(ff_collide(&plates, &HOME, &ball, &pose, 0.0, p, 8, &count), FF_OK);
        CHECK_INT(count, fabs(pose.p[0]) < 5e-4 - 1e-9 ? 2 : 1);
        CHECK_NEAR(deepest(p, count), 0.001, 2e-6); // [m] over the gap 0.1 - sqrt(0.099^2 + 0.0005^2)
    }
    ff_surface_destroy(surface);
    ff_mesh_destroy(mesh);
}

// Roofs: two slopes that meet in a ridge, at many angles. The hull of the same corners, found by other code, gives
// depth and normal.
TEST(a_ball_rolls_over_a_ridge_with_one_contact_and_no_jumps)
{
    const ff_collider ball = {.type = FF_COLLIDER_SPHERE, .size = {0.1}};
    for (int angle = 1; angle < 12; angle++) {
        double h = tan(0.1 * angle);
        const double v[18] = {-1, -1, -h, -1, 1, -h, 0, -1, 0, 0, 1, 0, 1, -1, -h, 1, 1, -h};
        const int t[12] = {0, 2, 3, 0, 3, 1, 2, 4, 5, 2, 5, 3};
        ff_mesh *mesh = ff_mesh_create(v, 6, t, 4, NULL);
        ff_surface *surface = ff_surface_create(mesh, NULL);
        ff_convex *convex = ff_convex_create(mesh, NULL);
        const ff_collider roof = {.type = FF_COLLIDER_SURFACE, .surface = surface},
                          hull = {.type = FF_COLLIDER_CONVEX, .convex = convex};
        double last_depth = 0.0, last[3] = {0, 0, 0};
        for (int i = 0; i <= 2000; i++) {
            double s = i / 2000.0 - 0.5;
            ff_pose pose = HOME;
            ff_vec3_set(pose.p, 0.4 * s, 0.3 * s, 0.099 - h * fabs(0.4 * s) * 0.5);
            ff_collide_nearest near;
            ff_collide_point p[8];
            int count;
            CHECK_INT(ff_collide_distance(&hull, &HOME, &ball, &pose, &near), FF_OK);
            CHECK_INT(ff_collide(&roof, &HOME, &ball, &pose, 0.1, p, 8, &count), FF_OK);
            CHECK_INT(count, 1);
            CHECK_NEAR(p[0].depth, -near.distance, 1e-12);
            double turn[3];
            ff_vec3_sub(turn, p[0].normal, last);
            // [m], [rad] a step moves 0.25 mm; around the ridge the normal turns by that over the distance of the
            // middle
            if (i > 0) CHECK_BELOW(fabs(p[0].depth - last_depth), 3e-4 * (1.0 + h));
            if (i > 0) CHECK_BELOW(ff_vec3_norm(turn), 3e-4 * (1.0 + h) / 0.05);
            last_depth = p[0].depth;
            ff_vec3_copy(last, p[0].normal);
        }
        ff_surface_destroy(surface);
        ff_convex_destroy(convex);
        ff_mesh_destroy(mesh);
    }
}

// Bodies that are convex: a ball outside touches in one point, that of the solid.
TEST(a_ball_touches_a_convex_mesh_in_one_point)
{
    ff_random r = ff_random_make(64, 1);
    ff_mesh *mesh = mesh_icosphere(0.3, 2);
    ff_surface *surface = ff_surface_create(mesh, NULL);
    ff_convex *convex = ff_convex_create(mesh, NULL);
    const ff_collider faceted = {.type = FF_COLLIDER_SURFACE, .surface = surface},
                      hull = {.type = FF_COLLIDER_CONVEX, .convex = convex};
    int touching = 0;
    for (int n = 0; n < POSES(10000); n++) {
        const ff_collider ball = {.type = FF_COLLIDER_SPHERE, .size = {ff_random_range(&r, 0.01, 0.2)}};
        ff_pose pose = random_pose(&r, 0.2), at = random_pose(&r, 0.1);
        double d[3];
        random_direction(&r, d);
        for (int k = 0; k < 3; k++) at.p[k] = pose.p[k] + d[k] * (0.301 + ff_random_range(&r, 0.0, 1.2) * ball.size[0]);
        ff_collide_nearest near;
        ff_collide_point p[8];
        int count;
        CHECK_INT(ff_collide_distance(&hull, &pose, &ball, &at, &near), FF_OK);
        CHECK_INT(ff_collide(&faceted, &pose, &ball, &at, 0.0, p, 8, &count), FF_OK);
        CHECK_INT(count, near.distance < 0.0);
        if (count == 0) continue;
        touching++;
        CHECK_NEAR(p[0].depth, -near.distance, 1e-12);
        CHECK_NEAR(ff_vec3_dot(p[0].normal, near.normal), 1.0, 1e-9);
    }
    CHECK(touching > POSES(10000) / 2);
    ff_surface_destroy(surface);
    ff_convex_destroy(convex);
    ff_mesh_destroy(mesh);
}

// ------------------------------------------------------------------------------------------ bodies of triangles

// The scene of E3: y is up, a floor of 128 triangles and a ramp of 15 degrees, and bodies of triangles that tumble over
// them.
TEST(bodies_of_triangles_tumble_over_a_floor_and_a_ramp_of_triangles)
{
    ff_random r = ff_random_make(65, 1);
    test_floor g = make_floor(FLOOR_REGULAR, &r);
    const ff_collider plane = {.type = FF_COLLIDER_PLANE};
    bodies b = make_bodies();
    link_points(&b);
    for (int ramp = 0; ramp < 2; ramp++) {
        const double about_x[3] = {1, 0, 0}, about_z[3] = {0, 0, 1};
        double q[4], up[9], slope[9];
        ff_pose place = {.p = {0.5, 0.2, -0.3}};
        ff_quat_from_axis_angle(q, about_x, -FF_PI / 2);
        ff_quat_to_mat3(up, q);
        ff_quat_from_axis_angle(q, about_z, ramp ? FF_PI / 12 : 0.0);
        ff_quat_to_mat3(slope, q);
        ff_mat3_mul(place.R, slope, up);
        CHECK_NEAR(place.R[5], ramp ? cos(FF_PI / 12) : 1.0, 1e-15); // the normal is up
        for (int body = 5; body < 8; body++)
            for (int i = 0; i < 2000; i++) {
                double t = i / 2000.0, spin[3] = {0.3, 1.0, 0.2};
                ff_pose pose = {.p = {-0.5 + t, 0.4 * sin(3.0 * t), 0.0}}, moved;
                ff_vec3_normalise(spin);
                ff_quat_from_axis_angle(q, spin, 9.0 * t);
                ff_quat_to_mat3(pose.R, q);
                lower(&b.c[body], &pose, 0.001); // m g / k
                ff_mat3_mul(moved.R, place.R, pose.R);
                ff_mat3_mulv(moved.p, place.R, pose.p);
                ff_vec3_add(moved.p, moved.p, place.p);
                compare_with_plane(&plane, &g.c, &place, &b.c[body], &moved);
            }
    }
    clear_bodies(&b);
    clear_ground(&g);
}
