// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// <attach model="" body="" prefix=""/>: another model, which <model name="" file=""/> of <asset> declares, takes the
// place of the element, whole or from one of its bodies on. It is read as a description of its own, with its own
// settings, classes and assets, and joined under its prefix; what refers to bodies outside the attached part is left
// out.
#include "mjcf/mjcf.h"

#include <footfall/text.h>
#include <stdlib.h>

#include "model/edit.h"

enum { MOST_MODELS = 200, DEEPEST = 16 }; // attached by one file, those of attached files included

// ------------------------------------------------------------------------------------------ the subtree of a body

static bool has_body(const ff_spec *s, const char *name)
{
    return !name || !name[0] || strcmp(name, "world") == 0 || ff_spec_find_body(s, name) >= 0;
}

static bool has_piece(const ff_spec *s, const ff_spec_tendon_piece *piece)
{
    if (piece->type == FF_TENDON_PULLEY) return true;
    if (piece->type == FF_TENDON_JOINT) return ff_spec_find_joint(s, piece->name) >= 0;
    if (piece->side && ff_spec_find_frame(s, piece->side) < 0) return false;
    return (piece->type == FF_TENDON_WRAP ? ff_spec_find_geom(s, piece->name) : ff_spec_find_frame(s, piece->name)) >=
           0;
}

static bool has_pieces(const ff_spec *s, const ff_spec_tendon *tendon)
{
    for (int i = 0; i < tendon->npiece; i++)
        if (!has_piece(s, &tendon->pieces[i])) return false;
    return true;
}

static bool has_object(const ff_spec *s, const ff_spec_sensor *sensor)
{
    const char *type = sensor->object_type, *name = sensor->object;
    if (strcmp(type, "joint") == 0) return ff_spec_find_joint(s, name) >= 0;
    if (strcmp(type, "site") == 0) return ff_spec_find_frame(s, name) >= 0;
    if (strcmp(type, "tendon") == 0) return ff_spec_find_tendon(s, name) >= 0;
    if (strcmp(type, "actuator") == 0) return ff_spec_find_actuator(s, name) >= 0;
    return strcmp(type, "body") != 0 || has_body(s, name);
}

static bool has_ends(const ff_spec *s, const ff_spec_equality *e)
{
    if (e->type != FF_EQUALITY_JOINT) return has_body(s, e->object1) && has_body(s, e->object2);
    return ff_spec_find_joint(s, e->object1) >= 0 &&
           (!e->object2 || !e->object2[0] || ff_spec_find_joint(s, e->object2) >= 0);
}

/// Removes everything but a body and its descendants. Bodies are in depth-first order, so that these are consecutive.
static void keep_from(ff_spec *s, int root)
{
    int end = root + 1;
    while (end < s->nbody && s->bodies[end].parent >= root) end++;
#define INSIDE(item) ((item).body >= root && (item).body < end)
    FF_KEEP_ITEMS(s->joints, s->njoint, INSIDE(s->joints[i]));
    FF_KEEP_ITEMS(s->geoms, s->ngeom, INSIDE(s->geoms[i]));
    FF_KEEP_ITEMS(s->frames, s->nframe, INSIDE(s->frames[i]));
#undef INSIDE
    FF_KEEP_ITEMS(s->bodies, s->nbody, i >= root && i < end);
    for (int i = 0; i < s->nbody; i++) s->bodies[i].parent = i == 0 ? -1 : s->bodies[i].parent - root;
    for (int i = 0; i < s->njoint; i++) s->joints[i].body -= root;
    for (int i = 0; i < s->ngeom; i++) s->geoms[i].body -= root;
    for (int i = 0; i < s->nframe; i++) s->frames[i].body -= root;
    FF_KEEP_ITEMS(s->tendons, s->ntendon, has_pieces(s, &s->tendons[i]));
    FF_KEEP_ITEMS(s->actuators, s->nactuator,
                  s->actuators[i].joint  ? ff_spec_find_joint(s, s->actuators[i].joint) >= 0
                  : s->actuators[i].body ? has_body(s, s->actuators[i].body)
                                         : ff_spec_find_tendon(s, s->actuators[i].tendon) >= 0);
    FF_KEEP_ITEMS(s->sensors, s->nsensor, has_object(s, &s->sensors[i]));
    FF_KEEP_ITEMS(s->equalities, s->nequality, has_ends(s, &s->equalities[i]));
    FF_KEEP_ITEMS(s->pairs, s->npair,
                  ff_spec_find_geom(s, s->pairs[i].geom1) >= 0 && ff_spec_find_geom(s, s->pairs[i].geom2) >= 0);
    FF_KEEP_ITEMS(s->excludes, s->nexclude, has_body(s, s->excludes[i].body1) && has_body(s, s->excludes[i].body2));
}

// ------------------------------------------------------------------------------------------ reading it

/// <model> of <asset> by its name, or the name of its file without folder and ending; NULL: none.
static ff_xml *find_model(const mjcf *m, const char *name)
{
    for (ff_xml *section = ff_xml_child(m->root, "asset"); section; section = ff_xml_next(section))
        for (ff_xml *node = ff_xml_child(section, "model"); node; node = ff_xml_next(node)) {
            const char *own = ff_xml_peek(node, "name"), *file = ff_xml_peek(node, "file");
            if (own && strcmp(own, name) == 0) return node;
            const char *slash = file && !own ? strrchr(file, '/') : NULL, *stem = slash ? slash + 1 : file;
            const size_t length = strlen(name);
            if (!own && stem && strncmp(stem, name, length) == 0 && stem[length] == '.') return node;
        }
    return NULL;
}

/// Is the file being read already? The error names the files of the cycle.
static bool is_cycle(mjcf *m, const ff_xml *node, const char *path)
{
    if (!ff_robot_is_open(m->from, path)) return false;
    const char *cycle = path;
    for (const ff_robot_text *at = m->from; cycle && at; at = at->importer)
        cycle = ff_arena_printf(&m->arena, "%s, %s", at->file, cycle);
    if (mjcf_has_memory(m, cycle)) mjcf_error(m, node->place, "models attach each other in a cycle: %.1000s", cycle);
    return true;
}

/// Reports a second model of the same name, once.
static void report_duplicate_model(mjcf *m, const ff_xml *model, const char *name)
{
    for (ff_xml *section = ff_xml_child(m->root, "asset"); section; section = ff_xml_next(section))
        for (ff_xml *node = ff_xml_child(section, "model"); node; node = ff_xml_next(node)) {
            const char *own = ff_xml_peek(node, "name");
            if (node == model || node->used || !own || strcmp(own, name) != 0) continue;
            mjcf_error(m, node->place, "<model>: the name \"%.100s\" is taken already", name);
            node->used = true;
        }
}

/// The model as a description, to destroy; NULL when reported.
static ff_spec *read_model(mjcf *m, ff_xml *node)
{
    const char *file = ff_xml_need(node, "file", m->report);
    ff_xml_get(node, "name");
    ff_xml_get(node, "content_type");
    node->used = true;
    if (!file) return NULL;
    if (m->depth == DEEPEST || ++*m->nattached > MOST_MODELS) {
        mjcf_error(m, node->place, "more than %d models are attached, or more than %d within each other", MOST_MODELS,
                   DEEPEST);
        return NULL;
    }
    const char *path = mjcf_file_beside(m, node, file);
    size_t length = 0;
    if (path && is_cycle(m, node, path)) return NULL;
    char *text = mjcf_has_memory(m, path)
                     ? ff_text_load(path, m->from->options->max_bytes, &length, node->place, m->report)
                     : NULL;
    ff_spec *other = text ? ff_spec_create(NULL) : NULL;
    const ff_robot_text from = {text, length, path, m->from->options, m->from->formats, m->from};
    if (other && m->read_below(m, other, &from, m->report) != FF_OK) {
        ff_spec_destroy(other);
        other = NULL;
    }
    free(text);
    return other;
}

static void join(mjcf *m, ff_xml *node, const char *prefix, ff_spec *other, int body, const double pos[3],
                 const double quat[4])
{
    ff_spec *s = m->spec;
    const char *suffix = ff_xml_peek(node, MJCF_SUFFIX);
    const int first = s->nbody;
    int before[FF_ITEM_COUNT];
    for (int k = 0; k < FF_ITEM_COUNT; k++) before[k] = ff_item_count(s, (ff_spec_item)k);
    for (int i = 0; i < other->nkey; i++)
        ff_spec_ignore(s, other->keys[i].place, "<key> of an attached model: it does not span the whole robot");
    other->nkey = 0;
    if (prefix && strlen(prefix) > MJCF_LONGEST_NAME) {
        mjcf_error(m, node->place, "<attach>: prefix is longer than %d characters", MJCF_LONGEST_NAME);
        return;
    }
    if (ff_spec_join(s, other, prefix, suffix, body, pos, quat, m->report) != FF_OK) {
        m->no_memory = m->no_memory || s->arena.failed;
        return;
    }
    if (!mjcf_grow(m, &m->parts, m->npart, &m->part_capacity, sizeof *m->parts)) return;
    m->grown = true;
    m->parts[m->npart++] = (mjcf_part){first, s->nbody};
    mjcf_name_attached(m, before);
}

bool mjcf_attach(mjcf *m, ff_xml *node, int body, const double pos[3], const double quat[4])
{
    const char *name = ff_xml_need(node, "model", m->report), *part = ff_xml_get(node, "body");
    const char *prefix = ff_xml_get(node, "prefix"); // read in any case, so that it does not count as unused
    ff_xml *model = name ? find_model(m, name) : NULL;
    if (!model) return false;
    report_duplicate_model(m, model, name);
    ff_spec *other = read_model(m, model);
    if (!other) return true;
    const int root = part ? ff_spec_find_body(other, part) : -1;
    if (part && root < 0) {
        mjcf_error(m, node->place, "<attach>: the model \"%.100s\" has no body \"%.100s\"", name, part);
    } else {
        if (part) keep_from(other, root);
        join(m, node, prefix, other, body, pos, quat);
    }
    ff_spec_destroy(other);
    return true;
}

// ------------------------------------------------------------------------------------------ order

/// Rotates an array such that its first `count` items come last. False without memory.
static bool rotate_to_end(void *items, int count, int all, size_t size)
{
    if (count == 0 || count == all) return true;
    unsigned char *bytes = items, *first = malloc((size_t)count * size);
    if (!first) return false;
    memcpy(first, bytes, (size_t)count * size);
    memmove(bytes, bytes + (size_t)count * size, (size_t)(all - count) * size);
    memcpy(bytes + (size_t)(all - count) * size, first, (size_t)count * size);
    free(first);
    return true;
}

void mjcf_attached_last(mjcf *m, int actuators, int sensors)
{
    ff_spec *s = m->spec;
    if (!rotate_to_end(s->actuators, actuators, s->nactuator, sizeof *s->actuators) ||
        !rotate_to_end(s->sensors, sensors, s->nsensor, sizeof *s->sensors))
        m->no_memory = true;
    for (int i = s->nactuator - actuators; i < s->nactuator && !m->no_memory; i++) {
        if (mjcf_grow(m, &m->actuator_uses, m->nactuator, &m->actuator_capacity, sizeof *m->actuator_uses))
            m->actuator_uses[m->nactuator++] = (mjcf_use){true, s->actuators[i].activation.type != FF_ACTIVATION_NONE};
    }
}
