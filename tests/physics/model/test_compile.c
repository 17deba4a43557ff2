// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Models of sound descriptions: order, poses by an independent route, merged bodies, mass properties, and tables that
// agree with each other.
#include "check.h"
#include "model/lanes.h"
#include "spec_helpers.h"
#include "support/random_robot.h"

enum { ROBOTS = 30, STATES = 4 };

/// Poses of all bodies are those of the independent route.
static void check_poses(const ff_spec *spec, const ff_model *m, ff_data *d, double tolerance)
{
    ff_dyn_kinematics(m, d);
    for (int b = 0; b < spec->nbody; b++) {
        double pos[3], quat[4], sign = 0;
        route expected = route_body(spec, b, m, d->q);
        ff_dyn_body_pose(m, d, ff_model_find_body(m, spec->bodies[b].name), pos, quat);
        for (int i = 0; i < 4; i++) sign += quat[i] * expected.q[i];
        for (int i = 0; i < 3; i++) CHECK_NEAR(pos[i], expected.p[i], tolerance);
        for (int i = 0; i < 4; i++) CHECK_NEAR(quat[i], copysign(1, sign) * expected.q[i], tolerance);
    }
}

/// Planar joints are compared where the shortest turn from z is well defined.
static void keep_planar_axes_up(ff_spec *spec)
{
    for (int j = 0; j < spec->njoint; j++)
        if (spec->joints[j].type == FF_JOINT_PLANAR) spec->joints[j].axis[2] = fabs(spec->joints[j].axis[2]);
}

TEST(bodies_and_joints_come_depth_first_in_the_order_they_were_added)
{
    ff_spec *spec = ff_spec_create(NULL);
    const struct {
        const char *name;
        int parent;
    } given[] = {{"a", -1}, {"b", -1}, {"c", 0}, {"d", 1}, {"e", 0}, {"f", 2}};
    char name[16];
    for (int i = 0; i < 6; i++) solid_body(spec, given[i].name, given[i].parent);
    for (int i = 5; i >= 0; i--) { // joints in yet another order
        snprintf(name, sizeof name, "j%s", given[i].name);
        joint_of(spec, name, i, FF_JOINT_HINGE)->ref = i;
    }
    ff_model *m = compiled(spec);
    CHECK(m);
    static const char *const order[] = {"a", "c", "f", "e", "b", "d"};
    static const int parents[] = {-1, 0, 1, 0, -1, 4}, refs[] = {0, 2, 5, 4, 1, 3};
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "j%s", order[i]);
        CHECK_TEXT(m->bodies[i].name, order[i]);
        CHECK_INT(m->bodies[i].parent, parents[i]);
        CHECK_TEXT(m->joints[i].name, name);
        CHECK_INT(m->joints[i].body, i);
        CHECK_INT(m->joints[i].qadr, i);
        CHECK_NEAR(m->q0[i], refs[i], 0);
    }
    CHECK_INT(m->ntree, 2);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

TEST(poses_are_the_product_of_transforms_for_every_kind_and_number_of_joints)
{
    ff_random random = ff_random_make(41, 0);
    for (int k = 0; k < ROBOTS; k++) {
        ff_spec *spec = random_robot(&random, 2 + k / 2, k % 2, true);
        keep_planar_axes_up(spec);
        ff_model *m = compiled(spec);
        CHECK(m);
        ff_data *d = ff_data_create(m, NULL);
        for (int s = 0; s < STATES; s++) {
            random_state(m, d, &random);
            check_poses(spec, m, d,
                        1e-13); // 17 bodies with two joints each: some hundred operations on numbers up to 30
        }
        ff_data_destroy(d);
        ff_model_destroy(m);
        ff_spec_destroy(spec);
    }
}

TEST(at_q0_every_body_stands_where_the_description_puts_it)
{
    ff_random random = ff_random_make(42, 0);
    for (int k = 0; k < ROBOTS; k++) {
        ff_spec *spec = random_robot(&random, 2 + k / 2, k % 2, true);
        ff_model *m = compiled(spec);
        CHECK(m);
        ff_data *d = ff_data_create(m, NULL);
        ff_dyn_kinematics(m, d);
        for (int b = 0; b < spec->nbody; b++) {
            route at = {{0, 0, 0}, {1, 0, 0, 0}};
            int chain[32], n = 0;
            double pos[3], quat[4];
            for (int up = b; up >= 0; up = spec->bodies[up].parent) chain[n++] = up;
            while (n > 0) {
                n--;
                at = route_step(at, spec->bodies[chain[n]].pos, spec->bodies[chain[n]].quat);
            }
            ff_dyn_body_pose(m, d, ff_model_find_body(m, spec->bodies[b].name), pos, quat);
            for (int i = 0; i < 3; i++) CHECK_NEAR(pos[i], at.p[i], 1e-14);
        }
        ff_data_destroy(d);
        ff_model_destroy(m);
        ff_spec_destroy(spec);
    }
}

// x, y and the axis of a planar joint are a right-handed frame, whichever way the axis points.
TEST(planar_joints_move_in_the_plane_normal_to_their_axis)
{
    ff_random random = ff_random_make(43, 0);
    for (int k = 0; k < 200; k++) {
        ff_spec *spec = ff_spec_create(NULL);
        solid_body(spec, "plate", -1);
        ff_spec_joint *joint = joint_of(spec, "table", 0, FF_JOINT_PLANAR);
        random_vector(&random, joint->axis, 3, 1);
        if (k < 6) ff_vec3_set(joint->axis, k / 2 == 0, k / 2 == 1, k / 2 == 2);
        if (k < 6 && k % 2) ff_vec3_scale(joint->axis, joint->axis, -1);
        double axis[3], move[2][3], quat[4], normal[3];
        ff_vec3_copy(axis, joint->axis);
        ff_vec3_normalise(axis);
        ff_model *m = compiled(spec);
        CHECK(m);
        ff_data *d = ff_data_create(m, NULL);
        for (int i = 0; i < 2; i++) {
            d->q[0] = d->q[1] = 0;
            d->q[i] = 1;
            ff_dyn_kinematics(m, d);
            ff_dyn_body_pose(m, d, 0, move[i], quat);
            CHECK_NEAR(fabs(quat[0]), 1, 1e-14);
        }
        ff_vec3_cross(normal, move[0], move[1]);
        for (int i = 0; i < 3; i++) CHECK_NEAR(normal[i], axis[i], 1e-14);
        CHECK_NEAR(ff_vec3_norm(move[0]), 1, 1e-14);
        CHECK_NEAR(ff_vec3_dot(move[0], move[1]), 0, 1e-14);
        ff_data_destroy(d);
        ff_model_destroy(m);
        ff_spec_destroy(spec);
    }
}

TEST(reference_positions_are_those_of_the_joints)
{
    ff_spec *spec = ff_spec_create(NULL);
    int base = solid_body(spec, "base", -1), rider = solid_body(spec, "rider", base),
        ball = solid_body(spec, "ball", base);
    ff_vec3_set(spec->bodies[base].pos, 1, 2, 3);
    ff_quat_from_rpy(spec->bodies[base].quat, (const double[3]){0.3, -0.2, 0.1});
    ff_vec3_set(spec->bodies[rider].pos, 4, 5, 6);
    joint_of(spec, "world", base, FF_JOINT_FREE);
    joint_of(spec, "inner", rider, FF_JOINT_FREE);
    joint_of(spec, "socket", ball, FF_JOINT_BALL);
    joint_of(spec, "rail", ball, FF_JOINT_SLIDE)->ref = 0.7;
    ff_model *m = compiled(spec);
    CHECK(m);
    // a free root has its pose in the world; deeper ones their displacement from rest
    CHECK_INT(m->nq, 7 + 7 + 4 + 1);
    CHECK_INT(m->nv, 6 + 6 + 3 + 1);
    CHECK_NEAR(m->q0[0], 1, 0);
    CHECK_NEAR(m->q0[2], 3, 0);
    for (int i = 0; i < 4; i++) CHECK_NEAR(m->q0[3 + i], spec->bodies[base].quat[i], 1e-15);
    for (int i = 0; i < 3; i++) CHECK_NEAR(m->q0[7 + i], 0, 0);
    CHECK_NEAR(m->q0[10], 1, 0);
    CHECK_NEAR(m->q0[14], 1, 0);
    CHECK_NEAR(m->q0[18], 0.7, 0);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

TEST(fixed_bodies_keep_names_poses_and_their_share_of_mass)
{
    ff_spec *spec = ff_spec_create(NULL);
    int stand = solid_body(spec, "stand", -1), arm = solid_body(spec, "arm", stand),
        hand = solid_body(spec, "hand", arm);
    int tool = solid_body(spec, "tool", hand);
    ff_vec3_set(spec->bodies[stand].pos, 0, 0, 1);
    ff_vec3_set(spec->bodies[hand].pos, 0.5, 0, 0.1);
    ff_quat_from_rpy(spec->bodies[hand].quat, (const double[3]){0.5, 0.4, -1});
    ff_quat_from_rpy(spec->bodies[tool].quat, (const double[3]){1, 0, 2});
    ff_vec3_set(spec->bodies[tool].pos, 0, 0.2, 0);
    ff_vec3_set(joint_of(spec, "shoulder", arm, FF_JOINT_HINGE)->axis, 0, 1, 0);
    ff_model *m = compiled(spec);
    CHECK(m);
    CHECK_INT(m->nnode, 1);
    CHECK_INT(m->nbody, 4);
    CHECK_INT(m->bodies[ff_model_find_body(m, "stand")].node, -1);
    CHECK_INT(m->bodies[ff_model_find_body(m, "tool")].node, 0);
    CHECK_NEAR(m->mass, 4, 1e-15);
    CHECK_NEAR(m->fixed_mass, 1, 1e-15); // the stand
    CHECK_NEAR(m->fixed_moment[0], 0.1, 1e-15);
    CHECK_NEAR(m->fixed_moment[2], 1 + 0.3, 1e-15);
    ff_data *d = ff_data_create(m, NULL);
    d->q[0] = 0.8;
    check_poses(spec, m, d, 1e-14);
    ff_data_destroy(d);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

TEST(a_node_has_the_sum_of_the_inertia_of_its_bodies)
{
    ff_random random = ff_random_make(44, 0);
    for (int k = 0; k < ROBOTS; k++) {
        ff_spec *spec = random_robot(&random, 2 + k, k % 2, true);
        ff_model *m = compiled(spec);
        CHECK(m);
        double total = 0;
        for (int n = 0; n < m->nnode; n++) {
            ff_inertia sum = {0};
            for (int b = 0; b < m->nbody; b++) {
                const ff_body *body = &m->bodies[b];
                if (body->node != n) continue;
                ff_inertia own = ff_inertia_from_com(body->mass, body->com, body->inertia), seen;
                ff_inertia_place(&seen, &own, body->R, body->pos);
                sum = ff_inertia_add(&sum, &seen);
            }
            const double *got = &m->nodes[n].inertia.mass, *expected = &sum.mass, *I = sum.I;
            for (int i = 0; i < 10; i++) CHECK_NEAR(got[i], expected[i], 1e-14);
            // int x x dm = (Iyy + Izz - Ixx) / 2, int x y dm = -Ixy
            CHECK_NEAR(m->nodes[n].second[0], (I[1] + I[2] - I[0]) / 2, 1e-14);
            CHECK_NEAR(m->nodes[n].second[3], -I[3], 1e-14);
            total += sum.mass;
        }
        CHECK_NEAR(m->mass, total, 1e-13);
        ff_model_destroy(m);
        ff_spec_destroy(spec);
    }
}

// ------------------------------------------------------------------------------------------ masses

TEST(bodies_weigh_as_their_geoms)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_body *body = ff_spec_add_body(spec, "dumbbell", -1);
    body->inertia_from_geoms = true;
    joint_of(spec, "spin", 0, FF_JOINT_FREE);
    for (int side = -1; side <= 1; side += 2) {
        ff_spec_geom *end = ff_spec_add_geom(spec, "end", 0, FF_SHAPE_SPHERE);
        end->size[0] = 0.1;
        end->density = 500;
        end->pos[0] = side * 0.4;
    }
    ff_spec_geom *bar = ff_spec_add_geom(spec, "bar", 0, FF_SHAPE_CYLINDER);
    ff_vec3_set(bar->size, 0.02, 0.4, 0);
    ff_quat_from_rpy(bar->quat, (const double[3]){0, FF_PI / 2, 0}); // along x
    bar->has_mass = true;
    bar->mass = 2;
    ff_spec_geom *paint = ff_spec_add_geom(spec, "paint", 0, FF_SHAPE_BOX);
    ff_vec3_set(paint->size, 1, 1, 1);
    paint->gives_mass = false;
    ff_spec_geom *other = ff_spec_add_geom(spec, "other group", 0, FF_SHAPE_BOX);
    ff_vec3_set(other->size, 1, 1, 1);
    other->group = 7;
    ff_spec_geom *light = ff_spec_add_geom(spec, "no density", 0, FF_SHAPE_BOX);
    ff_vec3_set(light->size, 1, 1, 1);
    light->density = 0;
    spec->inertia_group[1] = 6;
    ff_model *m = compiled(spec);
    CHECK(m);
    const double ball = 500 * 4.0 / 3 * FF_PI * 1e-3, own = 0.4 * ball * 0.01;
    const double along = 2 * own + 0.5 * 2 * 4e-4; // cylinder: m r^2 / 2 along, m (3 r^2 + L^2) / 12 across
    const double across = 2 * (own + ball * 0.16) + 2 * (3 * 4e-4 + 0.64) / 12;
    CHECK_NEAR(m->mass, 2 * ball + 2, 1e-14);
    CHECK_NEAR(m->bodies[0].inertia[0], along, 1e-15);
    CHECK_NEAR(m->bodies[0].inertia[1], across, 1e-14);
    CHECK_NEAR(m->bodies[0].inertia[2], across, 1e-14);
    for (int i = 0; i < 3; i++) CHECK_NEAR(m->bodies[0].com[i], 0, 1e-15);
    for (int i = 3; i < 6; i++) CHECK_NEAR(m->bodies[0].inertia[i], 0, 1e-15);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

static ff_spec *one_hinge(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    joint_of(spec, "pin", solid_body(spec, "link", -1), FF_JOINT_HINGE);
    return spec;
}

TEST(inertia_axes_are_turned_into_the_body)
{
    ff_spec *spec = one_hinge();
    double *quat = spec->bodies[0].inertia_quat;
    ff_quat_from_axis_angle(quat, (const double[3]){0, 0, 1}, FF_PI / 2); // x and y change places
    for (int i = 0; i < 4; i++) quat[i] *= 1 + 4e-7;                      // as digits of a file may leave it
    ff_model *m = compiled(spec);
    CHECK(m);
    CHECK_NEAR(m->bodies[0].inertia[0], 0.2, 1e-15);
    CHECK_NEAR(m->bodies[0].inertia[1], 0.1, 1e-15);
    CHECK_NEAR(m->bodies[0].inertia[2], 0.25, 1e-15);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

// A flywheel given by its moment alone: root turns both, hip the leg alone, about the same axis.
TEST(a_body_with_inertia_but_no_mass_still_resists)
{
    ff_spec *spec = ff_spec_create(NULL);
    int wheel = solid_body(spec, "wheel", -1), leg = solid_body(spec, "leg", wheel);
    spec->bodies[wheel].mass = 0;
    joint_of(spec, "root", wheel, FF_JOINT_HINGE);
    joint_of(spec, "hip", leg, FF_JOINT_HINGE);
    ff_vec3_set(spec->gravity, 0, 0, 0);
    ff_model *m = compiled(spec);
    CHECK(m);
    ff_data *d = ff_data_create(m, NULL);
    ff_dyn_kinematics(m, d);
    ff_dyn_velocity(m, d);
    ff_dyn_mass(m, d);
    const double Ileg = 0.25 + 1 * (0.01 + 0.04), a[2] = {1, 0}; // about its centre, and Steiner
    double M[4], tau[2];
    ff_dyn_mass_expand(m, d, M);
    ff_dyn_inverse(m, d, d->q, d->v, a, tau);
    CHECK_NEAR(M[0], 0.25 + Ileg, 1e-15);
    CHECK_NEAR(M[1], Ileg, 1e-15);
    CHECK_NEAR(tau[0], 0.25 + Ileg, 1e-15);
    d->tau[0] = 1; // turns the wheel alone: hip is free
    CHECK(ff_dyn_forward(m, d));
    CHECK_NEAR(d->qacc[0], 1 / 0.25, 1e-13);
    CHECK_NEAR(d->qacc[0] + d->qacc[1], 0, 1e-13);
    ff_data_destroy(d);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

TEST(rules_for_masses_bound_balance_and_rescale)
{
    ff_spec *spec = one_hinge();
    spec->bodies[0].mass = 0.01;
    spec->bound_mass = 0.5;
    spec->bound_inertia = 0.15;
    ff_model *m = compiled(spec);
    CHECK(m);
    CHECK_NEAR(m->bodies[0].mass, 0.5, 0);
    CHECK_NEAR(m->bodies[0].inertia[0], 0.15, 1e-15);
    CHECK_NEAR(m->bodies[0].inertia[1], 0.2, 1e-15);
    ff_model_destroy(m);

    spec->bound_inertia = 0;
    spec->balance_inertia = true;
    ff_vec3_set(spec->bodies[0].inertia, 0.1, 0.2, 0.6);
    m = compiled(spec);
    CHECK(m);
    for (int i = 0; i < 3; i++) CHECK_NEAR(m->bodies[0].inertia[i], 0.3, 1e-15);
    ff_model_destroy(m);

    spec->bound_mass = 0;
    spec->bodies[0].mass = 2;
    spec->total_mass = 3;
    solid_body(spec, "second", 0);
    m = compiled(spec);
    CHECK(m);
    CHECK_NEAR(m->mass, 3, 1e-15);
    CHECK_NEAR(m->bodies[0].mass, 2, 1e-15); // 2 : 1 as before
    CHECK_NEAR(m->bodies[1].mass, 1, 1e-15);
    CHECK_NEAR(m->bodies[1].inertia[0], 0.1, 1e-15);
    spec->total_mass = 6;
    ff_model_destroy(m);
    m = compiled(spec);
    CHECK_NEAR(m->bodies[1].inertia[0], 0.2, 1e-15); // inertia goes with mass
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

// ------------------------------------------------------------------------------------------ tables

static int dofs_of(ff_node_type type)
{
    return type == FF_NODE_BALL ? 3 : type == FF_NODE_FREE ? 6 : 1;
}

static void check_nodes(const ff_model *m)
{
    int depth[1000];
    CHECK(m->nnode <= 1000);
    for (int n = 0; n < m->nnode; n++) {
        const ff_node *node = &m->nodes[n];
        CHECK(node->parent < n);
        depth[n] = node->parent < 0 ? 0 : depth[node->parent] + 1;
        CHECK(n == 0 || depth[n] >= depth[n - 1]);
        CHECK_INT(node->tree, node->parent < 0 ? node->tree : m->nodes[node->parent].tree);
        if (node->parent < 0) CHECK_INT(m->tree_root[node->tree], n);
        for (int k = 0; k < dofs_of(node->type); k++) {
            CHECK_INT(m->dof_node[node->vadr + k], n);
            CHECK_INT(m->dof_joint[node->vadr + k], node->joint);
        }
        if (!m->lanes->with_next[n]) continue;
        CHECK(n + 1 < m->nnode && !m->lanes->with_next[n + 1]);
        CHECK(node->type == FF_NODE_HINGE && node[1].type == FF_NODE_HINGE && node[1].parent != n);
        for (int k = 0; k < 9; k++) {
            CHECK(m->lanes->rest[24 * n + 2 * k] == node->rest.R[k]);
            CHECK(m->lanes->rest[24 * n + 2 * k + 1] == node[1].rest.R[k]);
        }
    }
}

/// A lump is a node with mass or inertia, or one where branches meet or end; nodes without either belong to their only
/// child's.
static void check_lumps(const ff_model *m)
{
    int lumps = 0;
    for (int n = 0; n < m->nnode; n++) {
        int children = 0, child = -1, above = m->nodes[n].parent;
        for (int k = n + 1; k < m->nnode; k++)
            if (m->nodes[k].parent == n) {
                children++;
                child = k;
            }
        const double *I = m->nodes[n].inertia.I;
        if (!(m->nodes[n].inertia.mass > 0) && !(I[0] + I[1] + I[2] > 0) && children == 1) {
            CHECK_INT(m->nodes[n].lump, m->nodes[child].lump);
            continue;
        }
        int lump = m->nodes[n].lump;
        CHECK_INT(m->lump_node[lump], n);
        CHECK_INT(lump, lumps);
        lumps++;
        while (above >= 0 && m->lump_node[m->nodes[above].lump] != above) above = m->nodes[above].parent;
        CHECK_INT(m->lump_carrier[lump], above < 0 ? -1 : m->nodes[above].lump);
        const double *numbers = &m->nodes[n].inertia.mass;
        for (int k = 0; k < 10; k++) CHECK(m->lanes->inertia[20 * (lump / 2) + 2 * k + lump % 2] == numbers[k]);
    }
    CHECK_INT(m->nlump, lumps);
}

static void check_rows(const ff_model *m)
{
    int seen[1000] = {0}, entries = 0;
    CHECK(m->nv <= 1000 && m->lanes->nrow % 2 == 0);
    for (int r = 0; r < m->lanes->nrow; r++) {
        bool again = r == m->lanes->nrow - 1 && m->lanes->row[r] == m->lanes->row[r - 1];
        if (!again) seen[m->lanes->row[r]]++;
    }
    for (int i = 0; i < m->nv; i++) {
        CHECK_INT(seen[i], m->nodes[m->dof_node[i]].type != FF_NODE_FREE);
        CHECK_INT(m->M_row[i], entries);
        entries = m->M_row[i + 1];
        int at = entries;
        for (int a = i; a >= 0; a = m->dof_parent[a]) {
            CHECK(m->dof_parent[a] < a);
            CHECK_INT(m->M_col[--at], a);
            CHECK_INT(m->lanes->axis[at], 6 * a);
        }
        CHECK_INT(at, m->M_row[i]);
        CHECK_INT(m->dof_depth[i], entries - at - 1);
    }
    CHECK_INT(m->nM, entries);
}

TEST(tables_of_random_robots_agree_with_each_other)
{
    ff_random random = ff_random_make(45, 0);
    for (int k = 0; k < 2 * ROBOTS; k++) {
        ff_spec *spec = random_robot(&random, 1 + k, k % 2, true);
        ff_model *m = compiled(spec);
        CHECK(m);
        check_nodes(m);
        check_lumps(m);
        check_rows(m);
        ff_model_destroy(m);
        ff_spec_destroy(spec);
    }
}

TEST(a_model_without_joints_or_bodies_is_a_model)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_model *m = compiled(spec);
    CHECK(m);
    CHECK_INT(m->nq + m->nv + m->nbody + m->nnode, 0);
    ff_data *d = ff_data_create(m, NULL);
    CHECK(d);
    ff_dyn_kinematics(m, d);
    ff_data_destroy(d);
    ff_model_destroy(m);
    solid_body(spec, "rock", -1);
    m = compiled(spec);
    CHECK(m);
    CHECK_INT(m->nbody, 1);
    CHECK_INT(m->nv, 0);
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}

TEST(items_of_a_description_are_found_by_name)
{
    ff_spec *spec = ff_spec_create(NULL);
    const char *const names[] = {"first", "second"};
    for (int i = 0; i < 2; i++) {
        ff_spec_add_body(spec, names[i], -1);
        ff_spec_add_joint(spec, names[i], i, FF_JOINT_FREE);
        ff_spec_add_geom(spec, i == 0 ? NULL : names[i], i, FF_SHAPE_SPHERE); // geoms may lack a name
        ff_spec_add_mesh(spec, names[i]);
    }
    CHECK_INT(ff_spec_find_body(spec, "second"), 1);
    CHECK_INT(ff_spec_find_joint(spec, "first"), 0);
    CHECK_INT(ff_spec_find_geom(spec, "second"), 1);
    CHECK_INT(ff_spec_find_mesh(spec, "second"), 1);
    CHECK_INT(ff_spec_find_joint(spec, "third"), -1);
    CHECK_INT(ff_spec_find_geom(spec, "first"), -1);
    ff_spec_destroy(spec);
}

TEST(a_missing_pose_is_named_with_those_that_exist)
{
    ff_spec *spec = ff_spec_create(NULL);
    ff_error err = {0};
    int key = 7;
    ff_model *m = compiled(spec);
    CHECK_INT(ff_model_need_key(m, "sit", &key, &err), FF_NOT_FOUND);
    CHECK_INT(key, -1);
    CHECK_TEXT(err.text, "the robot has no pose 'sit'; it has none");
    ff_model_destroy(m);
    ff_spec_add_key(spec, "stand");
    ff_spec_add_key(spec, "lie");
    m = compiled(spec);
    CHECK_INT(ff_model_need_key(m, "lie", &key, &err), FF_OK);
    CHECK_INT(key, 1);
    CHECK_INT(ff_model_need_key(m, "sit", &key, &err), FF_NOT_FOUND);
    CHECK_TEXT(err.text, "the robot has no pose 'sit'; it has 'stand', 'lie'");
    ff_model_destroy(m);
    for (int i = 0; i < 100; i++) { // as many as fit
        char name[80];
        snprintf(name, sizeof name, "a pose with a name that is longer than forty bytes, number %d", i);
        ff_spec_add_key(spec, name);
    }
    m = compiled(spec);
    CHECK_INT(ff_model_need_key(m, "sit", &key, &err), FF_NOT_FOUND);
    CHECK_TEXT(err.text + strlen(err.text) - 4, ", ..");
    ff_model_destroy(m);
    ff_spec_destroy(spec);
}
