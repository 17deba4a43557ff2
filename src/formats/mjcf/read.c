// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Attribute values that only MJCF has: three-valued limits, lists of any length, numbers that newer files extend to
// polynomials, names of files.
#include "mjcf/mjcf.h"

#include "base/file.h"

#include <footfall/text.h>

bool mjcf_flag(mjcf *m, ff_xml *node, const char *name, bool fallback)
{
    static const char *const words[] = {"false", "true", NULL};
    return ff_xml_choice(node, name, words, fallback, m->report) == 1;
}

mjcf_limited mjcf_limited_read(mjcf *m, ff_xml *node, const char *name, mjcf_limited fallback)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    return (mjcf_limited)ff_xml_choice(node, name, words, (int)fallback, m->report);
}

bool mjcf_limited_resolve(mjcf *m, ff_xml *node, const char *what, mjcf_limited limited, const double range[2])
{
    bool given = range[0] != 0.0 || range[1] != 0.0;
    if (limited == MJCF_UNLIMITED || (limited == MJCF_AUTO && (!given || !m->autolimits))) return false;
    if (range[0] < range[1]) return true;
    mjcf_error(m, node->place, "<%s>: %s is %g to %g: the first number must be smaller than the second", node->name,
               what, range[0], range[1]);
    return false;
}

double mjcf_not_negative(mjcf *m, ff_xml *node, const char *name, double fallback)
{
    const double value = ff_xml_number(node, name, fallback, m->report);
    if (value < 0.0) mjcf_error(m, node->place, "<%s>: %s is %g; it must not be negative", node->name, name, value);
    return value;
}

double mjcf_first_number(mjcf *m, ff_xml *node, const char *name, double fallback)
{
    double values[3] = {fallback, 0.0, 0.0};
    int count = ff_xml_numbers(node, name, values, 1, 3, m->report);
    if (count > 1 && (values[1] != 0.0 || values[2] != 0.0))
        ff_spec_ignore(m->spec, node->place, "higher terms of '%s' of <%s>", name, node->name);
    return count > 0 ? values[0] : fallback;
}

void mjcf_colour(mjcf *m, ff_xml *node, double rgba[4])
{
    const char *text = ff_xml_peek(node, "rgba");
    if (text && ff_xml_next_word(&text) == 0) {
        ff_xml_get(node, "rgba");
        ff_spec_ignore(m->spec, node->place, "empty attribute 'rgba' of <%s>", node->name);
        return;
    }
    ff_xml_numbers(node, "rgba", rgba, 4, 4, m->report);
}

double *mjcf_numbers(mjcf *m, ff_xml *node, const char *name, int most, ff_arena *arena, int *count)
{
    const char *text = ff_xml_get(node, name), *at = text;
    size_t length;
    *count = 0;
    if (!text) return NULL;
    for (; (length = ff_xml_next_word(&at)) > 0 && *count <= most; at += length) (*count)++;
    if (*count > most) {
        mjcf_error(m, node->place, "attribute '%s' of <%s> has more than %d numbers", name, node->name, most);
        *count = 0;
        return NULL;
    }
    double *values = FF_ARENA_NEW(arena, double, *count + 1);
    if (!mjcf_has_memory(m, values)) return NULL;
    at = text;
    for (int i = 0; i < *count; i++, at += length) {
        length = ff_xml_next_word(&at);
        if (ff_text_number(at, length, &values[i]) && fabs(values[i]) <= 1e12) continue;
        mjcf_error(m, node->place, "attribute '%s' of <%s>: number %d is '%.*s'; a finite number up to 1e12 is needed",
                   name, node->name, i + 1, (int)(length > 40 ? 40 : length), at);
        *count = 0;
        return NULL;
    }
    return values;
}

// ------------------------------------------------------------------------------------------ files

const char *mjcf_file_beside(mjcf *m, const ff_xml *node, const char *file)
{
    const char *near = ff_text_beside(&m->spec->arena, node->place.file, file);
    if (!near || ff_file_kind_at(near, NULL) != FF_FILE_UNKNOWN) return near;
    return ff_text_beside(&m->spec->arena, m->file, file);
}

const char *mjcf_base_name(mjcf *m, const char *file)
{
    const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file, *dot = strrchr(start, '.');
    return ff_arena_strndup(&m->arena, start, dot && dot > start ? (size_t)(dot - start) : strlen(start));
}

const char *mjcf_asset_path(mjcf *m, const ff_xml *node, const char *file)
{
    const char *slash = strrchr(file, '/');
    if (m->strippath && slash) file = slash + 1;
    if (m->meshdir && m->meshdir[0] && file[0] != '/') file = ff_arena_printf(&m->arena, "%s/%s", m->meshdir, file);
    return file ? mjcf_file_beside(m, node, file) : NULL;
}

bool mjcf_ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}
