// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Items that the readers of robot files make of a text: names of bodies, joints and others with their places in the
// text, and, for URDF and MJCF, an outline of the description. XML is not edited here: a native file can import it and
// change it (docs/model-files.md, "Import").
#include "outline.h"

#include "load/formats.h"

#include <footfall/json.h>
#include <footfall/load.h>
#include <footfall/text.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 20000 };

ff_spec *ff_outline_read(const char *path, const char *text, size_t length)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_report ignored = {0}; // `check` reports errors
    if (spec && ff_spec_parse(spec, "yaml", text, length, path, NULL, &ignored) != FF_OK) {
        ff_spec_destroy(spec);
        spec = NULL;
    }
    ff_report_clear(&ignored);
    return spec;
}

typedef struct list {
    ff_outline_item *items;
    const char *path;
    int count;
} list;

static void add_as(list *l, const char *role, ff_place place, const char *name, const char *own)
{
    if (!name || !name[0]) return;
    const bool here = place.file && strcmp(place.file, l->path) == 0;
    l->items[l->count++] =
        (ff_outline_item){role, here ? place.line : 0, here ? place.column : 0, name, own ? own : ""};
}

static void add(list *l, const char *role, ff_place place, const char *name)
{
    add_as(l, role, place, name, name);
}

ff_outline_item *ff_outline_items(const ff_spec *s, const char *path, ff_arena *arena, int *count)
{
    const int all = s->nbody + s->njoint + s->ngeom + s->nframe + s->nactuator + s->ndrive + s->nsensor + s->nequality +
                    s->ntendon + s->nleg + s->nhand + s->nkey + s->nmaterial;
    list l = {.path = path};
    *count = 0;
    if (all > MOST_ITEMS || !(l.items = FF_ARENA_NEW(arena, ff_outline_item, all + 1))) return NULL;
    for (int i = 0; i < s->nbody; i++) add(&l, "body", s->bodies[i].place, s->bodies[i].name);
    for (int i = 0; i < s->njoint; i++) add(&l, "joint", s->joints[i].place, s->joints[i].name);
    for (int i = 0; i < s->ngeom; i++)
        if (s->geoms[i].body >= 0)
            add_as(&l, "shape", s->geoms[i].place, s->bodies[s->geoms[i].body].name, s->geoms[i].name);
    for (int i = 0; i < s->nframe; i++) add(&l, "frame", s->frames[i].place, s->frames[i].name);
    for (int i = 0; i < s->nactuator; i++) add(&l, "actuator", s->actuators[i].place, s->actuators[i].name);
    for (int i = 0; i < s->ndrive; i++) add(&l, "drive", s->drives[i].place, s->drives[i].name);
    for (int i = 0; i < s->nsensor; i++) add(&l, "sensor", s->sensors[i].place, s->sensors[i].name);
    for (int i = 0; i < s->nequality; i++) add(&l, "loop", s->equalities[i].place, s->equalities[i].name);
    for (int i = 0; i < s->ntendon; i++) add(&l, "tendon", s->tendons[i].place, s->tendons[i].name);
    for (int i = 0; i < s->nleg; i++) add(&l, "leg", s->legs[i].place, s->legs[i].name);
    for (int i = 0; i < s->nhand; i++) add(&l, "hand", s->hands[i].place, s->hands[i].name);
    for (int i = 0; i < s->nkey; i++) add(&l, "pose", s->keys[i].place, s->keys[i].name);
    for (int i = 0; i < s->nmaterial; i++) add(&l, "material", s->materials[i].place, s->materials[i].material.name);
    *count = l.count;
    return l.items;
}

// ------------------------------------------------------------------------------------------ URDF and MJCF

typedef struct writer {
    ff_json json;
    const ff_spec *spec;
    int count;
} writer;

/// Begins an entry; the caller ends it. @return its number
static int begin(writer *w, int parent, const char *key, const char *role, const char *kind, ff_place place)
{
    ff_json_begin_object(&w->json, NULL, true);
    ff_json_integer(&w->json, "parent", parent);
    ff_json_text(&w->json, "key", key);
    ff_json_text(&w->json, "role", role);
    ff_json_text(&w->json, "kind", kind);
    ff_json_integer(&w->json, "line", place.line);
    ff_json_integer(&w->json, "column", place.column);
    return w->count++;
}

static int group(writer *w, int parent, const char *key, const char *role, const char *makes, ff_place place)
{
    const int self = begin(w, parent, key, role, "map", place);
    if (makes) ff_json_texts(&w->json, "makes", &makes, 1);
    ff_json_end_object(&w->json);
    return self;
}

static void number(writer *w, int parent, const char *key, double value, const char *unit, ff_place place)
{
    char text[FF_TEXT_NUMBER_SIZE];
    ff_text_format_number(value, text);
    begin(w, parent, key, "number", "number", place);
    ff_json_text(&w->json, "text", text);
    ff_json_number(&w->json, "value", value);
    ff_json_text(&w->json, "unit", unit);
    ff_json_end_object(&w->json);
}

static void word(writer *w, int parent, const char *key, const char *value, ff_place place)
{
    begin(w, parent, key, "text", "text", place);
    ff_json_text(&w->json, "text", value ? value : "");
    ff_json_end_object(&w->json);
}

static void write_joint(writer *w, int parent, const ff_spec_joint *j)
{
    const bool turns = j->type != FF_JOINT_SLIDE;
    const int self = group(w, parent, j->name, "joint", j->name, j->place);
    word(w, self, "type", ff_joint_name(j->type), j->place);
    if (j->limited) number(w, self, "lower", j->range[0], turns ? "rad" : "m", j->place);
    if (j->limited) number(w, self, "upper", j->range[1], turns ? "rad" : "m", j->place);
    if (j->damping != 0.0) number(w, self, "damping", j->damping, turns ? "N m s/rad" : "N s/m", j->place);
    if (j->dry_friction != 0.0) number(w, self, "dry_friction", j->dry_friction, turns ? "N m" : "N", j->place);
    if (j->stiffness != 0.0) number(w, self, "stiffness", j->stiffness, turns ? "N m/rad" : "N/m", j->place);
    if (j->armature != 0.0) number(w, self, "armature", j->armature, turns ? "kg m^2" : "kg", j->place);
    if (j->effort > 0.0) number(w, self, "effort", j->effort, turns ? "N m" : "N", j->place);
    if (j->speed > 0.0) number(w, self, "speed", j->speed, turns ? "rad/s" : "m/s", j->place);
}

/// Writes the bodies, parents first. @param entries  receives the entry of each body
static void write_bodies(writer *w, int *entries)
{
    const ff_spec *s = w->spec;
    const int root = s->nbody > 0 ? group(w, -1, "bodies", "bodies", NULL, s->bodies[0].place) : -1;
    for (int b = 0; b < s->nbody && w->count < FF_OUTLINE_NODES; b++) {
        const ff_spec_body *body = &s->bodies[b];
        const int self = entries[b] =
            group(w, body->parent < 0 ? root : entries[body->parent], body->name, "body", body->name, body->place);
        if (body->has_inertial) number(w, self, "mass", body->mass, "kg", body->place);
        for (int j = 0; j < s->njoint; j++)
            if (s->joints[j].body == b) write_joint(w, self, &s->joints[j]);
    }
}

static void write_items(writer *w)
{
    const ff_spec *s = w->spec;
    const int actuators = s->nactuator > 0 ? group(w, -1, "actuators", "actuators", NULL, s->actuators[0].place) : -1;
    for (int i = 0; i < s->nactuator && w->count < FF_OUTLINE_NODES; i++) {
        const ff_spec_actuator *a = &s->actuators[i];
        const int self = group(w, actuators, a->name, "actuator", a->name, a->place);
        word(w, self, a->tendon ? "tendon" : "joint", a->tendon ? a->tendon : a->joint, a->place);
        number(w, self, "gear", a->gear, "", a->place);
    }
    const int sensors = s->nsensor > 0 ? group(w, -1, "sensors", "sensors", NULL, s->sensors[0].place) : -1;
    for (int i = 0; i < s->nsensor && w->count < FF_OUTLINE_NODES; i++) {
        const int self = group(w, sensors, s->sensors[i].name, "sensor", s->sensors[i].name, s->sensors[i].place);
        word(w, self, "type", s->sensors[i].type, s->sensors[i].place);
        word(w, self, "on", s->sensors[i].object, s->sensors[i].place);
    }
}

char *ff_outline_xml(const char *path, const char *text, size_t length, ff_report *report)
{
    char *out = NULL;
    const ff_robot_format *format = ff_robot_format_of(ff_robot_formats, text, length, path, report);
    const ff_load_options options = ff_load_options_default();
    const ff_robot_text from = {text, length, path, &options, ff_robot_formats, NULL};
    ff_spec *spec = ff_spec_create(NULL);
    int *entries = NULL;
    if (format && spec && format->read(spec, &from, report) == FF_OK)
        entries = calloc((size_t)spec->nbody + 1, sizeof *entries);
    if (entries) {
        writer w = {.spec = spec};
        ff_json_begin_object(&w.json, NULL, false);
        ff_json_text(&w.json, "format", format->name);
        ff_json_bool(&w.json, "editable", false);
        ff_json_text(&w.json, "name", spec->name);
        ff_json_begin_array(&w.json, "nodes", false);
        write_bodies(&w, entries);
        write_items(&w);
        ff_json_end_array(&w.json);
        ff_json_end_object(&w.json);
        out = ff_json_finish(&w.json);
    }
    free(entries);
    ff_spec_destroy(spec);
    return out;
}
