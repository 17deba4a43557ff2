// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A new law of contact is one row and one function (src/physics/contact/laws.c): this program has a copy of that file
// with the law of new_law.h. Files can name the law, mistakes are found, a robot bounces by it as published, and a
// batch moves like a simulation.
#include "contact/laws.h"

#include <footfall/batch.h>
#include <footfall/world.h>

#include "native/native_robot.h"

static const double STIFFNESS = 1e6, MASS = 0.5, STEP = 1e-5; // [N/m^1.5], [kg], [s]

/// A ball over rigid ground. @param normal  numbers of its normal law
static const char *ball_on(const char *normal)
{
    static char text[1000];
    snprintf(text, sizeof text,
             "footfall: 1\n"
             "bodies:\n"
             "  ball: {joint: free, pos: [0, 0, 0.1], inertial: {mass: 0.5, sphere: 0.05},\n"
             "         shapes: [{sphere: 0.05, material: skin}]}\n"
             "  ground: {shapes: [{plane: [1, 1], material: rigid}]}\n"
             "materials:\n"
             "  skin: {normal: {law: tsuji, %s}, friction: {law: none}}\n",
             normal);
    return text;
}

/// A damping that gives the restitution e at every speed: c = alpha sqrt(m k),
///     alpha = -sqrt(5) ln e / sqrt(pi^2 + (ln e)^2),   S. J. Antypov, J. A. Elliott, EPL 94 (2011), 50004
static double damping_for(double e)
{
    const double l = ff_log(e);
    return -sqrt(5.0) * l / sqrt(FF_PI * FF_PI + l * l) * sqrt(MASS * STIFFNESS);
}

static const char *numbers_for(double e)
{
    static char text[100];
    snprintf(text, sizeof text, "stiffness: %.17g, exponent: 1.5, damping: %.17g, pulls: true", STIFFNESS,
             damping_for(e));
    return text;
}

/// Speed over the speed at touch-down where the ball leaves the ground.
static double bounce(const ff_contact_pair *pair, double speed)
{
    const ff_contact_state state = {.mode = FF_CONTACT_KINETIC, .impact_speed = speed};
    ff_contact_point point = {.share = 1.0, .normal = {0.0, 0.0, 1.0}};
    ff_contact_force force;
    const double h = 1e-7;
    double depth = 1e-12, v = speed;
    while (depth > 0.0) {
        point.depth = depth;
        point.closing = v;
        ff_contact_evaluate(pair, &point, &state, &force, NULL);
        v -= h * force.normal / MASS;
        depth += h * v;
    }
    return -v / speed;
}

TEST(a_new_law_is_known_by_its_name)
{
    ff_normal_law law = FF_NORMAL_LINEAR;
    ff_error err = {0};
    CHECK_INT(ff_normal_law_find("tsuji", &law, NULL), FF_OK);
    CHECK_TEXT(ff_normal_law_name(law), "tsuji");
    CHECK_INT(ff_normal_law_find("tsuij", &law, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "did you mean 'tsuji'?");
    must(load_text(ball_on(numbers_for(0.5))));
    must_report(load_text(ball_on("stiffness: 1e6")), 7, 18, "the law 'tsuji' needs 'damping'");
    must_report(load_text(ball_on("stiffness: 1e6, damping: 10, restitution: 0.5")), 7, 60,
                "'restitution' is not used by the law 'tsuji'");
    finish();
}

// First order in steps of 1e-7 s, of which a bounce has some ten thousand.
TEST(a_new_law_bounces_as_published_at_every_speed)
{
    for (double e = 0.3; e < 0.95; e += 0.2) {
        ff_contact_pair pair;
        ff_material rigid;
        must(load_text(ball_on(numbers_for(e))));
        ff_material_find("rigid", &rigid, NULL);
        CHECK_INT(ff_contact_pair_make(&pair, &model->materials[0], &rigid, NULL), FF_OK);
        CHECK_NEAR(bounce(&pair, 0.1), e, 1e-3);
        CHECK_NEAR(bounce(&pair, 2.0), e, 1e-3);
    }
    finish();
}

// The power p^0.25 of a batch is that of the C library to some roundings.
TEST(a_batch_moves_by_a_new_law_as_a_simulation_does)
{
    must(load_text(ball_on(numbers_for(0.6))));
    ff_sim_options options = ff_sim_options_default();
    options.method = FF_METHOD_EULER;
    options.step = STEP;
    ff_world *world = ff_world_create(model, NULL, NULL);
    ff_sim *sim = ff_sim_create(model, &options, NULL);
    CHECK_INT(ff_sim_add_world(sim, world, NULL), FF_OK);
    ff_batch_model *compiled = ff_batch_compile(sim, NULL, 0, &report);
    if (!compiled) CHECK_FAIL("%s", message(0));
    ff_batch *batch = ff_batch_create(compiled, &(ff_batch_options){.robots = 3}, NULL);
    double q[7], lowest = 1.0, highest = 0.0;
    for (int k = 1; k <= 300; k++) {
        CHECK_INT(ff_batch_step(batch, 100, NULL), FF_OK);
        CHECK_INT(ff_sim_run(sim, 100 * k * STEP, NULL), FF_OK);
        ff_batch_get_state(batch, 2, q, NULL, NULL);
        CHECK_NEAR(q[2], ff_sim_q(sim)[2], 1e-11);
        lowest = ff_min(lowest, q[2]);
        if (lowest < 0.05) highest = ff_max(highest, q[2]);
    }
    CHECK(lowest < 0.05);
    CHECK_NEAR(highest - 0.05, 0.36 * 0.05, 2e-3); // by the square of the restitution; a touch has a hundred steps
    ff_batch_destroy(batch);
    ff_batch_model_destroy(compiled);
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    finish();
}
