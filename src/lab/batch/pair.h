// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Differentials: two motors behind two joints (src/robot/drive/differential.c), x = x0 + L q with a row of levers a
// motor, so
//     x' = L q',     F = (L')^-1 tau of what targets ask for,     tau = L' F of what the motors give
// Targets are those of the joints. The loop of a motor reads x and stores its samples where the servo of its joint
// does, the first motor with the first joint. Torques of both joints are there before the tree is walked.
// Part of step.h, whose targets it uses.
#ifndef FOOTFALL_BATCH_PAIR_H
#define FOOTFALL_BATCH_PAIR_H

/// a[0] x + a[1] y
FN real both_of(const double *a, real x, real y)
{
    return a[0] * x + a[1] * y;
}

/// Force of motor `i` at the positions and speeds of the joints, `wanted` being targets of the joints.
FN real pair_force(const place *at, const whole *all_of, const ff_batch_pair_law *p, int i, const real *q,
                   const real *v, const real wanted[2][3])
{
    const ff_batch_servo_law *s = &at->model->servos[p->servo[i]];
    real gain = all_of->gain;
    if (KNOWN(at->model, varied) && s->factor_row > 0) gain = gain * ROW(at->x, s->factor_row);
    const real position = p->offset[i] + both_of(p->lever[i], wanted[0][0], wanted[1][0]);
    const real speed = both_of(p->lever[i], wanted[0][1], wanted[1][1]);
    const real torque = both_of(p->share[i], wanted[0][2], wanted[1][2]);
    const real angle = p->offset[i] + both_of(p->lever[i], q[0], q[1]), rate = both_of(p->lever[i], v[0], v[1]);
    return motor_torque(at->model, p->servo[i], at->x, gain, position, speed, torque, angle, rate);
}

/// Torques of all joints behind differentials go to the rows of their servos. What a function gets by an address has
/// to lie in memory: it is given what it needs of the place, and a copy of the whole.
APART void drive_pairs(const struct ff_batch_model *m, real *x, const real *in, whole all_of)
{
    place at;
    at.model = m;
    at.x = x;
    at.in = in;
    for (int n = 0; n < KNOWN(m, npair); n++) {
        const ff_batch_pair_law *p = &m->pairs[n];
        real q[2], v[2], wanted[2][3], force[2];
        for (int k = 0; k < 2; k++) {
            q[k] = ROW(x, p->q[k]), v[k] = ROW(x, p->v[k]);
            servo_targets(&at, &all_of, p->servo[k], wanted[k]);
        }
        for (int i = 0; i < 2; i++) force[i] = pair_force(&at, &all_of, p, i, q, v, wanted);
        for (int k = 0; k < 2; k++)
            ROW(x, m->kept + FF_KEPT_ROWS * p->servo[k] + FF_KEPT_TORQUE) =
                p->lever[0][k] * force[0] + p->lever[1][k] * force[1];
    }
}

#endif
