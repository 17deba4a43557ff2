// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tendons: names resolved to numbers, the order of their pieces checked, the degrees of freedom that can change their
// length, and the length at rest where a description leaves it open.
#include "model/compile.h"
#include "model/tendon_path.h"

#include <stdio.h>

static const double LARGEST_NUMBER = 1e12;

/// Defaults. Sums of joints have those of joints; strings have small levers and need larger numbers for the same effect
/// at the joint.
static const struct defaults {
    double stop_stiffness, stop_damping, dry_speed;
} OF_SUMS = {FF_DEFAULT_STOP_STIFFNESS, FF_DEFAULT_STOP_DAMPING, FF_DEFAULT_DRY_SPEED},
  OF_STRINGS = {10.0 * FF_DEFAULT_STOP_STIFFNESS, 10.0 * FF_DEFAULT_STOP_DAMPING, 0.1 * FF_DEFAULT_DRY_SPEED};

static void report(ff_compiler *c, const ff_spec_tendon *t, const char *format, ...) FF_PRINTF(3, 4);
static void report(ff_compiler *c, const ff_spec_tendon *t, const char *format, ...)
{
    char what[300];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    ff_report_add(c->report, FF_ERROR, t->place, "tendon \"%.100s\": %s", t->name ? t->name : "", what);
}

static void check_numbers(ff_compiler *c, const ff_spec_tendon *t)
{
    const struct {
        const char *what;
        double value;
    } positive[] = {{"stiffness", t->stiffness},
                    {"damping", t->damping},
                    {"dry friction", t->dry_friction},
                    {"speed of dry friction", t->dry_speed},
                    {"stiffness of the stops", ff_compile_given(t->stop_stiffness, 1.0)},
                    {"damping of the stops", ff_compile_given(t->stop_damping, 0.0)}};
    const double pairs[2][2] = {{t->spring_length[0], t->spring_length[1]}, {t->range[0], t->range[1]}};
    const bool given[2] = {!t->spring_at_rest, t->limited};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(positive[i].value >= 0.0 && positive[i].value <= LARGEST_NUMBER))
            report(c, t, "%s is %g; it must be zero or positive", positive[i].what, positive[i].value);
    if (t->limited && t->stop_stiffness == 0.0)
        report(c, t, "the stops of its range have the stiffness 0 and hold nothing: give one, or no range");
    for (int k = 0; k < 2; k++)
        if (given[k] &&
            !(fabs(pairs[k][0]) <= LARGEST_NUMBER && fabs(pairs[k][1]) <= LARGEST_NUMBER && pairs[k][0] <= pairs[k][1]))
            report(c, t, "%s is %g to %g: two finite numbers are needed, the smaller one first",
                   k == 0 ? "the length of its spring" : "its range", pairs[k][0], pairs[k][1]);
}

/// Number of the joint, frame or shape that a piece names; -1: there is none, which is reported.
static int find(ff_compiler *c, const ff_spec_tendon *t, ff_tendon_piece_type type, const char *name)
{
    const bool mjcf = ff_compile_is_mjcf(t->place);
    const char *const word = type == FF_TENDON_JOINT  ? "joint"
                             : type == FF_TENDON_WRAP ? (mjcf ? "geom" : "shape")
                                                      : (mjcf ? "site" : "frame");
    int index = -1;
    if (type == FF_TENDON_JOINT) index = ff_names_get(&c->joint_names, name);
    if (type == FF_TENDON_POINT || type == FF_TENDON_THRUST) index = ff_names_get(&c->frame_names, name);
    if (type == FF_TENDON_WRAP) index = ff_spec_find_geom(c->spec, name);
    if (index < 0) report(c, t, "it refers to %s \"%.100s\", which does not exist", word, name ? name : "");
    return index;
}

static ff_tendon_piece resolve_piece(ff_compiler *c, const ff_spec_tendon *t, const ff_spec_tendon_piece *from)
{
    const ff_model *m = c->model;
    ff_tendon_piece piece = {.type = from->type, .index = -1, .side = -1, .factor = from->factor};
    memcpy(piece.wrench, from->wrench, sizeof piece.wrench);
    for (int i = 0; i < 7; i++) {
        const double number = i < 6 ? from->wrench[i] : from->factor;
        if (!(fabs(number) <= LARGEST_NUMBER))
            report(c, t, "a piece has the number %g; a finite one is needed", number);
    }
    if (from->type == FF_TENDON_PULLEY) {
        if (!(from->factor > 0.0)) report(c, t, "the divisor of a pulley is %g; it must be above 0", from->factor);
        return piece;
    }
    piece.index = find(c, t, from->type, from->name);
    if (from->side && (from->type == FF_TENDON_WRAP || from->type == FF_TENDON_THRUST))
        piece.side = find(c, t, FF_TENDON_POINT, from->side);
    if (piece.index < 0) return piece;
    if (from->type == FF_TENDON_JOINT && !ff_joint_is_scalar(m->joints[piece.index].type))
        report(c, t, "joint \"%.100s\" is a %s joint; a tendon adds up hinges and slides", from->name,
               ff_joint_name(m->joints[piece.index].type));
    if (from->type != FF_TENDON_WRAP) return piece;
    const ff_shape *shape = &m->geoms[piece.index].shape;
    if (shape->type != FF_SHAPE_SPHERE && shape->type != FF_SHAPE_CYLINDER)
        report(c, t, "it cannot run around the %s \"%.100s\": it must be a sphere or a cylinder",
               ff_compile_is_mjcf(t->place) ? "geom" : "shape", from->name);
    return piece;
}

/// Joints alone; or points, at least two before and behind each pulley, with at most one shape between two of them.
static void check_order(ff_compiler *c, const ff_spec_tendon *t)
{
    const bool fixed = t->npiece > 0 && t->pieces[0].type == FF_TENDON_JOINT;
    int points = 0;
    if (t->npiece == 1 && t->pieces[0].type == FF_TENDON_THRUST) {
        if (t->stiffness > 0.0 || t->damping > 0.0 || t->dry_friction > 0.0 || t->limited)
            report(c, t, "a thrust has no length: it takes neither spring nor damping, friction or range");
        return;
    }
    if (t->npiece == 0) report(c, t, "it has no pieces");
    for (int k = 0; k < t->npiece; k++) {
        const ff_tendon_piece_type type = t->pieces[k].type,
                                   next = k + 1 < t->npiece ? t->pieces[k + 1].type : FF_TENDON_PULLEY;
        if (fixed != (type == FF_TENDON_JOINT)) {
            report(c, t, "joints and points in space cannot be mixed");
            return;
        }
        if (type == FF_TENDON_THRUST) {
            report(c, t, "a thrust has no other pieces beside it");
            return;
        }
        if (fixed) continue;
        if (type == FF_TENDON_WRAP && (points == 0 || next != FF_TENDON_POINT)) {
            report(c, t, "a shape needs a point right before and right after it");
            return;
        }
        points = type == FF_TENDON_PULLEY ? 0 : points + (type == FF_TENDON_POINT);
        if (next == FF_TENDON_PULLEY && points < 2 && !(type == FF_TENDON_PULLEY && k == 0 && t->npiece > 1)) {
            report(c, t, "at least two points are needed, also before and behind each pulley");
            return;
        }
    }
}

// ------------------------------------------------------------------------------------------ degrees of freedom

/// `moves` += 1 for each degree of freedom that carries the body.
static void count_moves(const ff_model *m, int body, int *moves)
{
    const int node = body < 0 ? -1 : m->bodies[body].node;
    if (node < 0) return;
    for (int i = m->nodes[node].vlast; i >= 0; i = m->dof_parent[i]) moves[i]++;
}

static int body_of(const ff_model *m, const ff_tendon_piece *piece)
{
    return piece->type == FF_TENDON_WRAP ? m->geoms[piece->index].body : m->frames[piece->index].body;
}

/// Marks degrees of freedom that move one end of a part of the string only: they change its length.
static void mark_between(const ff_model *m, int body1, int body2, int *moves, bool *wanted)
{
    memset(moves, 0, (size_t)m->nv * sizeof *moves);
    count_moves(m, body1, moves);
    count_moves(m, body2, moves);
    for (int i = 0; i < m->nv; i++) wanted[i] = wanted[i] || moves[i] == 1;
}

static void mark_tendon(const ff_model *m, const ff_tendon *t, int *moves, bool *wanted)
{
    for (int k = 0; k < t->npiece; k++) {
        const ff_tendon_piece *piece = &t->pieces[k];
        if (t->fixed) wanted[m->joints[piece->index].vadr] = true;
        if (piece->type == FF_TENDON_THRUST)
            mark_between(m, body_of(m, piece), piece->side < 0 ? -1 : m->frames[piece->side].body, moves, wanted);
        if (t->fixed || k == 0 || piece->type == FF_TENDON_PULLEY || piece[-1].type == FF_TENDON_PULLEY) continue;
        mark_between(m, body_of(m, piece - 1), body_of(m, piece), moves, wanted);
        if (piece[-1].type == FF_TENDON_WRAP) // straight, where it does not wrap
            mark_between(m, body_of(m, piece - 2), body_of(m, piece), moves, wanted);
    }
}

static bool list_dofs(ff_compiler *c, ff_tendon *t)
{
    ff_model *m = c->model;
    int *moves = FF_ARENA_NEW(&c->scratch, int, m->nv + 1), count = 0;
    bool *wanted = FF_ARENA_NEW(&c->scratch, bool, m->nv + 1);
    if (!moves || !wanted) return false;
    mark_tendon(m, t, moves, wanted);
    for (int i = 0; i < m->nv; i++) count += wanted[i];
    int *dofs = FF_ARENA_NEW(&m->arena, int, count + 1);
    if (!dofs) return false;
    for (int i = 0; i < m->nv; i++)
        if (wanted[i]) dofs[t->ndof++] = i;
    t->dofs = dofs;
    t->first = m->ntendon_dof;
    m->ntendon_dof += t->ndof;
    return true;
}

// ------------------------------------------------------------------------------------------ length at rest

typedef struct pose_context {
    const ff_model *m;
    const ff_pose *nodes; // in the world
} pose_context;

void ff_compile_poses(const ff_model *m, const double *all, ff_pose *poses)
{
    for (int i = 0; i < m->nnode; i++) {
        const ff_node *node = &m->nodes[i];
        const double *q = all + node->qadr, turn = q[0] - node->ref;
        ff_pose moved = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
        double quat[4];
        if (node->type == FF_NODE_HINGE) {
            ff_quat_from_axis_angle(quat, (double[3]){0, 0, 1}, turn);
            ff_quat_to_mat3(moved.R, quat);
        } else if (node->type == FF_NODE_SLIDE) {
            moved.p[2] = turn;
        } else {
            if (node->type == FF_NODE_FREE) ff_vec3_copy(moved.p, q);
            ff_quat_to_mat3(moved.R, node->type == FF_NODE_FREE ? q + 3 : q);
        }
        poses[i] = ff_pose_mul(&node->rest, &moved);
        if (node->parent >= 0) poses[i] = ff_pose_mul(&poses[node->parent], &poses[i]);
    }
}

/// Hinges and slides at their spring references, all others as in q0.
static double *spring_position(ff_compiler *c)
{
    const ff_model *m = c->model;
    double *q = FF_ARENA_NEW(&c->scratch, double, m->nq + 1);
    if (q) memcpy(q, m->q0, (size_t)m->nq * sizeof *q);
    for (int i = 0; q && i < m->njoint; i++)
        if (ff_joint_is_scalar(m->joints[i].type)) q[m->joints[i].qadr] = m->joints[i].spring_ref;
    return q;
}

static void rest_frame(const void *context, int body, double pos[3], double R[9])
{
    static const ff_pose world = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    const pose_context *r = context;
    ff_pose pose = world;
    if (body >= 0) {
        const ff_body *b = &r->m->bodies[body];
        memcpy(pose.R, b->R, sizeof pose.R);
        ff_vec3_copy(pose.p, b->pos);
        if (b->node >= 0) pose = ff_pose_mul(&r->nodes[b->node], &pose);
    }
    ff_vec3_copy(pos, pose.p);
    memcpy(R, pose.R, sizeof pose.R);
}

double ff_compile_tendon_length(const ff_model *m, const ff_tendon *t, const double *q, const ff_pose *poses,
                                ff_tendon_visit *visit, void *context)
{
    const pose_context at = {m, poses};
    double sum = 0.0;
    if (t->pieces[0].type == FF_TENDON_THRUST) return 0.0;
    if (!t->fixed) return ff_tendon_walk(m, t, rest_frame, &at, visit, context);
    for (int k = 0; k < t->npiece; k++) sum += t->pieces[k].factor * q[m->joints[t->pieces[k].index].qadr];
    return sum;
}

// ------------------------------------------------------------------------------------------ all of them

static bool copy_tendon(ff_compiler *c, const ff_spec_tendon *from, ff_tendon *t)
{
    ff_model *m = c->model;
    const int errors = c->report->errors;
    const bool fixed = from->npiece > 0 && from->pieces[0].type == FF_TENDON_JOINT;
    const struct defaults *defaults = fixed ? &OF_SUMS : &OF_STRINGS;
    ff_tendon_piece *pieces = FF_ARENA_NEW(&m->arena, ff_tendon_piece, from->npiece + 1);
    *t = (ff_tendon){
        .name = ff_arena_strdup(&m->arena, from->name ? from->name : ""),
        .pieces = pieces,
        .npiece = from->npiece,
        .fixed = fixed,
        .stiffness = from->stiffness,
        .damping = from->damping,
        .spring_length = {from->spring_length[0], from->spring_length[1]},
        .dry_friction = from->dry_friction,
        .dry_speed = from->dry_speed > 0.0 ? from->dry_speed : defaults->dry_speed,
        .limited = from->limited,
        .range = {from->range[0], from->range[1]},
        .stop_stiffness = ff_compile_given(from->stop_stiffness, defaults->stop_stiffness),
        .stop_damping = ff_compile_given(from->stop_damping, defaults->stop_damping),
        .place = {from->place.file ? ff_arena_strdup(&m->arena, from->place.file) : NULL, from->place.line,
                  from->place.column},
    };
    if (!t->name || !pieces) return false;
    check_numbers(c, from);
    check_order(c, from);
    for (int k = 0; k < from->npiece; k++) pieces[k] = resolve_piece(c, from, &from->pieces[k]);
    return c->report->errors > errors || list_dofs(c, t);
}

bool ff_compile_tendons(ff_compiler *c)
{
    ff_model *m = c->model;
    const int errors = c->report->errors;
    m->ntendon = c->spec->ntendon;
    m->tendons = FF_ARENA_NEW(&m->arena, ff_tendon, m->ntendon + 1);
    if (!m->tendons || !ff_names_init(&c->tendon_names, &c->scratch, m->ntendon)) return false;
    if (m->ntendon == 0) return true;
    const double *q = spring_position(c);
    ff_pose *poses = FF_ARENA_NEW(&c->scratch, ff_pose, m->nnode + 1);
    if (!q || !poses) return false;
    ff_compile_poses(m, q, poses);
    for (int i = 0; i < m->ntendon; i++) {
        const ff_spec_tendon *from = &c->spec->tendons[i];
        ff_tendon *t = &m->tendons[i];
        if (!copy_tendon(c, from, t)) return false;
        if (!t->name[0]) report(c, from, "it has no name");
        if (ff_names_put(&c->tendon_names, t->name, i) >= 0) report(c, from, "the name is taken already");
        if (c->report->errors > errors || !from->spring_at_rest) continue;
        t->spring_length[0] = t->spring_length[1] = ff_compile_tendon_length(m, t, q, poses, NULL, NULL);
    }
    return true;
}
