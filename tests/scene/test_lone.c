// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot file alone becomes a scene: it falls, stands or floats, and what is wrong is reported for the user's file.
#include "check.h"
#include "support/folder.h"

#include <footfall/run.h>

#define ROBOT FF_SOURCE_DIR "/robots/anton/anton.yaml"

/// How far the centre of mass rises within 0.1 s  [m]
static double rise(ff_lone_robot how)
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
    CHECK_NEAR(rise(FF_LONE_FREE), -0.5 * 9.81 * 0.1 * 0.1, 1e-9); // [m] nothing but gravity acts from outside
    CHECK_NEAR(rise(FF_LONE_STANDING), 0.0, 1e-3);                 // [m] within the depth of soft feet
    CHECK_NEAR(rise(FF_LONE_WEIGHTLESS), 0.0, 1e-9);
}

/// The first error of a scene that must not come about, with its file and line.
static ff_message refused(const char *path, const char *override, ff_report *report)
{
    CHECK(!ff_scene_of_robot(path, FF_LONE_FREE, NULL, &override, override ? 1 : 0, report));
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
    for (int how = FF_LONE_FREE; how <= FF_LONE_WEIGHTLESS; how++) {
        const ff_scene_spec *scene =
            ff_scene_of_robot(in_folder("it's.yaml"), (ff_lone_robot)how, NULL, NULL, 0, &report);
        if (!scene) CHECK_FAIL("%s", report.messages[0].text);
        ff_scene_destroy(scene);
    }
    ff_report_clear(&report);
}
