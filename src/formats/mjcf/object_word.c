// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The words for objects of sensors of MJCF, for the reader and for the writer.
#include "mjcf/mjcf.h"

static const mjcf_object_word WORDS[] = {
    {"site", MJCF_SITE, "site", "frame"},          {"xbody", MJCF_BODY, "body", "body"},
    {"body", MJCF_BODY, "inertia", "inertia"},     {"geom", MJCF_GEOM, "geom", "shape"},
    {"joint", MJCF_JOINT, "joint", NULL},          {"tendon", MJCF_TENDON, "tendon", NULL},
    {"actuator", MJCF_ACTUATOR, "actuator", NULL},
};

const mjcf_object_word *mjcf_object_word_of(const char *word)
{
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcmp(WORDS[i].word, word) == 0) return &WORDS[i];
    return NULL;
}

const mjcf_object_word *mjcf_object_word_of_ours(const char *ours)
{
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcmp(WORDS[i].ours, ours) == 0 || (WORDS[i].reference && strcmp(WORDS[i].reference, ours) == 0))
            return &WORDS[i];
    return NULL;
}
