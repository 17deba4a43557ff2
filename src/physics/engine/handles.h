// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Names and handles that callers get wrong (mistake.c): functions that cannot return an error note it for the next run.
#ifndef FOOTFALL_ENGINE_HANDLES_H
#define FOOTFALL_ENGINE_HANDLES_H

#include <footfall/sim.h>

/// Notes a mistake of the caller: the next run fails with the first one.
void ff_sim_note_mistake(const ff_sim *sim, ff_status status, const char *format, ...) FF_PRINTF(3, 4);
/// @return name of thing number i; may be NULL
typedef const char *ff_name_of(const void *all, int i);
/// @param kind  such as "body"
/// @return number of the thing of that name among `count`; -1, with the mistake noted, where there is none
int ff_sim_find_name(ff_sim *sim, const char *kind, const char *name, ff_name_of *name_of, const void *all, int count);
/// Writes a message such as "no body 'bal': did you mean 'ball'?" into `text`.
void ff_sim_describe_missing(char *text, size_t size, const char *kind, const char *name, ff_name_of *name_of,
                             const void *all, int count);
/// Is the handle one of `count`? If not, the mistake is noted.
bool ff_sim_check_handle(const ff_sim *sim, const char *kind, int index, int count);

#endif
