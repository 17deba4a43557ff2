// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The implicit method on the ground: every soil of Silva's table at 1 ms, from peat to concrete, under a dropped mass and a dropped robot;
// second order where the contact is resolved; friction; bodies on bodies; ANTON standing.
#include <math.h>

#include <footfall/world.h>

#include "check.h"
#include "robots.h"
#include "support/allocations.h"

static const char *const SOILS[] = {"concrete", "wood", "gravel", "sand", "compact-clay", "loose-clay", "peat"};
enum { SOIL_COUNT = 7 };

typedef struct stage {
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
} stage;

static ff_material soil(const char *name, bool non_linear)
{
    ff_material material;
    ff_error err = {0};
    if (ff_soil_find(name, non_linear, 0.8, &material, &err)) CHECK_FAIL("%s", err.text);
    return material;
}

static void close_stage(stage *s)
{
    ff_sim_destroy(s->sim);
    ff_world_destroy(s->world);
    ff_model_destroy(s->model);
}

/// A simulation of the model in which every contact has this material.
static stage open_stage(ff_model *m, const ff_material *material, ff_sim_options o)
{
    ff_report report = {0};
    ff_error err = {0};
    ff_world_options w = ff_world_options_default();
    const ff_world_pair pair = {w.standard.name, w.standard.name, *material};
    w.pairs = &pair;
    w.npair = 1;
    stage s = {.model = m, .world = ff_world_create(m, &w, &report), .sim = robot_sim(m, o)};
    if (!s.world) CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
    if (ff_sim_add_world(s.sim, s.world, &err)) CHECK_FAIL("%s", err.text);
    return s;
}

static void add_floor(ff_spec *spec)
{
    ff_spec_geom *floor = ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE);
    floor->role = FF_GEOM_COLLISION;
}

/// A ball of the given mass and radius 0.1 m with its lowest point at `height`, on the plane z = 0.
static ff_model *ball(double mass, double height)
{
    ff_spec *spec = ff_spec_create();
    add_floor(spec);
    const double I = 0.4 * mass * 0.01;
    const int body = robot_body(spec, "ball", -1, (double[]){0, 0, 0.1 + height}, mass, (double[]){0, 0, 0},
                                (double[]){I, I, I});
    robot_joint(spec, "free", body, FF_JOINT_FREE, 0, 0, 1);
    ff_spec_geom *geom = ff_spec_add_geom(spec, "skin", body, FF_SHAPE_SPHERE);
    geom->size[0] = 0.1;
    geom->role = FF_GEOM_COLLISION;
    return robot_finish(spec);
}

static void must_run(ff_sim *sim, double until)
{
    ff_error err = {0};
    if (ff_sim_run(sim, until, &err)) CHECK_FAIL("%s", err.text);
}

static ff_sim_options at_step(double step)
{
    return robot_options(FF_METHOD_IMPLICIT, step, 0.0);
}

// ------------------------------------------------------------------------------------------ soils

// Masses from 0.1 to 100 kg dropped from 0.1 m at 1 ms. Half periods go from 17 us to 0.13 s, so most of these contacts are not resolved;
// whatever the step sees of them, energy must never grow, and the rest is where weight and spring balance.
static void drop_on(const char *name, bool non_linear, double mass)
{
    const ff_material material = soil(name, non_linear);
    stage s = open_stage(ball(mass, 0.1), &material, at_step(1e-3));
    const double first = ff_sim_energy(s.sim).total, scale = mass * 9.81 * 0.1;
    double last = first, growth = 0.0, deepest = 0.0;
    for (int i = 1; i <= 3000; i++) {
        must_run(s.sim, i * 1e-3);
        const double now = ff_sim_energy(s.sim).total;
        growth = fmax(growth, (now - last) / scale);
        last = now;
        deepest = fmax(deepest, 0.1 - ff_sim_data(s.sim)->q[2]);
    }
    const double rest = mass * 9.81 / material.normal.stiffness, depth = 0.1 - ff_sim_data(s.sim)->q[2];
    const ff_sim_counts c = ff_sim_get_counts(s.sim);
    printf("  %-12s %-10s %5.1f kg: rest %.3e of %.3e m, speed %.0e, growth %.0e, evaluations %.2f a step, fallbacks %lld\n",
           name, non_linear ? "non-linear" : "linear", mass, depth, rest, ff_sim_data(s.sim)->v[2], growth,
           (double)c.evaluations / (double)c.steps, c.fallbacks);
    close_stage(&s);
    // Rounding of heights; while a resolved contact lasts, the second-order correction is at work, whose error has either sign.
    const bool resolved = FF_PI * sqrt(mass / material.normal.stiffness) > 10e-3;
    CHECK_BELOW(growth, resolved ? 1e-5 : 1e-12);
    CHECK_NEAR(depth, rest, 1e-3 * rest + 1e-14);
}

TEST(a_mass_on_every_soil_comes_to_rest_at_one_millisecond)
{
    const double masses[] = {0.1, 1.0, 14.67, 100.0};
    for (int i = 0; i < SOIL_COUNT; i++)
        for (int non_linear = 0; non_linear < 2; non_linear++)
            for (int k = 0; k < 4; k++) drop_on(SOILS[i], non_linear, masses[k]);
}
