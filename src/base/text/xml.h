// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A small read-only XML tree with the line and column of every element, and readers of attribute values that report
// errors with the place. Built by libxml2's SAX interface (its own tree keeps no column). Document types and
// entities are refused: robot files need none, and they can expand to huge texts.
#ifndef FOOTFALL_TEXT_XML_H
#define FOOTFALL_TEXT_XML_H

#include <footfall/base.h>

#define FF_XML_MAX_DEPTH 2000

typedef struct ff_xml_attribute {
    const char *name;
    const char *value;
    bool used; // set by the readers below, so that unread attributes can be reported
} ff_xml_attribute;

typedef struct ff_xml {
    const char *name;
    const char *text; // character data directly inside, trimmed; "" for none
    ff_xml_attribute *attributes;
    int nattribute;
    struct ff_xml *parent, *child, *next; // first child, next sibling
    ff_place place;                       // of the opening '<'
    bool used;                            // for the loader, which may mark elements
} ff_xml;

static inline bool ff_xml_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Moves *at to the next word of a value. @return its length, 0 at the end
size_t ff_xml_next_word(const char **at);

/// False in a build without libxml2, where every parse fails: loaders then answer FF_NOT_BUILT.
bool ff_xml_available(void);

/// Parses a document; the tree lives in `arena`, its places borrow `file`. NULL with an error in `report` (place
/// included) when malformed, too deep or too large. Prefixed names stay as they are written ("gazebo:plugin"); xmlns
/// attributes are left out.
ff_xml *ff_xml_parse(ff_arena *arena, const char *text, size_t length, const char *file, ff_report *report);

/// First child of that name, or NULL; next sibling of the same name, or NULL.
ff_xml *ff_xml_child(const ff_xml *node, const char *name);
ff_xml *ff_xml_next(const ff_xml *node);
/// The next element of a document, parents first: the first child unless `skip`, or what follows; NULL: the last one.
ff_xml *ff_xml_after(const ff_xml *node, bool skip);
/// Attribute value or NULL; marks it used.
const char *ff_xml_get(ff_xml *node, const char *name);
/// The same, without marking.
const char *ff_xml_peek(const ff_xml *node, const char *name);
/// Value of an attribute that must be there and not empty: NULL and an error otherwise.
const char *ff_xml_need(ff_xml *node, const char *name, ff_report *report);
/// Reads between `least` and `most` numbers; returns how many (0 when absent). A wrong count, a word that is no number,
/// or a NaN or infinite value is an error in `report`, and returns -1. Values beyond 1e12 in size are errors too
/// (`most` <= 4096).
int ff_xml_numbers(ff_xml *node, const char *name, double *out, int least, int most, ff_report *report);
/// One number; `fallback` when absent or bad (bad ones are reported).
double ff_xml_number(ff_xml *node, const char *name, double fallback, ff_report *report);
/// One whole number; `fallback` as above.
int ff_xml_integer(ff_xml *node, const char *name, int fallback, ff_report *report);
/// Index of the value in a NULL-ended list of words; `fallback` when absent; an unknown word is reported with the
/// allowed ones.
int ff_xml_choice(ff_xml *node, const char *name, const char *const *words, int fallback, ff_report *report);

#endif
