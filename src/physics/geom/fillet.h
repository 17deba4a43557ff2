// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// How places of one ball on gentle ground become one contact (facet_contact.c), for processors and devices.
#ifndef FOOTFALL_FILLET_H
#define FOOTFALL_FILLET_H

/// A valley counts as rounded by a fillet; its radius over that of the ball.
#define FF_FILLET 1.25
/// Contacts whose normals differ by more (cosine) are never one.
#define FF_ALIKE 0.8

#endif
