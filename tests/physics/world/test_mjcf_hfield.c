// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields of MJCF: the heights are those of the file in all three ways to give them, and MuJoCo's; balls meet the
// ground where they meet it in MuJoCo 2.2.2, also on a field that is turned; a ball comes to rest in a valley where
// geometry says.
#include <mujoco/mujoco.h>

#include <footfall/footfall.h>

#include "check.h"
#include "support/folder.h"
#include "support/must_run.h"
#include "support/picture.h"

#include <math.h>
#include <stdio.h>

enum { NROW = 7, NCOL = 9 };

/// A rough field of grey values, row by row from +y on, as in a picture.
static void make_grey(unsigned char grey[NROW * NCOL])
{
    ff_random random = ff_random_make(31, 0);
    for (int i = 0; i < NROW * NCOL; i++) grey[i] = (unsigned char)(20.0 + 200.0 * ff_random_uniform(&random));
}

/// The same as MuJoCo's binary file, row by row from -y on.
static const char *write_binary(const unsigned char *grey)
{
    struct {
        int32_t count[2];
        float height[NROW * NCOL];
    } file = {.count = {NROW, NCOL}};
    for (int i = 0; i < NROW * NCOL; i++)
        file.height[i] = (float)grey[(NROW - 1 - i / NCOL) * NCOL + i % NCOL] / 255.0f;
    return write_bytes("field.bin", &file, sizeof file);
}

#define FIELD(how, pose, rest)                                                                                         \
    "<mujoco><asset><hfield name='h' " how " size='2 1.5 .4 .3'/></asset><worldbody>"                                  \
    "<geom name='ground' type='hfield' hfield='h' " pose "/>" rest "</worldbody></mujoco>"

static ff_model *ours_of(const char *xml)
{
    ff_report report = {0};
    const char *path = write_file("m.xml", xml);
    ff_model *model = ff_model_load(path, NULL, &report);
    if (!model) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no model");
    CHECK_INT(model->nignored, 0);
    ff_report_clear(&report);
    return model;
}

static mjModel *theirs_of(const char *xml)
{
    char problem[500] = "";
    mjModel *model = mj_loadXML(write_file("m.xml", xml), NULL, problem, sizeof problem);
    if (!model) CHECK_FAIL("MuJoCo: %s", problem);
    return model;
}

/// The upper points of our mesh are the grid.
static void check_heights(const ff_model *m, const mjModel *theirs, double close)
{
    const ff_mesh *mesh = m->geoms[0].shape.mesh;
    for (int r = 0; r < NROW; r++)
        for (int c = 0; c < NCOL; c++) {
            const double *v = mesh->vertices + 3 * (r * NCOL + c);
            CHECK_NEAR(v[0], -2.0 + 4.0 * c / (NCOL - 1), 1e-12);
            CHECK_NEAR(v[1], -1.5 + 3.0 * r / (NROW - 1), 1e-12);
            CHECK_NEAR(v[2], 0.4 * (double)theirs->hfield_data[r * NCOL + c], close);
        }
}

TEST(heights_are_those_of_the_file)
{
    unsigned char grey[NROW * NCOL];
    char inline_field[3000];
    make_grey(grey);
    write_binary(grey);
    mjModel *theirs = theirs_of(FIELD("file='field.bin'", "", ""));
    CHECK_INT(theirs->nhfielddata, NROW * NCOL);
    ff_model *ours = ours_of(FIELD("file='field.bin'", "", ""));
    check_heights(ours, theirs, 1e-12);
    ff_inertia solid;
    ff_error err = {0}; // closed, and the right side out: its volume is positive, that of the columns under the cells
    CHECK_INT(ff_mesh_inertia(ours->geoms[0].shape.mesh, FF_FILL_EXACT, 1.0, &solid, &err), FF_OK);
    CHECK(solid.mass > 0.3 * 4.0 * 3.0 && solid.mass < 0.7 * 4.0 * 3.0);
    ff_model_destroy(ours);
    size_t n = (size_t)snprintf(inline_field, sizeof inline_field,
                                "<mujoco><asset><hfield name='h' nrow='%d' ncol='%d' size='2 1.5 .4 .3' elevation='",
                                NROW, NCOL);
    for (int i = 0; i < NROW * NCOL; i++)
        n += (size_t)snprintf(inline_field + n, sizeof inline_field - n, "%d ", 3 * grey[i] - 40);
    snprintf(inline_field + n, sizeof inline_field - n,
             "'/></asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
    ours = ours_of(inline_field);
    check_heights(ours, theirs, 1e-7); // single precision, by other numbers
    ff_model_destroy(ours);
    mj_deleteModel(theirs);
#ifdef FF_WITH_PNG
    make_picture(NCOL, NROW, 8, 0, grey, NCOL);
    write_bytes("field.png", picture_bytes, picture_length);
    theirs = theirs_of(FIELD("file='field.png'", "", ""));
    ours = ours_of(FIELD("file='field.png'", "", ""));
    check_heights(ours, theirs, 1e-7);
    ff_model_destroy(ours);
    mj_deleteModel(theirs);
#endif
}

#ifdef FF_WITH_PNG
/// A picture of random bytes: its first channel is the height, as in MuJoCo.
static void check_kind(unsigned char depth, unsigned char colour, int channels)
{
    unsigned char bytes[NROW * NCOL * 4];
    ff_random random = ff_random_make(33, colour);
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(256.0 * ff_random_uniform(&random));
    make_picture(NCOL, NROW, depth, colour, bytes, (size_t)(NCOL * channels * depth + 7) / 8);
    write_bytes("field.png", picture_bytes, picture_length);
    mjModel *theirs = theirs_of(FIELD("file='field.png'", "", ""));
    ff_model *ours = ours_of(FIELD("file='field.png'", "", ""));
    check_heights(ours, theirs, 1e-7);
    ff_model_destroy(ours);
    mj_deleteModel(theirs);
}

TEST(pictures_of_all_kinds_are_read_as_in_mujoco)
{
    check_kind(8, 2, 3); // colours
    check_kind(8, 4, 2); // grey with transparency
    check_kind(8, 6, 4); // both
    check_kind(4, 0, 1); // grey with 4 bits
}
#endif

/// Depth of MuJoCo's contact along a normal, -1: it has none.
static double depth_in_mujoco(const mjData *d, const double normal[3])
{
    for (int i = 0; i < d->ncon; i++)
        if (fabs(ff_vec3_dot(d->contact[i].frame, normal)) > 1.0 - 1e-5) return -d->contact[i].dist;
    return -1.0;
}

static double depth_here(ff_world *world, ff_sim *sim, double normal[3])
{
    int count;
    const ff_world_contact *contacts = ff_world_contacts(world, sim, &count);
    double deepest = -1.0;
    for (int i = 0; i < count; i++) {
        if (!(contacts[i].point.depth > deepest)) continue;
        deepest = contacts[i].point.depth;
        ff_vec3_copy(normal, contacts[i].point.normal);
    }
    return deepest;
}

/// Distance of a point from a triangle, and whether the nearest place is well inside it.
static double from_triangle(const double p[3], const double a[3], const double b[3], const double c[3], bool *inside)
{
    double ab[3], ac[3], ap[3], n[3], w[3];
    ff_vec3_sub(ab, b, a);
    ff_vec3_sub(ac, c, a);
    ff_vec3_sub(ap, p, a);
    ff_vec3_cross(n, ab, ac);
    const double area = ff_vec3_dot(n, n);
    ff_vec3_cross(w, ap, ac);
    const double u = ff_vec3_dot(w, n) / area;
    ff_vec3_cross(w, ab, ap);
    const double v = ff_vec3_dot(w, n) / area;
    *inside = u > 0.15 && v > 0.15 && u + v < 0.85; // by more than the radius of the ball
    if (u >= 0.0 && v >= 0.0 && u + v <= 1.0) return fabs(ff_vec3_dot(ap, n)) / sqrt(area);
    const double *corners[4] = {a, b, c, a};
    double nearest = INFINITY;
    for (int k = 0; k < 3; k++) {
        double side[3], to[3], gap[3];
        ff_vec3_sub(side, corners[k + 1], corners[k]);
        ff_vec3_sub(to, p, corners[k]);
        const double share = fmin(1.0, fmax(0.0, ff_vec3_dot(to, side) / ff_vec3_dot(side, side)));
        ff_vec3_copy(gap, to);
        ff_vec3_axpy(gap, -share, side);
        nearest = fmin(nearest, ff_vec3_norm(gap));
    }
    return nearest;
}

/// Distance of a point in the frame of the field from its surface, by all triangles of MuJoCo's numbers.
static double from_surface(const mjModel *m, const double p[3], bool *face)
{
    double nearest = INFINITY;
    for (int i = 0; i < 2 * (NROW - 1) * (NCOL - 1); i++) {
        const int r = i / 2 / (NCOL - 1), c = i / 2 % (NCOL - 1);
        const int rows[3] = {r, i % 2 ? r + 1 : r, r + 1}, columns[3] = {c, c + 1, i % 2 ? c : c + 1};
        double v[3][3];
        bool inside;
        for (int k = 0; k < 3; k++)
            ff_vec3_set(v[k], -2.0 + 4.0 * columns[k] / (NCOL - 1), -1.5 + 3.0 * rows[k] / (NROW - 1),
                        0.4 * (double)m->hfield_data[rows[k] * NCOL + columns[k]]);
        const double distance = from_triangle(p, v[0], v[1], v[2], &inside);
        if (!(distance < nearest)) continue;
        nearest = distance;
        *face = inside;
    }
    return nearest;
}

/// A ball at many places over the field. By geometry its depth is its radius less the distance of its centre from the
/// surface. MuJoCo, which tests one prism after the other, has the same depth where the ball can touch only one.
static void compare_contacts(const char *pose)
{
    char xml[2000];
    unsigned char grey[NROW * NCOL];
    make_grey(grey);
    write_binary(grey);
    snprintf(xml, sizeof xml, FIELD("file='field.bin'", "%s", "<body><freejoint/><geom size='.05' mass='1'/></body>"),
             pose);
    mjModel *theirs = theirs_of(xml);
    mjData *data = mj_makeData(theirs);
    ff_model *ours = ours_of(xml);
    ff_error err = {0};
    ff_sim *sim = ff_sim_create(ours, NULL, &err);
    ff_world *world = ff_world_create(ours, NULL, NULL);
    CHECK_INT(ff_sim_add_world(sim, world, &err), FF_OK);
    ff_random random = ff_random_make(32, 0);
    int touching = 0, faces = 0;
    for (int k = 0; k < 1000; k++) {
        double at[3] = {ff_random_range(&random, -1.6, 1.6), ff_random_range(&random, -1.1, 1.1), 0.0}, place[3];
        double normal[3] = {0}, q[7] = {0, 0, 0, 1}, v[6] = {0};
        const double x = (at[0] + 2.0) / 4.0 * (NCOL - 1), y = (at[1] + 1.5) / 3.0 * (NROW - 1);
        const double near = (double)theirs->hfield_data[(int)(y + 0.5) * NCOL + (int)(x + 0.5)];
        bool face = false;
        at[2] = 0.4 * near + ff_random_range(&random, 0.0, 0.12);
        const double depth = 0.05 - from_surface(theirs, at, &face);
        ff_quat_rotate(place, ours->geoms[0].quat, at);
        ff_vec3_add(q, place, ours->geoms[0].pos);
        memcpy(data->qpos, q, sizeof q);
        mj_forward(theirs, data);
        ff_sim_set_state(sim, q, v);
        const double our_depth = depth_here(world, sim, normal);
        if (!(depth > 1e-3) || our_depth > 0.05) continue; // with its middle under ground there is no one way out
        touching++;
        CHECK(our_depth > depth - 1e-9); // in a valley the way out of all its faces is longer
        if (!face) continue;
        faces++;
        CHECK_NEAR(our_depth, depth, 1e-9);
        CHECK_NEAR(depth_in_mujoco(data, normal), depth, 1e-5); // it iterates to 1e-6
    }
    CHECK(touching > 60 && faces > 30);
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    ff_model_destroy(ours);
    mj_deleteData(data);
    mj_deleteModel(theirs);
}

TEST(balls_meet_the_ground_as_in_mujoco)
{
    compare_contacts("");
    compare_contacts("pos='.3 -.2 .5' euler='20 -30 70'");
}

// A valley along y with slopes of 45 degrees: the ball touches both, its middle r sqrt(2) above the bottom.
TEST(a_ball_rests_in_a_valley)
{
    ff_model *model =
        ours_of("<mujoco><asset><hfield name='h' nrow='2' ncol='3' elevation='1 0 1 1 0 1' "
                "size='1 2 1 .1'/></asset><worldbody><geom type='hfield' hfield='h' pos='0 0 .2'/>"
                "<body pos='.02 0 .5'><freejoint/><geom size='.1' mass='1' friction='0' condim='1'/></body>"
                "</worldbody></mujoco>");
    ff_error err = {0};
    ff_sim *sim = ff_sim_create(model, NULL, &err);
    ff_world *world = ff_world_create(model, NULL, NULL);
    CHECK_INT(ff_sim_add_world(sim, world, &err), FF_OK);
    must_run(sim, 4.0);
    CHECK_NEAR(ff_sim_q(sim)[0], 0.0, 1e-3);
    CHECK_NEAR(ff_sim_q(sim)[2], 0.2 + 0.1 * sqrt(2.0), 3e-4); // less what it sinks in, 1 kg on 1e5 N/m
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    ff_model_destroy(model);
}

/// Message for a file that is refused.
static void must_refuse(const char *xml, const char *says)
{
    ff_report report = {0};
    ff_model *model = ff_model_load(write_file("m.xml", xml), NULL, &report);
    if (model || report.errors == 0) CHECK_FAIL("accepted; expected: %s", says);
    CHECK_SAYS(report.messages[0].text, says);
    ff_report_clear(&report);
}

TEST(fields_that_cannot_be_are_refused)
{
    write_bytes("short.bin", "\7\0\0\0\3\0\0\0abcd", 12);
    must_refuse(FIELD("nrow='1' ncol='3'", "", ""), "1 x 3 points");
    must_refuse(FIELD("nrow='2000' ncol='2000'", "", ""), "2000 x 2000 points");
    must_refuse(FIELD("nrow='2' ncol='2' elevation='1 2 3'", "", ""), "elevation has 3 numbers; 2 rows of 2");
    must_refuse(FIELD("file='short.bin'", "", ""), "needs 92");
    write_bytes("tiny.bin", "\7\0\0", 3);
    must_refuse(FIELD("file='tiny.bin'", "", ""), "has 3 bytes; a height field begins with two counts");
    const int32_t negative[2] = {-3, 5};
    write_bytes("negative.bin", negative, sizeof negative);
    must_refuse(FIELD("file='negative.bin'", "", ""), "-3 x 5 points");
    const struct {
        int32_t count[2];
        float height[6];
    } nan = {{2, 3}, {0.0f, 1.0f, 2.0f, 3.0f, NAN, 5.0f}};
    write_bytes("nan.bin", &nan, sizeof nan);
    must_refuse(FIELD("file='nan.bin'", "", ""), "nan.bin: height 5, in row 2 and column 2, is nan");
    must_refuse(FIELD("file='nowhere.bin'", "", ""), "nowhere.bin");
    must_refuse("<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 0'/></asset></mujoco>", "all four");
    must_refuse("<mujoco><asset><hfield name='h' nrow='2' ncol='2'/></asset></mujoco>", "needs a size");
    must_refuse("<mujoco><worldbody><geom type='hfield' hfield='x'/></worldbody></mujoco>",
                "\"x\", which does not exist");
    must_refuse("<mujoco><worldbody><geom type='hfield'/></worldbody></mujoco>", "which does not exist");
}

/// Messages about features that a file leaves out, or that cannot be written.
static void must_leave_out(const char *body)
{
    char xml[1000];
    ff_report report = {0};
    snprintf(xml, sizeof xml, FIELD("nrow='2' ncol='2'", "", "<body>%s</body>"), body);
    ff_model *model = ff_model_load(write_file("m.xml", xml), NULL, &report);
    if (!model) CHECK_FAIL("%s", report.messages[0].text);
    CHECK_INT(model->ngeom, 2); // the ground, and the ball
    CHECK_INT(model->nignored, 1);
    CHECK_SAYS(model->ignored[0].what, "height fields stand still");
    ff_model_destroy(model);
    ff_report_clear(&report);
}

TEST(fields_that_joints_move_are_left_out)
{
    must_leave_out("<joint/><geom size='1'/><geom type='hfield' hfield='h'/>");
    must_leave_out("<geom type='hfield' hfield='h'/><geom size='1'/><joint/>");
    must_leave_out("<frame><geom type='hfield' hfield='h'/></frame><geom size='1'/><frame><freejoint/></frame>");
    must_leave_out("<joint/><geom size='1'/><body><geom type='hfield' hfield='h'/></body>");
}

TEST(writing_says_that_mujoco_takes_the_hull)
{
    ff_report report = {0};
    const char *xml = FIELD("nrow='2' ncol='2'", "", ""), *path = in_folder("written.xml");
    ff_spec *spec = ff_spec_create(NULL);
    CHECK_INT(ff_spec_load(spec, write_file("m.xml", xml), NULL, &report), FF_OK);
    CHECK_INT(ff_spec_save(spec, path, NULL, &report), FF_OK);
    if (report.count < 1) CHECK_FAIL("nothing is said");
    CHECK_SAYS(report.messages[report.count - 1].text, "in MuJoCo by its convex hull");
    ff_report_clear(&report);
    ff_spec_destroy(spec);
}
