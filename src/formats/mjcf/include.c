// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// <include file="..."/>: the children of the other file's root replace the element, in any section. Paths
// start at the folder of the file that includes, or else at that of the main file. As in MuJoCo, no file may be
// included twice, so that there are no cycles.
#include "mjcf/mjcf.h"

#include <footfall/text.h>
#include <stdlib.h>

#include "base/file.h"

#define MOST_INCLUDES 200

typedef struct includer {
    mjcf *m;
    const char *files[MOST_INCLUDES]; // real paths read so far, the main file first
    ff_place places[MOST_INCLUDES];   // of the <include> element
    int count;
    size_t bytes;
} includer;

static int depth_of(const ff_xml *node)
{
    int depth = 0;
    for (; node; node = node->parent) depth++;
    return depth;
}

/// Levels below and including `root`, without recursion.
static int height_of(const ff_xml *root)
{
    int depth = 1, most = 1;
    const ff_xml *node = root;
    while (true) {
        if (node->child) {
            node = node->child;
            if (++depth > most) most = depth;
            continue;
        }
        while (node != root && !node->next) {
            node = node->parent;
            depth--;
        }
        if (node == root) return most;
        node = node->next;
    }
}

/// The path with links and dots resolved, where there is such a file; otherwise as it is.
static const char *real_path(includer *in, const char *path)
{
    char *real = ff_file_real(path);
    const char *kept = real ? ff_arena_strdup(&in->m->arena, real) : path;
    free(real);
    mjcf_has_memory(in->m, kept);
    return kept;
}

/// Path of the file to include, in the description's arena; NULL with an error when it must not be read.
static const char *included_path(includer *in, ff_xml *node)
{
    mjcf *m = in->m;
    const char *file = ff_xml_need(node, "file", m->report);
    if (!file) return NULL;
    if (node->child) mjcf_error(m, node->place, "<include> must be empty, it has a <%s>", node->child->name);
    const char *path = mjcf_file_beside(m, node, file);
    const char *real = mjcf_has_memory(m, path) ? real_path(in, path) : NULL;
    if (!real) return NULL;
    for (int i = 0; i < in->count; i++) {
        if (strcmp(in->files[i], real) != 0) continue;
        if (i == 0)
            mjcf_error(m, node->place, "the file \"%.200s\" includes itself", file);
        else
            mjcf_error(m, node->place, "the file \"%.200s\" is included already, at %s:%d:%d", file, in->places[i].file,
                       in->places[i].line, in->places[i].column);
        return NULL;
    }
    if (in->count == MOST_INCLUDES) {
        mjcf_error(m, node->place, "more than %d files are included", MOST_INCLUDES);
        return NULL;
    }
    in->files[in->count] = real;
    in->places[in->count++] = node->place;
    return path;
}

/// Root of the other file's tree, or NULL with an error.
static ff_xml *read_root(includer *in, ff_xml *node)
{
    mjcf *m = in->m;
    const char *path = included_path(in, node);
    size_t length = 0, left = m->from->options->max_bytes > in->bytes ? m->from->options->max_bytes - in->bytes : 0;
    char *text = path ? ff_text_load(path, left, &length, node->place, m->report) : NULL;
    if (!text) return NULL;
    in->bytes += length;
    ff_xml *root = ff_xml_parse(&m->arena, text, length, path, m->report);
    free(text);
    if (!root) return NULL;
    if (strcmp(root->name, "mujoco") != 0 && strcmp(root->name, "mujocoinclude") != 0) {
        mjcf_error(m, root->place,
                   "the root element of an included file is <%s>; it must be <mujoco> or "
                   "<mujocoinclude>",
                   root->name);
        return NULL;
    }
    if (depth_of(node) + height_of(root) > FF_XML_MAX_DEPTH) {
        mjcf_error(m, node->place, "with this file, elements are nested deeper than %d", FF_XML_MAX_DEPTH);
        return NULL;
    }
    return root;
}

/// Replaces the <include> that `link` points to by the children of `root`; NULL: removes it.
static void replace_include(ff_xml **link, ff_xml *root)
{
    ff_xml *include = *link, *last = NULL;
    for (ff_xml *child = root ? root->child : NULL; child; child = child->next) {
        child->parent = include->parent;
        last = child;
    }
    *link = last ? root->child : include->next;
    if (last) last->next = include->next;
}

void mjcf_include_all(mjcf *m)
{
    includer *in = FF_ARENA_NEW(&m->arena, includer, 1);
    if (!mjcf_has_memory(m, in)) return;
    in->m = m;
    in->files[in->count] = real_path(in, m->file);
    if (!in->files[in->count++]) return;
    // depth first; `link` is what points to the node under inspection
    ff_xml **link = &m->root->child, *parent = m->root;
    while (true) {
        ff_xml *node = *link;
        if (node && strcmp(node->name, "include") == 0) {
            replace_include(link, read_root(in, node));
        } else if (node && node->child) {
            parent = node;
            link = &node->child;
        } else if (node) {
            link = &node->next;
        } else if (parent != m->root) {
            link = &parent->next;
            parent = parent->parent;
        } else {
            return;
        }
    }
}
