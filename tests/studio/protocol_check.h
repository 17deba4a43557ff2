// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages that a test receives against the table of messages (src/studio/protocol.h): a member that is missing, not
// described or of another type fails the test. What was seen is counted, so that test_protocol can ask whether
// everything described is ever sent.
#ifndef FOOTFALL_TESTS_PROTOCOL_CHECK_H
#define FOOTFALL_TESTS_PROTOCOL_CHECK_H

#include "check.h"

#include "studio/protocol.h"
#include "studio/workbench_inner.h"

static const ff_json_field *protocol_seen[1000]; // each once
static int protocol_nseen;
static bool protocol_sections_seen[16], protocol_pictures_seen; // by tag

static inline void protocol_note(void *context, const ff_json_field *field)
{
    (void)context;
    for (int i = 0; i < protocol_nseen; i++)
        if (protocol_seen[i] == field) return;
    if (protocol_nseen < 1000) protocol_seen[protocol_nseen++] = field;
}

/// Checks a text that is JSON: an event, an answer to `request` (of which NULL: not known, so that only the members of
/// all answers are checked), or, where `type` is given, a value of that type.
static inline void protocol_check(const char *text, const char *request, const char *type)
{
    ff_arena arena = {0};
    ff_report report = {0};
    const ff_protocol_check check = {.report = &report, .unknown = FF_ERROR, .seen = protocol_note};
    ff_yaml *root = ff_bench_read_json(&arena, text, strlen(text), &report);
    const ff_yaml *event = root ? ff_yaml_get(root, "event") : NULL, *ok = root ? ff_yaml_get(root, "ok") : NULL;
    const ff_json_type *types[2] = {ff_protocol_find_type("Answer", 6)};
    bool fits = root != NULL;
    for (int i = 0; event && !type && i < ff_protocol_event_count; i++)
        if (strcmp(ff_protocol_events[i].name, event->text) == 0) type = ff_protocol_events[i].type;
    if (root && type) {
        fits = ff_protocol_fits(&check, root, type, "");
    } else if (root && ok) {
        const ff_protocol_request *asked = request ? ff_protocol_find_request(request) : NULL;
        const char *name = strcmp(ok->text, "true") != 0 ? "Refusal" : asked ? asked->answer : NULL;
        if (name) types[1] = ff_protocol_find_type(name, strlen(name));
        if (asked || strcmp(ok->text, "true") != 0) fits = ff_protocol_has(&check, root, types, 2);
    } else if (root) {
        ff_report_add(&report, FF_ERROR, (ff_place){0}, "neither an answer nor an event that is described");
        fits = false;
    }
    char why[600] = "";
    if (!fits) snprintf(why, sizeof why, "%.300s in %.200s", report.count ? report.messages[0].text : "?", text);
    ff_report_clear(&report);
    ff_arena_clear(&arena);
    if (!fits) CHECK_FAIL("%s", why);
}

static inline unsigned protocol_u16(const unsigned char *p)
{
    return p[0] | (unsigned)p[1] << 8;
}

static inline uint32_t protocol_u32(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/// Checks a frame, a picture or a frame of a batch.
static inline void protocol_check_bytes(const unsigned char *bytes, size_t size)
{
    if (protocol_u32(bytes) == FF_PICTURE_MAGIC) {
        const size_t width = protocol_u16(bytes + offsetof(ff_picture_head, width));
        const size_t height = protocol_u16(bytes + offsetof(ff_picture_head, height));
        CHECK_INT(size, sizeof(ff_picture_head) + 3 * width * height);
        protocol_pictures_seen = true;
        return;
    }
    if (protocol_u32(bytes) == FF_BATCH_MAGIC) {
        const size_t width = protocol_u16(bytes + offsetof(ff_batch_head, width));
        const size_t count = protocol_u32(bytes + offsetof(ff_batch_head, count));
        CHECK_INT(bytes[offsetof(ff_batch_head, version)], FF_FRAME_VERSION);
        CHECK_INT(size, sizeof(ff_batch_head) + 4 * width * count);
        return;
    }
    CHECK_INT(protocol_u32(bytes), FF_FRAME_MAGIC);
    CHECK_INT(bytes[offsetof(ff_frame_head, version)], FF_FRAME_VERSION);
    size_t at = sizeof(ff_frame_head);
    for (uint32_t i = protocol_u32(bytes + offsetof(ff_frame_head, sections)); i > 0; i--) {
        CHECK(at + sizeof(ff_section_head) <= size);
        const unsigned char *head = bytes + at;
        const int tag = (int)protocol_u16(head + offsetof(ff_section_head, tag));
        const int width = (int)protocol_u16(head + offsetof(ff_section_head, width));
        const uint32_t count = protocol_u32(head + offsetof(ff_section_head, count));
        const bool any = tag == FF_SECTION_Q || tag == FF_SECTION_ROWS;
        if (tag < 1 || tag > ff_protocol_section_count) CHECK_FAIL("section %d is not described", tag);
        if (any ? width < 1 : width != ff_protocol_width(tag))
            CHECK_FAIL("section %d has %d columns, described are %d", tag, width, ff_protocol_width(tag));
        CHECK(count > 0); // what is empty is left out
        protocol_sections_seen[tag] = true;
        at += sizeof(ff_section_head) + (size_t)4 * (size_t)width * count;
    }
    CHECK_INT(at, size);
}

#endif
