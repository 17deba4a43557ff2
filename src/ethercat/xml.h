// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A growing XML text, line by line, for the writers of ESI and ENI.
#ifndef FOOTFALL_ETHERCAT_XML_H
#define FOOTFALL_ETHERCAT_XML_H

#include <footfall/ethercat.h>

/// Zero-initialise. When the memory runs out, `failed` stays set and further writing does nothing.
typedef struct ec_xml {
    char *text; // malloc'ed
    size_t length, capacity;
    int depth; // of elements that are open
    bool failed;
} ec_xml;

/// Opens an element on a line of its own; `attributes` begin with a blank or are "".
void ec_xml_begin(ec_xml *x, const char *name, const char *attributes);
void ec_xml_end(ec_xml *x, const char *name);
/// An element with a text, which is escaped, a number, or a number as #x0402.
void ec_xml_text(ec_xml *x, const char *name, const char *attributes, const char *text);
void ec_xml_number(ec_xml *x, const char *name, unsigned long value);
void ec_xml_hex(ec_xml *x, const char *name, unsigned long value);
/// Hands the text over: the caller frees it. @return NULL where writing failed
char *ec_xml_finish(ec_xml *x);

/// Name of a type in ESI and ENI files.
const char *ec_xml_type(const ff_ec_entry *entry);

#endif
