// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of all elements and attributes of MJCF (table.c).
#ifndef FOOTFALL_MJCF_TABLE_H
#define FOOTFALL_MJCF_TABLE_H

#include <footfall/base.h>

#include <stdio.h>

/// Elements with the same attributes. Lists are words with a space between.
typedef struct mjcf_element {
    const char *parents, *names;
    const char *used, *ignored; // attributes
    const char *reason;         // why the whole element is left out; NULL: it is read
} mjcf_element;

/// Row i, NULL behind the last.
FF_API const mjcf_element *ff_mjcf_table_row(int i);
/// Is the word in the list?
FF_API bool ff_mjcf_table_has(const char *words, const char *word);
/// The row of an element inside another; NULL: MJCF has none.
const mjcf_element *ff_mjcf_table_find(const char *parent, const char *element);
/// Why an attribute of an element that is read is left out; NULL: the table gives no reason.
FF_API const char *ff_mjcf_table_reason(const char *element, const char *attribute);
/// The page of the manual.
void ff_mjcf_table_print(FILE *out);

#endif
