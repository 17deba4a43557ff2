// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// <replicate>: copies of what is inside, each in a <frame> whose pose relative to the previous one is `offset` and
// `euler`, with numbers behind all names. Elements of other sections that refer to such a name are copied along. The
// tree is changed before it is read; nested replicates are expanded first, so that their numbers precede the others.
#include "mjcf/mjcf.h"

#include <stdio.h>

enum { MOST_COPIES = 200000 }; // elements that replicates may make, all together

/// Which attribute refers to which kind.
static const struct {
    const char *attribute;
    mjcf_kind kind;
} references[] = {
    {"body", MJCF_BODY},         {"body1", MJCF_BODY},    {"body2", MJCF_BODY},          {"joint", MJCF_JOINT},
    {"joint1", MJCF_JOINT},      {"joint2", MJCF_JOINT},  {"jointinparent", MJCF_JOINT}, {"geom", MJCF_GEOM},
    {"geom1", MJCF_GEOM},        {"geom2", MJCF_GEOM},    {"site", MJCF_SITE},           {"site1", MJCF_SITE},
    {"site2", MJCF_SITE},        {"sidesite", MJCF_SITE}, {"refsite", MJCF_SITE},        {"cranksite", MJCF_SITE},
    {"slidersite", MJCF_SITE},   {"tendon", MJCF_TENDON}, {"tendon1", MJCF_TENDON},      {"tendon2", MJCF_TENDON},
    {"actuator", MJCF_ACTUATOR},
};
/// Sections whose elements may refer to others, those first that others refer to.
static const char *const sections[] = {"contact", "equality", "tendon", "actuator", "sensor"};

/// Names that one replicate multiplies.
typedef struct family {
    mjcf *m;
    ff_names names; // "kind name"
    int count;      // of its copies
    const char *separator;
    int *copies; // made so far, of all replicates
} family;

static const char *key_of(const family *f, mjcf_kind kind, const char *name)
{
    const char *key = ff_arena_printf(&f->m->arena, "%d %s", (int)kind, name);
    mjcf_has_memory(f->m, key);
    return key;
}

static bool has(const family *f, mjcf_kind kind, const char *name)
{
    const char *key = name ? key_of(f, kind, name) : NULL;
    return key && ff_names_get(&f->names, key) >= 0;
}

static bool is(const ff_xml *node, const char *name)
{
    return strcmp(node->name, name) == 0;
}

/// Kind of an element that others may name; MJCF_KIND_COUNT: none.
static mjcf_kind kind_of(const ff_xml *node)
{
    if (is(node, "body")) return MJCF_BODY;
    if (is(node, "joint") || is(node, "freejoint")) return MJCF_JOINT;
    if (is(node, "geom")) return MJCF_GEOM;
    if (is(node, "site")) return MJCF_SITE;
    if (is(node, "spatial") || is(node, "fixed")) return MJCF_TENDON;
    return mjcf_actuator_is(node->name) ? MJCF_ACTUATOR : MJCF_KIND_COUNT;
}

/// Kind of object that objtype and reftype of a sensor name.
static mjcf_kind kind_by_word(const char *word)
{
    if (word && (strcmp(word, "body") == 0 || strcmp(word, "xbody") == 0)) return MJCF_BODY;
    if (word && strcmp(word, "geom") == 0) return MJCF_GEOM;
    return word && strcmp(word, "site") == 0 ? MJCF_SITE : MJCF_KIND_COUNT;
}

/// Kind that an attribute refers to; MJCF_KIND_COUNT: none.
static mjcf_kind reference_of(const ff_xml *node, const char *attribute)
{
    if (strcmp(attribute, "objname") == 0) return kind_by_word(ff_xml_peek(node, "objtype"));
    if (strcmp(attribute, "refname") == 0) return kind_by_word(ff_xml_peek(node, "reftype"));
    for (size_t i = 0; i < sizeof references / sizeof *references; i++)
        if (strcmp(references[i].attribute, attribute) == 0) return references[i].kind;
    return MJCF_KIND_COUNT;
}

// ------------------------------------------------------------------------------------------ names that are multiplied

/// Number of elements below. The recursion here and below is as deep as the tree, FF_XML_MAX_DEPTH at most.
static int count_below(const ff_xml *node)
{
    int count = 0;
    for (const ff_xml *child = node->child; child; child = child->next) count += 1 + count_below(child);
    return count;
}

/// Adds the names of all elements below to the family.
static void collect(family *f, const ff_xml *node)
{
    for (const ff_xml *child = node->child; child && !f->m->no_memory; child = child->next) {
        const char *name = ff_xml_peek(child, "name"), *key;
        if (name && kind_of(child) != MJCF_KIND_COUNT && (key = key_of(f, kind_of(child), name)))
            ff_names_put(&f->names, key, 1);
        collect(f, child);
    }
}

/// Does the element, or one below it, refer to a name of the family?
static bool refers(const family *f, const ff_xml *node)
{
    for (int i = 0; i < node->nattribute; i++) {
        const mjcf_kind kind = reference_of(node, node->attributes[i].name);
        if (kind != MJCF_KIND_COUNT && has(f, kind, node->attributes[i].value)) return true;
    }
    for (const ff_xml *child = node->child; child; child = child->next)
        if (refers(f, child)) return true;
    return false;
}

// ------------------------------------------------------------------------------------------ copies

/// "-07": the separator, and the number with as many digits as the count has.
static const char *suffix_of(const family *f, int number)
{
    const int digits = snprintf(NULL, 0, "%d", f->count);
    const char *suffix = ff_arena_printf(&f->m->arena, "%s%0*d", f->separator, digits, number);
    mjcf_has_memory(f->m, suffix);
    return suffix;
}

static const char *with_suffix(const family *f, const char *name, const char *suffix, ff_place place)
{
    mjcf *m = f->m;
    if (strlen(name) + strlen(suffix) > MJCF_LONGEST_NAME) {
        if (!m->long_names)
            mjcf_error(m, place, "<replicate> makes names longer than %d characters", MJCF_LONGEST_NAME);
        m->long_names = true;
        return name;
    }
    const char *out = ff_arena_printf(&m->arena, "%s%s", name, suffix);
    return mjcf_has_memory(m, out) ? out : name;
}

/// The element with all below it. Its own name and references to the family get the suffix.
static ff_xml *copy(const family *f, const ff_xml *from, ff_xml *parent, const char *suffix)
{
    mjcf *m = f->m;
    ff_xml *to = FF_ARENA_NEW(&m->arena, ff_xml, 1);
    if (!mjcf_has_memory(m, to)) return NULL;
    *to = *from;
    to->parent = parent;
    to->child = to->next = NULL;
    to->attributes = FF_ARENA_NEW(&m->arena, ff_xml_attribute, from->nattribute + 1);
    if (!mjcf_has_memory(m, to->attributes)) return NULL;
    for (int i = 0; i < from->nattribute; i++) {
        ff_xml_attribute *a = &to->attributes[i];
        *a = from->attributes[i];
        const mjcf_kind kind = reference_of(from, a->name);
        const bool named = strcmp(a->name, "name") == 0 || (is(from, "attach") && strcmp(a->name, MJCF_SUFFIX) == 0);
        if (named || (kind != MJCF_KIND_COUNT && !is(from, "attach") && has(f, kind, a->value)))
            a->value = with_suffix(f, a->value, suffix, from->place);
    }
    if (is(from, "attach") && !ff_xml_peek(from, MJCF_SUFFIX)) // what it brings has names that are not known yet
        to->attributes[to->nattribute++] = (ff_xml_attribute){MJCF_SUFFIX, suffix, true};
    ff_xml **link = &to->child;
    for (const ff_xml *child = from->child; child && !m->no_memory; child = child->next) {
        if (!(*link = copy(f, child, to, suffix))) return NULL;
        link = &(*link)->next;
    }
    return to;
}

/// May `count` more elements be made?
static bool has_room(family *f, const ff_xml *node, double count)
{
    if (count <= MOST_COPIES - *f->copies) {
        *f->copies += (int)count;
        return true;
    }
    mjcf_error(f->m, node->place, "<replicate> makes more than %d elements", MOST_COPIES);
    return false;
}

/// In each section, elements that refer to the family go to its end, once for each copy.
static void copy_references(family *f, const ff_xml *node)
{
    mjcf *m = f->m;
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
        for (ff_xml *section = ff_xml_child(m->root, sections[s]); section; section = ff_xml_next(section)) {
            ff_xml *moved = NULL, **last_moved = &moved, **link = &section->child;
            int count = 0;
            while (*link) {
                ff_xml *item = *link;
                if (!refers(f, item)) {
                    link = &item->next;
                    continue;
                }
                *link = item->next;
                item->next = NULL;
                *last_moved = item;
                last_moved = &item->next;
                count += 1 + count_below(item);
                const char *name = ff_xml_peek(item, "name"), *key;
                if (name && kind_of(item) != MJCF_KIND_COUNT && (key = key_of(f, kind_of(item), name)))
                    ff_names_put(&f->names, key, 1);
            }
            if (count == 0 || !has_room(f, node, (double)count * f->count)) continue;
            for (int i = 0; i < f->count && !m->no_memory; i++) {
                const char *suffix = suffix_of(f, i);
                for (const ff_xml *item = moved; item && !m->no_memory; item = item->next)
                    if ((*link = copy(f, item, section, suffix))) link = &(*link)->next;
            }
        }
}

// ------------------------------------------------------------------------------------------ one replicate

static const char *numbers_text(mjcf *m, const double *x, int n)
{
    const char *text = n == 3 ? ff_arena_printf(&m->arena, "%.17g %.17g %.17g", x[0], x[1], x[2])
                              : ff_arena_printf(&m->arena, "%.17g %.17g %.17g %.17g", x[0], x[1], x[2], x[3]);
    mjcf_has_memory(m, text);
    return text;
}

static ff_xml *make_frame(mjcf *m, const ff_xml *node, const double pos[3], const double quat[4])
{
    ff_xml *frame = FF_ARENA_NEW(&m->arena, ff_xml, 1);
    ff_xml_attribute *a = FF_ARENA_NEW(&m->arena, ff_xml_attribute, 3);
    if (!mjcf_has_memory(m, frame) || !mjcf_has_memory(m, a)) return NULL;
    *frame = (ff_xml){.name = "frame", .text = "", .attributes = a, .parent = node->parent, .place = node->place};
    a[frame->nattribute++] = (ff_xml_attribute){.name = "pos", .value = numbers_text(m, pos, 3)};
    a[frame->nattribute++] = (ff_xml_attribute){.name = "quat", .value = numbers_text(m, quat, 4)};
    const char *class = ff_xml_peek(node, "childclass");
    if (class) a[frame->nattribute++] = (ff_xml_attribute){.name = "childclass", .value = class};
    return m->no_memory ? NULL : frame;
}

/// Puts the copies where `link` points to the replicate. @return the link to the next sibling
static ff_xml **replicate(mjcf *m, ff_xml **link, int *copies)
{
    ff_xml *node = *link, *next = node->next;
    double offset[3] = {0, 0, 0}, euler[3] = {0, 0, 0}, pos[3] = {0, 0, 0};
    const int errors = m->report->errors;
    family f = {.m = m, .count = ff_xml_integer(node, "count", 0, m->report), .copies = copies};
    const bool misread = m->report->errors > errors;
    const char *separator = ff_xml_get(node, "sep");
    f.separator = separator ? separator : "";
    ff_xml_numbers(node, "offset", offset, 3, 3, m->report);
    ff_xml_numbers(node, "euler", euler, 3, 3, m->report);
    ff_xml_get(node, "childclass"); // goes to the frames
    mjcf_list_unread(m, node);      // it is gone then
    *link = next;
    if (f.count < 1 || strlen(f.separator) > MJCF_LONGEST_NAME) {
        if (strlen(f.separator) > MJCF_LONGEST_NAME)
            mjcf_error(m, node->place, "<replicate>: sep is longer than %d characters", MJCF_LONGEST_NAME);
        else if (!ff_xml_peek(node, "count"))
            mjcf_error(m, node->place, "<replicate> needs a count");
        else if (!misread)
            mjcf_error(m, node->place, "<replicate>: count is %d; a positive number is needed", f.count);
        return link;
    }
    const int size = 1 + count_below(node);
    if (!has_room(&f, node, (double)size * f.count)) return link;
    int referring = 0;
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
        for (ff_xml *section = ff_xml_child(m->root, sections[s]); section; section = ff_xml_next(section))
            referring += count_below(section);
    if (!ff_names_init(&f.names, &m->arena, size + referring)) {
        m->no_memory = true;
        return link;
    }
    m->grown = true;
    collect(&f, node);
    for (int i = 0; i < f.count && !m->no_memory; i++) {
        mjcf_orient turn = mjcf_orient_default();
        double quat[4], step[3];
        turn.has_euler = true;
        ff_vec3_scale(turn.euler, euler, i);
        mjcf_orient_resolve(m, node, &turn, quat);
        ff_xml *frame = make_frame(m, node, pos, quat);
        ff_quat_rotate(step, quat, offset);
        ff_vec3_add(pos, pos, step);
        if (!frame) return link;
        *link = frame;
        link = &frame->next;
        const char *suffix = suffix_of(&f, i);
        ff_xml **inside = &frame->child;
        for (const ff_xml *child = node->child; child && !m->no_memory; child = child->next)
            if ((*inside = copy(&f, child, frame, suffix))) inside = &(*inside)->next;
    }
    *link = next;
    copy_references(&f, node);
    return link;
}

static void expand(mjcf *m, ff_xml *parent, int *copies)
{
    ff_xml **link = &parent->child;
    while (*link && !m->no_memory) {
        ff_xml *node = *link;
        expand(m, node, copies);
        link = is(node, "replicate") ? replicate(m, link, copies) : &node->next;
    }
}

void mjcf_replicate_all(mjcf *m)
{
    int copies = 0;
    for (ff_xml *section = ff_xml_child(m->root, "worldbody"); section; section = ff_xml_next(section))
        expand(m, section, &copies);
}
