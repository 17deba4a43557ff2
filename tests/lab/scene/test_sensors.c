// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors and bus of a scene: `effects` switches them by name, says what it did, changes nothing it should not, and
// reports mistakes with their place.
#include "check.h"

#include <footfall/footfall.h>
#include <footfall/math.h>

static const char SCENE[] =
    "footfall: 1\n"
    "robot: robots/anton/anton.yaml\n"
    "effects: {drives: full, transmission: rigid, %s}\n"
    "start: {pose: stand}\n"
    "place: {settle: true}\n"
    "terrain: [{plane: {material: lab-floor}}]\n"
    "control: {hold: {stiffness: 60, damping: 1}, cycle: {poses: [stand, tripod_left], period: 0.2}}\n"
    "solver: {method: implicit, step: 5e-4}\n"
    "time: 0.1\n"
    "%s";

/// A scene, and a run of it.
typedef struct robot {
    const ff_scene_spec *scene;
    ff_run *run; // NULL: something was reported
} robot;

static robot load(const char *effects, const char *more, ff_report *report)
{
    char text[2000];
    snprintf(text, sizeof text, SCENE, effects, more);
    robot out = {.scene = ff_scene_parse(text, strlen(text), FF_SOURCE_DIR "/scene.yaml", NULL, 0, report)};
    if (out.scene) out.run = ff_run_create(out.scene, NULL, report);
    return out;
}

static void finish(robot r)
{
    ff_run_destroy(r.run);
    ff_scene_destroy(r.scene);
}

static robot run(const char *effects, const char *more)
{
    ff_report report = {0};
    ff_error err = {0};
    const robot r = load(effects, more, &report);
    if (!r.run) CHECK_FAIL("%s", report.messages[0].text);
    ff_report_clear(&report);
    if (ff_run_go(r.run, &err) != FF_OK) CHECK_FAIL("%s", err.text);
    return r;
}

static const char *effect(robot r, const char *name)
{
    const ff_scene_spec *scene = r.scene;
    for (int i = 0; i < scene->neffect; i++)
        if (strcmp(scene->effects[i].name, name) == 0) return scene->effects[i].value;
    return "";
}

TEST(sensors_are_switched_by_name_and_leave_the_motion_alone)
{
    const robot none = run("sensors: none", ""), perfect = run("sensors: perfect", ""), real = run("sensors: real", "");
    CHECK(strcmp(effect(none, "sensors"), "none") == 0 && !none.scene->plant->sensors);
    CHECK(strcmp(effect(perfect, "sensors"), "perfect") == 0 && strcmp(effect(real, "sensors"), "real") == 0);
    CHECK(strcmp(effect(real, "bus"), "none") == 0);
    CHECK(perfect.scene->plant->sensors->n ==
          24 + 24 + 6 + 1); // potentiometers, encoders, forces, gyro; no cameras unless asked for
    // nothing but sampling happens: no sampled instant ends a step that was not ended anyway
    CHECK(ff_sim_hash(ff_run_sim(none.run)) == ff_sim_hash(ff_run_sim(perfect.run)) &&
          ff_sim_hash(ff_run_sim(none.run)) == ff_sim_hash(ff_run_sim(real.run)));
    const int pot = ff_sensor_set_find(real.scene->plant->sensors, "pot_FL_tibia"),
              joint = ff_model_find_joint(real.scene->model, "FL_tibia");
    double exact, read;
    ff_sim_sensor(ff_run_sim(perfect.run), (ff_sensor_id){pot}, &exact);
    ff_sim_sensor(ff_run_sim(real.run), (ff_sensor_id){pot}, &read);
    CHECK(exact == ff_sim_q(ff_run_sim(perfect.run))[real.scene->model->joints[joint].qadr]);
    CHECK(read != exact && fabs(read - exact) < 5e-3 + 3.07e-3); // noise 1 mrad, 5 sigma, and one of 10 bits
    finish(none);
    finish(perfect);
    finish(real);
}

// A potentiometer of 10 bits with noise and a bias: rounded without noise, noisy without rounding.
TEST(errors_are_switched_by_name)
{
    const robot rounded = run("sensors: real, errors: [reading]", ""),
                noisy = run("sensors: real, errors: [noise, offset]", ""), none = run("sensors: real, errors: []", "");
    const int pot = ff_sensor_set_find(rounded.scene->plant->sensors, "pot_FL_tibia");
    const ff_sensor *s = &rounded.scene->plant->sensors->sensors[pot];
    double exact, coarse, fine;
    ff_sim_sensor(ff_run_sim(none.run), (ff_sensor_id){pot}, &exact);
    ff_sim_sensor(ff_run_sim(rounded.run), (ff_sensor_id){pot}, &coarse);
    ff_sim_sensor(ff_run_sim(noisy.run), (ff_sensor_id){pot}, &fine);
    CHECK(coarse == ff_signal_round(&s->signals[0], exact) && coarse != exact);
    CHECK(fine != exact && fabs(fine - exact) < 5e-3); // 5 sigma
    CHECK(fine != ff_signal_round(&s->signals[0], fine));
    CHECK(strcmp(effect(noisy, "errors"), "noise, offset") == 0 && strcmp(effect(none, "errors"), "none") == 0);
    finish(rounded);
    finish(noisy);
    finish(none);
}

// In the stand each foot force, turned into the world, adds up to the weight above the feet.
TEST(feet_carry_the_robot)
{
    const robot r = run("sensors: perfect", "");
    const ff_scene_spec *scene = r.scene;
    ff_sim *sim = ff_run_sim(r.run);
    double weight = 0.0;
    for (int i = 0; i < scene->plant->sensors->n; i++) {
        const ff_sensor *s = &scene->plant->sensors->sensors[i];
        double f[6], pos[3], quat[4], R[9], axes[9], world[3];
        if (s->type != FF_SENSOR_FORCE) continue;
        ff_sim_sensor(sim, (ff_sensor_id){i}, f);
        ff_dyn_body_pose(scene->model, ff_sim_data(sim), s->body, pos, quat);
        ff_quat_to_mat3(R, quat);
        ff_mat3_mul(axes, R, s->R);
        ff_mat3_mulv(world, axes, f);
        weight += world[2];
    }
    ff_sim_evaluate(sim, FF_SIM_ACCELERATION, NULL);
    // the centre of mass accelerates by what the feet give too much: m a = F - m g, from the accelerations of all
    // bodies
    double lift = 0.0, feet = 6.0 * 0.015;
    for (int b = 0; b < scene->model->nbody; b++) {
        double motion[6];
        if (scene->model->bodies[b].node < 0) continue;
        ff_dyn_point_acceleration(scene->model, ff_sim_data(sim), b, scene->model->bodies[b].com,
                                  ff_sim_data(sim)->qacc, motion);
        lift += scene->model->bodies[b].mass * motion[5];
    }
    CHECK_NEAR(weight, 5.0 * 9.81 + lift,
               feet * 9.81 + feet * 20.0); // [N] less weight and inertia of the feet below the sensors
    finish(r);
}

TEST(bus_makes_targets_late)
{
    const robot direct = run("sensors: perfect", ""), late = run("sensors: perfect, bus: {jitter: 0, loss: 0}", ""),
                lossy = run("sensors: real, bus: {loss: 0.3}", "");
    CHECK(strcmp(effect(late, "bus"), "modelled") == 0);
    CHECK(ff_sim_bus_counts(ff_run_sim(late.run)).cycles == 101 && ff_sim_bus_counts(ff_run_sim(late.run)).lost == 0);
    CHECK(ff_sim_bus_counts(ff_run_sim(lossy.run)).lost > 10);
    CHECK(ff_sim_hash(ff_run_sim(lossy.run)) != ff_sim_hash(ff_run_sim(direct.run)));
    finish(direct);
    finish(late);
    finish(lossy);
}

TEST(readings_can_be_recorded_from_a_scene)
{
    const robot r = run("sensors: real, cameras: true",
                        "record: {rate: 100, channels: [sensors.gyro, sensors.FL_foot_force, \"sensors.pot_*\"]}\n");
    int width;
    CHECK(ff_recorder_find(ff_run_recorder(r.run), "sensors.gyro", &width) > 0 && width == 2);
    CHECK(ff_recorder_find(ff_run_recorder(r.run), "sensors.FL_foot_force", &width) > 0 && width == 3);
    CHECK(r.scene->plant->sensors->n == 57);
    const ff_picture *picture = ff_sim_picture(ff_run_sim(r.run), ff_sim_find_sensor(ff_run_sim(r.run), "left_camera"));
    CHECK(picture && picture->width == 320 && picture->time > 0.09);
    // it looks ahead, level: the floor fills the lower half, the sky the upper
    CHECK(isfinite(picture->depth[230 * 320 + 160]) && isinf(picture->depth[5 * 320 + 160]));
    finish(r);
}

static void expect_mistake(const char *effects, const char *more, const char *words)
{
    ff_report report = {0};
    const robot r = load(effects, more, &report);
    bool found = false;
    for (int i = 0; i < report.count; i++)
        found = found || (strstr(report.messages[i].text, words) && report.messages[i].line > 0);
    if (!found) printf("  %s: %s\n", effects, report.count ? report.messages[0].text : "no message");
    ff_report_clear(&report);
    CHECK(found && !r.run);
    finish(r);
}

TEST(mistakes_in_effects_are_reported)
{
    expect_mistake("sensors: good", "", "good");
    expect_mistake("sensors: real, errors: [noize]", "", "did you mean 'noise'");
    expect_mistake("sensors: real, errors: noise", "",
                   "expected a list for 'errors', got 'noise'; an item is one of crosstalk");
    expect_mistake("sensors: perfect, errors: [noise]", "", "perfect sensors have no errors");
    expect_mistake("bus: modelled", "", "a bus carries sensor values");
    expect_mistake("sensors: real, bus: {loss: 2}", "", "'loss' is 2: it must be between 0 and 1");
    expect_mistake("sensors: real, bus: {period: 0}", "", "'period' is 0 s: it must be positive");
    expect_mistake("sensors: real, bus: {wait: 2 ms}", "", "would not be ready");
    expect_mistake("sensors: real, bus: {speed: 2}", "", "speed");
    expect_mistake("sensors: real", "record: {channels: [sensors.nose]}\n", "sensors.nose");
}
