// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Force sensors: what everything below a cut exerts on what carries it (src/robot/sense/cut.c),
//     f = sum of contact forces and pushes + sum of m (g - a)      over the masses below, in the axes of the sensor
//     n = sum of their moments - sum of (I A + V x* I V)            about the sensor's origin, of sensors with six axes
// at the state that the step began with, by the accelerations of the step. Wrenches (moment, then force) are summed
// about the origin of the tree by spatial vectors, in which gravity is an acceleration of the world upward (bodies.h).
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

/// Frame of the last node of a path from a root with its drift, the origin of the tree, and the acceleration that the
/// degrees of freedom on the way add to the drift.
FN void walk_to(const place *at, const int *path, int count, frame *f, real *origin, real *a)
{
    record r[3];
    coordinates c;
    frame_of_world(f, at->model->gravity);
    UNROLL for (int i = 0; i < 6; i++) a[i] = each(0.0);
    UNROLL for (int i = 0; i < 3; i++) origin[i] = each(0.0);
    for (int k = 0; k < count; k++) {
        const ff_batch_node *node = &at->model->nodes[path[k]];
        read_coordinates(at, node, &c);
        if (k == 0)
            root_frame(at, node, &c, f, origin, r);
        else
            node_frame(at, node, &c, FF_HAS_ALL, f, r);
        accelerate(at, node, f, r, a);
    }
}

/// Subtracts the wrench that accelerates a mass from `sum`.
FN void take_inertia(const place *at, const whole *all_of, const ff_batch_cut_mass *mass, const frame *f, const real *a,
                     real *sum)
{
    const ff_batch_node *node = &at->model->nodes[mass->node];
    const int own_row = KNOWN(at->model, varied) && mass->whole ? node->own_row : 0;
    own_body body;
    real n[3], force[3];
    for (int i = 0; i < FF_OWN_ROWS; i++) body.own[i] = own_row > 0 ? ROW(at->x, own_row + i) : each(mass->body[i]);
    body.scale = all_of->mass;
    body.at = *f;
    lump_place_own(&body);
    lump_times(n, force, &body.placed, a, a + 3);
    UNROLL for (int i = 0; i < 3; i++)
    {
        sum[i] -= n[i] + body.placed.n[i];
        sum[3 + i] -= force[i] + body.placed.f[i];
    }
}

/// Adds pushes on a node that lies wholly below the cut.
FN void add_pushes(const place *at, const whole *all_of, const ff_batch_node *node, const frame *f, real *sum)
{
    real pose[12], wrench[6];
    if (node->depth == 0 && node->tree == 0) {
        UNROLL for (int i = 0; i < 3; i++) sum[3 + i] += all_of->push[i];
    }
    if (node->npush == 0) return;
    UNROLL for (int i = 0; i < 9; i++) pose[i] = f->R[i];
    UNROLL for (int i = 0; i < 3; i++) pose[9 + i] = f->p[i];
    push_body(at->model, at->x, node->push, node->npush, pose, wrench);
    UNROLL for (int i = 0; i < 6; i++) sum[i] += wrench[i];
}

/// Adds the forces of the contact points below a cut.
FN void add_contact_forces(const place *at, const ff_batch_cut *cut, real *sum)
{
    const struct ff_batch_model *m = at->model;
    for (int n = 0; n < cut->npoint; n++) {
        const int row = m->points[m->cut_list[cut->point + n]].row + FF_POINT_FORCE;
        UNROLL for (int k = 0; k < 3; k++) sum[3 + k] += ROW(at->x, row + k);
    }
}

/// Adds the moments of those on one node.
FN void add_contact_moments(const place *at, const ff_batch_cut *cut, const ff_batch_node *node, const frame *f,
                            const real *origin, real *sum)
{
    const struct ff_batch_model *m = at->model;
    for (int i = 0; i < cut->npoint; i++) {
        const int number = m->cut_list[cut->point + i];
        if (number < node->point || number >= node->point + node->npoint) continue;
        const ff_batch_point *point = &m->points[number];
        real arm[3], n[3], shift[3], force[3], depth;
        find_contact(m, point, f, origin, arm, &depth, n, shift);
        UNROLL for (int k = 0; k < 3; k++)
        {
            arm[k] += shift[k];
            force[k] = ROW(at->x, point->row + FF_POINT_FORCE + k);
            if (point->turn > 0) sum[k] += ROW(at->x, point->turn + FF_TURN_MOMENT + k);
        }
        cross_add(sum, arm, force);
    }
}

/// Keeps a vector in the axes of the sensor, of robots that move.
FN void keep_vector(const place *at, int row, const real *R, const real *vector, mask moves)
{
    UNROLL for (int k = 0; k < 3; k++)
    {
        real *kept = &ROW(at->x, row + k);
        *kept = choose(moves, R[k] * vector[0] + R[3 + k] * vector[1] + R[6 + k] * vector[2], *kept);
    }
}

/// The wrench through each cut goes to its rows, of robots that move. It is given what it needs of the place, and a
/// copy of the whole (drive_pairs in pair.h).
APART void feel_cuts(const struct ff_batch_model *m, real *x, real *next, whole all_of, mask moves)
{
    place at;
    outcome made; // nobody asks: the trees have said how far hinges have turned
    made.far = each(0.0);
    at.model = m;
    at.x = x;
    at.next = next;
    at.made = &made;
    for (int i = 0; i < KNOWN(m, ncut); i++) {
        const ff_batch_cut *cut = &m->cuts[i];
        real sum[6], R[9], here[3]; // axes of the sensor in the world, and its place from the origin of the tree
        UNROLL for (int k = 0; k < 6; k++) sum[k] = each(0.0);
        UNROLL for (int k = 0; k < 9; k++) R[k] = each(0.0);
        UNROLL for (int k = 0; k < 3; k++) here[k] = each(0.0);
        add_contact_forces(&at, cut, sum);
        for (int n = 0; n < cut->nmass; n++) {
            const ff_batch_cut_mass *mass = &m->cut_masses[cut->mass + n];
            const ff_batch_node *node = &m->nodes[mass->node];
            frame f;
            real origin[3], a[6];
            walk_to(&at, m->cut_list + mass->path, mass->depth, &f, origin, a);
            take_inertia(&at, &all_of, mass, &f, a, sum);
            if (mass->whole) add_pushes(&at, &all_of, node, &f, sum);
            if (cut->six) add_contact_moments(&at, cut, node, &f, origin, sum);
            if (n > 0) continue; // the first moves with the sensor
            UNROLL for (int k = 0; k < 3; k++) here[k] =
                f.p[k] + f.R[3 * k] * cut->at[0] + f.R[3 * k + 1] * cut->at[1] + f.R[3 * k + 2] * cut->at[2];
            UNROLL for (int k = 0; k < 9; k++) R[k] = f.R[k / 3 * 3] * cut->R[k % 3] +
                                                      f.R[k / 3 * 3 + 1] * cut->R[k % 3 + 3] +
                                                      f.R[k / 3 * 3 + 2] * cut->R[k % 3 + 6];
        }
        keep_vector(&at, m->cut + FF_CUT_ROWS * i, R, sum + 3, moves);
        if (!cut->six) continue;
        real back[3];
        cross(back, here, sum + 3);
        UNROLL for (int k = 0; k < 3; k++) sum[k] -= back[k];
        keep_vector(&at, m->cut + FF_CUT_ROWS * i + 3, R, sum, moves);
    }
}

#endif
