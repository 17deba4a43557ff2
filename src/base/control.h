// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Characters that a terminal might execute instead of showing: the controls of ASCII, U+0080 to U+009F, and the marks
// of direction U+202A to U+202E and U+2066 to U+2069.
#ifndef FOOTFALL_BASE_CONTROL_H
#define FOOTFALL_BASE_CONTROL_H

#include <stddef.h>

/// @param length  of the character of UTF-8 at s, by ff_text_character  @return its code; 0: it controls nothing
static inline unsigned ff_control_code(const unsigned char *s, size_t length)
{
    if (length == 1) return s[0] < 0x20 || s[0] == 0x7f ? s[0] : 0;
    if (length == 2) return s[0] == 0xc2 && s[1] < 0xa0 ? s[1] : 0;
    const unsigned code = length == 3 ? (s[0] & 15u) << 12 | (s[1] & 63u) << 6 | (s[2] & 63u) : 0;
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ? code : 0;
}

#endif
