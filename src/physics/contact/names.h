// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of contact laws in the order of their enums, NULL-ended.
#ifndef FOOTFALL_CONTACT_NAMES_H
#define FOOTFALL_CONTACT_NAMES_H

#include <footfall/contact.h>

extern const char *const ff_normal_law_names[FF_NORMAL_LAW_COUNT + 1];
extern const char *const ff_calibration_names[FF_CALIBRATION_COUNT + 1];
extern const char *const ff_friction_law_names[FF_FRICTION_LAW_COUNT + 1];
extern const char *const ff_stick_rule_names[FF_STICK_RULE_COUNT + 1];

#endif
