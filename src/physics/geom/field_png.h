// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Height fields from pictures that are not grey.
#ifndef FOOTFALL_GEOM_FIELD_PNG_H
#define FOOTFALL_GEOM_FIELD_PNG_H

#include <footfall/collide.h>

/// ff_field_create_png for other pictures.
/// @param any_kind  true: also pictures with colours, of which the red counts, with a palette, with less than 8 bits
///                  and with transparency, which does not count; false: these are refused
ff_field *ff_field_read_png(const char *path, const double size[2], double height, bool any_kind, ff_error *err);

#endif
