// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A growing XML text.
#include "slave/xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(ff_ec_xml *x, const char *text, size_t n)
{
    if (!x->failed && x->length + n + 1 > x->capacity) {
        const size_t capacity = 2 * (x->length + n + 1);
        char *larger = realloc(x->text, capacity);
        x->failed = !larger;
        if (larger) x->text = larger, x->capacity = capacity;
    }
    if (x->failed) return;
    memcpy(x->text + x->length, text, n);
    x->length += n;
    x->text[x->length] = 0;
}

static void put(ff_ec_xml *x, const char *text)
{
    append(x, text, strlen(text));
}

static void indent(ff_ec_xml *x)
{
    if (!x->length) put(x, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    for (int i = 0; i < x->depth; i++) put(x, "  ");
}

static void put_escaped(ff_ec_xml *x, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '&')
            put(x, "&amp;");
        else if (*p == '<')
            put(x, "&lt;");
        else if (*p == '>')
            put(x, "&gt;");
        else
            append(x, p, 1);
    }
}

void ff_ec_xml_begin(ff_ec_xml *x, const char *name, const char *attributes)
{
    indent(x);
    put(x, "<"), put(x, name), put(x, attributes), put(x, ">\n");
    x->depth++;
}

void ff_ec_xml_end(ff_ec_xml *x, const char *name)
{
    x->depth--;
    indent(x);
    put(x, "</"), put(x, name), put(x, ">\n");
}

void ff_ec_xml_text(ff_ec_xml *x, const char *name, const char *attributes, const char *text)
{
    indent(x);
    put(x, "<"), put(x, name), put(x, attributes), put(x, ">");
    put_escaped(x, text);
    put(x, "</"), put(x, name), put(x, ">\n");
}

void ff_ec_xml_number(ff_ec_xml *x, const char *name, unsigned long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lu", value);
    ff_ec_xml_text(x, name, "", text);
}

void ff_ec_xml_hex(ff_ec_xml *x, const char *name, unsigned long value)
{
    char text[32];
    snprintf(text, sizeof text, "#x%04lX", value);
    ff_ec_xml_text(x, name, "", text);
}

char *ff_ec_xml_finish(ff_ec_xml *x)
{
    char *text = x->text;
    if (x->failed) free(text);
    return x->failed ? NULL : text;
}

const char *ff_ec_xml_type(const ff_ec_entry *entry)
{
    switch (entry->type) {
#define NAME(name, number, bits, esi)                                                                                  \
    case number:                                                                                                       \
        return esi;
        FF_EC_TYPES(NAME)
#undef NAME
    default:
        return "";
    }
}
