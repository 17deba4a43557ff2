// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything a user of the library may include.
#ifndef FOOTFALL_FOOTFALL_H
#define FOOTFALL_FOOTFALL_H

#include <footfall/balance.h>
#include <footfall/base.h>
#include <footfall/batch.h>
#include <footfall/batch_outcome.h>
#include <footfall/biped.h>
#include <footfall/bus.h>
#include <footfall/camera.h>
#include <footfall/certify.h>
#include <footfall/climb.h>
#include <footfall/collide.h>
#include <footfall/contact.h>
#include <footfall/drive.h>
#include <footfall/drive_parts.h>
#include <footfall/drives.h>
#include <footfall/dyn.h>
#include <footfall/ethercat.h>
#include <footfall/fieldbus.h>
#include <footfall/filter.h>
#include <footfall/fractional.h>
#include <footfall/free_legs.h>
#include <footfall/fusion.h>
#include <footfall/geom.h>
#include <footfall/hardware.h>
#include <footfall/hexapod.h>
#include <footfall/ik.h>
#include <footfall/json.h>
#include <footfall/keys.h>
#include <footfall/link.h>
#include <footfall/load.h>
#include <footfall/loop.h>
#include <footfall/master.h>
#include <footfall/measure.h>
#include <footfall/model.h>
#include <footfall/planar_walk.h>
#include <footfall/plant.h>
#include <footfall/qp.h>
#include <footfall/record.h>
#include <footfall/response.h>
#include <footfall/run.h>
#include <footfall/scene.h>
#include <footfall/sense.h>
#include <footfall/sensors.h>
#include <footfall/signal.h>
#include <footfall/sim.h>
#include <footfall/spec.h>
#include <footfall/static_walk.h>
#include <footfall/stations.h>
#include <footfall/steer.h>
#include <footfall/studio.h>
#include <footfall/tactile.h>
#include <footfall/team.h>
#include <footfall/text.h>
#include <footfall/twin.h>
#include <footfall/world.h>

#endif
