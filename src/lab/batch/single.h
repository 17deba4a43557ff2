// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a robot in single precision, for a device that was asked for them (lanes.h includes this). Constants in
// the source are doubles: on a device they are rounded before they meet such a number, so that nothing is computed in
// double precision. On a processor, where a test compiles this as C, they are not.
#ifndef FOOTFALL_BATCH_SINGLE_H
#define FOOTFALL_BATCH_SINGLE_H

#if defined(__CUDACC__)

struct real {
    float value;
    real() = default;
    __device__ __forceinline__ real(float x) : value(x)
    {
    }
    __device__ __forceinline__ real(double x) : value((float)x)
    {
    }
    __device__ __forceinline__ real(int x) : value((float)x)
    {
    }
    __device__ __forceinline__ explicit operator int() const
    {
        return (int)value;
    }
};

FN real operator+(real a, real b)
{
    return real(a.value + b.value);
}
FN real operator-(real a, real b)
{
    return real(a.value - b.value);
}
FN real operator*(real a, real b)
{
    return real(a.value * b.value);
}
FN real operator/(real a, real b)
{
    return real(a.value / b.value);
}
FN real &operator+=(real &a, real b)
{
    return a = a + b;
}
FN real &operator-=(real &a, real b)
{
    return a = a - b;
}
FN real &operator*=(real &a, real b)
{
    return a = a * b;
}
FN mask operator<(real a, real b)
{
    return a.value < b.value;
}
FN mask operator<=(real a, real b)
{
    return a.value <= b.value;
}
FN mask operator>(real a, real b)
{
    return a.value > b.value;
}
FN mask operator>=(real a, real b)
{
    return a.value >= b.value;
}
FN mask operator==(real a, real b)
{
    return a.value == b.value;
}
FN mask operator!=(real a, real b)
{
    return a.value != b.value;
}
FN real operator-(real a)
{
    return real(-a.value);
}

/// The number itself, for what cannot be done side by side.
FN float &alone(real &x)
{
    return x.value;
}
FN float alone(const real &x)
{
    return x.value;
}
FN mask alone(mask m)
{
    return m;
}

/// Half turns are split off without rounding, but for that of x / pi.
FN void ff_sincos_core(real x, real *sine, real *cosine)
{
    sincospif(x.value * 0.318309886f, &sine->value, &cosine->value);
}

#else

#include <math.h>
typedef float real;
#define alone(x) (x)

FN void ff_sincos_core(real x, real *sine, real *cosine)
{
    *sine = sinf(x), *cosine = cosf(x);
}

#endif

#define FF_LARGEST_ANGLE 1e4 // whose sine has three digits  [rad]

FN real root(real x)
{
    return sqrtf(alone(x));
}

/// Largest whole number that is not above x.
FN real whole_part(real x)
{
    return floorf(alone(x));
}

FN real exp_of(real x)
{
    return expf(alone(x));
}

FN real log_of(real x)
{
    return logf(alone(x));
}

#endif
