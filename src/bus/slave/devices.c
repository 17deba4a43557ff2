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

// ------------------------------------------------------------------------------------------ drive

#define DRIVE(field) FF_EC_FIELD(ff_ec_drive, field)

static const ff_ec_entry entries[] = {
    {0x6007, 0, FF_EC_I16, FF_EC_RW, 0, DRIVE(bus_lost_option), "Bus lost option", 3, 0, 3},
    {0x603F, 0, FF_EC_U16, FF_EC_INPUT, 0, DRIVE(error_code), "Error code", 0, 0, 0},
    {0x6040, 0, FF_EC_U16, FF_EC_OUTPUT, 0, DRIVE(control), "Controlword", 0, 0, 0},
    {0x6041, 0, FF_EC_U16, FF_EC_INPUT, 0, DRIVE(status), "Statusword", 0, 0, 0},
    {0x605A, 0, FF_EC_I16, FF_EC_RW, 0, DRIVE(quick_stop_option), "Quick stop option", 2, 0, 8},
    {0x605B, 0, FF_EC_I16, FF_EC_RW, 0, DRIVE(shutdown_option), "Shutdown option", 0, 0, 1},
    {0x605C, 0, FF_EC_I16, FF_EC_RW, 0, DRIVE(disable_option), "Disable operation option", 1, 0, 1},
    {0x605D, 0, FF_EC_I16, FF_EC_RW, 0, DRIVE(halt_option), "Halt option", 1, 1, 4},
    {0x605E, 0, FF_EC_I16, FF_EC_RW, 0, DRIVE(fault_option), "Fault reaction option", 2, 0, 2},
    {0x6060, 0, FF_EC_I8, FF_EC_OUTPUT, 0, DRIVE(mode), "Mode of operation", 8, 0, 0},
    {0x6061, 0, FF_EC_I8, FF_EC_INPUT, 0, DRIVE(mode_shown), "Mode of operation display", 8, 0, 0},
    {0x6062, 0, FF_EC_I32, FF_EC_INPUT, 0, DRIVE(position_demand), "Position demand", 0, 0, 0},
    {0x6064, 0, FF_EC_I32, FF_EC_INPUT, 0, DRIVE(position), "Actual position", 0, 0, 0},
    {0x6065, 0, FF_EC_U32, FF_EC_RW, 0, DRIVE(following_window), "Following error window", 18335, 0, 0},
    {0x6066, 0, FF_EC_U16, FF_EC_RW, 0, DRIVE(following_time), "Following error time", 10, 0, 0},
    {0x6067, 0, FF_EC_U32, FF_EC_RW, 0, DRIVE(position_window), "Position window", UINT32_MAX, 0, 0},
    {0x6068, 0, FF_EC_U16, FF_EC_RW, 0, DRIVE(position_window_time), "Position window time", 0, 0, 0},
    {0x606C, 0, FF_EC_I32, FF_EC_INPUT, 0, DRIVE(velocity), "Actual velocity", 0, 0, 0},
    {0x6071, 0, FF_EC_I16, FF_EC_OUTPUT, 0, DRIVE(target_torque), "Target torque", 0, 0, 0},
    {0x6072, 0, FF_EC_U16, FF_EC_OUTPUT, 0, DRIVE(max_torque), "Maximum torque", 3000, 0, 0},
    {0x6074, 0, FF_EC_I16, FF_EC_INPUT, 0, DRIVE(torque_demand), "Torque demand", 0, 0, 0},
    {0x6075, 0, FF_EC_U32, FF_EC_READ, 0, DRIVE(rated_current), "Rated current", 0, 0, 0},
    {0x6076, 0, FF_EC_U32, FF_EC_READ, 0, DRIVE(rated_torque), "Rated torque", 0, 0, 0},
    {0x6077, 0, FF_EC_I16, FF_EC_INPUT, 0, DRIVE(torque), "Actual torque", 0, 0, 0},
    {0x6078, 0, FF_EC_I16, FF_EC_INPUT, 0, DRIVE(current), "Actual current", 0, 0, 0},
    {0x6079, 0, FF_EC_U32, FF_EC_INPUT, 0, DRIVE(dc_link), "DC link voltage", 0, 0, 0},
    {0x607A, 0, FF_EC_I32, FF_EC_OUTPUT, 0, DRIVE(target_position), "Target position", 0, 0, 0},
    {0x607C, 0, FF_EC_I32, FF_EC_RW, 0, DRIVE(home_offset), "Home offset", 0, 0, 0},
    {0x607D, 0, FF_EC_U8, FF_EC_READ, 0, DRIVE(limit_count), "Position limits", 2, 0, 0},
    {0x607D, 1, FF_EC_I32, FF_EC_RW, 0, DRIVE(limits[0]), "Minimum position", INT32_MIN, 0, 0},
    {0x607D, 2, FF_EC_I32, FF_EC_RW, 0, DRIVE(limits[1]), "Maximum position", INT32_MAX, 0, 0},
    {0x607E, 0, FF_EC_U8, FF_EC_RW, 0, DRIVE(polarity), "Polarity", 0, 0, 0},
    {0x607F, 0, FF_EC_U32, FF_EC_RW, 0, DRIVE(max_velocity), "Maximum velocity", 0, 0, 0},
    {0x6080, 0, FF_EC_U32, FF_EC_RW, 0, DRIVE(max_speed), "Maximum motor speed", 0, 0, 0},
    {0x6081, 0, FF_EC_U32, FF_EC_RW, 0, DRIVE(profile_velocity), "Profile velocity", 0, 0, 0},
    {0x6083, 0, FF_EC_U32, FF_EC_RW, 0, DRIVE(acceleration), "Profile acceleration", 0, 0, 0},
    {0x6084, 0, FF_EC_U32, FF_EC_RW, 0, DRIVE(deceleration), "Profile deceleration", 0, 0, 0},
    {0x6085, 0, FF_EC_U32, FF_EC_RW, 0, DRIVE(quick_deceleration), "Quick stop deceleration", 0, 0, 0},
    {0x608F, 0, FF_EC_U8, FF_EC_READ, 0, DRIVE(encoder_count), "Encoder resolution", 2, 0, 0},
    {0x608F, 1, FF_EC_U32, FF_EC_RW, 0, DRIVE(encoder[0]), "Counts", 11520, 0, 0},
    {0x608F, 2, FF_EC_U32, FF_EC_RW, 0, DRIVE(encoder[1]), "Motor revolutions", 1, 0, 0},
    {0x6091, 0, FF_EC_U8, FF_EC_READ, 0, DRIVE(gear_count), "Gear ratio", 2, 0, 0},
    {0x6091, 1, FF_EC_U32, FF_EC_RW, 0, DRIVE(gear[0]), "Motor revolutions", 1, 0, 0},
    {0x6091, 2, FF_EC_U32, FF_EC_RW, 0, DRIVE(gear[1]), "Shaft revolutions", 1, 0, 0},
    {0x6098, 0, FF_EC_I8, FF_EC_RW, 0, DRIVE(homing_method), "Homing method", 37, 0, 0},
    {0x6099, 0, FF_EC_U8, FF_EC_READ, 0, DRIVE(homing_count), "Homing speeds", 2, 0, 0},
    {0x6099, 1, FF_EC_U32, FF_EC_RW, 0, DRIVE(homing_speed[0]), "Speed towards the switch", 0, 0, 0},
    {0x6099, 2, FF_EC_U32, FF_EC_RW, 0, DRIVE(homing_speed[1]), "Speed towards zero", 0, 0, 0},
    {0x609A, 0, FF_EC_U32, FF_EC_RW, 0, DRIVE(homing_acceleration), "Homing acceleration", 0, 0, 0},
    {0x60B0, 0, FF_EC_I32, FF_EC_OUTPUT, 0, DRIVE(position_offset), "Position offset", 0, 0, 0},
    {0x60B1, 0, FF_EC_I32, FF_EC_OUTPUT, 0, DRIVE(velocity_offset), "Velocity offset", 0, 0, 0},
    {0x60B2, 0, FF_EC_I16, FF_EC_OUTPUT, 0, DRIVE(torque_offset), "Torque offset", 0, 0, 0},
    {0x60B8, 0, FF_EC_U16, FF_EC_OUTPUT, 0, DRIVE(probe), "Touch probe function", 0, 0, 0},
    {0x60B9, 0, FF_EC_U16, FF_EC_INPUT, 0, DRIVE(probe_status), "Touch probe status", 0, 0, 0},
    {0x60BA, 0, FF_EC_I32, FF_EC_INPUT, 0, DRIVE(probe_position), "Touch probe 1, positive edge", 0, 0, 0},
    {0x60C2, 0, FF_EC_U8, FF_EC_READ, 0, DRIVE(period_count), "Interpolation period", 2, 0, 0},
    {0x60C2, 1, FF_EC_U8, FF_EC_RW, 0, DRIVE(period), "Value", 25, 0, 0},
    {0x60C2, 2, FF_EC_I8, FF_EC_RW, 0, DRIVE(period_exponent), "Exponent", -5, 0, 0},
    {0x60E0, 0, FF_EC_U16, FF_EC_OUTPUT, 0, DRIVE(positive_torque), "Positive torque limit", 3000, 0, 0},
    {0x60E1, 0, FF_EC_U16, FF_EC_OUTPUT, 0, DRIVE(negative_torque), "Negative torque limit", 3000, 0, 0},
    {0x60E4, 0, FF_EC_U8, FF_EC_READ, 0, DRIVE(joint_count), "Further position", 1, 0, 0},
    {0x60E4, 1, FF_EC_I32, FF_EC_INPUT, 0, DRIVE(joint_position), "Joint encoder", 0, 0, 0},
    {0x60F4, 0, FF_EC_I32, FF_EC_INPUT, 0, DRIVE(following_error), "Following error", 0, 0, 0},
    {0x60FD, 0, FF_EC_U32, FF_EC_INPUT, 0, DRIVE(digital_inputs), "Digital inputs", 0, 0, 0},
    {0x60FF, 0, FF_EC_I32, FF_EC_OUTPUT, 0, DRIVE(target_velocity), "Target velocity", 0, 0, 0},
    {0x6502, 0, FF_EC_U32, FF_EC_READ, 0, DRIVE(supported_modes), "Supported modes", 0x3A1, 0, 0},
};

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
