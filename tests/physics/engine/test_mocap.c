// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Bodies that callers move: what is fixed to them moves along, contacts and loops find them in their new place, they
// are saved, restored and reset with the rest, and keyframes know them. What else is asked of them is refused by name.
#include <footfall/footfall.h>

#include "check.h"
#include "support/must_run.h"

#include <math.h>
#include <stdlib.h>

typedef struct stage {
    ff_model *model;
    ff_world *world;
    ff_sim *sim;
} stage;

static stage open_stage(const char *xml)
{
    ff_report report = {0};
    ff_error err = {0};
    ff_spec *spec = ff_spec_create(NULL);
    stage s = {0};
    if (ff_spec_parse(spec, "mjcf", xml, strlen(xml), "m.xml", NULL, &report) == FF_OK)
        s.model = ff_model_compile(spec, NULL, &report);
    if (!s.model) CHECK_FAIL("%s", report.count ? report.messages[0].text : "no model");
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    ff_sim_options o = ff_sim_options_default();
    o.method = FF_METHOD_ADAPTIVE;
    o.ledger = true;
    s.sim = ff_sim_create(s.model, &o, &err);
    s.world = ff_world_create(s.model, NULL, NULL);
    if (ff_sim_add_world(s.sim, s.world, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return s;
}

static void close_stage(stage *s)
{
    ff_sim_destroy(s->sim);
    ff_world_destroy(s->world);
    ff_model_destroy(s->model);
}

#define LIFT                                                                                                           \
    "<mujoco><worldbody><body name='table' mocap='true' pos='0 0 .4'><geom type='box' size='.3 .3 .1'/>"               \
    "<body name='edge' pos='.2 0 .1'><site name='mark' pos='0 .1 0'/></body></body>"                                   \
    "<body name='box' pos='0 0 .6'><freejoint/><geom type='box' size='.1 .1 .1' mass='2' "                             \
    "solref='-500 -3' priority='1'/></body></worldbody>"                                                               \
    "<keyframe><key name='high' mpos='0 0 1.4' qpos='0 0 1.6 1 0 0 0'/></keyframe></mujoco>"

/// Data with the positions of the state.
static const ff_data *placed(const stage *s)
{
    ff_error err = {0};
    CHECK_INT(ff_sim_evaluate(s->sim, FF_SIM_POSITION, &err), FF_OK);
    return ff_sim_data(s->sim);
}

static double sunk(const stage *s, double top)
{
    return top + 0.1 - ff_sim_q(s->sim)[2];
}

TEST(what_stands_on_it_is_lifted)
{
    stage s = open_stage(LIFT);
    const ff_body_id table = ff_sim_find_body(s.sim, "table");
    must_run(s.sim, 0.5);
    const double depth = sunk(&s, 0.5);
    CHECK(depth > 0.0 && depth < 1e-3);
    for (int i = 1; i <= 500; i++) { // 0.1 m/s
        ff_sim_set_mocap(s.sim, table, (double[]){0.0, 0.0, 0.4 + 0.0001 * i}, NULL);
        must_run(s.sim, 0.5 + 0.001 * i);
    }
    must_run(s.sim, 2.0);
    CHECK_NEAR(sunk(&s, 0.55), depth, 1e-6); // as deep as before, 5 cm higher
    const ff_ledger ledger = ff_sim_ledger(s.sim);
    const double work = 2.0 * 9.81 * 0.05;
    CHECK_BELOW(fabs(ledger.residual), 1e-4 * work);
    CHECK_NEAR(ledger.outside - ledger.lost_normal - ledger.lost_friction, work, 0.02 * work); // it came from outside
    ff_sim_set_mocap(s.sim, table, (double[]){5.0, 0.0, 0.4}, NULL);
    must_run(s.sim, 2.1);
    CHECK_NEAR(ff_sim_v(s.sim)[2], -9.81 * 0.1, 0.02); // and falls without it
    close_stage(&s);
}

TEST(what_is_fixed_to_it_moves_along)
{
    stage s = open_stage(LIFT);
    const double quat[4] = {0.0, 0.0, 0.0, 2.0}; // half a turn about z
    double pos[3], turned[4], place[3];
    ff_sim_set_mocap(s.sim, ff_sim_find_body(s.sim, "table"), (double[]){1.0, 2.0, 3.0}, quat);
    const ff_data *d = placed(&s);
    const int edge = ff_model_find_body(s.model, "edge");
    ff_dyn_body_pose(s.model, d, edge, pos, turned);
    CHECK_NEAR(pos[0], 0.8, 1e-15);
    CHECK_NEAR(pos[1], 2.0, 1e-15);
    CHECK_NEAR(pos[2], 3.1, 1e-15);
    CHECK_NEAR(fabs(turned[3]), 1.0, 1e-15);
    ff_dyn_point(s.model, d, edge, (double[]){0.0, 0.1, 0.0}, place);
    CHECK_NEAR(place[1], 1.9, 1e-15);
    close_stage(&s);
}

TEST(it_is_saved_restored_and_reset)
{
    stage s = open_stage(LIFT);
    ff_error err = {0};
    const ff_body_id table = ff_sim_find_body(s.sim, "table");
    double pos[3], quat[4];
    must_run(s.sim, 0.1);
    ff_sim_set_mocap(s.sim, table, (double[]){0.0, 0.0, 0.41}, NULL);
    must_run(s.sim, 0.2);
    const size_t size = ff_sim_save_size(s.sim);
    void *saved = malloc(size);
    CHECK_INT(ff_sim_save(s.sim, saved, size, &err), FF_OK);
    must_run(s.sim, 0.5);
    const double there = ff_sim_q(s.sim)[2];
    ff_sim_set_mocap(s.sim, table, (double[]){9.0, 0.0, 0.4}, NULL);
    must_run(s.sim, 0.6);
    CHECK_INT(ff_sim_restore(s.sim, saved, size, &err), FF_OK);
    must_run(s.sim, 0.5);
    CHECK(ff_sim_q(s.sim)[2] == there); // to the bit
    CHECK_INT(ff_sim_reset(s.sim, NULL, &err), FF_OK);
    ff_dyn_body_pose(s.model, placed(&s), table.index, pos, quat);
    CHECK_NEAR(pos[2], 0.4, 0.0);
    CHECK_INT(ff_sim_reset(s.sim, "high", &err), FF_OK);
    ff_dyn_body_pose(s.model, placed(&s), table.index, pos, quat);
    CHECK_NEAR(pos[2], 1.4, 1e-15);
    must_run(s.sim, 0.3);
    CHECK_NEAR(ff_sim_q(s.sim)[2], 1.6, 1e-3); // it stands on the table of the keyframe
    free(saved);
    close_stage(&s);
}

// A point of a pendulum is held to a moved body and follows it in small steps.
TEST(loops_follow)
{
    stage s = open_stage("<mujoco><worldbody><body name='hand' mocap='true' pos='1 0 1'/>"
                         "<body pos='0 0 1'><joint name='a' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .5 0 0' "
                         "size='.02'/><body name='fore' pos='.5 0 0'><joint name='b' axis='0 1 0'/>"
                         "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.02'/></body></body></worldbody>"
                         "<equality><connect body1='fore' body2='hand' anchor='.5 0 0'/></equality></mujoco>");
    const int fore = ff_model_find_body(s.model, "fore");
    for (int i = 1; i <= 300; i++) {
        ff_sim_set_mocap(s.sim, ff_sim_find_body(s.sim, "hand"), (double[]){1.0 - 0.001 * i, 0.0, 1.0 - 0.0005 * i},
                         NULL);
        must_run(s.sim, 0.001 * i);
    }
    double tip[3];
    ff_dyn_point(s.model, placed(&s), fore, (double[]){0.5, 0.0, 0.0}, tip);
    CHECK_NEAR(tip[0], 0.7, 1e-8);
    CHECK_NEAR(tip[2], 0.85, 1e-8);
    close_stage(&s);
}

/// Two rods of 0.5 m from (0, 0, 1) on, whose tip is held to `hand` at (1, 0, 1) at rest, with a keyframe that has the
/// hand elsewhere, and a free ball held to the world, which the keyframe `torn` has elsewhere, too.
#define REACH                                                                                                          \
    "<mujoco><worldbody><body name='hand' mocap='true' pos='1 0 1'/>"                                                  \
    "<body pos='0 0 1'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.02'/>"                   \
    "<body name='fore' pos='.5 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 .5 0 0' size='.02'/>"      \
    "</body></body><body name='ball' pos='3 0 0'><freejoint/><geom size='.1'/></body></worldbody>"                     \
    "<equality><connect body1='fore' body2='hand' anchor='.5 0 0'/><connect name='pin' body1='ball' anchor='0 0 0'/>"  \
    "</equality><keyframe><key name='away' qpos='.3 .4 3 0 0 1 0 0 0' mpos='.4 0 .5'/>"                                \
    "<key name='torn' qpos='.3 .4 3.5 0 0 1 0 0 0' mpos='.4 0 .5'/>"                                                   \
    "<key name='far' qpos='.3 .4 3 0 0 1 0 0 0' mpos='4 0 .5'/></keyframe></mujoco>"

// In MuJoCo a loop pulls to the place of the body over time; here it is closed from the start. A gap of any other loop
// is a mistake, and so is a place out of reach.
TEST(a_keyframe_may_have_it_away_from_what_it_holds)
{
    stage s = open_stage(REACH);
    ff_error err = {0};
    double tip[3];
    CHECK_INT(ff_sim_reset(s.sim, "away", &err), FF_OK);
    must_run(s.sim, 0.1);
    ff_dyn_point(s.model, placed(&s), ff_model_find_body(s.model, "fore"), (double[]){0.5, 0.0, 0.0}, tip);
    CHECK_NEAR(tip[0], 0.4, 1e-8);
    CHECK_NEAR(tip[2], 0.5, 1e-8);
    CHECK_INT(ff_sim_reset(s.sim, "torn", &err), FF_OK);
    CHECK(ff_sim_run(s.sim, 0.1, &err) != FF_OK);
    CHECK_SAYS(err.text, "loop \"pin\" is open by 0.5 m");
    CHECK_INT(ff_sim_reset(s.sim, "far", &err), FF_OK);
    CHECK(ff_sim_run(s.sim, 0.1, &err) != FF_OK);
    CHECK_SAYS(err.text, "cannot close");
    close_stage(&s);
}

// A rod of mass m and length L at a hinge about y, below a body that is turned by a about x and shifted: gravity's
// moment about the hinge is m g L/2 cos a, and the rod falls with 3/2 g/L cos a.
TEST(joints_on_it_move_along)
{
    stage s = open_stage("<mujoco><worldbody><body name='hand' mocap='true' pos='0 0 .5'><body pos='0 0 .1'>"
                         "<body name='rod' pos='0 .2 0'><joint axis='0 1 0'/><inertial pos='.3 0 0' mass='2' "
                         "diaginertia='1e-9 .06 .06'/></body></body></body></worldbody></mujoco>");
    const double a = 0.7, mass = 2.0, length = 0.6, g = 9.81;
    const double at[3] = {1.0, 2.0, 3.0}, quat[4] = {cos(0.5 * a), sin(0.5 * a), 0.0, 0.0}, rest[1] = {0.0};
    double tip[3], torque[1];
    ff_error err = {0};
    ff_sim_set_mocap(s.sim, ff_sim_find_body(s.sim, "hand"), at, quat);
    CHECK_INT(ff_sim_evaluate(s.sim, FF_SIM_ACCELERATION, &err), FF_OK);
    const ff_data *d = ff_sim_data(s.sim);
    CHECK_NEAR(d->qacc[0], 1.5 * g / length * cos(a), 1e-12);
    ff_dyn_point(s.model, d, ff_model_find_body(s.model, "rod"), (double[]){length, 0.0, 0.0}, tip);
    CHECK_NEAR(tip[0], at[0] + length, 1e-14);
    CHECK_NEAR(tip[1], at[1] + 0.2 * cos(a) - 0.1 * sin(a), 1e-14);
    CHECK_NEAR(tip[2], at[2] + 0.2 * sin(a) + 0.1 * cos(a), 1e-14);
    ff_dyn_inverse(s.model, (ff_data *)d, rest, rest, NULL, torque); // what holds it
    CHECK_NEAR(torque[0], -mass * g * 0.5 * length * cos(a), 1e-12);
    const double turned[4] = {sqrt(0.5), sqrt(0.5), 0.0, 0.0}; // the axis is upright: it stays where it is
    ff_sim_set_mocap(s.sim, ff_sim_find_body(s.sim, "hand"), NULL, turned);
    must_run(s.sim, 0.2);
    CHECK_NEAR(ff_sim_q(s.sim)[0], 0.0, 1e-12);
    CHECK_BELOW(fabs(ff_sim_ledger(s.sim).residual), 1e-9);
    close_stage(&s);
}

static void must_report(const char *body, const double *pos, const double *quat, const char *says)
{
    stage s = open_stage(LIFT);
    ff_error err = {0};
    ff_sim_set_mocap(s.sim, ff_sim_find_body(s.sim, body), pos, quat);
    CHECK(ff_sim_run(s.sim, 0.01, &err) != FF_OK);
    CHECK_SAYS(err.text, says);
    close_stage(&s);
}

TEST(mistakes_are_named)
{
    must_report("box", NULL, NULL, "'box'");
    must_report("box", NULL, NULL, "no mocap body");
    must_report("edge", NULL, NULL, "no mocap body");
    must_report("table", (double[]){NAN, 0.0, 0.0}, NULL, "position must be finite");
    must_report("table", NULL, (double[]){0.0, 0.0, 0.0, 0.0}, "not zero");
    must_report("tabel", NULL, NULL, "table");
    static const char *const files[][2] = {
        {"<mujoco><worldbody><body mocap='true'><joint/><geom size='1'/></body></worldbody></mujoco>",
         "without joints"},
        {"<mujoco><worldbody><body><body mocap='true'/></body></worldbody></mujoco>", "stand on the world"}};
    for (int i = 0; i < 2; i++) {
        ff_report report = {0};
        ff_spec *spec = ff_spec_create(NULL);
        CHECK_INT(ff_spec_parse(spec, "mjcf", files[i][0], strlen(files[i][0]), "m.xml", NULL, &report), FF_OK);
        CHECK(!ff_model_compile(spec, NULL, &report));
        CHECK_SAYS(report.messages[0].text, files[i][1]);
        ff_report_clear(&report);
        ff_spec_destroy(spec);
    }
}
