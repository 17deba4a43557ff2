// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Feet and hands of the compiled model: their frames, and the bodies with which they touch. A body belongs to one limb
// at most, so that a force on it counts once.
#include "model/compile.h"

#include <stdio.h>

typedef struct limb_maker {
    const ff_compiler *c;
    int *owner; // limb of each body, -1: none
    ff_names names;
} limb_maker;

/// Adds a body to a limb. @param what  the limb, for messages  @return false: reported
static bool add_body(const limb_maker *l, ff_place place, const char *what, const char *name, int limb)
{
    const ff_model *m = l->c->model;
    const int body = ff_names_get(&l->c->body_names, name);
    const int joint = m->limbs[limb].leg >= 0 ? m->legs[limb].joints[m->legs[limb].njoint - 1] : -1;
    if (body < 0)
        ff_report_add(l->c->report, FF_ERROR, place, "%s refers to body \"%s\", which does not exist", what, name);
    else if (m->bodies[body].node < 0)
        ff_report_add(l->c->report, FF_ERROR, place, "%s: body \"%s\" is fixed to the world", what, name);
    else if (joint >= 0 && !ff_model_is_below(m, body, m->joints[joint].body))
        ff_report_add(l->c->report, FF_ERROR, place, "%s: body \"%s\" does not hang below joint \"%s\"", what, name,
                      m->joints[joint].name);
    else if (l->owner[body] >= 0)
        ff_report_add(l->c->report, FF_ERROR, place, "%s: body \"%s\" is named twice, here and by \"%s\"", what, name,
                      m->limbs[l->owner[body]].name);
    else {
        l->owner[body] = limb;
        m->limbs[limb].bodies[m->limbs[limb].nbody++] = body;
        return true;
    }
    return false;
}

static void place_limb(const ff_model *m, ff_limb *limb, int frame)
{
    limb->body = m->frames[frame].body;
    ff_vec3_copy(limb->pos, m->frames[frame].pos);
    ff_quat_copy(limb->quat, m->frames[frame].quat);
}

/// After an error the foot stays empty: no model is made.
static void make_foot(const limb_maker *l, int i)
{
    const ff_model *m = l->c->model;
    const ff_spec_leg *from = &l->c->spec->legs[i];
    ff_limb *limb = &m->limbs[i];
    char what[100];
    *limb = (ff_limb){.name = m->legs[i].name, .leg = i, .radius = m->legs[i].radius};
    if (l->c->report->errors > 0) return;
    place_limb(m, limb, m->legs[i].frame);
    snprintf(what, sizeof what, "leg \"%.60s\": the foot", from->name);
    for (int k = 0; k < from->nsole; k++)
        if (!add_body(l, from->place, what, from->soles[k], i)) return;
}

static void find_hand_frame(const limb_maker *l, const ff_spec_hand *from, const char *what, ff_limb *limb)
{
    const int frame = from->frame ? ff_names_get(&l->c->frame_names, from->frame) : -1;
    if (from->frame && frame < 0)
        ff_report_add(l->c->report, FF_ERROR, from->place, "%s refers to \"%s\", which is neither a frame nor a body",
                      what, from->frame);
    else if (frame >= 0 && l->c->model->frames[frame].body < 0)
        ff_report_add(l->c->report, FF_ERROR, from->place, "%s: frame \"%s\" is fixed to the world", what, from->frame);
    else if (frame >= 0)
        place_limb(l->c->model, limb, frame);
    else
        limb->body = limb->bodies[0];
}

static bool make_hand(limb_maker *l, int i)
{
    ff_model *m = l->c->model;
    const ff_spec_hand *from = &l->c->spec->hands[i];
    const int number = m->nleg + i;
    ff_limb *limb = &m->limbs[number];
    char what[100];
    *limb =
        (ff_limb){.name = ff_arena_strdup(&m->arena, from->name ? from->name : ""), .leg = -1, .quat = {1, 0, 0, 0}};
    if (!limb->name) return false;
    snprintf(what, sizeof what, "hand \"%.60s\"", limb->name);
    if (!limb->name[0] || ff_names_put(&l->names, limb->name, number) >= 0)
        ff_report_add(l->c->report, FF_ERROR, from->place, "%s: %s", what,
                      limb->name[0] ? "a leg or a hand has this name already" : "it has no name");
    if (from->nbody < 1 || from->nbody > FF_LIMB_BODIES) {
        ff_report_add(l->c->report, FF_ERROR, from->place, "%s has %d bodies; it needs 1 to %d", what, from->nbody,
                      FF_LIMB_BODIES);
        return true;
    }
    for (int k = 0; k < from->nbody; k++)
        if (!add_body(l, from->place, what, from->bodies[k], number)) return true;
    find_hand_frame(l, from, what, limb);
    return true;
}

bool ff_compile_limbs(ff_compiler *c)
{
    ff_model *m = c->model;
    limb_maker l = {.c = c, .owner = FF_ARENA_NEW(&c->scratch, int, m->nbody + 1)};
    m->nlimb = m->nleg + c->spec->nhand;
    m->limbs = FF_ARENA_NEW(&m->arena, ff_limb, m->nlimb + 1);
    if (!m->limbs || !l.owner || !ff_names_init(&l.names, &c->scratch, m->nlimb)) return false;
    for (int i = 0; i < m->nbody; i++) l.owner[i] = -1;
    for (int i = 0; i < m->nleg; i++) {
        ff_names_put(&l.names, m->legs[i].name, i);
        make_foot(&l, i);
    }
    for (int i = 0; i < c->spec->nhand; i++)
        if (!make_hand(&l, i)) return false;
    return true;
}
