// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Left legs from right ones: the mirror image of a description.
#ifndef FOOTFALL_MODEL_MIRROR_H
#define FOOTFALL_MODEL_MIRROR_H

#include <footfall/spec.h>

/// Mirror image of a description across the plane through its origin normal to `axis` (0 x, 1 y, 2 z). Joints keep
/// signs: equal coordinates give mirrored poses.
void ff_spec_mirror(ff_spec *spec, int axis);

#endif
