// SPDX-FileCopyrightText: 2026 The Footfall authors
// SPDX-License-Identifier: Apache-2.0
//
// A format of one's own: what it takes to read robots from another kind of file.
#include "check.h"
#include "load/formats.h"

#include <footfall/model.h>

// <chain>3 0.2</chain>, so many links of so many metres, each with 1 kg at its end
static ff_status read_chain(ff_spec *spec, const ff_robot_text *from, ff_report *report)
{
    int n;
    double l;
    if (sscanf(from->text, "<chain>%d %lf</chain>", &n, &l) != 2 || n < 1 || n > 100 || !(l > 0.0)) {
        ff_report_add(report, FF_ERROR, (ff_place){from->file, 1, 1}, "write <chain>LINKS LENGTH</chain>");
        return FF_BAD_FILE;
    }
    for (int i = 0; i < n; i++) {
        char name[20];
        snprintf(name, sizeof name, "link%d", i + 1);
        ff_spec_body *body = ff_spec_add_body(spec, name, i - 1);
        if (!body || !ff_spec_add_joint(spec, name, i, FF_JOINT_HINGE)) return FF_NO_MEMORY;
        body->pos[0] = i > 0 ? l : 0.0;
        body->com[0] = l;
        body->mass = 1.0;
        body->has_inertial = true;
        spec->joints[i].axis[1] = 1.0, spec->joints[i].axis[2] = 0.0;
    }
    return FF_OK;
}

static const ff_robot_format CHAIN = {
    .name = "chain", .title = "chains", .element = "chain", .endings = {"chain"}, .read = read_chain};

/// The same as the text "links 3 0.2".
static ff_status read_links(ff_spec *spec, const ff_robot_text *from, ff_report *report)
{
    char text[80];
    snprintf(text, sizeof text, "<chain>%.40s</chain>", from->text + strlen("links "));
    ff_robot_text chain = *from;
    chain.text = text;
    return read_chain(spec, &chain, report);
}

static const ff_robot_format LINKS = {
    .name = "links", .title = "links", .beginning = "links ", .endings = {"links"}, .read = read_links};

static const ff_robot_format *read_as(const char *text, ff_spec *spec, ff_report *report)
{
    const ff_robot_format *formats[] = {
        ff_robot_formats[0], ff_robot_formats[1], ff_robot_formats[2], &CHAIN, &LINKS, NULL};
    const ff_robot_format *format = ff_robot_format_of(formats, text, strlen(text), "r", report);
    const ff_load_options options = ff_load_options_default();
    const ff_robot_text from = {text, strlen(text), "r", &options, formats, NULL};
    if (format) format->read(spec, &from, report);
    return format;
}

TEST(a_new_format_is_recognised_by_its_first_element)
{
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL);
    CHECK(read_as("<chain>3 0.2</chain>", spec, &report) == &CHAIN);
    CHECK(report.errors == 0 && spec->nbody == 3);
    ff_model *model = ff_model_compile(spec, NULL, &report);
    CHECK(model && model->nv == 3);
    CHECK_NEAR(spec->bodies[2].pos[0], 0.2, 0.0);
    ff_model_destroy(model);
    ff_spec_destroy(spec);
    ff_report_clear(&report);
}

TEST(a_format_that_is_not_xml_is_recognised_by_how_its_files_begin)
{
    ff_report report = {0};
    ff_spec *spec = ff_spec_create(NULL), *native = ff_spec_create(NULL);
    CHECK(read_as("links 3 0.2", spec, &report) == &LINKS);
    CHECK(report.errors == 0 && spec->nbody == 3);
    CHECK(read_as("links: 3", native, &report) == ff_robot_formats[2]); // what begins as no other format does
    CHECK(native->nbody == 0);
    ff_spec_destroy(spec);
    ff_spec_destroy(native);
    ff_report_clear(&report);
}

TEST(elements_of_no_format_are_named)
{
    static const struct {
        const char *text, *says;
    } bad[] = {{"<sdf/>", "<sdf>: a robot file starts with <robot> (URDF) or <mujoco> (MJCF) or <chain> (chains) (SDF"},
               {"", "the file is empty"},
               {"\x7f\x01", "binary"},
               {"<chain>0 1</chain>", "write <chain>LINKS LENGTH</chain>"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ff_report report = {0};
        ff_spec *spec = ff_spec_create(NULL);
        read_as(bad[i].text, spec, &report);
        CHECK(report.errors == 1 && strstr(report.messages[0].text, bad[i].says));
        ff_spec_destroy(spec);
        ff_report_clear(&report);
    }
}
