// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Behaviour of stations of force sensors and inertial measurement units.
#ifndef FOOTFALL_STATIONS_SENSOR_H
#define FOOTFALL_STATIONS_SENSOR_H

#include "hardware/wiring.h"

#include <footfall/ethercat.h>

typedef struct ff_ec_force_station {
    ff_ec_force objects; // the first member: data of the station
    const ff_sensor_wiring *wiring;
    bool tared;
    int32_t zero[6];  // tare  [mN, uNm]
    uint32_t command; // last value: its bits act at their rising edge
} ff_ec_force_station;
extern const ff_ec_behaviour ff_ec_force_behaviour;
/// New sample in the objects: subtracts the tare.
void ff_ec_force_show(ff_ec_force_station *station);

typedef struct ff_ec_imu_station {
    ff_ec_imu objects; // the first member: data of the station
    const ff_sensor *sensor;
} ff_ec_imu_station;
extern const ff_ec_behaviour ff_ec_imu_behaviour;

#endif
