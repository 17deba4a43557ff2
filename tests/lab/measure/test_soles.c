// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Feet of several bodies and shapes, and hands, by statics: forces and moments of the feet carry the robot, the centre
// of pressure follows the lever rule, standing on toes or leaning on a hand is no fall, falling is one.
#include "scene/scene_helpers.h"

/// One leg of the biped, from hip to toe: the sole has a patch under heel and ball, the toe one of its own. With `FOOT`
/// as the description of the foot.
#define LEG(side, y)                                                                                                   \
    "      " side "_leg:\n        pos: [0, " y ", 0]\n        joint: {name: " side "_hip, axis: y}\n"                  \
    "        inertial: {mass: 1, rod: {to: [0, 0, -0.3], radius: 0.02}}\n        bodies:\n          " side "_sole:\n"  \
    "            pos: [0, 0, -0.3]\n            joint: {name: " side "_ankle, axis: y}\n"                              \
    "            inertial: {mass: 0.3, box: [0.12, 0.06, 0.02]}\n            frames: {" side "_foot: {}}\n"            \
    "            shapes: [{box: [0.05, 0.06, 0.02], pos: [-0.03, 0, -0.03]}, {box: [0.05, 0.06, 0.02], pos: "          \
    "[0.02, 0, -0.03]}]\n"                                                                                             \
    "            bodies:\n              " side "_toe:\n                pos: [0.06, 0, -0.03]\n"                        \
    "                joint: {name: " side "_toe, axis: y}\n                inertial: {mass: 0.1, box: [0.08, "         \
    "0.06, 0.02], pos: [0.04, 0, 0]}\n"                                                                                \
    "                shapes: [{box: [0.08, 0.06, 0.02], pos: [0.04, 0, 0]}]\n"

/// Its mass lies over the roots of the toes, nearer to the left foot.
#define BIPED                                                                                                          \
    "footfall: 1\nbodies:\n  trunk:\n    joint: {name: base, type: free}\n"                                            \
    "    inertial: {mass: 10, box: [0.1, 0.2, 0.1], pos: [0.085, 0.02, 0.05]}\n"                                       \
    "    shapes: [{box: [0.1, 0.2, 0.1], pos: [0.085, 0, 0.05]}]\n    bodies:\n" LEG("l", "0.1") LEG("r", "-0.1")

#define WITH_TOES                                                                                                      \
    "legs:\n  L: {joints: [l_hip, l_ankle], foot: {frame: l_foot, bodies: [l_sole, l_toe]}}\n"                         \
    "  R: {joints: [r_hip, r_ankle], foot: {frame: r_foot, bodies: [r_sole, r_toe]}}\n"
#define WITHOUT_TOES                                                                                                   \
    "legs:\n  L: {joints: [l_hip, l_ankle], foot: l_foot}\n  R: {joints: [r_hip, r_ankle], foot: r_foot}\n"

#define SCENE(height, joints, more)                                                                                    \
    "robot: biped.yaml\nplace: {pos: [0, 0, " height "]}\nstart: {joints: {" joints "}}\n"                             \
    "materials: {mat: {like: lab-floor, normal: {law: kelvin-voigt, stiffness: 4e5, damping: 4000}}}\n"                \
    "terrain: [{plane: {material: mat}}]\ncontrol: {hold: {stiffness: 2000, damping: 40}}\n"                           \
    "solver: {method: implicit, step: 1 ms}\n" more

static const double WEIGHT = 12.8 * 9.81; // 10 kg and two legs of 1.4 kg  [N]

/// Asks for the feet at the end of a run.
static const ff_foot *feet_now(int count)
{
    int found;
    const ff_foot *feet = ff_world_feet(ff_run_world(run), ff_run_sim(run), &found);
    CHECK_INT(found, count);
    return feet;
}

// ------------------------------------------------------------------------------------------ at rest

/// On level ground the centre of pressure is the mean of the points by normal force, but for what friction does at
/// points of different depth.
static double apart_at_most(const ff_foot *foot)
{
    int count;
    const ff_world_contact *c = ff_world_contacts(ff_run_world(run), ff_run_sim(run), &count);
    double moment = 0.0;
    for (int i = 0; i < foot->points; i++) {
        const ff_world_contact *p = &c[foot->contacts[i]];
        moment += ff_vec3_norm(p->force.tangential) * fabs(p->place[2] - foot->centre[2]);
    }
    return moment / foot->pressure;
}

TEST(feet_of_two_links_carry_the_robot)
{
    write_file("biped.yaml", BIPED WITH_TOES);
    must_run(SCENE("0.34", "l_hip: 0", "time: 6\n"));
    const ff_foot *feet = feet_now(2);
    const ff_data *d = ff_sim_data(ff_run_sim(run));
    double com[3], force[3] = {0}, moment[3] = {0}, pressed[3] = {0};
    ff_dyn_com(scene->model, d, com);
    for (int i = 0; i < 2; i++) {
        const ff_limb *limb = &scene->model->limbs[i];
        double origin[3], arm[3], turning[3];
        CHECK(feet[i].touching);
        CHECK_INT(feet[i].sticking, feet[i].points);
        ff_dyn_point(scene->model, d, limb->body, limb->pos, origin);
        ff_vec3_sub(arm, origin, com);
        ff_vec3_cross(turning, arm, feet[i].force);
        ff_vec3_add(force, force, feet[i].force);
        ff_vec3_add(moment, moment, feet[i].moment);
        ff_vec3_add(moment, moment, turning);
        ff_vec3_axpy(pressed, feet[i].force[2], feet[i].cop);
        CHECK_NEAR(feet[i].normal[2], 1.0, 1e-12);
        ff_vec3_sub(arm, feet[i].cop, feet[i].centre);
        CHECK_BELOW(ff_vec3_norm(arm), apart_at_most(&feet[i]) + 1e-12);
    }
    CHECK_NEAR(force[2], WEIGHT, 1e-6); // [N]
    for (int k = 0; k < 2; k++) CHECK_NEAR(force[k], 0.0, 1e-6);
    for (int k = 0; k < 3; k++) CHECK_NEAR(moment[k], 0.0, 1e-6); // [N m] about the centre of mass
    for (int k = 0; k < 2; k++) CHECK_NEAR(pressed[k] / WEIGHT, com[k], 1e-7);
    CHECK(feet[0].force[2] > feet[1].force[2]); // the load lies nearer to the left one
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    finish();
}

/// A foot that is a robot: patches under heel and toe, 0.3 m apart, and a load of 2 kg. The toe's patch lies on a body
/// of its own.
#define LEVER                                                                                                          \
    "footfall: 1\nbodies:\n  rail:\n    joint: {name: x, type: slide, axis: z}\n    inertial: {mass: 1e-3, sphere: "   \
    "0.01}\n"                                                                                                          \
    "    bodies:\n      sole:\n        joint: {name: pitch, axis: y}\n        frames: {middle: {pos: [0.05, 0, 0]}}\n" \
    "        inertial: {mass: 2, com: [0.05, 0, 0], box: [0.1, 0.1, 0.1]}\n"                                           \
    "        shapes: [{sphere: 0.02, pos: [-0.1, 0, 0]}]\n        bodies:\n          toe:\n"                           \
    "            shapes: [{sphere: 0.02, pos: [0.2, 0, 0]}]\n"                                                         \
    "legs: {L: {joints: [pitch], foot: {frame: middle, bodies: [sole, toe]}}}\n"

TEST(the_centre_of_pressure_follows_the_lever_rule)
{
    write_file("lever.yaml", LEVER);
    must_run("robot: lever.yaml\nstart: {joints: {x: 0.02}}\n"
             "materials: {mat: {normal: {law: kelvin-voigt, stiffness: 4e4, damping: 400}, friction: {law: none}}}\n"
             "terrain: [{plane: {material: mat}}]\npairs: [{of: [mat, lab-floor], like: mat}]\n"
             "solver: {method: implicit, step: 1 ms}\ntime: 4\nrecord: {rate: 10, channels: [feet.L]}\n");
    const ff_foot *foot = feet_now(1);
    int count;
    const ff_world_contact *c = ff_world_contacts(ff_run_world(run), ff_run_sim(run), &count);
    CHECK_INT(foot->points, 2);
    CHECK_INT((int)foot->shapes, 3);
    const double weight = 2.001 * 9.81;
    // the rail carries its own gram at x = 0; statics about it: F_heel (-0.1) + F_toe 0.2 = 2 g 0.05
    const double toe = (2.0 * 9.81 * 0.05 + weight * 0.1) / 0.3, heel = weight - toe;
    CHECK_NEAR(c[foot->contacts[0]].force.normal, heel,
               1e-5); // [N] it leans by 0.2 mm over 0.3 m, which moves the load by a millionth
    CHECK_NEAR(c[foot->contacts[1]].force.normal, toe, 1e-5);
    CHECK_NEAR(foot->force[2], weight, 1e-6);
    const double x = (0.2 * toe - 0.1 * heel) / weight;
    CHECK_NEAR(foot->cop[0], x, 1e-6);
    CHECK_NEAR(foot->cop_foot[0], x - 0.05, 1e-6); // in its frame, which leans
    CHECK_NEAR(foot->cop[1], 0.0, 1e-9);
    CHECK_NEAR(foot->moment[1], -(x - 0.05) * weight, 1e-5); // [N m] about the frame
    finish();
}

// ------------------------------------------------------------------------------------------ falls

#define TIPTOE "l_ankle: 0.4, r_ankle: 0.4, l_toe: -0.4, r_toe: -0.4"

// With feet that end at the soles the toes are something else than feet: the same stance is a fall.
TEST(standing_on_toes_is_no_fall)
{
    write_file("biped.yaml", BIPED WITH_TOES);
    must_run(SCENE("0.361", TIPTOE, "time: 1\n"));
    const ff_foot *feet = feet_now(2);
    for (int i = 0; i < 2; i++) CHECK_INT((int)feet[i].shapes, 4); // of three patches the last alone
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    CHECK_BELOW(metric("walk.tilt.max"), 0.1);
    write_file("biped.yaml", BIPED WITHOUT_TOES);
    must_run(SCENE("0.361", TIPTOE, "time: 1\n"));
    CHECK_BELOW(metric("walk.tilt.max"), 0.1);
    CHECK_NEAR(metric("walk.falls"), 1, 0);
    finish();
}

TEST(a_biped_that_is_thrown_over_has_fallen)
{
    write_file("biped.yaml", BIPED WITH_TOES);
    must_run(SCENE("0.34", "l_hip: 0", "forces: [{body: trunk, force: [0, 300, 0], from: 0.2, to: 0.5}]\ntime: 2\n"));
    CHECK(metric("walk.falls") >= 1); // and it rolls on
    CHECK(metric("walk.tilt.max") > 1.0);
    finish();
}

/// On a rail along z, between a foot and a hand of the same height.
#define LEANING                                                                                                        \
    "footfall: 1\nbodies:\n  trunk:\n    joint: {name: rail, type: slide, axis: z}\n"                                  \
    "    inertial: {mass: 4, sphere: 0.1}\n    bodies:\n      arm: {pos: [0.5, 0, 0], shapes: [{sphere: 0.05}]}\n"     \
    "      shin:\n        joint: {name: hip, axis: y, spring: {stiffness: 1e5}}\n        inertial: {mass: 1, sphere: " \
    "0.05}\n"                                                                                                          \
    "        shapes: [{sphere: 0.05}]\n        frames: {foot: {}}\nlegs: {L: {joints: [hip], foot: foot}}\n"

TEST(leaning_on_a_hand_is_no_fall)
{
    static const char text[] = "robot: leaning.yaml\nstart: {joints: {rail: 0.05}}\nterrain: [{plane: {}}]\n"
                               "solver: {method: implicit, step: 1 ms}\ntime: 1\n";
    write_file("leaning.yaml", LEANING);
    must_run(text);
    CHECK_NEAR(metric("walk.falls"), 1, 0); // half of the weight lies on something
    write_file("leaning.yaml", LEANING "hands: {palm: {bodies: [arm]}}\n");
    char recorded[400];
    snprintf(recorded, sizeof recorded, "%srecord: {rate: 10, channels: [hands.palm, feet.L.force]}\n", text);
    must_run(recorded);
    CHECK_NEAR(metric("walk.falls"), 0, 0);
    const ff_foot *feet = feet_now(2);
    CHECK(feet[1].touching);
    CHECK_NEAR(feet[1].force[2] / feet[0].force[2], 1.0, 1e-9); // both comply alike
    const double *row = ff_recorder_row(ff_run_recorder(run), ff_recorder_rows(ff_run_recorder(run)) - 1);
    const int palm = ff_recorder_find(ff_run_recorder(run), "hands.palm.force", NULL);
    const int cop = ff_recorder_find(ff_run_recorder(run), "hands.palm.cop", NULL);
    CHECK(palm >= 0 && cop >= 0);
    for (int k = 0; k < 3; k++) CHECK_NEAR(row[palm + k], feet[1].force[k], 0);
    CHECK_NEAR(row[cop], 0.5, 1e-12);
    finish();
}

// ------------------------------------------------------------------------------------------ impulses

static void impulse_of_all(double sum[3])
{
    const ff_foot *feet = feet_now(2);
    for (int k = 0; k < 3; k++) sum[k] = feet[0].impulse[k] + feet[1].impulse[k];
}

/// Dropped from 5 mm for 0.15 s. @return how much the impulses of the feet are off the change of momentum less the
/// impulse of gravity  [N s]
static double impulse_error(const char *solver, const char *more)
{
    const double time = CHECK_LASTS(0.15, 0.05);
    char text[1200];
    double sum[3], momentum[6];
    snprintf(text, sizeof text, SCENE("0.345", "l_hip: 0", "time: %g\n%s"), time, more);
    const char *const solvers[] = {solver};
    finish();
    if (!load_with(text, solvers, 1)) CHECK_FAIL("refused: %s", message(0));
    ff_error err = {0};
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("run: %s", err.text);
    impulse_of_all(sum);
    CHECK(sum[2] > 0.5 * WEIGHT * time); // they have touched
    CHECK(ff_sim_evaluate(ff_run_sim(run), FF_SIM_VELOCITY, NULL) == FF_OK);
    ff_dyn_momentum(scene->model, ff_sim_data(ff_run_sim(run)), momentum);
    ff_vec3_sub(sum, sum, momentum + 3);
    sum[2] -= WEIGHT * time;
    return ff_vec3_norm(sum);
}

// Gravity and the feet alone move the robot: Newton's law for the whole. An explicit method is left with little but
// rounding, as the hard ground asks for steps of 6 us; the implicit one books the impulse by which a step moved the
// bodies.
TEST(impulses_of_feet_are_the_change_of_momentum)
{
    write_file("biped.yaml", BIPED WITH_TOES);
    CHECK_BELOW(impulse_error("solver={method: adaptive, accuracy: 1e-7}", ""), 1e-9); // [N s] of 19
    const double coarse = impulse_error("solver={method: implicit, step: 0.5 ms}", "");
    const double fine = impulse_error("solver={method: implicit, step: 0.125 ms}", "");
    CHECK_BELOW(coarse, 1e-5 * WEIGHT * 0.15); // what the last round of Newton's iteration leaves ...
    CHECK_BELOW(fine, 1e-6 * WEIGHT * 0.15);   // ... which is less in shorter steps
    CHECK_BELOW(fine, ff_max(0.25 * coarse, 1e-9 * WEIGHT * 0.15)); // down to the tolerance of the iteration
    finish();
}

// The same by the samples of a recorder: trapezoids of the force, 50 us apart, over 10 ms of the landing.
TEST(impulse_between_two_samples_is_the_integral_of_the_force)
{
    write_file("biped.yaml", BIPED WITH_TOES);
    impulse_error("solver={method: adaptive, accuracy: 1e-6}",
                  "record: {rate: 20000, channels: [feet.L.force, feet.L.impulse]}\n");
    const int force = ff_recorder_find(ff_run_recorder(run), "feet.L.force", NULL);
    const int impulse = ff_recorder_find(ff_run_recorder(run), "feet.L.impulse", NULL);
    CHECK(force >= 0 && impulse >= 0);
    const int per = 200; // samples in 10 ms
    double most = 0.0;
    for (long long from = 0; from + per < ff_recorder_rows(ff_run_recorder(run)); from += per) {
        double sum = 0.0;
        for (int i = 0; i < per; i++)
            sum += 0.5 * 50e-6 *
                   (ff_recorder_row(ff_run_recorder(run), from + i)[force + 2] +
                    ff_recorder_row(ff_run_recorder(run), from + i + 1)[force + 2]);
        const double got = ff_recorder_row(ff_run_recorder(run), from + per)[impulse + 2] -
                           ff_recorder_row(ff_run_recorder(run), from)[impulse + 2];
        most = fmax(most, got);
        CHECK_NEAR(got, sum, 0.01); // [N s] a touch between two samples may bring 300 N within 50 us
    }
    CHECK(most > 1.0);
    finish();
}

// Between two things that move the foot may be the first of the two, against whose normal the force on it acts: dropped
// onto a board, 2 mm.
TEST(a_foot_on_something_that_moves_is_carried_alike)
{
    write_file("hopper.yaml",
               "footfall: 1\nbodies:\n  trunk:\n    joint: {name: rail, type: slide, axis: z}\n"
               "    inertial: {mass: 3, sphere: 0.1}\n    bodies:\n      shin:\n"
               "        joint: {name: knee, type: slide, axis: z, spring: {stiffness: 1e5}, damping: 500}\n"
               "        inertial: {mass: 1, sphere: 0.05}\n        shapes: [{sphere: 0.03, pos: [0, 0, -0.5]}]\n"
               "        frames: {foot: {pos: [0, 0, -0.5]}}\nlegs: {L: {joints: [knee], foot: foot}}\n");
    must_run("robot: hopper.yaml\nstart: {joints: {rail: 0.572}}\nterrain: [{plane: {}}]\n"
             "objects: [{name: board, box: [0.4, 0.4, 0.04], mass: 2, pos: [0, 0, 0.02]}]\n"
             "solver: {method: adaptive, accuracy: 1e-7}\ntime: 4\n");
    const ff_foot *foot = feet_now(1);
    int count;
    const ff_world_contact *c = ff_world_contacts(ff_run_world(run), ff_run_sim(run), &count);
    CHECK_INT(foot->points, 1);
    CHECK_INT(c[foot->contacts[0]].limb1, 0);   // it is the first: otherwise this proves nothing new
    CHECK_NEAR(foot->force[2], 4 * 9.81, 1e-3); // [N] it still trembles
    CHECK_NEAR(foot->normal[2], 1.0, 1e-6);
    CHECK_NEAR(foot->cop[0], 0.0, 1e-6);
    const double momentum = 4 * ff_sim_v(ff_run_sim(run))[0] + 1 * ff_sim_v(ff_run_sim(run))[1];
    CHECK_NEAR(foot->impulse[2], momentum + 4 * 9.81 * 4.0, 1e-6); // [N s]
    finish();
}

/// A ball that is a foot, dropped by 5 cm onto ground whose damper pushes at once. @return what its impulse is off the
/// change of momentum  [N s]
static double landing_error(const char *step)
{
    char text[900];
    write_file(
        "ball.yaml",
        "footfall: 1\nbodies:\n  ball:\n    joint: {name: rail, type: slide, axis: z}\n"
        "    inertial: {mass: 2, sphere: 0.05}\n    shapes: [{sphere: 0.05, material: mat}]\n"
        "    frames: {foot: {}}\nlegs: {L: {joints: [rail], foot: foot}}\n"
        "materials: {mat: {normal: {law: kelvin-voigt, stiffness: 2e4, damping: 200}, friction: {law: none}}}\n");
    snprintf(text, sizeof text,
             "robot: ball.yaml\nstart: {joints: {rail: 0.1}}\nterrain: [{plane: {material: mat}}]\n"
             "solver: {method: implicit, step: %s}\ntime: 0.11\n",
             step);
    must_run(text);
    return fabs(feet_now(1)->impulse[2] - 2 * (ff_sim_v(ff_run_sim(run))[0] + 9.81 * 0.11));
}

// The implicit method lets such a force in by degrees; what it holds back must not be counted.
TEST(a_force_that_is_let_in_by_degrees_counts_by_degrees)
{
    CHECK_BELOW(landing_error("1 ms"), 5e-3); // [N s] of 2; what is held back in the step of the touch would make 0.05
    CHECK_BELOW(landing_error("0.1 ms"), 1e-4);
    finish();
}
