// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A user of the wing physics alone: a free body, built without a file, falls by g t^2 / 2. scripts/check-install looks
// that no other wing is linked.
#include <footfall/physics.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    ff_error err = {0};
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *ball = spec ? ff_spec_add_body(spec, "ball", -1) : NULL;
    if (!ball) return 1;
    ball->has_inertial = true;
    ball->mass = 2.0;
    for (int i = 0; i < 3; i++) ball->inertia[i] = 0.1;
    if (!ff_spec_add_joint(spec, "free", 0, FF_JOINT_FREE)) return 1;
    ff_model *model = ff_model_compile(spec, NULL, &report);
    ff_sim *sim = model ? ff_sim_create(model, NULL, &err) : NULL;
    if (!sim || ff_sim_run(sim, 0.5, &err) != FF_OK) fprintf(stderr, "%s\n", err.text);
    const double height = sim ? ff_sim_q(sim)[2] : 0.0, expected = -0.5 * 9.81 * 0.5 * 0.5; // [m]
    printf("the ball is at %.6f m, %.6f m expected\n", height, expected);
    ff_sim_destroy(sim);
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    return fabs(height - expected) > 1e-4; // [m]
}
