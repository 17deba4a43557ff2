// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// Structs written as JSON by tables: every type of a member, what may be left out, and lists.
#include "check.h"

#include <math.h>

#include "text/json_rows.h"

typedef struct leg {
    const char *name;
    double length;
} leg;

typedef enum gait { WAVE, TRIPOD } gait;

typedef struct robot {
    const char *name, *nick;
    double mass, height, com[3];
    int ndof;
    long long steps;
    bool stands;
    gait gait;
    int joints[4], njoint;
    leg *legs;
    int nleg;
    double *q;
    int nq;
} robot;

static void write_twice(ff_json *json, const void *object)
{
    ff_json_number(json, "twice", 2.0 * ((const robot *)object)->mass);
}

// clang-format off
static const ff_json_type TYPES[] = {
    {"Leg", "A leg.", .size = sizeof(leg), FF_JSON_FIELDS(
        FF_JSON_ROW(leg, name, "text", ALWAYS, "", "name"),
        FF_JSON_ROW(leg, length, "number", ALWAYS, "m", "length"))},
    {"Robot", "A robot.", FF_JSON_FIELDS(
        FF_JSON_ROW(robot, name, "text", ALWAYS, "", "name"),
        FF_JSON_ROW(robot, nick, "text", OPTIONAL, "", "another name"),
        FF_JSON_ROW(robot, mass, "number|null", ALWAYS, "kg", "mass"),
        FF_JSON_ROW(robot, height, "number", OPTIONAL, "m", "height"),
        FF_JSON_ROW(robot, com, "number[3]", ALWAYS, "m", "centre of mass"),
        FF_JSON_ROW(robot, ndof, "integer", ALWAYS, "", "degrees of freedom"),
        FF_JSON_ROW(robot, steps, "integer", ALWAYS, "", "steps taken"),
        FF_JSON_ROW(robot, stands, "flag", ALWAYS, "", "it stands"),
        FF_JSON_ROW(robot, gait, "'wave'|'tripod'", ALWAYS, "", "gait"),
        FIELD("joints", "integer[]", ALWAYS, "", "numbers", FF_JSON_ITEMS(robot, joints, njoint)),
        FIELD("legs", "Leg[]", OPTIONAL, "", "its legs", FF_JSON_ITEMS(robot, legs, nleg)),
        FIELD("q", "number[]", ALWAYS, "", "pose", FF_JSON_ITEMS(robot, q, nq)),
        FIELD("twice", "number", ALWAYS, "kg", "twice the mass", .write = write_twice),
        FIELD("event", "'robot'", ALWAYS, "", "of the protocol, not of the struct"))},
};
// clang-format on
static const ff_json_subject SUBJECT = {"robots", "Robots.", FF_JSON_TYPES(TYPES)};

/// The JSON without white space.
static void check_text(const robot *r, const char *wanted)
{
    ff_json json = {0};
    ff_json_begin_object(&json, NULL, true);
    ff_json_members(&json, &SUBJECT, "Robot", r);
    ff_json_end_object(&json);
    char *text = ff_json_finish(&json), *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' && *from != '\n') *to++ = *from;
    *to = '\0';
    CHECK_TEXT(text, wanted);
    free(text);
}

TEST(members_have_the_type_of_their_row)
{
    leg legs[] = {{"FL", 0.1}, {"FR", 0.2}};
    double q[] = {0.5, -0.5};
    const robot r = {.name = "ANTON",
                     .nick = "bug",
                     .mass = 5,
                     .height = 0.25,
                     .com = {1, 2, 3},
                     .ndof = 24,
                     .steps = 5000000000,
                     .stands = true,
                     .gait = TRIPOD,
                     .joints = {7, 8, 9},
                     .njoint = 3,
                     .legs = legs,
                     .nleg = 2,
                     .q = q,
                     .nq = 2};
    check_text(&r, "{\"name\":\"ANTON\",\"nick\":\"bug\",\"mass\":5,\"height\":0.25,\"com\":[1,2,3],\"ndof\":24,"
                   "\"steps\":5000000000,\"stands\":true,\"gait\":\"tripod\",\"joints\":[7,8,9],"
                   "\"legs\":[{\"name\":\"FL\",\"length\":0.1},{\"name\":\"FR\",\"length\":0.2}],\"q\":[0.5,-0.5],"
                   "\"twice\":10}");
}

TEST(optional_members_without_a_value_are_left_out_and_others_are_null_or_empty)
{
    const robot r = {.name = "R", .mass = NAN, .height = INFINITY, .gait = WAVE};
    check_text(&r, "{\"name\":\"R\",\"mass\":null,\"com\":[0,0,0],\"ndof\":0,\"steps\":0,\"stands\":false,"
                   "\"gait\":\"wave\",\"joints\":[],\"q\":[],\"twice\":null}");
}
