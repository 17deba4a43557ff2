// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What most users of the library need: robots from files, simulations, recordings, scenes (docs/c-interface.md). The
// rest is included by wing, as <footfall/walk.h>, or by name.
#ifndef FOOTFALL_FOOTFALL_H
#define FOOTFALL_FOOTFALL_H

#include <footfall/base.h>
#include <footfall/drives.h>
#include <footfall/dyn.h>
#include <footfall/load.h>
#include <footfall/model.h>
#include <footfall/plant.h>
#include <footfall/record.h>
#include <footfall/run.h>
#include <footfall/scene.h>
#include <footfall/sensors.h>
#include <footfall/sim.h>
#include <footfall/spec.h>
#include <footfall/team.h>
#include <footfall/world.h>

#endif
