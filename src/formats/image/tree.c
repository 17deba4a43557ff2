// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The image of a document tree, as readers of scenes see it. Anchors, aliases and merges are resolved before a tree is
// written; the byte offsets of values in the text matter only to editors and are not written.
#include "image/image.h"

enum {
    MOST_DEEP = 2 * FF_YAML_MAX_DEPTH + 100, // a value of --set adds its own depth to that of its place
    LEAST_BYTES = 7 * 8                      // of a node: type, text, quotes, place, parts
};

typedef struct walk {
    int depth, nodes;
} walk;

static void transfer_node(ff_image *image, ff_yaml *node, walk *w);

static void transfer_child(ff_image *image, ff_yaml *parent, ff_yaml *child, walk *w)
{
    if (parent->type == FF_YAML_MAP) {
        ff_image_word(image, &child->key);
        ff_image_place(image, &child->key_place);
    }
    transfer_node(image, child, w);
}

static void read_children(ff_image *image, ff_yaml *node, walk *w)
{
    ff_yaml **link = &node->child;
    for (int i = 0; i < node->nchild && !image->failure; i++) {
        ff_yaml *child = FF_ARENA_NEW(image->arena, ff_yaml, 1);
        if (!child || ++w->nodes > FF_YAML_MAX_NODES) {
            ff_image_fail(image, "the scene is larger than a scene can be");
            break;
        }
        child->parent = node;
        transfer_child(image, node, child, w);
        *link = child;
        link = &child->next;
    }
}

static void transfer_node(ff_image *image, ff_yaml *node, walk *w)
{
    FF_IMAGE_ENUM(image, ff_yaml_type, node->type, FF_YAML_MAP);
    ff_image_word(image, &node->text);
    ff_image_flag(image, &node->quoted);
    ff_image_place(image, &node->place);
    ff_image_count(image, &node->nchild, LEAST_BYTES);
    if (image->mode != FF_IMAGE_READ) {
        for (ff_yaml *child = node->child; child; child = child->next) transfer_child(image, node, child, w);
        return;
    }
    node->arena = image->arena;
    if (node->type == FF_YAML_SCALAR && node->nchild > 0) ff_image_fail(image, "a single value has parts");
    if (++w->depth > MOST_DEEP) ff_image_fail(image, "the scene is nested too deeply");
    if (!image->failure) read_children(image, node, w);
    w->depth--;
}

void ff_image_tree(ff_image *image, ff_yaml **root)
{
    walk w = {0};
    if (image->mode == FF_IMAGE_READ && !(*root = FF_ARENA_NEW(image->arena, ff_yaml, 1)))
        ff_image_fail(image, "it needs too much memory");
    else
        transfer_node(image, *root, &w);
}
