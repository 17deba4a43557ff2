// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Sensors of walking robots as devices: forces, inertial measurement, switches, a gateway. Objects and layout are
// choices of this project, modelled on the modular device profile (inputs 0x6000, outputs 0x7000, settings 0x8000).
#include "slave/slave.h"

#define FORCE(field)    FF_EC_FIELD(ff_ec_force, field)
#define IMU(field)      FF_EC_FIELD(ff_ec_imu, field)
#define SWITCHES(field) FF_EC_FIELD(ff_ec_switches, field)
#define GATEWAY(field)  FF_EC_FIELD(ff_ec_gateway, field)
#define PROFILE         0x00001389 // modular device, number 5001

// ------------------------------------------------------------------------------------------ forces

static const ff_ec_entry force_entries[] = {
    {0x6000, 0, FF_EC_U8, FF_EC_READ, 0, FORCE(sample_count), "Sample", 9, 0, 0},
    {0x6000, 1, FF_EC_I32, FF_EC_INPUT, 0, FORCE(force[0]), "Force x", 0, 0, 0},
    {0x6000, 2, FF_EC_I32, FF_EC_INPUT, 0, FORCE(force[1]), "Force y", 0, 0, 0},
    {0x6000, 3, FF_EC_I32, FF_EC_INPUT, 0, FORCE(force[2]), "Force z", 0, 0, 0},
    {0x6000, 4, FF_EC_I32, FF_EC_INPUT, 0, FORCE(moment[0]), "Moment x", 0, 0, 0},
    {0x6000, 5, FF_EC_I32, FF_EC_INPUT, 0, FORCE(moment[1]), "Moment y", 0, 0, 0},
    {0x6000, 6, FF_EC_I32, FF_EC_INPUT, 0, FORCE(moment[2]), "Moment z", 0, 0, 0},
    {0x6000, 7, FF_EC_U32, FF_EC_INPUT, 0, FORCE(status), "Status", 0, 0, 0},
    {0x6000, 8, FF_EC_U32, FF_EC_INPUT, 0, FORCE(count), "Sample count", 0, 0, 0},
    {0x6000, 9, FF_EC_U32, FF_EC_INPUT, 0, FORCE(time), "Sample time", 0, 0, 0},
    {0x7000, 0, FF_EC_U8, FF_EC_READ, 0, FORCE(command_count), "Command", 1, 0, 0},
    {0x7000, 1, FF_EC_U32, FF_EC_OUTPUT, 0, FORCE(command), "Tare", 0, 0, 0},
    {0x8000, 0, FF_EC_U8, FF_EC_READ, 0, FORCE(range_count), "Settings", 3, 0, 0},
    {0x8000, 1, FF_EC_U32, FF_EC_READ, 0, FORCE(range[0]), "Force range", 0, 0, 0},
    {0x8000, 2, FF_EC_U32, FF_EC_READ, 0, FORCE(range[1]), "Moment range", 0, 0, 0},
    {0x8000, 3, FF_EC_U32, FF_EC_READ, 0, FORCE(filter), "Filter", 0, 0, 0},
};

const ff_ec_device ff_ec_force_device = {
    .name = "Footfall force sensor",
    .group = "Sensors",
    FF_EC_OWN_DEVICE(ff_ec_force, force_entries),
    .product = 0x0601,
    .profile = PROFILE,
    .rx = {{"Outputs", {FF_EC_MAP(0x7000, 1, 32)}}},
    .tx = {{"Inputs",
            {FF_EC_MAP(0x6000, 1, 32), FF_EC_MAP(0x6000, 2, 32), FF_EC_MAP(0x6000, 3, 32), FF_EC_MAP(0x6000, 4, 32),
             FF_EC_MAP(0x6000, 5, 32), FF_EC_MAP(0x6000, 6, 32), FF_EC_MAP(0x6000, 7, 32), FF_EC_MAP(0x6000, 8, 32)}},
           {"Time", {FF_EC_MAP(0x6000, 9, 32)}}},
};

// ------------------------------------------------------------------------------------------ inertial measurement

static const ff_ec_entry imu_entries[] = {
    {0x6010, 0, FF_EC_U8, FF_EC_READ, 0, IMU(sample_count), "Sample", 13, 0, 0},
    {0x6010, 1, FF_EC_REAL32, FF_EC_INPUT, 0, IMU(quaternion[0]), "Quaternion w", 0, 0, 0},
    {0x6010, 2, FF_EC_REAL32, FF_EC_INPUT, 0, IMU(quaternion[1]), "Quaternion x", 0, 0, 0},
    {0x6010, 3, FF_EC_REAL32, FF_EC_INPUT, 0, IMU(quaternion[2]), "Quaternion y", 0, 0, 0},
    {0x6010, 4, FF_EC_REAL32, FF_EC_INPUT, 0, IMU(quaternion[3]), "Quaternion z", 0, 0, 0},
    {0x6010, 5, FF_EC_I32, FF_EC_INPUT, 0, IMU(rate[0]), "Rate x", 0, 0, 0},
    {0x6010, 6, FF_EC_I32, FF_EC_INPUT, 0, IMU(rate[1]), "Rate y", 0, 0, 0},
    {0x6010, 7, FF_EC_I32, FF_EC_INPUT, 0, IMU(rate[2]), "Rate z", 0, 0, 0},
    {0x6010, 8, FF_EC_I32, FF_EC_INPUT, 0, IMU(acceleration[0]), "Acceleration x", 0, 0, 0},
    {0x6010, 9, FF_EC_I32, FF_EC_INPUT, 0, IMU(acceleration[1]), "Acceleration y", 0, 0, 0},
    {0x6010, 10, FF_EC_I32, FF_EC_INPUT, 0, IMU(acceleration[2]), "Acceleration z", 0, 0, 0},
    {0x6010, 11, FF_EC_U16, FF_EC_INPUT, 0, IMU(status), "Status", 0, 0, 0},
    {0x6010, 12, FF_EC_U16, FF_EC_INPUT, 0, IMU(count), "Sample count", 0, 0, 0},
    {0x6010, 13, FF_EC_U32, FF_EC_INPUT, 0, IMU(time), "Sample time", 0, 0, 0},
    {0x8010, 0, FF_EC_U8, FF_EC_READ, 0, IMU(rate_count), "Settings", 1, 0, 0},
    {0x8010, 1, FF_EC_U32, FF_EC_READ, 0, IMU(sample_rate), "Sample rate", 200, 0, 0},
};

const ff_ec_device ff_ec_imu_device = {
    .name = "Footfall inertial sensor",
    .group = "Sensors",
    FF_EC_OWN_DEVICE(ff_ec_imu, imu_entries),
    .product = 0x0602,
    .profile = PROFILE,
    .tx = {{"Inputs",
            {FF_EC_MAP(0x6010, 1, 32), FF_EC_MAP(0x6010, 2, 32), FF_EC_MAP(0x6010, 3, 32), FF_EC_MAP(0x6010, 4, 32),
             FF_EC_MAP(0x6010, 5, 32), FF_EC_MAP(0x6010, 6, 32), FF_EC_MAP(0x6010, 7, 32), FF_EC_MAP(0x6010, 8, 32),
             FF_EC_MAP(0x6010, 9, 32), FF_EC_MAP(0x6010, 10, 32), FF_EC_MAP(0x6010, 11, 16), FF_EC_MAP(0x6010, 12, 16),
             FF_EC_MAP(0x6010, 13, 32)}}},
};

// ------------------------------------------------------------------------------------------ switches

static const ff_ec_entry switch_entries[] = {
    {0x6020, 0, FF_EC_U8, FF_EC_READ, 0, SWITCHES(sample_count), "Sample", 3, 0, 0},
    {0x6020, 1, FF_EC_U8, FF_EC_INPUT, 0, SWITCHES(right), "Right foot", 0, 0, 0},
    {0x6020, 2, FF_EC_U8, FF_EC_INPUT, 0, SWITCHES(left), "Left foot", 0, 0, 0},
    {0x6020, 3, FF_EC_U16, FF_EC_INPUT, 0, SWITCHES(limits), "Limit switches", 0, 0, 0},
};

const ff_ec_device ff_ec_switches_device = {
    .name = "Footfall switches",
    .group = "Sensors",
    FF_EC_OWN_DEVICE(ff_ec_switches, switch_entries),
    .product = 0x0603,
    .profile = PROFILE,
    .tx = {{"Inputs", {FF_EC_MAP(0x6020, 1, 8), FF_EC_MAP(0x6020, 2, 8), FF_EC_MAP(0x6020, 3, 16)}}},
};

// ------------------------------------------------------------------------------------------ gateway

static const ff_ec_entry gateway_entries[] = {
    {0x6030, 0, FF_EC_U8, FF_EC_READ, 0, GATEWAY(channel_count), "Channels", 13, 0, 0},
    {0x6030, 1, FF_EC_REAL64, FF_EC_INPUT, FF_EC_GATEWAY_CHANNELS, GATEWAY(value), "Value", 0, 0, 0},
    {0x6030, 7, FF_EC_U32, FF_EC_INPUT, FF_EC_GATEWAY_CHANNELS, GATEWAY(time), "Sample time", 0, 0, 0},
    {0x6030, 13, FF_EC_U32, FF_EC_INPUT, 0, GATEWAY(valid), "Valid", 0, 0, 0},
};

const ff_ec_device ff_ec_gateway_device = {
    .name = "Footfall gateway",
    .group = "Sensors",
    FF_EC_OWN_DEVICE(ff_ec_gateway, gateway_entries),
    .product = 0x0604,
    .profile = PROFILE,
    .tx = {{"Inputs",
            {FF_EC_MAP(0x6030, 1, 64), FF_EC_MAP(0x6030, 2, 64), FF_EC_MAP(0x6030, 3, 64), FF_EC_MAP(0x6030, 4, 64),
             FF_EC_MAP(0x6030, 5, 64), FF_EC_MAP(0x6030, 6, 64), FF_EC_MAP(0x6030, 7, 32), FF_EC_MAP(0x6030, 8, 32),
             FF_EC_MAP(0x6030, 9, 32), FF_EC_MAP(0x6030, 10, 32), FF_EC_MAP(0x6030, 11, 32), FF_EC_MAP(0x6030, 12, 32),
             FF_EC_MAP(0x6030, 13, 32)}}},
};
