// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot as stations: interface between the files of the room.
//     robot.c    the relay: a cycle, and making the stations
//     devices.c  behaviour of the stations of drives and sensors
//     join.c     values of the simulated bus in the objects of sensors
//     placing.c  devices that share a slave, couplers, the order of stations on the cable
//     command.c  commands of the operator
#ifndef FOOTFALL_STATIONS_ROBOT_H
#define FOOTFALL_STATIONS_ROBOT_H

#include "hardware/schedule.h"
#include "hardware/virtual_bus.h"
#include "model/cable.h"

#include <footfall/stations.h>

// ------------------------------------------------------------------------------------------ placing.c

/// Sorts stations in the order of frames and sets their connections. Those without a position follow in their order, in
/// a line. @param stations  (count), changed @param order     original index of each station: (count), written @return
/// FF_OK; FF_BAD_MODEL: one is connected to an address without a device; FF_NO_MEMORY
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

/// @param devices   (count) @param settings  station settings of each in the file, NULL: none  (count) @param shared
/// number of the last devices without their own station: they join the first slave with several devices, if there is
/// one @return FF_OK; FF_NO_MEMORY
ff_status ff_ec_group(ff_ec_grouping *grouping, const ff_ec_module *devices, const ff_spec_setting *const *settings,
                      int count, int shared, ff_arena *arena, ff_error *err);

// ------------------------------------------------------------------------------------------ join.c

// The process image of the simulated bus (hardware/virtual_bus.h) is linked to the objects of sensors by index and
// subindex, which are the same on both sides except for sample times, for which join.c has a table. Stations of drives
// need no copy: they use the objects of the virtual drives.

/// A value of the image and its object.
typedef struct ff_ec_join {
    size_t offset; // in the image
    int bytes;     // there
    void *field;   // field in the struct of a station, in native byte order
    size_t size;   // of the field: the lowest bytes if the image has more
} ff_ec_join;

/// A time of the image, negative while there is no sample, and its bit 'valid'.
typedef struct ff_ec_known {
    size_t offset;
    uint32_t *flags, bit;
} ff_ec_known;

typedef struct ff_ec_joins {
    ff_ec_join *inputs; // of the master
    ff_ec_known *known;
    int ninput, nknown;
} ff_ec_joins;

/// Devices with the objects of the bus.
typedef struct ff_ec_lineup {
    const ff_ec_module *devices; // those with objects of the bus  (count)
    int count;
    const int *channels; // channel over all gateways for each item of the bus's gateway; -1: not transmitted
    ff_ec_gateway *gateways;
} ff_ec_lineup;

/// @return FF_OK; FF_NOT_FOUND: no device has an object; FF_NO_MEMORY
ff_status ff_ec_joins_make(ff_ec_joins *joins, const ff_field_bus *bus, const ff_ec_lineup *lineup, ff_arena *arena,
                           ff_error *err);
/// Copies the image to the inputs of the master.
void ff_ec_joins_show(const ff_ec_joins *joins, const unsigned char *inputs);

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

// ------------------------------------------------------------------------------------------ robot.c and command.c

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
