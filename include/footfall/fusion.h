// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Roll and pitch from a gyroscope and an accelerometer, as the computer of an inertial unit estimates them: the
// gyroscope is integrated, and the direction of the accelerometer, which on the average is upward, corrects the
// estimate (R. Mahony, T. Hamel, J.-M. Pflimlin, IEEE Transactions on Automatic Control 53(5), 2008; here for the
// upward direction u in the axes of the unit, which is all that roll and pitch need):
//     e = a / |a| x u,    u' = u x (w - b + k e),    b' = -k_b e
// Its errors are known: a bias of the gyroscope tilts the estimate by bias / k unless k_b > 0 learns it; accelerations
// faster than k pass by, steady ones (a turn) tilt it. Part of the room sense; usable by controllers on a robot as
// well.
//
//     ff_fusion_state state;
//     ff_fusion_start(&state, roll, pitch);
//     ff_fusion_update(&(ff_fusion){.gain = 0.5, .bias_gain = 0.05}, &state, 1e-3, gyro, accelerometer);   // each
//         sample
//     ff_fusion_angles(state.up, angles);
#ifndef FOOTFALL_FUSION_H
#define FOOTFALL_FUSION_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ff_fusion {
    double gain;      // k, of the accelerometer: 1 / k is how long the gyroscope dominates  [1/s]
    double bias_gain; // k_b, of the gyroscope's bias, 0: none is estimated                    [1/s^2]
} ff_fusion;

/// Plain data: copy it to save it.
typedef struct ff_fusion_state {
    double up[3];   // upward direction in the axes of the unit, length 1
    double bias[3]; // of the gyroscope                                    [rad/s]
    double spin[3]; // its last sample                                     [rad/s]
} ff_fusion_state;

/// Starts from an attitude, at rest, without bias.
FF_API void ff_fusion_start(ff_fusion_state *state, double roll, double pitch);
/// One sample, `span` after the last one: rotates u by the mean of two samples of the gyroscope, then corrects it by
/// the accelerometer.
/// @param span          [s], with gain * span below 1
/// @param gyro          [rad/s]
/// @param accelerometer +g upward at rest; of any length, in free fall nothing is drawn  [m/s^2]
FF_API void ff_fusion_update(const ff_fusion *fusion, ff_fusion_state *state, double span, const double gyro[3],
                             const double accelerometer[3]);
/// Roll about x after pitch about y after yaw about z, of an upward direction.  (roll, pitch) [rad]
FF_API void ff_fusion_angles(const double up[3], double angles[2]);

#ifdef __cplusplus
}
#endif
#endif
