// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What differs from robot to robot of single bodies, joints, shapes and servos: a robot that drew a number moves as one
// whose description has it.
#include "check.h"
#include "hopper.h"
#include "one_body.h"
#include "support/message.h"

#include <footfall/footfall.h>

/// A row that always draws the same number.
static ff_batch_spread always(const char *name, double value)
{
    ff_batch_spread row = {.low = value, .high = value};
    ff_error err = {0};
    if (ff_batch_spread_find(name, &row.quantity, &row.which, &err)) CHECK_FAIL("%s", err.text);
    return row;
}

static ff_batch *make(const ff_batch_model *model, const ff_batch_spread *rows, int count)
{
    ff_error err = {0};
    ff_batch *b = ff_batch_create(model, &(ff_batch_options){.robots = 3, .spreads = rows, .nspread = count}, &err);
    if (!b) CHECK_FAIL("%s", err.text);
    return b;
}

/// How far the last robots of two batches come apart in 400 steps.
static double apart(ff_batch *a, ff_batch *b)
{
    double worst = 0.0, qa[8], va[7], qb[8], vb[7];
    for (int k = 0; k < CHECK_LASTS(400, 300); k++) {
        CHECK(ff_batch_step(a, 1, NULL) == FF_OK && ff_batch_step(b, 1, NULL) == FF_OK);
        ff_batch_get_state(a, 2, qa, va, NULL);
        ff_batch_get_state(b, 2, qb, vb, NULL);
        for (int i = 0; i < 8; i++) worst = ff_max(worst, fabs(qa[i] - qb[i]));
        for (int i = 0; i < 7; i++) worst = ff_max(worst, fabs(va[i] - vb[i]));
    }
    CHECK_INT(ff_batch_count(a, FF_BATCH_LIVES), 3);
    return worst;
}

/// @param rows  what each robot draws, @param is  the description that has it
static void check_drawn(const ff_batch_spread *rows, int count, const hopper *is)
{
    ff_batch_model *plain = hopper_compile(&PLAIN), *other = hopper_compile(is);
    ff_batch *drew = make(plain, rows, count), *has = make(other, NULL, 0), *not = make(plain, NULL, 0);
    for (int i = 0; i < count; i++) {
        double drawn = 0.0;
        CHECK_INT(ff_batch_get_draw(drew, 1, i, &drawn, NULL), FF_OK);
        CHECK_NEAR(drawn, rows[i].low, 0.0);
    }
    const double far = apart(drew, has);
    for (int i = 0; i < 3; i++) // another life is as the first: what was drawn before is gone
        CHECK(ff_batch_reset(drew, i, NULL) == FF_OK && ff_batch_reset(has, i, NULL) == FF_OK);
    const double again = apart(drew, has);
    printf("  %s: %.1e apart, %.1e in the next life\n", ff_batch_spread_name(drew, 0), far, again);
    CHECK_NEAR(far, 0.0, 1e-11);
    CHECK_NEAR(again, 0.0, 1e-11);
    ff_batch_destroy(has);
    has = make(other, NULL, 0);
    CHECK(apart(has, not ) > 1e-4); // the number matters
    ff_batch_destroy(drew);
    ff_batch_destroy(has);
    ff_batch_destroy(not );
    ff_batch_model_destroy(plain);
    ff_batch_model_destroy(other);
}

// The description is compiled again with the number that a robot draws. Sums are taken in another order: rounding.
TEST(a_robot_moves_as_one_whose_description_has_what_it_drew)
{
    const char *const names[] = {"mass.arm", "inertia.arm", "com_x.arm", "payload.hand", "gain.shoulder", "mass.trunk"};
    const double values[] = {1.5, 2.0, 0.05, 0.3, 3.0, 0.5};
    hopper is[] = {PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN};
    is[0].arm_mass = 0.9, is[0].arm_inertia = 1.5;
    is[1].arm_inertia = 2.0;
    is[2].arm_shift = 0.05;
    is[3].hand_mass = 0.5;
    is[4].stiffness = 24.0, is[4].damping = 0.3;
    is[5].trunk_mass = 1.0, is[5].trunk_inertia = 0.5;
    for (int i = 0; i < 6; i++) {
        const ff_batch_spread row = always(names[i], values[i]);
        check_drawn(&row, 1, &is[i]);
    }
}

// A payload is what it is, whatever the factors of masses, in whichever order they are drawn.
TEST(factors_of_mass_do_not_weigh_a_payload)
{
    const ff_batch_spread single[] = {always("payload.trunk", 0.7), always("mass.trunk", 0.5)};
    hopper is = PLAIN;
    is.trunk_mass = 0.5 * PLAIN.trunk_mass + 0.7, is.trunk_inertia = 0.5;
    check_drawn(single, 2, &is);
    const ff_batch_spread whole[] = {always("payload", 0.7), always("mass", 0.5)};
    is.arm_mass *= 0.5, is.arm_inertia = 0.5;
    is.hand_mass *= 0.5, is.hand_inertia = 0.5;
    check_drawn(whole, 2, &is);
}

// Factors of one: bit-identical with a batch without a table, through numbers of each robot.
TEST(factors_of_one_change_no_bit)
{
    const ff_batch_spread rows[] = {always("mass.arm", 1.0),      always("inertia", 1.0),
                                    always("com_y.hand", 0.0),    always("payload", 0.0),
                                    always("friction.palm", 1.0), always("contact_stiffness.belly", 1.0),
                                    always("gain.shoulder", 1.0), always("noise", 1.0),
                                    always("push_force", 0.0),    always("push_duration", 0.1)};
    ff_batch_model *model = hopper_compile(&PLAIN);
    ff_batch *b = make(model, rows, 10), *plain = make(model, NULL, 0);
    CHECK_NEAR(apart(b, plain), 0.0, 0.0);
    ff_batch_destroy(b);
    ff_batch_destroy(plain);
    ff_batch_model_destroy(model);
}

// One shape of a robot that is drawn alone, and all shapes: factors of each multiply those of the whole.
TEST(factors_of_all_shapes_one_by_one_are_those_of_the_robot)
{
    const ff_batch_spread single[] = {always("friction.palm", 0.5), always("friction.belly", 0.5),
                                      always("contact_stiffness.palm", 1.5), always("contact_stiffness.belly", 1.5)};
    const ff_batch_spread whole[] = {always("friction", 0.5), always("contact_stiffness", 1.5)};
    ff_batch_model *model = hopper_compile(&PLAIN);
    ff_batch *a = make(model, single, 4), *b = make(model, whole, 2), *one = make(model, single, 1);
    CHECK_NEAR(apart(a, b), 0.0, 0.0);
    ff_batch *plain = make(model, NULL, 0);
    CHECK(apart(one, plain) > 1e-6); // the palm touches
    ff_batch_destroy(a);
    ff_batch_destroy(b);
    ff_batch_destroy(one);
    ff_batch_destroy(plain);
    ff_batch_model_destroy(model);
}

// A hand and its shape, or a foot: a point that both rows are about has the product, whichever comes first.
TEST(factors_of_a_hand_and_its_shape_multiply)
{
    const ff_batch_spread both[2][2] = {{always("friction.grip", 0.5), always("friction.palm", 0.25)},
                                        {always("friction.palm", 0.25), always("friction.grip", 0.5)}};
    const ff_batch_spread product = always("friction.palm", 0.125), single = always("friction.palm", 0.25);
    ff_batch_model *model = hopper_compile(&PLAIN);
    for (int i = 0; i < 2; i++)
        for (int life = 0; life < 2; life++) {
            ff_batch *a = make(model, both[i], 2), *b = make(model, &product, 1), *one = make(model, &single, 1);
            if (life == 1) CHECK(ff_batch_reset(a, 2, NULL) == FF_OK && ff_batch_reset(b, 2, NULL) == FF_OK);
            CHECK_NEAR(apart(a, b), 0.0, 0.0);
            CHECK(apart(a, one) > 1e-6);
            ff_batch_destroy(a);
            ff_batch_destroy(b);
            ff_batch_destroy(one);
        }
    ff_batch_model_destroy(model);
}

TEST(starts_of_single_joints_and_tilts_are_what_was_drawn)
{
    const ff_batch_spread rows[] = {always("start_joints.shoulder", 0.3), always("start_speeds.shoulder", -0.7),
                                    always("start_tilt", 0.25)};
    ff_batch_model *model = hopper_compile(&PLAIN);
    ff_batch *b = make(model, rows, 3);
    double q[8], v[7];
    ff_batch_get_state(b, 1, q, v, NULL);
    CHECK_NEAR(q[7], 0.3, 0.0);
    CHECK_NEAR(v[6], 1.0 - 0.7, 1e-15);
    CHECK_NEAR(v[5], 0.5, 0.0);
    CHECK_NEAR(q[3] * q[3] - q[4] * q[4] - q[5] * q[5] + q[6] * q[6], cos(0.25), 1e-15);
    CHECK_NEAR(q[6], 0.0, 1e-15); // about a level axis
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

/// A free body alone: a push of n steps gives F n h / m.
TEST(a_push_gives_its_impulse_at_its_time)
{
    ff_spec *spec = ff_spec_create(NULL);
    add_body(spec, "trunk", -1, 2.0, 1.0);
    ff_spec_add_joint(spec, "root", 0, FF_JOINT_FREE);
    ff_batch_model *model = batch_of(spec, STEP);
    const ff_batch_spread rows[] = {always("push_force", 40.0), always("push_direction", 0.5 * FF_PI),
                                    always("push_time", 0.01), always("push_duration", 0.02)};
    ff_batch *b = make(model, rows, 4);
    double v[6];
    ff_batch_step(b, 10, NULL);
    ff_batch_get_state(b, 0, NULL, v, NULL);
    CHECK_NEAR(v[1], 0.0, 0.0);
    ff_batch_step(b, 50, NULL);
    ff_batch_get_state(b, 0, NULL, v, NULL);
    CHECK_NEAR(v[1], 40.0 * 0.02 / 2.0, 1e-14);
    CHECK_NEAR(v[0], 0.0, 1e-15);
    ff_batch_destroy(b);
    ff_batch_model_destroy(model);
}

TEST(noise_of_a_robot_is_scaled_by_its_factor)
{
    const ff_batch_spread twice = always("noise", 2.0);
    ff_batch_model *model = hopper_compile(&PLAIN);
    ff_batch_options o = {.robots = 1, .seed = 4};
    ff_batch *clean = ff_batch_create(model, &o, NULL);
    o.noise.gyro = o.noise.position = 0.1;
    ff_batch *noisy = ff_batch_create(model, &o, NULL);
    o.spreads = &twice, o.nspread = 1;
    ff_batch *loud = ff_batch_create(model, &o, NULL);
    double a[32], b[32], c[32];
    CHECK(ff_batch_sense_count(model) <= 32);
    ff_batch_sense(clean, 0, a, NULL);
    ff_batch_sense(noisy, 0, b, NULL);
    ff_batch_sense(loud, 0, c, NULL);
    CHECK(b[0] != a[0]);
    for (int i = 0; i < ff_batch_sense_count(model); i++) CHECK_NEAR(c[i] - a[i], 2.0 * (b[i] - a[i]), 1e-15);
    ff_batch_destroy(clean);
    ff_batch_destroy(noisy);
    ff_batch_destroy(loud);
    ff_batch_model_destroy(model);
}

TEST(any_number_of_lanes_gives_the_bits_of_one)
{
    ff_batch_model *model = hopper_compile(&PLAIN);
    ff_batch_spread rows[] = {always("mass.arm", 1.0),      always("com_z", 0.0),      always("friction.palm", 1.0),
                              always("gain.shoulder", 1.0), always("push_force", 1.0), always("push_duration", 0.05)};
    for (int i = 0; i < 6; i++) rows[i].low = 0.5 * (1.0 + rows[i].low) - 0.5, rows[i].high += 0.04;
    rows[0].low = rows[2].low = rows[3].low = 0.5;
    uint64_t one = 0;
    for (int i = 0, lanes; (lanes = ff_batch_lanes_there(i)) > 0; i++) {
        const ff_batch_options o = {.robots = 11, .lanes = lanes, .threads = 1 + i, .spreads = rows, .nspread = 6};
        ff_batch *b = ff_batch_create(model, &o, NULL);
        CHECK_INT(ff_batch_step(b, 200, NULL), FF_OK);
        if (i == 0) one = ff_batch_hash(b);
        if (ff_batch_hash(b) != one) CHECK_FAIL("other bits with %d lanes", lanes);
        ff_batch_destroy(b);
    }
    ff_batch_model_destroy(model);
}

TEST(what_cannot_be_spread_is_named)
{
    const struct {
        const char *name, *says;
        double value;
    } rows[] = {
        {"mass.leg", "mass.leg cannot be spread: no body that moves has that name, there are trunk, arm, hand", 1.0},
        {"friction.arm", "no shape that touches and no foot has that name, there are belly, palm", 1.0},
        {"gain.root", "no hinge or slide with a servo has that name, there are shoulder", 1.0},
        {"start_joints.root", "no hinge or slide has that name, there are shoulder", 1.0},
        {"mass.arm", "mass.arm cannot be spread from 0 to 0: this factor must be above zero", 0.0},
        {"delay.shoulder", "delay.shoulder cannot be spread: delay is of the whole robot", 1.0},
        {"start_x.trunk", "start_x is of the whole robot", 1.0},
        {"payload", "nor can masses and times", -1.0},
        {"inertia", "this factor must be above zero", 0.0},
        {"push_force", "a push needs push_force and push_duration, and push_duration is not there", 1.0},
        {"push_time", "push_force is not there", 1.0},
        {"start_tilt", "start_tilt cannot be spread from 200000 to 200000: an angle is within 1e5 rad", 2e5},
        {"push_direction", "an angle is within 1e5 rad", -2e5}};
    ff_batch_model *model = hopper_compile(&PLAIN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ff_error err = {0};
        const ff_batch_spread row = always(rows[i].name, rows[i].value);
        CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = &row, .nspread = 1}, &err));
        CHECK_INT(err.status, FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, rows[i].says);
    }
    ff_error err = {0};
    const ff_batch_spread open = {.quantity = FF_BATCH_FRICTION, .kind = FF_BATCH_NORMAL, .mean = 1, .deviation = 0.1};
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = &open, .nspread = 1}, &err));
    CHECK_SAYS(err.text, "friction cannot be spread around 1 by 0.1: a factor needs bounds");
    ff_batch_parameter quantity;
    const char *which;
    CHECK_INT(ff_batch_spread_find("colour.arm", &quantity, &which, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "there is no quantity 'colour.arm': they are friction, contact_stiffness");
    ff_batch_spread many[FF_BATCH_SPREADS_MOST + 1];
    for (int i = 0; i <= FF_BATCH_SPREADS_MOST; i++) many[i] = always("mass.arm", 1.0);
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = many, .nspread = 33}, &err));
    CHECK_SAYS(err.text, "33 rows of distributions: a table has up to 32");
    CHECK(!ff_batch_create(model, &(ff_batch_options){.robots = 1, .spreads = many, .nspread = 2}, &err));
    CHECK_SAYS(err.text, "mass.arm is spread twice");
    ff_batch_model_destroy(model);
}
