// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Between describe.c, which reads one description, and set.c, which makes the drives of a model.
#ifndef FOOTFALL_DRIVE_DESCRIBE_H
#define FOOTFALL_DRIVE_DESCRIBE_H

#include "drive/private.h"
#include "native/keys.h"

/// The setting of that name, NULL when the file does not give it.
const ff_spec_setting *ff_drive_setting(const ff_spec_drive *from, const char *name);
/// Index of a word in a NULL-ended list; others are reported.
int ff_drive_word(const ff_spec_drive *from, const char *name, const char *const *words, int fallback,
                  ff_report *report);
/// Fills a drive that has its name and joints. Tables live in the arena.
void ff_drive_describe(ff_drive *d, const ff_spec_drive *from, const ff_drive_options *options, ff_arena *arena,
                       ff_report *report);
/// The transmission that is left of the described one by the options.
ff_drive_transmission ff_drive_chosen(const ff_spec_drive *from, const ff_drive_options *options, ff_report *report);
/// Row of the schema of a setting by its dotted name, "motor.power"; NULL for names that no drive has.
const ff_row *ff_drive_row(const char *name);

#endif
