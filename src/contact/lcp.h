// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Complementarity for some of the contacts only.
#ifndef FOOTFALL_CONTACT_LCP_H
#define FOOTFALL_CONTACT_LCP_H

#include <footfall/response.h>

/// ff_lcp_solve without the contacts for which `idle` (may be NULL) is not zero: their f is zero and their w is free. The last 3 n
/// numbers of `work` are not touched.
ff_status ff_lcp_part(int n, const double *A, const double *b, const double *idle, double *f, double *work,
                      ff_error *err);

#endif
