// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The world of contacts inside a simulation: who meets whom, how points keep their memory, what is saved, what starts
// in overlap, and that the energy ledger closes for every method at the order of the method.
#include <math.h>

#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

#include <footfall/world.h>

/// A robot of one free body with one shape, and a floor, on their way to a simulation.
typedef struct stage {
    ff_spec *spec;
    ff_model *model;
    ff_world_options options;
    ff_world *world;
    ff_sim *sim;
} stage;

static const double CENTRE[3] = {0, 0, 0}, MOMENTS[3] = {0.01, 0.01, 0.01}; // [m], [kg m^2]

static stage stage_begin(void)
{
    stage s = {.spec = ff_spec_create(NULL), .options = ff_world_options_default()};
    s.options.standard.normal.damping *= 30.0; // a heavily damped floor: objects come to rest within a second
    return s;
}

static void add_floor(stage *s)
{
    ff_spec_add_geom(s->spec, "floor", -1, FF_SHAPE_PLANE);
}

/// Free body with a shape of the given size, 1 kg.
static int add_object(stage *s, const char *name, ff_shape_type type, double a, double b, double c, double z)
{
    const double pos[3] = {0, 0, z};
    const int body = robot_body(s->spec, name, -1, pos, 1.0, CENTRE, MOMENTS);
    ff_spec_add_joint(s->spec, name, body, FF_JOINT_FREE);
    ff_spec_geom *g = ff_spec_add_geom(s->spec, name, body, type);
    ff_vec3_set(g->size, a, b, c);
    return body;
}

static void stage_finish(stage *s, ff_sim_options o)
{
    ff_report report = {0};
    ff_error err = {0};
    s->model = robot_finish(s->spec);
    s->world = ff_world_create(s->model, &s->options, &report);
    if (!s->world) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no world");
    o.ledger = true;
    s->sim = ff_sim_create(s->model, &o, &err);
    if (!s->sim || ff_sim_add_world(s->sim, s->world, &err)) CHECK_FAIL("%s", err.text);
    ff_report_clear(&report);
}

static void stage_end(stage *s)
{
    ff_sim_destroy(s->sim);
    ff_world_destroy(s->world);
    ff_model_destroy(s->model);
}

static double total_force(stage *s, int *count)
{
    const ff_world_contact *c = ff_world_contacts(s->world, s->sim, count);
    double sum = 0.0;
    for (int i = 0; i < *count; i++) sum += c[i].force.force[2];
    return sum;
}

// ------------------------------------------------------------------------------------------ rest

TEST(a_box_rests_on_four_corners_that_share_the_stiffness_of_the_pair)
{
    stage s = stage_begin();
    add_floor(&s);
    add_object(&s, "box", FF_SHAPE_BOX, 0.1, 0.08, 0.05, 0.051);
    ff_contact_pair pair;
    CHECK(ff_contact_pair_make(&pair, &s.options.standard, &s.options.standard, NULL) == FF_OK);
    stage_finish(&s, robot_options(FF_METHOD_RK4, 1e-4, 0));
    must_run(s.sim, CHECK_LASTS(3.0, 1.5));
    int count;
    const double sum = total_force(&s, &count);
    CHECK_INT(count, 4);
    CHECK_NEAR(sum, 9.81, 1e-6);
    // k p = m g for the pair, of which each corner carries a quarter
    CHECK_NEAR(0.05 - ff_sim_q(s.sim)[2], 9.81 / pair.stiffness, 1e-9);
    const ff_world_contact *c = ff_world_contacts(s.world, s.sim, &count);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(c[i].force.normal, 9.81 / 4, 1e-6);
        CHECK_INT(c[i].mode, FF_CONTACT_STATIC);
    }
    stage_end(&s);
}

static void pull(void *context, double t, const ff_model *m, ff_data *d, const double *z, double *zdot)
{
    (void)context, (void)t, (void)z, (void)zdot;
    double at[3];
    ff_dyn_point(m, d, 0, (const double[]){0.01, 0.02, 0.03}, at);
    ff_dyn_apply_force(m, d, 0, at, (const double[]){0.1, 0.2, 0.3}, (const double[]){0.01, 0.02, 0.03});
}

// A part acts after the contacts: its force is exact on four corners in touch, and together both carry the box.
TEST(forces_of_others_are_kept_apart_from_those_of_contacts)
{
    for (int with = 0; with < 2; with++) {
        stage s = stage_begin();
        add_floor(&s);
        add_object(&s, "box", FF_SHAPE_BOX, 0.1, 0.08, 0.05, 0.05);
        stage_finish(&s, robot_options(FF_METHOD_IMPLICIT, 1e-3, 0));
        const ff_part part = {.name = "pull", .derivative = pull};
        if (with) CHECK(ff_sim_add_part(s.sim, &part, NULL) >= 0);
        must_run(s.sim, 2.0);
        CHECK(ff_sim_evaluate(s.sim, FF_SIM_ACCELERATION, NULL) == FF_OK);
        const ff_data *d = ff_sim_data(s.sim);
        double expected[6] = {0}, at[3], arm[3];
        ff_dyn_point(s.model, d, 0, (const double[]){0.01, 0.02, 0.03}, at);
        ff_vec3_sub(arm, at, d->tree_origin);
        if (with) {
            ff_vec3_cross(expected, arm, (const double[]){0.1, 0.2, 0.3});
            ff_vec3_add(expected, expected, (const double[]){0.01, 0.02, 0.03});
            ff_vec3_set(expected + 3, 0.1, 0.2, 0.3);
        }
        for (int k = 0; k < 6; k++) CHECK_NEAR(d->applied[k], expected[k], 0);
        CHECK_NEAR(d->wrench[5], 9.81, 1e-6); // [N] at rest all of it is the weight
        stage_end(&s);
    }
}

TEST(per_point_gives_every_corner_the_full_stiffness)
{
    stage s = stage_begin();
    add_floor(&s);
    add_object(&s, "box", FF_SHAPE_BOX, 0.1, 0.08, 0.05, 0.051);
    s.options.standard.per_point = true;
    ff_contact_pair pair;
    CHECK(ff_contact_pair_make(&pair, &s.options.standard, &s.options.standard, NULL) == FF_OK);
    stage_finish(&s, robot_options(FF_METHOD_RK4, 1e-4, 0));
    must_run(s.sim, CHECK_LASTS(3.0, 1.5));
    CHECK_NEAR(0.05 - ff_sim_q(s.sim)[2], 9.81 / 4 / pair.stiffness, 1e-9);
    stage_end(&s);
}

TEST(a_start_in_overlap_is_at_rest_where_the_forces_balance)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_RK4, FF_METHOD_ADAPTIVE};
    for (int k = 0; k < 3; k++) {
        stage s = stage_begin();
        add_floor(&s);
        ff_contact_pair pair;
        CHECK(ff_contact_pair_make(&pair, &s.options.standard, &s.options.standard, NULL) == FF_OK);
        add_object(&s, "ball", FF_SHAPE_SPHERE, 0.1, 0, 0, 0.1 - 9.81 / pair.stiffness);
        stage_finish(&s, robot_options(methods[k], 1e-4, 1e-9));
        must_run(s.sim, 1.0);
        int count;
        // with fixed steps no force acts; with error control the box may move by the tolerance, 1e-9 of 0.1 m
        const bool adaptive = methods[k] == FF_METHOD_ADAPTIVE;
        CHECK_NEAR(total_force(&s, &count), 9.81, adaptive ? 1e-9 * pair.stiffness : 1e-9);
        CHECK_BELOW(fabs(ff_sim_v(s.sim)[2]), adaptive ? 1e-6 : 1e-12);
        CHECK_INT(ff_world_get_counts(s.world).lifts, 0);
        stage_end(&s);
    }
}

TEST(an_object_started_deep_inside_the_ground_comes_out_and_the_ledger_knows)
{
    stage s = stage_begin();
    add_floor(&s);
    add_object(&s, "box", FF_SHAPE_BOX, 0.1, 0.1, 0.1, 0.02);
    stage_finish(&s, robot_options(FF_METHOD_ADAPTIVE, 0, 1e-8));
    const double stored = ff_sim_energy(s.sim).contacts;
    CHECK(stored > 0.0);
    must_run(s.sim, 5.0);
    const ff_ledger l = ff_sim_ledger(s.sim);
    CHECK_BELOW(fabs(l.residual), 1e-5 * stored); // what it holds at first is what is turned over
    int count;
    CHECK_NEAR(total_force(&s, &count), 9.81, 1e-3);
    stage_end(&s);
}

TEST(a_fast_ball_does_not_fly_through_a_thin_shelf)
{
    // Free flight is a parabola, which methods with error control cross in one step; the shelf lies within that step.
    const ff_method methods[] = {FF_METHOD_ADAPTIVE, FF_METHOD_CVODE, FF_METHOD_CVODE_ADAMS};
    for (int k = 0; k < 3; k++) {
        if (!ff_method_built(methods[k])) continue;
        stage s = stage_begin();
        add_object(&s, "ball", FF_SHAPE_SPHERE, 0.02, 0, 0, 5.0);
        ff_spec_geom *shelf = ff_spec_add_geom(s.spec, "shelf", -1, FF_SHAPE_BOX);
        ff_vec3_set(shelf->size, 0.5, 0.5, 0.005);
        stage_finish(&s, robot_options(methods[k], 0, 1e-4));
        must_run(s.sim, 1.5);
        CHECK(ff_world_get_counts(s.world).touches > 0);
        CHECK(ff_sim_q(s.sim)[2] > 0.0);
        stage_end(&s);
    }
}

// ------------------------------------------------------------------------------------------ who meets whom

/// Force between two balls of two robots that overlap a little, without gravity.
static double push_of_two(int contype, int conaffinity, bool exclude)
{
    stage s = stage_begin();
    ff_vec3_set(s.spec->gravity, 0, 0, 0);
    add_object(&s, "a", FF_SHAPE_SPHERE, 0.1, 0, 0, 0.0);
    add_object(&s, "b", FF_SHAPE_SPHERE, 0.1, 0, 0, 0.199);
    s.spec->geoms[0].contype = contype;
    s.spec->geoms[0].conaffinity = conaffinity;
    s.spec->geoms[1].contype = 2;
    s.spec->geoms[1].conaffinity = 4;
    if (exclude) ff_spec_add_exclude(s.spec, "a", "b");
    stage_finish(&s, robot_options(FF_METHOD_RK4, 1e-4, 0));
    int count;
    const double force = total_force(&s, &count);
    stage_end(&s);
    return force;
}

TEST(filters_and_excludes_decide_who_meets_whom)
{
    CHECK(push_of_two(4, 0, false) > 0.0);
    CHECK(push_of_two(0, 2, false) > 0.0);
    CHECK(push_of_two(2, 4, false) == 0.0);
    CHECK(push_of_two(4, 2, true) == 0.0);
}

/// Points between the shapes of a folded arm of three links: neighbours overlap at their joint, the first and the last
/// meet.
static int points_of_arm(bool self)
{
    stage s = stage_begin();
    ff_vec3_set(s.spec->gravity, 0, 0, 0);
    s.options.self_collision = self;
    int parent = -1;
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"one", "two", "three"};
        const double pos[3] = {i > 0 ? 0.2 : 0.0, 0, 0};
        parent = robot_body(s.spec, names[i], parent, pos, 1.0, CENTRE, MOMENTS);
        robot_joint(s.spec, names[i], parent, FF_JOINT_HINGE, 0, 0, 1);
        ff_spec_geom *g = ff_spec_add_geom(s.spec, names[i], parent, FF_SHAPE_CAPSULE);
        ff_vec3_set(g->size, 0.02, 0.1, 0);
        ff_vec3_set(g->pos, 0.1, 0, 0);
        const double y[3] = {0, 1, 0};
        ff_quat_from_axis_angle(g->quat, y, 0.5 * FF_PI);
    }
    stage_finish(&s, robot_options(FF_METHOD_RK4, 1e-4, 0));
    for (int i = 1; i < 3; i++)
        ff_sim_set_q(s.sim, i, 2.0 * FF_PI / 3.0); // a triangle: the end comes back to the start
    int count, touching = 0;
    const ff_world_contact *c = ff_world_contacts(s.world, s.sim, &count);
    for (int i = 0; i < count; i++) touching += c[i].point.depth > 0.0;
    stage_end(&s);
    return touching;
}

TEST(a_robot_meets_itself_only_when_asked_and_never_its_neighbours)
{
    CHECK_INT(points_of_arm(false), 0);
    CHECK_INT(points_of_arm(true), 1);
}

// ------------------------------------------------------------------------------------------ memory of points

TEST(a_ball_rolling_over_triangles_keeps_its_memory)
{
    // A floor of 8 x 8 squares, two triangles each; the ball rolls over edges and corners without slip, which its
    // spring would show.
    enum { N = 8 };
    double vertices[3 * (N + 1) * (N + 1)];
    int triangles[6 * N * N], t = 0;
    for (int j = 0; j <= N; j++)
        for (int i = 0; i <= N; i++) ff_vec3_set(vertices + 3 * (j * (N + 1) + i), 0.25 * i - 1.0, 0.25 * j - 1.0, 0);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const int a = j * (N + 1) + i, corner[6] = {a, a + 1, a + N + 2, a, a + N + 2, a + N + 1};
            for (int k = 0; k < 6; k++) triangles[t++] = corner[k];
        }
    stage s = stage_begin();
    ff_spec_mesh *mesh = ff_spec_add_mesh(s.spec, "floor");
    mesh->data = ff_mesh_create(vertices, (N + 1) * (N + 1), triangles, 2 * N * N, NULL);
    ff_spec_geom *g = ff_spec_add_geom(s.spec, "floor", -1, FF_SHAPE_MESH);
    g->mesh = 0;
    ff_contact_pair pair;
    CHECK(ff_contact_pair_make(&pair, &s.options.standard, &s.options.standard, NULL) == FF_OK);
    add_object(&s, "ball", FF_SHAPE_SPHERE, 0.1, 0, 0, 0.1 - 9.81 / pair.stiffness);
    stage_finish(&s, robot_options(FF_METHOD_RK4, 1e-4, 0));
    const double radius = 0.1 - 0.5 * 9.81 / pair.stiffness; // to the contact point, midway between the surfaces
    ff_sim_set_state(s.sim, NULL, (double[]){0.5, 0.2, 0.0, -0.2 / radius, 0.5 / radius, 0.0});
    must_run(s.sim, 1.0);
    const ff_world_counts c = ff_world_get_counts(s.world);
    CHECK_INT(c.touches, 1);
    CHECK_INT(c.lifts, 0);
    CHECK_INT(c.slips, 0);
    CHECK_NEAR(ff_sim_v(s.sim)[0], 0.5, 1e-9);
    CHECK_NEAR(ff_sim_v(s.sim)[1], 0.2, 1e-9);
    stage_end(&s);
}

TEST(a_saved_contact_goes_on_with_the_same_bits)
{
    const ff_method methods[] = {FF_METHOD_EULER, FF_METHOD_ADAPTIVE};
    for (int k = 0; k < 2; k++) {
        stage s[2];
        for (int i = 0; i < 2; i++) {
            s[i] = stage_begin();
            add_floor(&s[i]);
            add_object(&s[i], "box", FF_SHAPE_BOX, 0.1, 0.08, 0.05, 0.2);
            stage_finish(&s[i], robot_options(methods[k], 1e-4, 1e-7));
            ff_sim_set_state(s[i].sim, NULL, (double[]){0.7, 0.1, 0.0, 1.0, 2.0, 0.5});
        }
        must_run(s[0].sim, 0.37);
        const size_t size = ff_sim_save_size(s[0].sim);
        void *buffer = malloc(size);
        ff_error err = {0};
        CHECK(ff_sim_save(s[0].sim, buffer, size, &err) == FF_OK);
        if (ff_sim_restore(s[1].sim, buffer, size, &err)) CHECK_FAIL("%s", err.text);
        for (int i = 0; i < 2; i++) must_run(s[i].sim, 1.0);
        CHECK(ff_sim_hash(s[0].sim) == ff_sim_hash(s[1].sim));
        free(buffer);
        for (int i = 0; i < 2; i++) stage_end(&s[i]);
    }
}

// ------------------------------------------------------------------------------------------ ledger

/// A spinning box is thrown onto the floor: impacts, sliding, sticking. @return |residual| relative to the energy
/// turned over
static double thrown(ff_method method, double step, double tolerance)
{
    stage s = stage_begin();
    add_floor(&s);
    add_object(&s, "box", FF_SHAPE_BOX, 0.1, 0.08, 0.05, 0.25);
    stage_finish(&s, robot_options(method, step, tolerance));
    ff_sim_set_state(s.sim, NULL, (double[]){0.6, 0.1, 0.0, 1.0, 2.0, 0.5});
    must_run(s.sim, CHECK_LASTS(1.5, 0.5));
    const ff_ledger l = ff_sim_ledger(s.sim);
    stage_end(&s);
    return fabs(l.residual) / (l.lost_normal + l.lost_friction);
}

TEST(the_ledger_closes_for_a_thrown_box)
{
    CHECK_BELOW(thrown(FF_METHOD_ADAPTIVE, 0, 1e-9), 1e-6);
    // Fixed steps run over touch-downs: half a step of a force that starts with a slope, order 2 at best.
    CHECK_BELOW(thrown(FF_METHOD_RK4, 2e-5, 0), 1e-3);
    CHECK_BELOW(thrown(FF_METHOD_EULER, 2e-5, 0), 2e-2);
}

TEST(equal_coefficients_of_friction_do_not_chatter)
{
    // While the load of a foot falls, its spring is at the falling limit all the time: with mu_static = mu_kinetic a
    // machine that slips and sticks by turns would never end.
    stage s = stage_begin();
    add_floor(&s);
    add_object(&s, "box", FF_SHAPE_BOX, 0.1, 0.08, 0.05, 0.25);
    s.options.standard.friction.mu_static = s.options.standard.friction.mu_kinetic = 0.8;
    stage_finish(&s, robot_options(FF_METHOD_ADAPTIVE, 0, 1e-7));
    ff_sim_set_state(s.sim, NULL, (double[]){0.6, 0.1, 0.0, 1.0, 2.0, 0.5});
    must_run(s.sim, 2.0);
    const ff_world_counts c = ff_world_get_counts(s.world);
    // every touch-down sticks and slips a few times at most before it lifts
    CHECK(c.touches > 4 && c.sticks + c.slips < 6 * c.touches);
    const ff_ledger l = ff_sim_ledger(s.sim);
    CHECK_BELOW(fabs(l.residual), 1e-4 * (l.lost_normal + l.lost_friction));
    stage_end(&s);
}

// ------------------------------------------------------------------------------------------ bad input

TEST(counts_are_optional_and_no_world_has_nothing)
{
    int count = 7;
    stage s = stage_begin();
    add_floor(&s);
    add_object(&s, "ball", FF_SHAPE_SPHERE, 0.1, 0, 0, 0.0999);
    stage_finish(&s, robot_options(FF_METHOD_EULER, 1e-3, 0));
    CHECK(ff_world_shapes(s.world, NULL) == ff_world_shapes(s.world, &count) && count == 2);
    CHECK(ff_world_contacts(s.world, s.sim, NULL) == ff_world_contacts(s.world, s.sim, &count) && count == 1);
    CHECK(ff_world_feet(s.world, s.sim, NULL) == ff_world_feet(s.world, s.sim, &count) && count == 0);
    count = 7;
    CHECK(!ff_world_feet(NULL, s.sim, &count) && count == 0);
    count = 7;
    CHECK(!ff_world_contacts(NULL, s.sim, &count) && count == 0);
    stage_end(&s);
}

TEST(what_joins_must_be_there)
{
    ff_error err = {0};
    stage s = stage_begin();
    add_floor(&s);
    stage_finish(&s, robot_options(FF_METHOD_EULER, 1e-3, 0));
    CHECK_INT(ff_sim_add_world(s.sim, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "ff_sim_add_world: the world is missing");
    CHECK_INT(ff_sim_add_world(NULL, s.world, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "ff_sim_add_world: the simulation is missing");
    CHECK_INT(ff_sim_add_world(s.sim, s.world, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "one world a simulation");
    CHECK_INT(ff_world_add_listener(s.world, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "the listener is missing");
    stage_end(&s);
}

TEST(two_rigid_partners_are_reported)
{
    stage s = stage_begin();
    add_floor(&s);
    add_object(&s, "ball", FF_SHAPE_SPHERE, 0.1, 0, 0, 1.0);
    CHECK(ff_material_find("rigid", &s.options.standard, NULL) == FF_OK);
    ff_report report = {0};
    s.model = robot_finish(s.spec);
    s.world = ff_world_create(s.model, &s.options, &report);
    CHECK(!s.world);
    CHECK_INT(report.errors, 1);
    CHECK_SAYS(report.messages[0].text, "ball");
    ff_report_clear(&report);
    stage_end(&s);
}

TEST(a_state_that_is_no_number_stops_the_run_with_words)
{
    stage s = stage_begin();
    add_floor(&s);
    add_object(&s, "ball", FF_SHAPE_SPHERE, 0.1, 0, 0, 1.0);
    stage_finish(&s, robot_options(FF_METHOD_EULER, 1e-4, 0));
    ff_sim_set_q(s.sim, 2, NAN);
    ff_error err = {0};
    CHECK(ff_sim_run(s.sim, 1.0, &err) == FF_DIVERGED);
    CHECK_SAYS(err.text, "ball");
    stage_end(&s);
}
