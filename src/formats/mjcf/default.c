// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Default classes. A class starts as a copy of the class around it, taken after that one's own elements were read; a
// second top-level <default> continues the class "main" but does not change classes made before (as in MuJoCo).
#include "mjcf/mjcf.h"

#include <stdlib.h>

#define MOST_CLASSES 20000 // a class is 1.5 KB: hostile files must not make us hold gigabytes

/// Sets the defaults of MuJoCo.
static void init_class(mjcf_class *c)
{
    c->joint =
        (mjcf_joint){.type = FF_JOINT_HINGE, .axis = {0, 0, 1}, .limited = MJCF_AUTO, .force_limited = MJCF_AUTO};
    c->geom = (mjcf_geom){.type = MJCF_SPHERE,
                          .contact = {.given = true, .solmix = 1.0, .solref = {0.02, 1.0}, .impedance = 0.95},
                          .orient = mjcf_orient_default(),
                          .density = 1000.0,
                          .fitscale = 1.0,
                          .rgba = {0.5, 0.5, 0.5, 1.0},
                          .friction = {1.0, 0.005, 0.0001},
                          .fluid = {0.5, 0.25, 1.5, 1.0, 1.0},
                          .contype = 1,
                          .conaffinity = 1,
                          .condim = 3};
    c->site = (mjcf_site){.orient = mjcf_orient_default(), .zone = {-1, MJCF_SPHERE, {0.005, 0.005, 0.005}}};
    c->mesh = (mjcf_mesh){.scale = {1, 1, 1}, .refquat = {1, 0, 0, 0}, .filling = -1};
    c->actuator = (mjcf_actuator){.dynprm = {1},
                                  .gainprm = {1},
                                  .gear = {1},
                                  .ctrllimited = MJCF_AUTO,
                                  .forcelimited = MJCF_AUTO,
                                  .actlimited = MJCF_AUTO};
    c->tendon = (mjcf_tendon){.limited = MJCF_AUTO, .springlength = {-1.0, -1.0}};
    c->pair = (ff_spec_pair){.friction = {1.0, 0.005, 0.0001}, .condim = 3, .numbers = c->geom.contact};
    for (int i = 0; i < 4; i++) c->material_rgba[i] = 1.0;
    c->equality_active = true;
}

/// A new class, copied from `parent` (NULL for main).
static mjcf_class *add_class(mjcf *m, const char *name, const mjcf_class *parent, ff_place place)
{
    if (m->nclass == MOST_CLASSES) {
        mjcf_error(m, place, "more than %d default classes", MOST_CLASSES);
        return NULL;
    }
    mjcf_class *c = FF_ARENA_NEW(&m->arena, mjcf_class, 1);
    if (!mjcf_has_memory(m, c)) return NULL;
    if (!mjcf_grow(m, &m->classes, m->nclass, &m->class_capacity, sizeof *m->classes)) return NULL;
    if (parent)
        *c = *parent;
    else
        init_class(c);
    c->name = name;
    m->classes[m->nclass] = c;
    mjcf_name_add(m, MJCF_CLASS, name, m->nclass++, place);
    return c;
}

static void read_preset(mjcf *m, ff_xml *node, mjcf_class *c)
{
    const char *name = node->name;
    node->used = true;
    if (strcmp(name, "joint") == 0)
        mjcf_joint_read(m, node, &c->joint);
    else if (strcmp(name, "geom") == 0)
        mjcf_geom_read(m, node, &c->geom);
    else if (strcmp(name, "site") == 0)
        mjcf_site_read(m, node, &c->site);
    else if (strcmp(name, "mesh") == 0)
        mjcf_mesh_read(m, node, &c->mesh);
    else if (strcmp(name, "tendon") == 0)
        mjcf_tendon_read(m, node, &c->tendon);
    else if (strcmp(name, "pair") == 0)
        mjcf_pair_read(m, node, &c->pair);
    else if (strcmp(name, "material") == 0)
        mjcf_colour(m, node, c->material_rgba);
    else if (strcmp(name, "equality") == 0)
        c->equality_active = mjcf_flag(m, node, "active", c->equality_active);
    else if (mjcf_actuator_is(name))
        mjcf_actuator_read(m, node, &c->actuator);
    else
        node->used = false;
}

static void read_presets(mjcf *m, ff_xml *section, mjcf_class *c)
{
    for (ff_xml *node = section->child; node; node = node->next)
        if (strcmp(node->name, "default") != 0) read_preset(m, node, c);
}

/// Class of a nested <default>, with its presets read; NULL with an error when it has no name or memory is short.
static mjcf_class *open_class(mjcf *m, ff_xml *section, const mjcf_class *parent)
{
    section->used = true;
    const char *name = ff_xml_get(section, "class");
    if (!name || !name[0]) {
        mjcf_error(m, section->place, "a <default> inside another needs a class name");
        name = "";
    }
    mjcf_class *c = add_class(m, name, parent, section->place);
    if (c) read_presets(m, section, c);
    return c;
}

/// One top-level <default> with all that is nested in it. Walks the tree without recursion: `around` holds the class of
/// each level.
static void read_tree(mjcf *m, ff_xml *top, mjcf_class *main_class, mjcf_class **around)
{
    int depth = 0;
    ff_xml *node = top->child;
    around[0] = main_class;
    read_presets(m, top, main_class);
    while (!m->no_memory) {
        while (node && strcmp(node->name, "default") != 0) node = node->next;
        if (node) {
            mjcf_class *c = open_class(m, node, around[depth]);
            if (!c) return;
            around[++depth] = c;
            top = node;
            node = node->child;
        } else if (depth > 0) {
            depth--;
            node = top->next;
            top = top->parent;
        } else {
            return;
        }
    }
}

void mjcf_default_all(mjcf *m)
{
    mjcf_class **around = FF_ARENA_NEW(&m->arena, mjcf_class *, FF_XML_MAX_DEPTH + 1);
    mjcf_class *main_class = add_class(m, "main", NULL, m->root->place);
    if (!mjcf_has_memory(m, around) || !main_class) return;
    for (ff_xml *top = ff_xml_child(m->root, "default"); top && !m->no_memory; top = ff_xml_next(top)) {
        top->used = true;
        // MuJoCo allows another name for the outermost class; both names then mean the same class
        const char *name = ff_xml_get(top, "class");
        if (name && mjcf_name_find(m, MJCF_CLASS, name) != 0) mjcf_name_add(m, MJCF_CLASS, name, 0, top->place);
        read_tree(m, top, main_class, around);
    }
}
