// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// `footfall studio` from outside: what it says, and how it ends. What it serves is tested in tests/studio and web/e2e.
#include "check.h"
#include "program.h"

#include <signal.h>

static void needs(bool studio)
{
    const char *version = footfall_version();
    if (!strstr(version, "studio") == studio) SKIP(studio ? "built without the studio" : "built with the studio");
}

TEST(a_studio_says_its_address_and_ends_by_a_signal)
{
    static const char *const words[] = {"studio", "--port", "0", "--no-browser", NULL};
    static const int signals[] = {SIGINT, SIGTERM};
    needs(true);
    for (int i = 0; i < 2; i++) {
        outcome o = footfall_interrupted(words, "stderr", "Ctrl-C ends it.", signals[i]);
        CHECK_INT(o.code, 0);
        CHECK_INT(strncmp(o.out, "http://127.0.0.1:", 17), 0);
        CHECK_SAYS(o.err, "The studio is open");
    }
}

TEST(a_first_scene_with_errors_is_reported_and_the_studio_opens_to_correct_it)
{
    needs(true);
    write_file("bad.yaml", "footfall: 1\nrobot: nothing.yaml\ntime: 1\n");
    static const char *const words[] = {"studio", "bad.yaml", "--port", "0", "--no-browser", NULL};
    outcome o = footfall_interrupted(words, "stderr", "Ctrl-C ends it.", SIGINT);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.err, "bad.yaml:2:8: error:");
    CHECK_SAYS(o.err, "The studio is open");
}

TEST(a_batch_in_the_studio_opens_at_its_panel)
{
    needs(true);
    write_file("ball.yaml", "footfall: 1\nname: ball\nbodies:\n  ball:\n    joint: {name: fall, type: free}\n"
                            "    inertial: {mass: 1, sphere: 0.1}\n    shapes: [{sphere: 0.1}]\n");
    write_file("batch.yaml", "footfall: 1\nrobot: ball.yaml\nplace: {pos: [0, 0, 1]}\n"
                             "terrain: [{plane: {material: lab-floor}}]\nsolver: {method: euler, step: 1.0e-3}\n"
                             "time: 0.1\n");
    static const char *const words[] = {"batch", "batch.yaml", "--studio", "--port", "0", "--no-browser", NULL};
    outcome o = footfall_interrupted(words, "stderr", "Ctrl-C ends it.", SIGINT);
    CHECK_INT(o.code, 0);
    CHECK_SAYS(o.out, "/#panel=batch\n");
}

TEST(what_cannot_be_opened_is_refused_with_the_reason)
{
    outcome o = footfall("studio", "--port", "70000");
    CHECK_INT(o.code, 1);
    CHECK_SAYS(o.err, "0 to 65535");
    o = footfall("studio", "no-such-scene.yaml");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "no-such-scene.yaml: there is no such file");
    o = footfall("studio", "/etc/hostname");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "outside the project folder");
    o = footfall("studio", "--root", "no-such-folder");
    CHECK_INT(o.code, 2);
}

TEST(a_build_without_the_studio_says_how_to_get_it)
{
    needs(false);
    outcome o = footfall("studio");
    CHECK_INT(o.code, 2);
    CHECK_SAYS(o.err, "FOOTFALL_");
}
