// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything of the wing robot: models of drives and sensors, frames between a robot and its controller.
#ifndef FOOTFALL_ROBOT_H
#define FOOTFALL_ROBOT_H

#include <footfall/camera.h>
#include <footfall/drive.h>
#include <footfall/drive_parts.h>
#include <footfall/drives.h>
#include <footfall/fusion.h>
#include <footfall/io_bus.h>
#include <footfall/plant.h>
#include <footfall/sense.h>
#include <footfall/sensors.h>
#include <footfall/signal.h>
#include <footfall/tactile.h>

#endif
