// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors and bus of a scene: `effects: {sensors: perfect | real, bus: modelled, cameras: true}`. With a modelled bus
// the targets of the joint law reach the drives in frames, one a millisecond, with delay and losses; without one there
// is no delay.
#include "plant/compile.h"
#include "scene/running.h"
#include "sense/interface.h"

#include <string.h>

void ff_scene_note_effect(ff_scene_spec *scene, const char *name, const char *value)
{
    scene->effects[scene->neffect++] = (ff_effect){name, value};
}

/// Reads `bus: modelled`, or a map with numbers of a modelled bus.
static void read_bus(const ff_scene_reader *r, ff_yaml *node)
{
    static const char *const words[] = {"none", "modelled", NULL};
    ff_scene_spec *scene = r->scene;
    ff_error err = {0};
    ff_yaml *bus = ff_yaml_get(node, "bus");
    scene->bus = ff_bus_default();
    scene->bus.modelled = false;
    scene->bus.seed = scene->options.seed;
    if (bus && bus->type == FF_YAML_MAP) {
        scene->bus.modelled = true;
        scene->bus.period = ff_yaml_number(bus, "period", scene->bus.period, r->report);
        // `wait`: from the arrival of a telegram to the next samples of the sensors.
        scene->bus.wait = ff_yaml_number(bus, "wait", 0.5 * scene->bus.period, r->report);
        scene->bus.transfer = ff_yaml_number(bus, "transfer", scene->bus.transfer, r->report);
        scene->bus.jitter = ff_yaml_number(bus, "jitter", scene->bus.jitter, r->report);
        scene->bus.loss = ff_yaml_number(bus, "loss", scene->bus.loss, r->report);
    } else
        scene->bus.modelled = ff_yaml_choice(node, "bus", words, 0, r->report) == 1;
    if (ff_bus_check(&scene->bus, &err) != FF_OK) ff_report_add(r->report, FF_ERROR, bus->place, "%s", err.text);
    if (scene->bus.modelled && !scene->driven)
        ff_report_add(r->report, FF_ERROR, bus->place,
                      "a bus carries references to drives: write 'drives: ideal' or 'drives: full'");
    if (scene->bus.modelled && !scene->sensed)
        ff_report_add(r->report, FF_ERROR, bus->place,
                      "a bus carries sensor values: write 'sensors: perfect' or 'sensors: real'");
    ff_scene_note_effect(scene, "bus", words[scene->bus.modelled]);
}

/// Reads `errors: [noise, delay]`, the error stages of sensors that act; all of them by default.
static void read_errors(const ff_scene_reader *r, ff_yaml *effects)
{
    static const char *const names[] = {"crosstalk", "bandwidth", "offset", "noise", "sampling", "reading", "delay"};
    enum { COUNT = sizeof names / sizeof *names };
    ff_scene_spec *scene = r->scene;
    ff_yaml *list = ff_yaml_get(effects, "errors");
    if (!list) return;
    if (scene->sensor_options.stages == FF_STAGES_NONE)
        ff_report_add(r->report, FF_ERROR, list->place, "perfect sensors have no errors: write 'sensors: real'");
    unsigned stages = FF_STAGES_NONE;
    const char *shown = "none";
    for (const ff_yaml *item = list->child; item; item = item->next)
        for (int k = 0; k < COUNT; k++) {
            if (strcmp(item->text, names[k]) != 0) continue;
            shown = stages ? ff_arena_printf(&scene->arena, "%s, %s", shown, names[k]) : names[k];
            stages |= 1U << k;
        }
    scene->sensor_options.stages = stages;
    ff_scene_note_effect(scene, "errors", shown);
}

void ff_scene_read_sensing(ff_scene_reader *r, ff_yaml *effects)
{
    static const char *const words[] = {"none", "perfect", "real", NULL};
    ff_scene_spec *scene = r->scene;
    const bool steered = ff_scene_names_controller(r);
    const int choice = ff_yaml_choice(effects, "sensors", words, steered ? 1 : 0, r->report);
    if (steered && choice == 0)
        ff_report_add(r->report, FF_ERROR, ff_yaml_get(effects, "sensors")->place,
                      "a controller reads sensors alone: write 'sensors: perfect' or 'sensors: real'");
    scene->sensed = choice > 0;
    scene->sensor_options = ff_sensor_options_default();
    scene->sensor_options.stages = choice == 2 ? FF_STAGES_ALL : FF_STAGES_NONE;
    scene->sensor_options.cameras = ff_yaml_boolean(effects, "cameras", false, r->report);
    ff_scene_note_effect(scene, "sensors", words[choice]);
    read_errors(r, effects);
    read_bus(r, effects);
}

// ------------------------------------------------------------------------------------------ checks

/// Reports errors in sensors also without `effects`; warnings about what is not modelled matter only with them.
static void report_mistakes(const ff_scene_reader *r)
{
    ff_report found = {0};
    ff_sensor_set_destroy(ff_sensor_set_create(r->scene->model, NULL, &found));
    ff_scene_hand_over(&found, 1U << FF_ERROR, r->report);
}

void ff_scene_read_sensors(ff_scene_reader *r)
{
    if (r->scene->sensed)
        ff_plant_make_sensors(r->scene->plant, &r->scene->sensor_options, r->report);
    else
        report_mistakes(r);
}

void ff_scene_check_sensing(ff_scene_reader *r)
{
    const ff_plant *plant = r->scene->plant;
    ff_yaml *effects = ff_yaml_get(r->root, "effects");
    if (!plant->sensors || !effects) return;
    if (plant->sensors->n == 0)
        ff_report_add(r->report, FF_WARNING, effects->place,
                      "no robot of this scene describes sensors%s: nothing is sensed",
                      r->scene->sensor_options.cameras ? "" : " other than cameras, which need 'cameras: true'");
    if (plant->drives && r->scene->bus.modelled)
        ff_scene_check_host(r, plant->drives, plant->sensors, ff_yaml_get(effects, "bus")->place);
}

bool ff_scene_senses_shapes(const ff_scene_spec *scene)
{
    const ff_sensor_set *set = scene->plant->sensors;
    for (int i = 0; set && i < set->n; i++)
        if (ff_sensor_needs(set->sensors[i].type) & FF_NEEDS_SHAPES) return true;
    return false;
}

void ff_run_advise_sensors(const ff_run *run, ff_report *report)
{
    const ff_scene_spec *scene = run->scene;
    ff_sensor_options o = scene->sensor_options;
    ff_report found = {0};
    if (!scene->sensed) return;
    // With a loop span, fast sensors are sampled with the bus, and steps end with the spans.
    const bool steady = ff_sim_options_fixed_step(&run->options.sim) && !(scene->drive_options.loop_span > 0.0);
    if (steady) o.step = run->options.sim.step;
    ff_sensor_set_destroy(ff_sensor_set_create(scene->model, &o, &found));
    ff_scene_hand_over(&found, 1U << FF_NOTE, report);
}
