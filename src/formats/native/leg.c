// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Legs of a native robot. A part that is a leg says so once, and each attachment makes one, called after its prefix:
//     leg: {joints: [coxa, femur, tibia], foot: foot, force: foot_force}
// A whole robot names them, or puts those of its parts in order:
//     legs: {FL: {joints: [FL_coxa, FL_femur, FL_tibia], foot: FL_foot}}
//     legs: [FL, FR, ML, MR, RL, RR]
// A foot of several bodies names them, and so do hands:
//     legs: {L: {joints: [hip, knee, ankle], foot: {frame: ankle_centre, bodies: [sole, toe]}}}
//     hands: {left: {bodies: [palm, fingers], frame: hand_centre}}
#include "native/native.h"

#include <string.h>

static const char FORM[] = "{joints: [hip, .., knee], foot: frame}";

/// The text of a key, stored in the description; NULL where it is absent.
static const char *store_text(const ff_native *n, ff_yaml *node, const char *key)
{
    return ff_spec_text(n->spec, ff_yaml_string(node, key, NULL, n->report));
}

static void read_joints(const ff_native *n, ff_yaml *list, ff_spec_leg *leg)
{
    if (list->nchild < 1 || list->nchild > FF_LEG_JOINTS) {
        ff_report_add(n->report, FF_ERROR, list->place, "%d joints: a leg has 1 to %d", list->nchild, FF_LEG_JOINTS);
        return;
    }
    for (const ff_yaml *item = list->child; item; item = item->next)
        leg->joints[leg->njoint++] = ff_spec_text(n->spec, item->text);
}

/// Bodies of a foot or a hand. @return how many
static int read_bodies(const ff_native *n, ff_yaml *list, const char *bodies[FF_LIMB_BODIES])
{
    int count = 0;
    if (!list) return 0;
    if (list->nchild < 1 || list->nchild > FF_LIMB_BODIES) {
        ff_report_add(n->report, FF_ERROR, list->place, "%d bodies: a foot or a hand has 1 to %d", list->nchild,
                      FF_LIMB_BODIES);
        return 0;
    }
    for (const ff_yaml *item = list->child; item; item = item->next)
        bodies[count++] = ff_spec_text(n->spec, item->text);
    return count;
}

/// A frame, or {frame: .., bodies: ..}.
static void read_foot(const ff_native *n, ff_yaml *node, ff_spec_leg *leg)
{
    ff_yaml *foot = ff_yaml_need(node, "foot", n->report);
    if (!foot) return;
    if (foot->type == FF_YAML_SCALAR) {
        leg->foot = store_text(n, node, "foot");
        return;
    }
    if (!ff_yaml_expect(foot, FF_YAML_MAP, "the frame of the foot, or {frame: .., bodies: [..]}", n->report)) return;
    ff_yaml_need(foot, "frame", n->report);
    leg->foot = store_text(n, foot, "frame");
    leg->nsole = read_bodies(n, ff_yaml_need(foot, "bodies", n->report), leg->soles);
}

void ff_native_leg(const ff_native *n, ff_yaml *node, const char *name)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, FORM, n->report)) return;
    const int known = name[0] ? ff_spec_find_leg(n->spec, name) : -1;
    ff_spec_leg *leg = known >= 0 ? &n->spec->legs[known] : ff_spec_add_leg(n->spec, name);
    if (!leg) return;
    *leg = (ff_spec_leg){.name = leg->name, .radius = -1.0, .place = ff_native_place(n, node->key_place)};
    ff_yaml *joints = ff_yaml_need(node, "joints", n->report);
    if (joints) read_joints(n, joints, leg);
    read_foot(n, node, leg);
    leg->force = store_text(n, node, "force");
    leg->touch = store_text(n, node, "touch");
    ff_yaml *radius = ff_yaml_get(node, "radius");
    if (radius) ff_yaml_as_number(radius, &leg->radius, n->report);
}

/// Puts the legs in the order of a list, which must name each once.
static void order_legs(const ff_native *n, ff_yaml *list)
{
    ff_spec *spec = n->spec;
    int done = 0;
    for (ff_yaml *item = list->child; item; item = item->next) {
        const char *name = ff_yaml_as_string(item, n->report);
        if (!name) return;
        const int at = ff_spec_find_leg(spec, name);
        if (at < done) {
            ff_report_add(n->report, FF_ERROR, item->place,
                          at < 0 ? "no part or import has brought a leg '%.60s'; a list puts legs in order, a map "
                                   "{name: {joints: .., foot: ..}} describes them"
                                 : "leg '%.60s' is named twice",
                          name);
            return;
        }
        const ff_spec_leg leg = spec->legs[at];
        memmove(&spec->legs[done + 1], &spec->legs[done], (size_t)(at - done) * sizeof leg);
        spec->legs[done++] = leg;
    }
    if (done < spec->nleg)
        ff_report_add(n->report, FF_ERROR, list->place, "the list names %d of %d legs; '%.60s' is missing", done,
                      spec->nleg, spec->legs[done].name);
}

void ff_native_legs(ff_native *n, ff_yaml *legs)
{
    if (legs->type == FF_YAML_LIST) {
        if (n->report->errors == 0) order_legs(n, legs); // after an error of a part its legs are missing
        return;
    }
    if (!ff_yaml_expect(legs, FF_YAML_MAP, "legs as 'name: {joints: .., foot: ..}', or a list of their names",
                        n->report))
        return;
    for (ff_yaml *node = legs->child; node; node = node->next) {
        node->used = true;
        if (ff_native_too_large(n, node->key_place)) return;
        ff_native_leg(n, node, node->key);
    }
}

static void read_hand(const ff_native *n, ff_yaml *node)
{
    if (!ff_yaml_expect(node, FF_YAML_MAP, "{bodies: [palm, ..], frame: hand_centre}", n->report)) return;
    const int known = ff_spec_find_hand(n->spec, node->key);
    ff_spec_hand *hand = known >= 0 ? &n->spec->hands[known] : ff_spec_add_hand(n->spec, node->key);
    if (!hand) return;
    *hand = (ff_spec_hand){.name = hand->name, .place = ff_native_place(n, node->key_place)};
    hand->frame = store_text(n, node, "frame");
    hand->nbody = read_bodies(n, ff_yaml_need(node, "bodies", n->report), hand->bodies);
}

void ff_native_hands(ff_native *n, ff_yaml *hands)
{
    if (!ff_yaml_expect(hands, FF_YAML_MAP, "hands as 'name: {bodies: ..}'", n->report)) return;
    for (ff_yaml *node = hands->child; node; node = node->next) {
        node->used = true;
        if (ff_native_too_large(n, node->key_place)) return;
        read_hand(n, node);
    }
}

void ff_native_remove_from_legs(ff_spec *spec, const char *joint)
{
    int kept = 0;
    for (int i = 0; i < spec->nleg; i++) {
        ff_spec_leg leg = spec->legs[i];
        const bool had = leg.njoint > 0;
        int left = 0;
        for (int k = 0; k < leg.njoint; k++)
            if (strcmp(leg.joints[k], joint) != 0) leg.joints[left++] = leg.joints[k];
        leg.njoint = left;
        if (left > 0 || !had) spec->legs[kept++] = leg;
    }
    spec->nleg = kept;
}
