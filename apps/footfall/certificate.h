// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The certificate of a run as a table and as files.
#ifndef FOOTFALL_APPS_CERTIFICATE_H
#define FOOTFALL_APPS_CERTIFICATE_H

#include "run_report.h"

/// What it says, and the numbers that the scene expects or reports with their bars, to stdout.
/// @param took  beside the run itself  [s]
void print_certificate(const ff_certificate *certificate, const ff_scene_spec *scene, double took);
/// Writes the summary with the certificate in place of the one without, and the bands. Where a file cannot be written,
/// the older one stays. False with the reason in `err`.
bool write_certificate(const ended_run *result, const ff_certifier *certifier, run_files *files, ff_arena *arena,
                       ff_error *err);

#endif
