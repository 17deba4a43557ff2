// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What every public header starts from: visibility, printf checking, assertions. Part of the base room.
#ifndef FOOTFALL_API_H
#define FOOTFALL_API_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FF_API                         __attribute__((visibility("default")))
#define FF_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define FF_API
#define FF_PRINTF(format_index, first)
#endif

/// Functions of headers that processors and kernels of CUDA call.
#if defined(__CUDACC__)
#define FF_INLINE static inline __host__ __device__
#else
#define FF_INLINE static inline
#endif

/// A broken promise of our own code, never of user input. Alive unless NDEBUG is set.
#ifdef NDEBUG
#define FF_ASSERT(condition) ((void)0)
#else
FF_API void ff_assert_failed(const char *condition, const char *file, int line);
#define FF_ASSERT(condition) ((condition) ? (void)0 : ff_assert_failed(#condition, __FILE__, __LINE__))
#endif

#ifdef __cplusplus
}
#endif
#endif
