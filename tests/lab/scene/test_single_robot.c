// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot file alone becomes a scene: it falls, stands or floats, from a start that makes sense, and what is wrong is
// reported for the user's file.
#include "check.h"
#include "support/folder.h"

#include <footfall/run.h>
#include <math.h>

#define ROBOT FF_SOURCE_DIR "/robots/anton/anton.yaml"

/// How far the centre of mass rises within 0.1 s  [m]
static double rise(ff_single_robot how)
{
    ff_report report = {0};
    ff_error err = {0};
    double before[3], after[3];
    const ff_scene_spec *scene = ff_scene_of_robot(ROBOT, how, NULL, NULL, 0, &report);
    ff_run *run = scene ? ff_run_create(scene, NULL, &report) : NULL;
    if (!run) CHECK_FAIL("%s", report.messages[0].text);
    ff_sim *sim = ff_run_sim(run);
    CHECK_INT(ff_sim_evaluate(sim, FF_SIM_POSITION, &err), FF_OK);
    ff_dyn_com(scene->model, ff_sim_data(sim), before);
    CHECK_INT(ff_sim_run(sim, 0.1, &err), FF_OK);
    CHECK_INT(ff_sim_evaluate(sim, FF_SIM_POSITION, &err), FF_OK);
    ff_dyn_com(scene->model, ff_sim_data(sim), after);
    ff_run_destroy(run);
    ff_scene_destroy(scene);
    ff_report_clear(&report);
    return after[2] - before[2];
}

TEST(a_robot_alone_falls_stands_or_floats)
{
    CHECK_NEAR(rise(FF_SINGLE_FREE), -0.5 * 9.81 * 0.1 * 0.1, 1e-9); // [m] nothing but gravity acts from outside
    CHECK_NEAR(rise(FF_SINGLE_STANDING), 0.0, 1e-3);                 // [m] within the depth of soft feet
    CHECK_NEAR(rise(FF_SINGLE_WEIGHTLESS), 0.0, 1e-9);
}

/// The first error of a scene that must not come about, with its file and line.
static ff_message refused(const char *path, const char *override, ff_report *report)
{
    CHECK(!ff_scene_of_robot(path, FF_SINGLE_FREE, NULL, &override, override ? 1 : 0, report));
    for (int i = 0; i < report->count; i++)
        if (report->messages[i].severity == FF_ERROR) return report->messages[i];
    CHECK_FAIL("no error is reported");
    return report->messages[0];
}

TEST(errors_have_places_that_the_user_has_written)
{
    ff_report report = {0};
    const ff_message in_set = refused(ROBOT, "solver.method=magic", &report);
    CHECK_SAYS(in_set.file, "--set");
    ff_report_clear(&report);

    static const char bad[] = "footfall: 1\nbodies:\n  a: {mass: heavy}\n";
    write_to(in_folder("bad.yaml"), bad, strlen(bad));
    const ff_message in_file = refused(in_folder("bad.yaml"), NULL, &report);
    CHECK_SAYS(in_file.file, "bad.yaml");
    CHECK_INT(in_file.line, 3);
    ff_report_clear(&report);

    static const char still[] = "footfall: 1\nbodies: {a: {inertial: {mass: 1, sphere: 0.1}}}\n";
    write_to(in_folder("it's still.yaml"), still, strlen(still)); // a quote in its name
    const ff_message no_joint = refused(in_folder("it's still.yaml"), NULL, &report);
    CHECK_SAYS(no_joint.text, "there is no joint");
    CHECK_INT(no_joint.line, 0);
    ff_report_clear(&report);
}

TEST(a_name_may_hold_a_quote)
{
    ff_report report = {0};
    static const char text[] =
        "footfall: 1\nbodies: {a: {joint: {name: j, type: free}, inertial: {mass: 1, sphere: 0.1}}}\n";
    write_to(in_folder("it's.yaml"), text, strlen(text));
    for (int how = FF_SINGLE_FREE; how <= FF_SINGLE_WEIGHTLESS; how++) {
        const ff_scene_spec *scene =
            ff_scene_of_robot(in_folder("it's.yaml"), (ff_single_robot)how, NULL, NULL, 0, &report);
        if (!scene) CHECK_FAIL("%s", report.messages[0].text);
        ff_scene_destroy(scene);
    }
    ff_report_clear(&report);
}

// ------------------------------------------------------------------------------------------ start

/// Trunk with two legs that end 0.32 m below its origin at zero, over a floor at z = 0.
#define WALKER(height, range, keys)                                                                                    \
    "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>"                                                            \
    "<body name='trunk' pos='0 0 " height "'><freejoint/><geom type='box' size='.2 .1 .05'/>"                          \
    "<body pos='.2 0 0'><joint name='hip' axis='0 1 0' range='" range "'/>"                                            \
    "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02'/></body>"                                                  \
    "<body pos='-.2 0 0'><joint name='tail' axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02'/>"    \
    "</body></body></worldbody>" keys "</mujoco>"

static ff_report single_report;
static const ff_scene_spec *single;

static const ff_scene_spec *single_of(const char *name, const char *text, const char *override)
{
    ff_scene_destroy(single);
    ff_report_clear(&single_report);
    write_to(in_folder(name), text, strlen(text));
    single = ff_scene_of_robot(in_folder(name), FF_SINGLE_FREE, NULL, &override, override ? 1 : 0, &single_report);
    if (!single) CHECK_FAIL("%s: %s", name, single_report.count ? single_report.messages[0].text : "nothing is said");
    return single;
}

/// Does a note say so?
static bool notes(const char *words)
{
    for (int i = 0; i < single_report.count; i++)
        if (single_report.messages[i].severity == FF_NOTE && strstr(single_report.messages[i].text, words)) return true;
    return false;
}

TEST(a_robot_alone_starts_in_its_keyframe)
{
    static const char keys[] =
        WALKER("0.32", "-90 90",
               "<keyframe><key name='low' qpos='0 0 .4 1 0 0 0 .5 .6'/>"
               "<key name='home' qpos='0 0 .41 1 0 0 0 .1 .2' qvel='0 0 0 0 0 0 1 2'/></keyframe>");
    static const char first[] =
        WALKER("0.32", "-90 90", "<keyframe><key name='low' qpos='0 0 .4 1 0 0 0 .5 .6'/></keyframe>");
    single_of("keys.xml", keys, NULL);
    CHECK(notes("keyframe \"home\""));
    CHECK_NEAR(single->q[2], 0.41, 0);
    CHECK_NEAR(single->q[7], 0.1, 0);
    CHECK_NEAR(single->v[7], 2.0, 0);
    single_of("first.xml", first, NULL);
    CHECK_NEAR(single->q[7], 0.5, 0);
    single_of("keys.xml", keys, "start.pose=low"); // the user knows better
    CHECK_NEAR(single->q[7], 0.5, 0);
    CHECK(!notes("keyframe"));
    single_of("keys.xml", keys, "start.joints.hip=0.3"); // over the keyframe
    CHECK_NEAR(single->q[7], 0.3, 0);
    CHECK_NEAR(single->q[8], 0.2, 0);
}

TEST(joints_of_a_robot_alone_start_within_their_limits)
{
    single_of("bent.xml", WALKER("0.6", "20 90", ""), NULL);
    CHECK(notes("1 joint starts at the limit that zero is beyond: \"hip\" at 0.3491 rad"));
    CHECK_NEAR(single->q[7], 20.0 * FF_PI / 180.0, 1e-15); // [rad]
    CHECK_NEAR(single->q[8], 0.0, 0);
    static const char key[] =
        WALKER("0.6", "20 90", "<keyframe><key qpos='0 0 .6 1 0 0 0 0 .6' qvel='0 0 0 0 0 0 1 2'/></keyframe>");
    single_of("key.xml", key, NULL);
    CHECK_NEAR(single->q[7], 20.0 * FF_PI / 180.0, 1e-15); // [rad]
    CHECK_NEAR(single->q[8], 0.6, 0);
    CHECK_NEAR(single->v[6], 1.0, 0);
}

TEST(a_robot_alone_starts_on_the_ground_where_there_is_one)
{
    single_of("deep.xml", WALKER("0.303", "-90 90", ""), NULL);
    CHECK(notes("\"trunk\" starts 0.017 m higher"));
    CHECK_NEAR(single->q[2], 0.32, 2e-6); // [m] counts as touching
    single_of("far.xml", WALKER("5", "-90 90", ""), NULL);
    CHECK(notes("\"trunk\" starts on the ground, 4.68 m lower"));
    CHECK_NEAR(single->q[2], 0.32, 2e-6);
    single_of("near.xml", WALKER("0.5", "-90 90", ""), NULL); // meant to fall
    CHECK_NEAR(single->q[2], 0.5, 0);
    CHECK(!notes("starts"));
    // a body without joints is no robot: dropping it is what the file is about
    single_of("ball.xml",
              "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 9'><freejoint/>"
              "<geom type='sphere' size='.1'/></body></worldbody></mujoco>",
              NULL);
    CHECK_NEAR(single->q[2], 9.0, 0);
    // on a box rather than through it, however it is turned
    single_of(
        "box.xml",
        "<mujoco><worldbody><geom type='box' size='1 1 .25' pos='0 0 -.25' euler='0 0 30'/>"
        "<body pos='0 0 9'><freejoint/><geom type='sphere' size='.1'/><body><joint/><geom type='sphere' size='.1'/>"
        "</body></body></worldbody></mujoco>",
        NULL);
    CHECK_NEAR(single->q[2], 0.1, 2e-6);
}

TEST(nothing_is_said_of_legs_that_set_drops)
{
    single_of("walker.xml", WALKER("0.32", "-90 90", ""), NULL);
    CHECK(notes("legs found"));
    single_of("walker.xml", WALKER("0.32", "-90 90", ""), "robot.legs=false");
    CHECK(!notes("legs found"));
    CHECK_INT(single->model->nleg, 0);
    CHECK(!notes("no ground"));
    single_of("walker.xml", WALKER("0.32", "-90 90", ""), "robot={file: walker.xml, legs: false}");
    CHECK(!notes("legs found"));
    CHECK_INT(single->model->nleg, 0);
    single_of("walker.xml", WALKER("0.32", "-90 90", ""), "robot={file: walker.xml, legs: true}");
    CHECK(notes("legs found"));
}

// The tip of a rod of 0.5 m is held to a mocap body, which the keyframe has a quarter turn on.
TEST(a_loop_to_a_mocap_body_closes_however_far_the_keyframe_has_it)
{
#define HELD(mpos)                                                                                                     \
    "<mujoco><worldbody><body name='hand' mocap='true' pos='.5 0 0'/><body name='rod'><joint axis='0 -1 0'/>"          \
    "<geom type='capsule' fromto='0 0 0 .5 0 0' size='.02'/></body></worldbody>"                                       \
    "<equality><connect name='grip' body1='rod' body2='hand' anchor='.5 0 0'/></equality>"                             \
    "<keyframe><key name='up' qpos='.1' mpos='" mpos "'/></keyframe></mujoco>"
    single_of("held.xml", HELD("0 0 .5"), NULL);
    CHECK(single && notes("loop 'grip' is open by"));
    CHECK_NEAR(single->q[0], 0.5 * FF_PI, 1e-9);
    ff_report found = {0};
    write_to(in_folder("held.xml"), HELD("0 0 .6"), strlen(HELD("0 0 .6")));
    CHECK(!ff_scene_of_robot(in_folder("held.xml"), FF_SINGLE_FREE, NULL, NULL, 0, &found));
    CHECK_SAYS(found.messages[found.count - 1].text, "put the mocap body that it holds within reach");
    ff_report_clear(&found);
#undef HELD
}

TEST(a_robot_alone_starts_on_the_ground_that_set_adds)
{
    // the walker without its floor
    static const char text[] =
        "<mujoco><worldbody><body name='trunk'><freejoint/><geom type='box' size='.2 .1 .05'/>"
        "<body pos='.2 0 0'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02'/></body>"
        "</body></worldbody></mujoco>";
    single_of("air.xml", text, NULL);
    CHECK_NEAR(single->q[2], 0.0, 0);
    CHECK(notes("there is no ground, \"trunk\" falls; --set 'terrain=[{plane: {}}]'"));
    single_of("space.xml", text, "gravity=[0, 0, 0]");
    CHECK(!notes("no ground"));
    single_of("plane.xml", text, "terrain=[{plane: {}}]");
    CHECK(notes("\"trunk\" starts 0.32 m higher"));
    CHECK(!notes("no ground"));
    CHECK_NEAR(single->q[2], 0.32, 2e-6); // [m] counts as touching
    single_of("field.xml", text, "terrain=[{heightfield: {size: [4, 4], height: 0.4, slope: {}, pos: [0, 0, 0.1]}}]");
    CHECK(single->q[2] > 0.6 && single->q[2] < 0.9); // the middle of the slope is at 0.3 m, its leg at 0.32 m
    single_of("own.xml", text, "start.q=[0, 0, 1, 1, 0, 0, 0, 0]");
    CHECK_NEAR(single->q[2], 1.0, 0);
}

TEST(actuators_of_a_robot_alone_are_off_and_a_note_says_so)
{
    static const char text[] = "<mujoco><worldbody><body><joint name='knee' axis='0 1 0'/><geom type='capsule' "
                               "fromto='0 0 0 0 0 -.3' size='.02'/></body></worldbody>"
                               "<actuator><position joint='knee' kp='10'/></actuator></mujoco>";
    single_of("servo.xml", text, NULL);
    CHECK(notes("its 1 actuator is off, as nothing commands it; --set effects.drives=ideal lets it act"));
    single_of("driven.xml", text, "effects.drives=ideal");
    CHECK(!notes("actuator"));
}

// ------------------------------------------------------------------------------------------ what must not diverge

/// Runs the scene for a while. @return the largest of |q| and |v| at the end
static double run_for(const ff_scene_spec *scene, double time, ff_sim_counts *counts)
{
    ff_error err = {0};
    double largest = 0.0;
    ff_run_options options = ff_run_options_default(scene);
    options.time = time;
    ff_run *run = ff_run_create(scene, &options, &single_report);
    if (!run) CHECK_FAIL("%s: %s", scene->path, single_report.messages[0].text);
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s: %s", scene->path, err.text);
    for (int i = 0; i < scene->model->nq; i++) largest = ff_max(largest, fabs(ff_sim_q(ff_run_sim(run))[i]));
    for (int i = 0; i < scene->model->nv; i++) largest = ff_max(largest, fabs(ff_sim_v(ff_run_sim(run))[i]));
    if (counts) *counts = ff_sim_get_counts(ff_run_sim(run));
    ff_run_destroy(run);
    return largest;
}

static double run_single(const char *name, const char *text)
{
    single_of(name, text, NULL);
    return run_for(single, 1.0, NULL);
}

#define SOLID     "<inertial><origin xyz='0 0 -.25'/><mass value='1'/>" TENSOR("2e-2") "</inertial>"
#define TENSOR(i) "<inertia ixx='" i "' iyy='" i "' izz='" i "' ixy='0' ixz='0' iyz='0'/>"

TEST(robots_of_the_world_run_by_default)
{
    // Limits as CAD exporters write them: the pendulum swings. It falls from 1 rad within a second and cannot gain more
    // speed than its height allows: sqrt(4 g l / l^2) of a point at the end of both.
    const double swing = run_single(
        "zero.urdf", "<robot name='r'><link name='o'/><link name='a'>" SOLID "</link><link name='b'>" SOLID
                     "</link><joint name='j' type='revolute'><parent link='o'/><child link='a'/>"
                     "<origin rpy='1 0 0'/><axis xyz='1 0 0'/><limit lower='0' upper='0' effort='0' velocity='0'/>"
                     "</joint><joint name='k' type='revolute'><parent link='a'/><child link='b'/>"
                     "<origin xyz='0 0 -.5'/><axis xyz='1 0 0'/><limit lower='0' upper='0'/></joint></robot>");
    CHECK(swing > 1.0 && swing < 10.0);
    // Dry friction of 50 N m and dampers of 200 N m s/rad on links of half a kilogram: it stands still.
    const double still = run_single(
        "friction.xml", "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0' frictionloss='50' damping='200'/>"
                        "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.02'/><body pos='.3 0 0'>"
                        "<joint axis='0 1 0' frictionloss='20' damping='50' armature='1e-5'/>"
                        "<geom type='capsule' fromto='0 0 0 .3 0 0' size='.02'/><body pos='.3 0 0'>"
                        "<joint axis='0 0 1' frictionloss='100' stiffness='1e6'/><geom type='sphere' size='.01'/>"
                        "</body></body></body></worldbody></mujoco>");
    CHECK(still < 0.01); // [rad, rad/s] creep below the dry speed
    // A finger of 10 mg on a gripper of a gram on an arm of a kilogram, all with stops, damping and dry friction.
    const double finger = run_single(
        "finger.urdf",
        "<robot name='r'><link name='o'/><link name='a'>" SOLID "</link>"
        "<link name='b'><inertial><mass value='1e-3'/>" TENSOR(
            "1e-9") "</inertial></link>"
                    "<link name='c'><inertial><mass value='1e-5'/>" TENSOR(
                        "1e-12") "</inertial></link>"
                                 "<joint name='j' type='revolute'><parent link='o'/><child link='a'/><origin "
                                 "rpy='1 0 0'/>"
                                 "<axis xyz='1 0 0'/><limit lower='-1' upper='1'/><dynamics damping='.1' "
                                 "friction='.5'/></joint>"
                                 "<joint name='k' type='prismatic'><parent link='a'/><child link='b'/><origin "
                                 "xyz='0 0 -.4'/>"
                                 "<limit lower='0' upper='.04'/><dynamics damping='10' friction='.5'/></joint>"
                                 "<joint name='l' type='revolute'><parent link='b'/><child link='c'/>"
                                 "<limit lower='-.1' upper='.1'/><dynamics damping='.7' "
                                 "friction='.2'/></joint></robot>");
    CHECK(finger < 10.0);
}

/// A scene in a folder of the sources.
static const ff_scene_spec *scene_of(const char *text)
{
    ff_scene_destroy(single);
    ff_report_clear(&single_report);
    single = ff_scene_parse(text, strlen(text), FF_SOURCE_DIR "/tests/lab/scene/s.yaml", NULL, 0, &single_report);
    if (!single) CHECK_FAIL("%s", single_report.messages[0].text);
    return single;
}

/// A metric of the single robot after some time; NaN: there is none.
static double single_metric(const char *name, double time)
{
    ff_error err = {0};
    double value = NAN;
    ff_run_options options = ff_run_options_default(single);
    options.time = time;
    ff_run *run = ff_run_create(single, &options, &single_report);
    if (!run) CHECK_FAIL("%s", single_report.messages[0].text);
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    ff_run_metric(run, name, &value);
    ff_run_destroy(run);
    return value;
}

// Two stiff legs under a box carry all of its weight: what the feet measure is m g.
TEST(legs_of_a_robot_file_alone_are_found_and_measured)
{
#define LEG(side, y)                                                                                                   \
    "<body name='" side "_leg' pos='0 " y " 0'><joint name='" side                                                     \
    "_hip' axis='0 1 0' stiffness='1e4' damping='100'/>"                                                               \
    "<geom type='box' size='0.2 0.05 0.2' pos='0 0 -0.3'/></body>"
    static const char walker[] =
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='trunk' pos='0 0 0.5'><freejoint/>"
        "<geom type='box' size='0.1 0.1 0.1'/>" LEG("left", "0.2") LEG("right", "-0.2") "</body></worldbody></mujoco>";
    single_of("walker.xml", walker, NULL);
    CHECK_INT(single->model->nleg, 2);
    CHECK_NEAR(single_metric("walk.force.sum", 1.0), 1.0, 1e-2); // of the weight; the first touch swings
    CHECK_NEAR(single_metric("walk.left.force.mean", 1.0), 0.5 * 9.81 * single->model->mass,
               0.01 * 9.81 * single->model->mass);
    CHECK_NEAR(single_metric("walk.falls", 1.0), 0.0, 0.0);
    single_of("walker.xml", walker, "robot.legs=false");
    CHECK_INT(single->model->nleg, 0);
    CHECK(isnan(single_metric("walk.force.sum", 0.1)));
#undef LEG
}

TEST(a_missing_pose_is_named_with_those_that_exist)
{
    ff_report found = {0};
    static const char text[] = "<mujoco><worldbody><body><joint name='hip' axis='0 1 0'/><geom size='0.1'/></body>"
                               "</worldbody><keyframe><key name='sit' qpos='1'/><key name='home' qpos='0'/></keyframe>"
                               "</mujoco>";
    write_to(in_folder("poses.xml"), text, strlen(text));
    CHECK_SAYS(refused(in_folder("poses.xml"), "start.pose=stand", &found).text,
               "no pose 'stand'; it has 'sit', 'home'");
    ff_report_clear(&found);
}

// In steps of microseconds Newton's iteration may end before speeds are right, since they hardly move anything. What
// was left of them looked like an error of the step, which shrank to 1e-155 s.
TEST(touch_downs_of_light_links_do_not_make_steps_shrink_for_ever)
{
    ff_sim_counts counts;
    const ff_scene_spec *scene = scene_of("footfall: 1\nrobot: robots/uneven.xml\n");
    CHECK(run_for(scene, 1.0, &counts) < 100.0); // [m, rad, m/s, rad/s] it has fallen by 0.7 m
    CHECK(counts.shortest_step >= 1e-9);         // [s]
    if (counts.steps > 10000) CHECK_FAIL("%lld steps", counts.steps);
}

// Chains of thirty links of 1 g that rattle between stops of 1000 N m/rad and 10 N m s/rad, which halt them within
// fractions of a microsecond: what the joints lose is what there was. An
// evaluation takes some 6 us. It once booked 178 J for 0.09 J. Each link that meets a stop sets off its neighbours, and
// error control follows what they do within microseconds: 600 000 evaluations for a second.
TEST(light_links_that_rattle_in_their_stops_keep_their_energy)
{
    static const int chains[] = {1, 5};
    for (int c = 0; c < 2; c++) {
        static char text[16000];
        size_t n = (size_t)snprintf(text, sizeof text, "footfall: 1\nbodies:\n");
        for (int i = 0; i < 30; i++) {
            const bool root = i % (30 / chains[c]) == 0;
            n +=
                (size_t)snprintf(text + n, sizeof text - n,
                                 "  l%d: {%s%.*d%s pos: [%g, %g, 0], joint: {name: j%d, axis: y, range: [-0.1, 0.1]},\n"
                                 "    inertial: {mass: 0.001, sphere: 0.01, pos: [0.015, 0, 0]}}\n",
                                 i, root ? "" : "parent: l", root ? 0 : 1, root ? 0 : i - 1, root ? "" : ",",
                                 root ? 0.0 : 0.03, root ? 0.02 * i : 0.0, i);
        }
        single_of("chain.yaml", text, NULL);
        ff_error err = {0};
        ff_run_options options = ff_run_options_default(single);
        options.time = 1.0;
        ff_run *run = ff_run_create(single, &options, &single_report);
        if (!run) CHECK_FAIL("%s", single_report.messages[0].text);
        if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
        const ff_ledger ledger = ff_sim_ledger(ff_run_sim(run));
        const ff_sim_counts counts = ff_sim_get_counts(ff_run_sim(run));
        printf("  %d chains: %lld steps, %lld evaluations; lost %.3g J, residual %.2g J\n", chains[c], counts.steps,
               counts.evaluations, ledger.lost_joints, ledger.residual);
        CHECK(ledger.lost_joints > 1e-3);                              // [J] it has fallen onto its stops
        CHECK_BELOW(fabs(ledger.residual), 0.03 * ledger.lost_joints); // steps at stops are of first order
        CHECK_BELOW((double)counts.evaluations, 1e6 * options.time);
        ff_run_destroy(run);
    }
}

/// Evaluations of a run.
static double cost(const char *text, double time)
{
    ff_sim_counts counts;
    run_for(scene_of(text), time, &counts);
    return (double)counts.evaluations;
}

// Evaluations of a humanoid that is pushed over while its controller goes on are 1.34 times those of one that it keeps
// standing, and those of one with free joints 1.15 times, with spreads of 0.01 and 0.04 over five gravities from 9.800
// to 9.808 m/s^2. Twice is what is wanted.
TEST(a_falling_humanoid_costs_at_most_twice_one_that_is_led)
{
#define HUMANOID                                                                                                       \
    "footfall: 1\nrobot: ../../../robots/humanoid/humanoid-walk.yaml\nstart: {pose: crouch}\n"                         \
    "terrain: [{plane: {}}]\nrecord: {rate: 200, channels: [q]}\n"
#define LED HUMANOID "effects: {drives: ideal}\ncontrol: {biped: {speed: 0, hold: 6}}\n"
    static const char *const falling[] = {LED "forces: [{body: pelvis, impulse: [0, 40, 0], from: 0.1, to: 0.2}]\n",
                                          HUMANOID};
    const double time = CHECK_LASTS(2.0, 1.0), stands = cost(LED, time);
    CHECK_NEAR(single_metric("walk.falls", time), 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        const double falls = cost(falling[i], time);
        printf("  %g evaluations of a fall, %.2f of standing\n", falls, falls / stands);
        CHECK_NEAR(single_metric("walk.falls", time), 1.0, 0.0);
        CHECK_BELOW(falls, 2.0 * stands);
    }
}

// One that springs hold at rest takes a step a sample, so that what it costs depends on how often somebody looks: here
// at the rate of a controller, with the least that a step can take, an evaluation a stage. A fall takes 2.3 times as
// many, and 2.1 over 5 s.
TEST(a_falling_humanoid_costs_little_more_than_twice_one_at_rest)
{
#define CROUCH                                                                                                         \
    "footfall: 1\nrobot: ../../../robots/humanoid/humanoid.yaml\nstart: {pose: crouch}\n"                              \
    "terrain: [{plane: {}}]\nrecord: {rate: 1000, channels: [q]}\n"
    static const struct {
        double time, most;
    } cases[] = {{2.0, 2.6}, {5.0, 2.2}};
    for (int i = 0; i < CHECK_LASTS(2, 1); i++) {
        const double stands =
            cost(CROUCH "place: {settle: true}\ncontrol: {hold: {stiffness: 2000, damping: 50}}\n", cases[i].time);
        const double falls = cost(CROUCH, cases[i].time);
        printf("  %g s: %g evaluations of a fall, %.2f of standing\n", cases[i].time, falls, falls / stands);
        CHECK_BELOW(falls, cases[i].most * stands);
    }
    ff_scene_destroy(single);
    single = NULL;
    ff_report_clear(&single_report);
}
