// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of MJCF against its reader: every attribute of every element is put into a small file, alone beside what
// the element needs. Those the table calls used are read, all others are listed with the reason of the table.
#include "mjcf/table.h"

#include <footfall/load.h>
#include <footfall/model.h>

#include "check.h"

#include <stdio.h>

#define WORLD                                                                                                          \
    "<worldbody><site name='s0'/><geom name='g0' size='.1'/><body name='b0'><joint name='j0'/>"                        \
    "<geom name='g1' size='.1'/><site name='s1'/></body><body name='b1'><joint name='j1' type='ball'/>"                \
    "<geom size='.1'/></body>%s</worldbody>"
#define REST                                                                                                           \
    "<tendon><fixed name='t0'><joint joint='j0' coef='1'/></fixed></tendon><actuator><motor name='m0' joint='j0'/>"    \
    "</actuator>"

/// Where an element stands: the file around it, %s being the element.
static const struct {
    const char *parent, *file;
} PLACES[] = {
    {"mujoco", "<mujoco>%s</mujoco>"},
    {"option", "<mujoco><option>%s</option></mujoco>"},
    {"asset", "<mujoco><asset>%s</asset></mujoco>"},
    {"worldbody", "<mujoco><worldbody><body>%s<geom size='.1'/></body></worldbody></mujoco>"},
    {"contact", "<mujoco>" WORLD REST "<contact>%s</contact></mujoco>"},
    {"tendon", "<mujoco>" WORLD "<tendon>%s</tendon></mujoco>"},
    {"spatial", "<mujoco>" WORLD "<tendon><spatial><site site='s0'/><site site='s1'/>%s<site site='s0'/>"
                "<site site='s1'/></spatial></tendon></mujoco>"},
    {"fixed", "<mujoco>" WORLD "<tendon><fixed>%s</fixed></tendon></mujoco>"},
    {"equality", "<mujoco>" WORLD REST "<equality>%s</equality></mujoco>"},
    {"actuator", "<mujoco>" WORLD REST "<actuator>%s</actuator></mujoco>"},
    {"sensor", "<mujoco>" WORLD REST "<sensor>%s</sensor></mujoco>"},
    {"keyframe", "<mujoco>" WORLD REST "<keyframe>%s</keyframe></mujoco>"},
};

/// What an element needs beside the attribute that is tried: attributes, and what stands inside.
static const struct {
    const char *parent, *element, *attribute, *needs, *inside; // NULL: any
} NEEDS[] = {
    {"worldbody", "inertial", NULL, "pos='0 0 0' mass='1' diaginertia='1 1 1'", ""},
    {"worldbody", "geom", NULL, "size='.1 .1 .1'", ""},
    {"worldbody", "body", NULL, "", "<geom size='.1'/>"},
    {"contact", "pair", NULL, "geom1='g0' geom2='g1'", ""},
    {"contact", "exclude", NULL, "body1='b0' body2='b1'", ""},
    {"tendon", "spatial", NULL, "", "<site site='s0'/><site site='s1'/>"},
    {"tendon", "fixed", NULL, "", "<joint joint='j0' coef='1'/>"},
    {"spatial", "site", NULL, "site='s0'", ""},
    {"spatial", "geom", NULL, "geom='g0'", ""},
    {"spatial", "pulley", NULL, "divisor='2'", ""},
    {"fixed", "joint", NULL, "joint='j0' coef='1'", ""},
    {"equality", NULL, "site1", "site1='s0' site2='s1'", ""},
    {"equality", NULL, "site2", "site1='s0' site2='s1'", ""},
    {"equality", "connect", NULL, "body1='b0' anchor='0 0 0'", ""},
    {"equality", "weld", NULL, "body1='b0'", ""},
    {"equality", "joint", NULL, "joint1='j0'", ""},
    {"asset", "mesh", NULL, "name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'", ""},
    {"asset", "material", NULL, "name='m'", ""},
    {"worldbody", "replicate", NULL, "count='2'", "<geom size='.1'/>"},
    {"actuator", "adhesion", NULL, "body='b0'", ""},
    {"actuator", NULL, "body", "body='b0'", ""},
    {"actuator", NULL, "tendon", "tendon='t0'", ""},
    {"actuator", NULL, "site", "site='s0'", ""},
    {"actuator", NULL, "refsite", "site='s0' refsite='s1'", ""},
    {"actuator", NULL, NULL, "joint='j0'", ""},
    {"sensor", "ballquat", NULL, "joint='j1'", ""},
    {"sensor", "ballangvel", NULL, "joint='j1'", ""},
};

/// A sensor needs the object that its row has an attribute for.
static const char *object_of(const mjcf_element *row)
{
    static const char *const objects[][2] = {{"site", "site='s0'"},     {"joint", "joint='j0'"},
                                             {"tendon", "tendon='t0'"}, {"actuator", "actuator='m0'"},
                                             {"body", "body='b0'"},     {"objtype", "objtype='site' objname='s0'"}};
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++)
        if (ff_mjcf_table_has(row->used, objects[i][0])) return objects[i][1];
    return "";
}

static const char *file_of(const mjcf_element *row)
{
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
        if (ff_mjcf_table_has(row->parents, PLACES[i].parent)) return PLACES[i].file;
    return NULL;
}

/// An element with an attribute, and with what it needs.
static void write_element(char *out, size_t size, const mjcf_element *row, const char *element, const char *attribute)
{
    const char *needs = ff_mjcf_table_has(row->parents, "sensor") ? object_of(row) : "", *inside = "";
    char own[80], word[60];
    for (size_t i = 0; i < sizeof NEEDS / sizeof *NEEDS; i++) {
        if (!ff_mjcf_table_has(row->parents, NEEDS[i].parent)) continue;
        if (NEEDS[i].element && strcmp(NEEDS[i].element, element) != 0) continue;
        if (NEEDS[i].attribute && strcmp(NEEDS[i].attribute, attribute) != 0) continue;
        needs = NEEDS[i].needs;
        inside = NEEDS[i].inside;
        break;
    }
    snprintf(word, sizeof word, "%s='", attribute);
    const char *at = strstr(needs, word);
    const bool given = at && (at == needs || at[-1] == ' ');
    snprintf(own, sizeof own, "%s1'", word);
    snprintf(out, size, "<%s %s %s>%s</%s>", element, needs, given || !attribute[0] ? "" : own, inside, element);
}

/// What a file with this element lists under these words; "" for nothing.
static const char *listed(const mjcf_element *row, const char *inside, const char *words)
{
    static char found[400];
    char file[3000], world[3000];
    ff_report report = {0};
    const char *around = file_of(row), *second = strstr(around, "%s");
    if (strstr(second + 2, "%s")) // the first is that of WORLD
        snprintf(world, sizeof world, "%.*s%s", (int)(second - around), around, second + 2), around = world;
    const char *hole = strstr(around, "%s");
    snprintf(file, sizeof file, "%.*s%s%s", (int)(hole - around), around, inside, hole + 2);
    ff_spec *spec = ff_spec_create(NULL);
    ff_spec_parse(spec, "mjcf", file, strlen(file), "m.xml", NULL, &report);
    found[0] = 0;
    for (int i = 0; i < spec->nignored; i++)
        if (strncmp(spec->ignored[i].what, words, strlen(words)) == 0)
            snprintf(found, sizeof found, "%s", spec->ignored[i].what);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
    return found;
}

static void try_attribute(const mjcf_element *row, const char *element, const char *attribute, bool used)
{
    char inside[600], words[120];
    write_element(inside, sizeof inside, row, element, attribute);
    snprintf(words, sizeof words, "attribute '%s' of <%s>", attribute, element);
    const char *what = listed(row, inside, words), *reason = ff_mjcf_table_reason(element, attribute);
    if (used && what[0]) CHECK_FAIL("the table calls it used: %s (%s)", what, inside);
    if (!used && !what[0]) CHECK_FAIL("%s is left out by the table, and read (%s)", words, inside);
    if (!used && (!reason || !strstr(what, reason))) CHECK_FAIL("%s: no reason in \"%s\"", words, what);
}

static void each_attribute(const mjcf_element *row, const char *element, const char *attributes, bool used, int *count)
{
    char word[60];
    for (const char *at = attributes; *at; at += *at == ' ') {
        const int length = (int)strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", length, at);
        if (strcmp(word, "camera") != 0) try_attribute(row, element, word, used); // a sensor at one is left out whole
        (*count)++;
        at += length;
    }
}

TEST(every_attribute_is_read_or_listed_as_the_table_says)
{
    int count = 0;
    for (int i = 0; ff_mjcf_table_row(i); i++) {
        const mjcf_element *row = ff_mjcf_table_row(i);
        char element[40];
        if (row->reason || !file_of(row) || strcmp(row->names, "default") == 0) continue;
        if (strcmp(row->names, "model") == 0 || strcmp(row->names, "attach") == 0) continue; // they need a second file
        for (const char *at = row->names; *at; at += *at == ' ') {
            const int length = (int)strcspn(at, " ");
            snprintf(element, sizeof element, "%.*s", length, at);
            each_attribute(row, element, row->used, true, &count);
            each_attribute(row, element, row->ignored, false, &count);
            char inside[600];
            write_element(inside, sizeof inside, row, element, "nonsense");
            char words[120];
            snprintf(words, sizeof words, "attribute 'nonsense' of <%s>", element);
            if (!strstr(listed(row, inside, words), "MJCF has no such attribute"))
                CHECK_FAIL("%s: an unknown attribute is not reported", inside);
            at += length;
        }
    }
    CHECK_INT(count, 931); // of the elements that are read, in MuJoCo's reference and in that of older versions
}

TEST(elements_that_are_left_out_are_listed)
{
    int count = 0;
    for (int i = 0; ff_mjcf_table_row(i); i++) {
        const mjcf_element *row = ff_mjcf_table_row(i);
        char element[40], inside[600], words[60];
        if (!row->reason || !file_of(row)) continue;
        snprintf(element, sizeof element, "%.*s", (int)strcspn(row->names, " "), row->names);
        write_element(inside, sizeof inside, row, element, "");
        snprintf(words, sizeof words, "<%s>", element);
        if (!listed(row, inside, words)[0]) CHECK_FAIL("%s is left out by the table, and read", inside);
        count++;
    }
    CHECK(count > 25);
    const mjcf_element *sensors = ff_mjcf_table_row(0);
    CHECK_SAYS(listed(sensors->parents[0] ? sensors : ff_mjcf_table_row(1), "<nonsense/>", "<nonsense>"),
               "MJCF has no such element");
}
