// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contacts of a batch model: every shape that may meet a plane or height field becomes the points it can touch with,
// each with a law of its own share of stiffness. A sphere has one, a capsule two, a box its eight corners
// (src/physics/geom/collide.c), a cloud of points all of them. Points keep their numbers, so that the memory of the
// simulation's contacts finds its way.
#include "batch/compile.h"
#include "contact/advance.h"

#include <math.h>
#include <string.h>

ff_place ff_batch_place_of(const ff_world *w, int shape)
{
    const int geom = w->shapes[shape].geom;
    return geom >= 0 ? w->model->geoms[geom].place : (ff_place){0};
}

// ------------------------------------------------------------------------------------------ laws

static int power_of(double exponent)
{
    return exponent == 0.0   ? FF_POWER_NONE
           : exponent == 1.0 ? FF_POWER_ONE
           : exponent == 1.5 ? FF_POWER_HERTZ
                             : FF_POWER_ANY;
}

static int curve_of(const ff_friction *f)
{
    if (!ff_friction_uses(f, FF_USES_STRIBECK_CURVE)) return FF_CURVE_NONE;
    return ff_friction_uses(f, FF_USES_SPRING) ? FF_CURVE_ANCHORED : FF_CURVE_ALONE;
}

static ff_batch_contact contact_of(const ff_contact_pair *law, double share)
{
    const ff_friction *f = &law->friction;
    const bool no_cone = ff_contact_has_no_cone(f);
    const double stiffness = f->stiffness * share;
    const int damping_power = power_of(law->damping_exponent);
    const int dash_power = power_of(ff_friction_damping_exponent(f)), curve = curve_of(f);
    const bool turns = f->torsion > 0.0 || f->rolling > 0.0;
    return (ff_batch_contact){.power = power_of(law->exponent),
                              .damping_power = damping_power,
                              .by_impact = (ff_normal_laws[law->law].uses & FF_USES_IMPACT_SPEED) != 0,
                              .always_floor = law->restitution == 0.0,
                              .pulls = law->pulls,
                              .has_friction = f->law != FF_FRICTION_NONE,
                              .rare = damping_power == FF_POWER_ANY || dash_power == FF_POWER_ANY || turns || curve,
                              .curve = curve,
                              .turns = turns,
                              .no_cone = no_cone,
                              .dash_power = dash_power,
                              .slack_stick = f->stick == FF_STICK_SEED,
                              .stiffness = law->stiffness * share,
                              .damping = law->damping * share,
                              .floor = law->impact_floor,
                              .mu_static = ff_friction_static_coefficient(f),
                              .mu_kinetic = f->mu_kinetic,
                              .friction_stiffness = stiffness,
                              .dash = f->damping * share,
                              .dash_least = no_cone ? 0.0 : FF_LAG_LEAST * stiffness,
                              .stick_speed = f->stick_speed};
}

static ff_batch_contact_more more_of(const ff_contact_pair *law, double share, const ff_weight *weight,
                                     const ff_item *item)
{
    const ff_friction *f = &law->friction;
    ff_batch_contact_more more = {.damping_exponent = law->damping_exponent,
                                  .dash_exponent = f->damping_exponent,
                                  .viscous = f->viscous * share,
                                  .breakaway = f->breakaway,
                                  .threshold = f->threshold,
                                  .decay = f->decay,
                                  .scale_speed = f->scale_speed,
                                  .slowdown = ff_friction_slowdown(f),
                                  .torsion = f->torsion,
                                  .rolling = f->rolling,
                                  .torsion_stiffness = law->torsion_stiffness,
                                  .rolling_stiffness = law->rolling_stiffness,
                                  .turn_lag = law->turn_lag,
                                  .share = share,
                                  .mass = isfinite(weight->mass) ? weight->mass : 0.0};
    memcpy(more.turning, weight->turning, sizeof more.turning);
    ff_vec3_copy(more.centre, item->local.p);
    return more;
}

// ------------------------------------------------------------------------------------------ points

/// Points of a shape; -1: a batch does not know its kind.
static int points_of(const ff_collider *c)
{
    switch (c->type) {
    case FF_COLLIDER_SPHERE:
        return 1;
    case FF_COLLIDER_CAPSULE:
        return 2;
    case FF_COLLIDER_BOX:
        return 8;
    case FF_COLLIDER_POINTS:
        return c->npoint;
    default:
        return -1;
    }
}

/// Point number i of a shape, in its own frame.
static void locate(const ff_collider *c, int i, double out[3])
{
    const double *s = c->size;
    ff_vec3_set(out, 0.0, 0.0, 0.0);
    if (c->type == FF_COLLIDER_CAPSULE) out[2] = i == 0 ? -s[1] : s[1];
    if (c->type == FF_COLLIDER_BOX) ff_vec3_set(out, i & 1 ? -s[0] : s[0], i & 2 ? -s[1] : s[1], i & 4 ? -s[2] : s[2]);
    if (c->type == FF_COLLIDER_POINTS) ff_vec3_copy(out, c->points + 3 * (size_t)i);
}

/// Where a point of the frame of a shape's node is now, world.
static void place_at(const ff_world *w, const ff_data *d, int shape, const double at[3], double out[3])
{
    const int node = w->items[shape].node;
    ff_mat3_mulv(out, d->pose[node].R, at);
    ff_vec3_add(out, out, d->pose[node].p);
    ff_vec3_add(out, out, d->tree_origin + 3 * w->model->nodes[node].tree);
}

/// What the points of a shape meet: a plane or a field of the batch model, the other is -1.
typedef struct ground_of {
    int shape; // of the world
    int plane, field;
} ground_of;

static void add_points(ff_batch_making *making, const ff_world *w, ground_of ground, int shape, ff_report *report)
{
    ff_batch_model *m = &making->model;
    const ff_item *item = &w->items[shape];
    const ff_collider *c = &w->shapes[shape].collider;
    const ff_contact_pair *law = ff_world_law(w, ground.shape, shape);
    const int count = points_of(c);
    if (count < 0)
        ff_report_add(
            report, FF_ERROR, ff_batch_place_of(w, shape),
            "\"%s\" on \"%s\": a batch knows spheres, capsules, boxes and points on planes and height "
            "fields, no other shapes; 'role: visual', in MJCF 'contype' and 'conaffinity' 0, lets a shape touch "
            "nothing",
            w->shapes[shape].name, w->shapes[ground.shape].name);
    if (count < 0 || !law) return;
    if (ground.field >= 0 && !ff_batch_check_bends(w, ground.shape, shape, report)) return;
    const double share = law->per_point ? 1.0 : 1.0 / item->patch;
    m->contacts[m->ncontact] = contact_of(law, share);
    m->more[m->ncontact] = more_of(law, share, &w->weights[shape], item);
    const int rows = ground.field >= 0 ? FF_POINT_FIELD_ROWS : FF_POINT_ROWS;
    const bool turns = m->contacts[m->ncontact].turns;
    for (int i = 0; i < count; i++) {
        ff_batch_point *p = &m->points[m->npoint];
        const int row = m->nq + m->nv + m->point_rows;
        *p = (ff_batch_point){.row = row,
                              .turn = turns ? row + rows : 0,
                              .plane = ground.plane,
                              .field = ground.field,
                              .contact = m->ncontact,
                              .radius = c->type == FF_COLLIDER_BOX ? 0.0 : c->size[0],
                              .shape = shape,
                              .number = i};
        double local[3];
        locate(c, i, local);
        ff_mat3_mulv(p->at, item->local.R, local);
        ff_vec3_add(p->at, p->at, item->local.p);
        place_at(w, w->sim->data, shape, p->at, m->touching + 3 * m->npoint);
        p->foot = ff_world_limb(w, w->sim->data, shape, m->touching + 3 * m->npoint);
        m->point_rows += rows + (turns ? FF_TURN_ROWS : 0);
        m->npoint++;
    }
    m->ncontact++;
}

/// Shapes that may meet what is neither plane nor height field, one error with the first two of them.
static void refuse_pairs(const ff_world *w, ff_report *report)
{
    int one = -1, two = -1, count = 0;
    for (int i = 0; w->broad && i < w->nbroad; i++)
        for (int j = 0; j < i; j++) {
            const int a = w->broad_shape[j], b = w->broad_shape[i];
            if (w->items[a].fixed_plane || w->items[b].fixed_plane || !ff_world_may_meet(w, a, b)) continue;
            if (ff_batch_is_field(w, a) || ff_batch_is_field(w, b)) continue;
            if (count++ == 0) one = a, two = b;
        }
    if (count > 0)
        ff_report_add(
            report, FF_ERROR, ff_batch_place_of(w, two),
            "\"%s\" may meet \"%s\" (%d such pairs): a batch has contacts with planes and height fields alone",
            w->shapes[two].name, w->shapes[one].name, count);
}

/// Points of all moving shapes on one ground.
static int count_points(const ff_world *w)
{
    int count = 0;
    for (int i = 0; i < w->nmoving; i++) {
        const int own = points_of(&w->shapes[w->moving[i]].collider);
        count += own > 0 ? own : 0;
    }
    return count;
}

/// The points of the node number n.
static void add_node_points(ff_batch_making *making, const ff_world *w, const int *at, int n, ff_report *report)
{
    const ff_batch_model *m = &making->model;
    for (int k = 0; k < w->nplane; k++) {
        const ff_item *plane = &w->items[w->planes[k]];
        for (int i = 0; i < plane->nmeet; i++)
            if (at[w->items[plane->meets[i]].node] == n)
                add_points(making, w, (ground_of){w->planes[k], k, -1}, plane->meets[i], report);
    }
    for (int k = 0; k < m->nfield; k++)
        for (int i = 0; i < w->nmoving; i++) {
            const int shape = w->moving[i], field = m->fields[k].shape;
            if (at[w->items[shape].node] == n && ff_world_may_meet(w, field, shape))
                add_points(making, w, (ground_of){field, -1, k}, shape, report);
        }
}

void ff_batch_add_contacts(ff_batch_making *making, ff_sim *sim, const int *at, ff_report *report)
{
    ff_batch_model *m = &making->model;
    const ff_world *w = ff_sim_world(sim);
    if (!w) return;
    if (w->response != FF_RESPONSE_FORCE)
        ff_report_add(report, FF_ERROR, (ff_place){0}, "a batch has contacts with forces, and the response is '%s'",
                      ff_response_name(w->response));
    refuse_pairs(w, report);
    const int grounds = w->nplane + ff_batch_count_fields(w), most = grounds * count_points(w);
    m->planes = FF_ARENA_NEW(&making->arena, ff_batch_plane, w->nplane + 1);
    m->fields = FF_ARENA_NEW(&making->arena, ff_batch_field, grounds - w->nplane + 1);
    m->points = FF_ARENA_NEW(&making->arena, ff_batch_point, most + 1);
    m->touching = FF_ARENA_NEW(&making->arena, double, 3 * most + 1);
    m->contacts = FF_ARENA_NEW(&making->arena, ff_batch_contact, grounds * w->nmoving + 1);
    m->more = FF_ARENA_NEW(&making->arena, ff_batch_contact_more, grounds * w->nmoving + 1);
    if (!m->planes || !m->fields || !m->points || !m->touching || !m->contacts || !m->more ||
        !ff_batch_add_fields(making, w))
        return;
    for (int k = 0; k < w->nplane; k++) {
        const ff_pose *pose = &w->items[w->planes[k]].pose;
        ff_batch_plane *plane = &m->planes[m->nplane++];
        for (int i = 0; i < 3; i++) plane->n[i] = pose->R[3 * i + 2];
        plane->level = ff_vec3_dot(plane->n, pose->p);
    }
    for (int n = 0; n < m->nnode; n++) {
        m->nodes[n].point = m->npoint;
        add_node_points(making, w, at, n, report);
        m->nodes[n].npoint = m->npoint - m->nodes[n].point;
        if (m->nodes[n].npoint > 0) m->nodes[n].massive = 1;
    }
    ff_batch_find_bends(m);
    ff_batch_warn_of_ridges(m, w, report);
}

// ------------------------------------------------------------------------------------------ the start

void ff_batch_start_contacts(const ff_batch_model *m, ff_sim *sim, double *start)
{
    const ff_world *w = ff_sim_world(sim);
    for (int i = 0; i < m->npoint; i++) {
        const ff_batch_point *p = &m->points[i];
        const int ground = p->field >= 0 ? m->fields[p->field].shape : w->planes[p->plane];
        for (int k = 0; k < w->ntouch; k++) {
            const ff_touch *t = &w->touches[k];
            const int number = (int)(t->point.id & 0x3fffffff);
            const bool edge = t->point.id & 0x80000000u; // of a field, which has no point here
            if (t->shape1 != ground || t->shape2 != p->shape || number != p->number || edge) continue;
            const ff_contact_state state = ff_world_state(w, t, ff_sim_part_place(sim, w->part));
            start[p->row + FF_POINT_MODE] = state.mode;
            start[p->row + FF_POINT_IMPACT] = state.impact_speed;
            memcpy(start + p->row + FF_POINT_SPRING, state.spring, sizeof state.spring);
            if (p->field >= 0) memcpy(start + p->row + FF_POINT_NORMAL, state.plane, sizeof state.plane);
            if (p->turn > 0) memcpy(start + p->turn, state.turn, sizeof state.turn);
        }
    }
}
