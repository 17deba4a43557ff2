// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Elementary functions of two arguments against MPFR. The limits are what math.h promises.
#ifdef FF_WITH_MPFR
#include "exact.h"

#define WITHIN(limit, name, ...)                                                                                       \
    do {                                                                                                               \
        const regime regimes[][2] = {__VA_ARGS__};                                                                     \
        for (size_t i = 0; i < sizeof regimes / sizeof regimes[0]; i++)                                                \
            CHECK_BELOW(worst_of_two(#name, ff_##name, mpfr_##name, regimes[i]), limit);                               \
    } while (0)

TEST(powers_round_nearly_as_they_should)
{
    WITHIN(0.52, pow, {{EVEN, 0, 10}, {EVEN, -5, 5}}, {{EVEN, 0, 1e-3}, {EVEN, 0.5, 4}},
           {{EVEN, 0.5, 2}, {EVEN, -700, 700}});
    WITHIN(0.52, pow, {{SIZES, -1, 1}, {SIZES, -70, 4}}); // x < 0: NaN but for whole y
    // Subnormal results are rounded twice.
    WITHIN(0.76, pow, {{SIZES, -1074, 1023}, {SIZES, -5, 2}}, {{EVEN, 4e-10, 6e-10}, {EVEN, 33.2, 34.5}},
           {{BESIDE, 1, -53}, {SIZES, 0, 58}});
}

TEST(angles_of_points_round_nearly_as_they_should)
{
    WITHIN(0.55, atan2, {{EVEN, -1, 1}, {EVEN, -1, 1}}, {{SIZES, -30, 30}, {SIZES, -30, 30}},
           {{EVEN, -0.1, 0.1}, {EVEN, 0, 1}});
    WITHIN(0.55, atan2, {{SIZES, -1074, 1023}, {SIZES, -1074, 1023}}, {{SIZES, -1074, -1000}, {SIZES, -1074, -1000}});
    WITHIN(0.55, atan2, {{SIZES, 960, 1023}, {SIZES, 960, 1023}}, {{SIZES, -1074, -900}, {SIZES, 0, 60}});
}

TEST(lengths_round_nearly_as_they_should)
{
    WITHIN(0.51, hypot, {{EVEN, -1, 1}, {EVEN, -1, 1}}, {{SIZES, -30, 30}, {SIZES, -30, 30}},
           {{SIZES, 960, 1023}, {SIZES, 960, 1023}});
    WITHIN(0.76, hypot, {{SIZES, -1074, -1000}, {SIZES, -1074, -1000}}, {{SIZES, -1074, 1023}, {SIZES, -1074, 1023}});
}
#else
#include "check.h"

TEST(elementary_functions_agree_with_mpfr)
{
    SKIP("built without MPFR (libmpfr-dev)");
}
#endif
