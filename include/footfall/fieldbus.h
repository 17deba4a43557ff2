// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The EtherCAT master (footfall/master.h) as the field bus of the hardware layer (footfall/hardware.h): slaves have the
// names of the drives and sensors of a robot, and their process data contain the objects of the layer. The room
// fieldbus; docs/ethercat.md is its manual.
//
//     ff_ec_bus *bus = ff_ec_bus_create(&wire, &options, &err);
//     ff_ec_bus_start(bus, &site, &err);                       // scans the segment, PRE-OP
//     const ff_field_bus functions = ff_ec_bus_functions(bus);
//     ff_hardware_bind(layer, &site, &functions, &err);
//     for (;;) { wait for the timing event;  ff_hardware_cycle(layer, t); }
#ifndef FOOTFALL_FIELDBUS_H
#define FOOTFALL_FIELDBUS_H

#include <footfall/hardware.h>
#include <footfall/master.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Transport of frames: a network interface, or a function call to virtual slaves.
typedef struct ff_ec_wire {
    void *context;
    /// @return whether the frame was sent
    bool (*send)(void *context, const unsigned char *bytes, size_t size);
    /// The next received frame, within `wait` seconds. @return its bytes; 0: none
    size_t (*receive)(void *context, unsigned char bytes[FF_EC_PACKET_MAX], double wait);
    /// A clock that never runs backwards.  [ns]
    uint64_t (*now)(void *context);
    /// Has the user requested to stop? Called while the bus waits. NULL: never
    bool (*stop)(void *context);
} ff_ec_wire;

typedef struct ff_ec_bus_options {
    ff_ec_master_options master; // `configure` and `sync0` are set here
    bool sync0;                  // Sync0 signals with the period of the bus
    bool time_from_start;        // times of samples count from the first exchange; else they are distributed times
    double exchange_timeout;     // of process data  [s]
    double transfer_timeout;     // of a change of state in one cycle, and of an SDO in cyclic operation  [s]
    int tolerated_losses;        // consecutive exchanges of outputs that may fail; one more is a fault
} ff_ec_bus_options;
/// The defaults of the master, no Sync0, exchange timeout 10 ms, transfer timeout 0.5 s, one tolerated loss.
FF_API ff_ec_bus_options ff_ec_bus_options_default(void);

typedef struct ff_ec_bus ff_ec_bus;

/// @param wire     copied, its context is borrowed
/// @param options  NULL: the defaults
/// @return NULL with FF_NO_MEMORY
FF_API ff_ec_bus *ff_ec_bus_create(const ff_ec_wire *wire, const ff_ec_bus_options *options, ff_error *err);
/// To be called after the layer that uses it is destroyed. NULL is allowed.
FF_API void ff_ec_bus_destroy(ff_ec_bus *bus);

/// Scans the segment, brings the slaves to PRE-OP, and maps the objects of the layer. Force sensors of this project get
/// both of their PDOs. It blocks until that is done.
/// @param site  of the robot: its drives, sensors, and the period of the bus
/// @return FF_OK; FF_CONTROL with the error of the master; FF_NOT_FOUND: an object that is not in the process data;
/// FF_STOPPED: the user requested to stop, or a minute has passed
FF_API ff_status ff_ec_bus_start(ff_ec_bus *bus, const ff_relay_site *site, ff_error *err);
/// For ff_hardware_bind, after the start. The inputs of a cycle are those of the slaves at its beginning.
FF_API ff_field_bus ff_ec_bus_functions(ff_ec_bus *bus);
FF_API ff_ec_master *ff_ec_bus_master(ff_ec_bus *bus);
/// Exchanges of process data so far in which a slave received outputs.
FF_API int64_t ff_ec_bus_exchanges(const ff_ec_bus *bus);

#ifdef __cplusplus
}
#endif
#endif
