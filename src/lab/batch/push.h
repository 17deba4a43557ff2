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

/// Sum of the forces `first` to `first + count - 1`, about the origin of the tree: moment, then force.
/// @param pose  of the node: its attitude by rows, then its place from there
APART void push_body(const struct ff_batch_model *m, const real *x, int first, int count, const real *pose,
                     real *wrench)
{
    UNROLL for (int k = 0; k < 6; k++) wrench[k] = each(0.0);
    for (int i = first; i < first + count; i++) {
        const ff_batch_force_law *push = &m->pushes[i];
        const real on = acts(m, x, push);
        real arm[3], force[3];
        turn_constant(arm, pose, push->at);
        UNROLL for (int k = 0; k < 3; k++)
        {
            arm[k] += pose[9 + k];
            force[k] = on * push->force[k];
            wrench[3 + k] += force[k];
        }
        cross_add(wrench, arm, force);
    }
}

/// Sum of the torques on a degree of freedom likewise.
APART void push_joint(const struct ff_batch_model *m, const real *x, int first, int count, real *torque)
{
    *torque = each(0.0);
    for (int i = first; i < first + count; i++) *torque += acts(m, x, &m->pushes[i]) * m->pushes[i].force[0];
}

#endif
