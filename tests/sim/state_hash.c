// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Prints a hash of the state after 10 s of a floating robot with 24 joints, springs, dampers, dry friction and stops, for each method
// without foreign code. Builds of different compilers and optimisation must print the same lines.
//     state_hash [seconds]
#include <inttypes.h>

#include "robots.h"

/// The walker with everything passive that a joint can have.
static ff_model *robot(void)
{
    ff_spec *spec = ff_spec_create();
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
    return robot_finish(spec);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 10.0;
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE};
    ff_model *m = robot();
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        ff_error err = {0};
        ff_sim *sim = robot_sim(m, robot_options(methods[k], 1e-3, 1e-8));
        robot_tumble(m, sim, 3.0);
        if (ff_sim_run(sim, seconds, &err)) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        printf("%-9s %016" PRIx64 "\n", ff_method_name(methods[k]), ff_sim_hash(sim));
        ff_sim_destroy(sim);
    }
    ff_model_destroy(m);
    return 0;
}
