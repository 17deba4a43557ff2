// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles that cannot fail in silence, wrenches held on bodies, going back to the start, and the hash of a model.
#include "check.h"
#include "support/must_run.h"
#include "support/robots.h"

static const double MASS = 2.0, MOMENT = 0.5; // [kg], [kg m^2]

/// A ball that floats without weight.
static ff_sim *make_floating(ff_model **model, ff_method method)
{
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(NULL);
    ff_vec3_set(spec->gravity, 0, 0, 0);
    const int ball = robot_body(spec, "ball", -1, (double[]){0, 0, 0}, MASS, (double[]){0, 0, 0},
                                (double[]){MOMENT, MOMENT, MOMENT});
    ff_spec_add_joint(spec, "base", ball, FF_JOINT_FREE);
    *model = robot_finish(spec);
    ff_sim_options o = ff_sim_options_default();
    o.method = method;
    o.accuracy = 0.0;
    o.ledger = true;
    ff_sim *sim = ff_sim_create(*model, &o, &err);
    if (!sim) CHECK_FAIL("%s", err.text);
    return sim;
}

static void drop(ff_sim *sim, ff_model *model)
{
    ff_sim_destroy(sim);
    ff_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ wrenches

TEST(force_is_held_until_it_changes)
{
    const ff_method methods[] = {FF_METHOD_RK2, FF_METHOD_RK4, FF_METHOD_ADAPTIVE, FF_METHOD_IMPLICIT};
    for (int k = 0; k < 4; k++) {
        ff_model *model;
        ff_sim *sim = make_floating(&model, methods[k]);
        const ff_body_id ball = ff_sim_find_body(sim, "ball");
        ff_sim_apply(sim, ball, (double[]){6, 0, 0}, NULL, NULL, FF_AXES_WORLD);
        must_run(sim, 1.0);
        CHECK_NEAR(ff_sim_v(sim)[0], 3.0, 1e-12);
        CHECK_NEAR(ff_sim_q(sim)[0], 1.5, 1e-12); // F t^2 / 2 m, which methods of order two integrate exactly
        CHECK_NEAR(ff_sim_ledger(sim).work, 9.0, 1e-9);
        CHECK_NEAR(ff_sim_ledger(sim).residual, 0.0, 1e-9);
        ff_sim_apply(sim, ball, NULL, NULL, NULL, FF_AXES_WORLD);
        must_run(sim, 2.0);
        CHECK_NEAR(ff_sim_q(sim)[0], 4.5, 1e-12);
        drop(sim, model);
    }
}

TEST(force_beside_the_centre_turns_the_body)
{
    ff_model *model;
    ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
    const ff_body_id ball = ff_sim_find_body(sim, "ball");
    // 4 N along x, 0.1 m above the centre, and -0.4 N m about y, take each other's turning away
    ff_sim_apply(sim, ball, (double[]){4, 0, 0}, (double[]){0, -0.4, 0}, (double[]){0, 0, 0.1}, FF_AXES_WORLD);
    must_run(sim, 0.001);
    CHECK_NEAR(ff_sim_v(sim)[4], 0.0, 1e-12);
    CHECK_NEAR(ff_sim_v(sim)[0], 0.002, 1e-15);
    ff_sim_apply(sim, ball, NULL, (double[]){0, 0, 1}, NULL, FF_AXES_WORLD);
    must_run(sim, 1.001);
    CHECK_NEAR(ff_sim_v(sim)[5], 1.0 / MOMENT, 1e-9);
    drop(sim, model);
}

TEST(force_in_axes_of_the_body_turns_with_it)
{
    ff_model *model;
    ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
    const double w = 3.0, F = 5.0, t = 1.0;
    ff_sim_set_v(sim, 5, w);
    ff_sim_apply(sim, ff_sim_find_body(sim, "ball"), (double[]){F, 0, 0}, NULL, NULL, FF_AXES_BODY);
    must_run(sim, t);
    CHECK_NEAR(ff_sim_q(sim)[0], F / (MASS * w * w) * (1.0 - cos(w * t)), 1e-10);
    CHECK_NEAR(ff_sim_q(sim)[1], F / (MASS * w * w) * (w * t - sin(w * t)), 1e-10);
    drop(sim, model);
}

TEST(a_wrench_that_cannot_act_is_refused_with_the_name_of_the_body)
{
    static const double fine[3] = {6, 0, 0}, nan[3] = {0, (double)NAN, 0}, inf[3] = {0, 0, (double)INFINITY};
    static const struct {
        const double *force, *moment, *point;
        int axes;
        const char *words;
    } rows[] = {{nan, NULL, NULL, FF_AXES_WORLD, "the force on body 'ball' is (0, nan, 0)"},
                {fine, inf, NULL, FF_AXES_BODY, "the moment on body 'ball' is (0, 0, inf)"},
                {fine, NULL, nan, FF_AXES_WORLD, "the point of the force on body 'ball' is (0, nan, 0)"},
                {fine, NULL, NULL, 7, "no axes number 7 for body 'ball'"},
                {fine, NULL, NULL, -1, "no axes number -1 for body 'ball'"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        ff_error err = {0};
        ff_model *model;
        ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
        ff_sim_apply(sim, ff_sim_find_body(sim, "ball"), rows[k].force, rows[k].moment, rows[k].point,
                     (ff_axes)rows[k].axes);
        CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, rows[k].words);
        CHECK_NEAR(ff_sim_time(sim), 0.0, 0.0);
        drop(sim, model);
    }
}

TEST(saved_state_keeps_what_is_applied)
{
    ff_error err = {0};
    ff_model *model;
    ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
    const ff_body_id ball = ff_sim_find_body(sim, "ball");
    char buffer[4096];
    CHECK(ff_sim_save_size(sim) <= sizeof buffer);
    ff_sim_apply(sim, ball, (double[]){6, 0, 0}, NULL, NULL, FF_AXES_WORLD);
    must_run(sim, 0.5);
    CHECK(ff_sim_save(sim, buffer, sizeof buffer, &err) == FF_OK);
    must_run(sim, 1.0);
    const uint64_t hash = ff_sim_hash(sim);
    ff_sim_apply(sim, ball, NULL, NULL, NULL, FF_AXES_WORLD);
    CHECK(ff_sim_restore(sim, buffer, sizeof buffer, &err) == FF_OK);
    must_run(sim, 1.0);
    CHECK(ff_sim_hash(sim) == hash);
    drop(sim, model);
}

// ------------------------------------------------------------------------------------------ wrong names

TEST(wrong_name_stops_the_run_and_is_reported)
{
    ff_error err = {0};
    ff_model *model;
    ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
    const ff_body_id body = ff_sim_find_body(sim, "bal");
    CHECK(body.index < 0);
    ff_sim_apply(sim, body, (double[]){6, 0, 0}, NULL, NULL, FF_AXES_WORLD);
    CHECK(ff_sim_run(sim, 1.0, &err) == FF_NOT_FOUND);
    CHECK(strstr(err.text, "no body 'bal'") && strstr(err.text, "'ball'"));
    CHECK_NEAR(ff_sim_time(sim), 0.0, 0.0);
    drop(sim, model);
    sim = make_floating(&model, FF_METHOD_RK4);
    CHECK(ff_sim_find_actuator(sim, "knee").index < 0);
    CHECK(ff_sim_run(sim, 1.0, &err) == FF_NOT_FOUND &&
          strstr(err.text, "no actuator 'knee': this simulation has none"));
    drop(sim, model);
}

static ff_sim_action push_nothing(void *context, ff_sim *sim, double t)
{
    (void)context;
    if (t > 0.45) ff_sim_apply(sim, (ff_body_id){7}, (double[]){6, 0, 0}, NULL, NULL, FF_AXES_WORLD);
    return FF_SIM_GO;
}

TEST(wrong_handle_in_a_task_stops_the_run_there)
{
    ff_error err = {0};
    ff_model *model;
    ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
    const ff_task task = {.name = "push", .period = ff_ticks_from_seconds(0.1), .run = push_nothing};
    ff_sim_add_task(sim, &task, &err);
    CHECK(ff_sim_run(sim, 1.0, &err) == FF_BAD_ARGUMENT);
    CHECK(strstr(err.text, "body 7") != NULL);
    CHECK_NEAR(ff_sim_time(sim), 0.5, 1e-12);
    drop(sim, model);
}

static void read_position(ff_sim *sim, int joint)
{
    CHECK(isnan(ff_sim_joint_position(sim, (ff_joint_id){joint})));
}

static void read_speed(ff_sim *sim, int joint)
{
    CHECK(isnan(ff_sim_joint_speed(sim, (ff_joint_id){joint})));
}

static void set_torque(ff_sim *sim, int joint)
{
    ff_sim_set_joint_torque(sim, (ff_joint_id){joint}, 1.0);
}

TEST(every_use_of_a_wrong_joint_stops_the_run)
{
    void (*const uses[])(ff_sim *, int) = {read_position, read_speed, set_torque};
    for (int k = 0; k < 3; k++) {
        ff_error err = {0};
        ff_model *model;
        ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
        uses[k](sim, ff_sim_find_joint(sim, "base").index);
        CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, "joint 'base' is no hinge or slide");
        drop(sim, model);
        sim = make_floating(&model, FF_METHOD_RK4);
        uses[k](sim, 999);
        CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, "joint 999 is used, and there are 1");
        drop(sim, model);
    }
}

static void set_q(ff_sim *sim, int i)
{
    ff_sim_set_q(sim, i, 1.0);
}

static void set_v(ff_sim *sim, int i)
{
    ff_sim_set_v(sim, i, 1.0);
}

static void hold(ff_sim *sim, int i)
{
    ff_sim_set_torque(sim, i, 1.0);
}

TEST(coordinates_that_do_not_exist_stop_the_run)
{
    static const struct {
        void (*set)(ff_sim *, int);
        int count;
        const char *words;
    } rows[] = {{set_q, 7, "coordinate 7 of the position is set, and there are 7"},
                {set_v, 6, "coordinate 6 of the velocity"},
                {hold, 6, "coordinate 6 of the held torques"}};
    for (int k = 0; k < 3; k++) {
        ff_error err = {0};
        ff_model *model;
        ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
        rows[k].set(sim, rows[k].count);
        CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, rows[k].words);
        drop(sim, model);
    }
}

/// A file that could not be read leaves no model, and a program that goes on must learn of it.
TEST(a_simulation_without_a_model_has_nothing_to_use)
{
    ff_error err = {0};
    ff_sim *sim = ff_sim_create(NULL, NULL, &err);
    CHECK(ff_sim_find_body(sim, "ball").index < 0);
    CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "no body 'ball': this simulation has none");
    ff_sim_destroy(sim);
    sim = ff_sim_create(NULL, NULL, &err);
    ff_sim_set_q(sim, 0, 0.3);
    CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "coordinate 0 of the position is set, and there are 0");
    ff_sim_destroy(sim);
}

TEST(a_name_that_is_missing_is_reported)
{
    static const char *const kinds[] = {"body", "joint", "actuator"};
    for (int k = 0; k < 3; k++) {
        ff_error err = {0};
        ff_model *model;
        ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
        const int index = k == 0   ? ff_sim_find_body(sim, NULL).index
                          : k == 1 ? ff_sim_find_joint(sim, NULL).index
                                   : ff_sim_find_actuator(sim, NULL).index;
        CHECK_INT(index, -1);
        CHECK_INT(ff_sim_run(sim, 1.0, &err), FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, kinds[k]);
        CHECK_SAYS(err.text, "its name is missing");
        drop(sim, model);
    }
}

TEST(what_is_added_must_be_there)
{
    ff_error err = {0};
    ff_model *model;
    ff_sim *sim = make_floating(&model, FF_METHOD_RK4);
    CHECK_INT(ff_sim_add_task(sim, NULL, &err), -1);
    CHECK_SAYS(err.text, "ff_sim_add_task: the task is missing");
    CHECK_INT(ff_sim_add_event(sim, NULL, &err), -1);
    CHECK_SAYS(err.text, "ff_sim_add_event: the event is missing");
    CHECK_INT(ff_sim_add_listener(sim, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "ff_sim_add_listener: the listener is missing");
    CHECK_INT(ff_sim_add_part(sim, NULL, &err), -1);
    CHECK_SAYS(err.text, "ff_sim_add_part: the part is missing");
    drop(sim, model);
}

// ------------------------------------------------------------------------------------------ back to the start

static ff_model *make_keyed(void)
{
    ff_spec *spec = ff_spec_create(NULL);
    const int bob =
        robot_body(spec, "bob", -1, (double[]){0, 0, 0}, 1.0, (double[]){0, 0, -1}, (double[]){0.1, 0.1, 0.1});
    robot_joint(spec, "pivot", bob, FF_JOINT_HINGE, 0, 1, 0);
    ff_spec_key *key = ff_spec_add_key(spec, "raised");
    static double q[] = {0.7}, v[] = {-0.2};
    key->q = q;
    key->v = v;
    key->nq = key->nv = 1;
    return robot_finish(spec);
}

TEST(reset_gives_the_same_bits_again)
{
    ff_error err = {0};
    ff_model *model = make_keyed();
    for (int method = 0; method < FF_METHOD_COUNT; method++) {
        ff_sim_options o = ff_sim_options_default();
        o.method = (ff_method)method;
        o.accuracy = 0.0;
        if (!ff_method_built(o.method)) continue;
        ff_sim *sim = ff_sim_create(model, &o, &err);
        ff_random *random = ff_sim_add_random(sim);
        ff_sim_set_q(sim, 0, 0.3);
        must_run(sim, 1.0);
        const double drawn = ff_random_uniform(random);
        const uint64_t hash = ff_sim_hash(sim);
        CHECK(ff_sim_reset(sim, NULL, &err) == FF_OK);
        CHECK_NEAR(ff_sim_time(sim), 0.0, 0.0);
        CHECK_NEAR(ff_sim_q(sim)[0], 0.3, 0.0);
        must_run(sim, 1.0);
        CHECK(ff_sim_hash(sim) == hash && ff_random_uniform(random) == drawn);
        ff_sim_destroy(sim);
    }
    ff_model_destroy(model);
}

TEST(reset_before_the_first_run_takes_the_inputs_away)
{
    static const char *const keys[] = {NULL, "raised"};
    ff_error err = {0};
    ff_model *model = make_keyed();
    for (int k = 0; k < 2; k++) {
        ff_sim *plain = ff_sim_create(model, NULL, &err), *pushed = ff_sim_create(model, NULL, &err);
        ff_sim_apply(pushed, ff_sim_find_body(pushed, "bob"), (double[]){30, 0, 0}, NULL, NULL, FF_AXES_WORLD);
        ff_sim_set_torque(pushed, 0, 5.0);
        CHECK(ff_sim_reset(plain, keys[k], &err) == FF_OK && ff_sim_reset(pushed, keys[k], &err) == FF_OK);
        must_run(plain, 0.1);
        must_run(pushed, 0.1);
        CHECK(ff_sim_q(pushed)[0] == ff_sim_q(plain)[0] && ff_sim_torques(pushed)[0] == 0.0);
        ff_sim_destroy(plain);
        ff_sim_destroy(pushed);
    }
    ff_model_destroy(model);
}

TEST(reset_to_a_keyframe_is_like_starting_there)
{
    ff_error err = {0};
    ff_model *model = make_keyed();
    ff_sim *fresh = ff_sim_create(model, NULL, &err), *used = ff_sim_create(model, NULL, &err);
    CHECK(ff_sim_reset(fresh, "raised", &err) == FF_OK); // before the first run
    CHECK_NEAR(ff_sim_q(fresh)[0], 0.7, 0.0);
    must_run(fresh, 1.0);
    must_run(used, 0.4);
    CHECK(ff_sim_reset(used, "raised", &err) == FF_OK);
    must_run(used, 1.0);
    CHECK(ff_sim_hash(fresh) == ff_sim_hash(used));
    CHECK(ff_sim_reset(used, "raise", &err) == FF_NOT_FOUND && strstr(err.text, "'raised'"));
    ff_sim_destroy(fresh);
    ff_sim_destroy(used);
    ff_model_destroy(model);
}

// ------------------------------------------------------------------------------------------ the hash of a model

enum { NOTHING, COLOUR, SIZE, MATERIAL, FRICTION, GAIN, SETTING, NOISE, VARIATIONS };

static uint64_t hash_with(int change)
{
    ff_spec *spec = ff_spec_create(NULL);
    const int bob =
        robot_body(spec, "bob", -1, (double[]){0, 0, 0}, 1.0, (double[]){0, 0, -1}, (double[]){0.1, 0.1, 0.1});
    robot_joint(spec, "pivot", bob, FF_JOINT_HINGE, 0, 1, 0);
    ff_spec_geom *geom = ff_spec_add_geom(spec, "ball", bob, FF_SHAPE_SPHERE);
    geom->size[0] = change == SIZE ? 0.2 : 0.1;
    geom->material = change == MATERIAL ? "rubber" : "mine";
    if (change == COLOUR) geom->rgba[0] = 0.123;
    ff_spec_add_material(spec, "mine", NULL)->material.friction.mu_static = change == FRICTION ? 0.91 : 0.9;
    ff_spec_actuator *actuator = ff_spec_add_actuator(spec, "motor", FF_ACTUATOR_MOTOR);
    actuator->joint = "pivot";
    actuator->gain = change == GAIN ? 2.0 : 1.0;
    ff_spec_drive *drive = ff_spec_add_drive(spec, "drive");
    drive->joint[0] = "pivot";
    static const double values[2] = {1.0, 2.0};
    ff_spec_setting setting = {.name = "motor.torque", .values = &values[change == SETTING], .count = 1};
    drive->settings = &setting;
    drive->nsetting = 1;
    ff_spec_sensor *sensor = ff_spec_add_sensor(spec, "angle", "jointpos");
    sensor->object_type = "joint";
    sensor->object = "pivot";
    sensor->noise = change == NOISE ? 0.1 : 0.0;
    ff_model *model = robot_finish(spec);
    const uint64_t hash = model->hash;
    ff_model_destroy(model);
    return hash;
}

TEST(hash_covers_all_that_shapes_motion)
{
    const uint64_t plain = hash_with(NOTHING);
    CHECK(plain != 0 && hash_with(NOTHING) == plain);
    CHECK(hash_with(COLOUR) == plain);
    for (int change = SIZE; change < VARIATIONS; change++)
        if (hash_with(change) == plain) CHECK_FAIL("change number %d is not in the hash", change);
}
