// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A run whose controller is another process: what `footfall serve` adds to `footfall run`.
#ifndef FOOTFALL_APPS_SERVE_H
#define FOOTFALL_APPS_SERVE_H

#include <footfall/link.h>
#include <footfall/run.h>

#include <stdbool.h>

typedef struct serving {
    const char *link, *faults; // of the command line
    bool wall;
    double tolerate, wait;
    bool (*stop)(void *);
    // from serve_open on
    ff_wire *wire;
    ff_link_robot *robot;
    ff_run_relay relay;
} serving;

/// @param stop  says whether the user wants to end
serving serve_defaults(bool (*stop)(void *));
/// Opens the wire and lets it take the place of the controller of the first robot that has one.
bool serve_open(serving *s, const ff_scene_spec *scene, ff_run_options *options, ff_error *err);
/// Waits for the controller, after ff_run_create.
bool serve_meet(const serving *s, bool quiet, ff_error *err);
void serve_bye(const serving *s);
/// Counts and round trips, to stdout.
void serve_print(const serving *s);
/// A wire with or without faults.
ff_wire *open_spoiled(const char *link, ff_end end, const char *faults, ff_error *err);
void serve_close(serving *s);

#endif
