// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Devices on a bus: each has variables linked to the objects of its slave, a state, a plausibility check, and an
// interface in SI units. The objects of a device type are a list, by which the layer links its variables and the
// simulated bus lays out its image. Indices of drives are those of CiA 402, others are choices of this project.
#ifndef FOOTFALL_HARDWARE_DEVICE_H
#define FOOTFALL_HARDWARE_DEVICE_H

#include "hardware/bus_variable.h"
#include "hardware/cia402.h"
#include "hardware/wiring.h"

// ------------------------------------------------------------------------------------------ objects

/// Columns: name, index, subindex, type, whether it is an output of the layer.
#define FF_DRIVE_OBJECTS(X)                                                                                            \
    X(control, 0x6040, 0, U16, true)                                                                                   \
    X(target, 0x607A, 0, I32, true)          /* counts */                                                              \
    X(velocity_offset, 0x60B1, 0, I32, true) /* counts/s */                                                            \
    X(torque_offset, 0x60B2, 0, I16, true)   /* thousandths of the greatest force */                                   \
    X(mode, 0x6060, 0, I8, true)                                                                                       \
    X(status, 0x6041, 0, U16, false)                                                                                   \
    X(position, 0x6064, 0, I32, false)      /* counts, wrap */                                                         \
    X(velocity, 0x606C, 0, I32, false)      /* counts/s */                                                             \
    X(joint_encoder, 0x60E4, 1, I32, false) /* counts of the absolute encoder */                                       \
    X(error, 0x603F, 0, U16, false)                                                                                    \
    X(mode_shown, 0x6061, 0, I8, false)                                                                                \
    X(position_time, 0x2001, 0, I64, false) /* ns; -1: no sample yet */                                                \
    X(encoder_time, 0x2002, 0, I64, false)

#define FF_FORCE_OBJECTS(X)                                                                                            \
    X(fx, 0x6000, 1, I32, false) /* mN */                                                                              \
    X(fy, 0x6000, 2, I32, false)                                                                                       \
    X(fz, 0x6000, 3, I32, false)                                                                                       \
    X(mx, 0x6000, 4, I32, false) /* uN m */                                                                            \
    X(my, 0x6000, 5, I32, false)                                                                                       \
    X(mz, 0x6000, 6, I32, false)                                                                                       \
    X(status, 0x6000, 7, U32, false)                                                                                   \
    X(count, 0x6000, 8, U32, false) /* of samples */                                                                   \
    X(time, 0x2001, 0, I64, false)

#define FF_IMU_OBJECTS(X)                                                                                              \
    X(w, 0x6010, 1, F32, false) /* attitude, a quaternion */                                                           \
    X(x, 0x6010, 2, F32, false)                                                                                        \
    X(y, 0x6010, 3, F32, false)                                                                                        \
    X(z, 0x6010, 4, F32, false)                                                                                        \
    X(rate_x, 0x6010, 5, I32, false) /* urad/s */                                                                      \
    X(rate_y, 0x6010, 6, I32, false)                                                                                   \
    X(rate_z, 0x6010, 7, I32, false)                                                                                   \
    X(acceleration_x, 0x6010, 8, I32, false) /* mm/s^2 */                                                              \
    X(acceleration_y, 0x6010, 9, I32, false)                                                                           \
    X(acceleration_z, 0x6010, 10, I32, false)                                                                          \
    X(status, 0x6010, 11, U16, false)                                                                                  \
    X(count, 0x6010, 12, U16, false)                                                                                   \
    X(time, 0x2001, 0, I64, false)

enum {
#define X(name, ...) FF_DRIVE_##name,
    FF_DRIVE_OBJECTS(X) FF_DRIVE_OBJECT_COUNT,
#undef X
#define X(name, ...) FF_FORCE_##name,
    FF_FORCE_BEGIN = -1,
    FF_FORCE_OBJECTS(X) FF_FORCE_OBJECT_COUNT,
#undef X
#define X(name, ...) FF_IMU_##name,
    FF_IMU_BEGIN = -1,
    FF_IMU_OBJECTS(X) FF_IMU_OBJECT_COUNT
#undef X
};

typedef struct ff_object_row {
    const char *name;
    uint16_t index;
    uint8_t sub;
    ff_bus_type type;
    bool output;
} ff_object_row;
extern const ff_object_row ff_drive_objects[FF_DRIVE_OBJECT_COUNT], ff_force_objects[FF_FORCE_OBJECT_COUNT],
    ff_imu_objects[FF_IMU_OBJECT_COUNT];

#define FF_GATEWAY_SLAVE "gateway"
/// Objects of the gateway: a value (double, SI) and a time (int64, ns; -1: not valid) for each of its items. They have
/// the name of the item, and the same with ".time" appended.
enum { FF_GATEWAY_INDEX = 0x3000 };

/// Units of the objects.
#define FF_FORCE_UNIT        1e-3 // [N]
#define FF_MOMENT_UNIT       1e-6 // [N m]
#define FF_RATE_UNIT         1e-6 // [rad/s]
#define FF_ACCELERATION_UNIT 1e-3 // [m/s^2]

/// Links all variables of a device.
ff_status ff_device_link(ff_bus_image *image, const char *slave, const ff_object_row *rows, int n,
                         ff_bus_variable *variables, ff_error *err);

// ------------------------------------------------------------------------------------------ devices

/// Text that describes a fault of a device.
typedef struct ff_fault_text {
    char text[160];
} ff_fault_text;

/// State of a device without outputs.
typedef enum ff_device_state {
    FF_DEVICE_SILENT, // no sample has been received
    FF_DEVICE_RUNNING,
    FF_DEVICE_IMPLAUSIBLE
} ff_device_state;

/// Requested operation of a drive: disabled, as it is, enabled.
typedef enum ff_drive_request { FF_DRIVE_OFF, FF_DRIVE_KEEP, FF_DRIVE_ON } ff_drive_request;

typedef struct ff_device_drive {
    const ff_drive_wiring *wiring;
    ff_bus_variable variables[FF_DRIVE_OBJECT_COUNT];
    ff_counting counting;
    ff_cia402_state state;
    double x, speed;  // of the drive, once homed  [rad, m]
    double commanded; // last commanded position
    double force;     // last commanded force  [N m, N]
} ff_device_drive;

ff_status ff_device_drive_make(ff_device_drive *drive, const ff_drive_wiring *wiring, ff_bus_image *image,
                               ff_error *err);
/// Reads status and counts (section 10).
void ff_device_drive_read(ff_device_drive *drive);
/// Advances the state machine of the drive (section 13). @param reset  a fault is acknowledged
void ff_device_drive_control(ff_device_drive *drive, ff_drive_request request, bool reset);
/// Commands a position with velocity and force feedforward (section 4).
void ff_device_drive_command(ff_device_drive *drive, double x, double speed, double force);
/// Items of the frame that the device carries.
void ff_device_drive_publish(const ff_device_drive *drive, ff_io_item *items);
/// @return false with the fault. @param expected  it should be in operation
bool ff_device_drive_is_healthy(const ff_device_drive *drive, bool expected, ff_fault_text *fault);

typedef struct ff_device_force {
    const ff_sensor_wiring *wiring;
    ff_bus_variable variables[FF_FORCE_OBJECT_COUNT];
    ff_device_state state;
    double value[6]; // [N, N m]
    uint32_t count;  // of the sample
    int equal;       // consecutive equal samples
    ff_fault_text fault;
} ff_device_force;

void ff_device_force_read(ff_device_force *force, const ff_hardware_options *limits);
void ff_device_force_publish(const ff_device_force *force, ff_io_item *items);

typedef struct ff_device_imu {
    const ff_sensor_wiring *wiring;
    ff_bus_variable variables[FF_IMU_OBJECT_COUNT];
    ff_device_state state;
} ff_device_imu;

/// Writes the values of the IMU to its items, and notes whether a sample has been received.
void ff_device_imu_publish(ff_device_imu *imu, ff_io_item *items);

typedef struct ff_device_gateway {
    const int *items; // of the frame  (n)
    int n;
    ff_bus_variable *values, *times; // (n)
} ff_device_gateway;

ff_status ff_device_gateway_make(ff_device_gateway *gateway, const ff_wiring *wiring, const ff_io_layout *sensors,
                                 ff_bus_image *image, ff_arena *arena, ff_error *err);
void ff_device_gateway_publish(const ff_device_gateway *gateway, ff_io_item *items);

#endif
