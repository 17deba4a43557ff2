// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Batch models of a description that touches nothing, by `euler`.
#ifndef FOOTFALL_TEST_ONE_BODY_H
#define FOOTFALL_TEST_ONE_BODY_H

#include "check.h"

#include <footfall/footfall.h>

/// Takes the description. @param step  [s]
static inline ff_batch_model *batch_of(ff_spec *spec, double step)
{
    ff_model *robot = ff_model_compile(spec, NULL, NULL);
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_EULER;
    o.step = step;
    ff_sim *sim = ff_sim_create(robot, &o, NULL);
    ff_batch_model *model = ff_batch_compile(sim, NULL, 0, NULL);
    CHECK(model);
    ff_sim_destroy(sim);
    ff_model_destroy(robot);
    ff_spec_destroy(spec);
    return model;
}

/// One body on one joint at the origin, 1 ms.
static inline ff_batch_model *one_body(const char *joint, ff_joint_type type)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "body", -1);
    body->has_inertial = true;
    body->mass = 1.0;
    body->inertia[0] = body->inertia[1] = body->inertia[2] = 0.1;
    ff_spec_add_joint(spec, joint, 0, type);
    return batch_of(spec, 1e-3);
}

#endif
