// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Materials: the library, soils, pairs, and messages about impossible numbers.
#include "check.h"

#include <footfall/contact.h>

TEST(every_material_of_the_library_is_sound_and_has_its_source)
{
    ff_material m, again;
    int count = 0;
    for (; ff_material_library(count, &m); count++) {
        ff_report report = {0};
        int errors = ff_material_check(&m, &report, (ff_place){0});
        if (errors) CHECK_FAIL("%s", report.messages[0].text);
        CHECK(m.source && strlen(m.source) > 10);
        CHECK_INT(ff_material_find(m.name, &again, NULL), FF_OK);
        CHECK_TEXT(again.name, m.name);
        for (int i = 0; i < count; i++) {
            CHECK(ff_material_library(i, &again));
            CHECK(strcmp(again.name, m.name) != 0);
        }
    }
    CHECK(count >= 15);
    CHECK(!ff_material_library(-1, &m) && !ff_material_library(count, &m));
}

TEST(an_unknown_name_is_answered_with_the_known_ones)
{
    ff_material m;
    ff_error err = {0};
    ff_normal_law normal = FF_NORMAL_LINEAR;
    ff_friction_law friction = FF_FRICTION_NONE;
    CHECK_INT(ff_material_find("ruber", &m, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "did you mean 'rubber'?");
    CHECK_SAYS(err.text, "tennis-ball");
    CHECK_INT(ff_normal_law_find("hunt-crosley", &normal, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "did you mean 'hunt-crossley'?");
    CHECK_SAYS(err.text, "linear, restitution, hunt-crossley, kelvin-voigt, soil");
    CHECK_INT(ff_friction_law_find("xyz", &friction, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "none, stribeck, anchored, stick-slip, soil");
    CHECK_INT(ff_soil_find("swamp", true, 0.0, &m, &err), FF_NOT_FOUND);
    CHECK_SAYS(err.text, "peat");
    for (int i = 0; i < FF_NORMAL_LAW_COUNT; i++) {
        CHECK_INT(ff_normal_law_find(ff_normal_law_name((ff_normal_law)i), &normal, NULL), FF_OK);
        CHECK_INT(normal, i);
    }
    ff_stick_rule rule = FF_STICK_SEED;
    ff_calibration calibration = FF_CALIBRATION_SEED;
    CHECK_INT(ff_stick_rule_find("continuous", &rule, NULL), FF_OK);
    CHECK_INT(ff_calibration_find("exact", &calibration, NULL), FF_OK);
    CHECK(rule == FF_STICK_CONTINUOUS && calibration == FF_CALIBRATION_EXACT);
    CHECK(!ff_normal_law_name(FF_NORMAL_LAW_COUNT) && !ff_friction_law_name((ff_friction_law)-1));
}

TEST(all_rows_of_the_soil_table_follow_its_three_constants)
{
    static const struct {
        const char *name;
        double modulus; // [N/m^2]
    } rows[] = {{"concrete", 30e9},     {"wood", 13e9},      {"gravel", 200e6}, {"sand", 80e6},
                {"compact-clay", 15e6}, {"loose-clay", 3e6}, {"peat", 500e3}};
    for (int i = 0; i < 7; i++) {
        ff_material printed, made = ff_soil_from_modulus("mine", rows[i].modulus, false, 0.0);
        CHECK_INT(ff_soil_find(rows[i].name, false, 0.0, &printed, NULL), FF_OK);
        CHECK_NEAR(made.normal.stiffness / printed.normal.stiffness, 1.0, 1e-5);
        CHECK_NEAR(made.friction.stiffness / printed.friction.stiffness, 1.0, 1e-5);
        CHECK_NEAR(made.normal.damping / printed.normal.damping, 1.0, 1e-3); // printed as whole numbers
        CHECK_NEAR(made.friction.damping / printed.friction.damping, 1.0, 1e-3);
        CHECK_TEXT(made.name, "mine");
    }
    ff_material clay;
    CHECK_INT(ff_soil_find("compact-clay", true, 0.0, &clay, NULL), FF_OK);
    CHECK_NEAR(clay.normal.damping, 2706233, 600); // B' of Table I, from B with four digits
    CHECK_NEAR(clay.friction.damping, 2364932, 600);
    ff_material bad = ff_soil_from_modulus("bad", -1.0, true, 0.0);
    CHECK(ff_material_check(&bad, NULL, (ff_place){0}) > 0);
}

TEST(impossible_numbers_are_reported_with_the_allowed_range)
{
    ff_report report = {0};
    ff_material m = ff_material_default();
    m.normal.stiffness = -5.0;
    m.normal.exponent = 2.0;
    m.friction.mu_static = 0.5, m.friction.mu_kinetic = 0.6;
    m.friction.stick_speed = NAN;
    CHECK_INT(ff_material_check(&m, &report, (ff_place){"floor.yaml", 7, 3}), 4);
    CHECK_SAYS(report.messages[0].text, "normal stiffness is -5 N/m: it must be finite and above zero");
    CHECK_SAYS(report.messages[1].text, "exponent is 2: allowed are 1 and 1.5");
    CHECK_SAYS(report.messages[2].text, "static friction 0.5 is below kinetic friction 0.6");
    CHECK_SAYS(report.messages[3].text, "stick speed is nan");
    CHECK_INT(report.messages[0].line, 7);
    ff_report_clear(&report);

    m = ff_material_default();
    m.normal.pulls = true;
    CHECK_INT(ff_material_check(&m, &report, (ff_place){0}), 2);
    CHECK_SAYS(report.messages[0].text, "the law 'hunt-crossley' cannot pull");
    CHECK_SAYS(report.messages[1].text, "has no friction cone");
    ff_report_clear(&report);

    static const double outside[] = {-0.1, 1.2, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        m = ff_material_default();
        m.normal.law = FF_NORMAL_RESTITUTION;
        m.normal.restitution = outside[i];
        CHECK_INT(ff_material_check(&m, &report, (ff_place){0}), 1);
        CHECK_SAYS(report.messages[0].text, "from 0 to 1");
        ff_report_clear(&report);
    }
    m = ff_material_default();
    m.normal.exponent = 1.5, m.friction.stiffness = 0.0;
    CHECK_INT(ff_material_check(&m, &report, (ff_place){0}), 1);
    CHECK_SAYS(report.messages[0].text, "friction stiffness must be given");
    ff_report_clear(&report);
    m = ff_material_default();
    m.normal.law = (ff_normal_law)77;
    m.friction.law = (ff_friction_law)-3;
    CHECK_INT(ff_material_check(&m, NULL, (ff_place){0}), 2);
    m = ff_material_default();
    m.friction.law = FF_FRICTION_ANCHORED;
    m.friction.breakaway = 0.5, m.friction.decay = 1.0, m.friction.slowdown = 0.0, m.friction.torsion = -1.0;
    m.friction.patch_radius = 0.0;
    CHECK_INT(ff_material_check(&m, NULL, (ff_place){0}), 5);
}

TEST(stiffness_of_nothing_and_beyond_all_matter_is_refused)
{
    static const struct {
        double stiffness;
        const char *says;
    } bad[] = {{0.0, "normal stiffness is 0 N/m: it must be finite and above zero"},
               {NAN, "normal stiffness is nan N/m: it must be finite and above zero"},
               {-INFINITY, "normal stiffness is -inf N/m"},
               {1e20, "normal stiffness is 1e+20 N/m: positions near 1 m are known to 1e-16 m only, which is 10000 N"}};
    for (int i = 0; i < 4; i++) {
        ff_report report = {0};
        ff_contact_pair pair;
        ff_error err = {0};
        ff_material m = ff_material_default();
        m.normal.stiffness = bad[i].stiffness;
        CHECK_INT(ff_material_check(&m, &report, (ff_place){"a.yaml", 3, 9}), 1);
        CHECK_SAYS(report.messages[0].text, bad[i].says);
        CHECK_INT(ff_contact_pair_make(&pair, &m, NULL, &err), FF_BAD_ARGUMENT);
        CHECK_SAYS(err.text, bad[i].says);
        ff_report_clear(&report);
    }
    ff_material m = ff_material_default();
    m.friction.stiffness = 1e20;
    CHECK_INT(ff_material_check(&m, NULL, (ff_place){0}), 1);
    m = ff_material_default();
    m.normal.stiffness = 1e14; // the hardest there may be
    CHECK_INT(ff_material_check(&m, NULL, (ff_place){0}), 0);
    m.normal.stiffness = 1e-300; // a stiffness near zero is no error: the force is near zero
    CHECK_INT(ff_material_check(&m, NULL, (ff_place){0}), 0);
    ff_contact_pair pair;
    ff_contact_point p = {.share = 1.0, .depth = 1e-3, .closing = 1.0, .normal = {0, 0, 1}};
    ff_contact_state open = {0};
    ff_contact_force f;
    m.normal.damping = 0.0;
    CHECK_INT(ff_contact_pair_make(&pair, &m, NULL, NULL), FF_OK);
    ff_contact_evaluate(&pair, &p, &open, &f, NULL);
    CHECK(f.normal >= 0.0 && f.normal < 1e-300 && isfinite(f.force[0]));
}

/// Field by field: the bytes between fields may differ.
static bool same_pairs(const ff_contact_pair *x, const ff_contact_pair *y)
{
    const ff_friction *f = &x->friction, *g = &y->friction;
    const double a[] = {x->stiffness,
                        x->exponent,
                        x->damping,
                        x->damping_exponent,
                        x->restitution,
                        x->impact_floor,
                        x->torsion_stiffness,
                        x->rolling_stiffness,
                        x->turn_lag,
                        f->mu_static,
                        f->mu_kinetic,
                        f->stiffness,
                        f->damping,
                        f->damping_exponent,
                        f->stick_speed,
                        f->breakaway,
                        f->viscous,
                        f->threshold,
                        f->decay,
                        f->scale_speed,
                        f->slowdown,
                        f->torsion,
                        f->rolling,
                        f->patch_radius};
    const double b[] = {y->stiffness,
                        y->exponent,
                        y->damping,
                        y->damping_exponent,
                        y->restitution,
                        y->impact_floor,
                        y->torsion_stiffness,
                        y->rolling_stiffness,
                        y->turn_lag,
                        g->mu_static,
                        g->mu_kinetic,
                        g->stiffness,
                        g->damping,
                        g->damping_exponent,
                        g->stick_speed,
                        g->breakaway,
                        g->viscous,
                        g->threshold,
                        g->decay,
                        g->scale_speed,
                        g->slowdown,
                        g->torsion,
                        g->rolling,
                        g->patch_radius};
    return x->law == y->law && f->law == g->law && f->stick == g->stick && memcmp(a, b, sizeof a) == 0;
}

TEST(pairs_refuse_two_rigid_materials_and_combine_others)
{
    ff_error err = {0};
    ff_contact_pair pair, same, turned;
    ff_material a = ff_material_default(), b, rigid;
    CHECK_INT(ff_material_find("rubber", &b, NULL), FF_OK);
    CHECK_INT(ff_material_find("rigid", &rigid, NULL), FF_OK);
    CHECK_INT(ff_contact_pair_make(&pair, &rigid, &rigid, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "both rigid");
    CHECK_INT(ff_contact_pair_make(&pair, &rigid, NULL, &err), FF_BAD_ARGUMENT);
    CHECK_INT(ff_contact_pair_make(&pair, &b, &rigid, NULL), FF_OK);
    CHECK_INT(ff_contact_pair_make(&same, &b, NULL, NULL), FF_OK);
    CHECK(same_pairs(&pair, &same));
    CHECK_INT(ff_contact_pair_make(&pair, &a, &b, NULL), FF_OK);
    CHECK_INT(ff_contact_pair_make(&turned, &b, &a, NULL), FF_OK);
    CHECK(same_pairs(&pair, &turned)); // who is first does not matter
    CHECK_NEAR(pair.stiffness, 1.0 / (1.0 / 1e4 + 1.0 / 2e5), 1e-8);
    CHECK_NEAR(pair.friction.mu_static, sqrt(0.9 * 0.1), 1e-15);
    a.normal.stiffness = -1.0;
    CHECK_INT(ff_contact_pair_make(&pair, &b, &a, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "stiffness is -1");
}

// Resistance to turning is independent of friction along the ground: a pair has it also where one partner, the softer
// or the harder one, has no friction.
TEST(resistance_to_turning_does_not_need_friction)
{
    ff_contact_pair pair;
    ff_material soft = ff_material_default(), hard = ff_material_default();
    soft.normal.stiffness = 1e4;
    hard.normal.stiffness = 1e6;
    for (int k = 0; k < 2; k++) {
        ff_material a = soft, b = hard;
        ff_friction *f = k == 0 ? &a.friction : &b.friction;
        f->law = FF_FRICTION_NONE;
        f->mu_static = f->mu_kinetic = 0.0;
        f->torsion = 2e-3;
        f->rolling = 1e-3;
        CHECK_INT(ff_contact_pair_make(&pair, &a, &b, NULL), FF_OK);
        CHECK_INT(pair.friction.law, FF_FRICTION_NONE);
        CHECK_NEAR(pair.friction.torsion, 2e-3, 0); // [m]
        CHECK_NEAR(pair.friction.rolling, 1e-3, 0);
    }
}

// No finite group gives the restitution 0: the pair has the group of the impact floor, with a partner of another law,
// too. A partner with restitution adds its share.
TEST(a_plastic_partner_makes_a_finite_damper)
{
    ff_material a = ff_material_default(), b = a;
    ff_contact_pair pair;
    a.normal.law = FF_NORMAL_RESTITUTION;
    a.normal.stiffness = 1e4, a.normal.restitution = 0.0;
    b.normal.stiffness = 3e4;
    CHECK_INT(ff_contact_pair_make(&pair, &a, &b, NULL), FF_OK);
    CHECK_NEAR(pair.restitution, 0.0, 0.0);
    CHECK_NEAR(pair.damping / pair.stiffness, 1.0, 1e-15);
    b.normal.law = FF_NORMAL_RESTITUTION;
    b.normal.restitution = 0.0;
    CHECK_INT(ff_contact_pair_make(&pair, &a, &b, NULL), FF_OK);
    CHECK_NEAR(pair.damping / pair.stiffness, 1.0, 1e-15);
    b.normal.restitution = 0.8;
    CHECK_INT(ff_contact_pair_make(&pair, &a, &b, NULL), FF_OK);
    CHECK_NEAR(pair.restitution, 0.2, 1e-15); // a quarter of the way
    CHECK_NEAR(ff_restitution_of_group(pair.damping / pair.stiffness), 0.2, 1e-12);
}

TEST(restitution_of_a_pair_is_weighted_by_deformation)
{
    ff_material a = ff_material_default(), b;
    a.normal.law = FF_NORMAL_RESTITUTION;
    b = a;
    a.normal.stiffness = 1e4, a.normal.restitution = 0.4;
    b.normal.stiffness = 3e4, b.normal.restitution = 0.8;
    ff_contact_pair pair;
    CHECK_INT(ff_contact_pair_make(&pair, &a, &b, NULL), FF_OK);
    CHECK_NEAR(pair.restitution, 0.75 * 0.4 + 0.25 * 0.8, 1e-15); // the softer makes three quarters of the way
    CHECK_NEAR(ff_restitution_of_group(pair.damping / pair.stiffness), 0.5, 1e-12);
}

TEST(a_load_can_be_held_from_the_start_up_to_the_limit)
{
    ff_contact_pair pair;
    ff_material m = ff_material_default();
    ff_error err = {0};
    ff_contact_state state;
    ff_contact_force f;
    ff_contact_point p = {.share = 0.25, .depth = 1e-3, .normal = {0, 0.6, 0.8}}; // 50 N
    CHECK_INT(ff_contact_pair_make(&pair, &m, NULL, NULL), FF_OK);
    double load[3] = {30.0, 0.8 * 20.0, -0.6 * 20.0};
    CHECK_INT(ff_contact_state_hold(&pair, &p, load, &state, &err), FF_OK);
    ff_contact_evaluate(&pair, &p, &state, &f, NULL);
    for (int i = 0; i < 3; i++) CHECK_NEAR(f.tangential[i], load[i], 1e-12);
    load[0] = 45.0;
    CHECK_INT(ff_contact_state_hold(&pair, &p, load, &state, &err), FF_BAD_ARGUMENT);
    CHECK_SAYS(err.text, "beyond 0.9 times the normal force 50 N");
}

TEST(the_softer_partner_decides_whether_points_share_the_stiffness)
{
    ff_material a = ff_material_default(), b = ff_material_default();
    a.normal.stiffness = 1e4;
    a.per_point = true;
    ff_contact_pair pair;
    CHECK_INT(ff_contact_pair_make(&pair, &a, &b, NULL), FF_OK);
    CHECK(pair.per_point);
    CHECK_INT(ff_contact_pair_make(&pair, &b, &a, NULL), FF_OK);
    CHECK(pair.per_point);
    a.normal.stiffness = 1e7;
    CHECK_INT(ff_contact_pair_make(&pair, &b, &a, NULL), FF_OK);
    CHECK(!pair.per_point);
}

// A hole in a table would end the list of names there, and hide all rows behind it.
TEST(every_law_has_a_row)
{
    for (int i = 0; i < (int)FF_NORMAL_LAW_COUNT; i++) CHECK(ff_normal_law_name((ff_normal_law)i) != NULL);
    for (int i = 0; i < (int)FF_CALIBRATION_COUNT; i++) CHECK(ff_calibration_name((ff_calibration)i) != NULL);
    for (int i = 0; i < (int)FF_FRICTION_LAW_COUNT; i++) CHECK(ff_friction_law_name((ff_friction_law)i) != NULL);
    for (int i = 0; i < (int)FF_STICK_RULE_COUNT; i++) CHECK(ff_stick_rule_name((ff_stick_rule)i) != NULL);
}
