// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From a description to a plant, and from a plant to a simulation.
#include "plant/compile.h"
#include "base/missing.h"
#include "drive/interface.h"
#include "plant/drives.h"
#include "plant/sensors.h"
#include "sense/interface.h"

#include <footfall/load.h>

#include <stdlib.h>

ff_plant_options ff_plant_options_default(void)
{
    return (ff_plant_options){.load = ff_load_options_default(),
                              .driven = true,
                              .drive = ff_drive_options_default(),
                              .sensed = true,
                              .sensor = ff_sensor_options_default()};
}

/// A plant, and what is freed with it.
typedef struct owning_plant {
    ff_plant plant; // first: both have one address
    ff_model *model;
    ff_drive_set *drives;
    ff_sensor_set *sensors;
} owning_plant;

/// Compiles with the rotors as the drives of these options need them. The armatures of the description are restored: it
/// may be compiled again with other options.
static ff_model *compile_driven(ff_spec *spec, const ff_plant_options *o, ff_report *report)
{
    double *of_joints = malloc(((size_t)spec->njoint + (size_t)spec->ndrive + 1) * sizeof *of_joints);
    if (!of_joints) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "no memory for the rotors");
        return NULL;
    }
    double *of_drives = of_joints + spec->njoint;
    for (int i = 0; i < spec->njoint; i++) of_joints[i] = spec->joints[i].armature;
    for (int i = 0; i < spec->ndrive; i++) of_drives[i] = spec->drives[i].armature;
    ff_drive_prepare(spec, &o->drive);
    ff_model *model = ff_model_compile(spec, &o->load, report);
    for (int i = 0; i < spec->njoint; i++) spec->joints[i].armature = of_joints[i];
    for (int i = 0; i < spec->ndrive; i++) spec->drives[i].armature = of_drives[i];
    free(of_joints);
    return model;
}

ff_plant *ff_plant_begin(ff_spec *spec, const ff_plant_options *o, ff_report *report)
{
    owning_plant *w = calloc(1, sizeof *w);
    if (!w) {
        ff_report_add(report, FF_ERROR, (ff_place){0}, "no memory for the plant");
        return NULL;
    }
    w->model = o->driven ? compile_driven(spec, o, report) : ff_model_compile(spec, &o->load, report);
    w->plant.model = w->model;
    if (w->model) return &w->plant;
    free(w);
    return NULL;
}

bool ff_plant_make_drives(ff_plant *plant, const ff_drive_options *options, ff_report *report)
{
    owning_plant *w = (owning_plant *)plant;
    w->plant.drives = w->drives = ff_drive_set_create(plant->model, options, report);
    return w->drives != NULL;
}

bool ff_plant_make_sensors(ff_plant *plant, const ff_sensor_options *options, ff_report *report)
{
    owning_plant *w = (owning_plant *)plant;
    w->plant.sensors = w->sensors = ff_sensor_set_create(plant->model, options, report);
    return w->sensors != NULL;
}

ff_plant *ff_plant_compile(ff_spec *spec, const ff_plant_options *options, ff_report *report)
{
    const ff_plant_options o = options ? *options : ff_plant_options_default();
    ff_report ignored = {0};
    if (!spec) return ff_report_missing(report, __func__, "description"), NULL;
    if (!report) report = &ignored;
    ff_plant *plant = ff_plant_begin(spec, &o, report);
    bool made = plant != NULL;
    if (plant && o.driven) made = ff_plant_make_drives(plant, &o.drive, report) && made;
    if (plant && o.sensed)
        made = ff_plant_make_sensors(plant, &o.sensor, report) && made; // also after mistakes of drives
    ff_report_clear(&ignored);
    if (made) return plant;
    ff_plant_destroy(plant);
    return NULL;
}

ff_plant *ff_plant_load(const char *path, const ff_plant_options *options, ff_report *report)
{
    if (!path) return ff_report_missing(report, __func__, "path"), NULL;
    const ff_load_options load = options ? options->load : ff_load_options_default();
    ff_spec *spec = ff_spec_create(NULL);
    ff_plant *plant = NULL;
    if (!spec)
        ff_report_add(report, FF_ERROR, (ff_place){path, 0, 0}, "%s", ff_status_text(FF_NO_MEMORY));
    else if (ff_spec_load(spec, path, &load, report) == FF_OK)
        plant = ff_plant_compile(spec, options, report);
    ff_spec_destroy(spec);
    return plant;
}

void ff_plant_destroy(ff_plant *plant)
{
    owning_plant *w = (owning_plant *)plant;
    if (!w) return;
    ff_sensor_set_destroy(w->sensors);
    ff_drive_set_destroy(w->drives);
    ff_model_destroy(w->model);
    free(w);
}

ff_status ff_sim_add_plant(ff_sim *sim, const ff_plant *plant, ff_error *err)
{
    if (!sim || !plant) return ff_error_missing(err, __func__, sim ? "plant" : "simulation");
    if (plant->model != sim->model)
        return ff_error_set(err, FF_BAD_ARGUMENT, "the simulation is one of another model than the plant's");
    ff_status status = plant->drives ? ff_drives_join(sim, plant->drives, err) : FF_OK;
    if (status == FF_OK && plant->sensors) status = ff_sensors_join(sim, plant->sensors, err);
    return status;
}
