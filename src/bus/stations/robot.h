// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot as stations: interface between the files of the room.
//     robot.c    the relay: a cycle, and making the stations
//     devices.c  behaviour of the stations of drives and sensors
//     placing.c  devices that share a slave, couplers, the order of stations on the cable
//     command.c  commands of the operator
#ifndef FOOTFALL_STATIONS_ROBOT_H
#define FOOTFALL_STATIONS_ROBOT_H

#include "hardware/virtual_bus.h"
#include "model/cable.h"

#include <footfall/stations.h>

// ------------------------------------------------------------------------------------------ placing.c

/// Sorts stations in the order of frames and sets their connections. Those without a position follow in a line.
/// @param stations  sorted  (count)
/// @param order     receives the original index of each station  (count)
/// @return FF_OK; FF_BAD_MODEL: one is connected to an address without a device; FF_NO_MEMORY
ff_status ff_ec_stations_sort(ff_ec_station *stations, const ff_cable_place *places, int count, int *order,
                              ff_error *err);

/// Devices of a robot that share a slave, since its file gives them the same station address; and couplers on the path
/// to them, at addresses without a device.
typedef struct ff_ec_grouping {
    ff_ec_station *stations; // in the order of their first devices, then couplers
    ff_cable_place *places;
    int nstation;
    int *station_of; // of each device
} ff_ec_grouping;

/// Groups devices to stations.
/// @param settings  station settings of each device in the file, NULL: none  (count)
/// @param shared    number of devices at the end of the list without their own station: they join the first slave with
///                  several devices, if there is one
/// @return FF_OK; FF_NO_MEMORY
ff_status ff_ec_group(ff_ec_grouping *grouping, const ff_ec_module *devices, const ff_spec_setting *const *settings,
                      int count, int shared, ff_arena *arena, ff_error *err);

// ------------------------------------------------------------------------------------------ devices.c

// The data of the station of a drive is an ff_virtual_drive, which begins with the objects.
extern const ff_ec_behaviour ff_ec_drive_behaviour;
/// Sets the position limits (607D) to those of the joint, until the master writes others. A drive counts from its
/// initial position: so the limits are known with its first position, and are shifted by homing.
void ff_ec_drive_limit(ff_virtual_drive *drive);
/// The error register (object 0x1001) for an error code of CiA 402; 0: none.
uint8_t ff_ec_error_register(uint16_t code);

typedef struct ff_ec_force_station {
    ff_ec_force objects; // the first member: data of the station
    const ff_virtual_force *sensor;
    bool tared;
    int32_t zero[6];  // tare  [mN, uNm]
    uint32_t command; // last value: its bits act at their rising edge
} ff_ec_force_station;
extern const ff_ec_behaviour ff_ec_force_behaviour;
/// Copies the sample of the sensor to the objects, and subtracts the tare.
void ff_ec_force_update(ff_ec_force_station *station);

typedef struct ff_ec_imu_station {
    ff_ec_imu objects; // the first member: data of the station
    const ff_virtual_imu *sensor;
} ff_ec_imu_station;
extern const ff_ec_behaviour ff_ec_imu_behaviour;
void ff_ec_imu_update(ff_ec_imu_station *station);

// ------------------------------------------------------------------------------------------ robot.c and command.c

struct ff_ec_robot {
    ff_ec_transport transport;
    void *context;
    // constant once bound
    ff_arena arena;
    ff_wiring wiring;
    ff_virtual_bus *bus; // the simulated bus
    const ff_virtual_devices *devices;
    ff_ec_force_station *forces;
    ff_ec_imu_station *imus;
    ff_ec_gateway *gateways;
    int ngateway;
    int *channels;                    // of gateways, for each gateway item
    ff_ec_module *devices_in_order;   // its drives, force sensors, inertial sensors, gateways
    const ff_spec_setting **settings; // station settings of each in the robot's file, NULL: none
    int ndevice;
    ff_ec_station *stations;
    int nstation;
    int *drive_station; // of each drive
    ff_ec_segment *segment;
    bool bound;
    // changing
    uint16_t *sent_codes; // error code of each drive in its last emergency
    uint64_t begin, now;  // of the cycle, and of the next frame  [ns]
    uint64_t period;      // of the bus  [ns]
    ff_schedule schedule;
    double loss;      // share of lost frames
    ff_random random; // which of them
};

/// Executes a command, or only validates it.
ff_status ff_ec_robot_execute(ff_ec_robot *robot, const char *text, bool check_only, ff_error *err);

#endif
