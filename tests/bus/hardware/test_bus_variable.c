// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Variables on a bus: linked by names with their types, every type at the ends of its range through the bytes of the
// image, and nothing beside their own bytes.
#include "check.h"

#include "hardware/bus_variable.h"

#include <math.h>
#include <string.h>

static const ff_bus_object OBJECTS[] = {
    {"knee", "flag", 1, 0, FF_BUS_BOOL, false, 3}, {"knee", "i8", 1, 1, FF_BUS_I8, false, 4},
    {"knee", "u8", 1, 2, FF_BUS_U8, false, 5},     {"knee", "i16", 1, 3, FF_BUS_I16, false, 7},
    {"knee", "u16", 1, 4, FF_BUS_U16, false, 9},   {"knee", "i32", 1, 5, FF_BUS_I32, false, 11},
    {"knee", "u32", 1, 6, FF_BUS_U32, false, 15},  {"knee", "i64", 1, 7, FF_BUS_I64, false, 19},
    {"knee", "u64", 1, 8, FF_BUS_U64, false, 27},  {"knee", "f32", 1, 9, FF_BUS_F32, false, 35},
    {"knee", "f64", 1, 10, FF_BUS_F64, false, 39}, {"knee", "target", 2, 0, FF_BUS_I32, true, 1},
    {"knee", "beyond", 2, 1, FF_BUS_I32, true, 6}};
static const ff_field_bus BUS = {
    .objects = OBJECTS, .nobject = sizeof OBJECTS / sizeof *OBJECTS, .inputs = 47, .outputs = 8};

static ff_arena arena;
static ff_bus_image image;

static void make_image(void)
{
    ff_error err = {0};
    CHECK(ff_bus_image_make(&image, &BUS, 20, &arena, &err) == FF_OK);
}

static ff_bus_variable linked(const char *object, ff_bus_type type)
{
    ff_error err = {0};
    static ff_bus_variable v;
    make_image();
    if (ff_bus_variable_link(&image, &v, "knee", object, type, strcmp(object, "target") == 0, &err) != FF_OK)
        CHECK_FAIL("%s", err.text);
    return v;
}

TEST(a_link_has_the_type_of_the_bus)
{
    static const struct {
        const char *slave, *object;
        ff_bus_type type;
        bool output;
        ff_status status;
        const char *says;
    } wrong[] = {
        {"hip", "i8", FF_BUS_I8, false, FF_NOT_FOUND, "no slave 'hip'"},
        {"knee", "i9", FF_BUS_I8, false, FF_NOT_FOUND, "slave 'knee' of the bus has no object 'i9'"},
        {"knee", "i32", FF_BUS_U32, false, FF_BAD_ARGUMENT, "is int32 on the bus, the variable is uint32"},
        {"knee", "f64", FF_BUS_F32, false, FF_BAD_ARGUMENT, "is double on the bus, the variable is float"},
        {"knee", "i32", FF_BUS_I32, true, FF_BAD_ARGUMENT, "is an input of the bus, the variable is an output"},
        {"knee", "beyond", FF_BUS_I32, true, FF_BAD_ARGUMENT, "at byte 6, outside of the process image"}};
    make_image();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ff_error err = {0};
        ff_bus_variable v;
        CHECK(ff_bus_variable_link(&image, &v, wrong[i].slave, wrong[i].object, wrong[i].type, wrong[i].output, &err) ==
              wrong[i].status);
        if (!strstr(err.text, wrong[i].says)) CHECK_FAIL("got: %s; wanted: %s", err.text, wrong[i].says);
    }
    CHECK(image.count == 0);
    ff_arena_clear(&arena);
}

/// Every type but those that are not there is refused at every object.
TEST(no_other_type_is_taken)
{
    for (int i = 0; i < BUS.nobject - 1; i++)
        for (int type = 0; type < FF_BUS_TYPE_COUNT; type++) {
            ff_bus_variable v;
            make_image();
            const ff_status status =
                ff_bus_variable_link(&image, &v, "knee", OBJECTS[i].name, (ff_bus_type)type, OBJECTS[i].output, NULL);
            CHECK((status == FF_OK) == (OBJECTS[i].type == (ff_bus_type)type));
        }
    ff_arena_clear(&arena);
}

TEST(integers_come_out_of_their_bytes)
{
    static const struct {
        const char *object;
        ff_bus_type type;
        unsigned char bytes[8]; // little-endian
        int64_t value;
    } cases[] = {{"flag", FF_BUS_BOOL, {1}, 1},
                 {"i8", FF_BUS_I8, {0x80}, -128},
                 {"u8", FF_BUS_U8, {0xFF}, 255},
                 {"i16", FF_BUS_I16, {0x00, 0x80}, -32768},
                 {"u16", FF_BUS_U16, {0x37, 0x12}, 0x1237},
                 {"i32", FF_BUS_I32, {0xFE, 0xFF, 0xFF, 0xFF}, -2},
                 {"u32", FF_BUS_U32, {0xFE, 0xFF, 0xFF, 0xFF}, 4294967294},
                 {"i64", FF_BUS_I64, {0, 0, 0, 0, 0, 0, 0, 0x80}, INT64_MIN},
                 {"u64", FF_BUS_U64, {1, 0, 0, 0, 0, 0, 0, 0}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ff_error err = {0};
        ff_bus_variable v;
        make_image();
        CHECK(ff_bus_variable_link(&image, &v, "knee", cases[i].object, cases[i].type, false, &err) == FF_OK);
        memset(image.inputs, 0xA5, BUS.inputs);
        memcpy(image.inputs + v.offset, cases[i].bytes, ff_bus_type_size(v.type));
        ff_bus_image_read(&image);
        CHECK(ff_bus_get_integer(&v) == cases[i].value);
        CHECK(ff_bus_get(&v) == (double)cases[i].value);
    }
    ff_arena_clear(&arena);
}

TEST(values_are_rounded_and_clamped)
{
    ff_bus_variable v = linked("i16", FF_BUS_I16);
    static const double given[] = {1.5, -1.5, 32767.4, 1e9, -1e9, INFINITY, NAN};
    static const int64_t kept[] = {2, -2, 32767, 32767, -32768, 32767, 0};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        ff_bus_set(&v, given[i]);
        CHECK(ff_bus_get_integer(&v) == kept[i]);
    }
    v = linked("u64", FF_BUS_U64);
    ff_bus_set(&v, 1e30);
    CHECK(ff_bus_get(&v) == 18446744073709549568.0); // the last double below 2^64
    ff_bus_set(&v, -1.0);
    CHECK(ff_bus_get(&v) == 0.0);
    v = linked("i64", FF_BUS_I64);
    ff_bus_set(&v, 1e30);
    CHECK(ff_bus_get_integer(&v) == 9223372036854774784); // below 2^63
    v = linked("f32", FF_BUS_F32);
    ff_bus_set(&v, 0.1);
    CHECK(ff_bus_get(&v) == (double)0.1F);
    v = linked("f64", FF_BUS_F64);
    ff_bus_set(&v, 0.1);
    CHECK(ff_bus_get(&v) == 0.1);
    v = linked("i32", FF_BUS_I32);
    ff_bus_set_integer(&v, INT64_C(0x180000001)); // counts wrap
    CHECK(ff_bus_get_integer(&v) == -2147483647);
    ff_arena_clear(&arena);
}

TEST(outputs_touch_their_own_bytes_alone)
{
    ff_error err = {0};
    ff_bus_variable v;
    make_image();
    CHECK(ff_bus_variable_link(&image, &v, "knee", "target", FF_BUS_I32, true, &err) == FF_OK);
    memset(image.outputs, 0xA5, BUS.outputs);
    ff_bus_set_integer(&v, 0x01020304);
    ff_bus_image_write(&image);
    static const unsigned char wanted[8] = {0xA5, 4, 3, 2, 1, 0xA5, 0xA5, 0xA5};
    CHECK(memcmp(image.outputs, wanted, sizeof wanted) == 0);
    ff_bus_image_read(&image); // which leaves outputs alone
    CHECK(ff_bus_get_integer(&v) == 0x01020304);
    ff_arena_clear(&arena);
}
