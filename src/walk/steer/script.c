// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "steer/kind.h"

#include <footfall/text.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FADE = 0.5; // of forces after a failure [s]

ff_script_value *ff_script_read_value(const ff_steer_reader *r, ff_yaml *node)
{
    static const char *const words[] = {"false", "true"};
    ff_script_value *value = FF_ARENA_NEW(r->arena, ff_script_value, 1), **last;
    if (!value) return NULL;
    node->used = true;
    value->key = node->key ? ff_arena_strdup(r->arena, node->key) : NULL;
    value->type = node->type == FF_YAML_LIST  ? FF_SCRIPT_LIST
                  : node->type == FF_YAML_MAP ? FF_SCRIPT_MAP
                                              : FF_SCRIPT_TEXT;
    last = &value->child;
    for (ff_yaml *child = node->child; child; child = child->next) {
        if (!(*last = ff_script_read_value(r, child))) return NULL;
        last = &(*last)->next;
    }
    if (value->type != FF_SCRIPT_TEXT) return value;
    value->text = ff_arena_strdup(r->arena, node->text);
    for (int i = 0; i < 2 && !node->quoted; i++)
        if (strcmp(node->text, words[i]) == 0) {
            value->type = FF_SCRIPT_BOOLEAN;
            value->number = i;
        }
    ff_report ignored = {0};
    if (value->type == FF_SCRIPT_TEXT && !node->quoted && ff_yaml_as_number(node, &value->number, &ignored))
        value->type = FF_SCRIPT_NUMBER;
    ff_report_clear(&ignored);
    return value;
}

bool ff_script_read(const ff_steer_reader *r, ff_yaml *node, ff_script_source *out)
{
    enum { MOST_BYTES = 1 << 20 };
    ff_yaml *parameters = ff_yaml_get(node->parent, "parameters");
    const char *name = ff_yaml_as_string(node, r->report);
    out->path = name ? ff_text_beside(r->arena, r->file, name) : NULL;
    if (!out->path) return false;
    char *text = ff_store_text(r->store, out->path, MOST_BYTES, &out->length, node->place, r->report);
    out->text = text ? ff_arena_strndup(r->arena, text, out->length) : NULL;
    free(text);
    if (parameters && ff_yaml_expect(parameters, FF_YAML_MAP, "parameters as 'name: value'", r->report))
        out->parameters = ff_script_read_value(r, parameters);
    return out->text != NULL;
}

bool ff_script_has_sensors(const ff_io_frame *sensors)
{
    for (uint32_t i = 0; i < sensors->count; i++)
        if (ff_io_known(&ff_io_items_of(sensors)[i])) return true;
    return sensors->count == 0;
}

void ff_script_keep(const ff_reference_limit *limits, const ff_io_frame *references, double *given)
{
    const ff_io_item *items = ff_io_items_of(references);
    for (uint32_t i = 0; i < references->count; i++) {
        const bool limited = limits && limits[i].joint;
        if (!ff_io_known(&items[i])) continue;
        given[i] = limited ? ff_min(ff_max(items[i].value, limits[i].low), limits[i].high) : items[i].value;
    }
}

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/// A drive has three references in a row: position, speed, force.
void ff_script_hold(const ff_io_layout *layout, const double *given, double since, ff_io_frame *references)
{
    ff_io_item *items = ff_io_items(references);
    const double faded = ff_max(0.0, 1.0 - since / FADE);
    for (int i = 0; i < layout->count; i++) {
        const char *name = layout->names[i].name;
        if (isnan(given[i])) continue;
        double value = given[i];
        if (ends_with(name, ".speed")) value = 0.0;
        if (ends_with(name, ".force") && i >= 2 && isnan(given[i - 2])) value *= faded;
        items[i] = (ff_io_item){.value = value, .valid = 1};
    }
}
