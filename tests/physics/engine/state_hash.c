// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints a hash of the state after 10 s of a floating robot with 24 joints, springs, dampers, dry friction and stops,
// for each method without foreign code; and after 1.5 s of the same robot that falls onto its feet and a box under one
// of them, and comes to rest. Builds of different compilers, optimisations and architectures must print the same lines.
//     state_hash [seconds [seconds of the fall]]
// The feet touch the ground after 0.4 s.
#include <inttypes.h>

#include "support/robots.h"

#include <footfall/world.h>

/// Floor, a step under one foot, and something to touch them with on every body.
static void add_shapes(ff_spec *spec)
{
    ff_spec_add_geom(spec, "floor", -1, FF_SHAPE_PLANE);
    ff_spec_geom *g = ff_spec_add_geom(spec, "step", -1, FF_SHAPE_BOX);
    ff_vec3_set(g->size, 0.1, 0.1, 0.1);
    ff_vec3_set(g->pos, 0.25, 0.3, 0.0);
    g = ff_spec_add_geom(spec, "base", 0, FF_SHAPE_BOX);
    ff_vec3_set(g->size, 0.3, 0.15, 0.05);
    for (int body = 1; body < spec->nbody; body++) {
        const bool foot = body % 4 == 0;
        g = ff_spec_add_geom(spec, spec->bodies[body].name, body, foot ? FF_SHAPE_SPHERE : FF_SHAPE_CAPSULE);
        ff_vec3_set(g->size, 0.02, 0.05, 0);
        ff_vec3_set(g->pos, 0, 0, -0.08);
    }
}

/// The walker with everything passive that a joint can have.
static ff_model *robot(bool shapes)
{
    ff_spec *spec = ff_spec_create(NULL);
    const double moments[3] = {0.31, 0.42, 0.55};
    const int base = robot_body(spec, "base", -1, (double[]){0, 0, 1}, 10.0, (double[]){0.02, -0.01, 0.03}, moments);
    robot_joint(spec, "free", base, FF_JOINT_FREE, 0, 0, 1);
    for (int leg = 0; leg < 6; leg++) {
        int parent = base;
        for (int k = 0; k < 4; k++) {
            char name[32];
            const double side = leg % 2 ? -1.0 : 1.0, hip[3] = {0.25 - 0.2 * (leg / 2), 0.18 * side, 0};
            const double link[3] = {0.0, 0.03 * side, -0.15};
            snprintf(name, sizeof name, "link%d_%d", leg, k);
            parent = robot_body(spec, name, parent, k ? link : hip, 0.8 - 0.15 * k,
                                (double[]){0.01, 0.02 * side, -0.07}, (double[]){0.004, 0.005, 0.003});
            snprintf(name, sizeof name, "joint%d_%d", leg, k);
            ff_spec_joint *joint = robot_joint(spec, name, parent, FF_JOINT_HINGE, k == 0, k % 2, k == 2);
            joint->armature = 0.01;
            joint->damping = 0.02;
            joint->stiffness = 2.0;
            joint->dry_friction = 0.05;
            joint->dry_speed = 0.1;
            joint->limited = true;
            joint->range[0] = -1.0;
            joint->range[1] = 0.8;
            joint->stop_stiffness = 100.0;
            joint->stop_damping = 0.5;
        }
    }
    if (shapes) add_shapes(spec);
    return robot_finish(spec);
}

/// Runs and prints one line. False when the run failed.
static bool hash(const ff_model *m, ff_method method, double seconds, bool floor)
{
    ff_error err = {0};
    ff_report report = {0};
    ff_sim *sim = robot_sim(m, robot_options(method, floor ? 2e-4 : 1e-3, floor ? 1e-5 : 1e-8));
    ff_world *world = floor ? ff_world_create(m, NULL, &report) : NULL;
    robot_tumble(m, sim, floor ? 1.0 : 3.0);
    const bool ok =
        (!floor || (world && ff_sim_add_world(sim, world, &err) == FF_OK)) && ff_sim_run(sim, seconds, &err) == FF_OK;
    if (ok)
        printf("%s%-9s %016" PRIx64 "\n", floor ? "floor " : "", ff_method_name(method), ff_sim_hash(sim));
    else
        fprintf(stderr, "%s\n", report.count ? report.messages[0].text : err.text);
    ff_report_clear(&report);
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    return ok;
}

int main(int argc, char **argv)
{
    const double free = argc > 1 ? strtod(argv[1], NULL) : 10.0, fall = argc > 2 ? strtod(argv[2], NULL) : 1.5;
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT};
    bool ok = true;
    for (int floor = 0; floor < 2; floor++) {
        ff_model *m = robot(floor);
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
            ok = hash(m, methods[k], floor ? fall : free, floor) && ok;
        ff_model_destroy(m);
    }
    return ok ? 0 : 1;
}
