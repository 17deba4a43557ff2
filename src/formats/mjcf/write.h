// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Parts of the MJCF writer: write.c writes the tree, write_tendons.c tendons, write_drives.c drives and actuators with
// their tendons, write_sensors.c sensors, write_other.c all other sections.
#ifndef FOOTFALL_MJCF_WRITE_H
#define FOOTFALL_MJCF_WRITE_H

#include "files/writing.h"

/// The whole.
char *mjcf_write(const ff_spec *spec, const ff_load_options *options, ff_report *report);
/// Name of a body of the model: its own, except "world", which MJCF reserves. -1: the world.
const char *mjcf_body_name(ff_writing *w, int body);

/// <tendon>: those of the robot.
void mjcf_put_tendons(ff_writing *w);
/// <tendon> of drives, and <actuator>.
/// @return how many actuators there are, -1 where some are drives, whose commands differ
int mjcf_put_drives(ff_writing *w);
/// <asset>: meshes.
void mjcf_put_meshes(ff_writing *w);
/// <equality>, with the tendons that rods are.
void mjcf_put_loops(ff_writing *w);
/// <contact>: excluded pairs of bodies, and pairs of shapes that can touch in spite of their filters.
void mjcf_put_contacts(ff_writing *w);
/// solref and of solimp d, where a file gave solref.
void mjcf_put_hardness(ff_writing *w, const ff_mjcf_contact *numbers, const char *owner, ff_place place);
/// Is the geom on the world, or on a body that does not move?
bool mjcf_is_fixed(const ff_writing *w, const ff_spec_geom *geom);
/// Why a shape cannot be written, NULL: it can.
const char *mjcf_shape_obstacle(const ff_writing *w, const ff_spec_geom *geom);
void mjcf_put_sensors(ff_writing *w);
/// Shape and size of the site of a touch sensor.
void mjcf_put_zone(ff_writing *w, const char *site);
/// Magnetic flux of the world, from the settings of the magnetometers.
void mjcf_put_magnetic(ff_writing *w);
/// <keyframe>; commands are written for `nactuator` actuators of the model, or for none.
void mjcf_put_keys(ff_writing *w, int nactuator);
/// Reports what only Footfall has: legs, hands, batteries.
void mjcf_report_rest(ff_writing *w);

#endif
