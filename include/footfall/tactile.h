// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Tactile array: piezoresistive foil between crossed threads, one taxel a crossing, read one after the other. From
// pressure to resistance and back:
//     p_c  = (1 - 4 e) p + e (sum of 4 neighbours)                    crosstalk
//     p_h  = play of width w = 0.12 max(0, p_peak - 15 kPa)           hysteresis: unloading reads higher
//     p_d  = p_h + drift while loaded, at most 0.3 p_h                 0.26 kPa/s
//     R    from p = a exp(b R) + c exp(d R), 0 < R < R_unloaded        calibration law; below the threshold R does
//         not fall
//     R    * spread of the taxel + noise, 12-bit converter through a divider
// and read by the one law that is meant for all taxels. Part of the room sense.
#ifndef FOOTFALL_TACTILE_H
#define FOOTFALL_TACTILE_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ff_tactile {
    int rows, columns;      // rows along the sensor's x, columns along its y; its origin is the middle
    double pitch;           // between taxels                                   [m]
    int scan;               // taxels read at each sample, 0: all
    bool ideal;             // pressure as it is, none of the following
    double crosstalk;       // e
    double play, play_from; // hysteresis: 0.12, above 15                       [1, kPa]
    double drift;           // median over taxels                               [kPa/s]
    double drift_spread;    // part of it, uniform                              [1]
    double drift_most;      // of the pressure                                  [1]
    double a, b, c, d;      // calibration law                                  [kPa, 1/Ohm]
    double unloaded;        // R_unloaded                                       [Ohm]
    double spread;          // of R over taxels at 15 kPa, sigma                [Ohm]
    double least, most;     // threshold, uniform over taxels                   [kPa]
    double noise;           // [Ohm]
    int bits;               // of the converter
    double divider;         // series resistance                                [Ohm]
    double contact;         // R / R_unloaded below which a taxel is touched
} ff_tactile;

/// 6 x 6 taxels at 7 mm, the machine-sewn prototype of the reference.
FF_API ff_tactile ff_tactile_default(void);
/// Pressure by the universal law, resistance by its inverse (bisection).  [kPa, Ohm]
FF_API double ff_tactile_pressure(const ff_tactile *tactile, double resistance);
FF_API double ff_tactile_resistance(const ff_tactile *tactile, double pressure);

/// Draws what differs from taxel to taxel.
FF_API void ff_tactile_start(const ff_tactile *tactile, double *memory, uint64_t seed, uint64_t stream, double t);
/// One scan at time t of true pressures [kPa]; `pressure` and `touched` keep the values of taxels that were not read
/// (rows*columns each).
FF_API void ff_tactile_scan(const ff_tactile *tactile, double *memory, double t, const double *truth, double *pressure,
                            double *touched);
/// Threshold of a taxel, for tests  [kPa]
FF_API double ff_tactile_threshold(const ff_tactile *tactile, const double *memory, int taxel);

#ifdef __cplusplus
}
#endif
#endif
