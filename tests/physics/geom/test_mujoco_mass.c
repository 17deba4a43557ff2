// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Mass properties against MuJoCo 2.2.2: every primitive, and meshes, as far as later versions compute the same. MuJoCo
// gives a body's inertia as principal moments in a turned frame; they are turned back before comparing.
#include <mujoco/mujoco.h>

#include <footfall/geom.h>

#include "check.h"
#include "support/mujoco_text.h"
#include "tessellate.h"

static char xml[1 << 20];

static void quiet(const char *message)
{
    printf("  MuJoCo: %s\n", message);
}

// Inertia of the only body of the model in xml, about the origin of its frame.
static ff_inertia inertia_by_mujoco(void)
{
    mju_user_warning = quiet;
    mjModel *model = mujoco_of_text(xml);
    double R[9], identity[9];
    ff_inertia local = {.mass = model->body_mass[1]};
    memcpy(local.I, model->body_inertia + 3, 3 * sizeof(double));
    ff_quat_to_mat3(R, model->body_iquat + 4);
    ff_mat3_identity(identity);
    const double zero[3] = {0.0, 0.0, 0.0};
    ff_inertia turned = ff_inertia_transform(&local, zero, R);
    ff_inertia out = ff_inertia_transform(&turned, model->body_ipos + 3, identity);
    mj_deleteModel(model);
    return out;
}

TEST(primitives_weigh_what_they_weigh_in_mujoco)
{
    for (int i = 0; i < SOLIDS; i++) {
        snprintf(xml, sizeof xml,
                 "<mujoco><worldbody><body><freejoint/><geom type=\"%s\" size=\"%g %g %g\" "
                 "density=\"700\"/></body></worldbody></mujoco>",
                 ff_shape_name(solids[i].type), solids[i].size[0], solids[i].size[1], solids[i].size[2]);
        ff_inertia expected = inertia_by_mujoco(), got;
        CHECK_INT(ff_shape_inertia(&solids[i], 700.0, &got, NULL), FF_OK);
        CHECK_BELOW(inertia_difference(&got, &expected), 1e-13);
    }
}

static void write_mesh_model(const ff_mesh *mesh, bool exact)
{
    size_t n = (size_t)snprintf(xml, sizeof xml,
                                "<mujoco><compiler exactmeshinertia=\"%s\"/><asset><mesh name=\"m\" vertex=\"",
                                exact ? "true" : "false");
    for (int i = 0; i < 3 * mesh->nvertex; i++)
        n += (size_t)snprintf(xml + n, sizeof xml - n, "%.9g ", mesh->vertices[i]);
    n += (size_t)snprintf(xml + n, sizeof xml - n, "\" face=\"");
    for (int i = 0; i < 3 * mesh->ntriangle; i++)
        n += (size_t)snprintf(xml + n, sizeof xml - n, "%d ", mesh->triangles[i]);
    snprintf(xml + n, sizeof xml - n,
             "\"/></asset><worldbody><body><freejoint/><geom type=\"mesh\" mesh=\"m\" "
             "density=\"700\"/></body></worldbody></mujoco>");
}

// A random solid without symmetry, star-shaped but not convex: an ellipsoid with dents, turned and moved.
static ff_mesh *dented(ff_random *random, double depth)
{
    ff_mesh *mesh = mesh_of_shape(&(ff_shape){FF_SHAPE_ELLIPSOID, {0.2, 0.3, 0.5}, NULL}, 8);
    double q[4], R[9], p[3];
    for (int i = 0; i < mesh->nvertex; i++)
        ff_vec3_scale(mesh->vertices + 3 * i, mesh->vertices + 3 * i, 1.0 - ff_random_range(random, 0.0, depth));
    for (int k = 0; k < 4; k++) q[k] = ff_random_normal(random);
    for (int k = 0; k < 3; k++) p[k] = ff_random_range(random, -0.5, 0.5);
    ff_quat_normalise(q);
    ff_quat_to_mat3(R, q);
    ff_mesh *moved = mesh_moved(mesh, R, p);
    ff_mesh_destroy(mesh);
    for (int i = 0; i < 3 * moved->nvertex; i++)
        moved->vertices[i] = (double)(float)moved->vertices[i]; // as MuJoCo keeps them
    return moved;
}

// MuJoCo 2.2.2 computes meshes in single precision, and its axes are off by up to 1.4e-6 rad.
#define SINGLE 3e-6

// Its default gives the mesh the mass of the box with equal inertia per mass, which MuJoCo 3 no longer does. Centre of
// mass and inertia per mass are the same in both.
TEST(meshes_filled_the_old_way_have_mujocos_centre_and_inertia_per_mass)
{
    ff_random random = ff_random_make(21, 0);
    for (int round = 0; round < 20; round++) {
        ff_mesh *mesh = dented(&random, 0.04 * round); // up to 76 % deep: far from convex
        write_mesh_model(mesh, false);
        ff_inertia expected = inertia_by_mujoco(), got;
        CHECK_INT(ff_mesh_inertia(mesh, FF_FILL_LEGACY, 700.0, &got, NULL), FF_OK);
        ff_mesh_destroy(mesh);
        const double scale = got.mass / expected.mass;
        expected.mass = got.mass;
        ff_vec3_scale(expected.h, expected.h, scale);
        for (int k = 0; k < 6; k++) expected.I[k] *= scale;
        CHECK_BELOW(inertia_difference(&got, &expected), SINGLE);
    }
}

TEST(meshes_filled_exactly_weigh_the_same_to_single_precision)
{
    ff_random random = ff_random_make(22, 0);
    for (int round = 0; round < 20; round++) {
        ff_mesh *mesh = dented(&random, 0.02 * round);
        write_mesh_model(mesh, true);
        ff_inertia expected = inertia_by_mujoco(), got;
        CHECK_INT(ff_mesh_inertia(mesh, FF_FILL_EXACT, 700.0, &got, NULL), FF_OK);
        ff_mesh_destroy(mesh);
        CHECK_BELOW(inertia_difference(&got, &expected), SINGLE);
    }
}
