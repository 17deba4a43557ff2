// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From description to model: the table of contents of the compiler, and the order of bodies and joints.
#include "model/compile.h"
#include "base/missing.h"
#include "model/coordinates.h"

#include <stdio.h>
#include <stdlib.h>

/// Spec joints grouped by body, in the order they were added (counting sort).
static bool group_joints(ff_compiler *c)
{
    const ff_spec *spec = c->spec;
    c->joint_first = FF_ARENA_NEW(&c->scratch, int, spec->nbody + 2);
    c->joint_list = FF_ARENA_NEW(&c->scratch, int, spec->njoint + 1);
    if (!c->joint_first || !c->joint_list) return false;
    for (int j = 0; j < spec->njoint; j++) c->joint_first[spec->joints[j].body + 2]++;
    for (int b = 0; b < spec->nbody; b++) c->joint_first[b + 2] += c->joint_first[b + 1];
    for (int j = 0; j < spec->njoint; j++) c->joint_list[c->joint_first[spec->joints[j].body + 1]++] = j;
    return true;
}

/// Depth-first order of the bodies, children in the order they were added.
static bool sort_bodies(ff_compiler *c)
{
    const ff_spec *spec = c->spec;
    ff_layout layout = {0};
    int count = 0;
    c->body_of = FF_ARENA_NEW(&c->scratch, int, spec->nbody + 1);
    c->body_to = FF_ARENA_NEW(&c->scratch, int, spec->nbody + 1);
    if (!c->body_of || !c->body_to || !ff_layout_make(&layout, spec)) return false;
    for (int b = layout.child[0]; b >= 0; b = ff_layout_next(&layout, spec, b)) {
        c->body_to[b] = count;
        c->body_of[count++] = b;
    }
    ff_layout_clear(&layout);
    FF_ASSERT(count == spec->nbody);
    return true;
}

static bool copy_bodies(ff_compiler *c)
{
    ff_model *m = c->model;
    m->nbody = c->spec->nbody;
    m->bodies = FF_ARENA_NEW(&m->arena, ff_body, m->nbody + 1);
    if (!m->bodies || !ff_names_init(&c->body_names, &c->scratch, m->nbody)) return false;
    for (int i = 0; i < m->nbody; i++) {
        const ff_spec_body *from = &c->spec->bodies[c->body_of[i]];
        ff_body *body = &m->bodies[i];
        body->name = ff_arena_strdup(&m->arena, from->name);
        body->parent = from->parent < 0 ? -1 : c->body_to[from->parent];
        body->place = (ff_place){from->place.file ? ff_arena_strdup(&m->arena, from->place.file) : NULL,
                                 from->place.line, from->place.column};
        if (!body->name) return false;
        ff_names_put(&c->body_names, body->name, i);
    }
    return true;
}

/// Bodies in order, with their mass properties.
static bool make_bodies(ff_compiler *c)
{
    return ff_compile_check(c) && group_joints(c) && sort_bodies(c) && copy_bodies(c) && ff_compile_masses(c);
}

static bool compile(ff_compiler *c)
{
    ff_model *m = c->model;
    if (!make_bodies(c)) return false;
    m->name = ff_arena_strdup(&m->arena, c->spec->name ? c->spec->name : "");
    ff_vec3_copy(m->gravity, c->spec->gravity);
    return ff_compile_tree(c) && ff_compile_check_inertia(c) && ff_compile_medium(c) && ff_compile_springs(c) &&
           ff_compile_lanes(c) && ff_compile_items(c);
}

bool ff_compile_weigh(const ff_spec *spec, ff_spec_body *weighed, ff_report *report)
{
    ff_load_options options = ff_load_options_default();
    ff_report own = {0};
    ff_compiler c = {.spec = spec, .options = &options, .report = report ? report : &own};
    c.model = calloc(1, sizeof *c.model);
    bool done = c.model && make_bodies(&c) && !c.model->arena.failed;
    for (int i = 0; done && i < spec->nbody; i++) {
        const ff_body *from = &c.model->bodies[c.body_to[i]];
        ff_spec_body *to = &weighed[i];
        to->has_inertial = true;
        to->inertia_from_geoms = to->coarse_axes = false;
        to->mass = from->mass;
        ff_vec3_copy(to->com, from->com);
        ff_quat_identity(to->inertia_quat);
        memcpy(to->inertia, from->inertia, sizeof to->inertia);
    }
    ff_model_destroy(c.model);
    ff_arena_clear(&c.scratch);
    ff_report_clear(&own);
    return done;
}

ff_model *ff_model_compile(const ff_spec *spec, const ff_load_options *options, ff_report *report)
{
    ff_load_options defaults = ff_load_options_default();
    ff_report own = {0};
    ff_compiler c = {.spec = spec, .options = options ? options : &defaults, .report = report ? report : &own};
    if (!spec) return ff_report_missing(report, __func__, "description"), NULL;
    int errors = c.report->errors;
    c.model = calloc(1, sizeof *c.model);
    bool done = c.model && !spec->arena.failed && compile(&c) && !c.model->arena.failed;
    if (!done && c.report->errors == errors)
        ff_report_add(c.report, FF_ERROR, (ff_place){0}, "%s while compiling the model", ff_status_text(FF_NO_MEMORY));
    if (c.report->errors != errors) {
        ff_model_destroy(c.model);
        c.model = NULL;
    }
    if (c.model) c.model->hash = ff_model_make_hash(c.model);
    ff_arena_clear(&c.scratch);
    ff_report_clear(&own);
    return c.model;
}
