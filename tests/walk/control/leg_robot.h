// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots for the tests of inverse kinematics: files with legs, other people's files to which legs are added, and
// positions within joint limits.
#ifndef FOOTFALL_TESTS_LEG_ROBOT_H
#define FOOTFALL_TESTS_LEG_ROBOT_H

#include <footfall/ik.h>
#include <footfall/load.h>

#include "check.h"

#define ROBOTS FF_SOURCE_DIR "/robots"
#define SHARED FF_SOURCE_DIR "/../shared/models"

static inline ff_model *load_robot(const char *path)
{
    ff_report report = {0};
    ff_load_options options = ff_load_options_default();
    options.floating = true;
    options.repair = true; // some public files have impossible inertias, which do not matter here
    if (access(path, R_OK) != 0) SKIP("%s is not there", path);
    ff_model *m = ff_model_load(path, &options, &report);
    if (!m) CHECK_FAIL("%s: %s", path, report.count ? report.messages[0].text : "not loaded");
    ff_report_clear(&report);
    return m;
}

static inline bool joint_below(const ff_model *m, int node)
{
    for (int i = 0; i < m->nnode; i++)
        if (m->nodes[i].parent == node) return true;
    return false;
}

/// The file with a leg of the last three joints above each end of its tree, the foot at a point off all axes.
static inline ff_model *load_with_legs(const char *path)
{
    ff_model *m = load_robot(path);
    ff_report report = {0};
    ff_load_options options = ff_load_options_default();
    options.floating = true;
    options.repair = true;
    options.without_legs = true; // they are made here, by another rule
    ff_spec *spec = ff_spec_create(NULL);
    CHECK_INT(ff_spec_load(spec, path, &options, &report), FF_OK);
    for (int i = 0; i < m->nnode; i++) {
        if (joint_below(m, i)) continue;
        int chain[3] = {-1, -1, i};
        for (int k = 1; k >= 0; k--) chain[k] = chain[k + 1] < 0 ? -1 : m->nodes[chain[k + 1]].parent;
        if (chain[0] < 0 || m->nodes[chain[0]].type == FF_NODE_FREE) continue;
        char name[64];
        snprintf(name, sizeof name, "foot_of_%d", i);
        ff_spec_frame *foot =
            ff_spec_add_frame(spec, name, ff_spec_find_body(spec, m->bodies[m->joints[m->nodes[i].joint].body].name));
        ff_vec3_set(foot->pos, 0.02, 0.01, -0.21);
        ff_spec_leg *leg = ff_spec_add_leg(spec, name);
        leg->foot = foot->name;
        leg->njoint = 3;
        for (int k = 0; k < 3; k++) leg->joints[k] = ff_spec_text(spec, m->joints[m->nodes[chain[k]].joint].name);
    }
    ff_model *with_legs = ff_model_compile(spec, &options, &report);
    if (!with_legs) CHECK_FAIL("%s with legs: %s", path, report.messages[0].text);
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    ff_model_destroy(m);
    return with_legs;
}

static inline double random_scalar(ff_random *random, const ff_joint *joint)
{
    double size = joint->type == FF_JOINT_SLIDE ? 0.1 : 1.2;
    double low = joint->limited ? joint->range[0] : -size, high = joint->limited ? joint->range[1] : size;
    return ff_random_range(random, low, high);
}

/// A random position within the limits: unlimited hinges within 1.2 rad, slides within 0.1 m, anything else anyhow.
static inline void random_position(const ff_model *m, ff_random *random, double *q)
{
    double v[512] = {0};
    CHECK(m->nv <= 512);
    for (int i = 0; i < m->nv; i++) v[i] = ff_random_range(random, -0.6, 0.6);
    ff_dyn_advance(m, m->q0, v, 1.0, q);
    for (int i = 0; i < m->njoint; i++)
        if (ff_joint_is_scalar(m->joints[i].type)) q[m->joints[i].qadr] = random_scalar(random, &m->joints[i]);
}

/// A point of a body in the frame of another body; -1 is the world.
static inline void point_in_body(const ff_model *m, const ff_data *d, int body, const double local[3], int seen_from,
                                 double out[3])
{
    double pos[3], quat[4], R[9], world[3], arm[3];
    ff_dyn_point(m, d, body, local, world);
    ff_dyn_body_pose(m, d, seen_from, pos, quat);
    ff_quat_to_mat3(R, quat);
    ff_vec3_sub(arm, world, pos);
    ff_mat3_tmulv(out, R, arm);
}

#endif
