// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// All messages between the program and its pages, described once: requests with their arguments, answers, events, the
// document of a run, and the binary frames. These tables are the source of
//     types of the pages            web/src/core/protocol/; scripts/protocol writes it, a test compares it
//     tables of the manual          docs/reference-protocol.md, likewise
//     the check of every request    requests.c
//     the check of every message that a test receives    tests/studio/protocol_check.h
// A test fails if a member is written but not described, or described but not written.
#ifndef FOOTFALL_STUDIO_PROTOCOL_H
#define FOOTFALL_STUDIO_PROTOCOL_H

#include "text/json_fields.h"
#include "text/yaml.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// A request: the value of "do", its arguments, and the type with the members of its answer.
typedef struct ff_protocol_request {
    const char *name;
    const char *help;   // what it does and what follows
    const char *answer; // NULL: the answer has no further members
    const ff_json_field *fields;
    int nfield;
} ff_protocol_request;

/// An event: the value of "event", and the type of the whole message.
typedef struct ff_protocol_event {
    const char *name, *type, *help;
} ff_protocol_event;

extern const ff_json_subject *const ff_protocol_subjects[];
extern const int ff_protocol_subject_count;
extern const ff_protocol_request ff_protocol_requests[];
extern const int ff_protocol_request_count;
extern const ff_protocol_event ff_protocol_events[];
extern const int ff_protocol_event_count;

/// NULL: there is none of that name.
const ff_json_type *ff_protocol_find_type(const char *name, size_t length);
const ff_protocol_request *ff_protocol_find_request(const char *name);

// ------------------------------------------------------------------------------------------ checking JSON

/// How a value is checked. Every mistake is an error of the report, with the path of the value in its text.
typedef struct ff_protocol_check {
    ff_report *report;
    ff_severity unknown;                                     // severity of a member that is not described
    bool null_is_absent;                                     // an optional member may be null
    void (*seen)(void *context, const ff_json_field *field); // called for each valid member; NULL: not called
    void *context;
} ff_protocol_check;

/// Does a value have that type? `path` names it in messages; "" for the whole message.
bool ff_protocol_fits(const ff_protocol_check *check, ff_yaml *value, const char *type, const char *path);
/// Is it an object with the members of all these types and no others? A type may be NULL.
bool ff_protocol_has(const ff_protocol_check *check, ff_yaml *object, const ff_json_type *const *types, int ntype);
/// Does the object have valid arguments of that request, besides `id` and `do`?
bool ff_protocol_fits_request(const ff_protocol_check *check, ff_yaml *object, const ff_protocol_request *request);

// ------------------------------------------------------------------------------------------ binary messages

// Heads are lists of numbers: type, name, unit, meaning. Structs and the table of protocol_frame.c are made of them.
#define FF_PROTOCOL_MEMBER(type, name, unit, help) ff_protocol_##type name;
typedef uint16_t ff_protocol_u16;
typedef uint32_t ff_protocol_u32;
typedef float ff_protocol_f32;
typedef double ff_protocol_f64;

#define FF_FRAME_HEAD(X)                                                                                               \
    X(u32, magic, "", "`FFST`")                                                                                        \
    X(u16, version, "", "1")                                                                                           \
    X(u16, flags, "", "bits, below")                                                                                   \
    X(u32, generation, "", "number of the scene")                                                                      \
    X(u32, number, "", "number of the frame")                                                                          \
    X(f64, t, "s", "simulated time")                                                                                   \
    X(f32, rtf, "", "real-time factor")                                                                                \
    X(u32, dropped, "", "rows of this page that were dropped since the previous frame")                                \
    X(u32, sections, "", "number of sections that follow")                                                             \
    X(u32, starts, "", "as in `state`; a smaller number: frame before a reset")

/// Head of a frame: little-endian, each number at the offset of its member.
typedef struct ff_frame_head {
    FF_FRAME_HEAD(FF_PROTOCOL_MEMBER)
} ff_frame_head;
_Static_assert(sizeof(ff_frame_head) == 40, "a frame has no gaps");

#define FF_SECTION_HEAD(X)                                                                                             \
    X(u16, tag, "", "number of the section, below; clients skip unknown ones")                                         \
    X(u16, width, "", "numbers of a row")                                                                              \
    X(u32, count, "", "number of rows; width x count f32 follow")

/// Head of a section of a frame; width x count 32-bit floats follow.
typedef struct ff_section_head {
    FF_SECTION_HEAD(FF_PROTOCOL_MEMBER)
} ff_section_head;
_Static_assert(sizeof(ff_section_head) == 8, "a section has no gaps");

#define FF_PICTURE_HEAD(X)                                                                                             \
    X(u32, magic, "", "`FFIM`")                                                                                        \
    X(u16, version, "", "1")                                                                                           \
    X(u16, camera, "", "number among `cameras`")                                                                       \
    X(u32, generation, "", "number of the scene")                                                                      \
    X(u16, width, "", "width in pixels")                                                                               \
    X(u16, height, "", "height in pixels")                                                                             \
    X(f64, t, "s", "simulated time of the picture")

/// Head of a picture; RGB follows, row by row from above.
typedef struct ff_picture_head {
    FF_PICTURE_HEAD(FF_PROTOCOL_MEMBER)
} ff_picture_head;
_Static_assert(sizeof(ff_picture_head) == 24, "a picture has no gaps");

#define FF_BATCH_HEAD(X)                                                                                               \
    X(u32, magic, "", "`FFBT`")                                                                                        \
    X(u16, version, "", "1")                                                                                           \
    X(u16, width, "", "numbers of a row: end, columns of event `batch`, q")                                            \
    X(u32, generation, "", "number of the scene")                                                                      \
    X(u32, number, "", "number of the batch, as in event `batch`")                                                     \
    X(f64, t, "s", "simulated time")                                                                                   \
    X(u32, frame, "", "number of the frame")                                                                           \
    X(u32, stride, "", "row i is robot i x stride")                                                                    \
    X(u32, count, "", "number of rows; width x count f32 follow")                                                      \
    X(u32, robots, "", "number of robots of the batch")

/// Head of a frame of a batch; width x count 32-bit floats follow, a row for each robot that is shown: how it has ended
/// (ff_batch_end), the columns of event `batch`, its q.
typedef struct ff_batch_head {
    FF_BATCH_HEAD(FF_PROTOCOL_MEMBER)
} ff_batch_head;
_Static_assert(sizeof(ff_batch_head) == 40, "a frame of a batch has no gaps");

#define FF_FRAME_MAGIC   0x54534646u // "FFST"
#define FF_PICTURE_MAGIC 0x4D494646u // "FFIM"
#define FF_BATCH_MAGIC   0x54424646u // "FFBT"
enum { FF_FRAME_VERSION = 1 };
enum { FF_FRAME_RUNNING = 1, FF_FRAME_ENDED = 2, FF_FRAME_FAILED = 4, FF_FRAME_RECORDING = 8 };
enum {
    FF_SECTION_Q = 1,
    FF_SECTION_CONTACTS,
    FF_SECTION_COMS,
    FF_SECTION_OUTSIDE,
    FF_SECTION_RAYS,
    FF_SECTION_ROWS,
    FF_SECTION_LIMBS,
};

// These functions write numbers little-endian on every machine.

static inline void put16(unsigned char *p, unsigned value)
{
    p[0] = (unsigned char)value;
    p[1] = (unsigned char)(value >> 8);
}

static inline void put32(unsigned char *p, uint32_t value)
{
    put16(p, value & 0xFFFF);
    put16(p + 2, value >> 16);
}

static inline void put_double(unsigned char *p, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put32(p, (uint32_t)bits);
    put32(p + 4, (uint32_t)(bits >> 32));
}

/// As a 32-bit float, NaN where it is not finite.
static inline void put_float(unsigned char *p, double value)
{
    float f = (float)value;
    uint32_t bits;
    if (!isfinite(f)) f = NAN;
    memcpy(&bits, &f, sizeof bits);
    put32(p, bits);
}

/// A number of a head, or a bit of its flags (`type` "bit").
typedef struct ff_protocol_number {
    const char *name;
    const char *type; // u16 u32 f32 f64 bit
    unsigned at;      // offset  [byte]; of a bit: its value
    const char *unit, *help;
} ff_protocol_number;

typedef struct ff_protocol_head {
    const char *name, *help;
    uint32_t magic; // 0: none
    unsigned bytes;
    const ff_protocol_number *numbers;
    int count;
} ff_protocol_head;

/// A section of a frame: rows of columns.
typedef struct ff_protocol_section {
    const char *name;
    int tag;
    const char *const *columns; // NULL: as many as the scene has
    int width;                  // 0: as many as the scene has
    const char *help;
} ff_protocol_section;

extern const ff_protocol_head ff_protocol_heads[];
extern const int ff_protocol_head_count;
extern const ff_protocol_section ff_protocol_sections[];
extern const int ff_protocol_section_count;
/// Columns of a section; 0: as many as the scene has.
int ff_protocol_width(int tag);

#endif
