// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Readers of the XML tree: children by name, attributes as words and numbers, with messages that name element,
// attribute, value and place.
#include <footfall/text.h>
#include <math.h>
#include <string.h>

#include "base/join.h"
#include "text/xml.h"

#define LARGEST 1e12 // no length, mass or stiffness of a robot comes near; its square still leaves room in a double

ff_xml *ff_xml_child(const ff_xml *node, const char *name)
{
    if (!node) return NULL;
    for (ff_xml *child = node->child; child; child = child->next)
        if (strcmp(child->name, name) == 0) return child;
    return NULL;
}

ff_xml *ff_xml_next(const ff_xml *node)
{
    if (!node) return NULL;
    for (ff_xml *next = node->next; next; next = next->next)
        if (strcmp(next->name, node->name) == 0) return next;
    return NULL;
}

ff_xml *ff_xml_after(const ff_xml *node, bool skip)
{
    if (node->child && !skip) return node->child;
    while (node && !node->next) node = node->parent;
    return node ? node->next : NULL;
}

static ff_xml_attribute *find(const ff_xml *node, const char *name)
{
    if (!node) return NULL;
    for (int i = 0; i < node->nattribute; i++)
        if (strcmp(node->attributes[i].name, name) == 0) return &node->attributes[i];
    return NULL;
}

const char *ff_xml_peek(const ff_xml *node, const char *name)
{
    const ff_xml_attribute *attribute = find(node, name);
    return attribute ? attribute->value : NULL;
}

const char *ff_xml_get(ff_xml *node, const char *name)
{
    ff_xml_attribute *attribute = find(node, name);
    if (!attribute) return NULL;
    attribute->used = true;
    return attribute->value;
}

const char *ff_xml_need(ff_xml *node, const char *name, ff_report *report)
{
    const char *value = ff_xml_get(node, name);
    if (value && *value) return value;
    ff_report_add(report, FF_ERROR, node->place,
                  value ? "<%s>: attribute '%s' is empty" : "<%s> needs an attribute '%s'", node->name, name);
    return NULL;
}

size_t ff_xml_next_word(const char **at)
{
    while (ff_xml_is_space(**at)) (*at)++;
    size_t n = 0;
    while ((*at)[n] && !ff_xml_is_space((*at)[n])) n++;
    return n;
}

static int wrong_count(const ff_xml *node, const char *name, int count, int least, int most, ff_report *report)
{
    if (least == most)
        ff_report_add(report, FF_ERROR, node->place, "<%s>: attribute '%s' holds %d numbers: it needs %d", node->name,
                      name, count, least);
    else
        ff_report_add(report, FF_ERROR, node->place, "<%s>: attribute '%s' holds %d numbers: it needs %d to %d",
                      node->name, name, count, least, most);
    return -1;
}

int ff_xml_numbers(ff_xml *node, const char *name, double *out, int least, int most, ff_report *report)
{
    const char *at = ff_xml_get(node, name);
    if (!at) return 0;
    int count = 0;
    for (size_t n; (n = ff_xml_next_word(&at)) > 0; at += n, count++) {
        double value;
        int shown = (int)(n < 40 ? n : 40);
        if (!ff_text_number(at, n, &value)) {
            ff_report_add(report, FF_ERROR, node->place,
                          "<%s>: attribute '%s': \"%.*s\" is not a finite decimal number", node->name, name, shown, at);
            return -1;
        }
        if (fabs(value) > LARGEST) {
            ff_report_add(report, FF_ERROR, node->place,
                          "<%s>: attribute '%s': %.*s is too large: at most 1e12 in size is taken", node->name, name,
                          shown, at);
            return -1;
        }
        if (count < most) out[count] = value;
    }
    return count < least || count > most ? wrong_count(node, name, count, least, most, report) : count;
}

double ff_xml_number(ff_xml *node, const char *name, double fallback, ff_report *report)
{
    double value = fallback;
    return ff_xml_numbers(node, name, &value, 1, 1, report) == 1 ? value : fallback;
}

int ff_xml_integer(ff_xml *node, const char *name, int fallback, ff_report *report)
{
    double value = fallback;
    if (ff_xml_numbers(node, name, &value, 1, 1, report) != 1) return fallback;
    if (value == floor(value) && fabs(value) <= 2147483647.0) return (int)value;
    ff_report_add(report, FF_ERROR, node->place, "<%s>: attribute '%s' is %g: it must be a whole number", node->name,
                  name, value);
    return fallback;
}

int ff_xml_choice(ff_xml *node, const char *name, const char *const *words, int fallback, ff_report *report)
{
    const char *value = ff_xml_get(node, name);
    if (!value) return fallback;
    char list[256];
    int count = 0;
    for (; words[count]; count++)
        if (strcmp(value, words[count]) == 0) return count;
    ff_join_names(list, sizeof list, words, count);
    ff_report_add(report, FF_ERROR, node->place, "<%s>: attribute '%s' is \"%.40s\": it must be one of %s", node->name,
                  name, value, list);
    return fallback;
}
