// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Robots from files and into files. A format is named as its files end, whatever the case of the letters: "urdf",
// "mjcf" or "xml", "yaml" or "native".
#ifndef FOOTFALL_LOAD_H
#define FOOTFALL_LOAD_H

#include <footfall/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// =========================================================================================================
// Reading

/// Reads a robot file into an empty description; the format is recognised by the content (URDF <robot>, MJCF <mujoco>,
/// YAML). Of a URDF or MJCF robot that floats, chains of joints that end in its lowest shapes become legs, with a note
/// (docs/model-files.md). Every problem goes to `report`. @return FF_OK (warnings possible) or the status of the worst
/// error
FF_API ff_status ff_spec_load(ff_spec *spec, const char *path, const ff_load_options *options, ff_report *report);
/// The same from memory, in a format that is known, without a search for legs.
/// @param file  the name used in messages and the base of relative paths
FF_API ff_status ff_spec_parse(ff_spec *spec, const char *format, const char *text, size_t length, const char *file,
                               const ff_load_options *options, ff_report *report);
/// ff_spec_load and ff_model_compile in one. @return NULL on error, with the reasons in `report`
FF_API ff_model *ff_model_load(const char *path, const ff_load_options *options, ff_report *report);

// =========================================================================================================
// Writing

/// The robot as a text of a format. MJCF is for MuJoCo 2.2.2 and later (docs/mjcf.md): the same bodies, joints, q and
/// v, masses, passive joint forces, limits, shapes with their friction, frames, drives as far as MJCF has their law,
/// loops, sensors and poses. URDF (docs/urdf.md) is one tree of links with hinges, slides, planar and free joints;
/// frames become links without mass; springs, loops, drives beyond a motor with its gear and rotor, sensors and poses
/// are warnings. The description is compiled on the way, with `options` (NULL: the default ones), and must have no
/// errors. What the format cannot express is a warning of `report`, once a kind, with the first name and the count.
/// @return text to free; NULL with errors in `report`: a description that does not compile, a joint that the format
/// lacks, a format that is not written, no memory
FF_API char *ff_spec_format(const ff_spec *spec, const char *format, const ff_load_options *options, ff_report *report);
/// Writes the robot to a file, MJCF where the path ends in .xml or .mjcf, URDF where it ends in .urdf. A file that the
/// robot was read from is not overwritten.
/// @return FF_OK (warnings possible); FF_BAD_ARGUMENT: the ending is not known, or the path is one of the robot's own
/// files; FF_BAD_MODEL: the format cannot hold the robot; FF_BAD_FILE: it cannot be written. Then `report` says why
FF_API ff_status ff_spec_save(const ff_spec *spec, const char *path, const ff_load_options *options, ff_report *report);

#ifdef __cplusplus
}
#endif

#endif
