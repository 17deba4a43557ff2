// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// One step of a block of robots, semi-implicit Euler as in src/physics/engine (method_fixed.c): forces at (q, v), then
// v += h qacc, then q moves with the new v.
//     down   frame, inertia and contacts of each node, from its parent
//     up     degrees of freedom are eliminated, the rest goes to the parent
//     out    accelerations from the roots
//     move   the state, of robots whose new state is sound; others stand still from now on, and neighbours feel nothing
// Depth first, so that along a chain frame, articulated body and acceleration go from node to node in registers; a
// stack as deep as the tree keeps what branches need.
#ifndef FOOTFALL_BATCH_STEP_H
#define FOOTFALL_BATCH_STEP_H

#include "batch/evaluate.h"
#include "batch/joint.h"
#include "batch/terrain.h"
#include "batch/turning.h"

// ------------------------------------------------------------------------------------------ down

/// The force of a point of a rare law, or with factors of its own, and its moment, which goes to the body. `old`:
/// normal that its springs were taken for; NULL: the present one.
FN void touch_rare_point(const place *at, const whole *all_of, const ff_batch_point *point, const frame *f,
                         const real *n, const real *old, const real *arm, real depth, real closing, const real *slip,
                         touch *state, real *force, lump *body)
{
    const struct ff_batch_model *m = at->model;
    rare_touch t;
    t.scale = all_of->contact, t.mass = all_of->mass, t.fresh = all_of->fresh;
    t.depth = depth, t.closing = closing, t.state = *state;
    if (KNOWN(m, varied) && point->factor_row > 0) {
        t.scale.friction = t.scale.friction * ROW(at->x, point->factor_row + FF_BATCH_FRICTION);
        t.scale.stiffness = t.scale.stiffness * ROW(at->x, point->factor_row + FF_BATCH_CONTACT_STIFFNESS);
    }
    UNROLL for (int k = 0; k < 9; k++) t.R[k] = f->R[k];
    UNROLL for (int k = 0; k < 3; k++)
    {
        t.n[k] = n[k], t.slip[k] = slip[k], t.spin[k] = f->w[k], t.up[k] = f->p[k] - arm[k];
        t.turn[k] = point->turn > 0 ? ROW(at->x, point->turn + k) : each(0.0);
        t.moment[k] = each(0.0);
    }
    if (old) carry(t.turn, old, n);
    rare_touch_step(&m->contacts[point->contact], &m->more[point->contact], m->step, &t);
    *state = t.state;
    UNROLL for (int k = 0; k < 3; k++)
    {
        force[k] = t.force[k];
        body->n[k] -= t.moment[k];
        if (point->turn <= 0) continue;
        ROW(at->x, point->turn + k) = t.turn[k];
        ROW(at->x, point->turn + FF_TURN_MOMENT + k) = t.moment[k];
    }
}

/// Where a point of a body in the frame f lies from the origin of the tree (`arm`), how deep it is in the ground, the
/// normal there, and by how much the contact lies beside it (`shift`). `origin`: of the tree, world.
FN void find_contact(const struct ff_batch_model *m, const ff_batch_point *point, const frame *f, const real *origin,
                     real *arm, real *depth, real *n, real *shift)
{
    turn_constant(arm, f->R, point->at);
    UNROLL for (int k = 0; k < 3; k++) arm[k] = f->p[k] + arm[k];
    if (KNOWN(m, nfield) == 0 || point->field < 0) {
        const ff_batch_plane *plane = &m->planes[point->plane];
        const real height = plane->n[0] * (origin[0] + arm[0]) + plane->n[1] * (origin[1] + arm[1]) +
                            plane->n[2] * (origin[2] + arm[2]);
        *depth = point->radius - (height - plane->level);
        UNROLL for (int k = 0; k < 3; k++)
        {
            n[k] = each(plane->n[k]);
            shift[k] = -(point->radius - 0.5 * *depth) * n[k];
        }
    } else {
        real middle[3];
        UNROLL for (int k = 0; k < 3; k++) middle[k] = origin[k] + arm[k];
        terrain_contact(m, point->field, middle, point->radius, depth, n, shift);
    }
}

/// Wrench of the contact points of a node on its body. `origin`: of the tree, world.
FN void touch_points(const place *at, const whole *all_of, const ff_batch_node *node, const frame *f,
                     const real *origin, lump *body)
{
    const struct ff_batch_model *m = at->model;
    for (int i = node->point; i < node->point + node->npoint; i++) {
        const ff_batch_point *point = &m->points[i];
        real arm[3], n[3], shift[3], depth, v[3], slip[3], force[3];
        find_contact(m, point, f, origin, arm, &depth, n, shift);
        touch t;
        t.mode = ROW(at->x, point->row + FF_POINT_MODE);
        if (!any_of((depth > 0.0) | (t.mode != 0.0))) {
            UNROLL for (int k = 0; k < 3; k++)
            {
                ROW(at->x, point->row + FF_POINT_FORCE + k) = each(0.0);
                if (RARELY(point->turn > 0)) ROW(at->x, point->turn + FF_TURN_MOMENT + k) = each(0.0);
            }
            continue;
        }
        t.impact = ROW(at->x, point->row + FF_POINT_IMPACT);
        UNROLL for (int k = 0; k < 3; k++)
        {
            t.spring[k] = ROW(at->x, point->row + FF_POINT_SPRING + k);
            arm[k] += shift[k];
            v[k] = f->v[k];
        }
        real old[3], load;
        if (KNOWN(m, nfield) > 0 && point->field >= 0) {
            real *kept = &ROW(at->x, point->row + FF_POINT_NORMAL);
            UNROLL for (int k = 0; k < 3; k++) old[k] = ROW(kept, k);
            carry(t.spring, old, n);
            UNROLL for (int k = 0; k < 3; k++) ROW(kept, k) = choose(depth > 0.0, n[k], each(0.0));
        }
        cross_add(v, f->w, arm);
        const real along = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
        UNROLL for (int k = 0; k < 3; k++) slip[k] = v[k] - along * n[k];
        const ff_batch_contact *contact = &m->contacts[point->contact];
#ifdef KNOWN_CONTACT // all have one law (specialise.c)
        ff_batch_contact known = *contact;
        KNOWN_CONTACT(known);
        contact = &known;
#endif
        if (contact->rare || (KNOWN(m, varied) && point->factor_row > 0))
            touch_rare_point(at, all_of, point, f, n, point->field >= 0 ? old : 0, arm, depth, -along, slip, &t, force,
                             body);
        else
            touch_step(contact, &m->more[point->contact], 0, &all_of->contact, m->step, n, depth, -along, slip,
                       all_of->fresh, &t, &load, force);
        ROW(at->x, point->row + FF_POINT_MODE) = t.mode;
        ROW(at->x, point->row + FF_POINT_IMPACT) = t.impact;
        real moment[3];
        cross(moment, arm, force);
        UNROLL for (int k = 0; k < 3; k++)
        {
            ROW(at->x, point->row + FF_POINT_SPRING + k) = t.spring[k];
            ROW(at->x, point->row + FF_POINT_FORCE + k) = force[k];
            body->n[k] -= moment[k];
            body->f[k] -= force[k];
        }
    }
}

FN void read_coordinates(const place *at, const ff_batch_node *node, coordinates *c)
{
    const int ball = node->type == FF_LINK_BALL, q = node->q, v = at->model->nq + node->v;
    c->q[0] = ROW(at->x, q), c->v[0] = ROW(at->x, v); // those of a free root are not used
    UNROLL for (int i = 1; i < 4; i++) c->q[i] = ball ? ROW(at->x, q + i) : each(0.0);
    UNROLL for (int i = 1; i < 3; i++) c->v[i] = ball ? ROW(at->x, v + i) : each(0.0);
}

/// Sine and cosine of a hinge; `far`: how far hinges have turned.
FN void hinge_turn(const ff_batch_node *node, real q, real *far, real *sine, real *cosine)
{
    const real angle = q - node->ref;
    *far = larger(*far, size_of(angle));
    ff_sincos_core(angle, sine, cosine);
}

/// Frame of a node in that of its parent, and its motion axes, which go to the records `r` of its degrees of freedom.
FN void node_frame(const place *at, const ff_batch_node *node, const coordinates *c, unsigned has, frame *f, record *r)
{
    real *S = r->S, move[6];
    if (node->type == FF_LINK_HINGE) {
        real sine, cosine;
        frame_shift(f, node->rest_R, node->rest_p, node->turned, has);
        rotation_axis(S, f, 2);
        if (has & FF_AHEAD)
            sine = r->k[0], cosine = r->k[1];
        else
            hinge_turn(node, c->q[0], &at->made->far, &sine, &cosine);
        frame_turn(f, sine, cosine);
        UNROLL for (int i = 0; i < 6; i++) move[i] = S[i] * c->v[0];
    } else if (node->type == FF_LINK_SLIDE) {
        const real way = c->q[0] - node->ref;
        frame_shift(f, node->rest_R, node->rest_p, node->turned, has);
        UNROLL for (int i = 0; i < 3; i++)
        {
            S[i] = each(0.0);
            S[3 + i] = f->R[3 * i + 2];
            f->p[i] += way * S[3 + i];
        }
        UNROLL for (int i = 0; i < 6; i++) move[i] = S[i] * c->v[0];
    } else { // ball
        real turn[9], R[9];
        frame_shift(f, node->rest_R, node->rest_p, node->turned, has);
        quat_to_matrix(turn, c->q);
        UNROLL for (int i = 0; i < 9; i++) R[i] = f->R[i / 3 * 3] * turn[i % 3] +
                                                  f->R[i / 3 * 3 + 1] * turn[i % 3 + 3] +
                                                  f->R[i / 3 * 3 + 2] * turn[i % 3 + 6];
        UNROLL for (int i = 0; i < 9; i++) f->R[i] = R[i];
        UNROLL for (int i = 0; i < 6; i++) move[i] = each(0.0);
        UNROLL for (int k = 0; k < 3; k++)
        {
            real *axis = r[k].S;
            rotation_axis(axis, f, k);
            UNROLL for (int i = 0; i < 6; i++) move[i] += axis[i] * c->v[k];
        }
    }
    frame_move(f, move);
}

/// A root that moves freely: its own origin is that of the tree.
FN void free_frame(const place *at, const ff_batch_node *node, frame *f)
{
    const int q = node->q, v = at->model->nq + node->v;
    real quat[4], spin[3];
    UNROLL for (int i = 0; i < 4; i++) quat[i] = ROW(at->x, q + 3 + i);
    quat_to_matrix(f->R, quat);
    UNROLL for (int i = 0; i < 3; i++)
    {
        f->v[i] = ROW(at->x, v + i);
        spin[i] = ROW(at->x, v + 3 + i);
    }
    UNROLL for (int i = 0; i < 3; i++) f->w[i] =
        f->R[3 * i] * spin[0] + f->R[3 * i + 1] * spin[1] + f->R[3 * i + 2] * spin[2];
    cross_add(f->av, f->v, f->w); // a ball on a base that moves
}

/// Spatial vectors of a tree are taken about the origin of its root, where that is now.
FN void root_frame(const place *at, const ff_batch_node *node, const coordinates *c, frame *f, real *origin, record *r)
{
    if (node->type == FF_LINK_FREE) {
        free_frame(at, node, f);
        UNROLL for (int i = 0; i < 3; i++) origin[i] = ROW(at->x, node->q + i);
        return;
    }
    UNROLL for (int i = 0; i < 3; i++) f->p[i] = each(-node->rest_p[i]); // its axis goes through the origin then
    node_frame(at, node, c, FF_HAS_ALL, f, r);
    UNROLL for (int i = 0; i < 3; i++)
    {
        origin[i] = node->rest_p[i] + f->p[i]; // a slide has moved it
        f->p[i] = each(0.0);
    }
}

/// Frame, lump and motion axes of a node; f is the frame of its parent before. `has`: FF_HAS_ALL, or what is known.
FN void node_down(const place *at, const whole *all_of, const ff_batch_node *node, const coordinates *c, unsigned has,
                  frame *f, real *origin, lump *l, record *r)
{
    if (node->depth == 0) {
        frame_of_world(f, at->model->gravity);
        root_frame(at, node, c, f, origin, r);
    } else {
        node_frame(at, node, c, has, f, r);
    }
    if (!node->massive) return;
    if (KNOWN(at->model, varied) && node->own_row > 0) {
        own_body body; // all that is needed, copied: the loop keeps its numbers in registers
        UNROLL for (int i = 0; i < FF_OWN_ROWS; i++) body.own[i] = ROW(at->x, node->own_row + i);
        body.at = *f;
        body.scale = all_of->mass;
        lump_place_own(&body);
        *l = body.placed;
    } else {
        lump_place(l, f, node->mass, node->h, node->I, all_of->mass, has);
    }
    if (node->depth == 0 && node->tree == 0) {
        UNROLL for (int i = 0; i < 3; i++) l->f[i] -= all_of->push[i];
    }
    if (RARELY(KNOWN(at->model, npush) > 0 && node->npush > 0)) {
        real pose[12], wrench[6]; // of their own, as above
        UNROLL for (int i = 0; i < 9; i++) pose[i] = f->R[i];
        UNROLL for (int i = 0; i < 3; i++) pose[9 + i] = f->p[i];
        push_body(at->model, at->x, node->push, node->npush, pose, wrench);
        UNROLL for (int i = 0; i < 3; i++)
        {
            l->n[i] -= wrench[i];
            l->f[i] -= wrench[3 + i];
        }
    }
    touch_points(at, all_of, node, f, origin, l);
}

// ------------------------------------------------------------------------------------------ up and out

/// A node that branches: its own body, to which those of its branches are added.
FN void sum_begin(const ff_batch_node *node, const lump *own, artic *sum)
{
    if (node->massive)
        artic_of_lump(sum, own);
    else
        artic_of_nothing(sum);
}

/// Does this node share its parent with others?
FN int has_siblings(const ff_batch_node *node)
{
    return !node->first || !node->last;
}

/// Takes the degrees of freedom of a node out of the body that hangs on it: the sum where it branches, else its own
/// lump and the body of the one node on it. `dofs` are its own; a root that is free leaves its acceleration in `a`.
/// `all_of`: NULL behind look_ahead.
FN void node_up(const place *at, const whole *all_of, const ff_batch_node *node, const ff_batch_dof *dofs,
                const coordinates *c, const lump *own, const artic *sum, artic *body, record *r, real *a)
{
    if (node->branches)
        *body = *sum;
    else if (node->leaf)
        artic_of_lump(body, own);
    else if (node->massive)
        artic_add_lump(body, own);
    if (node->type == FF_LINK_FREE) {
        artic_solve(body, dofs->armature, a);
        return;
    }
    const int ball = node->type == FF_LINK_BALL;
    UNROLL for (int j = 2; j >= 0; j--)
    {
        if (j > 0 && !ball) continue;
        const real tau = all_of ? joint_force(at, all_of, &dofs[j], ball ? each(0.0) : c->q[0], c->v[j]) : r[j].e;
        real U[6];
        if (node->leaf && !ball)
            lump_times(U, U + 3, own, r[j].S, r[j].S + 3); // as below, without the zeros
        else
            artic_times(U, body, r[j].S);
        artic_eliminate(body, U, dofs[j].armature, tau, &r[j]);
    }
}

/// New velocities of `count` degrees of freedom from `v` on.
FN void speed_up(const place *at, int v, int count, const real *qacc, real *speed)
{
    const struct ff_batch_model *m = at->model;
    UNROLL for (int i = 0; i < 6; i++)
    {
        if (i >= count) continue;
        speed[i] = ROW(at->x, m->nq + v + i) + m->step * qacc[i];
        NEXT(at->next, m->nq + v + i) = speed[i];
        at->made->bounded = at->made->bounded & (size_of(speed[i]) <= m->limit_speed);
    }
}

/// A quaternion that turns with the velocity w for a step.
FN void turn_on(const place *at, int q, const real *w)
{
    real quat[4];
    UNROLL for (int i = 0; i < 4; i++) quat[i] = ROW(at->x, q + i);
    quat_advance(quat, w, at->model->step);
    UNROLL for (int i = 0; i < 4; i++) NEXT(at->next, q + i) = quat[i];
}

/// A free root of the attitude R with the acceleration a moves on.
FN void root_out(const place *at, const ff_batch_node *node, const real *R, const real *a)
{
    real qacc[6], v[6];
    UNROLL for (int i = 0; i < 3; i++)
    {
        qacc[i] = a[3 + i];
        qacc[3 + i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
    }
    speed_up(at, node->v, 6, qacc, v);
    UNROLL for (int i = 0; i < 3; i++) NEXT(at->next, node->q + i) = ROW(at->x, node->q + i) + at->model->step * v[i];
    turn_on(at, node->q + 3, v + 3);
    if (node->v != at->model->root_v) return;
    UNROLL for (int i = 0; i < 3; i++) at->made->root[i] = qacc[i];
}

/// A node that is no free root moves on with the accelerations of its degrees of freedom.
FN void move_node(const place *at, const ff_batch_node *node, const real *qacc)
{
    real v[6];
    if (node->type == FF_LINK_BALL) {
        speed_up(at, node->v, 3, qacc, v);
        turn_on(at, node->q, v);
    } else {
        speed_up(at, node->v, 1, qacc, v);
        NEXT(at->next, node->q) = ROW(at->x, node->q) + at->model->step * v[0];
    }
}

/// The same from the records of these; a is the acceleration of its parent before.
FN void node_out(const place *at, const ff_batch_node *node, const record *r, real *a)
{
    real qacc[6];
    UNROLL for (int j = 0; j < 3; j++)
    {
        if (j > 0 && node->type != FF_LINK_BALL) continue;
        qacc[j] = r[j].e - dot6(r[j].k, a);
        UNROLL for (int i = 0; i < 6; i++) a[i] += r[j].S[i] * qacc[j];
    }
    move_node(at, node, qacc);
}

/// What follows from the states of joints alone, of the nodes `first` to `end - 1`: no joint waits for another, and the
/// walk along the tree has more registers. It is laid where records come later: sine and cosine in k, the force in e.
FN void look_ahead(const place *at, const whole *all_of, int first, int end)
{
    const struct ff_batch_model *m = at->model;
    real far = at->made->far;
    const ff_batch_node *const behind = m->nodes + end;
    for (const ff_batch_node *node = m->nodes + first; node < behind; node++) { // keeps the numbers of the series
        record *r = &at->records[node->v];
        if (node->type == FF_LINK_HINGE) hinge_turn(node, ROW(at->x, node->q), &far, &r->k[0], &r->k[1]);
    }
    const real *const speed = &ROW(at->x, m->nq);
    for (const ff_batch_node *node = m->nodes + first; node < behind; node++) {
        if (node->type == FF_LINK_FREE) continue;
        const int ball = node->type == FF_LINK_BALL;
        int v = node->v;
        do {
            const real q = ball ? each(0.0) : ROW(at->x, node->q);
            at->records[v].e = joint_force(at, all_of, &m->dofs[v], q, ROW(speed, v));
            v++;
        } while (RARELY(ball && v < node->v + 3));
    }
    at->made->far = far;
}

/// The nodes `first` to `end - 1`, a whole tree: their next positions and velocities.
FN void tree_step(const place *at, const whole *all_of, int first, int end)
{
    const ff_batch_node *nodes = at->model->nodes;
    real origin[3] = {each(0.0), each(0.0), each(0.0)}, a[6];
    frame f;
    artic body;
    coordinates c;
    artic_of_nothing(&body);
    UNROLL for (int k = 0; k < 6; k++) a[k] = each(0.0); // of the world
    int top = -1;
    if (LOOKS_AHEAD) look_ahead(at, all_of, first, end);
    for (int i = first; i <= end; i++) { // the end closes all that is open
        const int depth = i < end ? nodes[i].depth : 0;
        const int branch = top >= depth;
        for (; top >= depth; top--) {
            const ff_batch_node *node = &nodes[at->path[top]];
            if (!LOOKS_AHEAD) read_coordinates(at, node, &c);
            node_up(at, LOOKS_AHEAD ? 0 : all_of, node, &at->model->dofs[node->v], &c, &at->lumps[top], &at->sums[top],
                    &body, &at->records[node->v], a);
            if (top > 0 && has_siblings(node)) artic_add(&at->sums[top - 1], &body);
        }
        if (i == end) break;
        if (branch) f = at->frames[depth - 1];
        read_coordinates(at, &nodes[i], &c);
        node_down(at, all_of, &nodes[i], &c, LOOKS_AHEAD ? nodes[i].has | FF_AHEAD : FF_HAS_ALL, &f, origin,
                  &at->lumps[depth], &at->records[nodes[i].v]);
        if (depth == 0 || nodes[i].branches) at->frames[depth] = f;
        if (nodes[i].branches) sum_begin(&nodes[i], &at->lumps[depth], &at->sums[depth]);
        at->path[++top] = i;
    }
    for (int i = first; i < end; i++) {
        const ff_batch_node *node = &nodes[i];
        const int depth = node->depth;
        if (i > first && nodes[i - 1].depth >= depth) {
            UNROLL for (int k = 0; k < 6; k++) a[k] = at->out[6 * (depth - 1) + k];
        }
        if (node->type == FF_LINK_FREE)
            root_out(at, node, at->frames[0].R, a);
        else
            node_out(at, node, &at->records[node->v], a);
        if (!node->branches) continue;
        UNROLL for (int k = 0; k < 6; k++) at->out[6 * depth + k] = a[k];
    }
}

#ifdef FF_SPECIAL
FN void all_trees(const place *at, const whole *all_of); // written out for one model (specialise.c)
#else
FN void all_trees(const place *at, const whole *all_of)
{
    const struct ff_batch_model *m = at->model;
    for (int i = 0, end; i < m->nnode; i = end) {
        for (end = i + 1; end < m->nnode && m->nodes[end].depth > 0;) end++;
        tree_step(at, all_of, i, end);
    }
}
#endif

#include "batch/cut.h"  // goes on from the frames above
#include "batch/pair.h" // and from the targets

// ------------------------------------------------------------------------------------------ move

/// Height of the field below the first free root, for the rules; 0 without one, where heights are from a level.
FN real ground_below(const place *at)
{
    const struct ff_batch_model *m = at->model;
    const ff_batch_rules *r = at->rules;
    if (KNOWN(m, ground) < 0 || !(r->watched || r->nend > 0 || r->nreward > 0)) return each(0.0);
    return terrain_height(m, KNOWN(m, ground), ROW(at->x, m->root), ROW(at->x, m->root + 1));
}

FN mask fallen_robots(const place *at, real below)
{
    const int q = at->model->root;
    const real zero = each(0.0);
    if (!at->rules->watched) return zero != zero;
    const real w = ROW(at->x, q + 3), x = ROW(at->x, q + 4), y = ROW(at->x, q + 5), z = ROW(at->x, q + 6);
    const real height = ROW(at->x, q + 2) - below;
    return (height < at->rules->least_height) | (w * w - x * x - y * y + z * z < at->rules->least_upright);
}

/// Robots whose condition of the end holds now. One that is no number does not.
FN mask finished_robots(const place *at, real below)
{
    const ff_batch_rules *r = at->rules;
    const real zero = each(0.0);
    if (!RARELY(r->nend > 0)) return zero != zero;
    const real value = formula_value(r->code, r->nend, at->model->channels, at->x, at->in, ROW_STRIDE, below);
    return (value != 0.0) & (value == value);
}

/// Adds what the step earned.
FN void reward_robots(const place *at, mask moves, real below)
{
    const ff_batch_rules *r = at->rules;
    if (!RARELY(r->nreward > 0)) return;
    const int row = at->model->robot + FF_ROBOT_REWARD;
    const real value =
        formula_value(r->code + r->nend, r->nreward, at->model->channels, at->x, at->in, ROW_STRIDE, below);
    ROW(at->x, row) = ROW(at->x, row) + choose(moves, value, each(0.0));
}

/// Angular acceleration of the first free root of robots that move, by what its velocity will change. For sensors.
APART void keep_turning(const struct ff_batch_model *m, real *x, const real *next, mask moves)
{
    for (int i = 0; i < 3; i++) {
        const int spin = m->nq + m->root_v + 3 + i;
        real *kept = &ROW(x, m->robot + FF_ROBOT_TURNING + i);
        *kept = choose(moves, (NEXT(next, spin) - ROW(x, spin)) / m->step, *kept);
    }
}

/// Robots whose next state is sound take it.
FN void take_next(const place *at, mask moves)
{
    const struct ff_batch_model *m = at->model;
    for (int i = MEMBER; i < m->nq + m->nv; i += CREW) ROW(at->x, i) = choose(moves, NEXT(at->next, i), ROW(at->x, i));
    if (MEMBER > 0) return;
    UNROLL for (int i = 0; i < 3; i++)
    {
        real *kept = &ROW(at->x, m->robot + FF_ROBOT_ACCELERATION + i);
        *kept = choose(moves, at->made->root[i], *kept);
    }
}

#if LANE_COUNT > 1
/// What the trees write of a robot besides its next state: its contact points, and what sampled loops hold.
FN int written_rows(const struct ff_batch_model *m)
{
    return m->point_rows + (KNOWN(m, sampled) ? FF_KEPT_ROWS * m->nservo : 0);
}

FN int written_row(const struct ff_batch_model *m, int i)
{
    return i < m->point_rows ? m->nq + m->nv + i : m->kept + i - m->point_rows;
}

/// Robots that ended keep it while neighbours go on: taken before a step, put back behind it.
APART void keep_written(const struct ff_batch_model *m, const real *x, real *kept)
{
    for (int i = 0; i < written_rows(m); i++) kept[i] = ROW(x, written_row(m, i));
}

APART void put_written_back(const struct ff_batch_model *m, const mask *ended, const real *kept, real *x)
{
    for (int i = 0; i < written_rows(m); i++) {
        real *row = &ROW(x, written_row(m, i));
        *row = choose(*ended, kept[i], *row);
    }
}
#endif

/// Age, reward and end after a step. `why`: the end before it; `good`: robots whose next state is sound.
FN void close_step(const place *at, real age, real why, mask good)
{
    const struct ff_batch_model *m = at->model;
    const mask lives = why == 0.0, moves = lives & good;
    ROW(at->x, m->robot + FF_ROBOT_AGE) = age + choose(moves, each(1.0), each(0.0));
    const real below = ground_below(at);
    reward_robots(at, moves, below);
    const mask falls = moves & fallen_robots(at, below), finishes = moves & finished_robots(at, below);
    ROW(at->x, m->robot + FF_ROBOT_END) =
        choose(lives & none_of(good), each((num)FF_BATCH_DIVERGED),
               choose(falls, each((num)FF_BATCH_FELL), choose(finishes, each((num)FF_BATCH_FINISHED), why)));
}

/// One step. A block whose robots have all ended stays as it is; so does each of them beside others that live: what
/// becomes of a robot does not depend on the number of lanes.
/// @param since  steps of this call before this one
FN void block_step(const place *at, int since)
{
    const struct ff_batch_model *m = at->model;
    whole all_of;
    const real why = ROW(at->x, m->robot + FF_ROBOT_END);
    const mask lives = why == 0.0;
    if (!any_crew(lives)) return;
    all_of.lives = lives;
    const real age = ROW(at->x, m->robot + FF_ROBOT_AGE);
    const mask pushed =
        (age >= ROW(at->x, m->robot + FF_ROBOT_PUSH_FROM)) & (age < ROW(at->x, m->robot + FF_ROBOT_PUSHED));
    all_of.fresh = age == 0.0;
    UNROLL for (int i = 0; i < 3; i++) all_of.push[i] =
        choose(pushed, ROW(at->x, m->robot + FF_ROBOT_PUSH + i), each(0.0));
    all_of.pose = all_of.part = all_of.rate = each(0.0);
    if (KNOWN(m, delay) > 0) all_of.targets = ring_at(m, at->x, age, since);
    if (KNOWN(&m->cycle, npose) > 0) cycle_at(m, sent_at(m, at->x, age), &all_of);
    all_of.contact.friction = ROW(at->x, m->parameter + FF_BATCH_FRICTION);
    all_of.contact.stiffness = ROW(at->x, m->parameter + FF_BATCH_CONTACT_STIFFNESS);
    all_of.mass = ROW(at->x, m->parameter + FF_BATCH_MASS);
    all_of.gain = ROW(at->x, m->parameter + FF_BATCH_GAIN);
    at->made->far = each(0.0);
    at->made->bounded = age == age;
    UNROLL for (int i = 0; i < 3; i++) at->made->root[i] = each(0.0);
#if LANE_COUNT > 1
    const int some_ended = any_of(why > 0.0); // but for lanes beyond the last robot, which nobody sees
    if (some_ended) keep_written(m, at->x, at->kept);
#endif
    if (RARELY(KNOWN(m, npair) > 0)) {
        if (MEMBER == 0) drive_pairs(m, at->x, at->in, all_of);
        meet();
    }
    all_trees(at, &all_of);
#if LANE_COUNT > 1
    if (some_ended) {
        const mask ended = why > 0.0;
        put_written_back(m, &ended, at->kept, at->x);
    }
#endif
    if (KNOWN(m, delay) > 0 && all_of.targets.keeps) keep_targets(m, at->x, at->in, lives, age, since);
    // a hinge may not turn so far that its sine has no digits left
    const mask good = all_agree(at->made->bounded & (at->made->far < FF_LARGEST_ANGLE)), moves = lives & good;
    if (RARELY(KNOWN(m, nchannel) > 0 && m->root >= 0)) {
        if (MEMBER == 0) keep_turning(m, at->x, at->next, moves);
        meet();
    }
    if (RARELY(KNOWN(m, ncut) > 0 && at->rules->feels)) {
        if (MEMBER == 0) feel_cuts(m, at->x, at->next, all_of, moves);
        meet();
    }
    if (any_of(moves)) take_next(at, moves);
    meet();
    if (MEMBER == 0) close_step(at, age, why, good);
    meet();
}

#endif
