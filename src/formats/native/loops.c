// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Loop closures and couplings of a native robot:
//     loops:
//       pin: {connect: [crank, rocker], at: [[0.1, 0, 0], [0, 0, 0.2]]}
//       plate: {weld: [foot, rocker], pose: {pos: [0, 0, 0.1]}}
//       strut: {rod: [hip, heel], at: [[0, 0.05, 0], [0, 0.05, 0]], length: 0.4}
//       gear: {couple: [follower, leader], gain: -2, offset: 0.1}
#include "native/native.h"

#include <string.h>

static const char *const KINDS[] = {"connect", "weld", "couple", "rod"}; // in the order of ff_equality_type

/// The key among KINDS that a loop has; -1 (reported) when it has none or several.
static int kind_of(const ff_native *n, ff_yaml *node, ff_yaml **pair)
{
    int kind = -1, given = 0;
    for (int i = 0; i < 4; i++) {
        ff_yaml *value = ff_yaml_get(node, KINDS[i]);
        if (!value) continue;
        kind = i;
        *pair = value;
        given++;
    }
    if (given == 1) return kind;
    ff_report_add(n->report, FF_ERROR, node->place, "a loop needs exactly one of connect, weld, rod and couple");
    return -1;
}

/// The two names; a coupling may have one.
static bool read_pair(const ff_native *n, ff_yaml *pair, ff_spec_equality *loop)
{
    const bool joints = loop->type == FF_EQUALITY_JOINT;
    const char *form = joints ? "[joint, joint it follows]" : "[body, body]; the world is a body too";
    if (!ff_yaml_expect(pair, FF_YAML_LIST, form, n->report)) return false;
    if (pair->nchild != 2 && !(joints && pair->nchild == 1)) {
        ff_report_add(n->report, FF_ERROR, pair->place, "%d names: expected %s", pair->nchild, form);
        return false;
    }
    const char *one = ff_yaml_as_string(pair->child, n->report);
    const char *two = pair->nchild == 2 ? ff_yaml_as_string(pair->child->next, n->report) : "";
    if (!one || !two) return false;
    loop->object1 = ff_spec_text(n->spec, one);
    loop->object2 = ff_spec_text(n->spec, two);
    return loop->object1 && loop->object2;
}

/// at: [[x, y, z], [x, y, z]], in the frames of the bodies. @return how many points were given, -1 when reported
static int read_points(const ff_native *n, ff_yaml *node, double *points)
{
    ff_yaml *at = ff_yaml_get(node, "at");
    int count = 0;
    if (!at) return 0;
    if (!ff_yaml_expect(at, FF_YAML_LIST, "[[x, y, z], [x, y, z]]", n->report)) return -1;
    for (ff_yaml *point = at->child; point; point = point->next, count++) {
        if (count == 2) {
            ff_report_add(n->report, FF_ERROR, point->place, "a third point: a loop joins two bodies");
            return -1;
        }
        if (ff_yaml_as_numbers(point, points + 3 * count, 3, 3, n->report) != 3) return -1;
    }
    return count;
}

static void read_bodies(const ff_native *n, ff_yaml *node, ff_spec_equality *loop)
{
    const int points = read_points(n, node, loop->data);
    if (points < 0) return;
    if (loop->type == FF_EQUALITY_CONNECT) {
        if (points == 0)
            ff_report_add(n->report, FF_ERROR, node->place, "connect needs 'at': the point, or its places");
        loop->at_rest = points < 2;
        return;
    }
    ff_yaml *length = ff_yaml_get(node, "length");
    loop->at_rest = !length;
    if (length) ff_yaml_as_number(length, &loop->data[6], n->report);
}

static void read_weld(const ff_native *n, ff_yaml *node, ff_spec_equality *loop)
{
    ff_yaml *pose = ff_yaml_get(node, "pose");
    if (!pose || !ff_yaml_expect(pose, FF_YAML_MAP, "{pos: .., rpy: ..} of the second body in the first", n->report))
        return;
    ff_quat_identity(loop->data + 3);
    ff_yaml_pose(pose, loop->data, loop->data + 3, n->report);
    loop->at_rest = false;
}

static void read_couple(const ff_native *n, ff_yaml *node, ff_spec_equality *loop)
{
    const bool alone = !loop->object2[0];
    if (!ff_yaml_get(node, "polynomial")) {
        loop->data[0] = ff_yaml_number(node, "offset", 0.0, n->report);
        if (!alone) loop->data[1] = ff_yaml_number(node, "gain", 1.0, n->report);
        return;
    }
    ff_yaml_numbers(node, "polynomial", loop->data, 1, 5, n->report);
}

void ff_native_loops(ff_native *n, ff_yaml *loops)
{
    if (!ff_yaml_expect(loops, FF_YAML_MAP, "loops as 'name: {connect: [body, body], at: ..}'", n->report)) return;
    for (ff_yaml *node = loops->child; node; node = node->next) {
        ff_yaml *pair = NULL;
        node->used = true;
        if (!ff_yaml_expect(node, FF_YAML_MAP, "{connect: [body, body], at: ..}", n->report)) continue;
        const int kind = kind_of(n, node, &pair);
        if (kind < 0) continue;
        ff_spec_equality *loop = ff_spec_add_equality(n->spec, node->key, (ff_equality_type)kind);
        if (!loop) return;
        loop->place = ff_native_place(n, node->key_place);
        loop->active = ff_yaml_boolean(node, "active", true, n->report);
        if (!read_pair(n, pair, loop)) continue;
        if (kind == FF_EQUALITY_JOINT)
            read_couple(n, node, loop);
        else if (kind == FF_EQUALITY_WELD)
            read_weld(n, node, loop);
        else
            read_bodies(n, node, loop);
        if (ff_native_too_large(n, node->key_place)) return;
    }
}

// ------------------------------------------------------------------------------------------ locked joints

/// Position of joint 1 of a coupling where that of joint 2 is `ref`.
static double coupled_position(const ff_spec_equality *e, double ref)
{
    const double *c = e->data, u = ref - c[6];
    return c[5] + c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])));
}

/// Makes a coupling hold joint 1 at a constant position.
static void hold(ff_spec_equality *e, double position)
{
    e->object2 = "";
    memset(e->data, 0, sizeof e->data);
    e->data[0] = position;
}

bool ff_native_remove_from_loops(ff_spec *spec, const ff_spec_joint *locked)
{
    int kept = 0;
    for (int i = 0; i < spec->nequality; i++) {
        ff_spec_equality *e = &spec->equalities[i];
        const bool joints = e->type == FF_EQUALITY_JOINT;
        if (joints && strcmp(e->object1, locked->name) == 0) continue;
        if (joints && strcmp(e->object2, locked->name) == 0) hold(e, coupled_position(e, locked->ref));
        spec->equalities[kept++] = *e;
    }
    spec->nequality = kept;
    for (int i = 0; i < spec->njoint; i++) {
        ff_spec_joint *joint = &spec->joints[i];
        if (!joint->mimic || strcmp(joint->mimic, locked->name) != 0) continue;
        ff_spec_equality *e = ff_spec_add_equality(spec, joint->name, FF_EQUALITY_JOINT);
        if (!e) return false;
        e->object1 = joint->name;
        e->place = joint->place;
        hold(e, joint->mimic_gain * locked->ref + joint->mimic_offset);
        joint->mimic = NULL;
    }
    return true;
}
