// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything of the wing walk: tools of control, gaits, and controllers of robots.
#ifndef FOOTFALL_WALK_H
#define FOOTFALL_WALK_H

#include <footfall/balance.h>
#include <footfall/biped.h>
#include <footfall/climb.h>
#include <footfall/filter.h>
#include <footfall/fractional.h>
#include <footfall/free_legs.h>
#include <footfall/hexapod.h>
#include <footfall/ik.h>
#include <footfall/planar_walk.h>
#include <footfall/qp.h>
#include <footfall/static_walk.h>
#include <footfall/steer.h>

#endif
