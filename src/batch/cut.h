// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Force sensors: what everything below a cut exerts on what carries it (src/sense/cut.c),
//     f = sum of contact forces and pushes + sum of m (g - a)      over the masses below, in the axes of the sensor
// at the state that the step began with, by the accelerations of the step. With spatial vectors about the origin of the
// tree, in which gravity is an acceleration of the world upward (bodies.h),
//     m (a - g) = m A_v + A_w x H + w x (m v + w x H),     H = m (place of the centre of mass)
// Part of step.h, whose frames it uses. The way to each mass is walked once more from its root: nothing of the step
// before is needed, and robots whose force sensors nobody reads pay nothing.
#ifndef FOOTFALL_BATCH_CUT_H
#define FOOTFALL_BATCH_CUT_H

/// Acceleration of a degree of freedom in this step.
FN real gained(const place *at, int v)
{
    const int row = at->model->nq + v;
    return (NEXT(at->next, row) - ROW(at->x, row)) / at->model->step;
}

/// Adds the accelerations of a node's own degrees of freedom, in the frame f with the axes of `r`, to `a`.
FN void accelerate(const place *at, const ff_batch_node *node, const frame *f, const record *r, real *a)
{
    if (node->type == FF_LINK_FREE) {
        UNROLL for (int i = 0; i < 3; i++)
        {
            a[3 + i] += gained(at, node->v + i);
            UNROLL for (int k = 0; k < 3; k++) a[i] += f->R[3 * i + k] * gained(at, node->v + 3 + k);
        }
        return;
    }
    const int count = node->type == FF_LINK_BALL ? 3 : 1;
    for (int j = 0; j < count; j++) {
        const real qacc = gained(at, node->v + j);
        UNROLL for (int i = 0; i < 6; i++) a[i] += r[j].S[i] * qacc;
    }
}

/// Frame of the last node of a path from a root, and its acceleration, to which the drift of the frame is added.
FN void walk_to(const place *at, const int *path, int count, frame *f, real *a)
{
    real origin[3];
    record r[3];
    coordinates c;
    frame_of_world(f, at->model->gravity);
    UNROLL for (int i = 0; i < 6; i++) a[i] = each(0.0);
    for (int k = 0; k < count; k++) {
        const ff_batch_node *node = &at->model->nodes[path[k]];
        read_coordinates(at, node, &c);
        if (k == 0)
            root_frame(at, node, &c, f, origin, r);
        else
            node_frame(at, node, &c, FF_HAS_ALL, f, r);
        accelerate(at, node, f, r, a);
    }
    UNROLL for (int i = 0; i < 3; i++) a[i] += f->aw[i], a[3 + i] += f->av[i];
}

/// Takes m (a - g) of a mass from `force`.
FN void take_inertia(const place *at, const whole *all_of, const ff_batch_cut_mass *mass, const frame *f, const real *a,
                     real *force)
{
    const ff_batch_node *node = &at->model->nodes[mass->node];
    const int own = at->model->varied && mass->whole ? node->own : 0; // what the robot drew of it
    real m = each(mass->mass), h[3], far[3], q[3], inertia[3];
    UNROLL for (int i = 0; i < 3; i++) h[i] = own > 0 ? ROW(at->x, own + 1 + i) : each(mass->h[i]);
    if (own > 0) m = ROW(at->x, own);
    UNROLL for (int i = 0; i < 3; i++)
    {
        far[i] = m * f->p[i] + f->R[3 * i] * h[0] + f->R[3 * i + 1] * h[1] + f->R[3 * i + 2] * h[2];
        q[i] = m * f->v[i];
        inertia[i] = m * a[3 + i];
    }
    cross_add(q, f->w, far);
    cross_add(inertia, a, far);
    cross_add(inertia, f->w, q);
    UNROLL for (int i = 0; i < 3; i++) force[i] -= all_of->mass * inertia[i];
}

/// Adds pushes on a node that lies wholly below the cut.
FN void add_pushes(const place *at, const whole *all_of, const ff_batch_node *node, real *force)
{
    real pose[12], wrench[6];
    if (node->depth == 0 && node->tree == 0) {
        UNROLL for (int i = 0; i < 3; i++) force[i] += all_of->push[i];
    }
    if (node->npush == 0) return;
    UNROLL for (int i = 0; i < 12; i++) pose[i] = each(0.0); // the force alone is wanted, which knows no place
    push_body(at->model, at->x, node->push, node->npush, pose, wrench);
    UNROLL for (int i = 0; i < 3; i++) force[i] += wrench[3 + i];
}

/// The force through each cut goes to its rows, of robots that move.
APART void feel_cuts(const place *at, const whole *all_of, mask moves)
{
    const struct ff_batch_model *m = at->model;
    for (int i = 0; i < m->ncut; i++) {
        const ff_batch_cut *cut = &m->cuts[i];
        real force[3], R[9]; // its axes in the world
        UNROLL for (int k = 0; k < 3; k++) force[k] = each(0.0);
        UNROLL for (int k = 0; k < 9; k++) R[k] = each(0.0);
        for (int n = 0; n < cut->npoint; n++) {
            const int row = m->points[m->cut_list[cut->point + n]].row + FF_POINT_FORCE;
            UNROLL for (int k = 0; k < 3; k++) force[k] += ROW(at->x, row + k);
        }
        for (int n = 0; n < cut->nmass; n++) {
            const ff_batch_cut_mass *mass = &m->cut_masses[cut->mass + n];
            frame f;
            real a[6];
            walk_to(at, m->cut_list + mass->path, mass->depth, &f, a);
            take_inertia(at, all_of, mass, &f, a, force);
            if (mass->whole) add_pushes(at, all_of, &m->nodes[mass->node], force);
            if (n > 0) continue; // the first moves with the sensor
            UNROLL for (int k = 0; k < 9; k++) R[k] = f.R[k / 3 * 3] * cut->R[k % 3] +
                                                      f.R[k / 3 * 3 + 1] * cut->R[k % 3 + 3] +
                                                      f.R[k / 3 * 3 + 2] * cut->R[k % 3 + 6];
        }
        UNROLL for (int k = 0; k < 3; k++)
        {
            real *kept = &ROW(at->x, m->cut + 3 * i + k);
            *kept = choose(moves, R[k] * force[0] + R[3 + k] * force[1] + R[6 + k] * force[2], *kept);
        }
    }
}

#endif
