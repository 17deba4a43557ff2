// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Everything of the wing bus: EtherCAT, the hardware layer, links between robot and controller, twins.
#ifndef FOOTFALL_BUS_H
#define FOOTFALL_BUS_H

#include <footfall/ethercat.h>
#include <footfall/fieldbus.h>
#include <footfall/hardware.h>
#include <footfall/link.h>
#include <footfall/master.h>
#include <footfall/stations.h>
#include <footfall/twin.h>

#endif
