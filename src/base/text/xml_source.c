// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Scans the markup of an XML text without checking it, for two purposes. First, places: the n-th start tag
// found here is the n-th start event of libxml2, which itself only knows where a tag ends. Second, protection: libxml2
// compares each attribute of a tag with all earlier ones, so that 60 MB of attributes would take days, and document
// types can define entities that expand without end. Both are refused before libxml2 starts.
#define _GNU_SOURCE // memmem
#include "text/xml_source.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void advance(xml_source *s, size_t to)
{
    for (; s->at < to; s->at++) {
        unsigned char c = (unsigned char)s->text[s->at];
        if (c == '\n') {
            s->line++;
            s->column = 1;
        } else if ((c & 0xC0) != 0x80) { // continuation bytes of UTF-8 belong to the character before
            s->column++;
        }
    }
}

static bool starts(const xml_source *s, const char *word)
{
    size_t n = strlen(word);
    return s->length - s->at >= n && memcmp(s->text + s->at, word, n) == 0;
}

/// Moves behind the next `ending`, or to the end of the text.
static void skip_past(xml_source *s, size_t from, const char *ending)
{
    size_t n = strlen(ending);
    const char *found = from <= s->length ? memmem(s->text + from, s->length - from, ending, n) : NULL;
    advance(s, found ? (size_t)(found - s->text) + n : s->length);
}

/// Moves behind the '>' of a start tag that is outside of quotes. @return false, with an error: the tag is refused
static bool skip_start_tag(xml_source *s, ff_place place, ff_report *report)
{
    char quote = '\0';
    int equals = 0;
    size_t i = s->at + 1;
    for (; i < s->length; i++) {
        char c = s->text[i];
        if (c == '<') {
            ff_report_add(report, FF_ERROR, place,
                          "not well-formed XML: this tag is not closed before the next '<'; "
                          "is a quote or a '>' missing?");
            return false;
        }
        if (quote) {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '=') {
            equals++;
        } else if (c == '>') {
            break;
        }
    }
    if (equals > FF_XML_MAX_ATTRIBUTES) {
        ff_report_add(report, FF_ERROR, place, "this tag has %d attributes: at most %d are read", equals,
                      FF_XML_MAX_ATTRIBUTES);
        return false;
    }
    advance(s, i < s->length ? i + 1 : s->length);
    return true;
}

xml_mark xml_source_next(xml_source *s, ff_place *place, ff_report *report)
{
    const char *open = memchr(s->text + s->at, '<', s->length - s->at);
    advance(s, open ? (size_t)(open - s->text) : s->length);
    *place = (ff_place){s->file, s->line, s->column};
    if (!open) return XML_MARK_END;
    if (starts(s, "<!--")) {
        skip_past(s, s->at + 4, "-->");
    } else if (starts(s, "<![CDATA[")) {
        skip_past(s, s->at + 9, "]]>");
    } else if (starts(s, "<?")) {
        skip_past(s, s->at + 2, "?>");
    } else if (starts(s, "</")) {
        skip_past(s, s->at + 2, ">");
    } else if (starts(s, "<!")) {
        ff_report_add(report, FF_ERROR, *place,
                      "document types (<!DOCTYPE ...>) and entities are not read: robot files need none; "
                      "take the declaration out");
        return XML_MARK_BAD;
    } else {
        return skip_start_tag(s, *place, report) ? XML_MARK_START_TAG : XML_MARK_BAD;
    }
    return XML_MARK_OTHER;
}

static void rewind_source(xml_source *s)
{
    s->at = s->length >= 3 && memcmp(s->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // a byte order mark is no column
    s->line = s->column = 1;
}

// ------------------------------------------------------------------------------------------ encodings

/// Writes a character as UTF-8. @return the number of its bytes
static size_t put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/// Replaces the text by UTF-8; an unpaired surrogate becomes U+FFFD.
static bool convert_utf16(xml_source *s, bool little)
{
    const unsigned char *in = (const unsigned char *)s->text;
    size_t units = s->length / 2, n = 0;
    char *out = malloc(3 * units + 4);
    if (!out) return false;
    for (size_t i = 0; i < units; i++) {
        uint32_t c = little ? in[2 * i] | (uint32_t)in[2 * i + 1] << 8 : in[2 * i + 1] | (uint32_t)in[2 * i] << 8;
        if (c == 0xFEFF && i == 0) continue;
        if (c >= 0xD800 && c < 0xDC00 && i + 1 < units) {
            const unsigned char *p = in + 2 * (i + 1);
            uint32_t low = little ? p[0] | (uint32_t)p[1] << 8 : p[1] | (uint32_t)p[0] << 8;
            if (low >= 0xDC00 && low < 0xE000) {
                c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
                i++;
            }
        }
        if (c >= 0xD800 && c < 0xE000) c = 0xFFFD;
        n += put_utf8(out + n, c);
    }
    out[n] = '\0';
    s->text = s->owned = out;
    s->length = n;
    return true;
}

/// The encoding named in <?xml ... encoding="..."?>, or "" for none. Only a declaration in ASCII is found.
static void declared_encoding(const xml_source *s, char name[32])
{
    name[0] = '\0';
    if (!starts(s, "<?xml")) return;
    size_t left = s->length - s->at;
    const char *end = memmem(s->text + s->at, left < 512 ? left : 512, "?>", 2);
    if (!end) return;
    const char *word = memmem(s->text + s->at, (size_t)(end - s->text) - s->at, "encoding", 8);
    if (!word) return;
    for (word += 8; word < end && *word != '"' && *word != '\''; word++) {
    }
    size_t n = 0;
    for (word++; word < end && *word != '"' && *word != '\'' && n < 31; word++) name[n++] = *word;
    name[n] = '\0';
}

/// Is it an encoding in which the ASCII bytes of '<', quotes and '=' mean these characters and no others?
static bool has_ascii_markup(const char *encoding)
{
    static const char *const known[] = {"", "utf-8", "utf8", "ascii", "us-ascii", "latin1", "koi8-r", NULL};
    for (int i = 0; known[i]; i++)
        if (strcasecmp(encoding, known[i]) == 0) return true;
    return strncasecmp(encoding, "iso-8859-", 9) == 0 || strncasecmp(encoding, "windows-125", 11) == 0;
}

/// Converts UTF-16 to UTF-8. @return false, with an error: the encoding is not read
static bool decode(xml_source *s, ff_report *report)
{
    const unsigned char *b = (const unsigned char *)s->text;
    ff_place place = {s->file, 1, 1};
    bool pair = s->length >= 4;
    bool little = pair && ((b[0] == 0xFF && b[1] == 0xFE) || (b[0] == '<' && b[1] == 0));
    bool big = pair && ((b[0] == 0xFE && b[1] == 0xFF) || (b[0] == 0 && b[1] == '<'));
    if (little || big) {
        if (convert_utf16(s, little)) return true;
        ff_report_add(report, FF_ERROR, place, "out of memory while converting UTF-16 to UTF-8");
        return false;
    }
    char name[32];
    rewind_source(s);
    declared_encoding(s, name);
    if (has_ascii_markup(name)) return true;
    ff_report_add(report, FF_ERROR, place, "the encoding \"%s\" is not read: save the file as UTF-8", name);
    return false;
}

bool xml_source_open(xml_source *s, const char *text, size_t length, const char *file, ff_report *report)
{
    *s = (xml_source){.text = text, .length = length, .file = file, .line = 1, .column = 1};
    if (!decode(s, report)) return false;
    rewind_source(s);
    ff_place place;
    xml_mark mark;
    while ((mark = xml_source_next(s, &place, report)) != XML_MARK_END)
        if (mark == XML_MARK_BAD) return false;
    rewind_source(s);
    return true;
}

bool xml_source_root(const char *text, size_t length, const char *file, char name[64], ff_place *place,
                     ff_report *report)
{
    xml_source s = {.text = text, .length = length < 65536 ? length : 65536, .file = file, .line = 1, .column = 1};
    name[0] = '\0';
    if (!decode(&s, report)) return false;
    rewind_source(&s);
    size_t before;
    xml_mark mark;
    do { // of a start tag that goes on beyond the first 64 KiB only the name is needed
        before = s.at;
        mark = xml_source_next(&s, place, report);
    } while (mark == XML_MARK_OTHER);
    const char *open = mark == XML_MARK_START_TAG ? memchr(s.text + before, '<', s.length - before) : NULL;
    size_t n = 0, available = open ? s.length - (size_t)(open + 1 - s.text) : 0;
    while (n < 63 && n < available && open[1 + n] > ' ' && open[1 + n] < 127 && !strchr("/>", open[1 + n])) n++;
    if (open) memcpy(name, open + 1, n);
    name[n] = '\0';
    xml_source_close(&s);
    return n > 0;
}

void xml_source_close(xml_source *s)
{
    free(s->owned);
    s->owned = NULL;
}
