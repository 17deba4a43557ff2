// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// ff_plant_compile in three steps, for scenes, which report the errors of each in their own words and continue.
#ifndef FOOTFALL_PLANT_COMPILE_H
#define FOOTFALL_PLANT_COMPILE_H

#include <footfall/plant.h>

/// A plant with its model alone, whose rotors suit the options. @return NULL when `report` has errors afterwards
ff_plant *ff_plant_begin(ff_spec *spec, const ff_plant_options *options, ff_report *report);
/// Makes the drives of the model, or its sensors. @return false when something was reported as an error: the plant has
/// none then
bool ff_plant_make_drives(ff_plant *plant, const ff_drive_options *options, ff_report *report);
bool ff_plant_make_sensors(ff_plant *plant, const ff_sensor_options *options, ff_report *report);

#endif
