// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Stations of force sensors and inertial units: what they do beside showing samples.
#ifndef FOOTFALL_STATIONS_SENSOR_H
#define FOOTFALL_STATIONS_SENSOR_H

#include "hardware/wiring.h"

#include <footfall/ethercat.h>

typedef struct ff_ec_force_station {
    ff_ec_force objects; // first: the data of the station
    const ff_sensor_wiring *wiring;
    bool tared;
    int32_t zero[6];  // what the tare takes off  [mN, uNm]
    uint32_t command; // that was seen last: its bits act when they rise
} ff_ec_force_station;
extern const ff_ec_behaviour ff_ec_force_behaviour;
/// A sample has come into the objects: takes off the tare.
void ff_ec_force_show(ff_ec_force_station *station);

typedef struct ff_ec_imu_station {
    ff_ec_imu objects; // first: the data of the station
    const ff_sensor *sensor;
} ff_ec_imu_station;
extern const ff_ec_behaviour ff_ec_imu_behaviour;

#endif
