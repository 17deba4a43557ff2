// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The hardware layer between a controller, which uses frames in SI units (footfall/io_bus.h), and a field bus, which
// transmits raw numbers of drives and sensors. It links variables to objects of the bus by their names, controls the
// state machines of the devices, converts counts of motors, interpolates targets in bus cycles between two cycles of
// the controller, homes the drives, detects faults and stops the robot. docs/hardware.md is the manual.
//
//     // a simulated robot: the layer is between the run and its controller, here one at the far end of a link
//     const ff_relay controller = ff_link_relay(link);
//     ff_hardware *layer = ff_hardware_create(&controller, NULL, &err);
//     const ff_run_relay relay = {0, ff_hardware_relay(layer)};
//     options.relays = &relay, options.nrelay = 1;
//
//     // a real one: a driver of its bus in place of the simulated bus
//     ff_hardware_bind(layer, &site, &bus, &err);
//     for (;;) { wait for the timing event;  ff_hardware_cycle(layer, t); }
#ifndef FOOTFALL_HARDWARE_H
#define FOOTFALL_HARDWARE_H

#include <footfall/steer.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ the driver of a bus

/// Types of objects on a bus.
#define FF_BUS_TYPES(X)                                                                                                \
    X(BOOL, 1, "bool")                                                                                                 \
    X(I8, 1, "int8")                                                                                                   \
    X(U8, 1, "uint8")                                                                                                  \
    X(I16, 2, "int16")                                                                                                 \
    X(U16, 2, "uint16")                                                                                                \
    X(I32, 4, "int32")                                                                                                 \
    X(U32, 4, "uint32")                                                                                                \
    X(I64, 8, "int64")                                                                                                 \
    X(U64, 8, "uint64")                                                                                                \
    X(F32, 4, "float")                                                                                                 \
    X(F64, 8, "double")
typedef enum ff_bus_type {
#define FF_BUS_TYPE(name, size, text) FF_BUS_##name,
    FF_BUS_TYPES(FF_BUS_TYPE)
#undef FF_BUS_TYPE
        FF_BUS_TYPE_COUNT
} ff_bus_type;

/// One object of the process image.
typedef struct ff_bus_object {
    const char *slave; // "left_knee_flexion"
    const char *name;  // "status"
    uint16_t index;    // of the object dictionary
    uint8_t sub;
    ff_bus_type type;
    bool output;   // from the layer to the device
    size_t offset; // in the inputs or outputs, little-endian  [byte]
} ff_bus_object;

/// States of a bus, with the numbers of EtherCAT.
typedef enum ff_bus_state {
    FF_BUS_INIT = 1,    // start
    FF_BUS_PRE_OP = 2,  // single objects can be read and written
    FF_BUS_SAFE_OP = 4, // the process image is exchanged, outputs are not applied
    FF_BUS_OP = 8       // outputs are applied
} ff_bus_state;

/// A field bus: functions and data of its driver. All functions are called from the thread that calls
/// ff_hardware_cycle.
typedef struct ff_field_bus {
    void *context;
    const ff_bus_object *objects; // of the process image
    int nobject;
    size_t inputs, outputs; // bytes of the image
    double period;          // between two cycles  [s]
    /// Copies the inputs of the last frame. @return false: no valid inputs were received, `inputs` is not changed
    bool (*copy_rx)(void *context, unsigned char *inputs);
    void (*copy_tx)(void *context, const unsigned char *outputs);
    /// Sends the cyclic frame. @return FF_OK; others: a fault of the bus
    ff_status (*send)(void *context, double t, ff_error *err);
    /// Requests a state, in every cycle. It must not block. @return the present state, which may still change
    ff_bus_state (*request_state)(void *context, ff_bus_state wanted);
    /// Describes the first faulty device of the bus; "" if none is known. NULL: it cannot be determined
    void (*describe_problem)(void *context, char *text, size_t size);
    /// Reads or writes one object, in the process image or not. Not in real time.
    ff_status (*sdo_read)(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t *value, ff_error *err);
    ff_status (*sdo_write)(void *context, const char *slave, uint16_t index, uint8_t sub, int64_t value, ff_error *err);
} ff_field_bus;

// ------------------------------------------------------------------------------------------ the layer

/// States of the layer.
#define FF_HARDWARE_STATES(X)                                                                                          \
    X(BOOT, "Boot")                                                                                                    \
    X(BUS_INIT, "BusInit")                                                                                             \
    X(PRE_OP, "PreOp")                                                                                                 \
    X(SAFE_OP, "SafeOp")                                                                                               \
    X(IDLE, "Idle")                                                                                                    \
    X(HOMING, "Homing")                                                                                                \
    X(READY, "Ready")                                                                                                  \
    X(ACTIVE, "Active")                                                                                                \
    X(FAULT, "Fault")
typedef enum ff_hardware_state {
#define FF_HARDWARE_STATE(name, text) FF_HARDWARE_##name,
    FF_HARDWARE_STATES(FF_HARDWARE_STATE)
#undef FF_HARDWARE_STATE
        FF_HARDWARE_STATE_COUNT
} ff_hardware_state;
/// "Active".
FF_API const char *ff_hardware_state_name(ff_hardware_state state);

typedef struct ff_hardware_options {
    bool automatic; // homes and activates by itself, once; after a fault it waits for the operator
    bool wall;      // the controller answers in the next cycle, as over a link in real time; else in the same cycle
    bool threads;   // the sections of the main thread run in their own thread
    double main_timeout;      // with threads: longest time for which a cycle waits for the main thread  [s]
    int tolerated_mismatches; // consecutive wrong working counters without a fault
    int tolerated_losses;     // consecutive cycles without valid inputs, without a fault
    double tracking_limit; // of joints, beyond the error of a proportional loop at its greatest force; 0: not checked
                           // [rad, m]
    double force_range;    // a force beyond this multiple of its range is implausible
    int force_equal;       // number of consecutive equal samples that is implausible; 0: not checked
    double force_jump;     // a change between two samples beyond this multiple of its range is implausible
    int homing_samples;    // over which the position of a joint is averaged
    double blend;          // duration of the transition from the held pose to the controller's targets  [s]
    double hold;           // time for which the robot is held after a fault before drives are disabled  [s]
    const char *schedule;  // commands by time: "0.5 fault left_knee_flexion; 1 acknowledge"; NULL: none
    /// Called for each change of state and each fault, from the thread of section 13. It must not call
    /// functions of the layer, which wait for the end of the cycle.
    void (*log)(void *context, double t, ff_hardware_state state, const char *text);
    void *context;
} ff_hardware_options;
/// Automatic, lockstep, one thread, no timeout of the main thread; one wrong counter and one lost cycle are tolerated;
/// tracking 0.1 rad; forces 1.2 times their range, 100 equal samples, jumps of the range; homing 32 samples; blend 0.2
/// s; held without a limit of time (INFINITY).
FF_API ff_hardware_options ff_hardware_options_default(void);

/// Statistics.
typedef struct ff_hardware_counts {
    int64_t cycles;     // of the bus
    int64_t frames;     // of sensors that were published
    int64_t mismatches; // targets with another working counter than expected
    int64_t faults;
    int64_t lost;         // cycles without valid inputs from the bus
    int64_t late;         // with threads: cycles that continued without the main thread, which was late
    double tracking_max;  // greatest tracking error so far, as limited by the options  [rad, m]
    double margin_min;    // with threads: least time from the end of section 4 to the start of section 7; negative:
                          // section 7 waited  [s]
    double margin_median; // [s]
} ff_hardware_counts;

typedef struct ff_hardware ff_hardware;
/// @param controller  gets frames of sensors and returns targets; copied, its pointers are borrowed
/// @param options     NULL: the defaults
FF_API ff_hardware *ff_hardware_create(const ff_relay *controller, const ff_hardware_options *options, ff_error *err);
FF_API void ff_hardware_destroy(ff_hardware *layer);

/// The layer as the controller of a simulated robot: with virtual devices on a simulated bus, and the controller of
/// ff_hardware_create. It is called in every cycle of the bus.
FF_API ff_relay ff_hardware_relay(ff_hardware *layer);

/// Replaces the schedule of the options, before the first cycle. Commands are checked at once: with the devices of the
/// simulated bus if the layer is bound to it, else when it is bound. @param text  copied; NULL: none
/// @return FF_OK; FF_BAD_ARGUMENT, FF_NOT_FOUND, FF_NO_MEMORY
FF_API ff_status ff_hardware_schedule(ff_hardware *layer, const char *text, ff_error *err);
/// Links the devices of a robot to a bus and binds the controller.
/// @param site  of the robot; `bus_period` is not used. Its pointers must remain valid for the lifetime of the layer
/// @param bus   copied, its pointers are borrowed
/// @return FF_OK; FF_NOT_FOUND or FF_BAD_ARGUMENT with slave, object and both types
FF_API ff_status ff_hardware_bind(ff_hardware *layer, const ff_relay_site *site, const ff_field_bus *bus,
                                  ff_error *err);
/// One cycle of the bus.
FF_API void ff_hardware_cycle(ff_hardware *layer, double t);

/// A command of the operator, executed in the next cycle:
///     home, activate, deactivate, acknowledge, disable
/// and, on a simulated bus, faults to inject:
///     fault DRIVE, repair DRIVE, stick SENSOR, overload SENSOR, free SENSOR, miscount N
/// @return FF_OK; FF_BAD_ARGUMENT with the known commands
FF_API ff_status ff_hardware_command(ff_hardware *layer, const char *text, ff_error *err);

FF_API ff_hardware_state ff_hardware_get_state(const ff_hardware *layer);
/// Reason of the fault; "": there is none.
FF_API const char *ff_hardware_fault_reason(const ff_hardware *layer);
FF_API ff_hardware_counts ff_hardware_get_counts(const ff_hardware *layer);
/// Positions of the joints from the counts of the motors, in the order of the model; NAN before homing, and for joints
/// without a drive.  [rad, m] (nq)
FF_API const double *ff_hardware_joints(const ff_hardware *layer);

#ifdef __cplusplus
}
#endif
#endif
