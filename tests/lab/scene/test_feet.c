// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Feet among the contacts: which touch is a foot's, and what the recorder stores of them.
#include "scene_helpers.h"

static int column(const char *channel, int width)
{
    int found, at = ff_recorder_find(ff_run_recorder(run), channel, &found);
    if (at < 0) CHECK_FAIL("no channel %s", channel);
    CHECK_INT(found, width);
    return at;
}

// ANTON stands on its feet alone: their forces are those of all contacts, foot by foot those of the tibiae.
TEST(forces_of_feet_are_those_of_the_contacts)
{
    must_run("robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\nstart: {pose: tripod_left}\nplace: {settle: true}\n"
             "terrain: [{plane: {}}]\ncontrol: {hold: {stiffness: 60, damping: 1}}\ntime: 0.05\n"
             "record: {rate: 100, channels: [feet, feet.ML.force, feet.ML.pos, contacts.force, "
             "bodies.ML_tibia.contact.force]}\n");
    const int force = column("feet.force", 18), pos = column("feet.pos", 18), ground = column("contacts.force", 3);
    const int tibia = column("bodies.ML_tibia.contact.force", 3), support = column("feet.support", 1);
    const int middle = column("feet.ML.force", 3), place = column("feet.ML.pos", 3);
    for (long long i = 0; i < ff_recorder_rows(ff_run_recorder(run)); i++) {
        const double *row = ff_recorder_row(ff_run_recorder(run), i);
        CHECK_NEAR(row[support], 3, 0);
        for (int k = 0; k < 3; k++) {
            double sum = 0.0;
            for (int leg = 0; leg < 6; leg++) sum += row[force + 3 * leg + k];
            CHECK_NEAR(sum, row[ground + k], 1e-12); // [N] rounding of six terms
            CHECK_NEAR(row[force + 6 + k], row[tibia + k], 0);
            CHECK_NEAR(row[middle + k], row[tibia + k], 0);
            CHECK_NEAR(row[place + k], row[pos + 6 + k], 0);
        }
        CHECK_NEAR(row[force + 2], 0.0, 0); // FL is in the air
        // the centre of the foot is a radius above the ground, less what the rubber gives
        CHECK_BELOW(row[place + 2], 0.012);
        CHECK(row[place + 2] > 0.009);
    }
    finish();
}

/// A trunk on a slide along z with one leg, a shin that is a capsule of 0.5 m; its lower end is the foot.
#define HOPPER                                                                                                         \
    "footfall: 1\nbodies:\n  trunk:\n    joint: {name: rail, type: slide, axis: z}\n"                                  \
    "    inertial: {mass: 2, sphere: 0.1}\n    bodies:\n      shin:\n        joint: {name: hip, axis: y}\n"            \
    "        inertial: {mass: 1, rod: {to: [0, 0, -0.5], radius: 0.02}}\n"                                             \
    "        shapes: [{capsule: {to: [0, 0, -0.5], radius: 0.02}}]\n        frames: {foot: {pos: [0, 0, -0.5]}}\n"

static void rest(const char *robot, const char *angle)
{
    char text[600];
    write_file("hopper.yaml", robot);
    snprintf(text, sizeof text,
             "robot: hopper.yaml\nstart: {joints: {hip: %s, rail: 0.019}}\nterrain: [{plane: {}}]\n"
             "control: {hold: {stiffness: 1e4, damping: 100}}\ntime: 0.01\n"
             "record: {rate: 100, channels: [feet, contacts.force]}\n",
             angle);
    must_run(text);
}

// A shin that lies on the ground touches with both ends; one of them is the foot.
TEST(only_the_end_that_is_the_foot_counts)
{
    rest(HOPPER "legs: {L: {joints: [hip], foot: foot}}\n", "90 deg");
    const double *row = ff_recorder_row(ff_run_recorder(run), 0);
    const double foot = row[column("feet.force", 3) + 2], all = row[column("contacts.force", 3) + 2];
    CHECK(all > 0.0);
    CHECK_NEAR(foot / all, 0.5, 1e-6); // both ends lie 1 mm deep
    CHECK_NEAR(row[column("feet.support", 1)], 1, 0);
    rest(HOPPER "legs: {L: {joints: [hip], foot: foot, radius: 0}}\n",
         "90 deg"); // a foot of another shape: all of its body
    row = ff_recorder_row(ff_run_recorder(run), 0);
    CHECK_NEAR(row[column("feet.force", 3) + 2], row[column("contacts.force", 3) + 2], 0);
    finish();
}

// The foot of a URDF is a link of its own, fixed to the shin: its place and its force are those of a frame there.
TEST(a_fixed_link_of_a_urdf_is_a_foot)
{
    write_file("hopper.urdf",
               "<robot name='hopper'><link name='rail_link'/>"
               "<joint name='rail' type='prismatic'><parent link='rail_link'/><child link='shin'/><axis xyz='0 0 1'/>"
               "<limit lower='-1' upper='1' effort='1e3' velocity='9'/></joint>"
               "<link name='shin'><inertial><mass value='1'/><inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' "
               "iyz='0'/></inertial></link><joint name='ankle' type='fixed'><parent link='shin'/><child link='foot'/>"
               "<origin xyz='0.1 0 -0.5'/></joint><link name='foot'><collision><geometry><sphere radius='0.02'/>"
               "</geometry></collision></link></robot>");
    write_file("hopper.yaml", "footfall: 1\nimport: hopper.urdf\nlegs: {L: {joints: [rail], foot: foot}}\n");
    must_run("robot: hopper.yaml\nstart: {joints: {rail: 0.519}}\nterrain: [{plane: {}}]\ntime: 0.01\n"
             "record: {rate: 100, channels: [feet, contacts.force]}\n");
    const double *row = ff_recorder_row(ff_run_recorder(run), 0);
    const int pos = column("feet.pos", 3);
    CHECK_NEAR(row[pos], 0.1, 1e-12);
    CHECK_NEAR(row[pos + 2], 0.019, 1e-12);
    CHECK(row[column("feet.force", 3) + 2] > 0.0);
    CHECK_NEAR(row[column("feet.force", 3) + 2], row[column("contacts.force", 3) + 2], 0.0);
    finish();
}

TEST(feet_without_ground_have_places_only)
{
    static const char scene_text[] =
        "robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\ntime: 0.01\nrecord: {channels: [feet]}\n";
    must_run(scene_text);
    CHECK(ff_recorder_find(ff_run_recorder(run), "feet.pos", NULL) >= 0);
    CHECK_INT(ff_recorder_find(ff_run_recorder(run), "feet.force", NULL), -1);
    const bad_scene bad[] = {{"robot: " FF_SOURCE_DIR "/robots/anton/anton.yaml\nrecord: {channels: [feet.force]}\n",
                              "3:21", "no channel fits \"feet.force\""},
                             {"robot: " FF_SOURCE_DIR "/robots/tumbler/tumbler.yaml\nrecord: {channels: [feet]}\n",
                              "3:21", "no channel fits \"feet\""}};
    must_refuse(bad, 2);
}
