// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages of the MJCF reader: errors and warnings with their place, and the list of what has no effect, with reasons.
#include "mjcf/mjcf.h"
#include "mjcf/table.h"

#include <stdio.h>

void mjcf_error(mjcf *m, ff_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ff_report_addv(m->report, FF_ERROR, place, format, args);
    va_end(args);
}

void mjcf_warn(mjcf *m, ff_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ff_report_addv(m->report, FF_WARNING, place, format, args);
    va_end(args);
}

void mjcf_leave_out(mjcf *m, ff_xml *node, const char *format, ...)
{
    char reason[200];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    ff_spec_ignore(m->spec, node->place, "<%s>%s%s", node->name, reason[0] ? ": " : "", reason);
    node->used = true;
    node->nattribute = 0;
    node->child = NULL;
}

void mjcf_unresolved(mjcf *m, ff_xml *node, const char *what, const char *name)
{
    if (m->incomplete)
        mjcf_leave_out(m, node, "it names a %s that was left out", what);
    else
        mjcf_error(m, node->place, "<%s> names the %s \"%.100s\", which does not exist", node->name, what, name);
}

bool mjcf_has_memory(mjcf *m, const void *memory)
{
    if (!memory) m->no_memory = true;
    return memory != NULL;
}

bool mjcf_grow(mjcf *m, void *items, int count, int *capacity, size_t size)
{
    return ff_array_grow(items, count, capacity, size) || mjcf_has_memory(m, NULL);
}

// ------------------------------------------------------------------------------------------ what is not used

/// Why an element that was not read is not used.
static const char *element_reason(const ff_xml *node)
{
    const mjcf_element *row = ff_mjcf_table_find(node->parent ? node->parent->name : "", node->name);
    if (!row) return "MJCF has no such element here";
    return row->reason ? row->reason : "";
}

static const char *attribute_reason(const ff_xml *node, const char *attribute)
{
    const mjcf_element *row = ff_mjcf_table_find(node->parent ? node->parent->name : "", node->name);
    const bool known = row && (ff_mjcf_table_has(row->used, attribute) || ff_mjcf_table_has(row->ignored, attribute));
    if (!known) return "MJCF has no such attribute";
    const char *reason = ff_mjcf_table_reason(node->name, attribute);
    return reason ? reason : "";
}

void mjcf_list_unread(mjcf *m, const ff_xml *node)
{
    for (int i = 0; i < node->nattribute; i++) {
        if (node->attributes[i].used) continue;
        const char *reason = attribute_reason(node, node->attributes[i].name);
        ff_spec_ignore(m->spec, node->place, "attribute '%s' of <%s>%s%s", node->attributes[i].name, node->name,
                       reason[0] ? ": " : "", reason);
    }
}

void mjcf_list_all_unread(mjcf *m)
{
    for (const ff_xml *node = m->root; node; node = ff_xml_after(node, !node->used)) {
        if (node->used) {
            mjcf_list_unread(m, node);
            continue;
        }
        const char *reason = element_reason(node);
        ff_spec_ignore(m->spec, node->place, "<%s>%s%s", node->name, reason[0] ? ": " : "", reason);
    }
}
