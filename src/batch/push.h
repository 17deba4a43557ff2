// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Forces and torques of the model that act on every robot for some of its steps.
#ifndef FOOTFALL_BATCH_PUSH_H
#define FOOTFALL_BATCH_PUSH_H

#include "batch/bodies.h"
#include "batch/delay.h"

/// 1 for robots on which it acts now, 0 for others.
FN real acts(const struct ff_batch_model *m, const real *x, const ff_batch_force_law *push)
{
    const real age = ROW(x, m->robot + FF_ROBOT_AGE);
    return choose((age >= push->first) & (age < push->end), each(1.0), each(0.0));
}

/// Forces `first` to `first + count - 1` on a body in the frame f.
APART void push_body(const struct ff_batch_model *m, const real *x, int first, int count, const frame *f, lump *body)
{
    for (int i = first; i < first + count; i++) {
        const ff_batch_force_law *push = &m->pushes[i];
        const real on = acts(m, x, push);
        real arm[3], force[3], moment[3];
        turn_constant(arm, f->R, push->at);
        UNROLL for (int k = 0; k < 3; k++)
        {
            arm[k] = f->p[k] + arm[k];
            force[k] = on * push->force[k];
        }
        cross(moment, arm, force);
        UNROLL for (int k = 0; k < 3; k++)
        {
            body->n[k] -= moment[k];
            body->f[k] -= force[k];
        }
    }
}

/// The same on a degree of freedom.
APART void push_joint(const struct ff_batch_model *m, const real *x, int first, int count, real *torque)
{
    for (int i = first; i < first + count; i++) *torque += acts(m, x, &m->pushes[i]) * m->pushes[i].force[0];
}

#endif
