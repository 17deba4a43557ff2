// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of cameras as files of a run: how many, of when, what they hold, and mistakes in asking for them.
#include "scene_helpers.h"

#include <footfall/camera.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_robot(void)
{
    write_file("eyes.yaml", "footfall: 1\n"
                            "name: eyes\n"
                            "gravity: [0, 0, 0]\n"
                            "bodies:\n"
                            "  wall: {pos: [2, 0, 0], shapes: [{name: wall, box: [0.2, 20, 20], color: [1, 0, 0]}]}\n"
                            "  cart:\n"
                            "    joint: {name: way, type: slide, axis: x}\n"
                            "    inertial: {mass: 1.0, box: [0.2, 0.2, 0.1]}\n"
                            "    frames: {left: {}, right: {}}\n"
                            "sensors:\n"
                            "  left/eye: {type: camera, frame: left, width: 8, height: 6, rate: 10}\n"
                            "  right: {type: camera, frame: right, width: 8, height: 6, rate: 20}\n"
                            "  spin: {type: gyro, frame: left}\n");
}

static const char SCENE[] = "robot: eyes.yaml\n"
                            "start: {speeds: {way: 1}}\n"
                            "effects: {sensors: perfect, cameras: true}\n"
                            "solver: {method: rk4, step: 1e-3}\n"
                            "time: 0.5\n";

static int lines_of(const char *name, char *last, size_t size)
{
    FILE *f = fopen(in_folder(name), "r");
    int n = 0;
    if (!f) CHECK_FAIL("no %s", name);
    while (fgets(last, (int)size, f)) n++;
    fclose(f);
    return n;
}

// 10 Hz in 0.5 s: 0, 0.1, .. 0.5. The face of the wall is 1.9 m away and comes nearer at 1 m/s: at the fourth picture
// it is at 1.6 m.
TEST(pictures_come_at_the_rate_of_their_camera_and_hold_its_depth)
{
    char text[1000], last[300];
    ff_error err = {0};
    write_robot();
    snprintf(text, sizeof text, "%srecord: {pictures: [\"left*\"]}\n", SCENE);
    must_load(text);
    const ff_status status = ff_run_open_pictures(run, test_folder(), &err);
    if (status == FF_NOT_BUILT) {
        finish();
        SKIP("no libpng");
    }
    CHECK(status == FF_OK);
    if (ff_run_go(run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    CHECK(ff_run_picture_count(run) == 6);
    CHECK(lines_of("pictures.csv", last, sizeof last) == 7);
    CHECK(strcmp(last, "0.5,left_eye,left_eye-00006.png,left_eye-00006-depth.png\n") == 0);
    // as a height field: white is 65.535 m
    ff_field *field = ff_field_create_png(in_folder("left_eye-00004-depth.png"), (double[]){7, 5}, 65.535, &err);
    if (!field) CHECK_FAIL("%s", err.text);
    CHECK_NEAR(ff_field_height(field, 0.0, 0.0), 1.6, 0.0006); // [m] half a millimetre and the field's floats
    ff_field_destroy(field);
    FILE *colours = fopen(in_folder("left_eye-00006.png"), "rb"), *none = fopen(in_folder("right-00001.png"), "rb");
    CHECK(colours && !none);
    fclose(colours);
    finish();
}

TEST(what_cannot_be_written_is_reported)
{
    char text[1000];
    ff_error err = {0};
    write_robot();
    snprintf(text, sizeof text, "%srecord: {pictures: [right], channels: [energy]}\n", SCENE);
    must_load(text);
    if (!ff_picture_built()) {
        finish();
        SKIP("no libpng");
    }
    CHECK(ff_run_open_pictures(run, "/nowhere/at/all", &err) == FF_NOT_WRITTEN && strstr(err.text, "/nowhere"));
    // a folder that takes the list but not the pictures: their names are folders already
    mkdir(in_folder("right-00002.png"), 0700);
    CHECK(ff_run_open_pictures(run, test_folder(), &err) == FF_OK);
    CHECK(ff_run_go(run, &err) == FF_NOT_WRITTEN && strstr(err.text, "right-00002.png"));
    CHECK_BELOW(ff_sim_time(ff_run_sim(run)), 0.1); // [s] of 0.5: the second picture ended the run
    rmdir(in_folder("right-00002.png"));
    finish();
}

TEST(mistakes_in_asking_are_reported_with_their_place)
{
    static const char robot[] = "robot: eyes.yaml\n", on[] = "effects: {sensors: real, cameras: true}\n";
    char texts[6][300];
    write_robot();
    snprintf(texts[0], sizeof texts[0], "%s%srecord: {pictures: [rihgt]}\n", robot, on);
    snprintf(texts[1], sizeof texts[1], "%s%srecord: {pictures: [spin]}\n", robot, on);
    snprintf(texts[2], sizeof texts[2], "%s%srecord: {pictures: right}\n", robot, on);
    snprintf(texts[3], sizeof texts[3], "%seffects: {sensors: real}\nrecord: {pictures: [right]}\n", robot);
    snprintf(texts[4], sizeof texts[4], "%s%srecord: {rate: 10}\n", robot, on);
    snprintf(texts[5], sizeof texts[5], "%s%srecord: {pictures: [\"*\"]}\ntime: 10000\n", robot, on);
    const bad_scene bad[] = {{texts[0], "4:21", "did you mean 'right'"},
                             {texts[1], "4:21", "no camera 'spin'"},
                             {texts[2], "4:20", "a list of words for 'pictures', got 'right': cameras"},
                             {texts[3], "4:20", "pictures need cameras"},
                             {texts[4], "4:9", "channels"},
                             {texts[5], "4:20", "300000 pictures"}};
    must_refuse(bad, sizeof bad / sizeof *bad);
}
