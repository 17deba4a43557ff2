// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Contact numbers of MJCF with MuJoCo 2.2.2 as referee: friction, condim, solref and impedance of two geoms are mixed
// as it mixes them, by size, solmix and priority; a body with a solref sinks in as deep and leaves as fast; the switch
// of the world takes all of it away. Pairs meet where they meet in MuJoCo, with the same numbers.
#include <mujoco/mujoco.h>

#include <footfall/footfall.h>

#include "check.h"
#include "support/mujoco_text.h"
#include "support/must_run.h"

#include <stdio.h>

static ff_model *model_of(const char *xml)
{
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    ff_model *model = NULL;
    if (ff_spec_parse(spec, "mjcf", xml, strlen(xml), "m.xml", NULL, &report) == FF_OK)
        model = ff_model_compile(spec, NULL, &report);
    if (!model) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no model");
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    return model;
}

static ff_mjcf_surface surface_of(const ff_geom *g)
{
    ff_mjcf_surface s = {.condim = g->condim, .numbers = g->mjcf, .inverse_mass = g->body >= 0 ? 1.0 / 2.0 : 0.0};
    memcpy(s.friction, g->friction, sizeof s.friction);
    return s;
}

#define BALL_ON_FLOOR(floor, ball)                                                                                     \
    "<mujoco><worldbody><geom type='plane' size='5 5 .1' " floor "/><body pos='0 0 .099'><freejoint/>"                 \
    "<geom type='sphere' size='.1' mass='2' " ball "/></body></worldbody></mujoco>"

TEST(two_geoms_have_the_numbers_that_mujoco_gives_them)
{
    static const char *const files[] = {
        BALL_ON_FLOOR("", ""),
        BALL_ON_FLOOR("friction='.4 .01 .002'", "friction='.9 .003 .004' condim='6'"),
        BALL_ON_FLOOR("friction='1.2' condim='4' priority='1'", "friction='.3' condim='6' solref='.01 .7'"),
        BALL_ON_FLOOR("friction='1.2' condim='1'", "friction='.3 .2 .1' condim='1' solref='.03 .7' priority='2'"),
        BALL_ON_FLOOR("solref='.01 2' solmix='3' solimp='.8 .9'", "solref='.05 .5' solmix='.5'"),
        BALL_ON_FLOOR("solref='.01 2' solmix='0'", "solref='.05 .5' solimp='.5 .6'"),
        BALL_ON_FLOOR("solref='-1000 -50'", "solref='-3000 -20'"),
        BALL_ON_FLOOR("", "solref='-3000 -20' priority='-1'"),
    };
    const ff_material standard = ff_material_default();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        mjModel *theirs = mujoco_of_text(files[i]);
        mjData *data = mj_makeData(theirs);
        mj_forward(theirs, data);
        CHECK_INT(data->ncon, 1);
        const mjContact *c = &data->contact[0];
        ff_model *ours = model_of(files[i]);
        const ff_mjcf_surface floor = surface_of(&ours->geoms[0]), ball = surface_of(&ours->geoms[1]);
        const ff_material m = ff_material_by_mujoco(&standard, &floor, &ball);
        const ff_material back = ff_material_by_mujoco(&standard, &ball, &floor);
        CHECK_NEAR(m.normal.stiffness, back.normal.stiffness, 1e-12 * m.normal.stiffness);
        CHECK_NEAR(m.friction.mu_static, back.friction.mu_static, 0.0);
        CHECK_NEAR(m.friction.mu_static, c->dim >= 3 ? c->friction[0] : 0.0, 1e-15);
        CHECK_NEAR(m.friction.mu_kinetic, m.friction.mu_static, 0.0);
        CHECK_NEAR(m.friction.torsion, c->dim >= 4 ? c->friction[2] : 0.0, 1e-15);
        CHECK_NEAR(m.friction.rolling, c->dim >= 6 ? c->friction[3] : 0.0, 1e-15);
        const bool springs = strstr(files[i], "solref") && m.normal.law == FF_NORMAL_KELVIN_VOIGT;
        const double T = c->solref[0], z = c->solref[1], free = 1.0 - c->solimp[1];
        if (springs) {
            CHECK_NEAR(0.5 * m.normal.stiffness * free / 2.0, T > 0.0 ? 1.0 / (T * T * z * z) : -T, 1e-9 * fabs(1e6));
            CHECK_NEAR(0.5 * m.normal.damping * sqrt(free) / 2.0, T > 0.0 ? 2.0 / T : -z, 1e-9 * 1e3);
        }
        CHECK_INT(springs, strstr(files[i], "solref") && i != 2 && i != 7); // there the other geom has priority
        ff_model_destroy(ours);
        mj_deleteData(data);
        mj_deleteModel(theirs);
    }
}

/// Depth of the ball at rest.
static double sunk(const ff_model *model, const ff_world_options *o)
{
    ff_error err = {0};
    ff_sim_options so = ff_sim_options_default();
    so.method = FF_METHOD_EULER;
    ff_sim *sim = ff_sim_create(model, &so, &err);
    ff_world *world = ff_world_create(model, o, NULL);
    if (ff_sim_add_world(sim, world, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    must_run(sim, 4.0);
    const double depth = 0.1 - ff_sim_q(sim)[2];
    ff_sim_destroy(sim);
    ff_world_destroy(world);
    return depth;
}

// A constant impedance, so that MuJoCo's depth has one number. At rest 2 kg sink in by m g / k.
TEST(a_body_sinks_in_as_deep_as_in_mujoco)
{
    static const char *const files[] = {BALL_ON_FLOOR("", "solref='.02 1' solimp='.9 .9 .001' priority='1'"),
                                        BALL_ON_FLOOR("", "solref='-4000 -100' solimp='.6 .6 .001' priority='1'")};
    ff_world_options o = ff_world_options_default();
    for (int i = 0; i < 2; i++) {
        mjModel *theirs = mujoco_of_text(files[i]);
        mjData *data = mj_makeData(theirs);
        for (int k = 0; k < 2000; k++) mj_step(theirs, data);
        const double depth = 0.1 - data->qpos[2];
        ff_model *ours = model_of(files[i]);
        o.mjcf = true;
        CHECK_NEAR(sunk(ours, &o), depth, 1e-3 * depth);                    // MuJoCo's own solver stops there
        o.mjcf = false;                                                     // the standard material
        const double standard = 2 * 2 * 9.81 / o.standard.normal.stiffness; // of two layers in series
        CHECK_NEAR(sunk(ours, &o), standard, 1e-2 * standard);
        ff_model_destroy(ours);
        mj_deleteData(data);
        mj_deleteModel(theirs);
    }
}

/// Ratio of the speeds after and before a bounce on a spring and a damper of the damping ratio z, up to where their
/// force has fallen to zero: x'' + 2 z x' + x = 0 from x = 0, x' = 1 to  x + 2 z x' = 0, by the method of Kutta.
static double kept_by(double z)
{
    const double h = 1e-4;
    double x = 0.0, v = 1.0;
    while (x + 2.0 * z * v > 0.0) {
        const double a1 = -x - 2.0 * z * v, x2 = x + 0.5 * h * v, v2 = v + 0.5 * h * a1;
        const double a2 = -x2 - 2.0 * z * v2, x3 = x + 0.5 * h * v2, v3 = v + 0.5 * h * a2;
        const double a3 = -x3 - 2.0 * z * v3, x4 = x + h * v3, v4 = v + h * a3, a4 = -x4 - 2.0 * z * v4;
        x += h / 6.0 * (v + 2.0 * (v2 + v3) + v4);
        v += h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
    }
    return -v;
}

#define BALL_INTO_FLOOR(solref)                                                                                        \
    "<mujoco><option timestep='1e-5' gravity='0 0 0'/><worldbody><geom type='plane' size='5 5 .1' condim='1'/>"        \
    "<body pos='0 0 .11'><freejoint/><geom size='.1' mass='2' condim='1' priority='1' solimp='.9 .9' solref='" solref  \
    "'/></body></worldbody></mujoco>"

// Without gravity the speed of a ball after a bounce depends on the damping ratio alone: exp(-2) of its speed for ratio
// 1.
TEST(a_body_leaves_as_fast_as_in_mujoco)
{
    static const struct {
        const char *xml;
        double ratio;
    } cases[] = {{BALL_INTO_FLOOR(".01 1"), 1.0},
                 {BALL_INTO_FLOOR(".01 .3"), 0.3},
                 {BALL_INTO_FLOOR("-40000 -80"), 0.2}}; // 80 / (2 sqrt(40000))
    CHECK_NEAR(kept_by(1.0), exp(-2.0), 1e-4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mjModel *theirs = mujoco_of_text(cases[i].xml);
        mjData *data = mj_makeData(theirs);
        for (data->qvel[2] = -1.0; data->time < 0.1;) mj_step(theirs, data);
        ff_error err = {0};
        ff_model *ours = model_of(cases[i].xml);
        ff_sim_options o = ff_sim_options_default();
        o.method = FF_METHOD_RK4;
        o.step = 1e-5;
        ff_sim *sim = ff_sim_create(ours, &o, &err);
        ff_world *world = ff_world_create(ours, NULL, NULL);
        if (ff_sim_add_world(sim, world, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        ff_sim_set_v(sim, 2, -1.0);
        must_run(sim, 0.1);
        const double kept = kept_by(cases[i].ratio);
        printf("  z %.1f: %.5f, MuJoCo %.5f, here %.5f\n", cases[i].ratio, kept, data->qvel[2], ff_sim_v(sim)[2]);
        CHECK_NEAR(ff_sim_v(sim)[2], kept, 2e-3 * kept); // the first step within the floor
        CHECK_NEAR(data->qvel[2], kept, 1e-2 * kept);    // the same, and first order
        ff_sim_destroy(sim);
        ff_world_destroy(world);
        ff_model_destroy(ours);
        mj_deleteData(data);
        mj_deleteModel(theirs);
    }
}

// ------------------------------------------------------------------------------------------ pairs

enum { BALLS = 15 };

/// A heap of balls without filters, of which all but five pairs may meet, each with its own friction: 100 pairs.
static const char *heap_of_pairs(void)
{
    static char xml[40000];
    ff_random random = ff_random_make(21, 0);
    size_t n = (size_t)snprintf(xml, sizeof xml, "<mujoco><worldbody>");
    for (int i = 0; i < BALLS; i++)
        n += (size_t)snprintf(xml + n, sizeof xml - n,
                              "<body pos='%.4f %.4f %.4f'><freejoint/><geom name='g%d' size='.1' contype='0' "
                              "conaffinity='0'/></body>",
                              ff_random_range(&random, -0.15, 0.15), ff_random_range(&random, -0.15, 0.15),
                              ff_random_range(&random, -0.15, 0.15), i);
    n += (size_t)snprintf(xml + n, sizeof xml - n, "</worldbody><contact>");
    for (int i = 0, k = 0; i < BALLS; i++)
        for (int j = 0; j < i; j++, k++)
            if (k % 21 != 20)
                n += (size_t)snprintf(xml + n, sizeof xml - n,
                                      "<pair geom1='g%d' geom2='g%d' friction='%.3f %.3f .02 .003 .003' condim='%d'/>",
                                      i, j, 0.1 + 0.01 * k, 0.1 + 0.01 * k, k % 3 == 0 ? 6 : 3);
    snprintf(xml + n, sizeof xml - n, "</contact></mujoco>");
    return xml;
}

typedef struct bench {
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
} bench;

static bench open_bench(const char *xml, const ff_world_options *o)
{
    ff_error err = {0};
    bench b = {.model = model_of(xml)};
    ff_sim_options so = ff_sim_options_default();
    so.method = FF_METHOD_EULER;
    b.sim = ff_sim_create(b.model, &so, &err);
    b.world = ff_world_create(b.model, o, NULL);
    if (ff_sim_add_world(b.sim, b.world, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return b;
}

static void close_bench(bench *b)
{
    ff_sim_destroy(b->sim);
    ff_world_destroy(b->world);
    ff_model_destroy(b->model);
}

/// The contact of MuJoCo between two geoms, NULL: none.
static const mjContact *contact_of(const mjData *d, int geom1, int geom2)
{
    for (int i = 0; i < d->ncon; i++) {
        const mjContact *c = &d->contact[i];
        if ((c->geom1 == geom1 && c->geom2 == geom2) || (c->geom1 == geom2 && c->geom2 == geom1)) return c;
    }
    return NULL;
}

TEST(a_hundred_pairs_meet_as_in_mujoco)
{
    const char *xml = heap_of_pairs();
    mjModel *theirs = mujoco_of_text(xml);
    mjData *data = mj_makeData(theirs);
    bench b = open_bench(xml, NULL);
    CHECK_INT(b.model->npair, 100);
    CHECK_INT(theirs->npair, 100);
    mj_forward(theirs, data);
    int count, touching = 0, nshape;
    const ff_world_contact *contacts = ff_world_contacts(b.world, b.sim, &count);
    const ff_world_shape *shapes = ff_world_shapes(b.world, &nshape);
    CHECK_INT(nshape, BALLS);
    for (int i = 0; i < count; i++) {
        const ff_world_contact *c = &contacts[i];
        if (!(c->point.depth > 0.0)) continue;
        const mjContact *t = contact_of(data, shapes[c->shape1].geom, shapes[c->shape2].geom);
        const ff_contact_pair *law = ff_world_law(b.world, c->shape1, c->shape2);
        CHECK(t && law);
        CHECK_NEAR(c->point.depth, -t->dist, 1e-12);
        CHECK_NEAR(law->friction.mu_static, t->friction[0], 1e-15);
        CHECK_NEAR(law->friction.torsion, t->dim >= 4 ? t->friction[2] : 0.0, 1e-15);
        CHECK_NEAR(law->friction.rolling, t->dim >= 6 ? t->friction[3] : 0.0, 1e-15);
        touching++;
    }
    CHECK_INT(touching, data->ncon);
    CHECK(touching > 20);
    close_bench(&b);
    mj_deleteData(data);
    mj_deleteModel(theirs);
}

/// Two neighbours in the tree of one robot, also excluded, without self-collision.
#define NEIGHBOURS(pairs)                                                                                              \
    "<mujoco><option gravity='0 0 0'/><worldbody><body name='one'><freejoint/><geom name='a' size='.1' mass='2'/>"     \
    "<body name='two' pos='.19 0 0'><joint type='slide' axis='1 0 0'/><geom name='b' size='.1' mass='2'/></body>"      \
    "</body></worldbody><contact><exclude body1='one' body2='two'/>" pairs "</contact></mujoco>"

// Two balls that overlap, without gravity, are driven apart where a pair names them. The friction is that of the pair:
// the balls have none of their own.
TEST(a_pair_goes_before_exclude_neighbourhood_and_self_collision)
{
    const char *apart = NEIGHBOURS(""),
               *pair = NEIGHBOURS("<pair geom1='b' geom2='a' solref='-900 -20' friction='.3'/>");
    bench b = open_bench(apart, NULL);
    CHECK(!ff_world_law(b.world, 0, 1));
    close_bench(&b);
    b = open_bench(pair, NULL);
    const ff_contact_pair *law = ff_world_law(b.world, 0, 1);
    CHECK(law != NULL);
    CHECK_NEAR(law->friction.mu_static, 0.3, 0.0);
    must_run(b.sim, 0.1);
    CHECK(ff_sim_q(b.sim)[7] > 1e-3);
    close_bench(&b);
    ff_world_options o = ff_world_options_default();
    o.mjcf = false; // they still meet, with the standard material
    b = open_bench(pair, &o);
    CHECK_NEAR(ff_world_law(b.world, 0, 1)->friction.mu_static, o.standard.friction.mu_static, 0.0);
    close_bench(&b);
}

// With a pair only with the plane no broad phase is needed, and the hardness is that of the pair: depth m g / k with
// MuJoCo's k.
TEST(a_pair_with_the_ground_has_its_own_hardness)
{
    const char *xml = "<mujoco><worldbody><geom name='f' type='plane' size='5 5 .1' conaffinity='0' contype='0'/>"
                      "<body pos='0 0 .099'><freejoint/><geom name='b' size='.1' mass='2' contype='0' conaffinity='0'/>"
                      "</body></worldbody><contact><pair geom1='f' geom2='b' solref='-4000 -100' solimp='.6 .6 .001'/>"
                      "</contact></mujoco>";
    mjModel *theirs = mujoco_of_text(xml);
    mjData *data = mj_makeData(theirs);
    for (int k = 0; k < 2000; k++) mj_step(theirs, data);
    const double depth = 0.1 - data->qpos[2];
    ff_model *ours = model_of(xml);
    CHECK_NEAR(sunk(ours, NULL), depth, 1e-3 * depth);
    ff_model_destroy(ours);
    mj_deleteData(data);
    mj_deleteModel(theirs);
}
