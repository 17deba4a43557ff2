// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The contact force of an elastic law is the gradient of a potential: with a spring for each point,
//     U = sum of depth^2 / 2,     dU = - sum of depth n . (dx + w x arm)
// along any path of a body over any ground. The difference of the two sides in a small step is energy that the contact
// creates or loses: by a point that appears or vanishes with depth, by a normal that is not the gradient of its depth.
#include "ground.h"

enum { MOST = 16 };                // points, as the world asks for
static const double DEEP = 1e-3;   // about how deep the bodies are held  [m]
static const double FALL = 2.5e-3; // a step in which the body drops farther is no small one: it slid off an edge  [m]

typedef struct touched {
    ff_collide_point point[MOST];
    int count;
    ff_pose pose;
    double energy; // of springs of 1 N/m  [J]
} touched;

static void touch(const ff_collider *ground, const ff_collider *body, touched *out)
{
    CHECK_INT(ff_collide(ground, &HOME, body, &out->pose, 0.0, out->point, MOST, &out->count), FF_OK);
    out->energy = 0.0;
    for (int i = 0; i < out->count; i++) out->energy += 0.5 * out->point[i].depth * out->point[i].depth;
}

static double deepest(const touched *t)
{
    double most = -INFINITY;
    for (int i = 0; i < t->count; i++) most = fmax(most, t->point[i].depth);
    return most;
}

/// Lowers the body until it is about so deep, from a height that may be off by `reach`. Too much
/// depth is about as much too little height; where this fails, half of the range is tried.
static void hold(const ff_collider *ground, const ff_collider *body, double depth, double reach, touched *out)
{
    double *z = &out->pose.p[2], low = *z - reach, high = *z + reach;
    while (high - low > 1e-2 * DEEP) {
        touch(ground, body, out);
        const double more = deepest(out) - depth;
        if (fabs(more) < 5e-3 * DEEP) return;
        *(more > 0.0 ? &low : &high) = *z;
        *z += more;
        if (!(*z > low && *z < high)) *z = 0.5 * (low + high);
    }
    *z = high;
    touch(ground, body, out);
}

/// Work of the forces at `t` along a small motion.
static double work(const touched *t, const double middle[3], const double move[3], const double turn[3])
{
    double sum = 0.0;
    for (int i = 0; i < t->count; i++) {
        double arm[3], v[3];
        ff_vec3_sub(arm, t->point[i].point, middle);
        ff_vec3_cross(v, turn, arm);
        ff_vec3_add(v, v, move);
        sum += t->point[i].depth * ff_vec3_dot(v, t->point[i].normal);
    }
    return sum;
}

/// Energy that a small step makes.  [J]
static double made(const touched *from, const touched *to)
{
    double back[9], R[9], move[3], middle[3];
    ff_mat3_transpose(back, from->pose.R);
    ff_mat3_mul(R, to->pose.R, back);
    const double turn[3] = {0.5 * (R[7] - R[5]), 0.5 * (R[2] - R[6]), 0.5 * (R[3] - R[1])};
    ff_vec3_sub(move, to->pose.p, from->pose.p);
    if (fabs(move[2]) > FALL) return 0.0;
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (from->pose.p[k] + to->pose.p[k]);
    return to->energy - from->energy + 0.5 * (work(from, middle, move, turn) + work(to, middle, move, turn));
}

typedef struct sums {
    double turned; // energy stored and given back  [J]
    double leak;   // made or lost, each step counted as positive  [J]
    double worst;  // in a step, over that of one point  []
} sums;

/// Bodies go 0.1 m over the ground and turn by half a radian, their depth going up and down.
static sums journeys(const ff_collider *ground, const ff_collider *body, int paths)
{
    enum { STEPS = 250 };
    ff_random r = ff_random_make(5, 1);
    sums out = {0};
    for (int n = 0; n < paths; n++) {
        double start[3] = {ff_random_range(&r, -1.0, 1.0), ff_random_range(&r, -1.0, 1.0), 0.0}, way[3], spin[3], at[3];
        random_direction(&r, way);
        random_direction(&r, spin);
        random_direction(&r, at);
        ff_vec3_scale(at, at, ff_random_range(&r, 0.0, 3.0));
        touched last = {.count = 0}, now = {.count = 0};
        for (int i = 0; i <= STEPS; i++) {
            const double t = (double)i / STEPS;
            double turn[3], q[4];
            for (int k = 0; k < 3; k++) {
                if (k < 2 || i == 0) now.pose.p[k] = start[k] + 0.1 * t * way[k];
                turn[k] = at[k] + 0.5 * t * spin[k];
            }
            const double angle = ff_vec3_norm(turn);
            ff_vec3_normalise(turn);
            ff_quat_from_axis_angle(q, turn, angle);
            ff_quat_to_mat3(now.pose.R, q);
            hold(ground, body, DEEP * (1.0 + 0.5 * sin(9.0 * t)), i > 0 ? 4.0 * DEEP : 1.5, &now);
            if (i > 0) {
                const double leak = fabs(made(&last, &now));
                out.turned += fabs(now.energy - last.energy);
                out.leak += leak;
                out.worst = fmax(out.worst, leak / (0.5 * DEEP * DEEP));
            }
            last = now;
        }
    }
    return out;
}

static double waves(void *context, double x, double y)
{
    (void)context;
    (void)y;
    return 0.15 * sin(2.0 * FF_PI * x);
}

static double hills(void *context, double x, double y)
{
    (void)context;
    return 0.08 * (sin(3.1 * x + 1.0) * cos(2.7 * y) + 0.5 * sin(7.3 * x + 0.4 * y) * sin(6.1 * y + 1.0));
}

static double rubble(void *context, double x, double y)
{
    (void)x;
    (void)y;
    return ff_random_range(context, 0.0, 0.05);
}

// Largest energy created or lost, over the energy exchanged. Round bodies: by the finite steps of the sum, and where
// three facets meet that are no planes. Capsules and bodies with edges: where a place changes from one eighth of the
// body to the next, and on rubble (slopes of 30 degrees every 0.1 m) ridges that stand across an edge. Before places
// were joined it was 0.001 to 0.4 for balls, up to 0.2 for capsules, 0.5 for eggs, 0.6 for drums and 1.4 for boxes.
typedef struct ground_kind {
    const char *name;
    double (*height)(void *context, double x, double y);
    int cells;
    double most[6]; // sphere, capsule, box, cylinder, ellipsoid, convex
} ground_kind;

static const ground_kind GROUNDS[] = {
    {"flat", NULL, 40, {0.001, 0.001, 0.01, 0.001, 0.001, 0.01}},
    {"waves", waves, 40, {0.001, 0.001, 0.1, 0.001, 0.001, 0.1}},
    {"hills", hills, 40, {0.002, 0.002, 0.03, 0.01, 0.003, 0.03}},
    {"fine hills", hills, 200, {0.005, 0.005, 0.03, 0.1, 0.005, 0.03}},
    {"rubble", rubble, 40, {0.01, 0.005, 0.2, 0.2, 0.01, 0.2}},
};

TEST(contact_forces_have_a_potential_on_every_ground)
{
    double corner[24];
    for (int i = 0; i < 8; i++)
        ff_vec3_set(corner + 3 * i, i & 1 ? -0.1 : 0.1, i & 2 ? -0.075 : 0.075, i & 4 ? -0.05 : 0.05);
    ff_mesh *cloud = ff_mesh_create(corner, 8, NULL, 0, NULL);
    ff_convex *convex = ff_convex_create(cloud, NULL);
    const ff_collider bodies[6] = {{.type = FF_COLLIDER_SPHERE, .size = {0.08}},
                                   {.type = FF_COLLIDER_CAPSULE, .size = {0.05, 0.1}},
                                   {.type = FF_COLLIDER_BOX, .size = {0.1, 0.075, 0.05}},
                                   {.type = FF_COLLIDER_CYLINDER, .size = {0.08, 0.1}},
                                   {.type = FF_COLLIDER_ELLIPSOID, .size = {0.1, 0.05, 0.075}},
                                   {.type = FF_COLLIDER_CONVEX, .convex = convex}};
    for (size_t g = 0; g < sizeof GROUNDS / sizeof *GROUNDS; g++) {
        const ground_kind *kind = &GROUNDS[g];
        ff_random r = ff_random_make(3, 1);
        const double size[2] = {4.0, 4.0};
        const int n = kind->cells + 1;
        ff_field *field = kind->height ? ff_field_create_from(kind->height, &r, n, n, size, NULL)
                                       : ff_field_create(NULL, n, n, size, NULL);
        const ff_collider ground = {.type = FF_COLLIDER_FIELD, .field = field};
        CHECK(field);
        for (int b = 0; b < 6; b++) {
            const sums s = journeys(&ground, &bodies[b], CHECK_LASTS(6, 1));
            printf("  %-10s %-9s %.4f of the energy turned over, %.3f of a point's in a step\n", kind->name,
                   ff_collider_name(bodies[b].type), s.leak / s.turned, s.worst);
            CHECK_BELOW(s.leak, kind->most[b] * s.turned);
        }
        ff_field_destroy(field);
    }
    ff_convex_destroy(convex);
    ff_mesh_destroy(cloud);
}

// Out of two sides at once, in closed form.
TEST(a_ball_in_a_gentle_valley_is_pushed_along_the_shortest_way_out)
{
    const double slope = 0.2, r = 0.1, tilt = atan(slope);
    double heights[9] = {slope, slope, slope, 0.0, 0.0, 0.0, slope, slope, slope}; // a valley along x
    ff_field *field = ff_field_create(heights, 3, 3, (double[2]){2.0, 2.0}, NULL);
    const ff_collider ground = {.type = FF_COLLIDER_FIELD, .field = field},
                      ball = {.type = FF_COLLIDER_SPHERE, .size = {r}};
    for (double deep = 1e-4; deep < 5e-3; deep *= 3.0) {
        ff_collide_point p[MOST];
        int count;
        const ff_pose pose = at(0.1, 0.0, (r - deep) / cos(tilt)); // as far from both sides
        CHECK_INT(ff_collide(&ground, &HOME, &ball, &pose, 0.0, p, MOST, &count), FF_OK);
        CHECK_INT(count, 1);
        // e = deep + r/4 to both sides, so |u| = e / cos(tilt)
        CHECK_NEAR(p[0].depth, (deep + 0.25 * r) / cos(tilt) - 0.25 * r, 1e-12);
        CHECK_NEAR(p[0].normal[2], 1.0, 1e-12);
        CHECK_NEAR(p[0].point[1], 0.0, 1e-12);
    }
    ff_field_destroy(field);
}
