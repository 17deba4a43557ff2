// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// JSON inside a page: written value after value to a file, or copied from another file after a check of every
// character. No text can end the HTML element that contains it, because "<" is always written as an escape.
#ifndef FOOTFALL_STUDIO_PAGE_H
#define FOOTFALL_STUDIO_PAGE_H

#include <footfall/geom.h>

#include <stdio.h>

/// A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD.
void ff_page_text(FILE *out, const char *text);
/// A JSON string of base64 (RFC 4648), written in pieces: begin, add, .., end.
typedef struct ff_page_base64 {
    FILE *out;
    unsigned char held[3];
    int count;
} ff_page_base64;
void ff_page_base64_begin(ff_page_base64 *b, FILE *out);
void ff_page_base64_add(ff_page_base64 *b, const void *bytes, size_t size);
void ff_page_base64_end(ff_page_base64 *b);
/// Little-endian, whatever the machine.
void ff_page_base64_float(ff_page_base64 *b, double value);

/// An object with the corners and triangles of a mesh.
void ff_page_mesh(FILE *out, const ff_mesh *mesh);

/// Copies one JSON value without the blanks between its parts; with NULL for `out` it only checks the text.
/// @return false: the text is not one value, or nested deeper than 64, and the output is incomplete
bool ff_page_copy_json(FILE *out, const char *text);

/// The parts of the report page, zero-terminated; NULL in a build without them.
extern const char *const ff_page_report_script, *const ff_page_report_style;

/// A file of the page of the studio, as the server sends it.
typedef struct ff_page_asset {
    const char *path; // "/", "/studio.js", "/studio.css"
    const char *type;
    const char *etag; // quoted, of the content
    const unsigned char *bytes;
    size_t size;
    bool gzip;
} ff_page_asset;
extern const ff_page_asset ff_page_assets[];
extern const int ff_page_asset_count; // 0 in a build without pages

#endif
