// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Collision detection in numbers: time a pair, our GJK and EPA beside libccd's (time, and depth against the exact one
// of our closed forms or of a refined search), and the growth of the broad phase. Prints tables for docs/collision.md.
#include <stdio.h>

#include <footfall/collide.h>

#include "clock.h"

#ifdef FF_WITH_CCD
#include <ccd/ccd.h>
#endif

#define POSES 2000

static ff_pose random_pose(ff_random *r, double spread)
{
    ff_pose pose;
    double q[4];
    for (int k = 0; k < 4; k++) q[k] = ff_random_normal(r);
    ff_quat_normalise(q);
    ff_quat_to_mat3(pose.R, q);
    for (int k = 0; k < 3; k++) pose.p[k] = ff_random_range(r, -spread, spread);
    return pose;
}

typedef struct placed {
    ff_collider c;
    ff_pose pose;
} placed;

static double support_value(const placed *s, const double n[3])
{
    double low[3], high[3], q[4];
    ff_pose turn;
    ff_quat_from_z_to(q, n); // the reach along n is the top of the bounds in a frame whose z is n
    double R[9];
    ff_quat_to_mat3(R, q);
    ff_mat3_tmul(turn.R, R, s->pose.R);
    ff_mat3_tmulv(turn.p, R, s->pose.p);
    ff_collider_bounds(&s->c, &turn, low, high);
    return high[2];
}

static double separation(const placed *a, const placed *b, const double n[3])
{
    double back[3] = {-n[0], -n[1], -n[2]};
    return -support_value(b, back) - support_value(a, n);
}

// Depth by a long local search from the best answer known.
static double refined(const placed *a, const placed *b, const double start[3], ff_random *r)
{
    double at[3], best, step = 0.05;
    ff_vec3_copy(at, start);
    best = separation(a, b, at);
    for (int i = 0; i < 400; i++) {
        double n[3];
        for (int k = 0; k < 3; k++) n[k] = at[k] + step * ff_random_normal(r);
        ff_vec3_normalise(n);
        double s = separation(a, b, n);
        if (s > best)
            best = s, ff_vec3_copy(at, n);
        else
            step *= 0.96;
    }
    return best;
}

typedef struct result {
    double time;  // ns a query
    double worst; // error of the depth  [m]
    double mean;
    int wrong; // overlap not found, or one that is not there
} result;

static void account(result *r, double error)
{
    r->worst = fmax(r->worst, error);
    r->mean += error;
}

static void ours(placed pair[][2], int n, const double *exact, bool closed, result *out)
{
    ff_collide_nearest near;
    double start = now();
    for (int i = 0; i < n; i++)
        (closed ? ff_collide_distance : ff_collide_distance_gjk)(&pair[i][0].c, &pair[i][0].pose, &pair[i][1].c,
                                                                 &pair[i][1].pose, &near);
    out->time = 1e9 * (now() - start) / n;
    for (int i = 0; i < n; i++) {
        (closed ? ff_collide_distance : ff_collide_distance_gjk)(&pair[i][0].c, &pair[i][0].pose, &pair[i][1].c,
                                                                 &pair[i][1].pose, &near);
        if ((near.distance < 0.0) != (exact[i] < 0.0))
            out->wrong++;
        else if (exact[i] < 0.0)
            account(out, fabs(near.distance - exact[i]));
    }
}

#ifdef FF_WITH_CCD
static void ccd_support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out)
{
    const placed *s = object;
    double d[3], x[3] = {0, 0, 0}, w[3];
    const double *z = s->c.size;
    ff_mat3_tmulv(d, s->pose.R, direction->v);
    double flat = sqrt(d[0] * d[0] + d[1] * d[1]), length = ff_vec3_norm(d);
    switch (s->c.type) {
    case FF_COLLIDER_CAPSULE:
        for (int k = 0; k < 3; k++) x[k] = length > 0.0 ? z[0] * d[k] / length : 0.0;
        x[2] += d[2] < 0.0 ? -z[1] : z[1];
        break;
    case FF_COLLIDER_BOX:
        for (int k = 0; k < 3; k++) x[k] = d[k] < 0.0 ? -z[k] : z[k];
        break;
    case FF_COLLIDER_CYLINDER:
        for (int k = 0; k < 2; k++) x[k] = flat > 0.0 ? z[0] * d[k] / flat : 0.0;
        x[2] = d[2] < 0.0 ? -z[1] : z[1];
        break;
    default:
        for (int k = 0; k < 3; k++) x[k] = z[k] * d[k];
        length = ff_vec3_norm(x);
        for (int k = 0; k < 3; k++) x[k] = length > 0.0 ? z[k] * x[k] / length : 0.0;
    }
    ff_mat3_mulv(w, s->pose.R, x);
    ff_vec3_add(out->v, w, s->pose.p);
}

static void ccd_centre(const void *object, ccd_vec3_t *out)
{
    ff_vec3_copy(out->v, ((const placed *)object)->pose.p);
}

static void theirs(placed pair[][2], int n, const double *exact, bool mpr, result *out)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_centre;
    ccd.max_iterations = 200;
    ccd.epa_tolerance = 1e-9;
    ccd.mpr_tolerance = 1e-9;
    ccd_vec3_t direction, position;
    ccd_real_t depth = 0.0;
    double start = now();
    for (int i = 0; i < n; i++)
        (mpr ? ccdMPRPenetration : ccdGJKPenetration)(&pair[i][0], &pair[i][1], &ccd, &depth, &direction, &position);
    out->time = 1e9 * (now() - start) / n;
    for (int i = 0; i < n; i++) {
        int found = (mpr ? ccdMPRPenetration : ccdGJKPenetration)(&pair[i][0], &pair[i][1], &ccd, &depth, &direction,
                                                                  &position);
        if ((found == 0) != (exact[i] < 0.0))
            out->wrong++;
        else if (found == 0)
            account(out, fabs(depth + exact[i]));
    }
}
#endif

static void print_result(const char *method, const result *r, int overlaps)
{
    printf("    %-22s %8.0f ns   mean error %8.1e m   worst %8.1e m   wrong %d\n", method, r->time,
           r->mean / (overlaps > 0 ? overlaps : 1), r->worst, r->wrong);
}

static void compare(ff_collider_type t1, ff_collider_type t2, double spread)
{
    static placed pair[POSES][2];
    static double exact[POSES];
    ff_random r = ff_random_make(1, 1);
    int overlaps = 0;
    for (int i = 0; i < POSES; i++) {
        for (int k = 0; k < 2; k++) {
            pair[i][k].c = (ff_collider){.type = k ? t2 : t1};
            for (int j = 0; j < 3; j++) pair[i][k].c.size[j] = ff_random_range(&r, 0.1, 0.7);
            pair[i][k].pose = random_pose(&r, spread);
        }
        ff_collide_nearest near;
        ff_collide_distance(&pair[i][0].c, &pair[i][0].pose, &pair[i][1].c, &pair[i][1].pose, &near);
        exact[i] = near.distance;
        if (near.distance < 0.0)
            exact[i] = fmin(fmax(refined(&pair[i][0], &pair[i][1], near.normal, &r), near.distance), -1e-300);
        overlaps += near.distance < 0.0;
    }
    printf("  %s - %s, %d of %d overlap\n", ff_collider_name(t1), ff_collider_name(t2), overlaps, POSES);
    result a = {0}, b = {0};
    ours(pair, POSES, exact, true, &a);
    ours(pair, POSES, exact, false, &b);
    print_result("ff_collide_distance", &a, overlaps);
    print_result("own GJK and EPA", &b, overlaps);
#ifdef FF_WITH_CCD
    result c = {0}, d = {0};
    theirs(pair, POSES, exact, false, &c);
    theirs(pair, POSES, exact, true, &d);
    print_result("libccd GJK and EPA", &c, overlaps);
    print_result("libccd MPR", &d, overlaps);
#endif
}

// Best of some blocks, ns a call: on a busy machine the mean measures the neighbours.
static double patch_time(const ff_collider *c1, const ff_collider *c2, double height)
{
    enum { BLOCKS = 40, CALLS = 500 };
    ff_pose home = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, pose = home;
    ff_collide_point p[8];
    int count = 0, total = 0;
    double best = INFINITY;
    for (int block = 0; block < BLOCKS; block++) {
        double start = now();
        for (int i = 0; i < CALLS; i++) {
            ff_vec3_set(pose.p, 1e-6 * i, 0.0, height);
            ff_collide(c1, &home, c2, &pose, 0.0, p, 8, &count);
            total += count;
        }
        best = fmin(best, now() - start);
    }
    return total > 0 ? 1e9 * best / CALLS : NAN;
}

static void print_patches(void)
{
    const ff_collider plane = {.type = FF_COLLIDER_PLANE}, ball = {.type = FF_COLLIDER_SPHERE, .size = {0.1}},
                      box = {.type = FF_COLLIDER_BOX, .size = {0.3, 0.2, 0.1}},
                      drum = {.type = FF_COLLIDER_CYLINDER, .size = {0.2, 0.1}},
                      rod = {.type = FF_COLLIDER_CAPSULE, .size = {0.1, 0.2}},
                      egg = {.type = FF_COLLIDER_ELLIPSOID, .size = {0.3, 0.2, 0.1}};
    printf("contact points, resting\n");
    printf("    plane - sphere        %8.0f ns\n", patch_time(&plane, &ball, 0.099));
    printf("    plane - capsule       %8.0f ns\n", patch_time(&plane, &rod, 0.299));
    printf("    plane - box           %8.0f ns\n", patch_time(&plane, &box, 0.099));
    printf("    plane - cylinder      %8.0f ns\n", patch_time(&plane, &drum, 0.099));
    printf("    sphere - sphere       %8.0f ns\n", patch_time(&ball, &ball, 0.199));
    printf("    box - sphere          %8.0f ns\n", patch_time(&box, &ball, 0.199));
    printf("    box - capsule         %8.0f ns\n", patch_time(&box, &rod, 0.399));
    printf("    box - box             %8.0f ns\n", patch_time(&box, &box, 0.199));
    printf("    box - cylinder        %8.0f ns\n", patch_time(&box, &drum, 0.199));
    printf("    ellipsoid - ellipsoid %8.0f ns\n", patch_time(&egg, &egg, 0.199));
}

// Cubes of 0.2 m at equal density, each wandering by up to 1 mm a step, boxes enlarged by 20 mm.
static void print_broad(void)
{
    enum { STEPS = 400 };
    double before = 0.0;
    printf("broad phase, median of %d steps\n", STEPS);
    for (int n = 10; n <= 10000; n *= 10) {
        ff_random r = ff_random_make(2, 1);
        size_t size = (size_t)n * 3;
        double *centre = malloc(size * sizeof(double)), *low = malloc(size * sizeof(double)),
               *high = malloc(size * sizeof(double)), side = 0.25 * cbrt((double)n), took[STEPS];
        ff_broad_object *object = malloc((size_t)n * sizeof *object);
        if (!centre || !low || !high || !object) exit(1);
        for (int i = 0; i < n; i++) object[i] = (ff_broad_object){1, 1, -1, false};
        for (size_t i = 0; i < size; i++) centre[i] = ff_random_range(&r, 0.0, side);
        ff_broad *broad = ff_broad_create(object, n, NULL, 0, 0, 0.02, NULL);
        const ff_broad_pair *pairs;
        int npair = 0;
        for (int step = 0; step < STEPS; step++) {
            for (size_t i = 0; i < size; i++) {
                centre[i] += ff_random_range(&r, -0.001, 0.001);
                low[i] = centre[i] - 0.1;
                high[i] = centre[i] + 0.1;
            }
            double start = clock_read(CLOCK_MONOTONIC);
            ff_broad_update(broad, low, high, &pairs, &npair);
            took[step] = clock_read(CLOCK_MONOTONIC) - start;
        }
        double first = took[0];
        double usual = 1e6 * median(took, STEPS);
        printf("    %6d objects %6d pairs, first step %8.2f us, then %8.2f us", n, npair, 1e6 * first, usual);
        if (before > 0.0) printf("   %5.1f times the line above", usual / before);
        printf("\n");
        before = usual;
        ff_broad_destroy(broad);
        free(centre);
        free(low);
        free(high);
        free(object);
    }
}

// A ball of about 1000 triangles pressed 5 mm into another with 1000 points: one cell (which still drops the points
// outside its box), many cells, and the box tree.
static void print_cells(void)
{
    enum { POINTS = 1000, REPEATS = 20 };
    static double cloud[3 * POINTS];
    static ff_collide_point out[POINTS];
    ff_random r = ff_random_make(3, 1);
    for (int i = 0; i < POINTS; i++) {
        double *x = cloud + 3 * i;
        do
            for (int k = 0; k < 3; k++) x[k] = ff_random_range(&r, -1.0, 1.0);
        while (ff_vec3_norm(x) < 0.1 || ff_vec3_norm(x) > 1.0);
        ff_vec3_scale(x, x, 0.1 / ff_vec3_norm(x));
    }
    ff_mesh *half = ff_mesh_create(cloud, POINTS / 2, NULL, 0, NULL), *ball = ff_mesh_convex_hull(half, NULL);
    ff_surface *surface = ff_surface_create(ball, NULL);
    ff_pose home = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, above = home;
    above.p[2] = 0.195;
    printf("points against triangles, %d points, %d triangles\n", POINTS, ball->ntriangle);
    static const int CELLS[4] = {1, 10, 30, 100};
    double one = 0.0;
    for (int c = 0; c < 4; c++) {
        ff_ccube *cube = ff_ccube_create(ball, CELLS[c], 0.01, NULL);
        int count = 0;
        double start = now();
        for (int i = 0; i < REPEATS; i++) count = ff_ccube_collide(cube, &home, cloud, POINTS, &above, out, POINTS);
        double took = (now() - start) / REPEATS;
        if (c == 0) one = took;
        printf("    %3d cells a side %9.1f us   %5.1f times one cell, %d contacts\n", CELLS[c], 1e6 * took, one / took,
               count);
        ff_ccube_destroy(cube);
    }
    const ff_collider tree = {.type = FF_COLLIDER_SURFACE, .surface = surface},
                      set = {.type = FF_COLLIDER_POINTS, .npoint = POINTS, .points = cloud};
    int count = 0;
    double start = now();
    for (int i = 0; i < REPEATS; i++) ff_collide(&tree, &home, &set, &above, 0.0, out, POINTS, &count);
    printf("    box tree         %9.1f us, %d contacts\n", 1e6 * (now() - start) / REPEATS, count);
    ff_surface_destroy(surface);
    ff_mesh_destroy(half);
    ff_mesh_destroy(ball);
}

// Hills of more and more triangles, hit by rays from above in random directions; best of some rounds. With Embree built
// in, meshes from 10 000 triangles on use it.
static void print_rays(void)
{
    enum { RAYS = 20000, ROUNDS = 5 };
    static double from[RAYS][3], along[RAYS][3];
    ff_random r = ff_random_make(4, 1);
    for (int i = 0; i < RAYS; i++) {
        ff_vec3_set(from[i], ff_random_range(&r, -5.0, 5.0), ff_random_range(&r, -5.0, 5.0),
                    ff_random_range(&r, 0.5, 2.0));
        ff_vec3_set(along[i], ff_random_normal(&r), ff_random_normal(&r), -fabs(ff_random_normal(&r)));
        ff_vec3_normalise(along[i]);
    }
    printf("rays, ns each\n");
    for (int side = 10; side <= 270; side *= 3) {
        int nv = (side + 1) * (side + 1), nt = 2 * side * side, n = 0, hits = 0;
        double *v = malloc((size_t)nv * 3 * sizeof(double)), best = INFINITY;
        int *t = malloc((size_t)nt * 3 * sizeof(int));
        if (!v || !t) exit(1);
        for (int j = 0; j <= side; j++)
            for (int i = 0; i <= side; i++) {
                double x = 10.0 * i / side - 5.0, y = 10.0 * j / side - 5.0;
                ff_vec3_set(v + 3 * (j * (side + 1) + i), x, y, 0.3 * sin(3.0 * x) * cos(2.3 * y));
            }
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++) {
                int a = j * (side + 1) + i, b = a + 1, c = a + side + 1, d = c + 1;
                t[n++] = a, t[n++] = b, t[n++] = d, t[n++] = a, t[n++] = d, t[n++] = c;
            }
        ff_mesh *mesh = ff_mesh_create(v, nv, t, nt, NULL);
        ff_surface *surface = ff_surface_create(mesh, NULL);
        const ff_collider ground = {.type = FF_COLLIDER_SURFACE, .surface = surface};
        const ff_pose home = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        for (int round = 0; round < ROUNDS; round++) {
            double start = now();
            hits = 0;
            for (int i = 0; i < RAYS; i++) {
                ff_ray_hit hit;
                hits += ff_collide_ray(&ground, &home, from[i], along[i], 50.0, &hit);
            }
            best = fmin(best, now() - start);
        }
        printf("    %7d triangles %6.0f ns, %d of %d hit\n", nt, 1e9 * best / RAYS, hits, RAYS);
        ff_surface_destroy(surface);
        ff_mesh_destroy(mesh);
        free(v);
        free(t);
    }
}

int main(void)
{
    print_cells();
    print_patches();
    print_rays();
    printf("distance and depth\n");
    compare(FF_COLLIDER_BOX, FF_COLLIDER_BOX, 0.6);
    compare(FF_COLLIDER_CAPSULE, FF_COLLIDER_BOX, 0.6);
    compare(FF_COLLIDER_CYLINDER, FF_COLLIDER_CYLINDER, 0.6);
    compare(FF_COLLIDER_BOX, FF_COLLIDER_CYLINDER, 0.6);
    compare(FF_COLLIDER_ELLIPSOID, FF_COLLIDER_ELLIPSOID, 0.6);
    print_broad();
    return 0;
}
