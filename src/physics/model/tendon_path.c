// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Walks along the string of a tendon, straight from point to point and around the shapes between them; each pulley
// begins a new part. Where it wraps, a small motion of the shape changes the string as if its touching points were
// fixed to the shape: the arc is the shortest one, so that moving these along it changes nothing at first order.
#include "model/tendon_path.h"
#include "geom/wrap.h"

typedef struct walk {
    const ff_model *m;
    ff_tendon_frame *frame;
    const void *poses;
    ff_tendon_visit *visit;
    void *context;
    double part;
} walk;

static void place_point(const walk *w, int frame, double world[3])
{
    const ff_frame *f = &w->m->frames[frame];
    double pos[3], R[9];
    w->frame(w->poses, f->body, pos, R);
    ff_mat3_mulv(world, R, f->pos);
    ff_vec3_add(world, world, pos);
}

static ff_wrap_shape place_shape(const walk *w, const ff_geom *geom)
{
    ff_wrap_shape shape = {.cylinder = geom->shape.type == FF_SHAPE_CYLINDER, .radius = geom->shape.size[0]};
    double pos[3], R[9], own[9];
    w->frame(w->poses, geom->body, pos, R);
    ff_quat_to_mat3(own, geom->quat);
    ff_mat3_mul(shape.R, R, own);
    ff_mat3_mulv(shape.pos, R, geom->pos);
    ff_vec3_add(shape.pos, shape.pos, pos);
    return shape;
}

/// Length of a straight part, which is given to the visitor.
static double add_straight(const walk *w, const double from[3], int body1, const double to[3], int body2)
{
    ff_tendon_line line = {.body = {body1, body2}, .part = w->part};
    double along[3];
    ff_vec3_copy(line.from, from);
    ff_vec3_copy(line.to, to);
    if (w->visit && body1 != body2) w->visit(w->context, &line);
    ff_vec3_sub(along, to, from);
    return ff_vec3_norm(along);
}

/// Length from point to point, around a shape (NULL: none).
static double add_span(const walk *w, const ff_tendon_piece *from, const ff_tendon_piece *round,
                       const ff_tendon_piece *to)
{
    const int body1 = w->m->frames[from->index].body, body2 = w->m->frames[to->index].body;
    double a[3], b[3], side[3], touch[2][3], arc;
    place_point(w, from->index, a);
    place_point(w, to->index, b);
    if (!round) return add_straight(w, a, body1, b, body2);
    const ff_geom *geom = &w->m->geoms[round->index];
    const ff_wrap_shape shape = place_shape(w, geom);
    if (round->side >= 0) place_point(w, round->side, side);
    if (!ff_wrap(&shape, a, b, round->side >= 0 ? side : NULL, touch, &arc)) return add_straight(w, a, body1, b, body2);
    return add_straight(w, a, body1, touch[0], geom->body) + arc + add_straight(w, touch[1], geom->body, b, body2);
}

double ff_tendon_walk(const ff_model *m, const ff_tendon *tendon, ff_tendon_frame *frame, const void *poses,
                      ff_tendon_visit *visit, void *context)
{
    walk w = {m, frame, poses, visit, context, 1.0};
    double length = 0.0;
    for (int k = 0; k + 1 < tendon->npiece; k++) {
        const ff_tendon_piece *piece = &tendon->pieces[k];
        if (piece->type == FF_TENDON_PULLEY) w.part = 1.0 / piece->factor;
        if (piece->type != FF_TENDON_POINT || piece[1].type == FF_TENDON_PULLEY) continue;
        const bool round = piece[1].type == FF_TENDON_WRAP;
        length += w.part * add_span(&w, piece, round ? piece + 1 : NULL, piece + (round ? 2 : 1));
    }
    return length;
}
