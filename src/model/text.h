// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What the XML and the YAML layer share: numbers that read the same in every locale, near matches for misspelt names,
// and whole files with a size limit.
#ifndef FOOTFALL_MODEL_TEXT_H
#define FOOTFALL_MODEL_TEXT_H

#include <footfall/base.h>

/// Length of the decimal number ([+-] digits [. digits] [e [+-] digits]) at the start of `text`, 0 when there is none.
/// Hexadecimal numbers, "nan" and "inf" are no numbers here; what follows the number is not looked at.
size_t ff_text_number_length(const char *text, size_t length);
/// Reads one number that fills all of `text`, rounded correctly, with a point whatever the locale. False (out
/// untouched) for anything else, blanks around it and values beyond the range of a double included.
bool ff_text_number(const char *text, size_t length, double *out);

/// The candidate that `word` was probably meant to be: at most two letters (one in words of up to four) added, missing,
/// changed or swapped; the closest wins. NULL when none is near. Capitals count as the small letters.
const char *ff_text_nearest(const char *word, const char *const *candidates, int count);

/// Does `name` fit `pattern`, in which each '*' stands for any run of characters?
bool ff_text_matches(const char *pattern, const char *name);

/// Whole regular file, malloc'ed and zero-terminated; NULL with an error at `place` when it cannot be read or is larger
/// than `max_bytes`. Folders, pipes and devices are refused.
char *ff_text_load(const char *path, size_t max_bytes, size_t *length, ff_place place, ff_report *report);

/// `path` seen from the folder of `file`, unless it is absolute; lives in the arena. NULL when out of memory.
const char *ff_text_beside(ff_arena *arena, const char *file, const char *path);

#endif
