// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything of the wing physics: descriptions and models of robots, their dynamics, contacts and simulation; and of
// the wing base, on which all stand.
#ifndef FOOTFALL_PHYSICS_H
#define FOOTFALL_PHYSICS_H

#include <footfall/base.h>
#include <footfall/collide.h>
#include <footfall/contact.h>
#include <footfall/dyn.h>
#include <footfall/geom.h>
#include <footfall/json.h>
#include <footfall/linalg.h>
#include <footfall/loop.h>
#include <footfall/math.h>
#include <footfall/model.h>
#include <footfall/response.h>
#include <footfall/sim.h>
#include <footfall/spatial.h>
#include <footfall/spec.h>
#include <footfall/team.h>
#include <footfall/text.h>
#include <footfall/world.h>

#endif
