// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Walking, for people: the table at the end of a run of robots that made steps.
#ifndef FOOTFALL_APPS_WALK_REPORT_H
#define FOOTFALL_APPS_WALK_REPORT_H

#include <footfall/run.h>

/// For each robot that stepped or fell: speed, body, support, forces, energy, and a line for each leg. After
/// ff_run_go.
void print_walking(const ff_run *run);

#endif
