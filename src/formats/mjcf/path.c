// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that elements of MJCF name: where they are, and what is called after them.
#include "mjcf/mjcf.h"

#include "base/file.h"

#include <footfall/text.h>

const char *mjcf_file_beside(mjcf *m, const ff_xml *node, const char *file)
{
    const char *near = ff_text_beside(&m->spec->arena, node->place.file, file);
    if (!near || ff_file_look(near, NULL) != FF_FILE_UNKNOWN) return near;
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
