// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Devices of the project. Their function is implemented by the behaviour of the station; presets and the layout of the
// process data are choices of this project.
//
// Objects of a drive are those of CiA 402 (IEC 61800-7-201): its first PDOs contain what a controller of a walking
// robot needs, the second ones what a position loop needs.
//
// Sensors of walking robots measure forces, inertial quantities and switches, or are connected by a gateway. Their
// objects are modelled on the modular device profile (inputs 0x6000, outputs 0x7000, settings 0x8000).
#include "slave/slave.h"

// ------------------------------------------------------------------------------------------ rows

// Rows of a table from the list of a device (footfall/ethercat.h): a value, the first and a further element of an
// array, and all elements of an array.
#define VALUE(index, sub, type, access, field, name, preset, low, high)                                                \
    {index, sub, FF_EC_##type, FF_EC_##access, 0, FF_EC_FIELD(DEVICE, field), name, preset, low, high},
#define FIRST(index, sub, type, access, field, n, name, preset)                                                        \
    VALUE(index, sub, type, access, field[0], name, preset, 0, 0)
#define ELEMENT(index, sub, type, access, field, number, name, preset)                                                 \
    VALUE(index, sub, type, access, field[number], name, preset, 0, 0)
#define ALL(index, sub, type, access, field, n, name)                                                                  \
    {index, sub, FF_EC_##type, FF_EC_##access, n, FF_EC_FIELD(DEVICE, field), name, 0, 0, 0},

// Consecutive subindices of one length in a PDO.
#define MAP_3(index, sub, bits)                                                                                        \
    FF_EC_MAP(index, sub, bits), FF_EC_MAP(index, (sub) + 1, bits), FF_EC_MAP(index, (sub) + 2, bits)
#define MAP_6(index, sub, bits) MAP_3(index, sub, bits), MAP_3(index, (sub) + 3, bits)

// ------------------------------------------------------------------------------------------ drive

#define DEVICE ff_ec_drive
static const ff_ec_entry entries[] = {FF_EC_DRIVE_OBJECTS(VALUE, FIRST, ELEMENT)};
#undef DEVICE

const ff_ec_device ff_ec_drive_device = {
    .name = "Footfall drive",
    .group = "Drives",
    FF_EC_OWN_DEVICE(ff_ec_drive, entries),
    .product = 0x0402,
    .profile = 0x00020192, // servo, profile 402
    .rx = {{"Outputs",
            {FF_EC_MAP(0x6040, 0, 16), FF_EC_MAP(0x607A, 0, 32), FF_EC_MAP(0x60FF, 0, 32), FF_EC_MAP(0x60B1, 0, 32),
             FF_EC_MAP(0x6071, 0, 16), FF_EC_MAP(0x60B2, 0, 16), FF_EC_MAP(0x6060, 0, 8), FF_EC_PAD(8)}},
           {"Outputs, position", {FF_EC_MAP(0x6040, 0, 16), FF_EC_MAP(0x607A, 0, 32), FF_EC_MAP(0x6071, 0, 16)}}},
    .tx = {{"Inputs",
            {FF_EC_MAP(0x6041, 0, 16), FF_EC_MAP(0x6064, 0, 32), FF_EC_MAP(0x606C, 0, 32), FF_EC_MAP(0x60E4, 1, 32),
             FF_EC_MAP(0x60FD, 0, 32), FF_EC_MAP(0x6077, 0, 16), FF_EC_MAP(0x603F, 0, 16), FF_EC_MAP(0x6061, 0, 8),
             FF_EC_PAD(8)}},
           {"Inputs, position",
            {FF_EC_MAP(0x6041, 0, 16), FF_EC_MAP(0x6064, 0, 32), FF_EC_MAP(0x606C, 0, 32), FF_EC_MAP(0x6077, 0, 16)}}},
};

#define PROFILE 0x00001389 // modular device, number 5001

// ------------------------------------------------------------------------------------------ forces

#define DEVICE ff_ec_force
static const ff_ec_entry force_entries[] = {FF_EC_FORCE_OBJECTS(VALUE, FIRST, ELEMENT)};
#undef DEVICE

const ff_ec_device ff_ec_force_device = {
    .name = "Footfall force sensor",
    .group = "Sensors",
    FF_EC_OWN_DEVICE(ff_ec_force, force_entries),
    .product = 0x0601,
    .profile = PROFILE,
    .rx = {{"Outputs", {FF_EC_MAP(0x7000, 1, 32)}}},
    .tx = {{"Inputs", {MAP_6(0x6000, 1, 32), FF_EC_MAP(0x6000, 7, 32), FF_EC_MAP(0x6000, 8, 32)}},
           {"Time", {FF_EC_MAP(0x6000, 9, 32)}}},
};

// ------------------------------------------------------------------------------------------ inertial measurement

#define DEVICE ff_ec_imu
static const ff_ec_entry imu_entries[] = {FF_EC_IMU_OBJECTS(VALUE, FIRST, ELEMENT)};
#undef DEVICE

const ff_ec_device ff_ec_imu_device = {
    .name = "Footfall inertial sensor",
    .group = "Sensors",
    FF_EC_OWN_DEVICE(ff_ec_imu, imu_entries),
    .product = 0x0602,
    .profile = PROFILE,
    .tx = {{"Inputs",
            {MAP_6(0x6010, 1, 32), MAP_3(0x6010, 7, 32), FF_EC_MAP(0x6010, 10, 32), FF_EC_MAP(0x6010, 11, 16),
             FF_EC_MAP(0x6010, 12, 16), FF_EC_MAP(0x6010, 13, 32)}}},
};

// ------------------------------------------------------------------------------------------ switches

#define DEVICE ff_ec_switches
static const ff_ec_entry switch_entries[] = {FF_EC_SWITCHES_OBJECTS(VALUE)};
#undef DEVICE

const ff_ec_device ff_ec_switches_device = {
    .name = "Footfall switches",
    .group = "Sensors",
    FF_EC_OWN_DEVICE(ff_ec_switches, switch_entries),
    .product = 0x0603,
    .profile = PROFILE,
    .tx = {{"Inputs", {FF_EC_MAP(0x6020, 1, 8), FF_EC_MAP(0x6020, 2, 8), FF_EC_MAP(0x6020, 3, 16)}}},
};

// ------------------------------------------------------------------------------------------ gateway

#define DEVICE ff_ec_gateway
static const ff_ec_entry gateway_entries[] = {FF_EC_GATEWAY_OBJECTS(VALUE, ALL)};
#undef DEVICE

const ff_ec_device ff_ec_gateway_device = {
    .name = "Footfall gateway",
    .group = "Sensors",
    FF_EC_OWN_DEVICE(ff_ec_gateway, gateway_entries),
    .product = 0x0604,
    .profile = PROFILE,
    .tx = {{"Inputs", {MAP_6(0x6030, 1, 64), MAP_6(0x6030, 7, 32), FF_EC_MAP(0x6030, 13, 32)}}},
};

// --------------------------------------------------------------------------------------- slaves with modules, couplers

const ff_ec_device ff_ec_modules_device = {
    .name = "Footfall gateway of modules",
    .group = "Sensors",
    .vendor = FF_EC_VENDOR,
    .product = 0x0605,
    .revision = 1,
    .profile = 0x00001389, // modular device, number 5001
};

const ff_ec_device ff_ec_axes_device = {
    .name = "Footfall drive of several axes",
    .group = "Drives",
    .vendor = FF_EC_VENDOR,
    .product = 0x0403,
    .revision = 1,
    .profile = 0x00020192, // servo, profile 402
};

const ff_ec_device ff_ec_coupler_device = {
    .name = "Footfall coupler",
    .group = "Couplers",
    .vendor = FF_EC_VENDOR,
    .product = 0x0600,
    .revision = 1,
    .passive = true,
};
