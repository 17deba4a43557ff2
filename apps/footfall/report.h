// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports of runs, shared by `footfall report` and `footfall run --report`.
#ifndef FOOTFALL_APPS_REPORT_H
#define FOOTFALL_APPS_REPORT_H

#include <footfall/run.h>
#include <footfall/studio.h>

/// Adds to what a scene records that which a report shows: poses, centre of mass, energy, and where robots have legs
/// the feet. Refuses where the build has no pages.
bool report_widen(const ff_scene_spec *scene, ff_record_options *record, ff_arena *arena, ff_error *err);

/// Says so on stderr where a recording lacks its end, or its run did not come to its own.
void report_cut_short(const ff_recording *recording);

/// Reads a run (its folder or run.h5) and writes the page; remarks on what it lacks go to stderr.
bool report_write(const char *run, const char *path, ff_error *err);

#endif
