// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys of contacts as a whole, and of pairs of materials (reader: contacts.c). Materials themselves are those of robot
// files.
#include "scene/keys.h"

#include "native/keys.h"

enum { MOST_CONTACTS = 333333, MOST_CELLS = 200 };

static const char *const RESPONSES[] = {"force", "propagation", "simultaneous", NULL};
static const char *const DETECTORS[] = {"exact", "ccube", NULL};

static const ff_row CONTACTS[] = {
    FF_WORD("response", RESPONSES, "force",
            "what a touch does: forces by the laws of the materials, or rigid impulses"),
    FF_WORD("detector", DETECTORS, "exact", "how points are found; ccube: corners and triangles in cells"),
    FF_WHOLE("cells", FF_BETWEEN(1, MOST_CELLS), "20", "cells a side, of the detector ccube"),
    FF_NUMBER("depth", "m", FF_ABOVE_UP_TO(0.0, 10.0), "2 cm", "depth to which a point is held, of the detector ccube"),
    FF_NUMBER("margin", "m", FF_BETWEEN(0.0, 1.0), "1 mm", "gap up to which points are watched"),
    FF_SWITCH(
        "mjcf", "true",
        "shapes of MJCF files meet with its friction, condim, priority and solref, by MuJoCo's rules; false: they "
        "have the standard material"),
    FF_WHOLE("most", FF_BETWEEN(0, MOST_CONTACTS), "0", "points that can be remembered; 0: chosen from the shapes"),
    FF_END,
};
const ff_key_group ff_keys_contacts = {
    .name = "contacts", .help = "How contacts are found and what they do.", .keys = CONTACTS};

static const ff_key_group PAIR_GROUP = {
    .name = "pair",
    .help = "A contact law of two materials, in place of their combination.",
    .keys = (const ff_row[]){FF_NAMES("of", 2, 2, FF_NEEDED, "the two materials"), FF_END},
    .also = &ff_keys_material};

const ff_key_group ff_keys_pairs = {
    .name = "pairs",
    .help = "Contact laws measured for two materials.",
    .keys = (const ff_row[]){FF_MAP("-", &PAIR_GROUP, "two materials and their law"), FF_END}};
