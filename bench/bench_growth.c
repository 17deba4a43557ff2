// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What a step costs as contacts and bodies become many, and how the broad phase grows with the number of objects. Three
// families, all at rest on a plane: a sled on n spheres (contacts grow, degrees of freedom stay six), n balls (each
// brings a contact, a body and six degrees of freedom), and the boxes of n drifting balls in the broad phase alone. The
// tables are what scripts/cost-contacts.gp draws.
#include <footfall/footfall.h>
#include <stdio.h>

#include "clock.h"

static const double RADIUS = 0.02, MASS = 0.1,
                    SPACING = 0.05; // of a ball; one ball's share of the sled  [m], [kg], [m]
static const double STEP = 1e-3;    // [s]

// ------------------------------------------------------------------------------------------ robots

static void add_floor(ff_spec *spec)
{
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE)->material = "lab-floor";
}

static ff_spec_body *add_body(ff_spec *spec, const char *name, double mass, double inertia)
{
    ff_spec_body *body = ff_spec_add_body(spec, name, -1);
    body->has_inertial = true;
    body->mass = mass;
    for (int k = 0; k < 3; k++) body->inertia[k] = inertia;
    ff_spec_add_joint(spec, name, spec->nbody - 1, FF_JOINT_FREE);
    return body;
}

static void add_ball(ff_spec *spec, int body, double x, double y, double z)
{
    ff_spec_geom *ball = ff_spec_add_geom(spec, NULL, body, FF_SHAPE_SPHERE);
    ball->size[0] = RADIUS;
    ball->material = "rubber-foot";
    ff_vec3_set(ball->pos, x, y, z);
}

/// Place number i of a square grid of n.
static void grid_place(int i, int n, double place[2])
{
    int side = (int)ceil(sqrt((double)n));
    place[0] = SPACING * (i % side - 0.5 * (side - 1));
    place[1] = SPACING * (i / side - 0.5 * (side - 1));
}

static ff_model *finish(ff_spec *spec)
{
    ff_model *m = ff_model_compile(spec, NULL, NULL);
    ff_spec_destroy(spec);
    return m;
}

// Sunk in by what its weight needs, so that nothing bounces.
static double rest_depth(void)
{
    ff_material foot, floor;
    ff_contact_pair pair;
    ff_material_find("rubber-foot", &foot, NULL);
    ff_material_find("lab-floor", &floor, NULL);
    ff_contact_pair_make(&pair, &foot, &floor, NULL);
    return MASS * 9.81 / pair.stiffness;
}

static ff_model *sled(int feet)
{
    ff_spec *spec = ff_spec_create(NULL);
    add_floor(spec);
    double size = SPACING * ceil(sqrt((double)feet));
    ff_spec_body *body = add_body(spec, "sled", MASS * feet, MASS * feet * (RADIUS * RADIUS + size * size / 12));
    body->pos[2] = RADIUS - rest_depth();
    double middle[2] = {0};
    for (int i = 0; i < feet; i++) {
        double at[2];
        grid_place(i, feet, at);
        add_ball(spec, 0, at[0], at[1], 0);
        for (int k = 0; k < 2; k++) middle[k] += at[k] / feet;
    }
    ff_vec3_set(spec->bodies[0].com, middle[0], middle[1], 0); // all feet carry the same
    return finish(spec);
}

static ff_model *balls(int count)
{
    ff_spec *spec = ff_spec_create(NULL);
    add_floor(spec);
    for (int i = 0; i < count; i++) {
        char name[32];
        double at[2];
        grid_place(i, count, at);
        snprintf(name, sizeof name, "ball%d", i);
        ff_vec3_set(add_body(spec, name, MASS, 0.4 * MASS * RADIUS * RADIUS)->pos, at[0], at[1], RADIUS - rest_depth());
        add_ball(spec, i, 0, 0, 0);
    }
    return finish(spec);
}

// ------------------------------------------------------------------------------------------ the clock

/// Best time of a step over pieces of some steps each, NAN where the method is not there or fails.
static double step_time(const ff_model *m, const char *name, int expected)
{
    ff_sim_options options = ff_sim_options_default();
    ff_report report = {0};
    ff_error err = {0};
    options.accuracy = 0.0;
    options.step = STEP;
    if (ff_method_find(name, &options.method, NULL) != FF_OK) return NAN;
    ff_world *world = ff_world_create(m, NULL, &report);
    ff_sim *sim = ff_sim_create(m, &options, &err);
    bool good = world && sim && ff_sim_add_world(sim, world, &err) == FF_OK && ff_sim_run(sim, 5 * STEP, &err) == FF_OK;
    int count = 0, piece = 2 + 1000 / expected;
    double best = INFINITY, spent = 0;
    for (int i = 0; good && i < 300 && (spent < 0.4 || i < 5); i++) {
        double start = now();
        good = ff_sim_run(sim, ff_sim_time(sim) + piece * STEP, &err) == FF_OK;
        double time = now() - start;
        spent += time;
        best = fmin(best, time / piece);
    }
    if (good) ff_world_contacts(world, sim, &count);
    if (!good) fprintf(stderr, "bench: %s\n", err.status ? err.text : "the world was refused");
    if (good && count != expected) fprintf(stderr, "bench: %d contacts in place of %d\n", count, expected);
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    ff_report_clear(&report);
    return good ? best : NAN;
}

// Balls drift through each other at 1 m/s, one ball in a cube of side SPACING, half of them touching a neighbour.
static double broad_time(int n, int *npair)
{
    ff_broad_object *objects = calloc((size_t)n, sizeof *objects);
    double *low = calloc(3 * (size_t)n, sizeof *low), *high = calloc(3 * (size_t)n, sizeof *high);
    double *velocity = calloc(3 * (size_t)n, sizeof *velocity);
    ff_random random = ff_random_make(3, 0);
    double side = SPACING * cbrt((double)n), best = INFINITY;
    const ff_broad_pair *pairs;
    for (int i = 0; i < n; i++) objects[i] = (ff_broad_object){.type = 1, .affinity = 1, .body = i};
    for (int i = 0; i < 3 * n; i++) {
        low[i] = ff_random_range(&random, 0, side);
        velocity[i] = ff_random_range(&random, -1, 1);
    }
    ff_broad *broad = ff_broad_create(objects, n, NULL, 0, 0, 0.01, NULL);
    for (int step = 0; broad && step < 60; step++) {
        for (int i = 0; i < 3 * n; i++) {
            low[i] += velocity[i] * STEP;
            high[i] = low[i] + 2 * RADIUS;
        }
        double start = clock_read(CLOCK_MONOTONIC); // asking for the processor's time takes longer than a small update
        ff_broad_update(broad, low, high, &pairs, npair);
        if (step > 10) best = fmin(best, clock_read(CLOCK_MONOTONIC) - start);
    }
    ff_broad_destroy(broad);
    free(objects);
    free(low);
    free(high);
    free(velocity);
    return best;
}

// ------------------------------------------------------------------------------------------ tables

static void show_family(const char *title, ff_model *(*make)(int count), const int *counts, int n)
{
    printf("# %s\n# %8s %12s %12s %14s %14s\n", title, "contacts", "euler us", "implicit us", "euler ns each",
           "implicit each");
    for (int i = 0; i < n; i++) {
        ff_model *m = make(counts[i]);
        double euler = step_time(m, "euler", counts[i]), implicit = step_time(m, "implicit", counts[i]);
        printf("  %8d %12.3f %12.3f %14.0f %14.0f\n", counts[i], 1e6 * euler, 1e6 * implicit, 1e9 * euler / counts[i],
               1e9 * implicit / counts[i]);
        fflush(stdout);
        ff_model_destroy(m);
    }
    printf("\n\n");
}

static void show_broad(const int *counts, int n)
{
    printf("# broad phase alone: drifting balls at one density\n# %8s %12s %14s %10s\n", "objects", "us", "ns each",
           "pairs");
    for (int i = 0; i < n; i++) {
        int pairs = 0;
        double time = broad_time(counts[i], &pairs);
        printf("  %8d %12.3f %14.1f %10d\n", counts[i], 1e6 * time, 1e9 * time / counts[i], pairs);
    }
}

int main(void)
{
    static const int counts[] = {1, 2, 3, 6, 10, 20, 30, 60, 100, 200, 300, 600, 1000, 2000, 3000, 6000, 10000};
    enum { TO_1000 = 13, ALL = sizeof counts / sizeof counts[0] };
    printf("# time of one step of 1 ms, one thread\n");
    show_family("a sled on n spheres: contacts grow, six degrees of freedom", sled, counts, TO_1000);
    show_family("n balls: contacts, bodies and degrees of freedom grow; broad phase between the balls", balls, counts,
                ALL);
    show_broad(counts, ALL);
    return 0;
}
