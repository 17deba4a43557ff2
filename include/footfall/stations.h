// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A robot of a scene as the stations of an EtherCAT segment: its drives and sensors answer frames, with the raw numbers
// that the simulated bus of the hardware layer has. Bytes in, bytes out: who carries frames, and when a cycle of the
// bus is over, is up to a function of the caller. docs/ethercat.md is the manual.
//
//     void carry(void *context, ff_ec_robot *robot, double t)    // one cycle of the bus
//     {
//         bool over = false;
//         while (!over) {                                        // frame-locked: time goes on with process data alone
//             size_t size = receive(bytes);
//             size = ff_ec_robot_frame(robot, bytes, size, &over);
//             if (size) send(bytes, size);
//         }
//     }
//
//     ff_ec_robot *robot = ff_ec_robot_create(carry, context, &err);
//     const ff_run_relay relay = {0, ff_ec_robot_relay(robot)};  // it takes the place of the controller
//     options.relays = &relay, options.nrelay = 1;
#ifndef FOOTFALL_STATIONS_H
#define FOOTFALL_STATIONS_H

#include <footfall/ethercat.h>
#include <footfall/steer.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ff_ec_robot ff_ec_robot;

/// Carries the frames of one cycle of the bus, which begins at `t` [s]; the simulation goes on when it returns. What
/// stations measure is that of the beginning, what they got last is applied at the end.
typedef void (*ff_ec_carry)(void *context, ff_ec_robot *robot, double t);

/// @return NULL with FF_NO_MEMORY
FF_API ff_ec_robot *ff_ec_robot_create(ff_ec_carry carry, void *context, ff_error *err);
/// After the run that uses it. NULL is allowed.
FF_API void ff_ec_robot_destroy(ff_ec_robot *robot);

/// Takes the place of the controller of a robot. The stations are made when it is bound: drives, force sensors,
/// inertial sensors, each with the name it has in the robot's file, in the order of the file or where its key `station`
/// puts them on the cable; then gateways for what is left.
/// @return its bind reports FF_BAD_MODEL where the robot has drives that cannot be led by positions
FF_API ff_relay ff_ec_robot_relay(ff_ec_robot *robot);

/// Lets distributed time go on within a cycle, for frames and for ff_ec_robot_time: where cycles last as long as on the
/// wall clock, a master that sets its own clock by it finds no steps of a cycle.
/// @param elapsed  since the beginning of the cycle; beyond the period it stands still  [s]
FF_API void ff_ec_robot_elapse(ff_ec_robot *robot, double elapsed);

/// A frame passes all stations and comes back, in place. Distributed time is simulated time: that of the beginning of
/// the cycle, unless ff_ec_robot_elapse says more. Allocates nothing.
/// @param over  set where process data of a cycle are complete (ff_ec_segment_exchanged); else it stays
/// @return bytes to send back; 0: nothing comes back
FF_API size_t ff_ec_robot_frame(ff_ec_robot *robot, unsigned char *bytes, size_t size, bool *over);

// What goes wrong, by commands. STATION is a name, as are DRIVE and SENSOR.
//     cut STATION [PORT], reconnect STATION [PORT]   the cable at a port; without one, that towards the master
//     reset STATION                             power off and on
//     watchdog STATION                          its process data watchdog expires
//     vendor STATION NUMBER                     another vendor in its EEPROM and in object 0x1018, for good
//     lose PERCENT                              share of frames that get lost, one half on either side of the stations
//     fault DRIVE, repair DRIVE                 a drive has a fault, or its cause has gone
//     stick SENSOR, overload SENSOR, free SENSOR
/// Does a command at once, once the relay is bound.
/// @return FF_OK; FF_BAD_ARGUMENT with what there is; FF_NOT_FOUND
FF_API ff_status ff_ec_robot_command(ff_ec_robot *robot, const char *text, ff_error *err);
/// Commands by simulated time, such as "0.5 cut FL_femur; 1 reconnect FL_femur", before the first cycle. They are tried at
/// once where the relay is bound, else when it is. @return FF_OK; FF_BAD_ARGUMENT; FF_NOT_FOUND; FF_NO_MEMORY
FF_API ff_status ff_ec_robot_schedule(ff_ec_robot *robot, const char *text, ff_error *err);

/// The stations, once the relay is bound: for faults, files and diagnosis.
FF_API ff_ec_segment *ff_ec_robot_segment(const ff_ec_robot *robot);
/// How many there are, with names and kinds of devices. @return (count), owned by the robot
FF_API const ff_ec_station *ff_ec_robot_stations(const ff_ec_robot *robot, int *count);
/// Distributed time: simulated time of the cycle, and what ff_ec_robot_elapse said.  [ns]
FF_API uint64_t ff_ec_robot_time(const ff_ec_robot *robot);

#ifdef __cplusplus
}
#endif
#endif
