// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact materials in native robot files: what is written is what the model holds, numbers follow their formulas, and
// every mistake is reported at its place, with what is allowed.
#include "native/native_robot.h"

#define ROBOT                                                                                                          \
    "footfall: 1\n"                                                                                                    \
    "bodies: {b: {joint: free, inertial: {mass: 1, sphere: 1}, shapes: [{sphere: 1, material: m}]}}\n"

/// A robot whose only shape is of material m, and the text below "materials:" on line 3.
static bool load(const char *text)
{
    return load_after(ROBOT "materials:\n", text);
}

/// The material m of that text.
static ff_material material_of(const char *text)
{
    if (!load(text)) CHECK_FAIL("refused: %s", message(0));
    for (int i = 0; i < model->nmaterial; i++)
        if (strcmp(model->materials[i].name, "m") == 0) return model->materials[i];
    CHECK_FAIL("no material m in the model");
}

TEST(a_material_holds_the_numbers_it_was_given)
{
    ff_material m = material_of(
        "  m:\n"
        "    normal: {law: hunt-crossley, stiffness: 2 * 10^4, damping: 7.5e3, exponent: 1}\n"
        "    friction: {law: stick-slip, static: 0.9, kinetic: 0.7, stiffness: 1e4, damping: 40, stick_speed: 2 mm/s,\n"
        "               stick: seed, torsion: 2 mm, rolling: 1 mm, patch_radius: 4 mm}\n"
        "    per: point\n"
        "    source: by hand\n");
    CHECK_INT(m.normal.law, FF_NORMAL_HUNT_CROSSLEY);
    CHECK_NEAR(m.normal.stiffness, 2e4, 0);
    CHECK_NEAR(m.normal.damping, 7.5e3, 0);
    CHECK_INT(m.friction.law, FF_FRICTION_STICK_SLIP);
    CHECK_NEAR(m.friction.mu_static, 0.9, 0);
    CHECK_NEAR(m.friction.mu_kinetic, 0.7, 0);
    CHECK_NEAR(m.friction.stiffness, 1e4, 0);
    CHECK_NEAR(m.friction.damping, 40, 0);
    CHECK_NEAR(m.friction.stick_speed, 2e-3, 1e-18);
    CHECK_INT(m.friction.stick, FF_STICK_SEED);
    CHECK_NEAR(m.friction.torsion, 2e-3, 1e-18);
    CHECK_NEAR(m.friction.rolling, 1e-3, 1e-18);
    CHECK_NEAR(m.friction.patch_radius, 4e-3, 1e-18);
    CHECK(m.per_point);
    CHECK_TEXT(m.source, "by hand");
    m = material_of(
        "  m: {normal: {law: restitution, stiffness: 5e4, exponent: 1.5, restitution: 0.6, calibration: seed, "
        "impact_floor: 0.02},\n"
        "      friction: {law: anchored, kinetic: 0.5, stiffness: 1e3, breakaway: 1.3, viscous: 90, threshold: "
        "0.004, decay: -2,\n"
        "                 scale_speed: 0.006, slowdown: 4}}\n");
    CHECK_INT(m.normal.law, FF_NORMAL_RESTITUTION);
    CHECK_NEAR(m.normal.exponent, 1.5, 0);
    CHECK_NEAR(m.normal.restitution, 0.6, 0);
    CHECK_INT(m.normal.calibration, FF_CALIBRATION_SEED);
    CHECK_NEAR(m.normal.impact_floor, 0.02, 0);
    const ff_friction *f = &m.friction;
    CHECK_INT(f->law, FF_FRICTION_ANCHORED);
    const double got[] = {f->breakaway, f->viscous, f->threshold, f->decay, f->scale_speed, f->slowdown};
    const double want[] = {1.3, 90, 0.004, -2, 0.006, 4};
    for (int i = 0; i < 6; i++) CHECK_NEAR(got[i], want[i], 0);
    CHECK(!m.per_point);
    finish();
}

// Table I of Lens et al.: E 1e7, A 1 cm^2, L 10 cm is 1e4 N/m.
TEST(stiffness_and_damping_may_come_from_their_formulas)
{
    ff_material m =
        material_of("  m: {normal: {law: hunt-crossley, modulus: 1e7, area: 1e-4, thickness: 10 cm, restitution: "
                    "0.5, speed: 2}}\n");
    CHECK_NEAR(m.normal.stiffness, 1e4, 1e-9);
    double a = m.normal.damping / m.normal.stiffness * 2.0, e = 0.5;
    CHECK_NEAR(a * (1 + e), log((1 + a) / (1 - e * a)), 1e-9); // X1 of docs/contact.md
    m = material_of("  m: {normal: {law: hunt-crossley, stiffness: 1e4, restitution: 0, speed: 2}}\n");
    CHECK_NEAR(m.normal.damping, 1e4 / 0.01, 1e-9); // nothing leaves faster than 0.01 m/s
    m = material_of("  m: {normal: {law: restitution, stiffness: 1e4, restitution: 0}}\n");
    CHECK_NEAR(m.normal.restitution, 0.0, 0.0);
    m = material_of("  m: {soil: {modulus: 1e7, non_linear: false, mu: 0.6}}\n");
    CHECK_NEAR(m.normal.stiffness, 0.1136799e7, 1e-6);
    CHECK_NEAR(m.normal.damping, 3 * sqrt(0.1136799e7), 1e-9);
    CHECK_NEAR(m.friction.mu_kinetic, 0.6, 0);
    finish();
}

TEST(a_material_can_start_from_another)
{
    ff_material rubber, gravel, m;
    CHECK_INT(ff_material_find("rubber", &rubber, NULL), FF_OK);
    CHECK_INT(ff_soil_find("gravel", false, 0.8, &gravel, NULL), FF_OK);
    m = material_of("  m: {like: rubber, friction: {kinetic: 0.05}}\n");
    CHECK_NEAR(m.normal.stiffness, rubber.normal.stiffness, 0);
    CHECK_NEAR(m.friction.mu_static, rubber.friction.mu_static, 0);
    CHECK_NEAR(m.friction.mu_kinetic, 0.05, 0);
    CHECK_TEXT(m.source, rubber.source);
    m = material_of("  a: {like: rubber, normal: {stiffness: 3e4}}\n  m: {like: a, normal: {damping: 0}}\n");
    CHECK_NEAR(m.normal.stiffness, 3e4, 0);
    CHECK_NEAR(m.normal.damping, 0, 0);
    m = material_of("  m: rubber\n");
    CHECK(ff_material_same(&m, &rubber));
    m = material_of("  m: {soil: gravel}\n");
    CHECK_NEAR(m.normal.damping_exponent, 0.9, 0);
    m = material_of("  m: {soil: {name: gravel, non_linear: false}}\n");
    CHECK(ff_material_same(&m, &gravel));
    m = material_of("  m: {like: lab-floor, normal: {stiffness: rigid}}\n");
    CHECK(isinf(m.normal.stiffness));
    finish();
}

// What is not said of friction follows from the normal stiffness: k/2 and sqrt(k/2).
TEST(friction_that_is_not_given_fits_the_stiffness)
{
    ff_material m = material_of("  m: {normal: {law: linear, stiffness: 5e4}, friction: {mu: 0.4}}\n");
    ff_contact_pair pair;
    CHECK_INT(ff_contact_pair_make(&pair, &m, NULL, NULL), FF_OK);
    CHECK_NEAR(pair.friction.stiffness, 2.5e4, 0);
    CHECK_NEAR(pair.friction.damping, sqrt(2.5e4), 1e-12);
    CHECK_NEAR(m.friction.mu_static, 0.4, 0);
    CHECK_NEAR(m.friction.mu_kinetic, 0.4, 0);
    m = material_of("  m: {friction: {static: 0.4}}\n");
    CHECK_NEAR(m.friction.mu_kinetic, 0.4, 0);
    finish();
}

// Column and text of each mistake; the file names the material on line 4.
TEST(mistakes_are_reported_with_their_place_and_what_is_allowed)
{
    static const struct {
        const char *text, *at, *says;
    } bad[] = {
        {"  m: {normal: {law: linear, stiffness: -3}}\n", "r.yaml:4:40: error",
         "'stiffness' is -3 N/m^n: it must be positive"},
        {"  m: {normal: {law: linear, stiffness: 0}}\n", "r.yaml:4:40: error", "it must be positive"},
        {"  m: {normal: {law: linear, stiffness: 1e20}}\n", "r.yaml:4:40: error", "1e+20"},
        {"  m: {normal: {law: linaer, stiffness: 1}}\n", "r.yaml:4:21: error",
         "allowed: linear, restitution, hunt-crossley, kelvin-voigt, soil; did you mean 'linear'?"},
        {"  m: {friction: {law: sticky}}\n", "r.yaml:4:23: error",
         "allowed: none, stribeck, anchored, stick-slip, soil"},
        {"  m: {friction: {static: 0.5, kinetic: 0.6}}\n", "r.yaml:4:26: error",
         "static friction 0.5 is below kinetic friction 0.6"},
        {"  m: {like: rubber, friction: {kinetic: 0.6}}\n", "r.yaml:4:41: error",
         "static friction 0.1 is below kinetic friction 0.6"},
        {"  m: {like: ruber}\n", "r.yaml:4:13: error", "did you mean 'rubber'?"},
        {"  m: {normal: {law: hunt-crossley, stiffness: 1e4}}\n", "r.yaml:4:15: error",
         "needs 'damping', or 'restitution' and 'speed'"},
        {"  m: {normal: {law: hunt-crossley, damping: 1}}\n", "r.yaml:4:15: error", "needs 'stiffness'"},
        {"  m: {normal: {law: restitution, stiffness: 1}}\n", "r.yaml:4:15: error", "needs 'restitution'"},
        {"  m: {like: rubber, normal: {law: kelvin-voigt}}\n", "r.yaml:4:29: error", "needs 'damping'"},
        {"  m: {normal: {law: restitution, stiffness: 1, restitution: 1.5}}\n", "r.yaml:4:61: error",
         "between 0 and 1"},
        {"  m: {normal: {law: linear, stiffness: 1, damping: 2}}\n", "r.yaml:4:43: error",
         "'damping' is not used by the law 'linear'"},
        {"  m: {friction: {law: none, mu: 0.3}}\n", "r.yaml:4:29: error", "'mu' is not used by the law 'none'"},
        {"  m: {friction: {law: none, kinetic: 0.3}}\n", "r.yaml:4:29: error", "not used by the law 'none'"},
        {"  m: {friction: {law: none, stiffness: 10}}\n", "r.yaml:4:29: error", "not used by the law 'none'"},
        {"  m: {normal: {law: soil, stiffness: 1, damping: 2, exponent: 1.5}}\n", "r.yaml:4:63: error",
         "the law 'soil' allows 1"},
        {"  m: {normal: {law: linear, stiffness: 1, exponent: 2}}\n", "r.yaml:4:53: error", "between 1 and 1.5"},
        {"  m: {normal: {law: linear, stiffness: 1, exponent: 1.2}}\n", "r.yaml:4:53: error", "allows 1 and 1.5"},
        {"  m: {normal: {law: linear, stiffness: 1, area: 2}}\n", "r.yaml:4:29: error",
         "either 'stiffness' or 'modulus'"},
        {"  m: {normal: {law: linear, modulus: 1, area: 2}}\n", "r.yaml:4:15: error", "go together: k = E A / L"},
        {"  m: {normal: {law: hunt-crossley, stiffness: 1, restitution: 1}}\n", "r.yaml:4:50: error", "go together"},
        {"  m: {normal: {law: linear, stiffness: 1, exponent: 1.5}}\n", "r.yaml:4:6: error",
         "friction stiffness must be given"},
        {"  m: {friction: {breakaway: 2}}\n", "r.yaml:4:18: error", "not used by the law 'stick-slip'"},
        {"  m: {friction: {mu: 0.5, static: 0.5}}\n", "r.yaml:4:18: error", "stands for 'static' and 'kinetic'"},
        {"  m: {friction: {stick: sead}}\n", "r.yaml:4:25: error", "allowed: continuous, seed; did you mean 'seed'?"},
        {"  m: {per: patch}\n", "r.yaml:4:12: error", "allowed: pair, point"},
        {"  m: {soil: mud}\n", "r.yaml:4:13: error",
         "known: concrete, wood, gravel, sand, compact-clay, loose-clay, peat"},
        {"  m: {soil: {mu: 0.1}}\n", "r.yaml:4:13: error", "exactly one of 'name' and 'modulus'"},
        {"  m: {like: rubber, soil: peat}\n", "r.yaml:4:21: error", "either 'like' or 'soil'"},
        {"  m: {normal: {law: linear, stifness: 1}}\n", "r.yaml:4:29: error", "did you mean 'stiffness'?"},
        {"  m: {frictoin: {mu: 1}}\n", "r.yaml:4:7: error", "did you mean 'friction'?"},
        {"  m: {friction: {mu: 1, viscos: 1}}\n", "r.yaml:4:25: error", "unknown key 'viscos'"},
        {"  mm: {friction: {mu: 1}}\n", "r.yaml:2:90: error", "material 'm' is not defined"},
        {"  m: [1]\n", "r.yaml:4:6: error", "got a list"},
        {"  m: 7\n", "r.yaml:4:6: error", "material '7' is not defined"},
        {"  a-name-that-is-longer-than-forty-seven-characters: rubber\n", "r.yaml:4:3: error",
         "at most 47 characters, not 49"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (load(bad[i].text)) CHECK_FAIL("accepted: %s", bad[i].text);
        if (strncmp(message(0), bad[i].at, strlen(bad[i].at)) != 0 || !strstr(message(0), bad[i].says))
            CHECK_FAIL("%s: got %s, wanted %s .. %s", bad[i].text, message(0), bad[i].at, bad[i].says);
        for (int k = 1; k < report.count; k++) // a mistake inside leaves the material defined
            if (strstr(message(k), "material 'm' is not defined")) CHECK_FAIL("%s: %s", bad[i].text, message(k));
    }
    finish();
}

static ff_spec *with_material(const char *name, double stiffness, int line)
{
    ff_spec *out = ff_spec_create(NULL);
    ff_spec_material *m = ff_spec_add_material(out, name, NULL);
    m->material.normal.stiffness = stiffness;
    m->material.source = ff_spec_text(out, "measured");
    m->place = (ff_place){"other.test", line, 3};
    return out;
}

// One name is one material, whatever the prefix; two that differ cannot both be meant.
TEST(materials_join_by_name)
{
    static const double origin[3] = {0, 0, 0}, straight[4] = {1, 0, 0, 0};
    finish();
    ff_spec *all = ff_spec_create(NULL), *one = with_material("sole", 1e4, 5), *same = with_material("sole", 1e4, 6);
    ff_spec *other = with_material("sole", 2e4, 7), *second = with_material("floor", 3e4, 8);
    CHECK_INT(ff_spec_attach(all, one, "left_", -1, origin, straight, &report), FF_OK);
    CHECK_INT(ff_spec_attach(all, same, "right_", -1, origin, straight, &report), FF_OK);
    CHECK_INT(ff_spec_attach(all, second, "", -1, origin, straight, &report), FF_OK);
    ff_spec_destroy(one);
    CHECK_INT(all->nmaterial, 2);
    CHECK_INT(report.errors, 0);
    CHECK_INT(ff_spec_find_material(all, "sole"), 0);
    CHECK_TEXT(all->materials[0].material.source, "measured");
    ff_spec_attach(all, other, "", -1, origin, straight, &report);
    CHECK_INT(report.errors, 1);
    CHECK_SAYS(message(0), "other.test:7:3: error: material 'sole' is defined differently in other.test:5");
    ff_spec_destroy(all);
    ff_spec_destroy(same);
    ff_spec_destroy(other);
    ff_spec_destroy(second);
    finish();
}
