// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives from their descriptions: no setting is ignored without a message, effects that are switched off leave the
// bounds of the drive, and actuators of MJCF keep their law.
#include "check.h"
#include "drive/interface.h"

#include <footfall/drive.h>
#include <footfall/load.h>

/// A wheel with one drive, `%s`, and what else the file says.
static const char WHEEL[] = "footfall: 1\n"
                            "bodies:\n"
                            "  wheel:\n"
                            "    joints: {a: {axis: y, drive: %s}, b: {axis: z}}\n"
                            "    inertial: {mass: 1, box: [1, 1, 1]}\n"
                            "%s";

typedef struct bench {
    ff_model *model;
    ff_drive_set *set;
    ff_drive_memory memory; // of the first drive
    ff_report report;
} bench;

static void end(void *object)
{
    bench *b = object;
    ff_drive_set_destroy(b->set);
    ff_model_destroy(b->model);
    ff_report_clear(&b->report);
    free(b);
}

static bench *make(const char *drive, const char *more, const ff_drive_options *options)
{
    char text[4000];
    bench *b = calloc(1, sizeof *b);
    const ff_load_options load = ff_load_options_default();
    const ff_drive_options o = options ? *options : ff_drive_options_default();
    ff_spec *spec = ff_spec_create(NULL);
    check_at_end(end, b);
    snprintf(text, sizeof text, WHEEL, drive, more);
    ff_spec_parse(spec, "yaml", text, strlen(text), "wheel.yaml", &load, &b->report);
    ff_drive_prepare(spec, &o);
    b->model = b->report.errors ? NULL : ff_model_compile(spec, &load, &b->report);
    ff_spec_destroy(spec);
    if (b->model) b->set = ff_drive_set_create(b->model, &o, &b->report);
    return b;
}

static bool says(const ff_report *report, ff_severity severity, const char *words)
{
    for (int i = 0; i < report->count; i++)
        if (report->messages[i].severity == severity && strstr(report->messages[i].text, words))
            return report->messages[i].line > 0 && report->messages[i].column > 0;
    return false;
}

static void expect(const char *drive, const char *more, ff_severity severity, const char *words)
{
    bench *b = make(drive, more, NULL);
    CHECK((b->set == NULL) == (severity == FF_ERROR));
    if (!says(&b->report, severity, words))
        CHECK_FAIL("%s%s: no word of '%s', but '%s'", drive, more, words,
                   b->report.count ? b->report.messages[0].text : "nothing");
}

#define DC "kind: dc, rotor: 1e-5, gear: 10, motor: {resistance: 2, constant: 0.1, voltage: 24}"

TEST(numbers_that_cannot_be_are_reported)
{
    expect("{kind: lag, motor: {constant: 0.1, lag: [1, 2]}}", "", FF_ERROR, "expected a number for 'lag', got a list");
    expect("{kind: pmsm, motor: {pairs: 2.5}}", "", FF_ERROR, "'pairs' is 2.5: it must be a whole number");
    expect("{kind: pmsm, motor: {bandwidth: -5}}", "", FF_ERROR, "'bandwidth' is -5 Hz: it must be between 0.001 and");
    expect("{kind: pmsm, motor: {inductance: 1e-3, resistance: 1}}", "", FF_ERROR, "motor constant is 0");
    expect("{" DC ", loop: {kind: cascade, speed_bandwidth: -5}}", "", FF_ERROR, "'speed_bandwidth' is -5 Hz");
    expect("{" DC ", loop: {kind: cascade, inertia: -5}}", "", FF_ERROR, "'inertia' is -5: it must be zero or more");
    expect("{loop: {kind: cascade}}", "", FF_ERROR, "a cascade needs");
    expect("{spindle: {lead: 0.006, stroke: [1, -1]}}", "", FF_ERROR, "low must lie below high");
    expect("{spindle: {lead: 0.006, bound: [0, 100, 1, -5]}}", "", FF_ERROR, "has the force -5");
    expect("{spindle: {belt: 2}}", "", FF_ERROR, "a belt without a spindle");
    expect("{gear: 3, spindle: {lead: 0.006}}", "", FF_ERROR, "both a gear and the lead");
    expect("{" DC ", thermal: {continuous: 1}}", "", FF_ERROR, "temperatures need");
    expect("{" DC ", thermal: {resistance: 1, capacity: 1, limit: 5}}", "", FF_ERROR, "above 'ambient'");
    expect("{kind: lag, motor: {constant: 0.1}, thermal: {resistance: 1, capacity: 1, limit: 50}}", "", FF_ERROR,
           "peak current is 0");
    expect("{loop: {kp: 1}, shaper: {speed: 1}}", "", FF_ERROR, "needs an 'acceleration'");
    expect("{transmission: {kind: cables, motor_inertia: 1, radius: 0.02}}", "", FF_ERROR, "cables need");
    expect("{rotor: 1, transmission: {kind: backlash, stiffness: 1, inertia: 1}}", "", FF_ERROR,
           "backlash is 0: it must be 1e-7");
    expect("{rotor: 1, transmission: {kind: backlash, stiffness: 1, inertia: 1, gap: 0.1, floor: 1e-9}}", "", FF_ERROR,
           "floor of impacts is 1e-09");
    expect("{transmission: flexible}", "", FF_ERROR, "expected {kind: .., stiffness: .., damping: .., ");
    expect("{kind: none}", "", FF_ERROR, "a drive without a motor is a cable");
    expect("{path: {kind: levers}}", "", FF_ERROR, "needs 'levers'");
}

TEST(paths_and_names_that_cannot_be_are_reported)
{
    expect("{gear: 1}", "drives: {x: {joints: [b, b], path: {kind: levers, levers: [1, 1]}}}\n", FF_ERROR,
           "its two joints are the same");
    expect("{gear: 1}", "drives: {x: {joints: [a, b], path: {kind: levers, levers: [0, 0]}}}\n", FF_ERROR,
           "not all zero");
    expect("{gear: 1}", "drives: {x: {joints: [a, b], path: {kind: rod, base: [0, 0, 1], platform: [0, 0, 0]}}}\n",
           FF_ERROR, "this rod moves nothing");
    expect("{gear: 1}",
           "drives: {x: {joints: [a, b], path: {kind: rod, base: [0, 0, 1], platform: [1, 0, 0], axes: [0, 0, 0, 1, 0, "
           "0]}}}\n",
           FF_ERROR, "one has no length");
    expect("{gear: 1}", "drives: {a: {joint: b}}\n", FF_ERROR, "drive 'a' is that of joint 'a' already");
}

TEST(settings_without_effect_are_reported)
{
    expect("{cable: {stiffness: 100}}", "", FF_WARNING, "'cable.stiffness' has no effect on kind 'ideal'");
    expect("{kind: servo, loop: {kp: 3}}", "", FF_WARNING, "'loop.kp' has no effect on kind 'servo'");
    expect("{motor: {voltage: 24}}", "", FF_WARNING, "'motor.voltage' has no effect");
    expect("{" DC ", shaper: {acceleration: 1}}", "", FF_WARNING, "'shaper.acceleration' has no effect");
    expect("{thermal: {resistance: 1, capacity: 1}}", "", FF_WARNING, "'thermal.resistance' has no effect");
}

// ------------------------------------------------------------------------------------------ effects switched off

/// Force of the first drive at rest, after a command and a sample of its outer loop.
static double pushes(bench *b, double position, double force, double q)
{
    const ff_drive *d = &b->set->drives[0];
    ff_drive_memory *m = &b->memory;
    const double pose[2] = {q, 0.0}, rest[2] = {0.0, 0.0};
    double z[8] = {0};
    ff_drive_flow flow;
    ff_drive_start(d, m, pose, rest, z);
    ff_drive_command(d, m, position, 0.0, force);
    if (ff_drive_rate(d, FF_LEVEL_OUTER) > 0.0) ff_drive_sample(d, m, FF_LEVEL_OUTER, pose, rest, z);
    ff_drive_evaluate(d, m, pose, rest, z, NULL, &flow);
    return flow.force;
}

TEST(ideal_drives_keep_loops_and_bounds)
{
    const ff_drive_options ideal = {.ideal = true, .transmission = FF_TRANSMISSION_BACKLASH};
    bench *b = make("{kind: servo, torque: 2, speed: 5, servo: {stiffness: 10}}", "", &ideal);
    CHECK(b->set);
    CHECK_NEAR(pushes(b, 0.1, 0.0, 0.0), 1.0, 1e-15); // 10 N m/rad, and no steps of the command
    CHECK_NEAR(pushes(b, 9.0, 0.0, 0.0), 2.0, 0.0);
    b = make("{" DC ", loop: {kp: 1000}}", "", &ideal); // 24 V on 2 ohm, 0.1 N m/A, 10 turns: 12 N m
    CHECK_NEAR(pushes(b, 1.0, 0.0, 0.0), 12.0, 1e-12);
    b = make("{kind: dc, gear: -10, motor: {resistance: 2, constant: 0.1, voltage: 24, current: 3}, loop: {kp: 1000}}",
             "", &ideal);
    CHECK(b->set);
    CHECK_NEAR(pushes(b, -1.0, 0.0, 0.0), -3.0, 1e-12); // the peak current is the tighter bound
    b = make("{spindle: {lead: 0.006, bound: [0, 100, 1, 50]}}", "", NULL);
    CHECK_NEAR(pushes(b, 0.0, 500.0, 0.0), 100.0, 0.0);
}

// A reversed gear turns the motor the other way, and the joint in the commanded direction.
TEST(gears_may_be_reversed)
{
    bench *b =
        make("{kind: dc, gear: -10, motor: {resistance: 2, constant: 0.1, voltage: 24}, loop: {kp: 4}}", "", NULL);
    CHECK_NEAR(pushes(b, 0.5, 0.0, 0.0), 2.0, 1e-12);
    CHECK_NEAR(b->memory.current, -2.0, 1e-12); // 2 N m / (-10 * 0.1 N m/A)
}

TEST(limit_switches_stop_direct_drives_too)
{
    bench *b = make("{spindle: {lead: 0.006, stroke: [-0.1, 0.1]}}", "", NULL);
    CHECK_NEAR(pushes(b, 0.0, 5.0, 0.05), 5.0, 0.0);
    CHECK_NEAR(pushes(b, 0.0, 5.0, 0.11), 0.0, 0.0);
    CHECK_NEAR(pushes(b, 0.0, -5.0, 0.11), -5.0, 0.0); // back is free
}

// ------------------------------------------------------------------------------------------ temperature

/// Temperature a motor settles at with its continuous current flowing for ever.
static double settles_at(const char *drive, int axis)
{
    bench *b = make(drive, "", NULL);
    if (!b->set) CHECK_FAIL("%s", b->report.messages[0].text);
    const ff_drive *d = &b->set->drives[0];
    ff_drive_memory *m = &b->memory;
    const double rest[2] = {0.0, 0.0};
    double z[8] = {0};
    ff_drive_start(d, m, rest, rest, z);
    z[axis] = 1.5; // i, or i_q
    for (int n = 0; n < 1000; n++) {
        ff_drive_flow flow;
        ff_drive_evaluate(d, m, rest, rest, z, NULL, &flow);
        m->copper += flow.copper * 1.0;
        ff_drive_update_temperature(d, m, 1.0);
    }
    return m->temperature;
}

TEST(continuous_current_ends_at_the_limit_for_every_motor)
{
    CHECK_NEAR(
        settles_at(
            "{kind: lag, motor: {resistance: 2, constant: 0.1, current: 9}, thermal: {continuous: 1.5, time: 10, "
            "limit: 125}}",
            0),
        125.0, 1e-9);
    CHECK_NEAR(settles_at("{kind: pmsm, motor: {resistance: 2, inductance: 1e-3, constant: 0.1, current: 9}, thermal: "
                          "{continuous: 1.5, time: 10, limit: 125}}",
                          1),
               125.0, 1e-9); // three phases: 3/2 R i^2
}

// Without a peak current that of the supply counts: 24 V on 2 ohm.
TEST(temperature_bounds_the_current_of_a_motor_without_a_peak)
{
    bench *b = make("{" DC ", loop: {kp: 1e6}, thermal: {continuous: 1.5, time: 10, limit: 125}}", "", NULL);
    CHECK_NEAR(pushes(b, 1.0, 0.0, 0.0), 12.0, 1e-12);
    const ff_drive *d = &b->set->drives[0];
    ff_drive_memory *m = &b->memory;
    const double rest[2] = {0.0, 0.0};
    m->temperature = 125.0;
    ff_drive_sample(d, m, FF_LEVEL_OUTER, rest, rest, NULL);
    CHECK_NEAR(m->current, 1.5, 1e-12);
    b = make("{" DC ", thermal: {continuous: 1.5, time: 10, limit: 125}}", "", NULL); // direct: volts
    CHECK_NEAR(pushes(b, 0.0, 20.0, 0.0), 10.0, 1e-12);
    b->memory.temperature = 125.0;
    ff_drive_sample(&b->set->drives[0], &b->memory, FF_LEVEL_OUTER, rest, rest, NULL);
    CHECK_NEAR(b->memory.voltage, 3.0, 1e-12); // 1.5 A on 2 ohm
}

// ------------------------------------------------------------------------------------------ actuators of MJCF

TEST(actuators_keep_their_law)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/><geom size='0.1'/>"
        "<body><joint name='b' axis='0 1 0'/><geom size='0.1'/>"
        "<body><joint name='c' axis='0 1 0'/><geom size='0.1'/></body></body></body></worldbody><actuator>"
        "<position joint='a' name='p' kp='7' gear='-2' ctrlrange='-1 3' ctrllimited='true'/><velocity joint='a' "
        "name='v' kv='0.2' gear='3'/>"
        "<general joint='b' name='g' gainprm='50' biastype='affine' biasprm='0 -50 -2'/>"
        "<motor joint='c' name='m' gear='30' ctrlrange='-0.4 0.4' ctrllimited='true'/>"
        "<general joint='c' name='odd' gainprm='50' biastype='affine' biasprm='1 -40 0'/>"
        "</actuator></mujoco>";
    ff_report report = {0};
    const ff_load_options load = ff_load_options_default();
    ff_spec *spec = ff_spec_create(NULL);
    CHECK_INT(ff_spec_parse(spec, "mjcf", text, sizeof text - 1, "m.xml", &load, &report), FF_OK);
    ff_model *model = ff_model_compile(spec, &load, &report);
    ff_spec_destroy(spec);
    ff_drive_set *set = ff_drive_set_create(model, NULL, &report);
    CHECK(set);
    CHECK_INT(set->n, 4);                           // both actuators of joint a
    CHECK_NEAR(set->drives[0].kp, 28.0, 0.0);       // at the joint: kp gear^2
    CHECK_NEAR(set->drives[0].reach[0], -1.5, 0.0); // u = gear q
    CHECK_NEAR(set->drives[0].reach[1], 0.5, 0.0);
    const double rest[3] = {0.0, 0.0, 0.0};
    ff_drive_memory memory = {0};
    ff_drive_start(&set->drives[0], &memory, rest, rest, NULL);
    ff_drive_command(&set->drives[0], &memory, 2.0, 0.0, 0.0);
    ff_drive_sample(&set->drives[0], &memory, FF_LEVEL_OUTER, rest, rest, NULL);
    CHECK_NEAR(memory.force, 28.0 * 0.5, 1e-14);
    CHECK_NEAR(set->drives[1].kd, 0.2 * 9.0, 1e-15); // at the joint: kv gear^2
    CHECK_INT(set->drives[2].loop, FF_LOOP_PD);
    CHECK_NEAR(set->drives[2].kp, 50.0, 0.0);
    CHECK_NEAR(set->drives[2].kd, 2.0, 0.0);
    CHECK_NEAR(set->drives[3].stall, 12.0, 1e-14); // 30 * 0.4
    CHECK_INT(set->nactuator, 1);                  // a law that no loop has acts as it is
    CHECK_TEXT(model->actuators[set->actuators[0]].name, "odd");
    ff_drive_set_destroy(set);
    ff_model_destroy(model);
    ff_report_clear(&report);
}

// MuJoCo bounds the force of an actuator by forcerange and what a joint gets by actuatorfrcrange: the smaller holds.
TEST(the_smaller_bound_of_actuator_and_joint_holds)
{
    static const char text[] =
        "<mujoco><worldbody><body><joint name='a' axis='0 1 0' actuatorfrcrange='-5 5'/><geom size='0.1'/>"
        "<body><joint name='b' axis='0 1 0' actuatorfrcrange='-5 5'/><geom size='0.1'/>"
        "<body><joint name='c' axis='0 1 0' actuatorfrcrange='-5 5'/><geom "
        "size='0.1'/></body></body></body></worldbody>"
        "<actuator><motor joint='a' gear='2' forcerange='-4 4'/><motor joint='b' gear='2' forcerange='-2 2'/>"
        "<position joint='c' kp='9'/></actuator></mujoco>";
    static const double least[3] = {5.0, 4.0, 5.0};
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    CHECK_INT(ff_spec_parse(spec, "mjcf", text, sizeof text - 1, "m.xml", NULL, &report), FF_OK);
    ff_model *model = ff_model_compile(spec, NULL, &report);
    ff_spec_destroy(spec);
    ff_drive_set *set = ff_drive_set_create(model, NULL, &report);
    CHECK(set && set->n == 3);
    for (int i = 0; i < 3; i++) CHECK_NEAR(set->drives[i].stall, least[i], 0.0);
    ff_drive_set_destroy(set);
    ff_model_destroy(model);
    ff_report_clear(&report);
}
