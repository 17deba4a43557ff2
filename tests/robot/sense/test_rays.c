// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Distance meter and camera against closed forms: the distance to a plane and a sphere, the nearest point in a cone,
// where a known scene must appear in a picture, its depth, and a picture that is written and read again.
#include "check.h"

#include <footfall/footfall.h>
#include <footfall/math.h>

/// A sphere of radius 0.5 at (3, 0.4, 1.2), a box of half sides (0.1, 1, 1) at (6, 0, 1), and the ground z < 0.
typedef struct room {
    ff_collider colliders[3];
    ff_sense_shape shapes[3];
    ff_model model;
    ff_data data;
    ff_sense_view view;
} room;

static void make_room(room *r)
{
    const double places[3][3] = {{3, 0.4, 1.2}, {6, 0, 1}, {0, 0, 0}};
    memset(r, 0, sizeof *r);
    r->colliders[0] = (ff_collider){.type = FF_COLLIDER_SPHERE, .size = {0.5}};
    r->colliders[1] = (ff_collider){.type = FF_COLLIDER_BOX, .size = {0.1, 1, 1}};
    r->colliders[2] = (ff_collider){.type = FF_COLLIDER_PLANE};
    for (int i = 0; i < 3; i++) {
        ff_sense_shape *s = &r->shapes[i];
        *s = (ff_sense_shape){.collider = &r->colliders[i], .body = -1};
        s->colour[i] = 1.0F;
        ff_mat3_identity(s->pose.R);
        ff_vec3_copy(s->pose.p, places[i]);
        ff_collider_bounds(s->collider, &s->pose, s->low, s->high);
    }
    r->view = (ff_sense_view){.model = &r->model, .data = &r->data, .shapes = r->shapes, .nshape = 3};
}

static ff_sensor meter(double x, double y, double z, double pitch)
{
    ff_sensor s = {
        .type = FF_SENSOR_DISTANCE, .joint = -1, .body = -1, .pos = {x, y, z}, .reach = {0.05, 10.0}, .rays = 1};
    double quat[4], rpy[3] = {0, pitch, 0};
    ff_quat_from_rpy(quat, rpy);
    ff_quat_to_mat3(s.R, quat);
    return s;
}

TEST(distance_is_that_of_the_closed_form)
{
    room r;
    double out[2];
    make_room(&r);
    // the sphere from the side: 3 - sqrt(0.25 - 0.4^2 - 0.2^2)
    ff_sensor s = meter(0, 0, 1, 0);
    ff_sensor_truth(&s, &r.view, NULL, 0.0, out);
    CHECK_NEAR(out[0], 3.0 - sqrt(0.25 - 0.16 - 0.04), 1e-12); // [m] roots of a quadratic
    CHECK(out[1] == 1.0);
    // downwards by 0.3 rad from 1 m: 1 / sin
    s = meter(0, 0, 1, 0.3);
    ff_sensor_truth(&s, &r.view, NULL, 0.0, out);
    CHECK_NEAR(out[0], 1.0 / sin(0.3), 1e-12);
    // past the sphere to the box
    s = meter(0, -0.3, 1, 0);
    ff_sensor_truth(&s, &r.view, NULL, 0.0, out);
    CHECK_NEAR(out[0], 5.9, 1e-12);
    // up: nothing there, the end of the range; too near: its beginning
    s = meter(0, 0, 1, -1.0);
    ff_sensor_truth(&s, &r.view, NULL, 0.0, out);
    CHECK(out[0] == 10.0 && out[1] == 0.0);
    s = meter(5.88, -0.3, 1, 0);
    ff_sensor_truth(&s, &r.view, NULL, 0.0, out);
    CHECK(out[0] == 0.05 && out[1] == 1.0);
}

// A cone of half angle w about a ray that meets a plane under the angle a below the horizon has its nearest point on
// its lower rim: h / sin(a + w), and 4000 rays reach it within the angle between neighbours, about w / sqrt(4000).
TEST(cone_finds_the_nearest_point_of_a_plane)
{
    room r;
    double out[2];
    make_room(&r);
    r.view.shapes = &r.shapes[2];
    r.view.nshape = 1;
    ff_sensor s = meter(0, 0, 1, 0.3);
    s.cone = 0.1;
    s.rays = 4000;
    ff_sensor_truth(&s, &r.view, NULL, 0.0, out);
    const double least = 1.0 / sin(0.4), slope = cos(0.4) / (sin(0.4) * sin(0.4));
    CHECK(out[0] >= least - 1e-12);
    CHECK(out[0] <= least + 2.0 * slope * 0.1 / sqrt(4000.0));
}

/// Middle and extent of the pixels that shape k alone colours.
static int seen(const ff_picture *p, int k, double low[2], double high[2])
{
    int count = 0;
    low[0] = low[1] = 1e9;
    high[0] = high[1] = -1e9;
    for (int j = 0; j < p->height; j++)
        for (int i = 0; i < p->width; i++) {
            const unsigned char *c = p->rgb + 3 * (j * p->width + i);
            if (!(c[k] > 40 && c[(k + 1) % 3] < 5 && c[(k + 2) % 3] < 5)) continue;
            low[0] = fmin(low[0], i);
            low[1] = fmin(low[1], j);
            high[0] = fmax(high[0], i + 1);
            high[1] = fmax(high[1], j + 1);
            count++;
        }
    return count;
}

// The outline of a sphere of radius r at depth d, offset y across the axis, ends where the tangents from the eye do: at
// the angles atan(y / d) +- asin(r / sqrt(d^2 + y^2)) in the plane of eye, axis and offset.
TEST(camera_shows_a_known_scene_where_it_must)
{
    room r;
    make_room(&r);
    ff_camera camera = ff_camera_default();
    const double pos[3] = {0, 0.4, 1.0}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double f = 0.5 * camera.height / tan(0.5 * camera.field);
    ff_picture *p = ff_picture_create(camera.width, camera.height, NULL);
    double low[2], high[2];
    ff_camera_take(&camera, &r.view, pos, R, -2, NULL, p);
    // the sphere straight ahead in y, 0.2 m above the axis
    CHECK(seen(p, 0, low, high) > 1000);
    const double middle = atan2(0.2, 3.0), half = asin(0.5 / sqrt(9.04));
    CHECK_NEAR(low[1], 120.0 - f * tan(middle + half), 1.0);  // [pixel]
    CHECK_NEAR(high[1], 120.0 - f * tan(middle - half), 1.0); // [pixel]
    CHECK_NEAR(0.5 * (low[0] + high[0]), 160.0, 0.51);
    // the face of the box ends at y = -1: to the right, u = 160 + f 1.4 / 5.9; its top, z = 2, at 120 - f 1 / 5.9
    CHECK(seen(p, 1, low, high) > 1000);
    CHECK_NEAR(high[0], 160.0 + f * 1.4 / 5.9, 1.0);
    CHECK_NEAR(low[1], 120.0 - f / 5.9, 1.0);
    // the depth of its face is the same all over, although rays at the edge are longer
    CHECK_NEAR((double)p->depth[100 * 320 + 200], 5.9, 1e-5);
    CHECK_NEAR((double)p->depth[118 * 320 + 205], 5.9, 1e-5); // [m] float32
    // the sky is infinitely far
    CHECK(isinf(p->depth[0]));
    // points are projected where their pixels are
    const double corner[3] = {5.9, -1.0, 2.0};
    double pixel[2];
    CHECK_NEAR(ff_camera_project(&camera, pos, R, corner, pixel), 5.9, 1e-12);
    CHECK_NEAR(pixel[0], high[0], 1.0);
    CHECK_NEAR(pixel[1], low[1], 1.0);
    ff_picture_destroy(p);
}

// A turned camera sees the same when the whole scene turns with it.
TEST(turned_camera_sees_what_it_looks_at)
{
    room r;
    make_room(&r);
    ff_camera camera = ff_camera_default();
    const double pos[3] = {0, 0, 2.0};
    double quat[4], R[9], pixel[2], rpy[3] = {0, 0.5, 0.2};
    ff_quat_from_rpy(quat, rpy);
    ff_quat_to_mat3(R, quat);
    ff_picture *p = ff_picture_create(camera.width, camera.height, NULL);
    ff_camera_take(&camera, &r.view, pos, R, -2, NULL, p);
    const double depth = ff_camera_project(&camera, pos, R, r.shapes[0].pose.p, pixel);
    CHECK(depth > 0.0 && pixel[0] > 0 && pixel[0] < 320 && pixel[1] > 0 && pixel[1] < 240);
    // through the centre of the sphere: its surface is 0.5 m before it, along the ray
    double arm[3], local[3];
    ff_vec3_sub(arm, r.shapes[0].pose.p, pos);
    ff_mat3_tmulv(local, R, arm);
    const double length = ff_vec3_norm(arm);
    CHECK_NEAR((double)p->depth[(int)pixel[1] * 320 + (int)pixel[0]], local[0] * (length - 0.5) / length,
               5e-3); // half a pixel off
    ff_picture_destroy(p);
}

TEST(pictures_are_written_as_png)
{
    room r;
    make_room(&r);
    ff_camera camera = ff_camera_default();
    const double pos[3] = {0, 0, 1}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    ff_picture *p = ff_picture_create(64, 48, NULL);
    ff_error err = {0};
    char path[] = "/tmp/footfall_pictureXXXXXX";
    const int file = mkstemp(path);
    CHECK(p && file >= 0);
    close(file);
    ff_camera_take(&camera, &r.view, pos, R, -2, NULL, p);
    const ff_status status = ff_picture_write_depth(p, path, &err);
    if (status == FF_NOT_BUILT) {
        ff_picture_destroy(p);
        unlink(path);
        SKIP("no libpng");
    }
    CHECK(status == FF_OK);
    // read back as a height field: white is 65.535 m, the middle shows the sphere
    const double size[2] = {63, 47};
    ff_field *field = ff_field_create_png(path, size, 65.535, &err);
    if (!field) CHECK_FAIL("%s", err.text);
    for (int j = 0; j < 48; j += 7)
        for (int i = 0; i < 64; i += 7) {
            const double depth = fmin(65.535, (double)p->depth[j * 64 + i]);
            CHECK_NEAR(ff_field_height(field, i - 31.5, 23.5 - j), depth,
                       0.0006); // [m] half a millimetre and the field's floats
        }
    ff_field_destroy(field);
    CHECK(ff_picture_write(p, path, &err) == FF_OK);
    CHECK(ff_picture_write(p, "/nowhere/at/all.png", &err) == FF_NOT_WRITTEN);
    unlink(path);
    ff_picture_destroy(p);
}

TEST(sizes_that_are_no_picture_are_refused)
{
    CHECK(!ff_picture_create(0, 10, NULL) && !ff_picture_create(10, -1, NULL) && !ff_picture_create(100000, 10, NULL));
}
