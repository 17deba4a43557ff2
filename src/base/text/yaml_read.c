// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Readers of the YAML tree: each marks the key it reads, reports errors with their place, and gives a fallback.
#include "text/yaml.h"

#include "base/join.h"
#include "text/schema.h"

#include <assert.h>
#include <footfall/text.h>
#include <limits.h>
#include <math.h>
#include <string.h>

const char *ff_yaml_hint(const char *word, const char *const *candidates, int count, const ff_report *report)
{
    if (!report || report->errors + report->warnings >= FF_REPORT_MAX) return NULL;
    return ff_text_nearest(word, candidates, count);
}

ff_yaml *ff_yaml_get(ff_yaml *node, const char *key)
{
    if (!node || node->type != FF_YAML_MAP) return NULL;
    assert(!node->group || ff_row_find(node->group, key));
    for (ff_yaml *child = node->child; child; child = child->next) {
        if (strcmp(child->key, key) != 0) continue;
        child->used = true;
        return child;
    }
    return NULL;
}

ff_yaml *ff_yaml_need(ff_yaml *node, const char *key, ff_report *report)
{
    ff_yaml *child = ff_yaml_get(node, key);
    if (!child && node) ff_report_add(report, FF_ERROR, node->place, "key '%s' is missing here", key);
    return child;
}

bool ff_yaml_is_null(const ff_yaml *node)
{
    if (!node || node->type != FF_YAML_SCALAR || node->quoted) return false;
    return node->text[0] == 0 || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0;
}

bool ff_yaml_expect(ff_yaml *node, ff_yaml_type type, const char *what, ff_report *report)
{
    static const char *const kinds[] = {"a single value", "a list", "a map"};
    if (!node) return false;
    if (node->type == type) return true;
    ff_report_add(report, FF_ERROR, node->place, "expected %s%s%s%s, got %s", what, node->key ? " for '" : "",
                  node->key ? node->key : "", node->key ? "'" : "", kinds[node->type]);
    return false;
}

void ff_yaml_use(ff_yaml *node)
{
    node->used = true;
    for (ff_yaml *child = node->child; child; child = child->next) ff_yaml_use(child);
}

// ------------------------------------------------------------------------------------------ values

double ff_yaml_number(ff_yaml *node, const char *key, double fallback, ff_report *report)
{
    ff_yaml *child = ff_yaml_get(node, key);
    double value = fallback;
    if (child) ff_yaml_as_number(child, &value, report);
    return value;
}

int ff_yaml_integer(ff_yaml *node, const char *key, int fallback, ff_report *report)
{
    ff_yaml *child = ff_yaml_get(node, key);
    double value;
    if (!child || !ff_yaml_as_number(child, &value, report)) return fallback;
    if (value == floor(value) && fabs(value) <= INT_MAX) return (int)value;
    ff_report_add(report, FF_ERROR, child->place, "'%s' is %.12g: it must be a whole number", key, value);
    return fallback;
}

bool ff_yaml_boolean(ff_yaml *node, const char *key, bool fallback, ff_report *report)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on", NULL};
    return ff_yaml_choice(node, key, words, fallback ? 1 : 0, report) % 2 == 1;
}

const char *ff_yaml_as_string(ff_yaml *node, ff_report *report)
{
    if (!ff_yaml_expect(node, FF_YAML_SCALAR, "a word or text", report)) return NULL;
    if (!ff_yaml_is_null(node)) return node->text;
    ff_report_add(report, FF_ERROR, node->place, "expected a word or text%s%s%s, got nothing",
                  node->key ? " for '" : "", node->key ? node->key : "", node->key ? "'" : "");
    return NULL;
}

const char *ff_yaml_string(ff_yaml *node, const char *key, const char *fallback, ff_report *report)
{
    ff_yaml *child = ff_yaml_get(node, key);
    const char *text = child ? ff_yaml_as_string(child, report) : NULL;
    return text ? text : fallback;
}

int ff_yaml_as_numbers(ff_yaml *node, double *out, int least, int most, ff_report *report)
{
    if (node->type == FF_YAML_MAP && !node->group && ff_yaml_get(node, "value")) { // {value: [..], origin: ..}
        ff_yaml *origin = ff_yaml_get(node, "origin");
        if (origin && !ff_yaml_as_string(origin, report)) return -1;
        node = ff_yaml_get(node, "value");
    }
    if (!ff_yaml_expect(node, FF_YAML_LIST, "a list of numbers", report)) return -1;
    if (node->nchild < least || node->nchild > most) {
        if (least == most)
            ff_report_add(report, FF_ERROR, node->place, "expected %d numbers, got %d", least, node->nchild);
        else
            ff_report_add(report, FF_ERROR, node->place, "expected %d to %d numbers, got %d", least, most,
                          node->nchild);
        return -1;
    }
    bool fine = true;
    double value;
    for (ff_yaml *item = node->child; item; item = item->next) fine = ff_yaml_as_number(item, &value, report) && fine;
    if (!fine) return -1;
    int n = 0;
    for (ff_yaml *item = node->child; item; item = item->next) ff_yaml_as_number(item, &out[n++], report);
    return n;
}

int ff_yaml_numbers(ff_yaml *node, const char *key, double *out, int least, int most, ff_report *report)
{
    ff_yaml *child = ff_yaml_get(node, key);
    return child ? ff_yaml_as_numbers(child, out, least, most, report) : 0;
}

int ff_yaml_choice(ff_yaml *node, const char *key, const char *const *words, int fallback, ff_report *report)
{
    ff_yaml *child = ff_yaml_get(node, key);
    const char *text = child ? ff_yaml_as_string(child, report) : NULL;
    if (!text) return fallback;
    int count = 0;
    for (; words[count]; count++)
        if (strcmp(words[count], text) == 0) return count;
    char known[300];
    ff_join_names(known, sizeof known, words, count);
    const char *near = ff_yaml_hint(text, words, count, report);
    ff_report_add(report, FF_ERROR, child->place, "'%s' is '%.60s'; allowed: %s%s%s%s", key, text, known,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return fallback;
}

void ff_yaml_pose(ff_yaml *node, double pos[3], double quat[4], ff_report *report)
{
    double rpy[3], q[4];
    ff_yaml_numbers(node, "pos", pos, 3, 3, report);
    bool turned = ff_yaml_numbers(node, "rpy", rpy, 3, 3, report) == 3;
    if (turned) ff_quat_from_rpy(quat, rpy);
    if (ff_yaml_numbers(node, "quat", q, 4, 4, report) != 4) return;
    ff_yaml *place = ff_yaml_get(node, "quat");
    double length = ff_quat_normalise(q);
    if (turned)
        ff_report_add(report, FF_ERROR, place->place, "give either rpy or quat");
    else if (fabs(length - 1.0) > 1e-3)
        ff_report_add(report, FF_ERROR, place->place, "the quaternion (w, x, y, z) has length %g: it must be 1",
                      length);
    else
        ff_quat_copy(quat, q);
}

// ------------------------------------------------------------------------------------------ unknown keys

void ff_yaml_report_unused(const ff_yaml *root, ff_severity severity, ff_report *report)
{
    for (const ff_yaml *child = root->child; child; child = child->next) {
        if (root->type == FF_YAML_MAP && !child->used)
            ff_report_add(report, severity, child->key_place,
                          child->row ? "'%.80s' has no effect here, beside what else is given" : "unknown key '%.80s'",
                          child->key);
        else
            ff_yaml_report_unused(child, severity, report);
    }
}

bool ff_yaml_out_of_memory(const ff_arena *arena)
{
    enum { LARGEST_VALUE = 1 << 20 }; // [byte] an arena that has less than this left is at its limit
    return arena->failed && (arena->limit == 0 || arena->total + LARGEST_VALUE < arena->limit);
}

void ff_yaml_hand_over(ff_report *from, ff_report *to)
{
    for (int i = 0; i < from->count; i++) {
        const ff_message *m = &from->messages[i];
        ff_report_add(to, m->severity, (ff_place){m->file, m->line, m->column}, "%s", m->text);
    }
    ff_report_clear(from);
}
