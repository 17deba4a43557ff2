// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Devices of the reference robots as settings, so that a robot file can say `preset: anton-force`. Numbers that the
// sources do not give are assumed; docs/sensors.md (presets) lists the sources of those of LOLA.
#include "sense/private.h"

#include <string.h>

// clang-format off
#define LIST(name_, count_, ...) {.name = name_, .values = (const double[]){__VA_ARGS__}, .count = count_}
#define ONE(name_, value_)       LIST(name_, 1, value_)
// clang-format on

/// A drift of x in a minute is a random walk whose standard deviation is x after a minute.
#define A_MINUTE 0.12909944487358055 // 1 / sqrt(60)

/// Most settings of a device, and a NULL name behind them.
enum { SETTINGS_MOST = 8 };

static const struct preset {
    const char *name, *type;
    ff_spec_setting settings[SETTINGS_MOST];
} PRESETS[] = {
    {"anton-potentiometer",
     "potentiometer",
     {ONE("rate", 1000.0), ONE("range", 0.5 * FF_PI), ONE("centred", 1.0), ONE("bits", 10.0), ONE("noise", 1e-3),
      ONE("bias_walk", 1e-3 * A_MINUTE)}},
    {"anton-encoder", "encoder", {ONE("rate", 1000.0), ONE("counts", 2048.0)}},
    {"anton-force",
     "force",
     {ONE("rate", 1000.0), ONE("range", 50.0), ONE("bits", 12.0), ONE("noise", 0.05), ONE("crosstalk", 0.01),
      ONE("bias_walk", 0.1 * A_MINUTE)}},
    {"anton-gyro",
     "gyro",
     {ONE("rate", 1000.0), ONE("axes", 2.0), ONE("noise", 0.005), ONE("bias_walk", 1e-3 * A_MINUTE)}},
    {"rotto-absolute", "absolute", {ONE("rate", 1000.0), ONE("bits", 12.0)}},
    {"rotto-force",
     "force6",
     {ONE("rate", 1000.0), LIST("range", 6, 300, 400, 300, 10, 20, 10), ONE("bits", 12.0), ONE("crosstalk", 0.01),
      LIST("noise", 6, 0.145, 0.195, 0.145, 0.049, 0.05, 0.049)}},
    {"rotto-imu", "imu", {ONE("rate", 1000.0), LIST("noise", 3, 0.001, 0.02, 1e-4), ONE("bandwidth", 100.0)}},
    {"rotto-current", "current", {ONE("rate", 1000.0), ONE("range", 10.0), ONE("bits", 12.0)}},
    {"rotto-hall", "deflection", {ONE("rate", 1000.0), ONE("range", 0.005), ONE("bits", 12.0)}},
    {"lola-imu",
     "imu",
     {ONE("rate", 200.0), ONE("latency", 1e-3), LIST("noise", 3, 0.5e-3, 0.02, 1e-4), LIST("bias", 3, 0.0, 0.0, 2e-4)}},
    {"lola-force",
     "force6",
     {ONE("rate", 1000.0), LIST("range", 2, 1000, 120), LIST("noise", 2, 1.0, 0.1), LIST("bias", 2, 2.0, 0.2),
      ONE("bandwidth", 200.0)}},
    {"lola-encoder", "encoder", {ONE("rate", 10000.0), ONE("counts", 11520.0)}},
    {"lola-absolute", "absolute", {ONE("rate", 4000.0), ONE("bits", 17.0)}},
    {"lola-switch", "switch", {ONE("rate", 4000.0), ONE("threshold", 30.0), ONE("inclination", 0.05)}},
    {"lola-toe", "tactile", {ONE("rate", 1000.0), ONE("rows", 8.0), ONE("columns", 14.0), ONE("pitch", 0.01)}},
    {"lola-heel", "tactile", {ONE("rate", 1000.0), ONE("rows", 20.0), ONE("columns", 14.0), ONE("pitch", 0.01)}},
    {"hexapod-touch", "touch", {ONE("rate", 1000.0), ONE("threshold", 0.1), ONE("delay", 10.0)}},
    {"hexapod-distance", "distance", {ONE("rate", 50.0), LIST("reach", 2, 0.05, 2.0), ONE("noise", 0.005)}},
    {"tennis-plate", "plate", {ONE("rate", 1000.0), ONE("range", 500.0), ONE("bits", 16.0)}},
};
enum { NPRESET = sizeof PRESETS / sizeof *PRESETS };

const ff_spec_setting *ff_sensor_preset(const char *name, const char **type)
{
    for (int i = 0; i < NPRESET; i++) {
        if (strcmp(PRESETS[i].name, name) != 0) continue;
        *type = PRESETS[i].type;
        return PRESETS[i].settings;
    }
    return NULL;
}

const char *ff_sensor_preset_name(int i)
{
    return i >= 0 && i < NPRESET ? PRESETS[i].name : NULL;
}
