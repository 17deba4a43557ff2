// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A second robot at the far end of a second wire: what --twin adds to `footfall control`.
#ifndef FOOTFALL_APPS_FAR_TWIN_H
#define FOOTFALL_APPS_FAR_TWIN_H

#include <footfall/run.h>
#include <footfall/twin.h>

typedef struct far_pair {
    const char *link, *out; // of the command line; NULL: no twin, no recording
    bool report;            // write a page, too
    // from far_open on
    double start; // clock  [s]
    const ff_run *run;
    const char *path; // of its scene
    ff_link_controller both;
    ff_wire *wire;
    ff_recorder *recorder;
    ff_far_twin *twin;
} far_pair;

/// What the run of the controller records by itself: nothing, or the time, beside which both robots find their place.
void far_record(const far_pair *p, ff_record_options *record);
/// Opens the second wire and the recording, and lets `controller` serve both robots.
/// @param run   whose controller it is; it is not simulated
/// @param path  of its scene
bool far_open(far_pair *p, ff_run *run, const char *path, const ff_link_options *options, const ff_relay_site *site,
              ff_link_controller *controller, ff_error *err);
/// Ends the conversation with the twin, reports its result, and writes summary and report beside the recording.
/// @return false: that, or the recording, could not be written
bool far_close(far_pair *p, ff_status leader, bool quiet, ff_error *err);

#endif
