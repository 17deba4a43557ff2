// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A growing XML text, line by line, for the writers of ESI and ENI files.
#ifndef FOOTFALL_ETHERCAT_XML_H
#define FOOTFALL_ETHERCAT_XML_H

#include <footfall/ethercat.h>

/// Zero-initialise. When memory is exhausted, `failed` stays set and further writing has no effect.
typedef struct ff_ec_xml {
    char *text; // malloc'ed
    size_t length, capacity;
    int depth; // of elements that are open
    bool failed;
} ff_ec_xml;

/// Opens an element on a new line; `attributes` begin with a blank or are "".
void ff_ec_xml_begin(ff_ec_xml *x, const char *name, const char *attributes);
void ff_ec_xml_end(ff_ec_xml *x, const char *name);
/// An element with an escaped text, a number, or a number as #x0402.
void ff_ec_xml_text(ff_ec_xml *x, const char *name, const char *attributes, const char *text);
void ff_ec_xml_number(ff_ec_xml *x, const char *name, unsigned long value);
void ff_ec_xml_hex(ff_ec_xml *x, const char *name, unsigned long value);
/// Returns the text, to be freed by the caller; NULL: writing failed
char *ff_ec_xml_finish(ff_ec_xml *x);

/// Name of a type in ESI and ENI files.
const char *ff_ec_xml_type(const ff_ec_entry *entry);

#endif
