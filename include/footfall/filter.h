// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Filters of sampled signals, and a controller with proportional, integral and derivative action. A filter is a set of
// coefficients that never changes and may be shared; what it remembers is an array of the caller, one for each signal,
// plain numbers that can be saved and restored. docs/control.md has the transfer functions and how they were sampled.
#ifndef FOOTFALL_FILTER_H
#define FOOTFALL_FILTER_H

#include <footfall/base.h>

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ filters

/// y[n] = b0 u[n] + b1 u[n-1] + b2 u[n-2] - a1 y[n-1] - a2 y[n-2]
typedef struct ff_filter {
    double b[3];   // b0, b1, b2
    double a[2];   // a1, a2
    double steady; // gain for a constant signal with which ff_filter_start fills the memory
} ff_filter;

/// Numbers a filter remembers: u[n-1], u[n-2], y[n-1], y[n-2]. All zero: it has seen nothing but zero.
#define FF_FILTER_MEMORY 4

// Sampled by Tustin's rule s = 2/dt (1 - 1/z)/(1 + 1/z) without prewarping, so that frequencies near half the sampling
// rate are too low: what the filter does at f, the continuous one does at tan(pi f dt)/(pi dt). T = 1/(2 pi f) for a
// frequency f. All refuse times and dampings that are not positive and finite: FF_BAD_ARGUMENT, and a filter that lets
// everything pass.

/// First-order low pass 1/(T s + 1). A T below dt/2 makes it ring at half the sampling rate.
/// @param T   time constant  [s]     @param dt  sampling period  [s]
FF_API ff_status ff_filter_lowpass1(ff_filter *out, double T, double dt, ff_error *err);
/// Second-order low pass 1/(T^2 s^2 + 2 d T s + 1); d is the damping ratio, 1 without overshoot.
FF_API ff_status ff_filter_lowpass2(ff_filter *out, double T, double d, double dt, ff_error *err);
/// Notch (T^2 s^2 + 2 d T s + 1)/(T^2 s^2 + (T/Q) s + 1): gain 2 d Q at 1/T, bandwidth 1/(Q T) rad/s. d may be zero.
FF_API ff_status ff_filter_notch(ff_filter *out, double T, double Q, double d, double dt, ff_error *err);
/// Derivative: the first-order low pass followed by the backward difference (1 - 1/z)/dt. It is not Tustin's
/// derivative, which rings at half the sampling rate.
FF_API ff_status ff_filter_derivative(ff_filter *out, double T, double dt, ff_error *err);
/// Integrator y[n] = y[n-1] + dt u[n]: the newest input counts, so that a constant u has the integral n dt u after n
/// samples.
FF_API ff_status ff_filter_integrator(ff_filter *out, double dt, ff_error *err);

/// Fills the memory for an input that has always been u: low passes and notches start at u, derivatives and integrators
/// at zero.
FF_API void ff_filter_start(const ff_filter *f, double memory[FF_FILTER_MEMORY], double u);
/// One sample. A u that is not finite would stay in the memory: it is ignored, and the last output returned.
static inline double ff_filter_step(const ff_filter *f, double memory[FF_FILTER_MEMORY], double u)
{
    if (!isfinite(u)) return memory[2];
    double y = f->b[0] * u + f->b[1] * memory[0] + f->b[2] * memory[1] - f->a[0] * memory[2] - f->a[1] * memory[3];
    memory[1] = memory[0];
    memory[0] = u;
    memory[3] = memory[2];
    memory[2] = y;
    return y;
}
/// Gain and phase as a complex number at the angle w = 2 pi frequency dt, 0 to pi.
FF_API void ff_filter_response(const ff_filter *f, double w, double *real, double *imaginary);

// ------------------------------------------------------------------------------------------ PID

/// u = kp e + integral of ki e + kd D, e = reference - measured, held within limits:
/// D is the filtered derivative of e, or of -measured, which spares the drive the jump of a new reference. While u is
/// limited, the integral is drawn back so that u approaches the limit with the time constant `tracking_time`
/// (back-calculation: K. J. Astrom, T. Hagglund, Advanced PID Control, 2006, sec. 3.5).
typedef struct ff_pid {
    double kp, ki, kd;
    double dt;                   // sampling period  [s]
    double derivative_time;      // of the low pass of D; 0 for the plain difference of samples  [s]
    bool derivative_of_measured; // D = d(-measured)/dt instead of de/dt
    double low, high;            // limits of u, may be infinite
    double tracking_time;        // [s]; 0: at once, u never remembers having been beyond a limit
} ff_pid;

/// What it remembers: plain numbers, all zero at the start or as ff_pid_start leaves them.
typedef struct ff_pid_memory {
    double integral; // the integral's part of u
    double filter[FF_FILTER_MEMORY];
    double error, slope; // last e and D
    double output;       // last u, within limits
} ff_pid_memory;

/// Checks numbers: gains finite, dt positive, low <= high, times not negative.
/// @return FF_OK, or FF_BAD_ARGUMENT with the number
FF_API ff_status ff_pid_check(const ff_pid *pid, ff_error *err);
/// One sample. A reference or measurement that is not finite changes nothing and gives the last u again.
FF_API double ff_pid_step(const ff_pid *pid, ff_pid_memory *memory, double reference, double measured);
/// Sets the memory such that a step with this reference and measurement gives `output`, clamped to the limits: a
/// bumpless transfer from manual control.
FF_API void ff_pid_start(const ff_pid *pid, ff_pid_memory *memory, double reference, double measured, double output);
/// Changes the gains without a jump of u: the integral compensates the change of kp e + kd D for the last e and D.
FF_API void ff_pid_change(const ff_pid *from, const ff_pid *to, ff_pid_memory *memory);

#ifdef __cplusplus
}
#endif
#endif
