// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A law of contact as a developer adds one: a row, and the function that makes its damper of the numbers of a material.
//     F = k p^1.5 + c p^0.25 v    Y. Tsuji, T. Tanaka, T. Ishida, Powder Technology 71 (1992), 239-250
#ifndef FOOTFALL_TESTS_NEW_LAW_H
#define FOOTFALL_TESTS_NEW_LAW_H

#include "contact/laws.h"

#define TSUJI_LAW(LAW) LAW(FF_NORMAL_LAW_COUNT, "tsuji", FF_USES_DAMPING, true, true, tsuji_damper)

static ff_normal_damper tsuji_damper(const ff_normal *n)
{
    return (ff_normal_damper){n->damping, 0.5 * (n->exponent - 1.0)};
}

#endif
