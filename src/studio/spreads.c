// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#include "spreads.h"

#include <stdio.h>

static ff_status no_memory(ff_error *err)
{
    return ff_error_set(err, FF_NO_MEMORY, "%s", ff_status_text(FF_NO_MEMORY));
}

static ff_status read_row(ff_yaml *item, ff_arena *arena, ff_batch_spread *row, ff_error *err)
{
    const char *which = NULL, *kind = "uniform";
    ff_yaml *numbers = item;
    ff_batch_parameter quantity;
    if (ff_batch_spread_find(item->key, &quantity, &which, err)) return err->status;
    if (item->type == FF_YAML_MAP) {
        kind = ff_yaml_get(item, "kind")->text;
        numbers = ff_yaml_get(item, "numbers");
    }
    const int count = numbers->nchild;
    double *values = FF_ARENA_NEW(arena, double, count + 1);
    if (!values) return no_memory(err);
    if (count > 0) ff_yaml_as_numbers(numbers, values, count, count, NULL);
    ff_error wrong = {0};
    if (ff_batch_spread_make(row, quantity, kind, values, count, &wrong))
        return ff_error_set(err, wrong.status, "'%.60s': %s", item->key, wrong.text);
    row->which = which ? ff_arena_strdup(arena, which) : NULL;
    return which && !row->which ? no_memory(err) : FF_OK;
}

ff_status ff_spreads_read(const ff_yaml *node, ff_arena *arena, ff_batch_spread **rows, int *count, ff_error *err)
{
    const bool given = node && !ff_yaml_is_null(node);
    *count = 0;
    *rows = FF_ARENA_NEW(arena, ff_batch_spread, (given ? node->nchild : 0) + 1);
    if (!*rows) return no_memory(err);
    for (ff_yaml *item = given ? node->child : NULL; item; item = item->next)
        if (read_row(item, arena, &(*rows)[(*count)++], err)) return err->status;
    return FF_OK;
}

static void write_row(const ff_batch_spread *s, const char *name, ff_json *json)
{
    const double ends[2] = {s->low, s->high}, normal[4] = {s->mean, s->deviation, s->low, s->high};
    if (s->kind == FF_BATCH_UNIFORM) {
        ff_json_numbers(json, name, ends, 2);
        return;
    }
    ff_json_begin_object(json, name, true);
    ff_json_text(json, "kind", ff_batch_distribution_name(s->kind));
    if (s->kind == FF_BATCH_CHOICE)
        ff_json_numbers(json, "numbers", s->values, s->nvalue);
    else if (s->kind == FF_BATCH_NORMAL)
        ff_json_numbers(json, "numbers", normal, s->low != 0.0 || s->high != 0.0 ? 4 : 2);
    else
        ff_json_numbers(json, "numbers", ends, 2);
    ff_json_end_object(json);
}

void ff_spreads_write(const ff_batch_spread *rows, int count, ff_json *json)
{
    ff_json_begin_object(json, "spread", true);
    for (int i = 0; i < count; i++) {
        char name[300];
        const char *which = rows[i].which;
        snprintf(name, sizeof name, "%s%s%s", ff_batch_parameter_name(rows[i].quantity), which ? "." : "",
                 which ? which : "");
        write_row(&rows[i], name, json);
    }
    ff_json_end_object(json);
}
