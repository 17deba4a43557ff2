// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Formulas for one robot, whatever the number of lanes of its block.
#define FF_LANES 1

#include "batch/evaluate.h"

double ff_formula_value(const ff_formula_step *code, int count, const ff_batch_channel *channels, const double *x,
                        const double *in, int stride, double ground)
{
    return formula_value(code, count, channels, x, in, stride, ground);
}
