// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Mass properties of meshes: exact where the surface is flat, second order where it is curved, and alike in every
// frame.
#include <footfall/geom.h>

#include "check.h"
#include "tessellate.h"

static const ff_mesh_filling SOLID[] = {FF_FILL_EXACT, FF_FILL_CONVEX, FF_FILL_LEGACY};

static ff_inertia inertia_of(const ff_mesh *mesh, ff_mesh_filling filling, double density)
{
    ff_inertia out = {0};
    ff_error err = {0};
    if (ff_mesh_inertia(mesh, filling, density, &out, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return out;
}

static void random_pose(ff_random *random, double R[9], double p[3])
{
    double q[4];
    for (int k = 0; k < 4; k++) q[k] = ff_random_normal(random);
    for (int k = 0; k < 3; k++) p[k] = ff_random_range(random, -2.0, 2.0);
    ff_quat_normalise(q);
    ff_quat_to_mat3(R, q);
}

TEST(a_box_of_triangles_weighs_what_a_box_weighs)
{
    ff_shape shape = {FF_SHAPE_BOX, {0.3, 0.5, 0.7}, NULL};
    ff_mesh *mesh = mesh_box(0.3, 0.5, 0.7);
    ff_inertia box, got;
    CHECK_INT(ff_shape_inertia(&shape, 800.0, &box, NULL), FF_OK);
    got = inertia_of(mesh, FF_FILL_EXACT, 800.0);
    CHECK_BELOW(inertia_difference(&got, &box), 1e-14); // flat faces: roundings only
    got = inertia_of(mesh, FF_FILL_CONVEX, 800.0);
    CHECK_BELOW(inertia_difference(&got, &box), 1e-14);
    got = inertia_of(mesh, FF_FILL_LEGACY, 800.0);
    CHECK_BELOW(inertia_difference(&got, &box), 1e-14);
    ff_mesh_destroy(mesh);
}

// Six thin plates: each of the two faces normal to x has the area 4 b c and, about its own plane, c^2/3 and b^2/3.
TEST(a_shell_box_weighs_what_six_plates_weigh)
{
    const double a = 0.3, b = 0.5, c = 0.7, density = 11.0;
    const double mx = 8 * b * c * density, my = 8 * a * c * density, mz = 8 * a * b * density;
    ff_inertia expected = {.mass = mx + my + mz};
    expected.I[0] = mx * (b * b + c * c) / 3 + my * (b * b + c * c / 3) + mz * (c * c + b * b / 3);
    expected.I[1] = mx * (a * a + c * c / 3) + my * (a * a + c * c) / 3 + mz * (c * c + a * a / 3);
    expected.I[2] = mx * (a * a + b * b / 3) + my * (b * b + a * a / 3) + mz * (a * a + b * b) / 3;
    ff_mesh *mesh = mesh_box(a, b, c);
    ff_inertia got = inertia_of(mesh, FF_FILL_SHELL, density);
    ff_mesh_destroy(mesh);
    CHECK_BELOW(inertia_difference(&got, &expected), 1e-14);
}

// Chords instead of arcs: the error falls with the square of the edge length, so by 4 when the edges halve.
TEST(tessellations_converge_to_the_closed_forms_with_second_order)
{
    const ff_shape shapes[] = {{FF_SHAPE_SPHERE, {0.3}, NULL},
                               {FF_SHAPE_CAPSULE, {0.3, 0.7}, NULL},
                               {FF_SHAPE_CYLINDER, {0.2, 0.9}, NULL},
                               {FF_SHAPE_ELLIPSOID, {0.1, 0.2, 0.4}, NULL}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < 2; k++) {
            double error[2];
            for (int level = 0; level < 2; level++) {
                ff_mesh *mesh = mesh_of_shape(&shapes[i], 20 << level);
                ff_inertia got = inertia_of(mesh, SOLID[k], 500.0), expected;
                ff_mesh_destroy(mesh);
                CHECK_INT(ff_shape_inertia(&shapes[i], 500.0, &expected, NULL), FF_OK);
                error[level] = inertia_difference(&got, &expected);
            }
            CHECK_BELOW(error[0], 0.05);
            CHECK_NEAR(log2(error[0] / error[1]), 2.0, 0.02); // next term is fourth order: (pi/20)^2 of the first
        }
}

TEST(a_moved_mesh_has_the_moved_inertia)
{
    ff_random random = ff_random_make(5, 0);
    ff_mesh *mesh = mesh_of_shape(&(ff_shape){FF_SHAPE_ELLIPSOID, {0.2, 0.3, 0.5}, NULL}, 8);
    for (int round = 0; round < 20; round++) {
        double R[9], p[3];
        random_pose(&random, R, p);
        ff_mesh *moved = mesh_moved(mesh, R, p);
        for (size_t k = 0; k < 3; k++) {
            ff_inertia at_home = inertia_of(mesh, SOLID[k], 300.0), got = inertia_of(moved, SOLID[k], 300.0);
            ff_inertia expected = ff_inertia_transform(&at_home, p, R);
            CHECK_BELOW(inertia_difference(&got, &expected), 1e-13);
        }
        ff_mesh_destroy(moved);
    }
    ff_mesh_destroy(mesh);
}

// Far from the origin the parts of I about the origin are large; about the centre of mass they must still be those of
// the box.
TEST(inertia_about_the_centre_of_mass_survives_a_large_offset)
{
    ff_shape shape = {FF_SHAPE_BOX, {0.25, 0.5, 0.75}, NULL};
    double identity[9], offset[3] = {1024.0, -512.0, 256.0}, com[3], I[6];
    ff_inertia box;
    ff_mat3_identity(identity);
    ff_mesh *mesh = mesh_box(0.25, 0.5, 0.75), *moved = mesh_moved(mesh, identity, offset);
    CHECK_INT(ff_shape_inertia(&shape, 8.0, &box, NULL), FF_OK);
    ff_inertia got = inertia_of(moved, FF_FILL_EXACT, 8.0);
    ff_inertia_to_com(&got, com, I);
    for (int k = 0; k < 3; k++) CHECK_NEAR(com[k], offset[k], 1e-12);
    for (int k = 0; k < 6; k++) CHECK_NEAR(I[k], box.I[k], 1e-8); // eps * m * 1e6 m^2 is left of the subtraction
    ff_mesh_destroy(mesh);
    ff_mesh_destroy(moved);
}

// Legs 1, 2, 3 along the axes at density 6: 6 kg, centre (1/4, 1/2, 3/4); int x^2 dm = m a^2 / 10, int x y dm = m a b /
// 20 about the corner. Every way to fill a convex solid gives this.
TEST(a_tetrahedron_weighs_a_sixth_of_its_box_however_it_is_filled)
{
    const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
    const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    ff_mesh *mesh = ff_mesh_create(corner, 4, faces, 4, NULL);
    ff_inertia expected = {
        6.0, {1.5, 3.0, 4.5}, {0.6 * (4 + 9), 0.6 * (1 + 9), 0.6 * (1 + 4), -0.3 * 2, -0.3 * 3, -0.3 * 6}};
    for (size_t k = 0; k < 3; k++) {
        ff_inertia got = inertia_of(mesh, SOLID[k], 6.0);
        CHECK_BELOW(inertia_difference(&got, &expected), 1e-14);
    }
    ff_mesh_destroy(mesh);
}

// A box with a smaller box cut out of it, as one surface: the inner triangles face the other way.
TEST(a_cavity_takes_mass_away)
{
    double corner[48];
    int triangle[72];
    box_corners(corner, 0.5, 0.5, 0.5);
    box_corners(corner + 24, 0.25, 0.125, 0.25);
    for (int i = 0; i < 36; i++) {
        triangle[i] = BOX_TRIANGLES[i];
        triangle[71 - i] = 8 + BOX_TRIANGLES[i];
    }
    ff_mesh *mesh = ff_mesh_create(corner, 16, triangle, 24, NULL);
    ff_inertia outer, inner, got = inertia_of(mesh, FF_FILL_EXACT, 1.0);
    CHECK_INT(ff_shape_inertia(&(ff_shape){FF_SHAPE_BOX, {0.5, 0.5, 0.5}, NULL}, 1.0, &outer, NULL), FF_OK);
    CHECK_INT(ff_shape_inertia(&(ff_shape){FF_SHAPE_BOX, {0.25, 0.125, 0.25}, NULL}, 1.0, &inner, NULL), FF_OK);
    CHECK_NEAR(got.mass, outer.mass - inner.mass, 1e-15);
    for (int k = 0; k < 6; k++) CHECK_NEAR(got.I[k], outer.I[k] - inner.I[k], 1e-15);
    got = inertia_of(mesh, FF_FILL_CONVEX, 1.0);
    CHECK_BELOW(inertia_difference(&got, &outer), 1e-14);
    got = inertia_of(mesh, FF_FILL_LEGACY, 1.0); // the cavity counts as positive, too, about the same centre
    CHECK_NEAR(got.mass, outer.mass + inner.mass, 1e-15);
    for (int k = 0; k < 6; k++) CHECK_NEAR(got.I[k], outer.I[k] + inner.I[k], 1e-15);
    ff_mesh_destroy(mesh);
}

TEST(meshes_without_a_volume_are_refused_with_a_reason)
{
    const double square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const int faces[6] = {0, 1, 2, 0, 2, 3};
    ff_mesh *flat = ff_mesh_create(square, 4, faces, 2, NULL), *box = mesh_box(1, 1, 1);
    ff_inertia out;
    ff_error err = {0};
    CHECK_INT(ff_mesh_inertia(flat, FF_FILL_EXACT, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_SAYS(err.text, "volume");
    CHECK_INT(ff_mesh_inertia(flat, FF_FILL_LEGACY, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_INT(ff_mesh_inertia(flat, FF_FILL_CONVEX, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_SAYS(err.text, "plane");
    CHECK_INT(ff_mesh_inertia(flat, FF_FILL_SHELL, 1.0, &out, &err), FF_OK);
    CHECK_NEAR(out.mass, 1.0, 1e-15);
    for (int t = 0; t < 12; t++) { // turn the box inside out
        int swap = box->triangles[3 * t];
        box->triangles[3 * t] = box->triangles[3 * t + 1];
        box->triangles[3 * t + 1] = swap;
    }
    CHECK_INT(ff_mesh_inertia(box, FF_FILL_EXACT, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_SAYS(err.text, "face inwards");
    CHECK_INT(ff_mesh_inertia(box, FF_FILL_EXACT, NAN, &out, &err), FF_BAD_ARGUMENT);
    box->ntriangle = 10; // one wall gone
    CHECK_INT(ff_shape_inertia(&(ff_shape){FF_SHAPE_MESH, {0}, box}, 1.0, &out, &err), FF_BAD_MODEL);
    CHECK_SAYS(err.text, "open");
    ff_mesh_destroy(flat);
    ff_mesh_destroy(box);
}

TEST(creating_a_mesh_checks_its_numbers)
{
    const double good[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, bad[9] = {0, 0, 0, 1, INFINITY, 0, 0, 1, 0};
    CHECK(ff_mesh_create(good, 3, (int[]){0, 1, 3}, 1, NULL) == NULL);
    CHECK(ff_mesh_create(good, 3, (int[]){0, -1, 2}, 1, NULL) == NULL);
    CHECK(ff_mesh_create(bad, 3, (int[]){0, 1, 2}, 1, NULL) == NULL);
    CHECK(ff_mesh_create(good, -1, NULL, 0, NULL) == NULL);
    ff_mesh *points = ff_mesh_create(good, 3, NULL, 0, NULL); // a cloud without triangles is fine
    CHECK(points && points->ntriangle == 0);
    ff_mesh_destroy(points);
    ff_mesh_destroy(NULL);
}
