// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Spec and its items: one table a kind (spec_kinds.c), one object for them all (spec.c).
#ifndef FOOTFALL_PYTHON_SPEC_H
#define FOOTFALL_PYTHON_SPEC_H

#include "fields.h"

enum {
    SPEC_BODY,
    SPEC_JOINT,
    SPEC_GEOM,
    SPEC_MESH,
    SPEC_FRAME,
    SPEC_TENDON,
    SPEC_ACTUATOR,
    SPEC_DRIVE,
    SPEC_BATTERY,
    SPEC_SENSOR,
    SPEC_EQUALITY,
    SPEC_EXCLUDE,
    SPEC_PAIR,
    SPEC_LEG,
    SPEC_HAND,
    SPEC_BIPED,
    SPEC_KEY,
    SPEC_MATERIAL,
    SPEC_KINDS
};

typedef struct spec_kind {
    const char *word, *list;   // "body", "bodies"
    size_t items, count;       // where array and number stand in ff_spec
    size_t size;               // of an item
    const field *fields;       // the first is what it is called, but for excludes, pairs and bipeds
    const char *positional[2]; // fields that add_... also takes by position, behind the name
} spec_kind;
extern const spec_kind spec_kinds[SPEC_KINDS];

#endif
