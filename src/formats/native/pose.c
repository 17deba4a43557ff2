// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Named poses of native robots.
#include "model/coordinates.h"
#include "native/native.h"

#include <footfall/text.h>

void ff_native_position(ff_yaml *node, ff_joint_type type, double *q, ff_report *report)
{
    double pos[3] = {0}, quat[4];
    switch (type) {
    case FF_JOINT_BALL:
        ff_quat_copy(quat, q);
        if (!ff_yaml_expect(node, FF_YAML_MAP, "{rpy: ..} or {quat: ..} of a ball joint", report)) return;
        ff_yaml_pose(node, pos, quat, report);
        ff_quat_copy(q, quat);
        return;
    case FF_JOINT_FREE:
        if (ff_yaml_expect(node, FF_YAML_MAP, "{pos: .., rpy: ..} of a free joint", report))
            ff_yaml_pose(node, q, q + 3, report);
        return;
    case FF_JOINT_PLANAR:
        ff_yaml_as_numbers(node, q, 3, 3, report);
        return;
    default:
        if (ff_yaml_in_unit(node, type == FF_JOINT_SLIDE ? "m" : "rad", report)) ff_yaml_as_number(node, q, report);
    }
}

static void read_pose_joints(const ff_native *n, ff_yaml *joints, const ff_layout *l, double *q)
{
    if (!ff_yaml_expect(joints, FF_YAML_MAP, "joint positions as 'name: value'", n->report)) return;
    double work = 0.0;
    for (ff_yaml *node = joints->child; node; node = node->next) {
        node->used = true;
        int found = 0;
        work += n->spec->njoint;
        if (work > 1e7) {
            ff_report_add(n->report, FF_ERROR, node->key_place, "too many joint positions");
            return;
        }
        for (int j = 0; j < n->spec->njoint; j++) {
            const ff_spec_joint *joint = &n->spec->joints[j];
            if (!joint->name || !ff_text_matches(node->key, joint->name)) continue;
            ff_native_position(node, joint->type, q + l->qadr[j], n->report);
            found++;
        }
        if (found == 0) ff_report_add(n->report, FF_ERROR, node->key_place, "no joint '%.60s'", node->key);
    }
}

void ff_native_poses(ff_native *n, ff_yaml *poses)
{
    if (!ff_yaml_expect(poses, FF_YAML_MAP, "poses as 'name: {joint: value}'", n->report)) return;
    ff_layout l = {0};
    if (!ff_layout_make(&l, n->spec)) return;
    for (ff_yaml *node = poses->child; node; node = node->next) {
        node->used = true;
        if ((double)l.nq * n->spec->nkey > 1e6) {
            ff_report_add(n->report, FF_ERROR, node->key_place, "%d poses of %d numbers are too many", n->spec->nkey,
                          l.nq);
            break;
        }
        double *q = FF_ARENA_NEW(&n->spec->arena, double, l.nq + 1);
        ff_spec_key *key = q ? ff_spec_add_key(n->spec, node->key) : NULL;
        if (!key) break;
        key->place = ff_native_place(n, node->key_place);
        key->q = q;
        key->nq = l.nq;
        ff_layout_rest(n->spec, &l, q);
        read_pose_joints(n, node, &l, q);
    }
    ff_layout_clear(&l);
}
