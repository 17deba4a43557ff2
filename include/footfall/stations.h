// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot of a scene as the stations of an EtherCAT segment: its drives and sensors answer frames, with the raw numbers
// of the simulated bus of the hardware layer. A function of the caller transports the frames and decides when a cycle
// of the bus is complete. docs/ethercat.md is the manual.
//
//     void transport(void *context, ff_ec_robot *robot, double t)    // one cycle of the bus
//     {
//         bool over = false;
//         while (!over) {                                        // frame-locked: process data advance the time
//             size_t size = receive(bytes);
//             size = ff_ec_robot_frame(robot, bytes, size, &over);
//             if (size) send(bytes, size);
//         }
//     }
//
//     ff_ec_robot *robot = ff_ec_robot_create(transport, context, &err);
//     const ff_run_relay relay = {0, ff_ec_robot_relay(robot)};  // the controller of the robot
//     options.relays = &relay, options.nrelay = 1;
#ifndef FOOTFALL_STATIONS_H
#define FOOTFALL_STATIONS_H

#include <footfall/ethercat.h>
#include <footfall/steer.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ff_ec_robot ff_ec_robot;

/// Transports the frames of one cycle of the bus, which begins at `t` [s]; the simulation continues when it returns.
/// Inputs of stations are those of the beginning, their last outputs are applied at the end.
typedef void (*ff_ec_transport)(void *context, ff_ec_robot *robot, double t);

/// @return NULL with FF_NO_MEMORY
FF_API ff_ec_robot *ff_ec_robot_create(ff_ec_transport transport, void *context, ff_error *err);
/// To be called after the run that uses it is destroyed. NULL is allowed.
FF_API void ff_ec_robot_destroy(ff_ec_robot *robot);

/// The controller of a robot. The stations are created when it is bound: drives, force sensors and inertial sensors,
/// each with its name in the robot's file, in the order of the file or at the position of its key `station`; then
/// gateways for all other sensors.
/// @return its bind reports FF_BAD_MODEL if the robot has drives that cannot be controlled by positions
FF_API ff_relay ff_ec_robot_relay(ff_ec_robot *robot);

/// Advances the distributed time within a cycle, for frames and for ff_ec_robot_time. In real time a master can then
/// synchronise its clock without steps of one cycle.
/// @param elapsed  since the beginning of the cycle; limited to the period  [s]
FF_API void ff_ec_robot_elapse(ff_ec_robot *robot, double elapsed);

/// Passes a frame through all stations, in place. Distributed time is simulated time: that of the beginning of the
/// cycle, plus that of ff_ec_robot_elapse. Allocates nothing.
/// @param over  set to true if the process data of a cycle are complete (ff_ec_segment_exchanged), else not changed
/// @return bytes to send back; 0: there is no answer
FF_API size_t ff_ec_robot_frame(ff_ec_robot *robot, unsigned char *bytes, size_t size, bool *over);

// Commands that inject faults. STATION, DRIVE and SENSOR are names.
//     cut STATION [PORT], reconnect STATION [PORT]   the cable at a port; without PORT the one towards the master
//     reset STATION                             power off and on
//     watchdog STATION                          its process data watchdog expires
//     vendor STATION NUMBER                     another vendor in its EEPROM and in object 0x1018
//     lose PERCENT                              share of frames that are lost, half of them behind the stations
//     fault DRIVE, repair DRIVE                 a drive has a fault; its cause is removed
//     stick SENSOR, overload SENSOR, free SENSOR
/// Executes a command immediately. The relay must be bound.
/// @return FF_OK; FF_BAD_ARGUMENT with the known commands; FF_NOT_FOUND
FF_API ff_status ff_ec_robot_command(ff_ec_robot *robot, const char *text, ff_error *err);
/// Commands by simulated time, such as "0.5 cut FL_femur; 1 reconnect FL_femur", before the first cycle. They are
/// checked at once if the relay is bound, else when it is bound. @return FF_OK; FF_BAD_ARGUMENT; FF_NOT_FOUND;
/// FF_NO_MEMORY
FF_API ff_status ff_ec_robot_schedule(ff_ec_robot *robot, const char *text, ff_error *err);

/// The segment, once the relay is bound: for faults, files and diagnosis.
FF_API ff_ec_segment *ff_ec_robot_segment(const ff_ec_robot *robot);
/// The stations with their names and devices. @return (count), owned by the robot
FF_API const ff_ec_station *ff_ec_robot_stations(const ff_ec_robot *robot, int *count);
/// Distributed time: simulated time of the cycle, plus that of ff_ec_robot_elapse.  [ns]
FF_API uint64_t ff_ec_robot_time(const ff_ec_robot *robot);

#ifdef __cplusplus
}
#endif
#endif
