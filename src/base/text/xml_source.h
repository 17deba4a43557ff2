// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of an XML document before libxml2 parses it: its encoding, the places of its tags, and limits that libxml2
// does not have. For xml.c and load.c only.
#ifndef FOOTFALL_TEXT_XML_SOURCE_H
#define FOOTFALL_TEXT_XML_SOURCE_H

#include <footfall/base.h>

#define FF_XML_MAX_ATTRIBUTES 256

typedef struct xml_source {
    const char *text; // UTF-8, or another superset of ASCII
    size_t length;    // [byte]
    char *owned;      // the same memory when it had to be converted, NULL otherwise
    const char *file;
    // cursor
    size_t at;
    int line, column;
} xml_source;

typedef enum xml_mark { XML_MARK_END, XML_MARK_START_TAG, XML_MARK_OTHER, XML_MARK_BAD } xml_mark;

/// Prepares the text: converts UTF-16, refuses other encodings whose tags are not ASCII, and scans all of it for the
/// limits. @return false, with an error: the text is refused
bool xml_source_open(xml_source *source, const char *text, size_t length, const char *file, ff_report *report);
/// Moves the cursor behind the next piece of markup and gives the place of its '<'. Messages go to `report` (may be
/// NULL).
xml_mark xml_source_next(xml_source *source, ff_place *place, ff_report *report);
/// Name and place of the first element, which show what kind of document this is. False, and perhaps an error, when
/// there is none.
bool xml_source_root(const char *text, size_t length, const char *file, char name[64], ff_place *place,
                     ff_report *report);
void xml_source_close(xml_source *source);

#endif
