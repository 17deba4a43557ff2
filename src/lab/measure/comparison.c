// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Which runs of a scene are compared: the name of a variant, or a pattern with one star, as "force-*".
#include <footfall/measure.h>

#include <string.h>

/// What the star of a pattern stands for in a name.
typedef struct part {
    const char *text; // NULL: the pattern has no star
    size_t length;
} part;

static bool match(const char *pattern, const char *name, part *out)
{
    const char *star = strchr(pattern, '*');
    *out = (part){0};
    if (!star) return strcmp(pattern, name) == 0;
    const size_t before = (size_t)(star - pattern), after = strlen(star + 1), length = strlen(name);
    if (length < before + after || strncmp(name, pattern, before) != 0) return false;
    if (strcmp(name + length - after, star + 1) != 0) return false;
    *out = (part){name + before, length - before - after};
    return true;
}

bool ff_comparison_pairs(const ff_comparison *c, const char *of, const char *to)
{
    part a, b;
    if (!match(c->of, of, &a) || !match(c->to, to, &b)) return false;
    return !a.text || !b.text || (a.length == b.length && memcmp(a.text, b.text, a.length) == 0);
}
