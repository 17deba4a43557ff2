// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The estimate of footfall/fusion.h, and sensors that use it. In a sensor the gyroscope and the accelerometer have
// their errors first, in a chain of their own without delay; the estimate is made of what they measure, and its angles
// pass the chain of the sensor.
#include "sense/private.h"

#include <footfall/fusion.h>
#include <string.h>

// ------------------------------------------------------------------------------------------ the estimate

/// Rotates u by -angle about the vector `angle`: a fixed direction seen from rotating axes.
static void turn(double u[3], const double angle[3])
{
    const double size = ff_vec3_norm(angle);
    double sine, cosine, axis[3], across[3], out[3];
    if (!(size > 0.0)) return;
    ff_sincos(&size, &sine, &cosine, 1);
    ff_vec3_scale(axis, angle, 1.0 / size);
    ff_vec3_cross(across, u, axis);
    ff_vec3_scale(out, u, cosine);
    ff_vec3_axpy(out, sine, across);
    ff_vec3_axpy(out, (1.0 - cosine) * ff_vec3_dot(axis, u), axis);
    ff_vec3_scale(u, out, 1.0 / ff_vec3_norm(out));
}

void ff_fusion_start(ff_fusion_state *state, double roll, double pitch)
{
    const double angles[2] = {roll, pitch};
    double sine[2], cosine[2];
    ff_sincos(angles, sine, cosine, 2);
    *state = (ff_fusion_state){.up = {-sine[1], sine[0] * cosine[1], cosine[0] * cosine[1]}};
}

void ff_fusion_update(const ff_fusion *fusion, ff_fusion_state *state, double span, const double gyro[3],
                      const double accelerometer[3])
{
    double angle[3], error[3];
    for (int k = 0; k < 3; k++) angle[k] = span * (0.5 * (gyro[k] + state->spin[k]) - state->bias[k]);
    ff_vec3_copy(state->spin, gyro);
    turn(state->up, angle);
    const double length = ff_vec3_norm(accelerometer);
    if (!(length > 0.0)) return;
    ff_vec3_cross(error, accelerometer, state->up);
    ff_vec3_scale(error, error, 1.0 / length);
    ff_vec3_axpy(state->bias, -span * fusion->bias_gain, error);
    ff_vec3_scale(error, error, span * fusion->gain);
    turn(state->up, error);
}

void ff_fusion_angles(const double up[3], double angles[2])
{
    const double s = up[0] < -1.0 ? -1.0 : up[0] > 1.0 ? 1.0 : up[0];
    angles[0] = ff_atan2(up[1], up[2]);
    angles[1] = -ff_asin(s);
}

// ------------------------------------------------------------------------------------------ in a sensor

/// Memory of the estimate; that of the inner chain follows it.
typedef struct estimate {
    ff_fusion_state state;
    double time; // of the last sample  [s]
} estimate;

size_t ff_estimator_memory(const ff_sensor *s)
{
    return sizeof(estimate) + ff_chain_memory_size(s->inner);
}

/// Input of the sensor's own chain: (gyro, accelerometer, roll, pitch) of an imu, (roll, pitch) of an attitude.
static void select_output(const ff_sensor *s, const ff_fusion_state *state, const double *measured, double *out)
{
    const int first = s->type == FF_SENSOR_IMU ? 6 : 0;
    memcpy(out, measured, (size_t)first * sizeof *out);
    ff_fusion_angles(state->up, out + first);
}

void ff_estimator_start(const ff_sensor *s, void *memory, uint64_t seed, uint64_t stream, const double *truth, double t,
                        double *out)
{
    estimate *f = memory;
    double measured[6];
    ff_fusion_start(&f->state, truth[6], truth[7]);
    ff_vec3_copy(f->state.spin, truth);
    f->time = t;
    ff_chain_start(s->inner, f + 1, seed, stream, truth, t);
    ff_chain_read(s->inner, f + 1, t, measured);
    select_output(s, &f->state, measured, out);
}

void ff_estimator_sample(const ff_sensor *s, void *memory, const double *truth, double t, double *out)
{
    estimate *f = memory;
    double measured[6];
    const double span = t - f->time;
    f->time = t;
    if (span > 0.0) ff_chain_sample(s->inner, f + 1, t, truth);
    ff_chain_read(s->inner, f + 1, t, measured);
    if (span > 0.0) ff_fusion_update(s->fusion, &f->state, span, measured, measured + 3);
    select_output(s, &f->state, measured, out);
}
