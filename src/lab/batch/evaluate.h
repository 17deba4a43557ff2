// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a formula for the robots of a block (formula.h), in plain arithmetic with one rounding an operation: exp and
// atan2 are series, so that results are bit-identical on every processor and device.
#ifndef FOOTFALL_BATCH_EVALUATE_H
#define FOOTFALL_BATCH_EVALUATE_H

#include "batch/channel.h"
#include "batch/formula.h"
#include "batch/lanes.h"
#include "batch/series.h"

/// Arc tangent of 0 <= t <= 1: half angles twice, tan(a/2) = t / (1 + sqrt(1 + t^2)), then the series up to t^23 with
/// t <= tan(pi/16), whose rest is below 1e-19.
FN real small_angle(real t)
{
    UNROLL for (int k = 0; k < 2; k++) t = t / (1.0 + root(1.0 + t * t));
    const real z = t * t;
    real sum = each(0.0);
    UNROLL for (int k = 23; k > 0; k -= 2) sum = 1.0 / (num)k - z * sum;
    return 4.0 * (t * sum);
}

FN real angle_of(real y, real x)
{
    const num half_turn = 3.14159265358979311600;
    const real a = size_of(y), b = size_of(x), most = larger(a, b);
    const real t = smaller(a, b) / choose(most > 0.0, most, each(1.0));
    real angle = small_angle(t);
    angle = choose(a > b, 0.5 * half_turn - angle, angle);
    angle = choose(x < 0.0, half_turn - angle, angle);
    angle = choose(y < 0.0, -angle, angle);
    return choose((x == x) & (y == y), angle, x + y);
}

FN real power_of(real x, int power)
{
    real product = each(1.0);
    for (int i = 0; i < power; i++) product = product * x;
    return product;
}

/// No number beyond FF_LARGEST_ANGLE.
FN real sine_of(real x, int cosine)
{
    real s, c;
    ff_sincos_core(x, &s, &c);
    return choose(size_of(x) < FF_LARGEST_ANGLE, cosine ? c : s, (x - x) / (x - x));
}

FN real truth(mask m)
{
    return choose(m, each(1.0), each(0.0));
}

FN real unary(const ff_formula_step *step, real a)
{
    switch (step->op) {
    case FF_FORMULA_NEGATE:
        return -a;
    case FF_FORMULA_RAISE:
        return power_of(a, step->row);
    case FF_FORMULA_ABS:
        return size_of(a);
    case FF_FORMULA_SQRT:
        return root(a);
    case FF_FORMULA_SIN:
        return sine_of(a, 0);
    case FF_FORMULA_COS:
        return sine_of(a, 1);
    case FF_FORMULA_EXP:
        return exp_of(a);
    default:
        return truth(a == 0.0); // not
    }
}

FN real binary(int op, real a, real b)
{
    switch (op) {
    case FF_FORMULA_ADD:
        return a + b;
    case FF_FORMULA_SUBTRACT:
        return a - b;
    case FF_FORMULA_MULTIPLY:
        return a * b;
    case FF_FORMULA_DIVIDE:
        return a / b;
    case FF_FORMULA_MIN:
        return smaller(a, b);
    case FF_FORMULA_MAX:
        return larger(a, b);
    case FF_FORMULA_ATAN2:
        return angle_of(a, b);
    case FF_FORMULA_BELOW:
        return truth(a < b);
    case FF_FORMULA_AT_MOST:
        return truth(a <= b);
    case FF_FORMULA_AND:
        return truth((a != 0.0) & (b != 0.0));
    default:
        return truth((a != 0.0) | (b != 0.0)); // or
    }
}

FN real fetched(const ff_formula_step *step, const real *x, const real *in, int stride, real below)
{
    switch (step->op) {
    case FF_FORMULA_CONSTANT:
        return each(step->value);
    case FF_FORMULA_ROW:
        return x[(size_t)step->row * (size_t)stride];
    case FF_FORMULA_INPUT:
        return in[(size_t)step->row * (size_t)stride];
    default:
        return below;
    }
}

/// Reading of a sensor channel for a true value. Steps for a device have none (batch.c refuses them); what is
/// observed there has (channel_core.h).
#if defined(__CUDACC__)
#define READ_CHANNEL ff_core_channel_read
#else
#define READ_CHANNEL ff_channel_read
#endif
FN real sensed(const ff_batch_channel *channels, int number, const real *x, int stride, real truth)
{
#if (defined(FF_SPECIAL) && !defined(FF_HOST)) || (defined(__CUDACC__) && !defined(FOOTFALL_BATCH_CHANNEL_CORE_H))
    (void)channels, (void)number, (void)x, (void)stride;
    return truth;
#else
    const ff_batch_channel *channel = &channels[number];
    const real key = x[(size_t)channel->key * (size_t)stride], loud = x[(size_t)channel->loud * (size_t)stride];
    const real age = x[(size_t)channel->age * (size_t)stride];
    real out = truth;
    for (int lane = 0; lane < LANE_COUNT; lane++)
        LANE(out, lane) = READ_CHANNEL(channel, LANE(truth, lane), LANE(key, lane), LANE(loud, lane), LANE(age, lane));
    return out;
#endif
}

/// @param channels  of the model
/// @param x, in  rows and inputs of the block  @param stride  from one of them to the next
/// @param below  height of the field below the first free root of each robot
APART real formula_value(const ff_formula_step *code, int count, const ff_batch_channel *channels, const real *x,
                         const real *in, int stride, real below)
{
    real stack[FF_FORMULA_DEPTH], top = each(0.0); // the number on top is kept apart
    int depth = 0;
    for (int i = 0; i < count; i++) {
        const ff_formula_step *step = &code[i];
        if (step->op >= FF_FORMULA_ADD) {
            top = binary(step->op, stack[--depth], top);
        } else if (step->op == FF_FORMULA_SENSE) {
            top = sensed(channels, step->row, x, stride, top);
        } else if (step->op > FF_FORMULA_GROUND) {
            top = unary(step, top);
        } else {
            stack[depth++] = top;
            top = fetched(step, x, in, stride, below);
        }
    }
    return top;
}

#endif
