// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// What everything that reads or writes text needs: numbers that are the same in every locale, near matches for misspelt
// names, patterns, and whole files with a size limit. Part of the base room.
#ifndef FOOTFALL_TEXT_H
#define FOOTFALL_TEXT_H

#include <footfall/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------ numbers

/// Length of the decimal number ([+-] digits [. digits] [e [+-] digits]) at the start of `text`, 0 when there is none.
/// Hexadecimal numbers, "nan" and "inf" are no numbers here; what follows the number is ignored.
FF_API size_t ff_text_number_length(const char *text, size_t length);
/// Reads one number that fills all of `text`, rounded correctly, with a point whatever the locale. False (out
/// untouched) for anything else, blanks around it and values beyond the range of a double included.
FF_API bool ff_text_number(const char *text, size_t length, double *out);
/// Writes the shorter of 15 and 17 digits that is exact when read back, with a point whatever the locale.
#define FF_TEXT_NUMBER_SIZE 32
FF_API void ff_text_format_number(double value, char out[FF_TEXT_NUMBER_SIZE]);

// ------------------------------------------------------------------------------------------ names

/// The candidate that `word` was probably meant to be: at most two letters (one in words of up to four) added, missing,
/// changed or swapped; the closest wins. NULL when none is near. Capitals count as the small letters; a '*' in `word`
/// stands for any run of letters, so that a pattern finds the name it nearly fits.
FF_API const char *ff_text_nearest(const char *word, const char *const *candidates, int count);

/// Does `name` fit `pattern`, in which each '*' stands for any run of characters? Takes at most (length of the pattern)
/// times (length of the name) steps.
FF_API bool ff_text_matches(const char *pattern, const char *name);

/// Bytes of the character of UTF-8 that begins here, 1 at the end of the text; 0 where the bytes are none (overlong
/// forms and surrogates included).
FF_API size_t ff_text_character(const char *text);

/// Copies a text such that a terminal shows it and executes nothing in it: ends of lines and tabs become blanks, other
/// control characters, those of Unicode included, are spelt out ("\x1b"), as are bytes that are no UTF-8 and marks that
/// turn the direction of what follows ("\u202e"). What does not fit is left out.
/// @return `out`
FF_API const char *ff_text_printable(const char *text, char *out, size_t size);

// ------------------------------------------------------------------------------------------ files

/// Whole regular file, zero-terminated: the caller frees `*text`. Folders, pipes and devices are refused, so that no
/// name can make a program hang.
/// @return FF_OK, FF_NOT_FOUND, FF_BAD_FILE, FF_LIMIT (more than `max_bytes`), FF_NO_MEMORY or FF_STOPPED (ff_stop);
///         then `*text` is NULL and `err` says why, without the path
FF_API ff_status ff_text_read(const char *path, size_t max_bytes, char **text, size_t *length, ff_error *err);
/// The same for loaders: NULL with an error at `place` when it fails.
FF_API char *ff_text_load(const char *path, size_t max_bytes, size_t *length, ff_place place, ff_report *report);

/// A text that is read in place of a file's content.
typedef struct ff_text_other {
    const char *path; // without links, need not exist
    const char *text;
    size_t length;
} ff_text_other;
/// Bounds for what the calling thread may read, for programs that serve others (the studio): files outside the folder
/// `root` are refused, wherever links lead, and some files may be read as another text than they have on disk.
typedef struct ff_text_fence {
    const char *root; // as realpath gives it
    const ff_text_other *others;
    int nother;
} ff_text_fence;
/// Limits all reading by this thread to the fence, which is borrowed; NULL: no limit.
FF_API void ff_text_set_fence(const ff_text_fence *fence);
/// Has the calling thread a fence?
FF_API bool ff_text_is_fenced(void);

/// `path` relative to the folder of `file`, unless it is absolute; lives in the arena. NULL when out of memory.
FF_API const char *ff_text_beside(ff_arena *arena, const char *file, const char *path);

#ifdef __cplusplus
}
#endif
#endif
