// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// From XML text to the tree of xml.h, by libxml2's event interface. The old start event (SAX 1) is used because it
// gives names as written and does not resolve namespaces, which takes time that grows with the depth of the file.
// Places come from our own scan of the tags (xml_source.c), which advances with the events.
#include "text/xml.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef FF_WITH_XML
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include "text/names.h"
#include "text/xml_source.h"

#define MAX_NODES  1000000
#define MAX_NAMES  4000  // the table of names of libxml2 stops growing: 900 000 names took half a minute
#define CHUNK_SIZE 65536 // strings and nodes are packed into chunks: the arena rounds each request up to 64 bytes

/// Character data of an open element; the next element of the same depth reuses the buffer.
typedef struct open_text {
    char *data;
    size_t length, capacity;
} open_text;

typedef struct builder {
    xmlParserCtxt *parser;
    xml_source source;
    ff_arena *arena;
    ff_report *report;
    char *chunk;
    size_t chunk_left;
    ff_arena scratch;
    ff_names name_index; // of elements and attributes, each stored once
    const char *names[MAX_NAMES];
    int nname;
    ff_xml *root, *node;
    ff_xml *last_child[FF_XML_MAX_DEPTH + 1];
    open_text text[FF_XML_MAX_DEPTH + 1];
    int depth, nnode;
    bool failed;
} builder;

/// Reports the first error and stops the parser.
static void FF_PRINTF(3, 4) fail(builder *b, ff_place place, const char *format, ...)
{
    va_list args;
    if (b->failed) return;
    b->failed = true;
    va_start(args, format);
    ff_report_addv(b->report, FF_ERROR, place, format, args);
    va_end(args);
    xmlStopParser(b->parser);
}

/// Zeroed memory, aligned for pointers.
static void *allocate(builder *b, size_t size, ff_place place)
{
    size = (size + 7) & ~(size_t)7;
    if (size > b->chunk_left) {
        size_t want = size > CHUNK_SIZE ? size : CHUNK_SIZE;
        b->chunk = ff_arena_alloc(b->arena, want, 1);
        b->chunk_left = b->chunk ? want : 0;
        if (!b->chunk) {
            fail(b, place, "the file needs more memory than a robot file may take");
            return NULL;
        }
    }
    void *memory = b->chunk;
    b->chunk += size;
    b->chunk_left -= size;
    return memory;
}

static const char *copy_text(builder *b, const char *text, size_t length, ff_place place)
{
    char *copy = allocate(b, length + 1, place);
    if (copy) memcpy(copy, text, length);
    return copy;
}

/// The copy of a name of an element or attribute, of which all nodes share one.
static const char *share_name(builder *b, const char *name, ff_place place)
{
    int known = ff_names_get(&b->name_index, name);
    if (known >= 0) return b->names[known];
    if (b->nname >= MAX_NAMES) {
        fail(b, place, "the file has more than %d different names of elements and attributes", MAX_NAMES);
        return NULL;
    }
    const char *copy = copy_text(b, name, strlen(name), place);
    if (!copy) return NULL;
    ff_names_put(&b->name_index, copy, b->nname);
    b->names[b->nname++] = copy;
    return copy;
}

static ff_place next_start(builder *b)
{
    ff_place place;
    xml_mark mark;
    while ((mark = xml_source_next(&b->source, &place, NULL)) == XML_MARK_OTHER) {
    }
    return place;
}

static bool copy_attributes(builder *b, ff_xml *node, const xmlChar **pairs)
{
    int count = 0;
    for (int i = 0; pairs && pairs[i]; i += 2) count++;
    if (count == 0) return true;
    node->attributes = allocate(b, (size_t)count * sizeof *node->attributes, node->place);
    if (!node->attributes) return false;
    for (int i = 0; i < count; i++) {
        const char *name = (const char *)pairs[2 * i], *value = pairs[2 * i + 1] ? (const char *)pairs[2 * i + 1] : "";
        if (strcmp(name, "xmlns") == 0 || strncmp(name, "xmlns:", 6) == 0) continue;
        ff_xml_attribute *attribute = &node->attributes[node->nattribute];
        attribute->name = share_name(b, name, node->place);
        attribute->value = copy_text(b, value, strlen(value), node->place);
        if (!attribute->name || !attribute->value) return false;
        node->nattribute++;
    }
    return true;
}

static void on_start(void *context, const xmlChar *name, const xmlChar **pairs)
{
    builder *b = context;
    if (b->failed) return;
    ff_place place = next_start(b);
    if (b->depth >= FF_XML_MAX_DEPTH) {
        fail(b, place, "elements are nested deeper than %d levels", FF_XML_MAX_DEPTH);
        return;
    }
    if (b->nnode >= MAX_NODES) {
        fail(b, place, "the file has more than %d elements", MAX_NODES);
        return;
    }
    ff_xml *node = allocate(b, sizeof *node, place);
    if (!node) return;
    node->place = place;
    node->text = "";
    node->name = share_name(b, (const char *)name, place);
    if (!node->name || !copy_attributes(b, node, pairs)) return;
    node->parent = b->node;
    if (!b->root) b->root = node;
    if (b->last_child[b->depth])
        b->last_child[b->depth]->next = node;
    else if (b->node)
        b->node->child = node;
    b->last_child[b->depth] = node;
    b->node = node;
    b->nnode++;
    b->depth++;
    b->last_child[b->depth] = NULL;
    b->text[b->depth].length = 0;
}

static void on_end(void *context, const xmlChar *name)
{
    (void)name;
    builder *b = context;
    if (b->failed || !b->node) return;
    open_text *text = &b->text[b->depth];
    while (text->length > 0 && ff_xml_is_space(text->data[text->length - 1])) text->length--;
    if (text->length > 0) b->node->text = copy_text(b, text->data, text->length, b->node->place);
    b->node = b->node->parent;
    b->depth--;
}

static void on_text(void *context, const xmlChar *characters, int length)
{
    builder *b = context;
    if (b->failed || !b->node || length <= 0) return;
    open_text *text = &b->text[b->depth];
    const char *from = (const char *)characters;
    size_t n = (size_t)length;
    while (text->length == 0 && n > 0 && ff_xml_is_space(*from)) from++, n--;
    if (n == 0) return;
    if (text->capacity - text->length < n) {
        size_t capacity = 2 * (text->length + n);
        char *data = realloc(text->data, capacity);
        if (!data) {
            fail(b, b->node->place, "out of memory");
            return;
        }
        text->data = data;
        text->capacity = capacity;
    }
    memcpy(text->data + text->length, from, n);
    text->length += n;
}

static void on_document_type(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    builder *b = context; // xml_source.c refuses these before; this check is a second one
    fail(b, (ff_place){b->source.file, 0, 0}, "document types and entities are not read");
}

#if LIBXML_VERSION >= 21200
static void on_error(void *context, const xmlError *error)
#else
static void on_error(void *context, xmlError *error)
#endif
{
    builder *b = context;
    if (b->failed || !error || error->level < XML_ERR_ERROR) return;
    b->failed = true;
    const char *message = error->message ? error->message : "unknown error";
    size_t length = strlen(message);
    while (length > 0 && ff_xml_is_space(message[length - 1])) length--;
    ff_place place = {b->source.file, error->line > 0 ? error->line : 0, error->int2 > 0 ? error->int2 : 0};
    const xmlParserInput *input = b->parser->input;
    bool at_end = input && input->cur >= input->end;
    ff_report_add(b->report, FF_ERROR, place, "not well-formed XML: %.*s%s", (int)(length < 300 ? length : 300),
                  message, at_end ? "; the file ends here: is it cut short?" : "");
    // Not xmlStopParser: it frees the input that the code which found the error is still reading.
    b->parser->instate = XML_PARSER_EOF;
}

static void parse_events(builder *b)
{
    // Errors of character conversion belong to no parser and go to a handler of the thread, which is replaced here, so
    // that nothing is printed.
    xmlStructuredErrorFunc channel = xmlStructuredError;
    void *channel_context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(b, (xmlStructuredErrorFunc)on_error);
    // HUGE: our own limits apply, whose errors have a place. NOENT: without it "&amp;" in an attribute arrives as
    // "&#38;"; entities of the file itself are refused with the document type
    int options = XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOENT;
    if (b->source.owned) options |= XML_PARSE_IGNORE_ENC;
    xmlCtxtUseOptions(b->parser, options);
    xmlSAXHandler *sax = b->parser->sax;
    memset(sax, 0, sizeof *sax);
    sax->initialized = 1; // the SAX 1 events; errors then arrive by the channel of the thread, set above
    sax->startElement = on_start;
    sax->endElement = on_end;
    sax->characters = on_text;
    sax->cdataBlock = on_text;
    sax->ignorableWhitespace = on_text;
    sax->internalSubset = on_document_type;
    b->parser->userData = b;
    int status = xmlParseDocument(b->parser);
    if (!b->failed && (status != 0 || !b->parser->wellFormed || !b->root))
        fail(b, (ff_place){b->source.file, 1, 1}, "not well-formed XML");
    xmlSetStructuredErrorFunc(channel_context, channel);
}

static ff_xml *build(builder *b)
{
    xmlInitParser();
    bool ready = ff_names_init(&b->name_index, &b->scratch, MAX_NAMES);
    b->parser = ready ? xmlCreateMemoryParserCtxt(b->source.text, (int)b->source.length) : NULL;
    if (!b->parser) {
        ff_report_add(b->report, FF_ERROR, (ff_place){b->source.file, 0, 0}, "out of memory");
        return NULL;
    }
    parse_events(b);
    if (b->parser->myDoc) xmlFreeDoc(b->parser->myDoc);
    b->parser->myDoc = NULL;
    xmlFreeParserCtxt(b->parser);
    for (int i = 0; i <= FF_XML_MAX_DEPTH; i++) free(b->text[i].data);
    return b->failed ? NULL : b->root;
}

bool ff_xml_available(void)
{
    return true;
}

ff_xml *ff_xml_parse(ff_arena *arena, const char *text, size_t length, const char *file, ff_report *report)
{
    ff_place start = {file, 1, 1};
    if (length == 0) {
        ff_report_add(report, FF_ERROR, start, "the file is empty");
        return NULL;
    }
    if (length > INT_MAX / 4) {
        ff_report_add(report, FF_ERROR, start, "the file is %zu bytes long: at most %d are read", length, INT_MAX / 4);
        return NULL;
    }
    builder *b = calloc(1, sizeof *b);
    if (!b) {
        ff_report_add(report, FF_ERROR, start, "out of memory");
        return NULL;
    }
    b->arena = arena;
    b->report = report;
    ff_xml *root = xml_source_open(&b->source, text, length, file, report) ? build(b) : NULL;
    xml_source_close(&b->source);
    ff_arena_clear(&b->scratch);
    free(b);
    return root;
}

#else // without libxml2

bool ff_xml_available(void)
{
    return false;
}

ff_xml *ff_xml_parse(ff_arena *arena, const char *text, size_t length, const char *file, ff_report *report)
{
    (void)arena, (void)text, (void)length;
    ff_report_add(report, FF_ERROR, (ff_place){file, 1, 1},
                  "this build of Footfall was made without libxml2: URDF and MJCF files cannot be read");
    return NULL;
}

#endif
