// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The formats of robot files, a row each.
#include "load/formats.h"
#include "mjcf/mjcf.h"
#include "mjcf/write.h"
#include "native/native.h"
#include "urdf/urdf.h"

static const ff_robot_format URDF = {
    .name = "urdf", .title = "URDF", .element = "robot", .endings = {"urdf"}, .read = urdf_read, .write = urdf_write};
static const ff_robot_format MJCF = {.name = "mjcf",
                                     .title = "MJCF",
                                     .element = "mujoco",
                                     .endings = {"xml", "mjcf"},
                                     .read = mjcf_read,
                                     .write = mjcf_write};
static const ff_robot_format NATIVE = {
    .name = "native", .title = "native", .endings = {"yaml", "yml"}, .has_legs = true, .read = ff_native_read};

const ff_robot_format *const ff_robot_formats[] = {&URDF, &MJCF, &NATIVE, NULL};
