// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What sensors of MJCF sit on, for the reader and for the writer.
#ifndef FOOTFALL_MJCF_OBJECT_WORD_H
#define FOOTFALL_MJCF_OBJECT_WORD_H

#include "mjcf/mjcf.h"

/// What a word of objtype or an attribute names, and what the description calls it.
typedef struct mjcf_object_word {
    const char *word;
    mjcf_kind kind;
    const char *ours;      // object_type of the sensor
    const char *reference; // as `reference_on` of ours
} mjcf_object_word;

/// NULL: MJCF has no such word.
const mjcf_object_word *mjcf_object_word_of(const char *word);
/// The word for a frame of ours, by an `object_type` or by `reference_on`; NULL: there is none.
const mjcf_object_word *mjcf_object_word_of_ours(const char *ours);

#endif
