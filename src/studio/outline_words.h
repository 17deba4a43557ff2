// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Words that may stand in the place of a node.
#ifndef FOOTFALL_STUDIO_OUTLINE_WORDS_H
#define FOOTFALL_STUDIO_OUTLINE_WORDS_H

#include "text/yaml.h"

#include <footfall/contact.h>

#define FF_OUTLINE_LIBRARY 64

typedef struct ff_outline_words {
    const char *words[200];
    int count; // 0: any word will do, or the node is none
    char library[FF_OUTLINE_LIBRARY][FF_MATERIAL_NAME_MAX];
} ff_outline_words;

/// For a node that is marked (ff_schema_mark).
void ff_outline_words_of(ff_outline_words *words, const ff_yaml *node);

#endif
