// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The EtherCAT master (footfall/master.h) as the field bus of the hardware layer (footfall/hardware.h): slaves have the
// names of the drives and sensors of a robot, objects of the layer are found in their process data. The room fieldbus;
// docs/ethercat.md is its manual.
//
//     ff_ec_bus *bus = ff_ec_bus_create(&wire, &options, &err);
//     ff_ec_bus_start(bus, &site, &err);                       // finds all slaves, PRE-OP
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

/// What carries frames: a network interface, or a function call to virtual slaves.
typedef struct ff_ec_wire {
    void *context;
    /// @return whether the frame left
    bool (*send)(void *context, const unsigned char *bytes, size_t size);
    /// The next frame that came, within `wait` seconds. @return its bytes; 0: none
    size_t (*receive)(void *context, unsigned char bytes[FF_EC_PACKET_MOST], double wait);
    /// A clock that never runs backwards.  [ns]
    uint64_t (*now)(void *context);
    /// Does the user want to end? Asked while it waits. NULL: never
    bool (*stop)(void *context);
} ff_ec_wire;

typedef struct ff_ec_bus_options {
    ff_ec_master_options master; // `configure` and `sync0` are set here
    bool sync0;                  // Sync0 signals with the period of the bus
    bool from_zero;              // times of samples begin with the first exchange; else they are distributed times
    double patience;             // how long process data may be on their way  [s]
    double slack;                // how long a cycle may last for states, and single objects once data flow  [s]
    int lost;                    // so many exchanges of outputs in a row may go wrong; one more is a fault
} ff_ec_bus_options;
/// The master's defaults, no Sync0, 10 ms, 0.5 s, one.
FF_API ff_ec_bus_options ff_ec_bus_options_default(void);

typedef struct ff_ec_bus ff_ec_bus;

/// @param wire     copied, its context is borrowed
/// @param options  NULL: the defaults
/// @return NULL with FF_NO_MEMORY
FF_API ff_ec_bus *ff_ec_bus_create(const ff_ec_wire *wire, const ff_ec_bus_options *options, ff_error *err);
/// After the layer that uses it. NULL is allowed.
FF_API void ff_ec_bus_destroy(ff_ec_bus *bus);

/// Finds the slaves, brings them to PRE-OP, and lays out the objects that the layer wants. Force sensors of this
/// project get both of their PDOs. It waits.
/// @param site  of the robot: its drives, sensors, and the period of the bus
/// @return FF_OK; FF_CONTROL with what stands against it; FF_NOT_FOUND: an object that is not in the process data;
/// FF_STOPPED: the user wants to end, or it lasted a minute
FF_API ff_status ff_ec_bus_start(ff_ec_bus *bus, const ff_relay_site *site, ff_error *err);
/// For ff_hardware_bind, after the start. Inputs of a cycle are those that slaves have at its beginning.
FF_API ff_field_bus ff_ec_bus_functions(ff_ec_bus *bus);
FF_API ff_ec_master *ff_ec_bus_master(ff_ec_bus *bus);
/// Exchanges of process data so far in which a slave took outputs.
FF_API int64_t ff_ec_bus_exchanges(const ff_ec_bus *bus);

#ifdef __cplusplus
}
#endif
#endif
