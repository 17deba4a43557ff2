// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Outline of YAML texts: one entry a value, in the order of the file, each with its parent, place, range of bytes, and
// what the table of keys says of it. A value that is written once is one entry, however often aliases and parts repeat
// it. Its member `makes` lists the items of the robot, such as bodies, that the readers make of it.
#include "outline.h"

#include "native/keys.h"
#include "scene/keys.h"
#include "sense/interface.h"
#include "sense/private.h"
#include "text/yaml.h"

#include <footfall/contact.h>
#include <footfall/json.h>
#include <footfall/scene.h>
#include <footfall/text.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREE_BYTES ((size_t)64 << 20)
enum { MOST_NAMES = 200 }; // of one entry under `makes`
enum { MOST_WORDS = 200, LIBRARY_MOST = 64 };

/// Words that may replace the value of an entry.
typedef struct outline_words {
    const char *words[MOST_WORDS];
    int count; // 0: the table of keys does not list words
    char library[LIBRARY_MOST][FF_MATERIAL_NAME_MAX];
} outline_words;

typedef struct walk {
    ff_json json;
    ff_yaml *root;
    const ff_outline_item *items; // what the readers make of the file
    int nitem;
    int count;
    bool native;
    outline_words words; // of the entry that is being written
} walk;

// ------------------------------------------------------------------------------------------ words

static void add_word(outline_words *w, const char *word)
{
    if (!word || w->count >= MOST_WORDS) return;
    for (int i = 0; i < w->count; i++)
        if (strcmp(w->words[i], word) == 0) return;
    w->words[w->count++] = word;
}

static void add_words(outline_words *w, const char *const *words)
{
    for (int i = 0; words && words[i]; i++) add_word(w, words[i]);
}

static bool has_key(const ff_yaml *node, const char *key)
{
    return strcmp(node->key, key) == 0;
}

/// Materials that the file defines, then those of the library, whose names are copied to the list.
static void add_materials(outline_words *w, const ff_yaml *node)
{
    const ff_yaml *root = node;
    while (root->parent) root = root->parent;
    for (const ff_yaml *top = root->child; top; top = top->next)
        for (const ff_yaml *m = top->group == &ff_keys_materials ? top->child : NULL; m; m = m->next)
            if (m != node->parent) add_word(w, m->key);
    ff_material material;
    for (int i = 0; i < LIBRARY_MOST && ff_material_library(i, &material); i++) {
        memcpy(w->library[i], material.name, sizeof w->library[i]);
        add_word(w, w->library[i]);
    }
}

static bool is_under(const ff_yaml *node, const char *group)
{
    return node->parent->group && strcmp(node->parent->group->name, group) == 0;
}

static void find_choices(outline_words *w, const ff_yaml *node)
{
    w->count = 0;
    if (!node->parent || !node->key || node->type != FF_YAML_SCALAR || !node->row) return;
    add_words(w, node->row->words);
    if ((has_key(node, "material") && is_under(node, "shape")) || (has_key(node, "like") && is_under(node, "material")))
        add_materials(w, node);
    for (int i = 0; has_key(node, "preset") && is_under(node, "sensor") && ff_sensor_preset_name(i); i++)
        add_word(w, ff_sensor_preset_name(i));
}

// ------------------------------------------------------------------------------------------ numbers

static ff_yaml *child_named(const ff_yaml *map, const char *key)
{
    for (ff_yaml *child = map->type == FF_YAML_MAP ? map->child : NULL; child; child = child->next)
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

static bool allows(const ff_yaml *node, unsigned forms)
{
    return node->row && node->row->takes & forms && !node->group;
}

enum { NUMERIC = FF_TAKES_NUMBER | FF_TAKES_NUMBERS | FF_TAKES_NAMED };

/// Is it a number by the table of keys, and not a word that the key allows instead?
static bool is_number(const ff_yaml *node)
{
    if (!allows(node, NUMERIC)) return false;
    if (node->type != FF_YAML_SCALAR) return true;
    const char *const *words = node->row->words;
    for (int i = 0; words && words[i]; i++)
        if (strcmp(words[i], node->text) == 0) return false;
    return !allows(node, FF_TAKES_TEXT);
}

/// What an entry is: the group of its keys, or the form of its value; NULL: the table of keys does not have it.
static const char *role_of(const ff_yaml *node)
{
    static const struct {
        unsigned forms;
        const char *role;
    } leaves[] = {
        {FF_TAKES_WORD, "word"}, {FF_TAKES_SWITCH, "flag"}, {FF_TAKES_TEXTS, "names"}, {FF_TAKES_TEXT, "text"}};
    if (node->group) return node->group->name;
    if (is_number(node)) return "number";
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++)
        if (allows(node, leaves[i].forms)) return leaves[i].role;
    return NULL;
}

static bool has_role(const ff_yaml *node, const char *role)
{
    const char *own = node ? role_of(node) : NULL;
    return own && strcmp(own, role) == 0;
}

/// Value of a literal number, or of an expression where the table of keys requires a number. @return false: neither
static bool evaluate(ff_yaml *node, double *value)
{
    if (node->type != FF_YAML_SCALAR || node->quoted || ff_yaml_is_null(node)) return false;
    if (!is_number(node) && !strchr("+-.0123456789", node->text[0])) return false;
    return ff_yaml_as_number(node, value, NULL);
}

/// The name in an expression that is a name alone, such as "coxa_mass" or "-side"; NULL for other expressions.
static const char *single_name(const ff_yaml *node)
{
    const char *text = node->text[0] == '-' ? node->text + 1 : node->text;
    const bool letters =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
    return letters && text[0] && !strchr("0123456789", text[0]) ? text : NULL;
}

/// The first key whose value is just the constant of that name: its unit and range are those of the constant.
static const ff_yaml *first_use(const ff_yaml *node, const char *name)
{
    if (node->source) return NULL; // the original is searched at its own place
    if (node->type == FF_YAML_SCALAR && is_number(node) && !node->quoted) {
        const char *used = single_name(node);
        return used && strcmp(used, name) == 0 && node->row->unit[0] && node->row->unit[0] != '*' ? node : NULL;
    }
    for (const ff_yaml *child = node->child; child; child = child->next) {
        const ff_yaml *use = first_use(child, name);
        if (use) return use;
    }
    return NULL;
}

static void write_range(walk *w, const ff_yaml *node)
{
    const ff_yaml *at = node->key && strcmp(node->key, "value") == 0 && node->parent ? node->parent : node;
    const bool constant = at->parent && at->parent->group == &ff_keys_constants;
    const ff_yaml *use = constant ? first_use(w->root, at->key) : node;
    if (!use || !use->row) return;
    ff_range range = use->row->range;
    if (constant && use->text[0] == '-') range = (ff_range)FF_ANY;
    const char *unit = ff_schema_unit(use);
    char first[40];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(unit, "|*"), unit);
    ff_json_text(&w->json, "unit", first);
    if (isfinite(range.low)) ff_json_number(&w->json, "low", range.low);
    if (isfinite(range.high)) ff_json_number(&w->json, "high", range.high);
    if (range.above) ff_json_bool(&w->json, "above", true);
    if (range.below) ff_json_bool(&w->json, "below", true);
    if (range.nonzero) ff_json_bool(&w->json, "nonzero", true);
}

// ------------------------------------------------------------------------------------------ items of the robot

static bool matches_place(const ff_outline_item *item, const ff_yaml *node)
{
    if (!has_role(node, item->role)) return false;
    const ff_place *place = strcmp(item->role, "shape") == 0 || !node->key ? &node->place : &node->key_place;
    return item->line == place->line && item->column == place->column;
}

/// Items that are not found by their place: bodies with the prefix of an attachment, all items that an import adds, and
/// those whose imported values an entry changes.
static bool matches_name(const ff_outline_item *item, const ff_yaml *node)
{
    const bool top = node->parent && has_role(node->parent->parent, "robot"), body = strcmp(item->role, "body") == 0;
    if (has_role(node, "attachment") && body) {
        const ff_yaml *prefix = child_named(node, "prefix");
        return prefix && prefix->text[0] && strncmp(item->name, prefix->text, strlen(prefix->text)) == 0;
    }
    if (has_role(node->parent, "robot") && node->key && strcmp(node->key, "import") == 0)
        return body && item->line == 0;
    return top && node->key && has_role(node, item->role) && ff_text_matches(node->key, item->own);
}

static void write_made_items(walk *w, const ff_yaml *node)
{
    int n = 0;
    if (w->nitem == 0) return;
    for (int i = 0; i < w->nitem && n < MOST_NAMES; i++) {
        if (!matches_place(&w->items[i], node) && !matches_name(&w->items[i], node)) continue;
        if (n++ == 0) ff_json_begin_array(&w->json, "makes", true);
        ff_json_text(&w->json, NULL, w->items[i].name);
    }
    if (n > 0) ff_json_end_array(&w->json);
}

/// Can items of the robot be made of this entry?
static bool is_item(const ff_yaml *node)
{
    static const char *const items[] = {"body", "joint", "shape", "frame", "sensor",   "drive",      "actuator", "loop",
                                        "leg",  "hand",  "pose",  "word",  "material", "attachment", "tendon"};
    const char *role = role_of(node);
    for (size_t i = 0; role && i < sizeof items / sizeof *items; i++)
        if (strcmp(items[i], role) == 0) return true;
    return node->key && strcmp(node->key, "import") == 0;
}

// ------------------------------------------------------------------------------------------ entries

static void write_place(walk *w, const ff_yaml *node, int parent)
{
    const ff_place *place = node->key ? &node->key_place : &node->place;
    ff_json_integer(&w->json, "parent", parent);
    if (node->key) ff_json_text(&w->json, "key", node->key);
    ff_json_integer(&w->json, "line", place->line);
    ff_json_integer(&w->json, "column", place->column);
}

static void write_span(walk *w, const ff_yaml *node)
{
    ff_json_integer(&w->json, "at", node->place.line); // where messages about the value point
    ff_json_integer(&w->json, "from", node->place.column);
    ff_json_integer(&w->json, "begin", (long long)node->begin);
    ff_json_integer(&w->json, "end", (long long)node->end);
}

static const char *kind_of(walk *w, ff_yaml *node, double *value, bool *known)
{
    const bool flag = strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0;
    *known = false;
    if (ff_yaml_is_null(node)) return "null";
    if (w->words.count > 0) return "choice";
    if (!node->quoted && flag && !allows(node, FF_TAKES_TEXT)) return "flag";
    *known = evaluate(node, value);
    if (*known || (is_number(node) && !node->quoted)) return "number";
    return "text";
}

static void write_scalar(walk *w, ff_yaml *node)
{
    double value;
    bool known;
    find_choices(&w->words, node);
    const char *kind = kind_of(w, node, &value, &known);
    ff_json_text(&w->json, "kind", kind);
    write_span(w, node);
    ff_json_text(&w->json, "text", node->text);
    if (node->quoted) ff_json_bool(&w->json, "quoted", true);
    if (known) ff_json_number(&w->json, "value", value);
    if (strcmp(kind, "number") == 0) write_range(w, node);
    if (w->words.count > 0) ff_json_texts(&w->json, "choices", w->words.words, w->words.count);
}

static void write_head(walk *w, const ff_yaml *node, int parent)
{
    ff_json_begin_object(&w->json, NULL, true);
    write_place(w, node, parent);
    if (role_of(node)) ff_json_text(&w->json, "role", role_of(node));
    if (node->key && node->row && node->row->help) ff_json_text(&w->json, "help", node->row->help);
    if (node->key && node->row && node->row->initial) ff_json_text(&w->json, "default", node->row->initial);
    if (node->anchor) ff_json_text(&w->json, "anchor", node->anchor);
}

static void write_alias(walk *w, const ff_yaml *node, int parent)
{
    write_head(w, node, parent);
    ff_json_text(&w->json, "kind", "alias");
    ff_json_text(&w->json, "text", node->alias);
    ff_json_integer(&w->json, "begin", (long long)node->alias_begin);
    ff_json_integer(&w->json, "end", (long long)(node->alias_begin + 1 + strlen(node->alias)));
    if (w->native && is_item(node)) write_made_items(w, node);
    ff_json_end_object(&w->json);
    w->count++;
}

static void write_node(walk *w, ff_yaml *node, int parent);

static void write_children(walk *w, ff_yaml *node, int self)
{
    for (ff_yaml *merge = node->merges; merge; merge = merge->next)
        if (merge->alias) write_alias(w, merge, self);
    for (ff_yaml *child = node->child; child; child = child->next)
        if (!child->merged || !child->source) write_node(w, child, self); // merged by an alias: written elsewhere
}

static void write_node(walk *w, ff_yaml *node, int parent)
{
    const int self = w->count;
    if (self >= FF_OUTLINE_NODES) {
        w->count++;
        return;
    }
    if (node->alias) {
        write_alias(w, node, parent);
        return;
    }
    ff_yaml *value = child_named(node, "value"), *origin = child_named(node, "origin");
    const bool has_origin = value && !value->alias && value->type == FF_YAML_SCALAR && node->nchild <= 2;
    write_head(w, node, parent);
    if (node->type == FF_YAML_SCALAR) {
        write_scalar(w, node);
    } else if (has_origin) {
        write_scalar(w, value);
        if (origin) ff_json_text(&w->json, "origin", origin->text);
    } else {
        ff_json_text(&w->json, "kind", node->type == FF_YAML_MAP ? "map" : "list");
        write_span(w, node);
    }
    if (w->native && is_item(node)) write_made_items(w, node);
    ff_json_end_object(&w->json);
    w->count++;
    if (!has_origin) write_children(w, node, self);
}

// ------------------------------------------------------------------------------------------ the outline

static char *finish(walk *w, const char *path, ff_report *report)
{
    ff_json_end_array(&w->json);
    ff_json_end_object(&w->json);
    char *text = ff_json_finish(&w->json);
    if (w->count <= FF_OUTLINE_NODES && text) return text;
    free(text);
    if (w->count > FF_OUTLINE_NODES)
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0},
                      "the file has more than %d values: too large for the tree of the editor, edit it as text",
                      FF_OUTLINE_NODES);
    else
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "%s", ff_status_text(FF_NO_MEMORY));
    return NULL;
}

static char *outline_yaml(const char *path, const char *text, size_t length, ff_report *report)
{
    ff_arena arena = {.limit = TREE_BYTES};
    walk w = {.root = ff_yaml_parse(&arena, text, length, path, report)};
    char *out = NULL;
    if (w.root && ff_yaml_expect(w.root, FF_YAML_MAP, "a robot as a map of keys", report)) {
        ff_spec *spec = NULL;
        w.native = child_named(w.root, "footfall") != NULL && !ff_scene_detect(text, length);
        ff_schema_mark(w.root, w.native ? &ff_keys_robot : &ff_keys_scene);
        if (w.native) spec = ff_outline_read(path, text, length);
        w.items = spec ? ff_outline_items(spec, path, &arena, &w.nitem) : NULL;
        ff_json_begin_object(&w.json, NULL, false);
        ff_json_text(&w.json, "format", w.native ? "native" : "scene");
        ff_json_bool(&w.json, "editable", true);
        ff_json_begin_array(&w.json, "nodes", false);
        write_children(&w, w.root, -1);
        out = finish(&w, path, report);
        ff_spec_destroy(spec);
    }
    ff_arena_clear(&arena);
    return out;
}

char *ff_studio_outline(const char *path, const char *text, size_t length, ff_report *report)
{
    if (length > FF_OUTLINE_BYTES) {
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "the file has %zu bytes: the editor takes up to %zu",
                      length, FF_OUTLINE_BYTES);
        return NULL;
    }
    size_t first = 0;
    while (first < length && strchr(" \t\r\n\xEF\xBB\xBF", text[first]) && text[first]) first++;
    if (first < length && text[first] == '<') return ff_outline_xml(path, text, length, report);
    return outline_yaml(path, text, length, report);
}
