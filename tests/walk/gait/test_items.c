// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Controllers find the items of a robot in its frames: drives by the joint they move, whatever they are called, sensors
// by what they measure, and names longer than a frame holds.
#include "check.h"
#include "gait/items.h"

#include <footfall/load.h>

static const char robot[] = "footfall: 1\n"
                            "bodies:\n"
                            "  thigh:\n"
                            "    joint: {name: hip, axis: y}\n"
                            "    inertial: {mass: 1, sphere: 0.1}\n"
                            "    bodies:\n"
                            "      shank: {joint: {name: knee, axis: y}, inertial: {mass: 1, sphere: 0.1}}\n"
                            "drives:\n"
                            "  motor: {joint: knee, torque: 2}\n"
                            "sensors:\n"
                            "  turns: {type: tachometer, joint: knee}\n"
                            "  angle: {type: potentiometer, joint: knee}\n";

static ff_model *load(void)
{
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    ff_model *model = NULL;
    if (ff_spec_parse(spec, "yaml", robot, sizeof robot - 1, "r.yaml", NULL, &report) == FF_OK)
        model = ff_model_compile(spec, NULL, &report);
    if (!model) CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
    ff_spec_destroy(spec);
    return model;
}

TEST(drives_are_found_by_the_joint_they_move)
{
    ff_model *m = load();
    CHECK_TEXT(ff_gait_drive_of(m, ff_model_find_joint(m, "knee")), "motor");
    CHECK_TEXT(ff_gait_drive_of(m, ff_model_find_joint(m, "hip")), "hip"); // no drive: called after the joint
    ff_model_destroy(m);
}

TEST(the_first_sensor_that_tells_a_position_is_taken)
{
    static const ff_io_name names[] = {{"sensors.turns.speed", "rad/s"}, {"sensors.angle.position", "rad"}};
    const ff_io_layout layout = {.kind = FF_IO_SENSORS, .count = 2, .names = names};
    ff_model *m = load();
    CHECK_INT(ff_gait_find_on_joint(m, &layout, ff_model_find_joint(m, "knee"), "position"), 1);
    CHECK_INT(ff_gait_find_on_joint(m, &layout, ff_model_find_joint(m, "hip"), "position"), -1);
    ff_model_destroy(m);
}

TEST(forces_are_three_or_none)
{
    static const ff_io_name names[] = {{"sensors.sole.fx", "N"}, {"sensors.sole.fy", "N"}, {"sensors.sole.fz", "N"}};
    ff_io_layout layout = {.kind = FF_IO_SENSORS, .count = 3, .names = names};
    int items[3];
    CHECK(ff_gait_find_forces(&layout, "sole", items));
    for (int k = 0; k < 3; k++) CHECK_INT(items[k], k);
    layout.count = 2;
    CHECK(!ff_gait_find_forces(&layout, "sole", items));
    for (int k = 0; k < 3; k++) CHECK_INT(items[k], -1);
    CHECK(!ff_gait_find_forces(&layout, NULL, items));
}

// As long as an item allows: 63 characters with what stands around it.
TEST(long_names_are_found_whole)
{
    static const char name[] = "knee-of-the-middle-left-leg-of-a-large-robot",
                      other[] = "knee-of-the-middle-left-leg-of-a-large-rover";
    ff_io_name names[2] = {{.unit = "rad"}, {.unit = "rad"}};
    snprintf(names[0].name, sizeof names[0].name, "drives.%s.position", name);
    snprintf(names[1].name, sizeof names[1].name, "sensors.%s.position", name);
    const ff_io_layout layout = {.count = 2, .names = names};
    CHECK_INT(ff_gait_find_drive(&layout, name, "position"), 0);
    CHECK_INT(ff_gait_find_sensor(&layout, name, "position"), 1);
    CHECK_INT(ff_gait_find_drive(&layout, other, "position"), -1);
    CHECK_INT(ff_gait_find_sensor(&layout, "a-name-that-no-item-of-a-frame-could-carry-since-it-is-longer", "position"),
              -1);
}
