// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot as stations: interface between the files of the room.
#ifndef FOOTFALL_STATIONS_ROBOT_H
#define FOOTFALL_STATIONS_ROBOT_H

#include "hardware/schedule.h"
#include "hardware/virtual_bus.h"
#include "stations/grouping.h"
#include "stations/join.h"
#include "stations/sensor.h"

#include <footfall/stations.h>

struct ff_ec_robot {
    ff_ec_carry carry;
    void *context;
    // constant once bound
    ff_arena arena;
    ff_wiring wiring;
    ff_virtual_bus *devices;
    ff_field_bus bus; // the bus of the devices
    ff_ec_force_station *forces;
    ff_ec_imu_station *imus;
    ff_ec_gateway *gateways;
    int ngateway;
    int *channels;                    // of gateways, for each gateway item
    ff_ec_module *lineup;             // its drives, force sensors, inertial sensors, gateways
    const ff_spec_setting **settings; // station settings of each in the robot's file, NULL: none
    int ndevice;
    ff_ec_station *stations;
    int nstation;
    int *drive_station; // of each drive
    ff_ec_segment *segment;
    ff_ec_joins joins;
    bool bound;
    // changing
    unsigned char *inputs; // image of the bus
    uint16_t *reported;    // error code of each drive in its last emergency
    uint64_t begin, now;   // of the cycle, and of the next frame  [ns]
    uint64_t period;       // of the bus  [ns]
    ff_schedule schedule;
    double loss;      // share of lost frames
    ff_random random; // which of them
};

/// Executes a command, or only validates it.
ff_status ff_ec_robot_obey(ff_ec_robot *robot, const char *text, bool try_only, ff_error *err);

#endif
