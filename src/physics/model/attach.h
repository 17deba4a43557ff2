// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FOOTFALL_MODEL_ATTACH_H
#define FOOTFALL_MODEL_ATTACH_H

#include <footfall/model.h>

/// ff_spec_attach without the named states: those of `spec` keep their numbers, those of `other` their places.
/// For readers that fit them to the joined description themselves, when all of it is there.
ff_status ff_spec_join(ff_spec *spec, const ff_spec *other, const char *prefix, int parent, const double pos[3],
                       const double quat[4], ff_report *report);

/// The same with a suffix behind all names, too.
ff_status ff_spec_join_as(ff_spec *spec, const ff_spec *other, const char *prefix, const char *suffix, int parent,
                          const double pos[3], const double quat[4], ff_report *report);

#endif
